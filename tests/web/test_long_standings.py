"""Standings of hundreds: so many places a page, found by name, and the own place from anywhere (UX, Everywhere)."""

import re

import pytest
from django.test import Client

from tests import make
from tournaments.models import Event
from tournaments.web import standings_pages

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(game: object, monkeypatch: pytest.MonkeyPatch) -> Event:
    for room in (standings_pages, __import__("tournaments.web.standings", fromlist=["LONG"])):
        monkeypatch.setattr(room, "LONG", 4)
    event = make.make_event(rounds=1)
    for name in ("Ana Inventada", "Bruno Nadie", "Clara Ficticia", "Darío Postizo", "Eva Ñandú", "Fabio Núñez"):
        make.enrol(event, make.make_player(name))
    make.seat_by_hand(event, (1, 2), (3, 4), (5, 6))
    make.finish_tables(event, "1", "1", "1")
    return event


def get(client: Client, event: Event, query: str = "") -> str:
    return client.get(f"/eventos/{event.slug}/clasificacion/{query}").content.decode()


def names(page: str) -> list[str]:
    return re.findall(r'#calculo">([^<]+)</a>', page)


def test_each_place_is_on_one_page(visitor: Client, event: Event) -> None:
    first, second = get(visitor, event), get(visitor, event, "?page=2")
    assert (len(names(first)), len(names(second))) == (4, 2)
    assert len({*names(first), *names(second)}) == 6
    assert "1–4 of 6" in first
    assert "5–6 of 6" in second
    assert names(get(visitor, event, "?page=99")) == names(second)
    assert names(get(visitor, event, "?page=x")) == names(first)


@pytest.mark.parametrize(
    ("asked", "found"),
    [("nunez", ["Fabio Núñez"]), ("NANDU", ["Eva Ñandú"]), ("inven", ["Ana Inventada"]), ("nobody at all", [])],
)
def test_a_name_is_found_whatever_its_page(visitor: Client, event: Event, asked: str, found: list[str]) -> None:
    page = get(visitor, event, f"?q={asked}")
    assert names(page) == found
    assert ("Nobody in these standings" in page) == (not found)


def test_rivals_places_count_the_whole_order(visitor: Client, event: Event) -> None:
    rows = re.findall(r"<tr id=.*?</tr>", get(visitor, event, "?q=nandu"), re.S)
    assert len(rows) == 1
    assert re.search(r">4\.º<|4th|>4<", rows[0])


def test_go_to_me_leads_to_my_page(event: Event) -> None:
    client, player = Client(), event.registrations.get(player__name="Fabio Núñez").player
    player.user = make.make_user()
    player.save()
    client.force_login(player.user)
    page = get(client, event)
    place = names(page + get(client, event, "?page=2")).index("Fabio Núñez")
    where = f"?page={place // 4 + 1}" if place >= 4 else ""
    assert f'{where}#p-{player.code}"' in page
    assert f'?page={place // 4 + 1}#p-{player.code}"' in get(client, event, "?q=ana")


def test_the_sums_of_a_player_keep_the_page(visitor: Client, event: Event) -> None:
    page = get(visitor, event, "?page=2")
    link = re.search(r'<a href="([^"]+#calculo)"', page)
    assert link
    assert "page=2&amp;jugador=" in link[1]
    answer = visitor.get(link[1].replace("&amp;", "&").split("#")[0]).content.decode()
    assert names(answer) == names(page)


def test_paper_has_everybody(visitor: Client, event: Event) -> None:
    sheet = visitor.get(f"/eventos/{event.slug}/imprimir/clasificacion/").content.decode()
    assert sheet.count('class="n pts"') == 6


def test_short_standings_have_neither_pages_nor_search(visitor: Client, event: Event, settings: object) -> None:
    small = make.make_event(players=4)
    assert 'role="search"' not in get(visitor, small)
    assert 'role="search"' in get(visitor, event)
