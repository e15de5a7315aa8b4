"""The front door: health and metrics for machines, home for people."""

import logging
import secrets
from collections.abc import Callable

from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from kounter_site import home as front
from players.provinces import PROVINCES, province_name
from players.web.access import player_of
from tournaments.web.events import coming, province_of, remember

logger = logging.getLogger("kounter.health")


def health(request: HttpRequest) -> HttpResponse:
    """Whether the database and the cache answer. In this request's own connection: the checks of django-health-check
    open one in a thread of their own and leave it there."""
    well = answers(database) and answers(shared_cache)
    return JsonResponse({"ok": well, "version": settings.VERSION}, status=200 if well else 503)


def answers(check: Callable[[], None]) -> bool:
    try:
        check()
    except Exception:
        logger.exception("health: %s", check.__name__)
        return False
    return True


def database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def shared_cache() -> None:
    cache.set("health", 1, timeout=60)
    assert cache.get("health") == 1


def metrics(request: HttpRequest) -> HttpResponse:
    """For Prometheus, with `Authorization: Bearer <METRICS_TOKEN>`; without a token set there is no such page."""
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if not settings.METRICS_TOKEN or not secrets.compare_digest(given, settings.METRICS_TOKEN):
        raise Http404
    return HttpResponse(generate_latest(), content_type=CONTENT_TYPE_LATEST)


def home(request: HttpRequest) -> HttpResponse:
    """At most twelve queries, whoever looks and however much there is."""
    now, player = timezone.now(), player_of(request)
    province = province_of(request)
    context = {
        "mine": front.my_events(request, player),
        "organised": front.organised(request, now),
        "province": province,
        "province_name": province_name(province),
        "provinces": PROVINCES,
        "top": front.top(province, player),
        "player": player,
        "recent": front.recent(province),
        **coming(province),
    }
    return remember(render(request, "home.html", context), request, province)
