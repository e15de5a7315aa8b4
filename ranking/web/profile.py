"""A player's page: four places, the history with its band, every change explained, points, rivals (UX, Player).

Whatever it shows goes by `player.shown`; a merged record leads to the one that stands for it, a retired one says
nothing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from decks.models import Game
from decks.services.games import default_game
from players.models import Player
from players.provinces import province_name
from players.services import people
from players.templatetags.look import ELEMENTS
from players.web.access import player_of
from ranking import queries
from ranking.models import BoardRow, PointsEntry, Rating, Season, Snapshot
from ranking.web import charts, words
from ranking.web.players import is_following, player_or_404
from ranking.web.scopes import COUNTRY, url_of
from tournaments.models import Event, Store
from tournaments.queries import open_events

EVENTS = 10  # days explained at first
RIVALS = 8
TOP = "local", "provincial", "nacional"


@require_safe
def player(request: HttpRequest, code: str) -> HttpResponse:
    found = player_or_404(code)
    if (stands := people.root(found)) != found or code != found.code:
        return redirect("player", stands.code, permanent=False)
    if found.retired_at:
        return render(request, "ranking/retired.html", {"player": found})
    return render(request, "ranking/player.html", context(request, found))


def context(request: HttpRequest, player: Player) -> dict[str, Any]:
    """Some twenty-five queries, whatever the player's history."""
    game, me = default_game(), player_of(request)
    snapshot = queries.current(game)
    own = me is not None and me.pk == player.pk
    found: dict[str, Any] = {
        "player": player,
        "me": me,
        "own": own,
        "following": not own and is_following(me, player),
        "snapshot": snapshot,
        "changes": snapshot is not None and snapshot.number > 1,  # on the first of all, everybody would be new
        "rating": None,
    }
    if snapshot and (rating := queries.rating_of(snapshot, player)):
        found |= career(request, player, game, snapshot, rating)
    if own:
        found |= mine(player, snapshot)
    elif me and (versus := queries.head_to_head(me, player)).matches:
        found |= {"versus": versus, "my_ids": people.family_below(me)}
    return found


def career(request: HttpRequest, player: Player, game: Game, snapshot: Snapshot, rating: Rating) -> dict[str, Any]:
    places = queries.places_of(snapshot, player)
    season = queries.season_now(game, snapshot.day)
    days = queries.history(snapshot, player)
    whole = request.GET.get("eventos") == "todos"
    accounts = queries.account(snapshot, player, limit=None if whole else EVENTS)
    return {
        "rating": rating,
        "now": queries.rating_now(rating, snapshot),
        "home": Store.objects.filter(slug=rating.home).first() if rating.home else None,
        "tiles": tiles(places, rating, player),
        "crossings": [place for place in map(tile, places) if place.element and place.row.rank is not None],
        "national": (national := next((place.row for place in places if place.row.board == COUNTRY), None)),
        "you_lack": words.you_lack(national) if national and national.rank is None else "",
        "around": queries.around(national) if national and national.rank is not None else [],
        "season": season,
        "history": history(days, season if request.GET.get("periodo") == "temporada" else None),
        "explained": explained(accounts, entries_of(snapshot, player, accounts)),
        "more_events": not whole and len(days) > EVENTS,
        "elements": queries.element_record(player, game),
        "ledger": ledger(season, player, snapshot),
        **rivals(request, player, game),
    }


# -- places ------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Tile:
    """Where the player stands on one board."""

    label: str
    url: str
    row: BoardRow
    of: str
    element: str = ""

    @property
    def lacking(self) -> str:
        return words.they_lack(self.row)


def tile(place: queries.Place) -> Tile:
    """A place with the words for its board."""
    url = url_of(place.row.board)
    link = f"{url}?elemento={place.element}" if place.element else url
    return Tile(board_words(place.row.board), link, place.row, words.grouped(place.of), place.element)


def board_words(board: str) -> str:
    """Where a board is: "En España", "En Teruel"; the store is on the page already."""
    name, _plus, element = board.partition("+")
    place = _("Spain") if name == COUNTRY else province_name(name)
    where = _("In the store") if name.startswith("tienda:") else _("In %(place)s") % {"place": place}
    return f"{ELEMENTS.get(element, element)} · {where}" if element else where


def tiles(places: Iterable[queries.Place], rating: Rating, player: Player) -> list[Tile]:
    """Local, provincial, national, and national with the element played most (RANKING 3)."""
    by_key = {(place.scope, place.element): place for place in places}
    wanted = [(scope, "") for scope in TOP] + [("nacional", rating.element)]
    return [tile(by_key[key]) for key in dict.fromkeys(wanted) if key in by_key]


# -- history -----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class History:
    """What the chart draws and its table says; days newest first. season: only its days."""

    days: list[queries.Day]
    chart: charts.Chart | None
    season: Season | None

    @property
    def long(self) -> bool:
        """Months below the chart rather than days."""
        return (self.last.day - self.first.day).days > 180

    @property
    def first(self) -> queries.Day:
        return self.days[-1]

    @property
    def last(self) -> queries.Day:
        return self.days[0]


def history(days: Sequence[queries.Day], season: Season | None) -> History | None:
    """A drawing begins the day before the first match, from where the player stood."""
    shown = [day for day in days if season is None or season.starts <= day.day < season.ends]
    if not shown:
        return History([], None, season) if days else None
    start = sample(shown[0].day - timedelta(days=1), shown[0].before)
    chart = charts.chart([start, *(sample(day.day, day.after) for day in shown)])
    return History(shown[::-1], chart, season)


def sample(day: date, rating: queries.Printed) -> charts.Sample:
    return charts.Sample(day, rating.points, rating.low, rating.high)


# -- events, match by match --------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Explained:
    """An event: what it changed, match by match, and what its place was worth."""

    event: Event
    lines: list[queries.Line]
    record: queries.Record
    change: int
    entries: list[PointsEntry] = field(default_factory=list)

    @property
    def place(self) -> PointsEntry | None:
        return next((entry for entry in self.entries if entry.kind == PointsEntry.Kind.PLACE), None)

    @property
    def points(self) -> int:
        return sum(entry.points for entry in self.entries if entry.counts)


def explained(accounts: Iterable[queries.DayAccount], entries: dict[int, list[PointsEntry]]) -> list[Explained]:
    return [
        Explained(event.event, event.lines, record_of(event.lines), event.change, entries.get(event.event.pk, []))
        for account in accounts
        for event in account.events
    ]


def record_of(lines: Iterable[queries.Line]) -> queries.Record:
    record = queries.Record()
    for line in lines:
        record.add(line.outcome)
    return record


def entries_of(
    snapshot: Snapshot, player: Player, accounts: Iterable[queries.DayAccount]
) -> dict[int, list[PointsEntry]]:
    """Places and points of the events shown, of the general seasons; one query."""
    events = [event.event.pk for account in accounts for event in account.events]
    rows = PointsEntry.objects.filter(snapshot=snapshot, player=player, event__in=events, season__element=None)
    found: dict[int, list[PointsEntry]] = {}
    for row in rows:
        found.setdefault(row.event_id, []).append(row)
    return found


# -- circuit points ----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Account:
    """A season's points: places that count, places that the limit drops, and showing up."""

    season: Season
    total: int
    places: list[PointsEntry]
    participations: int

    @property
    def counting(self) -> list[PointsEntry]:
        return [entry for entry in self.places if entry.counts]

    @property
    def dropped(self) -> list[PointsEntry]:
        """Worth points, but there are better ones of their kind."""
        return [entry for entry in self.places if not entry.counts and entry.points]

    @property
    def worthless(self) -> int:
        return sum(not entry.points for entry in self.places)


def ledger(season: Season | None, player: Player, snapshot: Snapshot) -> Account | None:
    if season is None or (found := queries.ledger(season, player, snapshot)) is None or not found.entries:
        return None
    places = [entry for entry in found.entries if entry.kind == PointsEntry.Kind.PLACE]
    present = sum(entry.points for entry in found.entries if entry.kind == PointsEntry.Kind.PARTICIPATION)
    return Account(season, found.total, sorted(places, key=lambda entry: -entry.points), present)


# -- rivals ------------------------------------------------------------------------------------------------------------
def rivals(request: HttpRequest, player: Player, game: Game) -> dict[str, Any]:
    """The most played; `?contra=` opens every match against one of them."""
    found = queries.rivals(player, RIVALS, game)
    asked = request.GET.get("contra", "")
    chosen = next((rival for rival in found if rival.opponent.code == asked), None)
    return {"rivals": found, "against": chosen, "mine_ids": people.family_below(player)}


def mine(player: Player, snapshot: Snapshot | None) -> dict[str, Any]:
    """What only I see on my page: whom I follow, and where I can play next."""
    coming = open_events(timezone.now(), player.province or None)[:2]
    return {"followed": queries.followed(snapshot, player, COUNTRY) if snapshot else [], "coming": coming}
