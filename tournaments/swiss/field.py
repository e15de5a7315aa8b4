"""Who is to be paired, as numbered nodes: the form in which the search sees a round."""

from dataclasses import dataclass
from functools import cached_property

from tournaments.swiss.chance import lot, lot_number
from tournaments.swiss.history import History
from tournaments.swiss.types import PlayerId, Tournament


@dataclass(frozen=True)
class Field:
    """Nodes 0..n-1 are the players in the order of their lots, so that the order of the input changes nothing.

    When n is odd, node n is the empty chair: whoever gets it has the bye. Lists are by node; `met[i]` maps a node to
    (times, last round), `barred[i]` are the hard separations of i. `places` only under "by standings".
    """

    players: tuple[PlayerId, ...]
    lots: list[int]
    points: list[int]
    byes: list[int]
    downs: list[bool]
    ups: list[bool]
    teams: list[str | None]
    met: list[dict[int, tuple[int, int]]]
    barred: list[set[int]]
    places: list[int] | None

    @property
    def size(self) -> int:
        return len(self.players)

    @property
    def chair(self) -> int | None:
        """The node of the bye, None when the number is even."""
        return self.size if self.size % 2 else None

    @cached_property
    def fewest_byes(self) -> int:
        return min(self.byes)

    @cached_property
    def bye_level(self) -> int:
        """Points of the lowest player among those with the fewest byes: the best that 4.1.2 and 4.1.4 can hope for."""
        return min(points for points, byes in zip(self.points, self.byes, strict=True) if byes == self.fewest_byes)

    def may_have_bye(self, node: int) -> bool:
        return self.byes[node] == self.fewest_byes and self.points[node] == self.bye_level

    def level(self, node: int) -> int:
        return self.bye_level if node == self.chair else self.points[node]

    def mates(self, a: int, b: int) -> bool:
        return self.teams[a] is not None and self.teams[a] == self.teams[b]

    def clash(self, a: int, b: int) -> bool:
        """A pair to avoid: they met, must not meet, or come from one team."""
        return b in self.met[a] or b in self.barred[a] or self.mates(a, b)

    def groups(self) -> list[list[int]]:
        """Score groups, highest first; the empty chair sits in the group whose player should take it."""
        nodes = list(range(self.size + self.size % 2))
        levels: dict[int, list[int]] = {}
        for node in nodes:
            levels.setdefault(self.level(node), []).append(node)
        return [levels[level] for level in sorted(levels, reverse=True)]


def field_of(
    tournament: Tournament,
    history: History,
    players: list[PlayerId],
    seed: str,
    places: dict[PlayerId, int] | None = None,
) -> Field:
    order = sorted(players, key=lambda player: lot(seed, player))
    node = {player: i for i, player in enumerate(order)}
    teams = {entrant.id: entrant.team for entrant in tournament.entrants} if tournament.separate_teams else {}
    return Field(
        players=tuple(order),
        lots=[lot_number(seed, player) for player in order],
        points=[history.points[player] for player in order],
        byes=[history.byes.get(player, 0) for player in order],
        downs=[player in history.downs for player in order],
        ups=[player in history.ups for player in order],
        teams=[teams.get(player) for player in order],
        met=_met(history, node),
        barred=_barred(tournament, node),
        places=None if places is None else [places[player] for player in order],
    )


def _met(history: History, node: dict[PlayerId, int]) -> list[dict[int, tuple[int, int]]]:
    met: list[dict[int, tuple[int, int]]] = [{} for _ in node]
    for (a, b), meeting in history.meetings.items():
        if a in node and b in node:
            met[node[a]][node[b]] = met[node[b]][node[a]] = (meeting.times, meeting.last)
    return met


def _barred(tournament: Tournament, node: dict[PlayerId, int]) -> list[set[int]]:
    barred: list[set[int]] = [set() for _ in node]
    for a, b in tournament.separations:
        if a in node and b in node:
            barred[node[a]].add(node[b])
            barred[node[b]].add(node[a])
    return barred
