"""One number of players and one number of tables on every surface of an event; a bye is no table (rules 1.1, 5.1)."""

from collections.abc import Callable

import pytest
from django.test import Client

from players.models import User
from tests import make
from tournaments.models import Event, Registration, Store
from tournaments.queries import player_count, public_events, sheet
from tournaments.services import registrations
from tournaments.services.journal import SYSTEM

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(store: Store) -> Event:
    """Seven came, one more waits; one left before round 1, one after it, one is disqualified: six are players."""
    event = make.make_event(store, players=7, rounds=3)
    registrations.drop(make.registration(event, 7), by=SYSTEM)
    make.play_round(event)
    registrations.drop(make.registration(event, 1), by=SYSTEM)
    registrations.disqualify(make.registration(event, 2), by=SYSTEM, reason="Marked cards")
    make.enrol(event, status=Registration.Status.WAITING)
    return event


def test_the_sheet_and_the_lists_agree(event: Event) -> None:
    now = sheet(event)
    assert (len(now.players), len(now.retired), len(now.active)) == (6, 2, 4)
    assert player_count(event) == 6
    assert public_events().get(pk=event.pk).people == 6  # type: ignore[attr-defined]


def test_every_page_says_the_same(event: Event, visitor: Client, organiser: User, as_user: Callable) -> None:
    assert "6 players, 2 dropped" in visitor.get(f"/eventos/{event.slug}/").content.decode()
    assert "6 players" in visitor.get(f"/tiendas/{event.store.slug}/").content.decode()
    assert visitor.get(f"/api/v1/events/{event.slug}/").json()["players"] == 6
    staff = as_user(organiser)
    for path in ("consola/", "inscripciones/"):
        assert "6 players, 2 dropped" in staff.get(f"/eventos/{event.slug}/{path}").content.decode()
    assert "6 players" in staff.get(f"/eventos/{event.slug}/ajustes/").content.decode()
    assert "6 players" in staff.get("/organizar/").content.decode()


def test_the_filters_of_the_roster_count_what_the_title_says(event: Event, organiser: User, as_user: Callable) -> None:
    page = as_user(organiser).get(f"/eventos/{event.slug}/inscripciones/")
    assert page.context["counts"]["players"] == 6
    assert '<h1 id="roster-h1">6 players, 2 dropped' in page.content.decode()


def test_a_bye_is_no_finished_table(store: Store, organiser: User, as_user: Callable, visitor: Client) -> None:
    event = make.make_event(store, players=5, published=1)
    console = f"/eventos/{event.slug}/consola/"
    first = as_user(organiser).get(console).content.decode()
    assert "finished" not in first
    assert "1 without a table" in first
    make.finish_tables(event)
    assert "2 tables finished" in as_user(organiser).get(console).content.decode()


def test_nor_an_open_one(store: Store, visitor: Client) -> None:
    event = make.make_event(store, players=5, published=1)
    for path in ("", "emparejamientos/"):
        assert "2 tables to go" in visitor.get(f"/eventos/{event.slug}/{path}").content.decode(), path
    assert visitor.get(f"/eventos/{event.slug}/proyector/").context["open"] == 2
    make.finish_tables(event)
    assert visitor.get(f"/eventos/{event.slug}/proyector/").context["open"] == 0
