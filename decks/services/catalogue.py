"""The only translator of catalogue rows to core values; kept in memory by the catalogue's version."""

from collections import defaultdict
from functools import lru_cache
from typing import Any

from django.db.models import F

from decks import models
from decks.models import Game
from decks.rules.cardfile import NUMBERS
from decks.rules.cards import ATTRIBUTES, Card, Catalogue, Printing, Restriction

WORDS = {name: name for name in ("code", "name", "text", *ATTRIBUTES)} | {
    "element": "element__slug",
    "faction": "faction__slug",
}
"""Fields of a core card that hold text, with their columns."""
COLUMNS = (*WORDS.values(), *NUMBERS)


def catalogue(game: Game) -> Catalogue:
    """Every card of the game, retired ones too: a list that names one is still read. One query when it is in memory."""
    version = Game.objects.values_list("catalogue_version", flat=True).get(pk=game.pk)
    return _catalogue(game.pk, version)


def changed(game: Game) -> int:
    """To be called by whoever writes cards, printings or restrictions, in the same transaction. The new version."""
    Game.objects.filter(pk=game.pk).update(catalogue_version=F("catalogue_version") + 1)
    game.refresh_from_db(fields=["catalogue_version"])
    return game.catalogue_version


@lru_cache(maxsize=8)
def _catalogue(game: int, version: int) -> Catalogue:
    expansions = dict(models.Expansion.objects.filter(game=game).values_list("slug", "name"))
    cards = models.Card.objects.filter(game=game).order_by("code_key")
    printings = _printings(game)
    made = tuple(_card(row, printings) for row in cards.values("pk", *COLUMNS))
    return Catalogue(made, _restrictions(game), expansions)


def _card(row: dict[str, Any], printings: dict[int, tuple[Printing, ...]]) -> Card:
    values: dict[str, Any] = {field: row[column] or "" for field, column in WORDS.items()} | {
        name: row[name] for name in NUMBERS
    }
    return Card(**values, printings=printings.get(row["pk"], ()))


def _printings(game: int) -> dict[int, tuple[Printing, ...]]:
    found: dict[int, list[Printing]] = defaultdict(list)
    rows = models.Printing.objects.filter(game=game).order_by("released", "code_key")
    for card, code, expansion, released in rows.values_list("card", "code", "expansion__slug", "released"):
        found[card].append(Printing(code, expansion, released))
    return {card: tuple(printings) for card, printings in found.items()}


def _restrictions(game: int) -> tuple[Restriction, ...]:
    rows = models.Restriction.objects.filter(card__game=game).order_by("since", "card__code_key")
    return tuple(Restriction(*row) for row in rows.values_list("card__code", "since", "copies", "format"))
