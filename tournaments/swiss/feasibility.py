"""Whether the rounds that are left can all be legal (TOURNAMENT_RULES 3): nobody meets twice, nobody has a second bye.

A legal round is a perfect matching of the graph of those who may still meet; when they are odd, an empty chair is one
of them, and may meet whoever has had no bye. Of `rounds` rounds that are left

    certain     whatever is paired, every one of them can be legal
    possible    they can, but a round that looks as good as another may leave a later one without a legal pairing
    impossible  no such rounds exist

Certain by degree, as a round takes one rival from everybody: by Dirac (every vertex sees half of the others) and, while
all have as many rivals left, by the smallest regular graphs without a full pairing (rounds.py). Small fields are
searched to the end within a budget of steps, so that the answer is the same on every machine. Where the budget ends,
the answer is `possible` and `proven` says whether an example was found.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from tournaments.swiss.history import History, history_before
from tournaments.swiss.rounds import may_lack_pairing
from tournaments.swiss.types import PlayerId, Tournament

BUDGET = 20_000
"""Steps of one search; about a tenth of a second."""
LARGEST_GAME, LARGEST_SEARCH = 12, 64
"""Chairs up to which every course of the event is followed, and up to which one good course is looked for; beyond,
degrees decide, and nearly always they do."""

Graph = tuple[int, ...]
"""Of each chair, the others that it may still meet, as bits."""


class Verdict(StrEnum):
    CERTAIN = "certain"
    POSSIBLE = "possible"
    IMPOSSIBLE = "impossible"


@dataclass(frozen=True, slots=True)
class Short:
    """Somebody with fewer rivals left than rounds; `player` None: the bye, for which so many are left."""

    player: PlayerId | None
    left: int


@dataclass(frozen=True, slots=True)
class Outlook:
    """`rounds`: those that are left. `safe`: how many of them are certain; `reachable`: how many can be legal."""

    verdict: Verdict
    proven: bool
    players: int
    played: int
    rounds: int
    safe: int
    reachable: int
    short: tuple[Short, ...] = ()

    @property
    def planned(self) -> int:
        return self.played + self.rounds

    @property
    def fewer(self) -> int:
        """Rounds in all that are the remedy: as many as are certain, or at least one more as long as one is legal."""
        return self.played + (self.safe or min(self.reachable, 1))


def outlook(tournament: Tournament, planned: int) -> Outlook:
    """Of the rounds after those played, `planned` in all, among whoever plays on."""
    played = tournament.last_round
    players = [entrant.id for entrant in tournament.entrants if entrant.active_in(played + 1)]
    rounds = max(0, planned - played)
    history = history_before(tournament, played + 1)
    if _certain_at_a_glance(tournament, history, players, rounds):
        return Outlook(Verdict.CERTAIN, True, len(players), played, rounds, rounds, rounds)
    return _outlook(graph_of(tournament, history, players), players, played, rounds)


def _certain_at_a_glance(tournament: Tournament, history: History, players: Sequence[PlayerId], rounds: int) -> bool:
    """For the many: the bound of Dirac with a count of rivals that nobody falls below, without asking pair by pair.

    A round costs nobody more than a rival and, by a forfeit, the bye.
    """
    chairs, played = len(players) + len(players) % 2, tournament.last_round
    barred = Counter(player for pair in tournament.separations for player in pair)
    least = chairs - 1 - 2 * played - max(barred.values(), default=0)
    if len(players) % 2:
        least = min(least, sum(not history.byes.get(player, 0) for player in players))
    return chairs > 0 and 2 * (least - rounds + 1) >= chairs


def outlook_of_new(players: int, planned: int) -> Outlook:
    """Before round 1, of that many players without any separation."""
    chairs = players + players % 2
    everybody = (1 << chairs) - 1
    names = [PlayerId(str(number)) for number in range(players)]
    return _outlook(tuple(everybody & ~(1 << chair) for chair in range(chairs)), names, 0, planned)


def _outlook(graph: Graph, players: Sequence[PlayerId], played: int, rounds: int) -> Outlook:
    names: list[PlayerId | None] = [*players, *([None] if len(graph) > len(players) else [])]
    degrees = [neighbours.bit_count() for neighbours in graph]
    short = [Short(name, left) for name, left in zip(names, degrees, strict=True) if left < rounds]
    verdict, proven = judge(graph, rounds)
    safe = next(left for left in range(rounds, -1, -1) if judge(graph, left)[0] == Verdict.CERTAIN)
    possible = range(rounds, safe - 1, -1)
    reachable = next(left for left in possible if judge(graph, left)[0] != Verdict.IMPOSSIBLE)
    least_first = sorted(short, key=lambda one: (one.left, one.player is None, one.player or ""))
    return Outlook(verdict, proven, len(players), played, rounds, safe, reachable, tuple(least_first))


def graph_of(tournament: Tournament, history: History, players: Sequence[PlayerId]) -> Graph:
    """Who may still meet whom (4.1.1, 4.1.3) and the bye (4.1.2), which is the last chair when they are odd."""
    barred = {frozenset(pair) for pair in tournament.separations}
    graph = [0] * (len(players) + len(players) % 2)
    for i, one in enumerate(players):
        for j in range(i):
            other = players[j]
            if not history.meeting(one, other).times and frozenset((one, other)) not in barred:
                graph[i] |= 1 << j
                graph[j] |= 1 << i
        if len(players) % 2 and not history.byes.get(one, 0):
            graph[i] |= 1 << len(players)
            graph[-1] |= 1 << i
    return tuple(graph)


@lru_cache(maxsize=512)
def judge(graph: Graph, rounds: int) -> tuple[Verdict, bool]:
    """The verdict on that many rounds, and whether it is proven."""
    if rounds <= 0 or certain_by_degree(graph, rounds):
        return Verdict.CERTAIN, True
    if not graph or min(neighbours.bit_count() for neighbours in graph) < rounds:
        return Verdict.IMPOSSIBLE, True
    if len(graph) > LARGEST_SEARCH:
        return Verdict.POSSIBLE, False
    reachable = _Search().reachable(graph, rounds)
    if reachable is False:
        return Verdict.IMPOSSIBLE, True
    if reachable and len(graph) <= LARGEST_GAME and _Search().certain(graph, rounds):
        return Verdict.CERTAIN, True
    return Verdict.POSSIBLE, bool(reachable)


def certain_by_degree(graph: Graph, rounds: int) -> bool:
    """A round takes one rival from everybody: so many are left before the last one, and that is enough."""
    degrees = {neighbours.bit_count() for neighbours in graph}
    if not degrees:
        return False
    chairs, least = len(graph), min(degrees)
    if 2 * (least - rounds + 1) >= chairs:
        return True
    if len(degrees) > 1 or least < rounds:
        return False
    return not any(may_lack_pairing(chairs, least - played) for played in range(rounds))


class _Spent(Exception):
    """The budget is used up."""


class _Search:
    """Both questions to the end, or until the budget is spent: then None."""

    def __init__(self) -> None:
        self.left = BUDGET
        self.known: dict[tuple[Graph, int], bool] = {}

    def reachable(self, graph: Graph, rounds: int) -> bool | None:
        try:
            return self._reachable(graph, rounds)
        except _Spent:
            return None

    def certain(self, graph: Graph, rounds: int) -> bool | None:
        try:
            return self._certain(graph, rounds)
        except _Spent:
            return None

    def _reachable(self, graph: Graph, rounds: int) -> bool:
        if rounds == 0 or certain_by_degree(graph, rounds):
            return True
        if min(neighbours.bit_count() for neighbours in graph) < rounds:
            return False
        return self._remember(graph, rounds, lambda rest: self._reachable(rest, rounds - 1), any_round=True)

    def _certain(self, graph: Graph, rounds: int) -> bool:
        if rounds == 0 or certain_by_degree(graph, rounds):
            return True
        if min(neighbours.bit_count() for neighbours in graph) < rounds:
            return False
        return self._remember(graph, rounds, lambda rest: self._certain(rest, rounds - 1), any_round=False)

    def _remember(self, graph: Graph, rounds: int, follow: Callable[[Graph], bool], any_round: bool) -> bool:
        """Whether some round, or every one and at least one, leaves a graph that `follow` accepts."""
        key = (graph, rounds)
        if key not in self.known:
            answers = (follow(rest) for rest in self._after_each_round(graph))
            self.known[key] = any(answers) if any_round else self._every(answers)
        return self.known[key]

    def _every(self, answers: Iterator[bool]) -> bool:
        first = next(answers, False)
        return first and all(answers)

    def _after_each_round(self, graph: Graph) -> Iterator[Graph]:
        """What is left of the graph after each legal round."""
        for pairs in self._rounds(graph, (1 << len(graph)) - 1):
            rest = list(graph)
            for a, b in pairs:
                rest[a] &= ~(1 << b)
                rest[b] &= ~(1 << a)
            yield tuple(rest)

    def _rounds(self, graph: Graph, free: int) -> Iterator[list[tuple[int, int]]]:
        """Every way to pair the free chairs; whoever has the fewest rivals first, so that a dead end shows early."""
        self.left -= 1
        if self.left < 0:
            raise _Spent
        if not free:
            yield []
            return
        chair = min(_bits(free), key=lambda one: (graph[one] & free).bit_count())
        for other in _bits(graph[chair] & free):
            for pairs in self._rounds(graph, free & ~(1 << chair) & ~(1 << other)):
                yield [(chair, other), *pairs]


def _bits(number: int) -> Iterator[int]:
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low
