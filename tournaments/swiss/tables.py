"""Which table each pair, or each pod, sits at (4.4)."""

from collections.abc import Iterable, Mapping
from itertools import count

from tournaments.swiss.types import PlayerId


def assign_tables[Sitting: tuple[PlayerId, ...]](
    pairs: Iterable[Sitting], fixed: Mapping[PlayerId, int]
) -> list[tuple[int, Sitting]]:
    """(table, pair) in table order. `pairs` come top pair first and take 1, 2, 3...; who needs a table gets it.

    Two fixed players who meet use the lower of their tables that is free; of two pairs that need one table the upper
    has it, and the lower sits where its place says.
    """
    order = list(pairs)
    held: dict[int, Sitting] = {}
    for pair in order:
        wanted = sorted(fixed[player] for player in pair if player in fixed)
        free = [table for table in wanted if table not in held]
        if free:
            held[free[0]] = pair
    placed = set(held.values())
    others = (table for table in count(1) if table not in held)
    rest = [(next(others), pair) for pair in order if pair not in placed]
    return sorted([*held.items(), *rest])
