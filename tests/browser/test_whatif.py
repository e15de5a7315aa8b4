"""The what-if and the reasons of a round in a real browser: fetched when asked for, readable, and without scripts."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.test import Client

from tests import make

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE, LAPTOP = {"width": 390, "height": 844}, {"width": 1366, "height": 768}


@pytest.fixture
def night(live_server: Any, client: Client) -> tuple[str, str, list[dict[str, str]]]:
    """The address of an event in its last round with a Top 2, a guest's link, and the session of its organiser."""
    event = make.make_event(rounds=2, cut=2, players=6, show_chances=True, published=1)
    make.finish_tables(event)
    row = make.registration(event, 1)
    row.secret = "a-guest-and-nobody-else-"
    row.save(update_fields=["secret"])
    make.pair_and_publish(event)
    client.force_login(make.make_staff(event.store))
    session = {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}
    return f"{live_server.url}/eventos/{event.slug}/", f"{live_server.url}/i/{row.secret}/", [session]


def broken(page: Any) -> list[tuple[str, str]]:
    return [(found["id"], found["nodes"][0]["html"][:120]) for found in Axe().run(page).response["violations"]]


def test_a_phone_fetches_its_reason_and_its_chances(browser: Any, night: tuple[str, str, list[dict[str, str]]]) -> None:
    _event, link, _session = night
    page = browser.new_context(locale="es-ES", viewport=PHONE, color_scheme="dark").new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.goto(link)
    page.locator("#por-que:has-text('Los dos tenían'), #por-que:has-text('contra')").wait_for()
    page.locator("#cuentas h3:has-text('¿Basta con un empate?')").wait_for()
    assert (broken(page), complaints) == ([], [])
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    page.click("#cuentas a:has-text('Las cuentas de todos')")
    page.locator("h1:has-text('Quién entra en el Top 2')").wait_for()
    assert broken(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    page.context.close()


def test_the_console_fetches_the_summary_and_a_name_opens_its_card(
    browser: Any, night: tuple[str, str, list[dict[str, str]]]
) -> None:
    event, _link, session = night
    context = browser.new_context(locale="es-ES", viewport=LAPTOP, color_scheme="light")
    context.add_cookies(session)
    page = context.new_page()
    page.goto(event + "consola/")
    page.click("#cuentas-consola a:has-text('Echar cuentas')")
    page.locator("#cuentas-consola:has-text('Por decidir')").wait_for()
    page.click("summary:has-text('Por qué así')")
    assert broken(page) == []
    page.click("#cuentas-consola a:has-text('Las cuentas de todos')")
    page.locator("td.name a").first.click()
    page.locator("#cuentas dl").wait_for()
    assert "jugador=" in page.url
    assert broken(page) == []
    context.close()


def test_without_scripts_both_are_pages(browser: Any, night: tuple[str, str, list[dict[str, str]]]) -> None:
    _event, link, _session = night
    page = browser.new_context(locale="es-ES", viewport=PHONE, java_script_enabled=False).new_page()
    page.goto(link)
    page.click("#cuentas a")
    assert page.locator("#cuentas dl").is_visible()
    page.go_back()
    page.click("#por-que a")
    assert page.locator("h1:has-text('Por qué así')").is_visible()
    page.context.close()
