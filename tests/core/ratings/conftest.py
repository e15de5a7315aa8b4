import pytest

from ranking.ratings import elo
from ranking.ratings.columns import Matches
from ranking.ratings.engine import rate
from ranking.ratings.parameters import Parameters


@pytest.fixture(scope="package", autouse=True)
def _compiled_kernel() -> None:
    """The first use compiles for some ten seconds, which no hypothesis deadline should see."""
    matches = Matches.of([1], [0], [1], [2])
    rate(matches, Parameters())
    elo.expectations(matches)
