"""Finding an event (UX, Player; cases 64, 67)."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.test import Client

from tests import make
from tournaments.models import Event, Store

pytestmark = pytest.mark.django_db
NOON = make.NOON
LATE = datetime(2026, 6, 30, 22, 30, tzinfo=UTC)  # 30 June 23:30 in Las Palmas, 1 July 00:30 in Madrid


@pytest.fixture(autouse=True)
def stage(game: object) -> None:
    """The games are loaded."""


def names(client: Client, query: str = "") -> str:
    return client.get(f"/eventos/{query}").content.decode()


@time_machine.travel(NOON, tick=False)
def test_today_and_next_are_shown_and_drafts_are_not(visitor: Client) -> None:
    make.make_event(name="Jueves presente")
    make.make_event(name="Viernes cercano", at=NOON + timedelta(days=1))
    make.make_event(name="Secreto", status=Event.Status.DRAFT)
    page = names(visitor)
    assert "1 event today" in page
    assert page.index("Jueves presente") < page.index("Viernes cercano")
    assert "Secreto" not in page


@time_machine.travel(LATE, tick=False)
def test_today_is_each_store_s_own_day(visitor: Client) -> None:
    canary = make.make_store("Faro de Arena", province="ES-GC", time_zone="Atlantic/Canary")
    make.make_event(canary, name="Noche canaria", at=LATE)
    make.make_event(name="Madrugada peninsular", at=LATE)
    page = names(visitor)
    assert "2 events today" in page
    assert "23:30" in page  # in Las Palmas
    assert "00:30" in page  # in Teruel


@time_machine.travel(NOON + timedelta(days=1), tick=False)
def test_what_is_still_played_the_day_after_is_still_there(visitor: Client) -> None:
    make.make_event(name="Sigue en juego", status=Event.Status.RUNNING)
    make.make_event(name="Ya no", status=Event.Status.OPEN)
    page = names(visitor)
    assert "Sigue en juego" in page
    assert "Ya no" not in page


@time_machine.travel(NOON, tick=False)
def test_the_province_is_remembered_until_another_is_chosen(visitor: Client) -> None:
    make.make_event(name="En Teruel")
    make.make_event(make.make_store("Levante", province="ES-V"), name="En Valencia")
    assert "En Valencia" not in names(visitor, "?provincia=ES-TE")
    assert "En Valencia" not in names(visitor)
    assert "En Valencia" in names(visitor, "?provincia=")
    assert "En Valencia" in names(visitor)


@time_machine.travel(NOON, tick=False)
def test_a_player_is_shown_his_own_province_first(as_user: object) -> None:
    make.make_event(make.make_store("Levante", province="ES-V"), name="En Valencia")
    player = make.make_player(province="ES-TE")
    assert "En Valencia" not in names(as_user(player.user))  # type: ignore[operator]


def test_a_province_that_does_not_exist_is_all_of_spain(visitor: Client) -> None:
    make.make_event(name="Lejano", status=Event.Status.FINISHED)
    assert "Lejano" in names(visitor, "?ver=terminados&provincia=ES-ZZ")


@pytest.mark.parametrize("text", ["nandu", "ÑANDÚ", "Ñandú", "n\u0303andu\u0301", "jueves nandu"])
def test_search_finds_by_event_and_store_without_accents(visitor: Client, text: str) -> None:
    make.make_event(name="Jueves de fichas")
    make.make_event(make.make_store("Otra"), name="Martes")
    page = visitor.get("/eventos/", {"q": text}).content.decode()
    assert "Jueves de fichas" in page
    assert "Martes" not in page


def test_search_never_finds_a_draft(visitor: Client) -> None:
    make.make_event(name="Borrador oculto", status=Event.Status.DRAFT)
    assert "0 events for" in visitor.get("/eventos/", {"q": "oculto"}).content.decode()


def test_finished_events_come_in_pages_newest_first(visitor: Client) -> None:
    for n in range(23):
        make.make_event(name=f"Pasado {n:02}", at=NOON - timedelta(days=n), status=Event.Status.FINISHED)
    first, second = names(visitor, "?ver=terminados"), names(visitor, "?ver=terminados&page=2")
    assert "Pasado 00" in first
    assert "Pasado 19" in first
    assert "Pasado 20" not in first
    assert "Pasado 22" in second
    assert "1–20 of 23" in first


@time_machine.travel(NOON, tick=False)
def test_a_store_shows_what_comes_and_what_was_and_not_its_contact(visitor: Client) -> None:
    store: Store = make.make_store(contact="secreto@example.test")
    make.make_event(store, name="Hoy mismo")
    make.make_event(store, name="El de antes", at=NOON - timedelta(days=7), status=Event.Status.FINISHED)
    make.make_event(store, name="Aún no", status=Event.Status.DRAFT)
    page = visitor.get(f"/tiendas/{store.slug}/").content.decode()
    assert page.index("Hoy mismo") < page.index("El de antes")
    assert "Aún no" not in page
    assert "secreto@" not in page


def test_no_such_store(visitor: Client) -> None:
    assert visitor.get("/tiendas/no-existe/").status_code == 404
