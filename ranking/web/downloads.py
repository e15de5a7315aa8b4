"""A board as a file: every row, streamed, under the names that the page shows."""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from django.http import StreamingHttpResponse

from players.models import Player
from players.provinces import province_name
from ranking import queries
from ranking.models import BoardRow, SeasonResult, Snapshot

FORMATS: Final = {"csv": "text/csv; charset=utf-8", "json": "application/json"}
LACKING: Final = ("missing_matches", "missing_opponents")
COLUMNS: Final = ("rank", "change", "code", "name", "province", "element", "value", "margin", *LACKING)
MARK: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"  # a spreadsheet reads the accents by it
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


class Echo:
    """csv.writer wants a file; this one hands back what it is given."""

    def write(self, text: str) -> str:
        return text


def board(snapshot: Snapshot, name: str, order: str, form: str, filename: str) -> StreamingHttpResponse:
    rows = (record(row) for row in queries.board_rows(snapshot, name, order).iterator(chunk_size=2000))
    body = as_csv(rows) if form == "csv" else as_json(rows, snapshot, name, order)
    response = StreamingHttpResponse(body, content_type=FORMATS[form])
    response["Content-Disposition"] = f'attachment; filename="{filename}-{snapshot.number}.{form}"'
    return response


def record(row: BoardRow) -> dict[str, Any]:
    """value: what orders the board; by rating, value and margin add up to the rating."""
    player = row.player
    return {
        "rank": row.rank,
        "change": row.change,
        "code": player.code,
        "name": player.shown,
        "province": province_name(player.province),
        "element": row.element,
        "value": row.value,
        "margin": row.margin,
        "missing_matches": row.missing_matches,
        "missing_opponents": row.missing_opponents,
    }


def as_csv(records: Iterable[dict[str, Any]]) -> Iterator[str]:
    writer = csv.writer(Echo())
    yield MARK + writer.writerow(COLUMNS)
    for found in records:
        yield writer.writerow([harmless(found[column]) for column in COLUMNS])


def harmless(value: Any) -> Any:
    """A name that a spreadsheet would run as a formula is text."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def as_json(records: Iterable[dict[str, Any]], snapshot: Snapshot, name: str, order: str) -> Iterator[str]:
    head = {"board": name, "order": order, "snapshot": snapshot.number, "date": str(snapshot.day)}
    yield json.dumps(head, ensure_ascii=False)[:-1] + ', "rows": ['
    for number, found in enumerate(records):
        yield (", " if number else "") + json.dumps(found, ensure_ascii=False)
    yield "]}"


def result(found: SeasonResult, people: Mapping[str, Player]) -> StreamingHttpResponse:
    """A season's numbered standings, with the names as they are shown today (CASES 54)."""
    response = StreamingHttpResponse(result_lines(found, people), content_type=FORMATS["csv"])
    name = f"{found.season.slug}-{found.revision}.csv"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def result_lines(found: SeasonResult, people: Mapping[str, Player]) -> Iterator[str]:
    writer = csv.writer(Echo())
    yield MARK + writer.writerow(["rank", "code", "name", "points"])
    for row in found.rows:
        name = people[row["player"]].shown if row["player"] in people else ""
        yield writer.writerow([row["rank"], row["player"], harmless(name), row["points"]])
