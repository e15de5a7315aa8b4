"""Bytes of a table into rows: CSV as Excel, LibreOffice and old exports write it, a workbook, or JSON. [no Django]

CSV: UTF-8 with or without BOM, UTF-16, Windows-1252; `,` `;` tab or `|`; quoted separators and line ends; CRLF
(CASES 71, 72). XLSX: the first sheet. JSON: a list of objects. No character is ever replaced in silence: bytes that
are no text are an error.
"""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from zipfile import BadZipFile

from decks.rules.words import slug

SEPARATORS = ",;\t|"
ZIP = b"PK\x03\x04"
MOST_ROWS = 50_000
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet would run at the beginning of a cell (CASES 73): written behind an apostrophe, read without it."""


class NotText(ValueError):
    """The bytes are not text in any encoding that people save files in."""


class NotTable(NotText):
    """A workbook or JSON that holds no table; the message says why."""


@dataclass(frozen=True, slots=True)
class Row:
    line: int  # of the file, from 1, where the row begins
    cells: dict[str, str]  # by column


@dataclass(frozen=True, slots=True)
class Table:
    encoding: str
    separator: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


def decode(data: bytes) -> tuple[str, str]:
    """The text and the encoding that read it. Raises NotText.

    >>> decode("Peña".encode("cp1252"))
    ('Peña', 'cp1252')
    """
    encodings = ("utf-16",) if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig", "cp1252")
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text, encoding
    raise NotText


def read_table(data: bytes) -> Table:
    """The header tells the columns, whatever their case and accents; cells keep what they hold. Raises NotText."""
    if data[:4] == ZIP:
        return _table(_workbook(data), "xlsx")
    if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"[", b"{"):
        return _objects(data)
    return _csv(data)


def _csv(data: bytes) -> Table:
    text, encoding = decode(data)
    separator = _separator(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    return _table(_lines(reader), encoding, separator)


def _table(lines: Iterable[tuple[int, list[str]]], encoding: str, separator: str = "") -> Table:
    """The first line with anything in it is the header; empty lines are none."""
    columns: tuple[str, ...] = ()
    rows: list[Row] = []
    for line, cells in lines:
        if not any(cell.strip() for cell in cells):
            continue
        if not columns:
            columns = tuple(slug(cell).replace("-", "_") for cell in cells)
            continue
        if len(rows) == MOST_ROWS:
            raise NotTable(f"more than {MOST_ROWS} rows")
        padded = cells + [""] * (len(columns) - len(cells))
        rows.append(Row(line, {name: plain_cell(cell) for name, cell in zip(columns, padded, strict=False)}))
    return Table(encoding, separator, columns, tuple(rows))


def plain_cell(cell: str) -> str:
    """Without the apostrophe that keeps a spreadsheet from running it."""
    cell = cell.strip()
    return cell[1:] if cell[:1] == "'" and cell[1:2] in FORMULA else cell


def safe_cell(text: str) -> str:
    """
    >>> safe_cell("=1+1"), plain_cell("'=1+1"), safe_cell("Déjà Vu")
    ("'=1+1", '=1+1', 'Déjà Vu')
    """
    return f"'{text}" if text.startswith(FORMULA) else text


def _workbook(data: bytes) -> Iterator[tuple[int, list[str]]]:
    from openpyxl import load_workbook  # a tenth of a second that only workbooks need
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        for line, cells in enumerate(book.worksheets[0].iter_rows(values_only=True), 1):
            yield line, [_written(cell) for cell in cells]
    except (InvalidFileException, BadZipFile, KeyError, IndexError, ValueError, OSError) as error:
        if isinstance(error, NotTable):
            raise
        raise NotTable("not a workbook") from error


def _objects(data: bytes) -> Table:
    """JSON: `[{...}, ...]`, or an object with one such list. A row's line is its place in the list."""
    try:
        found = json.loads(decode(data)[0])
    except (json.JSONDecodeError, RecursionError) as error:
        raise NotTable(f"not JSON: {error}") from error
    if isinstance(found, Mapping):
        found = next((value for value in found.values() if isinstance(value, list)), None)
    if not isinstance(found, list) or not all(isinstance(row, Mapping) for row in found):
        raise NotTable("not a list of objects")
    if len(found) > MOST_ROWS:
        raise NotTable(f"more than {MOST_ROWS} rows")
    named = [{slug(str(name)).replace("-", "_"): _written(cell) for name, cell in row.items()} for row in found]
    columns = tuple(dict.fromkeys(name for row in named for name in row))
    rows = (Row(line, {name: row.get(name, "").strip() for name in columns}) for line, row in enumerate(named, 1))
    return Table("json", "", columns, tuple(row for row in rows if any(row.cells.values())))


def _written(value: Any) -> str:
    """A typed cell as CSV would hold it: whole numbers without ".0", days as ISO."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime):
        return value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    return str(value)


def _separator(text: str) -> str:
    """The one that the header has most of."""
    header = next((line for line in text.splitlines() if line.strip()), "")
    counts = Counter(char for char in header if char in SEPARATORS)
    return max(SEPARATORS, key=lambda char: counts[char])


def _lines(reader: "csv.reader") -> Iterator[tuple[int, list[str]]]:  # type: ignore[valid-type]
    """Each row with the line it begins on: a quoted cell may hold line ends."""
    begins = 1
    for cells in reader:  # type: ignore[attr-defined]
        yield begins, cells
        begins = reader.line_num + 1  # type: ignore[attr-defined]
