"""Runs and snapshots: found, computed once, switched whole, replayed to the bit (RANKING 2, 4)."""

import random
from datetime import date, timedelta
from itertools import pairwise

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from players.models import Player
from ranking import queries
from ranking.boards import printed
from ranking.models import BoardRow, PointsEntry, RatedEvent, Rating, RatingPoint, Run, Snapshot
from ranking.ratings.parameters import Parameters
from ranking.services import publication, rate, rating
from ranking.services.inputs import look, read_all
from tests.make import make_store
from tests.services.ranking.circuit import Cast, correct, later, night, people
from tournaments.models import Event
from tournaments.services import events, merges, registrations
from tournaments.services.journal import SYSTEM

pytestmark = pytest.mark.django_db
FIRST = date(2026, 1, 8)


def rate_now(event: Event) -> Snapshot:
    (snapshot,) = rate.catch_up(later(event))
    return snapshot


def rebuilt(event: Event) -> str:
    """The digest of rating every row from the first day."""
    reading = read_all(event.game)
    return publication.ratings_digest(reading, rating.full(reading, Parameters()).states)


def states(snapshot: Snapshot) -> dict[int, tuple[float, float, date, int]]:
    rows = Rating.objects.filter(snapshot=snapshot)
    return {row.player_id: (row.mu, row.var, row.last_day, row.matches) for row in rows}


def points(snapshot: Snapshot) -> list[tuple[object, ...]]:
    columns = ("player", "day", "mu_before", "var_before", "mu", "var", "matches", "account")
    return list(RatingPoint.objects.filter(snapshot=snapshot).order_by("player", "day").values_list(*columns))


def random_night(cast: Cast, day: date, rng: random.Random) -> Event:
    """Two rounds, whoever comes; an odd one has the bye."""
    letters = rng.sample(sorted(cast), rng.randint(4, len(cast)))
    tables = []
    for _ in range(2):
        rng.shuffle(letters)
        pairs = [letters[i : i + 2] for i in range(0, len(letters), 2)]
        tables.append(" ".join(rng.choice(">>>=~!").join(pair) if len(pair) == 2 else pair[0] for pair in pairs))
    return night(cast, day, *tables)


# -- what rates --------------------------------------------------------------------------------------------------------
def test_a_finished_event_is_rated_once() -> None:
    event = night(people("AB"), FIRST, "A>B")
    snapshot = rate_now(event)
    assert (snapshot.number, snapshot.day, snapshot.current) == (1, FIRST, True)
    assert snapshot.run.status == Run.Status.DONE
    assert rate.sweep(later(event)) == []
    assert Run.objects.count() == 1


def test_an_event_that_has_not_ended_waits() -> None:
    event = night(people("AB"), FIRST, "A>B", finished=False)
    assert rate.sweep(later(event)) == []


def test_a_casual_event_does_not_rate() -> None:
    event = night(people("AB"), FIRST, "A>B", tier="casual")
    assert rate.sweep(later(event)) == []


@pytest.mark.parametrize("table", ["A!B", "A~B", "A B"])
def test_byes_forfeits_and_agreed_draws_move_nobody(table: str) -> None:
    """RANKING 2.4; case 44 for those who were absent."""
    cast = people("ABCD")
    snapshot = rate_now(night(cast, FIRST, f"{table} C>D"))
    assert set(states(snapshot)) == {cast["C"].pk, cast["D"].pk}


def test_a_draw_rates() -> None:
    cast = people("AB")
    snapshot = rate_now(night(cast, FIRST, "A=B"))
    assert {row[3] for row in states(snapshot).values()} == {1}


def test_the_winner_is_a_person_not_a_seat() -> None:
    cast = people("AB")
    snapshot = rate_now(night(cast, FIRST, "A>B"))
    assert states(snapshot)[cast["A"].pk][0] > 0 > states(snapshot)[cast["B"].pk][0]


def test_everything_of_a_day_starts_from_the_state_before_it() -> None:
    """Case 57: the base is the state before the event's date, whenever one signed up; the page shows it."""
    cast = people("ABC")
    night(cast, FIRST, "A>B")
    night(cast, FIRST + timedelta(days=7), "A>B", "A>C")
    snapshot = rate_now(night(cast, FIRST + timedelta(days=7), "C>A"))
    days = queries.history(snapshot, cast["A"])
    assert [day.matches for day in days] == [1, 4]
    assert days[1].before.points == days[0].after.points


# -- the same bytes ----------------------------------------------------------------------------------------------------
def test_incremental_ratings_equal_a_full_rebuild_after_every_event() -> None:
    """RANKING 2, correctness: full rebuild = incremental, byte for byte."""
    rng, cast = random.Random(7), people("ABCDEFGH")
    for week in range(6):
        event = random_night(cast, FIRST + timedelta(days=3 * week + rng.randint(0, 2)), rng)
        snapshot = rate_now(event)
        assert snapshot.digest == rebuilt(event) == publication.published_digest(snapshot)
        assert snapshot.run.base is None or snapshot.run.base.number == snapshot.number - 1


def test_only_the_new_days_are_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The incremental path is real: yesterday's matches do not reach the engine again."""
    cast, replayed = people("ABCD"), []
    whole = rating.rate

    def watched(matches: object, *rest: object) -> object:
        replayed.append(len(matches))  # type: ignore[arg-type]
        return whole(matches, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(rating, "rate", watched)
    rate_now(night(cast, FIRST, "A>B C>D", "A>C B>D"))
    rate_now(night(cast, FIRST + timedelta(days=7), "A>B"))
    assert replayed == [4, 1]


def test_a_late_event_replays_from_its_day() -> None:
    """An event of January that is finished in February: ratings, history and accounts are those of a full build."""
    rng, cast = random.Random(3), people("ABCDEF")
    waiting = night(cast, FIRST + timedelta(days=7), "A>B C>D", "A>C E>F", finished=False)
    for week in (0, 14, 21):
        rate_now(random_night(cast, FIRST + timedelta(days=week), rng))
    before = states(queries.current(waiting.game))
    events.finish(waiting, by=SYSTEM, at=waiting.starts_at)
    snapshot = rate_now(waiting)
    assert snapshot.digest == rebuilt(waiting)
    assert states(snapshot) != before
    assert_points_of_a_full_build(snapshot)


def assert_points_of_a_full_build(snapshot: Snapshot) -> None:
    kept = points(snapshot)
    full = rate.rebuild(snapshot.game, timezone.now())
    assert full is not None
    assert full.digest == snapshot.digest
    assert points(full) == kept


def test_two_events_of_one_day_in_any_order() -> None:
    """Case 56: entered the other way round, the last round stored first, the ratings are the same bytes."""
    tables = [("A>B C>D", "A>C B=D", "A=D B>C"), ("A>B C=D",)]
    one, other = people("ABCD"), people("ABCD")
    for rounds in tables:
        night(one, FIRST, *rounds)
    for rounds in reversed(tables):
        event = night(other, FIRST, *rounds, backwards=True)
    found = states(rate_now(event))
    assert [found[one[x].pk] for x in "ABCD"] == [found[other[x].pk] for x in "ABCD"]
    assert len({found[one[x].pk][0] for x in "ABCD"}) == 4


def test_same_day_events_rated_one_by_one_equal_both_at_once() -> None:
    """Case 56: the second event of a day replays the day, it does not start from its end."""
    cast = people("ABCD")
    rate_now(night(cast, FIRST, "A>B C=D", "D>A B>C"))
    snapshot = rate_now(night(cast, FIRST, "B>A D>C"))
    assert snapshot.digest == rebuilt(Event.objects.all()[0])


# -- corrections -------------------------------------------------------------------------------------------------------
def test_a_correction_two_weeks_old_is_replayed() -> None:
    """Case 59."""
    rng, cast = random.Random(5), people("ABCDEF")
    old = night(cast, FIRST, "A>B C>D E>F")
    for week in (7, 14):
        random_night(cast, FIRST + timedelta(days=week), rng)
    first = rate_now(old)
    correct(old, cast["A"], cast["B"], "2")
    second = rate_now(old)
    assert second.number == first.number + 1
    assert states(second)[cast["A"].pk] != states(first)[cast["A"].pk]
    assert second.digest == rebuilt(old)
    assert_points_of_a_full_build(second)


def test_a_change_without_meaning_for_the_ranking_makes_no_run() -> None:
    cast = people("AB")
    event = night(cast, FIRST, "A>B")
    rate_now(event)
    registrations.set_paid(event.registrations.get(player=cast["A"]), True, by=SYSTEM)
    event.refresh_from_db()
    assert rate.sweep(later(event)) == []
    assert RatedEvent.objects.get().version == event.version, "remembered, so that nobody reads it again"


def test_a_withdrawn_event_takes_its_ratings_along() -> None:
    cast = people("ABC")
    kept = night(cast, FIRST, "A>B")
    gone = night(cast, FIRST + timedelta(days=7), "A>C")
    rate_now(gone)
    events.reopen(gone, by=SYSTEM, reason="Era una quedada", at=later(gone))
    events.edit(gone, by=SYSTEM, tier="casual")
    snapshot = rate_now(kept)
    assert set(states(snapshot)) == {cast["A"].pk, cast["B"].pk}
    assert snapshot.digest == rebuilt(kept)


def test_a_moved_event_is_replayed_from_the_earlier_day() -> None:
    rng, cast = random.Random(9), people("ABCDEF")
    moved = night(cast, FIRST + timedelta(days=14), "A>B C>D", "A>C B>D")
    for week in (0, 7, 21):
        random_night(cast, FIRST + timedelta(days=week), rng)
    rate_now(moved)
    start = moved.starts_at - timedelta(days=12)
    Event.objects.filter(pk=moved.pk).update(starts_at=start, date=start.date(), version=moved.version + 1)
    snapshot = rate_now(Event.objects.order_by("-date")[0])
    assert snapshot.digest == rebuilt(moved)
    assert_points_of_a_full_build(snapshot)


def test_a_reopened_event_keeps_counting() -> None:
    event = night(people("AB"), FIRST, "A>B")
    snapshot = rate_now(event)
    events.reopen(event, by=SYSTEM, reason="Falta una sanción", at=later(event))
    assert rate.sweep(later(event)) == []
    assert queries.current(event.game) == snapshot


def test_a_merge_joins_two_careers_and_can_be_undone() -> None:
    """Case 52: ratings from the matches, as if it had always been one person."""
    cast = people("ABD") | people("C", user=None)
    night(cast, FIRST, "A>B")
    event = night(cast, FIRST + timedelta(days=7), "C>B", "D>B")
    apart = states(rate_now(event))
    merge = merges.merge(cast["C"], cast["A"], by=None, at=later(event))
    joined = rate_now(event)
    assert set(states(joined)) == {cast[x].pk for x in "ABD"}
    assert states(joined)[cast["A"].pk][3] == 2
    assert joined.digest == rebuilt(event)
    merges.undo_merge(merge, at=later(event))
    assert states(rate_now(event)) == apart


def test_other_parameters_rate_everything_again(monkeypatch: pytest.MonkeyPatch) -> None:
    from ranking.services import inputs
    from ranking.tuning import Tuning, tuning

    event = night(people("AB"), FIRST, "A>B")
    before = rate_now(event)
    other = Parameters(rd0=90.0)
    monkeypatch.setattr(inputs, "tuning", lambda game: Tuning(other, tuning(game).minimums))
    after = rate_now(event)
    reading = read_all(event.game)
    assert after.digest == publication.ratings_digest(reading, rating.full(reading, other).states) != before.digest


# -- the account -------------------------------------------------------------------------------------------------------
def test_the_account_adds_up_to_the_change() -> None:
    """RANKING 3: event by event and match by match."""
    rng, cast = random.Random(11), people("ABCDEFGH")
    for week in range(4):
        random_night(cast, FIRST + timedelta(days=7 * week), rng)
    snapshot = rate_now(random_night(cast, FIRST + timedelta(days=21), rng))
    for player in cast.values():
        for day in queries.account(snapshot, player):
            assert sum(event.change for event in day.events) == day.day.change
            shares = sum(line.share for event in day.events for line in event.lines)
            point = RatingPoint.objects.get(snapshot=snapshot, player=player, day=day.day.day)
            assert shares == pytest.approx(173.7178 * (point.mu - point.mu_before), abs=1e-3)
    assert RatingPoint.objects.filter(snapshot=snapshot).count() > 15


def test_the_printed_history_is_one_line() -> None:
    """What one day ends with, the next begins with."""
    rng, cast = random.Random(12), people("ABCDEF")
    for week in range(5):
        random_night(cast, FIRST + timedelta(days=7 * week), rng)
    snapshot = rate_now(random_night(cast, FIRST + timedelta(days=40), rng))
    days = queries.history(snapshot, cast["A"])
    assert days[0].before.points == 1500
    assert all(a.after.points == b.before.points for a, b in pairwise(days))
    state = states(snapshot)[cast["A"].pk]
    assert days[-1].after.points == printed(Parameters().points(state[0]))


# -- one worker, one switch --------------------------------------------------------------------------------------------
@pytest.fixture
def queued() -> Run:
    event = night(people("AB"), FIRST, "A>B")
    (run,) = rate.sweep(later(event))
    return run


def swap_result(run: Run) -> None:
    a, b = Player.objects.order_by("pk")
    correct(Event.objects.get(game=run.game), a, b, "2")


def test_the_same_input_twice_is_one_run(queued: Run) -> None:
    assert [run.pk for run in rate.sweep(queued.queued_at)] == [queued.pk]
    assert Run.objects.count() == 1


def test_a_run_is_claimed_once(queued: Run) -> None:
    now = queued.queued_at
    assert rate.claim(queued, "uno", now)
    assert not rate.claim(queued, "dos", now)
    assert rate.sweep(now) == [], "somebody is at it"


def test_a_dead_worker_is_relieved(queued: Run) -> None:
    now = queued.queued_at
    rate.claim(queued, "uno", now)
    after = now + rate.STALE + timedelta(seconds=1)
    assert [run.pk for run in rate.sweep(after)] == [queued.pk]
    assert rate.claim(queued, "dos", after)
    with pytest.raises(rate.Overtaken):
        rate.beat(queued, "uno")


def test_two_workers_publish_once(queued: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first one is slow, is taken for dead, and comes to the switch after its successor has published."""
    now, switch = queued.queued_at, publication.switch

    def overtaken(*args: object, **options: object) -> None:
        monkeypatch.setattr(publication, "switch", switch)
        after = now + rate.STALE * 2
        Run.objects.filter(pk=queued.pk).update(heartbeat=now)
        assert rate.work(queued.pk, after) is not None
        switch(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(publication, "switch", overtaken)
    assert rate.work(queued.pk, now) is None
    assert [snapshot.current for snapshot in Snapshot.objects.all()] == [True]
    assert Run.objects.get().status == Run.Status.DONE


def test_a_worker_killed_before_the_switch_leaves_the_old_snapshot(monkeypatch: pytest.MonkeyPatch) -> None:
    """RANKING 4: no torn snapshot; the next one clears what it left."""
    cast = people("ABC")
    old = rate_now(night(cast, FIRST, "A>B"))
    event = night(cast, FIRST + timedelta(days=7), "A>C")

    class Killed(BaseException):
        """As SIGKILL: nothing of ours runs after it."""

    def die(*args: object, **options: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(publication, "switch", die)
        with pytest.raises(Killed):
            rate.catch_up(later(event))
    assert queries.current(event.game) == old
    assert Snapshot.objects.count() == 2
    assert Rating.objects.filter(snapshot__current=False).count() == 3
    after = timezone.now() + rate.STALE * 2
    (new,) = rate.catch_up(after)
    assert (new.number, new.run.pk) == (2, Run.objects.latest("pk").pk)
    assert set(Rating.objects.values_list("snapshot", flat=True)) == {old.pk, new.pk}
    assert new.digest == rebuilt(event)


@pytest.mark.parametrize("model", [Rating, RatingPoint, PointsEntry, BoardRow, RatedEvent])
def test_a_worker_killed_while_writing_is_cleared_away(model: type, monkeypatch: pytest.MonkeyPatch) -> None:
    event = night(people("AB"), FIRST, "A>B")
    write = publication.write

    class Killed(BaseException):
        pass

    def dies_after(rows: object, kind: type, beat: object) -> int:
        count = write(rows, kind, beat)  # type: ignore[arg-type]
        if kind is model:
            raise Killed
        return count

    with monkeypatch.context() as patch:
        patch.setattr(publication, "write", dies_after)
        with pytest.raises(Killed):
            rate.catch_up(later(event))
    assert queries.current(event.game) is None
    (snapshot,) = rate.catch_up(timezone.now() + rate.STALE * 2)
    assert snapshot.current
    assert Snapshot.objects.count() == 1
    assert RatedEvent.objects.count() == 1


def test_an_event_written_to_while_computing_is_computed_again(queued: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    build = publication.build

    def disturbed(*args: object, **options: object) -> Snapshot:
        snapshot = build(*args, **options)  # type: ignore[arg-type]
        swap_result(queued)
        return snapshot

    monkeypatch.setattr(publication, "build", disturbed)
    assert rate.work(queued.pk, queued.queued_at) is None
    assert not Snapshot.objects.exists()
    assert Run.objects.get().status == Run.Status.OBSOLETE
    monkeypatch.setattr(publication, "build", build)
    (snapshot,) = rate.catch_up(queued.queued_at)
    assert snapshot.current


def test_a_queued_run_whose_input_changed_is_left(queued: Run) -> None:
    swap_result(queued)
    assert rate.work(queued.pk, queued.queued_at) is None
    queued.refresh_from_db()
    assert queued.status == Run.Status.OBSOLETE
    (snapshot,) = rate.catch_up(queued.queued_at)
    assert snapshot.run != queued


def test_a_failed_run_says_why_and_is_tried_again_later(queued: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object, **options: object) -> Snapshot:
        raise RuntimeError("se fue la luz")

    with monkeypatch.context() as patch:
        patch.setattr(publication, "build", broken)
        with pytest.raises(RuntimeError):
            rate.work(queued.pk, queued.queued_at)
    queued.refresh_from_db()
    assert queued.status == Run.Status.FAILED
    assert "se fue la luz" in queued.error
    assert rate.sweep(queued.queued_at) == []
    (snapshot,) = rate.catch_up(queued.queued_at + rate.RETRY * 2)
    assert snapshot.current


def test_counts_are_checked_before_the_switch(queued: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write = publication.write
    monkeypatch.setattr(publication, "write", lambda rows, model, beat: write(rows, model, beat) + (model is BoardRow))
    with pytest.raises(AssertionError, match="not whole"):
        rate.work(queued.pk, queued.queued_at)
    assert queries.current(queued.game) is None


# -- what is kept ------------------------------------------------------------------------------------------------------
def test_the_current_and_the_previous_snapshot_are_kept() -> None:
    cast = people("AB")
    for week in range(4):
        rate_now(night(cast, FIRST + timedelta(days=7 * week), "A>B"))
    assert list(Snapshot.objects.values_list("number", flat=True)) == [4, 3]
    for model in (Rating, RatingPoint, BoardRow):
        assert set(model.objects.values_list("snapshot__number", flat=True)) == {3, 4}
    assert Run.objects.count() == 4, "runs stay as a record"


def test_a_sweep_costs_the_same_however_much_was_played() -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as counted:
            assert rate.sweep(later(event)) == []
        return len(counted)

    cast, store = people("ABCDEF"), make_store()
    rng = random.Random(1)
    event = random_night(cast, FIRST, rng)
    rate_now(event)
    small = cost()
    for week in range(1, 5):
        event = random_night(cast, FIRST + timedelta(days=week), rng)
    rate_now(event)
    assert cost() == small <= 12
    assert store.pk


def test_computing_costs_the_same_queries_however_much_was_played() -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as counted:
            rate_now(event)
        return len(counted)

    cast, rng = people("ABCDEF"), random.Random(1)
    for week in range(3):
        event = random_night(cast, FIRST + timedelta(days=week), rng)
        one = cost()
    for week in range(3, 8):
        event = random_night(cast, FIRST + timedelta(days=week), rng)
    assert cost() <= one


def test_a_retired_player_leaves_the_boards_and_keeps_the_matches() -> None:
    """Case 54."""
    cast = people("AB")
    event = night(cast, FIRST, "A>B")
    before = rate_now(event)
    Player.objects.filter(pk=cast["A"].pk).update(retired_at=timezone.now())
    after = rate_now(event)
    assert states(after) == states(before)
    assert set(BoardRow.objects.filter(snapshot=after).values_list("player", flat=True)) == {cast["B"].pk}


def test_a_future_date_hides_nobody() -> None:
    event = night(people("AB"), FIRST, "A>B")
    night(people("CD"), date(2062, 1, 1), "C>D")
    found = look(event.game, FIRST + timedelta(days=3))
    assert found.day == FIRST + timedelta(days=3)


# -- by hand -----------------------------------------------------------------------------------------------------------
def test_a_rebuild_asked_for_is_handed_to_a_worker_once() -> None:
    event = night(people("AB"), FIRST, "A>B")
    old = rate_now(event)
    asked = rate.request_rebuild(event.game, later(event))
    assert rate.request_rebuild(event.game, later(event)) == asked
    assert rate.sweep(later(event)) == [asked]
    new = rate.work(asked.pk, later(event))
    assert new is not None
    assert (new.number, new.digest, new.current) == (old.number + 1, old.digest, True)
    assert rate.sweep(later(event)) == []


def test_a_new_event_overtakes_a_rebuild_that_waits() -> None:
    cast = people("AB")
    rate_now(night(cast, FIRST, "A>B"))
    event = night(cast, FIRST + timedelta(days=7), "A>B")
    asked = rate.request_rebuild(event.game, later(event))
    correct(event, cast["A"], cast["B"], "2")
    snapshot = rate_now(event)
    asked.refresh_from_db()
    assert asked.status == Run.Status.OBSOLETE
    assert snapshot.digest == rebuilt(event)
