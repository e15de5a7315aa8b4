"""The table of outcomes (TOURNAMENT_RULES 1): each code of 1.1 to points, games, opponent, meeting, rating."""

import pytest

from tests.core.swiss.build import event, match
from tournaments.swiss.history import history_before
from tournaments.swiss.scoring import (
    OUTCOMES,
    conceded,
    counts_opponent,
    counts_round,
    games_of,
    had_bye,
    is_meeting,
    outcome_for,
    points_after,
    points_of,
    rates,
)
from tournaments.swiss.standings import standings
from tournaments.swiss.types import Games, Match, Outcome, PlayerId, Points, Rules

A, B = PlayerId("A"), PlayerId("B")
BEST_OF_1 = Rules(best_of=1)

# token, points A B, games of A, games in best of 1, round, opponent, meeting, like a bye for A, rates
TABLE = [
    ("A>B", 3, 0, (2, 0, 0), (2, 0, 0), True, True, True, False, True),
    ("A=B", 1, 1, (1, 1, 1), (1, 1, 1), True, True, True, False, True),
    ("A~B", 1, 1, (0, 0, 3), (0, 0, 1), True, True, True, False, False),
    ("A#B", 0, 0, (0, 0, 0), (0, 0, 0), True, True, True, False, False),
    ("A!B", 3, 0, (2, 0, 0), (1, 0, 0), True, True, True, True, False),
    ("A*", 3, None, (2, 0, 0), (1, 0, 0), True, False, False, True, False),
    ("A/", 0, None, (0, 0, 0), (0, 0, 0), True, False, False, False, False),
    ("A?B", 0, 0, (0, 0, 0), (0, 0, 0), False, False, False, False, False),
    ("A-B", 0, 0, (0, 0, 0), (0, 0, 0), False, False, True, False, False),
]


@pytest.mark.parametrize("row", TABLE, ids=[row[0] for row in TABLE])
def test_each_outcome(row) -> None:
    token, points_a, points_b, games, games_in_1, took_part, opponent, meeting, like_bye, rating = row
    one = match(token)
    assert points_of(one, A, Rules()) == points_a
    assert points_b is None or points_of(one, B, Rules()) == points_b
    assert games_of(one, A, Rules()) == games
    assert games_of(one, A, BEST_OF_1) == games_in_1
    assert points_b is None or games_of(one, B, Rules()) == (games[1], games[0], games[2])
    assert counts_round(one) is took_part
    assert counts_opponent(one) is opponent
    assert is_meeting(one) is meeting
    assert had_bye(one, A) is like_bye
    assert B not in one.players or not had_bye(one, B)
    assert rates(one) is rating


def test_the_table_names_every_outcome_but_a_loss() -> None:
    assert {match(row[0]).outcome for row in TABLE} == {*OUTCOMES, None}
    assert set(OUTCOMES) == set(Outcome) - {Outcome.LOSS}


@pytest.mark.parametrize("sign", [">", "!"])
def test_the_loser_sees_a_loss_from_either_seat(sign: str) -> None:
    assert outcome_for(match(f"A{sign}B"), B) is Outcome.LOSS
    assert outcome_for(match(f"B{sign}A"), A) is Outcome.LOSS
    assert outcome_for(match(f"A{sign}B"), A) is match(f"A{sign}B").outcome


def test_points_are_the_event_s_own() -> None:
    rules = Rules(points=Points(win=5, draw=2, loss=1, bye=4))
    taken = [points_of(match(token), A, rules) for token in ("A>B", "B>A", "A=B", "A*", "A/", "A#B", "A!B", "B!A")]
    assert taken == [5, 1, 2, 4, 0, 0, 5, 1]


def test_a_bye_is_two_nil_whatever_was_typed() -> None:
    assert games_of(match("A*:2-1"), A, Rules()) == (2, 0, 0)


def test_unknown_games_stay_unknown() -> None:
    assert games_of(Match(1, A, B, Outcome.WIN, A), A, Rules()) is None


@pytest.mark.parametrize(
    ("kept", "winner_is_a", "best_of", "result"),
    [
        (Games(1, 1), True, 3, Games(2, 1)),
        (Games(1, 1), False, 3, Games(1, 2)),
        (Games(0, 1), True, 3, Games(2, 1)),
        (None, True, 3, Games(2, 0)),
        (Games(0, 0, 1), False, 3, Games(0, 2, 1)),
        (None, False, 1, Games(0, 1)),
    ],
)
def test_a_concession_completes_the_winner_s_games(kept, winner_is_a, best_of, result) -> None:
    assert conceded(kept, winner_is_a, best_of) == result


def test_case_17_a_bye_is_a_kind_of_its_own_also_when_typed_by_hand() -> None:
    """Staff who record a bye record a bye: no opponent, no meeting, and it counts when the next bye is given."""
    tournament = event("ABC", "A* B>C")
    assert history_before(tournament, 2).byes == {"A": 1, "B": 0, "C": 0}
    row = next(row for row in standings(tournament) if row.player == "A")
    assert (row.wins, row.byes, row.points) == (0, 1, 3)


def test_case_19_points_follow_from_the_match_list() -> None:
    tournament = event("ABC", "A>B C*", "A=C B*", "A>C B*", "A* B>C")
    assert points_after(tournament, 4)["A"] == 3 + 1 + 3 + 3
    assert [points_after(tournament, round)["A"] for round in range(5)] == [0, 3, 4, 7, 10]
    corrected = event("ABC", "B>A C*", "A=C B*", "A>C B*", "A* B>C")
    assert points_after(corrected, 4)["A"] == 0 + 1 + 3 + 3


def test_case_44_both_absent_is_a_result_and_rates_nobody() -> None:
    """Double loss and not played are first-class: no points, no rating; only the first is a round that was played."""
    for token, played in (("A#B", 1), ("A?B", 0)):
        rows = standings(event("ABCD", f"{token} C>D"))
        absent = [row for row in rows if row.player in "AB"]
        assert [(row.points, row.played, row.losses) for row in absent] == [(0, played, played)] * 2
        assert not rates(match(token))
