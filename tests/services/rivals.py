"""Processes that write to one event at the same moment, or die while they do. Run by test_concurrency.

    python -m tests.services.rivals migrate|pair|reports|kill

The database is that of the environment, a real one, never the test's. Prints JSON.
"""

import json
import os
import secrets
import signal
import sys
from collections.abc import Callable
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kounter_site.settings")
django.setup()

from django.core.management import call_command  # noqa: E402 - after setup
from django.db import connection, connections  # noqa: E402

from tests import make  # noqa: E402
from tournaments.models import Event, LogEntry, Match, ResultRevision, Seat  # noqa: E402
from tournaments.queries import sheet  # noqa: E402
from tournaments.services import results, rounds  # noqa: E402
from tournaments.services.errors import Refused  # noqa: E402
from tournaments.services.journal import SYSTEM  # noqa: E402
from tournaments.services.results import parse_score  # noqa: E402

PLAYERS, KILLS = 24, 20


def together(*jobs: Callable[[], Any]) -> list[Any]:
    """Run the jobs in processes of their own that start at one moment; what each answered."""
    connections.close_all()  # a connection must not be shared over a fork
    gate, opened = os.pipe()
    children = [fork(job, gate, opened) for job in jobs]
    os.close(gate)
    os.close(opened)  # everybody who waits reads the end of the pipe now
    answers = []
    for pid, answer in children:
        with os.fdopen(answer) as stream:
            answers.append(json.loads(stream.read() or "null"))
        os.waitpid(pid, 0)
    return answers


def fork(job: Callable[[], Any], gate: int, opened: int) -> tuple[int, int]:
    answer, out = os.pipe()
    pid = os.fork()
    if pid:
        os.close(out)
        return pid, answer
    os.close(opened)
    connection.ensure_connection()
    os.read(gate, 1)
    try:
        said = job()
    except Refused as refusal:
        said = {"refused": refusal.code}
    os.write(out, json.dumps(said).encode())
    os._exit(0)


def new_event(**fields: Any) -> Event:
    """`make` counts from 1 in every process, and all of them share this database."""
    mark = secrets.token_hex(4)
    return make.make_event(make.make_store(slug=f"tienda-{mark}"), players=PLAYERS, slug=f"jueves-{mark}", **fields)


# -- two at once -------------------------------------------------------------------------------------------------------
def pair_race() -> Any:
    event = new_event()
    answers = together(lambda: pair(event), lambda: pair(event))
    return {"answers": answers, "state": state(event)}


def pair(event: Event) -> dict[str, Any]:
    round, made = rounds.pair(event, 1, by=SYSTEM)
    return {"round": round.pk, "made": made, "seats": seats(event)}


def seats(event: Event) -> list[list[int]]:
    now = sheet(event)
    return [[seat.registration_id for seat in match.seat_list] for match in now.matches(now.round(1))]


def reports_race() -> Any:
    """Both phones in the same second: equal at table 1, different at table 2, one phone twice at table 3."""
    event = new_event(published=1)
    same, differ, twice = (make.table(event, n) for n in (1, 2, 3))
    for match, said in ((same, ((0, "1"), (1, "1"))), (differ, ((0, "1"), (1, "2"))), (twice, ((0, "1"), (0, "1")))):
        together(*[lambda match=match, seat=seat, key=key: claim(match, seat, key) for seat, key in said])
    return [told(match) for match in (same, differ, twice)]


def claim(match: Match, seat: int, key: str) -> str:
    statement = parse_score(key, 1, match.seat_list)
    who = match.seat_list[seat].registration
    return results.report(match, who, statement, by=SYSTEM, request_key=f"{match.pk}-{seat}").state


def told(match: Match) -> dict[str, Any]:
    fresh = Match.objects.get(pk=match.pk)
    revisions = ResultRevision.objects.filter(match=match).count()
    return {"state": fresh.state, "outcome": fresh.outcome, "revisions": revisions}


# -- killed while pairing ----------------------------------------------------------------------------------------------
def killed() -> Any:
    """A process that pairs dies before its n-th query, n = 1, 2, ...: what it left each time."""
    event = new_event()
    return [killed_at(event, n) for n in range(1, KILLS + 1)]


def killed_at(event: Event, n: int) -> dict[str, Any]:
    together(lambda: die_before(event, n))
    left = state(event)
    if left["rounds"]:
        rounds.undo_round(event, 1, by=SYSTEM)
    return left


def die_before(event: Event, n: int) -> None:
    asked = 0

    def count(execute: Any, *args: Any) -> Any:
        nonlocal asked
        asked += 1
        if asked == n:
            os.kill(os.getpid(), signal.SIGKILL)
        return execute(*args)

    with connection.execute_wrapper(count):
        rounds.pair(event, 1, by=SYSTEM)


def state(event: Event) -> dict[str, Any]:
    fresh = Event.objects.get(pk=event.pk)
    return {
        "rounds": fresh.rounds.count(),
        "seated": len(set(Seat.objects.filter(match__event=event).values_list("registration", flat=True))),
        "seats": Seat.objects.filter(match__event=event).count(),
        "pairings_logged": LogEntry.objects.filter(event=event, action="round.pair").count(),
        "undone": LogEntry.objects.filter(event=event, action="round.undo").count(),
        "status": fresh.status,
    }


def migrate() -> Any:
    call_command("migrate", verbosity=0)
    return "migrated"


if __name__ == "__main__":
    job = {"migrate": migrate, "pair": pair_race, "reports": reports_race, "kill": killed}[sys.argv[1]]
    json.dump(job(), sys.stdout)
