"""The tie-breaks of TOURNAMENT_RULES 2, each with the terms that make it up (2.6)."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import lcm
from typing import Literal, NamedTuple

from tournaments.swiss.ledger import GAME_WIN, Entry, Ledger
from tournaments.swiss.types import Outcome, PlayerId

Value = int | Fraction | None
"""None: unknown, and the key then leaves the order."""

How = Literal["sum", "mean", "ratio"]


class Term(NamedTuple):
    """One addend. `value` is what was used: in a mean, `points` over `unit` x `rounds`, the floor if `floored`.

    For OMW% `points` and `rounds` are the opponent's match points and rounds; for GW% the game points and games of that
    round; for sums the points alone.
    """

    round: int
    opponent: PlayerId | None
    outcome: Outcome
    points: int
    rounds: int
    value: Fraction
    floored: bool = False


class Line(NamedTuple):
    """One tie-break of one player and its terms.

    sum: the terms' values added; mean: their average; ratio: their points over `unit` x their rounds. A value under
    `floor` takes the floor; a mean without a term is what the switch `no_opponents` says.
    """

    key: str
    value: Value
    how: How
    terms: tuple[Term, ...] = ()
    floor: Fraction | None = None
    unit: int = 1


TieBreak = Callable[[Ledger, PlayerId], Line]


def mean(values: Iterable[Fraction]) -> Fraction:
    """Exact average over one common denominator (a chain of Fraction additions costs four times as much)."""
    numbers = list(values)
    common = lcm(*(number.denominator for number in numbers))
    return Fraction(sum(number.numerator * (common // number.denominator) for number in numbers), common * len(numbers))


def match_points(ledger: Ledger, player: PlayerId) -> Line:
    terms = tuple(_points_term(entry) for entry in ledger.entries[player])
    return Line("points", sum(term.points for term in terms), "sum", terms)


def _points_term(entry: Entry) -> Term:
    return Term(entry.round, entry.opponent, entry.outcome, entry.points, int(entry.counts), Fraction(entry.points))


def match_win(ledger: Ledger, player: PlayerId, end: int) -> tuple[int, int, Fraction, bool]:
    """(points, rounds, MW% used, floored) of somebody as an opponent, up to round `end` (2.2)."""
    switches = ledger.tournament.rules.switches
    tally = ledger.tally(player, end, byes=switches.opponent_byes == "count")
    whole = ledger.tournament.rules.points.win * tally.rounds
    share = Fraction(tally.points, whole) if whole else Fraction(0)
    return tally.points, tally.rounds, max(share, switches.floor), share < switches.floor


def game_win(ledger: Ledger, player: PlayerId, end: int) -> tuple[int, int, Fraction, bool]:
    """(game points, games, GW% used, floored) of somebody as an opponent, up to round `end` (2.2)."""
    floor = ledger.tournament.rules.switches.floor
    tally = ledger.tally(player, end)
    share = Fraction(tally.game_points, GAME_WIN * tally.games) if tally.games else Fraction(0)
    return tally.game_points, tally.games, max(share, floor), share < floor


def opponents_match_win(ledger: Ledger, player: PlayerId) -> Line:
    return _over_opponents(ledger, player, "omw", match_win, ledger.tournament.rules.points.win)


def opponents_game_win(ledger: Ledger, player: PlayerId) -> Line:
    if not ledger.games_known:
        return Line("ogw", None, "mean")
    return _over_opponents(ledger, player, "ogw", game_win, GAME_WIN)


def _over_opponents(
    ledger: Ledger,
    player: PlayerId,
    key: str,
    measure: Callable[[Ledger, PlayerId, int], tuple[int, int, Fraction, bool]],
    unit: int,
) -> Line:
    switches, end = ledger.tournament.rules.switches, ledger.end_of(player)
    terms = []
    for entry in ledger.opponents(player):
        assert entry.opponent is not None
        points, rounds, value, floored = measure(ledger, entry.opponent, end)
        terms.append(Term(entry.round, entry.opponent, entry.outcome, points, rounds, value, floored))
    nobody = switches.floor if switches.no_opponents == "floor" else Fraction(0)
    value = mean(term.value for term in terms) if terms else nobody
    return Line(key, value, "mean", tuple(terms), switches.floor, unit)


def own_game_win(ledger: Ledger, player: PlayerId) -> Line:
    """GW% of the player; without a played game it is the floor, whatever `own_gw_floor` says (2.2)."""
    if not ledger.games_known:
        return Line("gw", None, "ratio")
    switches = ledger.tournament.rules.switches
    terms = tuple(_game_term(entry, switches.drawn_game_points) for entry in ledger.entries[player] if entry.games)
    games = sum(term.rounds for term in terms)
    share = Fraction(sum(term.points for term in terms), GAME_WIN * games) if games else switches.floor
    floor = switches.floor if switches.own_gw_floor else None
    return Line("gw", share if floor is None else max(share, floor), "ratio", terms, floor, GAME_WIN)


def _game_term(entry: Entry, drawn: int) -> Term:
    assert entry.games is not None
    won, _, level = entry.games
    points, games = GAME_WIN * won + drawn * level, sum(entry.games)
    share = Fraction(points, GAME_WIN * games) if games else Fraction(0)
    return Term(entry.round, entry.opponent, entry.outcome, points, games, share)
