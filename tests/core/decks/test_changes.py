"""What a file would change (UX, Administrator; CASES 71-73, 89), on values."""

import io
import json
from collections.abc import Iterable

import pytest
from openpyxl import Workbook

from decks.rules.cardfile import COLUMNS, catalogue, read_cards, written
from decks.rules.cards import Catalogue
from decks.rules.changes import Kind, Why, compare
from decks.rules.demo import FOLDER, demonstration
from decks.rules.games import game
from decks.rules.tables import MOST_ROWS, NotTable, NotText, Row, Table, read_table

KOUNTER = game("kounter")
BASE = {
    "code": "MI9-001", "name": "Farolera Inventada", "game": "kounter", "expansion": "Muestra nueve", "element": "luz",
    "faction": "kuran-delii", "rarity": "comun", "type": "unidad", "cost": "2", "attack": "1", "life": "3",
    "released": "2026-07-01",
}  # fmt: skip


def row(line: int = 2, **cells: str) -> Row:
    return Row(line, BASE | cells)


def shelf(*rows: Row) -> Catalogue:
    listed, faults = read_cards(rows or [row()], KOUNTER)
    assert not faults
    return catalogue(listed)


def changes(rows: Iterable[Row], cards: Catalogue, retired: Iterable[str] = ()):  # type: ignore[no-untyped-def]
    listed, faults = read_cards(rows, KOUNTER, cards.by_code)
    assert not faults
    return compare(listed, cards, retired)


@pytest.mark.parametrize(
    ("cells", "kind", "columns"),
    [
        ({}, Kind.SAME, []),
        ({"code": "mi9 001"}, Kind.SAME, []),
        ({"cost": "3"}, Kind.CHANGED, ["cost"]),
        ({"text": "Alza: robas."}, Kind.CHANGED, ["text"]),
        ({"rarity": "Raro"}, Kind.CHANGED, ["rarity"]),
        ({"name": "Farolera inventada"}, Kind.CHANGED, ["name"]),
        ({"released": "02/07/2026"}, Kind.CHANGED, ["released"]),
        ({"expansion": "Otra"}, Kind.CHANGED, ["expansion"]),
        ({"code": "MI9-002", "name": "Otra Inventada"}, Kind.NEW, []),
    ],
)
def test_each_row_is_new_changed_or_the_same(cells: dict[str, str], kind: Kind, columns: list[str]) -> None:
    change = changes([row(**cells)], shelf()).changes[0]
    assert (change.kind, [each.column for each in change.differences]) == (kind, columns)


PROMO = row(3, code="MIP-901", expansion="Promos", same_card_as="MI9-001")
OTHER = row(4, code="MI9-002", name="Otra Inventada")


@pytest.mark.parametrize(
    ("cells", "why", "other"),
    [
        ({"code": "MI9-009"}, Why.NAME, "MI9-001"),
        ({"name": "Un Nombre Bien Distinto"}, Why.RENAMED, "MI9-001"),
        ({"code": "MIP-901", "same_card_as": "MI9-002"}, Why.MOVED, "MI9-001"),
        ({"code": "MIP-901"}, Why.CARD, "MI9-001"),
        ({"same_card_as": "MI9-002"}, Why.CARD, "MI9-001"),
    ],
)
def test_what_could_mean_two_things_is_to_decide(cells: dict[str, str], why: Why, other: str) -> None:
    change = changes([row(**cells)], shelf(row(), PROMO, OTHER)).changes[0]
    assert (change.kind, change.why, change.other) == (Kind.CONFLICT, why, other)
    assert change.takeable == (why is not Why.CARD)


def test_a_promo_needs_no_values_of_its_own() -> None:
    bare = Row(5, {"code": "MIP-902", "expansion": "Promos", "released": "2026-08-01", "same_card_as": "MI9-001"})
    assert changes([bare], shelf()).changes[0].kind is Kind.NEW


def test_what_the_file_no_longer_has_is_listed_within_its_expansions() -> None:
    cards = shelf(row(), PROMO, OTHER)
    found = changes([row()], cards)
    assert [(gone.code, gone.card) for gone in found.gone] == [("MI9-002", True)]
    found = changes([row(), OTHER, row(5, code="MIP-999", expansion="Promos", same_card_as="MI9-002")], cards)
    assert [(gone.code, gone.card) for gone in found.gone] == [("MIP-901", False)]
    assert changes([row()], cards, retired=["MI9-002"]).gone == ()


def test_a_retired_card_that_is_in_the_file_again_comes_back() -> None:
    change = changes([row()], shelf(), retired=["MI9-001"]).changes[0]
    assert [(each.column, each.after) for each in change.differences] == [("retired", False)]


@pytest.mark.parametrize("slug", ["kounter", "kickon"])
def test_the_catalogue_written_and_read_again_is_the_same(slug: str) -> None:
    cards = demonstration(slug)
    rows = [Row(line, cells) for line, cells in enumerate(written(cards, slug), 2)]
    listed, faults = read_cards(rows, game(slug))
    assert not faults
    found = compare(listed, cards)
    assert found.count() == {"new": 0, "changed": 0, "conflict": 0, "same": len(rows), "gone": 0}


# -- tables ------------------------------------------------------------------------------------------------------------
def xlsx(table: Table) -> bytes:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(list(table.columns))
    for each in table.rows:
        sheet.append([int(text) if text.isdigit() else text or None for text in each.cells.values()])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def test_a_workbook_and_json_hold_the_same_rows_as_csv() -> None:
    table = read_table((FOLDER / "kounter.csv").read_bytes())
    cells = [each.cells for each in table.rows]
    assert [each.cells for each in read_table(xlsx(table)).rows] == cells
    assert [each.cells for each in read_table(json.dumps(cells).encode()).rows] == cells
    assert [each.cells for each in read_table(json.dumps({"cards": cells}).encode("utf-8-sig")).rows] == cells


NO_TABLES = (
    b"PK\x03\x04 no workbook", b"[1, 2]", b'{"a": 1}', b"[" * 100_000, b"[{]", b"\x00\x01\x02",
    b"[" + b"{}," * MOST_ROWS + b"{}]",
)  # fmt: skip


@pytest.mark.parametrize("data", NO_TABLES, ids=range(len(NO_TABLES)))
def test_what_is_no_table_is_refused(data: bytes) -> None:
    with pytest.raises(NotText):
        read_table(data)


def test_more_rows_than_anybody_has_are_refused() -> None:
    with pytest.raises(NotTable):
        read_table(b"code\n" + b"A\n" * (MOST_ROWS + 1))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize("separator", [";", ",", "\t"])
def test_case_72_letters_and_separators(encoding: str, separator: str) -> None:
    lines = [[*COLUMNS], [str((BASE | {"name": "Peña Ñusta", "cost": '"2,0"'}).get(name, "")) for name in COLUMNS]]
    table = read_table("\r\n".join(separator.join(line) for line in lines).encode(encoding))
    listed, faults = read_cards(table.rows, KOUNTER)
    assert not faults
    assert (listed[0].name, listed[0].values["cost"]) == ("Peña Ñusta", 2)


def test_case_73_text_that_a_spreadsheet_would_run() -> None:
    from decks.rules.tables import plain_cell, safe_cell

    for text in ("=1+1", "+2 PA", "-1 PV", "@uno", "plain", "'quoted'", ""):
        assert plain_cell(safe_cell(text)) == text
    assert safe_cell("-12") == "'-12"


@pytest.mark.parametrize(
    ("cells", "column", "code"),
    [
        ({"code": ""}, "code", "missing"),
        ({"code": "--"}, "code", "missing"),
        ({"name": "x" * 121}, "name", "long"),
        ({"game": "kickon"}, "game", "other-game"),
        ({"element": "plasma"}, "element", "value"),
        ({"faction": "tribu-goblin"}, "faction", "parent"),
        ({"cost": "dos"}, "cost", "number"),
        ({"cost": "2,5"}, "cost", "number"),
        ({"attack": ""}, "attack", "needed"),
        ({"released": "mañana"}, "released", "date"),
        ({"released": "31/02/2026"}, "released", "date"),
        ({"same_card_as": "NADIE-1"}, "same_card_as", "nobody"),
    ],
)
def test_a_bad_cell_names_its_line_and_stops_no_other(cells: dict[str, str], column: str, code: str) -> None:
    good = row(9, code="MI9-050", name="Buena Inventada")
    listed, faults = read_cards([row(7, **cells), good], KOUNTER)
    assert [each.code for each in listed] == ["MI9-050"]
    assert (7, column, code) in [(fault.line, fault.column, fault.code) for fault in faults]
