"""The look: tags say the same to eye and ear in both languages, templates keep the CSP, components are accessible."""

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from django import forms
from django.core.paginator import Paginator
from django.template import Context, RequestContext, Template
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import translation

from decks.models import Element
from players.models import User
from players.templatetags import look

ROOT = Path(__file__).parents[2]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
SPRITE = set(re.findall(r'<symbol id="([\w-]+)"', (ROOT / "static" / "icons.svg").read_text()))


def show(source: str, lang: str = "es", **values: Any) -> str:
    with translation.override(lang):
        return Template(source).render(Context(values))


def words(html: str) -> str:
    """What a screen reader reads of it."""
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


# -- numbers and places ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "es", "en"),
    [
        (Fraction(17, 27), "62,96", "62.96"),
        (Fraction(1, 3), "33,33", "33.33"),
        (0.5, "50,00", "50.00"),
        (1, "100,00", "100.00"),
        (Fraction(1, 16000), "0,01", "0.01"),  # 0.00625 %: half up, not to even
        (None, "–", "–"),
    ],
)
def test_percentages(value: Any, es: str, en: str) -> None:
    assert show("{{ v|pct }}{% pct v %}", v=value) == es * 2
    assert show("{{ v|pct }}", "en", v=value) == en


def test_places() -> None:
    assert show("{% ordinal 9 %} {% ordinal 1 %}") == "9.º 1.º"
    assert [show("{% ordinal n %}", "en", n=n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 111, 122)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "111th", "122nd",
    ]  # fmt: skip


def test_change_of_place_is_said_in_words() -> None:
    assert words(show("{% move 3 %}", "en")) == "up 3"
    assert words(show("{% move n %}", "en", n=-2)) == "down 2"
    assert words(show("{% move 0 %}", "en")) == "same place"
    assert words(show("{% move None %}", "en")) == "new"


def test_signed_and_clock() -> None:
    assert show("{{ 18|signed }} {{ n|signed }} {{ 0|signed }}", n=-6) == "+18 \N{MINUS SIGN}6 0"
    assert show("{{ 767|mmss }} {{ 0|mmss }} {{ n|mmss }} {{ 6000|mmss }}", n=-4) == "12:47 0:00 0:00 100:00"


# -- signs ------------------------------------------------------------------------------------------------------------


def test_every_sign_that_code_and_templates_ask_for_is_in_the_sprite() -> None:
    asked = {name for path in TEMPLATES for name in re.findall(r'{% icon "([\w-]+)"', path.read_text())}
    assert len(asked) > 5
    assert asked | set(look.ELEMENTS) | set(look.WAYS) | set(look.CHIP_ICONS.values()) <= SPRITE


def test_a_sign_is_decoration_unless_it_has_a_label() -> None:
    assert 'aria-hidden="true"' in show('{% icon "ok" %}')
    labelled = show('{% icon "close" label=word %}', word='"x"')
    assert 'role="img" aria-label="&quot;x&quot;"' in labelled
    assert "aria-hidden" not in labelled


def test_elements_by_slug_and_by_row_have_glyph_word_and_colour() -> None:
    row = Element(slug="agua", name="Agua", name_en="Water", order=3)
    for el in (row, "agua"):
        html = show("{% element el %}", "en", el=el)
        assert 'class="element agua"' in html
        assert "#agua" in html
        assert words(html) == "Water"
        assert 'class="hide">' in show("{% element el only=True %}", "en", el=el)
    assert show("{% element el %}", el=None) == ""


def test_states_say_themselves() -> None:
    for state, sign in look.CHIP_ICONS.items():
        html = show("{% chip state 'Palabra' %}", state=state)
        assert f"#{sign}" in html
        assert words(html) == "Palabra"
    assert "<svg" not in show('{% chip "draft" "Borrador" %}')


def test_texts_are_escaped() -> None:
    bad = "<b>&"
    for tag in ('{% chip "agree" bad %}', "{% ficha bad %}", '{% nav_link "/x/" bad %}', "{% element bad %}"):
        assert "<b>&" not in show(tag, bad=bad)


# -- one cell per round ------------------------------------------------------------------------------------------------


AGAINST = {"opponent": "Zoe F.", "rank": 7}


@pytest.mark.parametrize(
    ("cell", "css", "said"),
    [
        ({"outcome": "win", "way": "ascension", **AGAINST}, "win", "won by Ascension against Zoe F., place 7th"),
        ({"outcome": "loss", "score": "1-2", **AGAINST}, "loss", "1-2 lost against Zoe F., place 7th"),
        ({"outcome": "draw", **AGAINST}, "draw", "drew against Zoe F., place 7th"),
        ({"outcome": "bye"}, "bye", "– bye"),
        ({"outcome": "live", "table": 4, "opponent": "Zoe F."}, "live", "4 playing: table"),
        ({"outcome": "none"}, "none", "was not in the event"),
    ],
)
def test_standings_cell(cell: dict[str, Any], css: str, said: str) -> None:
    html = show("{% standings_cell cell %}", "en", cell=cell)
    assert f'class="cell {css}' in html
    assert words(html) == said


def test_a_rival_without_a_place_leaves_no_word_hanging() -> None:
    cell = {"outcome": "win", "way": "ascension", "opponent": "Lucía Garabato"}
    assert words(show("{% standings_cell cell %}", "en", cell=cell)) == "won by Ascension against Lucía Garabato"
    assert words(show("{% standings_cell cell %}", "es", cell=cell)).endswith("contra Lucía Garabato")
    assert words(show("{% standings_cell cell %}", "es", cell=cell | {"rank": 3})).endswith("Garabato, puesto 3.º")


def test_every_outcome_has_its_cell() -> None:
    """A cell never breaks the page of standings: what the house can store, the look can show."""
    from tournaments.models import Match
    from tournaments.web import cells

    stored = set(Match.Outcome.values) - {"win", "loss", "forfeit"}
    sided = {word for pair in cells.SIDED.values() for word in pair}
    assert stored | sided | {"live", "none"} <= set(look.CELLS)


# -- templates and the CSP ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT / "templates")))
def test_no_inline_style_script_or_handler(path: Path) -> None:
    text = re.sub(r"{%\s*comment.*?endcomment\s*%}", "", path.read_text(), flags=re.S)
    assert not re.search(r"\sstyle=|<style\b", text)
    assert not re.search(r"<[^>]*\son[a-z]+=", text)
    for attributes, body in re.findall(r"<script\b([^>]*)>(.*?)</script>", text, re.S):
        assert "src=" in attributes or "json" in attributes, body[:80]


# -- components --------------------------------------------------------------------------------------------------------


class Sample(forms.Form):
    name = forms.CharField(help_text="As on the list")
    seats = forms.IntegerField(required=False)
    kind = forms.ChoiceField(choices=[("a", "Uno"), ("b", "Dos")], widget=forms.RadioSelect)
    minor = forms.BooleanField(required=False)
    secret = forms.CharField(widget=forms.HiddenInput, required=False)

    def clean(self) -> None:
        raise forms.ValidationError("The whole is wrong")


def test_a_field_names_its_hint_and_its_error() -> None:
    html = render_to_string("components/fields.html", {"form": Sample({"seats": "many"})})
    described = re.search(r'<input[^>]*name="name"[^>]*>', html)
    assert described
    assert 'aria-invalid="true"' in described[0]
    ids = re.search(r'aria-describedby="([^"]+)"', described[0])
    assert ids
    assert all(f'id="{each}"' in html for each in ids[1].split())
    assert "The whole is wrong" in html
    assert html.count("<label") == 5  # name, seats, two choices, minor; the hidden field has none
    assert "<legend" in html


def test_the_next_action_can_be_sent_only_when_it_is_not_blocked() -> None:
    values = {"headline": "Faltan 4 mesas", "why": "La 3", "label": "Emparejar", "action": "/x/", "csrf_token": "t"}
    blocked = render_to_string("components/next.html", {**values, "blocked": True})
    assert "<form" not in blocked
    assert 'aria-disabled="true" aria-describedby="next-why"' in blocked
    free = render_to_string("components/next.html", values)
    assert '<form method="post" action="/x/"' in free
    assert "aria-disabled" not in free


def test_pages_keep_the_other_parameters() -> None:
    request = RequestFactory().get("/x/", {"q": "nusta", "page": "2"})
    page = Paginator(range(120), 50).page(2)
    html = Template('{% include "components/pagination.html" %}').render(RequestContext(request, {"page": page}))
    assert 'href="?q=nusta&amp;page=1"' in html
    assert 'href="?q=nusta&amp;page=3"' in html
    assert "51–100" in html
    alone = Template('{% include "components/pagination.html" %}').render(
        RequestContext(request, {"page": Paginator(range(9), 50).page(1)})
    )
    assert "<nav" not in alone


def test_a_clock_that_stands_still_does_not_tick() -> None:
    clock = {"label": "Ronda 2", "minutes": 30, "left": 767, "now": 1_773_000_000, "gone": 17}
    running = render_to_string("components/clock.html", {"clock": {**clock, "ends": 1_773_000_767}})
    assert 'data-ends="1773000767" data-now="1773000000"' in running  # no thousands separator
    paused = render_to_string("components/clock.html", {"clock": {**clock, "ends": None, "paused": True}})
    assert "data-ends" not in paused
    assert "12:47" in paused


# -- whole pages -------------------------------------------------------------------------------------------------------

pages = pytest.mark.django_db


@pages
def test_base_has_what_every_page_needs(client: Client) -> None:
    html = client.get(reverse("account_login"), headers={"accept-language": "es"}).content.decode()
    assert '<html lang="es">' in html
    assert '<a class="skip" href="#main">' in html
    assert 'id="main" tabindex="-1"' in html
    assert 'id="toasts" class="toasts" role="status"' in html
    assert 'hx-headers=\'{"x-csrftoken":' in html
    assert f'action="{reverse("set_language")}"' in html
    assert f'href="{reverse("rules")}"' in html
    assert html.count("<h1") == 1


@pages
@pytest.mark.parametrize(("cookie", "shown"), [("dark", True), ("light", True), ('"><x', False), ("", False)])
def test_the_chosen_theme_is_there_from_the_first_byte(client: Client, cookie: str, shown: bool) -> None:
    client.cookies["theme"] = cookie
    html = client.get(reverse("account_login")).content.decode()
    assert (f'data-theme="{cookie}"' in html) is shown
    assert ("data-theme=" in html.split("<head>")[0]) is shown


@pages
def test_messages_are_toasts_and_errors_stay(client: Client, organiser: User) -> None:
    client.force_login(organiser)
    html = client.post(reverse("account_logout"), {"next": reverse("rules")}, follow=True).content.decode()
    assert re.search(r'<div class="toast\s*" data-fleeting>', html)


@pages
def test_menu_marks_the_page_you_are_on(client: Client) -> None:
    html = client.get(reverse("account_login")).content.decode()
    assert re.search(r'<a href="/cuenta/login/" aria-current="page">', html)


def inside(html: str) -> Iterator[str]:
    yield from re.findall(r"<[^>]+>", html)


ENTRANCE = ["account_login", "account_signup", "account_reset_password", "account_reset_password_done"]
MANAGE = ["account_email", "account_change_password", "account_logout", "mfa_index"]


@pages
@pytest.mark.parametrize("name", [*ENTRANCE, *MANAGE])
@pytest.mark.parametrize("lang", ["es", "en"])
def test_account_pages_wear_our_look_and_keep_the_csp(client: Client, organiser: User, name: str, lang: str) -> None:
    if name not in ENTRANCE:
        client.force_login(organiser)
    assert_in_our_look(client.get(reverse(name), headers={"accept-language": lang}, follow=True))


@pages
def test_second_step_asks_for_the_password_first_and_shows_its_code(client: Client, organiser: User) -> None:
    organiser.set_password("una contraseña de prueba")
    organiser.save(update_fields=["password"])
    client.force_login(organiser)
    asked = client.get(reverse("mfa_activate_totp"), follow=True)
    assert_in_our_look(asked)
    shown = client.post(asked.request["PATH_INFO"], {"password": "una contraseña de prueba"}, follow=True)
    assert_in_our_look(client.get(reverse("mfa_activate_totp")))
    assert shown.status_code == 200
    assert 'class="qr-image" src="data:image/svg+xml' in client.get(reverse("mfa_activate_totp")).content.decode()


def assert_in_our_look(response: Any) -> None:
    html = response.content.decode()
    assert response.status_code == 200
    assert "unsafe-inline" not in response.headers["Content-Security-Policy"]
    assert '<header class="top"' in html
    assert html.count("<h1") == 1
    assert not any(re.search(r"\sstyle=|\son[a-z]+=", tag) for tag in inside(html))
    assert all("src=" in tag or "json" in tag for tag in inside(html) if tag.startswith("<script"))
    buttons = [tag for tag in inside(html.split("<main")[1].split("</main>")[0]) if tag.startswith("<button")]
    assert all('class="btn' in tag for tag in buttons)


@pages
def test_sign_in_says_what_is_wrong_beside_the_form(client: Client) -> None:
    html = client.post(reverse("account_login"), {"login": "nadie@example.org", "password": "x"}).content.decode()
    assert 'class="note danger" role="alert"' in html


@pages
def test_missing_page_and_stale_form(client: Client) -> None:
    missing = client.get("/no-existe/", headers={"accept-language": "es"})
    assert missing.status_code == 404
    assert '<header class="top"' in missing.content.decode()
    stale = Client(enforce_csrf_checks=True).post(reverse("set_language"), {"language": "en"})
    assert stale.status_code == 403
    assert '<header class="top"' in stale.content.decode()


def test_pages_for_when_all_is_broken_need_nothing() -> None:
    for name in ("500.html", "400.html"):
        html = render_to_string(name)
        assert html.count("<h1") == 1
        assert "app.css" in html


def test_the_chosen_theme_is_marked_by_the_server(visitor: Client) -> None:
    """Nothing has to change colour when the script arrives."""
    marks = re.compile(r'data-set-theme="(\w*)" aria-pressed="(\w+)"')
    for chosen in ("", "light", "dark"):
        visitor.cookies["theme"] = chosen
        found = dict(marks.findall(visitor.get("/reglas/").content.decode()))
        assert found == {theme: str(theme == chosen).lower() for theme in ("", "light", "dark")}
