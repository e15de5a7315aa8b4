"""What a ranking is made of, read from rows into values: official events that ended, seasons, who is who.

A day is the event's stored date (TOURNAMENT_RULES 9). Players are resolved through their merges. A match counts here
when it was played: a win or a draw at a table; byes, no-shows, assigned losses and agreed draws neither rate (RANKING
2.4) nor count as rounds really played (RANKING 1). A table of several is its pairs, parts of one match.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, field
from datetime import date
from itertools import combinations
from typing import Any, NamedTuple

from django.db.models import F, OuterRef, Q, QuerySet, Subquery

from decks.models import Game
from players.models import Player
from ranking.models import RatedEvent, Rating, Season, Snapshot
from ranking.points import PointsRow, PointsTable
from ranking.ratings.parameters import WHOLE
from ranking.tuning import Tuning, tuning
from tournaments.models import Event, FrozenStandings, Match, Registration, Seat

ENDED = (Event.Status.FINISHED, Event.Status.REOPENED)
PLAYED = {Match.Outcome.WIN.value: 2, Match.Outcome.DRAW.value: 1}  # half points of the winner, or of both
FEW = 500  # suspects up to here are read by id; beyond, reading everything is one query too


class Played(NamedTuple):
    match: int
    a: int
    b: int
    half_points: int  # of a
    sixths: int = WHOLE  # the part of a match that this pair is

    @property
    def part(self) -> tuple[int, ...]:
        """For the digest, which says nothing of whole matches."""
        return () if self.sixths == WHOLE else (self.sixths,)


@dataclass(frozen=True, slots=True)
class Entry:
    """One player's part in an event. place: final, the better one when tied (TOURNAMENT_RULES 7.6); None: no place."""

    player: int
    element: str
    place: int | None


@dataclass(slots=True)
class EventRead:
    id: int
    slug: str
    version: int
    day: date
    tier: str
    store: str
    entries: dict[int, Entry] = field(default_factory=dict)
    matches: list[Played] = field(default_factory=list)

    def digest(self) -> str:
        """Changes with whatever the ranking takes from the event, and with nothing else: not with a paid tick."""
        entries = sorted(astuple(entry) for entry in self.entries.values())
        matches = sorted(min((m.a, m.b, m.half_points), (m.b, m.a, 2 - m.half_points)) + m.part for m in self.matches)
        return hashed([self.id, str(self.day), self.tier, self.store, entries, matches])


class Seen(NamedTuple):
    """An event as a run read it."""

    version: int
    digest: str
    day: date


@dataclass(frozen=True, slots=True)
class SeasonRead:
    """Half-open: `starts` belongs to it, `ends` does not (TOURNAMENT_RULES 9)."""

    id: int
    slug: str
    starts: date
    ends: date
    element: str
    table: PointsTable

    def __contains__(self, day: date) -> bool:
        return self.starts <= day < self.ends


@dataclass(frozen=True, slots=True)
class Person:
    id: int
    code: str
    sort_key: str
    province: str
    country: str
    pinned: str
    retired: bool


@dataclass(frozen=True, slots=True)
class Look:
    """What there is to rank, seen cheaply: events are read whole only where their version says that they may differ."""

    game: Game
    tuning: Tuning
    base: Snapshot | None
    events: dict[int, Seen]
    rated: dict[int, Seen]  # what the base's run had read
    context: dict[str, str]
    moved_people: str  # digest of players whose province, pin or retirement the base's boards do not know

    @property
    def day(self) -> date:
        return date.fromisoformat(self.context["day"])

    @property
    def same_events(self) -> bool:
        return {k: s.digest for k, s in self.events.items()} == {k: s.digest for k, s in self.rated.items()}

    @property
    def changed(self) -> bool:
        if self.base is None:
            return bool(self.events)
        run = self.base.run
        same = run.context == self.context and run.parameters == self.tuning.parameters.version
        return not (same and self.same_events and self.moved_people == NOBODY)

    @property
    def key(self) -> str:
        """The run's input digest. The base is part of it: boards say who moved since."""
        events = sorted((event, seen.digest) for event, seen in self.events.items())
        return hashed([self.base.number if self.base else 0, events, self.context, self.moved_people])


def hashed(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, default=str, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


NOBODY = hashed([])


def look(game: Game, today: date) -> Look:
    """Eight queries while nothing happens, whatever the number of matches."""
    base = Snapshot.objects.filter(game=game, current=True).select_related("run").first()
    rated = rated_events(base)
    versions = {key: (version, day) for key, version, day in ended(game).values_list("pk", "version", "date")}
    tuned = tuning(game.slug)
    merges = hashed(sorted(raw_merges()))
    known = rated if base and base.run.context.get("merges") == merges else {}
    context = {
        "merges": merges,
        "seasons": hashed([astuple(season) for season in seasons(game)]),
        "minimums": hashed(astuple(tuned.minimums)),
        "day": str(board_day([day for _, day in versions.values()], base, today)),
    }
    return Look(game, tuned, base, seen_events(game, versions, known), rated, context, moved_people(base))


def board_day(days: Iterable[date], base: Snapshot | None, today: date) -> date:
    """The newest event's day: activity and drift are told from there, so that the same rows give the same boards
    whenever they are computed. A date in the future is a slip that must not hide everybody."""
    return min(max(days, default=base.day if base else today), today)


def ended(game: Game) -> "QuerySet[Event]":
    """Official events that ended. A reopened one keeps counting, as its rows stand: reopening is no verdict."""
    return Event.objects.filter(game=game, status__in=ENDED).exclude(tier=Event.Tier.CASUAL)


def rated_events(snapshot: Snapshot | None) -> dict[int, Seen]:
    rows = RatedEvent.objects.filter(run__snapshot=snapshot) if snapshot else RatedEvent.objects.none()
    columns = rows.values_list("event_id", "version", "digest", "date")
    return {event: Seen(version, digest, day) for event, version, digest, day in columns}


def seen_events(game: Game, versions: Mapping[int, tuple[int, date]], known: Mapping[int, Seen]) -> dict[int, Seen]:
    same = {key: known[key] for key, (version, _) in versions.items() if key in known and known[key].version == version}
    suspects = versions.keys() - same.keys()
    if not suspects:
        return same
    rows = ended(game) if len(suspects) > FEW else ended(game).filter(pk__in=suspects)
    return same | {event.id: seen(event) for event in read(rows) if event.id in suspects}


def seen(event: EventRead) -> Seen:
    return Seen(event.version, event.digest(), event.day)


def moved_people(base: Snapshot | None) -> str:
    """Who differs from the copies on the base's ratings; merges are told apart, by `raw_merges`."""
    same = Q(province=F("player__province"), country=F("player__country"), pinned=F("player__home_store"))
    same &= Q(retired=True, player__retired_at__isnull=False) | Q(retired=False, player__retired_at=None)
    columns = ("player_id", "player__province", "player__country", "player__home_store", "player__retired_at")
    rows = Rating.objects.filter(snapshot=base).exclude(same) if base else Rating.objects.none()
    return hashed(list(rows.order_by("player_id").values_list(*columns)))


# -- everything, for a computation -------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Reading:
    """events: by day, then id. people: by player id, everybody who appears in them."""

    events: list[EventRead]
    seasons: list[SeasonRead]
    people: dict[int, Person]
    aliases: dict[int, int]


def read_all(game: Game) -> Reading:
    """Nine queries (and more for events that were finished without frozen standings)."""
    aliases = merged_players()
    events = read(ended(game), aliases)
    return Reading(events, seasons(game), people(events), aliases)


def read(rows: "QuerySet[Event]", aliases: Mapping[int, int] | None = None) -> list[EventRead]:
    aliases = merged_players() if aliases is None else aliases
    columns = ("pk", "slug", "version", "date", "tier", "store__slug")
    events = {row[0]: EventRead(*row) for row in rows.order_by("date", "pk").values_list(*columns)}
    read_entries(events, rows, aliases)
    read_matches(events, rows, aliases)
    return list(events.values())


def read_entries(events: Mapping[int, EventRead], rows: "QuerySet[Event]", aliases: Mapping[int, int]) -> None:
    """Whoever was in the event; a disqualified player has no place (TOURNAMENT_RULES 8.5)."""
    places = final_places(rows)
    columns = ("pk", "event_id", "player_id", "status", "element__slug")
    found = Registration.objects.filter(event__in=rows.values("pk")).exclude(status=Registration.Status.WAITING)
    for key, event, player, status, element in found.order_by("event_id", "pk").values_list(*columns):
        if event not in events:
            continue
        player = aliases.get(player, player)
        place = None if status == Registration.Status.DISQUALIFIED else places[event].get(key)
        twin = events[event].entries.get(player)
        events[event].entries[player] = better(Entry(player, element or "", place), twin)


def better(entry: Entry, twin: Entry | None) -> Entry:
    """Two records of one person in one event are one entry: the better place, and an element if either declared one."""
    if twin is None:
        return entry
    placed = min([place for place in (entry.place, twin.place) if place is not None], default=None)
    return Entry(entry.player, twin.element or entry.element, placed)


def final_places(rows: "QuerySet[Event]") -> dict[int, dict[int, int]]:
    """{event: {registration: place}} of the newest frozen final standings (rules 2.7, 7.6)."""
    places: dict[int, dict[int, int]] = defaultdict(dict)
    final = FrozenStandings.objects.filter(phase=FrozenStandings.Phase.FINAL)
    newest = final.filter(event=OuterRef("event")).order_by("-revision").values("pk")[:1]
    frozen = final.filter(event__in=rows.values("pk"), pk=Subquery(newest))
    for event, standings in frozen.values_list("event_id", "rows"):
        places[event] = {row["registration"]: row["rank"] for row in standings}
    return places


def read_matches(events: Mapping[int, EventRead], rows: "QuerySet[Event]", aliases: Mapping[int, int]) -> None:
    seats = Seat.objects.filter(match__event__in=rows.values("pk"), match__kind=Match.Kind.TABLE)
    seats = seats.filter(match__outcome__in=PLAYED, match__state=Match.State.DONE).order_by("match_id", "position")
    columns = ("match__event_id", "match_id", "match__outcome", "match__winner_id", "registration__player_id", "place")
    tables: dict[int, list[tuple[int, str, int | None, int]]] = defaultdict(list)
    pods: dict[int, list[tuple[int, int, int | None]]] = defaultdict(list)
    found = seats.values_list(*columns, "match__event__format").iterator(chunk_size=5000)
    for event, match, outcome, winner, player, place, format in found:
        if format == Event.Format.PODS:
            pods[match].append((event, aliases.get(player, player), place))
        else:
            tables[match].append((event, outcome, winner, player))
    for match, sides in tables.items():
        if len(sides) == 2 and sides[0][0] in events:
            add_match(events[sides[0][0]], match, sides, aliases)
    for match, sitting in pods.items():
        if sitting[0][0] in events:
            add_pod(events[sitting[0][0]], match, [(player, place) for _, player, place in sitting])


def add_match(
    event: EventRead, match: int, sides: list[tuple[int, str, int | None, int]], aliases: Mapping[int, int]
) -> None:
    (_, outcome, winner, first), (_, _, _, second) = sides
    a, b = aliases.get(first, first), aliases.get(second, second)
    half_points = PLAYED[outcome] if winner in (None, first) else 0
    if a != b:
        event.matches.append(Played(match, a, b, half_points))


def add_pod(event: EventRead, match: int, sitting: list[tuple[int, int | None]]) -> None:
    """Every two who played, each with weight 1/(players - 1) (RANKING 2, GAMES): one match for everybody."""
    played = [(player, place) for player, place in sitting if place is not None]
    for (a, first), (b, second) in combinations(played, 2):
        if a != b:
            half_points = 1 if first == second else 2 * (first < second)
            event.matches.append(Played(match, a, b, half_points, WHOLE // (len(played) - 1)))


def raw_merges() -> list[tuple[int, int]]:
    rows = Player.objects.filter(merged_into__isnull=False).values_list("pk", "merged_into_id")
    return [(source, target) for source, target in rows if target is not None]


def merged_players() -> dict[int, int]:
    """{merged record: the record that stands for it}, followed to the end of the chain."""
    step = dict(raw_merges())
    ends: dict[int, int] = {}
    for source in step:
        end, passed = source, {source}
        while (following := step.get(end)) is not None and following not in passed:
            passed.add(following)
            end = following
        ends[source] = end
    return ends


def people(events: Iterable[EventRead]) -> dict[int, Person]:
    ids = {player for event in events for player in event.entries}
    ids |= {player for event in events for match in event.matches for player in (match.a, match.b)}
    columns = ("pk", "code", "sort_key", "province", "country", "home_store", "retired_at")
    rows = Player.objects.filter(registrations__isnull=False) if len(ids) > FEW else Player.objects.filter(pk__in=ids)
    found = rows.values_list(*columns).distinct()
    stand_ins = Player.objects.filter(merged__isnull=False).values_list(*columns).distinct()
    everybody = {row[0]: person(row) for row in (*found, *stand_ins)}
    return {player: everybody[player] for player in sorted(ids)}


def person(row: tuple[Any, ...]) -> Person:
    key, code, sort_key, province, country, pinned, retired_at = row
    return Person(key, code, sort_key, province, country, pinned, retired_at is not None)


def seasons(game: Game) -> list[SeasonRead]:
    """Every season but drafts, oldest first: a closed one is still computed, to show what a correction would move."""
    rows = Season.objects.filter(game=game).exclude(status=Season.Status.DRAFT).order_by("starts", "pk")
    return [
        SeasonRead(row.pk, row.slug, row.starts, row.ends, row.element.slug if row.element else "", points_table(row))
        for row in rows.select_related("element").prefetch_related("rules")
    ]


def points_table(season: Season) -> PointsTable:
    rows = [PointsRow(r.tier, r.place_from, r.place_to, r.needs, r.points) for r in season.rules.all()]
    return PointsTable(tuple(rows), season.best_finishes)


def current_season(seasons: Iterable[SeasonRead], day: date) -> SeasonRead | None:
    """The one that the day belongs to; the widest when an elemental season runs inside another."""
    running = [season for season in seasons if day in season and not season.element]
    return max(running, key=lambda season: season.starts, default=None)
