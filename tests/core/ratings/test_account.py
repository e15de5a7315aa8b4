"""The account adds up: to the change of the day, to the whole career, and as printed (RANKING 3)."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.ratings.account import UNIT, account, whole_points
from ranking.ratings.columns import Matches
from ranking.ratings.engine import rate
from ranking.ratings.parameters import Parameters
from tests.core.ratings.circuit import columns, random_circuit
from tests.core.ratings.oracle import Played

DEFAULTS = Parameters()


def accounts(played: list[Played], player: int, parameters: Parameters = DEFAULTS):
    matches = columns(played)
    history = rate(matches, parameters).history
    assert history is not None
    return account(matches, history, player)


@pytest.mark.parametrize("iterations", [1, 2, 3])
def test_shares_add_up_exactly(iterations: int) -> None:
    played = random_circuit(11, players=25, days=300, matches=1200)
    for player in range(25):
        days = accounts(played, player, Parameters(iterations=iterations))
        for day in days:
            grid = round(day.mu * UNIT) - round(day.mu_before * UNIT)
            assert sum(line.share for line in day.lines) == grid / UNIT == day.change
            assert day.change == pytest.approx(day.mu - day.mu_before, abs=1e-12)
        assert sum(day.change for day in days) == round(days[-1].mu * UNIT) / UNIT
        assert sum(len(day.lines) for day in days) == sum(player in (p.a, p.b) for p in played)
        assert [day.day for day in days] == sorted({p.day for p in played if player in (p.a, p.b)})


def test_the_rest_of_rounding_is_only_rounding() -> None:
    """No share hides a piece of another: alone on a day, two equal matches have equal shares to the last units."""
    night = [Played(1, 0, 1, Decimal(1)), Played(1, 0, 2, Decimal(1)), Played(1, 0, 3, Decimal(1))]
    (day,) = accounts(night, 0)
    assert max(line.share for line in day.lines) - min(line.share for line in day.lines) < 8 / UNIT


def test_a_win_gains_and_a_loss_costs() -> None:
    played = random_circuit(12, players=25, days=300, matches=1200, agreed=0)
    lines = [line for player in range(25) for day in accounts(played, player) for line in day.lines]
    assert all(line.share > 0 for line in lines if line.half_points == 2)
    assert all(line.share < 0 for line in lines if line.half_points == 0)


def test_a_better_opponent_gives_more() -> None:
    rise = [Played(1, 1, rival, Decimal(1)) for rival in (2, 3, 4, 5)]
    (day,) = accounts([*rise, Played(2, 0, 1, Decimal(1)), Played(2, 0, 2, Decimal(1))], 0)
    against = {line.opponent: line.share for line in day.lines}
    assert against[1] > against[2] > 0


def test_lines_say_who_and_what() -> None:
    played = [Played(9, 3, 0, Decimal(1)), Played(2, 0, 1, Decimal("0.5"), rates=False), Played(2, 0, 2, Decimal(1))]
    first, second = accounts(played, 0)
    assert [(line.row, line.opponent, line.half_points, line.rates) for line in first.lines] == [
        (1, 1, 1, False),
        (2, 2, 2, True),
    ]
    assert first.lines[0].share == 0
    assert [(line.row, line.opponent, line.half_points) for line in second.lines] == [(0, 3, 0)]
    assert (first.matches, second.matches) == (1, 2)
    assert second.mu_before == first.mu
    assert second.var_before > first.var


def test_only_agreed_draws_change_nothing() -> None:
    (day,) = accounts([Played(2, 0, 1, Decimal("0.5"), rates=False)], 0)
    assert (day.change, day.mu, day.mu_before, day.matches) == (0, 0, 0, 0)


def test_a_stranger_has_an_empty_account() -> None:
    matches = Matches.of([1], [0], [1], [2], players=3)
    history = rate(matches, DEFAULTS).history
    assert history is not None
    assert account(matches, history, 2) == []


@pytest.mark.parametrize(
    ("shares", "change", "whole"),
    [
        ([6.4, 5.4, 6.4], 18, [7, 5, 6]),
        ([6.2, -3.4], 3, [6, -3]),
        ([0.4, 0.4, 0.4], 1, [1, 0, 0]),
        ([-0.4, -0.4], -1, [0, -1]),
        ([], 0, []),
        ([-50.0, -50.0], -3, [-1, -2]),
    ],
)
def test_printed_shares(shares: list[float], change: int, whole: list[int]) -> None:
    assert whole_points(shares, change) == whole


@given(st.lists(st.floats(-40, 40), min_size=1, max_size=15), st.sampled_from([-1, 0, 1]))
def test_printed_shares_add_up_to_the_printed_change(shares: list[float], slip: int) -> None:
    """Rounding both ends of the day may put the printed change a point off the sum."""
    change = round(sum(shares)) + slip
    whole = whole_points(shares, change)
    assert sum(whole) == change
    assert all(abs(printed - share) < 2 for printed, share in zip(whole, shares, strict=True))
