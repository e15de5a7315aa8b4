"""How the API says no, and its documentation page."""

from collections.abc import Collection
from typing import Any

from django.utils.csp import CSP
from django.utils.decorators import method_decorator
from django.views.decorators.csp import csp_override
from drf_spectacular.views import SpectacularSwaggerView
from rest_framework.renderers import JSONRenderer, TemplateHTMLRenderer
from rest_framework.response import Response
from rest_framework.views import exception_handler

from tournaments.services.errors import Refused

# Swagger's page carries an inline script and inline styles of its own: the one public page with another policy.
DOCS_POLICY: dict[str, Collection[str]] = {
    "default-src": [CSP.NONE],
    "script-src": [CSP.SELF, CSP.UNSAFE_INLINE],
    "style-src": [CSP.SELF, CSP.UNSAFE_INLINE],
    "img-src": [CSP.SELF, "data:"],
    "connect-src": [CSP.SELF],
    "base-uri": [CSP.NONE],
    "frame-ancestors": [CSP.NONE],
}


def explain(exception: Exception, context: dict[str, Any]) -> Response | None:
    """A refused service call is a 409 that names the rule."""
    if isinstance(exception, Refused):
        body = {"detail": str(exception), "code": exception.code, "rule": exception.rule, "data": exception.data}
        return Response(body, status=409)
    return exception_handler(exception, context)


@method_decorator(csp_override(DOCS_POLICY), name="dispatch")
class Docs(SpectacularSwaggerView):
    """Swagger from the package's own files: no CDN."""

    renderer_classes = [TemplateHTMLRenderer, JSONRenderer]
