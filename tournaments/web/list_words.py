"""A deck list as pages show it: its cards by section and type, its verdict in the reader's language, how it stands."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import get_language, gettext, ngettext

from decks.models import Expansion, Submission, Verdict
from decks.rules import games
from decks.rules.sentences import language
from decks.services import submissions
from decks.services.checking import rule_numbers
from decks.services.submissions import SHORT, PublicCard
from tournaments.models import Event, Registration
from tournaments.queries import ListState, Sheet
from tournaments.sentences.names import names_words
from tournaments.services.steps import players_of_round_1


@dataclass(frozen=True, slots=True)
class Group:
    """Cards of one type in one section. `counts`: whether they make up the deck."""

    title: str
    cards: list[PublicCard]
    counts: bool

    @property
    def copies(self) -> int:
        return sum(each.copies for each in self.cards)


@dataclass(frozen=True, slots=True)
class Problem:
    """`lines` of the list, from 1; none: the deck as a whole. `rule` is its id, `number` its place on the rules' page;
    0 for a rule that is no more."""

    lines: list[int]
    message: str
    game: str
    rule: str
    number: int


@dataclass(frozen=True, slots=True)
class Shown:
    submission: Submission
    groups: list[Group]

    @property
    def size(self) -> int:
        return sum(group.copies for group in self.groups if group.counts)

    @property
    def digest(self) -> str:
        """What two people compare by eye."""
        return self.submission.digest[:SHORT]


def shown(submission: Submission) -> Shown:
    """One query."""
    return shown_all([submission])[0]


def shown_all(handed: Sequence[Submission]) -> list[Shown]:
    """One query, however many; all of one game."""
    cards = submissions.public_cards_of(handed)
    return [Shown(each, groups_of(each, cards[each.pk])) for each in handed]


def groups_of(submission: Submission, cards: Iterable[PublicCard]) -> list[Group]:
    game, lang = games.game(submission.game.slug), language(get_language())
    free = {section.slug for section in game.sections if section.free}
    found: dict[tuple[str, str], list[PublicCard]] = {}
    for each in cards:
        found.setdefault((each.section, each.card.type), []).append(each)
    return [
        Group(title_of(game, section, type, lang), cards, section not in free)
        for (section, type), cards in found.items()
    ]


def title_of(game: games.Game, section: str, type: str, lang: str) -> str:
    """ "Unidad"; the section too where it holds one type only, or the game has several that count: "Titulares"."""
    value = game.values.get(("type", type))
    name = type if value is None else value.name_en if lang == "en" else value.name
    home = next((each for each in game.sections if each.slug == section), None)
    several = sum(not each.free for each in game.sections) > 1
    if home is None or not several:
        return name
    part = home.name_en if lang == "en" else home.name
    return part if len(home.types) == 1 else f"{part} · {name}"


def newest_verdict(submission: Submission) -> Verdict:
    return submission.verdicts.order_by("-number")[0]


def problems(verdict: Verdict, game_slug: str) -> list[Problem]:
    return told(verdict.problems, game_slug)


def told(rows: Iterable[dict[str, Any]], game_slug: str) -> list[Problem]:
    """As it was said that day, with the place that the rule has now."""
    lang, numbers = language(get_language()), rule_numbers(games.game(game_slug))
    return [
        Problem(row["lines"], row["message"][lang], game_slug, row["rule"], numbers.get(row["rule"], 0)) for row in rows
    ]


def asked_words(event: Event) -> list[str]:
    """What the event asks of decks: whether one is required, its format, what it narrows; empty where none is asked."""
    if not event.asks_for_lists:
        return []
    game = games.game(event.game.slug)
    found = [capfirst(str(event.get_decks_display()))]
    if format := game.formats.get(event.deck_format):
        found.append(called(format))
    if event.deck_rules:
        found += narrowing_words(event, game)
    return found


def narrowing_words(event: Event, game: games.Game) -> list[str]:
    asked, found = event.deck_rules, []
    names = [
        called(value) for kind in ("element", "faction") for slug in asked.get(f"{kind}s", ())
        if (value := game.values.get((kind, slug)))
    ]  # fmt: skip
    if expansions := asked.get("expansions"):
        rows = Expansion.objects.filter(game=event.game, slug__in=expansions)
        names += rows.values_list("name", flat=True)
    if names:
        found.append(gettext("only %(names)s") % {"names": names_words(names)})
    if "faction" in asked.get("one", ()):
        found.append(gettext("a single faction"))
    if copies := asked.get("copies"):
        text = ngettext("%(n)s copy of each card", "up to %(n)s copies of each card", copies)
        found.append(text % {"n": copies})
    return found


def called(each: games.Value | games.Format) -> str:
    return each.name_en if language(get_language()) == "en" else each.name


def mark(sheet: Sheet, rows: Iterable[Registration]) -> None:
    """Tie to each row how its list stands, for the roster; one query for all."""
    for row in rows:
        row.list_state = str(sheet.list_state(row))  # type: ignore[attr-defined]


def counts(sheet: Sheet) -> dict[str, int]:
    """Of those who play: legal lists, and how many lack one."""
    active = sheet.active
    legal = sum(sheet.list_state(row) == ListState.LEGAL for row in active)
    return {"legal": legal, "all": len(active), "lacking": len(active) - legal}


def standing(sheet: Sheet) -> dict[str, Any]:
    """For the console before round 1; `held`: somebody's list keeps it from beginning. Empty where none are asked."""
    if not sheet.event.asks_for_lists:
        return {}
    return counts(sheet) | {"held": bool(sheet.lacking_lists(players_of_round_1(sheet)))}
