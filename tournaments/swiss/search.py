"""The search: the pairing that is best under 4.1, with its proof.

A pairing crosses some even cuts of the ladder and falls apart at the others: it is a way from the top of the ladder to
its foot, each step going from one even cut that it does not cross to the next. What the best pairing of a step costs is
known when it is solved; before that, no less than twice the even cuts inside it. So the cheapest way is looked for, its
unsolved steps are solved, and again, until the cheapest way has only solved steps: then nothing else can be better.

All of it without a rematch and with the bye where it belongs (4.1.2-4.1.4). Where no way has that, the whole field is
solved at once, every pair allowed.
"""

from dataclasses import dataclass

import numpy as np

from tournaments.swiss.bound import reach_bound
from tournaments.swiss.exact import lift_separations, solve_exactly, solve_whole
from tournaments.swiss.field import Field, Numbers
from tournaments.swiss.groups import Cost, Ladder, Stretch, ladder_of
from tournaments.swiss.nearest import nearest

__all__ = ["best_pairing", "lift_separations"]

SMALL = 64
"""Up to so many one matching over all pairs is the quickest proof."""


@dataclass(frozen=True, slots=True)
class Step:
    """A stretch of the ladder with its best clean pairing, rows of two nodes, and what that costs.

    `pairs` None: not solved yet, and the cost is the least that it can be.
    """

    cost: Cost
    pairs: Numbers | None = None


Steps = dict[Stretch, Step | None]
"""The solved ones; None: the stretch has no clean pairing."""


@dataclass(frozen=True, slots=True)
class Way:
    """Steps from the top of the ladder down to a cut."""

    cost: Cost = (0, 0, 0, 0, 0)
    unsolved: tuple[Stretch, ...] = ()
    steps: tuple[Step, ...] = ()

    def then(self, stretch: Stretch, step: Step) -> "Way":
        unsolved = (*self.unsolved, stretch) if step.pairs is None else self.unsolved
        return Way(tuple(map(sum, zip(self.cost, step.cost, strict=True))), unsolved, (*self.steps, step))

    @property
    def rank(self) -> tuple[Cost, int]:
        return self.cost, len(self.unsolved)


def best_pairing(field: Field, *, small: int = SMALL, by_luck: bool = True) -> Numbers | None:
    """Pairs of nodes, the one with the empty chair being the bye; None when hard separations forbid every pairing.

    So that tests can hold the ways to a proof against each other: `small`, the largest field that is solved whole at
    once; without `by_luck` no pairing is found by reaching its bound.
    """
    if field.seats <= small:
        return solve_whole(field)
    ladder, solved = ladder_of(field), Steps()
    while (way := cheapest_way(ladder, solved)) is not None:
        if not way.unsolved:
            return np.concatenate([step.pairs for step in way.steps if step.pairs is not None])
        for stretch in way.unsolved:
            solved[stretch] = solve(ladder, stretch, by_luck=by_luck)
    return solve_whole(field)


def cheapest_way(ladder: Ladder, solved: Steps) -> Way | None:
    """From the top to the foot; None when every way has a step without a clean pairing."""
    ways = {0: Way()}
    for i, last in enumerate(ladder.even_cuts[1:], 1):
        for first in reversed(ladder.even_cuts[:i]):
            least = ladder.least_excess((first, last))
            if last in ways and least > ways[last].cost[0]:
                break
            step = solved.get((first, last), Step((least, 0, 0, 0, 0)))
            if step is not None and first in ways:
                way = ways[first].then((first, last), step)
                ways[last] = min(ways.get(last, way), way, key=lambda way: way.rank)
    return ways.get(len(ladder.groups))


def solve(ladder: Ladder, stretch: Stretch, *, by_luck: bool) -> Step | None:
    pairs = reach_bound(ladder, stretch) if by_luck and ladder.is_block(stretch) else None
    if pairs is None:
        pairs = solve_exactly(ladder, stretch)
    if pairs is not None and ladder.field.places is not None:
        pairs = nearest(ladder, stretch, pairs)
    return None if pairs is None else Step(ladder.cost(stretch, pairs), pairs)
