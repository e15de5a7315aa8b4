"""What a part in the circuit allows (DESIGN, Who may do what); the rights in a store stand in `tournaments.rights`."""

from django.contrib.auth.models import AnonymousUser

from players.models import User

ADMINISTRATOR, AUDITOR = "administrator", "auditor"

CIRCUIT_ACTIONS: dict[str, frozenset[str]] = {
    "season.edit": frozenset({ADMINISTRATOR}),
    "season.publish": frozenset({ADMINISTRATOR}),
    "store.create": frozenset({ADMINISTRATOR}),
    "catalogue.edit": frozenset({ADMINISTRATOR}),
    "ranking.rebuild": frozenset({ADMINISTRATOR}),
    "circuit.read": frozenset({ADMINISTRATOR, AUDITOR}),
}


def may_circuit(user: User | AnonymousUser, action: str) -> bool:
    return user.is_authenticated and user.circuit_role in CIRCUIT_ACTIONS[action]
