"""A season from the administrator's side: draft, open, close, publish what the preview showed (UX, Administrator)."""

from collections.abc import Callable
from typing import Any, Final

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from decks.services.games import default_game
from ranking.models import Season
from ranking.points import DEFAULT, PointsRow, PointsTable
from ranking.services import seasons as services
from ranking.web.access import circuit_user
from ranking.web.forms import PointsGrid, PublishForm, SeasonForm, initial_of, next_of
from ranking.web.seasons import moves, named
from tournaments.services.errors import Refused
from tournaments.services.journal import Actor
from tournaments.web import answers
from tournaments.web.access import actor

Status = Season.Status
EDITABLE = (Status.DRAFT, Status.OPEN)
SHOWN = 50  # of those who move, in the preview
ACTIONS: Final[dict[str, tuple[Callable[..., Season], str]]] = {
    "abrir": (services.open, "season.edit"),
    "cerrar": (services.close, "season.edit"),
    "reabrir": (services.reopen, "season.edit"),
}


def season_or_404(slug: str) -> Season:
    season = Season.objects.select_related("game", "element").filter(slug=slug).first()
    if season is None:
        raise Http404
    return season


@require_http_methods(["GET", "POST"])
def season_new(request: HttpRequest) -> HttpResponse:
    """`?de=` takes everything from another season and begins the day after it."""
    circuit_user(request, "season.edit")
    model = Season.objects.filter(slug=request.GET.get("de", "")).first()
    if request.method == "GET":
        form = SeasonForm(
            default_game(), initial=next_of(model) if model else {f"best_{k}": v for k, v in DEFAULT.limits.items()}
        )
        return drawn(request, form, PointsGrid.of(model.rules.all() if model else DEFAULT.rows), model=model)
    return saved(request, None)


@require_http_methods(["GET", "POST"])
def season_edit(request: HttpRequest, slug: str) -> HttpResponse:
    circuit_user(request, "season.edit")
    season = season_or_404(slug)
    if request.method == "GET":
        form = SeasonForm(season.game, initial=initial_of(season))
        return drawn(request, form, PointsGrid.of(season.rules.all()), season=season)
    return saved(request, season)


def saved(request: HttpRequest, season: Season | None) -> HttpResponse:
    """Both halves are right, or nothing is written and everything that was typed is still there."""
    form, grid = SeasonForm(default_game(), request.POST), PointsGrid.typed(request.POST)
    rows = grid.rows()
    if form.is_valid() and rows is not None:
        try:
            done = write(season, form.values, rows, actor(request))
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("%(season)s is saved.") % {"season": done.name})
            return redirect("season", done.slug)
    return drawn(request, form, grid, season=season, status=422)


@transaction.atomic
def write(season: Season | None, values: dict[str, Any], rows: list[PointsRow], by: Actor) -> Season:
    if season is None:
        table = PointsTable(tuple(rows), values.pop("best_finishes"))
        return services.create(default_game(), by=by, table=table, **values)
    services.edit(season, by=by, **values)
    return services.set_rules(season, rows, by=by)


def drawn(request: HttpRequest, form: SeasonForm, grid: PointsGrid, **more: Any) -> HttpResponse:
    status = more.pop("status", 200)
    return render(request, "ranking/season_form.html", {"form": form, "grid": grid, **more}, status=status)


@require_POST
def season_action(request: HttpRequest, slug: str, action: str) -> HttpResponse:
    """Open, close, go on: what the services refuse is said on the season's page."""
    if action not in ACTIONS:
        raise Http404
    act, right = ACTIONS[action]
    circuit_user(request, right)
    season = season_or_404(slug)
    try:
        act(season, by=actor(request))
    except Refused as refusal:
        messages.error(request, said(refusal))
    else:
        messages.success(
            request, _("%(season)s: %(status)s.") % {"season": season.name, "status": season.get_status_display()}
        )
    return redirect("season", season.slug)


def said(refusal: Refused) -> str:
    """With the events that it is about, when it names some."""
    events = ", ".join(refusal.data.get("events", []))
    return f"{refusal} {events}".strip()


@require_http_methods(["GET", "POST"])
def season_publish(request: HttpRequest, slug: str) -> HttpResponse:
    """The difference first; then a number that never changes again (RANKING 4)."""
    circuit_user(request, "season.publish")
    season = season_or_404(slug)
    form = PublishForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and (not season.results.exists() or form.is_valid()):
        try:
            result = services.publish(season, by=actor(request), reason=request.POST.get("reason", ""))
        except Refused as refusal:
            messages.error(request, said(refusal))
        else:
            messages.success(request, _("Published as number %(number)d.") % {"number": result.revision})
            return answers.SeeOther(resolve_url("season", season.slug))
    return render(
        request, "ranking/season_publish.html", publish_context(season, form), status=422 if form.errors else 200
    )


def publish_context(season: Season, form: PublishForm) -> dict[str, Any]:
    """What publishing now would number; an open season has nothing to publish yet."""
    if season.status == Status.DRAFT:
        raise Http404
    preview = services.preview(season)
    moved = [move.as_json() for move in preview.moved[:SHOWN]]
    people = named([row["player"] for row in (*preview.rows[:10], *moved)])
    first = [(row, people.get(row["player"])) for row in preview.rows[:10]]
    return {
        "season": season,
        "form": form,
        "preview": preview,
        "moved": moves(moved, people),
        "more_moved": max(0, len(preview.moved) - SHOWN),
        "first": first,
    }
