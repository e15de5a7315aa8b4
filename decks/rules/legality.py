"""Whether a deck is legal on a day, and everything that is wrong with it at once. [no Django]

A problem belongs to a rule of the game, knows its lines, and carries the fixes that one tap can apply. It depends on
which cards the deck has and how many, never on their order, on the lines they are spread over, or on the printing.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any, NamedTuple

from decks.rules.cards import Card, Catalogue
from decks.rules.decklist import DeckList, Is, Line, read
from decks.rules.games import OPEN, Format, Game, Rule, Section, Where

COUNTED = (Is.CARD, Is.UNKNOWN, Is.CHOICE, Is.CLASH)
"""Lines whose copies fill their section: a misspelt card is a misspelt card, not a missing one."""


class Word(NamedTuple):
    """A value or section to be said in the reader's language."""

    attribute: str  # an attribute of the card, or "section"
    slug: str


class Label(NamedTuple):
    """Words of a game's own, one for each language."""

    es: str
    en: str


class Edit(NamedTuple):
    """The new text of a line; None deletes it; line None adds one at the end."""

    line: int | None
    text: str | None


@dataclass(frozen=True, slots=True)
class Fix:
    """What one tap does. `code` and `data` say it (`sentences`)."""

    code: str
    data: Mapping[str, Any]
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """`code` chooses the sentence, `data` fills it in; `line` None: the deck as a whole."""

    rule: Rule
    code: str
    data: Mapping[str, Any]
    lines: tuple[int, ...] = ()
    card: str | None = None
    fixes: tuple[Fix, ...] = ()

    @property
    def line(self) -> int | None:
        return self.lines[0] if self.lines else None


@dataclass(frozen=True)
class Verdict:
    game: Game
    format: Format
    on: date
    deck: DeckList
    problems: tuple[Problem, ...]
    advice: tuple[Problem, ...]
    counts: Mapping[str, int] = field(default_factory=dict)  # copies by section

    @property
    def legal(self) -> bool:
        return not self.problems

    def shared(self, attribute: str) -> str:
        """The value that every counted card has ("luz"), or nothing."""
        free = {section.slug for section in self.game.sections if section.free}
        cards = (
            line.card for line in self.deck.lines if line.card and line.kind is Is.CARD and line.section not in free
        )
        values = {getattr(card, attribute) for card in cards}
        return values.pop() if len(values) == 1 else ""


def check(text: str, game: Game, catalogue: Catalogue, on: date, format: Format = OPEN) -> Verdict:
    """`on`: the event's day where the store is (`Event.date`), whose cards and bans count (CASES 62, 83)."""
    return judge(read(text, game, catalogue), game, catalogue, on, format)


def judge(deck: DeckList, game: Game, catalogue: Catalogue, on: date, format: Format = OPEN) -> Verdict:
    """Problems by line, those of the whole deck last; advice apart."""
    if not game.registration:
        refusal = Problem(game.rule("sin-registro"), "closed", {"game": game.name})
        return Verdict(game, format, on, deck, (refusal,), ())
    if not deck.understood or not any(line.count or line.kind in (Is.UNREAD, Is.NO_COUNT) for line in deck.lines):
        refusal = Problem(game.rule("lista"), "empty" if deck.understood else "format", {})
        return Verdict(game, format, on, deck, (refusal,), ())
    table = Table(deck, game, catalogue, on, format)
    found = [*_unread(table), *_broken(table)]
    order = {rule.id: place for place, rule in enumerate(table.rules)}
    found.sort(key=lambda problem: (problem.line or 1_000_000, order[problem.rule.id], problem.card or ""))
    problems = tuple(problem for problem in found if not problem.rule.advice)
    advice = tuple(problem for problem in found if problem.rule.advice)
    return Verdict(game, format, on, deck, problems, advice, table.sizes)


@dataclass(frozen=True, slots=True)
class Pile:
    """The copies of one card in one section."""

    card: Card
    section: str
    count: int
    lines: tuple[Line, ...]


class Table:
    """The deck laid out for the rules to look at: one pile for each card and section."""

    def __init__(self, deck: DeckList, game: Game, catalogue: Catalogue, on: date, format: Format) -> None:
        self.deck, self.game, self.catalogue, self.on, self.format = deck, game, catalogue, on, format
        self.rules = (*game.rules, *format.rules)
        self.free = {section.slug for section in game.sections if section.free}
        laid: dict[tuple[str, Card], list[Line]] = defaultdict(list)
        for line in deck.lines:
            if line.kind is Is.CARD and line.card:
                laid[line.section, line.card].append(line)
        self.every = [
            Pile(card, section, sum(line.count for line in lines), tuple(lines))
            for (section, card), lines in laid.items()
        ]
        self.piles = [pile for pile in self.every if pile.section not in self.free]

    @cached_property
    def sizes(self) -> dict[str, int]:
        counts = {section.slug: 0 for section in self.game.sections}
        for line in self.deck.lines:
            if line.kind in COUNTED:
                counts[line.section] += line.count
        return counts

    def inside(self, rule: Rule) -> list[Pile]:
        if not rule.sections:
            return self.piles
        return [pile for pile in self.piles if pile.section in rule.sections]

    def where(self, rule: Rule) -> tuple[Word, ...]:
        slugs = rule.sections or {section.slug for section in self.game.sections if not section.free}
        return tuple(Word("section", section.slug) for section in self.game.sections if section.slug in slugs)


def fits(card: Card, where: Where) -> bool:
    return all(getattr(card, attribute) in values for attribute, values in where)


# -- lines that name no card -------------------------------------------------------------------------------------------


def _unread(table: Table) -> Iterator[Problem]:
    for line in table.deck.lines:
        if say := LINES.get(line.kind):
            yield say(table, line)


def _unknown(table: Table, line: Line) -> Problem:
    fixes = tuple(_use(line, card) for card in line.maybe)
    data = {"name": line.name, "cards": tuple(card.name for card in line.maybe)}
    code = ("unknown", "near")[bool(fixes)] if len(fixes) < 2 else "nears"
    return Problem(table.game.rule("carta"), code, data, (line.number,), line.name, fixes)


def _choice(table: Table, line: Line) -> Problem:
    names = Counter(card.name for card in line.maybe)
    cards = tuple(f"{card.name} ({card.code})" if names[card.name] > 1 else card.name for card in line.maybe)
    fixes = tuple(_use(line, card, by_code=True) for card in line.maybe)
    code = "clash" if line.kind is Is.CLASH else "choice"
    return Problem(
        table.game.rule("carta"), code, {"name": line.name, "cards": cards}, (line.number,), line.name, fixes
    )


def _no_count(table: Table, line: Line) -> Problem:
    data = {"name": line.name, "n": line.count}
    return Problem(table.game.rule("lista"), "no-count", data, (line.number,), line.name, (_remove([line]),))


def _no_words(table: Table, line: Line) -> Problem:
    return Problem(
        table.game.rule("lista"), "unread", {"text": line.text.strip()[:80]}, (line.number,), None, (_remove([line]),)
    )


def _foreign(table: Table, line: Line) -> Problem:
    below = [line, *(each for each in table.deck.lines if each.kind is Is.OUTSIDE)]
    sections = tuple(Word("section", section.slug) for section in table.game.sections)
    data = {"game": table.game.name, "name": line.name, "sections": sections}
    return Problem(table.game.rule("secciones"), "foreign", data, (line.number,), None, (_remove(below),))


LINES: dict[Is, Callable[[Table, Line], Problem]] = {
    Is.UNKNOWN: _unknown,
    Is.CHOICE: _choice,
    Is.CLASH: _choice,
    Is.NO_COUNT: _no_count,
    Is.UNREAD: _no_words,
    Is.FOREIGN: _foreign,
}


# -- rules -------------------------------------------------------------------------------------------------------------


def _broken(table: Table) -> Iterator[Problem]:
    yield from _over_the_cap(table)
    spoken: set[str] = set()
    for rule in table.rules:
        if look := KINDS.get(rule.kind):
            found = [] if rule.unless & spoken else list(look(table, rule))
            spoken |= {rule.id} if found else set()
            yield from found


def _size(table: Table, rule: Rule) -> Iterator[Problem]:
    sections = table.where(rule)
    count = sum(table.sizes[word.slug] for word in sections)
    yield from _between(rule, count, {"section": sections})


def _count(table: Table, rule: Rule) -> Iterator[Problem]:
    count = sum(pile.count for pile in table.inside(rule) if fits(pile.card, rule.where))
    yield from _between(rule, count, {"section": table.where(rule), "what": _what(rule)}, "-of")


def _what(rule: Rule) -> Label | tuple[Word, ...]:
    return Label(*rule.label) if rule.label[0] else _values(rule.where)


def _values(where: Where) -> tuple[Word, ...]:
    return tuple(Word(attribute, slug) for attribute, slugs in where for slug in sorted(slugs))


def _between(rule: Rule, count: int, data: dict[str, Any], suffix: str = "") -> Iterator[Problem]:
    if rule.min is not None and count < rule.min:
        yield Problem(rule, f"short{suffix}", {**data, "n": count, "min": rule.min, "missing": rule.min - count})
    if rule.max is not None and count > rule.max:
        yield Problem(rule, f"long{suffix}", {**data, "n": count, "max": rule.max, "over": count - rule.max})


def _types(table: Table, rule: Rule) -> Iterator[Problem]:
    """Also in free sections: a unit listed among the tokens is not a token."""
    takes = {section.slug: section.types for section in table.game.sections}
    for pile in table.every:
        if pile.card.type not in takes[pile.section]:
            homes = [section for section in table.game.sections if pile.card.type in section.types]
            to = tuple(Word("section", section.slug) for section in homes)
            data = {"type": Word("type", pile.card.type), "section": Word("section", pile.section), "to": to}
            fixes = tuple(_move(pile, section) for section in homes) or (_remove(pile.lines),)
            yield _about(pile, rule, "misplaced" if to else "no-place", data, fixes)


def _same(table: Table, rule: Rule) -> Iterator[Problem]:
    piles = table.inside(rule)
    votes: Counter[str] = Counter()
    for pile in piles:
        votes[getattr(pile.card, rule.by)] += pile.count
    if len(votes) < 2 and "" not in votes:
        return
    ranked = sorted(((count, value) for value, count in votes.items() if value), reverse=True)
    if not ranked or (len(ranked) > 1 and ranked[0][0] == ranked[1][0]):
        yield Problem(rule, "torn", {"values": tuple(Word(rule.by, value) for _, value in ranked)})
        return
    major = ranked[0][1]
    for pile in piles:
        if (value := getattr(pile.card, rule.by)) != major:
            data = {"value": Word(rule.by, value), "major": Word(rule.by, major)}
            yield _about(pile, rule, "other" if value else "other-none", data, (_remove(pile.lines),))


def _only(table: Table, rule: Rule) -> Iterator[Problem]:
    for pile in table.inside(rule):
        if not fits(pile.card, rule.where):
            yield _about(pile, rule, "only", {"values": _values(rule.where)}, (_remove(pile.lines),))


def _expansions(table: Table, rule: Rule) -> Iterator[Problem]:
    values = tuple(table.catalogue.expansions.get(slug, slug) for slug in sorted(rule.expansions))
    for pile in table.inside(rule):
        if not any(printing.expansion in rule.expansions for printing in pile.card.printings):
            yield _about(pile, rule, "expansion", {"values": values}, (_remove(pile.lines),))


def _distinct(table: Table, rule: Rule) -> Iterator[Problem]:
    values = sorted({value for pile in table.inside(rule) if (value := getattr(pile.card, rule.by))})
    data = {"values": tuple(Word(rule.by, value) for value in values)}
    yield from _between(rule, len(values), data, "-values")


def _each(table: Table, rule: Rule) -> Iterator[Problem]:
    """For every value of `by` in the deck: so many cards of it fit `where`."""
    counts: Counter[str] = Counter()
    for pile in table.inside(rule):
        if value := getattr(pile.card, rule.by):
            counts[value] += pile.count if fits(pile.card, rule.where) else 0
    for value in sorted(counts):
        yield from _between(rule, counts[value], {"value": Word(rule.by, value), "what": _what(rule)}, "-each")


def _released(table: Table, rule: Rule) -> Iterator[Problem]:
    for pile in table.inside(rule):
        if (day := pile.card.released) > table.on:
            yield _about(pile, rule, "unreleased", {"day": day, "on": table.on}, (_remove(pile.lines),))


KINDS: dict[str, Callable[[Table, Rule], Iterator[Problem]]] = {
    "size": _size,
    "count": _count,
    "types": _types,
    "same": _same,
    "only": _only,
    "expansions": _expansions,
    "distinct": _distinct,
    "each": _each,
    "released": _released,
}


# -- copies: of all limits on a card the strictest speaks --------------------------------------------------------------


class Cap(NamedTuple):
    """At most so many copies of a card, over the sections of the rule."""

    most: int
    code: str
    rule: Rule
    data: Mapping[str, Any]


def _over_the_cap(table: Table) -> Iterator[Problem]:
    by_card: dict[Card, list[Pile]] = defaultdict(list)
    for pile in table.piles:
        by_card[pile.card].append(pile)
    limits = [rule for rule in table.rules if rule.kind == "copies"]
    lists = next(rule for rule in table.rules if rule.kind == "restrictions")
    for card, piles in by_card.items():
        over = [
            (cap, counted) for cap, counted in _caps(table, card, piles, limits, lists) if _copies(counted) > cap.most
        ]
        if over:
            yield _too_many(card, *min(over, key=lambda each: each[0].most))


def _caps(
    table: Table, card: Card, piles: list[Pile], limits: list[Rule], lists: Rule
) -> Iterator[tuple[Cap, list[Pile]]]:
    if dated := table.catalogue.restriction(card, table.on, table.format.slug):
        code = "restricted" if dated.copies else "banned"
        yield Cap(dated.copies or 0, code, lists, {"day": dated.since}), piles
    for rule in limits:
        most = rule.limits.get(getattr(card, rule.by), rule.max) if rule.by else rule.max
        if most is None or (rule.but and fits(card, rule.but)) or not fits(card, rule.where):
            continue
        by_value = bool(rule.by) and getattr(card, rule.by) in rule.limits
        data = {"value": Word(rule.by, getattr(card, rule.by))} if by_value else {}
        counted = [pile for pile in piles if pile.section in rule.sections] if rule.sections else piles
        yield Cap(most, "copies-value" if by_value else "copies", rule, data), counted


def _copies(piles: Iterable[Pile]) -> int:
    return sum(pile.count for pile in piles)


def _too_many(card: Card, cap: Cap, piles: list[Pile]) -> Problem:
    """Lines from the one where the limit is passed on; the fix leaves the first copies."""
    count = _copies(piles)
    lines = sorted((line for pile in piles for line in pile.lines), key=lambda line: line.number)
    left, passed, edits = cap.most, [], []
    for line in lines:
        keep = min(line.count, left)
        left -= keep
        if keep < line.count:
            passed.append(line.number)
            edits.append(Edit(line.number, f"{line.prefix}{keep} {line.name}" if keep else None))
    fix = Fix("leave" if cap.most else "remove", {"n": cap.most or count}, tuple(edits))
    data = {**cap.data, "n": count, "max": cap.most, "over": count - cap.most}
    return Problem(cap.rule, cap.code, {"card": card.name, **data}, tuple(passed), card.name, (fix,))


# -- fixes -------------------------------------------------------------------------------------------------------------


def _about(pile: Pile, rule: Rule, code: str, data: Mapping[str, Any], fixes: tuple[Fix, ...]) -> Problem:
    lines = tuple(line.number for line in pile.lines)
    return Problem(rule, code, {"card": pile.card.name, "n": pile.count, **data}, lines, pile.card.name, fixes)


def _use(line: Line, card: Card, by_code: bool = False) -> Fix:
    """Write that card instead; by its code where names alone would ask again."""
    text = f"{line.prefix}{line.count} {card.code if by_code else card.name}"
    return Fix("use", {"card": card.name, "code": card.code}, (Edit(line.number, text),))


def _remove(lines: Iterable[Line]) -> Fix:
    lines = tuple(lines)
    return Fix("remove", {"n": sum(line.count for line in lines)}, tuple(Edit(line.number, None) for line in lines))


def _move(pile: Pile, to: Section) -> Fix:
    gone = tuple(Edit(line.number, None) for line in pile.lines)
    added = Edit(None, f"\n{to.name}:\n{pile.count} {pile.card.name}")
    return Fix("move", {"section": Word("section", to.slug)}, (*gone, added))


def mend(text: str, fix: Fix) -> str:
    """The list after one tap; other lines keep their place."""
    rows: list[str | None] = list(text.splitlines())
    added = []
    for edit in fix.edits:
        if edit.line is None:
            added.append(edit.text)
        else:
            rows[edit.line - 1] = edit.text
    return "\n".join(row for row in (*rows, *added) if row is not None)
