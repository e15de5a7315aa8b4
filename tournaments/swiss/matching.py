"""Exact matching: the best pairing of some nodes under 4.1, proven by the blossom algorithm.

The criteria become one whole number per edge in mixed radix: each digit has room for the sum of everything below it, so
that no amount of a later criterion outweighs an earlier one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tournaments.swiss.field import Field

Numbers = NDArray[np.int64]
Nodes = Sequence[int]
NodePairs = list[tuple[int, int]]

MAX_BITS = 120
"""rustworkx computes in 128 bits and doubles."""
TIE_BITS = 24


@dataclass(frozen=True, slots=True)
class Edges:
    """Possible pairs: `a` and `b` are positions in `nodes`, `chair` marks the edges to the bye."""

    nodes: Numbers
    a: Numbers
    b: Numbers
    chair: NDArray[np.bool_]
    times: Numbers
    last: Numbers

    def only(self, keep: NDArray[np.bool_]) -> "Edges":
        return Edges(self.nodes, self.a[keep], self.b[keep], self.chair[keep], self.times[keep], self.last[keep])


def edges_of(field: Field, nodes: Nodes) -> Edges:
    """Every pair of these nodes that no hard separation forbids. The empty chair, if among them, must be the last."""
    size = len(nodes)
    a, b = (part.astype(np.int64) for part in np.triu_indices(size, 1))
    times, last, barred = _known_pairs(field, nodes)
    numbers = np.array(nodes, np.int64)
    chair = numbers[b] == (-1 if field.chair is None else field.chair)
    edges = Edges(numbers, a, b, chair, times[a, b], last[a, b])
    return edges.only(~barred[a, b])


def _known_pairs(field: Field, nodes: Nodes) -> tuple[Numbers, Numbers, NDArray[np.bool_]]:
    size = len(nodes)
    times, last = np.zeros((size, size), np.int64), np.zeros((size, size), np.int64)
    barred = np.zeros((size, size), np.bool_)
    at = {node: i for i, node in enumerate(nodes)}
    for node, i in at.items():
        if node == field.chair:
            continue
        for other, meeting in field.met[node].items():
            if other in at:
                times[i, at[other]], last[i, at[other]] = meeting
        for other in field.barred[node]:
            if other in at:
                barred[i, at[other]] = True
    return times, last, barred


@dataclass(frozen=True, slots=True)
class Column:
    """One criterion on every edge, and the most that a whole pairing can sum up to."""

    values: Numbers
    most: int


def solve(field: Field, edges: Edges, *, barred_cost: Numbers | None = None) -> NodePairs | None:
    """The best perfect pairing by these edges, None when there is none."""
    if len(edges.nodes) == 0:
        return []
    columns = columns_of(field, edges) if barred_cost is None else [_column(edges, barred_cost)]
    return match(edges, weights(columns, edges, field))


def columns_of(field: Field, edges: Edges) -> list[Column]:
    """The criteria of 4.1 on each edge, most important first; what is zero everywhere is left out."""
    x, y = edges.nodes[edges.a], edges.nodes[edges.b]
    points, byes = _by_node(field.points), _by_node(field.byes)
    real = ~edges.chair
    gap = np.where(real, np.abs(points[x] - points[y]), 0)
    x_higher = points[x] >= points[y]
    high, low = np.where(x_higher, x, y), np.where(x_higher, y, x)
    uneven = gap > 0
    columns = [
        _bye_column(edges, byes[x]),
        _column(edges, edges.times),
        _column(edges, edges.last),
        _bye_column(edges, points[x]),
        _column(edges, gap),
        _column(edges, gap * gap),
        _column(edges, uneven & (_by_node(field.downs)[high] > 0)),
        _column(edges, uneven & (_by_node(field.ups)[low] > 0)),
        _column(edges, real & _same_team(field, x, y)),
    ]
    if field.places is not None:
        places = _by_node(field.places)
        columns.append(_column(edges, np.where(real & ~uneven, np.abs(places[x] - places[y]), 0)))
    return [column for column in columns if column.most]


def _by_node(values: Sequence[int]) -> Numbers:
    """With a last element for the empty chair."""
    return np.array([*values, 0], np.int64)


def _same_team(field: Field, x: Numbers, y: Numbers) -> NDArray[np.bool_]:
    names = {team: i for i, team in enumerate(sorted({team for team in field.teams if team is not None}))}
    teams = np.array([-1 if team is None else names[team] for team in field.teams] + [-1], np.int64)
    same: NDArray[np.bool_] = (teams[x] == teams[y]) & (teams[x] >= 0)
    return same


def _column(edges: Edges, values: NDArray[np.int64] | NDArray[np.bool_]) -> Column:
    """Bound: each node takes one edge, so half the sum of every node's dearest one."""
    numbers = values.astype(np.int64)
    dearest = np.zeros(len(edges.nodes), np.int64)
    np.maximum.at(dearest, edges.a, numbers)
    np.maximum.at(dearest, edges.b, numbers)
    return Column(numbers, int(dearest.sum()) // 2)


def _bye_column(edges: Edges, values: Numbers) -> Column:
    """Only edges to the empty chair cost; one of them is taken, so the least among them is free."""
    if not edges.chair.any():
        return Column(np.zeros(len(values), np.int64), 0)
    above = np.where(edges.chair, values - values[edges.chair].min(), 0)
    return Column(above, int(above.max()))


def weights(columns: list[Column], edges: Edges, field: Field) -> list[int]:
    """Costs in mixed radix, chance in the lowest digit as far as there is room."""
    pairs = max(1, len(edges.nodes) // 2)
    used = sum((column.most + 1).bit_length() for column in columns)
    room = min(TIE_BITS, MAX_BITS - used - pairs.bit_length())
    if room < 0:
        raise OverflowError(f"criteria of {used} bits do not fit")
    chance = (lots_of(edges, field) >> np.uint64(64 - room)).astype(np.int64) if room else None
    digits = columns if chance is None else [*columns, Column(chance, pairs * ((1 << room) - 1))]
    return pack(digits, len(edges.a))


def lots_of(edges: Edges, field: Field) -> NDArray[np.uint64]:
    """The lot of an edge, stirred together from the players' lots; plain arithmetic modulo 2^64 (splitmix64)."""
    lots = np.array([*field.lots, 0], np.uint64)
    z = lots[edges.nodes[edges.a]] ^ lots[edges.nodes[edges.b]]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    stirred: NDArray[np.uint64] = z ^ (z >> np.uint64(31))
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
    packed = word.tolist()
    for low, below in reversed(words):
        packed = [high * below + rest for high, rest in zip(packed, low.tolist(), strict=True)]
    return packed


def match(edges: Edges, costs: list[int]) -> NodePairs | None:
    """The cheapest perfect matching. Nodes and edges are given in a fixed order, so that the answer is one."""
    import rustworkx  # heavy, and only whoever pairs needs it

    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(len(edges.nodes)))
    graph.add_edges_from(list(zip(edges.a.tolist(), edges.b.tolist(), (-cost for cost in costs), strict=True)))
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(found) < len(edges.nodes):
        return None
    nodes = edges.nodes.tolist()
    return sorted((nodes[min(pair)], nodes[max(pair)]) for pair in found)
