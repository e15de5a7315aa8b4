"""Tonight: one event in its third round, one that still takes registrations, one in draft. All by the services."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from random import Random

from django.utils import timezone

from kounter_site.demonstration.calendar import SUNDAY, weekly_name
from kounter_site.demonstration.cast import Cast
from kounter_site.demonstration.crowd import element_of
from kounter_site.demonstration.night import played
from kounter_site.demonstration.places import MAIN, OPEN_TONIGHT, PLACES
from players.models import Player
from tournaments.models import Event, Match, Penalty, Registration, Series, Store
from tournaments.queries import Sheet, sheet
from tournaments.services import events, registrations, results, rounds
from tournaments.services.journal import Actor
from tournaments.services.results import Statement

MINUTE, QUARTER, DAY = timedelta(minutes=1), timedelta(minutes=15), timedelta(days=1)
BEGAN = 80 * MINUTE  # ago, at least: two rounds are over
PUBLISHED = 8 * MINUTE  # ago, the third
PLAYERS = 14


def make(cast: Cast, now: datetime, rng: Random) -> None:
    Evening(cast, rng, now, running(cast, now, rng)).play()
    open_tonight(cast, now, rng)
    draft(cast, now)


def shop_day(now: datetime) -> date:
    """The day of the evening in progress: soon after midnight that is still yesterday."""
    return timezone.localdate(quarter(now - BEGAN))


def weekly(cast: Cast, slug: str, now: datetime) -> tuple[Store, Series]:
    """A store and its series of that day of the week."""
    place = next(place for place in PLACES if place.slug == slug)
    store = cast.stores[slug]
    return store, Series.objects.get(store=store, name=weekly_name(place, shop_day(now)))


def quarter(moment: datetime) -> datetime:
    """The quarter of an hour that has begun."""
    return moment.replace(minute=moment.minute // 15 * 15, second=0, microsecond=0)


def actor(player: Player) -> Actor:
    return Actor(user=player.user, player=player)


# -- in progress -------------------------------------------------------------------------------------------------------
def running(cast: Cast, now: datetime, rng: Random) -> Event:
    """Fourteen are in, guests among them; round 1 is not paired yet."""
    store, series = weekly(cast, MAIN, now)
    by, starts = cast.staff[MAIN], quarter(now - BEGAN)
    event = repeated(series, starts, by, starts - 6 * DAY, capacity=24)
    others = [player for player in cast.people[store.province] if player != cast.heroine]
    people = [cast.heroine, *rng.sample(others, PLAYERS - 1)]
    sign_up(cast, event, people, starts - 2 * DAY, rng)
    guests = [player.code for player in people if player.user is None]
    registrations.add_guests(event, guests, by=by, at=starts - 10 * MINUTE)
    return event


def repeated(series: Series, starts: datetime, by: Actor, at: datetime, *, capacity: int) -> Event:
    return events.create(
        series.store,
        by=by,
        name=series.name,
        starts_at=starts,
        at=at,
        status=Event.Status.OPEN,
        series=series,
        rounds_planned=4,
        capacity=capacity,
    )


def sign_up(cast: Cast, event: Event, people: Sequence[Player], at: datetime, rng: Random) -> None:
    for number, player in enumerate(player for player in people if player.user):
        element = element_of(cast, player, rng)
        when = at + number * 97 * MINUTE
        registrations.sign_up(event, player, by=actor(player), element=element, at=when)


@dataclass
class Evening:
    """The event in progress: rounds 1 and 2 are played, somebody leaves, round 3 is on the clock."""

    cast: Cast
    rng: Random
    now: datetime
    event: Event

    def play(self) -> None:
        start = self.event.starts_at
        self.play_round(1, start + 5 * MINUTE)
        self.play_round(2, start + 38 * MINUTE)
        self.leave(start + 68 * MINUTE)
        self.publish(3, self.now - PUBLISHED)
        self.third_round(self.now - PUBLISHED)

    @property
    def by(self) -> Actor:
        return self.cast.staff[MAIN]

    def sheet(self) -> Sheet:
        return sheet(self.event)

    def publish(self, number: int, at: datetime) -> None:
        seed = f"{self.rng.getrandbits(64):016x}"
        rounds.pair(self.event, number, by=self.by, seed=seed, at=at - 2 * MINUTE)
        rounds.publish(self.event, number, by=self.by, at=at)

    def tables(self) -> list[Match]:
        now = self.sheet()
        matches = [match for match in now.matches(now.published_round) if match.kind == Match.Kind.TABLE]
        for match in matches:
            match.event = self.event
        return matches

    def play_round(self, number: int, at: datetime) -> None:
        self.publish(number, at)
        for place, match in enumerate(self.tables()):
            self.agree(match, self.outcome(match), at + (8 + 3 * place) * MINUTE)

    def outcome(self, match: Match) -> Statement:
        """The heroine wins, so that she is at a table in the third round and not resting."""
        hers = next((s.registration for s in match.seat_list if s.registration.player_id == self.cast.heroine.pk), None)
        if hers is None:
            return played(self.rng, self.cast.skills, match, self.event.best_of)
        return Statement(Match.Outcome.WIN, hers, how=Match.How.ASCENSION)

    def agree(self, match: Match, said: Statement, at: datetime) -> None:
        """Two phones, or the scorekeeper where one of the two has none."""
        people = [seat.registration for seat in match.seat_list]
        if all(row.player.user for row in people):
            for row in people:
                results.report(match, row, said, by=actor(row.player), at=at)
        else:
            scorekeeper = Actor(user=self.cast.accounts["scorekeeper"])
            results.decide(match, said, by=scorekeeper, at=at)

    def leave(self, at: datetime) -> None:
        """Whoever stands last and is not the heroine; the judge has spoken to somebody before."""
        now = self.sheet()
        judge = Actor(user=self.cast.accounts["judge"])
        first, last = now.by_key[now.standings()[1].player], now.by_key[now.standings()[-1].player]
        registrations.add_penalty(first, Penalty.Kind.CAUTION, "Llega tarde a la mesa", by=judge, at=at - 5 * MINUTE)
        registrations.drop(last, by=self.by, at=at, reason="Tiene que coger el último autobús")

    def third_round(self, at: datetime) -> None:
        """Two tables agree, one is claimed by one player, at one the two differ; the heroine's and another are open."""
        free = [match for match in self.tables() if not self.is_hers(match)]
        conflict, agreed, claimed, decided = free[:4]
        self.agree(agreed, self.outcome(agreed), at + 3 * MINUTE)
        self.claim(claimed, 0, at + 4 * MINUTE)
        results.decide(decided, self.outcome(decided), by=self.by, at=at + 5 * MINUTE)
        for seat in (0, 1):
            self.claim(conflict, seat, at + (6 + seat) * MINUTE)

    def is_hers(self, match: Match) -> bool:
        return any(seat.registration.player_id == self.cast.heroine.pk for seat in match.seat_list)

    def claim(self, match: Match, position: int, at: datetime) -> None:
        """That player says that he won."""
        row: Registration = match.seat_list[position].registration
        said = Statement(Match.Outcome.WIN, row, how=Match.How.ANNIHILATION)
        results.report(match, row, said, by=actor(row.player), at=at)


# -- still to come -----------------------------------------------------------------------------------------------------
def open_tonight(cast: Cast, now: datetime, rng: Random) -> Event:
    store, series = weekly(cast, OPEN_TONIGHT, now)
    starts = tonight_at(time(20, 0), now, store)
    by = cast.staff[OPEN_TONIGHT]
    event = repeated(series, starts, by, now - 6 * DAY, capacity=16)
    event = events.edit(event, by=by, at=now - 6 * DAY, decks=Event.Decks.OPTIONAL, lists_public=Event.ListsPublic.END)
    people = [player for player in cast.people[store.province] if player.user]
    sign_up(cast, event, people[:11], now - 2 * DAY, rng)
    return event


def tonight_at(wall: time, now: datetime, store: Store) -> datetime:
    """That hour of today, or soon when it is past; never tomorrow."""
    local = now.astimezone(store.zone)
    planned = local.replace(hour=wall.hour, minute=wall.minute, second=0, microsecond=0)
    wanted = max(planned, quarter(local) + 3 * QUARTER)
    return min(wanted, local.replace(hour=23, minute=45, second=0, microsecond=0))


def draft(cast: Cast, now: datetime) -> Event:
    """A cup of the main store next Sunday; only the staff see it."""
    store, name = cast.stores[MAIN], "Copa del Rotulador"
    local = now.astimezone(store.zone)
    day = local.date() + ((SUNDAY - local.weekday()) % 7 or 7) * DAY
    return events.create(
        store,
        by=cast.staff[MAIN],
        name=name,
        starts_at=datetime.combine(day, time(11, 0)),
        at=now,
        series=Series.objects.create(store=store, name=name),
        tier=Event.Tier.STORE,
        best_of=3,
        rounds_planned=4,
        cut_size=4,
        capacity=24,
    )
