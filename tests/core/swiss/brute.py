"""The pairing rules 4.1 once more, written apart from the engine: every round there is, judged one by one.

Nothing of the engine is used but its types; points, byes and floats are counted here again, from the match list.
"""

from collections.abc import Iterator

from tournaments.swiss.types import Match, Outcome, PlayerId, Tournament

Pairs = list[tuple[PlayerId, PlayerId]]
Round = tuple[Pairs, PlayerId | None]


def every_round(players: list[PlayerId]) -> Iterator[Round]:
    if len(players) % 2:
        for bye in players:
            for pairs in every_matching([player for player in players if player != bye]):
                yield pairs, bye
    else:
        for pairs in every_matching(players):
            yield pairs, None


def every_matching(players: list[PlayerId]) -> Iterator[list[tuple[PlayerId, PlayerId]]]:
    if not players:
        yield []
        return
    first, rest = players[0], players[1:]
    for i, other in enumerate(rest):
        for pairs in every_matching(rest[:i] + rest[i + 1 :]):
            yield [(first, other), *pairs]


def scored(match: Match, player: PlayerId) -> int:
    if match.outcome in (Outcome.WIN, Outcome.FORFEIT):
        return 3 if match.winner == player else 0
    return {Outcome.DRAW: 1, Outcome.INTENTIONAL_DRAW: 1, Outcome.BYE: 3}.get(match.outcome, 0) if match.outcome else 0


class Judge:
    """Everything about the past that 4.1 looks at, for the round after `before - 1`."""

    def __init__(self, tournament: Tournament, round: int) -> None:
        self.tournament = tournament
        past = sorted((match for match in tournament.matches if match.round < round), key=lambda match: match.round)
        self.points = {entrant.id: 0 for entrant in tournament.entrants}
        self.byes = dict(self.points)
        self.met: dict[frozenset[PlayerId], list[int]] = {}
        self.down: set[PlayerId] = set()
        self.up: set[PlayerId] = set()
        for number in range(1, round):
            self.play([match for match in past if match.round == number])
        self.active = [
            entrant.id
            for entrant in tournament.entrants
            if not entrant.disqualified
            and entrant.first_round <= round
            and (entrant.last_round is None or entrant.last_round >= round)
        ]
        self.assigned = [player for player in self.active if player in tournament.assigned_byes]
        self.playing = [player for player in self.active if player not in tournament.assigned_byes]
        self.team = {entrant.id: entrant.team for entrant in tournament.entrants}
        self.separated = {frozenset(pair) for pair in tournament.separations}

    def play(self, matches: list[Match]) -> None:
        before = dict(self.points)
        for match in matches:
            if match.b is not None and match.outcome is not Outcome.NOT_PLAYED:
                self.met.setdefault(frozenset((match.a, match.b)), []).append(match.round)
                for high, low in ((match.a, match.b), (match.b, match.a)):
                    if before[high] > before[low]:
                        self.down.add(high)
                        self.up.add(low)
            for player in (match.a, match.b):
                if player is not None:
                    self.points[player] += scored(match, player)
                    self.byes[player] += match.outcome is Outcome.BYE
                    self.byes[player] += match.outcome is Outcome.FORFEIT and match.winner == player

    def legal(self, pairs: list[tuple[PlayerId, PlayerId]]) -> bool:
        return not any(frozenset(pair) in self.separated for pair in pairs)

    def cost(self, pairs: list[tuple[PlayerId, PlayerId]], bye: PlayerId | None) -> tuple[int, ...]:
        rematches = recency = gap = squared = downs = ups = mates = 0
        for a, b in pairs:
            meetings = self.met.get(frozenset((a, b)), [])
            rematches += len(meetings)
            recency += max(meetings, default=0)
            high, low = (a, b) if self.points[a] > self.points[b] else (b, a)
            difference = self.points[high] - self.points[low]
            gap += difference
            squared += difference**2
            downs += difference > 0 and high in self.down
            ups += difference > 0 and low in self.up
            mates += self.tournament.separate_teams and self.team[a] is not None and self.team[a] == self.team[b]
        repeat = self.byes[bye] if bye else 0
        above = self.points[bye] - min(self.points[player] for player in self.active) if bye else 0
        return repeat, rematches, recency, above, gap, squared, downs, ups, mates

    def apart(self, pairs: list[tuple[PlayerId, PlayerId]], places: dict[PlayerId, int]) -> int:
        """What "by standings" minimises inside all of that (4.1.8)."""
        return sum(abs(places[a] - places[b]) for a, b in pairs if self.points[a] == self.points[b])
