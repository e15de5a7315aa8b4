"""The role x action table (DESIGN, Who may do what). Views and the API ask `may`; nothing else decides."""

from django.contrib.auth.models import AnonymousUser

from players.models import User
from players.rights import ADMINISTRATOR, AUDITOR, may_circuit
from tournaments.models import Role, Store

OWNER, ORGANISER, JUDGE, SCOREKEEPER = "owner", "organiser", "judge", "scorekeeper"

__all__ = ["STORE_ACTIONS", "may", "may_circuit", "roles_in"]

STORE_ACTIONS: dict[str, frozenset[str]] = {
    "store.edit": frozenset({OWNER, ADMINISTRATOR}),
    "store.staff": frozenset({OWNER, ADMINISTRATOR}),
    "event.create": frozenset({OWNER, ORGANISER, ADMINISTRATOR}),
    "event.edit": frozenset({OWNER, ORGANISER, ADMINISTRATOR}),
    "event.state": frozenset({OWNER, ORGANISER, ADMINISTRATOR}),
    "roster": frozenset({OWNER, ORGANISER, ADMINISTRATOR}),
    "pair": frozenset({OWNER, ORGANISER, ADMINISTRATOR}),
    "undo": frozenset({OWNER, ORGANISER, ADMINISTRATOR}),
    "clock": frozenset({OWNER, ORGANISER, JUDGE, ADMINISTRATOR}),
    "result": frozenset({OWNER, ORGANISER, JUDGE, SCOREKEEPER, ADMINISTRATOR}),
    "correct": frozenset({OWNER, ORGANISER, JUDGE, ADMINISTRATOR}),
    "penalty": frozenset({OWNER, ORGANISER, JUDGE, ADMINISTRATOR}),
    "deck.read": frozenset({OWNER, ORGANISER, JUDGE, ADMINISTRATOR, AUDITOR}),
    "deck": frozenset({OWNER, ORGANISER, JUDGE, ADMINISTRATOR}),
    "console": frozenset({OWNER, ORGANISER, JUDGE, SCOREKEEPER, ADMINISTRATOR, AUDITOR}),
    "log": frozenset({OWNER, ORGANISER, JUDGE, ADMINISTRATOR, AUDITOR}),
    "backup": frozenset({OWNER, ORGANISER, ADMINISTRATOR, AUDITOR}),
}


def roles_in(user: User | AnonymousUser, store: Store) -> frozenset[str]:
    """Every hat that the account wears in this store; one query, kept on the user for the request."""
    if not user.is_authenticated:
        return frozenset()
    cache: dict[int, frozenset[str]] = user.__dict__.setdefault("_roles", {})
    if store.pk not in cache:
        kinds = Role.objects.filter(store=store, user=user).values_list("kind", flat=True)
        cache[store.pk] = frozenset(kinds) | ({user.circuit_role} - {""})
    return cache[store.pk]


def may(user: User | AnonymousUser, action: str, store: Store) -> bool:
    return bool(STORE_ACTIONS[action] & roles_in(user, store))
