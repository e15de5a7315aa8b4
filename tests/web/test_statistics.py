"""What is played and what wins, and the page of an element: from public things alone (RANKING 2; CASES 88)."""

import re
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from decks.models import Element
from ranking.services import shares
from ranking.shares import Record
from tests import lists, make
from tournaments.models import Event, Registration

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    cache.clear()


def page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return " ".join(answer.content.decode().split())


def played(*scores: str, tier: str = "semanal", elements: tuple[str, ...] = ("fuego", "agua", "fuego", "luz")) -> Event:
    """Four of those elements: first against second, third against fourth."""
    event = make.make_event(rounds=1, tier=tier)
    for slug in elements:
        row = make.enrol(event, make.make_player())
        Registration.objects.filter(pk=row.pk).update(element=Element.objects.get(game=event.game, slug=slug))
    make.seat_by_hand(event, (1, 2), (3, 4))
    make.finish_tables(event, *scores)
    Event.objects.filter(pk=event.pk).update(status=Event.Status.FINISHED)
    return event


def records(game: Any) -> dict[str, tuple[int, Record]]:
    return {row.of.slug: (row.players, row.record) for row in shares.elements(game).rows if row.players}


def test_shares_and_records_add_up(game: Any) -> None:
    played("1", "x")
    assert records(game) == {
        "fuego": (2, Record(1, 1, 0)), "agua": (1, Record(0, 0, 1)), "luz": (1, Record(0, 1, 0)),
    }  # fmt: skip
    field = shares.elements(game)
    assert sum(row.share for row in field.rows) == pytest.approx(1)
    assert sum(row.record.won for row in field.rows) == sum(row.record.lost for row in field.rows)


def test_the_winner_is_a_person_whatever_his_seat(game: Any) -> None:
    played("2", "2")
    assert records(game)["fuego"] == (2, Record(0, 0, 2))


def test_mirrors_casual_nights_and_what_still_runs_do_not_count(game: Any) -> None:
    played("1", "1", elements=("fuego", "fuego", "agua", "agua"))
    assert records(game) == {"fuego": (2, Record()), "agua": (2, Record())}
    cache.clear()
    played("1", "1", tier="casual")
    Event.objects.filter(pk=played("1", "1").pk).update(status=Event.Status.RUNNING)
    assert records(game) == {"fuego": (2, Record()), "agua": (2, Record())}


def test_few_matches_are_no_number(visitor: Client, game: Any) -> None:
    played("1", "1")
    text = page(visitor, "/estadisticas/")
    assert "From 4 entries" in text
    assert '<svg class="interval"' not in text
    for _ in range(15):
        played("1", "1")
    cache.clear()
    text = page(visitor, "/estadisticas/")
    assert '<svg class="interval"' in text
    assert re.search(r"100[.,]00 %", text)


def test_factions_come_from_published_lists_alone(visitor: Client, game: Any) -> None:
    event = lists.make_asking(4, lists_public="end")
    lists.hand_in(event)
    assert "No deck lists have been published there." in page(visitor, "/estadisticas/")
    Event.objects.filter(pk=event.pk).update(status=Event.Status.FINISHED)
    Registration.objects.update(lists_consent="never")
    assert "No deck lists have been published there." in page(visitor, "/estadisticas/"), "its owners said no"
    Registration.objects.update(lists_consent="end")
    assert "From 4 published lists" in page(visitor, "/estadisticas/")


def test_an_empty_house_says_so_and_wrong_filters_narrow_nothing(visitor: Client, game: Any) -> None:
    assert "Nothing to count yet" in page(visitor, "/estadisticas/?temporada=nada&tipo=%C3%B1")


@pytest.mark.parametrize("slug", ["luz", "oscuridad", "agua", "naturaleza", "fuego", "tecnologia"])
def test_each_element_has_its_page(visitor: Client, game: Any, slug: str) -> None:
    element = Element.objects.get(game=game, slug=slug)
    text = page(visitor, f"/elementos/{slug}/")
    assert all(faction.name in text for faction in element.factions.all())
    assert element.factions.count() == 4
    assert "Nobody has a place on its board yet." in text
    assert visitor.get("/elementos/plasma/").status_code == 404


def test_the_page_costs_the_same_for_one_event_and_for_many(visitor: Client, game: Any) -> None:
    costs = []
    for _ in range(2):
        for _ in range(3):
            played("1", "x")
        cache.clear()
        with CaptureQueriesContext(connection) as asked:
            page(visitor, "/estadisticas/")
        costs.append(len(asked))
    assert costs[0] == costs[1] <= 14
