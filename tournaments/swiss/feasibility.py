"""Whether the rounds that are left can all be legal (TOURNAMENT_RULES 3): nobody meets twice, nobody has a second bye.

Of `rounds` rounds that are left

    certain     whatever is paired, every one of them can be legal
    possible    they can, but a round that looks as good as another may leave a later one without a legal pairing
    impossible  no such rounds exist

Everybody has a chair; when they are odd an empty one is among them, and may meet whoever has had no bye. What follows
for the graph of those who may still meet is decided in `courses.py`. Whoever has an assigned bye rests in the next
round, which has an empty chair of its own when the others are odd.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations

from tournaments.swiss.courses import Graph, Judgement, Verdict, judge, judge_after
from tournaments.swiss.history import History, history_before
from tournaments.swiss.types import PlayerId, Tournament

__all__ = ["Outlook", "Short", "Verdict", "outlook", "outlook_of_new"]


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
    resting = frozenset(tournament.assigned_byes).intersection(players if rounds else ())
    field = Field(tournament, history_before(tournament, played + 1), players, resting)
    if field.certain_at_a_glance(rounds):
        return Outlook(Verdict.CERTAIN, True, len(players), played, rounds, rounds, rounds)
    return _outlook(field.judge, field.short(rounds), len(players), played, rounds)


def outlook_of_new(players: int, planned: int) -> Outlook:
    """Before round 1, of that many players without any separation."""
    chairs = players + players % 2
    everybody = (1 << chairs) - 1
    graph = tuple(everybody & ~(1 << chair) for chair in range(chairs))
    names = [PlayerId(str(number)) for number in range(players)]
    short = [Short(name, chairs - 1) for name in [*names, *([None] * (chairs - players))] if chairs - 1 < planned]
    return _outlook(partial(judge, graph), short, players, 0, planned)


def _outlook(judged: Callable[[int], Judgement], short: list[Short], players: int, played: int, rounds: int) -> Outlook:
    verdict, proven = judged(rounds)
    safe = next(left for left in range(rounds, -1, -1) if judged(left)[0] == Verdict.CERTAIN)
    reachable = next(left for left in range(rounds, safe - 1, -1) if judged(left)[0] != Verdict.IMPOSSIBLE)
    least_first = sorted(short, key=lambda one: (one.left, one.player is None, one.player or ""))
    return Outlook(verdict, proven, players, played, rounds, safe, reachable, tuple(least_first))


@dataclass(frozen=True)
class Field:
    """Who plays on, and who of them has an assigned bye in the next round. The empty chair is the last one."""

    tournament: Tournament
    history: History
    players: list[PlayerId]
    resting: frozenset[PlayerId]

    def judge(self, rounds: int) -> Judgement:
        if not self.resting:
            return judge(self.graph, rounds)
        playing = sum(1 << chair for chair, player in enumerate(self.players) if player not in self.resting)
        if playing.bit_count() % 2:
            playing |= 1 << len(self.players)
        return judge_after(self.next_graph, playing, self.graph, rounds)

    @cached_property
    def graph(self) -> Graph:
        """Who may meet whom in the rounds that everybody plays."""
        return self._graph(self.players)

    @cached_property
    def next_graph(self) -> Graph:
        """The same in the next round, which some rest in."""
        return self._graph([player for player in self.players if player not in self.resting])

    def _graph(self, playing: Sequence[PlayerId]) -> Graph:
        """Among those (4.1.1, 4.1.3), and with the empty chair if they are odd (4.1.2): once for everybody."""
        chair = {player: number for number, player in enumerate(self.players)}
        barred = {frozenset(pair) for pair in self.tournament.separations}
        graph = [0] * (len(self.players) + len(playing) % 2)
        for one, other in combinations(playing, 2):
            if not self.history.meeting(one, other).times and frozenset((one, other)) not in barred:
                graph[chair[one]] |= 1 << chair[other]
                graph[chair[other]] |= 1 << chair[one]
        for player in self._byeless if len(playing) % 2 else ():
            graph[chair[player]] |= 1 << len(self.players)
            graph[-1] |= 1 << chair[player]
        return tuple(graph)

    @cached_property
    def _byeless(self) -> list[PlayerId]:
        """Who has had no bye and has none now."""
        return [p for p in self.players if not self.history.byes.get(p, 0) and p not in self.resting]

    def certain_at_a_glance(self, rounds: int) -> bool:
        """For the many: Dirac's bound with a count of rivals that nobody falls below, without asking pair by pair."""
        everybody, now = len(self.players), len(self.players) - len(self.resting)
        if self.resting and 2 * self._fewest_rivals(now) < now + now % 2:
            return False
        return everybody > 0 and 2 * (self._fewest_rivals(everybody) - rounds + 1) >= everybody + everybody % 2

    def _fewest_rivals(self, players: int) -> int:
        """Of so many in a round: one played costs nobody more than a rival and, by a forfeit, the bye."""
        barred = Counter(player for pair in self.tournament.separations for player in pair)
        least = players + players % 2 - 1 - 2 * self.tournament.last_round - max(barred.values(), default=0)
        return min(least, len(self._byeless)) if players % 2 else least

    def short(self, rounds: int) -> list[Short]:
        """Who has fewer rivals left than rounds to play."""
        found = [
            Short(player, rivals.bit_count())
            for player, rivals in zip(self.players, self.graph, strict=False)
            if rivals.bit_count() < rounds - (player in self.resting)
        ]
        byes = rounds * (len(self.players) % 2)
        if self.resting and rounds:
            byes += (len(self.players) - len(self.resting)) % 2 - len(self.players) % 2
        return [*found, Short(None, len(self._byeless))] if len(self._byeless) < byes else found
