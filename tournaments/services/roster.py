"""A roster from a file or a paste: a CSV, or one name a line (CASES 71, 72). Preview, then confirm."""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from decks.models import Element
from players import codes, names
from players.models import Player
from tournaments.models import Event, Registration
from tournaments.services import journal
from tournaments.services.errors import Refused
from tournaments.services.journal import Actor
from tournaments.services.registrations import (
    MOST_AT_ONCE,
    Entry,
    allowed_element,
    check_open_roster,
    enrol_missing,
    new_guest,
    players_by_code,
)

COLUMNS: dict[str, tuple[str, ...]] = {
    "name": ("nombre", "name", "jugador", "jugadora", "player", "nombre completo", "full name"),
    "surname": ("apellidos", "apellido", "surname", "last name"),
    "code": ("codigo", "code"),
    "element": ("elemento", "element"),
    "team": ("equipo", "team", "club"),
    "paid": ("pagado", "paid"),
}
COLUMN_OF = {word: column for column, words in COLUMNS.items() for word in words}
EXPECTED = ", ".join(f"{words[0]} ({words[1]})" for words in COLUMNS.values())
YES = frozenset({"1", "x", "si", "s", "yes", "y", "true", "verdadero", "pagado", "paid"})
NO = frozenset({"", "0", "no", "n", "false", "falso", "-"})
SEPARATORS = (";", ",", "\t")
LARGEST = 1_000_000  # bytes
LONGEST_NAME = 120


@dataclass(slots=True)
class Row:
    """One line. `errors` keep the file from being confirmed; `warnings` are for a look."""

    line: int
    name: str = ""
    code: str = ""
    element: str = ""
    team: str = ""
    paid: bool = False
    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


@dataclass(slots=True)
class RosterPreview:
    """What was understood: `encoding` (None for a paste), `separator` ("" for one name a line), `text` as decoded."""

    rows: list[Row]
    encoding: str | None = None
    separator: str = ""
    header: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    text: str = ""

    @property
    def first(self) -> list[Row]:
        return self.rows[:3]

    @property
    def possible(self) -> bool:
        return bool(self.rows) and not self.errors and not any(row.errors for row in self.rows)


def preview(source: bytes | str, event: Event | None = None) -> RosterPreview:
    """Read without writing. With the event, codes, elements and who is in already are checked (four queries)."""
    found = RosterPreview([])
    try:
        found.text, found.encoding = decode(source)
        _read(found)
    except Refused as refusal:
        found.errors.append(str(refusal))
    _flag_duplicates(found.rows)
    if event is not None:
        _check_against(event, found.rows)
    return found


# -- reading -----------------------------------------------------------------------------------------------------------
def decode(source: bytes | str) -> tuple[str, str | None]:
    """UTF-8 with or without BOM, UTF-16 with one, else Windows-1252; a byte that none of them knows is refused, never
    replaced."""
    if isinstance(source, str):
        return source.removeprefix("\ufeff"), None
    if len(source) > LARGEST:
        raise Refused(_("The file is larger than a roster."), code="too_large")
    marked = source[:2] in (b"\xff\xfe", b"\xfe\xff")
    for encoding in ("utf-16",) if marked else ("utf-8-sig", "cp1252"):
        try:
            return source.decode(encoding), encoding
        except UnicodeDecodeError:
            continue
    raise Refused(_("The letters of this file cannot be read; save it as UTF-8."), code="encoding")


def _read(found: RosterPreview) -> None:
    if "\0" in found.text:
        raise Refused(_("This is not a text file."), code="binary")
    found.separator = separator_of(found.text)
    lines = _cells(found.text, found.separator)
    if not lines:
        raise Refused(_("There is nobody in it."), code="empty")
    columns = _columns(lines[0][1], found)
    body = lines[1:] if found.header else lines
    found.rows = [_row(number, dict(zip(columns, cells, strict=False))) for number, cells in body]
    if len(found.rows) > MOST_AT_ONCE:
        raise Refused(_("At most %(most)d players at once.") % {"most": MOST_AT_ONCE}, code="too_many")
    if not found.rows:
        raise Refused(_("There is nobody in it."), code="empty")


def separator_of(text: str) -> str:
    """The one that splits the first line into most cells, quotes respected; "" when none does."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    widths = {mark: len(next(csv.reader([first], delimiter=mark), [])) for mark in SEPARATORS}
    best = max(SEPARATORS, key=lambda mark: widths[mark])
    return best if widths[best] > 1 else ""


def _cells(text: str, separator: str) -> list[tuple[int, list[str]]]:
    """(line number, cells) of every line that holds something."""
    if not separator:
        numbered = enumerate(text.splitlines(), 1)
        return [(number, [name]) for number, line in numbered if (name := _unquoted(line))]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        return [
            (reader.line_num, [names.clean(cell) for cell in cells]) for cells in reader if any(map(str.strip, cells))
        ]
    except csv.Error as error:
        message = _("Line %(line)d cannot be read as a table: %(error)s.") % {"line": reader.line_num, "error": error}
        raise Refused(message, code="csv") from None


def _unquoted(line: str) -> str:
    line = names.clean(line)
    return names.clean(line[1:-1]) if len(line) > 1 and line[0] == line[-1] == '"' else line


def _columns(first: Sequence[str], found: RosterPreview) -> list[str]:
    """The column of each cell. Several columns need a header; one column is names, with or without it."""
    known = [COLUMN_OF.get(names.fold(cell), "") for cell in first]
    if len(first) == 1 and not known[0]:
        return ["name"]
    found.header = list(first)
    unknown = [cell for cell, column in zip(first, known, strict=True) if not column and cell]
    if unknown or not {"name", "code"} & set(known):
        raise _unknown_header(unknown or list(first))
    if len({column for column in known if column}) < len([column for column in known if column]):
        raise Refused(_("Two columns of the file say the same."), code="header")
    return known


def _unknown_header(unknown: Sequence[str]) -> Refused:
    message = _("I do not know these columns: %(unknown)s. I expect %(expected)s; or one name a line.")
    return Refused(message % {"unknown": ", ".join(unknown), "expected": EXPECTED}, code="header")


def _row(line: int, cells: dict[str, str]) -> Row:
    name = names.clean(f"{cells.get('name', '')} {cells.get('surname', '')}")
    row = Row(line, name, element=cells.get("element", ""), team=cells.get("team", ""))
    _read_code(row, cells.get("code", ""))
    _read_paid(row, cells.get("paid", ""))
    if not row.name and not row.code:
        row.errors.append(gettext("There is no name."))
    if len(row.name) > LONGEST_NAME:
        row.errors.append(gettext("A name has at most %(most)d characters.") % {"most": LONGEST_NAME})
    if len(row.team) > 40:
        row.errors.append(gettext("A team's name has at most %(most)d characters.") % {"most": 40})
    return row


def _read_code(row: Row, text: str) -> None:
    """A public code, in its column or on a line of its own instead of a name."""
    code = codes.normal(text or row.name)
    if codes.is_valid(code):
        row.code = code
        row.name = row.name if text else ""
    elif text:
        row.errors.append(gettext("%(code)s is not a player's code.") % {"code": text})


def _read_paid(row: Row, text: str) -> None:
    answer = names.fold(text)
    row.paid = answer in YES
    if answer not in YES | NO:
        row.errors.append(gettext("Paid: yes or no, not “%(text)s”.") % {"text": text})


# -- checking ----------------------------------------------------------------------------------------------------------
def _flag_duplicates(rows: Iterable[Row]) -> None:
    """The same code twice is one player twice: an error. The same name twice may be two people: a warning (51)."""
    by_code: dict[str, int] = {}
    by_name: dict[str, int] = {}
    for row in rows:
        if row.code:
            if (earlier := by_code.setdefault(row.code, row.line)) != row.line:
                row.errors.append(gettext("The same player as in line %(line)d.") % {"line": earlier})
        elif row.name and (earlier := by_name.setdefault(names.fold(row.name), row.line)) != row.line:
            row.warnings.append(gettext("The same name as in line %(line)d.") % {"line": earlier})


def _check_against(event: Event, rows: Sequence[Row]) -> None:
    registered = list(event.registrations.select_related("player"))
    inside = {row.player.staff_key: row for row in registered}
    enrolled = {row.player_id for row in registered}
    players = players_by_code({row.code for row in rows if row.code})
    elements = elements_of(event)
    for row in rows:
        _check_code(row, players, enrolled)
        _check_element(row, event, elements)
        if not row.code and (other := inside.get(names.fold(row.name)[:140])):
            row.warnings.append(gettext("%(name)s is in the event already.") % {"name": other.person.name})


def _check_code(row: Row, players: dict[str, Player], enrolled: set[int]) -> None:
    if not row.code:
        return
    player = players.get(row.code)
    if player is None:
        row.errors.append(gettext("Nobody has the code %(code)s.") % {"code": codes.printed(row.code)})
        return
    if row.name and names.fold(row.name) != player.staff_key:
        row.warnings.append(gettext("That code is %(name)s's.") % {"name": player.name})
    row.name = player.name
    if player.pk in enrolled:
        row.warnings.append(gettext("%(name)s is in the event already.") % {"name": player.name})


def elements_of(event: Event) -> dict[str, Element]:
    """By every name that people write, folded."""
    found = event.game.elements.all()
    return {names.fold(word): element for element in found for word in (element.slug, element.name, element.name_en)}


def _check_element(row: Row, event: Event, elements: dict[str, Element]) -> None:
    if not row.element:
        return
    element = elements.get(names.fold(row.element))
    if element is None:
        known = ", ".join(dict.fromkeys(str(element) for element in elements.values()))
        text = gettext("%(element)s is no element of %(game)s: %(known)s.")
        row.errors.append(text % {"element": row.element, "game": event.game, "known": known})
        return
    try:
        allowed_element(event, element)
    except Refused as refusal:
        row.errors.append(str(refusal))


# -- writing -----------------------------------------------------------------------------------------------------------
def confirm(
    event: Event, rows: Sequence[Row], *, by: Actor, at: datetime | None = None, reason: str = ""
) -> list[Registration]:
    """Enrol the rows of a preview in one change; whoever is in already keeps his row. Constant number of queries."""
    at = at or timezone.now()
    with journal.change(event, "player.enter", by=by, at=at, reason=reason) as write:
        check_open_roster(write.event)
        fresh = [Row(row.line, row.name, row.code, row.element, row.team, row.paid) for row in rows]
        _check_against(write.event, fresh)
        _refuse_errors(fresh)
        return enrol_missing(write, _entries(write.event, fresh), at)


def _refuse_errors(rows: Iterable[Row]) -> None:
    wrong = [(row.line, error) for row in rows for error in row.errors]
    if wrong:
        line, error = wrong[0]
        message = _("Line %(line)d: %(error)s") % {"line": line, "error": error}
        raise Refused(message, code="rows", data={"lines": [number for number, _error in wrong]})


def _entries(event: Event, rows: Sequence[Row]) -> list[Entry]:
    by_code, elements = players_by_code({row.code for row in rows if row.code}), elements_of(event)
    players = [by_code[row.code] if row.code else new_guest(row.name, event) for row in rows]
    Player.objects.bulk_create([player for player in players if player.pk is None])
    chosen = [elements.get(names.fold(row.element)) if row.element else event.element for row in rows]
    return [
        Entry(player, element, row.team, row.paid) for player, element, row in zip(players, chosen, rows, strict=True)
    ]
