"""What earlier rounds mean for the next one: points, byes, meetings and floats, from the match list alone (2.1)."""

from collections import defaultdict
from dataclasses import dataclass
from typing import NamedTuple

from tournaments.swiss.scoring import had_bye, is_meeting, points_of
from tournaments.swiss.types import Match, PlayerId, Tournament

Pair = tuple[PlayerId, PlayerId]


class Meeting(NamedTuple):
    """How often two have met, and in which round the last time."""

    times: int
    last: int


NEVER = Meeting(0, 0)


def pair_key(a: PlayerId, b: PlayerId) -> Pair:
    return (a, b) if a < b else (b, a)


@dataclass(frozen=True, slots=True)
class History:
    """The state before a round. `downs` were paired down before, `ups` were paired up (4.1.6), as results stand now."""

    points: dict[PlayerId, int]
    byes: dict[PlayerId, int]
    meetings: dict[Pair, Meeting]
    downs: frozenset[PlayerId]
    ups: frozenset[PlayerId]

    def meeting(self, a: PlayerId, b: PlayerId) -> Meeting:
        return self.meetings.get(pair_key(a, b), NEVER)


def history_before(tournament: Tournament, round: int) -> History:
    points: dict[PlayerId, int] = defaultdict(int, {entrant.id: 0 for entrant in tournament.entrants})
    byes: dict[PlayerId, int] = defaultdict(int)
    meetings: dict[Pair, Meeting] = {}
    downs: set[PlayerId] = set()
    ups: set[PlayerId] = set()
    for _, matches in _by_round(tournament, round):
        for match in matches:
            if match.b is None or not is_meeting(match):
                continue
            key = pair_key(match.a, match.b)
            meetings[key] = Meeting(meetings.get(key, NEVER).times + 1, match.round)
            if points[match.a] != points[match.b]:
                low, high = sorted((match.a, match.b), key=lambda player: points[player])
                downs.add(high)
                ups.add(low)
        for match in matches:
            for player in match.players:
                points[player] += points_of(match, player, tournament.rules)
                byes[player] += had_bye(match, player)
    return History(points, byes, meetings, frozenset(downs), frozenset(ups))


def _by_round(tournament: Tournament, before: int) -> list[tuple[int, list[Match]]]:
    rounds: dict[int, list[Match]] = defaultdict(list)
    for match in tournament.matches:
        if match.round < before:
            rounds[match.round].append(match)
    return sorted(rounds.items())
