"""A night at tables of several in the ranking: pairs with weight 1/(players - 1), one match for each (RANKING 2)."""

from datetime import timedelta

import pytest

from ranking import queries
from ranking.models import Rating, Snapshot
from ranking.services import rate
from ranking.services.awards import event_finishes
from ranking.services.inputs import read_all
from tests import make
from tournaments.models import Event
from tournaments.services import events
from tournaments.services.journal import SYSTEM

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def stage(game: object) -> None:
    """The games are loaded."""


def night(*orders: tuple[str, ...], players: int = 7, **fields: object) -> Event:
    event = make.make_pod_event(players=players, rounds=len(orders), **fields)
    for scores in orders:
        make.play_round(event, *scores)
    events.finish(event, by=SYSTEM, at=event.starts_at + timedelta(hours=3))
    event.refresh_from_db()
    return event


def rated(event: Event) -> Snapshot:
    (snapshot,) = rate.catch_up(event.starts_at + timedelta(days=1))
    return snapshot


def test_a_table_is_read_as_its_pairs() -> None:
    event = night(("2143", "31"), players=7)  # at the second table the second seat did not play
    (read,) = read_all(event.game).events
    parts = sorted((match.half_points, match.sixths) for match in read.matches)
    assert [sixths for _, sixths in parts].count(2) == 6
    assert [sixths for _, sixths in parts].count(6) == 1
    assert len({match.match for match in read.matches}) == 2


def test_shared_places_are_draws() -> None:
    event = night(("1=23",), players=3)
    (read,) = read_all(event.game).events
    assert sorted((match.half_points, match.sixths) for match in read.matches) == [(1, 3), (2, 3), (2, 3)]


def test_everybody_has_played_one_match_a_table_and_the_ratings_follow_the_places() -> None:
    event = night(("1234",), ("1234",), players=4)
    snapshot = rated(event)
    first = {row.player_id: row for row in Rating.objects.filter(snapshot=snapshot)}
    assert {row.matches for row in first.values()} == {2}
    mus = [first[make.registration(event, order).player_id].mu for order in range(1, 5)]
    places = {row["registration"]: row["place"] for row in event.frozen.get(phase="final").rows}
    order = sorted(range(4), key=lambda i: places[make.registration(event, i + 1).pk])
    assert [mus[i] for i in order] == sorted(mus, reverse=True)
    assert sum(mus) == pytest.approx(0, abs=1e-9)


def test_the_account_has_a_line_a_table_with_everybody_at_it() -> None:
    event = night(("1234",), players=4)
    snapshot = rated(event)
    match = event.matches.get()
    second = match.seats.get(position=1).registration.player
    (day,) = queries.account(snapshot, second)
    (line,) = day.events[0].lines
    assert (line.place, len(line.others)) == (2, 3)
    assert {rating for _, rating in line.others} == {1500}
    assert day.day.change == line.change > 0


def test_between_two_at_a_table_the_better_place_counts() -> None:
    event = night(("1234",), ("4=321",), players=4)
    rated(event)
    one = event.matches.get(round__number=1)
    a, b = (one.seats.get(position=i).registration.player for i in (1, 2))
    record = queries.head_to_head(a, b).record
    assert record.played == 2
    assert record.won >= 1
    other = queries.head_to_head(b, a).record
    assert (other.won, other.lost, other.drawn) == (record.lost, record.won, record.drawn)
    assert {rival.record.played for rival in queries.rivals(a)} == {2}


def test_who_did_not_play_meets_nobody() -> None:
    event = night(("134",), players=4)
    rated(event)
    seats = event.matches.get().seats
    absent, winner = seats.get(position=1).registration.player, seats.get(position=0).registration.player
    assert queries.head_to_head(winner, absent).matches == []
    assert len(queries.rivals(winner)) == 2
    assert not Rating.objects.filter(player=absent).exists()


def test_two_tables_are_two_rounds_really_played() -> None:
    event = night(("1234", "1234"), ("1234", "1234"), players=8)
    (read,) = read_all(event.game).events
    found = [finish for _, finish in event_finishes(read)]
    assert [finish.rounds_played for finish in found] == [2] * 8
    assert {finish.players for finish in found} == {8}
