"""Sheets of paper (UX, Organiser; cases 15, 70, 97)."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from tests import make
from tournaments.models import Event

pytestmark = pytest.mark.django_db
SHEETS = ("nombres", "mesas", "resguardos", "clasificacion")


@pytest.fixture
def event(game: object) -> Event:
    event = make.make_event(rounds=3)
    for name in ("Zoe", "Ñusta", "Nuria", "Íñigo", "Ángel"):
        make.enrol(event, make.make_player(name))
    make.seat_by_hand(event, (1, 2), (3, 4), (5,))
    return event


def text(client: Client, event: Event, what: str) -> str:
    return client.get(f"/eventos/{event.slug}/imprimir/{what}").content.decode()


def test_by_name_in_spanish_order_with_its_table(visitor: Client, event: Event) -> None:
    page = text(visitor, event, "nombres/")
    found = re.findall(r'<span class="name">(.*?)</span><small>(.*?)</small></span><b class="num">(.*?)</b>', page)
    assert found == [
        ("Ángel", "bye", "–"),
        ("Íñigo", "against Nuria", "2"),
        ("Nuria", "against Íñigo", "2"),
        ("Ñusta", "against Zoe", "1"),
        ("Zoe", "against Ñusta", "1"),
    ]


def test_by_table(visitor: Client, event: Event) -> None:
    page = text(visitor, event, "mesas/")
    rows = re.findall(r"<tr><td.*?</tr>", page, re.S)
    assert [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in rows] == [
        "1 Zoe Ñusta",
        "2 Nuria Íñigo",
        "– Ángel bye",
    ]


def test_a_slip_per_table_and_none_for_the_bye(visitor: Client, event: Event) -> None:
    page = text(visitor, event, "resguardos/")
    assert page.count('<div class="head">') == 2
    assert "Ángel" not in page.split('class="slips"')[1]
    assert "Draw" in page


def test_a_slip_in_best_of_three_asks_for_the_games(visitor: Client, game: object) -> None:
    event = make.make_event(players=2, rounds=1, best_of=3, published=1)
    page = text(visitor, event, "resguardos/")
    assert page.count("<span><i></i>2</span>") == 2


def test_standings_on_paper(visitor: Client, event: Event) -> None:
    make.finish_tables(event)
    page = text(visitor, event, "clasificacion/")
    assert "Standings after round 1" in page
    assert page.count('class="rank"') == 6  # the heading and five players


def test_a_draft_is_printed_by_its_staff_only_and_says_so(visitor: Client, event: Event, as_user: Callable) -> None:
    make.finish_tables(event)
    make.pair(event)
    staff = as_user(make.make_staff(event.store))
    assert "This round is still a draft" in text(staff, event, "mesas/")
    assert "Round 1" in text(visitor, event, "mesas/")
    for what in SHEETS[:3]:
        assert visitor.get(f"/eventos/{event.slug}/imprimir/{what}/?ronda=2").status_code == 404
        assert staff.get(f"/eventos/{event.slug}/imprimir/{what}/?ronda=2").status_code == 200


def test_one_click_opens_the_printer(visitor: Client, event: Event) -> None:
    assert "data-print-now" in text(visitor, event, "mesas/?ya")
    assert "data-print-now" not in text(visitor, event, "mesas/")


@pytest.mark.parametrize("what", ["otra", "mesas2"])
def test_no_such_sheet(visitor: Client, event: Event, what: str) -> None:
    assert visitor.get(f"/eventos/{event.slug}/imprimir/{what}/").status_code == 404


def test_before_the_first_round_there_is_nothing_to_print(visitor: Client, game: object) -> None:
    event = make.make_event(players=4)
    for what in SHEETS[:3]:
        assert "Pair the round and publish it" in text(visitor, event, f"{what}/")
    assert "There are no standings yet" in text(visitor, event, "clasificacion/")
