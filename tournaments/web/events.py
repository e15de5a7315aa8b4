"""Finding an event: today's, the next, those that are over; by province, which is remembered, and by name (UX)."""

from typing import Any

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from players.names import fold
from players.provinces import NAMES, PROVINCES
from players.web.access import player_of
from tournaments import queries
from tournaments.models import Event

TEMPLATE = "tournaments/public/events.html"
COOKIE = "provincia"
YEAR = 365 * 24 * 3600
PAGE = 20
OVER = [Event.Status.FINISHED, Event.Status.REOPENED]
VIEWS = ("proximos", "terminados")


def events(request: HttpRequest) -> HttpResponse:
    """Two queries for each of the lists that are shown, however long."""
    province, search = province_of(request), request.GET.get("q", "").strip()[:60]
    view = request.GET.get("ver", "proximos")
    view = view if view in VIEWS else "proximos"
    context = {"province": province, "province_name": NAMES.get(province, ""), "provinces": PROVINCES, "q": search}
    if search:
        context |= {"view": "buscar", "page": page_of(request, named(search, province))}
    elif view == "terminados":
        context |= {"view": view, "page": page_of(request, finished(province))}
    else:
        context |= {"view": view} | coming(province)
    return remember(render(request, TEMPLATE, context), request, province)


def province_of(request: HttpRequest) -> str:
    """What was asked for, else what was asked for last time, else where the player lives; "" is all of Spain."""
    if (asked := request.GET.get("provincia")) is not None:
        return asked if asked in NAMES else ""
    if (kept := request.COOKIES.get(COOKIE)) is not None:
        return kept if kept in NAMES else ""
    player = player_of(request)
    return player.province if player and player.province in NAMES else ""


def remember(response: HttpResponse, request: HttpRequest, province: str) -> HttpResponse:
    if "provincia" in request.GET:
        response.set_cookie(COOKIE, province, max_age=YEAR, samesite="Lax", secure=request.is_secure(), httponly=True)
    return response


def coming(province: str) -> dict[str, Any]:
    """Today's, in each store's own day, and the next ones (case 64)."""
    now = timezone.now()
    today = queries.tonight(now, province or None)
    seen = {event.pk for event in today}
    return {
        "today": today,
        "next": [event for event in queries.open_events(now, province or None) if event.pk not in seen],
    }


def finished(province: str) -> "QuerySet[Event]":
    return queries.public_events(province or None).filter(status__in=OVER).order_by("-date", "-pk")


def named(search: str, province: str) -> "QuerySet[Event]":
    """Every word in the event's name or in its store's, accents aside (case 67); newest first."""
    found = queries.public_events(province or None)
    for word in fold(search).split():
        found = found.filter(search_key__contains=word) | found.filter(store__search_key__contains=word)
    return found.order_by("-date", "-pk")


def page_of(request: HttpRequest, rows: "QuerySet[Event]") -> Any:
    return Paginator(rows, PAGE).get_page(request.GET.get("page"))
