"""Cases of CASES.md through the services, with their smallest input; docs/cases.md says which test is which.

Stories are told by order of arrival: `tell(event, "1>6 3>2 5")` seats 1 against 6 and 3 against 2, both won by the
first, and gives 5 the bye.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from io import StringIO
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.utils import timezone

from ranking.models import Rating
from ranking.services import inputs, rate
from tests import make
from tests.conftest import DATA
from tests.services.ranking.circuit import later
from tests.services.test_files import ordered
from tournaments import eventfile, queries
from tournaments.models import Event, FrozenStandings, Match, Registration, Round, Seat
from tournaments.queries import Sheet, sheet
from tournaments.services import cut, events, journal, registrations, results, rounds
from tournaments.services.errors import Refused
from tournaments.services.journal import SYSTEM
from tournaments.swiss.scoring import OUTCOMES
from tournaments.swiss.standings import explain, standings

pytestmark = pytest.mark.django_db
KEYS = {">": {1: "1", 3: "20"}, "<": {1: "2", 3: "02"}, "=": {1: "x", 3: "11"}}


def refusal(code: str) -> Any:
    return pytest.raises(Refused, check=lambda error: error.code == code)


def tell(event: Event, *tables: str) -> Event:
    """One published round a line; `1>6` won by 1, `1<6` by 6, `1=6` drawn, `1-6` still open, `5` alone has the bye."""
    for line in tables:
        seats, scores = zip(*(token(text) for text in line.split()), strict=True)
        make.seat_by_hand(event, *seats)
        for number, (pair, sign) in enumerate(
            [(pair, sign) for pair, sign in zip(seats, scores, strict=True) if len(pair) == 2], 1
        ):
            if sign != "-":
                assert make.table(event, number).left.registration.order == pair[0]
                make.report(make.table(event, number), KEYS[sign][event.best_of])
    return event


def token(text: str) -> tuple[tuple[int, ...], str]:
    sign = next((char for char in "<>=-" if char in text), "")
    return tuple(map(int, text.split(sign))) if sign else (int(text),), sign


def pairs(now: Sheet, number: int) -> set[frozenset[int]]:
    tables = [m for m in now.matches(now.round(number)) if m.kind == Match.Kind.TABLE]
    return {frozenset(seat.registration.order for seat in match.seat_list) for match in tables}


def byes(now: Sheet, number: int) -> list[int]:
    return [m.left.registration.order for m in now.matches(now.round(number)) if m.kind == Match.Kind.BYE]


def fresh(event: Event) -> Event:
    return Event.objects.select_related("store").get(pk=event.pk)


# -- what each code of 1.1 does, from the counter to the ranking -------------------------------------------------------
@dataclass(frozen=True)
class Code:
    """`points` and `games` (won, lost, drawn, in best of 3) are A's; `rival` B's points; the rest yes or no."""

    key: str
    points: int
    rival: int
    games: tuple[int, int, int]
    opponent: bool
    meeting: bool
    rating: bool


CODES = {
    "win": Code("21", 3, 0, (2, 1, 0), opponent=True, meeting=True, rating=True),
    "loss": Code("12", 0, 3, (1, 2, 0), opponent=True, meeting=True, rating=True),
    "draw": Code("11", 1, 1, (1, 1, 1), opponent=True, meeting=True, rating=True),
    "intentional_draw": Code("00p", 1, 1, (0, 0, 3), opponent=True, meeting=True, rating=False),
    "double_loss": Code("dp", 0, 0, (0, 0, 0), opponent=True, meeting=True, rating=False),
    "bye": Code("", 3, 3, (2, 0, 0), opponent=False, meeting=False, rating=False),
    "forfeit": Code("20f", 3, 0, (2, 0, 0), opponent=True, meeting=True, rating=False),
    "unpaired_loss": Code("", 0, 3, (0, 0, 0), opponent=False, meeting=False, rating=False),
    "not_played": Code("np", 0, 0, (0, 0, 0), opponent=False, meeting=False, rating=False),
}


def played_as(code: str) -> tuple[Event, Registration, Registration]:
    """A and B, and what happened to A in round 1; B beats somebody else where A sat alone."""
    event = make.make_event(players=3 if code == "bye" else 4, rounds=3, best_of=3)
    if code == "unpaired_loss":
        tell(event, "1>2 3>4")
        late = registrations.enter_late(event, "Octavia Tardía", by=SYSTEM, choice="losses")
        return event, late, make.registration(event, 1)
    if code == "bye":
        tell(event, "2>3 1")
    else:
        make.seat_by_hand(event, (1, 2), (3, 4))
        make.report(make.table(event, 1), CODES[code].key)
        make.report(make.table(event, 2), "20")
    return event, make.registration(event, 1), make.registration(event, 2)


def of_round_1(now: Sheet, row: Registration, key: str) -> list[Any]:
    lines = {line.key: line for line in explain(now.tournament, now.key_of[row.pk]).lines}
    return [term for term in lines[key].terms if term.round == 1]


@pytest.mark.parametrize("code", CODES)
def test_each_code_of_1_1_gives_points_games_opponent_meeting_and_rating(code: str) -> None:
    """Rule 1.1 row by row, as rows in the database: standings, pairing and rating read them each on their own."""
    expected, (event, a, b) = CODES[code], played_as(code)
    now = sheet(event)
    assert told_in(now, a) == code
    assert [row.points if (row := now.row(now.by_id[each.pk])) else None for each in (a, b)] == [
        expected.points,
        expected.rival,
    ]
    won, lost, drawn = expected.games
    games = of_round_1(now, a, "gw")
    assert (sum(t.points for t in games), sum(t.rounds for t in games)) == (3 * won + drawn, won + lost + drawn)
    assert (now.key_of[b.pk] in {term.opponent for term in of_round_1(now, a, "omw")}) is expected.opponent
    assert met(event, a, b) is expected.meeting
    assert rated(event, a) is expected.rating


def told_in(now: Sheet, row: Registration) -> str:
    _round, match, seat = now.seats_of(now.by_id[row.pk])[0]
    decided = match.outcome in ("win", "forfeit")
    return "loss" if decided and not seat.won else str(match.outcome)


def met(event: Event, a: Registration, b: Registration) -> bool:
    """Whether seating the two, when nobody else is left, counts as a rematch (rule 4.1.3)."""
    for row in event.registrations.exclude(pk__in=[a.pk, b.pk]):
        make.drop(event, row.order)
    round = make.pair(event)
    assert pairs(sheet(event), 2) == {frozenset({a.order, b.order})}
    rounds.undo_round(event, 2, by=SYSTEM)
    return bool(round.criteria["rematches"])


def rated(event: Event, row: Registration) -> bool:
    """Through the worker's own computation; the other table of the round rates whatever happened here."""
    events.finish(event, by=SYSTEM, at=event.starts_at)
    (snapshot,) = rate.catch_up(later(event))
    people = set(Rating.objects.filter(snapshot=snapshot).values_list("player", flat=True))
    assert len(people) >= 2
    return row.player_id in people


def test_the_table_has_every_code_and_the_ranking_reads_the_same_column() -> None:
    """RANKING 2.4: the ranking filters rows by its own list, which must be the core's."""
    assert set(CODES) == set(Match.Outcome.values) | {"loss"}
    assert set(CODES) == {outcome.value for outcome in OUTCOMES} | {"loss"}
    rates = {outcome.value for outcome, effect in OUTCOMES.items() if effect.rates}
    assert set(inputs.PLAYED) == rates == {name for name, code in CODES.items() if code.rating} - {"loss"}


# -- pairing -----------------------------------------------------------------------------------------------------------
CASE_3 = ("1>6 3>2 5>4", "3>1 2>4 6>5", "4>1 6>2 3>5")


def test_case_03_six_players_end_after_three_rounds_and_a_fourth_says_that_it_repeats() -> None:
    """Rule 3 plans three; whoever wants a fourth gets the least recent repeat, said; nothing ends in silence."""
    event = make.make_event(players=6)
    make.pair(event)
    assert fresh(event).rounds_planned == 3
    rounds.undo_round(event, 1, by=SYSTEM)
    event = tell(make.make_event(players=6, rounds=3), *CASE_3)
    assert events.next_step(sheet(fresh(event))).action == "finish"
    with refusal("rounds_over"):
        rounds.pair(event, 4, by=SYSTEM)
    rounds.undo_round(event, 3, "Jugaremos una más", by=SYSTEM)
    assert events.edit(event, by=SYSTEM, rounds_planned=4).rounds_planned == 4, "what the refusal advises can be done"
    event = tell(make.make_event(players=6, rounds=4), *CASE_3)
    round, _ = rounds.pair(event, 4, by=SYSTEM)
    (note,) = [note for note in round.notes if note["code"] == "rematch"]
    assert (note["rule"], note["data"]) == ("4.1.3", {"times": 1, "last_round": 1})
    now = sheet(event)
    repeated = frozenset(now.by_key[key].order for key in note["players"])
    assert repeated in pairs(now, 4) & pairs(now, 1)
    assert pairs(now, 4).isdisjoint(pairs(now, 2) | pairs(now, 3))


def test_case_03_or_the_event_is_finished_instead() -> None:
    event = tell(make.make_event(players=6, rounds=4), *CASE_3)
    assert events.finish(event, by=SYSTEM).status == "finished"
    assert len(queries.final_standings(sheet(fresh(event)))) == 6


def test_case_07_the_database_itself_keeps_one_round_and_one_seat() -> None:
    """Rule 4.6: whatever code writes, a second round of that number and a second seat in it are refused."""
    event = make.make_event(players=4, published=1)
    seat, other = make.table(event, 1).left, make.table(event, 2)
    again = {"round": seat.round, "registration": seat.registration, "position": 2}
    with pytest.raises(IntegrityError), transaction.atomic():
        Round.objects.create(event=event, number=1)
    with pytest.raises(IntegrityError), transaction.atomic():
        Seat.objects.create(match=other, **again)


def test_case_31_nobody_sits_against_himself_whatever_code_writes() -> None:
    event = make.make_event(players=2, published=1)
    left, right = make.table(event, 1).seat_list
    right.registration = left.registration
    with pytest.raises(IntegrityError), transaction.atomic():
        right.save()


@pytest.mark.parametrize("gone", [3, 4])
def test_case_11_with_nobody_to_pair_the_one_button_finishes(gone: int) -> None:
    """Rule 4.3: four players, three or all four leave; nothing hangs and the places are there."""
    event = make.make_event(players=4, rounds=3)
    make.play_round(event)
    for order in range(1, gone + 1):
        registrations.drop(make.registration(event, order), by=SYSTEM)
    with refusal("too_few_players"):
        rounds.pair(event, 2, by=SYSTEM)
    step = events.next_step(sheet(fresh(event)))
    assert (step.action, step.enabled) == ("finish", True)
    events.finish(event, by=SYSTEM)
    rows = queries.final_standings(sheet(fresh(event)))
    assert len(rows) == 4
    assert sum(row.dropped for row in rows) == gone


def test_case_17_a_bye_by_hand_counts_when_round_3_is_paired() -> None:
    """Rule 4.1.2: three players, the organiser gives the first bye; rounds 2 and 3 give it to the other two."""
    event = make.make_event(players=3, rounds=3)
    registrations.assign_bye(make.registration(event, 2), True, by=SYSTEM)
    for _ in range(3):
        make.play_round(event)
    now = sheet(event)
    given = [byes(now, number) for number in (1, 2, 3)]
    assert given[0] == [2]
    assert sorted(order for each in given for order in each) == [1, 2, 3]
    row = now.row(now.registrations[1])
    assert row is not None
    assert (row.byes, row.wins + row.losses) == (1, 2), "a kind of its own, not a win"


def test_case_17_who_had_a_bye_by_hand_is_passed_over_though_he_is_last() -> None:
    """Rule 4.1.2 before 4.1.4: 2 and 3 have had theirs and no points; the bye goes to somebody with three."""
    event = tell(make.make_event(players=5, rounds=3, points_bye=0), "1>2 4>5 3", "1>4 5>3 2")
    for seed in range(5):
        round = make.pair(event, seed=str(seed))
        assert byes(sheet(event), 3)[0] in {4, 5}
        (note,) = [note for note in round.notes if note["code"] == "bye"]
        assert set(note["data"]["passed_over"].values()) == {"had_bye"}
        rounds.undo_round(event, 3, by=SYSTEM)


def test_case_18_the_reason_of_the_bye_is_kept_with_the_round() -> None:
    event = tell(make.make_event(players=5, rounds=3), "1>2 4>3 5")
    for order in (4, 5):
        registrations.drop(make.registration(event, order), by=SYSTEM)
    round = make.pair(event)
    now = sheet(event)
    assert (byes(now, 2), pairs(now, 2)) == ([2], {frozenset({1, 3})})
    assert round.criteria["rematches"] == 0
    (note,) = [note for note in round.notes if note["code"] == "bye"]
    assert [now.by_key[key].order for key in note["players"]] == [2]
    assert (note["data"]["points"], note["data"]["lowest"], note["data"]["byes"]) == (0, 0, 0)


# -- standings ---------------------------------------------------------------------------------------------------------
def test_case_26_who_lost_round_3_and_leaves_once_the_cut_is_out_moves_nobody() -> None:
    """Rules 2.5, 2.7: the published rows stay to the letter; he stays listed, and marked."""
    event = make.make_event(players=8, rounds=3, cut=4)
    for _ in range(3):
        make.play_round(event)
    rounds.publish(event, cut.start(event, by=SYSTEM).number, by=SYSTEM)
    frozen = event.frozen.get(phase=FrozenStandings.Phase.SWISS).rows
    before = queries.published_standings(sheet(fresh(event)))
    inside = {seat.registration_id for seat in event.rounds.get(number=4).seats.all()}
    third = event.rounds.get(number=3)
    lost = [seat for match in sheet(event).matches(third) for seat in match.seat_list if not seat.won]
    loser = next(seat.registration for seat in lost if seat.registration_id not in inside)
    registrations.drop(loser, by=SYSTEM)
    after = queries.published_standings(sheet(fresh(event)))
    assert [(r.player, r.rank, r.values) for r in after] == [(r.player, r.rank, r.values) for r in before]
    assert [row.player for row in after if row.dropped] == [loser.key]
    assert event.frozen.get(phase=FrozenStandings.Phase.SWISS).rows == frozen, "no second revision"
    assert {seat.registration_id for seat in event.rounds.get(number=4).seats.all()} == inside
    tamper_with(third)
    assert sheet(fresh(event)).standings() != before, "live they would be others"
    assert [(r.player, r.values) for r in queries.published_standings(sheet(fresh(event)))] == [
        (r.player, r.values) for r in before
    ]


def tamper_with(round: Round) -> None:
    """Rows changed behind the services: what was published must not come from them."""
    Match.objects.filter(round=round).update(winner=None, outcome="double_loss")


# -- corrections -------------------------------------------------------------------------------------------------------
@pytest.fixture
def reversed_table(db: None) -> Event:
    """Case 36: six players, table 2 of round 1 the wrong way round, round 2 out and one of its tables finished."""
    return tell(make.make_event(players=6, rounds=3), "1>2 3>4 5>6", "1>3 5-2 4-6")


FORBIDDEN: dict[str, tuple[str, Callable[[Event], Any]]] = {
    "pair the whole round again": ("published", lambda e: rounds.repair(e, 2, by=SYSTEM)),
    "undo it without a word": ("has_results", lambda e: rounds.undo_round(e, 2, by=SYSTEM)),
    "move seats": (
        "has_results",
        lambda e: rounds.swap(e, 2, make.registration(e, 1), make.registration(e, 5), "Porque sí", by=SYSTEM),
    ),
    "pair its open tables without a word": ("reason_needed", lambda e: rounds.repair_open_tables(e, 2, " ", by=SYSTEM)),
}


@pytest.mark.parametrize("name", FORBIDDEN)
def test_case_37_a_finished_match_of_the_round_is_never_voided_silently(reversed_table: Event, name: str) -> None:
    """Rules 4.7, 6.3, 6.4."""
    before, version = rows_of(reversed_table), fresh(reversed_table).version
    code, work = FORBIDDEN[name]
    with refusal(code):
        work(reversed_table)
    assert (rows_of(reversed_table), fresh(reversed_table).version) == (before, version)


def rows_of(event: Event) -> list[Any]:
    seats = Seat.objects.filter(match__event=event).order_by("pk")
    columns = ("match__round__number", "match__table", "match__outcome", "match__winner", "registration", "games")
    return list(seats.values_list(*columns))


def test_case_37_with_a_typed_reason_the_round_goes_and_its_results_stay_on_record(reversed_table: Event) -> None:
    rounds.undo_round(reversed_table, 2, "La mesa 2 estaba al revés", by=SYSTEM)
    entry = reversed_table.log.order_by("-number")[0]
    assert (entry.action, entry.reason, entry.data["voided"]) == ("round.undo", "La mesa 2 estaba al revés", [1])
    journal.undo(reversed_table, entry.number, by=SYSTEM)
    assert [m.outcome for m in sheet(reversed_table).matches(sheet(reversed_table).round(2))] == ["win", None, None]


def test_case_36_points_and_tie_breaks_follow_and_round_2_stands(reversed_table: Event) -> None:
    """Rules 6.1 to 6.3, to the numbers: 4 takes what 3 had, and whoever met them has another OMW%."""
    now = sheet(reversed_table)
    wrong, seated = now.matches(now.round(1))[1], pairs(now, 2)
    results.correct(wrong, results.parse_score("2", 1, wrong.seat_list), by=SYSTEM, reason="Mesa 2 al revés")
    after = sheet(reversed_table)
    corrected = tell(make.make_event(players=6, rounds=3), "1>2 3<4 5>6", "1>3 5-2 4-6")
    assert pairs(after, 2) == seated
    assert numbers(after) == numbers(sheet(corrected))
    assert numbers(after) != numbers(now)
    entry = reversed_table.log.order_by("-number")[0]
    assert (entry.action, entry.reason, entry.data["table"]) == ("result.correct", "Mesa 2 al revés", 2)


def numbers(now: Sheet) -> dict[int, tuple[Any, ...]]:
    return {now.by_key[row.player].order: (row.points, row.values) for row in now.standings()}


# -- people ------------------------------------------------------------------------------------------------------------
def test_case_51_two_of_one_name_meet_and_each_keeps_his_own() -> None:
    """Rule 1.1: the winner is a player by id; standings, places and rating tell the two José García apart."""
    event = make.make_event(rounds=1)
    first, second = (make.enrol(event, make.make_player("José García")) for _ in range(2))
    make.enrol(event)
    make.enrol(event)
    make.seat_by_hand(event, (2, 1), (3, 4))
    make.win(event, 2)
    make.finish_tables(event)
    rows = {row.player: row.points for row in sheet(event).standings()}
    assert (rows[first.player.code], rows[second.player.code]) == (0, 3)
    events.finish(event, by=SYSTEM, at=event.starts_at)
    (snapshot,) = rate.catch_up(later(event))
    won, lost = (Rating.objects.get(snapshot=snapshot, player=row.player) for row in (second, first))
    assert won.mu > lost.mu
    assert registrations.similar(event, "jose garcia") == [first, second]


# -- all that was published by others (issue, "Must show" 4 and 7) -----------------------------------------------------
SWISS = DATA / "swiss"
FILES = sorted(SWISS.glob("*.json")) if SWISS.is_dir() else []
PROVINCES = ("ES-TE", "ES-M", "ES-B", "ES-GC")


def command(*arguments: str) -> tuple[int, list[dict[str, Any]]]:
    out = StringIO()
    with pytest.raises(SystemExit) as end:
        call_command(*arguments, stdout=out, stderr=StringIO())
    return int(str(end.value.code or 0)), [json.loads(line) for line in out.getvalue().splitlines()]


def everything() -> dict[str, int]:
    return {model.__name__: model._default_manager.count() for model in apps.get_models()}


@pytest.mark.realdata
def test_all_real_files_come_in_once_come_out_equal_and_rate_as_a_rebuild() -> None:
    """All 167, in four lots that the worker rates one by one: numbers as published, bytes as rebuilt.

    The database's own standings are the core's; export gives the file back; the second import writes nothing at all.
    """
    stores = [make.make_store(province=province, demo=True) for province in PROVINCES]
    for lot, store in enumerate(stores):
        names = [str(path) for path in FILES[lot :: len(stores)]]
        code, lines = command("import_event", *names, "--store", store.slug, "--tier", "semanal", "--demo")
        assert (code, {line["created"] for line in lines}) == (0, {True})
        assert len(rate.catch_up(timezone.now())) == 1
    exact = sum(published_and_given_back(json.loads(path.read_text("utf-8"))) for path in FILES)
    assert (exact, len(FILES), Event.objects.filter(status="finished").count()) == (149, 167, 167)
    before, versions = everything(), dict(Event.objects.values_list("pk", "version"))
    code, lines = command("import_event", *map(str, FILES), "--store", stores[0].slug, "--tier", "semanal")
    assert (code, {line["created"] for line in lines}, len(lines)) == (0, {False}, 167)
    assert (everything(), dict(Event.objects.values_list("pk", "version"))) == (before, versions)
    assert rate.catch_up(timezone.now()) == []
    assert_rebuild_is_equal()


def published_and_given_back(data: dict[str, Any]) -> bool:
    """Whether the standings in the database are the published ones, to their last printed digit."""
    from tournaments.services import files
    from tournaments.swiss.presets import PRESETS
    from tournaments.swiss.published import differences

    event = Event.objects.get(external_id=data["id"])
    assert ordered(files.export_event(event)) == ordered(data), data["id"]
    file, now = eventfile.from_dict(data), sheet(event)
    assert now.standings() == standings(eventfile.to_tournament(file)), data["id"]
    keys = PRESETS[now.tournament.rules.preset].keys
    ours = {row.player: dict(zip(keys, row.values, strict=True)) for row in now.standings()}
    same = not list(differences(ours, file.standings or ()))
    assert same is data["check"].get("all_exact", False), data["id"]
    return same


def assert_rebuild_is_equal() -> None:
    out = StringIO()
    call_command("rebuild_ranking", "--check", stdout=out)
    (line,) = map(json.loads, out.getvalue().splitlines())
    assert line["published"] == line["rebuilt"]
    assert (line["equal"], line["up_to_date"], line["snapshot"]) == (True, True, len(PROVINCES))
    assert line["matches"] > 10_000
