"""A guest who was joined to an account is that account's player on every page of his events (CASES 52)."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from django.test import Client

from players.models import Player
from players.services import people
from tests import make
from tests.services.test_budgets import queries_of
from tournaments.models import Event, Registration, Store
from tournaments.queries import sheet

pytestmark = pytest.mark.django_db
PAGES = (
    "",
    "emparejamientos/",
    "emparejamientos/1/",
    "clasificacion/",
    "proyector/",
    "imprimir/clasificacion/",
)
STAFF_PAGES = ("consola/", "inscripciones/")


@pytest.fixture
def event(store: Store) -> Event:
    return make.make_event(store, players=4, published=2)


def joined(event: Event, times: int = 1) -> tuple[Registration, Player]:
    """The first guest, joined to another guest `times - 1` times, and then to an account."""
    row = make.registration(event, 1)
    chain = [
        row.player,
        *(make.make_guest("Otra Ficha") for _ in range(times - 1)),
        make.make_player("Ada Perejil Sanz"),
    ]
    for source, target in pairwise(chain):
        people.merge(source, target, by=None)
    return row, chain[-1]


@pytest.mark.parametrize("times", [1, 2])
def test_every_page_names_and_links_the_player_who_stays(event: Event, visitor: Client, times: int) -> None:
    row, player = joined(event, times)
    for path in PAGES:
        text = visitor.get(f"/eventos/{event.slug}/{path}").content.decode()
        assert player.name in text, path
        assert row.player.public_name not in text, path
        assert row.player.code not in text, path
    assert f"/jugadores/{player.code}/" in visitor.get(f"/eventos/{event.slug}/").content.decode()


def test_so_do_the_pages_of_the_staff(event: Event, organiser: Any, as_user: Callable) -> None:
    row, player = joined(event)
    for path in (*STAFF_PAGES, f"inscripciones/{row.pk}/"):
        text = as_user(organiser).get(f"/eventos/{event.slug}/{path}").content.decode()
        assert player.name in text, path
        assert row.player.name not in text, path


def test_so_does_the_api(event: Event, visitor: Client) -> None:
    row, player = joined(event)
    for path in ("players/", "rounds/1/", "standings/"):
        text = visitor.get(f"/api/v1/events/{event.slug}/{path}").content.decode()
        assert f'"code":"{player.code}"' in text, path
        assert row.player.code not in text, path


def test_his_rival_reads_his_name(event: Event, visitor: Client) -> None:
    row, player = joined(event)
    game = sheet(event).seats_of(row)[-1][1]
    rival = next(seat.registration for seat in game.seat_list if seat.registration_id != row.pk)
    Registration.objects.filter(pk=rival.pk).update(secret="the-secret-of-the-rival")
    visitor.get("/i/the-secret-of-the-rival/")
    assert player.name in visitor.get(f"/eventos/{event.slug}/mi-mesa/").content.decode()
    assert player.name in visitor.get("/").content.decode()


def test_he_finds_himself_by_either_code(event: Event, visitor: Client) -> None:
    row, player = joined(event)
    for code in (player.code, row.player.code):
        text = visitor.get(f"/eventos/{event.slug}/clasificacion/?jugador={code}").content.decode()
        assert f'<h2 id="calc">{player.name}</h2>' in text


def test_he_finds_his_table_on_the_home_page(event: Event, as_user: Callable) -> None:
    _row, player = joined(event, times=2)
    assert f"/eventos/{event.slug}/mi-mesa/" in as_user(player.user).get("/").content.decode()


def test_what_was_drawn_does_not_move(event: Event) -> None:
    """Keys, draws and winners go by the record of that evening."""
    before = [(row.player, row.place) for row in sheet(event).standings()]
    joined(event)
    assert [(row.player, row.place) for row in sheet(event).standings()] == before


@pytest.mark.parametrize("times", [0, 1, 2])
def test_names_cost_one_query_for_each_step_of_a_merge(event: Event, times: int) -> None:
    if times:
        joined(event, times)
    assert queries_of(lambda: [row.person.shown for row in sheet(event).registrations]) == 4 + times
