"""Runs: found by a sweep, claimed by one worker, computed, published (RANKING 4). No Celery here.

Rows are the truth: a bell that nobody heard is rung again by the next sweep, a run whose worker died is taken over, and
everything may be done twice. `tasks.py` only rings.
"""

import secrets
import socket
import traceback
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from django.db.models import Q
from django.utils import timezone

from decks.models import Game
from ranking.models import RatedEvent, Run, Snapshot
from ranking.services import publication
from ranking.services.errors import Obsolete, Overtaken
from ranking.services.inputs import Look, Reading, Seen, hashed, look, read_all

if TYPE_CHECKING:
    from ranking.services.rating import Ratings

STALE = timedelta(minutes=2)  # a worker without a sign of life for so long is dead
RETRY = timedelta(minutes=10)  # a failed run is tried again, in case it was the machine's fault


def sweep(now: datetime) -> list[Run]:
    """The runs that wait for a worker, those of what changed since the current snapshots included."""
    games = Game.objects.filter(Q(events__isnull=False) | Q(snapshots__isnull=False)).distinct().order_by("pk")
    return [run for game in games if (run := pending(game, now)) is not None]


def pending(game: Game, now: datetime) -> Run | None:
    """None while there is nothing to do or somebody is doing it."""
    running = Run.objects.filter(game=game, status=Run.Status.RUNNING).first()
    if running is not None:
        return running if is_stale(running, now) else None
    found = look(game, today(now))
    waiting = Run.objects.filter(game=game, status=Run.Status.QUEUED)
    if (asked := waiting.filter(input_digest=rebuild_key(found)).first()) is not None:
        return asked
    if not found.changed:
        remember_versions(found)
        waiting.update(status=Run.Status.OBSOLETE)
        return None
    run = queue(found, found.key, now)
    waiting.exclude(pk=run.pk).update(status=Run.Status.OBSOLETE)
    return run if run.status == Run.Status.QUEUED else None


def today(now: datetime) -> date:
    return timezone.localtime(now).date()


def is_stale(run: Run, now: datetime) -> bool:
    return run.heartbeat is None or run.heartbeat < now - STALE


def queue(found: Look, key: str, now: datetime) -> Run:
    """The run of this input, made or found: the same input twice is one run.

    One that was overtaken waits again when its input is back; a failed one, after a while.
    """
    values = {"base": found.base, "context": found.context, "queued_at": now}
    run, _ = Run.objects.get_or_create(
        game=found.game, input_digest=key, parameters=found.tuning.parameters.version, defaults=values
    )
    again = Q(status=Run.Status.OBSOLETE) | Q(status=Run.Status.FAILED, finished_at__lt=now - RETRY)
    if Run.objects.filter(again, pk=run.pk).update(status=Run.Status.QUEUED, **values):
        run.refresh_from_db()
    return run


def remember_versions(found: Look) -> None:
    """Events written to without any effect on the ranking are not suspects any more."""
    if found.base is None:
        return
    for event, seen in found.events.items():
        if found.rated[event].version != seen.version:
            RatedEvent.objects.filter(run=found.base.run_id, event=event).update(version=seen.version)


# -- one worker --------------------------------------------------------------------------------------------------------
def worker_name() -> str:
    """Another one for every claim, so that a worker that comes back late cannot pass for its successor."""
    return f"{socket.gethostname()[:40]}-{secrets.token_hex(8)}"


def claim(run: Run, worker: str, now: datetime) -> bool:
    """Whether the run is this worker's: compare-and-set, once for a queued run and again when its worker is dead."""
    free = Q(status=Run.Status.QUEUED)
    free |= Q(status=Run.Status.RUNNING) & (Q(heartbeat=None) | Q(heartbeat__lt=now - STALE))
    claimed = Run.objects.filter(free, pk=run.pk).update(status=Run.Status.RUNNING, worker=worker, heartbeat=now)
    run.refresh_from_db()
    return bool(claimed)


def beat(run: Run, worker: str) -> None:
    mine = Run.objects.filter(pk=run.pk, worker=worker, status=Run.Status.RUNNING)
    if not mine.update(heartbeat=timezone.now()):
        raise Overtaken


def work(run_id: int, now: datetime) -> Snapshot | None:
    """Claims, computes and publishes a run; None when somebody else does, or when newer results overtook it."""
    run, worker = Run.objects.select_related("game").filter(pk=run_id).first(), worker_name()
    if run is None or not claim(run, worker, now):
        return None
    try:
        return compute(run, worker, now)
    except Overtaken:
        return None
    except Obsolete:
        finish(run, worker, Run.Status.OBSOLETE, now)
        return None
    except Exception:
        finish(run, worker, Run.Status.FAILED, now, traceback.format_exc())
        raise


def compute(run: Run, worker: str, now: datetime) -> Snapshot:
    """Read, rate, write a whole snapshot, switch to it, forget what nobody needs."""
    found = look(run.game, today(now))
    by_hand = run.input_digest == rebuild_key(found)
    if not by_hand and run.input_digest != found.key:
        raise Obsolete
    beat(run, worker)
    reading = read_all(run.game)
    ratings = rate(found, reading, full=by_hand)
    beat(run, worker)
    snapshot = publication.build(run, found, reading, ratings, at=now, beat=lambda: beat(run, worker))
    publication.switch(run, worker, found, snapshot, at=now)
    publication.prune(snapshot, found.base)
    return snapshot


def rate(found: Look, reading: Reading, *, full: bool = False) -> "Ratings":
    """From the base's states, unless there is none or it was rated with other parameters."""
    from ranking.services import rating

    parameters = found.tuning.parameters
    if full or found.base is None or found.base.run.parameters != parameters.version:
        return rating.full(reading, parameters)
    read = {event.id: Seen(event.version, event.digest(), event.day) for event in reading.events}
    return rating.onwards(reading, parameters, found.base, rating.changed_since(read, found.rated))


def finish(run: Run, worker: str, status: str, now: datetime, error: str = "") -> None:
    """Only while it is still ours; what was written of its snapshot goes."""
    mine = Run.objects.filter(pk=run.pk, worker=worker, status=Run.Status.RUNNING)
    if mine.update(status=status, finished_at=now, error=error[-4000:]):
        publication.discard_unfinished(run)


# -- by hand -----------------------------------------------------------------------------------------------------------
def catch_up(now: datetime) -> list[Snapshot]:
    """Works off what the sweep finds, here and now; for commands and tests."""
    return [snapshot for run in sweep(now) if (snapshot := work(run.pk, now)) is not None]


def rebuild(game: Game, now: datetime) -> Snapshot | None:
    """A new snapshot rated from the first day, here and now; None when a worker has it in hand."""
    return work(request_rebuild(game, now).pk, now)


def request_rebuild(game: Game, now: datetime) -> Run:
    """A row that the next sweep hands to a worker. Twice is once; one that failed does not wait to be tried again,
    because somebody asks for it."""
    found = look(game, today(now))
    run = queue(found, rebuild_key(found), now)
    if Run.objects.filter(pk=run.pk, status=Run.Status.FAILED).update(status=Run.Status.QUEUED, queued_at=now):
        run.refresh_from_db()
    return run


def rebuild_key(found: Look) -> str:
    return hashed(["rebuild", found.key])
