"""The pages of one's own decks, and that nobody else reads them (UX, Player; issue: private by default)."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.test import Client

from decks.models import Deck
from decks.services import decks
from players.models import User
from tests import lists, make

pytestmark = pytest.mark.django_db
DAY = date(2026, 3, 12)


@pytest.fixture
def kounter(game: object) -> Any:
    return lists.fill_catalogue()


@pytest.fixture
def me(kounter: Any, player_user: User, as_user: Callable[[User], Client]) -> Client:
    return as_user(player_user)


@pytest.fixture
def deck(kounter: Any, player_user: User) -> Deck:
    return decks.create(player_user.player, kounter, "Brasa lenta", lists.text(), on=DAY)  # type: ignore[attr-defined]


def page(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def test_from_nothing_to_a_saved_deck(me: Client) -> None:
    assert "You have no decks yet" in page(me.get("/mazos/"))
    form = {"game": "kounter", "name": "Brasa lenta", "text": lists.text(), "save": "1"}
    saved = me.post("/mazos/nuevo/", form, follow=True)
    deck = Deck.objects.get()
    assert saved.redirect_chain[-1][0] == f"/mazos/{deck.pk}/"
    assert "Legal deck" in page(saved)
    assert "Brasa lenta" in page(me.get("/mazos/"))


def test_a_visitor_builds_and_checks_and_is_asked_to_sign_in_to_save(visitor: Client, kounter: Any) -> None:
    assert visitor.get("/mazos/nuevo/").status_code == 200
    answer = visitor.post("/mazos/nuevo/", {"game": "kounter", "text": lists.text(), "save": "1"})
    assert answer.status_code == 403
    assert "Sign in to save it." in page(answer)
    assert lists.lines()[0] in answer.content.decode(), "what was written is still there"
    assert not Deck.objects.exists()
    checked = visitor.post("/mazos/nuevo/", {"game": "kounter", "text": lists.short(), "check": "1"})
    assert "thing to mend" in page(checked)


def test_cards_are_added_by_tapping(visitor: Client, kounter: Any) -> None:
    text = "2 Vigía de Kuran Delii"
    found = page(visitor.post("/mazos/cartas/", {"game": "kounter", "q": "vigia de", "text": text}))
    assert 'name="more" value="MI1-001"' in found
    assert '<span class="qty num">2</span>' in found
    tapped = visitor.post("/mazos/comprobar/", {"game": "kounter", "text": text, "more": "MI1-001"})
    assert "3 Vigía de Kuran Delii" in tapped.content.decode()
    assert "No card has" in page(visitor.post("/mazos/cartas/", {"game": "kounter", "q": "zzzz", "text": text}))


def test_saving_over_a_newer_version_asks_first(me: Client, deck: Deck) -> None:
    decks.save(deck, lists.short(), based_on=1, on=DAY, name=deck.name)
    mine = "4 Vigía de Kuran Delii"
    answer = me.post(f"/mazos/{deck.pk}/", {"text": mine, "name": "X", "based_on": "1", "save": "1"})
    assert answer.status_code == 409
    assert "Version 2 was saved elsewhere meanwhile." in page(answer)
    assert mine in answer.content.decode()
    assert 'name="based_on" value="2"' in page(answer)
    me.post(f"/mazos/{deck.pk}/", {"text": mine, "name": "X", "based_on": "2", "save": "1"})
    assert deck.versions.first().text == mine  # type: ignore[union-attr]


def test_versions_are_told_by_card_and_come_back(me: Client, deck: Deck) -> None:
    decks.save(deck, lists.short(), based_on=1, on=DAY, name=deck.name, note="Sin la última")
    told = page(me.get(f"/mazos/{deck.pk}/versiones/"))
    assert "Sin la última" in told
    me.post(f"/mazos/{deck.pk}/restaurar/", {"number": "1"})
    assert deck.versions.first().text == lists.text()  # type: ignore[union-attr]
    assert me.post(f"/mazos/{deck.pk}/restaurar/", {"number": "x"}).status_code == 302


def test_export_as_text_and_json(me: Client, deck: Deck) -> None:
    assert me.get(f"/mazos/{deck.pk}/exportar/txt/").content.decode().strip() == lists.text()
    told = me.get(f"/mazos/{deck.pk}/exportar/json/").json()
    assert sum(card["copies"] for card in told["cards"]) == 40
    assert me.get(f"/mazos/{deck.pk}/exportar/exe/").status_code == 404


def test_by_its_link_anybody_reads_and_copies_it(me: Client, deck: Deck, as_user: Callable) -> None:
    me.post(f"/mazos/{deck.pk}/compartir/")
    deck.refresh_from_db()
    link, other = f"/mazos/compartido/{deck.share}/", make.make_player("Bruno Nadie")
    answer = Client().get(link)
    assert answer["X-Robots-Tag"] == "noindex"
    assert deck.owner.shown in page(answer)
    assert lists.names()[0] in page(answer)
    assert Client().get(link + "?formato=txt").content.decode().strip() == lists.text()
    assert Client().post(link).status_code == 302, "a visitor signs in first"
    assert other.user
    as_user(other.user).post(link)
    assert Deck.objects.get(owner=other).copied_from == deck
    me.post(f"/mazos/{deck.pk}/dejar-de-compartir/")
    assert Client().get(link).status_code == 404


SHY = "Archivo Secretísimo"


def test_nobody_else_sees_a_private_deck_by_any_address(deck: Deck, as_user: Callable, administrator: User) -> None:
    Deck.objects.filter(pk=deck.pk).update(name=SHY)
    other = make.make_player("Bruno Nadie")
    assert other.user
    for client in (as_user(other.user), as_user(administrator), Client()):
        for path in ("", "versiones/", "exportar/txt/", "exportar/json/"):
            answer = client.get(f"/mazos/{deck.pk}/{path}")
            assert answer.status_code in (302, 404)
            assert SHY not in answer.content.decode()
        for action in ("compartir", "copiar", "restaurar", "borrar", "nada"):
            assert client.post(f"/mazos/{deck.pk}/{action}/").status_code in (302, 404)
        assert client.post(f"/mazos/{deck.pk}/", {"text": "x", "save": "1"}).status_code in (302, 404)
        for path in ("/mazos/", f"/jugadores/{deck.owner.code}/", "/mazos/compartido/None/", "/mazos/compartido/x/"):
            assert SHY not in client.get(path).content.decode()
    deck.refresh_from_db()
    assert (deck.share, deck.versions.count(), Deck.objects.count()) == (None, 1, 1)


def test_deleting_asks_and_goes(me: Client, deck: Deck) -> None:
    assert "Delete this deck" in page(me.get(f"/mazos/{deck.pk}/"))
    me.post(f"/mazos/{deck.pk}/borrar/")
    assert not Deck.objects.exists()


def test_a_game_without_decks_has_no_builder(visitor: Client, game: object) -> None:
    from decks.services.games import load_games

    load_games()
    assert visitor.get("/mazos/nuevo/?juego=ataquerrr").status_code == 404
    assert "Kick On!" in page(visitor.get("/mazos/nuevo/?juego=kickon"))
