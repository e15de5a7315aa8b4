"""A game as data: what `decks/games/*.toml` may say, read into values and checked. [no Django]

A rule is an id, a text in two languages and one `kind` with its parameters; `legality` knows the kinds, a game names
them. Adding a game, a limit or a format is a matter of TOML alone. The keys are documented beside the fields.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from decks.rules.cards import ATTRIBUTES, Card
from decks.rules.words import key

FOLDER = Path(__file__).resolve().parent.parent / "games"
COMMON = Path(__file__).with_name("common.toml")
KINDS = frozenset(
    {
        "text",
        "size",
        "types",
        "copies",
        "same",
        "only",
        "expansions",
        "count",
        "distinct",
        "each",
        "released",
        "restrictions",
    }
)
VALUES = {"elements": "element", "factions": "faction", "rarities": "rarity", "types": "type", "subtypes": "subtype",
          "positions": "position"}  # fmt: skip

Where = tuple[tuple[str, frozenset[str]], ...]
"""A card fits when each attribute holds one of the values."""


class GameError(ValueError):
    """The TOML of a game says something that cannot be."""


@dataclass(frozen=True, slots=True)
class Value:
    """One value of an attribute: an element, a rarity. `of`: the element of a faction, the type of a subtype."""

    attribute: str
    slug: str
    name: str
    name_en: str
    of: str = ""
    cost: int | None = None  # what every card of it costs (Automática: 0)
    needs: tuple[str, ...] = ()  # numbers that its cards must have ("attack", "life")


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the list. `free`: cards of its types belong there wherever listed, never count, are never illegal."""

    slug: str
    name: str
    name_en: str
    types: frozenset[str]
    free: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """One numbered thing that a deck must (or, as `advice`, should) be."""

    id: str  # permanent
    kind: str
    es: str
    en: str
    advice: bool = False
    ruling: bool = False  # our reading until the game's owner says otherwise
    sections: frozenset[str] = frozenset()  # empty: every section that counts
    by: str = ""  # copies, same, distinct, each: the attribute
    where: Where = ()  # only, count, each: the cards meant
    but: Where = ()  # copies: cards without limit
    expansions: frozenset[str] = frozenset()
    min: int | None = None
    max: int | None = None
    limits: Mapping[str, int] = field(default_factory=dict)  # copies: maximum by value of `by`; `max` for the others
    unless: frozenset[str] = frozenset()  # ids: silent when one of these has spoken
    label: tuple[str, str] = ("", "")  # count: what is counted, where the values' names will not do
    say: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # the sentence, where the kind's own will not do


@dataclass(frozen=True, slots=True)
class Format:
    """What an event narrows a game to: more rules, none taken away."""

    slug: str
    name: str
    name_en: str
    rules: tuple[Rule, ...] = ()


OPEN = Format("", "", "")
"""The game as it is."""


@dataclass(frozen=True, slots=True)
class Heading:
    """What a line that is no card may be: a section, a type or position, a part this game lacks, a label to skip."""

    kind: str  # "section", "type", "label", "foreign"
    slug: str = ""


@dataclass(frozen=True)
class Game:
    slug: str
    name: str
    version: str  # goes with every verdict
    registration: bool  # False: nobody brings a deck
    values: Mapping[tuple[str, str], Value]
    sections: tuple[Section, ...]
    rules: tuple[Rule, ...]
    formats: Mapping[str, Format]
    headings: Mapping[str, Heading]
    match: Mapping[str, Any]  # how a match is played: lives, turns, points; for the tool and the standings

    def rule(self, id: str) -> Rule:
        """Of the game, of its formats, or of those that an event may make. Raises KeyError."""
        for rule in (*self.every_rule(), *narrowings()):
            if rule.id == id:
                return rule
        raise KeyError(id)

    def every_rule(self) -> Iterable[Rule]:
        yield from self.rules
        for format in self.formats.values():
            yield from format.rules

    def section(self, slug: str) -> Section:
        return next(section for section in self.sections if section.slug == slug)

    def home(self, card: Card) -> Section | None:
        """The first section that takes cards of that type."""
        return next((section for section in self.sections if card.type in section.types), None)

    def listed(self, attribute: str) -> list[Value]:
        return [value for (kind, _), value in self.values.items() if kind == attribute]


def slugs() -> list[str]:
    """The games of this house: one file each."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


@cache
def game(slug: str) -> Game:
    """One of `slugs`. Raises KeyError for any other."""
    if slug not in slugs():
        raise KeyError(slug)
    return parse((FOLDER / f"{slug}.toml").read_text("utf-8"))


def parse(text: str) -> Game:
    """A game from its TOML. Raises GameError with what to mend."""
    try:
        return _game(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, KeyError, TypeError, AttributeError) as error:
        raise GameError(f"{type(error).__name__}: {error}") from error


def _game(data: Mapping[str, Any]) -> Game:
    common = _common()
    values = {(value.attribute, value.slug): value for value in _values(data)}
    sections = tuple(_section(raw) for raw in data.get("sections", ()))
    rules = tuple(_rule(raw) for raw in (*common["rules"], *data.get("rules", ())))
    game = Game(
        slug=data["slug"],
        name=data["name"],
        version=str(data["version"]),
        registration=data.get("registration", True),
        values=values,
        sections=sections,
        rules=rules,
        formats={raw["slug"]: _format(raw) for raw in data.get("formats", ())},
        headings=_headings(data, common),
        match=data.get("match", {}),
    )
    _check(game)
    return game


@cache
def _common() -> dict[str, Any]:
    return tomllib.loads(COMMON.read_text("utf-8"))


def _values(data: Mapping[str, Any]) -> Iterable[Value]:
    for table, attribute in VALUES.items():
        for raw in data.get(table, ()):
            of = raw.get("element") or raw.get("type") or ""
            names = raw["name"], raw.get("name_en", raw["name"])
            yield Value(attribute, raw["slug"], *names, of, raw.get("cost"), tuple(raw.get("needs", ())))


def _section(raw: Mapping[str, Any]) -> Section:
    name = raw["name"]
    return Section(raw["slug"], name, raw.get("name_en", name), frozenset(raw["types"]), raw.get("free", False))


def _rule(raw: Mapping[str, Any]) -> Rule:
    given = dict(raw)
    label = given.pop("label", ""), given.pop("label_en", "")
    says = {lang: text for lang in ("es", "en") if (text := given.pop(f"say_{lang}", None))}
    for name in ("sections", "expansions", "unless"):
        given[name] = frozenset(given.get(name, ()))
    for name in ("where", "but"):
        given[name] = _where(given.get(name, {}))
    return Rule(**given, label=label, say={lang: _variants(text) for lang, text in says.items()})


def _where(raw: Mapping[str, Any]) -> Where:
    return tuple((name, frozenset([value] if isinstance(value, str) else value)) for name, value in raw.items())


def _variants(text: str | list[str]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def _format(raw: Mapping[str, Any]) -> Format:
    narrowed = narrow(**{name: raw[name] for name in NARROWINGS if name in raw})
    rules = (*narrowed, *(_rule(each) for each in raw.get("rules", ())))
    return Format(raw["slug"], raw["name"], raw.get("name_en", raw["name"]), rules)


NARROWINGS = ("elements", "factions", "expansions", "one", "copies")


def narrow(
    elements: Iterable[str] = (),
    factions: Iterable[str] = (),
    expansions: Iterable[str] = (),
    one: Iterable[str] = (),
    copies: int | None = None,
) -> tuple[Rule, ...]:
    """The rules of an event that takes these elements, factions or expansions only, a single value of each attribute
    in `one` ("faction"), at most so many copies. Their texts are those of `common.toml`."""
    asked: dict[str, dict[str, Any]] = {
        "formato-elemento": {"where": {"element": list(elements)}} if elements else {},
        "formato-facciones": {"where": {"faction": list(factions)}} if factions else {},
        "formato-expansiones": {"expansions": list(expansions)},
        "formato-copias": {"max": copies} if copies is not None else {},
        **{f"formato-una-{attribute}": {"by": attribute} for attribute in one},
    }
    templates = {raw["id"]: raw for raw in _common()["narrowings"]}
    return tuple(_rule(templates[id] | given) for id, given in asked.items() if any(given.values()))


@cache
def narrowings() -> tuple[Rule, ...]:
    """What `narrow` can say, without what it is given."""
    return tuple(_rule(raw) for raw in _common()["narrowings"])


def _headings(data: Mapping[str, Any], common: Mapping[str, Any]) -> dict[str, Heading]:
    """Every word that may stand over a part of a list; the game's own words win over the common ones."""
    found = {key(word): Heading("label") for word in common["labels"]}
    found |= {key(word): Heading("foreign") for word in common["foreign"]}
    for table in ("positions", "subtypes", "types"):
        for raw in data.get(table, ()):
            slug = raw["slug"] if table == "types" else raw.get("type", "")
            found |= {key(word): Heading("type", slug) for word in _words(raw)}
    for raw in data.get("sections", ()):
        found |= {key(word): Heading("section", raw["slug"]) for word in _words(raw)}
    return found


def _words(raw: Mapping[str, Any]) -> Iterable[str]:
    return {raw["slug"], raw["name"], raw.get("name_en", raw["name"]), *raw.get("also", ())}


def _check(game: Game) -> None:
    ids = sorted(rule.id for rule in game.every_rule() if not rule.id.startswith("formato-"))
    _refuse(f"rule {a!r} stands twice" for a, b in pairwise(ids) if a == b)
    slugs = {section.slug for section in game.sections}
    for rule in game.every_rule():
        where = f"rule {rule.id!r}"
        _refuse(f"{where}: no kind {kind!r}" for kind in {rule.kind} - KINDS)
        _refuse(f"{where}: no section {slug!r}" for slug in rule.sections - slugs)
        _refuse(f"{where}: no attribute {name!r}" for name in _attributes(rule) - set(ATTRIBUTES))
        _refuse(f"{where}: no {name} {slug!r}" for name, slug in _named(rule) if _unknown(game, name, slug))
    _refuse(
        f"section {section.slug!r}: no type {slug!r}"
        for section in game.sections
        for slug in section.types
        if _unknown(game, "type", slug)
    )


def _refuse(complaints: Iterable[str]) -> None:
    for complaint in complaints:
        raise GameError(complaint)


def _attributes(rule: Rule) -> set[str]:
    return {name for name, _ in (*rule.where, *rule.but)} | ({rule.by} if rule.by else set())


def _named(rule: Rule) -> Iterable[tuple[str, str]]:
    for name, slugs in (*rule.where, *rule.but):
        yield from ((name, slug) for slug in slugs)
    yield from ((rule.by, slug) for slug in rule.limits)


def _unknown(game: Game, attribute: str, slug: str) -> bool:
    """An attribute whose values the game does not list takes any."""
    return (attribute, slug) not in game.values and bool(game.listed(attribute))
