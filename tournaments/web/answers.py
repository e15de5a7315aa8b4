"""How a POST of the staff pages answers: 303 to a page, with or without htmx; a refusal names its rule, loses nothing.

htmx follows the redirect with its own headers, so the page that is asked for sends the fragment (`console.console`
looks at HX-Target). A POST therefore never renders a page: its queries are those of its service.
"""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render, resolve_url
from django.utils.html import format_html
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.safestring import SafeString

from tournaments.models import Event
from tournaments.services.errors import Refused
from tournaments.templatetags.rulebook import rule

REFUSED = 422  # what the look's htmx configuration swaps


class SeeOther(HttpResponseRedirect):
    status_code = 303


def is_htmx(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"


def target(request: HttpRequest) -> str:
    """The id of the element that htmx will replace, "" for a whole page."""
    return request.headers.get("HX-Target", "") if is_htmx(request) else ""


def words(refusal: Refused) -> str | SafeString:
    """The sentence and, when it rests on one, the link to its rule (STYLE 10)."""
    if not refusal.rule:
        return str(refusal)
    return format_html("{} {}", str(refusal), rule(refusal.rule))


def where_from(request: HttpRequest, fallback: str) -> str:
    """The page that the form stood on, when it names one of ours."""
    asked = request.POST.get("next", "")
    ours = url_has_allowed_host_and_scheme(asked, {request.get_host()}, request.is_secure())
    return asked if ours and asked.startswith("/") else fallback


def to_console(request: HttpRequest, event: Event) -> str:
    return where_from(request, resolve_url("console", event.slug))


def done(request: HttpRequest, event: Event, said: str = "") -> HttpResponse:
    if said:
        messages.success(request, said)
    return SeeOther(to_console(request, event))


def refused(
    request: HttpRequest, event: Event, refusal: Refused, again: Callable[[], HttpResponse] | None = None
) -> HttpResponse:
    """The message only, over a page that stays as it is typed; without htmx, `again` shows the typed values."""
    messages.error(request, words(refusal))
    if is_htmx(request):
        return toast_only(request)
    return again() if again else SeeOther(to_console(request, event))


def invalid(
    request: HttpRequest, event: Event, form: Any, again: Callable[[], HttpResponse] | None = None
) -> HttpResponse:
    """A form that lacks something, where the form itself is not shown again: its errors as one message."""
    errors = [
        f"{form.fields[name].label}: {e}" if name in form.fields else e for name, es in form.errors.items() for e in es
    ]
    messages.error(request, " ".join(str(e) for e in errors))
    if is_htmx(request):
        return toast_only(request)
    return again() if again else SeeOther(to_console(request, event))


def toast_only(request: HttpRequest) -> HttpResponse:
    """Swaps nothing but the messages; `refresh` makes the live parts ask what is true now."""
    response = render(request, "tournaments/staff/toast.html", status=REFUSED)
    response["HX-Reswap"] = "none"
    response["HX-Trigger"] = "refresh"
    return response
