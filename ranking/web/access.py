"""First line of every page of the circuit: who asks, and the right to it (STYLE 5)."""

from django.http import HttpRequest

from players.web.access import circuit_user, may_circuit

__all__ = ["circuit_user", "may", "reads_circuit"]

may = may_circuit


def reads_circuit(request: HttpRequest) -> bool:
    return may(request, "circuit.read")
