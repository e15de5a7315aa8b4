"""The part of an event's form that says what is asked of decks. It speaks of one JSON field, `Event.deck_rules`."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from decks.models import Expansion, Game
from decks.rules import games
from decks.rules.games import Value
from tournaments.models import Event
from tournaments.web.list_words import called

COPIES = (1, 2, 3)
ASKING = ("decks", "lists_public", "deck_format")
NARROWING = ("deck_one_faction", "deck_copies", "deck_elements", "deck_expansions", "deck_factions")
LISTS = {"deck_elements": "elements", "deck_expansions": "expansions", "deck_factions": "factions"}
"""Fields that hold several values, with their argument of `games.narrow`."""


class DeckRulesMixin(forms.Form):
    """Fields that together are `deck_rules`; a game without such values, or without lists, does not show them."""

    deck_one_faction = forms.BooleanField(label=_("A single faction"), required=False)
    deck_copies = forms.TypedChoiceField(
        label=_("Copies of each card"), required=False, coerce=int, empty_value=None,
        choices=[("", _("As many as its rarity allows")), *((n, str(n)) for n in COPIES)],
    )  # fmt: skip
    deck_elements = forms.MultipleChoiceField(
        label=_("Only these elements"), required=False, widget=forms.CheckboxSelectMultiple,
        help_text=_("None ticked: all of them."),
    )  # fmt: skip
    deck_expansions = forms.MultipleChoiceField(
        label=_("Only these expansions"), required=False, widget=forms.CheckboxSelectMultiple,
        help_text=_("None ticked: all of them."),
    )  # fmt: skip
    deck_factions = forms.MultipleChoiceField(
        label=_("Only these factions"), required=False, widget=forms.SelectMultiple(attrs={"size": 6}),
        help_text=_("None chosen: all of them."),
    )  # fmt: skip

    def prepare_decks(self, game: Game) -> None:
        rules = games.game(game.slug)
        if not rules.registration:
            for name in (*ASKING, *NARROWING):
                self.fields.pop(name, None)
            return
        choices: dict[str, list[Any]] = {
            "deck_format": [
                ("", _("The game as it is")),
                *((each.slug, called(each)) for each in rules.formats.values()),
            ],
            "deck_elements": [(each.slug, called(each)) for each in rules.listed("element")],
            "deck_expansions": list(Expansion.objects.filter(game=game).values_list("slug", "name")),
            "deck_factions": by_element(rules),
        }
        for name, found in choices.items():
            self.fields[name].choices = found  # type: ignore[attr-defined]
        for name in LISTS:
            if not choices[name]:
                del self.fields[name]
        if not rules.listed("faction"):
            del self.fields["deck_one_faction"]

    def deck_rules(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Arguments of `games.narrow`, without those that say nothing."""
        asked: dict[str, Any] = {name: sorted(data.get(field) or ()) for field, name in LISTS.items()}
        asked |= {"one": ["faction"] if data.get("deck_one_faction") else [], "copies": data.get("deck_copies")}
        return {name: value for name, value in asked.items() if value}


def choice(each: Value | games.Format) -> tuple[str, str]:
    return each.slug, called(each)


def by_element(rules: games.Game) -> list[tuple[str, list[tuple[str, str]]]]:
    groups: dict[str, list[tuple[str, str]]] = {}
    for faction in rules.listed("faction"):
        element = rules.values.get(("element", faction.of))
        groups.setdefault(called(element) if element else "", []).append(choice(faction))
    return list(groups.items())


def initial(event: Event) -> dict[str, Any]:
    """What the fields show of an event that is there."""
    asked = event.deck_rules
    found = {field: asked.get(name, []) for field, name in LISTS.items()}
    return found | {"deck_one_faction": "faction" in asked.get("one", ()), "deck_copies": asked.get("copies", "")}


def complete(full: QueryDict, event: Event) -> None:
    """What a form that is not whole leaves out stays as it is."""
    if "whole" in full:
        return
    for name, value in initial(event).items():
        if name in full or not value:
            continue
        full.setlist(
            name, [str(each) for each in value] if isinstance(value, list) else ["on" if value is True else str(value)]
        )
