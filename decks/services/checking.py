"""A written list as its writer sees it: each line with its verdict and its one-tap fixes, and what the deck is made of.

`check(text, terms, tap)` does what one tap asks for and reads the list by its terms. Nothing is written anywhere. The
pages show the answer with `templates/decks/_check.html`; `decks.web.builder_check` says how another page includes it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from json import dumps
from typing import Any

from django.utils.translation import get_language

from decks.rules import games
from decks.rules.cards import Card, Catalogue
from decks.rules.decklist import Is, Line, read
from decks.rules.editing import fewer, more
from decks.rules.games import Rule, Section, Value
from decks.rules.legality import Fix, Problem, Verdict, Word, fits, mend
from decks.rules.legality import check as judge
from decks.rules.sentences import label, language, sentence, word
from decks.services.catalogue import catalogue
from decks.services.submissions import LONGEST, Terms, format_of

MOST_LINES = 400
CURVE = range(8)
"""Columns of the cost curve; the last one holds its cost and all above."""


class TooLong(ValueError):
    """More than `LONGEST` characters or `MOST_LINES` lines: no deck, and too much to look for near names in."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A fix that one tap applies; `key` names it and what it changes, so that it never touches another text."""

    key: str
    label: str


@dataclass(frozen=True, slots=True)
class Told:
    """A problem or an advice in the reader's language; `rule` is its permanent id, `number` its place on the page."""

    text: str
    rule: str
    number: int
    ruling: bool = False
    offers: tuple[Offer, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the list. `state`: ok, problem, doubt (its name is not clear), free (never counts), aside (no card)."""

    number: int
    text: str
    state: str
    count: int = 0
    name: str = ""
    told: tuple[Told, ...] = ()
    see: int | None = None  # the line that says what is wrong with this one too

    @property
    def tone(self) -> str:
        """As the look colours it."""
        return {"ok": "agree", "problem": "danger", "doubt": "missing"}.get(self.state, "")

    @property
    def sign(self) -> str:
        return {"ok": "ok", "problem": "warn", "doubt": "search"}.get(self.state, "tip")


@dataclass(frozen=True, slots=True)
class Part:
    """A section: how many cards it has, and how many it wants; None where nothing is asked."""

    slug: str
    name: str
    count: int
    least: int | None
    most: int | None
    free: bool

    @property
    def right(self) -> bool:
        return (self.least is None or self.count >= self.least) and (self.most is None or self.count <= self.most)


@dataclass(frozen=True, slots=True)
class Share:
    """How many cards have a value."""

    slug: str
    name: str
    count: int


@dataclass(frozen=True, slots=True)
class Cost:
    """A column of the cost curve: cards that fight (their type has an attack) and the others."""

    label: str
    units: int
    others: int

    @property
    def count(self) -> int:
        return self.units + self.others


@dataclass(frozen=True, slots=True)
class Side:
    """A faction in the deck. `on`: whether its combo can ever switch on; None in games without that advice."""

    slug: str
    name: str
    count: int
    units: int
    on: bool | None


@dataclass(frozen=True)
class Checked:
    """`text` is the list after the tap, `before` the one that the tap changed and `did` the tap's words."""

    text: str
    verdict: Verdict
    rows: tuple[Row, ...]
    whole: tuple[Told, ...]  # problems of the deck, of no line
    advice: tuple[Told, ...]
    parts: tuple[Part, ...]
    types: tuple[Share, ...]
    curve: tuple[Cost, ...]
    sides: tuple[Side, ...]
    needed: int  # cards that the game asks for
    good: int  # cards that count and have nothing wrong with them
    before: str | None = None
    did: str = ""

    @property
    def game(self) -> games.Game:
        return self.verdict.game

    @property
    def legal(self) -> bool:
        return self.verdict.legal

    @property
    def element(self) -> str:
        """The slug of the one element of all counted cards, or nothing."""
        return self.verdict.shared("element")

    @property
    def problems(self) -> int:
        """How many things are to be mended."""
        return len(self.verdict.problems)

    @property
    def size(self) -> int:
        """Cards that count."""
        return sum(part.count for part in self.parts if not part.free)

    @property
    def short(self) -> int:
        """Cards that are missing, over all sections."""
        return sum(max(0, part.least - part.count) for part in self.parts if part.least is not None)

    @property
    def over(self) -> int:
        """Cards too many, over all sections."""
        return sum(max(0, part.count - part.most) for part in self.parts if part.most is not None)

    @property
    def bar(self) -> int:
        """`good`, as far as a bar of `needed` can show it."""
        return min(self.good, self.needed)

    @property
    def fighters(self) -> str:
        """What the game calls the cards that fight."""
        lang, game = language(get_language()), self.verdict.game
        return ", ".join(word(Word("type", value.slug), game, lang) for value in fighting_types(game))

    @property
    def empty(self) -> bool:
        return not self.text.strip()

    @property
    def closed(self) -> bool:
        """The game has no decks to register."""
        return not self.verdict.game.registration

    @property
    def fine(self) -> int:
        """Lines with nothing wrong."""
        return sum(row.state in ("ok", "free") for row in self.rows)


@dataclass(frozen=True, slots=True)
class Tap:
    """What one tap asks for: `fix` is an `Offer.key`, `more` and `fewer` are codes of cards."""

    fix: str = ""
    more: str = ""
    fewer: str = ""


NO_TAP = Tap()


# -- asking ------------------------------------------------------------------------------------------------------------


def copies_in(text: str, terms: Terms) -> dict[str, int]:
    """Copies in a list, by the code of the card; nothing of a list that is too long to be one."""
    if len(text) > LONGEST or text.count("\n") >= MOST_LINES:
        return {}
    found: Counter[str] = Counter()
    for line in read(text, terms.rules, catalogue(terms.game)).lines:
        if line.kind is Is.CARD and line.card:
            found[line.card.code] += line.count
    return dict(found)


def check(text: str, terms: Terms, tap: Tap = NO_TAP) -> Checked:
    """The list after at most one tap, judged. Raises TooLong.

    A tap that does not fit the text changes nothing. One query once the catalogue is in memory.
    """
    text = "\n".join(text.splitlines())
    if len(text) > LONGEST or text.count("\n") >= MOST_LINES:
        raise TooLong
    cards, format = catalogue(terms.game), format_of(terms)
    verdict = judge(text, terms.rules, cards, terms.on, format)
    after, did = _tapped(text, tap, verdict, cards)
    if after == text:
        return _answer(text, verdict)
    return _answer(after, judge(after, terms.rules, cards, terms.on, format), text, did)


def clean_narrowing(given: object) -> dict[str, Any]:
    """Arguments of `games.narrow` as somebody sent them. Raises ValueError for anything else."""
    if not isinstance(given, dict) or not set(given) <= set(games.NARROWINGS):
        raise ValueError("unknown narrowing")
    copies = given.get("copies")
    if not (copies is None or (type(copies) is int and 0 <= copies <= 99)):
        raise ValueError("copies")
    known = {rule.id for rule in games.narrowings()}
    for name, values in given.items():
        if name != "copies" and not _slugs(values):
            raise ValueError(name)
        if name == "one" and any(f"formato-una-{value}" not in known for value in values):
            raise ValueError(name)
    return dict(given)


def _slugs(values: object) -> bool:
    return isinstance(values, list) and len(values) <= 50 and all(isinstance(value, str) for value in values)


# -- tapping -----------------------------------------------------------------------------------------------------------


def _tapped(text: str, tap: Tap, verdict: Verdict, cards: Catalogue) -> tuple[str, str]:
    """The text after the tap, and what was done in words."""
    if tap.fix:
        rows = text.splitlines()
        for fix in (fix for problem in (*verdict.problems, *verdict.advice) for fix in problem.fixes):
            if fix_key(rows, fix) == tap.fix:
                return mend(text, fix), label(fix, verdict.game, language(get_language()))
    for code, change, sign in ((tap.more, more, "+1"), (tap.fewer, fewer, "-1")):
        if code and (found := cards.find(code).cards) and len(found) == 1:
            return change(text, found[0], verdict.game, cards), f"{sign} {found[0].name}"
    return text, ""


def fix_key(rows: list[str], fix: Fix) -> str:
    """Names the fix by its edits and by the lines that they replace: on another text it is another key."""
    edits = [(edit.line, rows[edit.line - 1] if edit.line else None, edit.text) for edit in fix.edits]
    return sha256(dumps([fix.code, edits]).encode()).hexdigest()[:20]


# -- saying ------------------------------------------------------------------------------------------------------------


def _answer(text: str, verdict: Verdict, before: str | None = None, did: str = "") -> Checked:
    speaker = _Speaker(verdict, text)
    counted = list(counted_lines(verdict))
    parts = tuple(_parts(verdict, speaker.lang))
    return Checked(
        text=text,
        verdict=verdict,
        rows=tuple(speaker.rows()),
        whole=tuple(speaker.told(problem) for problem in verdict.problems if not problem.lines),
        advice=tuple(speaker.told(advice) for advice in verdict.advice),
        parts=parts,
        types=tuple(_shares(verdict, "type", counted, speaker.lang)),
        curve=tuple(_curve(verdict, counted)),
        sides=tuple(_sides(verdict, counted, speaker.lang)),
        needed=sum(part.least or 0 for part in parts),
        good=_good(verdict, counted),
        before=before,
        did=did,
    )


class _Speaker:
    """Says the problems of one verdict in the language of the request."""

    def __init__(self, verdict: Verdict, text: str) -> None:
        self.verdict, self.typed = verdict, text.splitlines()
        self.lang = language(get_language())
        self.numbers = rule_numbers(verdict.game)

    def told(self, problem: Problem) -> Told:
        offers = tuple(
            Offer(fix_key(self.typed, fix), label(fix, self.verdict.game, self.lang)) for fix in problem.fixes
        )
        rule = problem.rule
        words = sentence(problem, self.verdict.game, self.lang)
        return Told(words, rule.id, self.numbers.get(rule.id, 0), rule.ruling, offers)

    def rows(self) -> Iterator[Row]:
        """Every line that is not blank. What concerns several lines is said at the first of them."""
        first: dict[int, list[Problem]] = {}
        see: dict[int, int] = {}
        for problem in self.verdict.problems:
            for number in problem.lines[:1]:
                first.setdefault(number, []).append(problem)
            for number in problem.lines[1:]:
                see.setdefault(number, problem.lines[0])
        for line in self.verdict.deck.lines:
            if line.kind is not Is.BLANK:
                told = tuple(self.told(problem) for problem in first.get(line.number, ()))
                yield self.row(line, told, see.get(line.number))

    def row(self, line: Line, told: tuple[Told, ...], see: int | None) -> Row:
        name = line.card.name if line.kind is Is.CARD and line.card else line.name
        return Row(line.number, line.text.strip(), self.state(line, bool(told or see)), line.count, name, told, see)

    def state(self, line: Line, wrong: bool) -> str:
        if line.kind in (Is.UNKNOWN, Is.CHOICE, Is.CLASH):
            return "doubt"
        if wrong:
            return "problem"
        if line.kind is Is.LISTED or (line.kind is Is.CARD and self.verdict.game.section(line.section).free):
            return "free"
        return "ok" if line.kind is Is.CARD else "aside"


def rule_numbers(game: games.Game) -> dict[str, int]:
    """The places of the rules on the page of the game's rules, from 1; their ids never change, these may."""
    return {rule.id: number for number, rule in enumerate(listed_rules(game), 1)}


def listed_rules(game: games.Game) -> list[Rule]:
    """Every rule that a verdict can name: the game's, then those of events, then what only a format says."""
    every = {rule.id: rule for rule in (*game.rules, *games.narrowings(), *game.every_rule())}
    return list(every.values())


# -- counting ----------------------------------------------------------------------------------------------------------


def counted_lines(verdict: Verdict) -> Iterator[tuple[Line, Card]]:
    """Lines with a known card in a section that counts."""
    free = {section.slug for section in verdict.game.sections if section.free}
    for line in verdict.deck.lines:
        if line.kind is Is.CARD and line.card and line.section not in free:
            yield line, line.card


def _parts(verdict: Verdict, lang: str) -> Iterator[Part]:
    for section in verdict.game.sections:
        size = _size_rule(verdict, section)
        name = word(Word("section", section.slug), verdict.game, lang)
        count = verdict.counts.get(section.slug, 0)
        least, most = (size.min, size.max) if size else (None, None)
        yield Part(section.slug, name, count, least, most, section.free)


def _size_rule(verdict: Verdict, section: Section) -> Rule | None:
    rules = (*verdict.format.rules, *verdict.game.rules)
    return next((rule for rule in rules if rule.kind == "size" and rule.sections == {section.slug}), None)


def _shares(verdict: Verdict, attribute: str, counted: Iterable[tuple[Line, Card]], lang: str) -> Iterator[Share]:
    copies: Counter[str] = Counter()
    for line, card in counted:
        copies[getattr(card, attribute)] += line.count
    for value in _in_order(verdict.game.listed(attribute), copies):
        yield Share(value, word(Word(attribute, value), verdict.game, lang), copies[value])


def _in_order(listed: Iterable[Value], copies: Mapping[str, int]) -> list[str]:
    """The values that the deck has, as the game lists them; those it does not list come last."""
    known = [value.slug for value in listed if value.slug in copies]
    return [*known, *sorted(slug for slug in copies if slug and slug not in known)]


def fighting_types(game: games.Game) -> list[Value]:
    """The types whose cards have an attack: Unidad in KOUNTER, Player in Kick On!."""
    return [value for value in game.listed("type") if "attack" in value.needs]


def _curve(verdict: Verdict, counted: Iterable[tuple[Line, Card]]) -> Iterator[Cost]:
    """Empty when no card has a cost."""
    fighting = {value.slug for value in fighting_types(verdict.game)}
    units: Counter[int] = Counter()
    others: Counter[int] = Counter()
    for line, card in counted:
        if card.cost is not None:
            (units if card.type in fighting else others)[min(card.cost, CURVE[-1])] += line.count
    if units or others:
        for cost in CURVE:
            yield Cost(f"{cost}+" if cost == CURVE[-1] else str(cost), units[cost], others[cost])


def _sides(verdict: Verdict, counted: Iterable[tuple[Line, Card]], lang: str) -> Iterator[Side]:
    """The factions of the deck, the largest first."""
    combo = next((rule for rule in verdict.game.rules if rule.kind == "each" and rule.by == "faction"), None)
    copies: Counter[str] = Counter()
    units: Counter[str] = Counter()
    fighting = {value.slug for value in fighting_types(verdict.game)}
    for line, card in counted:
        copies[card.faction] += line.count
        units[card.faction] += line.count if (fits(card, combo.where) if combo else card.type in fighting) else 0
    for faction in sorted(_in_order(verdict.game.listed("faction"), copies), key=lambda slug: -copies[slug]):
        on = units[faction] >= (combo.min or 0) if combo else None
        yield Side(faction, word(Word("faction", faction), verdict.game, lang), copies[faction], units[faction], on)


def _good(verdict: Verdict, counted: Iterable[tuple[Line, Card]]) -> int:
    """Cards without a problem. Of too many copies only those beyond the limit are bad, of any other line all of it."""
    spoilt = {n for problem in verdict.problems if "over" not in problem.data for n in problem.lines}
    over: int = sum(
        problem.data["over"]
        for problem in verdict.problems
        if problem.lines and "over" in problem.data and not spoilt.intersection(problem.lines)
    )
    return max(0, sum(line.count for line, _ in counted if line.number not in spoilt) - over)
