"""The ledger of an event: what each player took from each match up to a round, from the match list alone (2.1)."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from tournaments.swiss.scoring import (
    counts_opponent,
    counts_round,
    games_of,
    outcome_for,
    points_of,
)
from tournaments.swiss.types import Entrant, Match, Outcome, PlayerId, Tournament

GAME_WIN = 3
"""Game points: 3 for a game won (2.2); what a drawn one gives is the switch `drawn_game_points`."""


class Tally(NamedTuple):
    """A player's numbers up to a round: the two fractions MW% and GW% before any floor."""

    points: int
    rounds: int
    game_points: int
    games: int


class Entry(NamedTuple):
    """One reported match as one of its players lived it. `opponent` None: nobody counts as an opponent (1.1)."""

    round: int
    opponent: PlayerId | None
    outcome: Outcome
    points: int
    counts: bool
    games: tuple[int, int, int] | None


@dataclass(slots=True)
class Ledger:
    """Every tie-break reads this; `entries` are in order of round.

    One match of unknown games takes GW% and OGW% from the whole event: a mixed order would be no order (2.2).
    """

    tournament: Tournament
    after: int
    entries: dict[PlayerId, list[Entry]]
    games_known: bool
    tallies: dict[tuple[PlayerId, int, bool], Tally] = field(default_factory=dict)

    def end_of(self, player: PlayerId) -> int:
        """The round at which this player's numbers stop, his opponents' included (2.2, `freeze`)."""
        last = max((entry.round for entry in self.entries[player] if entry.counts), default=0)
        return min((end for end in self.tournament.rules.switches.freeze if end >= last), default=self.after)

    def opponents(self, player: PlayerId) -> list[Entry]:
        """Matches that count an opponent; under `unique` a rematched opponent counts once."""
        faced = [entry for entry in self.entries[player] if entry.opponent is not None]
        if self.tournament.rules.switches.opponents == "unique":
            return list({entry.opponent: entry for entry in reversed(faced)}.values())[::-1]
        return faced

    def tally(self, player: PlayerId, end: int, *, byes: bool = True) -> Tally:
        """Numbers up to round `end`; without `byes`, as if the player's byes had not been."""
        key = (player, end, byes)
        if key not in self.tallies:
            self.tallies[key] = self._tally(player, end, byes)
        return self.tallies[key]

    def _tally(self, player: PlayerId, end: int, byes: bool) -> Tally:
        own = self.entries.get(player, [])
        kept = [entry for entry in own if entry.round <= end and (byes or entry.outcome is not Outcome.BYE)]
        played = sum(entry.counts for entry in kept)
        games = [entry.games for entry in kept if entry.games is not None]
        drawn = self.tournament.rules.switches.drawn_game_points
        return Tally(
            points=sum(entry.points for entry in kept),
            rounds=played if self.tournament.rules.switches.mw_denominator == "played" else min(end, self.after),
            game_points=sum(GAME_WIN * won + drawn * level for won, _, level in games),
            games=sum(sum(game) for game in games),
        )


def ledger_of(tournament: Tournament, after: int | None = None) -> Ledger:
    last = tournament.last_round if after is None else min(after, tournament.last_round)
    reported = [match for match in tournament.matches if match.round <= last and match.outcome is not None]
    entries: dict[PlayerId, list[Entry]] = defaultdict(list)
    for match in sorted(reported, key=lambda match: (match.round, match.a)):
        for player in match.players:
            entries[player].append(_entry(match, player, tournament))
    for entrant in listed(tournament.entrants, entries, after):
        entries.setdefault(entrant.id, [])
    known = all(entry.games is not None for own in entries.values() for entry in own)
    return Ledger(tournament, last, dict(entries), known)


def _entry(match: Match, player: PlayerId, tournament: Tournament) -> Entry:
    outcome = outcome_for(match, player)
    assert outcome is not None
    return Entry(
        round=match.round,
        opponent=match.opponent(player) if counts_opponent(match) else None,
        outcome=outcome,
        points=points_of(match, player, tournament.rules),
        counts=counts_round(match),
        games=games_of(match, player, tournament.rules),
    )


def listed(entrants: Iterable[Entrant], entries: dict[PlayerId, list[Entry]], after: int | None) -> list[Entrant]:
    """Who stands in the standings: not who dropped before round 1 (5.1), nor a late entry before he enters."""
    return [
        entrant
        for entrant in entrants
        if entrant.id in entries or (entrant.participant and (after is None or entrant.first_round <= after + 1))
    ]
