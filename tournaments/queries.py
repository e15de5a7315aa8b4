"""Reading an event: the one translator from rows to the values of the cores (DESIGN, One request).

`sheet(event)` holds every row of an event in a constant number of queries; whatever shows or decides reads it.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, cast

from django.db import connection
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery

from decks.models import Submission, Verdict
from players.instances import Reading, tie
from players.models import Player
from players.queries import LAST_RENAMED, last_renamed
from tournaments import eventfile
from tournaments.eventfile import EventFile, FileMatch, FilePod, to_file_match, to_file_pod
from tournaments.models import PERSON, Event, FrozenStandings, Match, Registration, ResultRevision, Round, Seat, Store
from tournaments.swiss import standings as core_standings
from tournaments.swiss import types
from tournaments.swiss.rounds import round_robin_rounds, suggested_rounds
from tournaments.swiss.standings import Standing
from tournaments.swiss.types import PlayerId, Tournament

ACTIVE = (Registration.Status.REGISTERED, Registration.Status.CHECKED_IN)
BEFORE_PLAY = (Event.Status.DRAFT, Event.Status.OPEN, Event.Status.CHECK_IN)
DONE = Match.State.DONE
PLAYERS = ~Q(registrations__last_round=0) & ~Q(registrations__status=Registration.Status.WAITING)
"""Of an event's registrations: its players, as `Sheet.players` has them."""


class Beat(NamedTuple):
    """As much of an event as tells whether anything that is shown of it has moved."""

    pk: int
    version: int
    status: str
    names_as_of: datetime | None


BEAT = f"""SELECT id, version, status, ({LAST_RENAMED}) FROM "{Event._meta.db_table}" WHERE slug = %s"""


def beat(slug: str) -> Beat | None:
    """One indexed read, in plain SQL: every phone of a hall asks it every few seconds, and there composing the SQL of
    a queryset costs more than all the rest."""
    with connection.cursor() as cursor:
        cursor.execute(BEAT, [slug])
        row = cursor.fetchone()
    if row is None:
        return None
    pk, version, status, named = row
    if isinstance(named, str):  # SQLite keeps dates as texts, in UTC
        named = datetime.fromisoformat(named).replace(tzinfo=UTC)
    return Beat(pk, version, status, named)


class ListState(StrEnum):
    """How somebody's deck list stands."""

    MISSING = "missing"
    LEGAL = "legal"
    ILLEGAL = "illegal"


@dataclass(eq=False)
class Sheet:
    """All rows of an event, joined in memory, and the core's view of them; a snapshot: ask again after a write.

    Whatever says "round" without more includes drafts, which only staff may see; `published_rounds`, `tournament`,
    `standings`, `seats_of` and `current_match` leave them out (TOURNAMENT_RULES 4.5).
    """

    event: Event
    registrations: list[Registration]
    rounds: list[Round]
    matches_by_round: dict[int, list[Match]]
    by_id: dict[int, Registration] = field(init=False)
    by_key: dict[str, Registration] = field(init=False)
    by_player: dict[int, Registration] = field(init=False)
    key_of: dict[int, PlayerId] = field(init=False)  # registration id -> its key in the cores
    _standings: dict[int | None, list[Standing]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.by_id = {row.id: row for row in self.registrations}
        self.by_player = {row.player_id: row for row in self.registrations}
        self.key_of = {row.id: PlayerId(row.key) for row in self.registrations}
        self.by_key = {self.key_of[row.id]: row for row in self.registrations}

    # -- roster --
    @cached_property
    def active(self) -> list[Registration]:
        return [row for row in self.registrations if row.active]

    @cached_property
    def waiting(self) -> list[Registration]:
        return [row for row in self.registrations if row.status == Registration.Status.WAITING]

    @cached_property
    def entrants(self) -> list[Registration]:
        """Who is or was in the event: everyone but the waiting list."""
        return [row for row in self.registrations if row.status != Registration.Status.WAITING]

    @cached_property
    def players(self) -> list[Registration]:
        """Who plays or has played: neither the waiting list nor who left before round 1 (rule 5.1).

        How many they are is the number of players on every surface; `PLAYERS` asks the same of the database.
        """
        return [row for row in self.entrants if row.last_round != 0]

    @cached_property
    def retired(self) -> list[Registration]:
        """Those of the players who have left."""
        return [row for row in self.players if row.last_round is not None]

    @cached_property
    def twins(self) -> list[list[Registration]]:
        """Groups who are called the same, accents and case apart (CASES 50, 51); may well be different people."""
        return twins(self.registrations)

    # -- rounds --
    def round(self, number: int) -> Round | None:
        return next((row for row in self.rounds if row.number == number), None)

    def matches(self, round: Round | None) -> list[Match]:
        """By table, then byes, then unpaired losses; in the cut by place in the bracket."""
        return [] if round is None else self.matches_by_round.get(round.id, [])

    def tables(self, round: Round | None) -> list[Match]:
        """What is counted as tables: neither byes nor unpaired losses."""
        return [match for match in self.matches(round) if match.kind == Match.Kind.TABLE]

    @property
    def current_round(self) -> Round | None:
        return self.rounds[-1] if self.rounds else None

    @cached_property
    def published_rounds(self) -> list[Round]:
        return [row for row in self.rounds if row.status == Round.Status.PUBLISHED]

    @property
    def published_round(self) -> Round | None:
        """The newest round that players see."""
        return self.published_rounds[-1] if self.published_rounds else None

    @cached_property
    def swiss_rounds(self) -> list[Round]:
        return [row for row in self.rounds if row.kind == Round.Kind.SWISS]

    @cached_property
    def cut_rounds(self) -> list[Round]:
        return [row for row in self.rounds if row.kind == Round.Kind.CUT]

    @cached_property
    def open_matches(self) -> list[Match]:
        """Published tables without an agreed result, oldest round first."""
        return [match for row in self.published_rounds for match in self.matches(row) if match.state != DONE]

    # -- deck lists --
    @cached_property
    def lists(self) -> dict[int, bool]:
        """By registration id, whether the list in force is legal. One query, none where no lists are asked for."""
        return legal_lists(self.event) if self.event.asks_for_lists else {}

    def list_state(self, row: Registration) -> ListState:
        if row.pk not in self.lists:
            return ListState.MISSING
        return ListState.LEGAL if self.lists[row.pk] else ListState.ILLEGAL

    def lacking_lists(self, rows: Iterable[Registration]) -> list[Registration]:
        """Who of them may not begin: a list is required, theirs is missing or illegal, and the staff give no leave."""
        if self.event.decks != Event.Decks.REQUIRED:
            return []
        return [row for row in rows if not row.deck_accepted and self.list_state(row) != ListState.LEGAL]

    # -- one player --
    @cached_property
    def _seats(self) -> dict[int, list[tuple[Round, Match, Seat]]]:
        seats: dict[int, list[tuple[Round, Match, Seat]]] = defaultdict(list)
        for row in self.rounds:
            for match in self.matches(row):
                for seat in match.seat_list:
                    seats[seat.registration_id].append((row, match, seat))
        return seats

    def seats_of(self, registration: Registration, *, drafts: bool = False) -> list[tuple[Round, Match, Seat]]:
        seats = self._seats.get(registration.id, [])
        return [seat for seat in seats if drafts or seat[0].status == Round.Status.PUBLISHED]

    def current_match(self, registration: Registration) -> Match | None:
        """Where he sits in the newest published round; None when he does not."""
        seats = self.seats_of(registration)
        return seats[-1][1] if seats and seats[-1][0] is self.published_round else None

    # -- the core's view --
    @cached_property
    def tournament(self) -> Tournament:
        """The published Swiss rounds."""
        return self.tournament_of([row for row in self.published_rounds if row.kind == Round.Kind.SWISS])

    def tournament_of(self, rounds: Iterable[Round]) -> Tournament:
        event, pods = self.event, self.event.in_pods
        seated = [(row, match) for row in rounds for match in self.matches(row)]
        return Tournament(
            id=event.reference,
            rules=rules_of(event),
            entrants=tuple(self.entrant(row) for row in self.entrants),
            matches=tuple([self.core_match(row, match) for row, match in seated if not (pods and match.is_pod)]),
            separations=tuple(self._separation(pair) for pair in event.separations if set(pair) <= self.by_id.keys()),
            assigned_byes=tuple(self.key_of[row.id] for row in self.active if row.next_bye),
            separate_teams=event.separate_teams,
            pods=tuple([self.core_pod(row, match) for row, match in seated if pods and match.is_pod]),
        )

    def _separation(self, pair: Sequence[int]) -> tuple[PlayerId, PlayerId]:
        return self.key_of[pair[0]], self.key_of[pair[1]]

    def entrant(self, row: Registration) -> types.Entrant:
        return types.Entrant(
            id=self.key_of[row.id],
            first_round=row.first_round,
            last_round=row.last_round,
            team=row.team or None,
            table=row.fixed_table,
            disqualified=row.status == Registration.Status.DISQUALIFIED,
        )

    def core_match(self, round: Round, match: Match) -> types.Match:
        seats = match.seat_list
        winner = None if match.winner_id is None else self.key_of[self.by_player[match.winner_id].id]
        return types.Match(
            round=round.number,
            a=self.key_of[seats[0].registration_id],
            b=self.key_of[seats[1].registration_id] if len(seats) > 1 else None,
            outcome=None if match.outcome is None else types.Outcome(match.outcome),
            winner=winner,
            games=core_games(match),
            table=match.table,
        )

    def core_pod(self, round: Round, match: Match) -> types.Pod:
        places = tuple(seat.place for seat in match.seat_list) if match.done else None
        return types.Pod(round.number, self.keys_at(match), places, match.table)

    def keys_at(self, match: Match) -> tuple[PlayerId, ...]:
        """Who sits there, by seat."""
        return tuple(self.key_of[seat.registration_id] for seat in match.seat_list)

    def standings(self, after: int | None = None) -> list[Standing]:
        """Live Swiss standings. A page about a closed phase shows `published_standings` (rule 2.7)."""
        if after not in self._standings:
            self._standings[after] = core_standings.standings(self.tournament, after)
        return self._standings[after]

    @cached_property
    def _rows(self) -> dict[PlayerId, Standing]:
        return {row.player: row for row in self.standings()}

    def row(self, registration: Registration) -> Standing | None:
        """None for whoever does not stand in them: dropped before round 1, or entering in a later round."""
        return self._rows.get(self.key_of[registration.id])


def planned(event: Event, people: int) -> int:
    """Rounds before any cut for that many players: of a round robin that has not begun, as many as it takes; else the
    organiser's number, else the table of rule 3."""
    if event.format == Event.Format.ROUND_ROBIN and event.status in BEFORE_PLAY:
        return round_robin_rounds(people)
    return event.rounds_planned or suggested_rounds(people)


def rules_of(event: Event) -> types.Rules:
    points = types.Points(win=event.points_win, draw=event.points_draw, loss=event.points_loss, bye=event.points_bye)
    return types.Rules(points, event.best_of, event.preset, eventfile.switches(event.switches), pod_points_of(event))


def pod_points_of(event: Event) -> types.PodPoints | None:
    """What the places at a table are worth; None where two play each other."""
    if not event.in_pods:
        return None
    return {**types.POD_POINTS, **{int(size): tuple(points) for size, points in event.pod_points.items()}}


def core_games(match: Match) -> types.Games | None:
    """None where unknown, and for whoever sits alone (a bye takes the default of rule 2.2)."""
    if len(match.seat_list) < 2:
        return None
    a, b = match.seat_list[0].games, match.seat_list[1].games
    return None if a is None or b is None else types.Games(a, b, match.drawn_games or 0)


def twins(registrations: Iterable[Registration]) -> list[list[Registration]]:
    """Groups of the same folded name on a roster, for the warning with its merge button. Two may well be two people."""
    groups: dict[str, list[Registration]] = {}
    for row in registrations:
        if row.last_round != 0:
            groups.setdefault(row.person.staff_key, []).append(row)
    return [rows for rows in groups.values() if len(rows) > 1]


EVENT: Reading[Event] = Reading(
    lambda slug: (
        Event.objects.filter(slug=slug).select_related("store", "game", "element").annotate(names_as_of=last_renamed())  # type: ignore[no-redef]  # declared there for whoever reads it
    ),
    key=str,
)
"""By its address, with what answers polls."""
REGISTRATIONS = Reading(lambda event: Registration.objects.filter(event=event).select_related("player", "element"))
ROUNDS = Reading(lambda event: Round.objects.filter(event=event).defer("input"))
MATCHES = Reading(lambda event: Match.objects.filter(event=event).order_by())
SEATS = Reading(lambda event: Seat.objects.filter(match__event=event).order_by("position"))


def sheet(event: Event) -> Sheet:
    """Five queries, whatever the size: registrations, rounds, matches, seats and the reports not yet agreed; and one
    more for each step of a merge, where anybody was merged."""
    registrations, rounds = REGISTRATIONS.of(event.pk), ROUNDS.of(event.pk)
    join_roots([row.player for row in registrations])
    matches, seats = MATCHES.of(event.pk), SEATS.of(event.pk)
    for row in (*registrations, *rounds, *matches):
        tie(row, "event", event)
    join_seats(registrations, rounds, matches, seats)
    attach_claims(event, matches)
    by_round: dict[int, list[Match]] = defaultdict(list)
    for match in sorted(matches, key=in_room_order):
        by_round[match.round_id].append(match)
    return Sheet(event, registrations, rounds, dict(by_round))


def join_roots(players: Iterable[Player]) -> None:
    """Tie whoever was merged to the record that stands for him, link by link (`Player.root`)."""
    merged = [player for player in players if player.merged_into_id is not None]
    while merged:
        targets = Player.objects.in_bulk({player.merged_into_id for player in merged})
        for player in merged:
            tie(player, "merged_into", targets[player.merged_into_id])
        merged = [player for player in targets.values() if player.merged_into_id is not None]


def in_room_order(match: Match) -> tuple[bool, int, bool, int, str, int]:
    """By bracket place in the cut, else by table; whoever has none comes last."""
    return (match.slot is None, match.slot or 0, match.table is None, match.table or 0, match.kind, match.id or 0)


def join_seats(
    registrations: Iterable[Registration], rounds: Iterable[Round], matches: Iterable[Match], seats: Iterable[Seat]
) -> None:
    """Tie the rows of one event together, so that walking from one to another asks no database."""
    by_registration = {row.id: row for row in registrations}
    by_round = {row.id: row for row in rounds}
    by_match = {}
    for match in matches:
        match.seat_list = []
        tie(match, "round", by_round[match.round_id])
        by_match[match.id] = match
    for seat in seats:
        values, ties = seat.__dict__, seat._state.fields_cache  # by the descriptors it would take twice as long
        match = by_match[values["match_id"]]
        ties["match"], ties["round"] = match, by_round[values["round_id"]]
        ties["registration"] = by_registration[values["registration_id"]]
        match.seat_list.append(seat)


UNSETTLED = (Match.State.CLAIMED, Match.State.CONFLICT)


def attach_claims(event: Event, matches: Iterable[Match]) -> None:
    """Load the reports that are not settled; those of finished matches stay on their rows until somebody asks."""
    open_matches = [match for match in matches if match.state in UNSETTLED]
    if not open_matches:
        return
    revisions = ResultRevision.objects.filter(match__event=event, match__state__in=UNSETTLED).in_bulk()
    for match in open_matches:
        for seat in match.seat_list:
            if seat.claim_id in revisions:
                seat.claim = revisions[seat.claim_id]


# -- frozen standings (rule 2.7) ---------------------------------------------------------------------------------------
def frozen(event: Event, phase: str) -> FrozenStandings | None:
    """The newest revision of a closed phase; None while it is open."""
    return event.frozen.filter(phase=phase).order_by("-revision").first()


CLOSED_SWISS = (Event.Status.CUT, Event.Status.FINISHED, Event.Status.REOPENED)


def published_standings(sheet: Sheet) -> list[Standing]:
    """What every surface shows as the Swiss standings: the frozen rows once the phase is closed, else the live ones."""
    snapshot = frozen(sheet.event, FrozenStandings.Phase.SWISS) if sheet.event.status in CLOSED_SWISS else None
    return sheet.standings() if snapshot is None else thawed(sheet, snapshot.rows)


def final_standings(sheet: Sheet) -> list[Standing]:
    """The final places of a finished event, in order (rule 7.6); the Swiss standings until it is finished."""
    closed = sheet.event.status == Event.Status.FINISHED
    snapshot = frozen(sheet.event, FrozenStandings.Phase.FINAL) if closed else None
    return published_standings(sheet) if snapshot is None else thawed(sheet, snapshot.rows)


def thawed(sheet: Sheet, rows: Iterable[Mapping[str, Any]]) -> list[Standing]:
    """Frozen rows as the core's; dropped and disqualified are as they are now: marked, never moved (case 26)."""
    return [thawed_row(sheet, row) for row in rows if row["registration"] in sheet.by_id]


def thawed_row(sheet: Sheet, row: Mapping[str, Any]) -> Standing:
    registration = sheet.by_id[row["registration"]]
    return Standing(
        rank=row["rank"],
        place=row["place"],
        player=sheet.key_of[registration.pk],
        points=row["points"],
        omw=_share(row["omw"]),
        gw=_share(row["gw"]),
        ogw=_share(row["ogw"]),
        wins=row["wins"],
        losses=row["losses"],
        draws=row["draws"],
        byes=row["byes"],
        played=row["played"],
        dropped=registration.last_round is not None,
        disqualified=registration.status == Registration.Status.DISQUALIFIED,
        values=tuple(_share(value) for value in row["values"]),
    )


def frozen_row(sheet: Sheet, standing: Standing) -> dict[str, Any]:
    """A row of the core as JSON, exact: shares are fractions in words, such as "1/3"."""
    names = ("rank", "place", "points", "wins", "losses", "draws", "byes", "played")
    return {
        "registration": sheet.by_key[standing.player].pk,
        **{name: getattr(standing, name) for name in names},
        **{name: _words(getattr(standing, name)) for name in ("omw", "gw", "ogw")},
        "values": [_words(value) for value in standing.values],
    }


def _words(value: int | Fraction | None) -> str | None:
    return None if value is None else str(value)


def _share(value: str | None) -> Fraction | None:
    return None if value is None else Fraction(value)


# -- deck lists (CASES 88) ---------------------------------------------------------------------------------------------
OVER = (Event.Status.FINISHED, Event.Status.REOPENED)
_SWISS, _END = Event.ListsPublic.SWISS, Event.ListsPublic.END
PUBLIC_LISTS = (
    ~Q(submission=None)
    & ~Q(event__decks=Event.Decks.NONE)
    & ~Q(last_round=0)
    & (
        Q(event__status__in=CLOSED_SWISS, event__lists_public=_SWISS, lists_consent=_SWISS)
        | Q(event__status__in=OVER, event__lists_public__in=[_SWISS, _END], lists_consent__in=[_SWISS, _END])
    )
)
"""Of registrations: whose list everybody may read. The event publishes it, its time has come, and that much its owner
was told when he handed it in, or has agreed to since."""


def lists_are_out(event: Event) -> bool:
    """Whether the time has come at which this event publishes lists."""
    out = {_SWISS: CLOSED_SWISS, _END: OVER}.get(Event.ListsPublic(event.lists_public), ())
    return event.asks_for_lists and event.status in out


def public_lists() -> "QuerySet[Registration]":
    """Whose lists everybody may read, of every event. What is counted or shown of lists starts here."""
    return Registration.objects.filter(PUBLIC_LISTS)


def public_submissions() -> "QuerySet[Submission]":
    """The lists that everybody may read, for statistics."""
    return Submission.objects.filter(registration__in=public_lists())


def readable_lists(event: Event, *, staff: bool = False) -> "QuerySet[Registration]":
    """Whose list in force whoever asks may read, with the list: judges all of them, others what is public."""
    rows = Registration.objects.exclude(submission=None) if staff else public_lists()
    return rows.filter(event=event).select_related(PERSON, "element", "submission__game", "submission__element")


def visible_submission(row: Registration, *, mine: bool = False, staff: bool = False) -> Submission | None:
    """The list in force as far as whoever asks may read it: its owner and judges always, everybody once it is public.

    This and `readable_lists` are the only doors to a list for pages, API and exports; `mine` and `staff` (the right
    "deck.read") are the caller's to have checked. One query.
    """
    if row.submission_id is None:
        return None
    found = readable_lists(row.event, staff=mine or staff).filter(pk=row.pk).first()
    return found.submission if found else None


def list_state_of(row: Registration) -> ListState:
    """How one player's list stands. One query, none without a list."""
    if row.submission_id is None:
        return ListState.MISSING
    verdicts = Verdict.objects.filter(submission=row.submission_id).order_by("-number")
    return ListState.LEGAL if verdicts.values_list("legal", flat=True)[0] else ListState.ILLEGAL


def legal_lists(event: Event) -> dict[int, bool]:
    """By registration id, of whoever has handed in: whether the newest verdict says legal. One query."""
    newest = Verdict.objects.filter(submission=OuterRef("submission")).order_by("-number")
    rows = event.registrations.exclude(submission=None).annotate(legal=Subquery(newest.values("legal")[:1]))
    return dict(rows.values_list("pk", "legal"))


# -- files -------------------------------------------------------------------------------------------------------------
def file_of(tournament: Tournament, event: Event) -> EventFile:
    """The event file that gives back this tournament: what a round stores as its exact input (rule 4.2)."""
    entrants = tournament.entrants
    rounds: list[list[FileMatch | FilePod]] = [[] for _ in range(tournament.last_round)]
    for match in tournament.matches:
        rounds[match.round - 1].append(to_file_match(match))
    for pod in tournament.pods:
        rounds[pod.round - 1].append(to_file_pod(pod))
    return EventFile(
        id=tournament.id,
        date=event.date,
        players=tuple(entrant.id for entrant in entrants),
        rounds=tuple(tuple(matches) for matches in rounds),
        points=tournament.rules.points,
        best_of=tournament.rules.best_of,
        preset=tournament.rules.preset,
        tiebreak_fit=event.switches,
        event_format=file_format(event),
        pod_points=tournament.rules.pods,
        drops={entrant.id: entrant.last_round for entrant in entrants if entrant.last_round is not None},
        entries={entrant.id: entrant.first_round for entrant in entrants if entrant.first_round > 1},
        teams={e.id: e.team for e in entrants if e.team} if tournament.separate_teams else None,
        separations=tournament.separations,
        next_byes=tournament.assigned_byes,
        tables={entrant.id: entrant.table for entrant in entrants if entrant.table is not None},
    )


def file_format(event: Event) -> eventfile.EventFormat | None:
    """None for what a file need not say."""
    return None if event.format == Event.Format.SWISS else cast("eventfile.EventFormat", event.format)


# -- lists of events ---------------------------------------------------------------------------------------------------
def with_people(events: "QuerySet[Event]") -> "QuerySet[Event]":
    """One query: events with store, game and element; `people` counts their players."""
    return events.select_related("store", "game", "element").annotate(people=Count("registrations", PLAYERS))


def player_count(event: Event) -> int:
    """How many `Sheet.players` there are, for a page that reads no sheet. One query."""
    return event.registrations.exclude(last_round=0).exclude(status=Registration.Status.WAITING).count()


def events_of(store: Store) -> "QuerySet[Event]":
    """Newest first, drafts included: whoever shows them to the public leaves those out."""
    return with_people(Event.objects.filter(store=store)).order_by("-starts_at", "-pk")


def public_events(province: str | None = None) -> "QuerySet[Event]":
    events = Event.objects.exclude(status=Event.Status.DRAFT)
    return with_people(events.filter(store__province=province) if province else events)


def open_events(now: datetime, province: str | None = None) -> list[Event]:
    """Where one can still sign up, soonest first. An event that nobody started leaves with its day, in its own zone."""
    near = now.date() - timedelta(days=1)
    status = [Event.Status.OPEN, Event.Status.CHECK_IN]
    events = public_events(province).filter(status__in=status, date__gte=near).order_by("starts_at", "pk")
    return [event for event in events if event.date >= now.astimezone(event.store.zone).date()]


def tonight(now: datetime, province: str | None = None) -> list[Event]:
    """Today's events, "today" in each store's own zone, and whatever is still being played (case 64)."""
    day, live = timedelta(days=1), [Event.Status.RUNNING, Event.Status.CUT]
    near = Q(date__range=(now.date() - day, now.date() + day)) | Q(status__in=live)
    events = public_events(province).filter(near).order_by("starts_at", "pk")
    return [event for event in events if event.live or event.date == now.astimezone(event.store.zone).date()]
