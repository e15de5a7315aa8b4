"""Bytes of a spreadsheet's CSV into rows, as Excel, LibreOffice and old exports write it. [no Django]

UTF-8 with or without BOM, UTF-16, Windows-1252; `,` `;` tab or `|`; quoted separators and line ends; CRLF
(CASES 71, 72).
No character is ever replaced in silence: bytes that are no text are an error.
"""

import csv
import io
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from decks.rules.words import slug

SEPARATORS = ",;\t|"


class NotText(ValueError):
    """The bytes are not text in any encoding that people save files in."""


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
    text, encoding = decode(data)
    separator = _separator(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    starts = _lines(reader)
    columns: tuple[str, ...] = ()
    rows = []
    for line, cells in starts:
        if not any(cell.strip() for cell in cells):
            continue
        if not columns:
            columns = tuple(slug(cell).replace("-", "_") for cell in cells)
        else:
            padded = cells + [""] * (len(columns) - len(cells))
            rows.append(Row(line, {name: cell.strip() for name, cell in zip(columns, padded, strict=False)}))
    return Table(encoding, separator, columns, tuple(rows))


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
