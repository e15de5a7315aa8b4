"""Whether the rounds that are left can be legal (TOURNAMENT_RULES 3): by brute force, and the cases of the rules."""

from functools import cache
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.swiss.build import event
from tests.core.swiss.wild import played_event
from tournaments.swiss import feasibility
from tournaments.swiss.feasibility import Graph, Short, Verdict, certain_by_degree, judge, outlook, outlook_of_new
from tournaments.swiss.history import history_before
from tournaments.swiss.rounds import may_run_out


# -- brute force: every sequence of rounds, without a bound or a budget ------------------------------------------------
def edges_of(graph: Graph) -> frozenset[tuple[int, int]]:
    return frozenset((a, b) for a, b in combinations(range(len(graph)), 2) if graph[a] >> b & 1)


@cache
def matchings(chairs: frozenset[int], edges: frozenset[tuple[int, int]]) -> tuple[frozenset[tuple[int, int]], ...]:
    if not chairs:
        return (frozenset(),)
    first = min(chairs)
    return tuple(
        rest | {(a, b)} for a, b in edges if first == a and b in chairs for rest in matchings(chairs - {a, b}, edges)
    )


@cache
def brute(chairs: int, edges: frozenset[tuple[int, int]], rounds: int) -> Verdict:
    if rounds == 0:
        return Verdict.CERTAIN
    answers = {brute(chairs, edges - round, rounds - 1) for round in matchings(frozenset(range(chairs)), edges)}
    if answers == {Verdict.CERTAIN}:
        return Verdict.CERTAIN
    return Verdict.POSSIBLE if answers - {Verdict.IMPOSSIBLE} else Verdict.IMPOSSIBLE


def graph(chairs: int, edges: set[tuple[int, int]]) -> Graph:
    return tuple(sum(1 << b for b in range(chairs) if (min(a, b), max(a, b)) in edges) for a in range(chairs))


@settings(max_examples=300)
@given(st.integers(1, 3), st.integers(0, 5), st.data())
def test_the_verdict_is_that_of_brute_force(half: int, rounds: int, data: st.DataObject) -> None:
    every = list(combinations(range(2 * half), 2))
    edges = {pair for pair in every if data.draw(st.integers(0, 3))}
    found, proven = judge(graph(2 * half, edges), rounds)
    assert (found, proven) == (brute(2 * half, frozenset(edges), rounds), True)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 4), st.data())
def test_the_verdict_on_eight_chairs_is_that_of_brute_force(rounds: int, data: st.DataObject) -> None:
    every = list(combinations(range(8), 2))
    edges = {pair for pair in every if data.draw(st.integers(0, 2))}
    found, proven = judge(graph(8, edges), rounds)
    truth = brute(8, frozenset(edges), rounds)
    if found == Verdict.POSSIBLE:  # where the budget ends, "proven" is that an example was found
        assert not proven or truth != Verdict.IMPOSSIBLE
    else:
        assert (found, proven) == (truth, True)


@settings(max_examples=200)
@given(st.integers(2, 3), st.integers(1, 5), st.data())
def test_certain_by_degree_is_certain(half: int, rounds: int, data: st.DataObject) -> None:
    every = list(combinations(range(2 * half), 2))
    edges = {pair for pair in every if data.draw(st.integers(0, 6))}
    if certain_by_degree(graph(2 * half, edges), rounds):
        assert brute(2 * half, frozenset(edges), rounds) == Verdict.CERTAIN


# -- before round 1 ----------------------------------------------------------------------------------------------------
NEW = [
    (4, 3, "certain", 3),  # a round robin of four cannot go wrong
    (6, 3, "certain", 3),
    (6, 4, "possible", 3),  # after three rounds two threes who have met nobody of their own: the example of rule 3
    (6, 5, "possible", 3),
    (6, 6, "impossible", 3),
    (5, 3, "certain", 3),
    (5, 4, "possible", 3),
    (8, 3, "certain", 3),
    (8, 5, "certain", 5),
    (8, 6, "possible", 5),
    (16, 4, "certain", 4),
    (64, 6, "certain", 6),
    (500, 10, "certain", 10),
]


@pytest.mark.parametrize(("players", "rounds", "verdict", "safe"), NEW)
def test_before_round_1(players: int, rounds: int, verdict: str, safe: int) -> None:
    found = outlook_of_new(players, rounds)
    assert (found.verdict, found.safe, found.played) == (verdict, safe, 0)
    assert found.reachable == min(rounds, players - 1 + players % 2)


@pytest.mark.parametrize("players", range(2, 31))
def test_the_advice_at_creation_says_the_same(players: int) -> None:
    """`rounds.may_run_out` is the quick answer of the form: never quiet where the search finds a danger."""
    for rounds in range(1, players):
        found = outlook_of_new(players, rounds)
        assert (found.verdict == Verdict.CERTAIN) == (not may_run_out(players, rounds)), rounds


def test_the_table_of_rounds_is_always_certain() -> None:
    from tournaments.swiss.rounds import suggested_rounds

    for players in range(4, 500):
        assert outlook_of_new(players, suggested_rounds(players)).verdict == Verdict.CERTAIN


# -- between two rounds ------------------------------------------------------------------------------------------------
def case_3():
    """CASES 3: six players, three rounds; who has not met are two threes."""
    return event("ABCDEF", "A>F C>B E>D", "C>A B>D F>E", "D>A F>B C>E")


def test_case_3_the_fourth_round_of_six_is_impossible() -> None:
    found = outlook(case_3(), 4)
    assert (found.verdict, found.proven, found.rounds, found.reachable, found.fewer) == ("impossible", True, 1, 0, 3)
    assert found.short == ()


def test_case_3_a_round_earlier_it_is_possible_and_three_are_safe() -> None:
    full = case_3()
    two = event("ABCDEF", "A>F C>B E>D", "C>A B>D F>E")
    assert full.matches[:6] == two.matches
    found = outlook(two, 4)
    assert (found.verdict, found.safe, found.fewer, found.planned) == ("possible", 1, 3, 4)


def test_who_has_too_few_rivals_left_is_named() -> None:
    found = outlook(event("ABCD", "A>B C>D", "A>C B>D", drops={"D": 2}), 5)
    assert found.verdict == "impossible"
    assert (found.players, found.rounds) == (3, 3)
    assert found.short[0] == Short("A", 1)


def test_a_second_bye_is_no_legal_round() -> None:
    """4.1.2: three players; each has had the bye, so nobody is left for it."""
    found = outlook(event("ABC", "A>B C*", "A>C B*", "B>C A*"), 4)
    assert found.verdict == "impossible"
    assert Short(None, 0) in found.short


def test_those_who_must_not_meet_are_no_rivals() -> None:
    """4.1.1"""
    apart = event("ABCD", "A>B C>D", separations=(("A", "C"), ("B", "D")))
    assert outlook(apart, 3).verdict == "impossible"
    assert outlook(apart, 2).verdict == "certain"


def test_nothing_left_to_play_is_certain() -> None:
    assert outlook(case_3(), 3).verdict == "certain"
    assert outlook(event("A"), 0).verdict == "certain"


def test_nobody_left_to_play_is_impossible() -> None:
    found = outlook(event("AB", "A>B", drops={"A": 1, "B": 1}), 2)
    assert (found.verdict, found.reachable) == ("impossible", 0)


def test_a_search_that_runs_out_of_budget_is_possible_and_says_that_it_is_not_proven(monkeypatch) -> None:
    monkeypatch.setattr(feasibility, "BUDGET", 3)
    judge.cache_clear()
    assert judge(outlook_graph(12), 9) == (Verdict.POSSIBLE, False)
    judge.cache_clear()


def outlook_graph(chairs: int) -> Graph:
    return tuple(((1 << chairs) - 1) & ~(1 << chair) for chair in range(chairs))


@pytest.mark.parametrize("players", [16, 17, 40, 41])
def test_a_glance_at_many_says_what_the_graph_says(players: int) -> None:
    """Both of an event that has been paired by the engine, with byes and a drop."""
    for tournament, round, _pairing in played_event(players, 4, seed=players):
        here = [entrant.id for entrant in tournament.entrants if entrant.active_in(round)]
        history = history_before(tournament, round)
        graph = feasibility.graph_of(tournament, history, here)
        for rounds in range(1, 8):
            if feasibility._certain_at_a_glance(tournament, history, here, rounds):
                assert certain_by_degree(graph, rounds)
    assert outlook(tournament, round + 1).verdict == Verdict.CERTAIN
