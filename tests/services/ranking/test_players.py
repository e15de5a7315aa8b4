"""What a profile asks: account, rivals, head-to-head, elements (RANKING 3)."""

from datetime import date, timedelta

import pytest

from players.services import people as persons
from ranking import queries
from ranking.services import rate
from tests.services.ranking.circuit import later, night, people

pytestmark = pytest.mark.django_db
FIRST = date(2026, 1, 8)
WEEK = timedelta(days=7)


def test_the_account_names_every_match_of_a_day() -> None:
    cast = people("ABCD")
    night(cast, FIRST, "A>B C>D", "A=C B>D")
    event = night(cast, FIRST, "D>A")
    (snapshot,) = rate.catch_up(later(event))
    (day,) = queries.account(snapshot, cast["A"])
    told = [[(line.opponent.name.split()[0], line.outcome) for line in e.lines] for e in day.events]
    assert told == [[("Begoña", "win"), ("Candela", "draw")], [("Domitila", "loss")]]
    assert [line.opponent_rating for e in day.events for line in e.lines] == [1500, 1500, 1500]
    gained, _, lost = (line.change for e in day.events for line in e.lines)
    assert gained > 0 > lost
    assert day.day.change == sum(e.change for e in day.events)


def test_the_account_of_one_day_and_of_the_newest() -> None:
    cast = people("AB")
    for week in range(3):
        event = night(cast, FIRST + week * WEEK, "A>B")
    (snapshot,) = rate.catch_up(later(event))
    assert [d.day.day for d in queries.account(snapshot, cast["A"], limit=2)] == [FIRST + 2 * WEEK, FIRST + WEEK]
    (day,) = queries.account(snapshot, cast["A"], day=FIRST + WEEK)
    (line,) = day.events[0].lines
    assert line.opponent_rating == queries.history(snapshot, cast["B"])[1].before.points


def test_the_account_costs_the_same_however_long(django_assert_num_queries: object) -> None:
    cast = people("ABC")
    for week in range(4):
        event = night(cast, FIRST + week * WEEK, "A>B", "A>C")
    (snapshot,) = rate.catch_up(later(event))
    for limit in (1, 4):
        with django_assert_num_queries(5):  # type: ignore[operator]
            for day in queries.account(snapshot, cast["A"], limit=limit):
                assert all((line.opponent.shown, line.match.event.store.name) for e in day.events for line in e.lines)


def test_head_to_head_counts_from_the_players_side() -> None:
    cast = people("ABC")
    night(cast, FIRST, "A>B", "B=A", "A!B", "A~B")
    night(cast, FIRST + WEEK, "B>A", "A>C")
    night(cast, FIRST + 2 * WEEK, "B>A", tier="casual")
    mine, theirs = queries.head_to_head(cast["A"], cast["B"]), queries.head_to_head(cast["B"], cast["A"])
    assert (mine.record.won, mine.record.lost, mine.record.drawn) == (1, 1, 1)
    assert (theirs.record.won, theirs.record.lost, theirs.record.drawn) == (1, 1, 1)
    assert [met.match.event.date for met in mine.matches] == [FIRST + WEEK, FIRST, FIRST]
    assert mine.last.winner_id == cast["B"].pk


def test_rivals_are_those_most_played() -> None:
    cast = people("ABC")
    night(cast, FIRST, "A>B", "A>C", "B>A")
    (most, least) = queries.rivals(cast["A"])
    assert (most.opponent, most.record.played, most.record.won) == (cast["B"], 2, 1)
    assert (least.opponent, least.record.played) == (cast["C"], 1)
    assert [r.opponent for r in queries.rivals(cast["A"], limit=1)] == [cast["B"]]


def test_rivals_cost_the_same_however_many(django_assert_max_num_queries: object) -> None:
    cast = people("ABCDEFGH")
    night(cast, FIRST, "A>B", "A>C", "A>D", "A>E", "A>F", "A>G", "A>H")
    with django_assert_max_num_queries(2):  # type: ignore[operator]
        found = queries.rivals(cast["A"])
        assert len([(r.opponent.shown, r.last.event.store.name, r.last.round.number) for r in found]) == 7


def test_a_merged_record_plays_as_the_person() -> None:
    cast = people("AB") | people("C", user=None)
    night(cast, FIRST, "A>B")
    event = night(cast, FIRST + WEEK, "C>B")
    persons.merge(cast["C"], cast["A"], by=None)
    (snapshot,) = rate.catch_up(later(event))
    assert queries.head_to_head(cast["A"], cast["B"]).record.won == 2
    assert queries.head_to_head(cast["B"], cast["C"]).record.lost == 2
    assert [r.opponent for r in queries.rivals(cast["B"])] == [cast["A"]]
    told = [line.outcome for day in queries.account(snapshot, cast["A"]) for e in day.events for line in e.lines]
    assert told == ["win", "win"]
    assert len(queries.history(snapshot, cast["C"])) == 2, "the old code leads to the same person"
    cast["C"].refresh_from_db()
    assert {p.row.player_id for p in queries.places_of(snapshot, cast["C"])} == {cast["A"].pk}


def test_the_record_by_element() -> None:
    cast = people("ABC")
    event = night(cast, FIRST, "A>B", "C>A", elements={"A": "agua", "B": "luz"})
    night(cast, FIRST + WEEK, "A=B", elements={"A": "fuego"})
    water, fire = queries.element_record(cast["A"], event.game)
    assert (water[0].slug, water[1].won, water[1].lost) == ("agua", 1, 1)
    assert (fire[0].slug, fire[1].drawn) == ("fuego", 1)
