"""Decks to judge, made of the invented cards: legal ones, and what is written of them."""

from collections.abc import Iterable
from datetime import date

from decks.rules.cards import Card
from decks.rules.demo import demonstration
from decks.rules.games import OPEN, Format, game
from decks.rules.legality import Verdict, check

KOUNTER, KICKON = game("kounter"), game("kickon")
CARDS = demonstration("kounter").cards
TODAY = date(2026, 6, 12)
MOST = {"basico": 4, "comun": 3, "raro": 2, "legendario": 1}

Deck = dict[str, int]
"""Copies by name."""


def cards(**values: str) -> list[Card]:
    """Those cards, in the catalogue's order: `cards(element="luz", rarity="raro")`."""
    return [card for card in CARDS if all(getattr(card, name) == value for name, value in values.items())]


def legal_deck(element: str = "fuego", size: int = 40) -> Deck:
    """The first cards of an element, each as often as its rarity allows, until the deck is full."""
    deck: Deck = {}
    for card in cards(element=element):
        if card.type != "ficha" and size > 0:
            deck[card.name] = min(MOST[card.rarity], size)
            size -= deck[card.name]
    return deck


def written(deck: Deck) -> str:
    return "\n".join(f"{count} {name}" for name, count in deck.items())


def judged(deck: Deck | str, on: date = TODAY, format: Format = OPEN) -> Verdict:
    text = deck if isinstance(deck, str) else written(deck)
    return check(text, KOUNTER, demonstration("kounter"), on, format)


def broken(verdict: Verdict) -> set[str]:
    """The rules that the deck breaks."""
    return {problem.rule.id for problem in verdict.problems}


def kickon_deck() -> dict[str, Deck]:
    """Sections with what lies in them: fifty cards, seven starters, three substitutes."""
    every = [card for card in demonstration("kickon").cards if card.rarity != "leyenda"]
    keepers, *lines = (
        [card for card in every if card.position == position]
        for position in ("arquero", "defensa", "mediocampista", "delantero")
    )
    starters = spread(keepers, 1) | spread(lines[0], 2) | spread(lines[1], 2) | spread(lines[2], 2)
    bench = spread(keepers[1:], 1) | spread([card for line in lines for card in line if card.name not in starters], 2)
    fifty: Deck = {}
    for card in every:
        if card.type not in ("player", "kick-peso"):
            fifty[card.name] = min(3, 48 - sum(fifty.values()))
    fifty = {name: count for name, count in fifty.items() if count}
    fifty[PESO] = 50 - sum(fifty.values())
    return {"Mazo": fifty, "Titulares": starters, "Suplentes": bench}


PESO = next(card.name for card in demonstration("kickon").cards if card.type == "kick-peso")


def spread(among: Iterable[Card], places: int) -> Deck:
    """One copy of each until the places are taken."""
    return {card.name: 1 for card, _ in zip(among, range(places), strict=False)}


def kickon_judged(deck: dict[str, Deck]) -> Verdict:
    text = "\n\n".join(f"{name}:\n{written(lying)}" for name, lying in deck.items())
    return check(text, KICKON, demonstration("kickon"), TODAY)
