from dataclasses import replace

import pytest

from ranking.ratings.parameters import Parameters


def test_defaults_are_those_of_the_rules() -> None:
    parameters = Parameters()
    assert parameters.newcomer_var == (60 / 173.7178) ** 2
    assert parameters.var_per_day == (20 / 173.7178) ** 2 / 365
    assert (parameters.iterations, parameters.temperature, parameters.start) == (3, 1, 1500)


@pytest.mark.parametrize(
    "change",
    [
        {"rd0": 61},
        {"drift": 21},
        {"iterations": 4},
        {"temperature": 0.9},
        {"scale": 174},
        {"start": 1000},
        {"floor": 1},
    ],
)
def test_version_tells_any_change(change: dict[str, float]) -> None:
    assert replace(Parameters(), **change).version != Parameters().version


def test_version_is_the_same_everywhere() -> None:
    """It is stored with every run (RANKING 4): if this fails, ratings already published look out of date."""
    assert Parameters().version == Parameters(rd0=60, drift=20).version == "02a889b9af0c"


@pytest.mark.parametrize(
    "values",
    [{"rd0": 0}, {"drift": -1}, {"iterations": 0}, {"temperature": 0}, {"scale": -1}, {"rd0": float("nan")}],
)
def test_refuses_impossible_numbers(values: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"must|needs"):
        Parameters(**values)


def test_scale_of_people() -> None:
    parameters = Parameters()
    assert parameters.points(0) == 1500
    assert parameters.points(1) == pytest.approx(1673.7178)
    assert parameters.deviation(parameters.newcomer_var) == pytest.approx(60)
    assert parameters.conservative(0, parameters.newcomer_var) == pytest.approx(1440)


def test_no_printed_rating_below_the_floor() -> None:
    """CASES 61."""
    parameters = Parameters()
    assert parameters.points(-50) == parameters.conservative(-50, 0.1) == 100
    assert parameters.conservative((110 - 1500) / 173.7178, parameters.newcomer_var) == 100


def test_idleness_grows_the_deviation_up_to_a_newcomers() -> None:
    """RANKING 3: the rating keeps, RD grows."""
    parameters = Parameters()
    thirty = (30 / parameters.scale) ** 2
    assert parameters.deviation(parameters.grown(thirty, 365)) == pytest.approx((30**2 + 20**2) ** 0.5)
    assert parameters.grown(thirty, 100_000) == parameters.newcomer_var
    assert parameters.grown(thirty, 0) == thirty
