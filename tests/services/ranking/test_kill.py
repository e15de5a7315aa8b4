"""SIGKILL at any instant of a computation leaves the old snapshot or the new one, whole (RANKING 4).

A process of its own with a database file: it forks a worker, kills it somewhere, looks at what readers would see, and
at last lets one finish.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

SCRIPT = """
import django, json, os, random, signal, sys, time
django.setup()
from datetime import date, timedelta
from django.core.management import call_command
from django.db import connection
from django.utils import timezone
from decks.services.games import default_game
from ranking import queries
from ranking.models import BoardRow, PointsEntry, RatedEvent, Rating, RatingPoint, Run, Snapshot
from ranking.services import publication, rate
from ranking.services.check import check, published
from ranking.services.simulation.circuit import Plan, simulate

call_command("migrate", verbosity=0)
game = default_game()
simulate(Plan(game, players=40, stores=2, weeks=1, seed=1, until=date(2026, 3, 15)))
(old,) = rate.catch_up(timezone.now())
digests = published(old)
started = time.monotonic()
rate.rebuild(game, timezone.now())
length = time.monotonic() - started
simulate(Plan(game, players=40, stores=2, weeks=1, seed=2, until=date(2026, 3, 22)))
before, rng, killed = queries.current(game), random.Random(int(sys.argv[1])), 0
connection.close()
for round in range(12):
    child = os.fork()
    if not child:
        Run.objects.filter(status=Run.Status.RUNNING).update(heartbeat=timezone.now() - 2 * rate.STALE)
        rate.catch_up(timezone.now())
        os._exit(0)
    time.sleep(rng.uniform(0, 1.2 * length))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    killed += os.WIFSIGNALED(status)
    now = queries.current(game)
    whole = check(game, timezone.now()) if now.pk != before.pk else None
    assert (published(now) == digests) if whole is None else whole.passed, round
    connection.close()
    if whole is not None:
        break
Run.objects.filter(status=Run.Status.RUNNING).update(heartbeat=timezone.now() - 2 * rate.STALE)
rate.catch_up(timezone.now())
end = check(game, timezone.now())
kept = set(Snapshot.objects.values_list("pk", flat=True))
parts = (Rating, RatingPoint, BoardRow, PointsEntry)
stray = [model.__name__ for model in parts if model.objects.exclude(snapshot__in=kept).exists()]
unfinished = Snapshot.objects.exclude(run__status=Run.Status.DONE).count()
print(json.dumps({"killed": killed, "passed": end.passed, "stray": stray, "unfinished": unfinished,
                  "current": Snapshot.objects.filter(current=True).count()}))
"""


def test_a_killed_worker_never_leaves_a_torn_snapshot(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    environment |= {"KOUNTER_VAR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "kounter_site.settings"}
    command = [sys.executable, "-c", SCRIPT, "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=240, env=environment)
    assert done.returncode == 0, done.stderr[-3000:]
    told = json.loads(done.stdout.splitlines()[-1])
    assert told.pop("killed") > 0, "no kill hit: the test says nothing"
    assert told == {"passed": True, "stray": [], "unfinished": 0, "current": 1}
