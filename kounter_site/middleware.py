"""What holds for every address: exceptions that are answers, and letters that no page takes."""

from collections.abc import Callable, Iterator
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse

from kounter_site.context import on_loopback
from players.web.access import LoginNeeded


class LoginMiddleware:
    """A view that needs an account raises LoginNeeded; the visitor signs in and comes back."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, LoginNeeded):
            back = request.get_full_path() if request.method == "GET" else request.headers.get("Referer", "/")
            return redirect_to_login(back)
        return None


class OpenerMiddleware:
    """A browser honours Cross-Origin-Opener-Policy over https and on its own machine; elsewhere it complains of it in
    its console, on every page of a shop's plain http."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if not (request.is_secure() or on_loopback(request)):
            del response.headers["Cross-Origin-Opener-Policy"]
        return response


class NulMiddleware:
    """NUL is no letter and PostgreSQL refuses it: an address with one is not found, a form with one is a 400."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> None:
        if "\0" in request.path:
            raise Http404
        if any("\0" in value for value in typed(request)):
            raise BadRequest("NUL")


def typed(request: HttpRequest) -> Iterator[str]:
    """Every value of the address and of the form."""
    for data in (request.GET, request.POST):
        for _name, values in data.lists():
            yield from values
