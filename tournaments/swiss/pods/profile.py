"""The bound: the best tables that points alone allow, whoever has met whom.

Take the players by points, highest first, and look at the cut between two neighbouring levels: a table with `a` of its
`s` seats above the cut has a(s - a) pairs across it, and each of them pays the distance between the levels. With `t`
players above the cut at small tables, and so the others at large ones, the least is reached by filling tables of either
size whole, all but one; and `t` never falls from one cut to the next. The cheapest such row of cuts is a lower bound
of `gap` (`Cuts`).

The tables themselves are built level by level with few of them open at a cut. Every open table beyond one of each size
pays at least 2 pairs more than the bound: a result that is less over the bound than tables left out of the search would
be is the best there is (`proven`). Within the best gap the squares, and then the repeated seats at small tables, are
the least as well, since every way to leave so many tables open is tried.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement, groupby, pairwise, product
from typing import NamedTuple

from tournaments.swiss.pods.field import PodField

MOST_OPEN = 3
Value = tuple[int, int, int]
"""gap, gap_squared, repeat_small."""
Points = tuple[int, ...]


class Open(NamedTuple):
    """A table that has some of its seats taken: the points of who sits there, highest first."""

    size: int
    levels: Points

    @property
    def free(self) -> int:
        return self.size - len(self.levels)

    @property
    def across(self) -> int:
        """Pairs across the cut below."""
        return len(self.levels) * self.free


class State(NamedTuple):
    """After some levels: the tables still open, and how many small ones are full."""

    opened: tuple[Open, ...]
    smalls: int

    @property
    def across(self) -> int:
        return sum(table.across for table in self.opened)


class Step(NamedTuple):
    """How the best way so far came to a state: from where, and the tables that this level filled."""

    value: Value
    before: State | None
    filled: tuple[Points, ...]


@dataclass(frozen=True, slots=True)
class Profile:
    """Tables as the points of who sits at them, the best first; `proven`: no seating has a smaller value."""

    tables: tuple[Points, ...]
    value: Value
    proven: bool


Layers = list[dict[State, Step]]


def best_profile(field: PodField) -> Profile:
    """For tables of at most two sizes, the smaller of which is there at most three times (`table_sizes`)."""
    cuts = Cuts(field)
    layers, most_open = _build(cuts, most_open=1, most=None), 1
    for most_open in range(2, MOST_OPEN + 1):
        layers = _build(cuts, most_open, most=layers[-1][cuts.end].value[0])
        value = layers[-1][cuts.end].value
        proven = value[0] - cuts.bound < 2 * (most_open - 1) * min(cuts.distances, default=1)
        if proven:
            break
    return Profile(_tables(layers, cuts.end), value, proven)


class Cuts:
    """The levels of a field and the least that the cuts below each of them can cost."""

    def __init__(self, field: PodField) -> None:
        self.large, self.small = field.sizes[0], field.sizes[-1]
        self.smalls = field.sizes.count(self.small) if self.small < self.large else 0
        self.larges = field.sizes.count(self.large)
        self.levels = levels_of(field)
        self.end = State((), self.smalls)

    @property
    def sizes(self) -> tuple[int, ...]:
        return (self.large, self.small) if self.smalls else (self.large,)

    @cached_property
    def distances(self) -> list[int]:
        return [upper - lower for (upper, _), (lower, _) in pairwise(self.levels)]

    @cached_property
    def below(self) -> list[list[int | None]]:
        """[level][players so far at small tables]: the least that the cut under that level and those further down cost.

        None: so many cannot sit there.
        """
        rows: list[list[int | None]] = [[None] * (self.small * self.smalls) + [0]]
        above = sum(len(repeats) for _, repeats in self.levels)
        for i in range(len(self.distances) - 1, -1, -1):
            above -= len(self.levels[i + 1][1])
            later = _suffix_minima(rows[-1])
            row: list[int | None] = []
            for inside, after in enumerate(later):
                least = self.least_across(above, inside)
                row.append(None if least is None or after is None else self.distances[i] * least + after)
            rows.append(row)
        return rows[::-1]

    @cached_property
    def to_come(self) -> list[list[int | None]]:
        """[level][players so far at small tables]: the least of the cuts below the one under that level."""
        return [_suffix_minima(row) for row in self.below[1:]]

    @cached_property
    def bound(self) -> int:
        return min((cost for cost in self.below[0] if cost is not None), default=0)

    def least_across(self, above: int, inside: int) -> int | None:
        """Fewest pairs across a cut with so many players above it, of whom `inside` sit at small tables."""
        others = above - inside
        if not 0 <= others <= self.large * self.larges:
            return None
        small, large = inside % self.small, others % self.large
        return small * (self.small - small) + large * (self.large - large)


def _suffix_minima(row: list[int | None]) -> list[int | None]:
    found: list[int | None] = []
    for cost in reversed(row):
        known = [each for each in (cost, found[-1] if found else None) if each is not None]
        found.append(min(known, default=None))
    return found[::-1]


def levels_of(field: PodField) -> list[tuple[int, list[int]]]:
    """(points, earlier seats at small tables of who has them, fewest first), highest points first."""
    pairs = sorted(zip(field.points, field.small, strict=True), key=lambda pair: (-pair[0], pair[1]))
    return [(points, [small for _, small in rows]) for points, rows in groupby(pairs, key=lambda pair: pair[0])]


def _build(cuts: Cuts, most_open: int, most: int | None) -> Layers:
    """Level by level the best way to every state; ways that cannot end with a gap of `most` or less are left out."""
    layers: Layers = [{State((), 0): Step((0, 0, 0), None, ())}]
    seated = 0
    for i, (level, repeats) in enumerate(cuts.levels):
        seated += len(repeats)
        distance = cuts.distances[i] if i < len(cuts.distances) else 0
        layer: dict[State, Step] = {}
        for before, step in layers[-1].items():
            for move in _moves(cuts, before, level, len(repeats), most_open):
                gap = step.value[0] + distance * move.state.across
                if not _possible(cuts, move.state, seated, i) or not _promising(cuts, move.state, gap, i, most):
                    continue
                value = (gap, step.value[1] + move.squares, step.value[2] + sum(repeats[: move.in_small]))
                known = layer.get(move.state)
                if known is None or value < known.value:
                    layer[move.state] = Step(value, before, move.filled)
        layers.append(layer)
    return layers


def _possible(cuts: Cuts, state: State, seated: int, i: int) -> bool:
    """Whether there are tables enough of each size, and nothing is left open at the end."""
    inside = sum(len(table.levels) for table in state.opened)
    full_large = (seated - inside - cuts.small * state.smalls) // cuts.large
    open_large = sum(table.size == cuts.large for table in state.opened)
    enough = full_large + open_large <= cuts.larges and state.smalls + len(state.opened) - open_large <= cuts.smalls
    return enough and (i < len(cuts.distances) or state == cuts.end)


def _promising(cuts: Cuts, state: State, gap: int, i: int, most: int | None) -> bool:
    """`gap` is paid, the cut under level `i` included."""
    if most is None or i >= len(cuts.distances):
        return True
    opened = sum(len(table.levels) for table in state.opened if cuts.smalls and table.size == cuts.small)
    later = cuts.to_come[i][cuts.small * state.smalls + opened]
    return later is not None and gap + later <= most


class Move(NamedTuple):
    """One way to seat a level. `squares`: what it adds to the squares; `in_small`: its seats at small tables."""

    state: State
    squares: int
    in_small: int
    filled: tuple[Points, ...]


def _moves(cuts: Cuts, before: State, level: int, count: int, most_open: int) -> Iterator[Move]:
    """Its players join open tables, begin others, and fill the rest among themselves."""
    for joined in product(*(range(min(table.free, count) + 1) for table in before.opened)):
        after = [Open(t.size, t.levels + (level,) * n) for t, n in zip(before.opened, joined, strict=True)]
        still = tuple(table for table in after if table.free)
        full = tuple(table.levels for table in after if not table.free)
        squares = sum(
            n * (points - level) ** 2 for t, n in zip(before.opened, joined, strict=True) for points in t.levels
        )
        in_small = sum(n for t, n in zip(after, joined, strict=True) if cuts.smalls and t.size == cuts.small)
        smalls = before.smalls + sum(len(levels) == cuts.small for levels in full if cuts.smalls)
        for begun in _begun(cuts, level, count - sum(joined), most_open - len(still)):
            rest = count - sum(joined) - sum(len(table.levels) for table in begun)
            opened = tuple(sorted((*still, *begun)))
            seats = in_small + sum(len(t.levels) for t in begun if cuts.smalls and t.size == cuts.small)
            for own, wholes in _filled(cuts, rest, cuts.smalls - smalls):
                tables = full + ((level,) * cuts.small,) * own + ((level,) * cuts.large,) * wholes
                yield Move(State(opened, smalls + own), squares, seats + cuts.small * own, tables)


def _begun(cuts: Cuts, level: int, players: int, most: int) -> Iterator[tuple[Open, ...]]:
    """No new open table, one, or two."""
    single = [Open(size, (level,) * seats) for size in cuts.sizes for seats in range(1, min(size - 1, players) + 1)]
    for number in range(most + 1):
        for tables in combinations_with_replacement(single, number):
            if sum(len(table.levels) for table in tables) <= players:
                yield tables


def _filled(cuts: Cuts, players: int, smalls: int) -> Iterator[tuple[int, int]]:
    """(small tables, large tables) that so many players fill."""
    for own in range(min(smalls, players // cuts.small) + 1):
        wholes, odd = divmod(players - cuts.small * own, cuts.large)
        if not odd:
            yield own, wholes


def _tables(layers: Layers, end: State) -> tuple[Points, ...]:
    found: list[Points] = []
    state: State | None = end
    for layer in reversed(layers):
        assert state is not None
        step = layer[state]
        found += step.filled
        state = step.before
    return tuple(sorted(found, key=lambda table: (table, len(table)), reverse=True))
