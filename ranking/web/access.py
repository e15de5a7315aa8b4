"""First line of every page of the circuit: who asks, and the right to it (STYLE 5)."""

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest

from players.models import User
from players.web.access import account
from tournaments import rights


def circuit_user(request: HttpRequest, action: str) -> User:
    """404 for who has no part in the circuit, 403 for who may only read."""
    user = account(request)
    if not user.circuit_role:
        raise Http404
    if not rights.may_circuit(user, action):
        raise PermissionDenied
    return user


def may(request: HttpRequest, action: str) -> bool:
    user = request.user
    return user.is_authenticated and rights.may_circuit(user, action)


def reads_circuit(request: HttpRequest) -> bool:
    return may(request, "circuit.read")
