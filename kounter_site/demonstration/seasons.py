"""Two seasons: one published, whose cups are over, and the open one of these weeks."""

from datetime import date, datetime, timedelta

from decks.models import Game
from kounter_site.demonstration.calendar import half_a_year, season_starts
from kounter_site.demonstration.cast import Cast
from ranking.models import Season, SeasonResult
from ranking.queries import points_order
from ranking.services import boards, inputs, seasons
from ranking.services.awards import awards
from ranking.services.inputs import Reading
from ranking.tuning import tuning
from tournaments.services.journal import Actor


def make(cast: Cast, today: date, now: datetime) -> list[Season]:
    by, start = Actor(user=cast.accounts["administrator"]), season_starts(today)
    past = create(cast.game, by, "Temporada 1 · Pizarra", half_a_year(start, -1), start)
    open_now = create(cast.game, by, "Temporada 2 · Rotulador", start, half_a_year(start, 1))
    publish(past, by, min(now, now - timedelta(days=(today - start).days - 1)))
    return [past, open_now]


def create(game: Game, by: Actor, name: str, starts: date, ends: date) -> Season:
    season = seasons.create(game, by=by, name=name, starts=starts, ends=ends, demo=True)
    return seasons.open(season, by=by)


def publish(season: Season, by: Actor, at: datetime) -> SeasonResult:
    """As it would have been published then, before any snapshot was kept: its first revision stands on no snapshot."""
    rows = standings(season)
    seasons.move(season, Season.Status.PUBLISHED, closed_at=at, published_at=at)
    return SeasonResult.objects.create(season=season, revision=1, rows=rows, by=by.user, at=at)


def standings(season: Season) -> list[dict[str, object]]:
    """The country's board by points, as the worker computes it and `seasons.publish` numbers it."""
    reading = inputs.read_all(season.game)
    read = next(row for row in reading.seasons if row.id == season.pk)
    lines = boards.points_rows(table_of(reading, season), read)
    country = [row for row in lines if len(row.board) == 2 and row.order == points_order(season.slug)]
    people = {person.id: person.code for person in reading.people.values()}
    return [{"player": people[r.player], "rank": r.rank, "points": r.value, "board": r.board} for r in country]


def table_of(reading: Reading, season: Season) -> boards.Table:
    """Without ratings, which points do not ask for."""
    return boards.Table(
        people=reading.people,
        careers=boards.careers(reading.events, reading.seasons),
        ratings={},
        seasons=reading.seasons,
        awards={row.id: awards(reading.events, row) for row in reading.seasons},
        opponents={},
        day=season.ends,
        tuning=tuning(season.game.slug),
    )
