"""Possible pairs of nodes, and what 4.1 asks of each."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from tournaments.swiss.field import Field, Flags, Numbers


@dataclass(frozen=True, slots=True)
class Edges:
    """Pairs, node `a` before node `b`. `free`: both stay in a roomy group, which costs nothing and settles nothing."""

    a: Numbers
    b: Numbers
    free: Flags

    def only(self, keep: Flags | Numbers) -> "Edges":
        return Edges(self.a[keep], self.b[keep], self.free[keep])


def edges_between(a: Numbers, b: Numbers) -> Edges:
    """Every pair of one of `a` with one of `b`."""
    x, y = np.repeat(a, len(b)), np.tile(b, len(a))
    return Edges(np.minimum(x, y), np.maximum(x, y), np.zeros(len(x), np.bool_))


def edges_among(nodes: Numbers, *, free: bool = False) -> Edges:
    """Every pair of the nodes, which ascend."""
    i, j = np.triu_indices(len(nodes), 1)
    return Edges(nodes[i], nodes[j], np.full(len(i), free, np.bool_))


def edges_of(pairs: Numbers) -> Edges:
    """The pairs themselves, given as rows of two."""
    a, b = pairs.T
    return Edges(np.minimum(a, b), np.maximum(a, b), np.zeros(len(pairs), np.bool_))


def joined(parts: Iterable[Edges]) -> Edges:
    every = list(parts)
    return Edges(
        np.concatenate([part.a for part in every]),
        np.concatenate([part.b for part in every]),
        np.concatenate([part.free for part in every]),
    )


def gaps(field: Field, edges: Edges) -> Numbers:
    """Differences in points; none with the empty chair (4.1.4 is its criterion)."""
    gap: Numbers = np.where(edges.b == field.chair, 0, np.abs(field.levels[edges.a] - field.levels[edges.b]))
    return gap


def floats(field: Field, edges: Edges) -> tuple[Flags, Flags]:
    """Whether the higher was paired down before, and whether the lower was paired up before (4.1.6)."""
    uneven = gaps(field, edges) > 0
    a_higher = field.levels[edges.a] > field.levels[edges.b]
    high, low = np.where(a_higher, edges.a, edges.b), np.where(a_higher, edges.b, edges.a)
    return uneven & field.downs[high], uneven & field.ups[low]


def places_apart(field: Field, edges: Edges) -> Numbers:
    """Between two on the same points, under "by standings"; otherwise none."""
    if field.places is None:
        return np.zeros(len(edges.a), np.int64)
    level = (field.levels[edges.a] == field.levels[edges.b]) & (edges.b != field.chair)
    apart: Numbers = np.where(level, np.abs(field.places[edges.a] - field.places[edges.b]), 0)
    return apart
