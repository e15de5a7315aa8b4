"""The catalogue's file: one row for each printing (DESIGN, import_cards). Every bad cell names its line. [no Django]

| column | holds |
|---|---|
| `code` | of this printing, unique and permanent |
| `name`, `game` | the card's name; the game's slug (may be left out where the game is known) |
| `expansion`, `released` | its name; the day it is out (YYYY-MM-DD or DD/MM/YYYY) |
| `element` `faction` `rarity` `type` `subtype` `position` | values of the game, by name or slug |
| `cost` `attack` `life` | whole numbers; "2,0" is 2 |
| `text` | abilities and combo |
| `same_card_as` | code of the first printing, for a promo or other art; its own values are then those of the card |
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from decks.rules.cards import ATTRIBUTES, Card, Catalogue, Printing, Restriction
from decks.rules.games import Game
from decks.rules.tables import Row
from decks.rules.words import key, slug

NUMBERS = ("cost", "attack", "life")
COLUMNS = (
    "code", "name", "game", "expansion", "element", "faction", "rarity", "type", "subtype", "position", *NUMBERS,
    "text", "released", "same_card_as",
)  # fmt: skip
REQUIRED = ("code", "name", "expansion", "type", "released")
REQUIRED_OF_PRINTING = ("code", "expansion", "released")
"""Of a row with `same_card_as`: the rest is the card's."""
PARENTS = {"faction": "element", "subtype": "type", "position": "type"}
NUMBER = re.compile(r"(\d{1,3})(?:[.,]0+)?")
LONGEST = {"code": 40, "name": 120, "expansion": 80, "text": 2000}
"""Letters that the columns of the database hold."""
DAY = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})|(\d{1,2})/(\d{1,2})/(\d{4})")


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a cell. `code` chooses the sentence; `line` is that of the file."""

    line: int
    column: str
    code: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class Listed:
    """A row that holds together."""

    line: int
    code: str
    name: str
    expansion: str
    released: date
    values: Mapping[str, Any]  # attributes, numbers and text of the card
    same_as: str = ""


def missing_columns(columns: Iterable[str]) -> list[str]:
    return [column for column in REQUIRED if column not in set(columns)]


def read_cards(rows: Iterable[Row], game: Game, known: Iterable[str] = ()) -> tuple[list[Listed], list[Fault]]:
    """Good rows and every fault of the bad ones; a bad row stops no other. `known`: codes that are there already."""
    listed, faults = [], []
    for row in rows:
        found = list(_faults(row, game))
        faults += found
        if not found:
            listed.append(_listed(row))
    faults += _across(listed, set(known))
    bad = {fault.line for fault in faults}
    return [row for row in listed if row.line not in bad], sorted(faults, key=lambda fault: fault.line)


def _faults(row: Row, game: Game) -> Iterable[Fault]:
    cells = row.cells
    for column in REQUIRED_OF_PRINTING if cells.get("same_card_as") else REQUIRED:
        if not cells.get(column):
            yield Fault(row.line, column, "missing")
    for column, most in LONGEST.items():
        if len(cells.get(column, "")) > most:
            yield Fault(row.line, column, "long", str(most))
    if cells.get("code") and not slug(cells["code"]):
        yield Fault(row.line, "code", "missing")
    if cells.get("game") and slug(cells["game"]) not in (game.slug, slug(game.name)):
        yield Fault(row.line, "game", "other-game", cells["game"])
    for attribute in ATTRIBUTES:
        yield from _value_faults(row, attribute, game)
    for column in NUMBERS:
        if cells.get(column) and not NUMBER.fullmatch(cells[column]):
            yield Fault(row.line, column, "number", cells[column])
    if cells.get("released") and day(cells["released"]) is None:
        yield Fault(row.line, "released", "date", cells["released"])
    if not cells.get("same_card_as"):
        yield from _needs(row, game)


def _value_faults(row: Row, attribute: str, game: Game) -> Iterable[Fault]:
    written = row.cells.get(attribute, "")
    if not written or not game.listed(attribute):
        return
    value = game.values.get((attribute, slug(written)))
    if value is None:
        yield Fault(row.line, attribute, "value", written)
    elif value.of and (parent := slug(row.cells.get(PARENTS[attribute], ""))) and value.of != parent:
        yield Fault(row.line, attribute, "parent", written)


def _needs(row: Row, game: Game) -> Iterable[Fault]:
    """What a type asks for: a unit has attack and life, an automatic trap costs 0."""
    for attribute in ("type", "subtype"):
        value = game.values.get((attribute, slug(row.cells.get(attribute, ""))))
        if value is None:
            continue
        for column in value.needs:
            if not row.cells.get(column):
                yield Fault(row.line, column, "needed", row.cells[attribute])
        cost = NUMBER.fullmatch(row.cells.get("cost", ""))
        if value.cost is not None and cost and int(cost[1]) != value.cost:
            yield Fault(row.line, "cost", "fixed-cost", row.cells["cost"])


def _across(listed: Iterable[Listed], known: set[str]) -> Iterable[Fault]:
    """A code twice in the file; a printing of a card that nobody knows."""
    rows = list(listed)
    codes = {key(row.code) for row in rows if not row.same_as} | {key(code) for code in known}
    seen: set[str] = set()
    for row in rows:
        if key(row.code) in seen:
            yield Fault(row.line, "code", "twice", row.code)
        seen.add(key(row.code))
        if row.same_as and key(row.same_as) not in codes:
            yield Fault(row.line, "same_card_as", "nobody", row.same_as)


def _listed(row: Row) -> Listed:
    cells = row.cells
    values: dict[str, Any] = {attribute: slug(cells.get(attribute, "")) for attribute in ATTRIBUTES}
    values |= {column: _number(cells.get(column, "")) for column in NUMBERS}
    values["text"] = cells.get("text", "")
    out = day(cells["released"])
    assert out is not None, "_faults has seen to it"
    return Listed(
        row.line, cells["code"], cells.get("name", ""), cells["expansion"], out, values, cells.get("same_card_as", "")
    )


def _number(text: str) -> int | None:
    found = NUMBER.fullmatch(text)
    return int(found[1]) if found else None


def day(text: str) -> date | None:
    """
    >>> day("2026-06-12") == day("12/06/2026") == date(2026, 6, 12)
    True
    """
    found = DAY.match(text.strip())
    if not found:
        return None
    y, m, d = found.group(1, 2, 3) if found[1] else found.group(6, 5, 4)
    try:
        return date(int(y), int(m), int(d))
    except ValueError:
        return None


def catalogue(rows: Iterable[Listed], restrictions: Iterable[Restriction] = ()) -> Catalogue:
    """Cards in the order of their first printing; a promo adds a printing to its card."""
    rows = list(rows)
    printings: dict[str, list[Printing]] = {}
    for row in rows:
        printings.setdefault(row.same_as or row.code, []).append(Printing(row.code, slug(row.expansion), row.released))
    cards = tuple(
        Card(row.code, row.name, printings=tuple(printings[row.code]), **row.values) for row in rows if not row.same_as
    )
    return Catalogue(cards, tuple(restrictions), {slug(row.expansion): row.expansion for row in rows})


def read_restrictions(rows: Iterable[Row], game: Game) -> list[Restriction]:
    """Rows of `game,card,since,copies,format`; copies empty lifts a restriction."""
    return [
        Restriction(row.cells["card"], since, _number(row.cells["copies"]), row.cells.get("format", ""))
        for row in rows
        if row.cells["game"] == game.slug and (since := day(row.cells["since"]))
    ]


def written(cards: Catalogue, game: str) -> Iterable[dict[str, str]]:
    """The catalogue as rows of the file that would make it, first printings before the others."""
    first = [(card, printing) for card in cards.cards for printing in card.printings if printing.code == card.code]
    others = [(card, printing) for card in cards.cards for printing in card.printings if printing.code != card.code]
    for card, printing in (*first, *others):
        values = {column: getattr(card, column) for column in (*ATTRIBUTES, *NUMBERS, "text")}
        yield {
            "code": printing.code,
            "name": card.name,
            "game": game,
            "expansion": cards.expansions[printing.expansion],
            **{column: "" if value is None else str(value) for column, value in values.items()},
            "released": printing.released.isoformat(),
            "same_card_as": "" if printing.code == card.code else card.code,
        }
