"""The weeks of a circuit as rows, written in bulk: a dozen INSERTs a week, whatever the number of events."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from random import Random
from typing import Any

from django.db import transaction
from django.db.models import OuterRef, Subquery
from django.utils.translation import gettext as _

from decks.models import Game
from ranking.models import Season
from ranking.services import seasons
from ranking.services.errors import Refused
from ranking.services.simulation.crowd import Regular, Shop, regulars, shops
from ranking.services.simulation.nights import Night, Played, Table, play
from tournaments.models import Event, FrozenStandings, LogEntry, Match, Registration, ResultRevision, Round, Seat, Store
from tournaments.queries import Sheet, in_room_order, join_seats
from tournaments.services import seating
from tournaments.services.events import MINUTES, final_rows, local_aware
from tournaments.services.freezing import swiss_rows
from tournaments.services.journal import SYSTEM
from tournaments.swiss.types import Outcome

SMALLEST, LARGEST = 4, 32  # what a shop seats on a weekly night
REGIONAL = 64
STARTS = time(18, 30)


@dataclass(frozen=True, slots=True)
class Plan:
    """until: the last day of the last week. label: the beginning of every slug, from the seed."""

    game: Game
    players: int
    stores: int
    weeks: int
    seed: int
    until: date

    @property
    def label(self) -> str:
        return f"sim-{self.seed}"

    def first_day(self, week: int) -> date:
        return self.until - timedelta(days=6, weeks=self.weeks - 1 - week)


@dataclass(slots=True)
class Made:
    players: int = 0
    stores: int = 0
    events: int = 0
    matches: int = 0


def simulate(plan: Plan) -> Made:
    """Refused when this seed was simulated here before. Ratings are the worker's, or `rebuild_ranking`'s."""
    if Store.objects.filter(slug=f"{plan.label}-1").exists():
        message = _("Seed %(seed)d has been simulated here already; take another one.") % {"seed": plan.seed}
        raise Refused(message, code="simulated")
    rng = Random(f"kounter/{plan.seed}")
    with transaction.atomic():
        found = shops(rng, plan.stores, plan.label, plan.first_day(0))
        people = regulars(rng, found, plan.players, list(plan.game.elements.all()), plan.label)
        open_season(plan)
    made = Made(players=len(people), stores=len(found))
    for week in range(plan.weeks):
        nights = [play_night(event, who, rng) for event, who in week_of(plan, week, found, rng)]
        write(nights)
        made.events += len(nights)
        made.matches += sum(len(played.tables) for night in nights for played in night.rounds)
    return made


def open_season(plan: Plan) -> None:
    """Points want a season: the one that is open, or one around these weeks."""
    first = plan.first_day(0)
    running = Season.objects.filter(game=plan.game, status=Season.Status.OPEN, starts__lte=first, ends__gt=plan.until)
    if not running.exists():
        name, ends = _("Simulated season %(seed)d") % {"seed": plan.seed}, plan.until + timedelta(days=56)
        season = seasons.create(plan.game, by=SYSTEM, name=name, starts=first, ends=ends, demo=True)
        seasons.open(season, by=SYSTEM)


# -- who plays where ---------------------------------------------------------------------------------------------------
def week_of(plan: Plan, week: int, shops: list[Shop], rng: Random) -> Iterator[tuple[Event, list[Regular]]]:
    for number, shop in enumerate(shops, 1):
        who = visitors(shop, shops, rng) + [p for p in shop.regulars if rng.random() < p.keen]
        if len(who) >= SMALLEST:
            who = rng.sample(who, min(len(who), LARGEST))
            yield weekly(plan, week, number, shop), who
    if week == plan.weeks - 1 and (who := invited(shops, rng)):
        yield regional(plan, shops[0]), who


def visitors(shop: Shop, shops: list[Shop], rng: Random) -> list[Regular]:
    """One or two from a shop that plays on another day, so that nobody sits at two tables of an evening."""
    others = [other for other in rng.sample(shops, min(3, len(shops))) if other.offset != shop.offset]
    pool = others[0].regulars if others else []
    return rng.sample(pool, min(len(pool), rng.randint(0, 2)))


def invited(shops: list[Shop], rng: Random) -> list[Regular]:
    """The keenest, for the regional on the last day; a circuit of fewer than sixteen holds none."""
    pool = sorted((person for shop in shops for person in shop.regulars), key=lambda person: -person.keen)
    return rng.sample(pool[:REGIONAL], len(pool[:REGIONAL])) if len(pool) >= 16 else []


def weekly(plan: Plan, week: int, number: int, shop: Shop) -> Event:
    day = plan.first_day(week) + timedelta(days=shop.offset)
    fields = {"slug": f"{plan.label}-{number}-{day}", "name": shop.series.name, "series": shop.series}
    return event_of(plan, shop, day, STARTS, best_of=shop.best_of, **fields)


def regional(plan: Plan, shop: Shop) -> Event:
    name = _("Regional %(seed)d") % {"seed": plan.seed}
    fields = {"slug": f"{plan.label}-regional", "name": name, "tier": Event.Tier.REGIONAL, "cut_size": 8}
    return event_of(plan, shop, plan.until, time(10), best_of=3, **fields)


def event_of(plan: Plan, shop: Shop, day: date, starts: time, *, best_of: int, **fields: Any) -> Event:
    at = local_aware(datetime.combine(day, starts), shop.store.zone)
    event = Event(store=shop.store, game=plan.game, starts_at=at, best_of=best_of, minutes=MINUTES[best_of], **fields)
    event.status, event.version = Event.Status.FINISHED, 1
    return event.derive()


def play_night(event: Event, who: list[Regular], rng: Random) -> Night:
    night = play(event, who, rng)
    event.finished_at = time_of(event, len(night.rounds) + 1)
    return night


def time_of(event: Event, number: int) -> datetime:
    return event.starts_at + (number - 1) * timedelta(minutes=event.minutes + 10)


# -- rows --------------------------------------------------------------------------------------------------------------
@dataclass(eq=False)
class Rows:
    """One night's rows, linked to each other; keys come with the INSERTs."""

    night: Night
    registrations: list[Registration] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)
    tables: list[tuple[Match, Table]] = field(default_factory=list)
    seats: list[Seat] = field(default_factory=list)
    revisions: list[ResultRevision] = field(default_factory=list)


@transaction.atomic
def write(nights: list[Night]) -> None:
    """A week. A match and its revision name each other: it goes in open, and one UPDATE lets it follow its revision."""
    Event.objects.bulk_create([night.event for night in nights])
    rows = [rows_of(night) for night in nights]
    Registration.objects.bulk_create([row for night in rows for row in night.registrations])
    Round.objects.bulk_create([row for night in rows for row in night.rounds])
    Match.objects.bulk_create([match for night in rows for match, _table in night.tables])
    Seat.objects.bulk_create([row for night in rows for row in night.seats])
    ResultRevision.objects.bulk_create([row for night in rows for row in night.revisions])
    decide([night.event for night in nights])
    FrozenStandings.objects.bulk_create([frozen for night in rows for frozen in frozen_rows(night)])
    LogEntry.objects.bulk_create([log_entry(night) for night in rows])


def rows_of(night: Night) -> Rows:
    rows = Rows(night, registrations=enrolled(night))
    by_key = dict(zip(night.by_key, rows.registrations, strict=True))
    for number, played in enumerate(night.rounds, 1):
        round = round_of(night.event, number, played)
        rows.rounds.append(round)
        for table in played.tables:
            seat(rows, round, table, [by_key[key] for key in table.match.players])
    return rows


def enrolled(night: Night) -> list[Registration]:
    status, event = Registration.Status, night.event
    return [
        Registration(
            event=event,
            player=person.player,
            element=person.element,
            order=order,
            at=event.starts_at - timedelta(minutes=len(night.people) - order),
            last_round=night.left.get(key),
            status=status.DROPPED if key in night.left else status.REGISTERED,
        )
        for order, (key, person) in enumerate(night.by_key.items(), 1)
    ]


def round_of(event: Event, number: int, played: Played) -> Round:
    at = time_of(event, number)
    times = {"published_at": at, "ends_at": at + timedelta(minutes=event.minutes), "status": Round.Status.PUBLISHED}
    if played.pairing is None or played.tournament is None:
        return Round(event=event, number=number, kind=Round.Kind.CUT, **times)
    record = seating.record_of(Sheet(event, [], [], {}), played.tournament, played.pairing)
    return Round(event=event, number=number, **record, **times)


def seat(rows: Rows, round: Round, table: Table, sitting: list[Registration]) -> None:
    said, alone = table.match, table.match.b is None
    match = Match(event=round.event, round=round, table=said.table, slot=table.slot, version=1)
    if alone:
        match.kind, match.state, match.outcome = Match.Kind.BYE, Match.State.DONE, Match.Outcome.BYE
    else:
        match.how, match.drawn_games = table.how, said.games.draws if said.games else None
        rows.revisions.append(revision_of(match, table, sitting))
    rows.tables.append((match, table))
    games = (said.games.a, said.games.b) if said.games else (None, None)
    rows.seats += [
        Seat(match=match, round=round, registration=row, position=position, games=games[position])
        for position, row in enumerate(sitting)
    ]


def revision_of(match: Match, table: Table, sitting: list[Registration]) -> ResultRevision:
    said = table.match
    assert said.outcome is not None
    winner = None if said.winner is None else sitting[said.winner != said.a].player
    games = [said.games.a, said.games.b, said.games.draws] if said.games else None
    return ResultRevision(
        match=match,
        number=1,
        kind=ResultRevision.Kind.DECISION,
        outcome=said.outcome.value,
        winner=winner,
        games=games,
        how=table.how,
        at=match.round.ends_at or match.event.starts_at,
    )


def decide(events: Iterable[Event]) -> None:
    own = ResultRevision.objects.filter(match=OuterRef("pk"))
    columns = {"current": "pk", "outcome": "outcome", "winner": "winner"}
    values = {column: Subquery(own.values(source)[:1]) for column, source in columns.items()}
    tables = Match.objects.filter(event__in=list(events), kind=Match.Kind.TABLE)
    tables.update(state=Match.State.DONE, **values)


def frozen_rows(rows: Rows) -> list[FrozenStandings]:
    """As the service freezes them when it finishes an event (TOURNAMENT_RULES 2.7, 7.6)."""
    event, sheet = rows.night.event, sheet_of(rows)
    at = event.finished_at or event.starts_at
    phases = {"swiss": swiss_rows(sheet), "final": final_rows(sheet, sheet.standings())}
    return [FrozenStandings(event=event, phase=phase, revision=1, rows=kept, at=at) for phase, kept in phases.items()]


def sheet_of(rows: Rows) -> Sheet:
    for match, table in rows.tables:
        match.state, match.outcome = Match.State.DONE, (table.match.outcome or Outcome.BYE).value
    for revision in rows.revisions:
        revision.match.winner_id = revision.winner_id
    matches = [match for match, _table in rows.tables]
    join_seats(rows.registrations, rows.rounds, matches, rows.seats)
    by_round: dict[int, list[Match]] = {round.pk: [] for round in rows.rounds}
    for match in sorted(matches, key=in_room_order):
        by_round[match.round_id].append(match)
    return Sheet(rows.night.event, rows.registrations, rows.rounds, by_round)


def log_entry(rows: Rows) -> LogEntry:
    """The version of the event; it holds no changes, so that nobody undoes a whole night."""
    event, data = rows.night.event, {"players": len(rows.registrations), "rounds": len(rows.rounds), "revision": 1}
    return LogEntry(event=event, number=1, action="event.finish", data=data, at=event.finished_at or event.starts_at)
