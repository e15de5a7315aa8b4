"""A player's phone, moment by moment (UX, Player; cases 34, 42, 43)."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.test import Client

from players.models import User
from tests import make
from tests.web.conftest import account_in
from tournaments.models import Event, Match, Registration
from tournaments.services import cut, registrations, results, rounds
from tournaments.services.journal import SYSTEM, Actor

pytestmark = pytest.mark.django_db
MINE = {"HX-Request": "true", "HX-Target": "mio"}


@pytest.fixture(autouse=True)
def stage(game: object) -> None:
    """The games are loaded."""


@pytest.fixture
def pair(as_user: Callable) -> tuple[Event, Client, Client]:
    """An event in which Ana and Bruno sit at table 1, and their two phones."""
    return seated(as_user)


def seated(as_user: Callable, **fields: object) -> tuple[Event, Client, Client]:
    event = make.make_event(rounds=2, **fields)
    users = [account_in(event, name)[1] for name in ("Ana Peral", "Bruno Tapir")]
    make.seat_by_hand(event, (1, 2))
    return event, as_user(users[0]), as_user(users[1])


def text(client: Client, event: Event, **headers: str) -> str:
    return client.get(f"/eventos/{event.slug}/mi-mesa/", headers=headers).content.decode()


def words(page: str) -> str:
    main = re.search(r"<main.*?</main>", page, re.S)
    return " ".join(re.sub(r"<[^>]+>", " ", main[0] if main else page).split())


def say(event: Event, order: int, winner: int, how: str = "") -> Match:
    match = make.table(event, 1)
    rows = {seat.registration.order: seat.registration for seat in match.seat_list}
    games = None if event.best_of == 1 else ((2, 0, 0) if match.left.registration.order == winner else (0, 2, 0))
    said = results.Statement(Match.Outcome.WIN, rows[winner], games, how)
    return results.report(match, rows[order], said, by=Actor(player=rows[order].player), at=event.starts_at)


def test_the_table_the_rival_and_the_form(pair: tuple[Event, Client, Client]) -> None:
    event, ana, bruno = pair
    mine, his = words(text(ana, event)), words(text(bruno, event))
    assert "TABLE 1" in mine
    assert "against Bruno Tapir" in mine
    assert "against Ana Peral" in his
    assert "I won by…" in mine


@time_machine.travel(make.NOON + timedelta(minutes=17, seconds=13), tick=False)
def test_the_clock_is_the_server_s(as_user: Callable) -> None:
    event, ana, _bruno = seated(as_user)
    rounds.clock(event, 1, by=SYSTEM, op="start", at=make.NOON)
    page = text(ana, event)
    assert "12:47" in page
    assert f'data-ends="{int((make.NOON + timedelta(minutes=30)).timestamp())}"' in page
    rounds.clock(event, 1, by=SYSTEM, op="pause", at=make.NOON + timedelta(minutes=10))
    page = text(ana, event)
    assert "paused" in page
    assert "20:00" in page
    assert "data-ends" not in page


@time_machine.travel(make.NOON + timedelta(minutes=31), tick=False)
def test_when_time_is_over_the_page_says_what_follows(as_user: Callable) -> None:
    event, ana, _bruno = seated(as_user)
    rounds.clock(event, 1, by=SYSTEM, op="start", at=make.NOON)
    assert "Time. Finish the turn in play and 5 more." in words(text(ana, event))


def test_the_points_of_both_before_the_round(as_user: Callable) -> None:
    event = make.make_event(rounds=2)
    users = [account_in(event, name)[1] for name in ("Ana", "Bruno", "Clara", "Darío")]
    make.seat_by_hand(event, (1, 2), (3, 4))
    make.finish_tables(event, "1", "x")
    make.seat_by_hand(event, (1, 3), (2, 4))
    assert "1 point; you have 3" in words(text(as_user(users[0]), event))
    make.finish_tables(event)
    assert "3 points; you have" not in words(text(as_user(users[0]), event))


def test_what_i_said_and_that_the_rival_has_to_confirm(pair: tuple[Event, Client, Client]) -> None:
    event, ana, _bruno = pair
    say(event, 1, 1, "ascension")
    mine = words(text(ana, event))
    assert "Sent. Now it is up to Bruno Tapir" in mine
    assert "You said: you won by Ascension" in mine


def test_the_rival_confirms_with_one_tap(pair: tuple[Event, Client, Client]) -> None:
    event, _ana, bruno = pair
    say(event, 1, 1, "ascension")
    page = text(bruno, event)
    assert "According to Ana Peral: you lost by Ascension" in words(page)
    form = re.search(r"<form.*?</form>", page[page.index("According to") :], re.S)
    assert form
    data = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[0]))
    bruno.post(f"/eventos/{event.slug}/mi-mesa/resultado/", data)
    match = make.table(event, 1)
    assert (match.state, match.how) == ("done", "ascension")
    assert match.winner.name == "Ana Peral"


def test_the_rival_confirms_a_best_of_three_seen_from_the_other_side(as_user: Callable) -> None:
    event, _ana, bruno = seated(as_user, best_of=3)
    match = make.table(event, 1)
    ana = next(s for s in match.seat_list if s.registration.order == 1)
    games = (2, 1, 0) if ana.position == 0 else (1, 2, 0)
    said = results.Statement(Match.Outcome.WIN, ana.registration, games, "tiempo")
    results.report(match, ana.registration, said, by=Actor(player=ana.registration.player), at=event.starts_at)
    page = text(bruno, event)
    assert "you lost on time, 1–2" in words(page)
    form = re.search(r"<form.*?</form>", page[page.index("According to") :], re.S)
    assert form
    data = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[0]))
    bruno.post(f"/eventos/{event.slug}/mi-mesa/resultado/", data)
    after = make.table(event, 1)
    assert after.state == "done"
    assert {s.registration.order: s.games for s in after.seat_list} == {1: 2, 2: 1}


def test_two_different_words_are_a_conflict_that_both_see(pair: tuple[Event, Client, Client]) -> None:
    event, ana, bruno = pair
    say(event, 1, 1)
    say(event, 2, 2)
    for phone, name in ((ana, "Bruno Tapir"), (bruno, "Ana Peral")):
        page = words(text(phone, event))
        assert "You two do not say the same" in page
        assert f"According to you: you won . According to {name}: you lost" in page


def test_the_agreed_result_and_what_is_still_missing(as_user: Callable) -> None:
    event = make.make_event(players=4, rounds=3)
    _row, user = account_in(event, "Zoe")
    make.seat_by_hand(event, (5, 1), (2, 3), (4,))
    make.report(make.table(event, 1), "1n")
    page = words(text(as_user(user), event))
    assert "You won by Annihilation" in page
    assert "3 points. 1 table still to go." in page


def test_the_bye(as_user: Callable) -> None:
    event = make.make_event(players=2, rounds=2)
    _row, user = account_in(event, "Zoe")
    make.seat_by_hand(event, (1, 2), (3,))
    page = words(text(as_user(user), event))
    assert "Bye" in page
    assert "You rest this round and take 3 points." in page
    assert 'name="match"' not in text(as_user(user), event)


def test_before_round_one_and_while_it_is_a_draft(as_user: Callable) -> None:
    event = make.make_event(players=3, rounds=2)
    _row, user = account_in(event, "Zoe")
    for _moment in range(2):
        page = words(text(as_user(user), event))
        assert "You are in 18:30" in page
        assert "4 players so far" in page
        if not event.rounds.exists():
            make.pair(event)
    rounds.publish(event, 1, by=SYSTEM, at=event.starts_at)
    assert "TABLE" in words(text(as_user(user), event))


def test_a_late_entry_has_no_table_yet(as_user: Callable) -> None:
    event = make.make_event(players=4, rounds=3, published=1)
    player = make.make_player("Zoe")
    registrations.enter_late(event, player, by=SYSTEM, choice="nothing", at=event.starts_at)
    assert "You do not play this round." in words(text(as_user(player.user), event))


def test_out_of_the_cut_and_in_it(as_user: Callable) -> None:
    event = make.make_event(rounds=1, cut=2)
    users = [account_in(event, name)[1] for name in ("Ana", "Bruno", "Clara", "Darío")]
    make.seat_by_hand(event, (1, 2), (3, 4))
    make.finish_tables(event)
    rounds.publish(event, cut.start(event, by=SYSTEM, at=event.starts_at).number, by=SYSTEM, at=event.starts_at)
    winners = {row.registration.order for row in make.table(event, 1).seat_list}
    for order, user in enumerate(users, 1):
        page = text(as_user(user), event)
        if order in winners:
            assert "I won by…" in page
            assert 'value="x"' not in page  # nothing is drawn in the cut (rule 7.2)
        else:
            assert "the cut is being played" in words(page)


def test_the_end_leads_to_the_places(as_user: Callable) -> None:
    event = make.make_event(players=3, rounds=1)
    row, user = account_in(event, "Zoe")
    make.make_finished(make.play_event(event))
    page = text(as_user(user), event)
    assert f"/eventos/{event.slug}/clasificacion/#p-{row.player.code}" in page
    assert re.search(r"You came \d(st|nd|rd|th)", words(page))


def test_whom_this_browser_does_not_know_is_helped(visitor: Client, as_user: Callable) -> None:
    event = make.make_event(players=4, published=1, rounds=2)
    page = text(visitor, event)
    assert "This browser does not know your table" in page
    assert f"/eventos/{event.slug}/emparejamientos/?orden=nombre" in page
    stranger: User = make.make_player("Óscar").user  # type: ignore[assignment]
    assert "Óscar is not in this event." in text(as_user(stranger), event)


# -- what the screen does by itself ------------------------------------------------------------------------------------
def test_the_pulse_wakes_the_page_only_when_the_event_has_moved(
    pair: tuple[Event, Client, Client], visitor: Client
) -> None:
    event, _ana, _bruno = pair
    first = visitor.get(f"/eventos/{event.slug}/pulso/")
    assert first["HX-Trigger"] == "moved"
    again = visitor.get(f"/eventos/{event.slug}/pulso/", headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304
    assert "HX-Trigger" not in again
    say(event, 1, 1)
    assert visitor.get(f"/eventos/{event.slug}/pulso/", headers={"If-None-Match": first["ETag"]}).status_code == 200


def test_what_somebody_is_choosing_stays_while_others_report(as_user: Callable) -> None:
    event = make.make_event(rounds=2)
    user = account_in(event, "Ana")[1]
    for name in ("Bruno", "Clara", "Darío"):
        account_in(event, name)
    make.seat_by_hand(event, (1, 2), (3, 4))
    ana = as_user(user)
    held = holds(text(ana, event))
    make.report(make.table(event, 2), "1")
    answer = ana.get(f"/eventos/{event.slug}/mi-mesa/", headers=MINE | {"If-None-Match": held})
    assert answer.status_code == 304
    say(event, 2, 2)
    answer = ana.get(f"/eventos/{event.slug}/mi-mesa/", headers=MINE | {"If-None-Match": held})
    assert answer.status_code == 200
    assert "According to Bruno" in answer.content.decode()


def holds(page: str) -> str:
    found = re.search(r'id="mio"[^>]*hx-headers="\{&quot;If-None-Match&quot;: &quot;(.*?)&quot;\}"', page)
    assert found
    return found[1].replace("\\&quot;", '"')


def test_the_part_that_is_swapped_brings_the_messages_with_it(pair: tuple[Event, Client, Client]) -> None:
    event, ana, _bruno = pair
    held = holds(text(ana, event))
    answer = ana.post(
        f"/eventos/{event.slug}/mi-mesa/resultado/", {"match": make.table(event, 1).pk, "score": ""}, headers=MINE
    )
    assert answer.status_code == 303
    part = ana.get(answer["Location"], headers=MINE | {"If-None-Match": held})
    assert part.status_code == 200
    assert "Choose the result before you send it." in part.content.decode()
    assert "hx-swap-oob" in part.content.decode()


# -- self-report off (case 42) -----------------------------------------------------------------------------------------
def test_where_the_organiser_enters_results_there_is_no_form_and_the_server_refuses(as_user: Callable) -> None:
    event, ana, _bruno = seated(as_user, self_report=False)
    page = text(ana, event)
    assert "The organiser enters the results" in page
    assert 'name="score"' not in page
    match = make.table(event, 1)
    ana.post(f"/eventos/{event.slug}/mi-mesa/resultado/", {"match": match.pk, "score": "1", "how": "ascension"})
    assert make.table(event, 1).state == "open"
    assert "In this event the organiser enters the results." in text(ana, event)


# -- leaving (case 34) -------------------------------------------------------------------------------------------------
def test_dropping_out_says_what_it_costs_and_asks(pair: tuple[Event, Client, Client]) -> None:
    event, ana, _bruno = pair
    page = words(ana.get(f"/eventos/{event.slug}/mi-mesa/retirarme/").content.decode())
    assert "Table 1 has no result: Bruno Tapir wins it by your no-show." in page
    assert event.registrations.get(order=1).last_round is None
    ana.post(f"/eventos/{event.slug}/mi-mesa/retirarme/")
    row = event.registrations.get(order=1)
    assert (row.status, row.last_round) == ("dropped", 1)
    assert event.log.first().by_player == row.player
    assert make.table(event, 1).outcome == "forfeit"
    assert "You have dropped out" in text(ana, event)


def test_after_the_report_dropping_out_costs_nothing(pair: tuple[Event, Client, Client]) -> None:
    event, ana, _bruno = pair
    make.report(make.table(event, 1), "1")
    assert "no-show" not in ana.get(f"/eventos/{event.slug}/mi-mesa/retirarme/").content.decode()
    ana.post(f"/eventos/{event.slug}/mi-mesa/retirarme/")
    assert make.table(event, 1).outcome == "win"


def test_a_second_tap_on_leaving_changes_nothing(pair: tuple[Event, Client, Client]) -> None:
    event, ana, _bruno = pair
    for _tap in range(2):
        assert ana.post(f"/eventos/{event.slug}/mi-mesa/retirarme/").status_code == 303
    assert event.log.filter(action="player.drop").count() == 1


def test_leaving_before_round_one_and_coming_back(as_user: Callable) -> None:
    event = make.make_event(players=2)
    row, user = account_in(event, "Zoe")
    client = as_user(user)
    client.post(f"/eventos/{event.slug}/mi-mesa/retirarme/")
    page = text(client, event)
    assert "Sign up again" in page
    client.post(f"/eventos/{event.slug}/apuntarme/", {"key": "k"})
    row.refresh_from_db()
    assert (row.status, row.last_round) == (Registration.Status.REGISTERED, None)


def test_nobody_leaves_for_another(visitor: Client, as_user: Callable, pair: tuple[Event, Client, Client]) -> None:
    event, _ana, _bruno = pair
    stranger = make.make_player("Óscar").user
    for client in (visitor, as_user(stranger)):
        assert client.post(f"/eventos/{event.slug}/mi-mesa/retirarme/").status_code == 404
    assert event.registrations.filter(last_round=None).count() == 2
