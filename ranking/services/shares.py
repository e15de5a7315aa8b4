"""What the field plays and what wins: elements from every official event that ended, factions from published lists."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.db.models import Count, F, Q, QuerySet, Sum

from decks.models import Element, Faction, Game, SubmissionCard
from ranking import queries
from ranking.models import Season
from ranking.shares import Record
from tournaments.models import Event, Match, Registration, Seat
from tournaments.queries import public_lists

KEPT_SECONDS = 600
PLAYED = (Match.Outcome.WIN, Match.Outcome.DRAW)


@dataclass(frozen=True)
class Row:
    """One element or faction: how many brought it, its share of all who brought one, its record against the others."""

    of: Element | Faction
    players: int
    share: float
    record: Record


@dataclass(frozen=True)
class Field:
    """`players`: entries that say what they play; `against`: the record of an element (first) against another."""

    rows: list[Row]
    players: int
    against: Mapping[tuple[int, int], Record]


def events_of(game: Game, season: Season | None = None, tier: str = "") -> "QuerySet[Event]":
    """Official events that ended, of a season's days (half-open) and a tier where asked."""
    found = Event.objects.filter(game=game, status=Event.Status.FINISHED).exclude(tier=Event.Tier.CASUAL)
    if season:
        found = found.filter(date__gte=season.starts, date__lt=season.ends)
    return found.filter(tier=tier) if tier else found


def elements(game: Game, season: Season | None = None, tier: str = "") -> Field:
    """Kept for ten minutes and no longer than the snapshot of the ranking: both move when an event ends."""
    snapshot = queries.current(game)
    key = f"shares:{game.pk}:{snapshot.number if snapshot else 0}:{season.pk if season else 0}:{tier}"
    found: Field | None = cache.get(key)
    if found is None:
        found = _elements(game, events_of(game, season, tier))
        cache.set(key, found, KEPT_SECONDS)
    return found


def _elements(game: Game, events: "QuerySet[Event]") -> Field:
    entered = Registration.objects.filter(event__in=events).exclude(element=None).exclude(last_round=0)
    counts = dict(entered.order_by().values_list("element").annotate(Count("pk")))
    against = _against(events)
    records: dict[int, Record] = defaultdict(Record)
    for (mine, other), record in against.items():
        if mine != other:
            records[mine] += record
    every = sum(counts.values())
    rows = [
        Row(
            element, counts.get(element.pk, 0), counts.get(element.pk, 0) / every if every else 0.0, records[element.pk]
        )
        for element in game.elements.all()
    ]
    return Field(rows, every, against)


def _against(events: "QuerySet[Event]") -> dict[tuple[int, int], Record]:
    """One row of the database for each pair of elements: the first seat's side of every match that was played."""
    first = Seat.objects.filter(
        match__event__in=events, match__state=Match.State.DONE, match__outcome__in=PLAYED, position=0,
        match__seats__position=1,
    )  # fmt: skip
    rows = (
        first.order_by()
        .values_list("registration__element", "match__seats__registration__element")
        .annotate(
            Count("pk"),
            wins=Count("pk", filter=Q(match__winner=F("registration__player"))),
            draws=Count("pk", filter=Q(match__outcome=Match.Outcome.DRAW)),
        )
    )
    found: dict[tuple[int, int], Record] = defaultdict(Record)
    for mine, other, every, won, drawn in rows:
        if mine and other:
            lost = every - won - drawn
            found[mine, other] += Record(won, drawn, lost)
            if mine != other:
                found[other, mine] += Record(lost, drawn, won)
    return dict(found)


def factions(game: Game, season: Season | None = None, tier: str = "") -> Field:
    """By the faction that a published list has most cards of. Lists that nobody may read are not counted."""
    listed = public_lists().filter(event__in=events_of(game, season, tier))
    main = _main_factions(listed)
    counts = Counter(main.values())
    records = _records(main)
    every = len(main)
    rows = [
        Row(faction, counts[faction.pk], counts[faction.pk] / every if every else 0.0, records[faction.pk])
        for faction in game.factions.select_related("element")
    ]
    return Field(sorted(rows, key=lambda row: -row.players), every, {})


def _main_factions(listed: "QuerySet[Registration]") -> dict[int, int]:
    """Registration id to the faction of most of its cards; of equal ones the first of the game's file."""
    rows: Any = (
        SubmissionCard.objects.filter(submission__registration__in=listed)
        .exclude(card__faction=None)
        .order_by()
        .values_list("submission__registration", "card__faction", "card__faction__order")
        .annotate(copies=Sum("copies"))
    )
    best: dict[int, tuple[int, int, int]] = {}
    for registration, faction, order, copies in rows:
        best[registration] = max(best.get(registration, (0, 0, 0)), (copies, -order, faction))
    return {registration: faction for registration, (_copies, _order, faction) in best.items()}


def _records(main: Mapping[int, int]) -> dict[int, Record]:
    """Against anybody but the same faction; a rival without a public list counts as another."""
    seats = Seat.objects.filter(
        registration__in=list(main), match__state=Match.State.DONE, match__outcome__in=PLAYED, place=None
    )
    rows = seats.values_list("match", "registration", "registration__player", "match__winner", "match__outcome")
    found: dict[int, Record] = defaultdict(Record)
    by_match: dict[int, list[tuple[int, Record]]] = defaultdict(list)
    for match, registration, player, winner, outcome in rows:
        drawn = outcome == Match.Outcome.DRAW
        won = not drawn and winner == player
        by_match[match].append((main[registration], Record(int(won), int(drawn), int(not won and not drawn))))
    for sides in by_match.values():
        if len(sides) == 2 and sides[0][0] == sides[1][0]:
            continue
        for faction, record in sides:
            found[faction] += record
    return found
