import math
from decimal import Decimal

import numpy as np
import pytest

from ranking.ratings import elo
from ranking.ratings.columns import Matches
from ranking.ratings.engine import rate
from ranking.ratings.evaluate import first_scored, log_loss, walk_forward
from ranking.ratings.parameters import Parameters
from tests.core.ratings.circuit import columns, random_circuit
from tests.core.ratings.oracle import Played

DEFAULTS = Parameters()


def elo_by_hand(played: list[Played]) -> list[float]:
    """Elo in dictionaries, a day at a time."""
    points: dict[int, float] = {}
    expectations = []
    for day in sorted({p.day for p in played}):
        moves: dict[int, float] = {}
        for match in (p for p in played if p.day == day):
            gap = points.get(match.a, 1500.0) - points.get(match.b, 1500.0)
            expected = 1 / (1 + 10 ** (-gap / 400))
            expectations.append(expected)
            if match.rates:
                change = 32 * (float(match.score) - expected)
                moves[match.a] = moves.get(match.a, 0) + change
                moves[match.b] = moves.get(match.b, 0) - change
        for player, change in moves.items():
            points[player] = points.get(player, 1500.0) + change
    return expectations


def test_elo_is_elo() -> None:
    played = random_circuit(14, players=15, days=200, matches=600, agreed=0.1)
    assert elo.expectations(columns(played)).tolist() == pytest.approx(elo_by_hand(played), abs=1e-9)


def test_log_loss_by_hand() -> None:
    probabilities, scores = np.array([0.8, 0.3, 0.5]), np.array([1.0, 0.5, 0.0])
    terms = [math.log(0.8), 0.5 * math.log(0.3) + 0.5 * math.log(0.7), math.log(0.5)]
    assert log_loss(probabilities, scores) == pytest.approx(-sum(terms) / 3)
    assert log_loss(np.array([0.0]), np.array([1.0])) == pytest.approx(-math.log(1e-6))


def test_scores_the_last_thirty_per_cent() -> None:
    assert [first_scored(rows) for rows in (0, 1, 2, 10, 557_195)] == [0, 0, 1, 7, 390_036]


def test_nothing_to_score_is_said() -> None:
    nothing = Matches.of([], [], [], [])
    history = rate(nothing, DEFAULTS).history
    assert history is not None
    with pytest.raises(ValueError, match="no match to score"):
        walk_forward(nothing, history, DEFAULTS)


def test_skill_is_found_and_a_coin_is_a_coin() -> None:
    matches = columns(random_circuit(15, players=40, days=400, matches=6000))
    history = rate(matches, DEFAULTS).history
    assert history is not None
    loss = walk_forward(matches, history, DEFAULTS)
    assert loss.coin == pytest.approx(math.log(2))
    assert loss.ours < loss.coin - 0.02
    assert loss.elo < loss.coin


def test_a_match_does_not_predict_itself() -> None:
    """All of the scored rows are of the first day, so that everybody is still a stranger."""
    day = [Played(1, a, b, Decimal(1)) for a in range(5) for b in range(5, 10)]
    matches = columns(day)
    history = rate(matches, DEFAULTS).history
    assert history is not None
    loss = walk_forward(matches, history, DEFAULTS)
    assert loss.ours == loss.elo == loss.coin
