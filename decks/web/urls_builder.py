"""`/mazos/...`: a player's decks."""

from django.urls import path

from decks.web import builder_check, builder_rules

urlpatterns = [
    path("mazos/comprobar/", builder_check.check_list, name="deck_check"),
    path("mazos/reglas/<slug:game>/", builder_rules.rules, name="deck_rules"),
]
