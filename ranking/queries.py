"""What boards, profiles and the circuit's pages read: always one snapshot, whole, old or new (RANKING 3, 4).

The cost of a page does not depend on how long the board is: rows are found by position, never counted through.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from hashlib import sha256
from typing import Final, NamedTuple

from django.core.cache import cache
from django.db.models import Count, Max, OuterRef, Prefetch, Q, QuerySet, Subquery

from decks.models import Element, Game
from players import names
from players.models import Player
from players.services.people import family, family_below, root
from ranking.boards import printed
from ranking.models import BoardRow, PointsEntry, Rating, RatingPoint, Run, Season, SeasonResult, Snapshot
from ranking.ratings.parameters import Parameters
from ranking.tuning import tuning
from tournaments.models import Event, Match, Seat

RATING: Final = "rating"
PAGE: Final = 50
SIZE_KEPT: Final = 24 * 3600  # seconds; longer than a snapshot is current, mostly
AROUND: Final = 3


# -- names of boards ---------------------------------------------------------------------------------------------------
def board_name(scope: str, element: str = "") -> str:
    """`scope` is a country (`es`), a province (`ES-TE`) or a store (`tienda:la-guarida`).

    >>> board_name("ES-TE", "agua")
    'ES-TE+agua'
    """
    return f"{scope}+{element}" if element else scope


def store_board(slug: str) -> str:
    return f"tienda:{slug}"


def points_order(season: str) -> str:
    """The order of a season's board, by its slug."""
    return f"points:{season}"


def scope_of(board: str) -> str:
    """local, provincial or nacional, without the element."""
    if board.startswith("tienda:"):
        return "local"
    return "provincial" if "-" in board.split("+")[0] else "nacional"


def element_of(board: str) -> str:
    return board.partition("+")[2]


# -- snapshots and seasons ---------------------------------------------------------------------------------------------
def current(game: Game) -> Snapshot | None:
    return Snapshot.objects.filter(game=game, current=True).select_related("game").first()


def game_parameters(snapshot: Snapshot) -> Parameters:
    return tuning(snapshot.game.slug).parameters


def season_now(game: Game, day: date) -> Season | None:
    """The season that the day belongs to; between seasons, the newest that began. Drafts are nobody's business."""
    begun = Season.objects.filter(game=game, starts__lte=day, element=None).exclude(status=Season.Status.DRAFT)
    return begun.filter(ends__gt=day).order_by("-starts").first() or begun.order_by("-starts").first()


def season_snapshot(season: Season) -> Snapshot | None:
    """Where a season's boards are read: the published one, the one in which it was closed, or the current."""
    numbered = season.results.exclude(snapshot=None).select_related("snapshot__game").defer("rows", "moved")
    if (result := numbered.order_by("-revision").first()) is not None:
        return result.snapshot
    return season.frozen or current(season.game)


def published(season: Season) -> SeasonResult | None:
    """The newest revision of the season's numbered standings."""
    return season.results.select_related("snapshot").order_by("-revision").first()


def waiting_runs(game: Game) -> "QuerySet[Run]":
    """What is not published yet: a page that shows boards says so."""
    return Run.objects.filter(game=game, status__in=[Run.Status.QUEUED, Run.Status.RUNNING])


def runs(game: Game, limit: int = 50) -> list[Run]:
    return list(Run.objects.filter(game=game).select_related("snapshot", "base").order_by("-pk")[:limit])


# -- boards ------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Board:
    """A page of a board. placed: how many have a rank; listed: those and the provisional ones below them.

    me: the reader's own row, wherever it is; around: he, three above and three below.
    """

    snapshot: Snapshot
    name: str
    order: str
    rows: list[BoardRow]
    placed: int
    listed: int
    page: int
    size: int
    me: BoardRow | None = None
    around: list[BoardRow] = field(default_factory=list)

    @property
    def pages(self) -> int:
        return max(1, -(-self.listed // self.size))

    @property
    def first(self) -> int:
        return (self.page - 1) * self.size + 1 if self.rows else 0

    @property
    def last(self) -> int:
        return self.rows[-1].position if self.rows else 0

    @property
    def my_page(self) -> int | None:
        """The page of "ir a mí"."""
        return None if self.me is None else page_of(self.me, self.size)


def page_of(row: BoardRow, size: int = PAGE) -> int:
    return (row.position - 1) // size + 1


def board(
    snapshot: Snapshot,
    scope: str,
    element: str = "",
    order: str = RATING,
    *,
    page: int = 1,
    size: int = PAGE,
    me: Player | None = None,
) -> Board:
    """One query, and once for every snapshot another; two more with `me`. A page out of range is the nearest one."""
    name = board_name(scope, element)
    rows = board_rows(snapshot, name, order)
    listed, placed = sizes(snapshot, order, [name])[name]
    page = min(max(1, page), max(1, -(-listed // size)))
    found = list(rows.filter(position__gt=(page - 1) * size, position__lte=page * size))
    mine = rows.filter(player=me).first() if me else None
    near = around(mine) if mine else []
    return Board(snapshot, name, order, found, placed, listed, page, size, mine, near)


def sizes(snapshot: Snapshot, order: str, names: Sequence[str]) -> dict[str, tuple[int, int]]:
    """{board: (listed, placed)}. Counting walks a board to its end, so it is done once: a snapshot never changes."""
    keys = {name: size_key(snapshot, order, name) for name in names}
    kept = cache.get_many(keys.values())
    found = {name: kept[key] for name, key in keys.items() if key in kept}
    if missing := keys.keys() - found.keys():
        rows = BoardRow.objects.filter(snapshot=snapshot, order=order, board__in=missing).values("board")
        counted = rows.annotate(listed=Max("position"), placed=Count("rank")).values_list("board", "listed", "placed")
        fresh = {name: (listed, placed) for name, listed, placed in counted}
        cache.set_many({keys[name]: size for name, size in fresh.items()}, SIZE_KEPT)
        found |= dict.fromkeys(missing, (0, 0)) | fresh
    return found


def size_key(snapshot: Snapshot, order: str, name: str) -> str:
    """A digest, because anybody may ask for a board by any name; one that is not there is not kept either."""
    return f"size/{snapshot.pk}/{sha256(f'{order}/{name}'.encode()).hexdigest()}"


def board_rows(snapshot: Snapshot, name: str, order: str = RATING) -> "QuerySet[BoardRow]":
    rows = BoardRow.objects.filter(snapshot=snapshot, board=name, order=order)
    return rows.select_related("player").order_by("position")


def around(row: BoardRow, each: int = AROUND) -> list[BoardRow]:
    """The row between its neighbours; one query."""
    near = range(row.position - each, row.position + each + 1)
    rows = BoardRow.objects.filter(snapshot=row.snapshot_id, board=row.board, order=row.order)
    return list(rows.filter(position__range=(near[0], near[-1])).select_related("player").order_by("position"))


def search(snapshot: Snapshot, name: str, order: str, text: str, limit: int = PAGE) -> list[BoardRow]:
    """By public name, accents and case aside (CASES 67)."""
    rows = board_rows(snapshot, name, order)
    return list(rows.filter(player__search_key__contains=names.fold(text))[:limit])


def movers(snapshot: Snapshot, name: str, order: str = RATING, limit: int = 5) -> list[BoardRow]:
    """Who gained most places, then who lost most, and nobody who stood still; two queries."""
    rows = board_rows(snapshot, name, order)
    up = rows.filter(change__gt=0).order_by("-change", "position")[:limit]
    down = rows.filter(change__lt=0).order_by("change", "position")[:limit]
    return [*up, *down]


def elements_on_top(snapshot: Snapshot, name: str, order: str = RATING, top: int = 10) -> list[tuple[str, int]]:
    """[(element slug, how many of the first ten play it most)], most first."""
    rows = BoardRow.objects.filter(snapshot=snapshot, board=name, order=order, position__lte=top)
    counts = Counter(rows.exclude(element="").values_list("element", flat=True))
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def followed(snapshot: Snapshot, player: Player, name: str, order: str = RATING) -> list[BoardRow]:
    """Where those whom the player follows stand."""
    return list(board_rows(snapshot, name, order).filter(player__followers__follower=player))


# -- a player ----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Place:
    """Where a player stands on one board. of: how many are placed. Without a rank, `row` says what is missing."""

    row: BoardRow
    scope: str
    element: str
    of: int


SCOPES: Final = ("local", "provincial", "nacional")


def places_of(snapshot: Snapshot, player: Player, order: str = RATING) -> list[Place]:
    """Local, provincial, nacional; then the same by element. Two queries (and one a merge)."""
    rows = list(BoardRow.objects.filter(snapshot=snapshot, player=root(player), order=order))
    of = sizes(snapshot, order, [row.board for row in rows])
    places = [Place(row, scope_of(row.board), element_of(row.board), of[row.board][1]) for row in rows]
    return sorted(places, key=lambda place: (place.element != "", place.element, SCOPES.index(place.scope)))


def rating_of(snapshot: Snapshot, player: Player) -> Rating | None:
    return Rating.objects.filter(snapshot=snapshot, player=root(player)).first()


@dataclass(frozen=True, slots=True)
class Printed:
    """A rating as people read it: points, and the deviation that makes the band."""

    points: int
    deviation: int

    @property
    def low(self) -> int:
        return self.points - self.deviation

    @property
    def high(self) -> int:
        return self.points + self.deviation


def printed_rating(mu: float, var: float, parameters: Parameters) -> Printed:
    return Printed(printed(parameters.points(mu)), printed(parameters.deviation(var)))


def rating_now(rating: Rating, snapshot: Snapshot) -> Printed:
    """On the snapshot's day: the rating keeps, the deviation grows without play (RANKING 2.2)."""
    parameters = game_parameters(snapshot)
    idle = max(0, (snapshot.day - rating.last_day).days)
    return printed_rating(rating.mu, parameters.grown(rating.var, idle), parameters)


@dataclass(frozen=True, slots=True)
class Day:
    """One day of the history: the printed rating before and after. Everything of the day starts from `before`,
    the state before that date (CASES 57)."""

    day: date
    before: Printed
    after: Printed
    matches: int

    @property
    def change(self) -> int:
        return self.after.points - self.before.points


def history(snapshot: Snapshot, player: Player) -> list[Day]:
    """Every rated day, oldest first; one query."""
    parameters = game_parameters(snapshot)
    points = RatingPoint.objects.filter(snapshot=snapshot, player=root(player)).order_by("day").defer("account")
    return [day_of(point, parameters) for point in points]


def day_of(point: RatingPoint, parameters: Parameters) -> Day:
    return Day(
        day=point.day,
        before=printed_rating(point.mu_before, point.var_before, parameters),
        after=printed_rating(point.mu, point.var, parameters),
        matches=point.matches,
    )


@dataclass(frozen=True, slots=True)
class Line:
    """A rated match seen by one player. opponent_rating: before that day. change: whole points, adding up.

    At a table of several `opponent` is the first of `others`, and `place` where he finished himself.
    """

    match: Match
    opponent: Player
    opponent_rating: int
    outcome: str  # win, loss or draw
    change: int
    share: float
    others: tuple[tuple[Player, int], ...] = ()  # everybody else at a table of several, with his rating
    place: int | None = None


@dataclass(frozen=True, slots=True)
class EventAccount:
    event: Event
    lines: list[Line]

    @property
    def change(self) -> int:
        return sum(line.change for line in self.lines)


@dataclass(frozen=True, slots=True)
class DayAccount:
    """A day's change by event and by match; the changes of the lines add up to that of the day (RANKING 3)."""

    day: Day
    events: list[EventAccount]


def account(
    snapshot: Snapshot, player: Player, *, day: date | None = None, limit: int | None = None
) -> list[DayAccount]:
    """Newest day first; of one day, of the newest `limit`, or of all. Five queries (and one a merge), however many."""
    player = root(player)
    points = RatingPoint.objects.filter(snapshot=snapshot, player=player).order_by("-day")
    found = list((points.filter(day=day) if day else points)[:limit])
    matches = matches_by_id([line[0] for point in found for line in point.account])
    mine, opponents = set(family_below(player)), opponents_of(snapshot, player, matches.values(), found)
    parameters = game_parameters(snapshot)
    return [day_account(point, matches, mine, opponents, parameters) for point in found]


def matches_by_id(keys: Iterable[int]) -> dict[int, Match]:
    seats = Prefetch("seats", Seat.objects.select_related("registration__player__merged_into").order_by("position"))
    rows = Match.objects.filter(pk__in=list(keys)).select_related("event__store", "round").prefetch_related(seats)
    return {match.pk: match for match in rows}


def opponents_of(
    snapshot: Snapshot, player: Player, matches: Iterable[Match], points: Sequence[RatingPoint]
) -> dict[tuple[int, date], float]:
    """{(opponent, day): his mu before that day}; one query."""
    people = {root(seat.registration.player).pk for match in matches for seat in match.seats.all()}
    days = {point.day for point in points}
    rows = RatingPoint.objects.filter(snapshot=snapshot, player__in=people - {player.pk}, day__in=days)
    return {(row[0], row[1]): row[2] for row in rows.values_list("player_id", "day", "mu_before")}


def day_account(
    point: RatingPoint,
    matches: Mapping[int, Match],
    mine: set[int],
    opponents: Mapping[tuple[int, date], float],
    parameters: Parameters,
) -> DayAccount:
    events: dict[int, EventAccount] = {}
    for key, share, change in point.account:
        if (match := matches.get(int(key))) is not None:
            line = line_of(match, point.day, mine, opponents, share, int(change), parameters)
            events.setdefault(match.event_id, EventAccount(match.event, [])).lines.append(line)
    for event in events.values():
        event.lines.sort(key=lambda line: line.match.round.number)
    return DayAccount(day_of(point, parameters), list(events.values()))


def line_of(
    match: Match,
    day: date,
    mine: set[int],
    opponents: Mapping[tuple[int, date], float],
    share: float,
    change: int,
    parameters: Parameters,
) -> Line:
    in_pods, seats = match.event.in_pods, match.seats.all()
    theirs = [s for s in seats if s.registration.player_id not in mine and not (in_pods and s.place is None)]
    people = [root(seat.registration.player) for seat in theirs]
    others = tuple((p, printed(parameters.points(opponents.get((p.pk, day), 0.0)))) for p in people)
    line = Line(match, *others[0], outcome_for(match, mine), change, share)
    if not in_pods:
        return line
    own = next(seat.place for seat in seats if seat.registration.player_id in mine)
    return replace(line, others=others, place=own)


def outcome_for(match: Match, mine: set[int]) -> str:
    if match.winner_id is None:
        return "draw"
    return "win" if match.winner_id in mine else "loss"


# -- two players -------------------------------------------------------------------------------------------------------
@dataclass(slots=True)
class Record:
    won: int = 0
    lost: int = 0
    drawn: int = 0

    @property
    def played(self) -> int:
        return self.won + self.lost + self.drawn

    def add(self, outcome: str) -> None:
        self.won += outcome == "win"
        self.lost += outcome == "loss"
        self.drawn += outcome == "draw"


class Met(NamedTuple):
    """A match against somebody; at a table of several, who of the two finished before the other decides."""

    match: Match
    opponent: Player
    outcome: str  # win, loss or draw


@dataclass(frozen=True, slots=True)
class Rival:
    """opponent and the record against him from the player's side. matches: newest first; of rivals, only the last."""

    opponent: Player
    record: Record
    matches: list[Met]

    @property
    def last(self) -> Match:
        return self.matches[0].match


PLAYED: Final = (Match.Outcome.WIN, Match.Outcome.DRAW)
ENDED: Final = (Event.Status.FINISHED, Event.Status.REOPENED)


def played_seats(mine: Iterable[int]) -> "QuerySet[Seat]":
    """A player's seats in matches really played, at official events that ended."""
    seats = Seat.objects.filter(registration__player__in=mine, match__outcome__in=PLAYED, match__kind=Match.Kind.TABLE)
    return seats.filter(match__event__status__in=ENDED).exclude(match__event__tier=Event.Tier.CASUAL)


def meetings(mine: Iterable[int], theirs: Iterable[int] | None = None) -> list[Met]:
    """Matches and opponents, newest first; two queries."""
    mine = set(mine)
    own = Seat.objects.filter(match=OuterRef("match"), registration__player__in=mine).values("place")[:1]
    seats = Seat.objects.filter(match__in=played_seats(mine).values("match")).exclude(registration__player__in=mine)
    seats = seats.annotate(own_place=Subquery(own)).exclude(match__event__format=Event.Format.PODS, place=None)
    if theirs is not None:
        seats = seats.filter(registration__player__in=theirs)
    seats = seats.select_related("match__event__store", "match__round", "registration__player__merged_into")
    newest = seats.order_by("-match__event__date", "-match__event_id", "-match__round__number", "-match_id")
    return [
        Met(seat.match, root(seat.registration.player), outcome)
        for seat in newest
        if (outcome := outcome_against(seat, mine)) is not None
    ]


def outcome_against(seat: Seat, mine: set[int]) -> str | None:
    """Of the player himself, `own_place` being his; None where one of them did not play at a table of several."""
    if not seat.match.event.in_pods:
        return outcome_for(seat.match, mine)
    own: int | None = seat.own_place  # type: ignore[attr-defined]
    if own is None or seat.place is None:
        return None
    return "draw" if own == seat.place else "win" if own < seat.place else "loss"


def head_to_head(player: Player, other: Player) -> Rival:
    """Every match between two people; two queries, and those of their merges."""
    mine = set(family(player))
    record, matches = Record(), meetings(mine, family(other))
    for met in matches:
        record.add(met.outcome)
    return Rival(root(other), record, matches)


def rivals(player: Player, limit: int = 10, game: Game | None = None) -> list[Rival]:
    """Whom the player met most, the latest first at a tie; `matches` holds all, newest first."""
    mine = set(family(player))
    found: dict[int, Rival] = {}
    for met in meetings(mine):
        if game is None or met.match.event.game_id == game.pk:
            rival = found.setdefault(met.opponent.pk, Rival(met.opponent, Record(), []))
            rival.record.add(met.outcome)
            rival.matches.append(met)
    return sorted(found.values(), key=lambda rival: -rival.record.played)[:limit]


def element_record(player: Player, game: Game) -> list[tuple[Element, Record]]:
    """Won, lost and drawn with each element that the player declared, most played first; one query and merges."""
    mine = set(family(player))
    records: dict[Element, Record] = defaultdict(Record)
    seats = played_seats(mine).filter(match__event__game=game, registration__element__isnull=False)
    for seat in seats.select_related("match", "registration__element"):
        if (element := seat.registration.element) is not None:
            records[element].add(outcome_for(seat.match, mine))
    return sorted(records.items(), key=lambda pair: (-pair[1].played, pair[0].order))


# -- circuit points ----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Ledger:
    """A player's account of a season, newest event first; `total` is what the boards show."""

    season: Season
    snapshot: Snapshot
    entries: list[PointsEntry]

    @property
    def total(self) -> int:
        return sum(entry.points for entry in self.entries if entry.counts)


def ledger(season: Season, player: Player, snapshot: Snapshot | None = None) -> Ledger | None:
    """None before anything was computed. Two queries beside the snapshot's."""
    snapshot = snapshot or season_snapshot(season)
    if snapshot is None:
        return None
    rows = PointsEntry.objects.filter(snapshot=snapshot, season=season, player=root(player))
    entries = rows.select_related("event__store").order_by("-event__date", "-event_id", "kind")
    return Ledger(season, snapshot, list(entries))


def seasons(game: Game) -> "QuerySet[Season]":
    """What the public may see, newest first."""
    return Season.objects.filter(game=game).exclude(status=Season.Status.DRAFT).order_by("-starts", "-pk")


def unfinished_events(season: Season) -> list[Event]:
    """Official events of the season that nobody has finished: who closes it wants to know, with the store's contact."""
    events = Event.objects.filter(game=season.game, date__gte=season.starts, date__lt=season.ends)
    open_events = events.exclude(Q(tier=Event.Tier.CASUAL) | Q(status__in=[*ENDED, Event.Status.DRAFT]))
    return list(open_events.select_related("store").order_by("date", "pk"))
