"""Cases of CASES.md that the core decides, with their smallest input; docs/cases.md says which test is which."""

from fractions import Fraction

import pytest

from tests.core.swiss.brute import Judge, every_matching
from tests.core.swiss.build import event, names
from tournaments.swiss.pairing import pair_round
from tournaments.swiss.standings import Standing, explain, standings
from tournaments.swiss.types import PlayerId, Tournament

CASE_3 = event("ABCDEF", "A>F C>B E>D", "C>A B>D F>E", "D>A F>B C>E")
"""After three rounds those who have not met form two triangles."""


def row_of(tournament: Tournament, player: str) -> Standing:
    return next(row for row in standings(tournament) if row.player == player)


def share(tournament: Tournament, seen_by: str, opponent: str) -> Fraction:
    """MW% of the opponent, as it enters the OMW% of who met him (rule 2.2)."""
    lines = {line.key: line for line in explain(tournament, PlayerId(seen_by)).lines}
    return next(term.value for term in lines["omw"].terms if term.opponent == opponent)


def test_case_03_no_full_pairing_without_a_rematch_exists_and_the_least_recent_is_repeated() -> None:
    """Rules 4.1.3, 4.3: all fifteen rounds of six players, one by one."""
    judge = Judge(CASE_3, 4)
    costs = {frozenset(names(pairs)): judge.cost(pairs, None) for pairs in every_matching(judge.playing)}
    assert len(costs) == 15
    assert min(cost[1] for cost in costs.values()) == 1, "each of them repeats somebody"
    least_recent = min(cost[2] for cost in costs.values() if cost[1] == 1)
    for seed in range(10):
        pairing = pair_round(CASE_3, 4, str(seed))
        assert costs[frozenset(names(pairing.pairs))] == min(costs.values())
        assert (pairing.criteria.rematches, pairing.criteria.rematch_recency) == (1, least_recent) == (1, 1)


def test_case_05_no_pairing_of_ten_has_a_smaller_gap() -> None:
    """Rule 4.1.5: of the 945 rounds there are, none has less; and a careless one does send 2-0 against 0-2."""
    tournament = event("ABCDEFGHIJ", "A>B C>D E>F G>H I>J", "A>C E>G I>B D>F H>J")
    judge = Judge(tournament, 3)
    costs = {frozenset(names(pairs)): judge.cost(pairs, None) for pairs in every_matching(judge.playing)}
    apart = [pairs for pairs, cost in costs.items() if cost[1] == 0 and sends_top_to_bottom(judge, pairs)]
    assert len(costs) == 945
    assert apart
    for seed in range(10):
        pairs = frozenset(names(pair_round(tournament, 3, str(seed)).pairs))
        assert costs[pairs] == min(costs.values())
        assert not sends_top_to_bottom(judge, pairs)


def sends_top_to_bottom(judge: Judge, pairs: frozenset[frozenset[str]]) -> bool:
    return any({judge.points[PlayerId(player)] for player in pair} == {6, 0} for pair in pairs)


# -- case 25: A 3-3, B 3-2 and gone, and B beat A ----------------------------------------------------------------------
THREE_WINS = event(
    "ABCDEFG",
    "B>A C>D E>F G*",
    "A>C B>D F>G E*",
    "A>D B>E C>G F*",
    "F>A G>B D>E C*",
    "A>G C>B E/ F/ D/",
    "E>A D>F C/ G/",
    drops={"B": 5},
)


def test_case_25_equal_points_over_another_number_of_rounds_are_no_tie() -> None:
    """Rules 2.2 and 2.5: B's rounds stop counting when he leaves; a shared rank wants every criterion equal."""
    a, b = row_of(THREE_WINS, "A"), row_of(THREE_WINS, "B")
    assert [(row.wins, row.losses, row.points) for row in (a, b)] == [(3, 3, 9), (3, 2, 9)]
    assert b.dropped
    assert (share(THREE_WINS, "C", "A"), share(THREE_WINS, "C", "B")) == (Fraction(9, 18), Fraction(9, 15))
    assert a.values != b.values
    assert a.rank != b.rank
    assert (a.values > b.values) == (a.rank < b.rank)


def test_case_25_who_beat_whom_decides_nothing_under_mtr() -> None:
    """Rule 2.2 names no head-to-head: A beat B, all else is equal, and they share the first place."""
    table = standings(event("ABCD", "A>B C>D", "A>C B>D", "D>A B>C"))
    assert {row.player for row in table[:2]} == {"A", "B"}
    assert [row.rank for row in table] == [1, 1, 3, 3]


@pytest.mark.parametrize("leaves", [None, 5])
def test_case_25_the_same_rule_for_who_leaves_and_who_stays(leaves: int | None) -> None:
    """Leaving after the last round that one played changes nothing: the rounds played are what counts."""
    other = event("ABCD", "A>B C>D", "A>C B>D", drops={"D": leaves} if leaves else {})
    rows = [(row.player, row.rank, row.values) for row in standings(other)]
    assert rows == [(row.player, row.rank, row.values) for row in standings(event("ABCD", "A>B C>D", "A>C B>D"))]
