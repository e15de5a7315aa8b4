"""The boards: national, of a province, of a store; by rating or by circuit points, alone or by element (RANKING 3).

Any page of any board costs the same queries: rows are found by position, and what is counted once for a snapshot is
kept, because a snapshot never changes.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRedirect

from decks.models import Element, Game
from decks.services.games import default_game
from players.models import Player
from players.provinces import PROVINCES
from players.web.access import player_of
from ranking import queries
from ranking.models import BoardRow, Season, Snapshot
from ranking.web import charts, downloads, scopes, words
from ranking.web.scopes import Scope

COOKIE = "ranking"
YEAR = 365 * 24 * 3600
HOUR = 3600
POINTS = "puntos"


@require_safe
def ranking(request: HttpRequest) -> HttpResponseBase:
    """The board that was chosen last, else the national one; `?provincia=` chooses."""
    if (asked := request.GET.get("provincia")) is not None:
        return choose(request, asked)
    kept = request.COOKIES.get(COOKIE, "")
    return page(request, scopes.scope(kept) if kept in dict(PROVINCES) else scopes.national())


def choose(request: HttpRequest, code: str) -> HttpResponse:
    """To the page of that board, with the rest of what was asked; remembered when it is a province or the country."""
    chosen = scopes.scope(code or scopes.NATIONAL)
    rest = {key: request.GET[key] for key in ("elemento", "orden", "temporada", "q") if request.GET.get(key)}
    url = f"{chosen.url}?{urlencode(rest)}" if rest else chosen.url
    response = HttpResponseClientRedirect(url) if request.headers.get("HX-Request") else redirect(url)
    if not chosen.is_store:
        response.set_cookie(
            COOKIE, chosen.code, max_age=YEAR, samesite="Lax", secure=request.is_secure(), httponly=True
        )
    return response


@require_safe
def board(request: HttpRequest, scope: str) -> HttpResponseBase:
    return page(request, scopes.scope(scope))


def page(request: HttpRequest, scope: Scope) -> HttpResponseBase:
    view = View.of(request, scope)
    if view.snapshot is None:
        return render(request, "ranking/nothing.html", {"view": view})
    if (form := request.GET.get("formato")) in downloads.FORMATS:
        return downloads.board(view.snapshot, view.name, view.order, form, view.filename)
    template = "ranking/board.html#lista" if request.headers.get("HX-Target") == "lista" else "ranking/board.html"
    return render(request, template, context(request, view, view.snapshot))


# -- what is being looked at -------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class View:
    """What the address asks for. season: the one whose points or whose frozen boards are shown; None: there is none."""

    scope: Scope
    game: Game
    elements: list[Element]
    element: Element | None
    seasons: list[Season]
    season: Season | None
    snapshot: Snapshot | None
    by_points: bool
    search: str
    page: int

    @classmethod
    def of(cls, request: HttpRequest, scope: Scope) -> "View":
        game, asked = default_game(), request.GET
        elements, seasons = list(game.elements.all()), list(queries.seasons(game))
        current = queries.current(game)
        chosen = next((season for season in seasons if season.slug == asked.get("temporada")), None)
        by_points = asked.get("orden") == POINTS
        season = chosen or season_of(seasons, current.day if current else date.today())  # noqa: DTZ011
        return cls(
            scope=scope,
            game=game,
            elements=elements,
            element=next((element for element in elements if element.slug == asked.get("elemento")), None),
            seasons=seasons,
            season=season,
            snapshot=queries.season_snapshot(season) if season and (chosen or by_points) else current,
            by_points=by_points,
            search=asked.get("q", "").strip()[:60],
            page=whole(asked.get("pagina", "")),
        )

    @property
    def element_slug(self) -> str:
        return self.element.slug if self.element else ""

    @property
    def name(self) -> str:
        return queries.board_name(self.scope.board, self.element_slug)

    @property
    def order(self) -> str:
        """Of points, only when there is a season to have won them in."""
        return queries.points_order(self.season.slug if self.season else "") if self.by_points else queries.RATING

    @property
    def frozen(self) -> bool:
        """Whether an old season is shown, whose boards stand still."""
        return self.snapshot is not None and not self.snapshot.current

    @property
    def filename(self) -> str:
        parts = ("ranking", self.scope.code.replace(":", "-"), self.element_slug, POINTS if self.by_points else "")
        return "-".join(part for part in parts if part)

    @cached_property
    def other_seasons(self) -> list[Season]:
        return [season for season in self.seasons if season != self.season]


def season_of(seasons: Iterable[Season], day: date) -> Season | None:
    """The one running on that day, else the newest that began; seasons come newest first."""
    begun = [season for season in seasons if season.starts <= day and season.element_id is None]
    return next((season for season in begun if day < season.ends), begun[0] if begun else None)


def whole(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 1


# -- what is shown -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Line:
    """A row as the page prints it. rating: value and margin add up to it."""

    row: BoardRow
    mine: bool
    spark: charts.Spark | None

    @property
    def rating(self) -> int:
        return self.row.value + self.row.margin

    @property
    def lacking(self) -> str:
        return words.lacking(self.row)


def lines_of(rows: Iterable[BoardRow], me: Player | None) -> list[Line]:
    return [Line(row, me is not None and row.player_id == me.pk, charts.spark(row.spark)) for row in rows]


def context(request: HttpRequest, view: View, snapshot: Snapshot) -> dict[str, Any]:
    """Six queries once the board is warm, nine for whoever stands on it; beside those of the visitor."""
    me = player_of(request)
    found = queries.board(snapshot, view.scope.board, view.element_slug, view.order, page=view.page, me=me)
    rows = queries.search(snapshot, view.name, view.order, view.search) if view.search else found.rows
    lines = lines_of(rows, me)
    placed = [line for line in lines if line.row.rank is not None]
    return {
        "view": view,
        "scope": view.scope,
        "board": found,
        "placed": placed,
        "provisional": [line for line in lines if line.row.rank is None],
        "changes": snapshot.number > 1,  # on the first of all, everybody would be new
        "podium": placed[:3] if found.page == 1 and not view.search and found.placed >= 5 else [],
        "unplaced": found.listed - found.placed,
        "unplaced_page": found.placed // found.size + 1,
        "previous": found.page - 1,
        "following": found.page + 1,
        "found_count": len(lines),
        "counts": {"first": words.grouped(found.first), "last": words.grouped(found.last)},
        "total": words.grouped(found.listed),
        "me": me,
        "mine": found.me,
        "you_lack": words.you_lack(found.me) if found.me and found.me.rank is None else "",
        "gap": gap(found),
        "provinces": PROVINCES,
        "waiting": queries.waiting_runs(view.game).exists(),
        **aside(view, snapshot),
    }


def aside(view: View, snapshot: Snapshot) -> dict[str, Any]:
    """Who moves, and which element is most among the first ten."""
    top = [] if view.element else kept(view, snapshot, "top", lambda: top_elements(view, snapshot))
    return {"movers": movers(view, snapshot), "top": top[:1]}


def top_elements(view: View, snapshot: Snapshot) -> list[tuple[str, int]]:
    return queries.elements_on_top(snapshot, view.name, view.order)


def movers(view: View, snapshot: Snapshot) -> list[BoardRow]:
    """Which rows is kept; who stands in them is read, because a name may have become an alias since."""
    keys = kept(
        view, snapshot, "movers", lambda: [row.pk for row in queries.movers(snapshot, view.name, view.order, limit=3)]
    )
    found = BoardRow.objects.select_related("player").in_bulk(keys)
    return [found[key] for key in keys if key in found]


def kept(view: View, snapshot: Snapshot, what: str, compute: Any) -> list[Any]:
    found: list[Any] = cache.get_or_set(f"{what}/{snapshot.pk}/{view.name}/{view.order}", compute, HOUR) or []
    return found


@dataclass(frozen=True, slots=True)
class Gap:
    points: int
    rank: int


def gap(board: queries.Board) -> Gap | None:
    """From the reader up to the next better rank; None when it is out of sight or there is none."""
    if board.me is None or board.me.rank is None:
        return None
    better = [row for row in board.around if row.rank is not None and row.rank < board.me.rank]
    return Gap(better[-1].value - board.me.value, better[-1].rank or 1) if better else None
