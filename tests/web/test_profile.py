"""How a player appears is his own decision; the API token is shown once."""

from typing import TYPE_CHECKING

import pytest
from django.test import Client
from knox.models import AuthToken

from players.models import Player, User

if TYPE_CHECKING:
    from django.http import HttpResponse

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(player_user: User) -> Client:
    client = Client()
    client.force_login(player_user)
    return client


def save(client: Client, **changes: str) -> "HttpResponse":
    data = {"name": "Ñusta Quebrantahoz Ruiz", "province": "ES-TE", "alias": "", "privacy": "public"} | changes
    return client.post("/cuenta/perfil/", data)


def test_a_stranger_is_asked_to_sign_in() -> None:
    assert Client().get("/cuenta/perfil/").status_code == 302


def test_a_private_player_appears_by_alias(client: Client, player_user: User) -> None:
    assert save(client, alias="Tormenta13", privacy="private").status_code == 302
    assert Player.objects.get(user=player_user).shown == "Tormenta13"


@pytest.mark.parametrize("wrong", [{"name": "  "}, {"name": "x" * 121}, {"privacy": "private"}, {"province": "ES-XX"}])
def test_what_cannot_be_is_refused_and_nothing_is_lost(
    client: Client, player_user: User, wrong: dict[str, str]
) -> None:
    assert save(client, **wrong).status_code == 422
    assert Player.objects.get(user=player_user).name == "Ñusta Quebrantahoz Ruiz"


def test_a_token_is_shown_once_and_can_be_revoked(client: Client) -> None:
    client.post("/cuenta/perfil/claves/")
    key = AuthToken.objects.get().token_key
    shown = f"<code>{key}".encode()
    assert client.get("/cuenta/perfil/").content.count(shown) == 2
    assert client.get("/cuenta/perfil/").content.count(shown) == 1
    client.post(f"/cuenta/perfil/claves/{key}/quitar/")
    assert not AuthToken.objects.exists()


def test_another_account_cannot_revoke_my_token(client: Client, stranger: User) -> None:
    client.post("/cuenta/perfil/claves/")
    other = Client()
    other.force_login(stranger)
    assert other.post(f"/cuenta/perfil/claves/{AuthToken.objects.get().token_key}/quitar/").status_code == 404


def test_closing_the_account_keeps_the_results_under_no_name(client: Client, player_user: User) -> None:
    player = Player.objects.get(user=player_user)
    client.post("/cuenta/cerrar/confirmar/")
    player.refresh_from_db()
    assert not User.objects.filter(pk=player_user.pk).exists()
    assert player.shown == "Jugador retirado"
