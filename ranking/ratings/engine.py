"""Rates matches (RANKING 2): a full build, a continuation or a replay from a checkpoint, with the same bytes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from ranking.ratings.columns import Floats, Ints, Longs, Matches, fresh_state, last_rated_day, widened
from ranking.ratings.parameters import Parameters


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """One row per player and period, periods in order, inside a period by player: the same rows for any input order.

    player, day: int32 [r]. mu_before, var_before: float64 [r], at first touch (variance grown by idleness), the base
    of everything that day (CASES 57). mu, var: at the end of the day. matches_before, matches: int32 [r], rated ones.
    Equal counts mark someone whose matches that day do not rate: his state stays as it was.
    row_a, row_b: int32 [n], for each match the row of either side. shares: int64 [n, 2], see `account`.
    """

    player: Ints
    day: Ints
    mu_before: Floats
    var_before: Floats
    mu: Floats
    var: Floats
    matches_before: Ints
    matches: Ints
    row_a: Ints
    row_b: Ints
    shares: Longs


@dataclass(frozen=True, slots=True, eq=False)
class Checkpoint:
    """Everybody's state after all matches of `day` and before any of a later one; day None is the beginning of time."""

    day: int | None
    state: Floats

    @classmethod
    def start(cls) -> Self:
        return cls(None, fresh_state(0))


@dataclass(frozen=True, slots=True, eq=False)
class Rated:
    """state: float64 [players, 4], columns MU, VAR, LAST_DAY, MATCHES. history: None unless asked for."""

    state: Floats
    history: History | None

    @property
    def checkpoint(self) -> Checkpoint:
        return Checkpoint(last_rated_day(self.state), self.state)


def rate(matches: Matches, parameters: Parameters, state: Floats | None = None, *, history: bool = True) -> Rated:
    """Continues from `state` (nobody has played, by default), which is copied, never changed.

    ValueError when a match is not later than everything in the state: a day is rated whole (RANKING 2.1),
    so late matches need a `replay`. History costs about 70 bytes a match; leave it out where only the state counts.
    """
    from ranking.ratings import kernel

    result = fresh_state(matches.players) if state is None else widened(state, matches.players)
    _refuse_rated_days(matches, result)
    starts = matches.period_starts()
    row_a, row_b, member, member_starts = kernel.enrol(matches.a, matches.b, starts, matches.players)
    rows = len(member) if history else 0
    before, after, played = np.empty((rows, 2)), np.empty((rows, 2)), np.empty((rows, 2), np.int32)
    shares = np.zeros((len(matches) if history else 0, 2), np.int64)
    kernel.run(
        result,
        matches.day,
        starts,
        row_a,
        row_b,
        matches.half_points,
        matches.rates,
        matches.sixths,
        member,
        member_starts,
        parameters.newcomer_var,
        parameters.var_per_day,
        parameters.iterations,
        before,
        after,
        played,
        shares,
    )
    if not history:
        return Rated(result, None)
    days = np.repeat(matches.day[starts[:-1]], np.diff(member_starts))
    columns = (before[:, 0], before[:, 1], after[:, 0], after[:, 1], played[:, 0], played[:, 1])
    return Rated(result, History(member, days, *columns, row_a, row_b, shares))


def replay(checkpoint: Checkpoint, matches: Matches, parameters: Parameters, *, history: bool = True) -> Rated:
    """Rates again what came after the checkpoint; earlier matches in `matches` are skipped.

    After a correction on day D any checkpoint with day < D serves; the newest is the quickest (RANKING 2, late
    corrections). Nothing is patched: the result is that of a full build.
    """
    later = matches if checkpoint.day is None else matches.after(checkpoint.day)
    return rate(later, parameters, checkpoint.state, history=history)


def newest_before(day: int, checkpoints: list[Checkpoint]) -> Checkpoint:
    """The checkpoint to replay from when something on `day` changed; the beginning of time if all are too late."""
    usable = [c for c in checkpoints if c.day is not None and c.day < day]
    return max(usable, key=lambda c: c.day or 0, default=Checkpoint.start())


def _refuse_rated_days(matches: Matches, state: Floats) -> None:
    rated = last_rated_day(state)
    if rated is not None and len(matches) and matches.day[0] <= rated:
        raise ValueError(f"day {matches.day[0]} is not after the rated day {rated}: replay from a checkpoint")
