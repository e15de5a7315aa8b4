"""Results: a tap, a typed line, a correction with its consequences (TOURNAMENT_RULES 1, 6; CASES 36-46)."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from players.models import User
from tests import make
from tournaments.models import Event, LogEntry, Match, Store
from tournaments.queries import sheet
from tournaments.services import cut, rounds
from tournaments.services.journal import SYSTEM

pytestmark = pytest.mark.django_db
LogIn = Callable[[User], Client]
Queries = Callable[[int], AbstractContextManager[None]]
HTMX = {"HX-Request": "true"}


@pytest.fixture
def event(store: Store) -> Event:
    return make.make_event(store, players=6, rounds=3, published=1)


@pytest.fixture
def desk(organiser: User, as_user: LogIn) -> Client:
    return as_user(organiser)


def url(match: Match, what: str = "resultado") -> str:
    return f"/eventos/{match.event.slug}/mesas/{match.pk}/{what}/"


def tap(client: Client, match: Match, score: str, **more: Any) -> HttpResponse:
    data = {"score": score, "version": match.version, "key": "one-form"} | more
    return client.post(url(match), data)


def fresh(match: Match) -> Match:
    return Match.objects.get(pk=match.pk)


# -- one tap ----------------------------------------------------------------------------------------------------------
def test_a_tap_decides_the_table_and_returns(event: Event, desk: Client) -> None:
    match = make.table(event, 2)
    response = tap(desk, match, "2")
    assert response.status_code == 303
    assert response["Location"] == f"/eventos/{event.slug}/consola/"
    assert fresh(match).winner == match.right.registration.player  # type: ignore[union-attr]


def test_the_same_form_twice_is_one_result(event: Event, desk: Client) -> None:
    match = make.table(event, 1)
    assert tap(desk, match, "1").status_code == tap(desk, match, "1").status_code == 303
    assert fresh(match).revisions.count() == 1


def test_going_back_and_tapping_another_is_not_swallowed(event: Event, desk: Client) -> None:
    """Case 40: an old page may not overwrite, and it is told so."""
    match = make.table(event, 1)
    tap(desk, match, "1")
    response = desk.post(url(match), {"score": "2", "version": match.version, "key": "one-form"}, follow=True)
    assert "has changed meanwhile" in response.content.decode()
    assert fresh(match).winner == match.left.registration.player


@pytest.mark.parametrize(
    ("score", "outcome"),
    [("x", "draw"), ("1f", "forfeit"), ("xp", "intentional_draw"), ("dp", "double_loss"), ("np", "not_played")],
)
def test_whatever_can_happen_at_a_table_has_its_key(event: Event, desk: Client, score: str, outcome: str) -> None:
    """Rule 1.1; both absent (case 44) and an agreed draw (46) are results of their own."""
    match = make.table(event, 1)
    assert f'value="{score}"' in desk.get(url(match, "corregir")).content.decode()
    desk.post(url(match, "corregir"), {"score": score})
    assert fresh(match).outcome == outcome


def test_accepting_what_a_player_said(event: Event, desk: Client) -> None:
    from tests.web.test_staff_console import say

    say(event, 1, 1, "2n")
    match = make.table(event, 1)
    assert tap(desk, match, "claim_1").status_code == 303
    now = fresh(match)
    assert (now.winner, now.how) == (match.right.registration.player, "aniquilacion")  # type: ignore[union-attr]


def test_a_report_that_is_gone_cannot_be_accepted(event: Event, desk: Client) -> None:
    match = make.table(event, 1)
    response = tap(desk, match, "claim_0")
    assert response.status_code == 303
    assert fresh(match).outcome is None


@pytest.mark.parametrize("score", ["", "7", "abc", "20", "claim_9", "1' or 1=1", "9" * 200])
def test_nonsense_is_refused_and_changes_nothing(event: Event, desk: Client, score: str) -> None:
    match = make.table(event, 1)
    response = desk.post(url(match), {"score": score}, headers=HTMX)
    assert response.status_code == 422
    assert response["HX-Reswap"] == "none", "the page stays as it is"
    assert b'id="toasts"' in response.content
    assert fresh(match).outcome is None


def test_another_events_table_is_nobodys(event: Event, store: Store, desk: Client) -> None:
    other = make.table(make.make_event(store, players=4, published=1), 1)
    for what in ("resultado", "corregir"):
        address = f"/eventos/{event.slug}/mesas/{other.pk}/{what}/"
        assert desk.post(address, {"score": "1", "reason": "x"}).status_code == 404
    assert desk.get(f"/eventos/{event.slug}/mesas/{other.pk}/corregir/").status_code == 404
    assert fresh(other).outcome is None


def test_a_bye_has_no_result_to_give(store: Store, desk: Client) -> None:
    event = make.make_event(store, players=5, published=1)
    bye = event.matches.get(kind="bye")
    assert desk.post(url(bye), {"score": "1"}).status_code == 404


def test_a_get_is_no_result(event: Event, desk: Client) -> None:
    assert desk.get(url(make.table(event, 1))).status_code == 405


@pytest.mark.parametrize("players", [12, 500])
def test_a_result_costs_ten_queries(players: int, store: Store, desk: Client, queries: Queries) -> None:
    match = make.table(make.make_big_event(players, 2, store=store), 3)
    with queries(10):
        assert tap(desk, match, "1").status_code == 303
    assert fresh(match).state == "done"


# -- the keyboard -----------------------------------------------------------------------------------------------------
def test_table_score_enter(event: Event, desk: Client) -> None:
    response = desk.post(f"/eventos/{event.slug}/teclado/", {"table": "3", "score": "2T"})
    assert response.status_code == 303
    match = event.matches.get(table=3)
    assert (match.state, match.how) == ("done", "tiempo")


@pytest.mark.parametrize("score", ["20", "21", "12", "02", "11", "10", "01", "00"])
def test_best_of_three_takes_its_eight_keys(store: Store, desk: Client, score: str) -> None:
    event = make.make_event(store, players=4, best_of=3, published=1)
    desk.post(f"/eventos/{event.slug}/teclado/", {"table": "1", "score": score})
    seats = event.matches.get(table=1).seats.order_by("position")
    assert "".join(str(seat.games) for seat in seats) == score


@pytest.mark.parametrize(
    ("table", "score", "said"),
    [
        ("9", "1", "There is no table 9 in this round."),
        ("", "1", "There is no table – in this round."),
        ("1", "3", "is no result here"),
        ("x", "1", "There is no table x in this round."),
    ],
)
def test_a_refused_line_stays_to_be_mended(event: Event, desk: Client, table: str, score: str, said: str) -> None:
    response = desk.post(f"/eventos/{event.slug}/teclado/", {"table": table, "score": score})
    page = response.content.decode()
    assert response.status_code == 422
    assert said in page
    assert f'name="table" inputmode="numeric" autocomplete="off" maxlength="4" value="{table}"' in page
    assert f'name="score" autocomplete="off" maxlength="6" value="{score}"' in page


def test_a_decided_table_is_not_typed_over(event: Event, desk: Client) -> None:
    make.report(make.table(event, 1), "1")
    response = desk.post(f"/eventos/{event.slug}/teclado/", {"table": "1", "score": "2"})
    assert "has its result already" in response.content.decode()


def test_a_draft_takes_no_results(store: Store, desk: Client) -> None:
    event = make.make_event(store, players=4)
    make.pair(event)
    assert desk.post(f"/eventos/{event.slug}/teclado/", {"table": "1", "score": "1"}).status_code == 422
    assert event.matches.get(table=1).outcome is None


# -- corrections (rule 6) ---------------------------------------------------------------------------------------------
@pytest.fixture
def wrong(event: Event) -> Match:
    """Case 36: six players, table 2 of round 1 entered reversed, round 2 paired and one of its tables finished."""
    make.finish_tables(event, "1", "1", "1")
    make.pair_and_publish(event)
    make.report(make.table(event, 1), "1")
    return next(match for match in sheet(event).matches(sheet(event).round(1)) if match.table == 2)


def test_a_wrong_result_is_mended_in_four_actions(event: Event, wrong: Match, desk: Client) -> None:
    """UX: open the round, tap the right result, write why, confirm."""
    page = desk.get(f"/eventos/{event.slug}/consola/?ronda=1").content.decode()
    assert f"{url(wrong, 'corregir')}?score=2" in page
    preview = desk.get(url(wrong, "corregir") + "?score=2")
    assert "This is what changes" in preview.content.decode()
    moved = {row.registration.pk: row.points for row in preview.context["impact"].points}
    assert moved == {wrong.left.registration.pk: -3, wrong.right.registration.pk: 3}  # type: ignore[union-attr]
    for row in preview.context["impact"].points:
        assert f"{row.before.points} → {row.after.points}" in preview.content.decode()
    response = desk.post(
        url(wrong, "corregir"), {"score": "2", "reason": "Entered the wrong way round", "version": wrong.version}
    )
    assert response.status_code == 303
    assert fresh(wrong).winner == wrong.right.registration.player  # type: ignore[union-attr]
    entry = LogEntry.objects.filter(event=event).first()
    assert entry is not None
    assert (entry.action, entry.reason) == ("result.correct", "Entered the wrong way round")


def test_looking_changes_nothing(event: Event, wrong: Match, desk: Client) -> None:
    before = Event.objects.get(pk=event.pk).version
    desk.get(url(wrong, "corregir") + "?score=2")
    desk.get(url(wrong, "corregir") + "?score=nonsense")
    assert Event.objects.get(pk=event.pk).version == before


def test_pairings_stay_unless_asked(event: Event, wrong: Match, desk: Client) -> None:
    pairs = seats_of(event)
    desk.post(url(wrong, "corregir"), {"score": "2", "reason": "Reversed"})
    assert seats_of(event) == pairs


def test_only_untouched_tables_are_paired_again(event: Event, wrong: Match, desk: Client) -> None:
    """Case 37: a finished table is never voided silently."""
    page = desk.get(url(wrong, "corregir") + "?score=2").content.decode()
    assert "Pair again the 2 tables without a report" in page
    done = seats_of(event)[1]
    desk.post(url(wrong, "corregir"), {"score": "2", "reason": "Reversed", "then": "repair_open"})
    assert seats_of(event)[1] == done
    assert sheet(event).current_round.swapped  # type: ignore[union-attr]


def seats_of(event: Event) -> dict[int, list[int]]:
    now = sheet(event)
    return {match.table or 0: [s.registration_id for s in match.seat_list] for match in now.matches(now.current_round)}


def test_a_correction_needs_its_reason_and_keeps_what_was_typed(event: Event, wrong: Match, desk: Client) -> None:
    response = desk.post(url(wrong, "corregir"), {"score": "2", "reason": "  ", "then": "repair_open"})
    page = response.content.decode()
    assert response.status_code == 422
    assert "Write the reason" in page
    assert 'value="repair_open" checked' in page
    assert fresh(wrong).winner == wrong.left.registration.player


def test_a_scorekeeper_gives_results_but_corrects_none(
    event: Event, wrong: Match, scorekeeper: User, as_user: LogIn
) -> None:
    client = as_user(scorekeeper)
    assert client.get(url(wrong, "corregir")).status_code == 403
    assert client.post(url(wrong, "corregir"), {"score": "2", "reason": "x"}).status_code == 403
    open_table = make.table(event, 2)
    assert client.get(url(open_table, "corregir")).status_code == 200
    assert client.post(url(open_table, "corregir"), {"score": "np"}).status_code == 303


def test_the_cut_offers_no_draw(store: Store, desk: Client) -> None:
    """Rule 7.2, case 46."""
    event = make.make_event(store, players=4, rounds=2, cut=2)
    make.play_round(event)
    make.play_round(event)
    final = cut.start(event, by=SYSTEM)
    rounds.publish(event, final.number, by=SYSTEM)
    match = make.table(event, 1)
    page = desk.get(url(match, "corregir")).content.decode()
    assert 'value="x"' not in page
    assert 'value="np"' not in page
    assert desk.post(url(match), {"score": "x"}, headers=HTMX).status_code == 422


def test_a_result_is_taken_away_with_its_reason(event: Event, desk: Client) -> None:
    """Rule 6.4: never silently."""
    match = make.report(make.table(event, 1), "1")
    refused = desk.post(url(match, "corregir"), {"score": "clear", "reason": " "})
    assert refused.status_code == 422
    assert fresh(match).outcome == "win"
    desk.post(url(match, "corregir"), {"score": "clear", "reason": "It was another table"})
    assert (fresh(match).outcome, fresh(match).state) == (None, "open")


def test_one_table_gets_more_time(event: Event, store: Store, desk: Client) -> None:
    """Rule 8.1: per-table extensions."""
    match = make.table(event, 2)
    ends = event.rounds.get().ends_at
    address = f"/eventos/{event.slug}/rondas/1/reloj/"
    desk.post(address, {"op": "add", "seconds": "300", "match": match.pk})
    assert fresh(match).extra_seconds == 300
    assert event.rounds.get().ends_at == ends, "the others stop as before"
    assert "5:00 more" in desk.get(f"/eventos/{event.slug}/consola/").content.decode()
    other = make.table(make.make_event(store, players=4, published=1), 1)
    assert desk.post(address, {"op": "add", "seconds": "300", "match": other.pk}).status_code == 404
