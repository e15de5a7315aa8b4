"""A store night from first name to published ranking, as its people live it (issue: the main job).

Twelve players, best of three, with a bye, a late entry, a wrong result corrected after the next round was paired, a
drop, a Top 4 and the new ranking computed by the worker. The organiser has the laptop; Ñusta has an account and a
phone, Zoe a phone and no account. Each step asserts what each of them sees.
"""

import re
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import LAPTOP, PHONE, PROJECTOR, House

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import Open

pytestmark = [pytest.mark.browser, pytest.mark.timeout(400)]

PASSWORD = "una-clave-de-prueba-larga"
WALK_INS = [
    "Begoña Trasgo Peñalonga", "Íñigo Zarzuelo Etxeberrialdea", "Nuria Candil Montesquivo", "Xoán Lapislázuli Vilariño",
    "María de los Ángeles Fernández-Bermellón y Castañuela", "Pau Grillet Sotomonte", "Iván Pamplinas Ordóñez",
    "Lucía Garabato Ibáñez", "Ángel Cuévano de la Hoz",
]  # fmt: skip
LATE = "Rubén Calcetín Tardío"


class Organiser:
    """The laptop behind the counter."""

    def __init__(self, page: "Page") -> None:
        self.page = page
        self.slug = ""

    def sign_in(self) -> None:
        self.page.goto("/cuenta/login/")
        self.page.fill("[name=login]", "organizadora@example.test")
        self.page.fill("[name=password]", PASSWORD)
        self.page.click("main button[type=submit]")
        self.page.wait_for_url(re.compile(r"/$"))

    def create(self) -> None:
        self.page.goto("/organizar/la-guarida/nuevo/")
        self.page.fill("[name=name]", "Jueves de fichas")
        self.page.locator("details:has([name=best_of]) > summary").click()
        self.page.select_option("[name=best_of]", "3")
        self.page.select_option("[name=rounds_planned]", "4")
        self.page.select_option("[name=cut_size]", "4")
        self.page.locator("#event-form button:not([name])").first.click()
        self.page.wait_for_url(re.compile(r"/consola/"))
        self.slug = self.page.url.split("/eventos/")[1].split("/")[0]

    def console(self) -> None:
        self.page.goto(f"/eventos/{self.slug}/consola/")

    def type_names(self, *names: str) -> None:
        self.page.fill("#walk-in-names", "\n".join(names))
        self.page.click("#walk-in button.ink")
        expect(self.page.locator("#walk-in-names")).to_have_value("")
        self.page.locator("body", has_text=names[-1]).wait_for()

    def next_step(self, address: str) -> None:
        """The one button at the foot says what comes next; `address` is where it leads."""
        button = self.page.locator("#next button")
        assert button.get_attribute("aria-disabled") is None, self.page.locator("#next").inner_text()
        assert re.search(address, self.page.locator("#next form").get_attribute("action") or "")
        label = button.inner_text()
        button.click()
        expect(self.page.locator("#next")).not_to_contain_text(label)

    def blocked(self) -> str:
        assert self.page.locator("#next button").get_attribute("aria-disabled") == "true"
        return self.page.locator("#next").inner_text()

    def open_tables(self) -> list[str]:
        return self.page.locator("#tables article[data-table]").evaluate_all("rows => rows.map(r => r.dataset.table)")

    def type_result(self, table: str, score: str) -> None:
        """Table, score, Enter: the table leaves the list."""
        self.page.fill("#entry-table", table)
        self.page.fill("#entry-score", score)
        self.page.press("#entry-score", "Enter")
        self.page.wait_for_selector(f"#tables article[data-table='{table}']", state="detached")

    def type_all(self, score: str = "20") -> None:
        for table in self.open_tables():
            self.type_result(table, score)

    def players_at(self, table: str) -> list[str]:
        names = self.page.locator(f"#tables article[data-table='{table}'] .side .name")
        return [name.strip() for name in names.all_inner_texts()]


class Phone:
    """A player's phone."""

    def __init__(self, page: "Page", slug: str) -> None:
        self.page, self.slug = page, slug

    def table(self) -> str:
        self.page.goto(f"/eventos/{self.slug}/mi-mesa/")
        return self.page.locator("h1.table").inner_text()

    def report(self, score: str, how: str = "ascension") -> None:
        self.page.locator(f".report label:has(input[value='{score}'])").click()
        self.page.locator(f".report label:has(input[value='{how}'])").click()
        self.page.locator(".report button.now, .report button.ink").first.click()
        self.page.wait_for_selector("#wait, #agreed, #differ")

    def sees(self, words: str) -> bool:
        return words in self.page.locator("main").inner_text()


@pytest.fixture
def shop(house: House) -> None:
    house.manage(
        "createsuperuser", "--noinput", "--email", "organizadora@example.test", DJANGO_SUPERUSER_PASSWORD=PASSWORD
    )
    house.manage("create_store", "La Guarida", "--province", "ES-TE", "--owner", "organizadora@example.test")


def sign_up_with_account(page: "Page", slug: str) -> None:
    page.goto("/cuenta/signup/")
    page.fill("[name=email]", "nusta@example.test")
    page.fill("[name=password1]", PASSWORD)
    page.fill("[name=password2]", PASSWORD)
    page.fill("[name=name]", "Ñusta Quebrantahoz Ruiz")
    page.select_option("[name=province]", "ES-TE")
    page.click("main button[type=submit]")
    page.wait_for_url(lambda url: "signup" not in url)
    page.goto(f"/eventos/{slug}/apuntarme/")
    page.locator("#apuntarme label:has(svg)").filter(has_text="Agua").click()
    page.click("#apuntarme .actions button")
    page.wait_for_url(re.compile("/mi-mesa/"))


def sign_up_as_guest(page: "Page", slug: str) -> None:
    page.goto(f"/eventos/{slug}/")
    page.goto(f"/eventos/{slug}/apuntarme/")
    page.fill("#apuntarme [name=name]", "Zoe Farolillo")
    page.click("#apuntarme .actions button")
    page.wait_for_url(re.compile("/mi-mesa/"))


def until(condition: Callable[[], bool], seconds: float = 180) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.5)


@pytest.mark.timeout(600)  # a whole evening, on a machine that other tests share
def test_a_night_from_first_name_to_published_ranking(shop: None, open_browser: "Open") -> None:
    organiser = Organiser(open_browser(LAPTOP))
    organiser.sign_in()
    organiser.create()
    slug = organiser.slug

    # Players come in: typed at the counter, by account and as a guest from their phones.
    organiser.type_names(*WALK_INS)
    nusta, zoe = Phone(open_browser(PHONE), slug), Phone(open_browser(PHONE), slug)
    sign_up_with_account(nusta.page, slug)
    sign_up_as_guest(zoe.page, slug)
    assert zoe.sees("Aquí saldrá tu mesa")
    organiser.console()
    assert "11" in organiser.page.locator("h1").inner_text()

    # Round 1 is a draft that nobody sees, then published: eleven players, so one of them rests.
    organiser.next_step("/rondas/$")
    assert nusta.table().startswith("Estás dentro") or "MESA" not in nusta.page.locator("h1.table").inner_text()
    organiser.next_step("/publicar/$")
    assert organiser.open_tables() == ["1", "2", "3", "4", "5"]
    projector = open_browser(PROJECTOR)
    projector.goto(f"/eventos/{slug}/proyector/")
    shown = projector.locator("body").inner_text()
    assert "Ñusta Quebrantahoz Ruiz" in shown
    assert "Zoe F." in shown, "a guest appears by first name and initial"
    assert "Farolillo" not in shown

    # Ñusta reports from her phone; where her rival has no phone, the organiser accepts it.
    if "MESA" in nusta.table():
        nusta.report("20")
        assert nusta.sees("Enviado")
        organiser.console()
        organiser.page.locator("#tables button[id$='-accept']").first.click()
        expect(organiser.page.locator("#tables article[data-table]")).to_have_count(4)
        nusta.table()
        assert nusta.sees("Acordado")
    wrong = organiser.open_tables()[-1]
    loser_by_mistake = organiser.players_at(wrong)[0]
    organiser.type_result(wrong, "02")  # typed the wrong way round
    assert f"y {organiser.open_tables()[-1]}" in organiser.blocked(), "it says which tables are missing"
    organiser.type_all("21")

    # Somebody comes late and takes his place from round 2 on; round 2 is paired and published.
    organiser.page.select_option("#walk-in-choice", "nothing")
    organiser.type_names(LATE)
    organiser.next_step("/rondas/$")
    organiser.next_step("/publicar/$")
    assert len(organiser.open_tables()) == 6, "twelve players: nobody rests"

    # The wrong result of round 1 is corrected now: impact first, a reason, pairings stay.
    before = organiser.open_tables()
    organiser.page.goto(f"/eventos/{slug}/inscripciones/")
    organiser.page.get_by_role("link", name=loser_by_mistake).first.click()
    organiser.page.get_by_role("link", name="Corregir").first.click()
    organiser.page.locator("nav a[href='?score=20']").click()
    impact = organiser.page.locator("form:has([name=reason])").inner_text()
    assert loser_by_mistake in impact
    organiser.page.fill("[name=reason]", "Apuntado al revés")
    organiser.page.locator("form:has([name=reason]) button.ink, form:has([name=reason]) button.now").first.click()
    organiser.page.wait_for_load_state()
    organiser.console()
    assert organiser.open_tables() == before
    organiser.page.goto(f"/eventos/{slug}/clasificacion/?ronda=1")
    row = organiser.page.locator("tr", has_text=loser_by_mistake.split()[0]).first
    assert row.locator(".pts").inner_text().strip() == "3"
    organiser.page.goto(f"/eventos/{slug}/diario/")
    assert "Apuntado al revés" in organiser.page.locator("main").inner_text()

    # Zoe leaves from her phone after her match; the organiser sees it and round 3 has a bye again.
    organiser.console()
    organiser.type_all("20")
    zoe.page.goto(f"/eventos/{slug}/mi-mesa/retirarme/")
    zoe.page.click("main form button")
    zoe.page.wait_for_load_state()
    assert zoe.sees("retirado") or zoe.sees("Te has retirado")
    organiser.console()
    organiser.next_step("/rondas/$")
    organiser.next_step("/publicar/$")
    assert len(organiser.open_tables()) == 5
    organiser.type_all("20")
    organiser.next_step("/rondas/$")
    organiser.next_step("/publicar/$")
    organiser.type_all("12")

    # The cut: four seeds from frozen standings, 1-4 and 2-3, then the final.
    seeds = first_names(organiser.page, slug, 4)
    organiser.console()
    organiser.next_step("/corte/$")
    organiser.next_step("/publicar/$")
    pairs = {frozenset(organiser.players_at(table)) for table in organiser.open_tables()}
    assert pairs == {frozenset({seeds[0], seeds[3]}), frozenset({seeds[1], seeds[2]})}
    organiser.type_all("20")
    organiser.next_step("/corte/$")
    organiser.next_step("/publicar/$")
    finalists = organiser.players_at(organiser.open_tables()[0])
    organiser.type_all("20")
    organiser.next_step("/estado/finish/$")
    final = first_names(organiser.page, slug, 2)
    assert final == finalists, "the seat that typed 2-0 won"

    # The worker rates the night: everybody is on the boards, provisional after one night, with what is missing.
    def rated() -> bool:
        nusta.page.goto("/ranking/")
        return "Ñusta Quebrantahoz Ruiz" in nusta.page.locator("main").inner_text()

    until(rated)
    assert "faltan" in nusta.page.locator("main").inner_text()
    assert "Farolillo" not in nusta.page.content()
    nusta.page.goto(f"/eventos/{slug}/mi-mesa/")
    nusta.page.locator("a[href*='/jugadores/']").first.click()
    profile = nusta.page.locator("main").inner_text()
    assert "Jueves de fichas" in profile
    assert "Agua" in profile


def first_names(page: "Page", slug: str, count: int) -> list[str]:
    """The first of the public standings, by full name as staff know them."""
    page.goto(f"/eventos/{slug}/clasificacion/")
    shown = [name.strip() for name in page.locator("table.standings tbody tr .name a").all_inner_texts()][:count]
    known = [*WALK_INS, LATE, "Ñusta Quebrantahoz Ruiz", "Zoe Farolillo"]
    return [next(name for name in known if short(name) == s or name == s) for s in shown]


def short(name: str) -> str:
    from players.names import short_name

    return short_name(name)
