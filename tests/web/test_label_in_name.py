"""Who speaks to a browser says what he reads: the name of a control holds its visible words (WCAG 2.5.3)."""

from collections.abc import Callable, Iterator
from html.parser import HTMLParser

import pytest
from django.test import Client

from tests import make
from tests.web.conftest import account_in
from tournaments.models import Event

pytestmark = pytest.mark.django_db
CONTROLS = {"a", "button", "summary"}
VOID = {"input", "br", "meta", "link", "img", "use", "hr", "col"}


class Controls(HTMLParser):
    """(aria-label, visible words) of every control that has both."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.stack: list[tuple[str, bool]] = []
        self.open: list[tuple[int, str, list[str]]] = []
        self.found: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in VOID:
            return
        given = dict(attrs)
        hidden = "hide" in (given.get("class") or "").split() or given.get("aria-hidden") == "true"
        self.stack.append((tag, hidden))
        if tag in CONTROLS and given.get("aria-label"):
            self.open.append((len(self.stack), str(given["aria-label"]), []))

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID or tag not in {name for name, _hidden in self.stack}:
            return
        while self.stack:
            if self.open and self.open[-1][0] == len(self.stack):
                _depth, label, words = self.open.pop()
                self.found.append((label, " ".join(" ".join(words).split())))
            if self.stack.pop()[0] == tag:
                return

    def handle_data(self, data: str) -> None:
        if not any(hidden for _tag, hidden in self.stack):
            for _depth, _label, words in self.open:
                words.append(data)


def controls(page: str) -> list[tuple[str, str]]:
    parser = Controls()
    parser.feed(page)
    return [(label, words) for label, words in parser.found if any(letter.isalnum() for letter in words)]


def unlike(page: str) -> list[tuple[str, str]]:
    return [(label, words) for label, words in controls(page) if words.casefold() not in label.casefold()]


def test_the_check_sees_what_is_wrong() -> None:
    assert unlike('<a aria-label="Corregir la mesa 3">Corregir</a><button aria-label="Gana Zoe"><b>1</b></button>') == [
        ("Gana Zoe", "1")
    ]
    assert (
        unlike('<button aria-label="Gana Zoe"><span class="hide">1</span><svg aria-hidden="true">x</svg></button>')
        == []
    )


@pytest.fixture
def night(game: object) -> Event:
    """Round 2 with a claim, a disagreement, an open table and a result; the first round is past."""
    event = make.make_event(players=9, rounds=3)
    account_in(event, "Zoe Farolillo")
    make.play_round(event)
    make.pair_and_publish(event)
    make.claim(make.table(event, 1), 0, "1")
    make.claim(make.table(event, 2), 0, "1")
    make.claim(make.table(event, 2), 1, "1")
    make.report(make.table(event, 3), "1")
    return event


def pages(event: Event) -> Iterator[str]:
    home = f"/eventos/{event.slug}/"
    for path in ("", "emparejamientos/", "emparejamientos/1/", "emparejamientos/?orden=nombre", "clasificacion/",
                 "proyector/", "mi-mesa/", "consola/", "consola/?ronda=1", "inscripciones/", "diario/"):  # fmt: skip
        yield home + path
    code = event.registrations.first()
    assert code
    yield home + f"clasificacion/?jugador={code.player.code}"
    yield from ("/", "/eventos/", "/ranking/", "/ranking/es/", "/jugadores/", f"/jugadores/{code.player.code}/")


@pytest.mark.parametrize("language", ["es", "en"])
def test_the_name_of_a_control_holds_its_words(night: Event, language: str) -> None:
    staff, player, stranger = (Client(headers={"accept-language": language}) for _ in range(3))
    staff.force_login(make.make_staff(night.store))
    player.force_login(night.registrations.get(player__name="Zoe Farolillo").player.user)
    seen, wrong = 0, {}
    for client in (staff, player, stranger):
        for address in pages(night):
            page = client.get(address, follow=True).content.decode()
            seen += len(controls(page))
            wrong |= dict(unlike(page))
    assert sorted(wrong.items()) == []
    assert seen > 20


def test_the_setup_and_the_draft_too(game: object, as_user: Callable) -> None:
    event = make.make_event(players=5, rounds=3)
    client = as_user(make.make_staff(event.store))
    before = unlike(client.get(f"/eventos/{event.slug}/consola/").content.decode())
    make.pair(event)
    assert before + unlike(client.get(f"/eventos/{event.slug}/consola/").content.decode()) == []
