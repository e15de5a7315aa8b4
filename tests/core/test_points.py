"""Puntos de circuito: the table, its kickers, the limits and the account (RANKING 1)."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.points import DEFAULT, Finish, Kind, PointsRow, PointsTable, ledger, total

# RANKING 1, copied line by line: places, players needed, semanal, tienda, regional, nacional.
RULES = """
1      4   15  50  200  500
2      4   12  40  160  400
3-4    8   10  32  130  320
5-8    17  8   25  100  250
9-16   33  6   20  80   200
17-32  65  4   16  60   160
"""
TIERS = ("semanal", "tienda", "regional", "nacional")


def cells():
    for line in RULES.split("\n")[1:-1]:
        places, needs, *points = line.split()
        first, _, last = places.partition("-")
        for tier, worth in zip(TIERS, points, strict=True):
            yield tier, int(first), int(last or first), int(needs), int(worth)


def finish(
    event: int, place: int = 1, players: int = 8, tier: str = "semanal", rounds: int = 3, day: int = 1
) -> Finish:
    return Finish(event, date(2026, 3, day), tier, place, players, rounds)


def places_that_count(finishes: list[Finish], table: PointsTable = DEFAULT) -> set[int]:
    return {line.event for line in ledger(finishes, table) if line.kind is Kind.PLACE and line.counted}


@pytest.mark.parametrize(("tier", "first", "last", "needs", "worth"), list(cells()))
def test_every_cell_of_the_table(tier: str, first: int, last: int, needs: int, worth: int) -> None:
    for place in (first, last):
        assert DEFAULT.award(tier, place, needs) == worth
        assert DEFAULT.award(tier, place, needs + 500) == worth
        assert DEFAULT.award(tier, place, needs - 1) == 0


def test_below_the_table_there_is_nothing() -> None:
    assert DEFAULT.award("nacional", 33, 500) == 0
    assert DEFAULT.award("casual", 1, 500) == 0


def test_a_bigger_field_may_pay_more() -> None:
    table = PointsTable((PointsRow("semanal", 1, 1, 4, 15), PointsRow("semanal", 1, 1, 16, 20)))
    assert [table.award("semanal", 1, players) for players in (3, 4, 15, 16)] == [0, 15, 15, 20]


def test_tied_places_earn_the_better_places_points() -> None:
    """TOURNAMENT_RULES 7.6: the two who lost in the semifinals are third, both."""
    assert [DEFAULT.award("tienda", place, 8) for place in (1, 2, 3, 3, 5)] == [50, 40, 32, 32, 0]
    assert DEFAULT.award("tienda", 2, 8) == 40


def test_limits_are_those_of_the_rules() -> None:
    assert DEFAULT.limits == {"semanal": 8, "tienda": 4, "regional": 3, "nacional": 1}


def test_best_finishes_count() -> None:
    """Nine weeklies: the worst is listed and does not count."""
    finishes = [finish(event, place=1 + event % 3, day=event) for event in range(1, 10)]
    assert places_that_count(finishes) == {1, 2, 3, 4, 6, 7, 9, 5}
    lines = ledger(finishes, DEFAULT)
    assert [(line.event, line.points) for line in lines if not line.counted] == [(8, 10)]
    assert total(lines) == 3 * 15 + 3 * 12 + 2 * 10 + 9


def test_limits_are_per_tier() -> None:
    finishes = [
        finish(1, tier="nacional"),
        finish(2, place=2, tier="nacional", day=2),
        finish(3, tier="regional", day=3),
    ]
    assert places_that_count(finishes) == {1, 3}


def test_a_tier_without_limit_counts_whole() -> None:
    table = replace(DEFAULT, limits={})
    assert places_that_count([finish(event) for event in range(20)], table) == set(range(20))
    assert places_that_count([finish(1)], replace(DEFAULT, limits={"semanal": 0})) == set()


def test_equal_finishes_count_from_the_first() -> None:
    finishes = [finish(event, day=1 + event % 7) for event in range(1, 12)]
    kept = sorted(finishes, key=lambda f: (f.day, f.event))[:8]
    assert places_that_count(finishes) == {f.event for f in kept}


def test_participation_is_outside_the_limits() -> None:
    finishes = [finish(event, place=40, day=event) for event in range(1, 31)]
    lines = ledger(finishes, DEFAULT)
    assert total(lines) == 30
    assert sum(line.kind is Kind.PARTICIPATION for line in lines) == 30


@pytest.mark.parametrize(("rounds", "points"), [(0, 0), (1, 0), (2, 1), (7, 1)])
def test_participation_asks_two_rounds_really_played(rounds: int, points: int) -> None:
    assert total(ledger([finish(1, place=40, rounds=rounds)], DEFAULT)) == points


def test_casual_events_give_nothing() -> None:
    assert ledger([finish(1, tier="casual", players=100)], DEFAULT) == []


def test_lines_tell_where_each_point_comes_from() -> None:
    place, participation = ledger([finish(7, place=3, players=7)], DEFAULT)
    assert (place.event, place.kind, place.points, place.counted, place.players) == (7, Kind.PLACE, 0, False, 7)
    assert (participation.event, participation.kind, participation.points, participation.counted) == (
        7,
        Kind.PARTICIPATION,
        1,
        True,
    )


def test_season_may_give_no_participation() -> None:
    assert [line.kind for line in ledger([finish(1)], replace(DEFAULT, participation=0))] == [Kind.PLACE]


@pytest.mark.parametrize(
    "build",
    [
        lambda: PointsRow("semanal", 0, 1, 4, 15),
        lambda: PointsRow("semanal", 4, 3, 4, 15),
        lambda: PointsRow("semanal", 1, 1, -1, 15),
        lambda: PointsRow("semanal", 1, 1, 4, -15),
        lambda: PointsTable((PointsRow("casual", 1, 1, 4, 15),)),
        lambda: PointsTable((), limits={"semanal": -1}),
        lambda: PointsTable((), participation=-1),
        lambda: finish(1, place=0),
        lambda: ledger([finish(1), finish(1, place=2)], DEFAULT),
    ],
)
def test_refuses_what_makes_no_sense(build) -> None:
    with pytest.raises(ValueError, match=r".+"):
        build()


finishes_of_a_season = st.lists(
    st.builds(
        Finish,
        event=st.integers(0, 10_000),
        day=st.dates(date(2026, 1, 1), date(2026, 6, 30)),
        tier=st.sampled_from([*TIERS, "casual"]),
        place=st.integers(1, 40),
        players=st.integers(0, 80),
        rounds_played=st.integers(0, 8),
    ),
    max_size=30,
    unique_by=lambda f: f.event,
)


@given(finishes_of_a_season, st.randoms(use_true_random=False))
def test_account_is_the_best_choice_in_any_order(finishes: list[Finish], rng) -> None:
    lines = ledger(finishes, DEFAULT)
    assert ledger(rng.sample(finishes, len(finishes)), DEFAULT) == lines
    best = sum(f.rounds_played >= 2 and f.tier != "casual" for f in finishes)
    for tier in TIERS:
        worth = sorted((DEFAULT.award(tier, f.place, f.players) for f in finishes if f.tier == tier), reverse=True)
        best += sum(worth[: DEFAULT.limits[tier]])
    assert total(lines) == best
