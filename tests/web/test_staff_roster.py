"""Who plays: arrivals, late entries, drops, what is noted about each, and lists from files (TOURNAMENT_RULES 5)."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from players.models import User
from players.services import people
from tests import make
from tournaments.models import Event, Registration, Store
from tournaments.services import events, joining

pytestmark = pytest.mark.django_db
LogIn = Callable[[User], Client]
Queries = Callable[[int], AbstractContextManager[None]]
HTMX = {"HX-Request": "true", "HX-Target": "roster-list"}


@pytest.fixture
def desk(organiser: User, as_user: LogIn) -> Client:
    return as_user(organiser)


def arrive(client: Client, event: Event, names: str, **more: Any) -> HttpResponse:
    return client.post(f"/eventos/{event.slug}/inscripciones/", {"names": names} | more, follow=True)


def do(client: Client, row: Registration, action: str, **data: Any) -> HttpResponse:
    return client.post(f"/eventos/{row.event.slug}/inscripciones/{row.pk}/{action}/", data, follow=True)


def said(response: HttpResponse) -> str:
    return response.content.decode()


def inside(event: Event) -> list[str]:
    return [row.player.name for row in event.registrations.select_related("player")]


# -- arrivals ---------------------------------------------------------------------------------------------------------
def test_a_name_and_enter(store: Store, desk: Client) -> None:
    event = make.make_event(store)
    response = arrive(desk, event, "  María de los Ángeles  Fernández-Bermellón y Castañuela ")
    assert inside(event) == ["María de los Ángeles Fernández-Bermellón y Castañuela"]
    assert "1 player is in" in said(response)


def test_many_names_one_a_line(store: Store, desk: Client) -> None:
    event = make.make_event(store)
    arrive(desk, event, "Zoe Farolillo\r\n\r\n  Íñigo Zarzuelo\nÑusta Quebrantahoz\n")
    assert inside(event) == ["Zoe Farolillo", "Íñigo Zarzuelo", "Ñusta Quebrantahoz"]


def test_a_code_brings_that_very_player(store: Store, desk: Client) -> None:
    event = make.make_event(store)
    player = make.make_player("Zoe Farolillo")
    arrive(desk, event, player.printed_code)
    assert [row.player for row in event.registrations.all()] == [player]


def test_the_same_name_is_asked_about_never_merged(store: Store, desk: Client) -> None:
    """Cases 50, 51."""
    event = make.make_event(store)
    arrive(desk, event, "Ana Farolillo")
    response = arrive(desk, event, "ana   FAROLILLO\nBeto Trasgo")
    assert response.status_code == 422
    assert "Are they the same person?" in said(response)
    assert "ana   FAROLILLO" in said(response), "what was typed stays"
    assert len(inside(event)) == 1
    arrive(desk, event, "ana   FAROLILLO\nBeto Trasgo", anyway="1")
    assert len(inside(event)) == 3


def test_the_same_name_twice_in_one_paste_is_asked_about(store: Store, desk: Client) -> None:
    """Cases 50, 51."""
    event = make.make_event(store)
    response = arrive(desk, event, "Ana Farolillo\nBeto Trasgo\nana farolillo")
    assert response.status_code == 422
    assert "is twice in what you have written" in said(response)
    assert inside(event) == []
    arrive(desk, event, "Ana Farolillo\nana farolillo", anyway="1")
    assert len(inside(event)) == 2


def test_the_question_comes_into_the_box_under_htmx(store: Store, desk: Client) -> None:
    event = make.make_event(store)
    arrive(desk, event, "Ana Farolillo")
    address = f"/eventos/{event.slug}/inscripciones/"
    response = desk.post(address, {"names": "Ana Farolillo"}, headers=HTMX)
    assert response.status_code == 422
    assert response["HX-Retarget"] == "#walk-in"
    assert said(response).lstrip().startswith('<form id="walk-in"')


@pytest.mark.parametrize("names", ["", "   \n ", "x" * 121])
def test_nobody_is_no_arrival(names: str, store: Store, desk: Client) -> None:
    event = make.make_event(store)
    response = arrive(desk, event, names)
    assert response.status_code == 422
    assert inside(event) == []


def test_who_comes_to_a_full_event_waits(store: Store, desk: Client) -> None:
    """Rule 5.6."""
    event = make.make_event(store, players=2, capacity=2)
    response = arrive(desk, event, "Zoe Farolillo")
    assert "The event is full: Zoe Farolillo waits in the list." in said(response)
    row = event.registrations.get(player__name="Zoe Farolillo")
    assert row.status == "waiting"
    do(desk, make.registration(event, 1), "quitar")
    row.refresh_from_db()
    assert row.status == "registered", "a free place goes to the first who waits"


@pytest.mark.parametrize(
    ("choice", "first", "losses"), [("bye_seat", 1, False), ("losses", 2, True), ("nothing", 2, False)]
)
def test_the_eighth_player_arrives_after_round_1(
    choice: str, first: int, losses: bool, store: Store, desk: Client
) -> None:
    """Case 29, rule 5.2: name, Enter, one choice."""
    event = make.make_event(store, players=7, rounds=3, published=1)
    arrive(desk, event, "Zoe Farolillo", choice=choice)
    row = event.registrations.get(player__name="Zoe Farolillo")
    assert (row.first_round, row.missed_as_losses) == (first, losses)


def test_late_arrivals_come_all_or_none(store: Store, desk: Client) -> None:
    event = make.make_event(store, players=7, rounds=3, published=1)
    response = arrive(desk, event, "Zoe Farolillo\nÍñigo Zarzuelo", choice="bye_seat")
    assert "Nobody has the bye in this round" in said(response)
    assert "Zoe Farolillo\nÍñigo Zarzuelo" in said(response)
    assert len(inside(event)) == 7, "the bye had room for one of the two: nobody came in"


def test_suggestions_tell_namesakes_apart(store: Store, desk: Client) -> None:
    event = make.make_event(store)
    known = make.make_player("Zoe Farolillo Cantueso", province="ES-TE")
    already = make.enrol(event, make.make_player("Zoe Farolillo Prado"))
    make.make_guest("Zoe Farolillo de Lejos")  # never played here, no account
    page = said(desk.get(f"/eventos/{event.slug}/inscripciones/buscar/", {"names": "FAROLILLO zoe"}))
    assert known.printed_code in page
    assert "Teruel" in page
    assert already.player.printed_code not in page
    assert page.count("data-known") == 1
    for typed in ("", "z", "Zoe\nAna"):
        empty = desk.get(f"/eventos/{event.slug}/inscripciones/buscar/", {"names": typed})
        assert "data-known" not in said(empty)


# -- the list ---------------------------------------------------------------------------------------------------------
def test_the_list_is_in_spanish_order_and_found_without_accents(store: Store, desk: Client) -> None:
    """Cases 67, 70."""
    event = make.make_event(store)
    for name in ("Zoe", "Ángel", "Íñigo", "Nuria", "Ñusta"):
        make.enrol(event, name)
    address = f"/eventos/{event.slug}/inscripciones/"
    rows = desk.get(address).context["found"].object_list
    assert [row.player.name for row in rows] == ["Ángel", "Íñigo", "Nuria", "Ñusta", "Zoe"]
    rows = desk.get(address, {"q": "NUSTA"}).context["found"].object_list
    assert [row.player.name for row in rows] == ["Ñusta"]
    assert "Nobody here is called" in said(desk.get(address, {"q": "Ataúlfo"}))


def test_paid_is_a_box_that_is_ticked_or_empty(store: Store, desk: Client) -> None:
    event = make.make_event(store)
    make.enrol(event, "Zoe Farolillo", paid=True)
    make.enrol(event, "Ana Peral")
    boxes = re.findall(
        r'class="btn key tick"[^>]* aria-pressed="(\w+)" aria-label="([^"]*)"><span class="box"[^>]*>(.*?)</span>',
        said(desk.get(f"/eventos/{event.slug}/inscripciones/")),
    )
    assert [(pressed, name, "#ok" in sign) for pressed, name, sign in boxes] == [
        ("false", "Paid: Ana Peral", False),
        ("true", "Paid: Zoe Farolillo", True),
    ]


def test_the_list_shows_who_has_not_paid(store: Store, desk: Client) -> None:
    event = make.make_event(store, players=3)
    row = make.registration(event, 2)
    do(desk, row, "pagado", on="1")
    page = desk.get(f"/eventos/{event.slug}/inscripciones/", {"ver": "unpaid"})
    assert row not in page.context["found"].object_list
    assert page.context["counts"]["unpaid"] == 2


def test_a_long_list_comes_in_pages(store: Store, desk: Client, queries: Queries) -> None:
    event = make.make_event(store, players=230)
    with queries(12):
        page = desk.get(f"/eventos/{event.slug}/inscripciones/", {"page": 3})
    assert len(page.context["found"].object_list) == 30


def test_the_list_alone_under_htmx(store: Store, desk: Client) -> None:
    event = make.make_event(store, players=3)
    part = said(desk.get(f"/eventos/{event.slug}/inscripciones/", headers=HTMX))
    assert part.lstrip().startswith('<div id="roster-list"')


# -- one of them ------------------------------------------------------------------------------------------------------
def test_drop_and_undrop_take_two_actions_each(store: Store, desk: Client) -> None:
    """UX: the list, the button; case 31: the results stay."""
    event = make.make_event(store, players=6, rounds=3)
    make.play_round(event)
    row = make.registration(event, 2)
    page = said(desk.get(f"/eventos/{event.slug}/inscripciones/"))
    assert f"/inscripciones/{row.pk}/retirar/" in page
    do(desk, row, "retirar")
    row.refresh_from_db()
    assert (row.status, row.last_round) == ("dropped", 1)
    page = said(desk.get(f"/eventos/{event.slug}/inscripciones/"))
    assert f"/inscripciones/{row.pk}/devolver/" in page
    do(desk, row, "devolver")
    row.refresh_from_db()
    assert (row.status, row.last_round) == ("registered", None)


def test_a_drop_after_publication_gives_the_table_away(store: Store, desk: Client) -> None:
    """Case 32, rule 5.1."""
    event = make.make_event(store, players=4, published=1)
    row = make.registration(event, 1)
    told = said(do(desk, row, "retirar"))
    assert make.match_of(event, 1).outcome == "forfeit"
    assert f"Table {make.match_of(event, 1).table} goes to the other side" in told


def test_who_comes_back_is_told_of_the_table_that_stays_lost(store: Store, desk: Client) -> None:
    """Rule 5.4: undropping is one action, and results stay until somebody corrects them."""
    event = make.make_event(store, players=4, published=1)
    row = make.registration(event, 1)
    do(desk, row, "retirar")
    assert f"Table {make.match_of(event, 1).table} stays lost by absence" in said(do(desk, row, "devolver"))


def test_nobody_is_deleted_once_round_1_is_paired(store: Store, desk: Client) -> None:
    """Case 35, rule 5.3."""
    event = make.make_event(store, players=4)
    row = make.registration(event, 1)
    make.pair(event)
    assert "/quitar/" not in said(desk.get(f"/eventos/{event.slug}/inscripciones/"))
    response = do(desk, row, "quitar")
    assert "can only be dropped" in said(response)
    assert Registration.objects.filter(pk=row.pk).exists()


def test_what_is_noted_is_kept_and_what_is_wrong_stays_typed(store: Store, desk: Client) -> None:
    event = make.make_event(store, players=4)
    row = make.registration(event, 1)
    agua = make.element("agua")
    do(desk, row, "datos", element=agua.pk, team="Los Ñandúes", fixed_table="3")
    row.refresh_from_db()
    assert (row.element, row.team, row.fixed_table) == (agua, "Los Ñandúes", 3)
    response = do(desk, row, "datos", team="Otro", fixed_table="cero")
    assert response.status_code == 422
    assert 'value="Otro"' in said(response)
    row.refresh_from_db()
    assert row.team == "Los Ñandúes"


def test_a_bye_is_assigned_and_taken_back(store: Store, desk: Client) -> None:
    row = make.registration(make.make_event(store, players=5), 1)
    do(desk, row, "descanso", on="1")
    row.refresh_from_db()
    assert row.next_bye
    do(desk, row, "descanso", on="0")
    row.refresh_from_db()
    assert not row.next_bye


def test_two_players_are_kept_apart_and_may_meet_again(store: Store, desk: Client) -> None:
    """Case 12: the refusal names whom to lift, and here it is lifted."""
    event = make.make_event(store, players=2)
    first, second = make.registration(event, 1), make.registration(event, 2)
    do(desk, first, "separar", other=second.pk, on="1")
    do(desk, second, "separar", other=first.pk, on="1")
    assert Event.objects.get(pk=event.pk).separations == [sorted([first.pk, second.pk])], "once, from either side"
    refused = desk.post(f"/eventos/{event.slug}/rondas/", {"number": 1}, follow=True)
    assert "No round seats everyone while these are kept apart." in said(refused)
    page = said(desk.get(f"/eventos/{event.slug}/inscripciones/{first.pk}/"))
    assert "They may meet" in page
    do(desk, first, "separar", other=second.pk, on="0")
    assert Event.objects.get(pk=event.pk).separations == []
    elsewhere = make.registration(make.make_event(store, players=2), 1)
    assert do(desk, first, "separar", other=elsewhere.pk, on="1").status_code == 404


def test_check_in_ticks_who_is_here(store: Store, desk: Client) -> None:
    event = make.make_event(store, players=3)
    desk.post(f"/eventos/{event.slug}/estado/check_in/")
    do(desk, make.registration(event, 1), "presente", on="1")
    page = desk.get(f"/eventos/{event.slug}/consola/")
    assert "Check-in: 1 of 3 here" in said(page)
    assert page.context["step"].blocked, "one alone is no round"


def test_a_disqualification_says_why_and_a_penalty_stays_private(
    store: Store, desk: Client, judge: User, as_user: LogIn
) -> None:
    """Rules 8.4, 8.5."""
    event = make.make_event(store, players=4, published=1)
    row = make.registration(event, 1)
    referee = as_user(judge)
    do(referee, row, "sancionar", kind="warning", infraction="Late to the table", note="Two minutes")
    page = said(referee.get(f"/eventos/{event.slug}/inscripciones/{row.pk}/"))
    assert "Late to the table" in page
    assert "Late to the table" not in said(Client().get(f"/eventos/{event.slug}/"))
    missing = do(desk, row, "descalificar", reason="")
    assert missing.status_code == 422
    do(desk, row, "descalificar", reason="Marked cards")
    row.refresh_from_db()
    assert row.status == "disqualified"
    assert event.penalties.count() == 2
    back = do(desk, row, "devolver", reason="It was a stain")
    assert back.status_code == 200
    row.refresh_from_db()
    assert row.active


def test_another_events_player_is_nobodys(store: Store, desk: Client) -> None:
    event = make.make_event(store, players=2)
    other = make.registration(make.make_event(store, players=2), 1)
    for action in ("retirar", "quitar", "pagado", "datos", "descalificar", "unir", "presente"):
        address = f"/eventos/{event.slug}/inscripciones/{other.pk}/{action}/"
        assert desk.post(address, {"on": "1", "reason": "x"}).status_code == 404, action
    assert desk.get(f"/eventos/{event.slug}/inscripciones/{other.pk}/").status_code == 404
    mine = make.registration(event, 1)
    assert do(desk, mine, "unir", keep=other.pk).status_code == 404
    assert do(desk, mine, "borrar").status_code == 404


def test_a_guests_link_is_on_the_guests_page_only(store: Store, desk: Client) -> None:
    event = make.make_event(store)
    arrive(desk, event, "Zoe Farolillo")
    row = event.registrations.get()
    assert row.secret
    page = said(desk.get(f"/eventos/{event.slug}/inscripciones/{row.pk}/"))
    assert "QR code of the guest" in page
    assert row.secret not in said(desk.get(f"/eventos/{event.slug}/inscripciones/"))


def test_after_an_action_one_is_where_one_was(store: Store, desk: Client) -> None:
    event = make.make_event(store, players=3)
    row = make.registration(event, 1)
    there = f"/eventos/{event.slug}/inscripciones/?q=a"
    address = f"/eventos/{event.slug}/inscripciones/{row.pk}/pagado/"
    assert desk.post(address, {"on": "1", "next": there})["Location"] == there
    for elsewhere in ("https://example.test/", "//example.test", "javascript:alert(1)"):
        assert desk.post(address, {"on": "1", "next": elsewhere})["Location"] == f"/eventos/{event.slug}/consola/"


# -- lists from files (cases 71, 72) ----------------------------------------------------------------------------------
def upload(client: Client, event: Event, content: bytes, **more: str) -> HttpResponse:
    file = SimpleUploadedFile("lista.csv", content, "text/csv")
    return client.post(f"/eventos/{event.slug}/inscripciones/importar/", {"file": file} | more)


def test_a_file_is_shown_first_then_comes_in(store: Store, desk: Client) -> None:
    event = make.make_event(store)
    content = "nombre;elemento;pagado\r\nZoe Farolillo;Agua;sí\r\nÍñigo Zarzuelo;;\r\n".encode()
    preview = upload(desk, event, b"\xef\xbb\xbf" + content)
    page = said(preview)
    assert "2 players ready to come in" in page
    assert "Letters: UTF-8. Separator: semicolon." in page
    assert inside(event) == []
    text = preview.context["found"].text
    response = desk.post(f"/eventos/{event.slug}/inscripciones/importar/", {"text": text, "confirm": "1"}, follow=True)
    assert "2 players are in." in said(response)
    row = event.registrations.get(player__name="Zoe Farolillo")
    assert row.paid
    assert str(row.element) == "Water"


def test_old_spanish_letters_are_recognised(store: Store, desk: Client) -> None:
    event = make.make_event(store)
    preview = upload(desk, event, "nombre,equipo\nBegoña Peña,Los Ñus\n".encode("cp1252"))
    assert "Letters: Windows-1252. Separator: comma." in said(preview)
    assert "Begoña Peña" in said(preview)


def test_a_list_with_errors_names_its_lines_and_stays(store: Store, desk: Client) -> None:
    event = make.make_event(store)
    preview = upload(desk, event, b"nombre;elemento\nZoe Farolillo;Plasma\nAna;Agua\n", confirm="1")
    assert preview.status_code == 422
    page = said(preview)
    assert "Line 2 (Zoe Farolillo)" in page
    assert "Plasma" in page
    assert "Mend it here" in page
    assert inside(event) == []


def test_an_unknown_header_says_what_is_expected(store: Store, desk: Client) -> None:
    event = make.make_event(store)
    page = said(upload(desk, event, b"apodo;edad\nZoe;9\n"))
    assert "apodo" in page
    assert "nombre" in page


def test_pasted_names_come_in_too(store: Store, desk: Client) -> None:
    event = make.make_event(store)
    address = f"/eventos/{event.slug}/inscripciones/importar/"
    preview = desk.post(address, {"text": "Zoe Farolillo\nÍñigo Zarzuelo"})
    assert "none: one name a line" in said(preview)
    desk.post(address, {"text": "Zoe Farolillo\nÍñigo Zarzuelo", "confirm": "1"})
    assert len(inside(event)) == 2


@pytest.mark.parametrize("data", [{}, {"text": "  "}])
def test_an_empty_import_is_told(data: dict[str, str], store: Store, desk: Client) -> None:
    event = make.make_event(store)
    response = desk.post(f"/eventos/{event.slug}/inscripciones/importar/", data)
    assert response.status_code == 422
    assert "Choose a file or paste the rows." in said(response)


def test_a_list_is_refused_once_round_1_is_paired(store: Store, desk: Client) -> None:
    event = make.make_event(store, players=4, published=1)
    address = f"/eventos/{event.slug}/inscripciones/importar/"
    response = desk.post(address, {"text": "Zoe Farolillo", "confirm": "1"})
    assert response.status_code == 422
    assert "use late entry" in said(response)
    assert len(inside(event)) == 4


# -- known from other nights -------------------------------------------------------------------------------------------
def another_night(store: Store, *people: str) -> Event:
    """An event of this store in which those guests played."""
    event = make.make_event(store)
    for name in people:
        make.enrol(event, make.make_guest(name))
    return event


def test_a_name_that_has_played_here_is_asked_for_and_one_press_means_the_same_person(
    store: Store, desk: Client
) -> None:
    """Case 51: a name alone matches nobody; a guest typed each week would never reach the matches of a ranking."""
    before = another_night(store, "Zoe Farolillo", "Gil Trasgo")
    event = make.make_event(store)
    response = arrive(desk, event, "zoe farolillo\nNuria Candil\nGil Trasgo")
    assert (response.status_code, event.registrations.count()) == (422, 0)
    zoe = before.registrations.get(player__name="Zoe Farolillo").player
    assert f"({zoe.printed_code})" in said(response)
    arrive(desk, event, "zoe farolillo\nNuria Candil\nGil Trasgo", known="1")
    earlier = set(before.registrations.values_list("player", flat=True))
    now = set(event.registrations.values_list("player", flat=True))
    assert (len(now), earlier < now) == (3, True)


def test_of_two_who_have_played_here_under_one_name_the_code_decides(store: Store, desk: Client) -> None:
    another_night(store, "Zoe Farolillo")
    two = another_night(store, "Zoe Farolillo").registrations.get().player
    event = make.make_event(store)
    response = arrive(desk, event, "Zoe Farolillo", known="1")
    assert (response.status_code, event.registrations.count()) == (422, 0)
    assert "Write the code" in said(response)
    arrive(desk, event, two.printed_code)
    assert event.registrations.get().player == two


def test_another_person_of_a_known_name_is_a_new_player(store: Store, desk: Client) -> None:
    before = another_night(store, "Zoe Farolillo")
    event = make.make_event(store)
    arrive(desk, event, "Zoe Farolillo", anyway="1")
    assert event.registrations.get().player != before.registrations.get().player


def test_a_name_known_in_another_store_is_no_question(store: Store, other_store: Store, desk: Client) -> None:
    another_night(other_store, "Zoe Farolillo")
    event = make.make_event(store)
    arrive(desk, event, "Zoe Farolillo")
    assert event.registrations.count() == 1


def test_a_merged_record_is_not_offered_beside_the_one_that_stands(store: Store, desk: Client) -> None:
    away = another_night(store, "Zoe Farolillo").registrations.get().player
    stays = another_night(store, "Zoe Farolillo").registrations.get().player
    people.merge(away, stays, by=None)
    event = make.make_event(store)
    arrive(desk, event, "Zoe Farolillo", known="1")
    assert event.registrations.get().player == stays


@pytest.mark.parametrize("typed", ["nunez", "NÚÑEZ", "Nun\u0303ez", " ñuñez"])
def test_a_known_name_is_found_whatever_its_accents_and_case(typed: str, store: Store, desk: Client) -> None:
    """CASES 67, 69: the same answer in SQLite and PostgreSQL, composed or not; a longer name is another."""
    maker = another_night(store, "Nuñez" if "ñ" not in typed else "Ñuñez", "Nuñeza").registrations.order_by("pk")[0]
    event = make.make_event(store)
    arrive(desk, event, typed, known="1")
    assert event.registrations.get().player == maker.player


def test_back_from_the_question_enters_nobody_and_keeps_what_was_typed(store: Store, desk: Client) -> None:
    another_night(store, "Zoe Farolillo")
    event = make.make_event(store)
    assert 'name="back"' in said(arrive(desk, event, "Zoe Farolillo\nGil Trasgo"))
    for headers in ({}, HTMX):
        data = {"names": "Zoe Farolillo\nGil Trasgo", "back": "1"}
        response = desk.post(f"/eventos/{event.slug}/inscripciones/", data, headers=headers)
        assert (response.status_code, event.registrations.count()) == (200, 0)
        assert "Zoe Farolillo\nGil Trasgo</textarea>" in said(response)
        assert 'name="anyway"' not in said(response)


# -- in from a phone under a known name --------------------------------------------------------------------------------
def signs_up(event: Event, name: str) -> Registration:
    return joining.join_as_guest(event, name, f"key-{make.number()}")


@pytest.mark.parametrize("page", ["consola/", "inscripciones/"])
def test_a_phone_under_a_known_name_is_asked_about_and_one_press_joins_them(
    page: str, store: Store, desk: Client
) -> None:
    zoe = another_night(store, "Zoe Farolillo").registrations.get().player
    event = make.make_event(store)
    row = signs_up(event, "zoe farolillo")
    address = f"/eventos/{event.slug}/{page}"
    text = said(desk.get(address))
    assert f"zoe farolillo may be the Zoe Farolillo of 12 Mar ({zoe.printed_code}): the same person?" in text
    response = do(desk, row, "misma", player=zoe.pk, next=address)
    assert "Zoe Farolillo is one player now." in said(response)
    assert "the same person?" not in said(response)
    row.player.refresh_from_db()
    assert row.player.merged_into == zoe


def test_or_they_are_two_people(store: Store, desk: Client) -> None:
    another_night(store, "Zoe Farolillo")
    event = make.make_event(store)
    row = signs_up(event, "Zoe Farolillo")
    response = do(desk, row, "otra", next=f"/eventos/{event.slug}/inscripciones/")
    assert "Zoe Farolillo is somebody new." in said(response)
    assert "the same person?" not in said(response)
    row.player.refresh_from_db()
    assert row.player.merged_into is None


def test_of_several_of_that_name_one_is_chosen_and_nobody_else_can_be(store: Store, desk: Client) -> None:
    first = another_night(store, "Zoe Farolillo").registrations.get().player
    second = another_night(store, "Zoe Farolillo").registrations.get().player
    event = make.make_event(store)
    row = signs_up(event, "Zoe Farolillo")
    text = said(desk.get(f"/eventos/{event.slug}/inscripciones/"))
    assert all(f'name="player" value="{player.pk}"' in text for player in (first, second))
    outsider = make.make_player("Zoe Farolillo")
    do(desk, row, "misma", player=outsider.pk)
    row.player.refresh_from_db()
    assert row.player.merged_into is None
    do(desk, row, "misma", player=second.pk)
    row.player.refresh_from_db()
    assert row.player.merged_into == second


def test_the_question_stands_until_the_end(store: Store, desk: Client) -> None:
    another_night(store, "Zoe Farolillo")
    event = make.make_event(store, players=3, rounds=1)
    signs_up(event, "Zoe Farolillo")
    make.pair_and_publish(event)
    make.finish_tables(event)
    events.finish(event, by=make.staff_actor(event))
    assert "the same person?" in said(desk.get(f"/eventos/{event.slug}/consola/"))
