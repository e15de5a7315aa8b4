"""Matches and ratings as numpy columns: what the rating engine reads and writes.

A player is an index 0..players-1 chosen by the caller, who keeps it for as long as he keeps a state.
A day is the event's stored date in the store's zone (TOURNAMENT_RULES 9), as days since 1970-01-01.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from ranking.ratings.parameters import WHOLE

type Ints = npt.NDArray[np.int32]
type Longs = npt.NDArray[np.int64]
type Floats = npt.NDArray[np.float64]
type Bytes = npt.NDArray[np.uint8]
type Flags = npt.NDArray[np.bool_]

# Columns of a state, float64 [players, 4]: the row of somebody who never played a rated match is all zeros.
MU, VAR, LAST_DAY, MATCHES = range(4)


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """n matches in the order of their days; make them with `of`, which checks and sorts.

    day, a, b: int32 [n]. half_points: uint8 [n], of a: 0 lost, 1 drew, 2 won.
    rates: bool [n], False for what is predicted and scored but moves nobody (an intentional draw, RANKING 2.4).
    sixths: uint8 [n], the part of a match that this pair is: 6 for two at a table, 3 and 2 for each pair of a table of
    three and of four, so that everybody at a table has played one match (RANKING 2: weight 1/(players - 1)).
    row: int64 [n], where each match stood in the input. players: how many indices there are.
    """

    day: Ints
    a: Ints
    b: Ints
    half_points: Bytes
    rates: Flags
    sixths: Bytes
    row: Longs
    players: int

    @classmethod
    def of(
        cls,
        day: npt.ArrayLike,
        a: npt.ArrayLike,
        b: npt.ArrayLike,
        half_points: npt.ArrayLike,
        rates: npt.ArrayLike | None = None,
        sixths: npt.ArrayLike | None = None,
        *,
        players: int | None = None,
    ) -> Self:
        """`players` defaults to the highest index seen plus one. ValueError when the columns make no sense."""
        days, first, second = _integers(day, "day"), _integers(a, "a"), _integers(b, "b")
        halves = _integers(half_points, "half_points")
        rating = np.ones(len(days), np.bool_) if rates is None else np.asarray(rates, np.bool_)
        parts = np.full(len(days), WHOLE, np.int64) if sixths is None else _integers(sixths, "sixths")
        count = _players(first, second) if players is None else players
        _check(first, second, halves, count, lengths={len(c) for c in (days, first, second, halves, rating, parts)})
        if len(parts) and not 1 <= parts.min() <= parts.max() <= WHOLE:
            raise ValueError("sixths must be 1 to 6")
        order = np.argsort(days, kind="stable")
        return cls(
            day=days[order].astype(np.int32),
            a=first[order].astype(np.int32),
            b=second[order].astype(np.int32),
            half_points=halves[order].astype(np.uint8),
            rates=rating[order],
            sixths=parts[order].astype(np.uint8),
            row=order.astype(np.int64),
            players=count,
        )

    def __len__(self) -> int:
        return len(self.day)

    def after(self, day: int) -> Self:
        """The matches of later days only; `row` still speaks of the whole input."""
        return self._slice(int(np.searchsorted(self.day, day, side="right")), len(self))

    def through(self, day: int) -> Self:
        """The matches up to that day, the day itself included."""
        return self._slice(0, int(np.searchsorted(self.day, day, side="right")))

    def period_starts(self) -> Longs:
        """int64 [periods + 1]: period p is matches starts[p]:starts[p + 1], all of one day (RANKING 2.1)."""
        if not len(self):
            return np.zeros(1, np.int64)
        changes = np.flatnonzero(np.diff(self.day)) + 1
        return np.concatenate(([0], changes, [len(self)])).astype(np.int64)

    def _slice(self, start: int, end: int) -> Self:
        columns: dict[str, Any] = {
            f.name: getattr(self, f.name)[start:end] for f in fields(self) if f.name != "players"
        }
        return type(self)(**columns, players=self.players)


def fresh_state(players: int) -> Floats:
    return np.zeros((players, 4), np.float64)


def widened(state: Floats, players: int) -> Floats:
    """A copy with empty rows for players who came since; indices are kept, so it never shrinks."""
    if len(state) > players:
        raise ValueError(f"the state knows {len(state)} players, the matches only {players}")
    wide = fresh_state(players)
    wide[: len(state)] = state
    return wide


def last_rated_day(state: Floats) -> int | None:
    """The newest day in a state; None when nobody played yet."""
    played = state[state[:, MATCHES] > 0, LAST_DAY]
    return int(played.max()) if len(played) else None


def _integers(values: npt.ArrayLike, name: str) -> Longs:
    column = np.asarray(values)
    if column.ndim != 1:
        raise ValueError(f"{name} must be one column")
    if not len(column):
        return np.zeros(0, np.int64)
    if column.dtype.kind not in "iu":
        raise ValueError(f"{name} must be whole numbers")
    limits = np.iinfo(np.int32)
    if column.min() < limits.min or column.max() > limits.max:
        raise ValueError(f"{name} does not fit in 32 bits")
    return column.astype(np.int64)


def _players(a: Longs, b: Longs) -> int:
    return int(max(a.max(), b.max())) + 1 if len(a) and len(b) else 0


def _check(a: Longs, b: Longs, half_points: Longs, players: int, lengths: set[int]) -> None:
    if len(lengths) > 1:
        raise ValueError("the columns have different lengths")
    if not len(a):
        return
    if min(a.min(), b.min()) < 0 or max(a.max(), b.max()) >= players:
        raise ValueError(f"a player index is outside 0..{players - 1}")
    if (a == b).any():
        raise ValueError(f"match {int(np.argmax(a == b))} has the same player on both sides")
    if half_points.min() < 0 or half_points.max() > 2:
        raise ValueError("half_points must be 0, 1 or 2")
