"""`/mazos/comprobar/` and `/mazos/reglas/`: for anyone, also without an account; nothing is kept (CASES 75-81, 85)."""

from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from decks.models import Deck, Game
from decks.rules import games
from decks.services import games as stored
from decks.services.checking import listed_rules
from decks.web import builder_check
from players.web import throttle
from tests import lists
from tests.core.decks.lists import legal_deck, written

pytestmark = pytest.mark.django_db
ADDRESS = "/mazos/comprobar/"


@pytest.fixture
def kounter(game: Game) -> Game:
    return lists.fill_catalogue(game)


def asked(client: Client, text: str, **more: str) -> Any:
    return client.post(ADDRESS, {"text": text, "game": "kounter", **more})


def page(answer: Any) -> str:
    return unescape(answer.content.decode())


def first_fix(html: str) -> str:
    return html.split('name="fix" value="')[1].split('"')[0]


def test_a_guest_checks_a_list(client: Client, kounter: Game) -> None:
    html = page(asked(client, written(legal_deck())))
    assert "Mazo legal" in html
    assert "<b>40</b> de 40 cartas valen" in html
    assert "Fuego" in html
    assert "data-mended" not in html
    assert Deck.objects.count() == 0


def test_a_tap_mends_one_line_and_can_be_undone(client: Client, kounter: Game) -> None:
    typed = "4 Duende Chispeiro\n2 <b>&amp; otra"
    answer = asked(client, typed)
    mended = asked(client, typed, fix=first_fix(page(answer)))
    assert mended["HX-Trigger-After-Settle"] == "tapped"
    html = page(mended)
    assert html.split("data-mended>\n")[1].split("</textarea>")[0] == "4 Duende Chispero\n2 <b>&amp; otra"
    assert "Hecho: Poner «Duende Chispero»" in html
    assert "<b>&amp; otra" not in mended.content.decode(), "what is typed is never markup"
    back = asked(client, "4 Duende Chispero", before=typed, undo="1")
    assert page(back).split("data-mended>\n")[1].split("</textarea>")[0] == typed


def test_a_first_line_that_is_blank_is_kept(client: Client, kounter: Game) -> None:
    """HTML drops the first line end of a text field."""
    answer = asked(client, "\n4 Duende Chispero", more="MI1-001")
    assert "data-mended>\n\n4 Duende" in answer.content.decode()


def test_the_day_and_the_narrowing_of_an_event_are_judged(client: Client, kounter: Game) -> None:
    text = written(legal_deck())
    assert "1 de enero de 2020" in page(asked(client, text, date="2020-01-01"))
    assert "Mazo legal" not in page(asked(client, text, date="2020-01-01"))
    assert "Mazo legal" not in page(asked(client, text, narrowing='{"elements": ["agua"]}'))
    assert "Mazo legal" in page(asked(client, text, date="31/02/2026", format="no-such"))


@pytest.mark.parametrize("narrowing", ["[", "[]", '{"a": 1}', '{"copies": "x"}', "[" * 3000])
def test_a_narrowing_that_no_page_sends_is_refused(client: Client, kounter: Game, narrowing: str) -> None:
    assert asked(client, "1 a", narrowing=narrowing).status_code == 400


def test_an_unknown_game_is_not_found(client: Client, kounter: Game) -> None:
    assert client.post(ADDRESS, {"text": "", "game": "parchis"}).status_code == 404
    assert client.get(ADDRESS).status_code == 405


def test_an_empty_list_is_no_mistake(client: Client, kounter: Game) -> None:
    html = page(asked(client, ""))
    assert "Pega o escribe tu lista" in html
    assert "danger" not in html


def test_a_list_that_is_too_long_is_told_so(client: Client, kounter: Game) -> None:
    html = page(asked(client, "1 a\n" * 500))
    assert "demasiado larga" in html
    assert "Nada de lo que has escrito se pierde" in html


def test_a_page_that_was_pasted_is_one_sentence(client: Client, kounter: Game) -> None:
    """CASES 85."""
    html = page(asked(client, "<!doctype html>\n<p>3 lobos</p>\n" * 3))
    assert html.count("No entiendo este formato") == 1
    assert 'name="fix"' not in html


def test_ataquerrr_asks_for_no_deck(client: Client, db: None) -> None:
    stored.game("ataquerrr")
    assert "no hace falta lista" in page(client.post(ADDRESS, {"text": "3 cosas", "game": "ataquerrr"}))


def test_a_check_takes_two_queries(client: Client, kounter: Game, queries: Any) -> None:
    asked(client, "1 a")
    with queries(2):
        asked(client, written(legal_deck()))


def test_who_asks_without_end_is_braked(client: Client, kounter: Game) -> None:
    for _ in range(builder_check.LISTS_OF_A_SHOP):
        throttle.over("deck_check", "127.0.0.1", builder_check.LISTS_OF_A_SHOP)
    assert asked(client, "1 a").status_code == 429


@pytest.mark.parametrize("game", games.slugs())
def test_every_rule_has_its_address(client: Client, db: None, game: str) -> None:
    for slug in games.slugs():
        stored.game(slug)
    html = page(client.get(reverse("deck_rules", args=[game])))
    core = games.game(game)
    wanted = listed_rules(core) if core.registration else core.rules
    assert [rule.id for rule in wanted if f'id="{rule.id}"' not in html] == []


def test_the_ruling_of_kick_peso_is_called_one(client: Client, db: None) -> None:
    stored.game("kickon")
    html = page(client.get(reverse("deck_rules", args=["kickon"])))
    assert "interpretación" in html.split('id="kick-peso"')[1].split('class="rule"')[0]
    assert client.get(reverse("deck_rules", args=["parchis"])).status_code == 404
