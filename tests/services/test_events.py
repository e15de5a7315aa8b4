"""tournaments/services/events.py and steps.py: the life of an event and its one next step."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import translation

from tests import make
from tournaments.models import Event, FrozenStandings, Match, Series
from tournaments.queries import sheet
from tournaments.services import cut, events, journal, registrations, results, rounds
from tournaments.services.errors import Refused
from tournaments.services.journal import SYSTEM

pytestmark = pytest.mark.django_db
MADRID = ZoneInfo("Europe/Madrid")


def new(**fields: object) -> Event:
    values = {"name": "Jueves de KOUNTER", "starts_at": datetime(2026, 7, 2, 18, 30, tzinfo=MADRID)} | fields
    return events.create(make.make_store(), by=SYSTEM, **values)  # type: ignore[arg-type]


def fresh(event: Event) -> Event:
    return Event.objects.select_related("store").get(pk=event.pk)


class TestCreate:
    def test_it_is_a_draft_with_a_readable_address_and_a_log(self) -> None:
        event = new(best_of=3, cut_size=4)
        assert (event.status, event.slug) == ("draft", "jueves-de-kounter-2026-07-02")
        assert event.minutes == 50, "rule 8.1"
        assert [(entry.number, entry.action) for entry in event.log.all()] == [(1, "event.create")]

    def test_two_of_one_name_and_day_have_two_addresses(self) -> None:
        assert [new().slug, new().slug] == ["jueves-de-kounter-2026-07-02", "jueves-de-kounter-2026-07-02-2"]

    def test_the_date_is_the_stores_own(self) -> None:
        """CASES 62: 30 June 23:30 in Las Palmas is 1 July in Madrid and 30 June 22:30 UTC."""
        store = make.make_store(province="ES-GC", time_zone="Atlantic/Canary")
        moment = datetime(2026, 6, 30, 22, 30, tzinfo=UTC)
        event = events.create(store, by=SYSTEM, name="Noche canaria", starts_at=moment)
        assert moment.astimezone(MADRID).date() == date(2026, 7, 1)
        assert fresh(event).date == date(2026, 6, 30)
        events.edit(event, by=SYSTEM, starts_at=moment + timedelta(hours=1))
        assert fresh(event).date == date(2026, 7, 1)

    def test_wall_time_without_a_zone_is_the_stores(self) -> None:
        store = make.make_store(time_zone="Atlantic/Canary")
        event = events.create(store, by=SYSTEM, name="Noche", starts_at=datetime(2026, 7, 2, 18, 30))  # noqa: DTZ001
        assert event.starts_at == datetime(2026, 7, 2, 17, 30, tzinfo=UTC)

    @pytest.mark.parametrize(
        ("fields", "code"),
        [
            ({"name": "  "}, "name"),
            ({"name": "x" * 81}, "name"),
            ({"best_of": 2}, "best_of"),
            ({"cut_size": 1}, "cut_size"),
            ({"cut_size": 65}, "cut_size"),
            ({"capacity": 1}, "capacity"),
            ({"minutes": 0}, "minutes"),
            ({"points_win": 0}, "points"),
            ({"preset": "inventado"}, "preset"),
            ({"switches": {"floor": "mucho"}}, "switches"),
        ],
    )
    def test_what_no_event_may_be_is_refused(self, fields: dict[str, object], code: str) -> None:
        with pytest.raises(Refused) as refusal:
            new(**fields)
        assert refusal.value.code == code
        assert not Event.objects.exists()


class TestEdit:
    def test_equal_values_are_no_action(self) -> None:
        event = new()
        events.edit(event, by=SYSTEM, name="Jueves de  KOUNTER", capacity=None)
        assert event.log.count() == 1

    def test_it_is_undone(self) -> None:
        event = new()
        events.edit(event, by=SYSTEM, name="Viernes", starts_at=datetime(2026, 7, 3, 18, 30, tzinfo=MADRID))
        assert fresh(event).date == date(2026, 7, 3)
        journal.undo(event, event.version, by=SYSTEM)
        assert (fresh(event).name, fresh(event).date) == ("Jueves de KOUNTER", date(2026, 7, 2))

    @pytest.mark.parametrize("field", [{"best_of": 3}, {"points_win": 2}, {"switches": {"floor": "1/3"}}])
    def test_what_results_stand_on_is_fixed_once_round_1_is_paired(self, field: dict[str, object]) -> None:
        event = make.make_event(players=4)
        make.pair(event)
        with pytest.raises(Refused) as refusal:
            events.edit(event, by=SYSTEM, **field)
        assert refusal.value.code == "paired"

    def test_rounds_change_until_the_last_is_paired(self) -> None:
        """Rule 3."""
        event = make.make_event(players=8, rounds=3)
        make.play_round(event)
        events.edit(event, by=SYSTEM, rounds_planned=2)
        with pytest.raises(Refused) as refusal:
            events.edit(make.make_event(players=8, rounds=3, published=2), by=SYSTEM, rounds_planned=1)
        assert refusal.value.code == "rounds_paired"
        make.pair(event)
        with pytest.raises(Refused) as refusal:
            events.edit(event, by=SYSTEM, rounds_planned=4)
        assert refusal.value.code == "last_round_paired"

    def test_a_finished_event_is_not_edited(self) -> None:
        event = make.make_finished_event(players=4)
        with pytest.raises(Refused):
            events.edit(event, by=SYSTEM, name="Otro")

    def test_separations_name_two_of_the_event(self) -> None:
        event, other = make.make_event(players=4), make.make_event(players=1)
        one = make.registration(event, 1).pk
        for pair in ([one, one], [one], [one, make.registration(other, 1).pk]):
            with pytest.raises(Refused):
                events.edit(event, by=SYSTEM, separations=[pair])

    def test_an_unknown_setting_is_a_bug_not_a_refusal(self) -> None:
        with pytest.raises(TypeError):
            events.edit(new(), by=SYSTEM, status="finished")


class TestStates:
    def test_open_check_in_and_back(self) -> None:
        event = new()
        assert events.open_registration(event, by=SYSTEM).status == "open"
        assert events.start_check_in(event, by=SYSTEM).status == "check_in"
        assert events.open_registration(event, by=SYSTEM).status == "open"
        assert events.open_registration(event, by=SYSTEM).status == "open", "twice is once"
        assert event.version == 4

    def test_out_of_order_is_refused(self) -> None:
        with pytest.raises(Refused) as refusal:
            events.start_check_in(new(), by=SYSTEM)
        assert refusal.value.code == "wrong_state"


class TestFinish:
    def test_with_one_table_pending_it_is_refused_with_the_list(self) -> None:
        """CASES 46."""
        event = make.make_event(players=8, rounds=1, published=1)
        for number in (1, 3, 4):
            make.report(make.table(event, number), "1")
        with pytest.raises(Refused) as refusal:
            events.finish(event, by=SYSTEM)
        assert refusal.value.data["tables"] == [2]
        assert "2" in str(refusal.value)
        assert not event.frozen.exists()
        assert fresh(event).status == "running"

    def test_it_freezes_swiss_and_final_standings(self) -> None:
        event = make.make_finished_event(players=8, rounds=3, cut=4)
        swiss, final = (event.frozen.get(phase=phase) for phase in FrozenStandings.Phase.values)
        assert [row["place"] for row in swiss.rows] == list(range(1, 9))
        assert [row["rank"] for row in final.rows[:3]] == [1, 2, 3]
        finalists = {seat.registration_id for seat in event.rounds.get(number=5).seats.all()}
        assert {row["registration"] for row in final.rows[:2]} == finalists
        assert event.finished_at == event.starts_at + timedelta(hours=3)

    def test_twice_is_once_and_finishing_again_without_a_change_makes_no_revision(self) -> None:
        event = make.make_finished_event(players=4)
        version = event.version
        assert events.finish(event, by=SYSTEM).version == version
        events.reopen(event, by=SYSTEM, reason="Mirar una mesa")
        events.finish(event, by=SYSTEM)
        assert event.frozen.count() == 2

    def test_a_draft_an_unplayed_event_and_an_unplayed_cut_are_refused(self) -> None:
        untouched = make.make_event(players=4, status="running")
        draft = make.make_event(players=4, rounds=2)
        make.play_round(draft)
        make.pair(draft)
        with_cut = make.make_event(players=8, rounds=1, cut=4)
        make.play_round(with_cut)
        for event, code in [(untouched, "no_rounds"), (draft, "draft_round"), (with_cut, "cut_pending")]:
            with pytest.raises(Refused) as refusal:
                events.finish(event, by=SYSTEM)
            assert refusal.value.code == code

    def test_half_a_cut_is_not_over(self) -> None:
        event = make.make_event(players=8, rounds=1, cut=4)
        make.play_round(event)
        rounds.publish(event, cut.start(event, by=SYSTEM).number, by=SYSTEM)
        make.finish_tables(event)
        with pytest.raises(Refused) as refusal:
            events.finish(event, by=SYSTEM)
        assert refusal.value.code == "cut_unfinished"

    def test_undo_brings_the_event_back(self) -> None:
        event = make.make_finished_event(players=4, rounds=1)
        journal.undo(event, event.version, by=SYSTEM)
        assert (fresh(event).status, fresh(event).finished_at) == ("running", None)
        assert event.frozen.count() == 2, "what was published stays on record"


class TestReopen:
    def test_it_needs_its_reason_and_a_correction_makes_a_new_revision(self) -> None:
        """Rules 2.7, 6.1."""
        event = make.make_finished_event(players=4, rounds=1)
        with pytest.raises(Refused):
            events.reopen(event, by=SYSTEM, reason="  ")
        events.reopen(event, by=SYSTEM, reason="Mesa 1 al revés")
        match = make.table(event, 1)
        loser = match.seat_list[1].registration
        results.correct(match, results.Statement(Match.Outcome.WIN, loser), by=SYSTEM, reason="Al revés")
        first = list(event.frozen.get(phase="final", revision=1).rows)
        events.finish(event, by=SYSTEM)
        newest = event.frozen.filter(phase="final").first()
        assert newest is not None
        assert newest.revision > 1
        assert newest.rows != first
        assert event.frozen.get(phase="final", revision=1).rows == first


class TestRepeat:
    def repeated(self, starts_at: datetime, at: datetime, zone: str = "Europe/Madrid") -> Event:
        store = make.make_store(time_zone=zone)
        event = events.create(store, by=SYSTEM, name="Jueves", starts_at=starts_at, best_of=3, capacity=16, minutes=45)
        return events.repeat(event, by=SYSTEM, at=at)

    @pytest.mark.parametrize(
        ("day", "utc"),
        [
            (date(2026, 10, 22), datetime(2026, 10, 29, 17, 30, tzinfo=UTC)),  # clocks go back on the 25th
            (date(2026, 3, 26), datetime(2026, 4, 2, 16, 30, tzinfo=UTC)),  # and forward on 29 March
        ],
    )
    def test_wall_time_survives_the_clock_change(self, day: date, utc: datetime) -> None:
        """Rule 9."""
        starts_at = datetime(day.year, day.month, day.day, 18, 30, tzinfo=MADRID)
        event = self.repeated(starts_at, at=starts_at + timedelta(hours=4))
        assert event.starts_at == utc
        assert (event.local_start.hour, event.local_start.minute) == (18, 30)
        assert event.date == day + timedelta(days=7)

    def test_an_hour_that_the_clock_skips_becomes_a_real_one(self) -> None:
        event = self.repeated(datetime(2026, 3, 22, 2, 30, tzinfo=MADRID), at=datetime(2026, 3, 22, 9, tzinfo=UTC))
        assert event.date == date(2026, 3, 29)
        assert event.starts_at == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)

    def test_after_weeks_without_an_event_it_is_the_next_such_day_today_included(self) -> None:
        first = datetime(2026, 7, 2, 18, 30, tzinfo=MADRID)
        for at, expected in [
            (datetime(2026, 7, 2, 23, 0, tzinfo=MADRID), date(2026, 7, 9)),
            (datetime(2026, 7, 23, 18, 40, tzinfo=MADRID), date(2026, 7, 23)),
            (datetime(2026, 7, 24, 0, 10, tzinfo=MADRID), date(2026, 7, 30)),
        ]:
            assert self.repeated(first, at).date == expected

    def test_settings_come_along_and_it_is_open_at_once(self) -> None:
        event = self.repeated(datetime(2026, 7, 2, 18, 30, tzinfo=MADRID), at=datetime(2026, 7, 3, tzinfo=UTC))
        assert (event.status, event.best_of, event.capacity, event.minutes) == ("open", 3, 16, 45)
        assert event.series == Series.objects.get()

    def test_a_second_tap_is_the_same_event(self) -> None:
        event = make.make_finished_event(players=4)
        first, again = (events.repeat(event, by=SYSTEM, at=event.starts_at + timedelta(days=1)) for _ in range(2))
        assert first == again
        assert Event.objects.count() == 2
        event.refresh_from_db()
        assert event.series == first.series

    def test_regulars_are_who_came_to_the_series_most_often(self) -> None:
        event = make.make_finished_event(players=4)
        player = make.registration(event, 2).player
        second = events.repeat(event, by=SYSTEM, at=event.starts_at + timedelta(days=1))
        registrations.sign_up(second, player, by=SYSTEM)
        third = events.repeat(second, by=SYSTEM, at=second.starts_at + timedelta(days=1))
        found = events.regulars(third)
        assert found[0] == player
        assert len(found) == 4
        registrations.sign_up(third, player, by=SYSTEM)
        assert player not in events.regulars(third)

    @pytest.mark.parametrize(("chosen", "copied"), [(0, 0), (4, 4)])
    def test_rounds_that_the_table_gave_are_given_again_and_chosen_ones_are_copied(
        self, chosen: int, copied: int
    ) -> None:
        """Rule 3: nobody is scolded for a number that nobody chose."""
        event = make.make_event(players=9, rounds=chosen)
        make.pair(event)
        event = fresh(event)
        assert event.rounds_planned == 4
        assert events.repeat(event, by=SYSTEM, at=event.starts_at).rounds_planned == copied


class TestNextStep:
    """The one button (UX): each state, with its reason in both languages."""

    def step(self, event: Event) -> events.NextStep:
        with translation.override("en"):
            return events.next_step(sheet(fresh(event)))

    def test_before_round_1(self) -> None:
        event = new()
        assert self.step(event).action == "open"
        assert self.step(event).args == ("open",)
        events.open_registration(event, by=SYSTEM)
        step = self.step(event)
        assert (step.action, step.enabled, step.url_name) == ("pair", False, "pair")
        assert step.reason == "Two players are needed, and there are 0."
        make.enrol_many(event, 5)
        step = self.step(event)
        assert (step.label, step.enabled, step.number, step.reason) == ("Pair round 1", True, 1, "3 rounds")

    def test_check_in_counts_who_is_there(self) -> None:
        event = make.make_event(players=4)
        events.start_check_in(event, by=SYSTEM)
        assert not self.step(event).enabled
        for order in (1, 2, 3):
            registrations.check_in(make.registration(event, order), by=SYSTEM)
        assert self.step(event).enabled
        assert self.step(event).reason == "1 player has not checked in and will not be paired."

    def test_a_draft_is_published(self) -> None:
        event = make.make_event(players=4)
        make.pair(event)
        step = self.step(event)
        assert (step.action, step.url_name, step.args) == ("publish", "round_action", (1, "publicar"))

    def test_missing_tables_are_named(self) -> None:
        event = make.make_event(players=12, rounds=3, published=1)
        make.report(make.table(event, 1), "1")
        make.report(make.table(event, 5), "x")
        step = self.step(event)
        assert (step.label, step.enabled) == ("Pair round 2", False)
        assert step.reason == "4 tables missing: 2, 3, 4 and 6"

    def test_tables_in_conflict_are_named_too(self) -> None:
        event = make.make_event(players=4, rounds=3, published=1)
        match = make.table(event, 2)
        for seat in match.seat_list:
            said = results.Statement(Match.Outcome.WIN, seat.registration)
            actor = journal.Actor(player=seat.registration.player)
            results.report(match, seat.registration, said, by=actor, request_key=str(seat.pk))
        assert self.step(event).reason == "2 tables missing: 1 and 2 · reports differ at table 2"

    def test_a_long_list_is_cut(self) -> None:
        event = make.make_event(players=40, rounds=3, published=1)
        assert self.step(event).reason.endswith("11, 12 and 8 more")

    def test_after_the_last_round_finish_or_the_cut(self) -> None:
        event = make.make_event(players=4, rounds=1)
        make.play_round(event)
        assert (self.step(event).action, self.step(event).args) == ("finish", ("finish",))
        events.finish(event, by=SYSTEM)
        assert self.step(event).action == "repeat"
        events.reopen(event, by=SYSTEM, reason="Sí")
        assert (self.step(event).action, self.step(event).label) == ("finish", "Finish again")

    def test_the_cut_from_start_to_end(self) -> None:
        event = make.make_event(players=8, rounds=1, cut=4)
        make.play_round(event)
        assert (self.step(event).action, self.step(event).label) == ("cut", "Start the Top 4")
        first = cut.start(event, by=SYSTEM)
        assert (self.step(event).action, self.step(event).number) == ("publish", 2)
        rounds.publish(event, first.number, by=SYSTEM)
        assert (self.step(event).action, self.step(event).enabled) == ("cut", False)
        make.finish_tables(event)
        assert (self.step(event).action, self.step(event).enabled) == ("cut", True)
        rounds.publish(event, cut.next_round(event, by=SYSTEM).number, by=SYSTEM)
        assert (self.step(event).action, self.step(event).enabled) == ("finish", False)
        make.finish_tables(event)
        assert (self.step(event).action, self.step(event).enabled) == ("finish", True)

    def test_with_one_player_left_it_offers_to_finish(self) -> None:
        """CASES 11."""
        event = make.make_event(players=4, rounds=3)
        make.play_round(event)
        for order in (1, 2, 3):
            registrations.drop(make.registration(event, order), by=SYSTEM)
        step = self.step(event)
        assert (step.action, step.enabled, step.reason) == ("finish", True, "Fewer than two players are left.")
        assert events.finish(event, by=SYSTEM).status == "finished"

    @pytest.mark.parametrize("players", [4, 12])
    def test_it_asks_the_database_nothing(self, players: int, django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
        event = make.make_event(players=players, rounds=3, published=1)
        now = sheet(fresh(event))
        with django_assert_num_queries(0):
            events.next_step(now)
