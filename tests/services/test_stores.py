"""Stores: their zone, their address, and an owner that always stays."""

import pytest

from players.models import User
from tournaments.models import Role, Store
from tournaments.services import stores
from tournaments.services.errors import Refused

pytestmark = pytest.mark.django_db


def test_the_canary_islands_live_an_hour_earlier() -> None:
    assert stores.create("Fichas del Teide", province="ES-TF").time_zone == "Atlantic/Canary"
    assert stores.create("Fichas del Turia", province="ES-V").time_zone == "Europe/Madrid"


def test_two_stores_of_one_name_have_two_addresses() -> None:
    slugs = [stores.create("La Guarida del Ñandú", province="ES-TE").slug for _ in range(2)]
    assert slugs == ["la-guarida-del-nandu", "la-guarida-del-nandu-2"]


def test_a_province_that_is_none_is_refused() -> None:
    with pytest.raises(Refused, match="ES-XX"):
        stores.create("Ninguna", province="ES-XX")


def test_the_last_owner_neither_leaves_nor_becomes_less(store: Store, owner: User, organiser: User) -> None:
    role = Role.objects.get(store=store, user=owner)
    with pytest.raises(Refused):
        stores.remove_role(role)
    with pytest.raises(Refused):
        stores.set_role(store, owner, Role.Kind.JUDGE)
    stores.set_role(store, organiser, Role.Kind.OWNER)
    stores.set_role(store, owner, Role.Kind.JUDGE)
    assert Role.objects.get(pk=role.pk).kind == Role.Kind.JUDGE
