"""Made-up match streams for the tests of the ratings."""

import random
from decimal import Decimal

from ranking.ratings.columns import Matches
from tests.core.ratings.oracle import Played

FIRST_DAY = 20_000


def random_circuit(seed: int, *, players: int, days: int, matches: int, agreed: float = 0.05) -> list[Played]:
    """By date, with draws and intentional draws, days without play and players who come late or leave."""
    rng = random.Random(seed)
    skill = [rng.gauss(0, 0.8) for _ in range(players)]
    played = []
    for _ in range(matches):
        day = FIRST_DAY + int(days * rng.random()) // 7 * 7
        a, b = rng.sample(range(players), 2)
        rates = rng.random() >= agreed
        played.append(Played(day, a, b, _score(rng, skill[a] - skill[b]) if rates else Decimal("0.5"), rates))
    return sorted(played, key=lambda p: p.day)


def columns(played: list[Played], players: int | None = None) -> Matches:
    return Matches.of(
        [p.day for p in played],
        [p.a for p in played],
        [p.b for p in played],
        [int(2 * p.score) for p in played],
        [p.rates for p in played],
        players=players,
    )


def _score(rng: random.Random, gap: float) -> Decimal:
    if rng.random() < 0.04:
        return Decimal("0.5")
    return Decimal(rng.random() < 1 / (1 + 2.718281828 ** (-gap)))
