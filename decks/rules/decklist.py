"""What a player typed, line by line: count, name, section, and the card it means. [no Django]

Nothing is passed over in silence: a line is a card, a heading, a remark, or a problem with what to do about it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from decks.rules.cards import Card, Catalogue
from decks.rules.games import Game, Heading
from decks.rules.words import key, plain

MOST = 999  # copies that a line can hold
LONGEST = 200  # characters of a line that are read as a name


class Is(StrEnum):
    """What a line is."""

    BLANK = "blank"
    NOTE = "note"  # a remark, a title, a total
    HEADING = "heading"
    FOREIGN = "foreign"  # the heading of a part that this game lacks
    OUTSIDE = "outside"  # a line below such a heading
    CARD = "card"
    LISTED = "listed"  # an unknown name where it does no harm: a token
    UNKNOWN = "unknown"
    CHOICE = "choice"  # the name fits several cards
    CLASH = "clash"  # code and name are of different cards
    NO_COUNT = "no_count"  # the count is 0, or too large to be one
    UNREAD = "unread"


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to understand a line; `told`: the count was written."""

    count: int
    name: str
    told: bool


@dataclass(frozen=True, slots=True)
class Line:
    number: int
    text: str
    kind: Is
    count: int = 0
    name: str = ""
    card: Card | None = None
    section: str = ""
    maybe: tuple[Card, ...] = ()  # what it may have meant, likeliest first
    prefix: str = ""  # the heading on the same line ("Fichas: ")


@dataclass(frozen=True, slots=True)
class DeckList:
    lines: tuple[Line, ...]
    understood: bool = True  # False: a page, an address or a picture was pasted; then the lines say nothing


def read(text: str, game: Game, catalogue: Catalogue) -> DeckList:
    """Every line of the text, with numbers from 1 as the writer counts them."""
    rows = text.splitlines()
    if looks_foreign(text):
        return DeckList(tuple(Line(number, row, Is.UNREAD) for number, row in enumerate(rows, 1)), understood=False)
    lines = tuple(_Reader(game, catalogue).lines(rows))
    written = [line for line in lines if line.kind not in (Is.BLANK, Is.NOTE, Is.HEADING)]
    return DeckList(lines, not written or any(line.kind is not Is.UNREAD for line in written))


def looks_foreign(text: str) -> bool:
    """An HTML page or nothing but addresses (CASES 85)."""
    start = text.lstrip("\ufeff \t\r\n")[:200].lower()
    return start.startswith(("<!doctype", "<html", "<?xml", "<div", "<body", "{\\rtf", "%pdf")) or bool(
        re.fullmatch(r"(?:\s*https?://\S+)+\s*", start)
    )


BULLET = re.compile(r"^(?:[-*•·>+▪◦]\s+|-(?=\d))")
COMMENT = re.compile(r"^(?:#|//|;|--)")
DRESS = re.compile(r"^[\s#/=\[*_~-]+|[\s\]=*_~:-]+$")
TALLY = re.compile(r"\s*(?:[(\[]\s*\d+(?:\s*/\s*\d+)?\s*(?:cartas|cards)?\s*[)\]]|:\s*\d+|\s\d+)$")
INLINE = re.compile(r"^([^:\d]{2,40}):\s*(\S.*)$")
SEPARATOR = r"\s*[,;:|.)-]?\s+|\s*[,;|]\s*"
READINGS = (
    (re.compile(r"^(\d+)\s*[x*]?(?:\s+(?:uds?\.?|copias?(?: de)?|copies(?: of)?)\s+)(?P<name>\S.*)$", re.I), 1),
    (re.compile(r"^(\d+)\s*[x*]\s*[,;:|-]?\s+(?P<name>\S.*)$", re.I), 1),
    (re.compile(rf"^(\d+)(?:{SEPARATOR})(?P<name>\S.*)$"), 1),
    (re.compile(r"^[x*]\s*(\d+)\s+(?P<name>\S.*)$", re.I), 1),
    (re.compile(r"^(?P<name>\S.*?)[\s,;|]+[x*]\s*(\d+)$", re.I), 2),
    (re.compile(r"^(?P<name>\S.*?)[\s,;|]+(\d+)\s*[x*]$", re.I), 2),
    (re.compile(r"^(\d+)[x*](?P<name>\S.*)$", re.I), 1),
    (re.compile(r"^(?P<name>\S.*?)\s*[(\[]\s*x?(\d+)\s*[)\]]$", re.I), 2),
    (re.compile(r"^(?P<name>\S.*?)(?:\s*[,;:|]\s*|\s+-\s+|\s+)(\d+)$"), 2),
)
"""How a line may be written, likeliest first. Which of them is meant is settled by the catalogue."""


@lru_cache(maxsize=32_768)
def readings(text: str) -> tuple[Reading, ...]:
    """Every way to read a line that `plain` and `BULLET` have cleaned.

    >>> readings("3x Lobo")[0] == readings("Lobo x3")[0] == Reading(3, "Lobo", told=True)
    True
    """
    found = []
    for pattern, group in READINGS:
        if (match := pattern.match(text)) and len(match[group]) <= 9:
            name = match["name"].strip(" \"'") if match["name"][:1] in "\"'" else match["name"]
            found.append(Reading(int(match[group]), name, told=True))
    return (*dict.fromkeys(found), Reading(1, text, told=False))


class _Reader:
    """Walks the lines with the section that the last heading opened."""

    def __init__(self, game: Game, catalogue: Catalogue) -> None:
        self.game, self.catalogue = game, catalogue
        self.section = ""  # no heading yet: each card goes to the first section that takes its type
        self.outside = False

    def lines(self, rows: list[str]) -> Iterator[Line]:
        for number, row in enumerate(rows, 1):
            text = plain(row)
            if not text:
                yield Line(number, row, Is.BLANK)
            elif text[0].isdigit():  # most lines: no heading or remark begins so
                yield self.card(number, row, text)
            else:
                yield self.other(number, row, text)

    def other(self, number: int, row: str, text: str) -> Line:
        if heading := self.heading(text):
            return self.open(heading, number, row)
        if COMMENT.match(text):
            return Line(number, row, Is.NOTE)
        inline = INLINE.match(text)
        if inline and not self.catalogue.find(text).cards and (heading := self.heading(inline[1])):
            return self.inline(heading, inline[2], number, row)
        return self.card(number, row, BULLET.sub("", text))

    def heading(self, text: str) -> Heading | None:
        """A known heading under its dress ("== Mazo (40) =="), unless a card has that very name."""
        bared = DRESS.sub("", text)
        for words in (bared, DRESS.sub("", TALLY.sub("", bared))):
            found = self.game.headings.get(key(words))
            if found and not self.catalogue.find(text).cards:
                return found
        return None

    def open(self, heading: Heading, number: int, row: str) -> Line:
        if heading.kind == "label":
            return Line(number, row, Is.NOTE)
        self.outside = heading.kind == "foreign"
        if self.outside:
            return Line(number, row, Is.FOREIGN, name=plain(row).strip(" :[]#="))
        if heading.kind == "section":
            self.section = heading.slug
        elif not self._takes(heading.slug):
            self.section = ""
        return Line(number, row, Is.HEADING, section=self.section)

    def _takes(self, type: str) -> bool:
        """Whether "Defensas:" may stand inside "Titulares:" without leaving it."""
        return bool(self.section) and type in self.game.section(self.section).types

    def inline(self, heading: Heading, rest: str, number: int, row: str) -> Line:
        """A heading and something after it. A free section holds for its own line, any other stays open."""
        before, outside = self.section, self.outside
        opened = self.open(heading, number, row)
        if opened.kind in (Is.NOTE, Is.FOREIGN):
            return opened
        line = self.card(number, row, rest, prefix=row[: row.index(":") + 1].strip() + " ")
        if line.kind in (Is.UNREAD, Is.UNKNOWN) and not line.maybe and not readings(rest)[0].told:
            return opened  # "Mazo: el de los lobos" is a title
        if self.section and self.game.section(self.section).free:
            self.section, self.outside = before, outside
        return line

    def card(self, number: int, row: str, text: str, prefix: str = "") -> Line:
        text = text[:LONGEST]
        for reading in readings(text):
            found = self.catalogue.find(reading.name)
            if found.cards:
                return self._found(number, row, reading, found.cards, found.clash, prefix)
        return self._missing(number, row, text, prefix)

    def _found(
        self, number: int, row: str, reading: Reading, cards: tuple[Card, ...], clash: bool, prefix: str
    ) -> Line:
        count, name = reading.count, reading.name
        section = self._place(cards[0])
        if self.outside:
            return Line(number, row, Is.OUTSIDE, count, name, cards[0])
        if len(cards) > 1:
            return Line(number, row, Is.CLASH if clash else Is.CHOICE, count, name, None, section, cards, prefix)
        kind = Is.CARD if 0 < count <= MOST else Is.NO_COUNT
        return Line(number, row, kind, count, name, cards[0], section, cards, prefix)

    def _missing(self, number: int, row: str, text: str, prefix: str) -> Line:
        reading = readings(text)[0]
        if reading.told and self.game.headings.get(key(reading.name)) == Heading("label"):
            return Line(number, row, Is.NOTE)  # "40 cartas"
        count = min(reading.count, MOST)
        if self.outside:
            return Line(number, row, Is.OUTSIDE, count, reading.name)
        if self.section and self.game.section(self.section).free:
            return Line(number, row, Is.LISTED, count, reading.name, None, self.section)
        maybe = self.catalogue.near(reading.name)
        kind = Is.UNKNOWN if reading.told or maybe else Is.UNREAD
        section = self._place(maybe[0]) if maybe else self.section or self._first()
        return Line(number, row, kind, count, reading.name, None, section, maybe, prefix)

    def _place(self, card: Card) -> str:
        """Tokens go to their own section wherever they stand; others to the one they are listed under, or the first
        that takes them."""
        home = self.game.home(card)
        if home and home.free:
            return home.slug
        return self.section or (home.slug if home else self._first())

    def _first(self) -> str:
        return next((section.slug for section in self.game.sections if not section.free), "")
