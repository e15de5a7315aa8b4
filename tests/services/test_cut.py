"""The cut (TOURNAMENT_RULES 7): frozen seeds, brackets, drops, final places."""

from typing import Any

import pytest

from tests import make
from tournaments.models import Event, FrozenStandings, LogEntry, Match, Registration, Round
from tournaments.queries import Sheet, published_standings, sheet
from tournaments.services import cut, journal, results, rounds
from tournaments.services.errors import Refused
from tournaments.services.journal import SYSTEM
from tournaments.services.results import Statement, parse_score

pytestmark = pytest.mark.django_db


def refusal(code: str) -> Any:
    return pytest.raises(Refused, check=lambda error: error.code == code)


def after_swiss(players: int, size: int, played: int = 3) -> Event:
    event = make.make_event(players=players, rounds=played, cut=size)
    for _ in range(played):
        make.play_round(event)
    return event


def start(event: Event, size: int | None = None) -> Round:
    round = cut.start(event, size, by=SYSTEM, at=event.starts_at)
    return rounds.publish(event, round.number, by=SYSTEM, at=event.starts_at)


def go_on(event: Event) -> Round:
    round = cut.next_round(event, by=SYSTEM, at=event.starts_at)
    return rounds.publish(event, round.number, by=SYSTEM, at=event.starts_at)


def places(now: Sheet) -> dict[int, int]:
    """Swiss place by registration."""
    return {now.by_key[row.player].pk: row.place for row in published_standings(now)}


def seeds(event: Event) -> list[tuple[int, ...]]:
    """Swiss places at each match of the newest round, in bracket order."""
    now = sheet(event)
    place = places(now)
    return [tuple(place[s.registration_id] for s in match.seat_list) for match in now.matches(now.current_round)]


BRACKETS = [
    (4, 2, [(1, 2)]),
    (8, 4, [(1, 4), (2, 3)]),
    (8, 8, [(1, 8), (4, 5), (2, 7), (3, 6)]),
    (8, 3, [(1,), (2, 3)]),
    (8, 6, [(1,), (4, 5), (2,), (3, 6)]),
]


@pytest.mark.parametrize(("players", "size", "bracket"), BRACKETS)
def test_the_literal_brackets(players: int, size: int, bracket: list[tuple[int, ...]]) -> None:
    """Case 48 and rule 7.1."""
    event = after_swiss(players, size, played=2 if players == 4 else 3)
    start(event)
    assert seeds(event) == bracket
    kinds = [match.kind for match in sheet(event).matches(sheet(event).current_round)]
    assert [kind == Match.Kind.BYE for kind in kinds] == [len(pair) == 1 for pair in bracket]


def test_seeds_are_the_frozen_published_standings_also_inside_a_tie() -> None:
    """Case 47: two tied on points, or on everything, go by what was published; a later look gives the same order."""
    event = make.make_event(players=8, rounds=1, cut=4)
    make.play_round(event)
    live = [row.player for row in sheet(event).standings()]
    ranks = [row.rank for row in sheet(event).standings()]
    assert ranks == [1, 1, 1, 1, 5, 5, 5, 5]
    start(event)
    now = sheet(event)
    frozen = FrozenStandings.objects.get(event=event, phase="swiss")
    assert [now.by_key[key].pk for key in live] == [row["registration"] for row in frozen.rows]
    assert seeds(event) == [(1, 4), (2, 3)]
    source = Round.objects.get(event=event, number=2).input
    assert source == {"seeds": live[:4], "size": 4, "revision": 1}


def test_a_drop_after_the_cut_is_out_reorders_nothing_and_is_marked() -> None:
    """Case 26 and rule 2.7."""
    event = after_swiss(8, 4)
    start(event)
    before = published_standings(sheet(event))
    loser = sheet(event).by_key[before[-1].player]
    make.drop(event, loser.order, last_round=3)
    after = published_standings(sheet(event))
    assert [row.player for row in after] == [row.player for row in before]
    assert [row.player for row in after if row.dropped] == [before[-1].player]


def test_who_dropped_before_it_leaves_his_place_in_the_cut() -> None:
    event = after_swiss(8, 4)
    first = sheet(event).by_key[sheet(event).standings()[0].player]
    make.drop(event, first.order)
    start(event)
    assert seeds(event) == [(2, 5), (3, 4)]


@pytest.mark.parametrize("text", ["x", "xp", "dp", "np"])
def test_no_draws_in_the_cut(text: str) -> None:
    """Case 46 and rule 7.2."""
    event = after_swiss(8, 4)
    start(event)
    match = make.table(event, 1)
    with refusal("draw_in_cut") as caught:
        make.report(match, text)
    assert caught.value.rule == "7.2"
    with refusal("draw_in_cut"):
        results.report(match, match.left.registration, Statement("draw"), by=SYSTEM)


def test_a_whole_cut_ends_with_its_places() -> None:
    """Rule 7.6: by the round reached, losers of one round by Swiss place, then the Swiss places."""
    event = after_swiss(8, 4)
    start(event)
    make.finish_tables(event, "2", "1")  # 4 beats 1, 2 beats 3
    go_on(event)
    assert seeds(event) == [(4, 2)]
    with refusal("tables_open"):
        cut.next_round(event, by=SYSTEM)
    assert not cut.over(sheet(event))
    make.finish_tables(event, "1")
    now = sheet(event)
    assert cut.over(now)
    place = places(now)
    assert [place[row.pk] for _, row in cut.final_places(now)] == [4, 2, 1, 3, 5, 6, 7, 8]
    assert [rank for rank, _ in cut.final_places(now)][:4] == [1, 2, 3, 4]
    with refusal("cut_over"):
        cut.next_round(event, by=SYSTEM)


def test_without_a_cut_the_swiss_ranks_are_final_and_ties_share_them() -> None:
    event = make.make_event(players=4, rounds=1)
    make.play_round(event)
    assert [rank for rank, _ in cut.final_places(sheet(event))] == [1, 1, 3, 3]


def test_a_drop_in_the_cut_lets_the_opponent_advance() -> None:
    """Rule 7.4: at an open table by forfeit; after his win, his next opponent has a bye."""
    event = after_swiss(8, 4)
    start(event)
    top, bottom = make.table(event, 1), make.table(event, 2)
    with journal.change(event, "player.drop", by=SYSTEM) as write:
        write.set(top.left.registration, status="dropped", last_round=4)
        results.award_forfeit(write, top, top.left.registration, by=SYSTEM)
    make.report(bottom, "1")
    make.drop(event, bottom.left.registration.order, last_round=4)
    go_on(event)
    now = sheet(event)
    (final,) = now.matches(now.current_round)
    assert (final.kind, final.left.registration) == (Match.Kind.BYE, top.seat_list[1].registration)
    assert cut.over(now)
    assert cut.final_places(now)[0] == (1, top.seat_list[1].registration)


def test_a_champion_who_drops_is_not_the_champion() -> None:
    """Rule 7.4."""
    event = after_swiss(4, 2, played=2)
    start(event)
    final = make.table(event, 1)
    make.report(final, "1")
    assert cut.final_places(sheet(event))[0][1] == final.left.registration
    make.drop(event, final.left.registration.order, last_round=3)
    assert cut.final_places(sheet(event))[0][1] == final.seat_list[1].registration


def test_who_drops_while_the_round_is_a_draft_loses_when_it_is_published() -> None:
    event = after_swiss(8, 4)
    cut.start(event, by=SYSTEM)
    gone = make.table(event, 1).seat_list[1].registration
    make.drop(event, gone.order, last_round=3)
    make.publish(event)
    match = make.table(event, 1)
    assert (match.outcome, match.left.won) == ("forfeit", True)


def test_starting_twice_is_once_and_so_is_going_on() -> None:
    """Rule 4.6, for the cut."""
    event = after_swiss(8, 4)
    first = cut.start(event, by=SYSTEM)
    assert cut.start(event, by=SYSTEM) == first
    make.publish(event)
    make.finish_tables(event)
    second = cut.next_round(event, 5, by=SYSTEM)
    assert cut.next_round(event, 5, by=SYSTEM) == second
    assert cut.next_round(event, by=SYSTEM) == second
    make.publish(event)
    assert cut.next_round(event, 5, by=SYSTEM) == second
    assert event.rounds.count() == 5


def test_starting_undoing_and_starting_again_is_repeatable() -> None:
    """Rule 7.5: equal standings make no new revision, a correction in between makes one and new seeds."""
    event = after_swiss(8, 4)
    start(event)
    first = seeds(event)
    seated = [s.registration_id for m in sheet(event).matches(sheet(event).current_round) for s in m.seat_list]
    make.report(make.table(event, 1), "1")
    with refusal("has_results"):
        rounds.undo_round(event, 4, by=SYSTEM)
    rounds.undo_round(event, 4, "Faltaba una corrección", by=SYSTEM)
    assert event.status == Event.Status.RUNNING
    start(event)
    again = [s.registration_id for m in sheet(event).matches(sheet(event).current_round) for s in m.seat_list]
    assert (seeds(event), again) == (first, seated)
    assert FrozenStandings.objects.filter(event=event).count() == 1
    rounds.undo_round(event, 4, by=SYSTEM)
    match = sheet(event).matches(sheet(event).round(3))[0]
    results.correct(match, parse_score("2", 1, match.seat_list), by=SYSTEM, reason="Al revés")
    start(event)
    assert FrozenStandings.objects.filter(event=event).count() == 2
    assert seeds(event) == [(1, 4), (2, 3)]
    log = LogEntry.objects.filter(event=event, action="cut.start").count()
    assert log == 3


def test_the_newest_action_can_be_undone_here_too() -> None:
    """Rule 6.5; what was frozen stays on record, the live standings are shown again."""
    event = after_swiss(8, 4)
    cut.start(event, by=SYSTEM)
    journal.undo(event, event.version, by=SYSTEM)
    assert event.status == Event.Status.RUNNING
    assert not event.rounds.filter(kind="cut").exists()
    assert FrozenStandings.objects.filter(event=event).count() == 1


def test_the_winner_of_a_match_the_bracket_stands_on_is_not_changed() -> None:
    """Rule 7.5: the next round is undone first; the loser's games may be corrected at any time."""
    event = make.make_event(players=4, rounds=2, cut=4, best_of=3)
    make.play_round(event)
    make.play_round(event)
    start(event)
    match = make.table(event, 1)
    make.finish_tables(event)
    go_on(event)
    with refusal("cut_went_on") as caught:
        results.correct(match, parse_score("02", 3, match.seat_list), by=SYSTEM, reason="Al revés")
    assert caught.value.data == {"round": 4}
    assert results.correct(match, parse_score("21", 3, match.seat_list), by=SYSTEM, reason="Fue 2-1").score == "2–1"
    with refusal("cut_went_on"):
        results.clear(match, by=SYSTEM, reason="Fuera")
    rounds.undo_round(event, 4, by=SYSTEM)
    results.correct(match, parse_score("02", 3, match.seat_list), by=SYSTEM, reason="Al revés")
    go_on(event)
    assert sheet(event).matches(sheet(event).current_round)[0].left.registration == match.seat_list[1].registration


def test_a_swiss_correction_in_the_cut_publishes_a_revision_and_keeps_the_seeds() -> None:
    """Rules 2.7 and 6.3; the preview names who would have been in (6.2)."""
    event = make.make_event(players=6, rounds=1, cut=2)
    make.play_round(event)
    start(event)
    seated = {seat.registration_id for seat in make.table(event, 1).seat_list}
    now = sheet(event)
    match = next(m for m in now.matches(now.round(1)) if m.left.registration_id in seated)
    statement = parse_score("2", 1, match.seat_list)
    impact = results.impact(match, statement)
    assert impact.cut_out == [match.left.registration]
    assert len(impact.cut_in) == 1
    assert impact.pairings_round is None
    results.correct(match, statement, by=SYSTEM, reason="Al revés")
    assert {seat.registration_id for seat in make.table(event, 1).seat_list} == seated
    assert list(event.frozen.order_by("revision").values_list("revision", "reason")) == [(1, ""), (2, "Al revés")]


def test_a_table_of_ones_own_also_in_the_cut() -> None:
    """Rule 4.4."""
    event = after_swiss(8, 4)
    now = sheet(event)
    third = now.by_key[now.standings()[2].player]
    Registration.objects.filter(pk=third.pk).update(fixed_table=1)
    start(event)
    matches = sheet(event).matches(sheet(event).current_round)
    assert [(match.slot, match.table) for match in matches] == [(0, 2), (1, 1)]


def test_the_cut_waits_for_what_comes_before() -> None:
    event = make.make_event(players=8, rounds=2, cut=4)
    with refusal("not_running"):
        cut.start(event, by=SYSTEM)
    make.pair(event)
    with refusal("draft_open"):
        cut.start(event, by=SYSTEM)
    make.publish(event)
    with refusal("tables_open") as caught:
        cut.start(event, by=SYSTEM)
    assert caught.value.data == {"tables": [1, 2, 3, 4]}
    make.finish_tables(event)
    with refusal("rounds_left"):
        cut.start(event, by=SYSTEM)
    with refusal("not_in_cut"):
        cut.next_round(event, by=SYSTEM)
    make.play_round(event)
    with refusal("cut_size"):
        cut.start(event, 65, by=SYSTEM)
    for order in range(1, 8):
        make.drop(event, order)
    with refusal("too_few_players"):
        cut.start(event, by=SYSTEM)
    assert not FrozenStandings.objects.exists()


def test_the_cut_ends_the_swiss_rounds() -> None:
    event = after_swiss(8, 4)
    start(event)
    with refusal("in_cut"):
        rounds.pair(event, 5, by=SYSTEM)
    with refusal("in_cut"):
        rounds.repair_open_tables(event, 4, "Otra vez", by=SYSTEM)


def test_finishing_needs_every_table() -> None:
    """Case 46, with services.events."""
    from tournaments.services import events

    event = after_swiss(8, 4)
    start(event)
    make.report(make.table(event, 1), "1")
    with pytest.raises(Refused) as caught:
        events.finish(event, by=SYSTEM)
    assert caught.value.data["tables"] == [2]


# -- double elimination (rule 7.3) -------------------------------------------------------------------------------------
def double_cut(players: int, size: int, played: int = 3) -> Event:
    event = make.make_event(players=players, rounds=played, cut=size, cut_format=Event.CutFormat.DOUBLE)
    for _ in range(played):
        make.play_round(event)
    return event


def play_out(event: Event, *scores: str) -> None:
    """Every round that is left; the favourite, as the left seat, wins everywhere."""
    while not cut.over(sheet(event)):
        go_on(event)
        make.finish_tables(event, *scores)


def test_a_double_elimination_plays_both_brackets_in_one_round() -> None:
    event = double_cut(8, 8)
    start(event)
    assert seeds(event) == [(1, 8), (4, 5), (2, 7), (3, 6)]
    make.finish_tables(event)
    go_on(event)
    assert seeds(event) == [(1, 4), (2, 3), (8, 5), (7, 6)]
    assert [match.table for match in sheet(event).matches(sheet(event).current_round)] == [1, 2, 3, 4]
    make.finish_tables(event, "1", "1", "2", "2")
    go_on(event)
    assert seeds(event) == [(3, 5), (4, 6)]
    make.finish_tables(event)
    play_out(event)
    now, place = sheet(event), places(sheet(event))
    assert len(now.cut_rounds) == 6
    assert [place[row.pk] for _, row in cut.final_places(now)] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert [rank for rank, _ in cut.final_places(now)][:4] == [1, 2, 3, 4]
    with refusal("cut_over"):
        cut.next_round(event, by=SYSTEM)


def test_the_second_final_is_played_when_the_losers_champion_wins_the_first() -> None:
    """And its result may be corrected, undone and played again (6.1, 7.5)."""
    from tournaments.services import events

    event = double_cut(4, 4, played=2)
    start(event)
    make.finish_tables(event)
    for _ in range(3):
        go_on(event)
        make.finish_tables(event)
    assert cut.over(sheet(event))
    final = make.table(event, 1)
    results.correct(final, parse_score("2", 1, final.seat_list), by=SYSTEM, reason="Al revés")
    assert not cut.over(sheet(event))
    with refusal("cut_unfinished"):
        events.finish(event, by=SYSTEM)
    go_on(event)
    again = make.table(event, 1)
    assert [s.registration for s in again.seat_list] == [s.registration for s in final.seat_list]
    with refusal("cut_went_on"):
        results.correct(final, parse_score("1", 1, final.seat_list), by=SYSTEM, reason="No")
    make.finish_tables(event, "2")
    now = sheet(event)
    assert cut.over(now)
    assert [row for _, row in cut.final_places(now)][:2] == [s.registration for s in reversed(again.seat_list)]
    rounds.undo_round(event, again.round.number, "Otra vez", by=SYSTEM)
    results.correct(final, parse_score("1", 1, final.seat_list), by=SYSTEM, reason="Era 1")
    assert cut.over(sheet(event))
    events.finish(event, by=SYSTEM)
    assert event.status == Event.Status.FINISHED


def test_a_double_elimination_with_byes_and_a_drop() -> None:
    """Rules 7.1 and 7.4: byes to the best; who falls and drops leaves his next opponent a bye."""
    event = double_cut(8, 6)
    start(event)
    assert seeds(event) == [(1,), (4, 5), (2,), (3, 6)]
    make.finish_tables(event)
    place = places(sheet(event))
    five = next(row for row in sheet(event).registrations if place[row.pk] == 5)
    make.drop(event, five.order, last_round=4)
    go_on(event)
    assert seeds(event) == [(1, 4), (2, 3), (6,)]
    make.finish_tables(event)
    go_on(event)
    assert seeds(event) == [(3,), (4, 6)]
    make.finish_tables(event)
    play_out(event)
    assert [place[row.pk] for _, row in cut.final_places(sheet(event))] == [1, 2, 3, 4, 6, 5, 7, 8]


def test_a_double_elimination_starts_undoes_and_starts_again() -> None:
    """Rule 7.5; its kind may change in between, and not while it is played."""
    from tournaments.services import events

    event = double_cut(8, 4)
    start(event)
    make.finish_tables(event)
    go_on(event)
    with refusal("cut_started"):
        events.edit(event, by=SYSTEM, cut_format=Event.CutFormat.SINGLE)
    rounds.undo_round(event, 5, by=SYSTEM)
    rounds.undo_round(event, 4, "Falta una corrección", by=SYSTEM)
    assert event.status == Event.Status.RUNNING
    start(event)
    make.finish_tables(event)
    go_on(event)
    assert seeds(event) == [(1, 2), (4, 3)]
    assert FrozenStandings.objects.filter(event=event).count() == 1


@pytest.mark.parametrize("size", [2, 3, 5, 7])
def test_a_double_elimination_is_verified_from_its_log(size: int) -> None:
    from tournaments.services import events
    from tournaments.services.verification import verify_event

    event = double_cut(8, size)
    start(event)
    make.finish_tables(event, "2", "1", "2")
    play_out(event, "2", "1", "2")
    events.finish(event, by=SYSTEM)
    report = verify_event(event)
    assert report.ok, report.differs
    assert sum(row["checked"] == "bracket" for row in report.rounds) == len(sheet(event).cut_rounds)
    tables = Match.objects.filter(event=event, round__kind=Round.Kind.CUT, kind=Match.Kind.TABLE).count()
    assert tables in (2 * size - 2, 2 * size - 1)


def test_no_seat_moves_in_a_double_elimination() -> None:
    """Rule 7.3: two sides of a bracket in one round; a swap would change who has lost how often."""
    event = double_cut(8, 4)
    cut.start(event, by=SYSTEM)
    top, bottom = make.table(event, 1), make.table(event, 2)
    with refusal("in_cut"):
        rounds.swap(event, 4, top.left.registration, bottom.left.registration, "Cambio", by=SYSTEM)
