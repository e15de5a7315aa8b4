"""Glickman's published example, random periods against the paper, and our own engine against both (RANKING 2)."""

import random

import numpy as np
import pytest

from ranking.ratings.columns import MU, VAR, Matches, fresh_state
from ranking.ratings.engine import rate
from ranking.ratings.parameters import Parameters
from tests.core.ratings.glicko2 import SCALE, Glicko2, oracle, rate_period

EXAMPLE = Glicko2(1500, 200, 0.06)
OPPONENTS = [Glicko2(1400, 30), Glicko2(1550, 100), Glicko2(1700, 300)]
SCORES = [1.0, 0.0, 0.0]


@pytest.mark.parametrize("system", [rate_period, oracle])
def test_published_example(system) -> None:
    after = system(EXAMPLE, OPPONENTS, SCORES)
    assert (round(after.rating, 2), round(after.deviation, 2)) == (1464.05, 151.52)
    assert after.volatility == pytest.approx(0.05999, abs=6e-6)


def test_kernel_agrees_with_the_paper_on_random_periods() -> None:
    rng = random.Random(20130)
    for _ in range(300):
        tau, rivals = rng.uniform(0.3, 1.2), rng.randrange(12)
        player, *opponents = [
            Glicko2(rng.gauss(1500, 250), rng.uniform(30, 350), rng.uniform(0.03, 0.12)) for _ in range(rivals + 1)
        ]
        scores = [rng.choice([0.0, 0.5, 1.0]) for _ in opponents]
        ours, paper = rate_period(player, opponents, scores, tau=tau), oracle(player, opponents, scores, tau)
        assert ours.rating == pytest.approx(paper.rating, abs=1e-9)
        assert ours.deviation == pytest.approx(paper.deviation, abs=1e-9)
        assert ours.volatility == pytest.approx(paper.volatility, abs=1e-9)


def test_upsets_raise_the_volatility() -> None:
    """The branch of step 5 where delta^2 > phi^2 + v, which the published example never enters."""
    weak, strong = Glicko2(1200, 40, 0.06), [Glicko2(1900, 40)] * 6
    ours, paper = rate_period(weak, strong, [1.0] * 6), oracle(weak, strong, [1.0] * 6)
    assert ours.volatility > 0.06
    assert ours.volatility == pytest.approx(paper.volatility, abs=1e-10)


def engine_of_one_step(player: Glicko2, opponents: list[Glicko2], scores: list[float], volatility: float) -> Glicko2:
    """One joint iteration of our engine is steps 3, 4, 7 and 8 of the paper, when the volatility is given."""
    state = fresh_state(len(opponents) + 1)
    for row, one in zip(state, [player, *opponents], strict=True):
        row[:] = (one.rating - 1500) / SCALE, (one.deviation / SCALE) ** 2, 0, 1
    state[0, VAR] += volatility**2
    halves = [int(2 * score) for score in scores]
    matches = Matches.of([1] * len(halves), [0] * len(halves), range(1, len(state)), halves)
    after = rate(matches, Parameters(rd0=1000, drift=0, iterations=1), state).state[0]
    return Glicko2(1500 + SCALE * after[MU], SCALE * np.sqrt(after[VAR]), volatility)


def test_engine_gives_the_published_example() -> None:
    after = engine_of_one_step(EXAMPLE, OPPONENTS, SCORES, rate_period(EXAMPLE, OPPONENTS, SCORES).volatility)
    assert (round(after.rating, 2), round(after.deviation, 2)) == (1464.05, 151.52)


def test_engine_steps_as_the_paper_on_random_periods() -> None:
    rng = random.Random(7)
    for _ in range(60):
        player, *opponents = [Glicko2(rng.gauss(1500, 200), rng.uniform(30, 350)) for _ in range(rng.randrange(2, 9))]
        scores = [rng.choice([0.0, 0.5, 1.0]) for _ in opponents]
        paper = oracle(player, opponents, scores)
        ours = engine_of_one_step(player, opponents, scores, paper.volatility)
        assert ours.rating == pytest.approx(paper.rating, abs=1e-6)
        assert ours.deviation == pytest.approx(paper.deviation, abs=1e-6)
