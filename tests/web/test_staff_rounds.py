"""Pairing, publishing, swapping, undoing, the clock, the cut, the end (TOURNAMENT_RULES 4, 6.3, 7, 8.1)."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from players.models import User
from tests import make
from tournaments.models import Event, Round, Store
from tournaments.queries import sheet

pytestmark = pytest.mark.django_db
LogIn = Callable[[User], Client]
Queries = Callable[[int], AbstractContextManager[None]]
HTMX = {"HX-Request": "true", "HX-Target": "console"}


@pytest.fixture
def desk(organiser: User, as_user: LogIn) -> Client:
    return as_user(organiser)


def act(client: Client, event: Event, action: str, number: int = 1, **data: Any) -> HttpResponse:
    return client.post(f"/eventos/{event.slug}/rondas/{number}/{action}/", data, follow=True)


def pair(client: Client, event: Event, number: int = 1, **data: Any) -> HttpResponse:
    return client.post(f"/eventos/{event.slug}/rondas/", {"number": number} | data, follow=True)


def said(response: HttpResponse) -> str:
    return response.content.decode()


def the(event: Event) -> Event:
    return Event.objects.get(pk=event.pk)


# -- three actions ----------------------------------------------------------------------------------------------------
def test_tonight_takes_three_actions(store: Store, desk: Client) -> None:
    """UX: "Repetir jueves", "Emparejar", "Publicar", and one line a walk-in."""
    make.make_finished_event(store, players=4, at=timezone.now() - timedelta(days=7))
    page = desk.get("/organizar/")
    again = page.context["again"]
    console = desk.post(f"/eventos/{again.slug}/repetir/", follow=True)  # 1
    event = console.context["event"]
    address = f"/eventos/{event.slug}/inscripciones/"
    desk.post(address, {"names": "Zoe Farolillo\nÍñigo Zarzuelo\nÑusta Quebrantahoz\nAna Trasgo"})
    step = desk.get(f"/eventos/{event.slug}/consola/").context["step"]
    draft = desk.post(step.action, {"number": step.value}, follow=True)  # 2
    step = draft.context["step"]
    live = desk.post(step.action, {"number": step.value}, follow=True)  # 3
    assert "2 tables left" in said(live)
    assert "is published and its clock runs" in said(live)


# -- pairing ----------------------------------------------------------------------------------------------------------
def test_pressing_pair_twice_is_one_round(store: Store, desk: Client) -> None:
    """Case 7, rule 4.6."""
    event = make.make_event(store, players=6)
    first = pair(desk, event)
    tables = [seat.pk for seat in first.context["sheet"].rounds[0].seats.order_by("pk")]
    second = pair(desk, event)
    assert "Round 1: draft" in said(second)
    assert [seat.pk for seat in event.rounds.get().seats.order_by("pk")] == tables


@pytest.mark.parametrize("players", [12, 500])
def test_pairing_costs_twenty_queries(players: int, store: Store, desk: Client, queries: Queries) -> None:
    event = make.make_big_event(players, 2, open_round=False, store=store)
    with queries(20):
        response = desk.post(f"/eventos/{event.slug}/rondas/", {"number": 3})
    assert response.status_code == 303
    assert event.rounds.filter(number=3, status="draft").exists()


def test_missing_results_block_the_next_round_and_are_named(store: Store, desk: Client) -> None:
    """Case 9."""
    event = make.make_event(store, players=6, rounds=3, published=1)
    make.report(make.table(event, 1), "1")
    console = desk.get(f"/eventos/{event.slug}/consola/")
    assert console.context["step"].blocked
    assert "2 and 3" in console.context["step"].why
    response = pair(desk, event, 2)
    assert response.status_code == 422
    assert "Results are missing at these tables: 2, 3." in said(response)
    assert event.rounds.count() == 1


def test_pairing_anyway_needs_its_reason(store: Store, desk: Client) -> None:
    event = make.make_event(store, players=6, rounds=3, published=1)
    assert "Write the reason" in said(pair(desk, event, 2, override="on"))
    response = pair(desk, event, 2, override="on", reason="They went home")
    assert "Round 2: draft" in said(response)
    assert set(event.matches.filter(round__number=1).values_list("outcome", flat=True)) == {"not_played"}


@pytest.mark.parametrize("number", ["", "0", "-1", "x", "2", "101"])
def test_a_round_that_is_not_next_is_refused(number: str, store: Store, desk: Client) -> None:
    event = make.make_event(store, players=4)
    desk.post(f"/eventos/{event.slug}/rondas/", {"number": number})
    assert not event.rounds.exists()


def test_nobody_left_to_pair_offers_the_end(store: Store, desk: Client) -> None:
    """Case 11."""
    event = make.make_event(store, players=4, rounds=3)
    make.play_round(event)
    for order in (1, 2, 3):
        make.drop(event, order)
    console = desk.get(f"/eventos/{event.slug}/consola/")
    assert console.context["step"].label == "Finish"
    assert "There are not two active players left" in said(pair(desk, event, 2))


# -- drafts and seats -------------------------------------------------------------------------------------------------
def test_a_draft_is_published_once(store: Store, desk: Client) -> None:
    event = make.make_event(store, players=4)
    make.pair(event)
    act(desk, event, "publicar")
    ends = event.rounds.get().ends_at
    act(desk, event, "publicar")
    assert event.rounds.get().ends_at == ends, "publishing again does not start the clock again"


def test_two_players_change_seats_with_a_reason(store: Store, desk: Client) -> None:
    """Rule 4.5, case 15."""
    event = make.make_event(store, players=4)
    make.pair(event)
    first, second = make.table(event, 1).left.registration, make.table(event, 2).left.registration
    missing = act(desk, event, "intercambiar", first=first.pk, second=second.pk)
    assert missing.status_code == 422
    assert f'value="{second.pk}" selected' in said(missing), "what was chosen stays"
    response = act(desk, event, "intercambiar", first=first.pk, second=second.pk, reason="Brothers")
    assert "have changed seats" in said(response)
    assert make.table(event, 1).left.registration == second


def test_seats_are_those_of_this_event(store: Store, desk: Client) -> None:
    event = make.make_event(store, players=4)
    make.pair(event)
    other = make.registration(make.make_event(store, players=4), 1)
    mine = make.registration(event, 1)
    assert act(desk, event, "intercambiar", first=mine.pk, second=other.pk, reason="x").status_code == 404
    same = act(desk, event, "intercambiar", first=mine.pk, second=mine.pk, reason="x")
    assert "Choose two different players." in said(same)


def test_a_draft_whose_player_left_is_paired_again(store: Store, desk: Client) -> None:
    """Case 32."""
    event = make.make_event(store, players=6)
    make.pair(event)
    gone = make.registration(event, 3)
    desk.post(f"/eventos/{event.slug}/inscripciones/{gone.pk}/retirar/")
    console = desk.get(f"/eventos/{event.slug}/consola/")
    step = console.context["step"]
    assert step.label == "Pair round 1 again"
    assert gone.player.name in step.why
    desk.post(step.action, {"number": step.value})
    assert not event.rounds.get().seats.filter(registration=gone).exists()


def test_undoing_a_round_with_results_needs_its_reason(store: Store, desk: Client) -> None:
    """Rule 6.3."""
    event = make.make_event(store, players=4, published=1)
    make.report(make.table(event, 1), "1")
    refused = act(desk, event, "deshacer")
    assert "Undoing it needs a reason." in said(refused)
    assert event.rounds.exists()
    act(desk, event, "deshacer", reason="Wrong room")
    assert not event.rounds.exists()
    assert the(event).status == "open"


def test_only_tables_without_a_report_are_paired_again(store: Store, desk: Client) -> None:
    event = make.make_event(store, players=8, published=1)
    make.report(make.table(event, 1), "1")
    kept = [seat.registration_id for seat in make.table(event, 1).seat_list]
    act(desk, event, "reemparejar", reason="Somebody sat down wrong")
    assert [seat.registration_id for seat in make.table(event, 1).seat_list] == kept


def test_an_action_that_does_not_exist_is_no_page(store: Store, desk: Client) -> None:
    event = make.make_event(store, players=4, published=1)
    assert act(desk, event, "borrar").status_code == 404
    assert desk.get(f"/eventos/{event.slug}/rondas/1/publicar/").status_code == 405


def test_under_htmx_a_refusal_replaces_nothing(store: Store, desk: Client) -> None:
    event = make.make_event(store, players=4, published=1)
    response = desk.post(f"/eventos/{event.slug}/rondas/", {"number": 2}, headers=HTMX)
    assert response.status_code == 422
    assert (response["HX-Reswap"], response["HX-Trigger"]) == ("none", "refresh")
    assert "<form" not in said(response).replace('<form method="post" action="/idioma/"', "")
    assert 'class="rule-link"' in said(response)


# -- the clock --------------------------------------------------------------------------------------------------------
def test_the_clock_stops_goes_on_and_grows(store: Store, desk: Client, judge: User, as_user: LogIn) -> None:
    event = make.make_event(store, players=4, published=1)
    round = event.rounds.get()
    act(desk, event, "reloj", op="add", seconds=300)
    assert (event.rounds.get().ends_at - round.ends_at).total_seconds() == 300  # type: ignore[operator]
    act(as_user(judge), event, "reloj", op="pause")
    assert event.rounds.get().paused_left is not None
    act(desk, event, "reloj", op="resume")
    assert event.rounds.get().paused_left is None


@pytest.mark.parametrize("data", [{}, {"op": "explode"}, {"op": "add", "seconds": "many"}])
def test_the_clock_takes_only_what_it_knows(data: dict[str, str], store: Store, desk: Client) -> None:
    event = make.make_event(store, players=4, published=1)
    before = event.rounds.get().ends_at
    assert act(desk, event, "reloj", **data).status_code == 422
    assert event.rounds.get().ends_at == before


# -- the end ----------------------------------------------------------------------------------------------------------
def test_from_the_last_round_to_the_end(store: Store, desk: Client) -> None:
    """UX: the button at the foot leads through the cut to the end."""
    event = make.make_event(store, players=8, rounds=2, cut=2)
    make.play_round(event)
    make.play_round(event)
    labels = []
    for _ in range(6):
        step = desk.get(f"/eventos/{event.slug}/consola/").context["step"]
        labels.append(step.label)
        if step.label == "Repeat next week":
            break
        desk.post(step.action, {"number": step.value or ""})
        now = sheet(the(event))
        if now.current_round and now.current_round.status == Round.Status.PUBLISHED and now.open_matches:
            make.finish_tables(event)
    assert labels == ["Start the Top 2", "Publish final", "Finish", "Repeat next week"]
    assert the(event).status == "finished"


def test_the_cut_shows_its_seeds_before_it_is_published(store: Store, desk: Client) -> None:
    """Case 47: two tied on points; the seeds are the frozen standings, side by side."""
    event = make.make_event(store, players=8, rounds=1, cut=4)
    make.play_round(event)
    desk.post(f"/eventos/{event.slug}/corte/", {"number": 2})
    page = desk.get(f"/eventos/{event.slug}/consola/")
    assert [[side.seed for side in table.sides] for table in page.context["tables"]] == [[1, 4], [2, 3]]
    frozen = [row["registration"] for row in event.frozen.get(phase="swiss").rows]
    seated = {side.seed: side.registration.pk for table in page.context["tables"] for side in table.sides}
    assert [seated[seed] for seed in (1, 2, 3, 4)] == frozen[:4]
    assert "seed 4" in said(page)


def test_starting_the_cut_twice_is_one_cut(store: Store, desk: Client) -> None:
    """Rule 7.5."""
    event = make.make_event(store, players=8, rounds=1, cut=4)
    make.play_round(event)
    for _ in range(2):
        assert desk.post(f"/eventos/{event.slug}/corte/", {"number": 2}).status_code == 303
    assert event.rounds.filter(kind="cut").count() == 1
    assert desk.post(f"/eventos/{event.slug}/corte/", {"size": "65"}, headers=HTMX).status_code == 422


def test_finishing_is_refused_with_the_list(store: Store, desk: Client) -> None:
    """Case 46."""
    event = make.make_event(store, players=6, rounds=1, published=1)
    make.report(make.table(event, 2), "1")
    response = desk.post(f"/eventos/{event.slug}/estado/finish/", follow=True)
    assert "Results are missing: tables 1 and 3." in said(response)
    assert the(event).status == "running"


def test_reopening_needs_its_reason(store: Store, desk: Client) -> None:
    event = make.make_finished_event(store, players=4)
    refused = desk.post(f"/eventos/{event.slug}/estado/reopen/", {"reason": " "}, follow=True)
    assert "Say why the event is reopened." in said(refused)
    desk.post(f"/eventos/{event.slug}/estado/reopen/", {"reason": "Table 2 was reversed"})
    assert the(event).status == "reopened"
    page = said(desk.get(f"/eventos/{event.slug}/consola/"))
    assert "Reopened for corrections" in page
    assert "Finish again" in page


def test_undo_takes_back_only_the_newest(store: Store, desk: Client) -> None:
    """Rule 6.5: a stale button undoes nothing else."""
    event = make.make_event(store, players=4)
    make.pair(event)
    number = the(event).version
    act(desk, event, "publicar")
    stale = desk.post(f"/eventos/{event.slug}/deshacer/", {"number": number}, follow=True)
    assert "Something newer has happened" in said(stale)
    newest = desk.get(f"/eventos/{event.slug}/consola/").context["undo"]
    response = desk.post(f"/eventos/{event.slug}/deshacer/", {"number": newest}, follow=True)
    assert "Undone." in said(response)
    assert event.rounds.get().status == "draft"
    log = said(desk.get(f"/eventos/{event.slug}/diario/"))
    assert "Undone: Round 1 published." in log


def test_the_log_speaks_in_sentences(store: Store, desk: Client, organiser: User) -> None:
    from tests.web.test_staff_console import say

    event = make.make_event(store, players=6, rounds=3, published=1)
    say(event, 1, 0, "1")
    say(event, 1, 1, "2")
    match = make.table(event, 1)
    desk.post(f"/eventos/{event.slug}/mesas/{match.pk}/resultado/", {"score": "2"})
    desk.post(f"/eventos/{event.slug}/mesas/{match.pk}/corregir/", {"score": "1", "reason": "I misheard"})
    log = said(desk.get(f"/eventos/{event.slug}/diario/"))
    left, right = (seat.registration.player.name for seat in match.seat_list)
    assert f"Round 1, table 1: {left} says: won." in log
    assert f"Round 1, table 1: {right} says: won. They do not agree." in log
    assert f"Round 1, table 1: {right} wins." in log
    assert f"Round 1, table 1 corrected: {right} wins → {left} wins." in log
    assert "Reason: I misheard" in log
    assert "You." in log


def test_every_action_of_the_journal_has_its_sentence() -> None:
    """Whatever a service logs is told in words: the names stand in the calls themselves."""
    import re
    from pathlib import Path

    import tournaments.services
    from tournaments.web.log_words import TELLERS

    folder = Path(tournaments.services.__file__).parent
    source = "\n".join(file.read_text() for file in folder.glob("*.py"))
    logged = set(re.findall(r'"((?:event|player|round|result|cut)\.[a-z_]+)"', source))
    assert len(logged) > 30, "the pattern finds the calls"
    assert not logged - set(TELLERS)


def test_the_log_names_no_shows_and_who_took_their_places(store: Store, desk: Client) -> None:
    event = make.make_event(store, status=Event.Status.CHECK_IN, capacity=2)
    make.enrol(event, "Ana Peral", status="checked_in")
    make.enrol(event, "Leo Tardón")
    make.enrol(event, "Zoe Farolillo", status="waiting")
    make.pair(event)
    log = said(desk.get(f"/eventos/{event.slug}/diario/"))
    assert "Not here, so not in: Leo Tardón. In from the waiting list: Zoe Farolillo." in log
