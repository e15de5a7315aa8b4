"""Puntos de circuito: what a place is worth, and which finishes count (RANKING 1).

All of it is a season's data; the defaults are the table of RANKING 1.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Final

CASUAL: Final = "casual"


class Kind(StrEnum):
    PLACE = "place"
    PARTICIPATION = "participation"


@dataclass(frozen=True, slots=True)
class PointsRow:
    """Places place_from to place_to of a tier earn `points` when at least `needs` players played a match (kicker)."""

    tier: str
    place_from: int
    place_to: int
    needs: int
    points: int

    def __post_init__(self) -> None:
        if not 1 <= self.place_from <= self.place_to:
            raise ValueError(f"{self.tier}: places {self.place_from}-{self.place_to} are not a range from 1 up")
        if min(self.needs, self.points) < 0:
            raise ValueError(f"{self.tier}: players needed and points cannot be negative")

    def pays(self, tier: str, place: int, players: int) -> bool:
        return self.tier == tier and self.place_from <= place <= self.place_to and players >= self.needs


@dataclass(frozen=True, slots=True)
class PointsTable:
    """A season's rules.

    limits: how many finishes of a tier count; a tier that is not there has no limit.
    participation: points for each official event in which the player really played `participation_rounds` rounds.
    """

    rows: tuple[PointsRow, ...]
    limits: Mapping[str, int] = field(default_factory=dict)
    participation: int = 1
    participation_rounds: int = 2

    def __post_init__(self) -> None:
        if any(row.tier == CASUAL for row in self.rows):
            raise ValueError("casual events give no points")
        if min([self.participation, self.participation_rounds, *self.limits.values()]) < 0:
            raise ValueError("limits and participation cannot be negative")

    def award(self, tier: str, place: int, players: int) -> int:
        """Points of a place; the best row when several fit, as when a bigger field pays more.

        >>> DEFAULT.award("semanal", 3, players=8), DEFAULT.award("semanal", 3, players=7)
        (10, 0)
        """
        return max((row.points for row in self.rows if row.pays(tier, place, players)), default=0)


@dataclass(frozen=True, slots=True)
class Finish:
    """How one player ended one event of the season.

    event: any id; it comes back in the lines, so that every point is traceable. place: the better one when tied
    (TOURNAMENT_RULES 7.6). players: how many played at least one match. rounds_played: this player's rounds with an
    opponent at the table, so no byes, assigned losses or no-shows. A disqualified player has no finish (8.5).
    """

    event: int
    day: date
    tier: str
    place: int
    players: int
    rounds_played: int

    def __post_init__(self) -> None:
        if self.place < 1:
            raise ValueError(f"event {self.event}: place {self.place} is not a place")


@dataclass(frozen=True, slots=True)
class PointsLine:
    """One line of a player's account: points that count, or would if it were among the best finishes of its tier."""

    event: int
    day: date
    tier: str
    kind: Kind
    place: int
    players: int
    points: int
    counted: bool


def ledger(finishes: Iterable[Finish], table: PointsTable) -> list[PointsLine]:
    """One player's account of a season, by date; casual events leave no line.

    Every official finish has its place line, even when it is worth 0, so that the page can say why. The best
    finishes of a tier count; between equals, the earlier.
    """
    official = sorted((f for f in finishes if f.tier != CASUAL), key=lambda f: (f.day, f.event))
    worth = {f.event: table.award(f.tier, f.place, f.players) for f in official}
    if len(worth) < len(official):
        raise ValueError("a player finishes an event once")
    counted = {f.event for tier in {f.tier for f in official} for f in _best(official, tier, worth, table)}
    lines: list[PointsLine] = []
    for finish in official:
        lines.append(_line(finish, Kind.PLACE, worth[finish.event], finish.event in counted))
        if finish.rounds_played >= table.participation_rounds and table.participation:
            lines.append(_line(finish, Kind.PARTICIPATION, table.participation, counted=True))
    return lines


def total(lines: Iterable[PointsLine]) -> int:
    return sum(line.points for line in lines if line.counted)


def _best(finishes: list[Finish], tier: str, worth: Mapping[int, int], table: PointsTable) -> list[Finish]:
    paid = [f for f in finishes if f.tier == tier and worth[f.event] > 0]
    paid.sort(key=lambda f: -worth[f.event])
    return paid[: table.limits.get(tier, len(paid))]


def _line(finish: Finish, kind: Kind, points: int, counted: bool) -> PointsLine:
    return PointsLine(
        event=finish.event,
        day=finish.day,
        tier=finish.tier,
        kind=kind,
        place=finish.place,
        players=finish.players,
        points=points,
        counted=counted,
    )


def _rows() -> Iterable[PointsRow]:
    tiers = ("semanal", "tienda", "regional", "nacional")
    places = (
        (1, 1, 4, (15, 50, 200, 500)),
        (2, 2, 4, (12, 40, 160, 400)),
        (3, 4, 8, (10, 32, 130, 320)),
        (5, 8, 17, (8, 25, 100, 250)),
        (9, 16, 33, (6, 20, 80, 200)),
        (17, 32, 65, (4, 16, 60, 160)),
    )
    for place_from, place_to, needs, points in places:
        for tier, worth in zip(tiers, points, strict=True):
            yield PointsRow(tier, place_from, place_to, needs, worth)


DEFAULT: Final = PointsTable(rows=tuple(_rows()), limits={"semanal": 8, "tienda": 4, "regional": 3, "nacional": 1})
