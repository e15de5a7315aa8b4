"""Exact search of a stretch of the ladder, with as few pairs as its proof needs."""

import numpy as np

from tournaments.swiss.edges import Edges, edges_among, edges_between, joined
from tournaments.swiss.field import Field, Numbers
from tournaments.swiss.groups import Ladder, Stretch
from tournaments.swiss.inside import pair_by_lot
from tournaments.swiss.matching import match
from tournaments.swiss.reservoirs import Delegation, delegation
from tournaments.swiss.weights import column, ordinary_columns, weigh, yielding_columns


def solve_exactly(ladder: Ladder, stretch: Stretch) -> Numbers | None:
    """The best clean pairing of the stretch as rows of two, None when it has none.

    First with the pairs that a pairing within `reach` of the bound can have. If the best of those lies within, no other
    is better; if not, it says how far to reach.
    """
    first, last = stretch
    widest = int(ladder.excess[first:last, first:last].max())
    reach = ladder.least_excess(stretch)
    while True:
        delegations = [delegation(ladder, group, stretch, reach) for group in range(first, last)]
        pairs = _within(ladder, stretch, delegations, reach)
        if pairs is not None:
            excess = ladder.cost(stretch, pairs)[0]
            if excess <= reach:
                return pairs
            reach = excess
        elif reach >= widest and not any(one.roomy for one in delegations):
            return None
        else:
            reach = 2 * reach + ladder.unit


def _within(ladder: Ladder, stretch: Stretch, delegations: list[Delegation], reach: int) -> Numbers | None:
    edges = clean_edges(ladder, stretch, delegations, reach)
    nodes = np.sort(np.concatenate([one.nodes for one in delegations]))
    chosen = match(edges, nodes, weigh(ladder.field, edges, ordinary_columns(ladder.field, edges)))
    if chosen is None:
        return None
    settled = edges.only(chosen)
    settled = settled.only(~settled.free)
    pairs = [np.column_stack((settled.a, settled.b))]
    taken = np.zeros(ladder.field.seats, np.bool_)
    taken[pairs[0]] = True
    for group, one in enumerate(delegations, stretch[0]):
        if one.roomy:
            nodes = ladder.groups[group]
            inside = pair_by_lot(ladder.field, nodes[~taken[nodes]])
            assert inside is not None, "a roomy group has room"
            pairs.append(inside)
    return np.concatenate(pairs)


def clean_edges(ladder: Ladder, stretch: Stretch, delegations: list[Delegation], reach: int) -> Edges:
    """Pairs without a rematch, inside the groups and between those close enough for a pairing within reach."""
    field, parts = ladder.field, []
    for i, one in enumerate(delegations):
        parts.append(edges_among(one.nodes, free=one.roomy))
        for j, other in enumerate(delegations[i + 1 :], i + 1):
            if ladder.excess[stretch[0] + i, stretch[0] + j] <= reach:
                parts.append(edges_between(one.nodes, other.nodes))
    edges = joined(parts)
    edges = Edges(edges.a, edges.b, edges.free & (edges.b != field.chair))
    return edges.only(edges.free | ~field.forbidden(edges.a, edges.b))


def solve_whole(field: Field) -> Numbers | None:
    """With every pair that no hard separation forbids: rematches, second byes and byes above the lowest group."""
    edges = edges_among(np.arange(field.seats))
    _, barred = field.barred.find(field.key(edges.a, edges.b))
    edges = edges.only(~barred)
    return _pairs(field, edges, weigh(field, edges, yielding_columns(field, edges) + ordinary_columns(field, edges)))


def lift_separations(field: Field) -> Numbers:
    """The fewest hard separations whose lifting lets everyone sit, when none of the pairings is allowed (4.3)."""
    edges = edges_among(np.arange(field.seats))
    _, barred = field.barred.find(field.key(edges.a, edges.b))
    pairs = _pairs(field, edges, weigh(field, edges, [column(edges, barred)]))
    assert pairs is not None
    _, lifted = field.barred.find(field.key(*pairs.T))
    return pairs[lifted]


def _pairs(field: Field, edges: Edges, costs: list[int]) -> Numbers | None:
    chosen = match(edges, np.arange(field.seats), costs)
    return None if chosen is None else np.column_stack((edges.a[chosen], edges.b[chosen]))
