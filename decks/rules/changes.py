"""What a file would change in the catalogue: the preview of an import (UX, Administrator; CASES 89). [no Django]

Codes are permanent, so a row is looked up by its code and nothing else. What a code can tell by itself is new, changed
or the same; where it could mean two things, a person decides.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from decks.rules.cardfile import NUMBERS, Listed
from decks.rules.cards import ATTRIBUTES, Card, Catalogue, Printing
from decks.rules.words import key, slug

OF_CARD = ("name", *ATTRIBUTES, *NUMBERS, "text")
OF_PRINTING = ("expansion", "released")


class Kind(StrEnum):
    NEW = "new"
    CHANGED = "changed"
    CONFLICT = "conflict"
    SAME = "same"


class Why(StrEnum):
    """Why a row needs a decision."""

    NAME = "name"  # new, but another card is called so: a reprint that forgot `same_card_as`?
    RENAMED = "renamed"  # the code is known under another name: a correction, or another card on a used code?
    MOVED = "moved"  # the printing is known as another card's
    CARD = "card"  # the code is a printing of another card here, and the file makes it a card, or the reverse


TAKEABLE = frozenset({Why.NAME, Why.RENAMED, Why.MOVED})
"""What may be taken as the file says; the rest has to be mended in the file."""


@dataclass(frozen=True, slots=True)
class Difference:
    column: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Change:
    """What one row does. `other`: the code of the card that it clashes with."""

    row: Listed
    kind: Kind
    differences: tuple[Difference, ...] = ()
    why: Why | None = None
    other: str = ""

    @property
    def takeable(self) -> bool:
        return self.why in TAKEABLE


@dataclass(frozen=True, slots=True)
class Gone:
    """In the catalogue, of an expansion of the file, and not in the file."""

    code: str
    name: str
    card: bool  # False: a further printing, which stays


@dataclass(frozen=True)
class Comparison:
    changes: tuple[Change, ...]
    gone: tuple[Gone, ...]
    of: Mapping[Kind, tuple[Change, ...]] = field(default_factory=dict)

    def count(self) -> dict[str, int]:
        return {kind.value: len(self.of[kind]) for kind in Kind} | {"gone": len(self.gone)}


def compare(rows: Iterable[Listed], catalogue: Catalogue, retired: Iterable[str] = ()) -> Comparison:
    """Each row against the card or printing of its code; `retired`: codes of cards that are no longer browsed."""
    rows = list(rows)
    shelf = _Shelf(catalogue, frozenset(retired))
    changes = tuple(shelf.change(row) for row in rows)
    of = {kind: tuple(change for change in changes if change.kind is kind) for kind in Kind}
    return Comparison(changes, tuple(shelf.gone(rows)), of)


class _Shelf:
    """The catalogue as rows ask for it."""

    def __init__(self, catalogue: Catalogue, retired: frozenset[str]) -> None:
        self.catalogue, self.retired = catalogue, retired
        self.printings = {key(p.code): (card, p) for card in catalogue.cards for p in card.printings}

    def change(self, row: Listed) -> Change:
        if key(row.code) not in self.printings:
            return self._new(row)
        card, printing = self.printings[key(row.code)]
        if clash := self._clash(row, card):
            return clash
        differences = tuple(self._differences(row, card, printing))
        if any(each.column == "name" and key(each.before) != key(each.after) for each in differences):
            return Change(row, Kind.CONFLICT, differences, Why.RENAMED, card.code)
        return Change(row, Kind.CHANGED if differences else Kind.SAME, differences)

    def _new(self, row: Listed) -> Change:
        """Two cards may share a name, but it is seldom meant."""
        namesakes = () if row.same_as else self.catalogue.by_name.get(key(row.name), ())
        return Change(row, Kind.CONFLICT, (), Why.NAME, namesakes[0].code) if namesakes else Change(row, Kind.NEW)

    def _clash(self, row: Listed, card: Card) -> Change | None:
        first = key(card.code) == key(row.code)
        if bool(row.same_as) == first:
            return Change(row, Kind.CONFLICT, (), Why.CARD, card.code)
        if row.same_as and self.catalogue.by_code.get(key(row.same_as)) is not card:
            return Change(row, Kind.CONFLICT, (), Why.MOVED, card.code)
        return None

    def _differences(self, row: Listed, card: Card, printing: Printing) -> Iterable[Difference]:
        if not row.same_as:
            wanted = {"name": row.name, **row.values}
            for column in OF_CARD:
                if getattr(card, column) != wanted[column]:
                    yield Difference(column, getattr(card, column), wanted[column])
            if card.code in self.retired:
                yield Difference("retired", True, False)
        if printing.expansion != slug(row.expansion):
            yield Difference("expansion", self.catalogue.expansions.get(printing.expansion), row.expansion)
        if printing.released != row.released:
            yield Difference("released", printing.released, row.released)

    def gone(self, rows: list[Listed]) -> Iterable[Gone]:
        """Of the file's expansions; who is retired already is gone and decided."""
        listed, expansions = {key(row.code) for row in rows}, {slug(row.expansion) for row in rows}
        for code, (card, printing) in self.printings.items():
            if code not in listed and printing.expansion in expansions and card.code not in self.retired:
                yield Gone(printing.code, card.name, card=key(card.code) == code)
