"""The ledger of an event: what each player took from each match up to a round, from the match list alone (2.1)."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, NamedTuple

from tournaments.swiss.pods.scoring import pod_outcome, pod_points
from tournaments.swiss.scoring import (
    counts_opponent,
    counts_round,
    games_of,
    outcome_for,
    points_of,
)
from tournaments.swiss.types import POD_POINTS, Entrant, Match, Outcome, PlayerId, Pod, Rules, Tournament

GAME_WIN = 3
"""Game points: 3 for a game won (2.2); what a drawn one gives is the switch `drawn_game_points`."""

NO_GAMES = (0, 0, 0)


class Tally(NamedTuple):
    """A player's numbers up to a round: the two fractions MW% and GW% before any floor."""

    points: int
    rounds: int
    game_points: int
    games: int


class Entry(NamedTuple):
    """One round as one player lived it. `opponent` None: nobody counts as an opponent (1.1).

    `outcome` None: his table has not reported yet; only `Ledger.rounds_of` has such entries.
    """

    round: int
    opponent: PlayerId | None
    outcome: Outcome | None
    points: int
    counts: bool
    games: tuple[int, int, int] | None

    @property
    def sat_out(self) -> bool:
        """He met nobody and had no bye: assigned losses, a late entry's or a dropped player's rounds, no result."""
        return self.opponent is None and self.outcome not in (Outcome.BYE, None)


@dataclass(slots=True)
class Ledger:
    """Every tie-break reads this; `entries` are the reported matches, in order of round; `pods` the tables of several.

    One match of unknown games takes every key that counts games from the whole event: a mixed order would be no order
    (2.2). `pending`: (player, round) of tables that have not reported. `memo` keeps what many players ask for.
    """

    tournament: Tournament
    after: int
    entries: dict[PlayerId, list[Entry]]
    games_known: bool
    pending: frozenset[tuple[PlayerId, int]]
    entrants: dict[PlayerId, Entrant]
    pods: dict[PlayerId, list[Pod]] = field(default_factory=dict)
    memo: dict[tuple[Any, ...], Any] = field(default_factory=dict)

    def end_of(self, player: PlayerId) -> int:
        """The round at which this player's numbers stop, his opponents' included (2.2, `freeze`)."""
        freeze = self.tournament.rules.switches.freeze
        if not freeze:
            return self.after
        last = max((entry.round for entry in self.entries[player] if entry.counts), default=0)
        return min((end for end in (*freeze, self.after) if end >= last), default=self.after)

    def opponents(self, player: PlayerId, end: int) -> list[Entry]:
        """Matches up to round `end` that count an opponent; under `unique` a rematched opponent counts once."""
        key = ("opponents", player, end)
        if key not in self.memo:
            self.memo[key] = self._opponents(player, end)
        found: list[Entry] = self.memo[key]
        return found

    def _opponents(self, player: PlayerId, end: int) -> list[Entry]:
        own = self.entries.get(player, [])
        faced = [entry for entry in own if entry.opponent is not None and entry.round <= end]
        if self.tournament.rules.switches.opponents == "unique":
            return list({entry.opponent: entry for entry in reversed(faced)}.values())[::-1]
        return faced

    def rounds_of(self, player: PlayerId, end: int) -> list[Entry]:
        """One entry for each round from 1 to `end`, also for those in which he had no match or has no result yet."""
        own = {entry.round: entry for entry in self.entries.get(player, [])}
        return [own.get(round) or self._without_result(player, round) for round in range(1, end + 1)]

    def _without_result(self, player: PlayerId, round: int) -> Entry:
        outcome = None if (player, round) in self.pending else Outcome.NOT_PLAYED
        return Entry(round, None, outcome, 0, False, NO_GAMES)

    def left_before(self, player: PlayerId, end: int) -> bool:
        """Dropped or disqualified, and a round up to `end` was played without him.

        Whoever leaves when the last of those rounds is over took part in them all: his leaving moves nobody's
        numbers until there is another round (2.7).
        """
        entrant = self.entrants.get(player)
        return entrant is not None and entrant.last_round is not None and entrant.last_round < end

    def tally(self, player: PlayerId, end: int, *, byes: bool = True) -> Tally:
        """Numbers up to round `end`; without `byes`, as if the player's byes had not been."""
        key = ("tally", player, end, byes)
        if key not in self.memo:
            self.memo[key] = self._tally(player, end, byes)
        found: Tally = self.memo[key]
        return found

    def _tally(self, player: PlayerId, end: int, byes: bool) -> Tally:
        own = [entry for entry in self.entries.get(player, []) if entry.round <= end]
        kept = own if byes else [entry for entry in own if entry.outcome is not Outcome.BYE]
        switches = self.tournament.rules.switches
        games = [entry.games for entry in kept if entry.games is not None]
        missed = 0 if switches.mw_denominator == "played" else end - sum([entry.counts for entry in own])
        return Tally(
            points=sum([entry.points for entry in kept]),
            rounds=sum([entry.counts for entry in kept]) + missed,
            game_points=sum([GAME_WIN * won + switches.drawn_game_points * level for won, _, level in games]),
            games=sum([sum(game) for game in games]),
        )


def ledger_of(tournament: Tournament, after: int | None = None) -> Ledger:
    last = tournament.last_round if after is None else min(after, tournament.last_round)
    matches = [match for match in tournament.matches if match.round <= last]
    reported = [match for match in matches if match.outcome is not None]
    entries: dict[PlayerId, list[Entry]] = defaultdict(list)
    for match in sorted(reported, key=attrgetter("round")):
        _enter(entries, match, tournament.rules)
    pods = _pods(tournament, last, entries)
    for entrant in listed(tournament.entrants, entries, after):
        entries.setdefault(entrant.id, [])
    return Ledger(
        tournament,
        last,
        dict(entries),
        games_known=all(entry.games is not None for own in entries.values() for entry in own),
        pending=frozenset((player, m.round) for m in matches if m.outcome is None for player in m.players),
        entrants={entrant.id: entrant for entrant in tournament.entrants},
        pods=pods,
    )


def _pods(tournament: Tournament, last: int, entries: dict[PlayerId, list[Entry]]) -> dict[PlayerId, list[Pod]]:
    """The tables of several up to a round by who sat there; each becomes an entry without an opponent."""
    pods: dict[PlayerId, list[Pod]] = defaultdict(list)
    worth = tournament.rules.pods or POD_POINTS
    for pod in tournament.pods:
        if pod.round > last or pod.places is None:
            continue
        for player in pod.players:
            outcome, points = pod_outcome(pod, player), pod_points(pod, player, worth)
            entries[player].append(Entry(pod.round, None, outcome, points, pod.played, NO_GAMES))
            pods[player].append(pod)
    for player in pods:
        entries[player].sort(key=attrgetter("round"))
    return pods


def _enter(entries: dict[PlayerId, list[Entry]], match: Match, rules: Rules) -> None:
    """A reported match, for each of those who sat there."""
    met, took_part = counts_opponent(match), counts_round(match)
    for player in match.players:
        entries[player].append(
            Entry(
                match.round,
                match.opponent(player) if met else None,
                outcome_for(match, player),
                points_of(match, player, rules),
                took_part,
                games_of(match, player, rules),
            )
        )


def listed(entrants: Iterable[Entrant], entries: dict[PlayerId, list[Entry]], after: int | None) -> list[Entrant]:
    """Who stands in the standings: not who dropped before round 1 (5.1), nor a late entry before he enters."""
    return [
        entrant
        for entrant in entrants
        if entrant.id in entries or (entrant.participant and (after is None or entrant.first_round <= after + 1))
    ]
