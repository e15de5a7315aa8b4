"""Shares of wins and their intervals (ranking/shares.py)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.shares import ENOUGH, Record, wilson


@pytest.mark.parametrize(
    ("rate", "count", "low", "high"),
    [(0.5, 100, 0.404, 0.596), (0.0, 10, 0.0, 0.278), (1.0, 10, 0.722, 1.0), (0.62, 250, 0.558, 0.678)],
)
def test_wilson_by_hand(rate: float, count: int, low: float, high: float) -> None:
    assert wilson(rate, count) == pytest.approx((low, high), abs=6e-4)


@given(st.integers(0, 400), st.integers(0, 400), st.integers(0, 400))
def test_the_rate_lies_in_its_interval_and_that_between_0_and_1(won: int, drawn: int, lost: int) -> None:
    record = Record(won, drawn, lost)
    low, high = record.interval
    assert 0 <= low <= high <= 1
    assert low - 1e-9 <= record.rate <= high + 1e-9 or not record.matches
    assert record.enough == (record.matches >= ENOUGH)
    turned = Record(lost, drawn, won)
    assert record.matches == turned.matches
    assert record.rate + turned.rate == pytest.approx(1 if record.matches else 0)
