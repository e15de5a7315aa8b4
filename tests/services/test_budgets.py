"""How many queries a service asks: the same at 12 players and at 500 (contract: report and decide 8, pair 20)."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests import make
from tournaments.models import Event
from tournaments.queries import final_standings, published_standings, sheet
from tournaments.services import cut, results, rounds
from tournaments.services.journal import SYSTEM
from tournaments.services.results import parse_score

pytestmark = pytest.mark.django_db
SIZES = [12, 500]
NOT_COUNTED = ("SAVEPOINT", "RELEASE SAVEPOINT", "ROLLBACK TO SAVEPOINT", "BEGIN", "COMMIT")


def queries_of(work: Callable[[], Any]) -> int:
    with CaptureQueriesContext(connection) as captured:
        work()
    return sum(not query["sql"].startswith(NOT_COUNTED) for query in captured.captured_queries)


@pytest.fixture(params=SIZES)
def event(request: pytest.FixtureRequest, db: None) -> Event:
    return make.make_big_event(request.param, rounds=2)


def test_results_and_rounds_ask_the_same_whatever_the_size(event: Event) -> None:
    tables = sheet(event).open_matches
    first, second = tables[:2]
    left, right = first.seat_list
    said = parse_score("1", 1, first.seat_list)
    report, decide, correct = results.report, results.decide, results.correct
    asked = {
        "report": queries_of(lambda: report(first, left.registration, said, by=SYSTEM, request_key="a")),
        "confirm": queries_of(lambda: report(first, right.registration, said, by=SYSTEM, request_key="b")),
        "decide": queries_of(lambda: decide(second, parse_score("1", 1, second.seat_list), by=SYSTEM)),
        "correct": queries_of(
            lambda: correct(second, parse_score("2", 1, second.seat_list), by=SYSTEM, reason="Al revés")
        ),
        "preview": queries_of(lambda: results.impact(second, parse_score("x", 1, second.seat_list))),
        "clear": queries_of(lambda: results.clear(second, by=SYSTEM, reason="Fuera")),
        "pair": queries_of(lambda: rounds.pair(event, 4, by=SYSTEM, override=True, reason="Cierra la tienda")),
        "pair again": queries_of(lambda: rounds.repair(event, 4, by=SYSTEM)),
        "publish": queries_of(lambda: rounds.publish(event, 4, by=SYSTEM)),
        "undo": queries_of(lambda: rounds.undo_round(event, 4, by=SYSTEM)),
    }
    budget = {
        "report": 8,
        "confirm": 8,
        "decide": 8,
        "correct": 8,
        "preview": 5,
        "clear": 8,
        "pair": 20,
        "pair again": 16,
        "publish": 10,
        "undo": 14,
    }
    assert {name: count for name, count in asked.items() if count > budget[name]} == {}


def test_an_ordinary_pairing_and_the_cut(event: Event) -> None:
    rounds.undo_round(event, 3, by=SYSTEM)
    assert queries_of(lambda: rounds.pair(event, 3, by=SYSTEM)) <= 14
    rounds.undo_round(event, 3, by=SYSTEM)
    Event.objects.filter(pk=event.pk).update(rounds_planned=2)
    assert queries_of(lambda: cut.start(event, 8, by=SYSTEM)) <= 16


def test_everything_a_page_shows_is_one_sheet_and_at_most_one_snapshot(event: Event) -> None:
    assert queries_of(lambda: published_standings(sheet(event))) == 4
    Event.objects.filter(pk=event.pk).update(status="finished", finished_at=event.starts_at)
    event.refresh_from_db()
    assert queries_of(lambda: final_standings(sheet(event))) <= 7
