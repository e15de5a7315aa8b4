"""Small translations of exceptions into answers."""

from collections.abc import Callable

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse

from tournaments.web.access import LoginNeeded


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
