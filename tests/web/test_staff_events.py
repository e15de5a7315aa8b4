"""/organizar/, creating and editing events, backups, and the team of a store (UX, Organiser; TOURNAMENT_RULES 3, 9)."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from players.models import User
from tests import make
from tournaments.models import Event, Role, Store
from tournaments.queries import sheet

pytestmark = pytest.mark.django_db
LogIn = Callable[[User], Client]
THURSDAY = datetime(2026, 3, 12, 16, 40, tzinfo=UTC)  # 17:40 in Teruel


@pytest.fixture
def desk(organiser: User, as_user: LogIn) -> Client:
    return as_user(organiser)


def said(response: HttpResponse) -> str:
    return response.content.decode()


def create(client: Client, store: Store, **data: Any) -> HttpResponse:
    form = {"name": "Jueves de fichas", "starts_at": "2026-03-12T18:30"} | data
    return client.post(f"/organizar/{store.slug}/nuevo/", form)


# -- the list ---------------------------------------------------------------------------------------------------------
def test_the_first_time_shows_three_steps(store: Store, desk: Client) -> None:
    page = said(desk.get("/organizar/"))
    assert "Your first event, in three steps" in page
    assert f"/organizar/{store.slug}/nuevo/" in page


def test_tonight_comes_first_and_leads_on(store: Store, other_store: Store, desk: Client) -> None:
    now = timezone.now()
    make.make_finished_event(store, players=4, at=now - timedelta(days=7), name="El de ayer")
    make.make_event(store, at=now + timedelta(days=7), name="El que viene")
    tonight = make.make_event(store, at=now, name="El de hoy")
    make.make_event(other_store, at=now, name="El de otra tienda")
    response = desk.get("/organizar/")
    (desk_of_store,) = response.context["desks"]
    assert [event.name for event in desk_of_store.tonight] == ["El de hoy"]
    assert [event.name for event in desk_of_store.coming] == ["El que viene"]
    assert [event.name for event in desk_of_store.past] == ["El de ayer"]
    assert f'href="/eventos/{tonight.slug}/consola/"' in said(response)
    assert "El de otra tienda" not in said(response)


def test_an_event_after_midnight_is_still_tonights(store: Store, desk: Client) -> None:
    """Case 64: 23:50, an event of 23:00 runs on."""
    late = make.make_event(store, players=4, published=1, at=datetime(2026, 3, 12, 22, 0, tzinfo=UTC))
    with time_machine.travel(datetime(2026, 3, 13, 1, 0, tzinfo=UTC), tick=False):
        client = Client(headers={"accept-language": "en"})
        client.force_login(User.objects.get(email="organizadora@example.test"))
        (desk_of_store,) = client.get("/organizar/").context["desks"]
    assert desk_of_store.tonight == [late]


def test_what_was_repeated_is_not_offered_again(store: Store, desk: Client) -> None:
    make.make_finished_event(store, players=4, at=timezone.now() - timedelta(days=7), name="Jueves")
    again = desk.get("/organizar/").context["again"]
    desk.post(f"/eventos/{again.slug}/repetir/")
    desk.post(f"/eventos/{again.slug}/repetir/")
    assert Event.objects.filter(store=store).count() == 2, "pressed twice, repeated once"
    (desk_of_store,) = desk.get("/organizar/").context["desks"]
    assert desk_of_store.repeatable == []


def test_who_works_nowhere_is_told_how_to(db: None, player_user: User, as_user: LogIn) -> None:
    page = said(as_user(player_user).get("/organizar/"))
    assert "You do not work in any store yet" in page
    assert player_user.email in page


def test_the_circuit_finds_every_store_without_accents(store: Store, administrator: User, as_user: LogIn) -> None:
    client = as_user(administrator)
    assert [d.store for d in client.get("/organizar/", {"q": "NANDU"}).context["desks"]] == [store]
    assert "No store is called" in said(client.get("/organizar/", {"q": "zzz"}))


def test_a_scorekeeper_is_offered_no_creation(store: Store, scorekeeper: User, as_user: LogIn) -> None:
    page = said(as_user(scorekeeper).get("/organizar/"))
    assert f"/organizar/{store.slug}/nuevo/" not in page
    assert "/equipo/" not in page


# -- new --------------------------------------------------------------------------------------------------------------
@time_machine.travel(THURSDAY, tick=False)
def test_the_form_comes_filled_in(store: Store, organiser: User, as_user: LogIn) -> None:
    page = said(as_user(organiser).get(f"/organizar/{store.slug}/nuevo/"))
    assert 'value="Thursday KOUNTER"' in page
    assert 'value="2026-03-12T18:00"' in page, "the next half hour, by the store's clock"
    assert "65–128" in page, "the table of rule 3 stands beside it"


def test_two_fields_suffice(store: Store, desk: Client) -> None:
    response = create(desk, store)
    event = Event.objects.get(store=store)
    assert response["Location"] == f"/eventos/{event.slug}/consola/"
    assert event.starts_at == datetime(2026, 3, 12, 17, 30, tzinfo=UTC)
    assert (event.status, event.best_of, event.minutes, event.tier) == ("open", 1, 30, "semanal")
    assert (event.points_win, event.points_draw, event.points_bye) == (3, 1, 3)
    assert event.self_signup
    assert event.self_report


def test_best_of_three_lasts_fifty_minutes(store: Store, desk: Client) -> None:
    """Rule 8.1."""
    create(desk, store, best_of="3")
    assert Event.objects.get(store=store).minutes == 50


def test_an_unticked_box_is_unticked(store: Store, desk: Client) -> None:
    create(desk, store, whole="1", self_report="on")
    event = Event.objects.get(store=store)
    assert (event.self_signup, event.self_report) == (False, True)


def test_a_draft_stays_a_draft(store: Store, desk: Client) -> None:
    create(desk, store, draft="1")
    event = Event.objects.get(store=store)
    assert event.status == "draft"
    page = said(desk.get(f"/eventos/{event.slug}/consola/"))
    assert "Draft: only staff see it" in page
    assert Client().get(f"/eventos/{event.slug}/").status_code == 404


def test_the_hour_is_the_stores_hour(administrator: User, as_user: LogIn) -> None:
    """Rule 9, case 62: 23:30 on 30 June in Las Palmas is 22:30 UTC, and its date is 30 June."""
    store = make.make_store(province="ES-GC", time_zone="Atlantic/Canary")
    create(as_user(administrator), store, starts_at="2026-06-30T23:30")
    event = Event.objects.get(store=store)
    assert event.starts_at == datetime(2026, 6, 30, 22, 30, tzinfo=UTC)
    assert event.date.isoformat() == "2026-06-30"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", "   "), ("name", "x" * 81), ("starts_at", "mañana"), ("starts_at", ""), ("best_of", "2"),
        ("rounds_planned", "99"), ("cut_size", "65"), ("capacity", "1"), ("minutes", "0"), ("tier", "mundial"),
        ("points_win", "-1"), ("element", "999999"),
    ],
)  # fmt: skip
def test_a_wrong_field_is_told_beside_it_and_nothing_is_lost(
    field: str, value: str, store: Store, desk: Client
) -> None:
    response = create(desk, store, **({"capacity": "33"} | {field: value}))
    assert response.status_code == 422
    assert 'aria-invalid="true"' in said(response)
    assert not Event.objects.filter(store=store).exists()
    assert field == "name" or 'value="Jueves de fichas"' in said(response)
    assert field == "capacity" or 'value="33"' in said(response)


def test_a_cut_of_one_is_refused_by_its_rule(store: Store, desk: Client) -> None:
    response = create(desk, store, cut_size="1")
    assert "A cut has from 2 to 64 players." in said(response)
    assert "/reglas/#" in said(response)


def test_advice_follows_the_numbers(store: Store, desk: Client) -> None:
    """Rule 3, case 3: six players and four rounds may run out of rivals."""
    headers = {"HX-Request": "true", "HX-Target": "advice"}
    data = {"name": "x", "starts_at": "2026-03-12T18:30", "capacity": "6", "rounds_planned": "4"}
    part = said(desk.post(f"/organizar/{store.slug}/nuevo/", data, headers=headers))
    assert part.lstrip().startswith('<section id="advice"')
    assert "With 6 players, 4 rounds may end in a repeat. With 3 it cannot happen." in part
    robin = said(desk.post(f"/organizar/{store.slug}/nuevo/", data | {"rounds_planned": "5"}, headers=headers))
    assert "round robin" in robin
    assert not Event.objects.exists(), "asking creates nothing"


# -- edit -------------------------------------------------------------------------------------------------------------
def edit(client: Client, event: Event, **data: Any) -> HttpResponse:
    form = {"name": event.name, "starts_at": "2026-03-12T18:30"} | data
    return client.post(f"/eventos/{event.slug}/ajustes/", form)


def test_settings_change_and_the_rest_stays(store: Store, desk: Client) -> None:
    event = make.make_event(store, best_of=3, capacity=20, self_signup=False)
    edit(desk, event, name="Viernes de Agua", minutes="40")
    now = Event.objects.get(pk=event.pk)
    assert (now.name, now.minutes) == ("Viernes de Agua", 40)
    assert (now.best_of, now.capacity, now.self_signup) == (3, 20, False)


def test_nothing_changed_logs_nothing(store: Store, desk: Client) -> None:
    event = make.make_event(store)
    edit(desk, event)
    assert Event.objects.get(pk=event.pk).version == event.version


def test_what_results_rest_on_is_fixed_once_paired(store: Store, desk: Client) -> None:
    event = make.make_event(store, players=4, published=1)
    response = edit(desk, event, best_of="3")
    assert response.status_code == 422
    assert "can no longer change" in said(response)
    assert Event.objects.get(pk=event.pk).best_of == 1


def test_places_are_never_fewer_than_players(store: Store, desk: Client) -> None:
    event = make.make_event(store, players=4)
    response = edit(desk, event, capacity="3")
    assert "4 players are already in" in said(response)
    assert 'value="3"' in said(response)


# -- backups ----------------------------------------------------------------------------------------------------------
def test_a_backup_brings_an_event_back_where_it_stood(store: Store, desk: Client) -> None:
    event = make.make_event(store, players=6, rounds=3, published=1)
    make.report(make.table(event, 2), "1")
    download = desk.get(f"/eventos/{event.slug}/copia.json")
    assert download["Content-Disposition"] == f'attachment; filename="{event.slug}.json"'
    before = [match.outcome for match in sheet(event).matches(sheet(event).current_round)]
    Event.objects.filter(pk=event.pk).update(slug="se-perdio")
    address = f"/organizar/{store.slug}/restaurar/"
    preview = desk.post(address, {"file": SimpleUploadedFile("copia.json", download.content)})
    assert "This event comes back" in said(preview)
    assert Event.objects.count() == 1, "looking restores nothing"
    response = desk.post(address, {"content": preview.context["content"], "confirm": "1"})
    assert response.status_code == 303
    back = Event.objects.get(slug=event.slug)
    assert [match.outcome for match in sheet(back).matches(sheet(back).current_round)] == before
    assert back.status == "running"


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"null", b'{"id": 7}', b"\xff\xfe\x00", json.dumps({"id": "x"}).encode()]
)
def test_a_file_that_is_none_says_so(content: bytes, store: Store, desk: Client) -> None:
    address = f"/organizar/{store.slug}/restaurar/"
    response = desk.post(address, {"file": SimpleUploadedFile("x.json", content)})
    assert response.status_code == 422
    assert not Event.objects.exists()


def test_only_json_is_a_backup(store: Store, desk: Client) -> None:
    response = desk.post(f"/organizar/{store.slug}/restaurar/", {"file": SimpleUploadedFile("x.exe", b"{}")})
    assert response.status_code == 422
    assert 'aria-invalid="true"' in said(response)


# -- the team ---------------------------------------------------------------------------------------------------------
@pytest.fixture
def boss(owner: User, as_user: LogIn) -> Client:
    return as_user(owner)


def team(client: Client, store: Store, **data: Any) -> HttpResponse:
    return client.post(f"/organizar/{store.slug}/equipo/", data, follow=True)


def test_somebody_is_added_by_e_mail(store: Store, boss: Client, player_user: User) -> None:
    response = team(boss, store, do="add", email=player_user.email.upper(), kind="judge")
    assert Role.objects.get(store=store, user=player_user).kind == "judge"
    assert "works here now" in said(response)


def test_an_unknown_e_mail_is_told_and_stays_typed(store: Store, boss: Client) -> None:
    response = team(boss, store, do="add", email="nadie@example.test", kind="judge")
    assert response.status_code == 422
    assert "No account has that e-mail yet" in said(response)
    assert 'value="nadie@example.test"' in said(response)


def test_nobody_is_added_twice(store: Store, boss: Client, judge: User) -> None:
    response = team(boss, store, do="add", email=judge.email, kind="owner")
    assert "works here already" in said(response)
    assert Role.objects.get(store=store, user=judge).kind == "judge"


def test_a_role_changes_and_goes(store: Store, boss: Client, judge: User) -> None:
    role = Role.objects.get(store=store, user=judge)
    team(boss, store, do="change", role=role.pk, kind="organiser")
    role.refresh_from_db()
    assert role.kind == "organiser"
    team(boss, store, do="remove", role=role.pk)
    assert not Role.objects.filter(pk=role.pk).exists()


def test_a_store_keeps_an_owner(store: Store, boss: Client, owner: User) -> None:
    role = Role.objects.get(store=store, user=owner)
    for data in ({"do": "remove"}, {"do": "change", "kind": "judge"}):
        response = team(boss, store, role=role.pk, **data)
        assert "A store keeps at least one owner." in said(response)
    role.refresh_from_db()
    assert role.kind == "owner"


def test_roles_are_those_of_this_store(store: Store, boss: Client, stranger: User) -> None:
    """The owner of one store reaches nobody of another."""
    theirs = Role.objects.get(user=stranger)
    for data in ({"do": "remove"}, {"do": "change", "kind": "owner"}):
        assert team(boss, store, role=theirs.pk, **data).status_code == 404
    theirs.refresh_from_db()
    assert theirs.kind == "organiser"
    assert team(boss, store, do="explode").status_code == 404
    assert "Choose one of the roles" in said(team(boss, store, do="change", kind="king", role=own(store).pk))


def own(store: Store) -> Role:
    return Role.objects.filter(store=store).latest("pk")
