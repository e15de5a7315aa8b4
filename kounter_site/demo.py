"""What `serve` needs to know of the demonstration circuit (loaded by `load_demo`, removed by `remove_demo`)."""

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db.models import QuerySet
from django.utils.translation import gettext

from players.models import User
from tournaments.models import Event, Store

PASSWORD = "jueves-de-fichas"


def is_empty() -> bool:
    """Nothing of a shop's own is here: no store, no event, no account."""
    return not (Store.objects.exists() or Event.objects.exists() or User.objects.exists())


def is_loaded() -> bool:
    return Store.objects.filter(demo=True).exists()


def needs_owner() -> bool:
    """Nobody can open a store's console: neither an own account with a role nor an open demonstration account."""
    active = User.objects.filter(is_active=True)
    return not (active.filter(store_roles__isnull=False).exists() or active.exclude(circuit_role="").exists())


def open_accounts(loopback: bool) -> None:
    """Demonstration accounts have a published password: they exist only on loopback (DESIGN, Two ways to run)."""
    User.objects.filter(demo=True).update(is_active=loopback)


def accounts() -> list[tuple[str, str]]:
    """Who can sign in, and as what: those with a role first."""
    users = sorted(open_logins(), key=lambda user: not user.circuit_role and not user.store_roles.all())
    return [(user.email, describe(user)) for user in users]


def open_logins() -> QuerySet[User]:
    """Most made-up people have an account that nobody can sign in with, so that they appear with their full name."""
    users = User.objects.filter(demo=True, is_active=True).exclude(password__startswith=UNUSABLE_PASSWORD_PREFIX)
    return users.prefetch_related("store_roles__store").order_by("id")


def describe(user: User) -> str:
    roles = [f"{role.get_kind_display()} · {role.store.name}" for role in user.store_roles.all()]
    circuit = [str(user.get_circuit_role_display())] if user.circuit_role else []
    return ", ".join([*circuit, *roles]) or gettext("player")
