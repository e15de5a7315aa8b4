"""Who is at the other end, for the pages of every room."""

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest

from players import rights
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


def circuit_user(request: HttpRequest, action: str) -> User:
    """404 for who has no part in the circuit, 403 for who may only read."""
    user = account(request)
    if not user.circuit_role:
        raise Http404
    if not rights.may_circuit(user, action):
        raise PermissionDenied
    return user


def may_circuit(request: HttpRequest, action: str) -> bool:
    user = request.user
    return user.is_authenticated and rights.may_circuit(user, action)
