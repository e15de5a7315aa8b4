"""A deck list is private until it is published, on every path (CASES 88): pages, API, exports, search, catalogue.

Every route that answers a GET is walked, so that a page which is made tomorrow is walked too. One card has a name that
nothing else has, and the text around it holds a word that only its owner wrote.
"""

import re
from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import reverse
from knox.models import AuthToken

from decks.models import Card
from decks.services import catalogue
from players.models import User
from tests import lists, make
from tests.web.conftest import account_in, reader
from tests.web.test_rights import our_routes
from tournaments.models import Event, Registration
from tournaments.services import decks, events, files
from tournaments.services.journal import SYSTEM
from tournaments.web.lists import index

pytestmark = pytest.mark.django_db
CARD, WORD = "Quimera Delatora", "chivatazo"
PARTS = {
    "event": ["estado", "mio"], "pairings": ["lista"], "standings": ["tabla", "calculo"], "projector": ["pared"],
    "my_table": ["mio"], "bracket": ["cuadro"], "console": ["console", "tables", "roster-list"],
    "roster_add": ["roster-list"],
}  # fmt: skip
EVERY_STATE = ["open", "running", "cut", "finished"]


@pytest.fixture
def event(db: None) -> Event:
    event = lists.make_asking(players=3, rounds=1, cut=2, slug="el-de-los-mazos")
    card = Card.objects.get(name=lists.names()[0])
    card.name = CARD
    card.save()
    catalogue.changed(event.game)
    return event


@pytest.fixture
def owner_of_the_list(event: Event) -> tuple[Registration, User]:
    """His list holds the marked card and the marked word."""
    row, user = account_in(event, "Leocadia Quitapesares")
    text = "\n".join([f"# {WORD}", *lists.lines()]).replace(lists.names()[0], CARD)
    decks.submit(row, text, by=SYSTEM)
    others = event.registrations.exclude(pk=row.pk).select_related("event__store", "event__game", "player")
    lists.hand_in(others, lists.text("luz"))
    return row, user


def bring_to(event: Event, state: str) -> None:
    """The event in that state, lists handed in before."""
    if state == "open":
        return
    make.play_round(event)
    if state == "running":
        return
    if state == "cut":
        from tournaments.services import cut

        cut.start(Event.objects.get(pk=event.pk), by=SYSTEM)
        make.publish(event)
        return
    event.refresh_from_db()
    make.make_finished(make.play_event(Event.objects.get(pk=event.pk)) if event.rounds.count() == 0 else finish(event))


def finish(event: Event) -> Event:
    from tournaments.services import cut

    row = cut.start(Event.objects.get(pk=event.pk), by=SYSTEM)
    make.publish(event)
    make.finish_tables(event)
    assert row
    return Event.objects.get(pk=event.pk)


def addresses(event: Event, row: Registration) -> Iterator[tuple[str, str]]:
    """Every named route with this event's own objects, and a few more ways to ask."""
    match = event.matches.first()
    known = {
        "slug": event.slug, "store": event.store.slug, "code": row.player.code, "pk": row.pk, "number": 1,
        "secret": row.secret or "nobody-has-this", "what": "nombres", "scope": "nacional", "key": "00000000",
        "action": "retirar", "name": "nobody", "game": event.game.slug,
    }  # fmt: skip
    for name, pattern in our_routes().items():
        wanted = pattern.pattern.converters
        values = {key: known.get(key, 1) for key in wanted}
        if name in {"store", "api_store"}:
            values["slug"] = event.store.slug
        if name in {"season", "api_season"}:
            values["slug"] = "nada"
        if "scope" in values and name == "api_board":
            values["scope"] = "es"
        if match and name in {"result", "correct", "api_result"}:
            values["pk"] = match.pk
        yield name, reverse(name, kwargs=values)
    home = f"/eventos/{event.slug}/"
    for path in ("clasificacion/?jugador=" + row.player.code, "emparejamientos/?q=leocadia", "imprimir/clasificacion/"):
        yield path, home + path
    for page in ("eventos", "jugadores", "reglas", "ranking"):
        yield page, f"/{page}/?q=quimera"  # half of its name: who searches is shown his own words


def of_the_catalogue(name: str) -> bool:
    """Pages about cards and decks at large: they name every card, so they are compared instead."""
    pattern = our_routes().get(name)
    return pattern is not None and pattern.callback.__module__.startswith("decks.")


def leaks(event: Event, row: Registration, client: Client, headers: dict[str, str]) -> list[str]:
    found = []
    for name, path in addresses(event, row):
        if of_the_catalogue(name) or name == "account_close":
            continue
        parts = [{"HX-Request": "true", "HX-Target": part} for part in PARTS.get(name, ())]
        asked = [client.get(path, headers=headers | part) for part in ({}, *parts)]
        for answer in asked:
            body = answer.getvalue().decode(errors="replace")
            if CARD.lower() in body.lower() or WORD in body.lower():
                found.append(f"{name} {path}")
                break
    return found


def everybody_else(event: Event) -> dict[str, tuple[Client, dict[str, str]]]:
    """Who has no business with the list: nobody, a rival, a scorekeeper of the store, staff of another one."""
    _row, rival = account_in(event, "Zoe Farolillo") if event.status == "open" else (None, make.make_user())
    people = {
        "rival": rival,
        "scorekeeper": make.make_staff(event.store, "scorekeeper"),
        "stranger": make.make_staff(make.make_store(), "owner"),
    }
    people = people if event.status == "running" else {"rival": rival}
    found: dict[str, tuple[Client, dict[str, str]]] = {"nobody": (reader(), {})}
    for who, user in people.items():
        client = reader()
        client.force_login(user)
        found[who] = (client, {})
        found[f"{who} by token"] = (reader(), {"authorization": f"Token {AuthToken.objects.create(user=user)[1]}"})
    return found


@pytest.mark.parametrize("state", EVERY_STATE)
def test_a_private_list_is_nowhere(event: Event, owner_of_the_list: tuple[Registration, User], state: str) -> None:
    row, _user = owner_of_the_list
    bring_to(event, state)
    event.refresh_from_db()
    assert event.status == state
    for who, (client, headers) in everybody_else(event).items():
        assert leaks(event, row, client, headers) == [], f"{who}, {state}"
    assert CARD not in str(files.export_event(event))


@pytest.mark.parametrize(("published", "state"), [("swiss", "running"), ("end", "running"), ("end", "cut")])
def test_nor_before_its_time(event: Event, published: str, state: str) -> None:
    events.edit(event, by=SYSTEM, lists_public=published)
    row, _user = account_in(Event.objects.get(pk=event.pk), "Leocadia Quitapesares")
    decks.submit(row, "\n".join(lists.lines()).replace(lists.names()[0], CARD), by=SYSTEM)
    others = event.registrations.exclude(pk=row.pk).select_related("event__store", "event__game", "player")
    lists.hand_in(others, lists.text("luz"))
    bring_to(event, state)
    event.refresh_from_db()
    assert leaks(event, row, reader(), {}) == []


def test_its_owner_and_judges_see_it_on_their_own_pages_only(
    event: Event, owner_of_the_list: tuple[Registration, User]
) -> None:
    """The walk must be able to find it; and a judge's public pages show no more than anybody's."""
    row, user = owner_of_the_list
    seen = {}
    for who, account in (("owner", user), ("judge", make.make_staff(event.store, "judge"))):
        client = reader()
        client.force_login(account)
        seen[who] = {found.split()[0] for found in leaks(event, row, client, {})}
    assert seen["judge"] >= {"list_staff", "list_check", "lists_print"}
    assert not seen["judge"] & {"list", "lists", "list_text", "event", "standings"}
    assert not seen["owner"] & {"list_staff", "list_check", "lists_print", "list", "lists"}


def test_published_it_is_where_it_belongs(event: Event) -> None:
    events.edit(event, by=SYSTEM, lists_public="end")
    row, _user = account_in(Event.objects.get(pk=event.pk), "Leocadia Quitapesares")
    text = "\n".join([f"# {WORD}", *lists.lines()]).replace(lists.names()[0], CARD)
    decks.submit(row, text, by=SYSTEM)
    others = event.registrations.exclude(pk=row.pk).select_related("event__store", "event__game", "player")
    lists.hand_in(others, lists.text("luz"))
    bring_to(event, "finished")
    home, client = f"/eventos/{event.slug}/mazos/", reader()
    page = client.get(f"{home}{row.player.code}/").content.decode()
    file = client.get(f"{home}{row.player.code}/texto/")
    assert CARD in page
    assert CARD in file.content.decode()
    assert file["content-type"].startswith("text/plain")
    assert WORD not in page + file.content.decode(), "what its owner wrote around the cards stays his"
    assert "Leocadia" in client.get(home).content.decode()


def test_pages_about_cards_do_not_change_by_a_private_list(event: Event) -> None:
    row, _user = account_in(event, "Leocadia Quitapesares")
    every = [(name, path) for name, path in addresses(event, row) if of_the_catalogue(name)]

    def bodies() -> dict[str, str]:
        client = reader()
        hidden = re.compile(r'csrfmiddlewaretoken" value="\w+"|"x-csrftoken": "\w+"|nonce="[^"]+"')
        return {name: hidden.sub("", client.get(path).getvalue().decode(errors="replace")) for name, path in every}

    before = bodies()
    decks.submit(row, "\n".join(lists.lines()).replace(lists.names()[0], CARD), by=SYSTEM)
    assert bodies() == before


def test_the_page_of_all_lists_costs_the_same_for_four_and_for_forty(queries: object) -> None:
    from django.db import connection
    from django.test import RequestFactory
    from django.test.utils import CaptureQueriesContext

    counts = []
    for players in (4, 40):
        event = lists.make_asking(players=players, rounds=1, lists_public="end")
        lists.hand_in(event)
        make.make_finished(make.play_event(event))
        request = RequestFactory().get("/")
        request.user, request.session = make.make_user(), {}  # type: ignore[attr-defined,assignment]
        with CaptureQueriesContext(connection) as seen:
            assert index(request, event.slug).status_code == 200
        counts.append(len(seen))
    assert counts[0] == counts[1] <= 14
