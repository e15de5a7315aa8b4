"""What if: the chance of the cut, against an oracle that plays every way out with the standings themselves."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.core.swiss.brute import every_round
from tests.core.swiss.build import event, shuffled
from tests.core.swiss.wild import played_event
from tournaments.cut.brackets import seeds_of
from tournaments.swiss.standings import PRESETS, standings
from tournaments.swiss.types import Match, Outcome, PlayerId, Points, Rules, Switches, Tournament
from tournaments.swiss.whatif.answer import Method, NotYet, Odds, Outlook, Result
from tournaments.swiss.whatif.bounds import Bounds
from tournaments.swiss.whatif.ground import SCORES, gains_of, ground_of
from tournaments.swiss.whatif.outlook import outlook

SIMULATED_ONCE = [0.974, 0.51, 0.72, 0.57, 0.606, 0.132, 0.304, 0.0, 0.0, 0.184, 0.0, 0.0]
MIRROR = {Result.WIN: Result.LOSS, Result.DRAW: Result.DRAW, Result.LOSS: Result.WIN}


# -- the oracle --------------------------------------------------------------------------------------------------------
def open_tables(tournament: Tournament) -> list[Match]:
    return [match for match in tournament.matches if match.outcome is None and match.b is not None]


def every_end(tournament: Tournament) -> Iterator[tuple[Tournament, dict[PlayerId, Result], int]]:
    """(the event then, how each open table ended for its players, how often)"""
    tables = open_tables(tournament)
    rest = tuple(match for match in tournament.matches if match not in tables)
    for scores in product(SCORES[tournament.rules.best_of], repeat=len(tables)):
        ended, results, weight = list(rest), {}, 1
        for match, score in zip(tables, scores, strict=True):
            ended.append(score.match(match.round, match.a, match.b))
            results |= {match.a: score.result, match.b: MIRROR[score.result]}
            weight *= score.weight
        yield replace(tournament, matches=tuple(ended)), results, weight


def cut_of(tournament: Tournament, size: int) -> set[PlayerId]:
    gone = [entrant.id for entrant in tournament.entrants if entrant.dropped]
    return set(seeds_of(standings(tournament), size, gone))


def shares(tournament: Tournament, size: int) -> dict[tuple[PlayerId, Result | None], Fraction]:
    inside: Counter = Counter()
    seen: Counter = Counter()
    for ended, results, weight in every_end(tournament):
        cut = cut_of(ended, size)
        for entrant in tournament.entrants:
            for key in {(entrant.id, None), (entrant.id, results.get(entrant.id))}:
                seen[key] += weight
                inside[key] += weight * (entrant.id in cut)
    return {key: Fraction(inside[key], seen[key]) for key in seen}


def all_odds(found: Outlook) -> dict[tuple[PlayerId, Result | None], Odds]:
    return {(chance.player, None): chance.overall for chance in found.chances} | {
        (chance.player, result): odds for chance in found.chances for result, odds in chance.results.items()
    }


# -- small events ------------------------------------------------------------------------------------------------------
def small_event(seed: int, *, players: int = 9, rounds: int = 4, preset: str = "mtr", **rules) -> Tournament:
    """An event before its last results: the last round paired, some of its tables open, somebody gone."""
    chance = random.Random(seed)
    history = list(played_event(players, rounds, seed, draws=0.2, drops=0.05))
    past, number, pairing = history[-1]
    tables = [Match(number, a, b, None) for a, b in pairing.pairs]
    if pairing.bye is not None:
        tables.append(Match(number, pairing.bye, None, Outcome.BYE))
    kept = chance.randint(1, 3)
    done = [Match(number, m.a, m.b, Outcome.WIN, m.a) if m.b and i >= kept else m for i, m in enumerate(tables)]
    known = [m if m.outcome is not Outcome.WIN or m.games else replace(m, games=SCORES[3][0].games) for m in done]
    return replace(past, matches=(*past.matches, *known), rules=Rules(preset=preset, **rules))


SWITCHES = [
    {},
    {"opponent_byes": "strip"},
    {"opponents": "unique", "own_gw_floor": False},
    {"mw_denominator": "all", "no_opponents": "zero", "floor": Fraction(1, 3)},
    {"freeze": (3,)},
]


@pytest.mark.parametrize("preset", [name for name, preset in PRESETS.items() if not preset.pods])
@pytest.mark.parametrize("seed", range(6))
def test_counted_chances_are_those_of_playing_every_way_out(preset: str, seed: int) -> None:
    """In best of 1 and 3, under every preset; the switches change how rivals count."""
    switches = Switches(**SWITCHES[seed % len(SWITCHES)])
    tournament = small_event(seed, preset=preset, best_of=3 if seed % 2 else 1, switches=switches)
    size = 2 + seed % 3
    found = outlook(tournament, 4, size)
    expected = shares(tournament, size)
    assert found.method is Method.COUNTED
    assert found.worlds == len(SCORES[tournament.rules.best_of]) ** len(open_tables(tournament))
    assert {key: odds.share for key, odds in all_odds(found).items()} == {key: expected[key] for key in all_odds(found)}


def test_a_draw_is_enough_when_too_few_can_pass() -> None:
    """A has six of nine points and 24 others less: with seven only B, at his own table, can be with him."""
    tournament = event("ABCDEF", "A>C B>D E>F", "A>E B>F C>D", "A-B C-E D-F")
    found = outlook(tournament, 3, 2)
    a = next(chance for chance in found.chances if chance.player == "A")
    assert (found.round, found.open_tables, found.worlds) == (3, 3, 125)
    bound = a.results[Result.DRAW].bound
    assert (bound.low, bound.high, bound.at_least, bound.at_most, bound.could) == (7, 7, 0, 1, ("B",))
    assert a.results[Result.DRAW].certain is True
    assert a.results[Result.LOSS].certain is None  # C or E can end with six as well
    assert (a.rival, a.points, a.safe_with) == ("B", 6, 7)


def test_two_at_one_table_do_not_both_pass() -> None:
    """A to D have six and sit at two tables: one of each pair ends over six whatever happens, both by a draw only."""
    tournament = event("ABCDEFGH", "A>E B>F C>G D>H", "A>F B>E C>H D>G", "A-B C-D E-F G-H")
    bounds = Bounds(ground_of(tournament, 3, 2))
    six = bounds.with_total(PlayerId("G"), 6)
    assert (six.at_least, six.above) == (2, ())
    assert sorted(map(sorted, six.either)) == [["A", "B"], ["C", "D"]]
    nine = bounds.with_total(PlayerId("G"), 9)
    assert (nine.at_most, sorted(nine.could)) == (2, ["A", "B", "C", "D"])
    lost = bounds.of(PlayerId("A"), Result.LOSS)
    assert (lost.low, lost.above, lost.at_least) == (6, ("B",), 2)


def test_a_round_still_to_come_leaves_less_certain() -> None:
    """After two wins of three rounds a third settles it; a draw leaves the last round open."""
    tournament = event("ABCDEFGH", "A>E B>F C>G D>H", "A>B C>D E>F G>H")
    found = outlook(tournament, 3, 2)
    assert (found.round, found.last, found.open_tables, found.method) == (2, 3, 0, Method.SIMULATED)
    a = next(chance for chance in found.chances if chance.player == "A")
    assert (a.rival, list(a.results)) == (None, list(Result))
    assert (a.results[Result.WIN].bound.low, a.results[Result.WIN].bound.high) == (9, 9)
    h = next(chance for chance in found.chances if chance.player == "H")
    assert [odds.certain for odds in h.results.values()] == [False, False, False]


def every_end_of_another_round(tournament: Tournament, chance: random.Random, most: int) -> Iterator[tuple]:
    """As `every_end`, then some of the next rounds and of their ends, whoever meets whom."""
    for _ in range(most):
        now, results, _weight = chance.choice(list(every_end(tournament)))
        players = [entrant.id for entrant in now.entrants if entrant.active_in(now.last_round + 1)]
        pairs, bye = chance.choice(list(every_round(players)))
        games = [chance.choice(SCORES[3]).match(now.last_round + 1, a, b) for a, b in pairs]
        byes = [Match(now.last_round + 1, bye, None, Outcome.BYE)] if bye else []
        yield replace(now, matches=(*now.matches, *games, *byes)), results


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), players=st.integers(5, 9), size=st.integers(2, 4), another=st.booleans())
def test_what_is_certain_holds_however_the_event_ends(seed: int, players: int, size: int, another: bool) -> None:
    tournament = small_event(seed, players=players, rounds=3)
    active = sum(not entrant.dropped for entrant in tournament.entrants)
    assume(active > size)
    assume(tournament.last_round == 3)
    found = outlook(tournament, 4 if another else 3, size, runs=50 if another else None)
    said = {key: odds.certain for key, odds in all_odds(found).items() if odds.certain is not None}
    bounds = {chance.player: chance.overall.bound for chance in found.chances}
    points_safe = {chance.player: chance.safe_with for chance in found.chances}
    chance = random.Random(seed)
    ends = every_end_of_another_round(tournament, chance, 30) if another else every_end(tournament)
    for ended, results, *_ in ends:
        cut, rows = cut_of(ended, size), {row.player: row for row in standings(ended)}
        for (player, result), certain in said.items():
            if result is None or (results.get(player, result) is result and player in results):
                assert (player in cut) is certain
        for player, bound in bounds.items():
            rivals = [rows[other] for other in bounds if other != player]
            assert bound.low <= rows[player].points <= bound.high
            assert bound.at_least <= sum(row.points > rows[player].points for row in rivals)
            assert sum(row.points >= rows[player].points for row in rivals) <= bound.at_most
            if points_safe[player] is not None and rows[player].points >= points_safe[player]:
                assert player in cut


def test_a_simulation_comes_as_near_as_it_says() -> None:
    """The same event counted and simulated: within twice the margin throughout."""
    tournament = small_event(11, players=16, rounds=4)
    counted, simulated = outlook(tournament, 4, 4), outlook(tournament, 4, 4, runs=4000)
    assert (simulated.method, simulated.worlds) == (Method.SIMULATED, 4000)
    exact = all_odds(counted)
    open_odds = {key: odds for key, odds in all_odds(simulated).items() if odds.certain is None}
    assert len(open_odds) > 5
    for key, odds in open_odds.items():
        assert odds.share is not None
        assert 0 < odds.margin < 0.1
        assert abs(odds.share - exact[key].share) <= 2 * odds.margin
        assert exact[key].margin == 0


def test_chance_is_the_same_on_every_machine_and_in_any_order() -> None:
    """The numbers were written down once: another generator, or another order of drawing, shows."""
    tournament = small_event(5, players=12, rounds=4)
    found = outlook(tournament, 5, 4, runs=500)
    assert outlook(shuffled(tournament, 3), 5, 4, runs=500).chances == found.chances
    assert [round(float(chance.overall.share or 0), 3) for chance in found.chances] == SIMULATED_ONCE


def test_draws_win_and_bye_are_worth_what_the_event_says() -> None:
    gains = gains_of(Rules(points=Points(win=2, draw=1, loss=0, bye=2)))
    assert gains == {"win": 2, "draw": 1, "loss": 0, "bye": 2}


def last_round_of(players: int, rounds: int, best_of: int) -> Tournament:
    past, number, pairing = list(played_event(players, rounds, 3))[-1]
    tables = tuple(Match(number, a, b, None) for a, b in pairing.pairs)
    return replace(past, matches=(*past.matches, *tables), rules=Rules(best_of=best_of))


@pytest.mark.parametrize("another", [False, True])
def test_64_players_are_simulated(another: bool) -> None:
    found = outlook(last_round_of(64, 6, 1), 7 if another else 6, 8)
    assert (found.worlds, len(found.chances) > 50) == (10_000, True)


def test_a_preset_that_is_worked_out_world_by_world_takes_fewer_runs() -> None:
    tournament = last_round_of(32, 5, 3)
    slow = replace(tournament, rules=replace(tournament.rules, switches=Switches(freeze=(4,))))
    assert outlook(slow, 5, 8).worlds == 1_500


def test_nothing_open_is_the_standings() -> None:
    tournament = event("ABCD", "A>B C>D", "A>C B>D", "A>D B=C", drops={"C": 3})
    found = outlook(tournament, 3, 2)
    assert (found.method, [c.player for c in found.chances]) == (Method.SETTLED, ["A", "B", "D"])
    assert [c.overall.certain for c in found.chances] == [True, True, False]
    assert all(not c.results for c in found.chances)


@pytest.mark.parametrize(
    ("rounds", "last", "size", "code"),
    [
        (["A>B C>D"], 3, 0, "no_cut"),
        (["A>B C>D"], 3, 2, "too_early"),
        ([], 1, 2, "too_early"),
        (["A-B C>D", "A>C B>D"], 3, 2, "open_before"),
        (["A>B C>D", "A>C B-D"], 3, 4, "everybody_fits"),
        (["A>B C>D", "A>C B-D"], 3, 2, "pods"),
    ],
)
def test_there_may_be_nothing_to_reckon(rounds: list[str], last: int, size: int, code: str) -> None:
    with pytest.raises(NotYet) as refusal:
        outlook(event("ABCD", *rounds, rules=Rules(preset="pods" if code == "pods" else "mtr")), last, size)
    assert refusal.value.code == code
