"""`/cartas/...`: the card browser. The page of one card, which speaks of events, is `tournaments.web.cards`."""

from django.urls import path

from decks.web import cards

urlpatterns = [
    path("cartas/", cards.cards, name="cards"),
]
