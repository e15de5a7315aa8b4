"""Small fields: the best of all seatings, by dynamic programming over who is still to be seated.

The first player (by lot) who is not yet seated always opens the next table. Of equally good seatings the one whose
tables come first in the order of the lots is taken: chance is the seed's (4.1.8).
"""

from collections.abc import Iterator
from itertools import combinations

from tournaments.swiss.pods.field import Group, PodField
from tournaments.swiss.pods.sizes import table_sizes

EXACT_TO = 16
"""Up to so many players every seating is looked at, in less than half a second (16: 2.6 million seatings)."""


class _Table:
    """A possible table as a set of bits, with its cost as one whole number that keeps the order of the criteria."""

    __slots__ = ("bits", "cost", "group")

    def __init__(self, group: Group, cost: int) -> None:
        self.group, self.cost = group, cost
        self.bits = sum(1 << node for node in group)


def exact_pods(field: PodField) -> list[Group]:
    """Needs `field.sizes` to be those of `table_sizes`: what is left then always has sizes of its own."""
    tables = list(_tables(field))
    best: dict[int, tuple[int, _Table | None]] = {0: (0, None)}

    def solve(rest: int) -> int:
        if rest in best:
            return best[rest][0]
        least: tuple[int, _Table | None] = (-1, None)
        sizes = set(table_sizes(rest.bit_count()))
        opener = (rest & -rest).bit_length() - 1
        for table in tables[opener]:
            if table.bits & ~rest or len(table.group) not in sizes:
                continue
            cost = table.cost + solve(rest ^ table.bits)
            if least[1] is None or cost < least[0]:
                least = (cost, table)
        best[rest] = least
        return least[0]

    rest = (1 << field.size) - 1
    solve(rest)
    found: list[Group] = []
    while (table := best[rest][1]) is not None:
        found.append(table.group)
        rest ^= table.bits
    return found


def _tables(field: PodField) -> Iterator[list[_Table]]:
    """By who opens them, each list in the order of the lots."""
    groups = [group for size in sorted(set(field.sizes)) for group in combinations(range(field.size), size)]
    costs = {group: field.cost(group) for group in groups}
    digits = zip(*costs.values(), strict=True)
    rooms = [1 + len(field.sizes) * max(column) for column in digits]
    opened: list[list[_Table]] = [[] for _ in range(field.size)]
    for group in sorted(groups):
        number = 0
        for digit, room in zip(costs[group], rooms, strict=True):
            number = number * room + digit
        opened[group[0]].append(_Table(group, number))
    yield from opened
