"""Stores and who works in them."""

from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from players.models import User
from players.names import fold
from players.provinces import NAMES
from tournaments.models import Role, Store
from tournaments.services.errors import Refused

CANARY = frozenset({"ES-GC", "ES-TF"})


@transaction.atomic
def create(
    name: str, *, province: str, city: str = "", owner: User | None = None, time_zone: str = "", contact: str = ""
) -> Store:
    """A store in its province's own zone: the Canary Islands live an hour earlier (TOURNAMENT_RULES 9)."""
    if province not in NAMES:
        raise Refused(
            _("There is no province %(code)s; use ISO 3166-2, such as ES-TE.") % {"code": province}, code="province"
        )
    zone = time_zone or ("Atlantic/Canary" if province in CANARY else "Europe/Madrid")
    where = {"province": province, "city": city, "time_zone": zone}
    store = Store.objects.create(slug=free_slug(name), name=name, contact=contact, **where)
    if owner:
        set_role(store, owner, Role.Kind.OWNER)
    return store


def free_slug(name: str) -> str:
    base = slugify(fold(name))[:50] or "tienda"
    taken = set(Store.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    return base if base not in taken else next(f"{base}-{n}" for n in range(2, 10_000) if f"{base}-{n}" not in taken)


@transaction.atomic
def set_role(store: Store, user: User, kind: str) -> Role:
    """Give or change a role; the last owner cannot become something else."""
    if kind != Role.Kind.OWNER:
        keep_an_owner(store, user)
    role, _created = Role.objects.update_or_create(store=store, user=user, defaults={"kind": kind})
    return role


@transaction.atomic
def remove_role(role: Role) -> None:
    keep_an_owner(role.store, role.user)
    role.delete()


def keep_an_owner(store: Store, leaving: User) -> None:
    """A store is never left without an owner."""
    owners = Role.objects.select_for_update().filter(store=store, kind=Role.Kind.OWNER)
    if {owner.user_id for owner in owners} == {leaving.pk}:
        raise Refused(_("A store keeps at least one owner."), code="last_owner")
