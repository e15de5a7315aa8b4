"""The card browser and the page of one card (UX, Everywhere; CASES 67, 69, 70, 83)."""

import re
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from decks.models import Card
from tests import lists, make
from tournaments.models import Event, Registration

pytestmark = pytest.mark.django_db


@pytest.fixture
def kounter(game: object) -> Any:
    return lists.fill_catalogue()


def page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return " ".join(answer.content.decode().split())


def found(text: str) -> list[str]:
    return re.findall(r'<b class="name">([^<]+)</b>', text)


@pytest.mark.parametrize("typed", ["vigia", "VIGÍA", "Vigi\u0301a", "MI1-001"])
def test_case_67_cards_are_found_however_they_are_typed(visitor: Client, kounter: Any, typed: str) -> None:
    assert "Vigía de Kuran Delii" in found(page(visitor, f"/cartas/?q={typed}"))


def test_filters_add_up_and_stay_in_the_address(visitor: Client, kounter: Any) -> None:
    text = page(visitor, "/cartas/?elemento=fuego&tipo=unidad&rareza=raro")
    rows = Card.objects.filter(element__slug="fuego", type="unidad", rarity="raro")
    assert sorted(found(text)) == sorted(rows.values_list("name", flat=True))
    assert re.search(r'value="fuego" selected', text)
    assert "Tribu Goblin" in text
    assert "Kuran Delii</option>" not in text, "factions of that element only"


@pytest.mark.parametrize("query", ["?elemento=plasma", "?coste=x", "?rareza=zz", "?page=9999"])
def test_a_filter_that_is_none_narrows_nothing(visitor: Client, kounter: Any, query: str) -> None:
    assert f"{Card.objects.count()} cards" in page(visitor, f"/cartas/{query}")


@pytest.mark.parametrize(("cost", "costs"), [("0", {0}), ("3", {3}), ("10", set())])
def test_by_cost(visitor: Client, kounter: Any, cost: str, costs: set[int]) -> None:
    names = found(page(visitor, f"/cartas/?coste={cost}"))
    assert set(Card.objects.filter(name__in=names).values_list("cost", flat=True)) <= costs or names == []


def test_nothing_found_says_how_to_go_on(visitor: Client, kounter: Any) -> None:
    text = page(visitor, "/cartas/?q=zzzz")
    assert "No card is like that" in text
    assert visitor.get("/cartas/?juego=nada").status_code == 404


def test_invented_cards_say_so(visitor: Client, kounter: Any) -> None:
    assert "These cards are invented" in page(visitor, "/cartas/")
    assert "This card is invented" in page(visitor, "/cartas/kounter/MI1-001/")


def test_a_page_of_cards_costs_the_same_for_few_and_for_many(visitor: Client, kounter: Any) -> None:
    costs = []
    for query in ("?q=goblin", "?q=a", ""):
        with CaptureQueriesContext(connection) as asked:
            visitor.get(f"/cartas/{query}")
        costs.append(len(asked))
    assert max(costs) == min(costs) <= 11


def test_by_the_code_of_any_printing(visitor: Client, kounter: Any) -> None:
    promo = Card.objects.exclude(printings__code="MI1-001").filter(printings__code__startswith="MIP").first()
    assert promo
    code = promo.printings.get(code__startswith="MIP").code
    text = page(visitor, f"/cartas/kounter/{code.lower()}/")
    assert f"<h1>{promo.name}</h1>" in text
    assert "2 printings" in text
    assert visitor.get("/cartas/kounter/NADA-1/").status_code == 404


def test_legality_of_today_by_format_and_by_its_restrictions(visitor: Client, kounter: Any) -> None:
    today = timezone.localdate()
    card = Card.objects.get(code="MI1-001")
    assert "up to 4 copies" in page(visitor, "/cartas/kounter/MI1-001/")
    lists.ban(card.name, today + timedelta(days=3))
    text = page(visitor, "/cartas/kounter/MI1-001/")
    assert "up to 4 copies" in text
    assert "banned · not yet" in text
    lists.ban(card.name, today, copies=1)
    assert "limited to 1" in page(visitor, "/cartas/kounter/MI1-001/")
    card.printings.update(released=today + timedelta(days=9))
    lists.ban(card.name, date(2020, 1, 1), copies=None)
    assert "not out yet" in page(visitor, "/cartas/kounter/MI1-001/")


def test_a_token_never_counts(visitor: Client, kounter: Any) -> None:
    token = Card.objects.filter(type="ficha").first()
    assert token
    assert "never counts" in page(visitor, f"/cartas/kounter/{token.code}/")


def test_where_it_is_played_counts_published_lists_alone(visitor: Client, kounter: Any) -> None:
    event = lists.make_asking(6, lists_public="end")
    lists.hand_in(event)
    name = lists.names()[0]
    card = Card.objects.get(name=name)
    assert "Too few lists" in page(visitor, f"/cartas/kounter/{card.code}/")
    Registration.objects.update(lists_consent="end")
    Event.objects.filter(pk=event.pk).update(status=Event.Status.FINISHED)
    text = page(visitor, f"/cartas/kounter/{card.code}/")
    assert "In 6 of 6 published lists" in text
    assert event.name in text
    other = make.make_player("Nadie Más")
    assert other.shown not in text


def test_a_retired_card_is_still_explained(visitor: Client, kounter: Any) -> None:
    Card.objects.filter(code="MI1-001").update(retired=True)
    assert "no longer in the catalogue" in page(visitor, "/cartas/kounter/MI1-001/")
    assert "Vigía de Kuran Delii" not in found(page(visitor, "/cartas/?q=vigia"))
