"""Events to measure: played with the engine, so that what is paired looks as it does in a hall."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tournaments.swiss.field import Field, field_of
from tournaments.swiss.history import History, history_before
from tournaments.swiss.search import best_pairing
from tournaments.swiss.types import Entrant, Games, Match, Outcome, PlayerId, Rules, Tournament


@dataclass(frozen=True, slots=True)
class Round:
    """An event before one of its rounds, and who plays it."""

    tournament: Tournament
    number: int
    history: History
    playing: list[PlayerId]

    @property
    def seed(self) -> str:
        """Every round draws its own lots."""
        return f"{self.tournament.id}, round {self.number}"


def played(players: int, rounds: int, draws: float, drops: float = 0.03) -> Iterator[Round]:
    """Round after round of an event of so many, its results drawn from strengths; whoever loses may leave."""
    chance = random.Random(players)
    strength = {PlayerId(f"p{i}"): chance.gauss(0, 1) for i in range(players)}
    entrants = {player: Entrant(player) for player in strength}
    matches: list[Match] = []
    for number in range(1, rounds + 1):
        tournament = Tournament(f"bench-{players}", Rules(), tuple(entrants.values()), tuple(matches))
        playing = [entrant.id for entrant in entrants.values() if entrant.active_in(number)]
        if len(playing) < 2:
            return
        before = Round(tournament, number, history_before(tournament, number), playing)
        yield before
        pairs, bye = paired(field_before(before))
        matches += [result(a, b, number, chance, draws, strength) for a, b in pairs]
        matches += [] if bye is None else [Match(number, bye, None, Outcome.BYE)]
        for player in playing:
            if chance.random() < drops:
                entrants[player] = replace(entrants[player], last_round=number)


def field_before(before: Round) -> Field:
    return field_of(before.tournament, before.history, before.playing, before.seed)


def paired(field: Field) -> tuple[list[tuple[PlayerId, PlayerId]], PlayerId | None]:
    """The engine alone: no standings, tables or notes."""
    found = best_pairing(field)
    assert found is not None
    return field.named(found)


def result(
    a: PlayerId, b: PlayerId, round: int, chance: random.Random, draws: float, strength: dict[PlayerId, float]
) -> Match:
    if chance.random() < draws:
        return Match(round, a, b, Outcome.DRAW, None, Games(1, 1, 1))
    better = strength[a] - strength[b] + chance.gauss(0, 1)
    winner = a if better > 0 else b
    return Match(round, a, b, Outcome.WIN, winner, Games(2, 0) if winner == a else Games(0, 2))
