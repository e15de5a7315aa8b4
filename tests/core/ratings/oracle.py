"""RANKING 2 again, written apart from the engine: dictionaries, one match at a time, 40 decimal digits.

Nothing is shared with ranking.ratings but the order of the parameters, so that a slip has to be made twice to pass.
"""

from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal, localcontext
from itertools import groupby

PI = Decimal("3.14159265358979323846264338327950288419716939937510")


@dataclass(frozen=True)
class Played:
    """score: of a, as a Decimal 0, 0.5 or 1."""

    day: int
    a: int
    b: int
    score: Decimal
    rates: bool = True


@dataclass
class Known:
    mu: Decimal
    var: Decimal
    last_day: int
    matches: int


def sigma(x: Decimal) -> Decimal:
    return 1 / (1 + (-x).exp())


def ratings(
    played: list[Played],
    *,
    rd0: str = "60",
    drift: str = "20",
    iterations: int = 3,
) -> dict[int, Known]:
    with localcontext() as context:
        context.prec = 40
        known: dict[int, Known] = {}
        v0 = (Decimal(rd0) / Decimal("173.7178")) ** 2
        c2 = (Decimal(drift) / Decimal("173.7178")) ** 2 / 365
        for day, group in groupby(sorted(played, key=lambda p: p.day), key=lambda p: p.day):
            _one_day(known, day, [p for p in group if p.rates], v0, c2, iterations)
        return known


def _one_day(
    known: dict[int, Known], day: int, played: list[Played], v0: Decimal, c2: Decimal, iterations: int
) -> None:
    opponents: dict[int, list[tuple[int, Decimal]]] = defaultdict(list)
    for match in played:
        opponents[match.a].append((match.b, match.score))
        opponents[match.b].append((match.a, 1 - match.score))
    q, m0 = {}, {}
    for player in opponents:
        old = known.get(player)
        q[player] = min(v0, old.var + c2 * (day - old.last_day)) if old else v0
        m0[player] = old.mu if old else Decimal(0)
    g = {player: 1 / (1 + 3 * q[player] / PI**2).sqrt() for player in opponents}
    mu, var = dict(m0), {}
    for _ in range(iterations):
        moved = {}
        for player, matches in opponents.items():
            gradient = information = Decimal(0)
            for opponent, score in matches:
                e = sigma(g[opponent] * (mu[player] - mu[opponent]))
                gradient += g[opponent] * (score - e)
                information += g[opponent] ** 2 * e * (1 - e)
            precision = 1 / q[player] + information
            moved[player] = mu[player] + (gradient - (mu[player] - m0[player]) / q[player]) / precision
            var[player] = 1 / precision
        mu = moved
    for player, matches in opponents.items():
        before = known[player].matches if player in known else 0
        known[player] = Known(mu[player], var[player], day, before + len(matches))
