"""Snapshots: written row by row beside the current one, checked, and switched by one conditional update (RANKING 4).

Until the switch nobody reads them: whoever dies on the way leaves rows that the next run sweeps away. Kept are the
current snapshot, the one before it, and those in which a season was closed or published; the rest are deleted.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import date, datetime
from itertools import batched
from typing import TYPE_CHECKING, Any

from django.db import DEFAULT_DB_ALIAS, connection, connections, models, transaction
from django.db.models import Max, Q, Window
from django.db.models.functions import RowNumber

from ranking.boards import printed
from ranking.models import BoardRow, PointsEntry, RatedEvent, Rating, RatingPoint, Run, Season, SeasonResult, Snapshot
from ranking.ratings.parameters import Parameters
from ranking.services import boards
from ranking.services.awards import Award, awards
from ranking.services.errors import Obsolete, Overtaken
from ranking.services.inputs import Look, Reading, Seen, ended, seen

if TYPE_CHECKING:
    from ranking.services.rating import Point, Ratings, State

BATCH = 2000
PARTS = (BoardRow, PointsEntry, RatingPoint, Rating)
type Beat = Callable[[], None]
type Row = dict[str, Any]  # field: value; all rows of a table have the same fields in the same order


def build(run: Run, look: Look, reading: Reading, ratings: "Ratings", *, at: datetime, beat: Beat) -> Snapshot:
    """A whole snapshot that is not current yet. `beat` says that the run is alive; it raises once it was taken over."""
    discard_unfinished(run)
    highest = Snapshot.objects.filter(game=look.game).aggregate(Max("number"))["number__max"] or 0
    snapshot = Snapshot.objects.create(game=look.game, run=run, number=highest + 1, day=look.day, at=at)
    table = table_of(look, reading, ratings)
    made = [
        write(rating_rows(snapshot, table, ratings.states), Rating, beat),
        write_points(snapshot, look.base, ratings, beat),
        write(entry_rows(snapshot, table), PointsEntry, beat),
        write(board_rows(snapshot, look.base, reading, table), BoardRow, beat),
        write(event_rows(run, reading), RatedEvent, beat),
    ]
    check_counts(snapshot, dict(zip(("ratings", "points", "entries", "rows", "events"), made, strict=True)))
    snapshot.digest = ratings_digest(reading, ratings.states)
    snapshot.save(update_fields=["digest"])
    return snapshot


def table_of(look: Look, reading: Reading, ratings: "Ratings") -> boards.Table:
    parameters = look.tuning.parameters
    return boards.Table(
        people=reading.people,
        careers=boards.careers(reading.events, reading.seasons),
        ratings={s.player: standing(s, look.day, parameters) for s in ratings.states},
        seasons=reading.seasons,
        awards={season.id: awards(reading.events, season) for season in reading.seasons},
        day=look.day,
        tuning=look.tuning,
        opponents=ratings.opponents,
    )


def standing(state: "State", day: date, parameters: Parameters) -> boards.Standing:
    return boards.standing(state.mu, state.var, (day - state.last_day).days, parameters)


# -- rows --------------------------------------------------------------------------------------------------------------
def write(rows: Iterable[Row], model: type[models.Model], beat: Beat) -> int:
    """In short transactions, so that a shop's own writes never wait long. How many there were."""
    count = 0
    for batch in batched(rows, BATCH, strict=False):
        beat()
        insert(model, batch)
        count += len(batch)
    return count


def insert(model: type[models.Model], rows: Sequence[Row]) -> None:
    """Plain INSERTs: twice as quick as model objects, and a snapshot has a dozen rows a player."""
    database = connections[DEFAULT_DB_ALIAS]
    by_name = {field.name: field for field in model._meta.concrete_fields}
    fields = [by_name[name] for name in rows[0]]
    columns = ", ".join(database.ops.quote_name(str(field.column)) for field in fields)
    table, places = database.ops.quote_name(model._meta.db_table), ", ".join(["%s"] * len(fields))
    lines = [
        [field.get_db_prep_save(value, database) for field, value in zip(fields, row.values(), strict=True)]
        for row in rows
    ]
    with transaction.atomic(), database.cursor() as cursor:
        cursor.executemany(f"INSERT INTO {table} ({columns}) VALUES ({places})", lines)


def rating_rows(snapshot: Snapshot, table: boards.Table, states: Iterable["State"]) -> Iterator[Row]:
    for state in states:
        person, career = table.people[state.player], table.careers[state.player]
        yield {
            "snapshot": snapshot.pk,
            **asdict(state),
            "opponents": table.opponents[state.player],
            "province": person.province,
            "country": person.country,
            "pinned": person.pinned,
            "retired": person.retired,
            "home": career.home(person.pinned, table.season),
            "element": career.element,
        }


def point_rows(snapshot: Snapshot, points: Iterable["Point"]) -> Iterator[Row]:
    return ({"snapshot": snapshot.pk, **asdict(point)} for point in points)


def write_points(snapshot: Snapshot, base: Snapshot | None, ratings: "Ratings", beat: Beat) -> int:
    copied = copy_points(snapshot, base, ratings.since)
    return copied + write(point_rows(snapshot, ratings.points), RatingPoint, beat)


def copy_points(snapshot: Snapshot, base: Snapshot | None, since: date | None) -> int:
    """The history before the replayed days is the base's own; the database copies it without us."""
    if base is None or since is None:
        return 0
    table = connection.ops.quote_name(RatingPoint._meta.db_table)
    kept = [f.get_attname_column()[1] for f in RatingPoint._meta.concrete_fields if f.name not in ("id", "snapshot")]
    columns = ", ".join(connection.ops.quote_name(str(column)) for column in kept)
    statement = (
        f"INSERT INTO {table} (snapshot_id, {columns}) "
        f"SELECT %s, {columns} FROM {table} WHERE snapshot_id = %s AND day < %s"
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, [snapshot.pk, base.pk, connection.ops.adapt_datefield_value(since)])
        return int(cursor.rowcount)


def entry_rows(snapshot: Snapshot, table: boards.Table) -> Iterator[Row]:
    for season in table.seasons:
        for award in table.awards[season.id]:
            yield entry_row(snapshot, season.id, award)


def entry_row(snapshot: Snapshot, season: int, award: Award) -> Row:
    line = award.line
    return {
        "snapshot": snapshot.pk,
        "season": season,
        "player": award.player,
        "event": line.event,
        "kind": line.kind.value,
        "place": line.place,
        "players": line.players,
        "points": line.points,
        "counts": line.counted,
    }


def board_rows(snapshot: Snapshot, base: Snapshot | None, reading: Reading, table: boards.Table) -> Iterator[Row]:
    before, lines = ranks_before(base, snapshot.day, reading), sparks(snapshot, table.tuning.parameters)
    for row in boards.rows(table):
        old = before.get((row.board, row.order), {}).get(row.player)
        yield {
            "snapshot": snapshot.pk,
            **asdict(row),
            "change": None if old is None or row.rank is None else old - row.rank,
            "element": table.careers[row.player].element,
            "spark": lines[row.player],
        }


def event_rows(run: Run, reading: Reading) -> Iterator[Row]:
    for event in reading.events:
        now = seen(event)
        yield {"run": run.pk, "event": event.id, "version": now.version, "digest": now.digest, "date": now.day}


def ranks_before(base: Snapshot | None, day: date, reading: Reading) -> dict[tuple[str, str], dict[int, int]]:
    """{(board, order): {player: rank}} at the end of the last earlier day.

    Several events end on one evening, each with its snapshot: what a player wants to know is how the evening moved
    him, so that a snapshot of the same day is compared with what its base was compared with.
    """
    ranks: dict[tuple[str, str], dict[int, int]] = defaultdict(dict)
    rows = BoardRow.objects.filter(snapshot=base, rank__isnull=False) if base else BoardRow.objects.none()
    columns = ("board", "order", "player_id", "rank", "change")
    for board, order, player, rank, change in rows.values_list(*columns).iterator(chunk_size=5000):
        if base and base.day < day:
            change = 0
        if rank is not None and change is not None:
            ranks[board, order][reading.aliases.get(player, player)] = rank + change
    return ranks


def sparks(snapshot: Snapshot, parameters: Parameters) -> dict[int, list[int]]:
    """The last printed ratings of everybody, oldest first."""
    newest = Window(RowNumber(), partition_by="player_id", order_by="-day")
    points = RatingPoint.objects.filter(snapshot=snapshot).annotate(back=newest).filter(back__lte=boards.SPARK)
    lines: dict[int, list[int]] = defaultdict(list)
    for player, mu in points.order_by("player_id", "day").values_list("player_id", "mu").iterator(chunk_size=5000):
        lines[player].append(printed(parameters.points(mu)))
    return lines


# -- digests and counts ------------------------------------------------------------------------------------------------
def ratings_digest(reading: Reading, states: Iterable["State"]) -> str:
    """Of every rating byte for byte, by player code: equal digests are equal ratings (RANKING 2, correctness)."""
    rows = ((reading.people[s.player].code, s.mu, s.var, s.last_day, s.matches) for s in states)
    return digest_of_rows(rows)


def published_digest(snapshot: Snapshot) -> str:
    """The same, out of the rows that everybody reads."""
    columns = ("player__code", "mu", "var", "last_day", "matches")
    return digest_of_rows(Rating.objects.filter(snapshot=snapshot).values_list(*columns))


def digest_of_rows(rows: Iterable[tuple[str, float, float, date, int]]) -> str:
    lines = (f"{code} {(mu + 0.0).hex()} {var.hex()} {day} {matches}\n" for code, mu, var, day, matches in sorted(rows))
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def check_counts(snapshot: Snapshot, made: dict[str, int]) -> None:
    """What was written is there, and no board has a hole; a mismatch is a bug, and nothing is switched."""
    found = {
        "ratings": Rating.objects.filter(snapshot=snapshot).count(),
        "points": RatingPoint.objects.filter(snapshot=snapshot).count(),
        "entries": PointsEntry.objects.filter(snapshot=snapshot).count(),
        "rows": BoardRow.objects.filter(snapshot=snapshot).count(),
        "events": RatedEvent.objects.filter(run=snapshot.run_id).count(),
    }
    if found != made:
        raise AssertionError(f"snapshot {snapshot.number} is not whole: {found} instead of {made}")
    lengths = BoardRow.objects.filter(snapshot=snapshot).values("board", "order")
    holes = lengths.annotate(last=Max("position"), n=models.Count("pk")).exclude(last=models.F("n"))
    if holes.exists():
        raise AssertionError(f"snapshot {snapshot.number}: a board has a hole: {holes[0]}")
    snapshot.run.counts = made


# -- the switch --------------------------------------------------------------------------------------------------------
def switch(run: Run, worker: str, look: Look, snapshot: Snapshot, *, at: datetime) -> None:
    """All or nothing: the run is still ours, its base is still current, no event was written to since it was read."""
    with transaction.atomic():
        mine = Run.objects.filter(pk=run.pk, worker=worker, status=Run.Status.RUNNING)
        if not mine.update(status=Run.Status.DONE, finished_at=at, counts=snapshot.run.counts, error=""):
            raise Overtaken
        current = Snapshot.objects.filter(game=look.game, current=True)
        if look.base and not current.filter(pk=look.base.pk).update(current=False):
            raise Obsolete
        if current.exists() or versions(look.events) != dict(ended(look.game).values_list("pk", "version")):
            raise Obsolete
        Snapshot.objects.filter(pk=snapshot.pk).update(current=True)
    snapshot.current = True
    run.status, run.finished_at, run.error = Run.Status.DONE, at, ""


def versions(events: dict[int, Seen]) -> dict[int, int]:
    return {key: seen.version for key, seen in events.items()}


# -- what is kept ------------------------------------------------------------------------------------------------------
def discard_unfinished(run: Run) -> None:
    """Rows of runs that died, this one's earlier try included; never those of a run that is being computed."""
    alive = Q(run__status=Run.Status.RUNNING) & ~Q(run=run)
    unfinished = Snapshot.objects.filter(game=run.game_id, current=False).exclude(alive)
    for snapshot in unfinished.exclude(run__status=Run.Status.DONE):
        delete(snapshot)


def prune(snapshot: Snapshot, base: Snapshot | None) -> None:
    kept = {snapshot.pk, base.pk if base else snapshot.pk}
    kept |= set(Season.objects.exclude(frozen=None).values_list("frozen_id", flat=True))
    kept |= set(SeasonResult.objects.exclude(snapshot=None).values_list("snapshot_id", flat=True))
    done = Snapshot.objects.filter(game=snapshot.game_id, current=False, run__status=Run.Status.DONE)
    for old in done.exclude(pk__in=kept):
        delete(old)


def delete(snapshot: Snapshot) -> None:
    """Its rows first, by table and in one statement each; the run stays as a record."""
    for model in PARTS:
        raw_delete(model._default_manager.filter(snapshot=snapshot))
    raw_delete(RatedEvent.objects.filter(run=snapshot.run_id))
    snapshot.delete()


def raw_delete(rows: "models.QuerySet[models.Model]") -> None:
    rows._raw_delete(rows.db)
