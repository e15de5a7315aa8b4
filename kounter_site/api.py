"""How the API says no."""

from typing import Any

from rest_framework.response import Response
from rest_framework.views import exception_handler

from tournaments.services.errors import Refused


def explain(exception: Exception, context: dict[str, Any]) -> Response | None:
    """A refused service call is a 409 that names the rule."""
    if isinstance(exception, Refused):
        body = {"detail": str(exception), "code": exception.code, "rule": exception.rule, "data": exception.data}
        return Response(body, status=409)
    return exception_handler(exception, context)
