"""Counts and times of requests for Prometheus, by view name (never by path: no names in metrics)."""

import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from prometheus_client import Counter, Histogram

REQUESTS = Counter("kounter_requests", "Answered requests", ["view", "method", "status"])
SECONDS = Histogram("kounter_request_seconds", "Time to answer", ["view"])


class MetricsMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        start = time.perf_counter()
        response = self.get_response(request)
        view = request.resolver_match.view_name if request.resolver_match else "none"
        REQUESTS.labels(view, request.method, response.status_code).inc()
        SECONDS.labels(view).observe(time.perf_counter() - start)
        return response
