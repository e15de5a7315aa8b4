"""The page of an event on a phone that stays open: what is asked, what comes, what everybody shares (DESIGN, State)."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from tests import make
from tests.web.conftest import account_in
from tournaments.models import Event, Registration

if TYPE_CHECKING:
    from django.http import HttpResponse

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def stage(game: object) -> None:
    """The games are loaded."""


def ask(client: Client, event: Event, view: str, tag: str = "", part: str = "estado") -> "HttpResponse":
    headers = {"HX-Request": "true", "HX-Target": part} | ({"If-None-Match": tag} if tag else {})
    return client.get(f"/eventos/{event.slug}/?vista={view}", headers=headers)


def text(answer: "HttpResponse") -> str:
    return answer.content.decode()


def test_phones_ask_every_four_to_five_seconds_and_not_together(visitor: Client) -> None:
    event = make.make_event(players=4)
    pages = [text(visitor.get(f"/eventos/{event.slug}/")) for _ in range(5)]
    pages += [text(visitor.get(f"/eventos/{event.slug}/pulso/")) for _ in range(5)]
    every = [float(re.search(r'id="pulso".*?every ([\d.]+)s', page)[1]) for page in pages]  # type: ignore[index]
    assert all(4 <= seconds <= 5 for seconds in every)
    assert len(set(every)) > 5


def test_an_event_that_stands_still_costs_one_read_and_no_word(visitor: Client, queries: Callable) -> None:
    event = make.make_event(players=4, published=1)
    tag = ask(visitor, event, "rondas")["ETag"]
    assert tag in text(visitor.get(f"/eventos/{event.slug}/")).replace("&quot;", '"').replace('\\"', '"')
    with queries(1):
        answer = ask(visitor, event, "rondas", tag)
    assert (answer.status_code, answer.content) == (304, b"")


def test_one_answer_serves_a_whole_hall(visitor: Client, queries: Callable) -> None:
    event = make.make_event(players=4, published=1)
    first = text(ask(visitor, event, "rondas"))
    with queries(1):
        assert text(ask(Client(headers={"accept-language": "en"}), event, "rondas")) == first


def test_the_part_is_the_same_for_everybody(as_user: Callable, visitor: Client) -> None:
    event = make.make_event(players=2, published=0)
    _row, user = account_in(event, "Ana Peral")
    assert text(ask(as_user(user), event, "abierto")) == text(ask(visitor, event, "abierto"))
    assert 'class="me row' in text(as_user(user).get(f"/eventos/{event.slug}/"))


def test_the_headline_the_steps_and_the_rounds_follow(visitor: Client) -> None:
    event = make.make_event(players=4, rounds=2, published=1)
    before = ask(visitor, event, "rondas")
    make.finish_tables(event)
    make.pair_and_publish(event)
    after = ask(visitor, event, "rondas", before["ETag"])
    assert "Round 1, 2 tables to go" in text(before)
    assert "Round 2, 2 tables to go" in text(after)
    assert re.search(r'aria-current="step">R2<', text(after))
    assert text(after).count('hx-swap-oob="outerHTML"') == 4
    assert "HX-Retarget" not in after


@pytest.mark.parametrize("view", ["abierto", "", "no-existe"])
def test_a_page_that_has_become_another_is_sent_whole(as_user: Callable, view: str) -> None:
    event = make.make_event(players=3, rounds=1)
    _row, user = account_in(event, "Ana Peral")
    client = as_user(user)
    make.pair_and_publish(event)
    answer = ask(client, event, view)
    assert (answer["HX-Retarget"], answer["HX-Reselect"]) == ("#main", "#main")
    assert 'data-me="' in text(answer)
    make.finish_tables(event)
    make.make_finished(event)
    answer = ask(client, event, "rondas")
    assert "Final places" in text(answer)
    assert 'id="pulso"' not in text(answer)


def test_a_place_that_becomes_free_reaches_who_waits(as_user: Callable) -> None:
    event = make.make_event(players=1, capacity=1)
    row, user = account_in(event, "Ana Peral")
    row.status = Registration.Status.WAITING
    row.save()
    client = as_user(user)
    assert "Waiting list" in text(ask(client, event, "abierto", part="mio"))
    row.status = Registration.Status.REGISTERED
    row.save()
    assert "You are in" in text(ask(client, event, "abierto", part="mio"))


def test_a_draft_is_not_followed(as_user: Callable) -> None:
    event = make.make_event(status=Event.Status.DRAFT)
    client = as_user(make.make_staff(event.store))
    assert 'id="pulso"' not in text(client.get(f"/eventos/{event.slug}/"))
    assert ask(client, event, "cerrado").status_code == 404
