"""Whether the rounds that are left can be legal (TOURNAMENT_RULES 3): against every course, and by the rules."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.swiss.brute import Judge, every_matching
from tests.core.swiss.build import event
from tests.core.swiss.wild import played_event, wild_event
from tournaments.swiss import courses, feasibility
from tournaments.swiss.courses import Graph, certain_by_degree, judge, many_left
from tournaments.swiss.feasibility import Short, Verdict, outlook, outlook_of_new
from tournaments.swiss.history import history_before
from tournaments.swiss.rounds import may_run_out
from tournaments.swiss.types import PlayerId, Tournament


# -- every course there is, without a bound or a budget ----------------------------------------------------------------
class Courses:
    """Of players 0..n-1, an empty chair n among them when they are odd.

    A round is the set of its pairs as bits, so that what may still be is one whole number.
    """

    def __init__(self, players: int) -> None:
        self.players, self.known = players, dict[tuple[int, int], Verdict]()
        self.bit = {pair: 1 << i for i, pair in enumerate(combinations(range(players + 1), 2))}
        self.everybody = self.rounds_of(range(players))

    def rounds_of(self, playing: Iterable[int]) -> list[int]:
        seats = list(playing)
        return [self.pairs(pairs) for pairs in every_matching([*seats, *[self.players] * (len(seats) % 2)])]

    def pairs(self, pairs: Iterable[tuple[int, int]]) -> int:
        return sum(self.bit[pair] for pair in pairs)

    def verdict(self, may: int, rounds: int) -> Verdict:
        if (may, rounds) not in self.known:
            self.known[may, rounds] = self.after(self.everybody, may, rounds)
        return self.known[may, rounds]

    def after(self, next_rounds: list[int], may: int, rounds: int) -> Verdict:
        if rounds == 0:
            return Verdict.CERTAIN
        seen: set[Verdict] = set()
        for one in next_rounds:
            if one & may == one:
                seen.add(self.verdict(may & ~one, rounds - 1))
            if Verdict.POSSIBLE in seen or len(seen) > 1:
                return Verdict.POSSIBLE
        return Verdict.CERTAIN if seen == {Verdict.CERTAIN} else Verdict.IMPOSSIBLE


courses_of = cache(Courses)


# -- graphs ------------------------------------------------------------------------------------------------------------
def graph(chairs: int, may: int) -> Graph:
    rows = [0] * chairs
    for (a, b), bit in courses_of(chairs).bit.items():
        if may & bit:
            rows[a] |= 1 << b
            rows[b] |= 1 << a
    return tuple(rows)


def unlike(chairs: int) -> Iterator[int]:
    """Every graph of so many chairs, those that are the same but for the names once."""
    bit = {pair: one for pair, one in courses_of(chairs).bit.items() if chairs not in pair}
    renamings = [
        {one: bit[min(x, y), max(x, y)] for (a, b), one in bit.items() for x, y in [(new[a], new[b])]}
        for new in permutations(range(chairs))
    ]
    seen: set[int] = set()
    for some in range(1 << len(bit)):
        edges = [one for i, one in enumerate(bit.values()) if some >> i & 1]
        if sum(edges) not in seen:
            seen |= {sum(renamed[one] for one in edges) for renamed in renamings}
            yield sum(edges)


@pytest.mark.parametrize(("chairs", "graphs"), [(2, 2), (4, 11), (6, 156)])
def test_the_verdict_on_every_graph_is_that_of_every_course(chairs: int, graphs: int) -> None:
    found = list(unlike(chairs))
    assert len(found) == graphs
    for may in found:
        for rounds in range(chairs + 3):
            assert judge(graph(chairs, may), rounds) == (courses_of(chairs).verdict(may, rounds), True)


@st.composite
def graphs(draw: st.DrawFn, chairs: int) -> int:
    keep = draw(st.sampled_from([1, 2, 4, 9]))
    pairs = [pair for pair in combinations(range(chairs), 2) if draw(st.integers(0, keep))]
    return courses_of(chairs).pairs(pairs)


@settings(max_examples=60, deadline=None)
@given(graphs(8), st.integers(0, 9))
def test_the_verdict_on_eight_chairs_is_that_of_every_course(may: int, rounds: int) -> None:
    """Neither the end of the budget nor a false alarm."""
    assert judge(graph(8, may), rounds) == (courses_of(8).verdict(may, rounds), True)


@settings(max_examples=200)
@given(graphs(6), st.integers(1, 5))
def test_certain_by_degree_is_certain(may: int, rounds: int) -> None:
    if certain_by_degree(graph(6, may), rounds):
        assert courses_of(6).verdict(may, rounds) == Verdict.CERTAIN


# -- events with any past ----------------------------------------------------------------------------------------------
def every_course(tournament: Tournament, rounds: int) -> Verdict:
    """Rules 4.1.1 to 4.1.3 once more, from the match list."""
    judged = Judge(tournament, tournament.last_round + 1)
    here, found = judged.active, courses_of(len(judged.active))
    apart = judged.met.keys() | judged.separated
    may = {pair for pair in combinations(range(len(here)), 2) if frozenset((here[pair[0]], here[pair[1]])) not in apart}
    rested = [bool(judged.byes[player]) or player in judged.assigned for player in here]
    may |= {(i, len(here)) for i, has in enumerate(rested) if not has}
    playing = [i for i, player in enumerate(here) if player not in judged.assigned]
    if not here and rounds:
        return Verdict.IMPOSSIBLE
    return found.after(found.rounds_of(playing), found.pairs(may), rounds)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 9))
def test_any_past_and_any_number_of_rounds(seed: int, more: int) -> None:
    """Up to seven players with drops, late entries, separations, byes and assigned byes, rematches and forfeits."""
    tournament = wild_event(seed, most=7)
    found = outlook(tournament, tournament.last_round + more)
    assert (found.verdict, found.proven) == (every_course(tournament, more), True)
    assert every_course(tournament, found.safe) == Verdict.CERTAIN
    assert found.safe == more or every_course(tournament, found.safe + 1) != Verdict.CERTAIN
    assert every_course(tournament, found.reachable) != Verdict.IMPOSSIBLE
    assert found.reachable == more or every_course(tournament, found.reachable + 1) == Verdict.IMPOSSIBLE


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 7), st.integers(0, 10**6), st.data())
def test_events_as_played(players: int, seed: int, data: st.DataObject) -> None:
    """As the engine pairs them, with separations and assigned byes between any two rounds."""
    for tournament, round, _ in played_event(players, players + 1, seed, draws=0.2, drops=0.05):
        ids = [entrant.id for entrant in tournament.entrants]
        apart = data.draw(st.lists(st.sampled_from(list(combinations(ids, 2))), max_size=2))
        byes = data.draw(st.lists(st.sampled_from(ids), max_size=2, unique=True))
        changed = replace(tournament, separations=tuple(apart), assigned_byes=tuple(byes))
        for more in range(players + 3):
            found = outlook(changed, round - 1 + more)
            assert (found.verdict, found.proven) == (every_course(changed, more), True)


@pytest.mark.parametrize("players", range(2, 9))
def test_before_round_1_against_every_course(players: int) -> None:
    for rounds in range(players + 3):
        truth = every_course(event("ABCDEFGH"[:players]), rounds)
        assert (outlook_of_new(players, rounds).verdict, outlook(event("ABCDEFGH"[:players]), rounds).verdict) == (
            truth,
            truth,
        )


def test_the_probe_meets_every_verdict() -> None:
    """Events as above, with an assigned bye and without: each verdict."""
    events = [(tournament, round) for players in (5, 6, 7) for tournament, round, _ in played_event(players, 4, seed=1)]
    seen = {
        (outlook(replace(tournament, assigned_byes=byes), round + more).verdict, bool(byes))
        for tournament, round in events
        for byes in ((), (PlayerId("p0"),))
        for more in range(4)
    }
    assert len(seen) == 6


def test_who_rests_by_assignment_keeps_rivals_and_takes_a_bye() -> None:
    """4.1.1 and 4.1.2: an assigned bye is one, and costs no rival."""
    both = event("AB", assigned_byes=(PlayerId("A"), PlayerId("B")))
    assert outlook(both, 2).verdict == Verdict.CERTAIN
    assert outlook(event("AB"), 2).verdict == Verdict.IMPOSSIBLE
    two_of_five = event("ABCDE", assigned_byes=(PlayerId("A"), PlayerId("B")))
    found = outlook(two_of_five, 5)
    assert (found.verdict, found.short) == (Verdict.IMPOSSIBLE, (Short(None, 3),))
    assert outlook(event("ABCDE"), 5).verdict == Verdict.POSSIBLE


def test_two_who_have_met_and_alone_play_the_next_round_repeat() -> None:
    """However many rivals everybody has after it."""
    resting = tuple(PlayerId(player) for player in "CDEFGH")
    found = outlook(event("ABCDEFGH", "A>B C>D E>F G>H", assigned_byes=resting), 2)
    assert (found.verdict, found.reachable) == (Verdict.IMPOSSIBLE, 0)


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
    monkeypatch.setattr(courses, "BUDGET", 3)
    judge.cache_clear()
    assert judge(outlook_graph(12), 9) == (Verdict.POSSIBLE, False)
    resting = event("ABCDEFGHIJKLM", assigned_byes=(PlayerId("A"),))
    assert (outlook(resting, 9).verdict, outlook(resting, 9).proven) == (Verdict.POSSIBLE, False)
    judge.cache_clear()
    courses.judge_after.cache_clear()


def outlook_graph(chairs: int) -> Graph:
    return tuple(((1 << chairs) - 1) & ~(1 << chair) for chair in range(chairs))


@pytest.mark.parametrize("players", [16, 17, 40, 41])
def test_a_glance_at_many_says_what_the_graph_says(players: int) -> None:
    """Both of an event that has been paired by the engine, with byes and a drop."""
    glances = 0
    for tournament, round, _pairing in played_event(players, 4, seed=players):
        here = [entrant.id for entrant in tournament.entrants if entrant.active_in(round)]
        history = history_before(tournament, round)
        for resting in (frozenset(), frozenset(here[:3])):
            field = feasibility.Field(tournament, history, here, resting)
            for rounds in range(1, 8):
                if field.certain_at_a_glance(rounds):
                    glances += 1
                    assert many_left(field.graph, rounds)
                    assert field.judge(rounds) == (Verdict.CERTAIN, True)
    assert glances > 8
    assert outlook(tournament, round + 1).verdict == Verdict.CERTAIN
