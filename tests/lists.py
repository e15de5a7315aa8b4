"""Deck lists in tests: the invented cards as rows, legal lists of them, and events that ask for lists."""

from collections.abc import Iterable
from typing import Any

from decks.models import Card, Element, Expansion, Faction, Game, Printing, Restriction, Submission
from decks.rules.cards import Card as CoreCard
from decks.rules.demo import demonstration
from decks.services import catalogue
from decks.services.games import default_game
from tests import make
from tests.core.decks.lists import legal_deck, written
from tournaments.models import Event, Registration
from tournaments.services import decks
from tournaments.services.journal import SYSTEM, Actor


def fill_catalogue(game: Game | None = None) -> Game:
    """Every invented card of the game, as rows."""
    game = game or default_game()
    every = demonstration(game.slug)
    expansions = {
        slug: Expansion.objects.create(game=game, slug=slug, name=name, demo=True)
        for slug, name in every.expansions.items()
    }
    elements = {row.slug: row for row in Element.objects.filter(game=game)}
    factions = {row.slug: row for row in Faction.objects.filter(game=game)}
    cards = Card.objects.bulk_create([_row(card, game, elements, factions) for card in every.cards])
    Printing.objects.bulk_create(
        Printing(
            game=game, card=row, expansion=expansions[each.expansion], code=each.code, released=each.released
        ).derive()
        for row, card in zip(cards, every.cards, strict=True)
        for each in card.printings
    )
    catalogue.changed(game)
    return game


def _row(card: CoreCard, game: Game, elements: dict[str, Element], factions: dict[str, Faction]) -> Card:
    plain = ("code", "name", "rarity", "type", "subtype", "position", "cost", "attack", "life", "text")
    values = {name: getattr(card, name) for name in plain}
    return Card(game=game, element=elements.get(card.element), faction=factions.get(card.faction), **values).derive()


def ban(name: str, since: Any, copies: int | None = 0) -> Restriction:
    row = Restriction.objects.create(card=Card.objects.get(name=name), since=since, copies=copies)
    catalogue.changed(row.card.game)
    return row


def lines(element: str = "fuego") -> list[str]:
    """A legal list, line by line."""
    return written(legal_deck(element)).splitlines()


def text(element: str = "fuego") -> str:
    return "\n".join(lines(element))


def names(element: str = "fuego") -> list[str]:
    return list(legal_deck(element))


def short(element: str = "fuego") -> str:
    """One card too few."""
    return "\n".join(lines(element)[:-1])


def make_asking(players: int = 0, decks: str = "required", **fields: Any) -> Event:
    """An event that asks for lists, with the catalogue that they are judged by."""
    if not Card.objects.exists():
        fill_catalogue()
    return make.make_event(players=players, decks=decks, **fields)


def hand_in(
    rows: Iterable[Registration] | Event, list_text: str | None = None, *, by: Actor = SYSTEM, **options: Any
) -> list[Submission]:
    """Each of them a legal list, or the one given; of an event all who are in it."""
    if isinstance(rows, Event):
        rows = list(rows.registrations.select_related("event__store", "event__game", "player"))
    return [decks.submit(row, list_text or text(), by=by, **options) for row in rows]
