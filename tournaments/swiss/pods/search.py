"""The search: exact for a few players, for many a tabu search that starts from the bound and stops when it reaches it.

The bound's tables (`profile`) say how many of each level sit together, not who. First only players of equal points
change seats, which costs no gap: as long as nobody then has to meet somebody again, the result is the best there is,
and proven. Where that is not to be had, anybody may change with anybody, rematches being the first to go.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tournaments.swiss.pods.exact import EXACT_TO, exact_pods
from tournaments.swiss.pods.field import Cost, Group, PodField
from tournaments.swiss.pods.profile import Profile, best_profile

Numbers = NDArray[np.int64]

EFFORT = 20_000_000
"""Seat changes that a search looks at: with 200 players less than half a second."""
MOST_STEPS = 1500
TENURE = 7
"""Steps for which a player who has left a table does not come back, and up to as many again."""


@dataclass(frozen=True, slots=True)
class Found:
    """The tables. `certified`: proven to be the best under the criteria."""

    groups: tuple[Group, ...]
    cost: Cost
    certified: bool


def best_pods(field: PodField, exact_to: int = EXACT_TO) -> Found:
    if field.size <= exact_to:
        groups = exact_pods(field)
        return Found(tuple(groups), field.total(groups), True)
    profile = best_profile(field)
    best = Cost(0, 0, *profile.value, 0)
    search = _Search(field, _seated(field, profile), best)
    search.run(level_only=True)
    if search.cost != best:
        search.run(level_only=False)
    return Found(search.groups, search.cost, search.cost == best and profile.proven)


def _seated(field: PodField, profile: Profile) -> list[list[int]]:
    """Players into the bound's tables in the order of their lots; at small tables those who have sat there least."""
    waiting: dict[int, list[int]] = {}
    for node in range(field.size):
        waiting.setdefault(field.points[node], []).append(node)
    groups: list[list[int]] = [[] for _ in profile.tables]
    for i in sorted(range(len(groups)), key=lambda i: (not field.is_small(len(profile.tables[i])), i)):
        for level in profile.tables[i]:
            line = waiting[level]
            node = min(line, key=lambda node: field.small[node]) if field.is_small(len(profile.tables[i])) else line[0]
            line.remove(node)
            groups[i].append(node)
    return groups


class _Search:
    """Tabu search over exchanges of two players of different tables; all of it decided by costs and the order of lots.

    `weights[i, j]` is what the pair costs as one number that keeps the order of the criteria within one exchange;
    `at[i, g]` the sum of i's weights with everybody at table g, so that all exchanges are priced at once.
    """

    def __init__(self, field: PodField, groups: Sequence[Sequence[int]], goal: Cost) -> None:
        self.field, self.goal = field, goal
        self.weights, self.small_weight, self.grave = _weights(field)
        self.points = np.array(field.points, np.int64)
        self.small = np.array(field.small, np.int64)
        self.tiny = np.array([field.is_small(len(group)) for group in groups], np.int64)
        self.keep(groups)

    def keep(self, groups: Sequence[Sequence[int]]) -> None:
        self.groups = tuple(tuple(group) for group in groups)
        self.cost = self.field.total(self.groups)

    def run(self, *, level_only: bool) -> None:
        """Leaves the best that it saw in `groups` and `cost`."""
        self.start()
        steps = min(MOST_STEPS, EFFORT // self.field.size**2)
        cost = self.cost
        for step in range(steps):
            if self.cost == self.goal:
                break
            a, b = self.exchange(step, level_only)
            if a < 0:
                break
            cost = self.move(a, b, cost, step)
            if cost < self.cost:
                self.keep(self.tables)
                self.over = 0
        self.settle(level_only)

    def start(self) -> None:
        self.tables = [list(group) for group in self.groups]
        self.table = np.zeros(self.field.size, np.int64)
        for i, group in enumerate(self.tables):
            self.table[group] = i
        self.at = np.stack([self.weights[:, group].sum(axis=1) for group in self.tables], axis=1)
        self.barred_to = np.zeros((self.field.size, len(self.tables)), np.int64)
        self.nodes = np.arange(self.field.size)
        self.over = 0  # what the tables cost beyond the best that was seen

    def prices(self, rows: Numbers, level_only: bool) -> Numbers:
        """[i, j]: what it costs that rows[i] and j change seats; huge where they may not."""
        theirs, table = self.table[rows], self.table
        own = self.at[self.nodes, table]
        price: Numbers = self.at[rows][:, table] + self.at[:, theirs].T - 2 * self.weights[rows]
        price -= own[rows][:, None] + own[None, :]
        shift = self.tiny[table][None, :] - self.tiny[theirs][:, None]
        price += self.small_weight * shift * (self.small[rows][:, None] - self.small[None, :])
        forbidden = theirs[:, None] == table[None, :]
        if level_only:
            forbidden |= self.points[rows][:, None] != self.points[None, :]
        price[forbidden] = HUGE
        return price

    def exchange(self, step: int, level_only: bool) -> tuple[int, int]:
        """The cheapest exchange of somebody who should move; (-1, -1) when there is none."""
        rows = self.troubled()
        price = self.prices(rows, level_only)
        returns = np.maximum(self.barred_to[rows][:, self.table], self.barred_to[:, self.table[rows]].T)
        locked = returns > step
        price[locked & (price >= -self.over) & (price < HUGE)] += LOCKED  # unless it beats the best
        i, b = divmod(int(price.argmin()), self.field.size)
        if price[i, b] >= HUGE:
            return -1, -1
        self.over += int(price[i, b]) - (LOCKED if price[i, b] >= LOCKED // 2 else 0)
        return int(rows[i]), b

    def troubled(self) -> Numbers:
        """Who meets somebody again, or must not sit where he does; everybody where nobody is."""
        own = self.at[self.nodes, self.table]
        rows = self.nodes[own >= self.grave]
        return rows if len(rows) else self.nodes

    def move(self, a: int, b: int, cost: Cost, step: int) -> Cost:
        p, q = int(self.table[a]), int(self.table[b])
        cost = cost.less(self.field.cost(self.tables[p])).less(self.field.cost(self.tables[q]))
        self.tables[p][self.tables[p].index(a)], self.tables[q][self.tables[q].index(b)] = b, a
        self.table[a], self.table[b] = q, p
        change = self.weights[:, b] - self.weights[:, a]
        self.at[:, p] += change
        self.at[:, q] -= change
        until = step + TENURE + (step * 5) % TENURE
        self.barred_to[a, p] = self.barred_to[b, q] = until
        return cost.plus(self.field.cost(self.tables[p])).plus(self.field.cost(self.tables[q]))

    def settle(self, level_only: bool) -> None:
        """Down from the best that was seen, whoever has to move, until no exchange is better."""
        self.start()
        for step in range(self.field.size):
            price = self.prices(self.nodes, level_only)
            best = int(price.argmin())
            a, b = divmod(best, self.field.size)
            if price[a, b] >= 0 or self.cost == self.goal:
                break
            self.move(a, b, self.cost, step)
            self.keep(self.tables)


HUGE = 1 << 61
LOCKED = 1 << 60


def _weights(field: PodField) -> tuple[Numbers, int, int]:
    """(weight of every pair, of one repeated seat at a small table, the least weight of a meeting).

    Mixed radix: a digit has room for what all smaller ones can change in one exchange, which touches two tables.
    """
    n = field.size
    met, barred, mates = (np.zeros((n, n), np.int64) for _ in range(3))
    for a in range(n):
        for b, times in field.met[a].items():
            met[a, b] = times
        barred[a, list(field.barred[a])] = 1
    for a, b in _mates(field):
        mates[a, b] = mates[b, a] = 1
    points = np.array(field.points, np.int64)
    gap = np.abs(points[:, None] - points[None, :])
    seats = 2 * field.sizes[0]
    pairs = seats * (seats - 1)
    small = 1 + 2 * pairs
    squared = small * (1 + 2 * seats * max(field.small, default=0))
    linear = squared * (1 + 2 * pairs * int(gap.max(initial=0)) ** 2)
    again = linear * (1 + 2 * pairs * int(gap.max(initial=0)))
    never = again * (1 + 2 * pairs * int(met.max(initial=0)))
    return mates + squared * gap**2 + linear * gap + again * met + never * barred, small, again


def _mates(field: PodField) -> Iterator[tuple[int, int]]:
    teams: dict[str, list[int]] = {}
    for node, team in enumerate(field.teams):
        if team is not None:
            teams.setdefault(team, []).append(node)
    return ((a, b) for nodes in teams.values() for a in nodes for b in nodes if a != b)
