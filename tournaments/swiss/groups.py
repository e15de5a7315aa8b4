"""Score groups on their ladder, and what a pairing must at least cost (4.1.5).

Between two neighbouring groups lies a cut as wide as the difference of their points. A pair that spans cuts of widths
v, w, ... costs their sum in `gap`, and at least the sum of their squares in `gap_squared`: no less than if a pair of
its own spanned each cut. With an odd number of players above a cut somebody must cross it. So the *bound* of a stretch
of the ladder is the sum of its odd cuts, once each.

An even cut is crossed twice or not at all. A pairing that crosses none of them falls into *blocks*, the runs of groups
between even cuts.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tournaments.swiss.edges import edges_of, floats, gaps, places_apart
from tournaments.swiss.field import NO_TEAM, Field, Numbers

Cost = tuple[int, ...]
"""Of a clean pairing: `gap` with `gap_squared` over the bound, `repeat_downs`, `repeat_ups`, `separations`, places."""

Stretch = tuple[int, int]
"""Score groups from the first up to, not including, the second; both at even cuts or ends of the ladder."""


@dataclass(frozen=True)
class Ladder:
    """`groups` are nodes in order of their lots, the highest group first; `rung` is the group of each node.

    The empty chair belongs to the group whose player should take it.
    """

    field: Field
    groups: list[Numbers]
    levels: Numbers
    rung: Numbers

    @cached_property
    def odd(self) -> list[bool]:
        """For each cut, whether the number of nodes above is odd."""
        return [above % 2 == 1 for above in np.cumsum([len(group) for group in self.groups])[:-1].tolist()]

    @cached_property
    def even_cuts(self) -> list[int]:
        """Where blocks begin and end: the groups below an even cut, and both ends of the ladder."""
        return [0, *(i for i, odd in enumerate(self.odd, 1) if not odd), len(self.groups)]

    def is_block(self, stretch: Stretch) -> bool:
        return all(self.odd[stretch[0] : stretch[1] - 1])

    def price(self, gaps: Numbers) -> Numbers:
        """`gap` and `gap_squared` as one number: the unit of the first is more than all squares together."""
        prices: Numbers = gaps * self.unit + gaps * gaps
        return prices

    @cached_property
    def unit(self) -> int:
        widest = int(self.levels[0] - self.levels[-1])
        return 1 + widest * widest * len(self.rung)

    @cached_property
    def cut_prices(self) -> Numbers:
        return self.price(-np.diff(self.levels))

    @cached_property
    def _depths(self) -> tuple[Numbers, Numbers]:
        """Price of all cuts above each group, and of the even ones."""
        even = ~np.array(self.odd, np.bool_)
        return np.append(0, np.cumsum(self.cut_prices)), np.append(0, np.cumsum(self.cut_prices * even))

    @cached_property
    def excess(self) -> Numbers:
        """For a pair of two groups: how far every pairing that has it lies above the bound.

        What its own price exceeds that of the cuts it spans, and twice each even cut, which is crossed once more.
        """
        all_cuts, even_cuts = (np.abs(depth[:, None] - depth) for depth in self._depths)
        own = self.price(np.abs(self.levels[:, None] - self.levels))
        excess: Numbers = own - all_cuts + 2 * even_cuts
        return excess

    def bound(self, stretch: Stretch) -> int:
        """The odd cuts inside, once each."""
        all_cuts, even_cuts = (int(depth[stretch[1] - 1] - depth[stretch[0]]) for depth in self._depths)
        return all_cuts - even_cuts

    def least_excess(self, stretch: Stretch) -> int:
        """Of the pairings that cross every even cut inside."""
        _, even = self._depths
        return 2 * int(even[stretch[1] - 1] - even[stretch[0]])

    def cost(self, stretch: Stretch, pairs: Numbers) -> Cost:
        """What these pairs of the stretch cost, rows of two without a rematch."""
        edges = edges_of(pairs)
        downs, ups = floats(self.field, edges)
        return (
            int(self.price(gaps(self.field, edges)).sum()) - self.bound(stretch),
            int(downs.sum()),
            int(ups.sum()),
            int(self.field.mates(edges.a, edges.b).sum()),
            int(places_apart(self.field, edges).sum()),
        )

    def most_crossers(self, group: int, stretch: Stretch, reach: int) -> int:
        """How many of the group may meet others when the pairing lies at most `reach` above the bound."""
        cuts = [cut for cut in (group - 1, group) if stretch[0] <= cut < stretch[1] - 1]
        return sum(self.odd[cut] + 2 * (reach // (2 * int(self.cut_prices[cut]))) for cut in cuts)

    @cached_property
    def _clashes(self) -> Numbers:
        """[player, group]: how many of the group he has met, must not meet, or has as team mates; at least so many."""
        field, groups = self.field, len(self.groups)
        a, b = np.divmod(field.apart.keys, field.seats)
        sides = np.concatenate((a * groups + self.rung[b], b * groups + self.rung[a]))
        clashes = np.bincount(sides, minlength=field.size * groups).reshape(field.size, groups)
        teamed = np.flatnonzero(field.teams != NO_TEAM)
        if len(teamed):
            teams = field.teams[teamed]
            members = np.bincount(teams * groups + self.rung[teamed], minlength=(teams.max() + 1) * groups)
            clashes[teamed] += members.reshape(-1, groups)[teams]
            clashes[teamed, self.rung[teamed]] -= 1
        return clashes

    @cached_property
    def clashes_inside(self) -> list[int]:
        """For each group, the most that a member has in it."""
        own = self._clashes[np.arange(self.field.size), self.rung[: self.field.size]]
        most = np.zeros(len(self.groups), np.int64)
        np.maximum.at(most, self.rung[: self.field.size], own)
        return list(most.tolist())

    @cached_property
    def clashes_outside(self) -> list[int]:
        """For each group, the most that anybody else has in it."""
        others = self._clashes.copy()
        others[np.arange(self.field.size), self.rung[: self.field.size]] = 0
        return list(others.max(axis=0).tolist())


def ladder_of(field: Field) -> Ladder:
    order = np.argsort(-field.levels, kind="stable")
    levels = field.levels[order]
    starts = np.flatnonzero(np.append(True, levels[1:] != levels[:-1]))
    rung = np.empty(field.seats, np.int64)
    rung[order] = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, field.seats)))
    return Ladder(field, np.split(order, starts[1:]), levels[starts], rung)
