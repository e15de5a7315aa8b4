"""/eventos/<slug>/mi-mazo/: pasted or taken from my decks, mended, handed in, locked (UX, Player; CASES 75-88)."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from decks.models import Deck, DeckVersion, Submission
from players.models import User
from players.services import people
from tests import lists, make
from tests.web.conftest import account_in, reader
from tournaments.models import Event, Registration
from tournaments.services import decks, events, judging, registrations
from tournaments.services.journal import SYSTEM

pytestmark = pytest.mark.django_db
LogIn = Callable[[User], Client]


@pytest.fixture
def event(db: None) -> Event:
    return lists.make_asking(players=3)


@pytest.fixture
def me(event: Event) -> tuple[Registration, User]:
    return account_in(event, "Ana Peral")


@pytest.fixture
def phone(me: tuple[Registration, User], as_user: LogIn) -> Client:
    return as_user(me[1])


def said(response: HttpResponse) -> str:
    return response.content.decode()


def address(event: Event) -> str:
    return f"/eventos/{event.slug}/mi-mazo/"


def send(client: Client, event: Event, text: str = "", **more: Any) -> HttpResponse:
    return client.post(address(event), {"text": text, **more})


def again(row: Registration) -> Registration:
    return Registration.objects.select_related("event__store", "event__game", "player", "submission").get(pk=row.pk)


class TestSignUp:
    def test_who_signs_up_where_a_list_is_required_comes_to_paste_it(self, event: Event, as_user: LogIn) -> None:
        """One tap for whoever has an account: the element is the list's to say."""
        player = make.make_player("Iván Pamplinas")
        client = as_user(player.user)
        page = said(client.get(f"/eventos/{event.slug}/"))
        assert 'name="element"' not in page
        answer = client.post(f"/eventos/{event.slug}/apuntarme/", {"key": "k1"})
        assert (answer.status_code, answer["location"]) == (303, address(event))
        assert "Your deck for this event" in said(client.get(address(event)))

    def test_a_guest_too_without_an_account(self, event: Event, visitor: Client) -> None:
        answer = visitor.post(f"/eventos/{event.slug}/apuntarme/", {"key": "k2", "name": "Iván Pamplinas"})
        assert answer["location"] == address(event)
        assert send(visitor, event, lists.text(), hand_in="1").status_code == 303
        row = again(event.registrations.get(player__name="Iván Pamplinas"))
        assert row.submission is not None
        assert row.submission.by is None
        assert event.log.get(action="deck.submit").by_player == row.player

    def test_where_it_is_optional_the_table_comes_first(self) -> None:
        event = lists.make_asking(decks="optional")
        client = reader()
        answer = client.post(f"/eventos/{event.slug}/apuntarme/", {"key": "k3", "name": "Iván Pamplinas"})
        assert answer["location"].endswith("/mi-mesa/")
        assert "Whoever wants hands in a list" in said(client.get(answer["location"]))

    def test_who_is_not_in_is_led_to_the_way_in(self, event: Event, visitor: Client) -> None:
        assert visitor.get(address(event))["location"].endswith("/mi-mesa/")

    def test_an_event_that_asks_for_none_has_no_such_page(self, as_user: LogIn) -> None:
        event = make.make_event()
        _row, user = account_in(event, "Ana Peral")
        assert as_user(user).get(address(event))["location"].endswith("/mi-mesa/")


class TestHandIn:
    def test_a_legal_list_is_kept_and_shown_with_its_proof(self, event: Event, me: Any, phone: Client) -> None:
        answer = send(phone, event, lists.text(), hand_in="1")
        assert (answer.status_code, answer["location"]) == (303, address(event))
        page = said(phone.get(address(event)))
        handed = Submission.objects.get()
        assert handed.digest[:8] in page
        assert "Your deck is registered" in page
        assert lists.names()[0] in page
        assert "Change it until round 1" in page
        assert again(me[0]).element == make.element("fuego")

    def test_an_illegal_one_stays_in_the_field_with_its_problems(self, event: Event, me: Any, phone: Client) -> None:
        answer = send(phone, event, lists.short(), hand_in="1")
        assert answer.status_code == 422
        page = said(answer)
        assert "This deck is not legal yet" in page
        assert lists.lines()[0] in page
        assert again(me[0]).submission is None

    @pytest.mark.parametrize("text", ["", "   \n"])
    def test_nothing_is_not_a_list(self, event: Event, phone: Client, text: str) -> None:
        answer = send(phone, event, text, hand_in="1")
        assert answer.status_code == 422
        assert "Paste your list first" in said(answer)

    def test_one_that_is_far_too_long_is_refused_in_words(self, event: Event, phone: Client) -> None:
        answer = send(phone, event, "1 Nadie\n" * 9000, hand_in="1")
        assert answer.status_code == 422
        assert "at most 20000 characters" in said(answer)

    def test_the_check_goes_by_the_events_day_and_narrowing(self, event: Event, phone: Client) -> None:
        events.edit(event, by=SYSTEM, deck_rules={"elements": ["luz"]})
        page = said(phone.get(address(event)))
        assert f'name="date" value="{event.date.isoformat()}"' in page
        assert "{&quot;elements&quot;: [&quot;luz&quot;]}" in page
        assert send(phone, event, lists.text("fuego"), hand_in="1").status_code == 422
        assert send(phone, event, lists.text("luz"), hand_in="1").status_code == 303

    def test_without_scripts_each_fix_is_a_button_of_the_form(self, event: Event, phone: Client) -> None:
        name = lists.names()[0]
        wrong = lists.text().replace(name, name.replace("a", "aa", 1))
        page = said(send(phone, event, wrong, check="1"))
        key = page.split('name="fix" value="')[1].split('"')[0]
        mended = said(send(phone, event, wrong, fix=key))
        assert f"4 {name}" in mended
        assert Submission.objects.count() == 0

    def test_the_list_of_another_is_not_to_be_reached(self, event: Event, me: Any, as_user: LogIn) -> None:
        decks.submit(me[0], lists.text(), by=SYSTEM)
        other, user = account_in(event, "Zoe Farolillo")
        client = as_user(user)
        assert lists.names()[0] not in said(client.get(address(event)))
        for path in (f"mazos/{me[0].player.code}/", f"mazos/{me[0].player.code}/texto/"):
            assert client.get(f"/eventos/{event.slug}/{path}").status_code == 404
        assert client.get(f"/eventos/{event.slug}/inscripciones/{me[0].pk}/mazo/").status_code == 404
        assert again(other).submission is None


class TestMyDecks:
    @pytest.fixture
    def deck(self, event: Event, me: Any) -> Deck:
        deck = Deck.objects.create(game=event.game, owner=me[0].player, name="Brasas de barrio")
        DeckVersion.objects.create(deck=deck, number=1, text=lists.text("luz"))
        DeckVersion.objects.create(deck=deck, number=2, text=lists.text())
        return deck

    def test_my_last_deck_in_one_tap_and_registered_in_the_next(
        self, event: Event, me: Any, phone: Client, deck: Deck
    ) -> None:
        assert "Brasas de barrio" in said(phone.get(address(event)))
        page = said(send(phone, event, take="0"))
        assert lists.lines()[0] in page
        assert "Legal deck" in page
        send(phone, event, lists.text(), hand_in="1", **{"from": "0"})
        handed = again(me[0]).submission
        assert handed is not None
        assert handed.deck_version == deck.versions.get(number=2)
        assert handed.name == "Brasas de barrio"

    def test_the_source_moves_and_what_was_registered_does_not(
        self, event: Event, me: Any, phone: Client, deck: Deck
    ) -> None:
        """CASES 87."""
        send(phone, event, lists.text(), hand_in="1", **{"from": "0"})
        before = said(phone.get(address(event)))
        DeckVersion.objects.create(deck=deck, number=3, text=lists.text("agua"))
        page = said(phone.get(address(event)))
        assert lists.names()[0] in page
        assert lists.names("agua")[0] not in page
        assert Submission.objects.get().digest[:8] in before
        assert Submission.objects.get().digest[:8] in page

    def test_whoever_holds_a_guests_link_opens_no_deck_of_the_account(self, event: Event, deck: Deck) -> None:
        """The guest was joined to the account, and somebody else has his link."""
        guest = make.enrol(event, make.make_guest("Anita"), secret="un-enlace-de-papel")
        people.merge(guest.player, deck.owner, by=None)
        Registration.objects.filter(event=event, player=deck.owner).delete()
        client = reader()
        client.get("/i/un-enlace-de-papel/")
        page = said(client.get(address(event)))
        assert "Your deck for this event" in page
        assert "Brasas de barrio" not in page
        assert lists.names()[0] not in said(send(client, event, take="0"))

    def test_what_i_handed_in_last_is_offered_too(self, me: Any, phone: Client, event: Event) -> None:
        decks.submit(me[0], lists.text("agua"), by=SYSTEM)
        other = lists.make_asking()
        make.enrol(other, me[0].player)
        assert lists.lines("agua")[0] in said(send(phone, other, take="0"))


class TestLocked:
    @pytest.fixture
    def begun(self, event: Event, me: Any) -> Event:
        lists.hand_in(event)
        make.pair_and_publish(event)
        event.refresh_from_db()
        return event

    def test_from_round_1_on_it_is_only_to_be_read(self, begun: Event, me: Any, phone: Client) -> None:
        page = said(phone.get(address(begun) + "?cambiar"))
        assert "registered and locked" in page
        assert "<textarea" not in page
        answer = send(phone, begun, lists.text("luz"), hand_in="1")
        assert answer.status_code == 422
        assert "Lists are locked since round 1" in said(answer)

    def test_unlocked_by_a_judge_it_is_changed_once(self, begun: Event, me: Any, phone: Client) -> None:
        decks.unlock(again(me[0]), by=SYSTEM, reason="Otro mazo")
        assert "Change it; you may, once" in said(phone.get(address(begun)))
        assert send(phone, begun, lists.text("luz"), hand_in="1").status_code == 303
        assert send(phone, begun, lists.text("agua"), hand_in="1").status_code == 422

    def test_at_my_table_little_is_said_while_all_is_well(self, begun: Event, phone: Client) -> None:
        page = said(phone.get(f"/eventos/{begun.slug}/mi-mesa/"))
        assert "Deck registered" in page
        assert "locked" in page

    def test_who_comes_late_is_asked_for_his(self, begun: Event, as_user: LogIn) -> None:
        player = make.make_player("Tardona Peral")
        registrations.enter_late(begun, player, by=SYSTEM, choice="nothing")
        client = as_user(player.user)
        assert "Your deck is missing" in said(client.get(f"/eventos/{begun.slug}/mi-mesa/"))
        assert send(client, begun, lists.text(), hand_in="1").status_code == 303


class TestTurned:
    def test_a_list_that_turned_illegal_is_told_to_its_player(self, event: Event, me: Any, phone: Client) -> None:
        """CASES 83."""
        decks.submit(me[0], lists.text(), by=SYSTEM)
        mine = f"/eventos/{event.slug}/mi-mesa/"
        part = {"HX-Request": "true", "HX-Target": "mio"}
        tag = phone.get(mine, headers=part)["etag"]
        lists.ban(lists.names()[0], date(2026, 1, 1))
        judging.rejudge_stale(make.NOON)
        moved = phone.get(mine, headers=part | {"if-none-match": tag})
        assert moved.status_code == 200
        assert "Your deck is no longer legal" in said(moved)
        page = said(phone.get(address(event)))
        assert "Your deck is no longer legal" in page
        assert lists.names()[0] in page
        assert "<textarea" in page

    def test_leave_to_play_it_all_the_same_is_shown_with_its_reason(self, event: Event, me: Any, phone: Client) -> None:
        decks.submit(me[0], lists.short(), by=SYSTEM, accept=True, reason="Le falta una carta")
        assert "Le falta una carta" in said(phone.get(address(event)))


class TestConsent:
    def test_he_is_told_when_it_is_published_before_he_hands_in(self, phone: Client, event: Event) -> None:
        texts = {"never": "also afterwards", "end": "until the event is over", "swiss": "the players of the cut too"}
        for value, text in texts.items():
            events.edit(event, by=SYSTEM, lists_public=value)
            assert text in said(phone.get(address(event)))

    def test_published_earlier_than_he_was_told_it_takes_his_word(self, event: Event, me: Any, phone: Client) -> None:
        """CASES 88."""
        decks.submit(me[0], lists.text(), by=SYSTEM)
        assert "Publish mine too" not in said(phone.get(address(event)))
        events.edit(event, by=SYSTEM, lists_public="swiss")
        assert "Publish mine too" in said(phone.get(address(event)))
        assert phone.post(address(event), {"agree": "1"}).status_code == 303
        assert again(me[0]).lists_consent == "swiss"
        events.edit(event, by=SYSTEM, lists_public="end")
        assert "Publish mine too" not in said(phone.get(address(event)))


def test_the_page_costs_the_same_for_four_and_for_forty(as_user: LogIn, queries: Any) -> None:
    for players in (4, 40):
        event = lists.make_asking(players=players)
        row, user = account_in(event, "Ana Peral")
        lists.hand_in(event)
        client = as_user(user)
        client.get(address(event))
        with queries(16):
            client.get(address(event))
        with queries(20):
            client.get(address(event) + "?cambiar")
        assert row
