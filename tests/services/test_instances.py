"""Rows read the short way are the instances that Django itself would have made (players/instances.py)."""

from typing import Any

import pytest
from django.db import connection
from django.db.models import Model
from django.test.utils import CaptureQueriesContext

from players.models import Player
from tests import make
from tournaments import queries
from tournaments.models import Event, Match, Registration, Round, Seat

pytestmark = pytest.mark.django_db

READINGS = (
    (queries.REGISTRATIONS, Registration),
    (queries.ROUNDS, Round),
    (queries.MATCHES, Match),
    (queries.SEATS, Seat),
)


def values(row: Model) -> dict[str, Any]:
    deferred = row.get_deferred_fields()
    fields = row._meta.concrete_fields
    return {field.attname: getattr(row, field.attname) for field in fields if field.attname not in deferred}


@pytest.fixture
def event() -> Event:
    make.make_big_event(6, rounds=1)  # another one, whose rows must stay out
    return make.make_big_event(9, rounds=2, best_of=3)


@pytest.mark.parametrize(("reading", "model"), READINGS, ids=lambda each: getattr(each, "__name__", ""))
def test_what_is_read_is_what_django_reads(event: Event, reading: Any, model: type[Model]) -> None:
    read, own = reading.of(event.pk), list(reading.build(event.pk))
    assert read
    assert [values(row) for row in sorted(read, key=lambda row: row.pk)] == [
        values(row) for row in sorted(own, key=lambda row: row.pk)
    ]
    assert all(isinstance(row, model) and not row._state.adding and row._state.db == "default" for row in read)


def test_it_can_be_changed_and_saved(event: Event) -> None:
    row = next(row for row in queries.REGISTRATIONS.of(event.pk))
    row.team = "Los de la Esquina Inventada"
    row.save(update_fields=["team"])
    row.refresh_from_db()
    assert row.team == "Los de la Esquina Inventada"


def test_what_was_deferred_is_asked_for_when_needed(event: Event) -> None:
    round = queries.ROUNDS.of(event.pk)[0]
    assert round.get_deferred_fields() == {"input"}
    assert round.input == Round.objects.get(pk=round.pk).input


def test_ties_ask_nothing(event: Event) -> None:
    sheet = queries.sheet(event)
    with CaptureQueriesContext(connection) as asked:
        for round in sheet.rounds:
            for match in sheet.matches(round):
                for seat in match.seat_list:
                    row = seat.registration
                    assert (seat.match, seat.round, match.round, row.event, match.event) == (
                        match, round, round, event, event,
                    )  # fmt: skip
                    assert row.person.shown
                    assert (row.element is None) == (row.element_id is None)
    assert len(asked) == 0


def test_a_chain_of_merges_is_tied_to_its_end(event: Event) -> None:
    first, second, third = (make.make_player(name) for name in ("Guest One", "Guest Two", "Account Three"))
    Player.objects.filter(pk=first.pk).update(merged_into=second)
    Player.objects.filter(pk=second.pk).update(merged_into=third)
    make.enrol(event, first)
    sheet = queries.sheet(event)
    with CaptureQueriesContext(connection) as asked:
        assert sheet.by_player[first.pk].person == third
    assert len(asked) == 0
