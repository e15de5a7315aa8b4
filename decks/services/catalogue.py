"""The only translator of catalogue rows to core values; kept in memory by the catalogue's version."""

from collections import defaultdict
from functools import lru_cache

from django.db.models import F

from decks import models
from decks.models import Game
from decks.rules.cards import Card, Catalogue, Printing, Restriction


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
    columns = (
        "pk", "code", "name", "element__slug", "faction__slug", "rarity", "type", "subtype", "position",
        "cost", "attack", "life", "text",
    )  # fmt: skip
    printings = _printings(game)
    made = tuple(
        Card(code, name, element or "", faction or "", *rest, printings=printings.get(pk, ()))
        for pk, code, name, element, faction, *rest in cards.values_list(*columns)
    )
    return Catalogue(made, _restrictions(game), expansions)


def _printings(game: int) -> dict[int, tuple[Printing, ...]]:
    found: dict[int, list[Printing]] = defaultdict(list)
    rows = models.Printing.objects.filter(game=game).order_by("released", "code_key")
    for card, *values in rows.values_list("card", "code", "expansion__slug", "released"):
        found[card].append(Printing(*values))
    return {card: tuple(printings) for card, printings in found.items()}


def _restrictions(game: int) -> tuple[Restriction, ...]:
    rows = models.Restriction.objects.filter(card__game=game).order_by("since", "card__code_key")
    return tuple(Restriction(*row) for row in rows.values_list("card__code", "since", "copies", "format"))
