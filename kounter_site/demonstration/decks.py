"""Decks of those who can sign in: of each of their elements one, the heroine's first in two versions and shared."""

from datetime import date
from random import Random

from decks.models import Deck, Element
from decks.rules import games
from decks.rules.cards import Card
from decks.services import decks
from decks.services.cards import standing
from decks.services.catalogue import catalogue
from kounter_site.demonstration.cast import Cast
from players.models import Player

SIZE = 40


def make(cast: Cast, today: date, rng: Random) -> list[Deck]:
    """None where the game has no cards."""
    made = [
        deck
        for players in cast.people.values()
        for player in players
        if player.user and player.user.has_usable_password()
        for element in cast.elements[player.pk]
        if (deck := make_deck(cast, player, element, today, rng))
    ]
    for deck in made:
        if deck.owner == cast.heroine:
            decks.share(deck)
            break
    return made


def make_deck(cast: Cast, player: Player, element: Element, today: date, rng: Random) -> Deck | None:
    lines = some_list(cast, element, today, rng)
    if not lines:
        return None
    first = "\n".join(lines[:-1])  # one card was still missing
    deck = decks.create(player, cast.game, f"{element} de los jueves", first, on=today)
    decks.save(deck, "\n".join(lines), based_on=1, on=today, name=deck.name)
    return deck


def some_list(cast: Cast, element: Element, today: date, rng: Random) -> list[str]:
    """A legal deck of invented cards: as many copies of each as are allowed, until it is full."""
    rules, cards = games.game(cast.game.slug), catalogue(cast.game)
    pool = [card for card in cards.cards if card.element == element.slug]
    rng.shuffle(pool)
    lines, left = [], SIZE
    for card in pool:
        if copies := min(left, allowed(card, rules, today, cast)):
            lines.append(f"{copies} {card.name}")
            left -= copies
    return [] if left else lines


def allowed(card: Card, rules: games.Game, today: date, cast: Cast) -> int:
    found = standing(card, rules, catalogue(cast.game), today)
    return found.copies or 0 if found.state in {"legal", "limited"} else 0
