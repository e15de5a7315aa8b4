"""`/mazos/reglas/<game>/`: every rule that a problem of a deck cites, with its permanent address (GAMES)."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from decks.rules import games
from decks.rules.games import Rule
from decks.rules.sentences import language
from decks.services.checking import listed_rules
from decks.services.games import every_game
from decks.web.builder_check import game_or_404


@require_safe
def rules(request: HttpRequest, game: str) -> HttpResponse:
    row = game_or_404(game)
    core, lang = games.game(row.slug), language(get_language())
    own = {rule.id for rule in core.rules}
    told = [_told(number, rule, lang) for number, rule in enumerate(listed_rules(core), 1)]
    context = {
        "game": row,
        "core": core,
        "games": every_game(),
        "deck": [rule for rule in told if rule["id"] in own and not rule["advice"]],
        "advice": [rule for rule in told if rule["advice"]],
        "events": [rule for rule in told if rule["id"] not in own],
    }
    return render(request, "decks/rules.html", context)


def _told(number: int, rule: Rule, lang: str) -> dict[str, Any]:
    text = rule.en if lang == "en" else rule.es
    return {"number": number, "id": rule.id, "text": text, "ruling": rule.ruling, "advice": rule.advice}
