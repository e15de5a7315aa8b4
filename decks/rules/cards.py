"""The catalogue as values: cards, printings, dated restrictions, and how a typed name finds its card. [no Django]"""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import NamedTuple

from decks.rules.near import NearNames
from decks.rules.words import bare, key

ATTRIBUTES = ("element", "faction", "rarity", "type", "subtype", "position")
"""What a rule may ask of a card; each holds the slug of a value, or nothing."""


@dataclass(frozen=True, slots=True)
class Printing:
    """One appearance of a card: another expansion, a promo, other art. Limits count the card, never the printing."""

    code: str
    expansion: str
    released: date


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """A card; `code` is that of its first printing and `rarity` the one that copy limits read."""

    code: str
    name: str
    element: str = ""
    faction: str = ""
    rarity: str = ""
    type: str = ""
    subtype: str = ""
    position: str = ""
    cost: int | None = None
    attack: int | None = None
    life: int | None = None
    text: str = ""
    printings: tuple[Printing, ...] = ()

    @property
    def released(self) -> date:
        """When its first printing is out."""
        return min(printing.released for printing in self.printings)


@dataclass(frozen=True, slots=True)
class Restriction:
    """From that day on at most so many copies: 0 bans, None lifts. `format` empty: everywhere."""

    card: str
    since: date
    copies: int | None
    format: str = ""


class Found(NamedTuple):
    """The cards that a text may mean: none, one, or several between which its writer must choose.

    `clash`: the text names one card by its code and another by its name.
    """

    cards: tuple[Card, ...]
    clash: bool = False


NOTHING = Found(())
CODE_GROUP = re.compile(r"[(\[]([^()\[\]]+)[)\]](?:\s*(\d+))?")
REMARK = re.compile(r"\s(?://|#).*$")


@dataclass(frozen=True)
class Catalogue:
    cards: tuple[Card, ...]
    restrictions: tuple[Restriction, ...] = ()
    expansions: Mapping[str, str] = field(default_factory=dict)  # names by slug
    _found: dict[str, Found] = field(default_factory=dict, repr=False, compare=False)
    _near: dict[tuple[str, int], tuple[Card, ...]] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def by_code(self) -> dict[str, Card]:
        return {key(printing.code): card for card in self.cards for printing in card.printings}

    @cached_property
    def by_name(self) -> dict[str, tuple[Card, ...]]:
        names = defaultdict(list)
        for card in self.cards:
            names[key(card.name)].append(card)
        return {name: tuple(cards) for name, cards in names.items()}

    @cached_property
    def near_names(self) -> NearNames:
        return NearNames(self.by_name)

    @cached_property
    def _restrictions(self) -> dict[str, list[Restriction]]:
        by_card = defaultdict(list)
        for restriction in self.restrictions:
            by_card[restriction.card].append(restriction)
        return by_card

    def find(self, text: str) -> Found:
        """By name, by the code of any printing, or by both ("DM1-003 Vigía", "Vigía (DM1) 3"). It remembers."""
        if text not in self._found:
            if len(self._found) > 100_000:
                self._found.clear()
            self._found[text] = self._find(text)
        return self._found[text]

    def _find(self, text: str) -> Found:
        for name in (text, REMARK.sub("", text)):
            if cards := self._named(name):
                return Found(cards)
            if found := self._coded(name):
                return found
            without = CODE_GROUP.sub(" ", name).strip()
            if without != name and (cards := self._named(without)):
                return Found(cards)
        return NOTHING

    def _named(self, text: str) -> tuple[Card, ...]:
        """Signs decide only between names that are the same without them."""
        cards = self.by_name.get(key(text), ())
        if len(cards) > 1:
            exact = tuple(card for card in cards if bare(card.name) == bare(text))
            return exact or cards
        return cards

    def _coded(self, text: str) -> Found | None:
        """A code alone, before or after the name, or in brackets; it decides unless the name is another card's."""
        words = text.split()
        tries = [(text, "")]
        if len(words) > 1:
            tries += [(words[0], " ".join(words[1:])), (words[-1], " ".join(words[:-1]))]
        for group in CODE_GROUP.finditer(text):
            rest = (text[: group.start()] + " " + text[group.end() :]).strip()
            tries.append((f"{group[1]} {group[2] or ''}", rest))
        for code, rest in tries:
            if card := self.by_code.get(key(code)):
                others = tuple(other for other in self._named(rest) if other is not card)
                same = not others or card in self._named(rest)
                return Found((card,)) if same else Found((card, *others), clash=True)
        return None

    def near(self, text: str, limit: int = 3) -> tuple[Card, ...]:
        """Cards with nearly that name, best first; more than one where none is clearly the nearest. Remembered: a list
        is checked at every letter, and its misspelt lines stay the same."""
        if (text, limit) not in self._near:
            if len(self._near) > 10_000:
                self._near.clear()
            self._near[text, limit] = self._nearest(text, limit)
        return self._near[text, limit]

    def _nearest(self, text: str, limit: int) -> tuple[Card, ...]:
        name = CODE_GROUP.sub(" ", REMARK.sub("", text))
        return tuple(card for near in self.near_names.suggest(key(name), limit) for card in self.by_name[near])[:limit]

    def restriction(self, card: Card, on: date, format: str = "") -> Restriction | None:
        """The strictest one in force that day: for each list (everywhere, this format) the newest counts."""
        strictest = None
        for scope in {"", format}:
            dated = [r for r in self._restrictions.get(card.code, ()) if r.format == scope and r.since <= on]
            newest = max(dated, key=lambda r: (r.since, -(r.copies or 0)), default=None)
            if newest and newest.copies is not None and (strictest is None or newest.copies < (strictest.copies or 0)):
                strictest = newest
        return strictest
