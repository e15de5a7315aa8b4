"""A deck on a phone: pasted, mended by tapping, registered; what was handed in stays; a judge checks it; nobody else
sees it (UX, Player: five taps; CASES 75-77, 87, 88)."""

import re
from collections.abc import Callable
from contextlib import closing
from http.client import HTTPConnection
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import LAPTOP, PHONE, House

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
Open = Callable[..., "Page"]
STAGE = """
from django.test import Client
from players.models import Player, User
from tests import lists, make
event = make.make_event(make.make_store(slug="la-baraja"), slug="con-mazo", decks="required", rounds=2)
keys = []
for name in ("Ana Peral", "Bruno Tapir"):
    player = make.make_player(name)
    make.enrol(event, player)
    client = Client()
    client.force_login(player.user)
    keys.append(client.cookies["sessionid"].value)
client = Client()
client.force_login(make.make_staff(event.store, "judge"))
print(*keys, client.cookies["sessionid"].value)
"""


def as_who(page: "Page", house: House, key: str) -> "Page":
    page.context.add_cookies([{"name": "sessionid", "value": key, "url": house.url}])
    return page


def misspelt() -> str:
    """A legal list of forty cards with three names written wrong."""
    from tests.core.decks.lists import legal_deck

    lines = [f"{copies} {name}" for name, copies in legal_deck("fuego").items()]
    for place in (1, 4, 7):
        count, name = lines[place].split(" ", 1)
        lines[place] = f"{count} {name[:-2]}{name[-1]}x"
    return "\n".join(lines)


def test_five_taps_after_the_paste(house: House, open_browser: Open) -> None:
    ana, bruno, judge = house.manage("shell", "--no-imports", "-c", STAGE).splitlines()[-1].split()
    page, taps = as_who(open_browser(PHONE, has_touch=True), house, ana), 0
    page.goto("/eventos/con-mazo/mi-mazo/")
    page.fill("#text", misspelt())
    page.wait_for_selector("#check li:has(.fix button) >> nth=2")
    for left in (2, 1, 0):
        page.click("#check li:has(.fix button) >> nth=0 >> .fix button >> nth=0")
        taps += 1
        page.wait_for_selector(f"#check li:has(.fix button) >> nth={left}", state="detached")
    page.wait_for_selector("#check-title:has-text('Mazo legal')")
    page.click("button[name=hand_in]")
    taps += 1
    page.wait_for_selector("h1:has-text('Tu mazo está registrado')")
    assert taps <= 5

    then_the_deck_changes_and_the_copy_does_not(house, page)
    a_judge_checks_it(house, as_who(open_browser(LAPTOP), house, judge))
    nobody_else_sees_it(house, bruno)


def then_the_deck_changes_and_the_copy_does_not(house: House, page: "Page") -> None:
    """She saves the list as a deck, registers that, edits the deck: what is registered stays (case 87)."""
    from tests.core.decks.lists import legal_deck, written

    page.goto("/mazos/nuevo/")
    page.fill("#name", "Brasa lenta")
    page.fill("#text", written(legal_deck("fuego")))
    page.click("button[name=save]")
    page.wait_for_url(re.compile(r"/mazos/\d+/$"))
    deck = page.url
    page.goto("/eventos/con-mazo/mi-mazo/?cambiar")
    page.click("button[name=take] >> nth=0")
    page.wait_for_selector("#check-title:has-text('Mazo legal')")
    page.click("button[name=hand_in]")
    page.wait_for_selector("h1:has-text('Tu mazo está registrado')")
    before = page.inner_text("main section.panel >> nth=0")
    page.goto(deck)
    page.fill("#text", "4 Goblin Prestamista")
    page.click("button[name=save]")
    page.wait_for_selector("text=Versión 2 guardada")
    page.goto("/eventos/con-mazo/mi-mazo/")
    assert page.inner_text("main section.panel >> nth=0") == before


def a_judge_checks_it(house: House, page: "Page") -> None:
    code = "from tournaments.models import Registration as R; print(R.objects.get(player__name='Ana Peral').pk)"
    row = house.manage("shell", "--no-imports", "-c", code).splitlines()[-1]
    page.goto(f"/eventos/con-mazo/inscripciones/{row}/mazo/")
    assert "Goblin" in page.inner_text("main")
    page.goto(f"/eventos/con-mazo/inscripciones/{row}/revision/")
    assert page.locator("main input[type=checkbox], main input[type=number]").count() > 10


def nobody_else_sees_it(house: House, key: str) -> None:
    """By no address, with another player's session."""
    host = house.url.removeprefix("http://")
    code = "from tournaments.models import Registration as R; r = R.objects.get(player__name='Ana Peral')"
    row, player = house.manage("shell", "--no-imports", "-c", f"{code}; print(r.pk, r.player.code)").split()[-2:]
    paths = [
        f"/eventos/con-mazo/mazos/{player}/", f"/eventos/con-mazo/mazos/{player}/texto/", "/eventos/con-mazo/mazos/",
        f"/eventos/con-mazo/inscripciones/{row}/mazo/", f"/eventos/con-mazo/inscripciones/{row}/revision/",
        "/mazos/1/", "/mazos/1/exportar/txt/", f"/jugadores/{player}/", "/eventos/con-mazo/",
        f"/api/v1/events/con-mazo/lists/{player}/", "/api/v1/events/con-mazo/lists/",
    ]  # fmt: skip
    for path in paths:
        with closing(HTTPConnection(host)) as connection:
            connection.request("GET", path, headers={"Cookie": f"sessionid={key}"})
            assert b"Goblin" not in connection.getresponse().read(), path
