"""Random events: any history, however silly, and events as they are really played."""

import random
from collections.abc import Iterator
from dataclasses import replace

from tournaments.swiss.pairing import Pairing, pair_round
from tournaments.swiss.types import Entrant, Games, Match, Outcome, PlayerId, Rules, Tournament

DECIDED = (Outcome.WIN, Outcome.FORFEIT)
KINDS = (
    [Outcome.WIN] * 10
    + [Outcome.DRAW] * 3
    + [Outcome.INTENTIONAL_DRAW, Outcome.DOUBLE_LOSS, Outcome.FORFEIT, Outcome.NOT_PLAYED, None]
)


def wild_event(seed: int, most: int = 9) -> Tournament:
    """2 to `most` players with an arbitrary past: rematches, byes by the dozen, drops, late entries, separations."""
    chance = random.Random(seed)
    ids = [PlayerId(f"p{i}") for i in range(chance.randint(2, most))]
    rounds = chance.randint(0, len(ids) + 1)
    matches = [one for round in range(1, rounds + 1) for one in _wild_round(ids, round, chance)]
    few = chance.random() < 0.3
    return Tournament(
        id=f"wild-{seed}",
        rules=Rules(),
        entrants=tuple(_wild_entrant(player, rounds, chance) for player in ids),
        matches=tuple(matches),
        separations=tuple((a, b) for a in ids for b in ids if a < b and few and chance.random() < 0.15),
        assigned_byes=tuple(player for player in ids if few and chance.random() < 0.15),
        separate_teams=chance.random() < 0.5,
    )


def _wild_round(ids: list[PlayerId], round: int, chance: random.Random) -> Iterator[Match]:
    order = chance.sample(ids, len(ids))
    while order:
        a = order.pop()
        if not order or chance.random() < 0.1:
            yield Match(round, a, None, chance.choice([Outcome.BYE, Outcome.BYE, Outcome.UNPAIRED_LOSS]))
            continue
        b, outcome = order.pop(), chance.choice(KINDS)
        yield Match(round, a, b, outcome, chance.choice([a, b]) if outcome in DECIDED else None)


def _wild_entrant(player: PlayerId, rounds: int, chance: random.Random) -> Entrant:
    return Entrant(
        player,
        first_round=chance.choice([1] * 8 + [rounds + 1, rounds + 2]),
        last_round=chance.choice([None] * 8 + [0, rounds]),
        team=chance.choice([None, "red", "blue", "green"]),
        disqualified=chance.random() < 0.03,
    )


def played_event(
    players: int,
    rounds: int,
    seed: int,
    draws: float = 0.04,
    drops: float = 0.03,
    teams: int = 0,
    by_standings: bool = False,
    late: int = 0,
) -> Iterator[tuple[Tournament, int, Pairing]]:
    """An event paired by the engine, round after round: (the event before the round, the round, its pairing).

    `late`: so many of the players come in a later round.
    """
    chance = random.Random(seed)
    entrants = [
        Entrant(PlayerId(f"p{i}"), team=f"t{chance.randrange(teams)}" if teams else None) for i in range(players)
    ]
    for i in range(late):
        entrants[i] = replace(entrants[i], first_round=chance.randint(2, rounds))
    matches: list[Match] = []
    for round in range(1, rounds + 1):
        if sum(entrant.active_in(round) for entrant in entrants) < 2:
            return
        past = Tournament(f"played-{seed}", Rules(), tuple(entrants), tuple(matches), separate_teams=teams > 0)
        pairing = pair_round(past, round, str(seed), by_standings and round == rounds)
        yield past, round, pairing
        matches += [_played(a, b, round, chance, draws) for a, b in pairing.pairs]
        if pairing.bye is not None:
            matches.append(Match(round, pairing.bye, None, Outcome.BYE))
        leaving = {entrant.id for entrant in entrants if entrant.active_in(round) and chance.random() < drops}
        entrants = [replace(one, last_round=round) if one.id in leaving else one for one in entrants]


def _played(a: PlayerId, b: PlayerId, round: int, chance: random.Random, draws: float) -> Match:
    if chance.random() < draws:
        return Match(round, a, b, Outcome.DRAW, None, Games(1, 1, 1))
    winner = chance.choice([a, b])
    return Match(round, a, b, Outcome.WIN, winner, Games(2, 0) if winner == a else Games(0, 2))
