"""Ways in which the rest of the Swiss rounds can go: all of them while they are few, else drawn by lot.

One row a world. A player's end of a match is a code: the index of a score of `Ground.scores` from his own side, or BYE,
or NOTHING for who does not play. Numbers drawn are SHA-256 over a counter (4.1): the same on every machine.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from tournaments.swiss.scoring import had_bye, is_meeting
from tournaments.swiss.types import PlayerId
from tournaments.swiss.whatif.ground import Ground

Codes = NDArray[np.int8]
Indexes = NDArray[np.int64]

BLOCK = 2048
"""Rows made and judged at a time: what 226 players need then stays in some tens of megabytes."""
WORDS = 8
"""Numbers of 32 bits in one digest."""


@dataclass(frozen=True, slots=True)
class Step:
    """One round in every world: `codes[world, player]` and `rivals[world, player]`, -1 for who has none."""

    codes: Codes
    rivals: Indexes


@dataclass(frozen=True, slots=True)
class Worlds:
    """`weights`: how often each row counts. Players are columns in the order of `players`; a step a round."""

    weights: Indexes
    steps: tuple[Step, ...]


def bye_code(ground: Ground) -> int:
    return len(ground.scores)


def nothing_code(ground: Ground) -> int:
    return len(ground.scores) + 1


def ways(ground: Ground) -> int:
    """In how many ways the open tables can end, games told apart."""
    return int(len(ground.scores) ** len(ground.tables))


def counted(ground: Ground, column: Mapping[PlayerId, int]) -> Iterator[Worlds]:
    """Every way, each with its weight; for a last round only."""
    weight = np.array([score.weight for score in ground.scores], dtype=np.int64)
    shape = (len(ground.scores),) * len(ground.tables)
    for first in range(0, ways(ground), BLOCK):
        rows = np.arange(first, min(first + BLOCK, ways(ground)))
        ends = np.array(np.unravel_index(rows, shape), dtype=np.int8).reshape(len(shape), len(rows)).T
        yield Worlds(weight[ends].prod(axis=1), (seated(ground, ends, column),))


def drawn(ground: Ground, column: Mapping[PlayerId, int], runs: int) -> Iterator[Worlds]:
    """That many worlds by lot, each counting once."""
    lots = Lots(f"{ground.tournament.id}\0what-if\0{ground.round}")
    for first in range(0, runs, BLOCK):
        size = min(BLOCK, runs - first)
        steps = [seated(ground, ends_by_lot(ground, lots, (size, len(ground.tables))), column)]
        if ground.another:
            steps.append(next_round(ground, column, steps[0], lots))
        yield Worlds(np.ones(size, dtype=np.int64), tuple(steps))


class Lots:
    """A stream of whole numbers of 32 bits."""

    def __init__(self, seed: str) -> None:
        self.seed, self.counter = seed, 0

    def draw(self, shape: tuple[int, int]) -> Indexes:
        count = shape[0] * shape[1]
        digests = range(self.counter, self.counter + -(-count // WORDS))
        self.counter = digests.stop
        data = b"".join(sha256(f"{self.seed}\0{number}".encode()).digest() for number in digests)
        return np.frombuffer(data, dtype=">u4")[:count].astype(np.int64).reshape(shape)


def ends_by_lot(ground: Ground, lots: Lots, shape: tuple[int, int]) -> Codes:
    """Scores with the frequency of their weights."""
    upto = np.cumsum([score.weight for score in ground.scores])
    ends: Indexes = np.searchsorted(upto, (lots.draw(shape) * upto[-1]) >> 32, side="right")
    return ends.astype(np.int8)


def seated(ground: Ground, ends: Codes, column: Mapping[PlayerId, int]) -> Step:
    """The round in play: `ends[world, table]` from the left seat."""
    codes = np.full((len(ends), len(column)), nothing_code(ground), dtype=np.int8)
    rivals = np.full((len(ends), len(column)), -1, dtype=np.int64)
    for table, (a, b) in enumerate(ground.tables):
        left, right = column[a], column[b]
        codes[:, left], codes[:, right] = ends[:, table], len(ground.scores) - 1 - ends[:, table]
        rivals[:, left], rivals[:, right] = right, left
    return Step(codes, rivals)


# -- the round that is not paired yet ----------------------------------------------------------------------------------
def next_round(ground: Ground, column: Mapping[PlayerId, int], now: Step, lots: Lots) -> Step:
    """Paired as the rules mostly have it: neighbours by points, in random order inside a group, who have not met."""
    resting = [column[player] for player in ground.contestants if player in ground.tournament.assigned_byes]
    playing = np.array([column[player] for player in ground.contestants if column[player] not in resting], dtype=int)
    size = len(now.codes)
    codes = np.full(now.codes.shape, nothing_code(ground), dtype=np.int8)
    rivals = np.full(now.codes.shape, -1, dtype=np.int64)
    codes[:, resting] = bye_code(ground)
    order = playing[np.argsort(by_points(ground, column, now)[:, playing] + lots.draw((size, len(playing))), axis=1)]
    world = np.arange(size)
    if order.shape[1] % 2:
        bye, order = without_bye(ground, column, order)
        codes[world, bye] = bye_code(ground)
    avoid_meetings(meetings(ground, column), order)
    ends = ends_by_lot(ground, lots, (size, order.shape[1] // 2))
    for pair in range(order.shape[1] // 2):
        left, right = order[:, 2 * pair], order[:, 2 * pair + 1]
        codes[world, left], codes[world, right] = ends[:, pair], len(ground.scores) - 1 - ends[:, pair]
        rivals[world, left], rivals[world, right] = right, left
    return Step(codes, rivals)


def by_points(ground: Ground, column: Mapping[PlayerId, int], now: Step) -> Indexes:
    """A key that sorts by points, highest first, and leaves the lower 32 bits to chance."""
    score = np.zeros(len(column), dtype=np.int64)
    for player, index in column.items():
        score[index] = ground.score[player]
    return -(score + gained(ground)[now.codes]) << 32


def gained(ground: Ground) -> Indexes:
    """What each code adds to the first number of the standings."""
    gains = ground.gains
    return np.array([*(gains.of(score.result) for score in ground.scores), gains.bye, 0], dtype=np.int64)


def without_bye(ground: Ground, column: Mapping[PlayerId, int], order: Indexes) -> tuple[Indexes, Indexes]:
    """The bye goes to the last of those with fewest (4.1.2, 4.1.4), and the others close up."""
    byes = np.zeros(len(column), dtype=np.int64)
    for match in ground.tournament.matches:
        for player in match.players:
            byes[column[player]] += had_bye(match, player)
    fewest = byes[order] == byes[order].min(axis=1, keepdims=True)
    place = order.shape[1] - 1 - np.argmax(fewest[:, ::-1], axis=1)
    kept = np.arange(order.shape[1]) != place[:, None]
    return order[np.arange(len(order)), place], order[kept].reshape(len(order), -1)


def meetings(ground: Ground, column: Mapping[PlayerId, int]) -> NDArray[np.bool_]:
    """Who has met whom, the round in play included."""
    met = np.zeros((len(column), len(column)), dtype=bool)
    for match in ground.tournament.matches:
        if match.b is not None and is_meeting(match):
            a, b = column[match.a], column[match.b]
            met[a, b] = met[b, a] = True
    return met


def avoid_meetings(met: NDArray[np.bool_], order: Indexes) -> None:
    """Whoever would meet his neighbour again changes places with one of the next pair; in place, from the top."""
    for first in range(0, order.shape[1] - 2, 2):
        a = order[:, first]
        for other in (first + 2, first + 3):
            change = met[a, order[:, first + 1]] & ~met[a, order[:, other]]
            order[change, first + 1], order[change, other] = order[change, other], order[change, first + 1]
