"""/organizar/: the stores of an account and their events, tonight's first; and who works in a store."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from players import names
from players.models import User
from players.web import access
from tournaments import rights
from tournaments.models import Event, Store
from tournaments.queries import PLAYERS

SHOWN_STORES = 20
PAST_SHOWN = 6
OVER = {Event.Status.FINISHED, Event.Status.REOPENED}


@dataclass
class Desk:
    """One store as its staff see it this evening."""

    store: Store
    today: date
    can_create: bool
    can_staff: bool
    tonight: list[Event] = field(default_factory=list)  # today's, and whatever is being played or still a draft
    coming: list[Event] = field(default_factory=list)
    past: list[Event] = field(default_factory=list)
    repeatable: list[Event] = field(default_factory=list)  # last of its kind, with nothing of that kind ahead

    @property
    def empty(self) -> bool:
        return not (self.tonight or self.coming or self.past)


def organise(request: HttpRequest) -> HttpResponse:
    user = access.account(request)
    query = request.GET.get("q", "").strip()
    stores = list(stores_of(user, query)[: SHOWN_STORES + 1])
    desks = desks_of(user, stores[:SHOWN_STORES], timezone.now())
    desks.sort(key=lambda desk: (not desk.tonight, desk.empty, desk.store.sort_key))
    context = {"desks": desks, "query": query, "more": len(stores) > SHOWN_STORES, "circuit": bool(user.circuit_role)}
    return render(request, "tournaments/staff/organise.html", context | first_step(desks))


def stores_of(user: User, query: str = "") -> QuerySet[Store]:
    """The stores where the account wears a hat; the circuit's people reach them all."""
    stores = Store.objects.order_by("sort_key")
    if not user.circuit_role:
        stores = stores.filter(roles__user=user).distinct()
    return stores.filter(search_key__contains=names.fold(query)) if query else stores


def desks_of(user: User, stores: list[Store], now: datetime) -> list[Desk]:
    """Two queries for the events of all the stores, one a store for the roles."""
    desks = {store.pk: desk(user, store, now) for store in stores}
    for event in recent_events(stores, now):
        place(desks[event.store_id], event)
    for each in desks.values():
        each.tonight.sort(key=lambda event: event.starts_at)
        each.coming.sort(key=lambda event: event.starts_at)
        each.repeatable = repeatable([*each.tonight, *each.coming], each.past)
        each.past = each.past[:PAST_SHOWN]
    return list(desks.values())


def desk(user: User, store: Store, now: datetime) -> Desk:
    return Desk(
        store,
        now.astimezone(store.zone).date(),
        can_create=rights.may(user, "event.create", store),
        can_staff=rights.may(user, "store.staff", store),
    )


def recent_events(stores: Iterable[Store], now: datetime) -> QuerySet[Event]:
    """What is open, and four months back, a summer's closing included; newest first. Older ones: the store's page."""
    since = (now - timedelta(days=120)).date()
    events = Event.objects.filter(store__in=list(stores)).filter(Q(date__gte=since) | Q(finished_at=None))
    return (
        events.select_related("store", "series").annotate(people=Count("registrations", PLAYERS)).order_by("-starts_at")
    )


def place(desk: Desk, event: Event) -> None:
    if event.status in OVER and event.date <= desk.today:
        desk.past.append(event)
    elif event.live or event.date <= desk.today:
        desk.tonight.append(event)
    else:
        desk.coming.append(event)


def kind(event: Event) -> str:
    return f"series {event.series_id}" if event.series_id else event.search_key


def repeatable(ahead: Iterable[Event], past: Iterable[Event]) -> list[Event]:
    seen = {kind(event) for event in ahead}
    found = []
    for event in past:
        if kind(event) not in seen:
            seen.add(kind(event))
            found.append(event)
    return found[:3]


def first_step(desks: list[Desk]) -> dict[str, object]:
    """The one button at the foot: go on with tonight's, else repeat last week's, else the first of all."""
    tonight = [event for desk in desks for event in desk.tonight if event.status not in OVER]
    if tonight:
        return {"go_on": min(tonight, key=lambda event: not event.live), "tonight_count": len(tonight)}
    able = [desk for desk in desks if desk.can_create]
    again = next((event for desk in able for event in desk.repeatable), None)
    if again:
        return {"again": again}
    return {"create_in": able[0].store} if able else {}
