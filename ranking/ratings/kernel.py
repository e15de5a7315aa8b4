"""The compiled loops of the rating engine (RANKING 2). Only `engine` and `elo` import this, when they run.

Importing numba costs half a second and some 60 MB, so that web processes must never get here.
Everything compiled stays in this one file: numba's disk cache watches the file of a function, not what it calls.

Sums are int64 in units of 2^-40. Integer addition has no order, so no order of the matches or of their two sides
changes a bit of the result; a term is at most 1, so a player may have eight million matches in a day.
"""

import math
from collections.abc import Callable
from typing import cast

import numpy as np
from numba import njit

from ranking.ratings.columns import LAST_DAY, MATCHES, MU, VAR, Bytes, Flags, Floats, Ints, Longs
from ranking.ratings.parameters import WHOLE

FIXED = float(2**40)
DIGIT = 11
DIGITS = 2**DIGIT
FEW = 256  # from here on sorting by digits is quicker
THREE_OVER_PI_SQUARED = 3.0 / math.pi**2


def compiled[F: Callable[..., object]](function: F) -> F:
    """njit with its type kept: numba ships no types."""
    return cast(F, njit(cache=True)(function))


@compiled
def fixed(value: float) -> int:
    return np.int64(np.rint(value * FIXED))  # type: ignore[return-value] # an int64 inside the loop


@compiled
def expected(slope: float, gap: float) -> float:
    return 1.0 / (1.0 + math.exp(-slope * gap))


@compiled
def sort_players(members: Ints, spare: Ints) -> None:
    """Ascending, in place; three passes by digits of eleven bits, because a day may have half a million players."""
    n = len(members)
    if n < FEW:
        members.sort()
        return
    source, target = members, spare[:n]
    ends = np.empty(DIGITS, np.int64)
    for shift in (0, DIGIT, 2 * DIGIT):
        ends[:] = 0
        for k in range(n):
            ends[(source[k] >> shift) & (DIGITS - 1)] += 1
        start = 0
        for digit in range(DIGITS):
            start, ends[digit] = start + ends[digit], start
        for k in range(n):
            digit = (source[k] >> shift) & (DIGITS - 1)
            target[ends[digit]] = source[k]
            ends[digit] += 1
        source, target = target, source
    members[:] = source


@compiled
def enrol(a: Ints, b: Ints, starts: Longs, players: int) -> tuple[Ints, Ints, Ints, Longs]:
    """Lists who plays in each period: one row per player and period, periods in order, players by index.

    Gives row_a and row_b (int32 [n], each side's row), member (int32 [rows], the player of a row) and
    member_starts (int64 [periods + 1], the rows of a period).
    """
    member = np.empty(2 * len(a), np.int32)
    member_starts = np.zeros(len(starts), np.int64)
    row_a, row_b = np.empty(len(a), np.int32), np.empty(len(a), np.int32)
    seen_in, row_of = np.full(players, -1, np.int32), np.empty(players, np.int32)
    spare = np.empty(players, np.int32)
    end = 0
    for period in range(len(starts) - 1):
        first = end
        for match in range(starts[period], starts[period + 1]):
            for player in (a[match], b[match]):
                if seen_in[player] != period:
                    seen_in[player] = period
                    member[end] = player
                    end += 1
        sort_players(member[first:end], spare)
        for row in range(first, end):
            row_of[member[row]] = row
        for match in range(starts[period], starts[period + 1]):
            row_a[match] = row_of[a[match]]
            row_b[match] = row_of[b[match]]
        member_starts[period + 1] = end
    return row_a, row_b, member[:end].copy(), member_starts


@compiled
def enter(state: Floats, members: Ints, day: int, v0: float, c2: float, table: Floats) -> None:
    """First touch of a period (RANKING 2.2). Fills the columns of `table`: mu before, mu, q, g."""
    for k in range(len(members)):
        player = members[k]
        mu = state[player, MU]
        q = v0
        if state[player, MATCHES] > 0:
            q = min(v0, state[player, VAR] + c2 * (day - state[player, LAST_DAY]))
        table[k, 0] = mu
        table[k, 1] = mu
        table[k, 2] = q
        table[k, 3] = 1.0 / math.sqrt(1.0 + THREE_OVER_PI_SQUARED * q)


@compiled
def add_up(
    a: Ints, b: Ints, offset: int, half_points: Bytes, rates: Flags, sixths: Bytes, table: Floats, sums: Longs
) -> None:
    """One pass over a period's matches: G and I of RANKING 2.3, in fixed point, into sums[:, 0] and sums[:, 1].

    sums[:, 2] are matches in sixths: the pairs of a table of several are parts of one.
    """
    sums[:, :] = 0
    for match in range(len(a)):
        if rates[match]:
            x, y = a[match] - offset, b[match] - offset
            gap = table[x, 1] - table[y, 1]
            score = 0.5 * half_points[match]
            add_side(sums, x, table[y, 3], gap, score, sixths[match])
            add_side(sums, y, table[x, 3], -gap, 1.0 - score, sixths[match])


@compiled
def add_side(sums: Longs, k: int, g: float, gap: float, score: float, sixths: int) -> None:
    e = expected(g, gap)
    weight = sixths / WHOLE
    sums[k, 0] += fixed(weight * g * (score - e))
    sums[k, 1] += fixed(weight * g * g * e * (1.0 - e))
    sums[k, 2] += sixths


@compiled
def step(table: Floats, sums: Longs, k: int) -> float:
    """One Newton step of one player; gives the variance of RANKING 2.4."""
    mu_before, mu, q = table[k, 0], table[k, 1], table[k, 2]
    var: float = 1.0 / (1.0 / q + sums[k, 1] / FIXED)
    table[k, 1] = mu + (sums[k, 0] / FIXED - (mu - mu_before) / q) * var
    return var


@compiled
def share(
    a: Ints,
    b: Ints,
    offset: int,
    half_points: Bytes,
    rates: Flags,
    sixths: Bytes,
    old: Floats,
    new: Floats,
    shares: Longs,
) -> None:
    """Splits each player's change over his matches, in units of 2^-40 (see `account`).

    The last step is mu - mu_before = var * sum(g (s - E) + (mu_2 - mu_before) g^2 E (1 - E)), with mu_2 the value
    before it: each match's term is its share, and a player's last match takes what rounding left.
    old[k]: mu before, mu_2, q, g. new[k]: mu, var.
    """
    left = np.empty(len(new), np.int64)
    last = np.full(len(new), -1, np.int64)
    for k in range(len(new)):
        left[k] = fixed(new[k, 0]) - fixed(old[k, 0])
    for match in range(len(a)):
        if rates[match]:
            x, y = a[match] - offset, b[match] - offset
            gap = old[x, 1] - old[y, 1]
            score = 0.5 * half_points[match]
            shares[match, 0] = one_share(old, new, x, old[y, 3], gap, score, sixths[match])
            shares[match, 1] = one_share(old, new, y, old[x, 3], -gap, 1.0 - score, sixths[match])
            left[x] -= shares[match, 0]
            left[y] -= shares[match, 1]
            last[x] = 2 * match
            last[y] = 2 * match + 1
    for k in range(len(new)):
        if last[k] >= 0:
            shares[last[k] // 2, last[k] % 2] += left[k]


@compiled
def one_share(old: Floats, new: Floats, k: int, g: float, gap: float, score: float, sixths: int) -> int:
    e = expected(g, gap)
    moved = old[k, 1] - old[k, 0]
    return fixed(new[k, 1] * (sixths / WHOLE) * (g * (score - e) + moved * g * g * e * (1.0 - e)))


@compiled
def run(
    state: Floats,
    day: Ints,
    starts: Longs,
    row_a: Ints,
    row_b: Ints,
    half_points: Bytes,
    rates: Flags,
    sixths: Bytes,
    member: Ints,
    member_starts: Longs,
    v0: float,
    c2: float,
    iterations: int,
    before: Floats,
    after: Floats,
    played: Ints,
    shares: Longs,
) -> None:
    """Rates every period in order, in place. The history arrays are filled unless they are empty.

    before, after: float64 [rows, 2], mu and variance at first touch and at the end of the day.
    played: int32 [rows, 2], rated matches before and after. shares: int64 [n, 2], of a and of b.
    """
    largest = 0
    for period in range(len(starts) - 1):
        largest = max(largest, member_starts[period + 1] - member_starts[period])
    tables, all_sums, ends = np.empty((largest, 4)), np.empty((largest, 3), np.int64), np.empty((largest, 2))
    for period in range(len(starts) - 1):
        first, stop = starts[period], starts[period + 1]
        offset = member_starts[period]
        members = member[offset : member_starts[period + 1]]
        table, sums, end = tables[: len(members)], all_sums[: len(members)], ends[: len(members)]
        a, b, halves, rating = row_a[first:stop], row_b[first:stop], half_points[first:stop], rates[first:stop]
        parts = sixths[first:stop]
        enter(state, members, day[first], v0, c2, table)
        settle(a, b, offset, halves, rating, parts, iterations, table, sums, end)
        if len(shares):
            share(a, b, offset, halves, rating, parts, table, end, shares[first:stop])
        leave(state, members, day[first], end, sums, table, offset, before, after, played)


@compiled
def settle(
    a: Ints,
    b: Ints,
    offset: int,
    half_points: Bytes,
    rates: Flags,
    sixths: Bytes,
    iterations: int,
    table: Floats,
    sums: Longs,
    end: Floats,
) -> None:
    """The joint iterations (RANKING 2.3). Fills end[k]: mu, var; table[k, 1] stays at the mu before the last step."""
    for _ in range(iterations - 1):
        add_up(a, b, offset, half_points, rates, sixths, table, sums)
        for k in range(len(table)):
            step(table, sums, k)
    add_up(a, b, offset, half_points, rates, sixths, table, sums)
    for k in range(len(table)):
        before_step = table[k, 1]
        end[k, 1] = step(table, sums, k)
        end[k, 0] = table[k, 1]
        table[k, 1] = before_step


@compiled
def leave(
    state: Floats,
    members: Ints,
    day: int,
    end: Floats,
    sums: Longs,
    table: Floats,
    offset: int,
    before: Floats,
    after: Floats,
    played: Ints,
) -> None:
    """Writes a period's result; whoever had no rated match in it keeps his state untouched."""
    for k in range(len(members)):
        player = members[k]
        if len(before):
            before[offset + k, 0] = table[k, 0]
            before[offset + k, 1] = table[k, 2]
            after[offset + k] = end[k]
            played[offset + k, 0] = np.int32(state[player, MATCHES])
            played[offset + k, 1] = np.int32(state[player, MATCHES] + sums[k, 2] // WHOLE)
        if sums[k, 2] > 0:
            state[player, MU] = end[k, 0]
            state[player, VAR] = end[k, 1]
            state[player, LAST_DAY] = day
            state[player, MATCHES] += sums[k, 2] // WHOLE


@compiled
def elo_expectations(day: Ints, a: Ints, b: Ints, half_points: Bytes, rates: Flags, players: int, k: float) -> Floats:
    """float64 [n]: what Elo expected of a from the ratings at the start of the day, which is one batch."""
    slope = math.log(10.0) / 400.0
    rating, expectations = np.zeros(players, np.int64), np.empty(len(day))
    start = 0
    while start < len(day):
        end = start
        while end < len(day) and day[end] == day[start]:
            expectations[end] = expected(slope, (rating[a[end]] - rating[b[end]]) / FIXED)
            end += 1
        for match in range(start, end):
            if rates[match]:
                change = fixed(k * (0.5 * half_points[match] - expectations[match]))
                rating[a[match]] += change
                rating[b[match]] -= change
        start = end
    return expectations
