"""The rounds still to come as a question about a graph (TOURNAMENT_RULES 3): chairs, and who may still meet whom.

A legal round is a perfect matching of the graph, and a course of k rounds takes k of them that share no edge. Two
questions: is there a course of so many rounds, and does every shorter course leave a round after it?

The second one by Tutte: a graph has no perfect matching exactly if, without some s chairs, the others can be put into
s + 2 parts of odd size with no edge between two parts. So a danger is a choice of s chairs and of parts, and a course
that uses up every edge between the parts. Where rounds are few such edges must be few at every chair, and most choices
are out at a glance.

Searches end within a budget of steps, so that the answer is the same on every machine. With up to eight chairs it is
never used up.
"""

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import combinations

from tournaments.swiss.rounds import may_lack_pairing

BUDGET = 20_000
"""Steps of the searches for one verdict; about a tenth of a second."""
LARGEST_GAME, LARGEST_SEARCH = 12, 64
"""Chairs up to which dangers are looked for, and up to which one good course is; beyond, degrees decide, and nearly
always they do."""

Graph = tuple[int, ...]
"""Of each chair, the others that it may still meet, as bits."""

Pairs = list[tuple[int, int]]


class Verdict(StrEnum):
    CERTAIN = "certain"
    POSSIBLE = "possible"
    IMPOSSIBLE = "impossible"


Judgement = tuple[Verdict, bool]
"""The verdict, and whether it is proven: of `possible`, that a course was found."""


@lru_cache(maxsize=512)
def judge(graph: Graph, rounds: int) -> Judgement:
    """The verdict on that many rounds."""
    return judge_within(Search(BUDGET), graph, rounds)


def judge_within(search: "Search", graph: Graph, rounds: int) -> Judgement:
    if rounds <= 0 or certain_by_degree(graph, rounds):
        return Verdict.CERTAIN, True
    if not graph or min(neighbours.bit_count() for neighbours in graph) < rounds:
        return Verdict.IMPOSSIBLE, True
    if len(graph) > LARGEST_SEARCH:
        return Verdict.POSSIBLE, False
    reachable = search.reachable(graph, rounds)
    if reachable is False:
        return Verdict.IMPOSSIBLE, True
    if reachable and len(graph) <= LARGEST_GAME and search.endangered(graph, rounds) is False:
        return Verdict.CERTAIN, True
    return Verdict.POSSIBLE, bool(reachable)


@lru_cache(maxsize=512)
def judge_after(first: Graph, playing: int, graph: Graph, rounds: int) -> Judgement:
    """The verdict when the next round is one of the chairs `playing`, as bits, by `first`, and the others by `graph`.

    Whoever rests in it keeps his rivals, so every next round there is has its own answer.
    """
    if rounds <= 0 or _certain_after(first, playing, graph, rounds):
        return Verdict.CERTAIN, True
    if len(first) > LARGEST_SEARCH:
        return Verdict.POSSIBLE, False
    search, found = Search(2 * BUDGET), set[Judgement]()
    try:
        for pairs in search.next_rounds(first, playing):
            found.add(judge_within(search, _without(graph, pairs), rounds - 1))
    except OutOfSteps:
        found.add((Verdict.POSSIBLE, False))
    return _joined(found)


def _certain_after(first: Graph, playing: int, graph: Graph, rounds: int) -> bool:
    """By Dirac, now and before the last round."""
    least = min((first[chair].bit_count() for chair in bits(playing)), default=0)
    return 2 * least >= playing.bit_count() and many_left(graph, rounds)


def _joined(found: set[Judgement]) -> Judgement:
    """Of all next rounds together; there may be none."""
    verdicts = {verdict for verdict, _ in found}
    if not verdicts:
        return Verdict.IMPOSSIBLE, True
    if len(verdicts) == 1 and Verdict.POSSIBLE not in verdicts:
        return verdicts.pop(), True
    return Verdict.POSSIBLE, any(proven for verdict, proven in found if verdict != Verdict.IMPOSSIBLE)


def certain_by_degree(graph: Graph, rounds: int) -> bool:
    """A round takes one rival from everybody: so many are left before the last one, and that is enough.

    While all have as many rivals left it is enough where the smallest regular graphs without a full pairing are larger.
    """
    if many_left(graph, rounds):
        return True
    degrees = {neighbours.bit_count() for neighbours in graph}
    if len(degrees) != 1 or min(degrees) < rounds:
        return False
    return not any(may_lack_pairing(len(graph), min(degrees) - played) for played in range(rounds))


def many_left(graph: Graph, rounds: int) -> bool:
    """By Dirac: before the last round every chair still sees half of them."""
    return bool(graph) and 2 * (min(map(int.bit_count, graph)) - rounds + 1) >= len(graph)


class OutOfSteps(Exception):
    """The budget is used up."""


class Search:
    """Both questions to the end, or until the budget is spent: then None."""

    def __init__(self, budget: int) -> None:
        self.left = budget
        self.known: dict[tuple[Graph, Graph, int], bool] = {}

    def reachable(self, graph: Graph, rounds: int) -> bool | None:
        """Whether there is a course of so many rounds."""
        return self._within_budget(lambda: self._uses(graph, (0,) * len(graph), rounds))

    def endangered(self, graph: Graph, rounds: int) -> bool | None:
        """Whether some course of fewer rounds leaves no round after it."""
        return self._within_budget(lambda: self._endangered(graph, rounds))

    def _within_budget(self, question: Callable[[], bool]) -> bool | None:
        try:
            return question()
        except OutOfSteps:
            return None

    def _step(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise OutOfSteps

    # -- dangers --
    def _endangered(self, graph: Graph, rounds: int) -> bool:
        for bridges in self._dangers(graph, rounds - 1):
            least = max(map(int.bit_count, bridges))
            if any(self._uses(graph, bridges, fewer) for fewer in range(least, rounds)):
                return True
        return False

    def _dangers(self, graph: Graph, most: int) -> Iterator[Graph]:
        """The edges between the parts, of every choice that has at most so many at each chair."""
        chairs = range(len(graph))
        for size in range(len(graph) // 2):
            for removed in combinations(chairs, size):
                rest = _all(graph) - sum(1 << chair for chair in removed)
                inside = [neighbours & rest for neighbours in graph]
                smallest_part = min(max(1, inside[chair].bit_count() + 1 - most) for chair in bits(rest))
                if (size + 2) * smallest_part <= len(graph) - size:
                    order = sorted(bits(rest), key=lambda chair: -inside[chair].bit_count())
                    for parts in self._parts(inside, order, [], [most] * len(graph), size + 2):
                        yield _between(inside, parts)

    def _parts(
        self, inside: list[int], order: Sequence[int], parts: list[int], room: list[int], count: int
    ) -> Iterator[list[int]]:
        """Chairs put into so many odd parts one by one; `room`: how many edges to other parts each may still have."""
        self._step()
        if not order:
            if all(part.bit_count() % 2 for part in parts):
                yield parts
            return
        chair, *rest = order
        for into in range(len(parts) + (len(parts) < count)):
            filled = [*parts, *[0] * (into == len(parts))]
            across = list(bits(inside[chair] & (sum(parts) - filled[into])))
            if len(rest) < count - len(filled) or room[chair] < len(across) or not all(room[one] for one in across):
                continue
            filled[into] |= 1 << chair
            less = room.copy()
            less[chair] -= len(across)
            for one in across:
                less[one] -= 1
            yield from self._parts(inside, rest, filled, less, count)

    # -- courses --
    def _uses(self, graph: Graph, must: Graph, rounds: int) -> bool:
        """Whether there is a course of so many rounds that uses every edge of `must`."""
        settled = _settled(list(graph), list(must), rounds)
        if settled is None or rounds == 0:
            return settled is not None
        if not any(settled[1]) and certain_by_degree(settled[0], rounds):
            return True
        key = (*settled, rounds)
        if key not in self.known:
            self.known[key] = self._one_by_one(*key)
        return self.known[key]

    def _one_by_one(self, graph: Graph, must: Graph, rounds: int) -> bool:
        """Some round has the first edge that must be used: that one first, for the order of rounds does not matter."""
        first = next(((chair, next(bits(some))) for chair, some in enumerate(must) if some), None)
        taken = 0 if first is None else 1 << first[0] | 1 << first[1]
        for others in self.next_rounds(graph, _all(graph) & ~taken):
            pairs = others if first is None else [first, *others]
            if self._uses(_without(graph, pairs), _without(must, pairs), rounds - 1):
                return True
        return False

    def next_rounds(self, graph: Graph, free: int) -> Iterator[Pairs]:
        """Every way to pair the free chairs; whoever has the fewest rivals first, so that a dead end shows early."""
        self._step()
        if not free:
            yield []
            return
        chair = min(bits(free), key=lambda one: (graph[one] & free).bit_count())
        for other in bits(graph[chair] & free):
            for pairs in self.next_rounds(graph, free & ~(1 << chair) & ~(1 << other)):
                yield [(chair, other), *pairs]


def _settled(may: list[int], must: list[int], rounds: int) -> tuple[Graph, Graph] | None:
    """What follows for a course of so many rounds: who has no more rivals meets them all, and who must meet so many
    meets nobody else. None when somebody has too few, or must meet too many."""
    again = True
    while again:
        again = False
        for chair in range(len(may)):
            rivals, due = may[chair].bit_count(), must[chair].bit_count()
            if rivals < rounds or due > rounds:
                return None
            if rivals == due:
                continue
            if rivals == rounds:
                _link(must, chair, may[chair] & ~must[chair])
                again = True
            elif due == rounds:
                _unlink(may, chair, may[chair] & ~must[chair])
                again = True
    return tuple(may), tuple(must)


def _link(graph: list[int], chair: int, others: int) -> None:
    graph[chair] |= others
    for other in bits(others):
        graph[other] |= 1 << chair


def _unlink(graph: list[int], chair: int, others: int) -> None:
    graph[chair] &= ~others
    for other in bits(others):
        graph[other] &= ~(1 << chair)


def _without(graph: Graph, pairs: Pairs) -> Graph:
    """What a round leaves; chairs that only that round has are none of the graph's."""
    left = list(graph)
    for a, b in pairs:
        if max(a, b) < len(left):
            _unlink(left, a, 1 << b)
    return tuple(left)


def _between(graph: Sequence[int], parts: Sequence[int]) -> Graph:
    """The edges between different parts, which are all that the graph has."""
    own = [0] * len(graph)
    for part in parts:
        for chair in bits(part):
            own[chair] = part
    return tuple(neighbours & ~own[chair] if own[chair] else 0 for chair, neighbours in enumerate(graph))


def _all(graph: Graph) -> int:
    return (1 << len(graph)) - 1


def bits(number: int) -> Iterator[int]:
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low
