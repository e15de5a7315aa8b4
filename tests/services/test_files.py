"""Event files, backups and the replay: tournaments/services/{files,backups,verification}.py and their commands."""

import copy
import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import DjangoAssertNumQueries

from players.models import Player
from tests import make
from tests.conftest import DATA
from tournaments import eventfile
from tournaments.models import Event, Match, Registration, Round, Seat, Store
from tournaments.queries import final_standings, published_standings, sheet
from tournaments.services import backups, cut, events, files, journal, registrations, results, rounds
from tournaments.services.errors import Refused
from tournaments.services.journal import SYSTEM
from tournaments.services.verification import verify_event

pytestmark = pytest.mark.django_db

SWISS = DATA / "swiss"


def duel(p1: str, p2: str | None, result: str, *games: int | None) -> dict[str, Any]:
    one, two, drawn = games or (None, None, None)
    return {"p1": p1, "p2": p2, "p1_games": one, "p2_games": two, "draws": drawn, "result": result}


FULL: dict[str, Any] = {
    "id": "noche-de-prueba-7",
    "date": "2026-07-02",
    "name": "Noche de prueba",
    "source": "cuaderno",
    "players": ["Zoe", "Ñusta", "Íñigo", "Ángel", "Nuria", "Óscar"],
    "rounds": [
        [
            duel("Zoe", "Ñusta", "p1", 2, 1, 0),
            duel("Íñigo", "Ángel", "draw", 1, 1, 1),
            duel("Nuria", None, "bye", 2, 1, 0),
            duel("Óscar", None, "unpaired_loss", 0, 2, 0),
        ],
        [
            duel("Nuria", "Zoe", "p2_by_forfeit", 0, 2, 0),
            duel("Óscar", "Íñigo", "intentional_draw", 0, 0, 3),
            duel("Ángel", None, "bye"),
        ],
        [duel("Zoe", "Óscar", "double_loss", 0, 0, 0), duel("Ángel", "Nuria", "not_played", 0, 0, 0)],
    ],
    "points": {"win": 3, "draw": 1, "loss": 0, "bye": 3},
    "best_of": 3,
    "preset": "mtr",
    "tiebreak_fit": {"floor": "1/3", "opponents": "unique", "freeze": [3]},
    "drops": {"Ñusta": 1, "Íñigo": 2},
    "entries": {"Óscar": 2},
    "elements": {"Zoe": "fuego", "Ángel": "agua"},
    "teams": {"Zoe": "Ñúes", "Nuria": "Ñúes"},
    "separations": [["Nuria", "Óscar"]],
    "next_byes": ["Zoe"],
    "tables": {"Ángel": 9},
    "phase_ends": [3],
    "playoffs": [
        {
            "name": "Semifinales",
            "matches": [duel("Ángel", "Nuria", "p2", 1, 2, 0), duel("Zoe", "Óscar", "p1", 2, 0, 0)],
        },
        {"name": "Final", "matches": [duel("Zoe", "Nuria", "p1", 2, 0, 0)]},
    ],
    "standings": [{"rank": 1, "player": "Zoe", "points": 6, "omw": 0.5, "gw": 0.612345, "ogw": None}],
}
PLAIN = {key: FULL[key] for key in ("id", "date", "players", "rounds")}


def ordered(data: dict[str, Any]) -> dict[str, Any]:
    """Documented keys, with the lists that have no order of their own sorted: nothing else is forgiven."""
    found = {key: copy.deepcopy(data[key]) for key in eventfile.KEYS if key in data}
    by_text = {"key": lambda value: json.dumps(value, sort_keys=True)}
    found["rounds"] = [sorted(matches, **by_text) for matches in found["rounds"]]
    for playoff in found.get("playoffs") or ():
        playoff["matches"].sort(**by_text)
    return found


def take_in(data: dict[str, Any], store: Store | None = None) -> Event:
    event, created = files.import_event(data, store or make.make_store(), "semanal", by=SYSTEM)
    assert created
    return event


class TestImport:
    def test_it_is_a_finished_event_with_rounds_cut_and_standings(self) -> None:
        event = take_in(FULL)
        assert (event.status, event.name, event.date.isoformat()) == ("finished", "Noche de prueba", "2026-07-02")
        assert (event.cut_size, event.best_of, event.rounds_planned) == (4, 3, 3)
        now = sheet(event)
        assert [(row.number, row.kind, row.status) for row in now.rounds] == [
            (number, "swiss" if number < 4 else "cut", "published") for number in range(1, 6)
        ]
        kinds = {
            (match.kind, match.state, match.current.kind)
            for match in event.matches.select_related("current")
            if match.current
        }
        assert kinds == {(kind, "done", "import") for kind in ("table", "bye", "unpaired")}
        zoe, oscar = now.by_key["Zoe"], now.by_key["Óscar"]
        assert (zoe.element, zoe.team, zoe.next_bye) == (make.element("fuego"), "Ñúes", True)
        assert (oscar.first_round, now.by_key["Ñusta"].last_round, now.by_key["Ángel"].fixed_table) == (2, 1, 9)
        assert event.separate_teams
        assert event.separations == [[now.by_key["Nuria"].pk, oscar.pk]]
        assert [row.player for row in final_standings(now)][:2] == ["Zoe", "Nuria"]
        assert [row.player for row in published_standings(now)] == [row.player for row in now.standings()]

    def test_export_gives_the_file_back(self) -> None:
        assert ordered(files.export_event(take_in(FULL))) == ordered(FULL)

    @pytest.mark.parametrize(
        "change",
        [
            {},
            {"tiebreak_fit": None},
            {"tiebreak_fit": {}, "drops": {}, "entries": {}, "playoffs": [], "separations": [], "next_byes": []},
            {"points": {"win": 2}},
            {"best_of": 1},
            {"entries": {"Zoe": 1}},
            {"elements": {"Zoe": "Fuego", "Ángel": "éter"}},
            {"teams": {}},
            {"phase_ends": [2, 3], "standings": []},
            {"drops": {"Zoe": 0, "Nuria": 3}},
        ],
    )
    def test_whatever_optional_keys_it_has_and_however_they_are_spelt(self, change: dict[str, Any]) -> None:
        data = PLAIN | change
        assert ordered(files.export_event(take_in(data))) == ordered(data)

    def test_a_file_of_this_format_without_rounds_or_players(self) -> None:
        for data in ({"id": "a", "date": "2026-01-01", "players": [], "rounds": []}, PLAIN | {"id": "b", "rounds": []}):
            assert ordered(files.export_event(take_in(data))) == ordered(data)

    def test_twice_is_once(self) -> None:
        event = take_in(FULL)
        version, people = event.version, Player.objects.count()
        for again in (FULL, FULL | {"check": 1, "players": FULL["players"][::-1]}):
            found, created = files.import_event(again, make.make_store(), "regional", by=SYSTEM)
            assert (found, created) == (event, False)
        event.refresh_from_db()
        assert (Event.objects.count(), Player.objects.count(), event.version) == (1, people, version)

    def test_the_same_id_with_other_content_is_refused(self) -> None:
        event = take_in(FULL)
        with pytest.raises(Refused) as refusal:
            files.import_event(FULL | {"date": "2026-07-03"}, make.make_store(), "semanal", by=SYSTEM)
        assert refusal.value.code == "conflict"
        assert ordered(files.export_event(event)) == ordered(FULL)

    @pytest.mark.parametrize(
        "change",
        [
            {"players": ["Zoe", "Zoe"]},
            {"players": ["Z" * 81]},
            {"rounds": [[duel("Zoe", "Nadie", "p1")]]},
            {"rounds": [[{"players": ["Zoe", "Ñusta"], "places": [1, 2]}, duel("Nuria", None, "p1")]]},
            {"rounds": [[{"players": ["Zoe", "Ñusta", "Nuria"], "places": [1, 2, 40_000]}]]},
            {"rounds": [[duel("Zoe", "Ñusta", "p1", 40_000, 0, 0)]]},
            {"drops": {"Zoe": 99_999}},
            {"points": {"win": 40_000}},
            {"teams": {"Zoe": "e" * 41}},
            {"playoffs": [{"name": "x", "matches": [duel("Zoe", "Ñusta", "p1"), duel("Zoe", "Nuria", "p1")]}]},
            {"date": "ayer"},
            {"id": ""},
        ],
    )
    def test_what_cannot_be_an_event_changes_nothing(self, change: dict[str, Any]) -> None:
        with pytest.raises(Refused) as refusal:
            files.import_event(PLAIN | change, make.make_store(), "semanal", by=SYSTEM)
        assert refusal.value.code == "unreadable"
        assert not Event.objects.exists()
        assert not Player.objects.exists()

    def test_players_of_one_source_are_the_same_people_in_its_next_file(self) -> None:
        first = take_in(FULL)
        second = take_in(FULL | {"id": "otra", "players": [*FULL["players"], "Leire"]})
        stranger = take_in(FULL | {"id": "ajena", "source": "otro cuaderno"})
        nobody = take_in({key: value for key, value in FULL.items() if key != "source"} | {"id": "suelta"})
        zoe = [event.registrations.get(external_id="Zoe").player_id for event in (first, second, stranger, nobody)]
        assert zoe[0] == zoe[1]
        assert len(set(zoe)) == 3
        assert Player.objects.filter(name="Leire").count() == 1

    def test_a_public_code_is_that_player(self) -> None:
        player = make.make_player()
        data = json.loads(json.dumps(PLAIN).replace('"Zoe"', f'"{player.code}"'))
        event = take_in(data)
        row = event.registrations.get(player=player)
        assert (row.external_id, row.key) == ("", player.code)
        assert ordered(files.export_event(event)) == ordered(data)

    def test_the_bracket_is_drawn_from_the_final_back(self) -> None:
        event = take_in(FULL)
        semifinals = sheet(event).matches(event.rounds.get(number=4))
        assert [match.seat_list[0].registration.external_id for match in semifinals] == ["Zoe", "Ángel"]

    def test_the_number_of_queries_does_not_depend_on_the_size(
        self, store: Store, django_assert_max_num_queries: DjangoAssertNumQueries
    ) -> None:
        with django_assert_max_num_queries(25):
            files.import_event(FULL, store, "semanal", by=SYSTEM)
        event = Event.objects.get()
        with django_assert_max_num_queries(9):
            files.export_event(event)

    def test_a_correction_changes_the_file_and_keeps_the_rest(self) -> None:
        event = take_in(FULL)
        events.reopen(event, by=SYSTEM, reason="Ronda 1 al revés")
        now = sheet(event)
        match = now.matches(now.round(1))[0]
        said = results.Statement(Match.Outcome.WIN, now.by_key["Ñusta"], (1, 2, 0))
        results.correct(match, said, by=SYSTEM, reason="Al revés")
        events.finish(event, by=SYSTEM)
        data = files.export_event(Event.objects.get(pk=event.pk))
        assert duel("Zoe", "Ñusta", "p2", 1, 2, 0) in data["rounds"][0]
        assert {key: data[key] for key in ("phase_ends", "drops", "elements")} == {
            key: FULL[key] for key in ("phase_ends", "drops", "elements")
        }
        assert len(data["standings"]) == 6, "the published ones of the file are no longer this event's"


class TestExportOfOurOwn:
    def test_it_is_a_file_that_the_commands_read_and_that_comes_back_equal(self) -> None:
        event = make.make_finished_event(players=8, rounds=3, cut=4, best_of=3)
        data = files.export_event(event)
        file = eventfile.from_dict(json.loads(json.dumps(data)))
        assert (file.id, len(file.rounds), len(file.playoffs or ())) == (event.slug, 3, 2)
        ours = [(row["rank"], row["player"], row["points"]) for row in data["standings"]]
        assert ours == [(row.rank, row.player, row.points) for row in published_standings(sheet(event))]
        assert files.import_event(data, event.store, "semanal", by=SYSTEM) == (event, False)

    def test_who_only_waits_and_what_is_a_draft_are_not_in_it(self) -> None:
        event = make.make_event(players=4, capacity=4)
        registrations.add_guests(event, ["Paciencia"], by=SYSTEM)
        make.pair(event)
        data = files.export_event(event)
        assert (len(data["players"]), data["rounds"]) == (4, [])

    def test_no_name_is_in_it(self) -> None:
        """DESIGN, Who may do what; CASES 55: codes only."""
        text = json.dumps(files.export_event(make.make_finished_event(players=8)), ensure_ascii=False)
        assert not [name for name in make.NAMES[:8] if name.split()[0] in text]


@pytest.mark.realdata
def test_real_events_come_in_go_out_equal_and_replay() -> None:
    """One in six; all of them come in, once, and go out equal in tests/services/test_cases.py."""
    store = make.make_store(demo=True)
    documents = [json.loads(path.read_text("utf-8")) for path in sorted(SWISS.glob("*.json"))[::6]]
    for data in documents:
        event = take_in(data, store)
        assert ordered(files.export_event(event)) == ordered(data), data["id"]
    assert Event.objects.filter(status="finished").count() == len(documents)
    assert Player.objects.count() == len({player for data in documents for player in data["players"]})
    assert not [
        event
        for event, created in (files.import_event(d, store, "semanal", by=SYSTEM) for d in documents[:9])
        if created
    ]
    for event in Event.objects.order_by("pk")[::6]:
        assert verify_event(event).ok


# -- backups -----------------------------------------------------------------------------------------------------------
def gone(event: Event) -> None:
    """The laptop is lost."""
    event.matches.update(current=None, state="open", outcome=None, winner=None)
    Event.objects.filter(pk=event.pk).delete()
    Player.objects.all().delete()


def running() -> Event:
    """Round 2 half played, a claim and a conflict, a drop, a late entry, somebody who waits, a paid tick."""
    event = make.make_event(players=8, rounds=3, best_of=3, capacity=9)
    make.play_round(event, "21", "11", "x" if event.best_of == 1 else "20")
    registrations.drop(make.registration(event, 8), by=SYSTEM, reason="Se fue")
    make.pair_and_publish(event)
    registrations.enter_late(event, "Octavia Tardía", by=SYSTEM, choice="bye_seat")
    registrations.set_paid(make.registration(event, 2), True, by=SYSTEM)
    registrations.add_penalty(make.registration(event, 3), "warning", "Retraso", by=SYSTEM)
    make.report(make.table(event, 1), "20")
    match = make.table(event, 2)
    for seat in match.seat_list:
        said = results.Statement(Match.Outcome.WIN, seat.registration, (2, 0, 0) if seat.position == 0 else (0, 2, 0))
        by = journal.Actor(player=seat.registration.player)
        results.report(match, seat.registration, said, by=by, request_key=f"k{seat.position}")
    return Event.objects.select_related("store").get(pk=event.pk)


def picture(event: Event) -> Any:
    """The event by codes, without keys of rows."""
    now = sheet(event)
    seats = [
        (
            row.number,
            match.kind,
            match.table,
            match.state,
            match.outcome,
            seat.registration.key,
            seat.games,
            bool(seat.claim_id),
        )
        for row in now.rounds
        for match in now.matches(row)
        for seat in match.seat_list
    ]
    roster = [(r.key, r.player.name, r.status, r.first_round, r.last_round, r.paid) for r in now.registrations]
    return roster, seats, [(s.rank, s.player, s.points, s.values) for s in now.standings()]


class TestBackup:
    @pytest.mark.parametrize("make_one", [running, lambda: make.make_finished_event(players=8, rounds=2, cut=4)])
    def test_it_goes_on_where_it_stood(self, make_one: Callable[[], Event]) -> None:
        event = make_one()
        data, before = json.loads(json.dumps(backups.backup(event))), picture(event)
        status, slug, store = event.status, event.slug, event.store
        gone(event)
        back = backups.restore(data, store, by=SYSTEM)
        assert (back.status, back.slug) == (status, slug)
        assert picture(back) == before
        assert [(entry.number, entry.action) for entry in back.log.all()] == [(1, "event.restore")]
        report = verify_event(back)
        assert report.ok, report.differs
        assert any(row["checked"] == "derived" for row in report.rounds)

    def test_and_the_night_is_played_to_its_end(self) -> None:
        event = running()
        data, store = json.loads(json.dumps(backups.backup(event))), event.store
        gone(event)
        back = backups.restore(data, store, by=SYSTEM)
        make.finish_tables(back)
        make.play_round(back)
        assert events.finish(back, by=SYSTEM).status == "finished"
        assert verify_event(back).ok

    def test_twice_is_once_and_another_state_is_a_conflict(self) -> None:
        event = running()
        data = json.loads(json.dumps(backups.backup(event)))
        assert backups.restore(data, event.store, by=SYSTEM) == event
        results.clear(make.table(event, 1), by=SYSTEM, reason="Error")
        with pytest.raises(Refused) as refusal:
            backups.restore(data, event.store, by=SYSTEM)
        assert refusal.value.code == "conflict"

    def test_secrets_and_accounts_stay_behind(self) -> None:
        event = running()
        staff = make.make_staff(event.store)
        make.report(make.table(event, 4), "20", by=journal.Actor(user=staff))
        text = json.dumps(backups.backup(event))
        late = event.registrations.get(player__name="Octavia Tardía")
        assert late.secret
        assert late.secret not in text
        assert staff.email not in text
        assert "by_user" not in text

    def test_a_minor_comes_back_as_a_minor(self) -> None:
        event = make.make_event()
        make.enrol(event, make.make_guest("Candela Peonza", minor=True, alias="La Peonza"))
        data, store = backups.backup(event), event.store
        gone(event)
        backups.restore(data, store, by=SYSTEM)
        assert Player.objects.get().shown == "La Peonza"

    @pytest.mark.parametrize(
        "damage",
        [
            lambda block: block.pop("rows"),
            lambda block: block["rows"]["seat"][0].update(registration=9_999_999),
            lambda block: block["rows"]["match"][0].update(outcome="victoria"),
            lambda block: block["rows"]["match"][0].update(winner="ABCDEFG"),
            lambda block: block["rows"]["registration"][0].update(inventado=1),
            lambda block: block["rows"]["registration"][0].update(status="rey"),
            lambda block: block["rows"]["round"][0].update(number=-3),
            lambda block: block["rows"]["round"][0].update(published_at="ayer"),
            lambda block: block["rows"]["seat"].append(block["rows"]["seat"][0]),
            lambda block: block["event"].update(status="fiesta"),
            lambda block: block["event"].update(starts_at=None),
            lambda block: block.update(format=2),
            lambda block: block.update(game="ajedrez"),
            lambda block: block["people"].clear(),
            lambda block: block.update(rows=[]),
        ],
    )
    def test_a_damaged_one_is_refused_whole(self, damage: Callable[[dict[str, Any]], Any]) -> None:
        event = running()
        data, store = json.loads(json.dumps(backups.backup(event))), event.store
        gone(event)
        damage(data["kounter"])
        with pytest.raises(Refused) as refusal:
            backups.restore(data, store, by=SYSTEM)
        assert refusal.value.code in {"unreadable", "game"}
        assert not Event.objects.exists()
        assert not Player.objects.exists()

    def test_a_plain_event_file_comes_in_as_a_finished_event(self) -> None:
        event = backups.restore(FULL, make.make_store(), by=SYSTEM)
        assert (event.status, event.tier) == ("finished", "semanal")


# -- the replay --------------------------------------------------------------------------------------------------------
class TestVerify:
    def test_a_night_with_everything_replays(self) -> None:
        """Late entry, drop, swap, correction with part of a round paired again, cut, reopening."""
        event = make.make_event(players=11, rounds=3, best_of=1, cut=4)
        make.pair(event)
        first, second = make.table(event, 1), make.table(event, 2)
        rounds.swap(event, 1, first.seat_list[0].registration, second.seat_list[0].registration, "Hermanos", by=SYSTEM)
        make.publish(event)
        registrations.enter_late(event, "Tardona", by=SYSTEM, choice="bye_seat")
        make.finish_tables(event, "x")
        registrations.drop(make.registration(event, 5), by=SYSTEM)
        make.pair_and_publish(event)
        make.report(make.table(event, 1), "1")
        wrong = event.rounds.get(number=1).matches.get(table=3)
        loser = wrong.seats.exclude(registration__player=wrong.winner_id).get().registration
        said = results.Statement(Match.Outcome.WIN, loser)
        results.correct(wrong, said, by=SYSTEM, reason="Al revés", then="repair_open")
        make.finish_tables(event)
        make.pair(event)
        rounds.undo_round(event, 3, by=SYSTEM)
        make.play_round(event)
        row: Round | None = cut.start(event, by=SYSTEM)
        while row is not None:
            rounds.publish(event, row.number, by=SYSTEM)
            make.finish_tables(event)
            row = None if cut.over(sheet(event)) else cut.next_round(event, by=SYSTEM)
        events.finish(event, by=SYSTEM)
        events.reopen(event, by=SYSTEM, reason="Descalificación")
        champion = event.frozen.get(phase="final").rows[0]["registration"]
        registrations.disqualify(event.registrations.get(pk=champion), by=SYSTEM, reason="Trampas")
        events.finish(event, by=SYSTEM)
        report = verify_event(event)
        assert report.ok, report.differs
        assert {row["checked"] for row in report.rounds} == {"derived", "criteria", "bracket"}
        assert {row["round"] for row in report.rounds} == {1, 2, 3, 4, 5}
        assert {row["phase"] for row in report.standings} == {"swiss", "final"}
        assert len(report.standings) > 2

    def finished(self) -> Event:
        return make.make_finished_event(players=8, rounds=3)

    def problems(self, event: Event) -> set[str]:
        report = verify_event(Event.objects.get(pk=event.pk))
        assert report.ok is (not report.differs)
        return {str(row["what"]) for row in report.differs}

    def test_nothing_differs_without_a_reason(self) -> None:
        assert self.problems(self.finished()) == set()

    def test_a_result_changed_behind_the_journal_is_found(self) -> None:
        event = self.finished()
        match = event.rounds.get(number=3).matches.get(table=1)
        other = match.seats.exclude(registration__player=match.winner_id).get().registration.player
        Match.objects.filter(pk=match.pk).update(winner=other)
        assert self.problems(event) >= {"row", "standings"}

    def test_seats_that_are_not_the_pairing_are_found(self) -> None:
        event = self.finished()
        row = event.rounds.get(number=1)
        a, b = (row.seats.get(match__table=table, position=0) for table in (1, 2))
        for seat, match, free in ((a, b.match, 8), (b, a.match, 9)):
            Seat.objects.filter(pk=seat.pk).update(match=match, position=free)
        assert "round" in self.problems(event)

    def test_another_seed_is_found(self) -> None:
        event = make.make_finished_event(players=16, rounds=3)
        Round.objects.filter(event=event, number=1).update(seed="otra")
        assert "round" in self.problems(event)

    def test_frozen_standings_that_were_touched_are_found(self) -> None:
        event = self.finished()
        row = event.frozen.get(phase="swiss")
        row.rows[0]["points"] += 1
        row.save()
        assert self.problems(event) == {"standings"}

    def test_a_gap_in_the_log_is_found(self) -> None:
        event = self.finished()
        event.log.get(number=4).delete()
        assert "log" in self.problems(event)

    def test_a_vanished_row_is_found(self) -> None:
        event = make.make_event(players=4)
        row = registrations.add_guests(event, ["Efímera"], by=SYSTEM)[0]
        Registration.objects.filter(pk=row.pk).delete()
        assert self.problems(event) == {"row"}

    def test_what_was_undone_does_not_count(self) -> None:
        event = make.make_event(players=8, rounds=3)
        make.play_round(event)
        make.pair(event)
        journal.undo(event, Event.objects.get(pk=event.pk).version, by=SYSTEM)
        registrations.drop(make.registration(event, 1), by=SYSTEM)
        journal.undo(event, Event.objects.get(pk=event.pk).version, by=SYSTEM)
        make.play_round(event, seed="9")
        assert self.problems(event) == set()


# -- commands ----------------------------------------------------------------------------------------------------------
def run(*args: str) -> tuple[int, list[dict[str, Any]], str]:
    out, err = StringIO(), StringIO()
    code = 0
    try:
        call_command(*args, stdout=out, stderr=err)
    except SystemExit as left:
        code = int(str(left.code))
    text = out.getvalue()
    lines = [json.loads(text)] if text.startswith("{\n") else [json.loads(line) for line in text.splitlines()]
    return code, lines, err.getvalue()


@pytest.fixture
def full_file(tmp_path: Path) -> Path:
    path = tmp_path / "noche.json"
    path.write_text(json.dumps(FULL, ensure_ascii=False), "utf-8")
    return path


class TestCommands:
    def test_import_export_verify(self, full_file: Path, tmp_path: Path) -> None:
        store = make.make_store()
        order = ("import_event", str(full_file), "--store", store.slug, "--tier", "regional")
        code, lines, _err = run(*order)
        assert (code, lines[0]["created"], lines[0]["id"]) == (0, True, FULL["id"])
        code, lines, _err = run(*order)
        assert (code, lines[0]["created"], Event.objects.count()) == (0, False, 1)
        assert Event.objects.get().tier == "regional"
        code, lines, _err = run("export_event", lines[0]["event"])
        assert (code, ordered(lines[0])) == (0, ordered(FULL))
        code, lines, _err = run("verify_event", FULL["id"])
        assert (code, lines[0]["ok"]) == (0, True)
        Match.objects.filter(table=1, round__number=1).update(drawn_games=2)
        Match.objects.filter(round__number=2, table=2).update(outcome="double_loss")
        code, lines, _err = run("verify_event", FULL["id"])
        assert (code, lines[0]["ok"]) == (1, False)

    def test_a_conflict_is_1_an_unreadable_file_2_and_the_others_still_come_in(
        self, full_file: Path, tmp_path: Path
    ) -> None:
        store = make.make_store()
        other, broken = tmp_path / "otra.json", tmp_path / "rota.json"
        other.write_text(json.dumps(FULL | {"date": "2026-07-03"}), "utf-8")
        broken.write_text("{", "utf-8")
        options = ("--store", store.slug, "--tier", "semanal")
        code, lines, err = run("import_event", str(full_file), str(other), *options)
        assert (code, lines[1]["code"], len(err.splitlines())) == (1, "conflict", 1)
        code, lines, err = run("import_event", str(broken), str(tmp_path / "falta.json"), str(full_file), *options)
        assert (code, lines[2]["created"], len(err.splitlines())) == (2, False, 2)
        assert Event.objects.count() == 1

    def test_an_unknown_store_or_event_is_2(self, full_file: Path) -> None:
        for order in [
            ("import_event", str(full_file), "--store", "no", "--tier", "semanal"),
            ("export_event", "no"),
            ("verify_event", "no"),
        ]:
            with pytest.raises(CommandError) as error:
                call_command(*order)
            assert error.value.returncode == 2


# -- double elimination (rule 7.3) -------------------------------------------------------------------------------------
def played_double(size: int, *scores: str) -> Event:
    event = make.make_event(players=8, rounds=2, cut=size, cut_format=Event.CutFormat.DOUBLE)
    make.play_round(event)
    make.play_round(event)
    row = cut.start(event, by=SYSTEM, at=event.starts_at)
    while True:
        rounds.publish(event, row.number, by=SYSTEM, at=event.starts_at)
        make.finish_tables(event, *scores)
        if cut.over(sheet(event)):
            return make.make_finished(event)
        row = cut.next_round(event, by=SYSTEM, at=event.starts_at)


@pytest.mark.parametrize(("size", "scores"), [(2, ()), (5, ("2", "1", "2")), (6, ("2",)), (8, ())])
def test_a_double_elimination_goes_out_and_comes_in(size: int, scores: tuple[str, ...]) -> None:
    event = played_double(size, *scores)
    document = files.export_event(event)
    names = [playoff["name"] for playoff in document["playoffs"]]
    finals = 2 * (size - 1).bit_length()
    assert names[:finals] == [*(f"Round {n}" for n in range(1, finals)), "Final"]
    assert names[finals:] in ([], ["Second final"])
    places = [row.player for row in final_standings(sheet(event))]
    Event.objects.filter(pk=event.pk).update(slug="elsewhere")
    copied = take_in(document)
    assert (copied.cut_format, copied.cut_size) == ("double", size)
    assert ordered(files.export_event(copied)) == ordered(document)
    assert [row.player for row in final_standings(sheet(copied))] == places


@pytest.mark.parametrize(
    "spoil",
    [
        lambda playoffs: playoffs[0]["matches"].pop(),
        lambda playoffs: playoffs[1]["matches"][0].pop("slot"),
        lambda playoffs: playoffs[2]["matches"][0].update(slot=2),
        lambda playoffs: playoffs[1]["matches"][0].update(slot=1),
        lambda playoffs: playoffs.extend(playoffs[-1:] * 2),
        lambda playoffs: playoffs[0]["matches"][0].update(slot="A"),
    ],
)
def test_a_double_elimination_that_is_none_is_unreadable(spoil: Any) -> None:
    document = files.export_event(played_double(8))
    document["id"] = "spoilt"
    spoil(document["playoffs"])
    with pytest.raises(Refused, check=lambda refusal: refusal.code == "unreadable"):
        files.import_event(document, make.make_store(), "semanal", by=SYSTEM)
