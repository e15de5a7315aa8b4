"""Whether what is published is what the rows give, rated from the first day (RANKING 2, correctness)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from decks.models import Game
from ranking.models import BoardRow, PointsEntry, RatingPoint, Snapshot
from ranking.services import boards
from ranking.services.inputs import Reading, hashed, look, read_all
from ranking.services.publication import published_digest, ratings_digest, table_of
from ranking.services.rate import today

if TYPE_CHECKING:
    from ranking.services.rating import Ratings

ROW: Final = ("board", "order", "position", "rank", "value", "margin", "missing_matches", "missing_opponents")
ENTRY: Final = ("season_id", "event_id", "kind", "place", "players", "points", "counts")


@dataclass(frozen=True, slots=True)
class Check:
    """Digests by part: `published` out of the stored rows, `rebuilt` out of events alone.

    up_to_date: False when events wait to be rated, and then the two may differ.
    """

    snapshot: Snapshot | None
    up_to_date: bool
    players: int
    matches: int
    published: dict[str, str]
    rebuilt: dict[str, str]

    @property
    def equal(self) -> bool:
        return self.published == self.rebuilt

    @property
    def passed(self) -> bool:
        return self.equal and self.up_to_date


def check(game: Game, now: datetime) -> Check:
    """Writes nothing."""
    from ranking.services import rating

    found, reading = look(game, today(now)), read_all(game)
    ratings = rating.full(reading, found.tuning.parameters)
    return Check(
        snapshot=found.base,
        up_to_date=not found.changed,
        players=len(ratings.states),
        matches=sum(len({match.match for match in event.matches}) for event in reading.events),
        published=published(found.base) if found.base else {},
        rebuilt=rebuilt(reading, ratings, table_of(found, reading, ratings)) if reading.events or found.base else {},
    )


def published(snapshot: Snapshot) -> dict[str, str]:
    points = RatingPoint.objects.filter(snapshot=snapshot)
    rows = BoardRow.objects.filter(snapshot=snapshot).values_list("player__code", *ROW)
    entries = PointsEntry.objects.filter(snapshot=snapshot).values_list("player__code", *ENTRY)
    columns = ("player__code", "day", "mu_before", "var_before", "mu", "var", "matches")
    return {
        "ratings": published_digest(snapshot),
        "history": digest(points.values_list(*columns)),
        "boards": digest(rows),
        "points": digest(entries),
    }


def rebuilt(reading: Reading, ratings: "Ratings", table: boards.Table) -> dict[str, str]:
    code = {player: person.code for player, person in reading.people.items()}
    points = ((code[p.player], p.day, p.mu_before, p.var_before, p.mu, p.var, p.matches) for p in ratings.points)
    rows = ((code[row.player], *(getattr(row, name) for name in ROW)) for row in boards.rows(table))
    return {
        "ratings": ratings_digest(reading, ratings.states),
        "history": digest(points),
        "boards": digest(rows),
        "points": digest(entry_lines(table, code)),
    }


def entry_lines(table: boards.Table, code: dict[int, str]) -> Iterable[tuple[Any, ...]]:
    for season in table.seasons:
        for award in table.awards[season.id]:
            line = award.line
            who, kind = code[award.player], line.kind.value
            yield who, season.id, line.event, kind, line.place, line.players, line.points, line.counted


def digest(rows: Iterable[tuple[Any, ...]]) -> str:
    """Floats by their bits; the order of the rows does not count."""
    exact = [[(v + 0.0).hex() if isinstance(v, float) else v for v in row] for row in rows]
    return hashed(sorted(exact, key=repr))
