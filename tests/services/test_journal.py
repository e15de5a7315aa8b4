"""tournaments/services/journal.py: one transaction, one entry, one version, and the way back (rule 6.5)."""

from datetime import UTC, datetime, timedelta

import pytest
from pytest_django.fixtures import DjangoAssertNumQueries

from tests import make
from tournaments.models import Event, FrozenStandings, LogEntry, Match, Registration, ResultRevision
from tournaments.queries import final_standings, published_standings, sheet
from tournaments.services import events, journal, results
from tournaments.services.errors import Refused
from tournaments.services.journal import SYSTEM, Actor
from tournaments.services.verification import verify_event

pytestmark = pytest.mark.django_db


def rename(event: Event, name: str, **options: object) -> None:
    with journal.change(event, "event.edit", by=SYSTEM, **options) as write:  # type: ignore[arg-type]
        write.set(write.event, name=name)


def rename_and_fail(event: Event) -> None:
    with journal.change(event, "event.edit", by=SYSTEM) as write:
        write.set(write.event, name="Otro")
        write.data["share"] = 1 / 0


def name_of(event: Event) -> str:
    return Event.objects.get(pk=event.pk).name


class TestChange:
    def test_it_says_who_when_what_and_why(self) -> None:
        event, judge = make.make_event(), make.make_user()
        at = datetime(2026, 3, 12, 19, tzinfo=UTC)
        with journal.change(event, "event.edit", by=Actor(user=judge), at=at, reason="Sí", data={"a": 1}) as write:
            write.set(write.event, name="Otro")
            write.data["b"] = 2
        entry = event.log.get()
        assert (entry.number, entry.by_user, entry.at, entry.reason) == (1, judge, at, "Sí")
        assert (entry.action, entry.data) == ("event.edit", {"a": 1, "b": 2})
        assert [change[0] for change in entry.changes] == ["tournaments.event"]

    def test_numbers_run_with_the_version_without_a_gap(self) -> None:
        event = make.make_event()
        for name in ("Uno", "Dos", "Tres"):
            rename(event, name)
        assert event.version == 3
        assert list(event.log.order_by("number").values_list("number", flat=True)) == [1, 2, 3]

    def test_a_block_that_raises_leaves_nothing(self) -> None:
        event = make.make_event()
        with pytest.raises(ZeroDivisionError):
            rename_and_fail(event)
        assert (name_of(event) == event.name, event.log.count(), event.version) == (True, 0, 0)

    def test_skip_leaves_no_entry_and_no_version(self) -> None:
        event = make.make_event()
        with journal.change(event, "event.edit", by=SYSTEM) as write:
            write.skip = True
        assert (event.log.count(), Event.objects.get(pk=event.pk).version) == (0, 0)

    def test_equal_values_write_nothing(self, django_assert_num_queries: DjangoAssertNumQueries) -> None:
        event = make.make_event()
        with journal.change(event, "event.edit", by=SYSTEM) as write:
            with django_assert_num_queries(0):
                write.set(write.event, name=event.name)
            assert write.changes == []
            write.skip = True

    def test_it_decides_on_the_row_of_now_not_on_the_one_passed_in(self) -> None:
        event = make.make_event()
        Event.objects.filter(pk=event.pk).update(capacity=7)
        with journal.change(event, "event.edit", by=SYSTEM) as write:
            assert write.event.capacity == 7
            write.skip = True

    def test_it_costs_three_queries_beside_the_writes(self, django_assert_num_queries: DjangoAssertNumQueries) -> None:
        event = make.make_event()
        with django_assert_num_queries(5), journal.change(event, "event.edit", by=SYSTEM):
            pass  # savepoint, lock, version, entry, release


class TestUndo:
    def test_newest_first_and_itself_logged(self) -> None:
        event = make.make_event(name="Cero")
        rename(event, "Uno")
        rename(event, "Dos")
        for expected in ("Uno", "Cero"):
            entry = journal.next_undo(event)
            assert entry is not None
            journal.undo(event, entry.number, by=SYSTEM)
            assert name_of(event) == expected
        assert journal.next_undo(event) is None
        assert [(row.number, row.action, row.undoes and row.undoes.number) for row in event.log.order_by("number")] == [
            (1, "event.edit", None),
            (2, "event.edit", None),
            (3, "undo", 2),
            (4, "undo", 1),
        ]
        assert event.version == 4

    def test_a_stale_button_undoes_nothing_else(self) -> None:
        event = make.make_event(name="Cero")
        rename(event, "Uno")
        rename(event, "Dos")
        with pytest.raises(Refused) as refusal:
            journal.undo(event, 1, by=SYSTEM)
        assert (refusal.value.code, name_of(event)) == ("undo_stale", "Dos")
        journal.undo(event, 2, by=SYSTEM)
        with pytest.raises(Refused):
            journal.undo(event, 2, by=SYSTEM)
        assert name_of(event) == "Uno"

    def test_what_was_changed_behind_it_is_not_overwritten(self) -> None:
        event = make.make_event(name="Cero")
        rename(event, "Uno")
        Event.objects.filter(pk=event.pk).update(name="De fuera")
        with pytest.raises(Refused) as refusal:
            journal.undo(event, 1, by=SYSTEM)
        assert (refusal.value.code, name_of(event)) == ("undo_conflict", "De fuera")
        assert not LogEntry.objects.filter(action="undo").exists()

    def test_added_rows_go_and_removed_rows_come_back_whole(self) -> None:
        event = make.make_event(players=2)
        row = make.registration(event, 1)
        row.team, row.paid, row.fixed_table = "Ñúes", True, 4
        row.save()
        kept = Registration.objects.filter(pk=row.pk).values().get()
        with journal.change(event, "player.remove", by=SYSTEM) as write:
            write.remove([row])
            guest = make.make_guest()
            write.add(Registration(event=write.event, player=guest, at=event.starts_at))
        assert not Registration.objects.filter(pk=row.pk).exists()
        journal.undo(event, 1, by=SYSTEM)
        assert Registration.objects.filter(pk=row.pk).values().get() == kept
        assert not event.registrations.filter(player=guest).exists()

    def test_many_rows_at_once(self, django_assert_num_queries: DjangoAssertNumQueries) -> None:
        event = make.make_event(players=30)
        rows = list(event.registrations.all())
        with journal.change(event, "player.paid", by=SYSTEM) as write, django_assert_num_queries(1):
            write.set_all(rows, [{"paid": True, "team": str(i)} for i, _row in enumerate(rows)])
        assert set(event.registrations.values_list("team", flat=True)) == {str(i) for i in range(30)}
        journal.undo(event, 1, by=SYSTEM)
        assert set(event.registrations.values_list("paid", "team")) == {(False, "")}

    def test_a_moment_in_another_zone_is_the_same_moment(self) -> None:
        event = make.make_event(players=1)
        at = datetime(2026, 3, 12, 19, 30, 15, 123456, tzinfo=UTC)
        with journal.change(event, "event.edit", by=SYSTEM) as write:
            write.set(write.event, starts_at=at)
        journal.undo(event, 1, by=SYSTEM)
        fresh = Event.objects.get(pk=event.pk)
        assert (fresh.starts_at, fresh.date) == (event.starts_at, event.date)

    def test_what_was_said_and_published_stays_on_record(self) -> None:
        """Rules 1.5 and 2.7: the undo moves the pointers, not the words."""
        event = make.make_finished_event(players=4, rounds=1)
        said, frozen = ResultRevision.objects.count(), FrozenStandings.objects.count()
        assert said == 2
        while (entry := journal.next_undo(event)) is not None:
            journal.undo(event, entry.number, by=SYSTEM, at=event.starts_at + timedelta(days=1))
            if entry.action == "result.decide":
                assert ResultRevision.objects.count() == said
        assert FrozenStandings.objects.count() == frozen
        assert not event.rounds.exists()
        assert Event.objects.get(pk=event.pk).status == "open"

    def test_published_standings_go_back_to_what_they_were(self) -> None:
        """Rule 2.7: pages show the newest revision, so undoing a correction publishes the earlier rows again."""
        event = make.make_finished_event(players=4, rounds=1)
        first = [row.player for row in final_standings(sheet(event))]
        events.reopen(event, by=SYSTEM, reason="Al revés")
        match = make.table(event, 1)
        said = results.Statement(Match.Outcome.WIN, match.seat_list[1].registration)
        results.correct(match, said, by=SYSTEM, reason="Al revés")
        events.finish(event, by=SYSTEM)
        assert [row.player for row in final_standings(sheet(event))] != first
        for _action in ("event.finish", "result.correct", "event.reopen"):
            entry = journal.next_undo(event)
            assert entry is not None
            journal.undo(event, entry.number, by=SYSTEM)
        event.refresh_from_db()
        assert event.status == "finished"
        assert [row.player for row in final_standings(sheet(event))] == first
        assert [row.player for row in published_standings(sheet(event))] == first
        assert verify_event(event).ok
