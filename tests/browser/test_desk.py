"""The console at a desk: an organiser types results at once, and nothing takes the keys away (UX, Organiser)."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.conftest import LAPTOP, PHONE, House

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
Open = Callable[..., "Page"]
Meanwhile = Callable[[str], str]
STAGE = """
from django.test import Client
from tests import make
store = make.make_store(slug="la-mesa")
for number in range(11):
    make.make_event(store, players=8, rounds=3, published=1, slug=f"mesa-{number}")
client = Client()
client.force_login(make.make_staff(store))
print(client.cookies["sessionid"].value)
"""
PRESSED_MEANWHILE = """
document.addEventListener("htmx:afterRequest", () => document.getElementById("walk-in-names").focus(),
                          { capture: true, once: true })
"""


@pytest.fixture(scope="module")
def stage(house: House) -> tuple[str, list[str]]:
    """An organiser's session, and the events of which each test takes one."""
    key = house.manage("shell", "--no-imports", "-c", STAGE).splitlines()[-1]
    return key, [f"mesa-{number}" for number in range(11)]


@pytest.fixture
def event(stage: tuple[str, list[str]]) -> str:
    return stage[1].pop()


@pytest.fixture
def meanwhile(house: House, event: str) -> Meanwhile:
    """What somebody else does in the shop."""

    def do(code: str) -> str:
        imports = "from tests import make\nfrom tournaments.models import Event"
        start = f'{imports}\nevent = Event.objects.get(slug="{event}")'
        return house.manage("shell", "--no-imports", "-c", f"{start}\n{code}")

    return do


@pytest.fixture
def console(browser: "Browser", house: House, stage: tuple[str, list[str]], event: str) -> Iterator[Open]:
    """The console of an event in round 1, opened by its organiser."""
    contexts = []
    cookie = {"name": "sessionid", "value": stage[0], "url": house.url}

    def open_console(size: dict[str, int], **options: Any) -> "Page":
        context = browser.new_context(viewport=size, locale="en-GB", base_url=house.url, **options)
        contexts.append(context)
        context.add_cookies([cookie])
        page = context.new_page()
        page.goto(f"/eventos/{event}/consola/")
        page.wait_for_timeout(200)
        return page

    yield open_console
    for context in contexts:
        context.close()


def at(page: "Page") -> str:
    return str(page.evaluate("document.activeElement.id || document.activeElement.tagName"))


def poll(page: "Page", part: str = "tables") -> None:
    """As the console asks by itself, at once."""
    with page.expect_response(lambda answer: "version=" in answer.url):
        page.evaluate("htmx.trigger(document.body, 'refresh')")
    page.wait_for_timeout(200)


def test_the_keys_go_to_the_table_at_a_desk_and_nowhere_on_a_phone(console: Open) -> None:
    assert at(console(LAPTOP)) == "entry-table"
    assert at(console(PHONE, has_touch=True, is_mobile=True)) == "BODY"
    assert at(console({"width": 1180, "height": 820}, has_touch=True, is_mobile=True)) == "BODY"  # a tablet


def test_three_keys_and_enter_send_a_result_and_the_next_begins(console: Open, meanwhile: Meanwhile) -> None:
    page = console(LAPTOP)
    page.keyboard.type("11")
    page.keyboard.press("Enter")
    page.wait_for_selector("#tables summary:has-text('1 table finished')")
    page.wait_for_timeout(100)
    assert at(page) == "entry-table"
    assert meanwhile("print(make.table(event, 1).state)") == "done"


def test_what_a_poll_brings_leaves_the_keys_where_they_are(console: Open, meanwhile: Meanwhile) -> None:
    page = console(LAPTOP)
    page.focus("#walk-in-names")
    meanwhile('make.report(make.table(event, 1), "1")')
    poll(page)
    page.wait_for_selector("#tables summary:has-text('1 table finished')")
    assert at(page) == "walk-in-names"
    page.evaluate("document.activeElement.blur()")
    meanwhile('make.report(make.table(event, 2), "1")')
    poll(page)
    page.wait_for_selector("#tables summary:has-text('2 tables finished')")
    assert at(page) == "BODY"


def test_a_screen_that_somebody_else_moved_on_takes_no_focus(console: Open, meanwhile: Meanwhile) -> None:
    page = console(LAPTOP)
    page.evaluate("document.activeElement.blur()")
    meanwhile("make.finish_tables(event); make.pair(event)")
    poll(page)
    page.wait_for_selector("#console[data-mode=draft]")
    meanwhile("make.publish(event)")
    poll(page)
    page.wait_for_selector("#console[data-mode=tables]")
    assert at(page) == "BODY"


def test_who_has_gone_on_to_another_field_keeps_it(console: Open) -> None:
    page = console(LAPTOP)
    page.keyboard.type("11")
    page.evaluate(PRESSED_MEANWHILE)
    page.keyboard.press("Enter")
    page.wait_for_selector("#tables summary:has-text('1 table finished')")
    page.wait_for_timeout(100)
    assert at(page) == "walk-in-names"


COVERS = """() => {
  const box = (element) => element.getBoundingClientRect();
  const [toast, bar] = [box(document.querySelector(".toast")), box(document.querySelector("body > .next"))];
  const apart = (a, b) => a.bottom <= b.top || a.top >= b.bottom || a.right <= b.left || a.left >= b.right;
  const buttons = [...document.querySelectorAll("body > .next :is(button, a)")];
  const clear = buttons.every((button) => apart(toast, box(button)));
  return { above: bar.top - toast.top, apart: clear, count: buttons.length };
}"""


@pytest.mark.parametrize(
    "size",
    [PHONE, LAPTOP, {"width": 800, "height": 1100}, {"width": 1920, "height": 1080}],
    ids=["phone", "laptop", "tablet", "wide"],
)
def test_a_message_stands_in_the_bar_and_covers_no_button(console: Open, size: dict[str, int]) -> None:
    page = console(size)
    page.evaluate("htmx.ajax('POST', '/no-existe/', {target: '#main'}).catch(() => 0)")
    page.wait_for_selector(".toast")
    covers = page.evaluate(COVERS)
    assert covers["above"] <= 1
    assert covers["count"] == 1
    assert covers["apart"]


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_the_longest_word_of_the_bar_stays_on_one_line(console: Open, size: dict[str, int]) -> None:
    page = console(size)
    height = page.evaluate("""() => {
      const button = document.querySelector("body > .next .btn");
      button.lastChild.textContent = " Repetir la semana que viene";
      return button.getBoundingClientRect().height;
    }""")
    assert height <= 54
