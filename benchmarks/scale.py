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
from statistics import median
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kounter_site.settings")
ROUNDS = 5
REPEATS = 7


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=2000)
    players = parser.parse_args().players
    with database() as vendor:
        for size in (players, 64):
            with bare_views(size):
                say({"database": vendor, "players": size} | measure(size))


def say(found: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(found) + "\n")


@contextmanager
def database() -> Iterator[str]:
    from django.db import connection
    from django.test.utils import setup_test_environment

    import kounter_site.wsgi  # noqa: F401 - the process as it serves

    setup_test_environment()
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
    floor = seconds_of(lambda: visitor.get("/bare/table/"))
    empty = seconds_of(lambda: visitor.get("/bare/empty/"), times=100)
    poll = seconds_of(lambda: visitor.get(home + "clasificacion/", headers=POLL | {"If-None-Match": tag}), times=100)
    found: dict[str, Any] = {
        "pair_ms": [round(1000 * each) for each in pair_seconds],
        "pair_queries": queries,
        "poll_304_over_empty_view": round(poll / empty, 2),
        "bare_table_ms": round(1000 * floor, 1),
    }
    for name, path in pages.items():
        took = seconds_of(uncached(path))
        body = visitor.get(path).content
        found[name] = {
            "ms": round(1000 * took, 1),
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


def seconds_of(work: Callable[[], Any], times: int = REPEATS) -> float:
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began)
    return median(taken)


@contextmanager
def bare_views(rows: int) -> Iterator[None]:
    """The site with two bare views beside its own: nothing at all, and a table of so many rows from plain values."""
    from django.http import HttpRequest, HttpResponse
    from django.template import engines
    from django.test import override_settings
    from django.urls import include, path

    template = engines["django"].from_string(
        "<table>{% for row in rows %}<tr>{% for cell in row %}<td>{{ cell }}</td>{% endfor %}</tr>{% endfor %}</table>"
    )
    values = [[place, f"Nombre Inventado {place}", *range(9)] for place in range(1, rows + 1)]

    def empty(request: HttpRequest) -> HttpResponse:
        return HttpResponse()

    def table(request: HttpRequest) -> HttpResponse:
        return HttpResponse(template.render({"rows": values}, request))

    class Urls:
        urlpatterns = [path("bare/empty/", empty), path("bare/table/", table), path("", include("kounter_site.urls"))]

    with override_settings(ROOT_URLCONF=Urls):
        yield


if __name__ == "__main__":
    main()
