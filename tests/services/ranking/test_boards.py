"""Boards of a snapshot: scopes, ties, provisional, hidden, changes (RANKING 3; CASES 61, 65)."""

from datetime import date, timedelta

import pytest
from django.utils import timezone

from players.models import Player
from ranking import queries
from ranking.boards import Minimums
from ranking.models import BoardRow, Rating, Snapshot
from ranking.services import boards, inputs, publication, rate
from ranking.tuning import Tuning, tuning
from tests.make import make_store
from tests.services.ranking.circuit import Cast, later, night, people
from tournaments.models import Event

pytestmark = pytest.mark.django_db
FIRST = date(2026, 1, 8)
WEEK = timedelta(days=7)


@pytest.fixture
def easy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A circuit whose boards ask for one match, so that a test needs no twelve."""
    relaxed = Minimums(matches=1, opponents=1)
    monkeypatch.setattr(inputs, "tuning", lambda game: Tuning(tuning(game).parameters, relaxed))


def rate_now(event: Event) -> Snapshot:
    (snapshot,) = rate.catch_up(later(event))
    return snapshot


def lines(snapshot: Snapshot, scope: str, element: str = "", order: str = "rating") -> list[tuple[int | None, str]]:
    rows = queries.board(snapshot, scope, element, order).rows
    return [(row.rank, row.player.name.split()[0]) for row in rows]


# -- who stands where --------------------------------------------------------------------------------------------------
@pytest.mark.usefixtures("easy")
def test_ties_share_a_rank_and_are_listed_by_name() -> None:
    """Case 65: 1, 2, 2, 4. B and C drew with each other and both lost nothing else: equal to the point."""
    cast = people("ABCD")
    snapshot = rate_now(night(cast, FIRST, "A>D C=B", "A>D B=C"))
    assert lines(snapshot, "es") == [(1, "Ángel"), (2, "Begoña"), (2, "Candela"), (4, "Domitila")]
    positions = [row.position for row in queries.board(snapshot, "es").rows]
    assert positions == [1, 2, 3, 4]


@pytest.mark.usefixtures("easy")
def test_a_tie_across_pages_keeps_its_rank() -> None:
    """Case 65: page 2 begins inside a tie."""
    cast = people("ABCD")
    snapshot = rate_now(night(cast, FIRST, "A>D C=B", "A>D B=C"))
    second = queries.board(snapshot, "es", page=2, size=2)
    assert [(row.rank, row.position) for row in second.rows] == [(2, 3), (4, 4)]
    assert (second.pages, second.first, second.last, second.placed, second.listed) == (2, 3, 4, 4, 4)
    assert queries.board(snapshot, "es", page=9, size=2).page == 2
    assert queries.board(snapshot, "es", page=-1, size=2).page == 1


def test_provisional_players_are_listed_below_with_what_they_lack() -> None:
    """12 rated matches and 4 opponents (RANKING 3): A has twelve against four, B eleven, C twelve against three."""
    cast = people("ABCDEFGH")
    for week in range(3):
        event = night(cast, FIRST + week * WEEK, "A>B C>F", "A>E C>G", "A>D C>H", "A>F C>G")
    snapshot = rate_now(event)
    found = {row.player_id: row for row in queries.board(snapshot, "es").rows}
    a, b, c = (found[cast[x].pk] for x in "ABC")
    assert (a.rank, a.missing_matches, a.missing_opponents, a.position) == (1, 0, 0, 1)
    assert (c.rank, c.missing_matches, c.missing_opponents) == (None, 0, 1)
    assert (b.rank, b.missing_matches, b.missing_opponents) == (None, 9, 3)
    below = [row.player.sort_key for row in queries.board(snapshot, "es").rows if row.rank is None]
    assert below == sorted(below)


@pytest.mark.usefixtures("easy")
def test_a_year_without_play_hides_and_keeps_the_rating() -> None:
    """RANKING 3: from the snapshot's day; the rating keeps, the margin grows."""
    cast = people("ABCD")
    before = rate_now(night(cast, FIRST, *["A>B C>D"] * 6))
    margin = BoardRow.objects.get(snapshot=before, board="es", player=cast["A"]).margin
    almost = rate_now(night(cast, FIRST + timedelta(days=365), "C>D"))
    waiting = BoardRow.objects.get(snapshot=almost, board="es", player=cast["A"])
    assert waiting.margin > margin
    after = rate_now(night(cast, FIRST + timedelta(days=366), "C>D"))
    assert {row.player_id for row in queries.board(after, "es").rows} == {cast["C"].pk, cast["D"].pk}
    assert Rating.objects.get(snapshot=after, player=cast["A"]).mu > 0


def test_the_value_and_the_margin_add_up_to_the_printed_rating() -> None:
    cast = people("ABCD")
    snapshot = rate_now(night(cast, FIRST, "A>B C=D", "A>C B>D"))
    for row in queries.board(snapshot, "es").rows:
        rating = Rating.objects.get(snapshot=snapshot, player=row.player)
        assert row.value + row.margin == queries.rating_now(rating, snapshot).points
        assert row.margin == pytest.approx(queries.rating_now(rating, snapshot).deviation, abs=1)


def test_a_rating_at_the_floor_is_printed_as_the_minimum() -> None:
    """Case 61: never below the minimum, and then without a margin that would say otherwise."""
    parameters = tuning("kounter").parameters
    assert boards.standing(-12.0, 0.1, 0, parameters) == boards.Standing(100, 0)


# -- scopes ------------------------------------------------------------------------------------------------------------
@pytest.mark.usefixtures("easy")
def test_every_scope_and_crossing_has_its_board() -> None:
    teruel = make_store(province="ES-TE")
    cast = people("AB", province="ES-TE") | people("CD", province="ES-CA")
    snapshot = rate_now(night(cast, FIRST, "A>B C>D", store=teruel, elements={"A": "agua", "C": "agua", "B": "luz"}))
    local = queries.store_board(teruel.slug)
    assert [name for _, name in lines(snapshot, "es")] == ["Ángel", "Candela", "Begoña", "Domitila"]
    assert [name for _, name in lines(snapshot, "ES-TE")] == ["Ángel", "Begoña"]
    assert [name for _, name in lines(snapshot, local)] == ["Ángel", "Candela", "Begoña", "Domitila"]
    assert [name for _, name in lines(snapshot, "es", "agua")] == ["Ángel", "Candela"]
    assert [name for _, name in lines(snapshot, "ES-CA", "agua")] == ["Candela"]
    assert [name for _, name in lines(snapshot, local, "luz")] == ["Begoña"]
    places = queries.places_of(snapshot, cast["A"])
    assert [(p.scope, p.element, p.row.rank, p.of) for p in places] == [
        ("local", "", 1, 4),
        ("provincial", "", 1, 2),
        ("nacional", "", 1, 4),
        ("local", "agua", 1, 2),
        ("provincial", "agua", 1, 1),
        ("nacional", "agua", 1, 2),
    ]


def test_an_elemental_board_asks_for_matches_with_the_element() -> None:
    """One night with another deck makes nobody first of an element; the rating there is the overall one."""
    cast = people("ABCDE")
    for week in range(3):
        event = night(cast, FIRST + week * WEEK, "A>B C>D", "A>C", "A>D", "A>E", elements={"A": "agua"})
    event = night(cast, FIRST + 3 * WEEK, "A>B", elements={"A": "fuego"})
    snapshot = rate_now(event)
    water, fire = (
        BoardRow.objects.get(snapshot=snapshot, board=f"es+{e}", player=cast["A"]) for e in ("agua", "fuego")
    )
    assert (water.rank, fire.rank, fire.missing_matches, fire.missing_opponents) == (1, None, 11, 3)
    assert water.value == fire.value == BoardRow.objects.get(snapshot=snapshot, board="es", player=cast["A"]).value
    assert {water.element, fire.element} == {"agua"}


class TestHome:
    """RANKING 3, local: most matches this season, the most recent at a tie; or the pinned store where he has played."""

    def home(self, cast: Cast, event: Event) -> str:
        return Rating.objects.get(snapshot=rate_now(event), player=cast["A"]).home

    def test_most_matches(self) -> None:
        cast, here, there = people("ABC"), make_store(), make_store()
        night(cast, FIRST, "A>B", "A>C", store=here)
        assert self.home(cast, night(cast, FIRST + WEEK, "A>B", store=there)) == here.slug

    def test_the_most_recent_at_a_tie(self) -> None:
        cast, here, there = people("ABC"), make_store(), make_store()
        night(cast, FIRST + WEEK, "A>B", store=here)
        assert self.home(cast, night(cast, FIRST, "A>B", store=there)) == here.slug

    def test_pinned(self) -> None:
        cast, here, there = people("ABC"), make_store(), make_store()
        night(cast, FIRST, "A>B", "A>C", store=here)
        event = night(cast, FIRST + WEEK, "A>B", store=there)
        assert self.home(cast, event) == here.slug
        Player.objects.filter(pk=cast["A"].pk).update(home_store=there.slug)
        assert self.home(cast, event) == there.slug

    def test_pinned_without_ever_playing_there(self) -> None:
        cast, here, there = people("ABC"), make_store(), make_store()
        Player.objects.filter(pk=cast["A"].pk).update(home_store=there.slug)
        assert self.home(cast, night(cast, FIRST, "A>B", store=here)) == here.slug


@pytest.mark.usefixtures("easy")
def test_moving_to_another_province_moves_the_boards() -> None:
    cast = people("AB", province="ES-TE")
    event = night(cast, FIRST, "A>B")
    rate_now(event)
    Player.objects.filter(pk=cast["A"].pk).update(province="ES-CA")
    snapshot = rate_now(event)
    assert lines(snapshot, "ES-TE") == [(1, "Begoña")]
    assert lines(snapshot, "ES-CA") == [(1, "Ángel")]


# -- what changed ------------------------------------------------------------------------------------------------------
@pytest.mark.usefixtures("easy")
def test_places_gained_since_the_last_day() -> None:
    cast = people("ABC")
    first = rate_now(night(cast, FIRST, "A>B", "A>B"))
    assert {row.change for row in queries.board(first, "es").rows} == {None}, "everybody is new"
    second = rate_now(night(cast, FIRST + WEEK, "B>A", "B>A", "B>A", "B>C"))
    changes = {row.player_id: row.change for row in queries.board(second, "es").rows}
    assert changes == {cast["B"].pk: 1, cast["A"].pk: -1, cast["C"].pk: None}
    assert [row.player_id for row in queries.movers(second, "es")] == [cast["B"].pk, cast["A"].pk]


@pytest.mark.usefixtures("easy")
def test_the_next_event_of_the_evening_does_not_wipe_out_the_change() -> None:
    cast = people("ABCD")
    rate_now(night(cast, FIRST, "A>B", "A>B"))
    rate_now(night(cast, FIRST + WEEK, "B>A", "B>A", "B>A"))
    late = rate_now(night(cast, FIRST + WEEK, "C=D"))
    row = BoardRow.objects.get(snapshot=late, board="es", player=cast["B"])
    assert (row.rank, row.change) == (1, 1)


def test_the_line_in_the_row_holds_the_last_twelve_ratings() -> None:
    cast = people("ABCDE")
    for week in range(14):
        event = night(cast, FIRST + week * WEEK, "A>B")
    snapshot = rate_now(event)
    row = BoardRow.objects.get(snapshot=snapshot, board="es", player=cast["A"])
    days = queries.history(snapshot, cast["A"])
    assert row.spark == [day.after.points for day in days[-12:]]
    assert len(row.spark) == boards.SPARK


# -- reading -----------------------------------------------------------------------------------------------------------
@pytest.mark.usefixtures("easy")
def test_the_reader_finds_himself_and_his_neighbours() -> None:
    cast = people("ABCDEFGHIJ")
    tables = ["A>B", "B>C", "C>D", "D>E", "E>F", "F>G", "G>H", "H>I", "I>J"]
    snapshot = rate_now(night(cast, FIRST, *tables, *tables))
    found = queries.board(snapshot, "es", size=3, me=cast["F"])
    assert found.me is not None
    assert found.my_page == queries.page_of(found.me, 3)
    assert [row.position for row in found.around] == list(range(found.me.position - 3, found.me.position + 4))
    assert [row.player for row in found.around][3] == cast["F"]


@pytest.mark.usefixtures("easy")
def test_search_ignores_accents() -> None:
    snapshot = rate_now(night(people("AB"), FIRST, "A>B"))
    assert [row.player.name for row in queries.search(snapshot, "es", "rating", "ANGEL")] == ["Ángel Abanico"]
    assert queries.search(snapshot, "es", "rating", "nadie") == []


@pytest.mark.usefixtures("easy")
def test_pages_cost_the_same_however_long_the_board(django_assert_num_queries: object) -> None:
    cast = people("ABCDEFGHIJ")
    event = night(cast, FIRST, "A>B C>D E>F G>H I>J")
    snapshot = rate_now(event)
    with django_assert_num_queries(4):  # type: ignore[operator]
        found = queries.board(snapshot, "es", me=cast["D"])
        assert all(row.player.shown for row in [*found.rows, *found.around])


@pytest.mark.usefixtures("easy")
def test_what_the_top_plays_and_whom_one_follows() -> None:
    cast = people("ABCD")
    cast["D"].following.create(followed=cast["A"])
    event = night(cast, FIRST, "A>B C>D", elements={"A": "agua", "B": "agua", "C": "luz"})
    snapshot = rate_now(event)
    assert queries.elements_on_top(snapshot, "es") == [("agua", 2), ("luz", 1)]
    assert [row.player for row in queries.followed(snapshot, cast["D"], "es")] == [cast["A"]]


def test_readers_see_one_snapshot_whole() -> None:
    """While a new one is written, everything that is read belongs to the old one."""
    cast = people("AB")
    old = rate_now(night(cast, FIRST, "A>B"))
    event = night(cast, FIRST + WEEK, "B>A")
    (run,) = rate.sweep(later(event))
    worker = rate.worker_name()
    rate.claim(run, worker, timezone.now())
    found, reading = inputs.look(event.game, FIRST + WEEK), inputs.read_all(event.game)
    publication.build(run, found, reading, rate.rate(found, reading), at=later(event), beat=lambda: None)
    assert queries.current(event.game) == old
    assert Snapshot.objects.count() == 2
    with pytest.raises(publication.Overtaken):
        publication.switch(run, "otro", found, Snapshot.objects.get(current=False), at=later(event))
    assert queries.current(event.game) == old
