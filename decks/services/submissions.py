"""Lists that are handed in: what the rules say of a text on a day, and the frozen copy of it (CASES 83, 87).

Nothing is saved here. Which event a list is for, and that it was written down in its log, is the event's affair
(`tournaments.services.decks`).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from hashlib import sha256
from typing import Any

from decks import models
from decks.models import Deck, DeckVersion, Element, Game, Submission, SubmissionCard
from decks.rules import games, legality
from decks.rules.decklist import Is
from decks.rules.games import OPEN, Format
from decks.rules.legality import Problem
from decks.rules.sentences import LANGUAGES, sentence
from decks.rules.words import key
from decks.services.catalogue import catalogue
from players.models import Player, User

LONGEST = 20_000
"""Characters of a list; the longest legal one of any game has some three thousand."""
SHORT = 8
"""Characters of a digest that people compare by eye."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What a list is judged by: its game, the day (of the event, where the store is) and what the event narrows.

    `narrowing` holds arguments of `decks.rules.games.narrow`.
    """

    game: Game
    on: date
    format: str = ""
    narrowing: Mapping[str, Any] = field(default_factory=dict)

    @property
    def rules(self) -> games.Game:
        return games.game(self.game.slug)


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict of the engine, and by which catalogue it was reached."""

    said: legality.Verdict
    terms: Terms
    catalogue_version: int

    @property
    def legal(self) -> bool:
        return self.said.legal


@dataclass(frozen=True, slots=True)
class PublicCard:
    """A line of a list as everybody may read it: by the catalogue's name, never as its owner typed it."""

    card: models.Card
    section: str
    copies: int


def format_of(terms: Terms) -> Format:
    """The format's own rules and then what the event narrows on top; what both say is said once."""
    base = terms.rules.formats.get(terms.format, OPEN)
    more = [rule for rule in games.narrow(**terms.narrowing) if rule not in base.rules]
    return replace(base, rules=(*base.rules, *more))


def judge(text: str, terms: Terms) -> Judged:
    """What the rules say of one list; `judge_all` of many."""
    return judge_all([text], terms)[0]


def judge_all(texts: Sequence[str], terms: Terms) -> list[Judged]:
    """Two queries while the catalogue is in memory, however many lists. The version is read first: should cards change
    in between, a verdict counts as older than it is and is reached again."""
    version = version_of(terms.game)
    rules, cards, format = terms.rules, catalogue(terms.game), format_of(terms)
    return [Judged(legality.check(text, rules, cards, terms.on, format), terms, version) for text in texts]


def version_of(game: Game) -> int:
    """The catalogue's version as it is now. One query."""
    return Game.objects.values_list("catalogue_version", flat=True).get(pk=game.pk)


def clean(text: str) -> str:
    """The list as it is kept: one kind of line end, no blanks around it. Two copies of one list have one digest."""
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


# -- rows to be saved --------------------------------------------------------------------------------------------------
def frozen(
    player: Player,
    text: str,
    judged: Judged,
    *,
    at: datetime,
    by: User | None = None,
    version: DeckVersion | None = None,
    name: str = "",
) -> Submission:
    """The copy that later changes of the deck do not reach. `text` is clean."""
    return Submission(
        game=judged.terms.game,
        player=player,
        deck_version=version,
        name=name[:80],
        text=text,
        digest=digest(text),
        element=element_of(judged),
        by=by,
        at=at,
    )


def element_of(judged: Judged) -> Element | None:
    """The one that all the cards share. One query."""
    slug = judged.said.shared("element")
    return Element.objects.filter(game=judged.terms.game, slug=slug).first() if slug else None


def cards_of(handed: Sequence[tuple[Submission, Judged]]) -> list[SubmissionCard]:
    """What each holds, by card and section, as far as its lines name cards. One query. All are of one game."""
    copies: Counter[tuple[int, str, str]] = Counter()
    for place, (_handed, judged) in enumerate(handed):
        for line in judged.said.deck.lines:
            if line.kind is Is.CARD and line.card:
                copies[place, key(line.card.code), line.section] += line.count
    found = models.Card.objects.filter(code_key__in={code for _place, code, _section in copies})
    by_code = dict(found.filter(game__in={row.game_id for row, _judged in handed}).values_list("code_key", "pk"))
    return [
        SubmissionCard(submission=handed[place][0], card_id=by_code[code], section=section, copies=count)
        for (place, code, section), count in copies.items()
        if code in by_code
    ]


def verdict_of(submission: Submission, judged: Judged, number: int, at: datetime) -> models.Verdict:
    said, terms = judged.said, judged.terms
    return models.Verdict(
        submission=submission,
        number=number,
        on=terms.on,
        format=terms.format,
        narrowing=dict(terms.narrowing),
        rules_version=said.game.version,
        catalogue_version=judged.catalogue_version,
        legal=said.legal,
        problems=[told(problem, said.game) for problem in said.problems],
        advice=[told(problem, said.game) for problem in said.advice],
        at=at,
    )


def told(problem: Problem, game: games.Game) -> dict[str, Any]:
    """As a verdict keeps it: in both languages, so that it reads later as it did that day."""
    message = {lang: sentence(problem, game, lang) for lang in LANGUAGES}
    return {"rule": problem.rule.id, "lines": list(problem.lines), "card": problem.card, "message": message}


def current(verdict: models.Verdict, terms: Terms, catalogue_version: int) -> bool:
    """Whether nothing that a verdict rests on has moved since."""
    then = (verdict.on, verdict.format, verdict.narrowing, verdict.rules_version, verdict.catalogue_version)
    return then == (terms.on, terms.format, dict(terms.narrowing), terms.rules.version, catalogue_version)


# -- reading -----------------------------------------------------------------------------------------------------------
def public_cards(submission: Submission) -> list[PublicCard]:
    """In the order of the game's sections and types, then by cost and name. One query."""
    return public_cards_of([submission])[submission.pk]


def public_cards_of(handed: Sequence[Submission]) -> dict[int, list[PublicCard]]:
    """By submission id, of lists of one game. One query, however many."""
    found: dict[int, list[PublicCard]] = {each.pk: [] for each in handed}
    rows = SubmissionCard.objects.filter(submission__in=list(found)).select_related("card__element", "card__faction")
    for row in rows:
        found[row.submission_id].append(PublicCard(row.card, row.section, row.copies))
    for each in handed:
        found[each.pk].sort(key=_in_order(games.game(each.game.slug)))
    return found


def _in_order(game: games.Game) -> Callable[[PublicCard], tuple[int, int, int, str]]:
    sections = {section.slug: place for place, section in enumerate(game.sections)}
    types = {value.slug: place for place, value in enumerate(game.listed("type"))}

    def place(each: PublicCard) -> tuple[int, int, int, str]:
        card = each.card
        home, kind = sections.get(each.section, len(sections)), types.get(card.type, len(types))
        return home, kind, card.cost or 0, card.sort_key

    return place


def public_text(submission: Submission, cards: Sequence[PublicCard], lang: str = "es") -> str:
    """The list as text that every deck builder here reads; what its owner wrote around the cards stays his."""
    game = games.game(submission.game.slug)
    parts = []
    for section in game.sections:
        lines = [f"{each.copies} {each.card.name}" for each in cards if each.section == section.slug]
        if lines:
            heading = section.name_en if lang == "en" else section.name
            parts.append("\n".join([f"{heading}:", *lines]))
    return "\n\n".join(parts) + "\n"


@dataclass(frozen=True, slots=True)
class Last:
    """What "my last deck" fills in: the text, and the deck that it comes from, if any."""

    name: str
    text: str
    at: datetime
    version: DeckVersion | None = None


MOST_SOURCES = 12


def last_of(game: Game, people: Iterable[int], *, decks: bool) -> Last | None:
    """The newest of `lists_of`."""
    return next(iter(lists_of(game, people, decks=decks)), None)


def lists_of(game: Game, people: Iterable[int], *, decks: bool) -> list[Last]:
    """The lists of these records of one person, newest first: each deck of theirs as it is now, and what they handed in
    last. Three queries at most.

    `decks` False: only what was handed in, for a phone that proves itself by a guest's link and not by an account.
    """
    people = list(people)
    handed = Submission.objects.filter(game=game, player__in=people).select_related("deck_version__deck").first()
    found = newest_versions(game, people) if decks else []
    if handed and all(clean(each.text) != handed.text for each in found):
        found.append(Last(handed.name, handed.text, handed.at, handed.deck_version))
    return sorted(found, key=lambda each: each.at, reverse=True)


def newest_versions(game: Game, people: Sequence[int]) -> list[Last]:
    """Every deck as it was saved last; of many only the newest."""
    newest = DeckVersion.objects.filter(deck__game=game, deck__owner__in=people, deck__in=_changed_last(game, people))
    latest = newest.order_by("deck", "-number").select_related("deck")
    by_deck: dict[int, DeckVersion] = {}
    for version in latest:
        by_deck.setdefault(version.deck_id, version)
    return [Last(version.deck.name, version.text, version.at, version) for version in by_deck.values()]


def _changed_last(game: Game, people: Sequence[int]) -> list[int]:
    mine = Deck.objects.filter(game=game, owner__in=people).order_by("-changed_at")
    return list(mine.values_list("pk", flat=True)[:MOST_SOURCES])
