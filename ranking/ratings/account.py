"""The match-by-match account that adds up to the change of a rating (RANKING 3).

All matches of a day are judged together, so no match has a change of its own; it has a share. The last step of the
day is a sum over the player's matches, and a match's share is its term of that sum (`kernel.share` has the formula):
better than expected is a gain, worse a loss. Shares are whole multiples of 2^-40 unit (1.6e-10 points), so that their
sums are exact in any order, over a day or over a career.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ranking.ratings.columns import Matches
from ranking.ratings.engine import History

UNIT: Final = float(2**40)


@dataclass(frozen=True, slots=True)
class Line:
    """One match seen by one player.

    row: where the match stood in the input of `Matches.of`. share: in units of mu, 0 if the match does not rate.
    """

    row: int
    opponent: int
    half_points: int
    rates: bool
    share: float


@dataclass(frozen=True, slots=True)
class Day:
    """One player's period. `change` is the sum of the shares, exactly, and mu - mu_before to the nearest 2^-40."""

    day: int
    mu_before: float
    var_before: float
    mu: float
    var: float
    matches: int
    lines: tuple[Line, ...]

    @property
    def change(self) -> float:
        return sum(line.share for line in self.lines)


def account(matches: Matches, history: History, player: int) -> list[Day]:
    """Every day of one player, in order; `history` must come from rating these `matches`. One pass over the columns."""
    by_row: dict[int, list[Line]] = {}
    for match in np.flatnonzero((matches.a == player) | (matches.b == player)).tolist():
        side = int(matches.b[match] == player)
        row = (history.row_a, history.row_b)[side][match]
        by_row.setdefault(int(row), []).append(_line(matches, history, match, side))
    return [_day(history, row, lines) for row, lines in sorted(by_row.items())]


def whole_points(shares: Sequence[float], change: int) -> list[int]:
    """Shares, already in points, as whole points that add up to the printed change.

    Largest remainder: everyone is rounded down, and the points still missing go to the largest fractions, the
    earlier at a tie. With a printed change that differs from the sum by more than rounding (a rating at the floor),
    the rest is spread evenly.

    >>> whole_points([6.4, 5.4, 6.4], 18)
    [7, 5, 6]
    """
    if not shares:
        return []
    whole = [int(np.floor(share)) for share in shares]
    by_fraction = sorted(range(len(shares)), key=lambda i: (whole[i] - shares[i], i))
    each, extra = divmod(change - sum(whole), len(shares))
    for position, i in enumerate(by_fraction):
        whole[i] += each + (position < extra)
    return whole


def _line(matches: Matches, history: History, match: int, side: int) -> Line:
    halves = int(matches.half_points[match])
    return Line(
        row=int(matches.row[match]),
        opponent=int((matches.b, matches.a)[side][match]),
        half_points=2 - halves if side else halves,
        rates=bool(matches.rates[match]),
        share=int(history.shares[match, side]) / UNIT,
    )


def _day(history: History, row: int, lines: list[Line]) -> Day:
    return Day(
        day=int(history.day[row]),
        mu_before=float(history.mu_before[row]),
        var_before=float(history.var_before[row]),
        mu=float(history.mu[row]),
        var=float(history.var[row]),
        matches=int(history.matches[row]),
        lines=tuple(lines),
    )
