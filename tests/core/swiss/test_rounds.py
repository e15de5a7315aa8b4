"""How many rounds (TOURNAMENT_RULES 3)."""

import random

import pytest

from tests.core.swiss.brute import every_matching
from tournaments.swiss.rounds import advice, may_run_out, suggested_cut, suggested_rounds
from tournaments.swiss.types import PlayerId


@pytest.mark.parametrize(
    ("least", "most", "rounds", "cut"),
    [
        (4, 8, 3, 0),
        (9, 16, 4, 4),
        (17, 32, 5, 8),
        (33, 64, 6, 8),
        (65, 128, 7, 8),
        (129, 226, 8, 8),
        (227, 409, 9, 8),
        (410, 5000, 10, 8),
    ],
)
def test_the_table(least: int, most: int, rounds: int, cut: int) -> None:
    assert {(suggested_rounds(players), suggested_cut(players)) for players in (least, most)} == {(rounds, cut)}


def test_below_the_table_everybody_meets_everybody() -> None:
    assert [(suggested_rounds(players), suggested_cut(players)) for players in (0, 1, 2, 3)] == [
        (0, 0),
        (0, 0),
        (1, 0),
        (3, 0),
    ]


def test_case_3_six_players_and_four_rounds_are_warned_about_and_three_are_suggested() -> None:
    assert suggested_rounds(6) == 3
    assert advice(6, 3) == []
    (note,) = advice(6, 4)
    assert (note.code, note.rule) == ("may_force_rematch", "3")
    assert note.data == {"players": 6, "rounds": 4, "suggested": 3}


@pytest.mark.parametrize(("players", "rounds", "needed"), [(4, 3, 3), (5, 4, 5), (6, 5, 5), (3, 2, 3), (2, 1, 1)])
def test_as_many_rounds_as_opponents_propose_a_round_robin(players: int, rounds: int, needed: int) -> None:
    (note,) = advice(players, rounds)
    assert (note.code, note.data["round_robin"]) == ("round_robin", needed)


@pytest.mark.parametrize("players", [0, 1])
def test_nothing_to_say_without_players(players: int) -> None:
    assert advice(players, 3) == []


@pytest.mark.parametrize("players", [4, 6])
def test_the_warning_is_right_for_small_events(players: int) -> None:
    """Play every possible event: some course runs out of rematch-free pairings exactly where the warning says so."""
    matchings = matchings_of(players)
    courses, ran_out = {frozenset[frozenset[str]]()}, False
    for rounds in range(1, players):
        follow = {course: [one for one in matchings if not one & course] for course in courses}
        ran_out = ran_out or not all(follow.values())
        assert ran_out == may_run_out(players, rounds), rounds
        courses = {course | one for course, ones in follow.items() for one in ones}


@pytest.mark.parametrize(("rounds", "warned"), [(5, False), (6, True)])
def test_the_warning_is_right_for_eight(rounds: int, warned: bool) -> None:
    """300 random courses of eight players: after five rounds none has run out, by the sixth some have."""
    matchings, ran_out = matchings_of(8), 0
    for seed in range(300):
        chance, met = random.Random(seed), frozenset[frozenset[str]]()
        for _ in range(rounds):
            fresh = [one for one in matchings if not one & met]
            if not fresh:
                ran_out += 1
                break
            met |= chance.choice(fresh)
    assert (ran_out > 0) == may_run_out(8, rounds) == warned


def matchings_of(players: int) -> list[frozenset[frozenset[str]]]:
    ids = [PlayerId(str(i)) for i in range(players)]
    return [frozenset(map(frozenset, pairs)) for pairs in every_matching(ids)]
