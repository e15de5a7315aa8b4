"""The one way to write to an event: a transaction that logs who, when, what and why, bumps the version, can be undone.

    with journal.change(event, "player.drop", by=actor, at=at, reason=reason) as write:
        write.set(registration, status="dropped", last_round=2)

`write.event` is the locked row: decide on it, not on the one that was passed in. Costs three queries beside the writes
(lock, version, log entry). Nothing is logged when the block raises.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Self

from django.apps import apps
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from decks.models import Submission, SubmissionCard, Verdict
from players.models import Player, User
from tournaments.models import Event, FrozenStandings, LogEntry, ResultRevision
from tournaments.services.errors import Refused

# Rule 1.5 and 2.7: what was said, published or handed in stays on record; an undo only moves the pointers away from it.
APPEND_ONLY = (ResultRevision, FrozenStandings, Submission, SubmissionCard, Verdict)


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts: staff by account, a player by account or by his guest link, nobody for the system."""

    user: User | None = None
    player: Player | None = None

    @classmethod
    def system(cls) -> Self:
        return cls()


SYSTEM = Actor()


def column(model: type[models.Model], name: str) -> "models.Field[Any, Any]":
    field = model._meta.get_field(name)
    assert isinstance(field, models.Field)
    return field


def encoded(row: models.Model, names: Iterable[str]) -> dict[str, Any]:
    encoder = DjangoJSONEncoder()
    values = {name: getattr(row, column(type(row), name).attname) for name in names}
    return {name: plain(value, encoder) for name, value in values.items()}


def plain(value: Any, encoder: DjangoJSONEncoder) -> Any:
    """Moments to the microsecond, which the encoder would cut: an undo gives back exactly what was there."""
    if isinstance(value, datetime):
        return value.isoformat()
    kept = (str, int, float, bool, list, dict, type(None))
    return value if isinstance(value, kept) else encoder.default(value)


def decoded(model: type[models.Model], values: dict[str, Any]) -> dict[str, Any]:
    fields = {name: column(model, name) for name in values}
    return {fields[name].attname: fields[name].to_python(value) for name, value in values.items()}


def all_fields(model: type[models.Model]) -> list[str]:
    return [f.name for f in model._meta.concrete_fields]


@dataclass(slots=True)
class Change:
    """Collects what a service writes. `data` goes into the log sentence; set `action` or `data` any time inside."""

    event: Event
    action: str
    data: dict[str, Any] = field(default_factory=dict)
    changes: list[list[Any]] = field(default_factory=list)
    skip: bool = False  # nothing happened after all: no log entry, no new version

    def add[M: models.Model](self, row: M) -> M:
        row.save(force_insert=True)
        self.changes.append([row._meta.label_lower, [row.pk], None, None])
        return row

    def add_all[M: models.Model](self, model: type[M], rows: Sequence[M]) -> list[M]:
        """One INSERT (bulk_create). Rows come back with their keys."""
        if not rows:
            return []
        made = model._default_manager.bulk_create(rows)
        self.changes.append([model._meta.label_lower, [row.pk for row in made], None, None])
        return made

    def set[M: models.Model](self, row: M, **values: Any) -> M:
        """Update named fields; equal values are left out, and nothing is written when all are equal."""
        changed = [name for name, value in values.items() if getattr(row, name) != value]
        if not changed:
            return row
        before = encoded(row, changed)
        for name in changed:
            setattr(row, name, values[name])
        row.save(update_fields=changed)
        self.changes.append([row._meta.label_lower, row.pk, before, encoded(row, changed)])
        return row

    def set_all[M: models.Model](self, rows: Sequence[M], values: Sequence[dict[str, Any]]) -> None:
        """Many rows of one model in one UPDATE; `values[i]` are the new fields of `rows[i]`, the same names in all."""
        if not rows:
            return
        names = list(values[0])
        for row, new in zip(rows, values, strict=True):
            before = encoded(row, names)
            for name in names:
                setattr(row, name, new[name])
            self.changes.append([row._meta.label_lower, row.pk, before, encoded(row, names)])
        type(rows[0])._default_manager.bulk_update(rows, names)

    def remove(self, rows: Sequence[models.Model]) -> None:
        """Delete rows of one model, kept whole in the log. Remove children before parents."""
        if not rows:
            return
        model = type(rows[0])
        for row in rows:
            self.changes.append([model._meta.label_lower, row.pk, encoded(row, all_fields(model)), None])
        model._default_manager.filter(pk__in=[row.pk for row in rows])._raw_delete("default")


def locked(event: Event) -> Event:
    """The event row under lock, with its store; on SQLite the IMMEDIATE transaction is the lock."""
    return Event.objects.select_for_update(of=("self",)).select_related("store", "game").get(pk=event.pk)


@contextmanager
def change(
    event: Event,
    action: str,
    *,
    by: Actor,
    at: datetime | None = None,
    reason: str = "",
    data: dict[str, Any] | None = None,
) -> Iterator[Change]:
    with transaction.atomic():
        write = Change(locked(event), action, dict(data or {}))
        yield write
        if not write.skip:
            record(write, by, at or timezone.now(), reason)
    event.version, event.status = write.event.version, write.event.status


def record(write: Change, by: Actor, at: datetime, reason: str, undoes: LogEntry | None = None) -> LogEntry:
    write.event.version += 1
    write.event.save(update_fields=["version"])
    return LogEntry.objects.create(
        event=write.event,
        number=write.event.version,
        action=write.action,
        data=write.data,
        changes=write.changes,
        reason=reason[:300],
        by_user=by.user,
        by_player=by.player,
        undoes=undoes,
        at=at,
    )


def next_undo(event: Event) -> LogEntry | None:
    """The newest action that is not undone and is no undo itself (rule 6.5)."""
    entries = LogEntry.objects.filter(event=event, undoes=None, undone_by=None).exclude(changes=[])
    return entries.order_by("-number").first()


def undo(event: Event, number: int, *, by: Actor, at: datetime | None = None, reason: str = "") -> LogEntry:
    """Undo the entry `number`, which must still be the newest (rule 6.5): a stale button undoes nothing else."""
    at = at or timezone.now()
    with transaction.atomic():
        write = Change(locked(event), "undo")
        entry = next_undo(write.event)
        if entry is None or entry.number != number:
            raise Refused(_("Something newer has happened; undo that first."), code="undo_stale", rule="6.5")
        write.data = {"action": entry.action, "number": entry.number, **entry.data}
        for label, key, before, after in reversed(entry.changes):
            revert(write, apps.get_model(label), key, before, after)
            if label == FrozenStandings._meta.label_lower:
                publish_before(write, key, at)
        done = record(write, by, at, reason, undoes=entry)
    event.version, event.status = write.event.version, write.event.status
    return done


def revert(write: Change, model: type[models.Model], key: Any, before: dict[str, Any] | None, after: Any) -> None:
    rows = model._default_manager
    if before is None:
        if not issubclass(model, APPEND_ONLY):
            rows.filter(pk__in=key).delete()
    elif after is None:
        rows.bulk_create([model(**decoded(model, before))])
    else:
        restore(write, model, key, before, after)


def publish_before(write: Change, keys: Sequence[int], at: datetime) -> None:
    """What had been published before those revisions is published again, as the newest (rule 2.7)."""
    for undone in FrozenStandings.objects.filter(pk__in=keys):
        phase = FrozenStandings.objects.filter(event=undone.event_id, phase=undone.phase).order_by("-revision")
        older = phase.filter(revision__lt=undone.revision).first()
        if older is not None:
            newest = phase.values_list("revision", flat=True)[0]
            again = {"event": write.event, "phase": older.phase, "rows": older.rows, "reason": older.reason}
            write.add(FrozenStandings(revision=newest + 1, at=at, **again))


def restore(write: Change, model: type[models.Model], key: Any, before: dict[str, Any], after: dict[str, Any]) -> None:
    row = write.event if model is Event and key == write.event.pk else model._default_manager.get(pk=key)
    if encoded(row, after) != after:
        raise Refused(_("This was changed again since; undo that first."), code="undo_conflict", rule="6.5")
    for name, value in decoded(model, before).items():
        setattr(row, name, value)
    row.save(update_fields=list(before))
