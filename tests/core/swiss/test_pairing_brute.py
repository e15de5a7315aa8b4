"""The engine against every round there is (4.2): random events of 2-9 players, a separately written objective."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.swiss.brute import Judge, every_round
from tests.core.swiss.build import names, shuffled
from tests.core.swiss.verify import CRITERIA, Objective, verify
from tests.core.swiss.wild import played_event, wild_event
from tournaments.swiss.pairing import Pairing, PairingRefused, criteria_of, pair_round
from tournaments.swiss.standings import standings
from tournaments.swiss.types import Tournament

SEEDS = st.integers(0, 2**32)


def as_tuple(tournament: Tournament, round: int, pairs, bye, assigned) -> tuple[int, ...]:
    criteria = criteria_of(tournament, round, pairs, bye, assigned)
    return tuple(getattr(criteria, name) for name in criteria.__slots__)


def check_against_brute(tournament: Tournament, round: int, by_standings: bool) -> None:
    judge = Judge(tournament, round)
    places = {row.player: row.place for row in standings(tournament, round - 1)} if by_standings else None

    def cost(pairs, bye) -> tuple[int, ...]:
        return judge.cost(pairs, bye) + ((judge.apart(pairs, places),) if places else ())

    legal = [(pairs, bye) for pairs, bye in every_round(judge.playing) if judge.legal(pairs)]
    if len(judge.active) < 2 or not legal:
        with pytest.raises(PairingRefused) as refusal:
            pair_round(tournament, round, "1", by_standings)
        assert refusal.value.code == ("no_players" if len(judge.active) < 2 else "hard_separations")
        return
    pairing = pair_round(tournament, round, "1", by_standings)
    seated = [player for pair in pairing.pairs for player in pair] + list(pairing.assigned_byes)
    assert sorted(seated + ([pairing.bye] if pairing.bye else [])) == sorted(judge.active)
    assert judge.legal(list(pairing.pairs))
    assert set(pairing.assigned_byes) == set(judge.assigned)
    best = min(cost(pairs, bye) for pairs, bye in legal)
    assert cost(list(pairing.pairs), pairing.bye) == best
    told = as_tuple(tournament, round, pairing.pairs, pairing.bye, pairing.assigned_byes)
    assert told == judge.cost(list(pairing.pairs), pairing.bye)
    assert tuple(getattr(pairing.criteria, name) for name in pairing.criteria.__slots__) == told


@settings(max_examples=150, deadline=None)
@given(SEEDS, st.booleans())
def test_any_past(seed: int, by_standings: bool) -> None:
    tournament = wild_event(seed, most=8)
    check_against_brute(tournament, tournament.last_round + 1, by_standings)


@settings(max_examples=25, deadline=None)
@given(
    st.integers(2, 9), SEEDS, st.sampled_from([0.0, 0.04, 0.3]), st.sampled_from([0.0, 0.1]), st.sampled_from([0, 3])
)
def test_events_as_played_to_the_bitter_end(players: int, seed: int, draws: float, drops: float, teams: int) -> None:
    for tournament, round, _ in played_event(players, players + 1, seed, draws, drops, teams):
        check_against_brute(tournament, round, by_standings=round > players - 1)


def test_a_slice_of_the_verification() -> None:
    """`make verify-pairing` in small: every round there is, then dense matching; by luck, apart and as a whole."""
    tallies = verify(0.012, write=lambda _: None)
    assert [tally.mismatches for tally in tallies] == [[], [], []]
    assert [tally.events for tally in tallies] == [14, 6, 1]
    assert all(tally.rounds > 5 for tally in tallies)
    met = sum((tally.met for tally in tallies), Counter())
    assert met.keys() >= set(CRITERIA) - {"repeat_byes"}


@pytest.mark.parametrize("by_standings", [False, True])
def test_a_wrong_round_would_be_seen(by_standings: bool) -> None:
    """The dense matching and the look at every round are independent of the engine, and agree."""
    for seed in range(40):
        tournament = wild_event(seed, most=7)
        objective = Objective((tournament, tournament.last_round + 1), by_standings=by_standings)
        if len(objective.judge.playing) > 1:
            assert objective.best_by_matching() == objective.best_of_all()


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.integers(0, 1000))
def test_the_order_of_the_input_changes_nothing(seed: int, mix: int) -> None:
    tournament = wild_event(seed, most=12)
    round = tournament.last_round + 1
    assert answer(shuffled(tournament, mix), round) == answer(tournament, round)


def answer(tournament: Tournament, round: int) -> Pairing | tuple[str, object]:
    try:
        return pair_round(tournament, round, "77")
    except PairingRefused as refusal:
        return refusal.code, names(refusal.lift)


def test_the_probe_reaches_what_makes_rounds_hard() -> None:
    """The random events above do meet rematches, second byes, floats, refusals and broken separations."""
    seen: set[str] = set()
    for seed in range(400):
        tournament = wild_event(seed, most=8)
        try:
            pairing = pair_round(tournament, tournament.last_round + 1, "1")
        except PairingRefused as refusal:
            seen.add(refusal.code)
        else:
            seen |= {name for name in pairing.criteria.__slots__ if getattr(pairing.criteria, name)}
            seen |= {note.code for note in pairing.notes}
    assert seen >= {"no_players", "hard_separations", "assigned_bye", "bye_points", "repeat_byes", "rematches"}
    assert seen >= {"rematch_recency", "gap", "repeat_downs", "repeat_ups", "separations", "float", "separation"}
