"""What is read of cards and decks."""

from collections.abc import Sequence

from django.db.models import Case, IntegerField, OuterRef, Q, QuerySet, Subquery, When

from decks.models import Card, Deck, DeckVersion, Game, Printing
from decks.rules.words import key

EXACT, BEGINS, WORD, INSIDE, CODE, TEXT = 0, 1, 2, 3, 4, 5
"""How well a name answers what was looked for, best first."""


def browsed(game: Game) -> "QuerySet[Card]":
    """What people look through: retired cards are read in lists, and no longer shown. Element and faction come after:
    joined, they would be carried through the sort of every card that is found."""
    return Card.objects.filter(game=game, retired=False).prefetch_related("element", "faction")


def search(cards: "QuerySet[Card]", words: str) -> "QuerySet[Card]":
    """Every word in the name or the text, or the whole in a code, accents and case apart; the exact name first, then
    names that begin so, have it as a word or inside, codes, and texts last. The same on both databases: folded columns,
    no collation.
    """
    asked = key(words)
    if not asked:
        return cards.order_by("sort_key", "pk")
    named = Q()
    for word in asked.split():
        named &= Q(name_key__contains=word) | Q(text_key__contains=word) if len(word) > 1 else _begins(word)
    if any(char.isdigit() for char in asked):  # as codes have; asked once, not for each card
        named |= Q(pk__in=Printing.objects.filter(code_key__contains=asked).values("card"))
    cards = cards.filter(named)
    fit = Case(
        When(name_key=asked, then=EXACT),
        When(name_key__startswith=asked, then=BEGINS),
        When(name_key__contains=f" {asked}", then=WORD),
        When(name_key__contains=asked, then=INSIDE),
        When(code_key__startswith=asked, then=CODE),
        default=TEXT,
        output_field=IntegerField(),
    )
    return cards.annotate(fit=fit).order_by("fit", "sort_key", "pk")


def _begins(letter: str) -> Q:
    """Of a single letter the words that begin with it: inside, it is nearly everywhere."""
    return Q(name_key__startswith=letter) | Q(name_key__contains=f" {letter}")


def decks_of(people: Sequence[int]) -> "QuerySet[Deck]":
    """Whose records these are (`people.family`), the deck that was changed last first, with what its newest version
    says: `size`, `number`, `element_slug`."""
    newest = DeckVersion.objects.filter(deck=OuterRef("pk")).order_by("-number")
    return (
        Deck.objects.filter(owner__in=people)
        .select_related("game")
        .annotate(
            number=Subquery(newest.values("number")[:1]),
            size=Subquery(newest.values("size")[:1]),
            element_slug=Subquery(newest.values("element__slug")[:1]),
        )
    )


def shared_deck(token: str) -> Deck | None:
    """By the link that its owner hands on. Nothing for an empty token."""
    return Deck.objects.select_related("game", "owner__merged_into").filter(share=token).first() if token else None
