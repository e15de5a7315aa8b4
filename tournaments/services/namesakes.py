"""Who may have come under this name on another night of the store (CASES 51, 52): asked about, never decided by name.

A name that the counter types is asked about before it enters. A guest who signs up from a phone, or comes in with a
list, is in already: staff are told, and one press makes them one person or says that they are two.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Max, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from players.models import Player
from players.services import people
from tournaments.models import Event, Registration
from tournaments.queries import Sheet
from tournaments.services import merges
from tournaments.services.errors import Refused
from tournaments.services.journal import Actor
from tournaments.services.registrations import changing


@dataclass(frozen=True, slots=True)
class Known:
    """Somebody of other nights of the store, as the record that stands, and the day of the newest of them."""

    player: Player
    day: date


@dataclass(frozen=True, slots=True)
class Namesake:
    """Who is new in this event's store, and who else of it is called the same."""

    row: Registration
    known: list[Known]


def known(event: Event, keys: Iterable[str]) -> dict[str, list[Known]]:
    """By folded name, who is in other events of the store. One query, and one more a merge of three records."""
    elsewhere = Q(registrations__event__store=event.store_id) & ~Q(registrations__event=event)
    named = Player.objects.filter(staff_key__in=set(keys), retired_at=None).select_related("merged_into__merged_into")
    records = named.annotate(day=Max("registrations__event__date", filter=elsewhere)).exclude(day=None)
    found: dict[str, dict[int, Known]] = {}
    for record in records.order_by("day", "pk"):
        player = record.root
        found.setdefault(record.staff_key, {})[player.pk] = Known(player, record.day)  # type: ignore[attr-defined]
    return {key: list(group.values()) for key, group in found.items()}


def namesakes(sheet: Sheet) -> list[Namesake]:
    """Whom staff should look at: new here, called like somebody who is not in the event, and not yet told apart."""
    new = [row for row in sheet.registrations if row.last_round != 0 and not row.told_apart]
    found = known(sheet.event, {row.person.staff_key for row in new}) if new else {}
    inside = {row.person.pk for row in sheet.registrations}
    asked = [Namesake(row, others(row.person, found.get(row.person.staff_key, []), inside)) for row in new]
    return [each for each in asked if each.known]


def others(person: Player, group: list[Known], inside: set[int]) -> list[Known]:
    """Nobody for whoever has been here before as himself; two accounts are never one person."""
    if any(each.player.pk == person.pk for each in group):
        return []
    free = [each for each in group if each.player.pk not in inside]
    return [each for each in free if person.user_id is None or each.player.user_id is None]


def same(registration: Registration, player: Player, *, by: Actor, at: datetime | None = None) -> Player:
    """One person: this event's record points to the one of the other nights, or that one to this one's account.

    Also in a finished event, whose matches then count for that person. Undone like anything else in the log.
    """
    at = at or timezone.now()
    with changing(registration, "player.unite", by=by, at=at, always=True) as (write, row):
        other, mine = people.root(player), people.root(row.player)
        source, target = (other, mine) if mine.user_id else (mine, other)
        merges.require(source, target)
        merges.point(write, source, target, by=by.user, at=at)
        write.data["players"] = [source.pk, target.pk]
    return target


def different(registration: Registration, *, by: Actor, at: datetime | None = None) -> Registration:
    """Two people of one name: not asked again in this event."""
    with changing(registration, "player.apart", by=by, at=at, always=True) as (write, row):
        write.set(row, told_apart=True)
    return row


def candidate(registration: Registration, pk: int) -> Player:
    """Of the store's own people of that name only: nobody is joined to whoever the form may name."""
    person = registration.person
    group = known(registration.event, [person.staff_key]).get(person.staff_key, [])
    for each in others(person, group, set()):
        if each.player.pk == pk:
            return each.player
    raise Refused(_("Nobody else of this store is called that any more."), code="gone")
