"""What stands before the open tables: who can still take the cut, with how much, and what one result adds.

The outcomes looked at are those of ordinary play: each open table is won by either or drawn, and nobody drops out,
comes back or is corrected. A drop, a no-show and a double loss make nobody else's road longer, so "in" holds through
them too; "out" holds as long as nobody above leaves.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from math import lcm

from tournaments.swiss.history import pair_key
from tournaments.swiss.ledger import Entry, Ledger, ledger_of
from tournaments.swiss.lines import Value
from tournaments.swiss.presets import PRESETS, Preset
from tournaments.swiss.standings import standings
from tournaments.swiss.types import Entrant, Games, Match, Outcome, PlayerId, Rules, Tournament


class Result(StrEnum):
    """A match from one player's side."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"


@dataclass(frozen=True, slots=True)
class Score:
    """How a table may end, from the left seat. `weight`: how often, of the sum of all weights."""

    result: Result
    games: Games
    weight: int

    def match(self, round: int, a: PlayerId, b: PlayerId) -> Match:
        if self.result is Result.DRAW:
            return Match(round, a, b, Outcome.DRAW, None, self.games)
        return Match(round, a, b, Outcome.WIN, a if self.result is Result.WIN else b, self.games)


SCORES: dict[int, tuple[Score, ...]] = {
    1: (
        Score(Result.WIN, Games(1, 0), 9),
        Score(Result.DRAW, Games(0, 0, 1), 2),
        Score(Result.LOSS, Games(0, 1), 9),
    ),
    3: (
        Score(Result.WIN, Games(2, 0), 9),
        Score(Result.WIN, Games(2, 1), 9),
        Score(Result.DRAW, Games(1, 1, 1), 4),
        Score(Result.LOSS, Games(1, 2), 9),
        Score(Result.LOSS, Games(0, 2), 9),
    ),
}
"""By best of. One table in ten is drawn, as in the last rounds of the real events (135 of 1465); the two players are
equally strong; 2-0 is as likely as 2-1. The n-th score from the right seat's side is the n-th from the end."""


@dataclass(frozen=True, slots=True)
class Gains:
    """What one result adds to the first number of the standings: the match points, or the wins where those rule."""

    win: int
    draw: int
    loss: int
    bye: int

    def of(self, result: Result) -> int:
        return {Result.WIN: self.win, Result.DRAW: self.draw, Result.LOSS: self.loss}[result]

    @property
    def most(self) -> int:
        return max(self.win, self.draw, self.loss, self.bye)

    @property
    def least(self) -> int:
        return min(self.win, self.draw, self.loss, self.bye)


@dataclass(frozen=True, slots=True)
class Ground:
    """`score` is the first number of the standings, and `gains` what a result adds to it, both times `scale`: whole.

    `contestants` may still take one of the `size` places, in the order of the standings. `tables`: open ones of this
    round. `another`: a round is still to be paired after it; all contestants play in it.
    """

    tournament: Tournament
    round: int
    last: int
    size: int
    ledger: Ledger
    preset: Preset
    contestants: tuple[PlayerId, ...]
    tables: tuple[tuple[PlayerId, PlayerId], ...]
    score: Mapping[PlayerId, int]
    gains: Gains
    scale: int

    @property
    def another(self) -> bool:
        return self.round < self.last

    @property
    def scores(self) -> tuple[Score, ...]:
        return SCORES[self.tournament.rules.best_of]

    def table_of(self, player: PlayerId) -> tuple[PlayerId, PlayerId] | None:
        return next((table for table in self.tables if player in table), None)


class NotYet(Exception):
    """There is nothing to reckon. Codes: no_cut, pods, too_early (before the last two rounds), open_before (an earlier
    round has a table without a result), everybody_fits."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def ground_of(tournament: Tournament, last: int, size: int) -> Ground:
    """The state of an event of `last` rounds with a cut of `size`. NotYet when there is nothing to reckon."""
    round = tournament.last_round
    if not size:
        raise NotYet("no_cut")
    if tournament.pods or PRESETS[tournament.rules.preset].pods:
        raise NotYet("pods")
    if not 0 < last - 1 <= round:
        raise NotYet("too_early")
    waiting = [match for match in tournament.matches if match.outcome is None and match.b is not None]
    if any(match.round < round for match in waiting):
        raise NotYet("open_before")
    rows = standings(tournament)
    firsts = {row.player: row.values[0] for row in rows}
    score, gains, scale = whole_numbers(firsts, gains_of(tournament.rules))
    inside = {entrant.id for entrant in tournament.entrants if takes_part(entrant, max(last, round))}
    contestants = tuple(row.player for row in rows if row.player in inside)
    if len(contestants) <= size:
        raise NotYet("everybody_fits")
    return Ground(
        tournament=tournament,
        round=round,
        last=max(last, round),
        size=size,
        ledger=replace(ledger_of(tournament), after=max(last, round)),
        preset=PRESETS[tournament.rules.preset],
        contestants=contestants,
        tables=tuple(sorted(pair_key(match.a, match.b) for match in waiting if match.b is not None)),
        score=score,
        gains=gains,
        scale=scale,
    )


def takes_part(entrant: Entrant, last: int) -> bool:
    """A place in the cut goes to nobody who dropped or was disqualified (7.1, 8.5)."""
    return not entrant.dropped and not entrant.disqualified and entrant.first_round <= last


def gains_of(rules: Rules) -> dict[str, Value]:
    """From the preset itself: an event of one match, and its first number."""
    a, b = PlayerId("a"), PlayerId("b")
    gains = {score.result.value: _firsts(rules, score.match(1, a, b))[a] for score in SCORES[rules.best_of]}
    return {**gains, "bye": _firsts(rules, Match(1, a, None, Outcome.BYE))[a]}


def _firsts(rules: Rules, match: Match) -> dict[PlayerId, Value]:
    entrants = tuple(Entrant(player) for player in match.players)
    ledger = ledger_of(Tournament("gains", rules, entrants, (match,)))
    values = PRESETS[rules.preset].values(ledger, list(ledger.entries))
    return {player: row[0] for player, row in values.items()}


def whole_numbers(
    score: Mapping[PlayerId, Value], gains: Mapping[str, Value]
) -> tuple[dict[PlayerId, int], Gains, int]:
    """The same times their common denominator."""
    scale = lcm(*(Fraction(value or 0).denominator for value in [*score.values(), *gains.values()]))
    whole = {name: int((value or 0) * scale) for name, value in gains.items()}
    return {key: int((value or 0) * scale) for key, value in score.items()}, Gains(**whole), scale


def entry_of(rules: Rules, match: Match, player: PlayerId) -> Entry:
    """What a player takes from one match."""
    entrants = tuple(Entrant(one) for one in match.players)
    return ledger_of(Tournament("one match", rules, entrants, (match,))).entries[player][0]
