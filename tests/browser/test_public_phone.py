"""A phone in a shop with bad reception: two taps, no connection, connection again (UX, Player; CASES 96)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from tests.browser.conftest import PHONE, House

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
STAGE = """
from importlib import import_module
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from tests import make
from players.models import Player, User
from tournaments.models import Event, Store
store = Store.objects.filter(slug="la-guarida").first() or make.make_store(slug="la-guarida")
event = make.make_event(store, slug="{slug}", name="Jueves {slug}", rounds=2)
for name in ("Ana Peral", "Bruno Tapir", "Clara Tardón", "Darío Cedrón"):
    user = User.objects.create_user(f"{{name.split()[0]}}-{slug}@example.test")
    make.enrol(event, Player.objects.create(user=user, name=name, province="ES-TE"))
ana = User.objects.get(email__startswith="Ana-{slug}")
session = import_module(settings.SESSION_ENGINE).SessionStore()
session[SESSION_KEY], session[HASH_SESSION_KEY] = str(ana.pk), ana.get_session_auth_hash()
session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
session.create()
print(session.session_key)
"""


@dataclass(frozen=True)
class Night:
    """Ana's phone, and what happens in the shop meanwhile."""

    house: House
    slug: str
    page: "Page"

    def meanwhile(self, code: str) -> str:
        imports = "from tests import make\nfrom tournaments.models import Event"
        start = f'{imports}\nevent = Event.objects.get(slug="{self.slug}")'
        return self.house.manage("shell", "--no-imports", "-c", f"{start}\n{code}")

    def state(self) -> str:
        """State of table 1 and how often something was said about it."""
        return self.meanwhile("match = make.table(event, 1); print(match.state, match.revisions.count())")

    def open(self) -> "Page":
        self.page.goto(f"/eventos/{self.slug}/mi-mesa/")
        return self.page

    def look(self) -> None:
        """As the poll does it every few seconds, at once."""
        self.page.evaluate("htmx.trigger(document.body, 'moved')")


@pytest.fixture
def night(house: House, browser: "Browser") -> Iterator[Night]:
    """A browser of its own: here the console may complain of the connection, but no script may fail."""
    slug = f"tel-{uuid4().hex[:8]}"
    key = house.manage("shell", "--no-imports", "-c", STAGE.format(slug=slug)).splitlines()[-1]
    context = browser.new_context(viewport=PHONE, locale="en-GB", base_url=house.url)
    context.add_cookies([{"name": "sessionid", "value": key, "url": house.url}])
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    yield Night(house, slug, page)
    context.close()
    assert faults == []


def seat(night: Night) -> None:
    night.meanwhile("make.seat_by_hand(event, (1, 2), (3, 4))")


def test_the_table_appears_by_itself_and_two_taps_report(night: Night) -> None:
    page = night.open()
    page.wait_for_selector("text=Your table will appear here")
    seat(night)
    night.look()
    page.wait_for_selector("text=Bruno Tapir")
    page.click("label:has-text('Ascension')")
    page.click("text=Send: I won by Ascension")
    page.wait_for_selector("text=Now it is up to Bruno Tapir")
    assert night.state() == "claimed 1"


def test_a_choice_outlives_the_others_reports(night: Night) -> None:
    seat(night)
    page = night.open()
    page.click("label:has-text('Annihilation')")
    night.meanwhile('make.report(make.table(event, 2), "1")')
    with page.expect_response(lambda answer: answer.url.endswith("/mi-mesa/")) as answer:
        night.look()
    assert answer.value.status == 304
    assert page.locator("input[value=aniquilacion]").is_checked()


def lose_connection(page: "Page") -> Callable[[], None]:
    """Every report is lost on the way, until the function that it returns is called."""
    page.route("**/resultado/", lambda route: route.fulfill(status=503, body=""))
    return lambda: page.unroute("**/resultado/")


def test_a_report_that_does_not_get_through_is_kept_and_sent_once(night: Night) -> None:
    seat(night)
    page = night.open()
    assert not page.locator("[data-waiting]").is_visible()
    restore = lose_connection(page)
    page.click("label:has-text('Ascension')")
    page.click("text=Send: I won by Ascension")
    page.wait_for_selector("text=Kept on this phone, not sent yet")
    assert page.locator("[data-count]").inner_text() == "1"
    page.click("text=Try now")
    assert page.locator("[data-count]").inner_text() == "1"
    assert night.state() == "open 0"
    restore()
    page.click("text=Try now")
    page.wait_for_selector("text=Now it is up to Bruno Tapir")
    page.wait_for_selector("[data-waiting]", state="hidden")
    assert night.state() == "claimed 1"


def test_a_kept_report_survives_the_page(night: Night) -> None:
    seat(night)
    page = night.open()
    restore = lose_connection(page)
    page.click("text=I lost")
    page.wait_for_selector("text=Kept on this phone, not sent yet")
    restore()
    page.reload()
    page.wait_for_selector("text=Now it is up to Bruno Tapir")
    assert night.state() == "claimed 1"


def header(page: "Page") -> str:
    return " ".join(page.inner_text(".top .where").split())


def test_the_header_and_the_title_follow_the_round(night: Night) -> None:
    seat(night)
    page = night.open()
    assert "Round 1 of 2" in header(page)
    night.meanwhile("make.finish_tables(event); make.seat_by_hand(event, (3, 4), (1, 2))")
    night.look()
    page.wait_for_selector(".top .where:has-text('Round 2 of 2')")
    page.wait_for_function("document.title.startsWith('Table 2')")


def come_in(night: Night, name: str) -> None:
    imports = "from tournaments.services import registrations\nfrom tournaments.services.journal import SYSTEM"
    night.meanwhile(f'{imports}\nregistrations.add_guests(event, ["{name}"], by=SYSTEM)')


def test_the_page_of_the_event_follows_the_night_without_reloading(night: Night) -> None:
    page = night.page
    page.goto(f"/eventos/{night.slug}/")
    page.evaluate("window.opened = true")
    come_in(night, "Elena Jaramago")
    page.wait_for_selector("#inscritos:has-text('Elena J.')", timeout=8000)  # the pulse itself, once
    assert page.locator("#inscritos li.me").inner_text().split() == ["Ana", "Peral", "you"]
    night.meanwhile("make.pair_and_publish(event)")
    night.look()
    page.wait_for_selector("h1:has-text('Round 1, 2 tables to go')")
    assert page.locator(".top nav").inner_text().split() == ["The", "event", "My", "table", "Tables", "Standings"]
    night.meanwhile("make.finish_tables(event); make.pair_and_publish(event)")
    night.look()
    page.wait_for_selector("h1:has-text('Round 2, 2 tables to go')")
    assert page.locator(".steps [aria-current]").inner_text() == "R2"
    assert page.evaluate("window.opened")


def test_what_a_guest_is_writing_outlives_the_names_that_come_in(night: Night) -> None:
    page = night.page
    page.context.clear_cookies()
    page.goto(f"/eventos/{night.slug}/")
    page.fill("#apuntarme [name=name]", "Fausto Gr")
    come_in(night, "Elena Jaramago")
    night.look()
    page.wait_for_selector("#inscritos:has-text('Elena J.')")
    page.keyboard.type("ana")
    assert page.input_value("#apuntarme [name=name]") == "Fausto Grana"


def test_a_refusal_is_read_wherever_the_page_stands(night: Night) -> None:
    seat(night)
    page = night.open()
    night.meanwhile('make.report(make.table(event, 1), "1")')
    page.evaluate("scrollTo(0, 400)")
    page.click("text=I lost")
    page.wait_for_selector(".toast.danger")
    page.wait_for_timeout(100)
    top = page.evaluate("document.querySelector('.toast').getBoundingClientRect().top")
    assert 0 <= top < 844
