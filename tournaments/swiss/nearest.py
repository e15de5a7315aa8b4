"""By standings (4.1.8): inside all earlier criteria, the smallest sum of places apart between players on equal points.

The same cuts once more, now between neighbours in a group ordered by place. With f members paired elsewhere the sum is
at least that of first with second, third with fourth and so on among the others, for the best choice of the f. A pair
of members k places in that order apart spans k cuts, and of those at least (k - f - 1) / 2 even ones, which are crossed
once more than they need be: so it costs k - f - 1 over the bound. When a pairing lies s over the bound, pairs more than
s + f + 1 apart are of no use.
"""

from math import inf

import numpy as np

from tournaments.swiss.edges import Edges, edges_between, edges_of, joined
from tournaments.swiss.field import Field, Numbers
from tournaments.swiss.groups import Cost, Ladder, Stretch
from tournaments.swiss.matching import match
from tournaments.swiss.weights import ordinary_columns, weigh

WIDTH = 6
"""Neighbours within so many places are tried first."""


def nearest(ladder: Ladder, stretch: Stretch, pairs: Numbers) -> Numbers:
    """Pairs of the stretch that equal `pairs` in every earlier criterion and are the least places apart."""
    cost = ladder.cost(stretch, pairs)
    orders = [_by_place(ladder.field, ladder.groups[group]) for group in range(*stretch)]
    leaving = [_leaving(ladder, group, stretch, cost) for group in range(*stretch)]
    least = sum(_least_apart(ladder.field, order, most) for order, most in zip(orders, leaving, strict=True))
    width, longest = WIDTH, max(map(len, orders))
    while True:
        found = _within(ladder, stretch, cost, orders, width)
        enough = 4 * width if found is None else ladder.cost(stretch, found)[-1] - least + max(leaving) + 1
        if found is not None and (enough <= width or width >= longest):
            return found
        width = enough


def _by_place(field: Field, nodes: Numbers) -> Numbers:
    assert field.places is not None
    members = nodes[nodes < field.size]
    order: Numbers = members[np.argsort(field.places[members], kind="stable")]
    return order


def _leaving(ladder: Ladder, group: int, stretch: Stretch, cost: Cost) -> int:
    """At most so many members are paired outside the group or have the bye."""
    return ladder.most_crossers(group, stretch, cost[0]) + int(ladder.groups[group][-1] == ladder.field.chair)


def _least_apart(field: Field, order: Numbers, leaving: int) -> int:
    """The least sum of places apart when up to so many leave, as a walk down the order.

    `closed[f]` and `opened[f]`: the least so far when f have left and everybody, or all but one, has his neighbour.
    """
    assert field.places is not None
    closed: list[float] = [0] + [inf] * leaving
    opened: list[float] = [inf] * (leaving + 1)
    for place in field.places[order].tolist():
        left_closed, left_opened = [inf, *closed[:-1]], [inf, *opened[:-1]]
        closed, opened = (
            [min(stay + place, left) for stay, left in zip(opened, left_closed, strict=True)],
            [min(stay - place, left) for stay, left in zip(closed, left_opened, strict=True)],
        )
    return int(min(closed))


def _within(ladder: Ladder, stretch: Stretch, cost: Cost, orders: list[Numbers], width: int) -> Numbers | None:
    """The nearest pairing among neighbours of that width; None when it does not equal the earlier criteria."""
    field = ladder.field
    edges = joined([*_neighbours(orders, width), *_crossing(ladder, stretch, cost)])
    edges = edges.only(~field.forbidden(edges.a, edges.b))
    nodes = np.sort(np.concatenate(ladder.groups[slice(*stretch)]))
    chosen = match(edges, nodes, weigh(field, edges, ordinary_columns(field, edges)))
    if chosen is None:
        return None
    pairs = np.column_stack((edges.a[chosen], edges.b[chosen]))
    return pairs if ladder.cost(stretch, pairs)[:-1] == cost[:-1] else None


def _neighbours(orders: list[Numbers], width: int) -> list[Edges]:
    steps = [(order, k) for order in orders for k in range(1, min(width, len(order) - 1) + 1)]
    return [edges_of(np.column_stack((order[:-k], order[k:]))) for order, k in steps]


def _crossing(ladder: Ladder, stretch: Stretch, cost: Cost) -> list[Edges]:
    """Pairs of two groups close enough, and those with the empty chair."""
    field, groups = ladder.field, range(*stretch)
    couples = [(i, j) for i in groups for j in groups if i < j and ladder.excess[i, j] <= cost[0]]
    edges = [edges_between(ladder.groups[i], ladder.groups[j]) for i, j in couples]
    if field.chair is not None and ladder.rung[field.chair] in groups:
        edges.append(edges_between(np.flatnonzero(field.may_have_bye), np.array([field.chair])))
    return edges
