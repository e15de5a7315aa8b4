"""The card browser: by name and text, and by what a card is (UX, Everywhere; CASES 67, 69, 70)."""

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from decks.models import Card, Expansion, Game
from decks.queries import browsed, search
from decks.rules import games as rules
from decks.rules.sentences import language
from decks.services.games import default_game, every_game
from decks.web.builder_check import game_or_404

PAGE = 48
ATTRIBUTES = {
    "elemento": ("element", gettext_lazy("Element")),
    "faccion": ("faction", gettext_lazy("Faction")),
    "tipo": ("type", gettext_lazy("Type")),
    "subtipo": ("subtype", gettext_lazy("Kind")),
    "rareza": ("rarity", gettext_lazy("Rarity")),
    "posicion": ("position", gettext_lazy("Position")),
}
"""Of the address: which attribute of a card it asks for, and its name on the page."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One filter of the page: its options as (value, name), and what is chosen."""

    name: str
    label: Any
    options: list[tuple[str, str]]
    chosen: str


@require_safe
def cards(request: HttpRequest) -> HttpResponse:
    """Filters come as a form, so that an address can be handed on: `?q=&elemento=&faccion=&tipo=&rareza=&coste=`."""
    game = game_or_404(asked) if (asked := request.GET.get("juego")) else default_game()
    choices = [*attribute_choices(request, game), *other_choices(request, game)]
    words = request.GET.get("q", "").strip()[:60]
    found = search(chosen(browsed(game), choices), words)
    context = {
        "game": game,
        "games": [each for each in every_game() if each.cards.exists()],
        "choices": choices,
        "narrowed": bool(words or any(choice.chosen for choice in choices)),
        "q": words,
        "page": Paginator(found, PAGE).get_page(request.GET.get("page")),
        "demo": Expansion.objects.filter(game=game, demo=True).exists(),
        "names": value_names(game),
    }
    part = request.headers.get("HX-Target") == "encontradas"
    return render(request, "decks/cards.html#encontradas" if part else "decks/cards.html", context)


def attribute_choices(request: HttpRequest, game: Game) -> list[Choice]:
    """Only what the game has; of factions and kinds only those of the element or type that is chosen."""
    core = rules.game(game.slug)
    made: list[Choice] = []
    for name, (attribute, label) in ATTRIBUTES.items():
        parents = {choice.chosen for choice in made if choice.chosen}
        of = [v for v in core.listed(attribute) if not v.of or not parents & siblings(core, v) or v.of in parents]
        options = [(value.slug, said(value)) for value in of]
        if options:
            made.append(Choice(name, label, options, kept(request.GET.get(name, ""), options)))
    return made


def siblings(core: rules.Game, value: rules.Value) -> set[str]:
    """Every parent that values of this kind have."""
    return {each.of for each in core.listed(value.attribute) if each.of}


def other_choices(request: HttpRequest, game: Game) -> list[Choice]:
    expansions = list(Expansion.objects.filter(game=game).order_by("name").values_list("slug", "name"))
    costs = [(str(cost), str(cost)) for cost in range(10)] + [("10", _("10 or more"))]
    return [
        Choice("coste", gettext_lazy("Cost"), costs, kept(request.GET.get("coste", ""), costs)),
        Choice("expansion", gettext_lazy("Expansion"), expansions, kept(request.GET.get("expansion", ""), expansions)),
    ]


def kept(asked: str, options: list[tuple[str, str]]) -> str:
    return asked if any(value == asked for value, _name in options) else ""


def said(value: rules.Value) -> str:
    return value.name_en if language(get_language()) == "en" else value.name


def value_names(game: Game) -> dict[str, str]:
    """Of rarities, types and the like, by slug."""
    values = rules.game(game.slug).values.items()
    return {slug: said(value) for (attribute, slug), value in values if attribute not in {"element", "faction"}}


def chosen(found: "QuerySet[Card]", choices: list[Choice]) -> "QuerySet[Card]":
    for choice in choices:
        if not choice.chosen:
            continue
        if choice.name in ATTRIBUTES:
            attribute = ATTRIBUTES[choice.name][0]
            column = f"{attribute}__slug" if attribute in {"element", "faction"} else attribute
            found = found.filter(**{column: choice.chosen})
        elif choice.name == "coste":
            found = found.filter(cost__gte=10) if choice.chosen == "10" else found.filter(cost=int(choice.chosen))
        else:
            found = found.filter(printings__expansion__slug=choice.chosen).distinct()
    return found
