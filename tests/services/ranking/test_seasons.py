"""Circuit points and the life of a season (RANKING 1, 4; CASES 59, 62, 64)."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from decks.models import Game
from players.models import User
from ranking import queries
from ranking.models import PointsEntry, Season, SeasonResult, Snapshot
from ranking.points import PointsRow
from ranking.services import inputs, rate, seasons
from ranking.services.errors import Refused
from tests.make import element, make_store
from tests.services.ranking.circuit import Cast, correct, finish, later, night, people
from tournaments.models import Event, Store
from tournaments.services.journal import SYSTEM, Actor

pytestmark = pytest.mark.django_db
FIRST = date(2026, 1, 8)
WEEK = timedelta(days=7)
EIGHT = "ABCDEFGH"
THREE_ROUNDS = ("A>B C>D E>F G>H", "A>C E>G B>D F>H", "A>E B>F C>G D>H")


def make_season(game: Game, starts: date = date(2026, 1, 1), ends: date = date(2026, 7, 1), **fields: Any) -> Season:
    season = seasons.create(game, by=SYSTEM, name="Temporada de las Mareas", starts=starts, ends=ends, **fields)
    return seasons.open(season, by=SYSTEM)


@pytest.fixture
def season(game: Game) -> Season:
    return make_season(game)


def rate_now(event: Event) -> Snapshot:
    (snapshot,) = rate.catch_up(later(event))
    return snapshot


def entries(snapshot: Snapshot, cast: Cast, letter: str) -> list[tuple[str, int, int, int, bool]]:
    rows = PointsEntry.objects.filter(snapshot=snapshot, player=cast[letter]).order_by("event__date", "event", "-kind")
    return [(row.kind, row.place, row.players, row.points, row.counts) for row in rows]


def totals(
    snapshot: Snapshot, season: Season, scope: str = "es", element: str = ""
) -> list[tuple[int | None, str, int]]:
    rows = queries.board(snapshot, scope, element, queries.points_order(season.slug)).rows
    return [(row.rank, row.player.name[0], row.value) for row in rows]


# -- points ------------------------------------------------------------------------------------------------------------
def test_places_earn_by_tier_and_field(season: Season) -> None:
    """RANKING 1: eight players fill the first four places; the fifth needs seventeen."""
    cast = people(EIGHT)
    snapshot = rate_now(night(cast, FIRST, *THREE_ROUNDS))
    assert entries(snapshot, cast, "A") == [("place", 1, 8, 15, True), ("participation", 1, 8, 1, True)]
    last = entries(snapshot, cast, "H")
    assert [(kind, points) for kind, _, _, points, _ in last] == [("place", 0), ("participation", 1)]
    assert totals(snapshot, season)[0] == (1, "Á", 16)


def test_three_players_are_no_field(season: Season) -> None:
    """A first place needs four who played; the point for taking part needs two rounds really played."""
    cast = people("ABC")
    snapshot = rate_now(night(cast, FIRST, "A>B C", "A>C B"))
    assert entries(snapshot, cast, "A") == [("place", 1, 3, 0, False), ("participation", 1, 3, 1, True)]
    assert [kind for kind, *_ in entries(snapshot, cast, "B")] == ["place"], "one round played, one bye"


def test_who_never_played_is_neither_counted_nor_paid(season: Season) -> None:
    cast = people("ABCDE")
    snapshot = rate_now(night(cast, FIRST, "A>B C>D E", "A>C B>D E"))
    assert entries(snapshot, cast, "E") == []
    assert entries(snapshot, cast, "A")[0] == ("place", 1, 4, 15, True)


def test_tied_places_earn_the_better_place(season: Season) -> None:
    """TOURNAMENT_RULES 7.6."""
    cast = people("ABCD")
    snapshot = rate_now(night(cast, FIRST, "A>C B>D", "A>D B>C"))
    assert entries(snapshot, cast, "A")[0][1:4] == entries(snapshot, cast, "B")[0][1:4] == (1, 4, 15)


def test_a_disqualified_player_leaves_the_points(season: Season) -> None:
    """TOURNAMENT_RULES 8.5: his opponents keep their results, and the field counts him."""
    cast = people("ABCD")
    event = night(cast, FIRST, "A>B C>D", "A>C B>D", finished=False)
    event.registrations.filter(player=cast["A"]).update(status="disqualified", last_round=2)
    snapshot = rate_now(finish(event))
    assert entries(snapshot, cast, "A") == []
    assert sorted(e[1:4] for x in "BCD" if (e := entries(snapshot, cast, x)[0]))[0][1:] == (4, 15)
    assert queries.rating_of(snapshot, cast["B"]) is not None


def test_only_the_best_finishes_count(season: Season) -> None:
    """Eight weeklies; the ninth is worth nothing more, and says so. Taking part is outside the limit."""
    cast = people("ABCD")
    for week in range(9):
        event = night(cast, FIRST + week * WEEK, "A>B C>D", "A>C B>D")
    snapshot = rate_now(event)
    mine = entries(snapshot, cast, "A")
    assert sorted(counts for kind, *_, counts in mine if kind == "place") == [False] + [True] * 8
    assert queries.ledger(season, cast["A"]) is not None
    assert queries.ledger(season, cast["A"]).total == 8 * 15 + 9 == totals(snapshot, season)[0][2]  # type: ignore[union-attr]


def test_local_and_elemental_points(season: Season) -> None:
    """An elemental board adds up what was won with the element; the national one everything."""
    cast, here = people("ABCD"), make_store()
    night(cast, FIRST, "A>B C>D", "A>C B>D", store=here, elements={"A": "agua", "C": "agua"})
    event = night(cast, FIRST + WEEK, "A>B C>D", "A>C B>D", store=here, elements={"A": "luz"})
    snapshot = rate_now(event)
    assert totals(snapshot, season)[0] == (1, "Á", 32)
    assert totals(snapshot, season, element="agua")[0] == (1, "Á", 16)
    assert totals(snapshot, season, "ES-TE", "luz") == [(1, "Á", 16)]
    assert totals(snapshot, season, queries.store_board(here.slug))[0] == (1, "Á", 32)


def test_an_elemental_season_counts_its_element(game: Game) -> None:
    season = make_season(game, element=element("fuego"))
    cast = people("ABCD")
    snapshot = rate_now(night(cast, FIRST, "A>B C>D", "A>C B>D", elements={"A": "agua", "B": "fuego"}))
    assert [who for _, who, _ in totals(snapshot, season)] == ["B"]
    assert entries(snapshot, cast, "B")[0][2] == 4, "the field is everybody"


def test_a_correction_moves_the_points(season: Season) -> None:
    cast = people("ABCD")
    event = night(cast, FIRST, "A>B C>D", "A>C B>D")
    before = totals(rate_now(event), season)
    event = correct(event, cast["A"], cast["B"], "2")
    after = totals(rate_now(event), season)
    assert (before[0][1], after[0][1]) == ("Á", "B")


def test_draft_seasons_have_no_points(game: Game) -> None:
    seasons.create(game, by=SYSTEM, name="Otra", starts=date(2026, 1, 1), ends=date(2026, 7, 1))
    snapshot = rate_now(night(people("ABCD"), FIRST, "A>B C>D", "A>C B>D"))
    assert not PointsEntry.objects.filter(snapshot=snapshot).exists()


# -- which day, which season -------------------------------------------------------------------------------------------
@pytest.fixture
def canary() -> Store:
    return make_store("El Drago de Cartón", province="ES-GC", time_zone="Atlantic/Canary")


def test_the_date_is_that_of_the_store(game: Game, canary: Store) -> None:
    """Case 62: 30 June 23:30 in Las Palmas is 1 July 00:30 in Madrid; the season ends on the 30th."""
    ending = make_season(game, date(2025, 9, 1), date(2026, 7, 1))
    next_one = make_season(game, date(2026, 7, 1), date(2027, 7, 1))
    event = night(people("ABCD"), date(2026, 6, 30), "A>B C>D", "A>C B>D", store=canary, finished=False)
    event.starts_at = datetime(2026, 6, 30, 22, 30, tzinfo=UTC)
    event.save(update_fields=["starts_at"])
    assert timezone.localtime(event.starts_at).date() == date(2026, 7, 1), "already July in Madrid"
    snapshot = rate_now(finish(event))
    assert (event.date, snapshot.day) == (date(2026, 6, 30), date(2026, 6, 30))
    assert totals(snapshot, ending)
    assert not totals(snapshot, next_one)


@pytest.mark.parametrize(("day", "inside"), [("08-31", False), ("09-01", True), ("06-30", True), ("07-01", False)])
def test_season_intervals_are_half_open(game: Game, day: str, *, inside: bool) -> None:
    """Case 64: both edges. `starts` belongs to the season, `ends` does not."""
    season = make_season(game, date(2025, 9, 1), date(2026, 7, 1))
    year = "2025" if day > "07-01" else "2026"
    snapshot = rate_now(night(people("ABCD"), f"{year}-{day}", "A>B C>D", "A>C B>D"))
    assert bool(totals(snapshot, season)) is inside


def test_an_event_of_two_seasons_edge_counts_once(game: Game) -> None:
    first, second = make_season(game, FIRST - WEEK, FIRST), make_season(game, FIRST, FIRST + WEEK)
    snapshot = rate_now(night(people("ABCD"), FIRST, "A>B C>D", "A>C B>D"))
    assert (totals(snapshot, first) == [], len(totals(snapshot, second))) == (True, 4)


def test_an_event_past_midnight_belongs_to_the_day_it_began(season: Season) -> None:
    """Case 64: still running at 23:50 and finished after midnight; the stored date decides, not when it ended."""
    event = night(people("AB"), date(2026, 6, 30), "A>B", finished=False)
    snapshot = rate_now(finish(event))
    assert snapshot.day == date(2026, 6, 30)
    assert queries.season_now(season.game, date(2026, 6, 30)) == season


# -- the life of a season ----------------------------------------------------------------------------------------------
def test_a_season_is_drafted_with_the_circuits_table(game: Game) -> None:
    season = seasons.create(game, by=SYSTEM, name=" Mareas ", starts=FIRST, ends=FIRST + WEEK)
    assert (season.name, season.slug, season.status) == ("Mareas", "mareas", "draft")
    assert season.best_finishes == {"semanal": 8, "tienda": 4, "regional": 3, "nacional": 1}
    assert season.rules.count() == 24
    again = seasons.create(game, by=SYSTEM, name="Mareas", starts=FIRST, ends=FIRST + WEEK)
    assert again.slug == "mareas-2"


def test_a_clone_takes_the_points_along(season: Season) -> None:
    seasons.set_rules(season, [PointsRow("semanal", 1, 1, 4, 99)], by=SYSTEM)
    copy = seasons.clone(season, by=SYSTEM, name="La siguiente", starts=date(2026, 7, 1), ends=date(2027, 1, 1))
    assert copy.status == Season.Status.DRAFT
    assert [rule.points for rule in copy.rules.all()] == [99]
    assert copy.best_finishes == season.best_finishes


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"name": "  "}, "name"),
        ({"ends": FIRST}, "dates"),
        ({"ends": FIRST - WEEK}, "dates"),
    ],
)
def test_a_season_without_sense_is_refused(game: Game, fields: dict[str, Any], code: str) -> None:
    values = {"name": "Mareas", "starts": FIRST, "ends": FIRST + WEEK} | fields
    with pytest.raises(Refused) as refusal:
        seasons.create(game, by=SYSTEM, **values)
    assert refusal.value.code == code
    assert not Season.objects.exists()


@pytest.mark.parametrize("limits", [{"semanal": -1}, {"semanal": "8"}, {"casual": 3}, {"semanal": True}])
def test_best_finishes_are_whole_numbers_by_tier(season: Season, limits: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        seasons.edit(season, by=SYSTEM, best_finishes=limits)


def test_two_lines_of_the_table_for_one_place_are_refused(season: Season) -> None:
    rows = [PointsRow("semanal", 1, 1, 4, 15), PointsRow("semanal", 1, 2, 4, 12)]
    with pytest.raises(Refused) as refusal:
        seasons.set_rules(season, rows, by=SYSTEM)
    assert refusal.value.code == "points_twice"
    assert season.rules.count() == 24


def test_editing_an_open_season_moves_its_boards(season: Season) -> None:
    event = night(people("ABCD"), FIRST, "A>B C>D", "A>C B>D")
    rate_now(event)
    seasons.edit(season, by=SYSTEM, starts=FIRST + WEEK)
    assert totals(rate_now(event), season) == []


MOVES = {
    "open": (seasons.open, {"draft"}),
    "close": (seasons.close, {"open"}),
    "reopen": (seasons.reopen, {"closed"}),
    "publish": (seasons.publish, {"closed", "published"}),
}


@pytest.mark.parametrize("status", Season.Status.values)
@pytest.mark.parametrize("name", MOVES)
def test_wrong_states_are_refused(season: Season, name: str, status: str) -> None:
    move, allowed = MOVES[name]
    Season.objects.filter(pk=season.pk).update(status=status)
    if status in allowed:
        return
    with pytest.raises(Refused) as refusal:
        move(season, by=SYSTEM)  # type: ignore[operator]
    assert refusal.value.code == "wrong_state"
    assert Season.objects.get().status == status


@pytest.mark.parametrize("status", ["closed", "published"])
def test_what_is_closed_is_not_edited(season: Season, status: str) -> None:
    Season.objects.filter(pk=season.pk).update(status=status)
    with pytest.raises(Refused):
        seasons.edit(season, by=SYSTEM, name="Otra cosa")
    with pytest.raises(Refused):
        seasons.set_rules(season, [], by=SYSTEM)


def test_a_season_without_points_cannot_open(game: Game) -> None:
    season = seasons.create(game, by=SYSTEM, name="Mareas", starts=FIRST, ends=FIRST + WEEK)
    seasons.set_rules(season, [], by=SYSTEM)
    with pytest.raises(Refused) as refusal:
        seasons.open(season, by=SYSTEM)
    assert refusal.value.code == "no_points"


def test_closing_waits_for_the_ranking(season: Season) -> None:
    event = night(people("ABCD"), FIRST, "A>B C>D", "A>C B>D")
    with pytest.raises(Refused) as refusal:
        seasons.close(season, by=SYSTEM, at=later(event))
    assert (refusal.value.code, refusal.value.data) == ("ranking_behind", {"events": [event.name]})
    rate_now(event)
    assert seasons.close(season, by=SYSTEM, at=later(event)).status == Season.Status.CLOSED


def test_an_empty_season_closes_and_publishes(season: Season) -> None:
    at = timezone.now()
    seasons.close(season, by=SYSTEM, at=at)
    assert seasons.publish(season, by=SYSTEM, at=at).rows == []


@pytest.fixture
def closed(season: Season) -> tuple[Season, Event, Cast]:
    cast = people("ABCD")
    night(cast, FIRST, "A>B C>D", "A>C B>D")
    event = night(cast, FIRST + WEEK, "A>B C>D", "A>C B>D")
    rate_now(event)
    seasons.close(season, by=SYSTEM, at=later(event))
    return season, event, cast


def test_a_closed_season_stands_still(closed: tuple[Season, Event, Cast]) -> None:
    """Closing freezes the boards: a correction afterwards is shown in the preview, not on the season's page."""
    season, event, cast = closed
    frozen = queries.season_snapshot(season)
    assert frozen is not None
    before = totals(frozen, season)
    event = correct(event, cast["A"], cast["B"], "2")
    rate_now(event)
    season.refresh_from_db()
    assert queries.season_snapshot(season) == frozen
    assert totals(frozen, season) == before
    seen = seasons.preview(season)
    assert (seen.revision, seen.before, seen.publishable) == (1, None, True)
    assert {move.player for move in seen.moved} >= {cast["A"].code, cast["B"].code}
    assert seen.moved[0].events == [event.slug]


def test_publishing_numbers_what_was_computed(closed: tuple[Season, Event, Cast], administrator: User) -> None:
    season, event, cast = closed
    result = seasons.publish(season, by=Actor(user=administrator), at=later(event))
    assert (result.revision, result.by, result.moved, season.status) == (1, administrator, [], "published")
    assert result.rows[0] == {"player": cast["A"].code, "rank": 1, "points": 32, "board": "es"}
    assert queries.season_snapshot(season) == result.snapshot == queries.current(season.game)


def test_a_correction_after_publication_makes_a_revision(closed: tuple[Season, Event, Cast]) -> None:
    """Case 59: the published snapshot keeps its number and its rows; the revision lists who moved and why."""
    season, event, cast = closed
    first = seasons.publish(season, by=SYSTEM, at=later(event))
    rows, snapshot = first.rows, first.snapshot
    assert snapshot is not None
    event = correct(event, cast["A"], cast["B"], "2")
    new = rate_now(event)
    for week in (2, 3):
        last = night(cast, FIRST + week * WEEK, "C>D")
        rate_now(last)
    first.refresh_from_db()
    assert (first.rows, first.revision, first.snapshot) == (rows, 1, snapshot)
    assert Snapshot.objects.filter(pk=snapshot.pk, number=snapshot.number).exists(), "kept, however many came after"
    assert not Snapshot.objects.filter(pk=new.pk).exists()
    with pytest.raises(Refused) as refusal:
        seasons.publish(season, by=SYSTEM, at=later(last))
    assert refusal.value.code == "reason"
    second = seasons.publish(season, by=SYSTEM, at=later(last), reason="Mesa 1 apuntada al revés")
    assert (second.revision, second.reason) == (2, "Mesa 1 apuntada al revés")
    moved = {line["player"]: line for line in second.moved}
    assert moved[cast["B"].code]["events"] == [event.slug]
    assert moved[cast["A"].code]["rank"] == [1, 2] or moved[cast["A"].code]["points"][0] == 32
    assert SeasonResult.objects.get(season=season, revision=1).rows == rows


def test_publishing_again_without_a_change_is_refused(closed: tuple[Season, Event, Cast]) -> None:
    season, event, _ = closed
    seasons.publish(season, by=SYSTEM, at=later(event))
    with pytest.raises(Refused) as refusal:
        seasons.publish(season, by=SYSTEM, at=later(event), reason="Porque sí")
    assert refusal.value.code == "unchanged"
    assert SeasonResult.objects.count() == 1


def test_reopening_a_closed_season_lets_it_go_on(closed: tuple[Season, Event, Cast]) -> None:
    season, event, cast = closed
    seasons.reopen(season, by=SYSTEM)
    new = rate_now(night(cast, FIRST + 2 * WEEK, "A>B C>D", "A>C B>D"))
    assert queries.season_snapshot(season) == new
    assert event.pk


def test_preview_writes_nothing_and_costs_little(
    closed: tuple[Season, Event, Cast], django_assert_max_num_queries: Any
) -> None:
    season, _, _ = closed
    with django_assert_max_num_queries(8):
        seen = seasons.preview(season)
    assert (len(seen.rows), seen.moved) == (4, [])
    assert not SeasonResult.objects.exists()


def test_a_season_of_last_year_still_shows_who_played(game: Game) -> None:
    """Case 61: opened after it ended, a season is told by its own days."""
    cast = people("ABCD")
    event = night(cast, FIRST, "A>B C>D", "A>C B>D")
    rate_now(event)
    rate_now(night(people("EF"), FIRST + timedelta(days=500), "E>F"))
    season = make_season(game)
    (snapshot,) = rate.catch_up(later(event) + timedelta(days=500))
    assert len(totals(snapshot, season)) == 4


def test_events_that_nobody_finished_are_named(season: Season) -> None:
    waiting = night(people("AB"), FIRST, "A>B", finished=False)
    night(people("AB"), FIRST, "A>B", tier="casual", finished=False)
    night(people("AB"), FIRST, "A>B")
    night(people("AB"), season.ends, "A>B", finished=False)
    assert queries.unfinished_events(season) == [waiting]


def test_the_widest_running_season_is_the_current_one(game: Game) -> None:
    whole = make_season(game)
    make_season(game, FIRST, FIRST + WEEK, element=element("fuego"))
    read = inputs.seasons(game)
    assert inputs.current_season(read, FIRST) == next(s for s in read if s.id == whole.pk)
    assert inputs.current_season(read, date(2027, 1, 1)) is None
    assert queries.season_now(game, date(2027, 1, 1)) == whole
