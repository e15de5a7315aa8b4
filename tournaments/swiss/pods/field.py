"""Who is to be seated, as numbered nodes: the form in which the search sees a round of pods."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from tournaments.swiss.chance import lot
from tournaments.swiss.pods.history import PodHistory
from tournaments.swiss.types import PlayerId, Tournament

Group = tuple[int, ...]


class Cost(NamedTuple):
    """What some tables cost, in the order of the criteria; `barred` pairs come first, as they must not be at all."""

    barred: int = 0
    rematches: int = 0
    gap: int = 0
    gap_squared: int = 0
    repeat_small: int = 0
    separations: int = 0

    def plus(self, other: "Cost") -> "Cost":
        return Cost(*(a + b for a, b in zip(self, other, strict=True)))

    def less(self, other: "Cost") -> "Cost":
        return Cost(*(a - b for a, b in zip(self, other, strict=True)))


@dataclass(frozen=True)
class PodField:
    """Nodes 0..n-1 are the players in the order of their lots, so that the order of the input changes nothing.

    Lists are by node; `met[i]` maps a node to the number of earlier meetings, `barred[i]` are the hard separations.
    """

    players: tuple[PlayerId, ...]
    sizes: tuple[int, ...]
    points: list[int]
    small: list[int]
    teams: list[str | None]
    met: list[dict[int, int]]
    barred: list[set[int]]

    @property
    def size(self) -> int:
        return len(self.players)

    def mates(self, a: int, b: int) -> bool:
        return self.teams[a] is not None and self.teams[a] == self.teams[b]

    def pair_cost(self, a: int, b: int) -> Cost:
        gap = abs(self.points[a] - self.points[b])
        return Cost(b in self.barred[a], self.met[a].get(b, 0), gap, gap * gap, 0, self.mates(a, b))

    def is_small(self, size: int) -> bool:
        return size < self.sizes[0]

    def cost(self, group: Sequence[int]) -> Cost:
        cost = Cost(repeat_small=sum(self.small[node] for node in group) if self.is_small(len(group)) else 0)
        for a, b in combinations(group, 2):
            cost = cost.plus(self.pair_cost(a, b))
        return cost

    def total(self, groups: Sequence[Sequence[int]]) -> Cost:
        cost = Cost()
        for group in groups:
            cost = cost.plus(self.cost(group))
        return cost


def pod_field(
    tournament: Tournament, history: PodHistory, players: list[PlayerId], sizes: tuple[int, ...], seed: str
) -> PodField:
    order = sorted(players, key=lambda player: lot(seed, player))
    node = {player: i for i, player in enumerate(order)}
    teams = {entrant.id: entrant.team for entrant in tournament.entrants} if tournament.separate_teams else {}
    met: list[dict[int, int]] = [{} for _ in order]
    for (a, b), meeting in history.meetings.items():
        if a in node and b in node:
            met[node[a]][node[b]] = met[node[b]][node[a]] = meeting.times
    barred: list[set[int]] = [set() for _ in order]
    for a, b in tournament.separations:
        if a in node and b in node:
            barred[node[a]].add(node[b])
            barred[node[b]].add(node[a])
    return PodField(
        players=tuple(order),
        sizes=sizes,
        points=[history.points[player] for player in order],
        small=[history.small[player] for player in order],
        teams=[teams.get(player) for player in order],
        met=met,
        barred=barred,
    )
