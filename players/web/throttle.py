"""Brakes for what anyone may post: generous for a shop whose forty phones share one address, tight for one browser.

Fixed windows of a minute, counted in the cache. With local memory each process counts for itself, which only makes the
brake softer.
"""

from collections.abc import Callable
from functools import wraps
from time import time
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

WINDOW = 60
View = Callable[..., HttpResponse]


def address(request: HttpRequest) -> str:
    """Who is at the other end; behind our own proxy it is the last name that the proxy wrote."""
    forwarded = request.headers.get("X-Forwarded-For", "")
    if forwarded and getattr(settings, "SECURE_PROXY_SSL_HEADER", None):
        return forwarded.rsplit(",", 1)[-1].strip()
    return str(request.META.get("REMOTE_ADDR", ""))


def over(scope: str, who: str, limit: int) -> bool:
    """Count one more for `who` in this window, and say whether it is beyond the limit."""
    key = f"brake:{scope}:{who}:{int(time()) // WINDOW}"
    if cache.add(key, 1, 2 * WINDOW):
        return limit < 1
    try:
        return cache.incr(key) > limit
    except ValueError:  # it expired between the two
        return False


def limited(scope: str, *, browser: int, shop: int) -> Callable[[View], View]:
    """At most so many POSTs a minute from one browser (by its session) and from one address."""

    def decorate(view: View) -> View:
        @wraps(view)
        def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.method == "POST" and _too_fast(request, scope, browser, shop):
                return too_many(request)
            return view(request, *args, **kwargs)

        return inner

    return decorate


def _too_fast(request: HttpRequest, scope: str, browser: int, shop: int) -> bool:
    session = request.session.session_key
    return over(scope, address(request), shop) or (session is not None and over(scope, session, browser))


def too_many(request: HttpRequest) -> HttpResponse:
    """429; htmx shows its own message (js/page.mjs) and changes nothing."""
    response = render(request, "slow.html", status=429)
    response.headers["Retry-After"] = str(WINDOW)
    return response
