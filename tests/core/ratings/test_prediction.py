import math
from decimal import Decimal

import pytest

from ranking.ratings.engine import rate
from ranking.ratings.parameters import Parameters
from ranking.ratings.prediction import period_start_probabilities, win_probability
from tests.core.ratings.circuit import columns, random_circuit
from tests.core.ratings.oracle import PI, ratings, sigma

DEFAULTS = Parameters()


def test_both_deviations_count() -> None:
    """RANKING 2.5: sigma(d / sqrt(1 + 3 (q_a + q_b) / pi^2))."""
    spread = math.sqrt(1 + 3 * (0.1 + 0.3) / math.pi**2)
    assert win_probability(0.7, 0.1, 0.2, 0.3, DEFAULTS) == pytest.approx(1 / (1 + math.exp(-0.5 / spread)))
    assert win_probability(1, 0.1, 0, 0.1, DEFAULTS) > win_probability(1, 0.1, 0, 0.5, DEFAULTS) > 0.5


def test_two_sides_are_one() -> None:
    there, back = win_probability(0.7, 0.1, 0.2, 0.3, DEFAULTS), win_probability(0.2, 0.3, 0.7, 0.1, DEFAULTS)
    assert there + back == pytest.approx(1)


def test_temperature_multiplies_the_logit() -> None:
    def logit(p: float) -> float:
        return math.log(p / (1 - p))

    warm = win_probability(0.7, 0.1, 0.2, 0.3, Parameters(temperature=1.5))
    assert logit(warm) == pytest.approx(1.5 * logit(win_probability(0.7, 0.1, 0.2, 0.3, DEFAULTS)))


def test_giants_do_not_overflow() -> None:
    assert win_probability(1e6, 0.1, -1e6, 0.1, DEFAULTS) == 1
    assert win_probability(-1e6, 0.1, 1e6, 0.1, DEFAULTS) == 0


def test_matches_are_predicted_from_the_days_before() -> None:
    """Against the oracle run up to the day before; agreed draws are predicted too."""
    played = random_circuit(13, players=15, days=150, matches=200, agreed=0.2)
    history = rate(columns(played), DEFAULTS).history
    assert history is not None
    ours = period_start_probabilities(history, temperature=1.2)
    v0, c2 = (Decimal(60) / Decimal("173.7178")) ** 2, (Decimal(20) / Decimal("173.7178")) ** 2 / 365
    for day in sorted({p.day for p in played}):
        known = ratings([p for p in played if p.day < day])
        for index, match in enumerate(played):
            if match.day != day:
                continue
            mu = [known[x].mu if x in known else Decimal(0) for x in (match.a, match.b)]
            q = [
                min(v0, known[x].var + c2 * (day - known[x].last_day)) if x in known else v0 for x in (match.a, match.b)
            ]
            truth = sigma(Decimal("1.2") * (mu[0] - mu[1]) / (1 + 3 * (q[0] + q[1]) / PI**2).sqrt())
            assert ours[index] == pytest.approx(float(truth), abs=1e-9)
    assert not all(p.rates for p in played)
