"""Pairing, publishing, swapping, undoing, and the clock (TOURNAMENT_RULES 4, 5, 6.3, 8.1)."""

from datetime import timedelta
from typing import Any

import pytest

from tests import make
from tournaments import eventfile
from tournaments.models import Event, LogEntry, Match, Registration, ResultRevision, Round
from tournaments.queries import Sheet, sheet
from tournaments.services import events, journal, results, rounds, steps
from tournaments.services.errors import Refused
from tournaments.services.journal import SYSTEM
from tournaments.swiss.pairing import ENGINE_VERSION, pair_round

pytestmark = pytest.mark.django_db


def pairs(now: Sheet, number: int) -> set[frozenset[int]]:
    """By order of arrival."""
    tables = [m for m in now.matches(now.round(number)) if m.kind == Match.Kind.TABLE]
    return {frozenset(seat.registration.order for seat in match.seat_list) for match in tables}


def byes(now: Sheet, number: int) -> list[int]:
    return [m.left.registration.order for m in now.matches(now.round(number)) if m.kind == Match.Kind.BYE]


def refusal(code: str) -> Any:
    return pytest.raises(Refused, check=lambda error: error.code == code)


# -- pairing -----------------------------------------------------------------------------------------------------------
def test_everybody_sits_and_the_round_remembers_how_it_came_about() -> None:
    """Rule 4.2: seed, exact input, engine, criteria, proof."""
    event = make.make_event(players=7)
    round, made = rounds.pair(event, 1, by=SYSTEM, seed="seven")
    now = sheet(event)
    seated = [seat.registration_id for match in now.matches(now.round(1)) for seat in match.seat_list]
    assert made
    assert sorted(seated) == sorted(row.pk for row in now.active)
    assert (round.seed, round.engine, round.certified, round.status) == ("seven", ENGINE_VERSION, True, "draft")
    assert round.criteria["rematches"] == 0
    assert [note["code"] for note in round.notes] == ["bye"]
    again = pair_round(eventfile.to_tournament(eventfile.from_dict(round.input)), 1, round.seed)
    assert {frozenset(now.by_key[key].order for key in pair) for pair in again.pairs} == pairs(now, 1)
    assert Event.objects.get(pk=event.pk).status == Event.Status.RUNNING


def test_a_plan_left_open_takes_the_table_of_rule_3() -> None:
    event = make.make_event(players=9)
    make.pair(event)
    assert Event.objects.get(pk=event.pk).rounds_planned == 4


@pytest.mark.parametrize("way", ["round", "journal", "repair"])
def test_a_plan_of_the_table_goes_with_the_pairing_it_came_with(way: str) -> None:
    """Rule 3: undone, it is automatic again; paired again, it is that of who plays now."""
    event = make.make_event(players=8)
    make.pair(event)
    if way == "round":
        rounds.undo_round(event, 1, by=SYSTEM)
    elif way == "journal":
        journal.undo(event, LogEntry.objects.get(event=event, action="round.pair").number, by=SYSTEM)
    if way != "repair":
        assert Event.objects.get(pk=event.pk).rounds_planned == 0
    make.enrol(event)
    if way == "repair":
        rounds.repair(event, 1, by=SYSTEM)
    else:
        make.pair(event)
    assert Event.objects.get(pk=event.pk).rounds_planned == 4
    rounds.undo_round(event, 1, by=SYSTEM)
    assert Event.objects.get(pk=event.pk).rounds_planned == 0


def test_a_plan_of_the_organiser_stays_when_round_1_is_undone() -> None:
    event = make.make_event(players=8, rounds=5)
    make.pair(event)
    rounds.undo_round(event, 1, by=SYSTEM)
    assert Event.objects.get(pk=event.pk).rounds_planned == 5
    later = make.make_event(players=8)
    make.pair(later)
    events.edit(later, by=SYSTEM, rounds_planned=2)
    rounds.undo_round(later, 1, by=SYSTEM)
    assert Event.objects.get(pk=later.pk).rounds_planned == 2


def test_the_stored_seed_gives_the_round_again_and_another_gives_another() -> None:
    """Case 6: random inside the group, reproducible."""
    event = make.make_event(players=8)
    seen = set()
    for seed in range(20):
        rounds.pair(event, 1, by=SYSTEM, seed=str(seed))
        first = pairs(sheet(event), 1)
        rounds.undo_round(event, 1, by=SYSTEM)
        rounds.pair(event, 1, by=SYSTEM, seed=str(seed))
        assert pairs(sheet(event), 1) == first
        rounds.undo_round(event, 1, by=SYSTEM)
        seen.add(frozenset(first))
    assert len(seen) > 10


def test_pairing_twice_is_one_round() -> None:
    """Case 7 and rule 4.6: the request names the round."""
    event = make.make_event(players=6)
    first, made = rounds.pair(event, 1, by=SYSTEM)
    second, again = rounds.pair(event, 1, by=SYSTEM)
    assert (made, again) == (True, False)
    assert first == second
    assert event.rounds.count() == 1
    make.publish(event)
    assert rounds.pair(event, 1, by=SYSTEM) == (first, False)
    assert LogEntry.objects.filter(event=event, action="round.pair").count() == 1


def test_a_round_out_of_turn_is_refused() -> None:
    event = make.make_event(players=6)
    with refusal("round_gap") as caught:
        rounds.pair(event, 2, by=SYSTEM)
    assert caught.value.data == {"next": 1}
    make.pair(event)
    with refusal("draft_open"):
        rounds.pair(event, 2, by=SYSTEM)


def test_pairing_waits_for_open_tables_and_names_them() -> None:
    """Case 9."""
    event = make.make_event(players=6, published=1)
    make.report(make.table(event, 1), "1")
    make.report(make.table(event, 3), "1")
    with refusal("tables_open") as caught:
        rounds.pair(event, 2, by=SYSTEM)
    assert caught.value.data == {"tables": [2]}
    assert "2" in str(caught.value)
    with refusal("reason_needed"):
        rounds.pair(event, 2, by=SYSTEM, override=True)
    assert event.rounds.count() == 1


def test_the_override_settles_open_tables_for_now_with_its_reason() -> None:
    """Case 9: a report counts, silence is "not played"; both can be corrected; who still plays does not meet again."""
    event = make.make_event(players=8, published=1)
    make.report(make.table(event, 1), "1")
    make.claim(make.table(event, 2), 0, "1")
    make.claim(make.table(event, 3), 0, "1")
    make.claim(make.table(event, 3), 1, "2")
    round, _ = rounds.pair(event, 2, by=SYSTEM, override=True, reason="Cierra la tienda")
    now = sheet(event)
    assert [match.outcome for match in now.matches(now.round(1))] == ["win", "win", "not_played", "not_played"]
    assert now.matches(now.round(1))[1].left.won
    reasons = set(ResultRevision.objects.filter(match__event=event, kind="decision").values_list("reason", flat=True))
    assert reasons == {"", "Cierra la tienda"}
    assert not pairs(now, 1) & pairs(now, 2)
    assert len(round.input["separations"]) == 3
    table_3 = now.matches(now.round(1))[2]
    results.correct(
        table_3, results.parse_score("2", 1, table_3.seat_list), by=SYSTEM, reason="Lo dijeron por teléfono"
    )
    assert sheet(event).tournament.matches[2].winner == table_3.seat_list[1].registration.key


def test_two_left_who_still_play_are_paired_again_rather_than_not_at_all() -> None:
    event = make.make_event(players=2, rounds=2, published=1)
    rounds.pair(event, 2, by=SYSTEM, override=True, reason="Se alarga")
    assert pairs(sheet(event), 2) == {frozenset({1, 2})}


@pytest.mark.parametrize("gone", [3, 4])
def test_nobody_left_to_pair_offers_to_finish(gone: int) -> None:
    """Case 11."""
    event = make.make_event(players=4, rounds=3)
    make.play_round(event)
    for order in range(1, gone + 1):
        make.drop(event, order)
    with refusal("too_few_players") as caught:
        rounds.pair(event, 2, by=SYSTEM)
    assert caught.value.rule == "4.3"
    assert caught.value.data == {"active": 4 - gone, "offer": "finish"}


def test_the_planned_number_of_rounds_is_the_last_word_until_it_is_raised() -> None:
    """Rule 3."""
    event = make.make_event(players=8, rounds=1)
    make.play_round(event)
    with refusal("rounds_over") as caught:
        rounds.pair(event, 2, by=SYSTEM)
    assert caught.value.rule == "3"
    Event.objects.filter(pk=event.pk).update(rounds_planned=2)
    assert rounds.pair(event, 2, by=SYSTEM)[1]


def test_hard_separations_that_leave_no_round_are_named() -> None:
    event = make.make_event(players=2)
    a, b = make.registration(event, 1), make.registration(event, 2)
    Event.objects.filter(pk=event.pk).update(separations=[[a.pk, b.pk]])
    with refusal("separations") as caught:
        rounds.pair(event, 1, by=SYSTEM)
    assert caught.value.data == {"lift": [sorted([a.pk, b.pk])]} or caught.value.data == {"lift": [[b.pk, a.pk]]}
    assert a.player.name in str(caught.value)
    assert not event.rounds.exists()


def test_a_finished_event_pairs_no_more() -> None:
    event = make.make_event(players=4, rounds=3)
    make.play_round(event)
    Event.objects.filter(pk=event.pk).update(status="finished", finished_at=event.starts_at)
    with refusal("event_over"):
        rounds.pair(event, 2, by=SYSTEM)


# -- byes --------------------------------------------------------------------------------------------------------------
def test_five_players_four_rounds_four_byes() -> None:
    """Case 16: never twice while someone could have the first, and the round says why."""
    event = make.make_event(players=5, rounds=4)
    had = []
    for _ in range(4):
        make.play_round(event)
        now = sheet(event)
        had += byes(now, len(now.rounds))
        (why,) = [note for note in now.rounds[-1].notes if note["code"] == "bye"]
        assert now.by_key[why["players"][0]].order == had[-1]
    assert len(set(had)) == 4


def test_the_bye_goes_where_it_avoids_a_rematch() -> None:
    """Case 18: R1 A>B, D>C, E bye; D and E drop; then the bye is B's, for A must not meet him again."""
    event = make.make_event(players=5, rounds=3)
    make.seat_by_hand(event, (1, 2), (4, 3), (5,))
    make.finish_tables(event)
    make.drop(event, 4)
    make.drop(event, 5)
    make.pair(event)
    now = sheet(event)
    assert byes(now, 2) == [2]
    assert pairs(now, 2) == {frozenset({1, 3})}
    assert any(note["code"] == "bye" for note in now.rounds[-1].notes)


def test_an_assigned_bye_is_used_up_by_the_published_round() -> None:
    event = make.make_event(players=6, rounds=3)
    Registration.objects.filter(event=event, order__in=[2, 5]).update(next_bye=True)
    make.pair(event)
    assert sorted(byes(sheet(event), 1)) == [2, 5]
    assert event.registrations.filter(next_bye=True).count() == 2
    rounds.repair(event, 1, by=SYSTEM, seed="other")
    assert sorted(byes(sheet(event), 1)) == [2, 5]
    make.publish(event)
    assert not event.registrations.filter(next_bye=True).exists()
    make.finish_tables(event)
    make.pair(event)
    assert byes(sheet(event), 2) == []


# -- coming and going --------------------------------------------------------------------------------------------------
def test_no_shows_are_dropped_only_where_check_in_was_asked() -> None:
    asked = make.make_event(players=4, status=Event.Status.CHECK_IN)
    Registration.objects.filter(event=asked, order__lte=2).update(status="checked_in")
    make.pair(asked)
    assert pairs(sheet(asked), 1) == {frozenset({1, 2})}
    assert list(asked.registrations.filter(status="dropped").values_list("order", "last_round")) == [(3, 0), (4, 0)]
    entry = LogEntry.objects.get(event=asked, action="round.pair")
    journal.undo(asked, entry.number, by=SYSTEM)
    assert asked.registrations.filter(status="dropped").count() == 0
    assert asked.status == Event.Status.CHECK_IN
    unasked = make.make_event(players=4)
    make.pair(unasked)
    assert len(pairs(sheet(unasked), 1)) == 2


def test_the_waiting_list_takes_the_places_of_no_shows() -> None:
    """Rule 5.6: a no-show is a drop before round 1 like any other; one change, one undo."""
    event = make.make_event(players=4, status=Event.Status.CHECK_IN, capacity=4)
    Registration.objects.filter(event=event, order__lte=2).update(status="checked_in")
    first, second, third = (make.enrol(event, status="waiting") for _ in range(3))
    assert [row.order for row in steps.players_of_round_1(sheet(event))] == [1, 2, first.order, second.order]
    step = steps.next_step(sheet(event))
    assert first.player.name in step.reason
    make.pair(event)
    seated = {order for pair in pairs(sheet(event), 1) for order in pair}
    assert seated == {1, 2, first.order, second.order}
    third.refresh_from_db()
    assert third.status == "waiting"
    event.refresh_from_db()
    assert event.rounds_planned == 3, "the plan counts whoever came in"
    entry = LogEntry.objects.get(event=event, action="round.pair")
    assert entry.data["promoted"] == [first.player_id, second.player_id]
    journal.undo(event, entry.number, by=SYSTEM)
    statuses = event.registrations.order_by("order").values_list("status", flat=True)
    assert list(statuses) == ["checked_in"] * 2 + ["registered"] * 2 + ["waiting"] * 3


def test_a_late_entry_with_losses_has_them_as_a_kind_of_their_own() -> None:
    """Rules 5.2 and 1.1: in the event, not seated, no points."""
    event = make.make_event(players=4, rounds=3)
    make.play_round(event)
    late = make.enrol(event, first_round=2, missed_as_losses=True)
    make.pair(event)
    now = sheet(event)
    kinds = [(round.number, match.kind, match.outcome) for round, match, _ in now.seats_of(late, drafts=True)]
    assert kinds[0] == (1, "unpaired", "unpaired_loss")
    assert len(kinds) == 2
    row = now.row(now.by_id[late.pk])
    assert row is not None
    assert (row.points, row.played, row.losses) == (0, 1, 1)
    rounds.repair(event, 2, by=SYSTEM)
    assert len(sheet(event).seats_of(late, drafts=True)) == 2


def test_a_dropped_player_keeps_his_results_and_is_not_paired() -> None:
    """Case 31."""
    event = make.make_event(players=6, rounds=3)
    make.play_round(event)
    loser = sheet(event).matches(sheet(event).round(1))[0].seat_list[1].registration
    make.drop(event, loser.order)
    make.pair(event)
    now = sheet(event)
    assert len(now.seats_of(loser, drafts=True)) == 1
    seated = [seat.registration_id for match in now.matches(now.round(2)) for seat in match.seat_list]
    assert len(seated) == len(set(seated)) == 5
    assert now.row(loser) is not None


def test_a_draft_older_than_the_roster_is_not_published() -> None:
    """Case 32: whoever left or came since is named; pairing again mends it."""
    event = make.make_event(players=5, rounds=3)
    make.play_round(event)
    make.pair(event)
    make.drop(event, 2, last_round=1)
    came = make.enrol(event, first_round=2)
    with refusal("draft_stale") as caught:
        make.publish(event)
    assert caught.value.data == {"gone": [make.registration(event, 2).pk], "new": [came.pk]}
    rounds.repair(event, 2, by=SYSTEM)
    assert make.publish(event).status == Round.Status.PUBLISHED


# -- publishing --------------------------------------------------------------------------------------------------------
def test_publishing_starts_the_clock_once() -> None:
    """Rules 4.5 and 8.1: best of 1 plays 30 minutes."""
    event = make.make_event(players=4)
    make.pair(event)
    round = make.publish(event)
    assert round.published_at == event.starts_at
    assert round.ends_at == event.starts_at + timedelta(minutes=30)
    later = rounds.publish(event, 1, by=SYSTEM, at=event.starts_at + timedelta(minutes=5))
    assert later.ends_at == round.ends_at
    assert LogEntry.objects.filter(event=event, action="round.publish").count() == 1
    with refusal("no_round"):
        rounds.publish(event, 2, by=SYSTEM)


# -- swapping ----------------------------------------------------------------------------------------------------------
def opponents(event: Event, *orders: int) -> list[Registration]:
    now = sheet(event)
    rows = {row.order: row for row in now.registrations}
    return [rows[order] for order in orders]


def test_two_players_change_seats_in_a_draft_and_the_warnings_follow() -> None:
    """Rule 4.5: after the swap 1 meets 2 again, and the round says so."""
    event = make.make_event(players=4, rounds=3)
    make.seat_by_hand(event, (1, 2), (3, 4))
    make.finish_tables(event)
    make.pair(event)
    assert pairs(sheet(event), 2) == {frozenset({1, 3}), frozenset({2, 4})}
    two, three = opponents(event, 2, 3)
    round = rounds.swap(event, 2, two, three, "Vienen en el mismo coche", by=SYSTEM)
    assert pairs(sheet(event), 2) == {frozenset({1, 2}), frozenset({3, 4})}
    assert (round.swapped, round.certified) == (True, False)
    assert round.criteria["rematches"] == 2
    assert {note["code"] for note in round.notes} >= {"rematch"}
    with refusal("reason_needed"):
        rounds.swap(event, 2, two, three, "  ", by=SYSTEM)
    entry = LogEntry.objects.get(event=event, action="round.swap")
    assert entry.reason == "Vienen en el mismo coche"
    journal.undo(event, entry.number, by=SYSTEM)
    assert pairs(sheet(event), 2) == {frozenset({1, 3}), frozenset({2, 4})}


def test_a_player_changes_seats_with_the_bye() -> None:
    event = make.make_event(players=3)
    make.pair(event)
    now = sheet(event)
    (resting,) = byes(now, 1)
    seated = next(iter(next(iter(pairs(now, 1)))))
    rounds.swap(event, 1, *opponents(event, resting, seated), "Llega tarde", by=SYSTEM)
    assert byes(sheet(event), 1) == [seated]


def test_seats_of_a_published_round_change_until_somebody_reports() -> None:
    """Rule 4.7; and a report is not moved to somebody else (case 43)."""
    event = make.make_event(players=4, published=1)
    now = sheet(event)
    a, b = now.matches(now.round(1))
    rounds.swap(event, 1, a.left.registration, b.left.registration, "Mesa cambiada", by=SYSTEM)
    match = make.table(event, 1)
    make.claim(match, 1, "2")
    with refusal("has_results") as caught:
        rounds.swap(event, 1, a.left.registration, b.left.registration, "Otra vez", by=SYSTEM)
    assert caught.value.rule == "4.7"
    assert caught.value.data == {"tables": [1]}


def test_a_swap_may_not_seat_who_must_not_meet() -> None:
    """Rule 4.1.1; nothing of the swap stays."""
    event = make.make_event(players=4, rounds=3)
    one, two = opponents(event, 1, 2)
    Event.objects.filter(pk=event.pk).update(separations=[[one.pk, two.pk]])
    make.pair(event)
    now = sheet(event)
    before = pairs(now, 1)
    rival = next(seat.opponent for _, _, seat in now.seats_of(one, drafts=True))
    assert rival is not None
    with refusal("separations"):
        rounds.swap(event, 1, two, rival.registration, "Porque sí", by=SYSTEM)
    assert pairs(sheet(event), 1) == before
    with refusal("no_seat"):
        rounds.swap(event, 1, two, make.enrol(event), "Porque sí", by=SYSTEM)


# -- going back --------------------------------------------------------------------------------------------------------
def test_undoing_a_round_without_results_needs_no_reason() -> None:
    event = make.make_event(players=4, published=1)
    rounds.undo_round(event, 1, by=SYSTEM)
    assert not event.rounds.exists()
    assert event.status == Event.Status.OPEN
    assert rounds.pair(event, 1, by=SYSTEM)[1]


def test_a_round_with_results_is_undone_only_with_a_reason_and_comes_back_whole() -> None:
    """Cases 36 and 37, rules 6.3 to 6.5: nothing is voided silently, and the undo is undone with every report."""
    event = make.make_event(players=4, rounds=3)
    make.play_round(event)
    make.pair_and_publish(event)
    make.report(make.table(event, 1), "1")
    make.claim(make.table(event, 2), 1, "2")
    before = sheet(event)
    with refusal("has_results") as caught:
        rounds.undo_round(event, 2, by=SYSTEM)
    assert caught.value.data == {"tables": [1, 2]}
    rounds.undo_round(event, 2, "Ronda mal emparejada", by=SYSTEM)
    assert event.rounds.count() == 1
    entry = LogEntry.objects.get(event=event, action="round.undo")
    assert entry.reason == "Ronda mal emparejada"
    journal.undo(event, entry.number, by=SYSTEM)
    after = sheet(event)
    assert after.tournament == before.tournament
    assert [match.state for match in after.matches(after.round(2))] == ["done", "claimed"]
    assert after.open_matches[0].seat_list[1].claim is not None


def test_only_the_newest_round_is_undone() -> None:
    event = make.make_event(players=4, rounds=3, published=2)
    with refusal("not_last"):
        rounds.undo_round(event, 1, "Da igual", by=SYSTEM)
    Event.objects.filter(pk=event.pk).update(status="finished", finished_at=event.starts_at)
    with refusal("event_over"):
        rounds.undo_round(event, 2, "Da igual", by=SYSTEM)


def test_a_reopened_event_may_go_back_to_before_round_1() -> None:
    """It is an open event again, with no time of its end."""
    event = make.make_finished_event(players=4, rounds=1)
    with refusal("event_over"):
        rounds.clock(event, 1, "pause", by=SYSTEM)
    Event.objects.filter(pk=event.pk).update(status=Event.Status.REOPENED)
    rounds.undo_round(event, 1, "Se jugó con la lista de otra noche", by=SYSTEM)
    fresh = Event.objects.get(pk=event.pk)
    assert (fresh.status, fresh.finished_at) == (Event.Status.OPEN, None)


def test_who_left_in_an_undone_round_is_not_paired_in_it_again() -> None:
    event = make.make_event(players=5, rounds=3)
    make.play_round(event)
    make.pair_and_publish(event)
    make.drop(event, 4)
    rounds.undo_round(event, 2, by=SYSTEM)
    make.pair(event)
    assert not any(4 in pair for pair in pairs(sheet(event), 2))
    assert byes(sheet(event), 2) != [4]
    assert make.publish(event).number == 2


def test_only_tables_without_a_report_are_paired_again() -> None:
    """Rule 6.3: a finished table and one with a report keep their players."""
    event = make.make_event(players=10, rounds=4)
    make.play_round(event)
    make.pair_and_publish(event)
    make.report(make.table(event, 1), "1")
    make.claim(make.table(event, 3), 0, "1")
    before = sheet(event)
    kept = {m.pk: [s.registration_id for s in m.seat_list] for m in before.matches(before.round(2))}
    round = rounds.repair_open_tables(event, 2, "La mesa 2 de la ronda 1 estaba al revés", by=SYSTEM, seed="9")
    after = sheet(event)
    matches = after.matches(after.round(2))
    assert [match.table for match in matches] == [1, 2, 3, 4, 5]
    assert [kept[m.pk] for m in (matches[0], matches[2])] == [
        [s.registration_id for s in m.seat_list] for m in (matches[0], matches[2])
    ]
    seated = [seat.registration_id for match in matches for seat in match.seat_list]
    assert len(seated) == len(set(seated)) == 10
    assert round.swapped
    assert round.criteria["rematches"] == 0
    assert not pairs(after, 1) & pairs(after, 2)
    for table in (2, 4):
        make.report(make.table(event, table), "1")
    with refusal("nothing_open"):
        rounds.repair_open_tables(event, 2, "Otra vez", by=SYSTEM)


# -- the clock ---------------------------------------------------------------------------------------------------------
def test_a_pause_keeps_what_remains() -> None:
    """Rule 8.1."""
    event = make.make_event(players=4, published=1)
    start = event.starts_at
    at = start + timedelta(minutes=10)
    paused = rounds.clock(event, 1, "pause", by=SYSTEM, at=at)
    assert rounds.left(paused, at + timedelta(hours=1)) == 20 * 60
    rounds.clock(event, 1, "add", 60, by=SYSTEM, at=at)
    resumed = rounds.clock(event, 1, "resume", by=SYSTEM, at=start + timedelta(minutes=40))
    assert resumed.ends_at == start + timedelta(minutes=61)
    assert resumed.paused_left is None
    longer = rounds.clock(event, 1, "add", 120, by=SYSTEM, at=at)
    assert longer.ends_at == start + timedelta(minutes=63)
    again = rounds.clock(event, 1, "start", by=SYSTEM, at=start + timedelta(minutes=50))
    assert again.ends_at == start + timedelta(minutes=80)
    assert rounds.left(again, start + timedelta(hours=3)) == 0


def test_a_table_has_its_own_extension() -> None:
    event = make.make_event(players=4, published=1)
    rounds.clock(event, 1, "add", 180, by=SYSTEM, match=make.table(event, 2))
    rounds.clock(event, 1, "add", 60, by=SYSTEM, match=make.table(event, 2))
    assert [match.extra_seconds for match in event.matches.order_by("table")] == [0, 240]
    log = LogEntry.objects.filter(event=event, action="clock.add").count()
    rounds.clock(event, 1, "resume", by=SYSTEM)
    assert not LogEntry.objects.filter(event=event, action="clock.resume").exists()
    assert log == 2


def test_a_draft_has_no_clock() -> None:
    event = make.make_event(players=4)
    make.pair(event)
    with refusal("draft_open"):
        rounds.clock(event, 1, "pause", by=SYSTEM)
