"""What every template may use."""

from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, Any]:
    """`insecure`: plain http from another machine, where a browser refuses installing and the wake lock.
    `loopback`: this machine alone can open the address."""
    loopback = on_loopback(request)
    return {"version": settings.VERSION, "insecure": not request.is_secure() and not loopback, "loopback": loopback}


def on_loopback(request: HttpRequest) -> bool:
    try:
        host = request.get_host().rsplit(":", 1)[0]
    except DisallowedHost:  # answered with a 400 of its own
        return False
    return host in {"127.0.0.1", "localhost", "[::1]"}
