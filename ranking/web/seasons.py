"""What the public sees of a season: days, what a place is worth, how it stands, what was published (RANKING 1, 4)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from decks.services.games import default_game
from players.models import Player
from players.services.people import root
from players.web.access import player_of
from ranking import queries
from ranking.models import PointsRule, Season, SeasonResult
from ranking.points import PointsRow
from ranking.web import downloads
from ranking.web.access import may, reads_circuit
from ranking.web.board import POINTS
from ranking.web.scopes import COUNTRY
from tournaments.models import Event

TOP = 10
PAGE = 50
OFFICIAL = [tier for tier in Event.Tier if tier != Event.Tier.CASUAL]


@require_safe
def seasons(request: HttpRequest) -> HttpResponse:
    """Two queries. Drafts only for whoever reads the circuit."""
    rows = Season.objects.filter(game=default_game()).select_related("element")
    shown = rows if reads_circuit(request) else rows.exclude(status=Season.Status.DRAFT)
    return render(request, "ranking/seasons.html", {"seasons": list(shown), "circuit": reads_circuit(request)})


@require_safe
def season(request: HttpRequest, slug: str) -> HttpResponseBase:
    found = season_or_404(request, slug)
    results = list(found.results.select_related("snapshot"))
    result = asked_result(request, results)
    if result and request.GET.get("formato") == "csv":
        return downloads.result(result, named(row["player"] for row in result.rows))
    return render(request, "ranking/season.html", context(request, found, results, result))


def season_or_404(request: HttpRequest, slug: str) -> Season:
    found = Season.objects.select_related("game", "element").filter(slug=slug).first()
    if found is None or (found.status == Season.Status.DRAFT and not reads_circuit(request)):
        raise Http404
    return found


def asked_result(request: HttpRequest, results: Sequence[SeasonResult]) -> SeasonResult | None:
    """The revision asked for, else the newest."""
    asked = request.GET.get("revision", "")
    return next((result for result in results if str(result.revision) == asked), results[0] if results else None)


def context(
    request: HttpRequest, season: Season, results: Sequence[SeasonResult], result: SeasonResult | None
) -> dict[str, Any]:
    """A dozen queries, whatever the season's size."""
    me = player_of(request)
    found = {
        "season": season,
        "ended": timezone.localdate() >= season.ends,
        "may_edit": may(request, "season.edit"),
        "tiers": OFFICIAL,
        "table": points_table(season.rules.all()),
        "limits": [(tier, season.best_finishes[tier]) for tier in OFFICIAL if tier in season.best_finishes],
        "results": results,
        "result": result,
        "me": me,
        "circuit": reads_circuit(request),
        "board_query": f"?orden={POINTS}&temporada={season.slug}",
    }
    return found | (published(request, result, me) if result else standing(season, me))


def standing(season: Season, me: Player | None) -> dict[str, Any]:
    """The first of the country's board, and my row."""
    snapshot = queries.season_snapshot(season) if season.status != Season.Status.DRAFT else None
    if snapshot is None:
        return {"board": None}
    order = queries.points_order(season.slug)
    return {"board": queries.board(snapshot, COUNTRY, order=order, size=TOP, me=me), "snapshot": snapshot}


# -- the points table --------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class PointsLine:
    """Places place_from to place_to, when at least `needs` have played: points by tier, None where they give none."""

    place_from: int
    place_to: int
    needs: int
    points: list[int | None]


def points_table(rules: Iterable[PointsRule | PointsRow]) -> list[PointsLine]:
    lines: dict[tuple[int, int, int], dict[str, int]] = {}
    for rule in rules:
        lines.setdefault((rule.place_from, rule.place_to, rule.needs), {})[rule.tier] = rule.points
    return [PointsLine(*key, [worth.get(tier) for tier in OFFICIAL]) for key, worth in sorted(lines.items())]


# -- what was published ------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class ResultLine:
    player: Player | None
    rank: int
    points: int
    mine: bool


@dataclass(frozen=True, slots=True)
class Moved:
    """Who moved between two revisions; a rank None: was not, or is not any more, on the list."""

    player: Player | None
    rank: tuple[int | None, int | None]
    points: tuple[int, int]
    events: list[Event | None]

    @property
    def gained(self) -> int | None:
        before, after = self.rank
        return None if before is None or after is None else before - after


def published(request: HttpRequest, result: SeasonResult, me: Player | None) -> dict[str, Any]:
    page = Paginator(result.rows, PAGE).get_page(request.GET.get("page"))
    people = named([*(row["player"] for row in page), *(move["player"] for move in result.moved[:PAGE])])
    mine = next((row for row in result.rows if me and row["player"] == me.code), None)
    return {
        "page": page,
        "lines": result_lines(page, people, me),
        "mine": mine,
        "my_page": result.rows.index(mine) // PAGE + 1 if mine else 1,
        "moved": moves(result.moved[:PAGE], people),
        "more_moved": max(0, len(result.moved) - PAGE),
    }


def result_lines(page: Page, people: Mapping[str, Player], me: Player | None) -> list[ResultLine]:  # type: ignore[type-arg]
    return [
        ResultLine(people.get(row["player"]), row["rank"], row["points"], me is not None and row["player"] == me.code)
        for row in page
    ]


def moves(rows: Sequence[Mapping[str, Any]], people: Mapping[str, Player]) -> list[Moved]:
    slugs = {slug for row in rows for slug in row["events"]}
    events = {event.slug: event for event in Event.objects.filter(slug__in=slugs)}
    return [
        Moved(
            player=people.get(row["player"]),
            rank=(row["rank"][0], row["rank"][1]),
            points=(row["points"][0], row["points"][1]),
            events=[events.get(slug) for slug in row["events"]],
        )
        for row in rows
    ]


def named(codes: Iterable[str]) -> dict[str, Player]:
    """{code: who stands for it}; one query, and one for each link of a merge."""
    players = Player.objects.filter(code__in=set(codes)).select_related("merged_into")
    return {player.code: root(player) for player in players}
