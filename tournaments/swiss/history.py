"""What earlier rounds mean for the next one: points, byes, meetings and floats, from the match list alone (2.1)."""

from array import array
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from tournaments.swiss.scoring import OUTCOMES, Effect, award_points, wins_match
from tournaments.swiss.types import Match, Outcome, PlayerId, Tournament


class Meeting(NamedTuple):
    """How often two have met, and in which round the last time."""

    times: int
    last: int


NEVER = Meeting(0, 0)


def pair_key[T: (int, PlayerId)](a: T, b: T) -> tuple[T, T]:
    """The two in one order, whichever was named first."""
    return (a, b) if a < b else (b, a)


class Worth(NamedTuple):
    """What one outcome gives in this event: match points of winner and loser, and how it counts for pairing."""

    winner: int
    loser: int
    meeting: bool
    like_bye: bool


UNREPORTED = Worth(0, 0, meeting=True, like_bye=False)
"""Two who sit and have not reported have met."""


@dataclass(frozen=True)
class History:
    """The state before a round. `downs` were paired down before, `ups` were paired up (4.1.6), as results stand now.

    `players` are in order of their ids, and so are `points` and `byes`. `meetings` are three numbers each, the two
    players' positions and the round, oldest first: an array, so that no loop makes the field of ten thousand players.
    """

    players: tuple[PlayerId, ...]
    points: dict[PlayerId, int]
    byes: dict[PlayerId, int]
    downs: frozenset[PlayerId]
    ups: frozenset[PlayerId]
    meetings: array[int]

    @cached_property
    def number(self) -> dict[PlayerId, int]:
        return {player: i for i, player in enumerate(self.players)}

    @cached_property
    def _by_pair(self) -> dict[tuple[int, int], Meeting]:
        met: dict[tuple[int, int], Meeting] = {}
        for a, b, round in zip(self.meetings[0::3], self.meetings[1::3], self.meetings[2::3], strict=True):
            pair = pair_key(a, b)
            met[pair] = Meeting(met.get(pair, NEVER).times + 1, round)
        return met

    def meeting(self, a: PlayerId, b: PlayerId) -> Meeting:
        return self._by_pair.get(pair_key(self.number[a], self.number[b]), NEVER)


def history_before(tournament: Tournament, round: int) -> History:
    past = [match for match in tournament.matches if match.round < round]
    players = _players(tournament, past)
    number = {player: i for i, player in enumerate(players)}
    worth = _worth(tournament)
    points, byes = [0] * len(players), [0] * len(players)
    downs: set[int] = set()
    ups: set[int] = set()
    meetings = array("q")
    for matches in _by_round(past):
        for match in matches:
            if match.b is None or not worth[match.outcome].meeting:
                continue
            a, b = number[match.a], number[match.b]
            meetings.extend((a, b, match.round))
            if points[a] != points[b]:
                downs.add(a if points[a] > points[b] else b)
                ups.add(b if points[a] > points[b] else a)
        for match in matches:
            value = worth[match.outcome]
            for player in match.players:
                won = wins_match(match, player)
                points[number[player]] += value.winner if won else value.loser
                byes[number[player]] += won and value.like_bye
    return History(
        players,
        dict(zip(players, points, strict=True)),
        dict(zip(players, byes, strict=True)),
        frozenset(players[i] for i in downs),
        frozenset(players[i] for i in ups),
        meetings,
    )


def _players(tournament: Tournament, matches: Iterable[Match]) -> tuple[PlayerId, ...]:
    seen = {entrant.id for entrant in tournament.entrants}
    for match in matches:
        seen.update(match.players)
    return tuple(sorted(seen))


def _worth(tournament: Tournament) -> dict[Outcome | None, Worth]:
    def of(effect: Effect) -> Worth:
        points = tournament.rules.points
        winner, loser = award_points(effect.winner, points), award_points(effect.loser, points)
        return Worth(winner, loser, effect.meeting, effect.like_bye)

    return {None: UNREPORTED, **{outcome: of(effect) for outcome, effect in OUTCOMES.items()}}


def _by_round(matches: Iterable[Match]) -> list[list[Match]]:
    rounds: dict[int, list[Match]] = defaultdict(list)
    for match in matches:
        rounds[match.round].append(match)
    return [rounds[number] for number in sorted(rounds)]
