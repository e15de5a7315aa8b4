import numpy as np
import pytest

from ranking.ratings.columns import Matches


def test_sorts_by_day_and_remembers_the_rows() -> None:
    matches = Matches.of([7, 5, 7, 5], [0, 1, 2, 3], [1, 2, 3, 0], [0, 1, 2, 0])
    assert matches.day.tolist() == [5, 5, 7, 7]
    assert matches.row.tolist() == [1, 3, 0, 2]
    assert matches.a.tolist() == [1, 3, 0, 2]
    assert matches.half_points.tolist() == [1, 0, 0, 2]
    assert matches.players == 4
    assert matches.rates.all()
    dtypes = (matches.day.dtype, matches.a.dtype, matches.b.dtype, matches.half_points.dtype, matches.rates.dtype)
    assert dtypes == (np.int32, np.int32, np.int32, np.uint8, np.bool_)


def test_periods_are_days() -> None:
    """RANKING 2.1: all events with the same stored date are one period."""
    matches = Matches.of([3, 3, 9, 9, 9, 10], [0] * 6, [1] * 6, [2] * 6)
    assert matches.period_starts().tolist() == [0, 2, 5, 6]
    assert Matches.of([], [], [], []).period_starts().tolist() == [0]


def test_cuts_between_days() -> None:
    matches = Matches.of([3, 9, 3, 10], [0] * 4, [1] * 4, [0, 1, 2, 0])
    assert matches.through(3).row.tolist() == [0, 2]
    assert matches.after(3).row.tolist() == [1, 3]
    assert len(matches.through(2)) == len(matches.after(10)) == 0
    assert matches.after(10).players == 2


@pytest.mark.parametrize(
    ("columns", "problem"),
    [
        (([1], [0], [0], [1]), "match 0 has the same player on both sides"),
        (([1], [0], [1], [3]), "half_points must be 0, 1 or 2"),
        (([1], [0], [1], [-1]), "half_points must be 0, 1 or 2"),
        (([1], [-1], [1], [1]), "outside 0..1"),
        (([1, 2], [0], [1], [1]), "different lengths"),
        (([1.5], [0], [1], [1]), "day must be whole numbers"),
        (([1], [0], [1], [0.5]), "half_points must be whole numbers"),
        (([2**40], [0], [1], [1]), "day does not fit in 32 bits"),
        (([[1]], [0], [1], [1]), "day must be one column"),
    ],
)
def test_refuses_what_makes_no_sense(columns, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        Matches.of(*columns)


def test_refuses_players_beyond_the_count() -> None:
    with pytest.raises(ValueError, match=r"outside 0\.\.4"):
        Matches.of([1], [0], [5], [1], players=5)
