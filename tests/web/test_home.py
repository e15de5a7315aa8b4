"""The front door: tonight near me, my next match, the top of the ranking; health and metrics for machines."""

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from players.models import Player, User
from tests import make
from tournaments.models import Event, Store

pytestmark = pytest.mark.django_db


def tonight(store: Store, players: int = 6, **fields: object) -> Event:
    return make.make_event(store, players=players, starts_at=timezone.now(), **fields)


def test_an_empty_house_says_so() -> None:
    page = Client().get("/").content.decode()
    assert "Ningún torneo a la vista en España" in page


def test_tonights_event_is_on_the_door(store: Store) -> None:
    event = tonight(store)
    page = Client().get("/").content.decode()
    assert "Un torneo hoy en España" in page
    assert event.name in page


def test_the_province_is_remembered(store: Store, other_store: Store) -> None:
    tonight(store, name="Jueves de Teruel")
    tonight(other_store, name="Jueves de Cádiz")
    client = Client()
    client.get("/?provincia=ES-CA")
    page = client.get("/").content.decode()
    assert "Jueves de Cádiz" in page
    assert "Jueves de Teruel" not in page


def test_my_table_is_the_first_thing_i_see(store: Store, player_user: User) -> None:
    event = tonight(store)
    make.enrol(event, Player.objects.get(user=player_user))
    make.enrol(event)
    client = Client()
    client.force_login(player_user)
    assert "Tu próxima partida" not in client.get("/").content.decode()
    make.pair_and_publish(event)
    table = make.match_of(event, event.registrations.get(player__user=player_user).order).table
    assert f"Mesa {table}, contra" in client.get("/").content.decode()


def test_a_guests_phone_is_known_by_its_secret(store: Store) -> None:
    event = tonight(store)
    row = make.enrol(event, "Zoe Farolillo", secret="el-secreto-de-zoe")
    make.enrol(event)
    make.pair_and_publish(event)
    client = Client()
    assert "Tu próxima partida" not in client.get("/").content.decode()
    session = client.session
    session[f"guest:{event.pk}"] = row.secret
    session.save()
    assert "Tu próxima partida" in client.get("/").content.decode()


def test_home_costs_the_same_with_many_events(
    store: Store, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(5):
        tonight(store, players=4)
    with django_assert_max_num_queries(12):
        Client().get("/")


def test_health_and_metrics(settings: object) -> None:
    assert Client().get("/health/").json()["ok"] is True
    assert Client().get("/metrics/").status_code == 404
    settings.METRICS_TOKEN = "secreto"  # type: ignore[attr-defined]
    assert b"kounter_requests_total" in Client().get("/metrics/", headers={"authorization": "Bearer secreto"}).content
    assert Client().get("/metrics/", headers={"authorization": "Bearer otro"}).status_code == 404
