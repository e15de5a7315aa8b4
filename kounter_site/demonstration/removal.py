"""Takes the demonstration away and nothing else.

An event is demonstration when its store is. People of the shop who played there stay; made-up people who got into an
event of the shop's own stay in it, as guests and without the mark: results and tie-breaks never lose an opponent.
Snapshots that were computed from it go, but those in which a season of the shop's own was closed or published.
"""

from dataclasses import dataclass
from datetime import timedelta

from django.db import models, transaction
from django.db.models import Count, Min, Q

from players.models import Player, User
from ranking.models import Run, Season, SeasonResult, Snapshot
from ranking.services import publication
from tournaments.models import Event, FrozenStandings, LogEntry, Match, ResultRevision, Role, Seat, Store

# Where a player is named beside his registrations; the database protects these rows.
NAMED: tuple[tuple[type[models.Model], str], ...] = (
    (LogEntry, "by_player"),
    (ResultRevision, "by_player"),
    (ResultRevision, "winner"),
    (Match, "winner"),
)


@dataclass(frozen=True, slots=True)
class Removed:
    """`kept`: codes of made-up players who stay. `ownerless`: own stores whose only owners were made-up accounts."""

    stores: int
    events: int
    players: int
    accounts: int
    seasons: int
    kept: list[str]
    ownerless: list[str]


LOADING = timedelta(minutes=10)  # one transaction, on the slowest machine


def own_events() -> "models.QuerySet[Event]":
    """Events that somebody made in demonstration stores after it was loaded: they go with their store."""
    events = Event.objects.filter(store__demo=True)
    loaded = events.aggregate(at=Min("created_at"))["at"]
    return events.filter(created_at__gt=loaded + LOADING) if loaded else events.none()


@transaction.atomic
def remove() -> Removed:
    """Twice is once. Rankings go first, so that nothing points at the events any more."""
    stores, accounts = Store.objects.filter(demo=True), User.objects.filter(demo=True)
    seasons, events = Season.objects.filter(demo=True), Event.objects.filter(store__demo=True)
    found = {
        "stores": stores.count(),
        "events": events.count(),
        "accounts": accounts.count(),
        "seasons": seasons.count(),
    }
    seasons.delete()
    remove_rankings(events)
    unpin(stores)
    remove_events(events)
    stores.delete()
    kept, ownerless = keep_needed(), owned_by_nobody_else()
    accounts.delete()
    players = Player.objects.filter(demo=True)
    found["players"] = players.count()
    players.delete()
    return Removed(**found, kept=kept, ownerless=ownerless)


# -- rankings ----------------------------------------------------------------------------------------------------------
def remove_rankings(events: "models.QuerySet[Event]") -> None:
    """Every run since the demonstration was loaded has read it, whatever else it read. The worker computes anew."""
    loaded = events.aggregate(at=Min("created_at"))["at"]
    if loaded is None:
        return
    runs = Run.objects.filter(Q(queued_at__gte=loaded) | Q(events__event__in=events)).distinct()
    keys = list(runs.values_list("pk", flat=True))
    for snapshot in Snapshot.objects.filter(run__in=keys).exclude(pk__in=held_snapshots()):
        publication.delete(snapshot)
    Run.objects.filter(pk__in=keys, snapshot=None).delete()


def held_snapshots() -> set[int]:
    """What seasons stand on; those of the demonstration are gone by now."""
    closed = Season.objects.exclude(frozen=None).values_list("frozen", flat=True)
    published = SeasonResult.objects.exclude(snapshot=None).values_list("snapshot", flat=True)
    return {key for key in (*closed, *published) if key is not None}


# -- events ------------------------------------------------------------------------------------------------------------
def unpin(stores: "models.QuerySet[Store]") -> None:
    pinned = Player.objects.filter(home_store__in=list(stores.values_list("slug", flat=True)))
    pinned.update(home_store="")


def remove_events(events: "models.QuerySet[Event]") -> None:
    """The many small rows by one statement each, the rest by cascade."""
    matches = Match.objects.filter(event__in=events)
    raw_delete(LogEntry.objects.filter(event__in=events))
    raw_delete(FrozenStandings.objects.filter(event__in=events))
    raw_delete(Seat.objects.filter(match__in=matches))
    matches.update(state=Match.State.OPEN, outcome=None, winner=None, current=None)
    raw_delete(ResultRevision.objects.filter(match__in=matches))
    events.delete()


def raw_delete(rows: "models.QuerySet[models.Model]") -> None:
    """Looks nothing up; whatever still points there, the database refuses at the end of the transaction."""
    rows._raw_delete(rows.db)


# -- people ------------------------------------------------------------------------------------------------------------
def keep_needed() -> list[str]:
    """Made-up players of the shop's own rows become its guests: no mark, and no account with a published password."""
    kept = list(Player.objects.filter(pk__in=needed()).order_by("code"))
    for player in kept:
        player.demo, player.user = False, None
        player.save(update_fields=["demo", "user"])
    return [player.code for player in kept]


def needed() -> set[int]:
    """Whoever is named in rows that stay, and the record that stands for him (or for somebody of the shop's own)."""
    demo = Player.objects.filter(demo=True)
    found = keys(demo.filter(Q(registrations__isnull=False) | Q(merged__demo=False)))
    for model, name in NAMED:
        found |= keys(demo.filter(pk__in=model._default_manager.filter(**{f"{name}__demo": True}).values(name)))
    while more := keys(demo.filter(merged__in=found)) - found:
        found |= more
    return found


def keys(players: "models.QuerySet[Player]") -> set[int]:
    return set(players.values_list("pk", flat=True))


def owned_by_nobody_else() -> list[str]:
    owned = Role.objects.filter(kind=Role.Kind.OWNER, store__demo=False).values("store__slug")
    counted = owned.annotate(own=Count("pk", Q(user__demo=False)))
    return sorted(row["store__slug"] for row in counted if not row["own"])
