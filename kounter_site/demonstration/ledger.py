"""Writes that wait: the nights of the past are played in memory, and their rows go in by a dozen INSERTs.

A `Later` is handed to the services' inner halves instead of the journal's `Change`. Its log entries say the same, once
the rows have their keys.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models

from tournaments.models import Event, FrozenStandings, LogEntry, Match, Registration, ResultRevision, Round, Seat
from tournaments.services.journal import Actor, Change, plain

ORDER: tuple[type[models.Model], ...] = (Round, Match, ResultRevision, Seat, FrozenStandings)
BLANK = {"state": Match.State.OPEN, "outcome": None, "winner": None, "drawn_games": None, "how": "", "current": None}
BATCH = 2000
ENCODER = DjangoJSONEncoder()


@dataclass(slots=True)
class Later(Change):
    """`changes` hold rows and values as they are; `told` makes keys of them when the log is written."""

    made: list[models.Model] = field(default_factory=list)
    touched: list[tuple[models.Model, list[str]]] = field(default_factory=list)

    def add[M: models.Model](self, row: M) -> M:
        self.add_all(type(row), [row])
        return row

    def add_all[M: models.Model](self, model: type[M], rows: Sequence[M]) -> list[M]:
        """A row that has its key already (a late entry) is only noted."""
        if rows:
            self.made += [row for row in rows if row.pk is None]
            self.changes.append([model._meta.label_lower, list(rows), None, None])
        return list(rows)

    def set[M: models.Model](self, row: M, **values: Any) -> M:
        changed = [name for name, value in values.items() if getattr(row, name) != value]
        if changed:
            self.move(row, {name: values[name] for name in changed})
        return row

    def set_all[M: models.Model](self, rows: Sequence[M], values: Sequence[dict[str, Any]]) -> None:
        for row, new in zip(rows, values, strict=True):
            self.move(row, new)

    def move(self, row: models.Model, values: dict[str, Any]) -> None:
        before = {name: getattr(row, name) for name in values}
        for name, value in values.items():
            setattr(row, name, value)
        self.touched.append((row, list(values)))
        self.changes.append([row._meta.label_lower, row, before, dict(values)])


def told(value: Any) -> Any:
    """As the journal stores it: rows by key, times as text."""
    if isinstance(value, models.Model):
        return value.pk
    if isinstance(value, dict):
        return {name: told(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [told(inner) for inner in value]
    return plain(value, ENCODER)


@dataclass(slots=True)
class Ledger:
    """Every row that waits, and what was done in which order."""

    rows: dict[type[models.Model], list[models.Model]] = field(default_factory=lambda: defaultdict(list))
    touched: dict[type[models.Model], dict[int, models.Model]] = field(default_factory=lambda: defaultdict(dict))
    fields: dict[type[models.Model], set[str]] = field(default_factory=lambda: defaultdict(set))
    entries: list[tuple[LogEntry, Later]] = field(default_factory=list)

    def record(self, write: Later, by: Actor, at: datetime) -> None:
        write.event.version += 1
        for row in write.made:
            self.rows[type(row)].append(row)
        for row, names in [*write.touched, (write.event, ["version"])]:
            if row.pk is not None:
                self.touched[type(row)][row.pk] = row
                self.fields[type(row)].update(names)
        values = {"event": write.event, "number": write.event.version, "action": write.action, "at": at}
        self.entries.append((LogEntry(**values, by_user=by.user, by_player=by.player), write))

    def write(self) -> None:
        results = undecided(self.rows[Match])
        for model in ORDER:
            insert(model, self.rows[model])
        decide(results)
        for model in (Registration, Event):
            update(model, self.touched[model].values(), sorted(self.fields[model]))
        for entry, write in self.entries:
            entry.data, entry.changes = told(write.data), told(write.changes)
        insert(LogEntry, [entry for entry, _write in self.entries])


def insert(model: type[models.Model], rows: Iterable[models.Model]) -> None:
    model._default_manager.bulk_create(rows, batch_size=BATCH)


def update(model: type[models.Model], rows: Iterable[models.Model], names: Sequence[str]) -> None:
    """Rows that are there take new values: an upsert is one statement where bulk_update is a CASE a row."""
    if names:
        model._default_manager.bulk_create(
            rows, batch_size=BATCH, update_conflicts=True, unique_fields=["id"], update_fields=names
        )


def undecided(matches: Iterable[models.Model]) -> list[tuple[models.Model, dict[str, Any]]]:
    """A match and its current revision name each other: the match goes in without a result first."""
    results = []
    for match in matches:
        values = {name: getattr(match, name) for name in BLANK}
        if values["current"] is not None:
            results.append((match, values))
            put(match, BLANK)
    return results


def decide(results: Iterable[tuple[models.Model, dict[str, Any]]]) -> None:
    rows = [put(match, values) for match, values in results]
    update(Match, rows, [*BLANK])


def put(row: models.Model, values: dict[str, Any]) -> models.Model:
    for name, value in values.items():
        setattr(row, name, value)
    return row
