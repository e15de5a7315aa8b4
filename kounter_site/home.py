"""What the front door shows: my next match, tonight near me, the top of the ranking, what I organise."""

from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest

from decks.services.games import default_game
from players.models import Player
from players.provinces import NAMES
from ranking import queries as ranking
from ranking.models import BoardRow
from tournaments import queries as tournaments
from tournaments.models import PERSON, Event, Match, Registration, Role, Round, Seat
from tournaments.web.access import of_person

TOP = 5
RECENT = 6
LIVE = [Event.Status.CHECK_IN, Event.Status.RUNNING, Event.Status.CUT]


@dataclass(frozen=True, slots=True)
class MyEvent:
    """An event that I am in and that is not over, with my table of its current round where there is one."""

    registration: Registration
    match: Match | None
    rival: Player | None

    @property
    def event(self) -> Event:
        return self.registration.event


def my_events(request: HttpRequest, player: Player | None) -> list[MyEvent]:
    """Two queries: my places in events that are being played, and my seats in their published rounds."""
    rows = list(mine(request, player))
    seats = newest_seats(rows)
    return [MyEvent(row, *seats.get(row.pk, (None, None))) for row in rows]


def mine(request: HttpRequest, player: Player | None) -> list[Registration]:
    live = Registration.objects.filter(event__status__in=LIVE).exclude(status__in=["dropped", "disqualified"])
    live = live.select_related("event__store", PERSON).order_by("event__starts_at")
    if player:
        return list(live.filter(of_person(player)))
    secrets = [value for key, value in request.session.items() if key.startswith("guest:")]
    return list(live.filter(secret__in=secrets)) if secrets else []


def newest_seats(rows: list[Registration]) -> dict[int, tuple[Match, Player | None]]:
    """By registration: the match of its last published round, and who sits opposite."""
    published = Match.objects.filter(
        seats__registration__in=rows, kind=Match.Kind.TABLE, round__status=Round.Status.PUBLISHED
    )
    seats = Seat.objects.filter(match__in=published).select_related("match", f"registration__{PERSON}")
    ordered = list(seats.order_by("round__number", "match_id", "position")) if rows else []
    places = {row.pk for row in rows}
    found: dict[int, tuple[Match, Player | None]] = {}
    for seat in ordered:
        if seat.registration_id in places:
            rival = next((s for s in ordered if s.match_id == seat.match_id and s.pk != seat.pk), None)
            found[seat.registration_id] = (seat.match, rival.registration.person if rival else None)
    return found


@dataclass(frozen=True, slots=True)
class Top:
    """The first of a board, and the reader's own row wherever it is."""

    scope: str
    title: str
    rows: list[BoardRow]
    me: BoardRow | None
    moves: bool  # in the first snapshot nobody has moved yet


def top(province: str, player: Player | None) -> Top | None:
    """The board of the province, or of the country where the province has none yet."""
    snapshot = ranking.current(default_game())
    if snapshot is None:
        return None
    for scope in [province, "es"] if province else ["es"]:
        board = ranking.board(snapshot, scope, size=TOP, me=player)
        if board.placed or scope == "es":
            rows = [row for row in board.rows if row.rank is not None]
            return Top(scope, NAMES.get(scope, ""), rows, board.me, snapshot.number > 1)
    return None


def recent(province: str) -> list[Event]:
    """The last nights that were finished, to look up what came of them."""
    over = tournaments.public_events(province or None).filter(status=Event.Status.FINISHED)
    return list(over.order_by("-date", "-pk")[:RECENT])


def organised(request: HttpRequest, now: datetime) -> list[tuple[Event, bool]]:
    """Tonight's events, those still running and the next drafts of the stores where this account has a role.

    With each, whether it is today's in its store's own zone.
    """
    if not request.user.is_authenticated:
        return []
    stores = set(Role.objects.filter(user=request.user).values_list("store_id", flat=True))
    drafts = [Event.Status.DRAFT]
    coming = tournaments.with_people(Event.objects.filter(store__in=stores, status__in=drafts)).order_by("starts_at")
    found = [e for e in [*tournaments.tonight(now), *coming[:3]] if e.store_id in stores] if stores else []
    return [(event, event.date == now.astimezone(event.store.zone).date()) for event in found]
