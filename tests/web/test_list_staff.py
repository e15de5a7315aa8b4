"""Deck lists for the staff: the roster says how each stands, one is pasted, unlocked, let pass, checked, printed."""

from collections.abc import Callable
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from players.models import User
from tests import lists, make
from tests.web.conftest import account_in
from tournaments.models import DeckCheck, Event, Penalty, Registration, Store
from tournaments.services import decks, events
from tournaments.services.journal import SYSTEM

pytestmark = pytest.mark.django_db
LogIn = Callable[[User], Client]


@pytest.fixture
def event(store: Store) -> Event:
    return lists.make_asking(store=store, players=4)


@pytest.fixture
def desk(organiser: User, as_user: LogIn) -> Client:
    return as_user(organiser)


@pytest.fixture
def bench(judge: User, as_user: LogIn) -> Client:
    return as_user(judge)


@pytest.fixture
def first(event: Event) -> Registration:
    return make.registration(event, 1)


def said(response: HttpResponse) -> str:
    return response.content.decode()


def at(event: Event, row: Registration, rest: str = "mazo/") -> str:
    return f"/eventos/{event.slug}/inscripciones/{row.pk}/{rest}"


def again(row: Registration) -> Registration:
    return Registration.objects.select_related("event__store", "event__game", "player", "submission").get(pk=row.pk)


class TestRoster:
    def test_each_says_in_words_how_his_list_stands(self, event: Event, desk: Client) -> None:
        one, two, three, _four = event.registrations.select_related("event__store", "event__game", "player")
        lists.hand_in([one])
        lists.hand_in([two, three], lists.short(), accept=True, reason="Vale")
        Registration.objects.filter(pk=three.pk).update(deck_accepted="")
        page = said(desk.get(f"/eventos/{event.slug}/inscripciones/"))
        assert page.count("Legal deck") == 1
        assert page.count("Deck not legal") == 2
        assert page.count("may play") == 1
        assert page.count("No deck list") == 1

    def test_who_lacks_one_is_a_group_of_its_own(self, event: Event, first: Registration, desk: Client) -> None:
        lists.hand_in([first])
        page = said(desk.get(f"/eventos/{event.slug}/inscripciones/?ver=nolist"))
        assert first.player.name not in page
        assert make.registration(event, 2).player.name in page

    def test_where_nobody_is_asked_nothing_is_said(self, store: Store, desk: Client) -> None:
        page = said(desk.get(f"/eventos/{make.make_event(store, players=2).slug}/inscripciones/"))
        assert "deck" not in page.lower().replace("deck.mjs", "")

    def test_it_costs_one_query_more(self, event: Event, store: Store, desk: Client, queries: Any) -> None:
        lists.hand_in(event)
        with queries(15):
            desk.get(f"/eventos/{event.slug}/inscripciones/")

    def test_a_scorekeeper_reads_the_state_and_no_list(
        self, event: Event, first: Registration, scorekeeper: User, as_user: LogIn
    ) -> None:
        lists.hand_in([first])
        client = as_user(scorekeeper)
        page = said(client.get(f"/eventos/{event.slug}/inscripciones/{first.pk}/"))
        assert "Legal deck" in page
        assert "/mazo/" not in page
        assert client.get(at(event, first)).status_code == 403


class TestConsole:
    def test_the_button_waits_and_says_for_whom(self, event: Event, first: Registration, desk: Client) -> None:
        lists.hand_in(event.registrations.exclude(pk=first.pk).select_related("event__store", "event__game", "player"))
        page = said(desk.get(f"/eventos/{event.slug}/consola/"))
        assert f"Deck list missing: {first.player.name}." in page
        assert 'aria-disabled="true"' in page
        assert "3/4" in page
        answer = desk.post(f"/eventos/{event.slug}/rondas/", {"number": 1})
        assert f"Deck list missing: {first.player.name}." in said(answer)
        assert not event.rounds.exists()

    def test_it_begins_without_them_with_a_reason(self, event: Event, desk: Client) -> None:
        form = {"number": 1, "override": "on"}
        desk.post(f"/eventos/{event.slug}/rondas/", form)
        assert not event.rounds.exists()
        desk.post(f"/eventos/{event.slug}/rondas/", form | {"reason": "Sin cobertura"})
        assert event.rounds.exists()
        assert "Without a legal deck list" in said(desk.get(f"/eventos/{event.slug}/diario/"))

    def test_once_everybody_has_one_it_begins(self, event: Event, desk: Client) -> None:
        lists.hand_in(event)
        page = said(desk.get(f"/eventos/{event.slug}/consola/"))
        assert "Everybody has handed in a legal deck" in page
        desk.post(f"/eventos/{event.slug}/rondas/", {"number": 1})
        assert event.rounds.exists()

    def test_undoing_a_change_of_the_day_judges_again(self, event: Event, first: Registration, desk: Client) -> None:
        from datetime import timedelta

        lists.ban(lists.names()[0], event.date + timedelta(days=1))
        decks.submit(first, lists.text(), by=SYSTEM)
        events.edit(event, by=SYSTEM, starts_at=event.starts_at + timedelta(days=1))
        assert "Deck not legal" in said(desk.get(f"/eventos/{event.slug}/inscripciones/"))
        desk.post(f"/eventos/{event.slug}/deshacer/", {"number": event.log.order_by("-number")[0].number})
        assert "Deck not legal" not in said(desk.get(f"/eventos/{event.slug}/inscripciones/"))


class TestOneList:
    def test_a_judge_pastes_one_for_a_guest(self, event: Event, first: Registration, bench: Client) -> None:
        assert bench.post(at(event, first), {"text": lists.text()}).status_code == 303
        page = said(bench.get(at(event, first)))
        assert lists.names()[0] in page
        assert again(first).submission.digest[:8] in page  # type: ignore[union-attr]

    def test_an_illegal_one_says_what_is_wrong_and_is_taken_with_a_reason(
        self, event: Event, first: Registration, bench: Client
    ) -> None:
        page = said(bench.post(at(event, first), {"text": lists.short()}))
        assert "The list is not legal" in page
        assert "/mazos/reglas/kounter/#tamano" in page
        assert lists.lines()[0] in page
        taken = {"text": lists.short(), "accept": "on"}
        assert bench.post(at(event, first), taken).status_code == 422
        assert bench.post(at(event, first), taken | {"reason": "Le falta una"}).status_code == 303
        assert "Le falta una" in said(bench.get(at(event, first)))

    def test_unlock_and_lock_and_let_pass(self, event: Event, first: Registration, bench: Client) -> None:
        bench.post(at(event, first, "dejar-jugar/"), {"reason": ""})
        assert again(first).deck_accepted == ""
        bench.post(at(event, first, "dejar-jugar/"), {"reason": "Mazo prestado"})
        assert again(first).deck_accepted == "Mazo prestado"
        lists.hand_in(event.registrations.exclude(pk=first.pk).select_related("event__store", "event__game", "player"))
        make.pair_and_publish(event)
        second = make.registration(event, 2)
        bench.post(at(event, second, "abrir-mazo/"), {"reason": " "})
        assert not again(second).deck_unlocked
        bench.post(at(event, second, "abrir-mazo/"), {"reason": "Apuntó otro"})
        assert again(second).deck_unlocked
        assert "may hand in" in said(bench.get(at(event, second)))
        bench.post(at(event, second, "cerrar-mazo/"))
        assert not again(second).deck_unlocked

    def test_past_verdicts_stay_in_sight(self, event: Event, first: Registration, bench: Client) -> None:
        from datetime import timedelta

        decks.submit(first, lists.text(), by=SYSTEM)
        events.edit(event, by=SYSTEM, starts_at=event.starts_at + timedelta(days=1))
        assert "Earlier verdicts" in said(bench.get(at(event, first)))

    def test_paper_has_every_list_or_one(self, event: Event, first: Registration, bench: Client) -> None:
        lists.hand_in(event)
        page = said(bench.get(f"/eventos/{event.slug}/imprimir-mazos/"))
        assert page.count("decklist-sheet") == 4
        one = said(bench.get(f"/eventos/{event.slug}/imprimir-mazos/?j={first.pk}"))
        assert one.count("decklist-sheet") == 1
        assert first.player.name in one

    def test_paper_costs_the_same_for_four_and_for_forty(self, store: Store, bench: Client, queries: Any) -> None:
        for players in (4, 40):
            event = lists.make_asking(store=store, players=players)
            lists.hand_in(event)
            with queries(6):
                bench.get(f"/eventos/{event.slug}/imprimir-mazos/")


class TestCheck:
    @pytest.fixture
    def handed(self, event: Event, first: Registration) -> Registration:
        decks.submit(first, lists.text(), by=SYSTEM)
        return again(first)

    def found(self, row: Registration, **changes: int) -> dict[str, Any]:
        """The form as it stands, with other numbers for some card names."""
        assert row.submission
        rows = enumerate(decks.listed(row.submission).values())
        return {f"found_{n}": changes.get(name, copies) for n, (name, copies) in rows}

    def test_a_deck_that_is_as_the_list_says(self, event: Event, handed: Registration, bench: Client) -> None:
        page = said(bench.get(at(event, handed, "revision/")))
        assert all(name in page for name in lists.names())
        assert bench.post(at(event, handed, "revision/"), self.found(handed)).status_code == 303
        assert DeckCheck.objects.get().correct
        assert "As the list says" in said(bench.get(at(event, handed)))

    def test_differences_strange_cards_note_and_penalty(
        self, event: Event, handed: Registration, bench: Client, judge: User
    ) -> None:
        name, strange = lists.names()[0], lists.names("luz")[0]
        form = self.found(handed, **{name: 3}) | {
            "others": f"1 {strange}", "note": "Lo cambió antes de la ronda", "kind": "game_loss",
            "infraction": "El mazo no coincide con la lista",
        }  # fmt: skip
        assert bench.post(at(event, handed, "revision/"), form).status_code == 303
        page = said(bench.get(at(event, handed)))
        assert "There are differences" in page
        assert f"{name}: 3" in page
        assert f"{strange}: 1" in page
        penalty = Penalty.objects.get()
        assert (penalty.by, penalty.registration) == (judge, handed)
        assert DeckCheck.objects.get().penalty == penalty
        assert "El mazo no coincide con la lista" in said(
            bench.get(f"/eventos/{event.slug}/inscripciones/{handed.pk}/")
        )

    @pytest.mark.parametrize(
        ("wrong", "word"),
        [
            ({"others": "1 Carta que no existe"}, "No card is called"),
            ({"kind": "warning"}, "Say what the penalty is for"),
            ({"found_0": "muchas"}, "Enter a whole number"),
            ({"found_0": "-1"}, "greater than or equal to 0"),
        ],
    )
    def test_what_cannot_be_noted_stays_as_it_was_typed(
        self, event: Event, handed: Registration, bench: Client, wrong: dict[str, str], word: str
    ) -> None:
        answer = bench.post(at(event, handed, "revision/"), self.found(handed) | {"note": "Se queda"} | wrong)
        assert answer.status_code == 422
        assert word in said(answer)
        assert "Se queda" in said(answer)
        assert not DeckCheck.objects.exists()

    def test_without_a_list_it_leads_back(self, event: Event, first: Registration, bench: Client) -> None:
        assert bench.get(at(event, first, "revision/"))["location"] == at(event, first)

    def test_players_never_see_a_check(self, event: Event, bench: Client, as_user: LogIn) -> None:
        row, user = account_in(event, "Ana Peral")
        decks.submit(row, lists.text(), by=SYSTEM)
        decks.check(again(row), {}, by=SYSTEM, note="Fundas desgastadas")
        client = as_user(user)
        for path in ("mi-mazo/", "mi-mesa/", "", "clasificacion/"):
            assert "Fundas desgastadas" not in said(client.get(f"/eventos/{event.slug}/{path}"))


class TestForm:
    def test_what_is_asked_of_decks_is_set_and_shown_again(self, event: Event, desk: Client) -> None:
        settings = f"/eventos/{event.slug}/ajustes/"
        form = {
            "name": event.name, "starts_at": "2026-03-12T18:30", "whole": "1", "decks": "optional",
            "lists_public": "swiss", "deck_format": "una-faccion", "deck_copies": "2", "deck_elements": ["luz", "agua"],
            "deck_expansions": ["muestra-inventada-1"], "deck_factions": ["kuran-delii"], "deck_one_faction": "on",
        }  # fmt: skip
        answer = desk.post(settings, form)
        assert answer.status_code == 303, said(answer)
        event.refresh_from_db()
        assert event.deck_rules == {
            "elements": ["agua", "luz"], "expansions": ["muestra-inventada-1"], "factions": ["kuran-delii"],
            "one": ["faction"], "copies": 2,
        }  # fmt: skip
        assert (event.decks, event.lists_public, event.deck_format) == ("optional", "swiss", "una-faccion")
        page = said(desk.get(settings))
        assert 'value="agua" id="id_deck_elements_2" checked' in page.replace("  ", " ")
        facts = said(desk.get(f"/eventos/{event.slug}/"))
        assert "One faction" in facts
        assert "up to 2 copies of each card" in facts

    def test_what_leaves_no_deck_is_refused_in_words(self, event: Event, desk: Client) -> None:
        form = {
            "name": event.name, "starts_at": "2026-03-12T18:30", "whole": "1", "decks": "required",
            "deck_format": "temporada-de-luz", "deck_elements": ["agua"],
        }  # fmt: skip
        answer = desk.post(f"/eventos/{event.slug}/ajustes/", form)
        assert answer.status_code == 422
        assert "exclude each other" in said(answer)

    def test_a_form_that_does_not_speak_of_decks_leaves_them(self, event: Event, desk: Client) -> None:
        events.edit(event, by=SYSTEM, deck_rules={"copies": 2, "elements": ["luz"], "one": ["faction"]})
        desk.post(f"/eventos/{event.slug}/ajustes/", {"name": "Otro nombre", "starts_at": "2026-03-12T18:30"})
        event.refresh_from_db()
        assert event.name == "Otro nombre"
        assert event.deck_rules == {"copies": 2, "elements": ["luz"], "one": ["faction"]}
        assert event.decks == "required"

    def test_games_of_shared_cards_show_no_such_fields(self, store: Store, desk: Client) -> None:
        page = said(desk.get(f"/organizar/{store.slug}/nuevo/?juego=ataquerrr"))
        assert "deck" not in page
        assert 'name="deck_copies"' in said(desk.get(f"/organizar/{store.slug}/nuevo/?juego=kounter"))
