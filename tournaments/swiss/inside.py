"""Ordering inside a score group: who stays in it is paired by lot (4.1.8)."""

import numpy as np

from tournaments.swiss.field import Field, Numbers

PASSES = 3
"""So often everybody who clashes passes his partner on, before each looks for a swap of his own."""
LOOKS = 64
"""Pairs looked at in one go for a swap; the next ones only if none of them will do."""


def pair_by_lot(field: Field, nodes: Numbers, turn: int = 0) -> Numbers | None:
    """Neighbours in the order of the lots, as rows of two; a pair that clashes swaps partners with another.

    None when somebody finds no such pair, which cannot happen in a roomy group. `turn` begins elsewhere in the order.
    """
    if len(nodes) % 2:
        return None
    pairs = np.roll(nodes, -turn).reshape(-1, 2)
    for _ in range(PASSES):
        clashing = np.flatnonzero(field.clash(*pairs.T))
        if len(clashing) < 2:
            break
        pairs[clashing, 1] = np.roll(pairs[clashing, 1], 1)
    for i in np.flatnonzero(field.clash(*pairs.T)).tolist():
        if field.clash(*pairs[i : i + 1].T)[0] and not _mend(field, pairs, i):
            return None
    return pairs


def _mend(field: Field, pairs: Numbers, i: int) -> bool:
    a, b = pairs[i].tolist()
    others = np.roll(np.arange(len(pairs)), -i)[1:]
    for start in range(0, len(others), LOOKS):
        some = others[start : start + LOOKS]
        first, second = pairs[some].T
        left, right = np.full(len(some), a), np.full(len(some), b)
        straight = ~(field.clash(left, first) | field.clash(right, second))
        crossed = ~(field.clash(left, second) | field.clash(right, first))
        able = np.flatnonzero(straight | crossed)
        if len(able):
            j, partner = some[able[0]], 0 if straight[able[0]] else 1
            pairs[i], pairs[j] = (a, pairs[j, partner]), (b, pairs[j, 1 - partner])
            return True
    return False
