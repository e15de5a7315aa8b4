"""How likely a player is to beat another (RANKING 2.5).

The logistic curve is written with tanh, which cannot overflow.
"""

import math

import numpy as np

from ranking.ratings.columns import Floats
from ranking.ratings.engine import History
from ranking.ratings.parameters import Parameters

THREE_OVER_PI_SQUARED = 3.0 / math.pi**2


def win_probability(mu_a: float, var_a: float, mu_b: float, var_b: float, parameters: Parameters) -> float:
    """Expected score of a, a draw counting half. Grow both variances to the day of the match first.

    >>> win_probability(0.0, 0.1, 0.0, 0.1, Parameters())
    0.5
    """
    logit = (mu_a - mu_b) / math.sqrt(1.0 + THREE_OVER_PI_SQUARED * (var_a + var_b))
    return 0.5 + 0.5 * math.tanh(0.5 * parameters.temperature * logit)


def period_start_probabilities(history: History, temperature: float) -> Floats:
    """float64 [n]: for every rated or scored match, the expected score of a from the states before its day."""
    a, b = history.row_a, history.row_b
    gap = history.mu_before[a] - history.mu_before[b]
    spread = np.sqrt(1.0 + THREE_OVER_PI_SQUARED * (history.var_before[a] + history.var_before[b]))
    return np.asarray(0.5 + 0.5 * np.tanh(0.5 * temperature * gap / spread), np.float64)
