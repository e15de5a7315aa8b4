"""One card more or fewer in a written list; every other line stays as it was typed. [no Django]"""

from collections.abc import Iterator
from typing import NamedTuple

from decks.rules.cards import Card, Catalogue
from decks.rules.decklist import MOST, DeckList, Is, Line, looks_foreign, read
from decks.rules.games import Game, Section


def more(text: str, card: Card, game: Game, catalogue: Catalogue) -> str:
    """One copy more: on the line that has the card, else on a new one in the section that has room for it.

    A text that is no list (CASES 85), or one for a card without a place in this game, is given back as it is.
    """
    deck = read(text, game, catalogue)
    section = _with_room(deck, card, game)
    if section is None or looks_foreign(text):
        return text
    for line in reversed(deck.lines):
        if line.kind is Is.CARD and line.card is card and line.section == section.slug and line.count < MOST:
            return _rewritten(text, line, line.count + 1)
    return _added(text, deck, card, section, game, catalogue)


def fewer(text: str, card: Card, game: Game, catalogue: Catalogue) -> str:
    """One copy fewer, from the last line that has the card; a line goes with its last copy."""
    for line in reversed(read(text, game, catalogue).lines):
        if line.kind is Is.CARD and line.card is card:
            return _rewritten(text, line, line.count - 1)
    return text


def _with_room(deck: DeckList, card: Card, game: Game) -> Section | None:
    """The first section that takes the card and is not full; the first at all when each of them is."""
    homes = [section for section in game.sections if card.type in section.types]
    most = {slug: rule.max for rule in game.rules if rule.kind == "size" for slug in rule.sections}
    held = {
        section.slug: sum(line.count for line in deck.lines if line.kind is Is.CARD and line.section == section.slug)
        for section in homes
    }
    room = (section for section in homes if (limit := most.get(section.slug)) is None or held[section.slug] < limit)
    return next(room, homes[0] if homes else None)


def _rewritten(text: str, line: Line, count: int) -> str:
    rows = text.splitlines()
    rows[line.number - 1 : line.number] = [f"{line.prefix}{count} {line.name}"] if count else []
    return "\n".join(rows)


class Try(NamedTuple):
    """A text with the new line in it; `new`: the indexes of what was not there before, the card's line last."""

    rows: list[str]
    new: tuple[int, ...]


def _added(text: str, deck: DeckList, card: Card, section: Section, game: Game, catalogue: Catalogue) -> str:
    """The first place where the new line is read as that card there and no other line changes its meaning."""
    before = [_meaning(line) for line in deck.lines if line.kind is not Is.BLANK]
    tries = list(_tries(text, deck, card, section))
    for rows, new in tries:
        lines = read("\n".join(rows), game, catalogue).lines
        others = [_meaning(line) for line in lines if line.number - 1 not in new and line.kind is not Is.BLANK]
        if others == before and _meaning(lines[new[-1]]) == (Is.CARD, 1, card, section.slug):
            return "\n".join(rows)
    return "\n".join(tries[-1].rows)


def _meaning(line: Line) -> tuple[Is, int, Card | None, str]:
    return line.kind, line.count, line.card, line.section


def _tries(text: str, deck: DeckList, card: Card, section: Section) -> Iterator[Try]:
    """Among its like, below its heading, at the end, below a new heading; by name, then by code for a name that several
    cards have."""
    rows = text.rstrip().splitlines()
    here = [line for line in deck.lines if line.section == section.slug and line.kind is not Is.BLANK]
    inside = [line.number for line in here if line.kind is not Is.HEADING]
    below = [line.number for line in here if line.kind is Is.HEADING]
    for name in (card.name, card.code):
        for at in dict.fromkeys((*inside[-1:], *below[-1:], len(rows))):
            yield Try([*rows[:at], f"1 {name}", *rows[at:]], (at,))
        gap = [""] if rows else []
        end = len(rows) + len(gap)
        yield Try([*rows, *gap, f"{section.name}:", f"1 {name}"], (end, end + 1))
