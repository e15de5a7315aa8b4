"""Places, points and standings of tables of several (GAMES, Ataquerrr)."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.swiss.pods.build import event, ids, pod
from tournaments.swiss.pods.scoring import duels, finish, left_behind, pod_points, points_by_seat
from tournaments.swiss.pods.sizes import table_sizes
from tournaments.swiss.scoring import points_after
from tournaments.swiss.standings import explain, standings
from tournaments.swiss.types import POD_POINTS, PlayerId

PLACES = st.integers(2, 4).flatmap(
    lambda size: st.lists(st.one_of(st.none(), st.integers(1, 4)), min_size=size, max_size=size)
)


@pytest.mark.parametrize(
    ("players", "sizes"),
    [
        (0, ()), (1, ()), (2, (2,)), (3, (3,)), (4, (4,)), (5, (3, 2)), (6, (3, 3)), (7, (4, 3)), (8, (4, 4)),
        (9, (3, 3, 3)), (10, (4, 3, 3)), (11, (4, 4, 3)), (12, (4, 4, 4)), (13, (4, 3, 3, 3)),
    ],
)  # fmt: skip
def test_tables_of_four_then_of_three(players: int, sizes: tuple[int, ...]) -> None:
    assert table_sizes(players) == sizes


def test_every_number_of_players_sits_and_nobody_sits_alone() -> None:
    for players in range(2, 300):
        sizes = table_sizes(players)
        assert sum(sizes) == players
        assert sizes == tuple(sorted(sizes, reverse=True))
        assert set(sizes) <= {2, 3, 4}
        assert (2 in sizes) == (players in (2, 5))
        assert sizes.count(3) <= 3


@pytest.mark.parametrize(
    ("table", "points"),
    [
        ("A>B>C>D", [5, 3, 2, 1]),
        ("A>B>C", [5, 3, 1]),
        ("A>B", [3, 0]),
        ("A=B", [1, 1]),  # as a draw of rule 1.4
        ("A=B>C>D", [4, 4, 2, 1]),
        ("A>B=C>D", [5, 2, 2, 1]),  # five points for two: the odd one goes to nobody
        ("A=B=C=D", [2, 2, 2, 2]),
        ("A=B=C", [3, 3, 3]),
        ("A>B>C>D!", [5, 3, 2, 1]),
        ("A>B>C!D!", [5, 3, 1, 1]),
        ("ABCD?", [0, 0, 0, 0]),
        ("ABCD-", [0, 0, 0, 0]),
    ],
)
def test_points_by_place(table: str, points: list[int]) -> None:
    found = pod(table)
    assert [pod_points(found, player, POD_POINTS) for player in found.players] == points


@given(PLACES)
def test_a_table_never_gives_out_more_than_it_is_worth(places: list[int | None]) -> None:
    points = points_by_seat(places, POD_POINTS)
    assert sum(points) <= sum(POD_POINTS[len(places)])
    order = finish(places)
    assert all(
        (a < b) <= (p >= q) for a, p in zip(order, points, strict=True) for b, q in zip(order, points, strict=True)
    )
    assert [p for a, p in zip(order, points, strict=True) if a == order[0]] == [points[0]] * order.count(order[0])


def test_pairs_of_a_table_for_the_rating() -> None:
    assert list(duels(pod("A>B=C>D!"))) == [("A", "B", 2), ("A", "C", 2), ("B", "C", 1)]
    assert list(duels(pod("ABC?"))) == []
    assert list(duels(pod("ABC-"))) == []


def test_standings_by_points_first_places_and_tablemates() -> None:
    night = event("ABCDEFG", "A>B>C>D E>F>G", "E>A>D>F B>C>G")
    rows = {row.player: row for row in standings(night)}
    assert [row.player for row in standings(night)] == ["E", "A", "B", "C", "F", "D", "G"]
    # points out of ten: F 4 and G 2 in the first round, A 8, D 3 and F 4 in the second
    assert rows[PlayerId("E")].values == (10, 2, Fraction(4 + 2 + 8 + 3 + 4, 50), 5)
    assert rows[PlayerId("B")].points == rows[PlayerId("A")].points == 8
    assert (rows[PlayerId("E")].wins, rows[PlayerId("E")].losses, rows[PlayerId("E")].played) == (2, 0, 2)


def test_tablemates_decide_between_equal_points_and_first_places() -> None:
    night = event("ABCDEFGH", "A>B>C>D E>F>G>H", "B>E>G>C F>A>H>D")
    rows = {row.player: row for row in standings(night)}
    assert [rows[PlayerId(p)].values[:2] for p in "ABEF"] == [(8, 1)] * 4
    shares = {p: rows[PlayerId(p)].values[2] for p in "ABEF"}
    # points out of ten: A, B, E, F 8; C 3, D 2, G 4, H 3
    assert shares["A"] == Fraction(8 + 3 + 2 + 8 + 3 + 2, 60)
    assert shares["B"] == Fraction(8 + 3 + 2 + 8 + 4 + 3, 60)
    assert shares["F"] == shares["B"] < shares["E"]
    assert {p: rows[PlayerId(p)].rank for p in "ABEF"} == {"E": 1, "B": 2, "F": 2, "A": 4}


def test_who_left_more_behind_goes_first_when_all_else_is_level() -> None:
    """Second of four and second of three are worth the same; two left behind are more than one."""
    night = event("ABCDEFG", "A>B>C>D E>F>G")
    rows = {row.player: row for row in standings(night)}
    assert rows[PlayerId("B")].values[3] == 2
    assert rows[PlayerId("F")].values[3] == 1


def test_the_shared_first_place_is_no_first_place() -> None:
    night = event("ABC", "A=B>C")
    assert {row.player: row.values[1] for row in standings(night)} == {"A": 0, "B": 0, "C": 0}
    assert left_behind(pod("A=B>C"), PlayerId("A")) == 1


def test_every_number_is_the_sum_of_its_terms() -> None:
    night = event("ABCDEFGHIJK", "A>B=C>D E>F>G>H I>J>K!", "A>E>I=B C>F>J>D G>H>K", "K/ A>C>F>G I>H=E>B D>J")
    for row in standings(night):
        points, firsts, mates, behind = explain(night, row.player).lines
        for line in (points, firsts, behind):
            assert line.value == sum(term.value for term in line.terms)
        assert mates.value == sum(term.value for term in mates.terms) / len(mates.terms)
        assert all(term.value == Fraction(term.points, term.rounds) for term in mates.terms)
        assert (points.value, firsts.value, mates.value, behind.value) == row.values


def test_late_with_losses_a_bye_and_an_unplayed_table() -> None:
    night = event("ABCDE", "A>B>C D* E/", "ABC- D>E")
    rows = {row.player: row for row in standings(night)}
    assert {p: rows[PlayerId(p)].points for p in "ABCDE"} == {"A": 5, "B": 3, "C": 1, "D": 6, "E": 0}
    mates = {p: rows[PlayerId(p)].values[2] for p in "ABCDE"}
    assert mates["A"] == (Fraction(3, 5) + Fraction(1, 5)) / 2  # the table that nobody played counts for nobody
    assert mates["D"] == Fraction(0, 5 + 3)  # E: an assigned loss is worth what a table of four is
    assert mates["E"] == Fraction(6, 3 + 3)  # D: a bye is worth a bye
    assert (rows[PlayerId("A")].played, rows[PlayerId("D")].byes, rows[PlayerId("D")].wins) == (1, 1, 1)


def test_after_a_round_and_points_after_it() -> None:
    night = event("ABCD", "A>B>C>D", "D>C>B>A")
    assert points_after(night, 1) == dict(zip(ids("ABCD"), (5, 3, 2, 1), strict=True))
    assert [row.player for row in standings(night, after=1)] == list("ABCD")
    assert night.last_round == 2
    assert {row.points for row in standings(night)} == {6, 5}


def test_who_left_stays_listed_and_who_is_disqualified_is_last() -> None:
    night = event("ABCD", "A>B>C>D", drops={"A": 1})
    assert next((row.player, row.dropped) for row in standings(night)) == ("A", True)
    out = replace(night, entrants=tuple(replace(e, disqualified=e.id == "A") for e in night.entrants))
    assert (standings(out)[-1].player, standings(out)[-1].rank) == ("A", 4)


def test_outcomes_are_what_the_record_counts() -> None:
    (a, b, c) = (standings(event("ABC", text)) for text in ("A>B>C", "A=B>C", "ABC-"))
    assert [(row.wins, row.draws, row.losses) for row in a] == [(1, 0, 0), (0, 0, 1), (0, 0, 1)]
    assert sorted((row.wins, row.draws, row.losses) for row in b) == [(0, 0, 1), (0, 1, 0), (0, 1, 0)]
    assert {(row.wins, row.draws, row.losses, row.played) for row in c} == {(0, 0, 0, 0)}
