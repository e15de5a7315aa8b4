"""The criteria of 4.1 as one whole number for each pair, so that the matching need only know weights.

Mixed radix: each digit has room for the sum of everything below it over a whole pairing, so that no amount of a later
criterion outweighs an earlier one. Chance is the lowest digit.
"""

from dataclasses import dataclass

import numpy as np

from tournaments.swiss.edges import Edges, floats, gaps, places_apart
from tournaments.swiss.field import Field, Flags, Lots, Numbers

MAX_BITS = 120
"""The matching computes in 128 bits and doubles."""
TIE_BITS = 40


@dataclass(frozen=True, slots=True)
class Column:
    """One criterion on every edge, and the most that a whole pairing can sum up to."""

    values: Numbers
    most: int


def column(edges: Edges, values: Numbers | Flags) -> Column:
    """Bound: each node takes one edge, so half the sum of every node's dearest one."""
    numbers = np.where(edges.free, 0, values).astype(np.int64)
    dearest = np.zeros(int(edges.b.max(initial=0)) + 1, np.int64)
    np.maximum.at(dearest, edges.a, numbers)
    np.maximum.at(dearest, edges.b, numbers)
    return Column(numbers, int(dearest.sum()) // 2)


def yielding_columns(field: Field, edges: Edges) -> list[Column]:
    """4.1.2-4.1.4, most important first: all zero while nothing has to yield."""
    times, last = np.zeros(len(edges.a), np.int64), np.zeros(len(edges.a), np.int64)
    at, known = field.met.find(field.key(edges.a, edges.b))
    times[known], last[known] = field.met.times[at[known]], field.met.last[at[known]]
    bye = edges.b == field.chair
    return [
        _bye_column(bye, field.byes[edges.a]),
        column(edges, times),
        column(edges, last),
        _bye_column(bye, field.levels[edges.a]),
    ]


def _bye_column(bye: Flags, values: Numbers) -> Column:
    """Only edges to the empty chair cost; one of them is taken, so the least among them is free."""
    if not bye.any():
        return Column(np.zeros(len(values), np.int64), 0)
    above = np.where(bye, values - values[bye].min(), 0)
    return Column(above, int(above.max()))


def ordinary_columns(field: Field, edges: Edges) -> list[Column]:
    """4.1.5-4.1.8, most important first."""
    gap, (downs, ups) = gaps(field, edges), floats(field, edges)
    values: list[Numbers | Flags] = [gap, np.square(gap), downs, ups, field.mates(edges.a, edges.b)]
    if field.places is not None:
        values.append(places_apart(field, edges))
    return [column(edges, value) for value in values]


def weigh(field: Field, edges: Edges, columns: list[Column]) -> list[int]:
    """The columns in mixed radix, chance in the lowest digit as far as there is room."""
    pairs = max(1, field.seats // 2)
    used = sum((digit.most + 1).bit_length() for digit in columns)
    room = min(TIE_BITS, MAX_BITS - used - pairs.bit_length())
    if room < 0:
        raise OverflowError(f"criteria of {used} bits do not fit")
    if not room:
        return pack(columns, len(edges.a))
    chance = np.where(edges.free, 0, (lots_of(field, edges) >> np.uint64(64 - room)).astype(np.int64))
    return pack([*columns, Column(chance, pairs * ((1 << room) - 1))], len(edges.a))


def lots_of(field: Field, edges: Edges) -> Lots:
    """The lot of a pair, stirred together from its players' lots; plain arithmetic modulo 2^64 (splitmix64)."""
    z = field.lots[edges.a] ^ field.lots[edges.b]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    stirred: Lots = z ^ (z >> np.uint64(31))
    return stirred


def pack(digits: list[Column], size: int) -> list[int]:
    """Digits, most important first, as one Python int per edge; int64 while it holds, then joined."""
    words: list[tuple[Numbers, int]] = []
    word, radix = np.zeros(size, np.int64), 1
    for digit in reversed(digits):
        if radix * (digit.most + 1) >= 1 << 62:
            words.append((word, radix))
            word, radix = np.zeros(size, np.int64), 1
        word = word + digit.values * radix
        radix *= digit.most + 1
    packed: list[int] = word.tolist()
    for low, below in reversed(words):
        packed = [high * below + rest for high, rest in zip(packed, low.tolist(), strict=True)]
    return packed
