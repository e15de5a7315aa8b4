"""The rulebook behind /reglas/: numbered rules with a permanent id, references that resolve, search. [no Django]

Texts are `es.toml` and `en.toml`; a text names another rule by its id, `[[descanso-unico]]`, so that it shows whatever
number that rule has today. Code cites rules by number (`rule="4.1.2"`), as TOURNAMENT_RULES counts them.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from players.names import fold

LANGUAGES = ("es", "en")
REFERENCE = re.compile(r"\[\[([a-z0-9-]+)\]\]")


class UnknownRule(LookupError):
    """A number or id that the rulebook does not have."""


@dataclass(frozen=True)
class Piece:
    """A run of text, or a reference: then `id` is set and `text` is the number of the rule referred to."""

    text: str
    id: str = ""


Line = tuple[Piece, ...]


@dataclass(frozen=True)
class Block:
    """A paragraph (one line) or, when `listed`, a list of lines."""

    lines: tuple[Line, ...]
    listed: bool


@dataclass(frozen=True)
class Rule:
    id: str
    number: str
    title: str
    text: str
    blocks: tuple[Block, ...] = ()
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()

    @property
    def depth(self) -> int:
        """0 a section, 1 a rule, 2 a sub-rule."""
        return self.number.count(".")

    @property
    def key(self) -> str:
        """What a search looks in: folded number, title and text."""
        cells = (cell for row in (self.head, *self.rows) for cell in row)
        return fold(" ".join((self.number, self.title, REFERENCE.sub("", self.text), *cells)))


@dataclass(frozen=True)
class Section(Rule):
    rules: tuple[Rule, ...] = ()


@dataclass(frozen=True)
class Version:
    number: str
    date: date
    note: str


@dataclass(frozen=True)
class Book:
    title: str
    intro: str
    versions: tuple[Version, ...]  # newest first
    sections: tuple[Section, ...]

    def __iter__(self) -> Iterator[Rule]:
        """Sections and rules in reading order."""
        for section in self.sections:
            yield section
            yield from section.rules


def language(code: str) -> str:
    """The language that is served for a Django code such as "es-es"; Spanish for what there is no text in."""
    return next((known for known in LANGUAGES if code.startswith(known)), "es")


@cache
def book(lang: str = "es") -> Book:
    with (Path(__file__).parent / f"{language(lang)}.toml").open("rb") as file:
        data = tomllib.load(file)
    numbers = {raw["id"]: raw["number"] for raw in _raw_rules(data)}
    return Book(
        title=data["title"],
        intro=data["intro"],
        versions=tuple(Version(**raw) for raw in data["version"]),
        sections=tuple(_section(raw, numbers) for raw in data["section"]),
    )


def _raw_rules(data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for section in data["section"]:
        yield section
        yield from section["rule"]


def _section(raw: dict[str, Any], numbers: dict[str, str]) -> Section:
    rules = tuple(_rule(each, numbers) for each in raw["rule"])
    return Section(id=raw["id"], number=raw["number"], title=raw["title"], text="", rules=rules)


def _rule(raw: dict[str, Any], numbers: dict[str, str]) -> Rule:
    text = raw["text"].strip()
    return Rule(
        id=raw["id"],
        number=raw["number"],
        title=raw["title"],
        text=text,
        blocks=tuple(_block(part, numbers) for part in text.split("\n\n")),
        head=tuple(raw.get("head", ())),
        rows=tuple(tuple(row) for row in raw.get("rows", ())),
    )


def _block(text: str, numbers: dict[str, str]) -> Block:
    lines = [line.strip() for line in text.splitlines()]
    if all(line.startswith("- ") for line in lines):
        return Block(tuple(_pieces(line[2:], numbers) for line in lines), listed=True)
    return Block((_pieces(" ".join(lines), numbers),), listed=False)


def _pieces(text: str, numbers: dict[str, str]) -> Line:
    """
    >>> _pieces("as in [[corte]].", {"corte": "7"})
    (Piece(text='as in ', id=''), Piece(text='7', id='corte'), Piece(text='.', id=''))
    """
    parts = REFERENCE.split(text)
    found = (Piece(_number(part, numbers), part) if odd % 2 else Piece(part) for odd, part in enumerate(parts))
    return tuple(piece for piece in found if piece.text)


def _number(id: str, numbers: dict[str, str]) -> str:
    if id not in numbers:
        raise UnknownRule(id)
    return numbers[id]


@cache
def _index(lang: str) -> dict[str, Rule]:
    return {key: rule for rule in book(lang) for key in (rule.id, rule.number)}


def rule(number_or_id: str, lang: str = "es") -> Rule:
    """A rule or section by "4.1.2", "4" or "descanso-unico". Raises UnknownRule."""
    try:
        return _index(language(lang))[number_or_id]
    except KeyError:
        raise UnknownRule(number_or_id) from None


def resolve(number: str) -> str:
    """The permanent id, the anchor in /reglas/, of a number. Raises UnknownRule."""
    return rule(number).id


def sections(lang: str = "es") -> tuple[Section, ...]:
    return book(lang).sections


def search(query: str, lang: str = "es") -> list[Rule]:
    """Rules (not sections) that have every word of the query somewhere, accents and case apart; all for no query."""
    words = fold(query).split()
    return [each for each in book(lang) if each.depth and all(word in each.key for word in words)]
