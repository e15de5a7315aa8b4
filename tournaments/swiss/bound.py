"""A pairing that reaches the lower bound is optimal however it was found: its own certificate.

In a block every cut is odd: somebody must cross each, and the sum of the differences is least when one pair spans each
cut. No such pair is cheaper in (paired down before, paired up before) than the cheapest of its cut. A pairing with
those floats, no rematch and no team mates is the best there is (4.1.3-4.1.7). A few tries, led by the lots, find one in
most blocks; where they do not, the exact search decides.
"""

from itertools import pairwise

import numpy as np

from tournaments.swiss.edges import Edges, edges_between, floats
from tournaments.swiss.field import Field, Numbers
from tournaments.swiss.groups import Ladder, Stretch
from tournaments.swiss.inside import pair_by_lot
from tournaments.swiss.reservoirs import delegation
from tournaments.swiss.weights import lots_of

TRIES = 8


def reach_bound(ladder: Ladder, block: Stretch) -> Numbers | None:
    """Pairs of the block that reach its lower bound, as rows of two; None if no try found them."""
    field, first, last = ladder.field, *block
    delegates = [delegation(ladder, group, block).nodes for group in range(first, last)]
    choices = [_floats(field, upper, lower) for upper, lower in pairwise(delegates)]
    if field.chair is not None and first <= ladder.rung[field.chair] < last:
        choices.insert(0, _byes(field, delegates[ladder.rung[field.chair] - first]))
    for attempt in range(TRIES):
        pairs = _try(ladder, block, choices, attempt)
        if pairs is not None:
            return pairs
    return None


def _byes(field: Field, nodes: Numbers) -> Edges:
    allowed = nodes[field.may_have_bye[nodes]]
    return edges_between(allowed, np.array([field.chair]))


def _floats(field: Field, upper: Numbers, lower: Numbers) -> Edges:
    """Pairs across one cut of the cheapest kind that has one without rematch, by their lots, mates left out."""
    edges = edges_between(upper[upper < field.size], lower[lower < field.size])
    edges = edges.only(~field.forbidden(edges.a, edges.b))
    downs, ups = floats(field, edges)
    kind = 2 * downs + ups
    edges = edges.only((kind == kind.min(initial=3)) & ~field.mates(edges.a, edges.b))
    order = np.argsort(lots_of(field, edges), kind="stable")
    return Edges(edges.a[order], edges.b[order], edges.free[order])


def _try(ladder: Ladder, block: Stretch, choices: list[Edges], attempt: int) -> Numbers | None:
    taken = np.zeros(ladder.field.seats, np.bool_)
    pairs = []
    for edges in choices:
        able = np.flatnonzero(~(taken[edges.a] | taken[edges.b]))
        if not len(able):
            return None
        one = able[attempt % len(able)]
        pairs.append(np.array([[edges.a[one], edges.b[one]]]))
        taken[pairs[-1]] = True
    for group in range(*block):
        nodes = ladder.groups[group]
        inside = pair_by_lot(ladder.field, nodes[~taken[nodes]], attempt)
        if inside is None:
            return None
        pairs.append(inside)
    return np.concatenate(pairs)
