"""The page of an event: what, when, where, who; and the way in (UX, Player; cases 42, 50, 51, 64, 70)."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.test import Client

from players.models import Player
from tests import make
from tests.web.conftest import account_in, reader
from tournaments.models import Event, Registration

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def stage(game: object) -> None:
    """The games are loaded."""


def page(client: Client, event: Event) -> str:
    return client.get(f"/eventos/{event.slug}/").content.decode()


def apply(client: Client, event: Event, **data: str) -> int:
    answer = client.post(f"/eventos/{event.slug}/apuntarme/", {"key": "abc"} | data)
    return answer.status_code


def inside(event: Event) -> list[str]:
    return sorted(event.registrations.values_list("player__name", flat=True))


# -- what it says ------------------------------------------------------------------------------------------------------
def test_the_hour_is_the_store_s_own(visitor: Client) -> None:
    store = make.make_store(province="ES-GC", time_zone="Atlantic/Canary")
    event = make.make_event(store, at=datetime(2026, 6, 30, 22, 30, tzinfo=UTC))
    text = page(visitor, event)
    assert "30 June 2026" in text
    assert "23:30" in text


def test_players_stand_in_spanish_order(visitor: Client) -> None:
    event = make.make_event()
    for name in ("Zoe", "Ñusta", "Nuria", "Íñigo", "Ángel"):
        make.enrol(event, make.make_player(name))
    text = page(visitor, event)
    places = [text.index(f">{name}</a>") for name in ("Ángel", "Íñigo", "Nuria", "Ñusta", "Zoe")]
    assert places == sorted(places)


def test_two_of_one_name_are_told_apart_by_their_codes(visitor: Client) -> None:
    event = make.make_event()
    twins = [make.enrol(event, make.make_player("José García")).player for _ in range(2)]
    make.enrol(event, make.make_player("Zoe Farolillo"))
    text = page(visitor, event)
    assert all(twin.printed_code in text for twin in twins)
    assert Player.objects.get(name="Zoe Farolillo").printed_code not in text


def test_places_left_and_waiting_list(visitor: Client) -> None:
    event = make.make_event(players=3, capacity=4)
    assert "1 place left" in page(visitor, event)
    make.enrol(event)
    make.enrol(event, status=Registration.Status.WAITING)
    text = page(visitor, event)
    assert "full, with a waiting list" in text
    assert "Join the waiting list" in text


def test_rounds_are_there_once_they_are_published(visitor: Client) -> None:
    event = make.make_event(players=4, published=1)
    make.finish_tables(event)
    make.pair(event)
    text = page(visitor, event)
    assert f"/eventos/{event.slug}/emparejamientos/1/" in text
    assert f"/eventos/{event.slug}/emparejamientos/2/" not in text


def test_a_finished_event_says_who_won_and_the_places(visitor: Client) -> None:
    event = make.make_finished_event(players=4)
    text = page(visitor, event)
    assert f"won {event.name}" in text
    assert "Final places" in text
    assert 'id="apuntarme"' not in text


@pytest.mark.parametrize(
    "path",
    ["", "emparejamientos/", "clasificacion/", "proyector/", "pulso/", "mi-mesa/", "apuntarme/", "imprimir/mesas/"],
)
def test_a_draft_event_is_not_there(visitor: Client, path: str) -> None:
    event = make.make_event(players=4, status=Event.Status.DRAFT)
    for headers in ({}, {"HX-Request": "true", "HX-Target": "lista"}, {"HX-Request": "true", "HX-Target": "tabla"}):
        assert visitor.get(f"/eventos/{event.slug}/{path}", headers=headers).status_code == 404


def test_its_staff_see_their_draft(as_user: Callable) -> None:
    event = make.make_event(status=Event.Status.DRAFT)
    assert "a draft that only you see" in page(as_user(make.make_staff(event.store)), event)


# -- signing up --------------------------------------------------------------------------------------------------------
def test_an_account_signs_up_with_its_element_and_sees_its_table(as_user: Callable) -> None:
    event, player = make.make_event(players=2), make.make_player("Zoe Farolillo")
    client = as_user(player.user)
    assert "Zoe Farolillo" in page(client, event)
    answer = client.post(f"/eventos/{event.slug}/apuntarme/", {"key": "k", "element": make.element("agua").pk})
    assert (answer.status_code, answer["Location"]) == (303, f"/eventos/{event.slug}/mi-mesa/")
    row = event.registrations.get(player=player)
    assert (row.status, row.element.slug) == ("registered", "agua")
    log = event.log.get()
    assert (log.action, log.by_player_id, log.by_user_id) == ("player.enter", player.pk, player.user_id)


def test_a_double_tap_is_one_registration(as_user: Callable) -> None:
    event, player = make.make_event(), make.make_player()
    client = as_user(player.user)
    assert [apply(client, event), apply(client, event)] == [303, 303]
    assert event.registrations.count() == 1


def test_a_guest_needs_only_a_name_and_gets_a_link_of_his_own(visitor: Client) -> None:
    event = make.make_event()
    assert apply(visitor, event, name="  ana   peral ") == 303
    row = event.registrations.select_related("player").get()
    assert (row.player.name, row.player.user, row.player.province) == ("ana peral", None, "ES-TE")
    text = visitor.get(f"/eventos/{event.slug}/mi-mesa/").content.decode()
    assert f"http://testserver/i/{row.secret}/" in text
    assert "<svg" in text


def test_a_guest_s_form_sent_twice_is_one_guest_even_from_a_browser_without_cookies() -> None:
    event = make.make_event()
    for _tap in range(3):
        assert apply(reader(), event, name="Ana Peral", key="the-same-form") == 303
    assert inside(event) == ["Ana Peral"]


def test_another_form_with_that_name_is_asked_and_two_people_may_have_one_name() -> None:
    event = make.make_event()
    apply(reader(), event, name="José García", key="first")
    second = reader()
    answer = second.post(f"/eventos/{event.slug}/apuntarme/", {"key": "second", "name": " jose GARCIA"})
    assert answer.status_code == 422
    text = answer.content.decode()
    assert "Somebody with that name is in already" in text
    assert 'name="anyway"' in text
    assert event.registrations.count() == 1
    assert apply(second, event, name="José García", key="second", anyway="on") == 303
    assert inside(event) == ["José García", "José García"]


def test_an_account_called_like_a_guest_is_asked_too(as_user: Callable) -> None:
    event = make.make_event()
    make.enrol(event, make.make_guest("Ana"))
    player = make.make_player("ana ")
    assert apply(as_user(player.user), event) == 422
    assert apply(as_user(player.user), event, anyway="on") == 303
    assert event.registrations.count() == 2


def test_a_form_s_key_never_hands_out_somebody_else_s_place() -> None:
    """Whoever learns a key but writes another name gets a place of his own."""
    event = make.make_event()
    apply(reader(), event, name="Ana Peral", key="leaked")
    other = reader()
    assert apply(other, event, name="Bruno Tapir", key="leaked") == 303
    assert inside(event) == ["Ana Peral", "Bruno Tapir"]
    assert event.registrations.values("secret").distinct().count() == 2


def test_nobody_signs_up_a_player_by_typing_his_code(visitor: Client) -> None:
    event, player = make.make_event(), make.make_player()
    apply(visitor, event, name=player.printed_code)
    assert not event.registrations.filter(player=player).exists()


@pytest.mark.parametrize("name", ["", "   ", "\u200b", "1234", "x" * 121])
def test_a_name_that_is_none_is_refused_in_words_beside_the_field(visitor: Client, name: str) -> None:
    event = make.make_event()
    answer = visitor.post(f"/eventos/{event.slug}/apuntarme/", {"key": "k", "name": name})
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in answer.content.decode()
    assert not event.registrations.exists()


def test_what_was_typed_is_not_lost(visitor: Client) -> None:
    event = make.make_event()
    water = make.element("agua").pk
    answer = visitor.post(f"/eventos/{event.slug}/apuntarme/", {"key": "k", "name": "", "element": water})
    assert f'value="{water}"' in answer.content.decode().split("checked")[0].rsplit("<input", 1)[1]


def test_beyond_the_capacity_one_waits_and_is_told_the_place_in_the_line(visitor: Client) -> None:
    event = make.make_event(players=4, capacity=4)
    make.enrol(event, status=Registration.Status.WAITING)
    apply(visitor, event, name="Ana Peral")
    assert event.registrations.get(player__name="Ana Peral").status == "waiting"
    text = visitor.get(f"/eventos/{event.slug}/mi-mesa/").content.decode()
    assert "Waiting list" in text
    assert "2nd" in text


def test_an_element_of_another_event_is_refused(visitor: Client) -> None:
    event = make.make_event(element=make.element("agua"))
    apply(visitor, event, name="Ana Peral", element=str(make.element("fuego").pk))
    assert event.registrations.get().element == make.element("agua")


def test_where_the_store_signs_players_up_the_page_hides_it_and_the_server_refuses(visitor: Client) -> None:
    event = make.make_event(self_signup=False)
    assert 'id="apuntarme"' not in page(visitor, event)
    assert apply(visitor, event, name="Ana Peral") == 409
    assert not event.registrations.exists()
    assert not Player.objects.filter(name="Ana Peral").exists()


@pytest.mark.parametrize("status", ["running", "cut", "finished", "reopened"])
def test_once_it_has_begun_nobody_signs_up_from_outside(visitor: Client, status: str) -> None:
    event = make.make_event(status=status)
    assert 'id="apuntarme"' not in page(visitor, event)
    assert apply(visitor, event, name="Ana Peral") == 409
    assert not Player.objects.filter(name="Ana Peral").exists()


def test_an_organiser_who_plays_signs_up_as_a_player(as_user: Callable) -> None:
    event = make.make_event(self_signup=False)
    staff = make.make_staff(event.store)
    make.make_player("Nuria Candil", user=staff)
    assert apply(as_user(staff), event) == 409


# -- the guest's link --------------------------------------------------------------------------------------------------
def guest(event: Event, name: str = "Ana Peral") -> Registration:
    apply(reader(), event, name=name, key=name)
    return event.registrations.select_related("player").get(player__name=name)


def test_the_link_makes_another_phone_the_guest_s(visitor: Client) -> None:
    event = make.make_event()
    row = guest(event)
    answer = visitor.get(f"/i/{row.secret}/")
    assert answer["Location"] == f"/eventos/{event.slug}/mi-mesa/"
    assert "You are in" in visitor.get(answer["Location"]).content.decode()


@pytest.mark.parametrize("secret", ["x", "0" * 24])
def test_a_wrong_link_says_so(visitor: Client, secret: str) -> None:
    answer = visitor.get(f"/i/{secret}/")
    assert answer.status_code == 404
    assert b"This link does not work any more" in answer.content


def test_a_guest_joins_his_results_to_his_account(as_user: Callable) -> None:
    event = make.make_event()
    row, player = guest(event), make.make_player("Ana Peral Castaño")
    client = as_user(player.user)
    client.post(f"/i/{row.secret}/")
    row.player.refresh_from_db()
    assert row.player.merged_into == player
    assert "You are in" in as_user(player.user).get(f"/eventos/{event.slug}/mi-mesa/").content.decode()


def test_joining_without_an_account_changes_nothing(visitor: Client) -> None:
    row = guest(make.make_event())
    visitor.post(f"/i/{row.secret}/")
    row.player.refresh_from_db()
    assert row.player.merged_into is None


def test_only_its_holder_ever_sees_a_secret(visitor: Client, as_user: Callable) -> None:
    event = make.make_event()
    row = guest(event)
    _other, user = account_in(event, "Zoe Farolillo")
    for client in (visitor, as_user(user)):
        for path in ("", "mi-mesa/", "proyector/", "apuntarme/", "emparejamientos/", "clasificacion/"):
            assert row.secret not in client.get(f"/eventos/{event.slug}/{path}").content.decode()
