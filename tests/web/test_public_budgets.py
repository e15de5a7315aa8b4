"""What the pages cost (DESIGN, State): the same number of queries for 12 players and for 500, one for a poll."""

from collections.abc import Callable

import pytest
from django.test import Client

from players.models import User
from tests import make
from tests.web.conftest import account_in
from tournaments.models import Event, Match, Registration
from tournaments.services import results
from tournaments.services.journal import Actor

pytestmark = pytest.mark.django_db
SIZES = (12, 500)


def in_play(players: int) -> Event:
    return make.make_big_event(players, rounds=2)


@pytest.fixture(params=SIZES)
def event(request: pytest.FixtureRequest, game: object) -> Event:
    return in_play(request.param)


@pytest.mark.parametrize(
    "page",
    ["", "emparejamientos/", "emparejamientos/1/", "emparejamientos/?orden=nombre", "clasificacion/", "proyector/",
     "clasificacion/?ronda=1", "imprimir/nombres/", "imprimir/resguardos/", "imprimir/clasificacion/", "mi-mesa/"],
)  # fmt: skip
def test_a_page_costs_at_most_twelve_queries(event: Event, page: str, as_user: Callable, queries: Callable) -> None:
    client = as_user(make.make_staff(event.store))
    with queries(12):
        assert client.get(f"/eventos/{event.slug}/{page}").status_code == 200


def test_the_sums_of_a_player_cost_at_most_twelve_queries(event: Event, visitor: Client, queries: Callable) -> None:
    code = event.registrations.select_related("player")[0].player.code
    with queries(12):
        answer = visitor.get(f"/eventos/{event.slug}/clasificacion/?jugador={code}")
    assert code in answer.content.decode()


def test_my_own_page_costs_at_most_twelve_queries(event: Event, as_user: Callable, queries: Callable) -> None:
    row = event.registrations.select_related("player")[0]
    row.player.user = user = make.make_user()
    row.player.save()
    client = as_user(user)
    with queries(12):
        answer = client.get(f"/eventos/{event.slug}/mi-mesa/")
    assert b'name="match"' in answer.content


@pytest.mark.parametrize(
    ("path", "part"),
    [("emparejamientos/", "lista"), ("clasificacion/", "tabla"), ("proyector/", "pared"), ("pulso/", "pulso")],
)
def test_a_poll_of_an_event_that_stands_still_costs_one_indexed_read(
    event: Event, path: str, part: str, visitor: Client, queries: Callable
) -> None:
    address, headers = f"/eventos/{event.slug}/{path}", {"HX-Request": "true", "HX-Target": part}
    tag = visitor.get(address, headers=headers)["ETag"]
    with queries(1):
        answer = visitor.get(address, headers=headers | {"If-None-Match": tag})
    assert answer.status_code == 304
    assert answer.content == b""
    assert "sessionid" not in answer.cookies


def seat(event: Event) -> tuple[Match, Registration, User]:
    """Somebody with an account at an open table."""
    now = make.sheet(event)
    match = next(m for m in now.open_matches if m.kind == Match.Kind.TABLE)
    row = match.seat_list[0].registration
    row.player.user = user = make.make_user()
    row.player.save()
    return match, row, user


def test_a_report_costs_at_most_ten_queries(event: Event, as_user: Callable, queries: Callable) -> None:
    match, _row, user = seat(event)
    client = as_user(user)
    data = {"match": match.pk, "score": "1", "how": "ascension", "request_key": "a"}
    with queries(10):
        client.post(f"/eventos/{event.slug}/mi-mesa/resultado/", data)
    match.refresh_from_db()
    assert match.state == Match.State.CLAIMED


def test_confirming_costs_at_most_ten_queries(event: Event, as_user: Callable, queries: Callable) -> None:
    match, row, user = seat(event)
    rival = match.seat_list[1].registration
    said = results.Statement(Match.Outcome.WIN, rival, None, "tiempo")
    results.report(match, rival, said, by=Actor(player=rival.player), at=event.starts_at)
    client = as_user(user)
    data = {"match": match.pk, "score": "2", "how": "tiempo", "request_key": "b"}
    with queries(10):
        client.post(f"/eventos/{event.slug}/mi-mesa/resultado/", data)
    match.refresh_from_db()
    assert (match.state, match.winner_id) == (Match.State.DONE, rival.player_id)
    assert row.pk != rival.pk


def test_lists_of_events_do_not_grow_with_their_length(visitor: Client, queries: Callable, game: object) -> None:
    store = make.make_store()
    for _ in range(15):
        make.make_event(store, players=2)
        make.make_event(store, players=2, status=Event.Status.FINISHED)
    for address in ("/eventos/", "/eventos/?ver=terminados", "/eventos/?q=jueves", f"/tiendas/{store.slug}/"):
        with queries(4):
            assert visitor.get(address).status_code == 200


def test_two_names_that_look_alike_cost_nothing_more(queries: Callable, visitor: Client, game: object) -> None:
    event = make.make_event(players=4)
    account_in(event, make.a_name(0))
    with queries(12):
        assert visitor.get(f"/eventos/{event.slug}/").status_code == 200
