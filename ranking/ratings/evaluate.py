"""How well the ratings would have predicted: walk-forward log loss beside Elo and a coin (RANKING 2).

Every match is predicted from the ratings before its day, so nothing is predicted from itself. Scored are the last
30 % of the rows; a draw is a score of 0.5, and intentional draws are scored although they do not rate.
"""

from dataclasses import dataclass

import numpy as np

from ranking.ratings import elo
from ranking.ratings.columns import Floats, Matches
from ranking.ratings.engine import History
from ranking.ratings.parameters import Parameters
from ranking.ratings.prediction import period_start_probabilities

SURE = 1e-6


@dataclass(frozen=True, slots=True)
class LogLoss:
    """Mean of -(s ln p + (1 - s) ln(1 - p)) over the scored rows: lower is better."""

    ours: float
    elo: float
    coin: float


def walk_forward(matches: Matches, history: History, parameters: Parameters) -> LogLoss:
    """`history` is that of rating these matches from the beginning. ValueError when there is nothing to score."""
    start = first_scored(len(matches))
    scores = matches.half_points[start:].astype(np.float64) / 2.0
    return LogLoss(
        ours=log_loss(period_start_probabilities(history, parameters.temperature)[start:], scores),
        elo=log_loss(elo.expectations(matches)[start:], scores),
        coin=log_loss(np.full(len(scores), 0.5), scores),
    )


def first_scored(rows: int) -> int:
    """Index of the first of the last 30 % of the rows; at least one row is scored."""
    return min(rows * 7 // 10, rows - 1) if rows else 0


def log_loss(probabilities: Floats, scores: Floats) -> float:
    """Probabilities are kept 1e-6 away from 0 and 1, so that one sure and wrong prediction is not infinite."""
    if not len(scores):
        raise ValueError("there is no match to score")
    p = np.clip(probabilities, SURE, 1.0 - SURE)
    return float(-(scores * np.log(p) + (1.0 - scores) * np.log(1.0 - p)).mean())
