"""Pairs that are parts of one match: a table of several rates as its pairs with weight 1/(players - 1) (RANKING 2)."""

import math

import numpy as np
import pytest

from ranking.ratings.columns import MATCHES, MU, VAR, Matches
from ranking.ratings.engine import rate
from ranking.ratings.parameters import Parameters

PAIRS = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
"""A table of four that finished 0, 1, 2, 3."""


def table(sixths: int, day: int = 0) -> Matches:
    a, b = zip(*PAIRS, strict=True)
    return Matches.of([day] * 6, a, b, [2] * 6, sixths=[sixths] * 6)


def by_hand(parameters: Parameters, weight: float) -> list[tuple[float, float]]:
    """RANKING 2.3 written out, for newcomers at one table."""
    q = parameters.newcomer_var
    g = 1 / math.sqrt(1 + 3 * q / math.pi**2)
    mu = [0.0] * 4
    var = [q] * 4
    for _ in range(parameters.iterations):
        up, info = [0.0] * 4, [0.0] * 4
        for winner, loser in PAIRS:
            e = 1 / (1 + math.exp(-g * (mu[winner] - mu[loser])))
            for player, score, expected in ((winner, 1, e), (loser, 0, 1 - e)):
                up[player] += weight * g * (score - expected)
                info[player] += weight * g * g * expected * (1 - expected)
        mu = [m + (up[k] - m / q) / (1 / q + info[k]) for k, m in enumerate(mu)]
        var = [1 / (1 / q + info[k]) for k in range(4)]
    return list(zip(mu, var, strict=True))


def test_a_table_of_four_moves_by_thirds_and_is_one_match() -> None:
    parameters = Parameters()
    state = rate(table(2), parameters).state
    for row, (mu, var) in zip(state, by_hand(parameters, 1 / 3), strict=True):
        assert row[MU] == pytest.approx(mu, abs=1e-9)
        assert row[VAR] == pytest.approx(var, abs=1e-9)
        assert row[MATCHES] == 1
    assert state[0, MU] > state[1, MU] > 0 > state[2, MU] > state[3, MU]


def test_whole_matches_are_what_they_were() -> None:
    plain, whole = rate(Matches.of([0], [0], [1], [2]), Parameters()), rate(table(6), Parameters())
    again = rate(Matches.of([0], [0], [1], [2], sixths=[6]), Parameters())
    assert plain.state.tobytes() == again.state.tobytes()
    assert whole.state[0, MATCHES] == 3


def test_shares_of_parts_add_up_to_the_change_exactly() -> None:
    rated = rate(table(2), Parameters())
    assert rated.history is not None
    change = np.rint((rated.history.mu - rated.history.mu_before) * 2**40).astype(np.int64)
    for k in range(4):
        rows = np.stack([rated.history.row_a, rated.history.row_b], axis=1)
        own = int(rated.history.shares[rows == k].sum())
        assert own == change[k]


def test_the_order_of_the_pairs_changes_no_bit() -> None:
    first = rate(table(2), Parameters()).state.tobytes()
    turned = [(b, a) for a, b in reversed(PAIRS)]
    a, b = zip(*turned, strict=True)
    assert rate(Matches.of([0] * 6, a, b, [0] * 6, sixths=[2] * 6), Parameters()).state.tobytes() == first


@pytest.mark.parametrize("wrong", [0, 7])
def test_no_part_is_nothing_or_more_than_a_match(wrong: int) -> None:
    with pytest.raises(ValueError, match="sixths"):
        table(wrong)
