"""`python -m benchmarks.scale [--players 2000]`: an event of that size through the database, as ratios in one run.

Makes a database of its own beside the one of DATABASE_URL (SQLite without it), fills it, measures, drops it. Asks are
whole requests through Django's handler: middleware, session, rights, service, commit, template. The floor is a bare
Django view in the same process.
"""

import argparse
import gzip
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import mkdtemp
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kounter_site.settings")
ROUNDS = 5
REPEATS = 15


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=2000)
    players = parser.parse_args().players
    from django.test import override_settings

    with database() as vendor, override_settings(ROOT_URLCONF="benchmarks.bare"):
        for size in (players, 64):
            say({"database": vendor, "players": size} | measure(size))


def say(found: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(found) + "\n")


@contextmanager
def database(*, file: bool = False) -> Iterator[str]:
    """`file`: also on SQLite one that another process can open."""
    from django.db import connection
    from django.test.utils import setup_test_environment

    import kounter_site.wsgi  # noqa: F401 - the process as it serves

    setup_test_environment()
    if file and connection.vendor == "sqlite":
        connection.settings_dict["TEST"]["NAME"] = str(Path(mkdtemp()) / "benchmark.sqlite3")
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    try:
        yield connection.vendor
    finally:
        connection.creation.destroy_test_db(connection.settings_dict["NAME"], verbosity=0)


def measure(players: int) -> dict[str, Any]:
    from django.core.cache import cache
    from django.test import Client

    from tests import make

    event = make.make_big_event(players, rounds=ROUNDS, open_round=False, best_of=3)
    settle()
    staff, visitor = Client(), Client()
    staff.force_login(make.make_staff(event.store))
    home = f"/eventos/{event.slug}/"

    pair_seconds, queries = [], 0
    for _ in range(3):
        seconds, queries = paired(staff, event, home)
        pair_seconds.append(seconds)

    def uncached(path: str) -> Callable[[], Any]:
        def ask() -> None:
            cache.clear()
            answer = visitor.get(path)
            assert answer.status_code == 200, (path, answer.status_code)

        return ask

    tag = visitor.get(home + "clasificacion/", headers=POLL).headers["ETag"]
    pages = {name: home + name for name in ("clasificacion/", "emparejamientos/")}
    poll, empty = beside(
        lambda: visitor.get(home + "clasificacion/", headers=POLL | {"If-None-Match": tag}),
        lambda: visitor.get("/bare/empty/"),
        times=200,
    )
    found: dict[str, Any] = {
        "pair_ms": [round(1000 * each) for each in pair_seconds],
        "pair_queries": queries,
        "poll_304_over_empty_view": round(poll / empty, 2),
    }
    for name, path in pages.items():
        took, floor = beside(uncached(path), lambda: visitor.get(f"/bare/table/{players}/"))
        body = visitor.get(path).content
        found[name] = {
            "ms": round(1000 * took, 1),
            "bare_table_ms": round(1000 * floor, 1),
            "over_bare_table": round(took / floor, 2),
            "compressed_kB": round(len(gzip.compress(body, 6)) / 1000, 1),
        }
    return found


POLL = {"HX-Request": "1", "HX-Target": "tabla"}


def paired(staff: Any, event: Any, home: str) -> tuple[float, int]:
    """Request to committed draft, and its queries; the draft is undone again."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from tournaments.services import rounds
    from tournaments.services.journal import SYSTEM

    began = time.perf_counter()
    answer = staff.post(home + "rondas/", {"number": ROUNDS + 1})
    seconds = time.perf_counter() - began
    assert answer.status_code in (200, 302, 303), answer.status_code
    assert event.rounds.filter(number=ROUNDS + 1, status="draft").exists()
    rounds.undo_round(event, ROUNDS + 1, by=SYSTEM)
    with CaptureQueriesContext(connection) as captured:
        staff.post(home + "rondas/", {"number": ROUNDS + 1})
    rounds.undo_round(event, ROUNDS + 1, by=SYSTEM)
    return seconds, len(captured)


def settle() -> None:
    """What a database does by itself within a minute of a night: count its rows."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def beside(work: Callable[[], Any], floor: Callable[[], Any], times: int = REPEATS) -> tuple[float, float]:
    """Seconds of both, asked in turn: a machine that slows down for a while slows down both."""
    taken: list[tuple[float, float]] = []
    for _ in range(times + 1):
        began = time.perf_counter()
        work()
        between = time.perf_counter()
        floor()
        taken.append((between - began, time.perf_counter() - between))
    works, floors = zip(*taken[1:], strict=True)  # the first of each fills caches of its own
    return median(works), median(floors)


if __name__ == "__main__":
    main()
