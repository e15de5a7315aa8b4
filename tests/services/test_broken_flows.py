"""What once broke: odd orders of actions that no page suggests, but that a night brings about."""

import pytest

from tests import make
from tournaments.models import Event, Penalty
from tournaments.queries import sheet
from tournaments.services import journal, registrations, rounds
from tournaments.services.errors import Refused
from tournaments.services.journal import SYSTEM

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def event() -> Event:
    return make.make_event(players=4, rounds=3, published=1)


def test_a_penalty_outlives_the_round_it_was_given_in(event: Event) -> None:
    """Rules 6.3 and 8.4: the round goes, the warning stays; undone, both are as they were."""
    row = make.registration(event, 1)
    given = registrations.add_penalty(row, "warning", "Baraja con palabras feas", round=event.rounds.get(), by=SYSTEM)
    rounds.undo_round(event, 1, by=SYSTEM)
    assert Penalty.objects.get(pk=given.pk).round is None
    journal.undo(event, event.version, by=SYSTEM)
    assert Penalty.objects.get(pk=given.pk).round == event.rounds.get()


def test_more_time_is_for_a_table_of_that_round(event: Event) -> None:
    """Rule 8.1: a stale page that names a table of an earlier round is told so."""
    old = make.table(event, 1)
    make.finish_tables(event)
    make.pair_and_publish(event)
    with pytest.raises(Refused) as refusal:
        rounds.clock(event, 2, "add", 180, by=SYSTEM, match=old)
    assert refusal.value.code == "no_table"
    assert not any(match.extra_seconds for round in sheet(event).rounds for match in sheet(event).matches(round))
