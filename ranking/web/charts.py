"""SVG paths for the line in a row and for the history with its band. No Django: numbers in, attributes out.

The picture stretches and the words beside it do not (look/README): so the axis is whole numbers and dates in equal
steps, which the page sets out as text.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

WIDTH, HEIGHT = 1000, 400
SPARK_WIDTH, SPARK_HEIGHT, SPARK_EDGE = 88, 28, 3
LINES: Final = 4  # spaces between the five lines of the grid
TICKS: Final = 5  # dates below
STEPS: Final = (10, 20, 25, 30, 40, 50, 60, 75, 80, 100, 125, 150, 200, 250, 300, 400, 500, 1000)


@dataclass(frozen=True, slots=True)
class Spark:
    line: str
    end: str


def spark(values: Sequence[int]) -> Spark | None:
    """None below two values: a dot says nothing about where somebody goes.

    >>> spark([1500, 1520])
    Spark(line='M0 25L88 3', end='M88 3h0')
    """
    if len(values) < 2:
        return None
    low, high = min(values), max(values)
    step, span = SPARK_WIDTH / (len(values) - 1), (high - low) or 1
    room = SPARK_HEIGHT - 2 * SPARK_EDGE
    points = [(i * step, SPARK_HEIGHT - SPARK_EDGE - (value - low) * room / span) for i, value in enumerate(values)]
    return Spark(path(points), f"M{spot(points[-1])}h0")


@dataclass(frozen=True, slots=True)
class Sample:
    """A rating on a day, in printed points."""

    day: date
    points: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Chart:
    """Attributes of the drawing; `levels` from the top line down, `days` from left to right."""

    grid: str
    band: str
    line: str
    dots: str
    last: str
    levels: list[int]
    days: list[date]


def chart(samples: Sequence[Sample]) -> Chart | None:
    """The history of a rating; None when there are not two days to draw between."""
    if len(samples) < 2 or samples[0].day == samples[-1].day:
        return None
    levels = scale(min(s.low for s in samples), max(s.high for s in samples))
    first, days = samples[0].day, (samples[-1].day - samples[0].day).days
    across = [(s.day - first).days * WIDTH / days for s in samples]

    def down(value: int) -> float:
        return (levels[0] - value) * HEIGHT / (levels[0] - levels[-1])

    line = [(x, down(s.points)) for x, s in zip(across, samples, strict=True)]
    top = [(x, down(s.high)) for x, s in zip(across, samples, strict=True)]
    bottom = [(x, down(s.low)) for x, s in zip(across, samples, strict=True)]
    return Chart(
        grid="".join(f"M0 {y}h{WIDTH}" for y in range(0, HEIGHT + 1, HEIGHT // LINES)),
        band=path([*top, *reversed(bottom)]) + "z",
        line=path(line),
        dots="".join(f"M{spot(point)}h0" for point in line),
        last=f"M{spot(line[-1])}h0",
        levels=levels,
        days=ticks(first, days),
    )


def ticks(first: date, days: int) -> list[date]:
    """The dates below, in equal steps; when there are too few days for that, the first and the last."""
    steps = TICKS - 1 if days >= 2 * TICKS else 1
    return [first + timedelta(days=round(i * days / steps)) for i in range(steps + 1)]


def scale(low: int, high: int) -> list[int]:
    """Five round numbers that hold both, from the highest down.

    >>> scale(1441, 1618)
    [1680, 1620, 1560, 1500, 1440]
    """
    for step in STEPS:
        bottom = low // step * step
        if bottom + LINES * step >= high:
            return [bottom + step * i for i in range(LINES, -1, -1)]
    step = -(-(high - low) // LINES)
    return [low + step * i for i in range(LINES, -1, -1)]


def path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(spot(point) for point in points)


def spot(point: tuple[float, float]) -> str:
    return f"{round(point[0])} {round(point[1])}"
