"""Tables of several through the services (GAMES, Ataquerrr): the same life as an event of two at a table."""

from typing import Any

import pytest

from decks.services.games import default_game, game
from tests import make
from tournaments.models import Event, FrozenStandings, Match, ResultRevision
from tournaments.queries import Sheet, sheet
from tournaments.services import backups, events, files, journal, registrations, results, rounds, verification
from tournaments.services.errors import Refused
from tournaments.services.journal import SYSTEM
from tournaments.services.results import Statement
from tournaments.swiss.types import POD_POINTS

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def stage(game: object) -> None:
    """The games are loaded."""


def sizes(now: Sheet) -> list[int]:
    return [len(match.seat_list) for match in now.tables(now.current_round)]


def places(match: Match) -> list[int | None]:
    return [seat.place for seat in match.seat_list]


def points(event: Event) -> dict[int, int]:
    """By order of arrival."""
    now = sheet(event)
    return {now.by_key[row.player].order: row.points for row in now.standings()}


def undo(event: Event) -> None:
    entry = journal.next_undo(event)
    assert entry is not None
    journal.undo(event, entry.number, by=SYSTEM)


def newest(event: Event, table: int = 1) -> Match:
    return make.table(event, table)


# -- the event ---------------------------------------------------------------------------------------------------------
def test_the_game_says_that_it_is_played_at_tables_of_several() -> None:
    store = make.make_store()
    event = events.create(store, by=SYSTEM, name="Noche", starts_at=make.NOON, game=game("ataquerrr"))
    assert (event.format, event.preset, event.in_pods) == ("pods", "pods", True)
    assert event.pod_points == {"4": [5, 3, 2, 1], "3": [5, 3, 1], "2": [3, 0]}
    assert sheet(event).tournament.rules.pods == POD_POINTS
    usual = events.create(store, by=SYSTEM, name="Noche", starts_at=make.NOON, game=default_game())
    assert (usual.format, usual.pod_points, sheet(usual).tournament.rules.pods) == ("swiss", {}, None)


@pytest.mark.parametrize(
    ("slug", "options", "code"),
    [
        ("ataquerrr", {"format": "swiss"}, "format"),
        ("ataquerrr", {"format": "round_robin"}, "format"),
        ("ataquerrr", {"preset": "mtr"}, "preset"),
        ("ataquerrr", {"cut_size": 4}, "cut_in_pods"),
        ("kounter", {"format": "pods"}, "format"),
        ("kounter", {"preset": "pods"}, "preset"),
    ],
)
def test_what_does_not_go_together_is_refused(slug: str, options: dict[str, Any], code: str) -> None:
    with pytest.raises(Refused) as refusal:
        events.create(make.make_store(), by=SYSTEM, name="N", starts_at=make.NOON, game=game(slug), **options)
    assert refusal.value.code == code


# -- pairing -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("players", "seats"), [(2, [2]), (5, [3, 2]), (7, [4, 3]), (11, [4, 4, 3])])
def test_a_round_seats_everybody(players: int, seats: list[int]) -> None:
    event = make.make_pod_event(players=players)
    round = make.pair(event)
    now = sheet(event)
    assert sorted(sizes(now), reverse=True) == seats
    assert (round.engine, round.certified, round.seed) == ("kounter-pods/1", True, "7")
    assert list(round.criteria) == ["rematches", "gap", "gap_squared", "repeat_small", "separations"]
    assert not [match for match in now.matches(now.current_round) if match.kind == Match.Kind.BYE]
    again, created = rounds.pair(event, 1, by=SYSTEM, seed="8")
    assert (again.pk, created) == (round.pk, False)


def test_one_player_is_no_round() -> None:
    with pytest.raises(Refused) as refusal:
        make.pair(make.make_pod_event(players=1))
    assert refusal.value.code == "too_few_players"


def test_a_draft_may_be_swapped_and_is_judged_again() -> None:
    event = make.make_pod_event(players=7)
    make.play_round(event)
    make.pair(event)
    now = sheet(event)
    first, second = now.tables(now.current_round)
    a, b = first.seat_list[0].registration, second.seat_list[0].registration
    rounds.swap(event, 2, a, b, "hermanos", by=SYSTEM)
    now = sheet(event)
    assert b.pk in {seat.registration_id for seat in now.tables(now.current_round)[0].seat_list}
    round = now.current_round
    assert round is not None
    assert (round.swapped, round.certified) == (True, False)
    assert round.criteria["rematches"] >= 3
    assert verify(event)


# -- results -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("typed", "expected", "outcome"),
    [
        ("2143", [2, 1, 4, 3], "win"),
        ("2 1 4 3", [2, 1, 4, 3], "win"),
        ("2>1>4>3", [2, 1, 4, 3], "win"),
        ("2=143", [1, 1, 4, 3], "draw"),
        ("1=2=3=4", [1, 1, 1, 1], "draw"),
        ("4=32=1", [3, 3, 1, 1], "draw"),
        ("413", [2, None, 3, 1], "win"),
        ("4", [None, None, None, 1], "forfeit"),
        ("np", [None] * 4, "not_played"),
    ],
)
def test_an_order_is_typed_as_seats(typed: str, expected: list[int | None], outcome: str) -> None:
    event = make.make_pod_event(players=4, published=1)
    make.report(newest(event), typed)
    match = newest(event)
    assert (places(match), match.outcome, match.state) == (expected, outcome, "done")
    assert match.current is not None
    assert match.current.places == expected
    first = match.seat_list[expected.index(1)] if outcome in ("win", "forfeit") else None
    assert match.winner_id == (first.registration.player_id if first else None)


@pytest.mark.parametrize("typed", ["", "5", "21433", "11", "1=1", "2143x", "=12", "12=", "dp", "20"])
def test_what_is_no_order_is_refused_with_an_example(typed: str) -> None:
    event = make.make_pod_event(players=4, published=1)
    with pytest.raises(Refused) as refusal:
        results.parse(typed, newest(event))
    assert refusal.value.code == "score_unknown"
    assert "2143" in str(refusal.value)


def test_a_seat_that_is_not_there_is_refused() -> None:
    event = make.make_pod_event(players=3, published=1)
    with pytest.raises(Refused, match="213"):
        results.parse("1234", newest(event))


def test_places_that_do_not_fit_the_table_are_refused() -> None:
    match = newest(make.make_pod_event(players=4, published=1))
    for wrong in (None, (1, 2, 3), (0, 1, 2, 3)):
        with pytest.raises(Refused) as refusal:
            results.decide(match, Statement("win", places=wrong), by=SYSTEM)
        assert refusal.value.code == "places_needed"


def test_points_follow_the_places() -> None:
    event = make.make_pod_event(players=7, published=1)
    make.finish_tables(event, "2143", "3=12")
    now = sheet(event)
    one, two = now.tables(now.current_round)
    got = points(event)
    assert [got[seat.registration.order] for seat in one.seat_list] == [3, 5, 1, 2]
    assert [got[seat.registration.order] for seat in two.seat_list] == [4, 1, 4]


def test_two_equal_reports_of_four_confirm() -> None:
    event = make.make_pod_event(players=4, published=1)
    make.claim(newest(event), 2, "2143")
    assert newest(event).state == "claimed"
    assert points(event) == dict.fromkeys(range(1, 5), 0)
    make.claim(newest(event), 2, "2143")  # a double tap
    assert newest(event).state == "claimed"
    make.claim(newest(event), 0, "2143")
    match = newest(event)
    assert (match.state, places(match)) == ("done", [2, 1, 4, 3])
    assert match.revisions.count() == 2


def test_different_reports_are_a_conflict_until_all_agree_or_staff_decide() -> None:
    event = make.make_pod_event(players=4, published=1)
    make.claim(newest(event), 0, "1234")
    make.claim(newest(event), 1, "2134")
    assert newest(event).state == "conflict"
    make.claim(newest(event), 2, "2134")
    assert newest(event).state == "conflict"  # two say so, and one does not
    make.claim(newest(event), 0, "2134")
    assert (newest(event).state, places(newest(event))) == ("done", [2, 1, 3, 4])
    other = make.make_pod_event(players=4, published=1)
    make.claim(newest(other), 0, "1234")
    make.claim(newest(other), 1, "2134")
    make.report(newest(other), "4321")
    assert places(newest(other)) == [4, 3, 2, 1]


def test_players_do_not_report_what_is_for_the_staff() -> None:
    event = make.make_pod_event(players=4, published=1)
    for only in ("np", "1"):
        with pytest.raises(Refused) as refusal:
            make.claim(newest(event), 0, only)
        assert refusal.value.code == "staff_only"


def test_a_correction_shows_its_impact_first_and_can_be_undone() -> None:
    event = make.make_pod_event(players=8, rounds=3)
    make.play_round(event)
    make.pair_and_publish(event)
    now = sheet(event)
    match = next(m for m in now.matches(now.rounds[0]) if m.table == 1)
    said = results.parse("4321", match)
    impact = results.impact(match, said)
    assert (impact.pairings_round, impact.rating) == (2, True)
    assert {row.points for row in impact.points} == {-4, -1, 1, 4}
    assert impact.pairings
    assert all(len(table) == 4 for table in impact.repaired)
    results.correct(match, said, by=SYSTEM, reason="al revés", version=match.version)
    again = next(m for m in sheet(event).matches(sheet(event).rounds[0]) if m.pk == match.pk)
    assert places(again) == [4, 3, 2, 1]
    assert [revision.places for revision in again.revisions.all()] == [[1, 2, 3, 4], [4, 3, 2, 1]]
    undo(event)
    back = next(m for m in sheet(event).matches(sheet(event).rounds[0]) if m.pk == match.pk)
    assert places(back) == [1, 2, 3, 4]


def test_a_correction_may_pair_the_open_tables_again() -> None:
    event = make.make_pod_event(players=8, rounds=3)
    make.play_round(event)
    make.pair_and_publish(event)
    now = sheet(event)
    match = now.matches(now.rounds[0])[0]
    results.correct(match, results.parse("4321", match), by=SYSTEM, reason="x", then="repair_open", seed="5")
    now = sheet(event)
    assert sizes(now) == [4, 4]
    assert {seat.registration_id for m in now.tables(now.current_round) for seat in m.seat_list} == set(now.by_id)


def test_a_result_is_cleared_with_a_reason() -> None:
    event = make.make_pod_event(players=4, published=1)
    make.report(newest(event), "2143")
    results.clear(newest(event), by=SYSTEM, reason="otra mesa")
    assert (newest(event).state, places(newest(event))) == ("open", [None] * 4)


# -- who leaves, who comes ---------------------------------------------------------------------------------------------
def test_who_leaves_finishes_last_and_the_table_goes_on() -> None:
    event = make.make_pod_event(players=4, published=1)
    gone = newest(event).seat_list[1].registration
    registrations.drop(gone, by=SYSTEM)
    match = newest(event)
    assert match.state == "open"
    entry = event.log.first()
    assert entry is not None
    assert entry.data["forfeits"] == []
    make.claim(match, 0, "2134")  # they put him first all the same
    make.claim(newest(event), 2, "134")
    match = newest(event)
    assert (match.state, places(match)) == ("done", [1, None, 2, 3])
    assert points(event)[gone.order] == 1


def test_the_last_one_at_a_table_has_won() -> None:
    event = make.make_pod_event(players=3, published=1)
    stays, *gone = [seat.registration for seat in newest(event).seat_list]
    registrations.drop(gone[0], by=SYSTEM)
    assert newest(event).state == "open"
    registrations.drop(gone[1], by=SYSTEM)
    match = newest(event)
    assert (match.outcome, match.winner_id, places(match)) == ("forfeit", stays.player_id, [1, None, None])
    assert match.current is not None
    assert match.current.kind == ResultRevision.Kind.DROP
    assert points(event)[stays.order] == 5
    undo(event)
    assert newest(event).state == "open"


def test_who_has_left_is_not_seated_again() -> None:
    event = make.make_pod_event(players=8, rounds=3)
    make.play_round(event)
    registrations.drop(make.registration(event, 3), by=SYSTEM)
    make.pair(event)
    assert sizes(sheet(event)) in ([4, 3], [3, 4])


def test_late_at_a_table_with_a_free_chair() -> None:
    event = make.make_pod_event(players=7, published=1)
    row = registrations.enter_late(event, "Tardía Impuntual", by=SYSTEM, choice="bye_seat")
    now = sheet(event)
    assert sizes(now) == [4, 4]
    assert row.pk in {seat.registration_id for match in now.tables(now.current_round) for seat in match.seat_list}
    with pytest.raises(Refused) as refusal:
        registrations.enter_late(event, "Otra", by=SYSTEM, choice="bye_seat")
    assert refusal.value.code == "no_chair"
    assert verify(event)
    undo(event)
    assert sorted(sizes(sheet(event))) == [3, 4]


def test_late_in_the_next_round_with_losses() -> None:
    event = make.make_pod_event(players=7, rounds=3)
    make.play_round(event)
    row = registrations.enter_late(event, "Tardía Impuntual", by=SYSTEM, choice="losses")
    make.play_round(event)
    now = sheet(event)
    assert [match.kind for _, match, _ in now.seats_of(row)] == ["unpaired", "table"]
    assert points(event)[row.order] > 0


def test_an_open_table_may_be_left_behind_with_a_reason() -> None:
    event = make.make_pod_event(players=8, rounds=3)
    make.pair_and_publish(event)
    make.report(newest(event, 1), "1234")
    with pytest.raises(Refused) as refusal:
        make.pair(event)
    assert refusal.value.code == "tables_open"
    apart = {seat.registration_id for seat in newest(event, 2).seat_list}
    make.pair(event, override=True, reason="siguen jugando")
    now = sheet(event)
    left = next(m for m in now.matches(now.rounds[0]) if m.table == 2)
    assert (left.outcome, places(left)) == ("not_played", [None] * 4)
    assert apart == {seat.registration_id for seat in left.seat_list}


# -- the whole night ---------------------------------------------------------------------------------------------------
def night(players: int = 11) -> Event:
    event = make.make_pod_event(players=players, rounds=3)
    play(event, "2143", "1=234", "3124")
    registrations.drop(make.registration(event, 4), by=SYSTEM)
    registrations.enter_late(event, "Tardía Impuntual", by=SYSTEM, choice="losses")
    play(event, "3214", "31", "4321")
    play(event, "1234", "np", "2=134")
    return event


def play(event: Event, *orders: str) -> None:
    """A round with those orders by table; seats that a smaller table does not have are left out."""
    make.pair_and_publish(event)
    for table, order in enumerate(orders, 1):
        seats = len(newest(event, table).seat_list)
        make.report(newest(event, table), "".join(sign for sign in order if not sign.isdigit() or int(sign) <= seats))


def verify(event: Event) -> bool:
    report = verification.verify_event(event)
    assert report.ok, report.as_dict()
    return True


def test_a_night_finishes_replays_and_goes_through_file_and_backup() -> None:
    event = night()
    events.finish(event, by=SYSTEM)
    event.refresh_from_db()
    frozen = event.frozen.get(phase=FrozenStandings.Phase.FINAL)
    assert [row["rank"] for row in frozen.rows][:1] == [1]
    assert verify(event)

    document = files.export_event(event)
    assert document["event_format"] == "pods"
    assert document["preset"] == "pods"
    tables = [table for round in document["rounds"] for table in round if "players" in table]
    assert any(table["places"] is None for table in tables)
    assert any(None in (table["places"] or []) for table in tables)
    copy = backups.backup(event)
    gone(event)
    taken, created = files.import_event(document, make.make_store(), "semanal", by=SYSTEM)
    assert created
    assert (taken.game.slug, taken.in_pods) == ("ataquerrr", True)
    assert files.export_event(taken) == document
    assert files.import_event(document, taken.store, "semanal", by=SYSTEM) == (taken, False)
    gone(taken)
    restored = backups.restore(copy, make.make_store(), by=SYSTEM)
    assert files.export_event(restored) == document


def gone(event: Event) -> None:
    """The laptop is lost."""
    event.matches.update(current=None, state="open", outcome=None, winner=None)
    Event.objects.filter(pk=event.pk).delete()


def test_a_plain_file_of_tables_comes_in_and_goes_out_equal() -> None:
    data = {
        "id": "mesas-1",
        "date": "2026-03-14",
        "players": list("ABCDEFG"),
        "rounds": [
            [
                {"players": ["A", "B", "C", "D"], "places": [1, 1, 3, None]},
                {"players": ["E", "F", "G"], "places": None},
            ],
            [
                {"players": ["E", "A", "F"], "places": [3, 2, 1]},
                {"players": ["B", "C", "D", "G"], "places": [2, 1, 4, 3]},
            ],
        ],
        "pod_points": {"4": [10, 6, 3, 0]},
    }
    event, _ = files.import_event(data, make.make_store(), "semanal", by=SYSTEM)
    assert {key: value for key, value in files.export_event(event).items() if key != "standings"} == data
    assert points(event) == {1: 8 + 3, 2: 8 + 6, 3: 3 + 10, 4: 0, 5: 1, 6: 5, 7: 3}
    assert event.matches.filter(outcome="not_played").count() == 1


def test_undo_of_a_whole_round_and_of_every_step() -> None:
    event = make.make_pod_event(players=8, rounds=3)
    make.play_round(event)
    before = points(event)
    make.pair_and_publish(event)
    make.report(newest(event), "4321")
    rounds.undo_round(event, 2, "nos equivocamos", by=SYSTEM)
    assert points(event) == before
    undo(event)
    assert places(newest(event)) == [4, 3, 2, 1]
    while event.rounds.exists():
        undo(event)
    assert not Match.objects.filter(event=event).exists()
