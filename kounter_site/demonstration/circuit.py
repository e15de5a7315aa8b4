"""Builds the demonstration circuit in one transaction. Nothing is rated here: the worker finds it (RANKING 4)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from random import Random

from django.db import transaction

from decks.services.games import default_game
from kounter_site.demonstration import calendar, decks, seasons, tonight
from kounter_site.demonstration.calendar import Plan
from kounter_site.demonstration.cast import Cast, gather
from kounter_site.demonstration.crowd import crowd_of
from kounter_site.demonstration.ledger import Ledger
from kounter_site.demonstration.night import Night
from kounter_site.demonstration.people import STAFF
from players.models import User
from tournaments.models import Event, Registration, Series
from tournaments.services.events import MINUTES, free_slug, local_aware

SEED = 7


def is_loaded() -> bool:
    """By its organiser: stores with the mark may come from `simulate`."""
    return User.objects.filter(email=STAFF["organiser"].email, demo=True).exists()


@transaction.atomic
def load(now: datetime, seed: int = SEED) -> bool:
    """Whether this call loaded it: twice is once. The same day and seed give the same circuit."""
    if is_loaded():
        return False
    today = tonight.shop_day(now)
    cast = gather(default_game(), Random(f"cast {seed} {today}"))
    play(cast, calendar.past(today), seed)
    seasons.make(cast, today, now)
    tonight.make(cast, now, Random(f"tonight {seed} {today}"))
    decks.make(cast, today, Random(f"decks {seed} {today}"))
    return True


def play(cast: Cast, plans: Iterable[Plan], seed: int) -> None:
    """Events and registrations go in as they were created; what happened in them follows, all nights at once."""
    ledger = Ledger()
    for night in nights(cast, list(plans), seed, ledger):
        night.play()
    ledger.write()


def nights(cast: Cast, plans: list[Plan], seed: int, ledger: Ledger) -> list[Night]:
    events, before = make_events(cast, plans)
    chance = {event.slug: Random(f"{event.slug} {seed}") for event in events}
    busy: dict[date, set[int]] = defaultdict(set)
    planned = list(zip(plans, events, strict=True))
    crowds = [crowd_of(cast, plan, event, chance[event.slug], busy[event.date]) for plan, event in planned]
    Registration.objects.bulk_create(row for crowd in crowds for row in crowd.rows)
    return [
        Night(
            ledger=ledger,
            event=event,
            roster=crowd.early,
            late=crowd.late,
            skills=cast.skills,
            by=cast.staff[plan.place.slug],
            rng=chance[event.slug],
            repeats=before.get(event.slug, ""),
        )
        for (plan, event), crowd in zip(planned, crowds, strict=True)
    ]


def make_events(cast: Cast, plans: Iterable[Plan]) -> tuple[list[Event], Mapping[str, str]]:
    """Saved; and by slug which event each repeats. A repeated one is open from the beginning, as `repeat` makes it."""
    series: dict[tuple[str, str], Series] = {}
    newest: dict[Series, Event] = {}
    before: dict[str, str] = {}
    found = []
    for plan in plans:
        event = new_event(cast, plan)
        if plan.series:
            key = (plan.place.slug, plan.name)
            event.series = series.get(key) or Series.objects.create(store=event.store, name=plan.name)
            series[key] = event.series
            if earlier := newest.get(event.series):
                before[event.slug], event.status = earlier.slug, Event.Status.OPEN
            newest[event.series] = event
        found.append(event)
    return Event.objects.bulk_create(found), before


def new_event(cast: Cast, plan: Plan) -> Event:
    store = cast.stores[plan.place.slug]
    event = Event(store=store, game=cast.game, name=plan.name, tier=plan.tier, best_of=plan.best_of)
    event.starts_at = local_aware(plan.starts, store.zone)
    event.minutes, event.rounds_planned, event.cut_size = MINUTES[plan.best_of], plan.rounds, plan.cut
    event.derive()
    event.slug = free_slug(event.name, event.date)
    return event
