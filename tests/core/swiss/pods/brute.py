"""The criteria of a pod round once more, written apart from the engine: every seating there is, judged one by one."""

from collections.abc import Iterator
from itertools import combinations

from tournaments.swiss.types import PlayerId, Tournament

Tables = list[tuple[PlayerId, ...]]
WORTH = {4: [5, 3, 2, 1], 3: [5, 3, 1], 2: [3, 0]}


def sizes(players: int) -> list[int]:
    """Among all ways to make tables of 2 to 4 that use a table of 2 only where nothing else adds up: most fours."""
    ways = [
        [4] * fours + [3] * threes + [2] * twos
        for fours in range(players)
        for threes in range(players)
        for twos in range(2)
        if 4 * fours + 3 * threes + 2 * twos == players
    ]
    return min(ways, key=lambda way: (way.count(2), -way.count(4)))


def every_seating(players: list[PlayerId], wanted: list[int]) -> Iterator[Tables]:
    if not players:
        yield []
        return
    first, rest = players[0], players[1:]
    for size in sorted(set(wanted)):
        left = list(wanted)
        left.remove(size)
        for others in combinations(rest, size - 1):
            remaining = [player for player in rest if player not in others]
            for tables in every_seating(remaining, left):
                yield [(first, *others), *tables]


class Judge:
    def __init__(self, tournament: Tournament, round: int) -> None:
        self.barred = {frozenset(pair) for pair in tournament.separations}
        self.points = {entrant.id: 0 for entrant in tournament.entrants}
        self.met: list[frozenset[PlayerId]] = []
        self.small: list[PlayerId] = []
        for number in range(1, round):
            pods = [pod for pod in tournament.pods if pod.round == number]
            for pod in pods:
                if len(pod.players) < max(len(other.players) for other in pods):
                    self.small += pod.players
                everybody_away = pod.places is not None and set(pod.places) == {None}
                if not everybody_away:
                    self.met += [frozenset(pair) for pair in combinations(pod.players, 2)]
                if pod.places is not None and not everybody_away:
                    self.score(pod.players, pod.places)

    def score(self, players: tuple[PlayerId, ...], places: tuple[int | None, ...]) -> None:
        last = [99 if place is None else place for place in places]
        for player, place in zip(players, last, strict=True):
            before, level = sum(other < place for other in last), last.count(place)
            self.points[player] += sum(WORTH[len(players)][before : before + level]) // level

    def criteria(self, tables: Tables) -> tuple[int, ...]:
        pairs = [pair for table in tables for pair in combinations(table, 2)]
        gaps = [abs(self.points[a] - self.points[b]) for a, b in pairs]
        largest = max(map(len, tables))
        return (
            sum(frozenset(pair) in self.barred for pair in pairs),
            sum(self.met.count(frozenset(pair)) for pair in pairs),
            sum(gaps),
            sum(gap**2 for gap in gaps),
            sum(self.small.count(player) for table in tables if len(table) < largest for player in table),
        )
