"""The brakes on what anyone may post: tight for one browser, wide for a shop behind one address."""

from collections.abc import Callable

import pytest
from django.test import Client, RequestFactory, override_settings

from players.web import throttle
from tests import make
from tests.web.conftest import reader

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def stage(game: object) -> None:
    """The games are loaded."""


def test_one_browser_is_stopped_and_told_when_to_come_back(as_user: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttle, "time", lambda: 1_800_000_030.0)  # a window may end in the middle of a test
    event, client = make.make_event(), as_user(make.make_player().user)
    address = f"/eventos/{event.slug}/apuntarme/"
    codes = [client.post(address, {"key": "k"}).status_code for _ in range(13)]
    assert codes[:12] == [303] * 12
    answer = client.post(address, {"key": "k"})
    assert answer.status_code == codes[12] == 429
    assert answer["Retry-After"] == "60"
    assert "Nothing was sent this time" in answer.content.decode()


def test_forty_phones_of_one_shop_get_through() -> None:
    event = make.make_event()
    for n in range(40):
        answer = reader().post(
            f"/eventos/{event.slug}/apuntarme/", {"key": f"k{n}", "name": f"Persona {n} B", "anyway": "on"}
        )
        assert answer.status_code == 303
    assert event.registrations.count() == 40


def test_one_address_is_stopped_in_the_end(visitor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttle, "time", lambda: 1_800_000_030.0)
    event = make.make_event()
    for _ in range(240):
        throttle.over("sign_up", "127.0.0.1", 240)
    assert visitor.post(f"/eventos/{event.slug}/apuntarme/", {"key": "k", "name": "Ana"}).status_code == 429
    assert not event.registrations.exists()


def test_reading_is_never_stopped(visitor: Client) -> None:
    event = make.make_event(players=4)
    for _ in range(240):
        throttle.over("sign_up", "127.0.0.1", 240)
    assert visitor.get(f"/eventos/{event.slug}/apuntarme/").status_code == 200


def test_a_new_minute_forgets() -> None:
    import time_machine

    with time_machine.travel(1_000_000_000, tick=False) as clock:
        assert not throttle.over("x", "a", 1)
        assert throttle.over("x", "a", 1)
        assert not throttle.over("x", "b", 1)
        clock.shift(60)
        assert not throttle.over("x", "a", 1)


def test_behind_our_proxy_the_last_name_in_the_line_counts() -> None:
    request = RequestFactory().get("/", headers={"X-Forwarded-For": "6.6.6.6, 10.0.0.7"})
    assert throttle.address(request) == "127.0.0.1"  # nobody vouches for that header
    with override_settings(SECURE_PROXY_SSL_HEADER=("HTTP_X_FORWARDED_PROTO", "https")):
        assert throttle.address(request) == "10.0.0.7"
