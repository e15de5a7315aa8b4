"""Bans and limits of single cards, by the day from which they hold (GAMES, Legality; CASES 83)."""

from datetime import date

from django.db import transaction

from decks.models import Card, Restriction
from decks.services import catalogue


@transaction.atomic
def restrict(card: Card, since: date, copies: int | None, format: str = "") -> Restriction:
    """From that day at most so many copies; 0 bans, None lifts what held before. The same day again replaces it."""
    row, _made = Restriction.objects.update_or_create(
        card=card, since=since, format=format, defaults={"copies": copies}
    )
    catalogue.changed(card.game)
    return row


@transaction.atomic
def remove(row: Restriction) -> None:
    """As if it had never been said; verdicts that were given stay."""
    game = row.card.game
    row.delete()
    catalogue.changed(game)
