"""How often something is played and how often it wins, with what chance alone would do to the number. No Django.

The interval is Wilson's, at 95 %: it neither leaves 0 to 1 nor narrows to nothing on a few matches.
"""

from dataclasses import dataclass
from math import sqrt
from typing import Final

Z: Final = 1.959964
ENOUGH: Final = 30
"""Matches below which a share of wins is not shown."""


@dataclass(frozen=True, slots=True)
class Record:
    """Matches against others: a draw counts half. Mirrors (the same on both sides) say nothing and are not in it."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def matches(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def enough(self) -> bool:
        return self.matches >= ENOUGH

    @property
    def rate(self) -> float:
        return (self.won + self.drawn / 2) / self.matches if self.matches else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.rate, self.matches)

    def __add__(self, other: "Record") -> "Record":
        return Record(self.won + other.won, self.drawn + other.drawn, self.lost + other.lost)


def wilson(rate: float, count: int) -> tuple[float, float]:
    """Both ends of the interval of a share seen in so many trials.

    >>> [round(end, 3) for end in wilson(0.5, 100)]
    [0.404, 0.596]
    >>> wilson(0.0, 0)
    (0.0, 1.0)
    """
    if not count:
        return 0.0, 1.0
    centre = rate + Z * Z / (2 * count)
    spread = Z * sqrt(rate * (1 - rate) / count + Z * Z / (4 * count * count))
    whole = 1 + Z * Z / count
    return max(0.0, (centre - spread) / whole), min(1.0, (centre + spread) / whole)
