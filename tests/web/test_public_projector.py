"""The wall of the shop (UX, Organiser; cases 15, 70, 97)."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.test import Client

from tests import make
from tournaments.models import Event
from tournaments.services import rounds
from tournaments.services.journal import SYSTEM

pytestmark = pytest.mark.django_db
PART = {"HX-Request": "true", "HX-Target": "pared"}


@pytest.fixture(autouse=True)
def stage(game: object) -> None:
    """The games are loaded."""


def wall(client: Client, event: Event, query: str = "", **headers: str) -> str:
    return client.get(f"/eventos/{event.slug}/proyector/{query}", headers=headers).content.decode()


def entries(page: str) -> list[str]:
    body = re.search(r'<ol class="seats">(.*?)</ol>', page, re.S)
    assert body
    return [" ".join(re.sub(r"<[^>]+>", " ", li).split()) for li in re.findall(r"<li>(.*?)</li>", body[1], re.S)]


def test_names_in_spanish_order_each_with_table_and_rival(visitor: Client) -> None:
    event = make.make_event(rounds=2)
    for name in ("Zoe", "Ñusta", "Nuria", "Íñigo", "Ángel"):
        make.enrol(event, make.make_player(name))
    make.seat_by_hand(event, (1, 2), (3, 4), (5,))
    assert entries(wall(visitor, event)) == [
        "– Ángel bye",
        "2 Íñigo against Nuria",
        "2 Nuria against Íñigo",
        "1 Ñusta against Zoe",
        "1 Zoe against Ñusta",
    ]


def test_before_the_first_round_it_invites(visitor: Client) -> None:
    event = make.make_event(players=3, capacity=8)
    page = wall(visitor, event)
    assert "5 places left" in page
    assert "Sign up with your phone" in page
    assert len(entries(page)) == 3
    assert "Nobody is in yet" in wall(visitor, make.make_event())


def test_a_draft_round_never_reaches_the_wall(visitor: Client) -> None:
    event = make.make_event(players=4, rounds=2, published=1)
    make.finish_tables(event)
    before = wall(visitor, event)
    make.pair(event)
    after = wall(visitor, event)
    assert entries(after) == entries(before)
    assert "R2" in after  # the step is planned, not reached
    assert not re.search(r'aria-current="step">R2', after)


@time_machine.travel(make.NOON + timedelta(minutes=17, seconds=13), tick=False)
def test_the_clock_and_the_time_at_which_it_ends(visitor: Client) -> None:
    event = make.make_event(players=4, rounds=2, published=1)
    rounds.clock(event, 1, by=SYSTEM, op="start", at=make.NOON)
    page = wall(visitor, event)
    assert "12:47" in page
    assert "ends at 19:00" in page  # 18:00 in UTC, 19:00 in Teruel in March


def test_the_end_shows_the_places(visitor: Client) -> None:
    event = make.make_finished_event(players=4, rounds=1)
    page = wall(visitor, event)
    assert entries(page)[0].startswith("1 ")
    assert "data-clock" not in page


def test_a_crowd_takes_turns(visitor: Client) -> None:
    event = make.make_big_event(240, rounds=0)
    page = wall(visitor, event)
    assert "1/3" in page
    seen = entries(page)
    for number in (2, 3):
        assert f'hx-get="/eventos/{event.slug}/proyector/?pagina={number}"' in page
        page = wall(visitor, event, f"?pagina={number}", **PART)
        seen += entries(page)
    assert 'proyector/?pagina=1"' in page
    assert len(seen) == 240


def test_it_needs_no_account_and_no_scripts_inline(visitor: Client) -> None:
    answer = visitor.get(f"/eventos/{make.make_event(players=4, rounds=2, published=1).slug}/proyector/")
    page = answer.content.decode()
    assert "sessionid" not in answer.cookies
    assert not re.search(r"\sstyle=|<style|\son\w+=|<script(?![^>]*src=)", page)


def test_the_code_leads_to_where_a_phone_is_of_use(visitor: Client) -> None:
    """What the QR says can be read back from its modules only by a reader; its address is that of the page."""
    from tournaments.web.qr import qr

    event = make.make_event(players=4, rounds=2, published=1)
    assert qr(f"http://testserver/eventos/{event.slug}/mi-mesa/") in wall(visitor, event)
    assert qr(f"http://testserver/eventos/{event.slug}/apuntarme/") not in wall(visitor, event)
