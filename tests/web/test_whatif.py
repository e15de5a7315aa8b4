"""The what-if on its page, the console and a player's phone: who may see it, what it says, what it costs."""

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import translation

from players.models import User
from tests import make
from tests.web.conftest import account_in
from tournaments.models import Event, LogEntry
from tournaments.queries import sheet
from tournaments.services import chances, events
from tournaments.services.journal import SYSTEM

pytestmark = pytest.mark.django_db
MY_CARD = {"HX-Request": "true", "HX-Target": "cuentas"}
PANEL = {"HX-Request": "true", "HX-Target": "cuentas-consola"}


@pytest.fixture(autouse=True)
def stage(game: object) -> None:
    """The games are loaded."""


@pytest.fixture
def last_round(store) -> Event:
    """Eight players in the last of three rounds, with a Top 3: 1 and 2 have six points, 3 to 6 three, 7 and 8 none.

    In play: 1-2, 3-5, 4-6 and 7-8.
    """
    return played(store)


def played(store, **fields: object) -> Event:
    event = make.make_event(store, rounds=3, cut=3, players=8, **fields)
    make.seat_by_hand(event, (1, 8), (2, 7), (3, 6), (5, 4))
    make.finish_tables(event, "1", "1", "1", "1")
    make.seat_by_hand(event, (1, 5), (2, 3), (4, 8), (6, 7))
    make.finish_tables(event, "1", "1", "1", "1")
    make.seat_by_hand(event, (1, 2), (3, 5), (4, 6), (7, 8))
    event.refresh_from_db()
    return event


def words(answer) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def page(client: Client, event: Event, query: str = "", **headers: str):
    return client.get(f"/eventos/{event.slug}/cuentas/{query}", headers=headers)


def name(event: Event, order: int) -> str:
    return make.registration(event, order).player.shown


def code(event: Event, order: int) -> str:
    return make.registration(event, order).player.code


# -- what it says ------------------------------------------------------------------------------------------------------
def test_staff_see_everybodys_chances_and_how_they_are_worked_out(
    last_round: Event, organiser: User, as_user: Callable
) -> None:
    said = words(page(as_user(organiser), last_round))
    assert "Who reaches the Top 3" in said
    assert "Counted: the 4 open tables can end in 81 ways." in said
    assert "one table in ten to end in a draw" in said
    assert f"{name(last_round, 1)} 6 sure sure 100 % 100 % 1–4" in said  # in every way counted, yet not for certain
    assert re.search(rf"{name(last_round, 3)} 3 100 % \d % out \d\d % 2–7", said)
    assert f"{name(last_round, 8)} 0 out out out out 5–8" in said


def test_a_draw_that_is_enough_says_who_could_pass(last_round: Event, organiser: User, as_user: Callable) -> None:
    said = words(page(as_user(organiser), last_round, f"?jugador={code(last_round, 1)}"))
    assert f"6 points, playing against {name(last_round, 2)}" in said
    assert "Is a draw enough? Yes, for certain. A draw makes 7 points." in said
    assert f"Only {name(last_round, 2)} can reach that, and 3 go on." in said


def test_a_draw_that_is_not_enough_says_who_ends_above(last_round: Event, organiser: User, as_user: Callable) -> None:
    said = words(page(as_user(organiser), last_round, f"?jugador={code(last_round, 8)}"))
    assert "With a draw" in said
    assert "Is a draw enough? No." in said
    assert "A draw makes 1 point." in said
    for order in range(1, 7):
        assert name(last_round, order) in said.split("A draw makes 1 point.")[1].split(" end above that")[0]
    assert "end above that, whatever happens, and 3 go on." in said


def test_an_open_draw_gives_its_number_and_whom_it_depends_on(
    last_round: Event, organiser: User, as_user: Callable
) -> None:
    said = words(page(as_user(organiser), last_round, f"?jugador={code(last_round, 3)}"))
    assert re.search(r"Is a draw enough\? (Very likely|More likely than not|Rather not|Yes, in each|No, in none)", said)
    assert "A draw makes 4 points." in said
    assert "can still reach or pass that (" in said
    assert "With 6 points at the end it is certain." not in said


def test_it_speaks_spanish(last_round: Event, organiser: User, as_user: Callable) -> None:
    client = as_user(organiser)
    said = words(page(client, last_round, f"?jugador={code(last_round, 1)}", **{"accept-language": "es"}))
    assert "¿Basta con un empate?" in said
    assert "Sí, seguro." in said
    assert f"Solo {name(last_round, 2)} puede llegar a eso, y pasan 3." in said


def test_before_the_last_two_rounds_the_page_says_so(store, organiser: User, as_user: Callable) -> None:
    event = make.make_event(store, rounds=4, cut=2, players=6, published=1)
    client = as_user(organiser)
    assert "It is too early" in words(page(client, event))
    assert "cuentas/" not in client.get(f"/eventos/{event.slug}/consola/").content.decode()


def test_a_round_robin_is_worked_out_in_its_last_round(store, organiser: User, as_user: Callable) -> None:
    """Who meets whom in it is fixed from the start, so a drawn pairing would be wrong."""
    event = make.make_event(store, rounds=3, cut=2, players=4, format=Event.Format.ROUND_ROBIN)
    client, said = as_user(organiser), []
    for tables in ([(1, 2), (3, 4)], [(1, 3), (2, 4)], [(1, 4), (2, 3)]):
        make.seat_by_hand(event, *tables)
        said.append("In a round robin this is worked out in the last round." in words(page(client, event)))
        make.finish_tables(event)
    assert said == [True, True, False]


def test_without_a_cut_there_is_nothing_to_reckon(store, organiser: User, as_user: Callable) -> None:
    event = make.make_event(store, rounds=1, players=6, published=1)
    assert "This event has no cut." in words(page(as_user(organiser), event))


# -- who sees it -------------------------------------------------------------------------------------------------------
def test_players_do_not_see_it_until_staff_say_so(last_round: Event, visitor: Client, as_user: Callable) -> None:
    user = account_of(last_round, 1)
    client, phone = as_user(user), f"/eventos/{last_round.slug}/mi-mesa/"
    assert page(visitor, last_round).status_code == 404
    assert page(client, last_round, **MY_CARD).status_code == 404
    assert "cuentas" not in client.get(phone).content.decode()
    events.edit(last_round, by=SYSTEM, show_chances=True)
    assert page(visitor, last_round).status_code == 200
    assert f'hx-get="/eventos/{last_round.slug}/cuentas/"' in client.get(phone).content.decode()
    said = words(page(client, last_round, **MY_CARD))
    assert "Do I reach the cut?" in said
    assert "Yes, for certain." in said
    assert "<html" not in page(client, last_round, **MY_CARD).content.decode()


def account_of(event: Event, order: int) -> User:
    player = make.registration(event, order).player
    player.user = make.make_user()
    player.save()
    return player.user


def test_the_phone_offers_it_in_the_last_two_rounds_only(store, as_user: Callable) -> None:
    event = make.make_event(store, rounds=3, cut=2, show_chances=True)
    _row, user = account_in(event, "Ana Peral")
    for name in "BCDEF":
        make.enrol(event, name)
    client = as_user(user)
    shown = []
    for tables in ([(1, 2), (3, 4), (5, 6)], [(1, 3), (2, 5), (4, 6)], [(1, 4), (2, 6), (3, 5)]):
        make.seat_by_hand(event, *tables)
        shown.append("cuentas/" in client.get(f"/eventos/{event.slug}/mi-mesa/").content.decode())
        make.finish_tables(event)
    assert shown == [False, True, True]


def test_the_button_is_an_entry_of_the_log_that_can_be_undone(
    last_round: Event, organiser: User, judge: User, as_user: Callable
) -> None:
    address = f"/eventos/{last_round.slug}/cuentas/ver/"
    assert as_user(judge).post(address, {"show": "1"}).status_code == 403
    client = as_user(organiser)
    assert "Only staff see it." in words(page(client, last_round))
    answer = client.post(address, {"show": "1", "next": f"/eventos/{last_round.slug}/cuentas/"}, follow=True)
    assert "Players see it, on their own page." in words(answer)
    last_round.refresh_from_db()
    assert last_round.show_chances
    assert LogEntry.objects.filter(event=last_round).first().action == "event.edit"  # type: ignore[union-attr]
    client.post(f"/eventos/{last_round.slug}/deshacer/", {"number": last_round.version})
    last_round.refresh_from_db()
    assert not last_round.show_chances


def test_the_settings_have_it_too(last_round: Event, organiser: User, as_user: Callable) -> None:
    assert 'name="show_chances"' in as_user(organiser).get(f"/eventos/{last_round.slug}/ajustes/").content.decode()


# -- console -----------------------------------------------------------------------------------------------------------
def test_the_console_offers_it_and_fetches_a_summary(last_round: Event, organiser: User, as_user: Callable) -> None:
    client = as_user(organiser)
    assert (
        f'href="/eventos/{last_round.slug}/cuentas/"'
        in client.get(f"/eventos/{last_round.slug}/consola/").content.decode()
    )
    said = words(page(client, last_round, **PANEL))
    assert re.search(r"In for certain 0 Still open .* and .* 6 Out for certain 2 Counted: the 4 open tables", said)


# -- cost --------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("players", [12, 226])
def test_the_page_and_the_card_cost_at_most_twelve_queries(
    players: int, store, as_user: Callable, queries: Callable
) -> None:
    event = make.make_big_event(players, rounds=2, store=store, cut_size=8, show_chances=True)
    Event.objects.filter(pk=event.pk).update(rounds_planned=3)
    user = account_of(event, 1)
    client = as_user(user)
    with queries(12):
        assert page(client, event).status_code == 200
    with queries(4):
        assert page(client, event, **MY_CARD).status_code == 200


def test_it_is_worked_out_once_for_each_version(last_round: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    first = chances.outlook_of(sheet(last_round))
    assert chances.outlook_of(sheet(last_round)) == first
    make.report(make.table(last_round, 4), "1")
    last_round.refresh_from_db()
    assert chances.outlook_of(sheet(last_round)).open_tables == 3


def test_a_draft_of_the_last_round_is_nobodys_business(store, organiser: User, as_user: Callable) -> None:
    """Rule 4.5: what is reckoned is what players see."""
    event = make.make_event(store, rounds=3, cut=2, players=6, published=2)
    make.finish_tables(event)
    make.pair(event)
    with translation.override("en"):
        said = words(page(as_user(organiser), event))
    assert "One round to play after this one." in said
    assert "Simulated 10,000 times" in said
