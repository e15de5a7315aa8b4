"""Reporting from a phone (TOURNAMENT_RULES 1.5; cases 40, 43, 96)."""

from collections.abc import Callable

import pytest
from django.test import Client

from players.models import User
from tests import make
from tests.web.conftest import account_in, reader
from tournaments.models import Event, Match, Registration

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def stage(game: object) -> None:
    """The games are loaded."""


@pytest.fixture(params=[False, True], ids=["left", "right"])
def table(request: pytest.FixtureRequest, as_user: Callable) -> tuple[Event, Client, Registration, Registration]:
    """Ana at table 1, on the left or on the right: (event, her phone, her, the rival)."""
    event = make.make_event(rounds=2)
    return (event, *sit(event, as_user, right=request.param))


def sit(event: Event, as_user: Callable, *, right: bool = False) -> tuple[Client, Registration, Registration]:
    mine, user = account_in(event, "Ana Peral")
    rival, _other = account_in(event, "Bruno Tapir")
    make.seat_by_hand(event, (2, 1) if right else (1, 2))
    return as_user(user), mine, rival


def send(client: Client, event: Event, match: Match | None = None, **data: str) -> int:
    match = match or make.table(event, 1)
    return client.post(f"/eventos/{event.slug}/mi-mesa/resultado/", {"match": str(match.pk)} | data).status_code


def claim_of(event: Event, row: Registration) -> tuple[object, ...]:
    seat = next(s for s in make.table(event, 1).seat_list if s.registration_id == row.pk)
    assert seat.claim is not None
    return seat.claim.outcome, seat.claim.winner_id, seat.claim.how


@pytest.mark.parametrize(
    ("score", "how", "outcome", "mine"),
    [("1", "ascension", "win", True), ("1", "aniquilacion", "win", True), ("2", "", "win", False),
     ("x", "", "draw", None), ("1c", "", "win", True), ("xp", "", "intentional_draw", None)],
)  # fmt: skip
def test_best_of_one_from_my_side(
    table: tuple[Event, Client, Registration, Registration], score: str, how: str, outcome: str, mine: bool | None
) -> None:
    event, client, me, rival = table
    assert send(client, event, score=score, how=how) == 303
    winner = {True: me.player_id, False: rival.player_id, None: None}[mine]
    assert claim_of(event, me) == (outcome, winner, "concesion" if score == "1c" else how)


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize(
    ("score", "games"), [("20", (2, 0)), ("21", (2, 1)), ("12", (1, 2)), ("02", (0, 2)), ("11", (1, 1))]
)
def test_best_of_three_from_my_side(as_user: Callable, right: bool, score: str, games: tuple[int, int]) -> None:
    event = make.make_event(rounds=2, best_of=3)
    client, me, _rival = sit(event, as_user, right=right)
    assert send(client, event, score=score, how="tiempo" if games[0] != games[1] else "") == 303
    seat = next(s for s in make.table(event, 1).seat_list if s.registration_id == me.pk)
    assert seat.claim is not None
    said = seat.claim.games
    assert (said[seat.position], said[1 - seat.position]) == games


def test_a_report_and_its_equal_close_the_table(table: tuple[Event, Client, Registration, Registration]) -> None:
    event, client, me, rival = table
    send(client, event, score="1", how="ascension")
    assert make.table(event, 1).state == "claimed"
    other = reader()
    other.force_login(rival.player.user)
    send(other, event, score="2")
    after = make.table(event, 1)
    assert (after.state, after.winner_id, after.how) == ("done", me.player_id, "ascension")


def test_the_same_request_again_is_one_report(table: tuple[Event, Client, Registration, Registration]) -> None:
    event, client, _me, _rival = table
    for _time in range(3):
        assert send(client, event, score="1", how="ascension", request_key="k1") == 303
    match = make.table(event, 1)
    assert (match.revisions.count(), match.version) == (1, 1)


def test_a_report_that_was_late_never_lands_on_the_next_round(
    table: tuple[Event, Client, Registration, Registration],
) -> None:
    event, client, _me, _rival = table
    old = make.win(event, 2)
    make.seat_by_hand(event, (1, 2))
    assert send(client, event, old, score="1", how="ascension", request_key="late") == 303
    assert make.table(event, 1).state == "open"
    old.refresh_from_db()
    assert old.revisions.count() == 1
    page = client.get(f"/eventos/{event.slug}/mi-mesa/").content.decode()
    assert "This table has its result already." in page


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"score": ""},
        {"score": "7"},
        {"score": "20"},
        {"score": "1", "how": "magia"},
        {"score": "1f"},
        {"score": "dp"},
    ],
)
def test_what_makes_no_sense_is_refused_in_words_and_changes_nothing(
    table: tuple[Event, Client, Registration, Registration], data: dict[str, str]
) -> None:
    event, client, _me, _rival = table
    assert send(client, event, **data) == 303
    assert make.table(event, 1).revisions.count() == 0
    assert 'class="toast danger"' in client.get(f"/eventos/{event.slug}/mi-mesa/").content.decode()


def test_nothing_is_drawn_in_the_cut(as_user: Callable) -> None:
    from tournaments.services import cut, rounds
    from tournaments.services.journal import SYSTEM

    event = make.make_event(rounds=1, cut=2)
    users: list[User] = [account_in(event, name)[1] for name in ("Ana", "Bruno")]
    make.seat_by_hand(event, (1, 2))
    make.finish_tables(event)
    rounds.publish(event, cut.start(event, by=SYSTEM, at=event.starts_at).number, by=SYSTEM, at=event.starts_at)
    client = as_user(users[0])
    send(client, event, score="x")
    assert make.table(event, 1).revisions.count() == 0
    assert "The cut has no draws" in client.get(f"/eventos/{event.slug}/mi-mesa/").content.decode()


def test_nobody_reports_for_a_table_that_is_not_his(
    table: tuple[Event, Client, Registration, Registration], visitor: Client, as_user: Callable
) -> None:
    event, _client, _me, _rival = table
    other_event = make.make_event(rounds=1)
    _row, elsewhere = account_in(other_event, "Clara")
    clients = [visitor, as_user(elsewhere), as_user(make.make_staff(event.store))]
    for client in clients:
        assert send(client, event, score="1", how="ascension") == 404
    assert make.table(event, 1).revisions.count() == 0


def test_a_match_of_another_event_is_not_found(
    table: tuple[Event, Client, Registration, Registration], as_user: Callable
) -> None:
    event, client, _me, _rival = table
    other = make.make_event(rounds=1)
    assert send(client, other, make.table(event, 1), score="1", how="ascension") == 404
    for wrong in ("", "x", "0", "99999999"):
        address = f"/eventos/{event.slug}/mi-mesa/resultado/"
        assert client.post(address, {"match": wrong, "score": "1"}).status_code == 404


def test_a_draft_is_not_reported(as_user: Callable) -> None:
    event = make.make_event(rounds=2)
    _row, user = account_in(event, "Ana")
    account_in(event, "Bruno")
    make.seat_by_hand(event, (1, 2), published=False)
    send(as_user(user), event, score="1", how="ascension")
    assert make.table(event, 1).revisions.count() == 0


def test_a_guest_reports_with_his_link_and_only_with_it(as_guest: Callable, visitor: Client) -> None:
    event = make.make_event(rounds=2)
    ana = make.enrol(event, make.make_guest("Ana"), secret="ana-secret-ana-secret-aa")
    make.enrol(event, make.make_guest("Bruno"), secret="bruno-secret-bruno-secre")
    make.seat_by_hand(event, (1, 2))
    assert send(visitor, event, score="1", how="ascension") == 404
    assert send(as_guest(ana), event, score="1", how="ascension") == 303
    assert claim_of(event, ana) == ("win", ana.player_id, "ascension")


def test_the_report_is_a_post(visitor: Client) -> None:
    event = make.make_event(players=2, rounds=1, published=1)
    assert visitor.get(f"/eventos/{event.slug}/mi-mesa/resultado/").status_code == 405


def test_without_the_token_of_the_form_nothing_is_taken(
    table: tuple[Event, Client, Registration, Registration],
) -> None:
    event, _client, me, _rival = table
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(me.player.user)
    assert send(strict, event, score="1", how="ascension") == 403
    assert make.table(event, 1).revisions.count() == 0
