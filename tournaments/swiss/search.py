"""The search: the pairing that is best under 4.1, with its proof.

The field falls apart at the even cuts: between two score groups with an even number of players above, a pairing that
reaches the lower bound of the differences never crosses. The runs between even cuts (blocks) are solved apart.

Whoever crosses an even cut of width w costs at least 2w over the bound. So the parts together are the best of the whole
as long as no stretch of neighbours is over its bound by as much as twice the widths of the cuts inside it. Where one
is, or where a part has no pairing without a rematch, neighbours are joined and solved as one. What is left when the
whole field has been joined in vain is solved with rematches and every bye allowed.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from tournaments.swiss.bound import reach_bound
from tournaments.swiss.field import Field
from tournaments.swiss.matching import Edges, NodePairs, Numbers, edges_of, solve

Block = tuple[tuple[int, ...], ...]
"""Score groups, highest first, of one run between even cuts."""
Blocks = tuple[Block, ...]

QUICK_FROM = 64
"""Blocks from this size are first tried by the bound; smaller ones are solved exactly in a few milliseconds."""


@dataclass(frozen=True, slots=True)
class Part:
    """Neighbouring blocks solved as one. `pairs` None: none is without a rematch; `excess`: gap over the bound."""

    blocks: Blocks
    pairs: NodePairs | None
    excess: int

    @property
    def nodes(self) -> list[int]:
        return [node for block in self.blocks for group in block for node in group]


def best_pairing(field: Field, quick_from: int = QUICK_FROM) -> NodePairs | None:
    """Pairs of nodes, the one with the empty chair being the bye; None when hard separations forbid every pairing."""
    parts = [_solve_part(field, (block,), quick_from) for block in blocks_of(field)]
    while (span := _unproven(field, parts)) is not None:
        first, last = span
        joined = tuple(block for part in parts[first : last + 1] for block in part.blocks)
        parts[first : last + 1] = [_solve_part(field, joined, quick_from)]
    if any(part.pairs is None for part in parts):
        return solve(field, edges_of(field, range(field.size + field.size % 2)))
    return [pair for part in parts for pair in part.pairs or ()]


def blocks_of(field: Field) -> Iterator[Block]:
    """Runs of score groups, highest first, cut wherever the number of players above is even."""
    block: list[tuple[int, ...]] = []
    for group in field.groups():
        block.append(tuple(group))
        if sum(map(len, block)) % 2 == 0:
            yield tuple(block)
            block = []


def _unproven(field: Field, parts: list[Part]) -> tuple[int, int] | None:
    """First and last of a stretch of parts that have to be solved as one, None when the parts prove each other."""
    if len(parts) == 1:
        return None
    for i, part in enumerate(parts):
        if part.pairs is None:
            return max(0, i - 1), min(len(parts) - 1, i + 1)
    for first in range(len(parts)):
        excess, width = parts[first].excess, 0
        for last in range(first + 1, len(parts)):
            excess += parts[last].excess
            width += _width(field, parts[last - 1], parts[last])
            if 2 * width <= excess:
                return first, last
    return None


def _width(field: Field, upper: Part, lower: Part) -> int:
    return field.level(upper.blocks[-1][-1][0]) - field.level(lower.blocks[0][0][0])


def _solve_part(field: Field, blocks: Blocks, quick_from: int) -> Part:
    nodes = sorted(node for block in blocks for group in block for node in group)
    if len(blocks) == 1 and len(nodes) >= quick_from and field.places is None:
        found = reach_bound(field, [list(group) for group in blocks[0]])
        if found is not None:
            return Part(blocks, found, 0)
    pairs = _solve_exactly(field, blocks, nodes)
    return Part(blocks, pairs, 0 if pairs is None else _gap(field, pairs) - bound(field, blocks))


def bound(field: Field, blocks: Blocks) -> int:
    """The least sum of differences: every odd cut is crossed once."""
    return sum(field.level(upper[0]) - field.level(lower[0]) for block in blocks for upper, lower in pairwise(block))


def _gap(field: Field, pairs: NodePairs) -> int:
    return sum(abs(field.level(a) - field.level(b)) for a, b in pairs)


def _solve_exactly(field: Field, blocks: Blocks, nodes: list[int]) -> NodePairs | None:
    """The best without a rematch and with the bye where it belongs.

    Edges that no better pairing can use are left out: one that crosses even cuts of width w costs 2w over the bound.
    """
    edges = _clean_edges(field, nodes)
    cost = 2 * _crossed(field, blocks, edges)
    reach, most = 0, int(cost.max(initial=0))
    while True:
        pairs = solve(field, edges.only(cost <= reach))
        excess = 2 * reach + 2 if pairs is None else _gap(field, pairs) - bound(field, blocks)
        if reach >= most or (pairs is not None and excess <= reach):
            return pairs
        reach = excess


def _clean_edges(field: Field, nodes: list[int]) -> Edges:
    edges = edges_of(field, nodes)
    allowed = np.array([field.may_have_bye(node) for node in range(field.size)] + [False])
    return edges.only((edges.times == 0) & (~edges.chair | allowed[edges.nodes[edges.a]]))


def _crossed(field: Field, blocks: Blocks, edges: Edges) -> Numbers:
    """Total width of the even cuts that each edge crosses."""
    depth: dict[int, int] = {}
    below = 0
    for i, block in enumerate(blocks):
        if i:
            below += field.level(blocks[i - 1][-1][0]) - field.level(block[0][0])
        depth.update((node, below) for group in block for node in group)
    depths = np.array([depth[node] for node in edges.nodes.tolist()], np.int64)
    widths: Numbers = np.abs(depths[edges.a] - depths[edges.b])
    return widths


def separations_to_lift(field: Field) -> NodePairs:
    """The fewest hard separations whose lifting lets everyone sit, when none of the pairings is allowed (4.3)."""
    free = replace(field, barred=[set() for _ in field.players])
    edges = edges_of(free, range(field.size + field.size % 2))
    nodes = edges.nodes.tolist()
    ends = zip(edges.a.tolist(), edges.b.tolist(), strict=True)
    barred = [nodes[b] != field.chair and nodes[b] in field.barred[nodes[a]] for a, b in ends]
    pairs = solve(free, edges, barred_cost=np.array(barred, np.int64)) or []
    return [(a, b) for a, b in pairs if b != field.chair and b in field.barred[a]]
