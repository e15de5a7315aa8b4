"""The console: one screen a state, fragments for htmx, and its queries (UX, Organiser)."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from players.models import User
from tests import make
from tournaments.models import Event, Store
from tournaments.queries import sheet
from tournaments.services import events, registrations, results
from tournaments.services.journal import Actor

pytestmark = pytest.mark.django_db
LogIn = Callable[[User], Client]
Queries = Callable[[int], AbstractContextManager[None]]
HTMX = {"HX-Request": "true"}


def console(event: Event) -> str:
    return f"/eventos/{event.slug}/consola/"


def text(client: Client, url: str, **headers: str) -> str:
    response = client.get(url, headers=headers)
    assert response.status_code == 200, response.status_code
    return response.content.decode()


def say(event: Event, table: int, position: int, score: str) -> None:
    match = make.table(event, table)
    statement = results.parse_score(score, event.best_of, match.seat_list)
    seat = match.seat_list[position].registration
    results.report(match, seat, statement, by=Actor(player=seat.player))


# -- what the screen says in each state -------------------------------------------------------------------------------
def test_before_round_1_it_asks_for_players(store: Store, organiser: User, as_user: LogIn) -> None:
    event = make.make_event(store)
    page = text(as_user(organiser), console(event))
    assert "Nobody has signed up yet" in page
    assert "/apuntarme/" in page, "the QR leads to the sign-up page"
    assert "style=" not in page, "the content security policy allows no inline style"
    assert 'aria-disabled="true"' in page, "a round cannot be paired yet"


def test_a_draft_says_what_had_to_give_way(store: Store, organiser: User, as_user: LogIn) -> None:
    event = make.make_event(store, players=4, rounds=4)
    for _ in range(3):
        make.play_round(event)
    make.pair(event)  # four players, fourth round: somebody repeats (rule 4.1.3)
    page = text(as_user(organiser), console(event))
    assert "Round 4: draft" in page
    assert "What had to give way" in page
    assert "meet again" in page
    assert "/reglas/#" in page
    assert "Publish round 4" in page


def test_a_draft_names_its_bye_and_why(store: Store, organiser: User, as_user: LogIn) -> None:
    event = make.make_event(store, players=5)
    make.pair(event)
    page = text(as_user(organiser), console(event))
    assert "has the bye: nobody has fewer points." in page


def test_open_tables_come_in_order_of_need(store: Store, organiser: User, as_user: LogIn) -> None:
    event = make.make_event(store, players=8, published=1)
    say(event, 3, 0, "1")
    say(event, 4, 0, "1")
    say(event, 4, 1, "2")
    make.report(make.table(event, 2), "1")
    response = as_user(organiser).get(console(event))
    assert [table.label for table in response.context["open_tables"]] == ["4", "3", "1"]
    page = response.content.decode()
    assert "3 tables left" in page
    assert "They do not agree" in page
    claims = [[side.claim for side in table.sides] for table in response.context["open_tables"]]
    assert claims == [["says: won", "says: won"], ["says: won", ""], ["", ""]]
    assert ">Accept</button>" in page
    assert "1 table finished" in page


def test_a_complete_round_offers_the_next(store: Store, organiser: User, as_user: LogIn) -> None:
    event = make.make_event(store, players=4, rounds=3, published=1)
    make.finish_tables(event)
    page = text(as_user(organiser), console(event))
    assert "Round 1 is complete" in page
    assert "Pair round 2" in page


def test_a_finished_event_shows_its_places_and_can_be_reopened(store: Store, organiser: User, as_user: LogIn) -> None:
    event = make.make_finished_event(store, players=4)
    page = text(as_user(organiser), console(event))
    assert f"{event.name} is finished" in page
    assert "Final places" in page
    assert "Reopen for corrections" in page


def test_an_earlier_round_leads_to_corrections(store: Store, organiser: User, as_user: LogIn) -> None:
    event = make.make_event(store, players=4, published=2)
    page = text(as_user(organiser), console(event) + "?ronda=1")
    assert "Round 1, already played" in page
    match = sheet(event).matches(sheet(event).round(1))[0]
    assert f"/mesas/{match.pk}/corregir/?score=2" in page


@pytest.mark.parametrize("asked", ["99", "0", "-1", "uno", ""])
def test_a_round_that_does_not_exist_shows_the_newest(
    asked: str, store: Store, organiser: User, as_user: LogIn
) -> None:
    event = make.make_event(store, players=4, published=1)
    assert "2 tables left" in text(as_user(organiser), console(event) + f"?ronda={asked}")


# -- who sees which buttons -------------------------------------------------------------------------------------------
def test_a_scorekeeper_gets_results_and_nothing_else(store: Store, scorekeeper: User, as_user: LogIn) -> None:
    event = make.make_event(store, players=4, published=1)
    page = text(as_user(scorekeeper), console(event))
    assert "/resultado/" in page
    for path in ("/rondas/", "/inscripciones/", "/ajustes/", "/deshacer/", "/reloj/", "/diario/", "/copia.json"):
        assert path not in page, path


def test_an_auditor_only_looks(store: Store, auditor: User, as_user: LogIn) -> None:
    event = make.make_event(store, players=4, published=1)
    page = text(as_user(auditor), console(event))
    assert 'method="post" action="/eventos/' not in page
    assert "/diario/" in page
    assert "/copia.json" in page


# -- fragments --------------------------------------------------------------------------------------------------------
def test_htmx_gets_the_part_it_asked_for(store: Store, organiser: User, as_user: LogIn) -> None:
    event = make.make_event(store, players=4, published=1)
    client = as_user(organiser)
    part = text(client, console(event), **HTMX, **{"HX-Target": "tables"})
    assert part.lstrip().startswith('<div id="tables"')
    for name in ("situation", "clock-box", "log", "next", "steps", "toasts"):
        assert f'id="{name}"' in part, name
    assert part.count("hx-swap-oob") >= 6
    assert "<html" not in part
    assert 'id="walk-in"' not in part, "what somebody is typing there stays"
    whole = text(client, console(event), **HTMX, **{"HX-Target": "console"})
    assert whole.lstrip().startswith('<div id="console"')


def test_the_walk_in_box_comes_back_empty_after_it_was_used(store: Store, organiser: User, as_user: LogIn) -> None:
    event = make.make_event(store, players=4)
    headers = {**HTMX, "HX-Target": "roster-list", "HX-Trigger": "walk-in"}
    part = text(as_user(organiser), console(event), **headers)
    assert part.lstrip().startswith('<div id="roster-list"')
    assert 'id="walk-in"' in part


def test_a_poll_of_an_unchanged_event_is_empty(store: Store, organiser: User, as_user: LogIn, queries: Queries) -> None:
    event = make.make_event(store, players=4, published=1)
    client = as_user(organiser)
    headers = {**HTMX, "HX-Target": "tables"}
    with queries(2):  # the event and the roles
        response = client.get(console(event) + f"?version={event.version}&mode=tables", headers=headers)
    assert response.status_code == 204
    assert response.content == b""
    seen = event.version
    say(event, 1, 0, "1")
    assert client.get(console(event) + f"?version={seen}&mode=tables", headers=headers).status_code == 200


def test_a_poll_that_finds_another_state_replaces_the_screen(store: Store, organiser: User, as_user: LogIn) -> None:
    event = make.make_event(store, players=4, rounds=3, published=1)
    make.finish_tables(event)
    make.pair(event)
    response = as_user(organiser).get(
        console(event) + "?version=1&mode=tables", headers={**HTMX, "HX-Target": "tables"}
    )
    assert response["HX-Retarget"] == "#console"
    assert b"Round 2: draft" in response.content


def test_before_round_1_the_list_asks_again_by_itself(
    store: Store, organiser: User, as_user: LogIn, queries: Queries
) -> None:
    """Who signs up by phone appears, and whoever types in the box above is left alone."""
    event = make.make_event(store, players=3)
    client, headers = as_user(organiser), {**HTMX, "HX-Target": "roster-list"}
    poll = f"{console(event)}?version={event.version}&amp;mode=setup"
    assert poll in text(client, console(event))
    with queries(2):
        assert client.get(poll.replace("&amp;", "&"), headers=headers).status_code == 204
    registrations.add_guests(event, ["Zoe Farolillo"], by=Actor(user=organiser))
    part = text(client, poll.replace("&amp;", "&"), **headers)
    assert "Zoe Farolillo" in part
    assert "4 players are in" in part
    assert 'id="walk-in"' not in part
    roster = f"/eventos/{event.slug}/inscripciones/?version={event.version}"
    assert client.get(roster, headers=headers).status_code == 204


def test_a_draft_asks_again_by_itself(store: Store, organiser: User, as_user: LogIn) -> None:
    event = make.make_event(store, players=4)
    make.pair(event)
    client, headers = as_user(organiser), {**HTMX, "HX-Target": "draft"}
    poll = f"{console(event)}?version={event.version}&mode=draft"
    assert client.get(poll, headers=headers).status_code == 204
    gone = event.registrations.first()
    assert gone is not None
    registrations.drop(gone, by=Actor(player=gone.player))
    part = text(client, poll, **headers)
    assert part.lstrip().startswith('<div id="draft"')
    assert "Pair round 1 again" in part
    assert 'id="swap-first"' not in part, "what somebody is choosing there stays"


def test_equal_names_show_their_codes_at_every_table(store: Store, organiser: User, as_user: LogIn) -> None:
    """Case 51."""
    event = make.make_event(store, players=2)
    make.enrol(event, make.make_player("Ana Farolillo"))
    twin = make.enrol(event, make.make_player("ana farolillo"))
    client = as_user(organiser)
    assert twin.player.printed_code in text(client, console(event), **HTMX, **{"HX-Target": "roster-list"})
    make.pair(event)
    assert text(client, console(event)).count(twin.player.printed_code) == 3, "at the table and in both lists to swap"
    make.publish(event)
    assert twin.player.printed_code in text(client, console(event))


def test_a_bye_is_no_finished_table(store: Store, organiser: User, as_user: LogIn) -> None:
    event = make.make_event(store, players=5, published=1)
    make.finish_tables(event)
    assert "2 tables finished" in text(as_user(organiser), console(event))


# -- the store's own clock --------------------------------------------------------------------------------------------
def test_times_are_those_of_the_store(organiser: User, administrator: User, as_user: LogIn) -> None:
    """Canary stores live an hour earlier (rule 9): the clock that ends at 18:00 there ends at 19:00 in Madrid."""
    event = make.make_event(make.make_store(province="ES-GC", time_zone="Atlantic/Canary"), players=4)
    make.pair_and_publish(event)  # NOON is 17:30 in Las Palmas, thirty minutes a round
    assert "ends at 18:00" in text(as_user(administrator), console(event))


def test_a_paused_clock_can_go_on(store: Store, organiser: User, as_user: LogIn) -> None:
    event = make.make_event(store, players=4)
    make.pair_and_publish(event, at=timezone.now() - timedelta(minutes=10))
    client = as_user(organiser)
    url = f"/eventos/{event.slug}/rondas/1/reloj/"
    client.post(url, {"op": "pause"})
    page = text(client, console(event))
    assert "paused" in page
    assert 'value="resume"' in page


# -- long lists -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("players", "choices"), [(4, []), (5, ["bye_seat"])])
def test_in_the_last_round_only_the_seat_opposite_the_bye_is_offered(
    store: Store, organiser: User, as_user: LogIn, players: int, choices: list[str]
) -> None:
    event, client = make.make_event(store, players=players, rounds=2), as_user(organiser)
    make.play_round(event)
    make.pair(event)
    address = f"/eventos/{event.slug}/consola/"
    assert [value for value, _words in client.get(address).context["late_choices"]][-2:] == ["losses", "nothing"]
    make.publish(event)
    page = client.get(address)
    assert [value for value, _words in page.context["late_choices"]] == choices
    assert (b'id="walk-in"' in page.content) is bool(choices)
    assert (b'id="walk-in"' in client.get(f"/eventos/{event.slug}/inscripciones/").content) is bool(choices)


def test_the_box_leaves_with_the_last_seat(store: Store, organiser: User, as_user: LogIn) -> None:
    event, client = make.make_event(store, players=5, rounds=1, published=1), as_user(organiser)
    headers = {"HX-Request": "true", "HX-Target": "tables", "HX-Trigger": "walk-in"}
    data = {"names": "Zoe Farolillo", "choice": "bye_seat", "next": f"/eventos/{event.slug}/consola/"}
    answer = client.post(f"/eventos/{event.slug}/inscripciones/", data, headers=headers, follow=True)
    assert b'<div id="walk-in" hidden hx-swap-oob="outerHTML"></div>' in answer.content


def test_a_late_arrival_is_asked_what_the_missed_rounds_count(store: Store, organiser: User, as_user: LogIn) -> None:
    event = make.make_event(store, players=5, published=1)
    page = text(as_user(organiser), console(event))
    assert "Takes the seat opposite the bye" in page
    even = make.make_event(store, players=4, published=1)
    page = text(as_user(organiser), console(even))
    assert "Takes the seat opposite the bye" not in page, "nobody has the bye"
    assert "Next round, with losses" in page


def test_regulars_are_offered(store: Store, organiser: User, as_user: LogIn) -> None:
    old = make.make_finished_event(store, players=4)
    new = events.repeat(old, by=Actor(user=organiser))
    client = as_user(organiser)
    assert "4 players usually come" in text(client, console(new))
    usual = [row.player.code for row in old.registrations.select_related("player")][:3]
    response = client.post(f"/eventos/{new.slug}/estado/regulars/", {"code": usual})
    assert response.status_code == 303
    assert sorted(row.player.code for row in new.registrations.select_related("player")) == sorted(usual)


def test_twins_are_shown_and_can_become_one(store: Store, organiser: User, as_user: LogIn) -> None:
    """Case 50: guest "Ana" and account "ana "."""
    event = make.make_event(store)
    account = make.enrol(event, make.make_player("Ana Farolillo"))
    registrations.add_guests(event, ["ana  FAROLILLO"], by=Actor(user=organiser))
    client = as_user(organiser)
    page = text(client, console(event))
    assert "is in the list 2 times" in page
    guest = event.registrations.exclude(pk=account.pk).get()
    client.post(f"/eventos/{event.slug}/inscripciones/{guest.pk}/unir/", {"keep": account.pk})
    assert [row.pk for row in event.registrations.all()] == [account.pk]


# -- budgets ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("players", [12, 500])
def test_the_console_asks_the_same_however_many_play(
    players: int, store: Store, organiser: User, as_user: LogIn, queries: Queries
) -> None:
    event = make.make_big_event(players, 2, store=store)
    client = as_user(organiser)
    with queries(12):
        assert client.get(console(event)).status_code == 200
    with queries(12):
        assert client.get(console(event), headers={**HTMX, "HX-Target": "tables"}).status_code == 200
