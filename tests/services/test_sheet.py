"""The sheet of an event: every row, five queries, and what the cores see of it (TOURNAMENT_RULES 2, 4.5)."""

from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

import pytest

from tests import make
from tournaments import eventfile, queries
from tournaments.models import Event, Match, Registration
from tournaments.queries import sheet
from tournaments.swiss.types import Outcome

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("players", [12, 200])
def test_the_whole_event_in_four_queries(players: int, django_assert_num_queries: Any) -> None:
    event = make.make_big_event(players, rounds=2)
    with django_assert_num_queries(4):
        now = sheet(event)
        now.standings()
        for round in now.rounds:
            for match in now.matches(round):
                assert match.event.pk == match.left.registration.event_id
                assert [seat.opponent.registration.player.name for seat in match.seat_list if seat.opponent]
                assert match.left.claim is None
                assert match.score in {"1–0", "0–0–1", ""}
        assert len(now.standings()) == players


def test_reports_that_are_not_settled_come_with_it(django_assert_num_queries: Any) -> None:
    event = make.make_event(players=4, published=1)
    match = make.table(event, 1)
    make.claim(match, 0, "1")
    with django_assert_num_queries(5):
        claim = sheet(event).open_matches[0].left.claim
        assert claim is not None
        assert claim.outcome == "win"


def test_a_draft_is_on_the_sheet_but_not_in_what_players_see() -> None:
    """Case 15."""
    event = make.make_event(players=4)
    make.play_round(event)
    make.pair(event)
    now = sheet(event)
    assert [round.number for round in now.rounds] == [1, 2]
    assert [round.number for round in now.published_rounds] == [1]
    assert now.current_round is not None
    assert now.current_round.number == 2
    assert now.tournament.last_round == 1
    assert all(len(now.seats_of(row)) == 1 for row in now.entrants)
    assert all(len(now.seats_of(row, drafts=True)) == 2 for row in now.entrants)
    assert all(now.current_match(row) is now.seats_of(row)[0][1] for row in now.entrants)
    assert now.open_matches == []


def test_the_waiting_list_is_no_entrant() -> None:
    event = make.make_event(players=3)
    waits = make.enrol(event, status=Registration.Status.WAITING)
    now = sheet(event)
    assert waits in now.waiting
    assert len(now.tournament.entrants) == 3
    assert now.row(now.by_id[waits.pk]) is None


def test_ids_of_a_file_are_kept_as_keys() -> None:
    event = make.make_event(external_id="liga-7")
    row = make.enrol(event, external_id="p31")
    other = make.enrol(event)
    now = sheet(event)
    assert now.tournament.id == "liga-7"
    assert now.key_of[row.pk] == "p31"
    assert now.key_of[other.pk] == other.player.code
    assert now.by_key["p31"].pk == row.pk


def test_standings_follow_the_last_report_at_once() -> None:
    """Case 27: no counter, no cache between two sheets."""
    event = make.make_event(players=4, published=1)
    make.report(make.table(event, 1), "1")
    match = make.table(event, 2)
    make.report(match, "2")
    rows = {row.player: row for row in sheet(event).standings()}
    assert rows[match.seat_list[1].registration.key].points == 3
    assert rows[match.seat_list[0].registration.key].points == 0


def test_a_bye_and_series_are_recomputed_from_the_match_list() -> None:
    """Case 19: three players, one wins, wins, draws and has a bye: 3 + 1 + 3 + 3."""
    event = make.make_event(players=3, rounds=5)
    for tables, score in (([(1, 2), (3,)], "1"), ([(1, 3), (2,)], "x"), ([(2, 1), (3,)], "2"), ([(2, 3), (1,)], "1")):
        make.seat_by_hand(event, *tables)
        make.report(make.table(event, 1), score)
    now = sheet(event)
    row = now.row(now.registrations[0])
    assert row is not None
    assert (row.points, row.wins, row.draws, row.byes, row.played) == (10, 2, 1, 1, 4)


def test_equal_points_and_another_number_of_rounds_is_no_tie() -> None:
    """Case 25: A 1-1 and B 1-0 and gone have three points each; their rounds count as they played them."""
    event = make.make_event(players=4, rounds=3)
    make.seat_by_hand(event, (1, 3), (2, 4))
    make.finish_tables(event)
    make.drop(event, 2, last_round=1)
    make.seat_by_hand(event, (3, 1), (4,))
    make.finish_tables(event)
    now = sheet(event)
    a, b = now.row(now.registrations[0]), now.row(now.registrations[1])
    assert a is not None
    assert b is not None
    assert (a.points, a.played, b.points, b.played) == (3, 2, 3, 1)
    assert b.dropped
    assert a.rank != b.rank
    assert a.omw == Fraction(1, 2)  # only C, 1-1
    assert b.omw == Fraction(1, 2)  # only D: a loss and a bye
    assert (a.gw, b.gw) == (Fraction(1, 2), Fraction(1))


def test_a_manual_bye_is_a_bye_and_counts_for_the_next() -> None:
    """Cases 16 and 17: a bye by hand is a bye, and nobody has a second while someone could have the first."""
    event = make.make_event(players=5, rounds=3)
    row = make.registration(event, 1)
    row.next_bye = True
    row.save()
    make.play_round(event)
    match = next(m for m in sheet(event).tournament.matches if m.a == row.key)
    assert (match.outcome, match.b, match.winner) == (Outcome.BYE, None, None)
    make.pair(event)
    now = sheet(event)
    byes = [m.left.registration_id for m in now.matches(now.current_round) if m.kind == Match.Kind.BYE]
    assert len(byes) == 1
    assert byes != [row.pk]


def test_the_stored_input_gives_back_the_tournament() -> None:
    """Rule 4.2: what a round stores is the exact input."""
    event = make.make_event(players=7, rounds=3, best_of=3, separate_teams=True)
    first, second = make.registration(event, 1), make.registration(event, 2)
    Registration.objects.filter(pk__in=[first.pk, second.pk]).update(team="Los Trasgos", fixed_table=3)
    event.separations = [[first.pk, second.pk]]
    event.save()
    make.play_round(event, "21", "11", "12")
    make.drop(event, 7)
    make.enrol(event, first_round=2)
    tournament = sheet(event).tournament
    read = eventfile.to_tournament(eventfile.from_dict(eventfile.dump(queries.file_of(tournament, event))))
    plain = tuple(replace(match, table=None) for match in tournament.matches)
    assert read == replace(tournament, matches=plain)


def test_frozen_rows_are_exact_and_mark_who_left_later() -> None:
    """Rule 2.7 and case 26."""
    event = make.make_event(players=5, rounds=2)
    make.play_round(event)
    now = sheet(event)
    rows = [queries.frozen_row(now, standing) for standing in now.standings()]
    assert queries.thawed(now, rows) == now.standings()
    make.drop(event, 2)
    later = sheet(event)
    shown = queries.thawed(later, rows)
    assert [row.player for row in shown] == [row.player for row in now.standings()]
    assert [row.dropped for row in shown].count(True) == 1


def test_tonight_is_the_day_of_each_store() -> None:
    """Case 62: half past eleven on the Canaries, half past midnight in Madrid, one event each."""
    moment = datetime(2026, 6, 30, 22, 30, tzinfo=UTC)
    peninsula = make.make_store()
    island = make.make_store("El Drago Dormido", time_zone="Atlantic/Canary", province="ES-GC")
    late = datetime(2026, 6, 30, 20, 0, tzinfo=UTC)
    there = make.make_event(island, at=late)
    here = make.make_event(peninsula, at=late)
    after_midnight = make.make_event(peninsula, at=datetime(2026, 7, 1, 15, 0, tzinfo=UTC))
    assert (there.date.isoformat(), here.date.isoformat()) == ("2026-06-30", "2026-06-30")
    assert queries.tonight(moment) == [there, after_midnight]
    assert queries.tonight(moment, province="ES-GC") == [there]


def test_what_is_being_played_stays_after_midnight_and_drafts_are_nobodys() -> None:
    """Case 64."""
    running = make.make_event(players=4, at=datetime(2026, 3, 12, 21, 0, tzinfo=UTC), published=1)
    make.make_event(at=datetime(2026, 3, 13, 17, 0, tzinfo=UTC), status=Event.Status.DRAFT)
    moment = datetime(2026, 3, 13, 0, 10, tzinfo=UTC)
    assert queries.tonight(moment) == [running]


def test_open_events_are_those_one_can_still_enter() -> None:
    past = make.make_event(at=datetime(2026, 3, 11, 17, 0, tzinfo=UTC))
    soon = make.make_event(players=3, at=datetime(2026, 3, 12, 17, 0, tzinfo=UTC))
    later = make.make_event(at=datetime(2026, 4, 12, 17, 0, tzinfo=UTC))
    make.make_event(players=4, published=1, at=datetime(2026, 3, 12, 17, 0, tzinfo=UTC))
    found = queries.open_events(datetime(2026, 3, 12, 18, 0, tzinfo=UTC))
    assert found == [soon, later]
    assert past not in found
    assert [event.people for event in found] == [3, 0]  # type: ignore[attr-defined]
    assert set(queries.events_of(soon.store)) == {soon}
