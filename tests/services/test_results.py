"""What is reported, decided and corrected (TOURNAMENT_RULES 1, 6)."""

from typing import Any

import pytest

from tests import make
from tournaments.models import Event, FrozenStandings, LogEntry, Match, Registration, ResultRevision
from tournaments.queries import sheet
from tournaments.services import journal, results, rounds
from tournaments.services.errors import Refused
from tournaments.services.journal import SYSTEM, Actor, change
from tournaments.services.results import Statement, parse_score
from tournaments.swiss.types import Outcome

pytestmark = pytest.mark.django_db


def refusal(code: str) -> Any:
    return pytest.raises(Refused, check=lambda error: error.code == code)


@pytest.fixture
def event(db: None) -> Event:
    return make.make_event(players=6, rounds=3, published=1)


@pytest.fixture
def long_event(db: None) -> Event:
    return make.make_event(players=4, rounds=3, best_of=3, published=1)


def points(event: Event) -> dict[int, int]:
    """By order of arrival."""
    now = sheet(event)
    return {now.by_key[row.player].order: row.points for row in now.standings()}


# -- keys --------------------------------------------------------------------------------------------------------------
KEYS = [
    (1, "1", "win", 0, (1, 0, 0), ""),
    (1, "2", "win", 1, (0, 1, 0), ""),
    (1, " X ", "draw", None, (0, 0, 1), ""),
    (1, "1a", "win", 0, (1, 0, 0), "ascension"),
    (1, "2n", "win", 1, (0, 1, 0), "aniquilacion"),
    (1, "1f", "forfeit", 0, None, ""),
    (1, "xp", "intentional_draw", None, None, ""),
    (3, "20", "win", 0, (2, 0, 0), ""),
    (3, "21", "win", 0, (2, 1, 0), ""),
    (3, "12", "win", 1, (1, 2, 0), ""),
    (3, "02T", "win", 1, (0, 2, 0), "tiempo"),
    (3, "11", "draw", None, (1, 1, 1), ""),
    (3, "10", "win", 0, (1, 0, 0), ""),
    (3, "01", "win", 1, (0, 1, 0), ""),
    (3, "00", "draw", None, (0, 0, 1), ""),
    (3, "00p", "intentional_draw", None, None, ""),
    (3, "2-1-1", "win", 0, (2, 1, 1), ""),
    (3, "2–0 c", "win", 0, (2, 0, 0), "concesion"),
    (3, "dp", "double_loss", None, None, ""),
    (3, "np", "not_played", None, None, ""),
]


@pytest.mark.parametrize(("best_of", "text", "outcome", "seat", "games", "how"), KEYS)
def test_the_keys_of_the_counter(
    event: Event, best_of: int, text: str, outcome: str, seat: int | None, games: Any, how: str
) -> None:
    seats = make.table(event, 1).seat_list
    winner = None if seat is None else seats[seat].registration
    assert parse_score(text, best_of, seats) == Statement(outcome, winner, games, how)
    assert parse_score(text, best_of, [each.registration for each in seats]) == Statement(outcome, winner, games, how)


@pytest.mark.parametrize(("best_of", "text"), [(3, "1"), (3, "x"), (1, ""), (1, "1p"), (1, "xf"), (3, "20p"), (3, "ñ")])
def test_what_is_no_key_is_told_with_those_there_are(event: Event, best_of: int, text: str) -> None:
    with refusal("score_unknown") as caught:
        parse_score(text, best_of, make.table(event, 1).seat_list)
    assert caught.value.rule == "1.2"
    assert ("20" in str(caught.value)) == (best_of == 3)


@pytest.mark.parametrize("text", ["22", "30", "2-1-9", "9-0"])
def test_games_that_do_not_fit_are_refused(long_event: Event, text: str) -> None:
    with refusal("games_impossible"):
        make.report(make.table(long_event, 1), text)


# -- players report ----------------------------------------------------------------------------------------------------
def test_equal_reports_confirm_once_and_a_repeat_changes_nothing(event: Event) -> None:
    """Case 39 and rule 1.5."""
    match = make.table(event, 1)
    claimed = make.claim(match, 0, "1a")
    assert (claimed.state, claimed.outcome) == ("claimed", None)
    assert sum(points(event).values()) == 0
    make.claim(match, 0, "1a")
    done = make.claim(match, 1, "1")
    assert (done.state, done.outcome, done.how) == ("done", "win", "ascension")
    assert done.winner == match.left.registration.player
    make.claim(match, 1, "1")
    make.claim(match, 0, "1")
    assert ResultRevision.objects.filter(match=match).count() == 2
    assert points(event)[match.left.registration.order] == 3
    assert LogEntry.objects.filter(event=event, action="result.report").count() == 2


def test_different_reports_score_nothing_until_staff_decide(event: Event, organiser: Any) -> None:
    match = make.table(event, 1)
    make.claim(match, 0, "1")
    conflict = make.claim(match, 1, "2")
    assert (conflict.state, conflict.outcome, conflict.current) == ("conflict", None, None)
    assert sum(points(event).values()) == 0
    assert results.claimed_statement(conflict) == parse_score("1", 1, match.seat_list)
    decided = make.report(match, "2", by=Actor(user=organiser))
    assert decided.current is not None
    assert (decided.current.kind, decided.current.number, decided.current.by_user) == ("decision", 3, organiser)
    assert points(event)[match.seat_list[1].registration.order] == 3


def test_a_player_may_mend_his_own_report(event: Event) -> None:
    match = make.table(event, 1)
    make.claim(match, 0, "1")
    make.claim(match, 1, "2")
    done = make.claim(match, 0, "2")
    assert done.state == "done"
    assert done.winner == match.seat_list[1].registration.player
    with refusal("already_decided"):
        make.claim(match, 0, "1")


def test_the_same_request_is_one_revision(event: Event) -> None:
    """Case 40: the form is sent again after a time-out, when the table has moved on."""
    match = make.table(event, 1)
    make.claim(match, 0, "1", request_key="k1")
    make.claim(match, 1, "2", request_key="k2")
    make.claim(match, 0, "2", request_key="k3")
    make.claim(match, 0, "1", request_key="k1")
    fresh = make.table(event, 1)
    assert (fresh.state, fresh.version) == ("done", 3)
    assert ResultRevision.objects.filter(match=match).count() == 3
    said = parse_score("1", 1, match.seat_list)
    other = make.table(event, 2)
    results.decide(other, parse_score("1", 1, other.seat_list), by=SYSTEM, request_key="k1")
    results.decide(other, parse_score("1", 1, other.seat_list), by=SYSTEM, request_key="k1")
    assert ResultRevision.objects.filter(match=other).count() == 1
    assert said.winner is not None
    assert points(event)[said.winner.order] == 0


def test_the_winner_is_a_person_whatever_the_seat(event: Event) -> None:
    """Case 43: reported from the right seat's phone; seen from any side it stays his."""
    match = make.table(event, 1)
    a, b = (seat.registration for seat in match.seat_list)
    results.report(match, b, Statement("win", b), by=Actor(player=b.player))
    done = results.report(match, a, Statement("win", b), by=Actor(player=a.player))
    assert (done.winner, done.score) == (b.player, "0–1")
    assert done.current is not None
    assert (done.current.by_player, done.current.games) == (a.player, [0, 1, 0])
    first, second = done.seat_list
    first.position, second.position = 7, 0
    first.save(update_fields=["position"])
    second.save(update_fields=["position"])
    first.position = 1
    first.save(update_fields=["position"])
    turned = make.table(event, 1)
    assert [seat.registration for seat in turned.seat_list] == [b, a]
    assert (turned.left.won, turned.score) == (True, "1–0")
    assert points(event)[b.order] == 3


def test_without_self_report_the_server_refuses(event: Event) -> None:
    """Case 42."""
    Event.objects.filter(pk=event.pk).update(self_report=False)
    with refusal("self_report_off") as caught:
        make.claim(make.table(event, 1), 0, "1")
    assert caught.value.rule == "1.5"
    assert not ResultRevision.objects.exists()


def test_players_report_only_what_they_may_and_where_they_sit(event: Event) -> None:
    match = make.table(event, 1)
    stranger = make.table(event, 2).left.registration
    with refusal("not_seated"):
        results.report(match, stranger, Statement("win", match.left.registration), by=SYSTEM)
    with refusal("winner_needed"):
        results.report(match, match.left.registration, Statement("win", stranger), by=SYSTEM)
    with refusal("staff_only"):
        make.claim(match, 0, "dp")
    with refusal("how_unknown"):
        results.report(
            match, match.left.registration, Statement("win", match.left.registration, how="magia"), by=SYSTEM
        )
    with refusal("outcome_unknown"):
        results.report(match, match.left.registration, Statement("bye"), by=SYSTEM)
    assert not ResultRevision.objects.exists()


def test_nobody_reports_in_a_draft_or_after_the_end(event: Event) -> None:
    make.finish_tables(event)
    make.pair(event)
    match = make.table(event, 1)
    with refusal("draft_open"):
        make.claim(match, 0, "1")
    with refusal("draft_open"):
        make.report(match, "1")
    Event.objects.filter(pk=event.pk).update(status="finished", finished_at=event.starts_at)
    with refusal("not_running"):
        make.claim(match, 0, "1")


# -- games (rule 1.2) --------------------------------------------------------------------------------------------------
def test_a_concession_keeps_the_games_and_completes_the_winners(long_event: Event) -> None:
    match = make.table(long_event, 1)
    won = match.left.registration
    done = results.decide(match, Statement("win", won, (1, 1, 0), "concesion"), by=SYSTEM)
    assert (done.score, done.how) == ("2–1", "concesion")
    other = make.table(long_event, 2)
    at_once = results.decide(other, Statement("win", other.left.registration, how="concesion"), by=SYSTEM)
    assert at_once.score == "2–0"


def test_an_agreed_draw_without_a_game_is_0_0_3(long_event: Event) -> None:
    done = make.report(make.table(long_event, 1), "00p")
    assert (done.outcome, [seat.games for seat in done.seat_list], done.drawn_games) == ("intentional_draw", [0, 0], 3)


def test_best_of_3_wants_the_games(long_event: Event) -> None:
    match = make.table(long_event, 1)
    with refusal("games_needed"):
        results.decide(match, Statement("win", match.left.registration), by=SYSTEM)
    with refusal("games_needed"):
        results.decide(match, Statement("draw"), by=SYSTEM)
    with refusal("games_disagree"):
        results.decide(match, Statement("win", match.left.registration, (0, 2, 0)), by=SYSTEM)
    with refusal("games_disagree"):
        results.decide(match, Statement("draw", None, (1, 0, 0)), by=SYSTEM)
    assert make.report(match, "10t").score == "1–0"


def test_where_goals_count_a_shoot_out_wins_a_level_match() -> None:
    """Preset `goals` (rule 2.4.3): 2-2 with a winner; fewer goals than the other still disagree."""
    event = make.make_event(players=6, preset="goals", published=1)
    match, other, third = (make.table(event, number) for number in (1, 2, 3))
    done = results.decide(match, Statement("win", match.left.registration, (2, 2, 0)), by=SYSTEM)
    assert (done.winner, [seat.games for seat in done.seat_list]) == (match.left.registration.player, [2, 2])
    with refusal("games_disagree"):
        results.decide(other, Statement("win", other.left.registration, (2, 3, 0)), by=SYSTEM)
    given = results.decide(other, Statement("win", other.left.registration, (2, 3, 0), "concesion"), by=SYSTEM)
    assert [seat.games for seat in given.seat_list] == [4, 3]
    assert [seat.games for seat in make.report(third, "12-7").seat_list] == [12, 7]
    plain = make.make_event(players=4, published=1)
    table = make.table(plain, 1)
    with refusal("games_disagree"):
        results.decide(table, Statement("win", table.left.registration, (0, 0, 1)), by=SYSTEM)


@pytest.mark.parametrize(("best_of", "score"), [(1, (1, 0)), (3, (2, 0))])
def test_a_forfeit_is_won_two_nil(best_of: int, score: tuple[int, int]) -> None:
    """Rule 1.1."""
    event = make.make_event(players=4, rounds=3, best_of=best_of, published=1)
    match = make.table(event, 1)
    done = results.decide(match, Statement("forfeit", match.seat_list[1].registration), by=SYSTEM)
    assert [seat.games for seat in done.seat_list] == list(reversed(score))


def test_both_absent_or_nothing_played_are_kinds_of_their_own(event: Event) -> None:
    """Case 44: neither scores; only the double loss was a round."""
    make.report(make.table(event, 1), "dp")
    make.report(make.table(event, 2), "np")
    now = sheet(event)
    lost, unplayed = now.matches(now.round(1))[:2]
    for match, played in ((lost, 1), (unplayed, 0)):
        rows = [now.row(seat.registration) for seat in match.seat_list]
        assert [(row.points, row.played) for row in rows if row] == [(0, played)] * 2
    outcomes = [match.outcome for match in now.tournament.matches]
    assert outcomes == [Outcome.DOUBLE_LOSS, Outcome.NOT_PLAYED, None]


# -- staff -------------------------------------------------------------------------------------------------------------
def test_a_second_decision_is_a_correction(event: Event) -> None:
    match = make.table(event, 1)
    make.report(match, "1")
    make.report(match, "1")
    with refusal("already_decided") as caught:
        make.report(match, "2")
    assert caught.value.rule == "6.1"
    with refusal("reason_needed"):
        results.correct(match, parse_score("2", 1, match.seat_list), by=SYSTEM, reason=" ")
    done = results.correct(match, parse_score("2", 1, match.seat_list), by=SYSTEM, reason="Papel mal leído")
    assert done.current is not None
    assert (done.current.kind, done.current.number, done.current.reason) == ("correction", 2, "Papel mal leído")
    assert list(done.revisions.values_list("outcome", "winner")) == [
        ("win", match.left.registration.player_id),
        ("win", match.seat_list[1].registration.player_id),
    ]


def test_an_old_page_decides_nothing(event: Event) -> None:
    match = make.table(event, 1)
    version = match.version
    make.claim(match, 0, "2")
    with refusal("stale") as caught:
        results.decide(match, parse_score("1", 1, match.seat_list), by=SYSTEM, version=version)
    assert caught.value.data == {"version": 1}
    assert make.table(event, 1).state == "claimed"


def test_a_bye_is_decided_by_itself() -> None:
    """Case 17: it cannot become a win by hand."""
    event = make.make_event(players=3, published=1)
    bye = next(match for match in sheet(event).matches(sheet(event).round(1)) if match.kind == Match.Kind.BYE)
    with refusal("no_table"):
        results.correct(bye, Statement("win", bye.left.registration), by=SYSTEM, reason="Victoria manual")
    with refusal("no_table"):
        results.clear(bye, by=SYSTEM, reason="Fuera")


def test_clearing_a_table_needs_a_reason_and_keeps_what_was_said(event: Event) -> None:
    """Rule 6.4."""
    match = make.table(event, 1)
    make.claim(match, 0, "1")
    make.claim(match, 1, "1")
    with refusal("reason_needed"):
        results.clear(match, by=SYSTEM, reason="")
    cleared = results.clear(match, by=SYSTEM, reason="Se jugó en la mesa equivocada")
    assert (cleared.state, cleared.outcome, cleared.winner) == ("open", None, None)
    assert [(seat.games, seat.claim) for seat in cleared.seat_list] == [(None, None)] * 2
    assert cleared.revisions.count() == 2
    assert make.report(match, "2").winner == match.seat_list[1].registration.player
    entry = LogEntry.objects.get(event=event, action="result.decide")
    journal.undo(event, entry.number, by=SYSTEM)
    assert make.table(event, 1).state == "open"
    assert match.revisions.count() == 3


def test_undoing_a_confirmation_leaves_the_first_report(event: Event) -> None:
    """Rule 6.5."""
    match = make.table(event, 1)
    make.claim(match, 0, "1")
    make.claim(match, 1, "1")
    journal.undo(event, event.version, by=SYSTEM)
    back = make.table(event, 1)
    assert (back.state, [seat.claim_id is not None for seat in back.seat_list]) == ("claimed", [True, False])
    assert make.claim(match, 1, "2").state == "conflict"


def test_a_drop_gives_the_open_table_to_the_opponent(event: Event) -> None:
    """Rule 5.1, as services.registrations does it; a result that is there stays (case 31)."""
    done, still = make.table(event, 1), make.table(event, 2)
    make.report(done, "1")
    for match in (done, still):
        absent = match.left.registration
        with change(event, "player.drop", by=SYSTEM) as write:
            write.set(absent, status="dropped", last_round=1)
            results.award_forfeit(write, match, absent, by=SYSTEM)
    now = sheet(event)
    first, second = now.matches(now.round(1))[:2]
    assert (first.outcome, first.left.won) == ("win", True)
    assert (second.outcome, second.seat_list[1].won) == ("forfeit", True)
    assert ResultRevision.objects.get(match=second).kind == "drop"


# -- corrections of the past (rule 6) ----------------------------------------------------------------------------------
@pytest.fixture
def second_round(db: None) -> Event:
    """Round 1 is in, table 2 the wrong way round; round 2 is out and its table 1 has finished.

    1, 3 and 5 won; were it 4 and not 3, round 2 would pair everybody across the score groups.
    """
    event = make.make_event(players=6, rounds=3)
    make.seat_by_hand(event, (1, 2), (3, 4), (5, 6))
    make.finish_tables(event)
    make.seat_by_hand(event, (1, 3), (5, 2), (4, 6))
    make.report(make.table(event, 1), "1")
    return event


def wrong(event: Event) -> tuple[Match, Statement]:
    now = sheet(event)
    match = now.matches(now.round(1))[1]
    return match, parse_score("2", 1, match.seat_list)


def test_the_preview_says_what_a_correction_would_move_and_writes_nothing(second_round: Event) -> None:
    """Rule 6.2 and case 36."""
    match, statement = wrong(second_round)
    before, version = points(second_round), second_round.version
    impact = results.impact(match, statement)
    winner, loser = match.seat_list[1].registration, match.seat_list[0].registration
    changed = {row.registration.order: row.points for row in impact.points}
    assert changed == {winner.order: 3, loser.order: -3}
    assert impact.rating
    assert impact.pairings_round == 2
    assert impact.pairings
    assert [match.table for match in impact.open_tables] == [2, 3]
    tie_breaks = {row.registration.order for row in impact.moved if row.tie_breaks}
    assert tie_breaks
    assert points(second_round) == before
    assert Event.objects.get(pk=second_round.pk).version == version


def test_a_correction_keeps_the_pairings_and_recomputes_the_points(second_round: Event) -> None:
    """Case 36."""
    match, statement = wrong(second_round)
    predicted = {row.registration.order: row.after for row in results.impact(match, statement).moved}
    seated = [s.registration_id for m in sheet(second_round).matches(sheet(second_round).round(2)) for s in m.seat_list]
    results.correct(match, statement, by=SYSTEM, reason="Mesa 2 al revés")
    now = sheet(second_round)
    assert [s.registration_id for m in now.matches(now.round(2)) for s in m.seat_list] == seated
    actual = {now.by_key[row.player].order: row for row in now.standings()}
    assert {order: actual[order] for order in predicted} == predicted
    entry = LogEntry.objects.filter(event=second_round).order_by("-number")[0]
    assert (entry.action, entry.reason, entry.data["table"]) == ("result.correct", "Mesa 2 al revés", 2)
    assert entry.data["before"]["winner"] == match.seat_list[0].registration_id


def test_a_correction_may_pair_again_the_tables_without_a_report(second_round: Event) -> None:
    """Cases 36 and 37: the finished table stays as it is."""
    match, statement = wrong(second_round)
    finished = make.table(second_round, 1)
    open_before = {m.pk for m in sheet(second_round).open_matches}
    results.correct(match, statement, by=SYSTEM, reason="Mesa 2 al revés", then="repair_open", seed="5")
    now = sheet(second_round)
    first = now.matches(now.round(2))[0]
    assert (first.pk, first.state) == (finished.pk, "done")
    assert [s.registration_id for s in first.seat_list] == [s.registration_id for s in finished.seat_list]
    assert {m.pk for m in now.open_matches}.isdisjoint(open_before)
    assert LogEntry.objects.filter(event=second_round).order_by("-number")[0].action == "result.correct"
    journal.undo(second_round, second_round.version, by=SYSTEM)
    assert points(second_round)[match.seat_list[0].registration.order] == 3
    with refusal("has_results"):
        rounds.undo_round(second_round, 2, by=SYSTEM)


def test_a_correction_nothing_stands_on_moves_no_pairing(event: Event) -> None:
    match = make.table(event, 1)
    make.report(match, "1")
    impact = results.impact(match, parse_score("1a", 1, match.seat_list))
    assert (impact.moved, impact.pairings_round, impact.repaired, impact.rating) == ([], None, [], False)


def test_a_correction_after_the_end_makes_a_new_revision_of_what_was_published() -> None:
    """Rules 6.1 and 2.7: at any time, and never in silence."""
    event = make.make_event(players=4, rounds=1, status=Event.Status.OPEN)
    make.make_finished(make.play_event(event))
    match, statement = wrong(event)
    results.correct(match, statement, by=SYSTEM, reason="Lo dicen los dos")
    frozen = FrozenStandings.objects.filter(event=event).order_by("phase", "revision")
    assert [(row.phase, row.revision) for row in frozen] == [("final", 1), ("final", 2), ("swiss", 1), ("swiss", 2)]
    assert {row.reason for row in frozen if row.revision == 2} == {"Lo dicen los dos"}
    winner = statement.winner
    assert winner is not None
    row = next(row for row in frozen[3].rows if row["registration"] == winner.pk)
    assert row["points"] == 3


def test_what_was_decided_elsewhere_is_not_this_events(event: Event) -> None:
    """Another event's registration is no seat here, whatever the form says."""
    other = make.make_event(players=2, published=1)
    foreign: Registration = make.table(other, 1).left.registration
    match = make.table(event, 1)
    with refusal("winner_needed"):
        results.decide(match, Statement("win", foreign), by=SYSTEM)
