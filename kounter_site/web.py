"""The front door: health and metrics for machines, home for people."""

import secrets
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from health_check.views import HealthCheckView
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from kounter_site import home as front
from players.provinces import PROVINCES, province_name
from tournaments.web.access import player_of
from tournaments.web.events import coming, province_of, remember


class Health(HealthCheckView):  # type: ignore[misc]
    """Whether the database and the cache answer; the words of a failure stay in the log."""

    checks = ("health_check.checks.Database", "health_check.checks.Cache")

    def render_to_response(self, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
        well = not any(result.error for result in self.results)
        return JsonResponse({"ok": well, "version": settings.VERSION}, status=200 if well else 503)


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
        **coming(province),
    }
    return remember(render(request, "home.html", context), request, province)
