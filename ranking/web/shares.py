"""What the field plays and what wins (`/estadisticas/`), and the page of each element (`/elementos/<slug>/`)."""

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from decks.models import Card, Element, Game
from decks.rules.identities import identities
from decks.rules.sentences import language
from decks.services.games import default_game
from ranking import queries
from ranking.models import Season
from ranking.services import shares
from ranking.services.shares import Field, Row
from ranking.shares import ENOUGH
from tournaments.models import Event

TOP = 5
WIDTH = 240
LEAST, MOST = 0.25, 0.75
"""Ends of the drawing of a share of wins; whatever lies outside is drawn at the end."""


@dataclass(frozen=True, slots=True)
class Line:
    """A row with its drawing: the share of wins as a mark on the interval, from LEAST to MOST in WIDTH units."""

    row: Row
    low: int
    mark: int
    length: int
    ends: tuple[float, float]


def drawn(row: Row) -> Line:
    low, high = row.record.interval
    left, mark, right = (across(share) for share in (low, row.record.rate, high))
    return Line(row, left, mark, max(1, right - left), (low, high))


def across(share: float) -> int:
    return round(WIDTH * (min(max(share, LEAST), MOST) - LEAST) / (MOST - LEAST))


@require_safe
def statistics(request: HttpRequest) -> HttpResponse:
    """`?temporada=` and `?tipo=` narrow; what they do not know narrows nothing."""
    game = default_game()
    seasons = list(Season.objects.filter(game=game).exclude(status=Season.Status.DRAFT))
    season = next((each for each in seasons if each.slug == request.GET.get("temporada")), None)
    tiers = [(value, name) for value, name in Event.Tier.choices if value != Event.Tier.CASUAL]
    tier = next((value for value, _name in tiers if value == request.GET.get("tipo")), "")
    field, sides = shares.elements(game, season, tier), shares.factions(game, season, tier)
    context = {
        "game": game,
        "seasons": seasons,
        "season": season,
        "tiers": tiers,
        "tier": tier,
        "field": field,
        "lines": [drawn(row) for row in field.rows],
        "crossed": crossed(field),
        "sides": sides,
        "side_lines": [drawn(row) for row in sides.rows if row.players],
        "enough": ENOUGH,
        "width": WIDTH,
    }
    return render(request, "ranking/statistics.html", context)


def crossed(field: Field) -> list[tuple[Any, list[Any]]]:
    """Each element with its record against each, None where they are the same."""
    order = [row.of for row in field.rows]
    return [
        (mine, [None if mine == other else field.against.get((mine.pk, other.pk)) for other in order]) for mine in order
    ]


@require_safe
def element(request: HttpRequest, slug: str) -> HttpResponse:
    """Who it is, its four factions, who plays it best, how much it is played and how often it wins."""
    game = default_game()
    found = get_object_or_404(Element, game=game, slug=slug)
    identity = identities(game.slug).get(slug)
    if identity is None:
        raise Http404
    at = 1 if language(get_language()) == "en" else 0
    field = shares.elements(game)
    line = next(drawn(row) for row in field.rows if row.of == found)
    context = {
        "game": game,
        "element": found,
        "every": [row.of for row in field.rows],
        "motto": identity.motto[at],
        "wins": identity.wins[at],
        "factions": found.factions.all(),
        "cards": Card.objects.filter(element=found, retired=False).count(),
        "line": line,
        "field": field,
        "best": best(game, slug),
        "enough": ENOUGH,
        "width": WIDTH,
    }
    return render(request, "ranking/element.html", context)


def best(game: Game, slug: str) -> list[Any]:
    """The first of its national board; nobody before a ranking is published."""
    snapshot = queries.current(game)
    if snapshot is None:
        return []
    rows = queries.board_rows(snapshot, queries.board_name("es", slug)).exclude(rank=None)
    return list(rows.select_related("player")[:TOP])
