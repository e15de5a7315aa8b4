"""What the tests of pages share: nothing cached between them, visitors who read English, and a way to count queries."""

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import Player, User
from tournaments.models import Event, Registration

# Not the page's own: the session, the account, and the statements that hold a transaction together.
APART = re.compile(
    r'^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|PRAGMA)|"django_session"|FROM "players_user" WHERE|'
    r'FROM "players_player" WHERE "players_player"\."user_id"'
)


@pytest.fixture(autouse=True)
def cold_cache() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def visitor() -> Client:
    """Nobody in particular, in English: the words of the code itself."""
    return reader()


def reader() -> Client:
    return Client(headers={"accept-language": "en"})


@pytest.fixture
def as_user() -> Callable[[User], Client]:
    def log_in(user: User) -> Client:
        client = reader()
        client.force_login(user)
        return client

    return log_in


@pytest.fixture
def as_guest() -> Callable[[Registration], Client]:
    """The browser of a guest who has opened his link."""

    def open_link(registration: Registration) -> Client:
        client = reader()
        assert registration.secret, "this registration has no link"
        assert client.get(f"/i/{registration.secret}/").status_code == 302
        return client

    return open_link


@pytest.fixture
def queries() -> Callable[[int], AbstractContextManager[None]]:
    """`with queries(12): ...` fails with the statements when there are more."""

    @contextmanager
    def at_most(limit: int) -> Iterator[None]:
        with CaptureQueriesContext(connection) as seen:
            yield
        own = [query["sql"] for query in seen.captured_queries if not APART.search(query["sql"])]
        assert len(own) <= limit, f"{len(own)} queries, {limit} allowed:\n" + "\n".join(own)

    return at_most


def account_in(event: Event, name: str) -> tuple[Registration, User]:
    """Somebody with an account who is in the event."""
    from tests import make

    player: Player = make.make_player(name)
    assert player.user is not None
    return make.enrol(event, player), player.user
