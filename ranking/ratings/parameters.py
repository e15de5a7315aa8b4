"""The numbers of the rating, and the scale on which people read it (RANKING 2)."""

import hashlib
import math
from dataclasses import astuple, dataclass

# Names the algorithm: raise it when the same parameters would give other ratings.
ENGINE = "glicko-ct/1"
DAYS_PER_YEAR = 365

WHOLE = 6
"""Sixths of a match: the pairs of a table of three and of four are a half and a third of one."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """One game's settings. Inside, ratings are in units (mu, var); people read points.

    rd0: deviation of a newcomer and ceiling of everybody's, in points (RANKING 2.2).
    drift: points per root year by which an idle player becomes uncertain.
    iterations: joint iterations of a period (RANKING 2.3).
    temperature: multiplies the logit of a prediction; ratings do not depend on it (RANKING 2.5).
    scale, start: points per unit and the points of mu = 0.
    floor: no printed rating goes below it; the stored mu is left alone (CASES 61).
    """

    rd0: float = 60.0
    drift: float = 20.0
    iterations: int = 3
    temperature: float = 1.0
    scale: float = 173.7178
    start: float = 1500.0
    floor: float = 100.0

    def __post_init__(self) -> None:
        if not all(math.isfinite(value) for value in astuple(self)):
            raise ValueError("rating parameters must be finite numbers")
        if min(self.rd0, self.temperature, self.scale) <= 0 or self.drift < 0:
            raise ValueError("rd0, temperature and scale must be positive, drift must not be negative")
        if self.iterations < 1:
            raise ValueError("a period needs at least one iteration")

    @property
    def version(self) -> str:
        """Twelve hex digits that change with any value and with the engine: part of the key of a run (RANKING 4)."""
        values = "/".join(float(value).hex() for value in astuple(self))
        return hashlib.sha256(f"{ENGINE}/{values}".encode()).hexdigest()[:12]

    @property
    def newcomer_var(self) -> float:
        """v0 of RANKING 2.2."""
        return (self.rd0 / self.scale) ** 2

    @property
    def var_per_day(self) -> float:
        """c2 of RANKING 2.2."""
        return (self.drift / self.scale) ** 2 / DAYS_PER_YEAR

    def grown(self, var: float, days: float) -> float:
        """The variance after some days without play, never above a newcomer's."""
        return min(self.newcomer_var, var + self.var_per_day * days)

    def points(self, mu: float) -> float:
        return max(self.floor, self.start + self.scale * mu)

    def deviation(self, var: float) -> float:
        return self.scale * math.sqrt(var)

    def conservative(self, mu: float, var: float) -> float:
        """The order of the boards: rating minus one deviation (RANKING 3)."""
        return max(self.floor, self.points(mu) - self.deviation(var))
