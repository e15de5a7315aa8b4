"""Round robin by one tap, and the warning before a round that may not be legal (TOURNAMENT_RULES 3, CASES 3)."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from players.models import User
from tests import make
from tournaments.models import Event, Store
from tournaments.queries import sheet

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(as_user: Callable[[User], Client], organiser: User) -> Client:
    return as_user(organiser)


def words(client: Client, address: str) -> str:
    page = client.get(address).content.decode().split("<main")[1]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page)).replace(" .", ".")


def console(client: Client, event: Event) -> str:
    return words(client, f"/eventos/{event.slug}/consola/")


def act(client: Client, event: Event, action: str, **data: str) -> int:
    return client.post(f"/eventos/{event.slug}/estado/{action}/", data).status_code


def test_as_many_rounds_as_rivals_and_one_tap_makes_a_round_robin(desk: Client, store: Store) -> None:
    event = make.make_event(store, players=4)
    assert "With 4 players, 3 rounds are a round robin" in console(desk, event)
    assert act(desk, event, "liguilla") == 303
    event.refresh_from_db()
    assert event.format == Event.Format.ROUND_ROBIN
    said = console(desk, event)
    assert "Swiss rounds instead" in said
    assert "3 rounds, everybody meets everybody" in said
    assert act(desk, event, "suizo") == 303
    event.refresh_from_db()
    assert event.format == Event.Format.SWISS


def test_a_draft_of_a_round_robin_offers_no_swap_and_says_whose_it_is(desk: Client, store: Store) -> None:
    event = make.make_event(store, players=5, format=Event.Format.ROUND_ROBIN)
    make.pair(event)
    said = console(desk, event)
    assert "In a round robin everybody meets everybody, in a fixed order." in said
    assert "rests: the number of players is odd, and everybody rests once." in said
    assert "Swap two players" not in said
    make.publish(event)
    assert "Pair again the" not in console(desk, event)
    assert act(desk, event, "suizo") == 303
    event.refresh_from_db()
    assert event.format == Event.Format.ROUND_ROBIN


def test_the_warning_of_a_new_event_names_rule_and_remedies(desk: Client, store: Store) -> None:
    """Case 3 at creation: the form has no buttons yet, so it names the remedies."""
    data = {"name": "x", "starts_at": "2026-03-12T18:30", "capacity": "6", "rounds_planned": "4"}
    headers = {"HX-Request": "true", "HX-Target": "advice"}
    part = desk.post(f"/organizar/{store.slug}/nuevo/", data, headers=headers).content.decode()
    assert "With 6 players, 4 rounds may end in a repeat. With 3 it cannot happen." in part
    assert "Remedies: plan 3 rounds; play a round robin of 5 rounds; or allow the repeat" in part
    assert "/reglas/#" in part
    robin = desk.post(
        f"/organizar/{store.slug}/nuevo/", data | {"format": "round_robin"}, headers=headers
    ).content.decode()
    assert "5 rounds are a round robin" in robin
    assert "Remedies" not in robin


def test_before_round_1_the_remedies_are_buttons(desk: Client, store: Store) -> None:
    event = make.make_event(store, players=6, rounds=4)
    said = console(desk, event)
    assert "A legal round may be missing" in said
    assert "Plan 3 rounds" in said
    assert "Round robin of 5 rounds" in said
    assert act(desk, event, "rondas", rounds="3") == 303
    event.refresh_from_db()
    assert event.rounds_planned == 3
    assert "A legal round may be missing" not in console(desk, event)


def play_into_two_threes(event: Event) -> None:
    """CASES 3: whoever is left for anybody is in a group of three."""
    for tables in (((1, 6), (3, 2), (5, 4)), ((3, 1), (2, 4), (6, 5)), ((4, 1), (6, 2), (3, 5))):
        make.seat_by_hand(event, *tables)
        make.finish_tables(event)


def test_before_each_round_the_console_says_that_no_legal_one_is_left(desk: Client, store: Store) -> None:
    """Case 3 after round 3: it says so, offers to finish with three, and pairing anyway repeats the oldest pairing."""
    event = make.make_event(store, players=6, rounds=4)
    play_into_two_threes(event)
    said = console(desk, event)
    assert "The round that is left cannot be paired without a repeat." in said
    assert "Plan 3 rounds" in said
    assert "Round robin of" not in said
    assert "the round repeats the pairing that is longest ago" in said
    make.pair(event)
    rematches = [note for note in sheet(event).round(4).notes if note["code"] == "rematch"]  # type: ignore[union-attr]
    assert {note["data"]["last_round"] for note in rematches} == {1}
    assert "A legal round may be missing" not in console(desk, event)


def test_the_remedy_of_three_rounds_ends_the_swiss_rounds(desk: Client, store: Store) -> None:
    event = make.make_event(store, players=6, rounds=4)
    play_into_two_threes(event)
    assert act(desk, event, "rondas", rounds="3") == 303
    assert "Finish" in console(desk, event)


@pytest.mark.parametrize("rounds", ["", "0", "-1", "x", "100"])
def test_a_number_of_rounds_that_is_none_is_refused(rounds: str, desk: Client, store: Store) -> None:
    event = make.make_event(store, players=6, rounds=4)
    act(desk, event, "rondas", rounds=rounds)
    event.refresh_from_db()
    assert event.rounds_planned == 4


def test_who_has_no_rival_left_is_named(desk: Client, store: Store) -> None:
    event = make.make_event(store, players=4, rounds=5)
    make.play_round(event)
    make.play_round(event)
    make.drop(event, 4, last_round=2)
    said = console(desk, event)
    assert "Rivals that are left for" in said
    assert "and 3 rounds to play" in said


def test_the_rounds_to_come_of_a_round_robin_are_public(visitor: Client, store: Store) -> None:
    event = make.make_event(store, players=5, format=Event.Format.ROUND_ROBIN)
    address = f"/eventos/{event.slug}/"
    assert "The rounds to come" not in words(visitor, address)
    make.play_round(event)
    said = words(visitor, address)
    assert "The rounds to come" in said
    ahead = said.split("The rounds to come")[1]
    assert [number for number in range(1, 7) if f"Round {number}" in ahead] == [2, 3, 4, 5]
    assert ahead.count(" rests") == 4
    now = sheet(event)
    make.play_round(event)
    (first, second, *_) = [
        match.seat_list for match in sheet(event).matches(sheet(event).current_round) if len(match.seat_list) == 2
    ]
    for a, b in (first, second):
        names = [now.by_id[seat.registration_id].person.shown for seat in (a, b)]
        assert f"{names[0]} – {names[1]}" in ahead or f"{names[1]} – {names[0]}" in ahead


def test_the_warning_costs_the_console_no_query(desk: Client, store: Store, queries: Callable) -> None:
    event = make.make_event(store, players=6, rounds=4)
    address = f"/eventos/{event.slug}/consola/"
    desk.get(address)
    with queries(14):
        assert "A legal round may be missing" in words(desk, address)
