"""tournaments/services/namesakes.py: who comes in under the name of somebody of another night (CASES 51, 52)."""

from datetime import timedelta

import pytest

from players.models import Merge, Player
from players.services import people
from tests import make
from tests.services.test_budgets import queries_of
from tournaments.models import Event, LogEntry, Registration, Store
from tournaments.queries import sheet
from tournaments.services import joining, journal, namesakes, registrations
from tournaments.services.errors import Refused
from tournaments.services.journal import SYSTEM

pytestmark = pytest.mark.django_db
NAME = "Ana Ficticia"


@pytest.fixture
def earlier(store: Store) -> Player:
    """She played four weeks ago."""
    return make.enrol(make.make_event(store, at=make.NOON - timedelta(weeks=4)), NAME).player


@pytest.fixture
def event(store: Store) -> Event:
    return make.make_event(store)


def signs_up(event: Event, name: str = NAME) -> Registration:
    """From a phone, which asks nobody."""
    return joining.join_as_guest(event, name, f"key-{make.number()}", at=event.starts_at)


def asked(event: Event) -> list[tuple[str, list[Player]]]:
    return [
        (each.row.person.name, [known.player for known in each.known]) for each in namesakes.namesakes(sheet(event))
    ]


def test_a_phone_makes_a_second_record_and_staff_are_asked(event: Event, earlier: Player) -> None:
    row = signs_up(event, "ana  FICTICIA")
    assert row.player != earlier
    assert asked(event) == [("ana FICTICIA", [earlier])]
    assert namesakes.namesakes(sheet(event))[0].known[0].day == (make.NOON - timedelta(weeks=4)).date()


def test_the_same_person_is_one_press_with_its_log_and_its_undo(event: Event, earlier: Player) -> None:
    row = signs_up(event)
    assert namesakes.same(row, earlier, by=SYSTEM) == earlier
    assert sheet(event).registrations[0].person == earlier
    assert asked(event) == []
    entry = LogEntry.objects.filter(event=event).latest("number")
    assert (entry.action, set(entry.data["players"])) == ("player.unite", {row.player_id, earlier.pk})
    journal.undo(event, entry.number, by=SYSTEM)
    assert (asked(event), Merge.objects.count()) == ([(NAME, [earlier])], 0)


def test_two_people_are_not_asked_about_again(event: Event, earlier: Player) -> None:
    row = signs_up(event)
    namesakes.different(row, by=SYSTEM)
    assert asked(event) == []
    row.player.refresh_from_db()
    assert row.player.merged_into is None


def test_an_account_stays_and_the_guest_of_the_other_night_points_to_it(event: Event, earlier: Player) -> None:
    row = make.enrol(event, make.make_player(NAME))
    assert asked(event) == [(NAME, [earlier])]
    assert namesakes.same(row, earlier, by=SYSTEM) == row.player
    earlier.refresh_from_db()
    assert earlier.merged_into == row.player


def test_two_accounts_are_two_people(event: Event, store: Store) -> None:
    make.enrol(make.make_event(store), make.make_player(NAME))
    make.enrol(event, make.make_player(NAME))
    assert asked(event) == []


def test_whoever_is_known_as_himself_is_no_question(event: Event, store: Store, earlier: Player) -> None:
    """Two of one name have come for months: told apart by their codes, and never asked about."""
    other = make.enrol(make.make_event(store), NAME).player
    make.enrol(event, other)
    assert asked(event) == []


def test_a_guest_who_was_claimed_is_found_by_the_account(event: Event, earlier: Player) -> None:
    account = make.make_player(NAME)
    people.merge(earlier, account, by=None)
    signs_up(event)
    assert asked(event) == [(NAME, [account])]


def test_who_is_in_the_event_already_is_not_offered(event: Event, earlier: Player) -> None:
    make.enrol(event, earlier)
    row = signs_up(event)
    assert asked(event) == []
    with pytest.raises(Refused) as refusal:
        namesakes.same(row, earlier, by=SYSTEM)
    assert refusal.value.code == "merge_shared"


def test_another_store_knows_nobody(earlier: Player, other_store: Store) -> None:
    event = make.make_event(other_store)
    signs_up(event)
    assert asked(event) == []


def test_only_a_namesake_of_the_store_can_be_meant(event: Event, store: Store, earlier: Player) -> None:
    stranger = make.enrol(make.make_event(store), "Gil Trasgo").player
    row = signs_up(event)
    assert namesakes.candidate(row, earlier.pk) == earlier
    for pk in (stranger.pk, 0, make.make_guest(NAME).pk):
        with pytest.raises(Refused):
            namesakes.candidate(row, pk)


def test_what_the_counter_told_apart_is_not_asked_again(event: Event, earlier: Player) -> None:
    registrations.add_guests(event, [NAME], by=SYSTEM, told_apart=True)
    assert asked(event) == []


def test_late_entries_too(store: Store, earlier: Player) -> None:
    event = make.make_event(store, players=4, rounds=3, published=1, status=Event.Status.RUNNING)
    registrations.enter_late(event, NAME, by=SYSTEM, choice="nothing", told_apart=True)
    assert asked(event) == []
    registrations.enter_late(event, "Ana  Ficticia ", by=SYSTEM, choice="nothing")
    assert asked(event) == [(NAME, [earlier])]


def test_also_after_the_last_round(store: Store, earlier: Player) -> None:
    """The matches of the night then count for her."""
    event = make.make_event(store)
    row = signs_up(event)
    Event.objects.filter(pk=event.pk).update(status="finished", finished_at=event.starts_at)
    event.refresh_from_db()
    row.refresh_from_db()
    namesakes.same(row, earlier, by=SYSTEM)
    assert sheet(event).registrations[0].person == earlier


def test_the_question_costs_one_query_whatever_the_size(event: Event, earlier: Player, store: Store) -> None:
    signs_up(event)
    now = sheet(event)
    assert queries_of(lambda: namesakes.namesakes(now)) == 1
    make.enrol_many(make.make_event(store), 30)
    make.enrol_many(event, 30)
    now = sheet(event)
    assert queries_of(lambda: namesakes.namesakes(now)) == 1
    assert len(namesakes.namesakes(now)) == 31
