"""What `serve` needs to know of the demonstration circuit (loaded by `load_demo`, removed by `remove_demo`)."""

from players.models import User
from tournaments.models import Event, Store

PASSWORD = "jueves-de-fichas"


def is_empty() -> bool:
    """Nothing of a shop's own is here: no store, no event, no account."""
    return not (Store.objects.exists() or Event.objects.exists() or User.objects.exists())


def open_accounts(loopback: bool) -> None:
    """Demonstration accounts have a published password: they exist only on loopback (DESIGN, Two ways to run)."""
    User.objects.filter(demo=True).update(is_active=loopback)


def accounts() -> list[tuple[str, str]]:
    users = User.objects.filter(demo=True, is_active=True).prefetch_related("store_roles__store").order_by("id")
    return [(user.email, describe(user)) for user in users if user.circuit_role or user.store_roles.all()][:8] + [
        (user.email, "player") for user in users if not user.circuit_role and not user.store_roles.all()
    ][:2]


def describe(user: User) -> str:
    roles = [f"{role.kind} of {role.store.name}" for role in user.store_roles.all()]
    return ", ".join([*([f"circuit {user.circuit_role}"] if user.circuit_role else []), *roles])
