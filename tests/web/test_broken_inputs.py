"""What once broke: characters and sizes that no form of ours sends, but that the street does."""

import pytest
from django.core.cache import cache
from django.test import Client

from decks.models import Game
from ranking import queries
from ranking.models import Snapshot
from tournaments.models import Store

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("address", ["/ranking/?q=%00", "/eventos/?provincia=%00", "/?x=a%00b"])
def test_nul_in_a_question_is_a_bad_request(client: Client, address: str) -> None:
    """PostgreSQL takes no NUL in a text: without the rule the page would be a 500 there and an answer on SQLite."""
    assert client.get(address).status_code == 400


def test_nul_in_an_address_is_not_found(client: Client) -> None:
    assert client.get("/jugadores/%00/").status_code == 404


def test_nul_in_a_form_is_a_bad_request(client: Client) -> None:
    assert client.post("/cuenta/login/", {"login": "a\0@b.es", "password": "x"}).status_code == 400


def test_the_api_never_hands_out_a_whole_table(client: Client, store: Store) -> None:
    more = [Store(name=f"Tienda {i}", slug=f"tienda-{i}", province="ES-M").derive() for i in range(600)]
    Store.objects.bulk_create(more)
    answer = client.get("/api/v1/stores/?limit=100000").json()
    assert (answer["count"], len(answer["results"])) == (601, 500)


@pytest.mark.parametrize("odd", ["es/" + "x" * 300, "es ñ\t"])
def test_a_board_by_any_name_is_asked_for_without_filling_the_cache(client: Client, game: Game, odd: str) -> None:
    """Memcached and Redis bound keys; and a name that is no board must not stay for a day each time."""
    snapshot = Snapshot(pk=1, game=game)
    assert queries.sizes(snapshot, "rating", [odd]) == {odd: (0, 0)}
    key = queries.size_key(snapshot, "rating", odd)
    assert len(key) < 100
    assert key.isascii()
    assert " " not in key
    assert cache.get(key) is None
