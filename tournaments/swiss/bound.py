"""A pairing that reaches the lower bound is optimal however it was found: the quick way for large score groups.

A block is a run of score groups in which every cut between two groups has an odd number of players above it. Somebody
must cross each cut, so the sum of the differences is at least the sum of the cuts' widths, reached when exactly one
pair spans each cut; and no such pair is cheaper in (paired down before, paired up before) than the cheapest of its cut.
A pairing with those floats, no rematch and no team mates is the best there is (4.1.3-4.1.7). A few tries, led by the
lots, find one in nearly every large block; where they do not, the exact search decides.
"""

from collections.abc import Iterator
from itertools import pairwise

from tournaments.swiss.field import Field

TRIES = 8
LOOKS = 400
"""Pairs looked at for each cut and kind before giving up: beyond that the exact search is surer."""

NodePairs = list[tuple[int, int]]


def reach_bound(field: Field, groups: list[list[int]]) -> NodePairs | None:
    """A pairing of the block that reaches its lower bound, None if no try found one."""
    for attempt in range(TRIES):
        pairs = _try(field, groups, attempt)
        if pairs is not None:
            return pairs
    return None


def _try(field: Field, groups: list[list[int]], attempt: int) -> NodePairs | None:
    pairs: NodePairs = []
    taken: set[int] = set()
    bye = _bye_pair(field, groups, attempt)
    floats = [_float(field, upper, lower) for upper, lower in pairwise(groups)]
    for chosen in [bye, *floats]:
        if chosen is None:
            continue
        pair = _pick(chosen, taken, attempt)
        if pair is None:
            return None
        pairs.append(pair)
        taken.update(pair)
    for group in groups:
        inside = _pair_inside(field, [node for node in group if node not in taken], attempt)
        if inside is None:
            return None
        pairs += inside
    return pairs


def _bye_pair(field: Field, groups: list[list[int]], attempt: int) -> list[tuple[int, int]] | None:
    """The possible (player, empty chair), None when the block has no empty chair."""
    for group in groups:
        if field.chair in group:
            assert field.chair is not None
            return [(node, field.chair) for node in group if node != field.chair and field.may_have_bye(node)]
    return None


def _float(field: Field, upper: list[int], lower: list[int]) -> list[tuple[int, int]]:
    """Pairs across one cut, of the cheapest kind of (down before, up before) that has a pair without rematch."""
    for down, up in ((False, False), (False, True), (True, False), (True, True)):
        above = [node for node in upper if node != field.chair and field.downs[node] == down]
        below = [node for node in lower if node != field.chair and field.ups[node] == up]
        fresh = list(_fresh(field, above, below))
        if fresh:
            return [pair for pair in fresh if not field.mates(*pair)]
    return []


def _fresh(field: Field, above: list[int], below: list[int]) -> Iterator[tuple[int, int]]:
    """Pairs that never met, spread over both groups; all of them when they are few."""
    looks = 0
    for shift in range(len(below)):
        for i, a in enumerate(above):
            b = below[(i + shift) % len(below)]
            if b not in field.met[a] and b not in field.barred[a]:
                yield a, b
                looks += 1
                if looks >= LOOKS:
                    return


def _pick(pairs: list[tuple[int, int]], taken: set[int], attempt: int) -> tuple[int, int] | None:
    start = attempt * 7
    for i in range(len(pairs)):
        pair = pairs[(start + i) % len(pairs)]
        if taken.isdisjoint(pair):
            return pair
    return None


def _pair_inside(field: Field, group: list[int], attempt: int) -> NodePairs | None:
    """Neighbours in the order of the lots, clashes mended by swapping with another pair."""
    if len(group) % 2:
        return None
    turned = group[attempt:] + group[:attempt]
    pairs = [(turned[i], turned[i + 1]) for i in range(0, len(turned), 2)]
    for i, pair in enumerate(pairs):
        if field.clash(*pair) and not _mend(field, pairs, i):
            return None
    return pairs


def _mend(field: Field, pairs: NodePairs, i: int) -> bool:
    a, b = pairs[i]
    for step in range(1, len(pairs)):
        j = (i + step) % len(pairs)
        c, d = pairs[j]
        for first, second in (((a, c), (b, d)), ((a, d), (b, c))):
            if not field.clash(*first) and not field.clash(*second):
                pairs[i], pairs[j] = first, second
                return True
    return False
