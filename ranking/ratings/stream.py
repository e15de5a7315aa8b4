"""Reads a match stream: a CSV of matches by date, plain or gzip, into columns.

Needed: date, player_a, player_b, score_a (0, 0.5 or 1). Used if there: intentional_draw (1 or 0). Other columns are
ignored. Messages for people are the caller's; this says which rule was broken, on which line, by what.
"""

import csv
import gzip
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from operator import itemgetter
from pathlib import Path
from typing import Final, TextIO, cast

from ranking.ratings.columns import Matches

EPOCH: Final = date(1970, 1, 1).toordinal()
NEEDED: Final = ("date", "player_a", "player_b", "score_a")
OPTIONAL: Final = "intentional_draw"
HALF_POINTS: Final = {"0": 0, "0.0": 0, "0.5": 1, "1": 2, "1.0": 2}
FLAGS: Final = {"": False, "0": False, "1": True}
GZIP_MAGIC: Final = b"\x1f\x8b"


class Problem(StrEnum):
    NOT_GZIP = "not_gzip"
    NOT_TEXT = "not_text"
    NOT_CSV = "not_csv"
    NO_COLUMN = "no_column"
    NO_MATCHES = "no_matches"
    FIELDS = "fields"
    DATE = "date"
    SCORE = "score"
    FLAG = "flag"
    NOT_A_DRAW = "not_a_draw"
    NO_PLAYER = "no_player"
    SAME_PLAYER = "same_player"


class StreamError(Exception):
    """line counts from 1, the header; 0 when the whole file is meant. value is what was found, or what is missing."""

    def __init__(self, problem: Problem, line: int = 0, value: str = "") -> None:
        super().__init__(f"{problem} on line {line}: {value!r}")
        self.problem, self.line, self.value = problem, line, value


@dataclass(frozen=True, slots=True)
class Stream:
    """players: the id of each index in `matches`, in order of appearance."""

    matches: Matches
    players: list[str]


@dataclass(slots=True)
class _Columns:
    day: list[int] = field(default_factory=list)
    a: list[int] = field(default_factory=list)
    b: list[int] = field(default_factory=list)
    half_points: list[int] = field(default_factory=list)
    rates: list[bool] = field(default_factory=list)


def read(path: Path) -> Stream:
    """OSError when the file cannot be opened, StreamError when it is not a match stream."""
    try:
        with _opened(path) as text:
            return _stream(csv.reader(text))
    except UnicodeDecodeError as error:
        raise StreamError(Problem.NOT_TEXT) from error
    except csv.Error as error:
        raise StreamError(Problem.NOT_CSV, value=str(error)) from error
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise StreamError(Problem.NOT_GZIP) from error


def day_number(text: str) -> int:
    return date.fromisoformat(text).toordinal() - EPOCH


def date_of(day: int) -> date:
    return date.fromordinal(day + EPOCH)


def _opened(path: Path) -> TextIO:
    with path.open("rb") as raw:
        packed = raw.read(2) == GZIP_MAGIC
    if packed:
        return cast(TextIO, gzip.open(path, "rt", encoding="utf-8-sig", newline=""))
    return path.open(encoding="utf-8-sig", newline="")


def _stream(rows: Iterator[list[str]]) -> Stream:
    header = next(rows, [])
    pick, width = _picker(header), len(header)
    columns, players, days = _Columns(), dict[str, int](), dict[str, int]()
    for line, row in enumerate(rows, start=2):
        if not row:
            continue
        if len(row) != width:
            raise StreamError(Problem.FIELDS, line, f"{len(row)}/{width}")
        _add(columns, players, days, line, pick(row))
    if not columns.day:
        raise StreamError(Problem.NO_MATCHES)
    matches = Matches.of(columns.day, columns.a, columns.b, columns.half_points, columns.rates, players=len(players))
    return Stream(matches, list(players))


def _picker(header: list[str]) -> Callable[[list[str]], Sequence[str]]:
    names = [name.strip() for name in header]
    for name in NEEDED:
        if name not in names:
            raise StreamError(Problem.NO_COLUMN, 1, name)
    return itemgetter(*(names.index(name) for name in (*NEEDED, OPTIONAL) if name in names))


def _add(columns: _Columns, players: dict[str, int], days: dict[str, int], line: int, values: Sequence[str]) -> None:
    day, a, b, score = values[:4]
    flag = values[4] if len(values) > 4 else ""
    if day not in days:
        days[day] = _day(day, line)
    if score not in HALF_POINTS:
        raise StreamError(Problem.SCORE, line, score)
    if flag not in FLAGS:
        raise StreamError(Problem.FLAG, line, flag)
    if FLAGS[flag] and HALF_POINTS[score] != 1:
        raise StreamError(Problem.NOT_A_DRAW, line, score)
    if not a or not b:
        raise StreamError(Problem.NO_PLAYER, line)
    if a == b:
        raise StreamError(Problem.SAME_PLAYER, line, a)
    columns.day.append(days[day])
    columns.a.append(players.setdefault(a, len(players)))
    columns.b.append(players.setdefault(b, len(players)))
    columns.half_points.append(HALF_POINTS[score])
    columns.rates.append(not FLAGS[flag])


def _day(text: str, line: int) -> int:
    try:
        return day_number(text)
    except ValueError as error:
        raise StreamError(Problem.DATE, line, text) from error
