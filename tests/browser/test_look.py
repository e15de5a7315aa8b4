"""The look in a real browser: both themes, phone and laptop, strict CSP, small scripts, and without any script."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.test import Client

from tests import make
from tournaments.models import Registration
from tournaments.services import cut, rounds
from tournaments.services.journal import SYSTEM

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE, LAPTOP = {"width": 390, "height": 844}, {"width": 1366, "height": 768}


def open_page(browser: Any, address: str, **options: Any) -> tuple[Any, list[str]]:
    """A page, and what its console complained about: CSP refusals arrive there."""
    page = browser.new_context(locale="es-ES", **options).new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(address)
    return page, complaints


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_pages_are_accessible_and_fit(browser: Any, live_server: Any, theme: str, size: dict[str, int]) -> None:
    for address in ("/reglas/", "/cuenta/login/", "/cuenta/signup/"):
        page, complaints = open_page(browser, live_server.url + address, viewport=size, color_scheme=theme)
        broken = [(found["id"], found["nodes"][0]["html"][:120]) for found in Axe().run(page).response["violations"]]
        assert (address, broken) == (address, [])
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        assert complaints == []
        page.context.close()


@pytest.fixture
def evening(live_server: Any, client: Client) -> tuple[str, str, list[dict[str, str]]]:
    """The address of an event with a bye, a guest's link, and the session of its organiser."""
    event = make.make_event(players=5, published=1)
    row = make.enrol(event, "Ana Peral", secret="a-guest-and-nobody-else-")
    client.force_login(make.make_staff(event.store))
    session = {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}
    return f"{live_server.url}/eventos/{event.slug}/", f"{live_server.url}/i/{row.secret}/", [session]


@pytest.mark.parametrize(("theme", "size"), [("dark", PHONE), ("light", LAPTOP)], ids=["phone", "laptop"])
def test_pages_of_an_event_are_accessible_and_fit(
    browser: Any, evening: tuple[str, str, list[dict[str, str]]], theme: str, size: dict[str, int]
) -> None:
    event, link, session = evening
    row = Registration.objects.get(secret=link.split("/")[-2])
    paths = (
        "",
        "mi-mesa/",
        "emparejamientos/",
        "clasificacion/",
        "proyector/",
        "consola/",
        "inscripciones/",
        "emparejamientos/1/por-que/",
    )
    pages = [*(event + path for path in paths), f"{event}inscripciones/{row.pk}/", link]
    context = browser.new_context(locale="es-ES", viewport=size, color_scheme=theme)
    context.add_cookies(session)
    page = context.new_page()
    for address in pages:
        page.goto(address)
        broken = [(found["id"], found["nodes"][0]["html"][:120]) for found in Axe().run(page).response["violations"]]
        assert (address, broken) == (address, [])
        assert (address, page.evaluate("document.documentElement.scrollWidth")) == (address, size["width"])
    context.close()


@pytest.mark.parametrize(("theme", "size"), [("dark", PHONE), ("light", LAPTOP)], ids=["phone", "laptop"])
def test_both_brackets_of_a_cut_are_accessible_and_fit(
    browser: Any, live_server: Any, game: object, theme: str, size: dict[str, int]
) -> None:
    """Byes, open chairs, who won and who lost; on the pairings too, and on the wall."""
    event = make.make_event(players=8, rounds=1, cut=6, cut_format="double")
    make.play_round(event)
    row = cut.start(event, by=SYSTEM, at=event.starts_at)
    rounds.publish(event, row.number, by=SYSTEM, at=event.starts_at)
    make.finish_tables(event)
    row = cut.next_round(event, by=SYSTEM, at=event.starts_at)
    rounds.publish(event, row.number, by=SYSTEM, at=event.starts_at)
    page = browser.new_context(locale="es-ES", viewport=size, color_scheme=theme).new_page()
    for path in ("cuadro/", "cuadro/?pantalla", "emparejamientos/"):
        page.goto(f"{live_server.url}/eventos/{event.slug}/{path}")
        broken = [(found["id"], found["nodes"][0]["html"][:120]) for found in Axe().run(page).response["violations"]]
        assert (path, broken) == (path, [])
        assert (path, page.evaluate("document.documentElement.scrollWidth")) == (path, size["width"])
        assert page.locator(".bracket").count() == 2
    page.context.close()


@pytest.mark.parametrize(
    "size", [{"width": 1920, "height": 1080}, {"width": 1280, "height": 800}], ids=["wall", "small"]
)
def test_the_projector_gives_its_room_to_names(
    browser: Any, evening: tuple[str, str, list[dict[str, str]]], size: dict[str, int]
) -> None:
    page, _ = open_page(browser, f"{evening[0]}proyector/", viewport=size)
    heights = [page.locator(part).bounding_box()["height"] for part in (".wall header", ".wall main")]
    assert heights[0] < size["height"] / 6
    assert heights[1] > size["height"] * 3 / 5
    page.context.close()


def test_a_guest_s_link_is_copied_by_one_tap(browser: Any, evening: tuple[str, str, list[dict[str, str]]]) -> None:
    _event, link, _session = evening
    page, complaints = open_page(browser, link, viewport=PHONE, permissions=["clipboard-read", "clipboard-write"])
    page.get_by_text("Mi enlace, sin cuenta").click()
    page.click("[data-copy] button")
    page.locator("[data-copy] button:has-text('Copiado')").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == link
    assert complaints == []
    page.context.close()


def test_over_plain_http_the_old_command_copies(browser: Any, evening: tuple[str, str, list[dict[str, str]]]) -> None:
    _event, link, _session = evening
    page, _ = open_page(browser, link, viewport=PHONE)
    page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.get_by_text("Mi enlace, sin cuenta").click()
    page.click("[data-copy] button")
    page.locator("[data-copy] button:has-text('Copiado')").wait_for()
    assert page.evaluate("document.getSelection().toString()") == link
    page.context.close()


def test_without_scripts_the_link_can_be_selected(browser: Any, evening: tuple[str, str, list[dict[str, str]]]) -> None:
    _event, link, _session = evening
    page, _ = open_page(browser, link, java_script_enabled=False)
    page.get_by_text("Mi enlace, sin cuenta").click()
    assert page.input_value("[data-copy] input") == link
    assert page.locator("[data-copy] button").is_hidden()
    page.context.close()


def test_a_long_choice_ends_before_its_arrow(browser: Any, live_server: Any) -> None:
    page, _ = open_page(browser, live_server.url + "/reglas/")
    page.evaluate("document.querySelector('main').innerHTML = '<select><option>Entra</option></select>'")
    assert page.evaluate("getComputedStyle(document.querySelector('main select')).paddingInlineEnd") == "36px"
    page.context.close()


def test_signs_are_drawn_from_the_sprite(browser: Any, live_server: Any) -> None:
    page, complaints = open_page(browser, live_server.url + "/reglas/")
    assert page.evaluate("document.querySelector('.logo use').getBBox().width") > 20
    assert complaints == []
    page.context.close()


def test_chosen_theme_stays_and_comes_from_the_server(browser: Any, live_server: Any) -> None:
    page, _ = open_page(browser, live_server.url + "/reglas/", color_scheme="light")
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.click("[data-set-theme=dark]")
    page.goto(live_server.url + "/cuenta/login/")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != light
    assert page.get_attribute("[data-set-theme=dark]", "aria-pressed") == "true"
    page.click("[data-set-theme='']")
    page.reload()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == light
    page.context.close()


def test_a_write_that_fails_is_said_and_a_poll_is_not(browser: Any, live_server: Any) -> None:
    page, _ = open_page(browser, live_server.url + "/reglas/")
    page.evaluate("htmx.ajax('GET', '/no-existe/', {target: '#main'}).catch(() => 0)")
    page.wait_for_timeout(400)
    assert page.inner_text("#toasts").strip() == ""
    page.evaluate("htmx.ajax('POST', '/no-existe/', {target: '#main'}).catch(() => 0)")
    page.wait_for_selector("#toasts .toast.danger")
    assert page.locator("main h1").count() == 1  # nothing was swapped
    page.click("#toasts [data-dismiss]")
    assert page.inner_text("#toasts").strip() == ""
    page.context.close()


SCORES = [
    ("1", 1, "a", ""),
    ("2n", 1, "b", ""),
    ("X", 1, None, ""),
    ("20", 3, "a", "2-0"),
    ("12 a", 3, "b", "2-1"),
    ("11", 3, None, "1-1"),
    ("00", 3, None, "0-0"),
]


def test_the_keyboard_line_reads_scores_as_the_server_does(browser: Any, live_server: Any) -> None:
    page, _ = open_page(browser, live_server.url + "/reglas/")
    read = "([text, of]) => import('/static/js/console.mjs').then(module => module.readScore(text, of))"
    for text, best_of, winner, score in SCORES:
        assert page.evaluate(read, [text, best_of]) == {"winner": winner, "score": score}
    for text, best_of in (("", 1), ("0", 1), ("12", 1), ("22", 3), ("3", 3), ("1", 3), ("1z", 1)):
        assert page.evaluate(read, [text, best_of]) is None
    page.context.close()


def test_the_clock_counts_on_the_servers_time(browser: Any, live_server: Any) -> None:
    page, _ = open_page(browser, live_server.url + "/reglas/")
    page.evaluate(
        """() => { document.querySelector("main").innerHTML =
        '<section data-clock data-minutes="30" data-now="1000" data-ends="1302" data-soon="soon" data-over="over">'
        + '<b data-left></b><progress max="30"></progress><i data-word></i></section>'; }"""
    )
    page.get_by_text("5:00").wait_for()
    page.get_by_text("4:59").wait_for()
    assert page.inner_text("[data-word]") == "soon"
    page.evaluate("document.querySelector('[data-clock]').dataset.ends = 990")
    page.locator("[data-word]:text-is('over')").wait_for()
    assert page.inner_text("[data-left]") == "0:00"
    page.context.close()


def test_without_scripts_the_rules_are_searched_and_the_language_changes(browser: Any, live_server: Any) -> None:
    page, _ = open_page(browser, live_server.url + "/reglas/", java_script_enabled=False)
    page.fill("[name=q]", "ASCENSION")
    page.click("main form button")
    assert page.locator("article.rule").count() == 1
    assert page.locator("[data-set-theme=dark]").is_hidden()
    page.click("button[name=language][value=en]")
    assert page.get_attribute("html", "lang") == "en"
    assert page.input_value("[name=q]") == "ASCENSION"
    page.context.close()
