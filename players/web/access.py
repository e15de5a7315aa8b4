"""Who is at the other end, for the pages of every room."""

from django.http import HttpRequest

from players.models import Player, User


class LoginNeeded(Exception):
    """Turned into a redirect to sign-in by `kounter_site.middleware.LoginMiddleware`."""


def account(request: HttpRequest) -> User:
    if not request.user.is_authenticated:
        raise LoginNeeded
    return request.user


def player_of(request: HttpRequest) -> Player | None:
    """The player of the signed-in account, if it has one."""
    user = request.user
    return getattr(user, "player", None) if user.is_authenticated else None
