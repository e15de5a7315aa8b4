"""Who is on a board, in which place, and what the others lack (RANKING 3). No Django here.

Places compare whole printed points: two who show the same number are tied, whatever the decimals behind it, and
nobody can be placed by a difference that the page does not show (CASES 65).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from ranking.ratings.parameters import Parameters

type SortKey = Any  # whatever orders names as Spanish does, from whoever knows how


@dataclass(frozen=True, slots=True)
class Placed[Row]:
    rank: int
    row: Row


def ranked[Row](rows: Iterable[Row], score: Callable[[Row], int], name: Callable[[Row], SortKey]) -> list[Placed[Row]]:
    """Best first; equal scores share a rank and are listed by name.

    >>> points = {"Zoe": 8, "Ana": 5, "Eva": 10, "Leo": 8}
    >>> [(placed.rank, placed.row) for placed in ranked(points, score=points.__getitem__, name=str.casefold)]
    [(1, 'Eva'), (2, 'Leo'), (2, 'Zoe'), (4, 'Ana')]
    """
    ordered = sorted(rows, key=lambda row: (-score(row), name(row)))
    placed: list[Placed[Row]] = []
    for position, row in enumerate(ordered, start=1):
        tied = placed and score(placed[-1].row) == score(row)
        placed.append(Placed(placed[-1].rank if tied else position, row))
    return placed


def printed(points: float) -> int:
    """Whole points, halves up: 1512.5 prints as 1513, as people round."""
    return int((points + 0.5) // 1)


def board_score(mu: float, var: float, idle_days: int, parameters: Parameters) -> int:
    """The rating that a board prints and orders by: mu less one deviation, grown until the board's day (RANKING 3)."""
    return printed(parameters.conservative(mu, parameters.grown(var, max(0, idle_days))))


@dataclass(frozen=True, slots=True)
class Minimums:
    """What a place on a board asks for; settings of the circuit. Days count to today, or to a season's last day."""

    matches: int = 12
    opponents: int = 4
    idle_days: int = 365


DEFAULT_MINIMUMS: Final = Minimums()


@dataclass(frozen=True, slots=True)
class Missing:
    """What a provisional player still lacks; true while it is anything."""

    matches: int
    opponents: int

    def __bool__(self) -> bool:
        return bool(self.matches or self.opponents)


def missing(matches: int, opponents: int, minimums: Minimums = DEFAULT_MINIMUMS) -> Missing:
    """From rated matches and distinct opponents in them.

    >>> missing(9, 3)
    Missing(matches=3, opponents=1)
    """
    return Missing(max(0, minimums.matches - matches), max(0, minimums.opponents - opponents))


def active(last_day: int, reference_day: int, minimums: Minimums = DEFAULT_MINIMUMS) -> bool:
    """Whether the last match is at most `idle_days` old on the board's day; days as in `ratings.columns`.

    The board's day is today while the season runs and its last day afterwards, so that a season opened a year later
    still shows who played in it (CASES 61).
    """
    return reference_day - last_day <= minimums.idle_days


@dataclass(frozen=True, slots=True)
class Candidate:
    """A player who might stand on a board. player: any id; score: printed points; last_day: of a rated match."""

    player: int
    score: int
    name: SortKey
    matches: int
    opponents: int
    last_day: int


@dataclass(frozen=True, slots=True)
class Board:
    """placed: with ranks. provisional: unplaced, listed below by name with what each lacks. hidden: not listed."""

    placed: list[Placed[Candidate]]
    provisional: list[tuple[Candidate, Missing]]
    hidden: list[Candidate]


def board(candidates: Iterable[Candidate], reference_day: int, minimums: Minimums = DEFAULT_MINIMUMS) -> Board:
    """Divides candidates into placed, provisional and hidden; nobody is lost, nobody appears twice."""
    placeable: list[Candidate] = []
    provisional: list[tuple[Candidate, Missing]] = []
    hidden: list[Candidate] = []
    for candidate in candidates:
        lacks = missing(candidate.matches, candidate.opponents, minimums)
        if not active(candidate.last_day, reference_day, minimums):
            hidden.append(candidate)
        elif lacks:
            provisional.append((candidate, lacks))
        else:
            placeable.append(candidate)
    provisional.sort(key=lambda pair: pair[0].name)
    placed = ranked(placeable, score=lambda c: c.score, name=lambda c: c.name)
    return Board(placed, provisional, hidden)
