"""Every round explains itself: criteria, what had to yield, why this opponent, why the bye (rule 4.3)."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from players.models import User
from tests import make
from tournaments.models import Event, Match, Registration, Round
from tournaments.queries import sheet
from tournaments.services import cut, rounds
from tournaments.services.journal import SYSTEM

pytestmark = pytest.mark.django_db
MINE = {"HX-Request": "true", "HX-Target": "por-que"}


@pytest.fixture(autouse=True)
def stage(game: object) -> None:
    """The games are loaded."""


def words(answer) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def page(client: Client, event: Event, number: int, **headers: str):
    return client.get(f"/eventos/{event.slug}/emparejamientos/{number}/por-que/", headers=headers)


@pytest.fixture
def odd(store) -> Event:
    """Five players, two rounds: a bye in each, and in round 2 somebody is paired down."""
    event = make.make_event(store, rounds=3, players=5, published=2)
    event.refresh_from_db()
    return event


def account_of(row: Registration) -> User:
    row.player.user = make.make_user()
    row.player.save()
    return row.player.user


def resting(event: Event) -> Registration:
    now = sheet(event)
    return next(m for m in now.matches(now.published_round) if m.kind == Match.Kind.BYE).left.registration


def test_the_page_of_a_round_says_it_all(odd: Event, visitor: Client) -> None:
    said = words(page(visitor, odd, 2))
    assert "No other round would be better under the rules of pairing." in said
    assert f"{resting(odd).player.shown} has the bye: nobody has fewer points." in said
    assert re.search(r"3 points\) meets \S.* \(0 points\)\.|Both had 3 points\.", said)
    for criterion in ("Matches between two who had met", "Differences of points at the tables, added up"):
        assert re.search(rf"{criterion} Rule 4\.1\.\d \d+", said)
    for row in odd.registrations.select_related("player"):
        assert row.player.shown in said


def test_it_speaks_spanish(odd: Event, visitor: Client) -> None:
    said = words(page(visitor, odd, 2, **{"accept-language": "es"}))
    assert f"Descansa {resting(odd).player.shown}: nadie tiene menos puntos." in said
    assert "Diferencias de puntos en las mesas, sumadas" in said
    assert re.search(r"Los dos tenían \d punto|\d contra \d punto", said)


def test_round_1_is_by_lot(odd: Event, visitor: Client) -> None:
    assert "Both had 0 points. The lot decided among the 4 others with as many." in words(page(visitor, odd, 1))


def test_my_phone_tells_me_why_this_opponent(odd: Event, as_user: Callable) -> None:
    now = sheet(odd)
    row = now.matches(now.published_round)[0].left.registration
    client = as_user(account_of(row))
    address = f"/eventos/{odd.slug}/emparejamientos/2/por-que/"
    whole = client.get(f"/eventos/{odd.slug}/mi-mesa/").content.decode()
    assert f'hx-get="{address}" hx-trigger="load"' in whole
    assert f'href="{address}"' in whole  # without scripts it is a page
    mine = page(client, odd, 2, **MINE)
    assert "<html" not in mine.content.decode()
    assert re.search(r"Why this opponent (Both had 3 points\.|3 against 0 points)", words(mine))


def test_my_phone_tells_me_why_the_bye(odd: Event, as_user: Callable) -> None:
    row = resting(odd)
    client = as_user(account_of(row))
    assert "Why I have the bye" in client.get(f"/eventos/{odd.slug}/mi-mesa/").content.decode()
    assert f"Why I have the bye {row.player.shown} has the bye: nobody has fewer points." in words(
        page(client, odd, 2, **MINE)
    )


def test_a_draft_is_explained_to_its_staff_alone(
    odd: Event, visitor: Client, organiser: User, as_user: Callable
) -> None:
    """Rule 4.5: not even once it has been built for staff."""
    make.finish_tables(odd)
    make.pair(odd)
    desk = as_user(organiser)
    assert "Table by table" in words(page(desk, odd, 3))
    assert page(visitor, odd, 3).status_code == 404
    assert page(visitor, odd, 9).status_code == 404
    console = desk.get(f"/eventos/{odd.slug}/consola/").content.decode()
    assert "/emparejamientos/3/por-que/" in console
    assert "The criteria, in their order" in console


def test_the_console_explains_published_and_past_rounds(odd: Event, organiser: User, as_user: Callable) -> None:
    client = as_user(organiser)
    for number in (2, 1):
        said = words(client.get(f"/eventos/{odd.slug}/consola/?ronda={number}"))
        assert "Why like this" in said
        assert "No other round would be better" in said
        assert "has the bye: nobody has fewer points." in said
        assert "Matches between two who had met" in said


def test_seats_moved_by_hand_are_told_as_facts(store, organiser: User, visitor: Client) -> None:
    """Nobody claims that a round is the best which the organiser has changed."""
    event = make.make_event(store, rounds=3, players=4, published=1)
    make.finish_tables(event)
    make.pair(event)
    now = sheet(event)
    first, second = now.matches(now.current_round)
    met = next(
        seat.registration
        for seat in second.seat_list
        if seat.registration in [past.opponent.registration for _r, _m, past in now.seats_of(first.left.registration)]
    )
    right = first.right
    assert right is not None
    if met.pk != right.registration_id:
        rounds.swap(event, 2, right.registration, met, "Comparten coche", by=SYSTEM)
    make.publish(event)
    said = words(page(visitor, event, 2))
    assert "The organiser changed seats after the pairing" in said
    assert "meet again: they played in round 1." in said
    assert "no round avoids every repeat" not in said
    assert "no round has smaller differences" not in said
    assert "The lot decided" not in said


def test_the_cut_and_a_round_robin_have_their_own_reasons(store, visitor: Client) -> None:
    event = make.make_event(store, rounds=1, cut=2, players=4, published=1)
    make.finish_tables(event)
    cut.start(event, by=SYSTEM)
    make.publish(event)
    assert "The bracket of the cut: the best places meet the last" in words(page(visitor, event, 2))
    league = make.make_event(store, players=5, published=1, format=Event.Format.ROUND_ROBIN)
    said = words(page(visitor, league, 1))
    assert said.count("In a round robin everybody meets everybody") == 3  # the round, and each of two tables
    assert f"{resting(league).player.shown} rests: the number of players is odd, and everybody rests once." in said
    assert "was not paired here" not in said


def test_a_round_out_of_a_file_claims_nothing(odd: Event, visitor: Client) -> None:
    Round.objects.filter(event=odd, number=2).update(certified=False, notes=[], criteria={}, seed="")
    said = words(page(visitor, odd, 2))
    assert "This round was not paired here." in said
    assert "The criteria, in their order" not in said
    assert "no round has smaller differences" not in said


@pytest.mark.parametrize("players", [12, 500])
def test_the_page_costs_at_most_twelve_queries(players: int, store, as_user: Callable, queries: Callable) -> None:
    event = make.make_big_event(players, rounds=2, store=store)
    row = event.registrations.select_related("player")[0]
    client = as_user(account_of(row))
    with queries(12):
        assert page(client, event, 3).status_code == 200
    with queries(5):
        assert page(client, event, 3, **MINE).status_code == 200
