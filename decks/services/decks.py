"""A player's own decks: saved in versions, shared by a link, copied (UX, Player; CASES 87).

What was handed in for an event is a copy of its own (`services.submissions`) that nothing here reaches.
"""

import secrets
from collections import Counter
from dataclasses import dataclass
from datetime import date

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from decks.models import Deck, DeckVersion, Game
from decks.rules import games
from decks.rules.decklist import Is
from decks.services.submissions import LONGEST, Judged, Terms, clean, element_of, judge
from players.models import Player

MOST_DECKS = 200
SILENT = frozenset({Is.BLANK, Is.NOTE, Is.HEADING, Is.FOREIGN, Is.OUTSIDE})
"""Lines that put nothing into a deck."""


class DeckRefused(Exception):
    """Nothing was changed. `code` for programs, the message for people."""

    def __init__(self, message: str, *, code: str) -> None:
        super().__init__(message)
        self.code = code


@transaction.atomic
def create(
    owner: Player, game: Game, name: str, text: str, *, on: date, format: str = "", copied_from: Deck | None = None
) -> Deck:
    """A new deck with its first version. Raises DeckRefused."""
    if Deck.objects.filter(owner=owner).count() >= MOST_DECKS:
        words = _("You have %(n)s decks, and that is as many as fit. Delete one first.")
        raise DeckRefused(words % {"n": MOST_DECKS}, code="many")
    text = _listed(text)
    deck = Deck.objects.create(
        owner=owner, game=game, name=_named(name), format=_format(game, format), copied_from=copied_from
    )
    _version(deck, text, 1, on)
    return deck


@transaction.atomic
def save(deck: Deck, text: str, *, based_on: int, on: date, name: str = "", format: str = "", note: str = "") -> int:
    """What was written, as a new version where the list changed; the number of the newest then.

    `based_on`: the version that the writer had before him. Raises DeckRefused("moved") when there is a newer one, so
    that two tabs never overwrite each other in silence.
    """
    deck = Deck.objects.select_for_update().get(pk=deck.pk)
    newest = deck.versions.first()
    number = newest.number if newest else 0
    text = _listed(text)
    changed = newest is None or newest.text != text
    if changed and number != based_on:
        words = _("Version %(n)s was saved elsewhere meanwhile. Look at it before you save over it.")
        raise DeckRefused(words % {"n": number}, code="moved")
    deck.name, deck.format = _named(name), _format(deck.game, format)
    deck.save(update_fields=["name", "format", "changed_at"])
    if changed:
        number += 1
        _version(deck, text, number, on, note)
    return number


def restore(deck: Deck, number: int, *, on: date) -> int:
    """An old version once more, as the newest: what came between stays."""
    old = deck.versions.filter(number=number).first()
    newest = deck.versions.first()
    if old is None or newest is None:
        raise DeckRefused(_("There is no such version."), code="version")
    note = _("As version %(n)s") % {"n": number}
    return save(deck, old.text, based_on=newest.number, on=on, name=deck.name, format=deck.format, note=note)


def share(deck: Deck) -> str:
    """The token of its link; the same until it is taken back."""
    if not deck.share:
        deck.share = secrets.token_urlsafe(16)
        deck.save(update_fields=["share"])
    return deck.share


def unshare(deck: Deck) -> None:
    """The link that was handed on leads nowhere any more; another share makes another link."""
    deck.share = None
    deck.save(update_fields=["share"])


def copy(deck: Deck, owner: Player, *, on: date) -> Deck:
    """The newest version as a deck of somebody's own, private like any."""
    newest = deck.versions.first()
    name = _("Copy of %(name)s") % {"name": deck.name}
    text = newest.text if newest else ""
    return create(owner, deck.game, name, text, on=on, format=deck.format, copied_from=deck)


def delete(deck: Deck) -> None:
    """With its versions; lists that were handed in from it stay as they are."""
    deck.delete()


# -- what a version says -----------------------------------------------------------------------------------------------
def _version(deck: Deck, text: str, number: int, on: date, note: str = "") -> DeckVersion:
    judged = judge(text, Terms(deck.game, on, deck.format))
    try:
        with transaction.atomic():
            return deck.versions.create(
                number=number, text=text, note=note[:120], element=element_of(judged), size=size_of(judged)
            )
    except IntegrityError:  # where rows are not locked, two may come as far as here
        raise DeckRefused(_("Another version was saved at the same moment. Try again."), code="moved") from None


def size_of(judged: Judged) -> int:
    """Cards that count."""
    free = {section.slug for section in judged.said.game.sections if section.free}
    return min(sum(copies for section, copies in judged.said.counts.items() if section not in free), 32_000)


def _listed(text: str) -> str:
    if len(text) > LONGEST:
        raise DeckRefused(_("A list has at most %(n)s characters.") % {"n": LONGEST}, code="long")
    return clean(text)


def _named(name: str) -> str:
    return " ".join(name.split())[:80] or _("Deck without a name")


def _format(game: Game, format: str) -> str:
    return format if format in games.game(game.slug).formats else ""


@dataclass(frozen=True, slots=True)
class Move:
    """How many copies of a card came (or went, below zero) from one version to another."""

    name: str
    copies: int


def moves(before: str, after: str, terms: Terms) -> list[Move]:
    """What differs between two lists, by card; lines that name no card count by what they say."""
    counts = [_copies(judge(text, terms)) for text in (before, after)]
    names = sorted(counts[0].keys() | counts[1].keys())
    return [Move(name, counts[1][name] - counts[0][name]) for name in names if counts[0][name] != counts[1][name]]


def _copies(judged: Judged) -> Counter[str]:
    found: Counter[str] = Counter()
    for line in judged.said.deck.lines:
        if line.kind is Is.CARD and line.card:
            found[line.card.name] += line.count
        elif line.kind not in SILENT:
            found[line.name or line.text.strip()] += line.count or 1
    return found


def as_json(name: str, text: str, terms: Terms) -> dict[str, object]:
    """A deck for another program: its lines as cards, and the text that they came from."""
    judged = judge(text, terms)
    cards = [
        {"code": line.card.code, "name": line.card.name, "copies": line.count, "section": line.section}
        for line in judged.said.deck.lines
        if line.kind is Is.CARD and line.card
    ]
    return {"name": name, "game": terms.game.slug, "format": terms.format or None, "cards": cards, "text": text}
