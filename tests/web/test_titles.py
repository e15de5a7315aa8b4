"""Every public page has a title of its own, in both languages, and days and account pages speak as the house does."""

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import get_resolver, reverse
from django.utils import timezone, translation

from players.models import User
from tests import make
from tournaments.models import Event
from tournaments.templatetags import days

pytestmark = pytest.mark.django_db
# Not pages of their own: what forms post to, feeds, files, and what leads elsewhere.
NO_PAGE = {
    "report", "pulse", "guest", "follow", "health", "metrics", "set_language", "event_repeat", "event_state", "pair",
    "round_action", "cut", "result", "keyboard", "roster_suggest", "roster_action", "undo", "backup", "rebuild",
    "season_action", "token_new", "token_revoke", "account_close", "ranking", "account_reset_password_from_key",
    "mfa_authenticate", "mfa_download_recovery_codes", "mfa_trust", "account_confirm_email", "show_chances",
    "deck_check", "deck_pick", "cards_export", "deck_export", "deck_action",
}  # fmt: skip


@pytest.fixture(autouse=True)
def stage(game: object) -> None:
    """The games are loaded."""


def routes() -> Iterator[tuple[str, list[str]]]:
    """(name, arguments) of every route of our own rooms and of the account, the API and the admin aside."""
    for name, found in get_resolver().reverse_dict.lists():
        if isinstance(name, str) and name not in NO_PAGE:
            yield name, found[0][0][0][1]


def arguments(event: Event) -> dict[str, object]:
    return {
        "slug": event.slug, "store": event.store.slug, "number": 1, "what": "mesas", "scope": "es",
        "code": event.registrations.first().player.code, "secret": "no", "key": "no", "action": "no",
        "pk": event.registrations.first().pk, "uidb36": "1", "regulation": "2.1", "game": "kounter",
    }  # fmt: skip


def title(client: Client, address: str) -> str | None:
    answer = client.get(address, follow=True)
    if not answer["Content-Type"].startswith("text/html"):
        return None
    found = re.search(r"<title>(.*?)</title>", answer.content.decode(), re.S)
    assert found, address
    return " ".join(found[1].split())


def addresses(event: Event) -> Iterator[tuple[str, str]]:
    given = arguments(event)
    for name, wanted in routes():
        if set(wanted) <= set(given):
            address = reverse(name, kwargs={key: given[key] for key in wanted})
            if not address.startswith(("/api/", "/admin/")):
                yield name, address


EXPECTED = {
    "home", "events", "event", "standings", "pairings", "projector", "print", "rules", "players", "player", "board",
    "seasons", "store", "my_table", "account_login", "account_email", "mfa_index", "console", "roster_add", "log",
}  # fmt: skip


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("who", ["visitor", "staff"])
def test_every_page_has_a_title_of_its_own(language: str, who: str) -> None:
    event = make.make_finished_event(players=4)
    client = Client(headers={"accept-language": language})
    if who == "staff":
        client.force_login(make.make_staff(event.store, "owner"))
    titles = {name: title(client, address) for name, address in addresses(event)}
    pages = {name: said for name, said in titles.items() if said is not None}
    own = re.compile(r"[^\s·][^·]*( · [^\s·][^·]*)* · KOUNTER")
    assert {name: said for name, said in pages.items() if not own.fullmatch(said)} == {}
    assert set(pages) >= EXPECTED


def test_the_account_speaks_english_in_sentences(visitor: Client, player_user: User) -> None:
    visitor.force_login(player_user)
    for address in ("/cuenta/email/", "/cuenta/password/change/", "/cuenta/reauthenticate/", "/cuenta/2fa/"):
        page = visitor.get(address).content.decode()
        for words in [title(visitor, address), *re.findall(r"<h[12][^>]*>(.*?)</h[12]>", page, re.S)]:
            assert words
            assert re.fullmatch(r"[A-Z][^A-Z]*", words.removesuffix(" · KOUNTER").strip()), words
    assert title(visitor, "/cuenta/email/") == "E-mail addresses · KOUNTER"


def test_no_template_writes_a_day_or_month_by_itself() -> None:
    """Django's Spanish short months are capitals ("Dic"): the filters of `days` and `places` write them."""
    for page in (settings.BASE_DIR / "templates").rglob("*.html"):
        assert re.findall(r"\|date:\"[^\"_]*[MFNl][^\"_]*\"", Path(page).read_text()) == [], page


def test_days_are_lower_case_in_spanish() -> None:
    with translation.override("es"), timezone.override("UTC"):
        assert [days.short_moment(make.NOON), days.short_day(make.NOON)] == ["jue 12 mar, 17:30", "12 mar"]
        assert days.full_day(make.NOON) == "jueves 12 de marzo de 2026"
    with translation.override("en"), timezone.override("UTC"):
        assert days.short_moment(make.NOON) == "Thu 12 Mar, 17:30"


def test_the_best_of_one_is_said_as_players_say_it() -> None:
    event = make.make_event(players=2)
    assert "Al mejor de 1" in Client().get(f"/eventos/{event.slug}/").content.decode()


def test_behind_the_counter_another_day_s_draft_shows_its_day() -> None:
    store = make.make_store()
    user = make.make_staff(store)
    soon = timezone.now() + timedelta(days=40)
    make.make_event(store, starts_at=soon, status=Event.Status.DRAFT)
    make.make_event(store, starts_at=timezone.now(), status=Event.Status.DRAFT, name="Hoy mismo")
    client = Client()
    client.force_login(user)
    page = client.get("/").content.decode()
    rows = re.findall(r"<time[^>]*>(.*?)</time><div><span class=\"name\">([^<]*)", page, re.S)
    with translation.override("es"), timezone.override(store.zone):
        other = next(inner for inner, name in rows if name != "Hoy mismo")
        assert other.startswith(days.short_day(soon))
    assert re.fullmatch(r"\d\d:\d\d", next(inner for inner, name in rows if name == "Hoy mismo"))
