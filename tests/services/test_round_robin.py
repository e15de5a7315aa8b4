"""A round robin as the format of an event (TOURNAMENT_RULES 3): the same actions, all rounds known ahead."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest

from tests import make
from tournaments import eventfile
from tournaments.models import Event, Match, Seat
from tournaments.queries import sheet
from tournaments.services import events, files, registrations, rounds
from tournaments.services.errors import Refused
from tournaments.services.journal import SYSTEM
from tournaments.services.verification import verify_event

pytestmark = pytest.mark.django_db


def refusal(code: str) -> Any:
    return pytest.raises(Refused, check=lambda error: error.code == code)


def robin(players: int, **fields: Any) -> Event:
    return make.make_event(players=players, format=Event.Format.ROUND_ROBIN, **fields)


def play(event: Event, times: int) -> Event:
    for _ in range(times):
        make.play_round(event)
    event.refresh_from_db()
    return event


def tables(event: Event) -> Iterator[tuple[int, int]]:
    """Everybody's number on arrival, by table."""
    for match in Match.objects.filter(event=event, kind=Match.Kind.TABLE).prefetch_related("seats__registration"):
        a, b = sorted(seat.registration.order for seat in match.seats.all())
        yield a, b


def byes(event: Event) -> Counter[int]:
    rows = Match.objects.filter(event=event, kind=Match.Kind.BYE).values_list("seats__registration__order", flat=True)
    return Counter(rows)


@pytest.mark.parametrize(("players", "count"), [(2, 1), (5, 5), (6, 5), (9, 9)])
def test_everybody_meets_everybody_in_as_many_rounds_as_it_takes(players: int, count: int) -> None:
    """Whatever number of rounds the settings say: of a round robin it follows from the players."""
    event = play(robin(players, rounds=3), count)
    assert event.rounds_planned == count
    assert sorted(tables(event)) == list(combinations(range(1, players + 1), 2))
    assert byes(event) == (dict.fromkeys(range(1, players + 1), 1) if players % 2 else {})
    with refusal("rounds_over"):
        make.pair(event)
    assert events.next_step(sheet(event)).action == "finish"


def test_the_rounds_are_verified_and_the_file_carries_the_schedule() -> None:
    event = make.make_finished(play(robin(5), 5))
    report = verify_event(event)
    assert report.ok, report.differs
    assert [row["checked"] for row in report.rounds] == ["derived"] * 5
    document = files.export_event(event)
    assert document["event_format"] == "round_robin"
    assert set(document["schedule"]) == {*document["players"], None}
    Event.objects.filter(pk=event.pk).update(slug="elsewhere")
    copied, _made = files.import_event(document, make.make_store(), "semanal", by=SYSTEM)
    assert copied.format == Event.Format.ROUND_ROBIN
    assert eventfile.canonical(files.export_event(copied)) == eventfile.canonical(document)


def test_a_round_that_somebody_altered_is_found() -> None:
    event = play(robin(6), 2)
    seats = list(Match.objects.filter(event=event, round__number=2).order_by("table")[0].seats.all())
    other = list(Match.objects.filter(event=event, round__number=2).order_by("table")[1].seats.all())
    mine, theirs = seats[0].registration_id, other[0].registration_id
    assert verify_event(event).ok
    Seat.objects.filter(pk=seats[0].pk).delete()
    Seat.objects.filter(pk=other[0].pk).update(registration=mine)
    seats[0].registration_id = theirs
    seats[0].save(force_insert=True)
    assert not verify_event(event).ok


def test_who_drops_leaves_a_bye_and_comes_back_to_the_same_chair() -> None:
    event = play(robin(6), 2)
    row = event.registrations.get(order=3)
    registrations.drop(row, by=SYSTEM)
    make.play_round(event)
    assert byes(event).total() == 1
    note = next(note for note in sheet(event).round(3).notes if note["code"] == "rest")  # type: ignore[union-attr]
    assert note["data"] == {"absent": row.key}
    registrations.undrop(row, by=SYSTEM)
    play(event, 2)
    assert max(Counter(tables(event)).values()) == 1
    assert byes(event).total() == 1


def test_who_comes_late_takes_the_chair_of_the_bye() -> None:
    event = play(robin(5), 2)
    late = registrations.enter_late(event, "Zoe Tardía", choice="losses", by=SYSTEM)
    assert late.first_round == 3
    play(event, 3)
    met = Counter(order for pair in tables(event) for order in pair)
    assert met[late.order] == 3
    assert max(Counter(tables(event)).values()) == 1
    assert byes(event).total() == 2


def test_who_takes_the_seat_opposite_the_bye_meets_everybody() -> None:
    event = robin(5)
    make.pair_and_publish(event)
    late = registrations.enter_late(event, "Zoe Tardía", choice="bye_seat", by=SYSTEM)
    make.finish_tables(event)
    play(event, 4)
    assert sorted(tables(event)) == list(combinations(range(1, late.order + 1), 2))


def test_without_an_empty_chair_nobody_comes_late() -> None:
    """Rule 5.2, in words that name who and why; once somebody has left there is a chair."""
    event = play(robin(6), 2)
    with refusal("no_chair") as caught:
        registrations.enter_late(event, "Zoe Tardía", choice="nothing", by=SYSTEM)
    assert "Zoe Tardía" in str(caught.value)
    assert event.registrations.count() == 6
    registrations.drop(event.registrations.get(order=2), by=SYSTEM)
    registrations.enter_late(event, "Zoe Tardía", choice="nothing", by=SYSTEM)
    with refusal("no_chair"):
        registrations.undrop(event.registrations.get(order=2), by=SYSTEM)
    play(event, 3)
    assert max(Counter(tables(event)).values()) == 1


def test_whoever_comes_while_round_1_is_a_draft_is_drawn_with_the_others() -> None:
    event = robin(6)
    make.pair(event)
    registrations.enter_late(event, "Zoe Tardía", choice="nothing", by=SYSTEM)
    with refusal("draft_stale"):
        make.publish(event)
    rounds.repair(event, 1, by=SYSTEM)
    event.refresh_from_db()
    assert event.rounds_planned == 7
    make.publish(event)
    make.finish_tables(event)
    play(event, 6)
    assert sorted(tables(event)) == list(combinations(range(1, 8), 2))


def test_undone_before_round_1_the_number_of_rounds_is_open_again() -> None:
    event = robin(6)
    make.pair(event)
    rounds.undo_round(event, 1, by=SYSTEM)
    event.refresh_from_db()
    assert event.rounds_planned == 0
    events.edit(event, format=Event.Format.SWISS, by=SYSTEM)
    make.pair(event)
    event.refresh_from_db()
    assert event.rounds_planned == 3


def test_what_would_break_the_schedule_is_refused() -> None:
    event = robin(6)
    with refusal("round_robin"):
        registrations.assign_bye(event.registrations.get(order=1), True, by=SYSTEM)
    make.pair(event)
    one, two = event.registrations.get(order=1), event.registrations.get(order=2)
    with refusal("round_robin"):
        rounds.swap(event, 1, one, two, "Por cambiar", by=SYSTEM)
    make.publish(event)
    with refusal("round_robin"):
        rounds.repair_open_tables(event, 1, "Otra vez", by=SYSTEM)
    with refusal("paired"):
        events.edit(event, format=Event.Format.SWISS, by=SYSTEM)
    with refusal("round_robin"):
        events.edit(event, rounds_planned=6, by=SYSTEM)
    events.edit(event, rounds_planned=4, by=SYSTEM)
    make.finish_tables(event)
    play(event, 3)
    with refusal("rounds_over"):
        make.pair(event)


def test_a_cut_follows_a_round_robin_too() -> None:
    event = make.make_finished_event(players=6, format=Event.Format.ROUND_ROBIN, cut=4)
    assert [round.kind for round in sheet(event).rounds] == ["swiss"] * 5 + ["cut"] * 2
    assert verify_event(event).ok
