"""Event files into the database and back (DESIGN, Event file).

An imported event is a finished one: rounds published, every match decided by a revision of kind `import`, playoffs as
rounds of the cut, standings frozen. What a file says and no row holds (published standings, phase ends, names of the
playoffs, the spelling of defaults) stays in `Event.file`, so that exporting gives the same file again.

Players: a public code finds that player. Another id is one person within one `source`: a file of the same source that
was imported before shares him, so that ratings follow him from event to event. Without a source, nobody is shared.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from fractions import Fraction
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.db.models import OuterRef, Q, Subquery
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from decks.models import Game
from decks.services.games import default_game, game_of_format
from players import codes, names
from players.models import Player
from tournaments import eventfile
from tournaments.cut import brackets, double
from tournaments.eventfile import EventFile, EventFileError, FileMatch, FilePod
from tournaments.models import Event, FrozenStandings, Match, Registration, ResultRevision, Round, Seat, Store
from tournaments.queries import CLOSED_SWISS, Sheet, frozen, in_room_order, join_seats, sheet
from tournaments.services import cut, events, journal
from tournaments.services.errors import Refused
from tournaments.services.freezing import swiss_rows
from tournaments.services.journal import Actor, Change
from tournaments.services.roster import elements_of
from tournaments.swiss.pods.scoring import table_outcome
from tournaments.swiss.presets import PRESETS
from tournaments.swiss.scoring import games_to_win
from tournaments.swiss.types import Points

OPTIONAL = tuple(key for key in eventfile.KEYS if key not in ("id", "date", "players", "rounds"))
LARGEST = 32_767  # what a small column holds
LONGEST = 80
STARTS = time(18, 30)  # files tell the day only
OUTCOMES: dict[str, tuple[str, int | None]] = {
    code: (outcome.value, seat) for code, (outcome, seat) in eventfile.RESULTS.items()
}
CODES = {meaning: code for code, meaning in OUTCOMES.items()}
Games = list[int | None] | None
FileTable = FileMatch | FilePod
UNKNOWN: list[int | None] = [None, None, None]


# -- reading a file ----------------------------------------------------------------------------------------------------
def import_event(
    data: Mapping[str, Any] | EventFile,
    store: Store,
    tier: str,
    *,
    by: Actor,
    demo: bool = False,
    game: Game | None = None,
    at: datetime | None = None,
) -> tuple[Event, bool]:
    """The event of a file, and whether this call made it: twice is once; the same id with other content is refused.

    About 25 queries, whatever the size. Refused codes: `unreadable`, `conflict`.
    """
    raw = eventfile.dump(data) if isinstance(data, EventFile) else dict(data)
    file = readable(raw)
    with transaction.atomic():
        Store.objects.select_for_update().get(pk=store.pk)
        if (existing := known_event(file, raw)) is not None:
            return existing, False
        chosen = game or (game_of_format("pods") if file.in_pods else default_game())
        return _Import(file, raw, store, tier, chosen, demo, by, at or timezone.now()).run(), True


def readable(raw: Mapping[str, Any]) -> EventFile:
    """The file as values, within what the columns hold."""
    try:
        file = eventfile.from_dict(raw)
        eventfile.to_tournament(file)
        _check_limits(file)
        _check_double(file)
    except EventFileError as error:
        raise Refused(str(error), code="unreadable") from None
    return file


def _check_limits(file: EventFile) -> None:
    if longest := max([file.id, *file.players], key=len)[LONGEST:]:
        raise EventFileError(f"an id is longer than {LONGEST} characters (…{longest[-20:]})")
    if any(len(team) > 40 for team in (file.teams or {}).values()):
        raise EventFileError("teams: a name is longer than 40 characters")
    points = file.points or Points()
    numbers = [points.win, points.draw, points.loss, points.bye]
    for own in (file.drops, file.entries, file.tables):
        numbers += (own or {}).values()
    pods = [match for matches in file.rounds for match in matches if isinstance(match, FilePod)]
    numbers += [place for pod in pods for place in pod.places or () if place is not None]
    for match in duels(file):
        numbers += [number for number in (match.p1_games, match.p2_games, match.draws) if number is not None]
    if max(numbers) > LARGEST:
        raise EventFileError(f"{max(numbers)} is too large a number")
    for playoff in file.playoffs or ():
        seated = [player for match in playoff.matches for player in eventfile.seats_of(match)]
        if len(set(seated)) < len(seated):
            raise EventFileError(f"playoffs: somebody sits twice in {playoff.name} (4.6)")


def _check_double(file: EventFile) -> None:
    """Every match of a double elimination says its place, and its round has that place (7.3)."""
    if file.cut_format != "double" or not file.playoffs:
        return
    rounds = [[match.slot for match in playoff.matches] for playoff in file.playoffs]
    places = 2 * len(rounds[0])
    if places > brackets.LARGEST or places.bit_count() != 1 or set(rounds[0]) != set(range(places // 2)):
        raise EventFileError("playoffs: the first round of a double elimination has a match or a bye in every slot")
    widths = [len(ties) for ties in double.layout(places)]
    for playoff, slots, width in zip(file.playoffs, rounds, [*widths, *[0] * len(rounds)], strict=False):
        if len(set(slots)) < len(slots) or any(slot is None or slot >= width for slot in slots):
            raise EventFileError(f"playoffs: {playoff.name} is no round of a double elimination of {places} places")


def duels(file: EventFile) -> list[FileMatch]:
    playoffs = [match for playoff in file.playoffs or () for match in playoff.matches]
    return [*(match for matches in file.rounds for match in matches if isinstance(match, FileMatch)), *playoffs]


def known_event(file: EventFile, raw: Mapping[str, Any]) -> Event | None:
    """The event of that id, when it has the same content; Refused when it has another."""
    existing = Event.objects.filter(Q(external_id=file.id) | Q(slug=file.id)).select_related("store", "game").first()
    if existing is None:
        return None
    digest = eventfile.digest(raw)
    if digest != existing.file_digest and digest != eventfile.digest(export_event(existing)):
        message = _("%(id)s is here already with other content: %(name)s in %(store)s.")
        words = {"id": file.id, "name": existing.name, "store": existing.store.name}
        raise Refused(message % words, code="conflict", data={"event": existing.slug})
    return existing


# -- writing its rows --------------------------------------------------------------------------------------------------
@dataclass
class _Import:
    """One file on its way into rows; the lists fill in order, each by one INSERT."""

    file: EventFile
    raw: Mapping[str, Any]
    store: Store
    tier: str
    game: Game
    demo: bool
    by: Actor
    at: datetime
    event: Event = field(init=False)
    by_id: dict[str, Registration] = field(init=False, default_factory=dict)
    rounds: list[Round] = field(init=False, default_factory=list)
    matches: list[Match] = field(init=False, default_factory=list)
    seats: list[Seat] = field(init=False, default_factory=list)
    said: list[tuple[Match, FileTable]] = field(init=False, default_factory=list)

    def run(self) -> Event:
        self.event = self.new_event()
        self.event.save(force_insert=True)
        self.enrol()
        self.seat_all()
        self.decide_all()
        self.close()
        data = {"file": self.file.id, "count": len(self.by_id), "rounds": len(self.rounds)}
        journal.record(Change(self.event, "event.import", data), self.by, self.at, "")
        return self.event

    def new_event(self) -> Event:
        file, points = self.file, self.file.points or Points()
        starts_at = events.local_aware(datetime.combine(file.date, STARTS), self.store.zone)
        event = Event(store=self.store, game=self.game, tier=self.tier, starts_at=starts_at)
        event.slug, event.name = free_slug(file.id), file_name(self.raw, file)
        event.status, event.finished_at = Event.Status.FINISHED, self.time_of(len(file.rounds) + 4)
        event.best_of, event.preset = file.best_of or 3, file.preset or eventfile.usual_preset(file)
        event.minutes = events.MINUTES[event.best_of]
        event.points_win, event.points_draw = points.win, points.draw
        event.points_loss, event.points_bye = points.loss, points.bye
        event.switches = dict(file.tiebreak_fit or {})
        event.rounds_planned, event.cut_size = len(file.rounds), cut_size(file)
        event.format = Event.Format.PODS if file.in_pods else file.event_format or Event.Format.SWISS
        event.pod_points = {str(size): list(points) for size, points in (file.pod_points or {}).items()}
        event.cut_format = file.cut_format or Event.CutFormat.SINGLE
        event.separate_teams, event.self_signup = file.teams is not None, False
        event.external_id, event.file_digest = file.id, eventfile.digest(self.raw)
        return event

    def time_of(self, number: int) -> datetime:
        """Files tell the day only: an hour a round, from half past six."""
        start = events.local_aware(datetime.combine(self.file.date, STARTS), self.store.zone)
        return start + timedelta(hours=number - 1)

    def enrol(self) -> None:
        players = self.players()
        elements = elements_of(self.event) if self.file.elements else {}
        rows = [
            Registration(
                event=self.event,
                player=players[key],
                external_id="" if players[key].code == key else key,
                element=elements.get(names.fold((self.file.elements or {}).get(key, ""))),
                order=order,
                at=self.event.starts_at,
                **self.part_of(key),
            )
            for order, key in enumerate(self.file.players, 1)
        ]
        made = Registration.objects.bulk_create(rows)
        self.by_id = dict(zip(self.file.players, made, strict=True))
        if self.file.separations:
            self.event.separations = [[self.by_id[a].pk, self.by_id[b].pk] for a, b in self.file.separations]

    def part_of(self, key: str) -> dict[str, Any]:
        last = (self.file.drops or {}).get(key)
        return {
            "status": Registration.Status.REGISTERED if last is None else Registration.Status.DROPPED,
            "last_round": last,
            "first_round": (self.file.entries or {}).get(key, 1),
            "team": (self.file.teams or {}).get(key, ""),
            "fixed_table": (self.file.tables or {}).get(key),
            "next_bye": key in (self.file.next_byes or ()),
        }

    def players(self) -> dict[str, Player]:
        found = known_players(self.file.players, source_of(self.raw))
        new = {key: self.new_player(key) for key in self.file.players if key not in found}
        Player.objects.bulk_create(new.values())
        return found | new

    def new_player(self, key: str) -> Player:
        player = Player(name=names.clean(key) or "?", province=self.store.province, country=self.store.country)
        player.demo = self.demo or self.store.demo
        return player.derive()

    def seat_all(self) -> None:
        playoffs = [playoff.matches for playoff in self.file.playoffs or ()]
        ordered = playoffs if self.file.cut_format == "double" else bracket_order(playoffs)
        everything = [*self.file.rounds, *ordered]
        swiss = len(self.file.rounds)
        kinds = [Round.Kind.SWISS if n < swiss else Round.Kind.CUT for n in range(len(everything))]
        rows = [self.new_round(number, kind) for number, kind in enumerate(kinds, 1)]
        self.rounds = Round.objects.bulk_create(rows)
        for round, matches in zip(self.rounds, everything, strict=True):
            self.said += self.new_matches(round, matches)
        self.matches = Match.objects.bulk_create([match for match, _file in self.said])
        self.seats = Seat.objects.bulk_create(
            [seat for match, file in self.said for seat in self.new_seats(match, file)]
        )

    def new_round(self, number: int, kind: str) -> Round:
        at = self.time_of(number)
        return Round(event=self.event, number=number, kind=kind, status=Round.Status.PUBLISHED, published_at=at)

    def new_matches(self, round: Round, files: Sequence[FileTable]) -> list[tuple[Match, FileTable]]:
        made, table = [], 0
        for slot, file in enumerate(files):
            match = Match(event=self.event, round=round, kind=kind_of(file), version=1)
            if isinstance(file, FileMatch):
                match.drawn_games = file.draws
            if round.kind == Round.Kind.CUT:
                match.slot = file.slot if isinstance(file, FileMatch) and file.slot is not None else slot
            if match.kind == Match.Kind.TABLE:
                match.table = table = table + 1
            made.append((match, file))
        return made

    def new_seats(self, match: Match, file: FileTable) -> list[Seat]:
        rows = [self.by_id[key] for key in eventfile.seats_of(file)]
        seats = [Seat(match=match, round=match.round, registration=row, position=i) for i, row in enumerate(rows)]
        if isinstance(file, FilePod):
            for seat, place in zip(seats, file.places or (), strict=False):
                seat.place = place
        else:
            for seat, games in zip(seats, (file.p1_games, file.p2_games), strict=False):
                seat.games = games
        return seats

    def decide_all(self) -> None:
        """One revision a match, and one UPDATE that lets each match follow its own."""
        revisions = ResultRevision.objects.bulk_create([self.new_revision(match, file) for match, file in self.said])
        own = ResultRevision.objects.filter(match=OuterRef("pk"))
        columns = {"current": "pk", "outcome": "outcome", "winner": "winner"}
        values = {column: Subquery(own.values(source)[:1]) for column, source in columns.items()}
        Match.objects.filter(event=self.event).update(state=Match.State.DONE, **values)
        for (match, _file), revision in zip(self.said, revisions, strict=True):
            match.state, match.outcome = Match.State.DONE, revision.outcome
            match.winner_id, match.current_id = revision.winner_id, revision.pk

    def new_revision(self, match: Match, file: FileTable) -> ResultRevision:
        keys, kind, at = eventfile.seats_of(file), ResultRevision.Kind.IMPORT, self.time_of(match.round.number)
        said = ResultRevision(match=match, number=1, kind=kind, by_user=self.by.user, at=at)
        if isinstance(file, FilePod):
            said.outcome, first = table_outcome(file.places)
            said.places = list(file.places or [None] * len(keys))
        else:
            said.outcome, seat = OUTCOMES[file.result]
            first = None if seat is None else seat - 1
            games = file_games(file)
            said.games = None if games == UNKNOWN else games
        said.winner = None if first is None else self.by_id[keys[first]].player
        return said

    def close(self) -> None:
        """Freeze the standings (rule 2.7), and keep of the file what the rows do not say."""
        rows = self.sheet()
        swiss = swiss_rows(rows)
        final = events.final_rows(rows, rows.standings())
        for phase, frozen_rows in ((FrozenStandings.Phase.SWISS, swiss), (FrozenStandings.Phase.FINAL, final)):
            at = self.event.finished_at or self.at
            FrozenStandings.objects.create(event=self.event, phase=phase, revision=1, rows=frozen_rows, at=at)
        games = {match.pk: file_games(file) for match, file in self.said if isinstance(file, FileMatch)}
        self.event.file = {"playoffs": [playoff.name for playoff in self.file.playoffs or ()]}
        self.event.file = kept_of(self.raw, document(rows, games, swiss))
        self.event.save(update_fields=["separations", "file"])

    def sheet(self) -> Sheet:
        """The sheet of these rows without asking for them again."""
        registrations = list(self.by_id.values())
        join_seats(registrations, self.rounds, self.matches, self.seats)
        by_round: dict[int, list[Match]] = {round.pk: [] for round in self.rounds}
        for match in sorted(self.matches, key=in_room_order):
            by_round[match.round_id].append(match)
        return Sheet(self.event, registrations, self.rounds, by_round)


def free_slug(identity: str) -> str:
    base = slugify(names.fold(identity))[:60] or "evento"
    taken = set(Event.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    return base if base not in taken else next(s for n in range(2, 10_000) if (s := f"{base}-{n}") not in taken)


def file_name(raw: Mapping[str, Any], file: EventFile) -> str:
    name = raw.get("name")
    return (names.clean(name) if isinstance(name, str) else "")[:80] or file.id


def source_of(raw: Mapping[str, Any]) -> str:
    source = raw.get("source")
    return source if isinstance(source, str) else ""


def cut_size(file: EventFile) -> int:
    """Players of the cut's first round, where that is a size a cut may have."""
    first = file.playoffs[0].matches if file.playoffs else ()
    size = sum(len(eventfile.seats_of(match)) for match in first)
    return size if 2 <= size <= 64 else 0


def kind_of(file: FileTable) -> Match.Kind:
    if isinstance(file, FilePod):
        return Match.Kind.TABLE
    alone = {"bye": Match.Kind.BYE, "unpaired_loss": Match.Kind.UNPAIRED}
    return alone.get(file.result, Match.Kind.TABLE)


def file_games(file: FileMatch) -> Games:
    return [file.p1_games, file.p2_games, file.draws]


def known_players(keys: Sequence[str], source: str) -> dict[str, Player]:
    """By public code, or by the id that an imported file of the same source gave. Two queries."""
    coded = [key for key in keys if codes.is_valid(key)]
    found = {player.code: player for player in Player.objects.filter(code__in=coded)} if coded else {}
    if source:
        same = Registration.objects.filter(event__file__source=source, external_id__in=keys)
        for row in same.select_related("player").order_by("pk"):
            found.setdefault(row.external_id, row.player)
    return _one_each(found)


def _one_each(found: Mapping[str, Player]) -> dict[str, Player]:
    """Two ids of a file never share a player (rule 5.5): the later one gets a record of his own."""
    seen: set[int] = set()
    return {key: player for key, player in found.items() if not (player.pk in seen or seen.add(player.pk))}  # type: ignore[func-returns-value]


def bracket_order(playoffs: Sequence[Sequence[FileMatch]]) -> list[list[FileMatch]]:
    """Each round in the order in which the next one names its players, so that the bracket can be drawn from the final
    back; rounds that do not fit together keep the file's order."""
    ordered: list[list[FileMatch]] = []
    wanted: list[str] = []
    for matches in reversed(playoffs):
        place = {player: order for order, player in enumerate(wanted)}
        last = len(place)
        rows = sorted(matches, key=lambda match: min(place.get(key, last) for key in eventfile.seats_of(match)))
        ordered.append(rows)
        wanted = [key for match in rows for key in eventfile.seats_of(match)]
    return ordered[::-1]


# -- writing a file ----------------------------------------------------------------------------------------------------
def export_event(event: Event) -> dict[str, Any]:
    """The event as a file: published rounds and whoever takes or took part. Eight queries. No name, codes only.

    A table without a result is `not_played`: the format has no word for it; `backups.backup` keeps the difference.
    """
    rows = sheet(event)
    said = ResultRevision.objects.filter(current_of__event=event).values_list("current_of", "games")
    closed = frozen(event, FrozenStandings.Phase.SWISS) if event.status in CLOSED_SWISS else None
    return as_given(document(rows, dict(said), closed.rows if closed else None), event.file)


def document(rows: Sheet, games: Mapping[int, Games], closed: Iterable[Mapping[str, Any]] | None) -> dict[str, Any]:
    """What the rows say, in the keys of the format; a key that would say nothing is left out."""
    event, keys = rows.event, rows.key_of
    swiss = [row for row in rows.published_rounds if row.kind == Round.Kind.SWISS]
    playoffs = [row for row in rows.published_rounds if row.kind == Round.Kind.CUT]
    found: dict[str, Any] = {
        "id": event.reference,
        "date": event.date.isoformat(),
        "players": [keys[row.pk] for row in rows.entrants],
        "rounds": [[match_document(rows, match, games) for match in rows.matches(row)] for row in swiss],
        "points": {name: getattr(event, f"points_{name}") for name in ("win", "draw", "loss", "bye")},
        "best_of": event.best_of,
        "preset": event.preset,
        "tiebreak_fit": event.switches,
        "event_format": event.format if event.format != Event.Format.SWISS else None,
        "pod_points": event.pod_points,
        "schedule": schedule_of(rows),
        "drops": {keys[row.pk]: row.last_round for row in rows.entrants if row.last_round is not None},
        "entries": {keys[row.pk]: row.first_round for row in rows.entrants if row.first_round > 1},
        "elements": {keys[row.pk]: row.element.slug for row in rows.entrants if row.element is not None},
        "teams": {keys[row.pk]: row.team for row in rows.entrants if row.team} if event.separate_teams else None,
        "separations": separations_of(rows),
        "next_byes": [keys[row.pk] for row in rows.entrants if row.next_bye],
        "tables": {keys[row.pk]: row.fixed_table for row in rows.entrants if row.fixed_table is not None},
        "cut_format": event.cut_format if playoffs and event.cut_format != Event.CutFormat.SINGLE else None,
        "playoffs": [playoff_document(rows, row, games) for row in playoffs],
        "standings": None if closed is None else [standing_document(rows, row) for row in closed],
    }
    required = ("id", "date", "players", "rounds")
    return {key: value for key, value in found.items() if key in required or value or (key == "teams" and value == {})}


def schedule_of(rows: Sheet) -> list[str | None] | None:
    """The chairs of a round robin, as round 1 stored them; one query, none for other events."""
    first = rows.round(1) if rows.event.format == Event.Format.ROUND_ROBIN else None
    return first.input.get("schedule") if first else None


def separations_of(rows: Sheet) -> list[list[str]]:
    """Pairs of which somebody is only waiting, or has gone, are nobody's business in a file."""
    entrants = {row.pk for row in rows.entrants}
    return [[rows.key_of[a], rows.key_of[b]] for a, b in rows.event.separations if {a, b} <= entrants]


def match_document(rows: Sheet, match: Match, games: Mapping[int, Games]) -> dict[str, Any]:
    if match.is_pod:
        places = [seat.place for seat in match.seat_list]
        return {"players": list(rows.keys_at(match)), "places": places if any(places) else None}
    keys = [rows.key_of[seat.registration_id] for seat in match.seat_list]
    own = games.get(match.pk, default_games(match, rows.event)) or UNKNOWN
    return {
        "p1": keys[0],
        "p2": keys[1] if len(keys) > 1 else None,
        "p1_games": own[0],
        "p2_games": own[1],
        "draws": own[2],
        "result": code_of(match),
    }


def default_games(match: Match, event: Event) -> list[int | None]:
    """A bye is 2-0 (1-0 in best of 1), an unpaired loss its mirror; elsewhere what was not said is not known."""
    full = games_to_win(event.best_of)
    by_kind: dict[str, list[int | None]] = {Match.Kind.BYE: [full, 0, 0], Match.Kind.UNPAIRED: [0, full, 0]}
    return by_kind.get(match.kind, UNKNOWN)


def code_of(match: Match) -> str:
    if match.outcome is None:
        return "not_played"
    seat = next((seat for seat in match.seat_list if seat.registration.player_id == match.winner_id), None)
    return CODES[match.outcome, None if seat is None else seat.position + 1]


def playoff_document(rows: Sheet, round: Round, games: Mapping[int, Games]) -> dict[str, Any]:
    """A round of the cut. In a double elimination each match says its slot, which the list cannot tell."""
    matches = rows.matches(round)
    named = rows.event.file.get("playoffs", [])
    place = rows.cut_rounds.index(round)
    name = named[place] if place < len(named) else playoff_name(rows, place)
    documents = [match_document(rows, match, games) for match in matches]
    if rows.event.cut_format == Event.CutFormat.DOUBLE:
        documents = [document | {"slot": m.slot} for document, m in zip(documents, matches, strict=True)]
    return {"name": name, "matches": documents}


def playoff_name(rows: Sheet, place: int) -> str:
    """Native rounds are called by how many are still in: Top 8, Top 4, Top 2; of a double elimination by number."""
    if rows.event.cut_format == Event.CutFormat.SINGLE:
        return f"Top {2 * len(rows.matches(rows.cut_rounds[place]))}"
    finals = len(double.layout(cut.places(rows))) - 1
    return {finals - 1: "Final", finals: "Second final"}.get(place, f"Round {place + 1}")


def standing_document(rows: Sheet, row: Mapping[str, Any]) -> dict[str, Any]:
    keys = PRESETS[rows.event.preset].keys
    values = {key: decimal(value) for key, value in zip(keys, row["values"], strict=True)}
    player = rows.key_of[rows.by_id[row["registration"]].pk]
    return {"rank": row["rank"], "player": player, **values, "points": row["points"]}


def decimal(value: str | None) -> int | float | None:
    """Nine places, as the command `standings` prints."""
    if value is None:
        return None
    share = Fraction(value)
    return share.numerator if share.denominator == 1 else round(float(share), 9)


# -- what the rows do not say ------------------------------------------------------------------------------------------
def kept_of(raw: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    """For `Event.file`: the file's own value of each optional key that the rows say otherwise. It is sealed with what
    they say now, so that it counts only until somebody changes that part of the event."""
    kept: dict[str, Any] = {
        "given": {key: [raw[key], seal(said.get(key))] for key in OPTIONAL if key in raw and differs(key, raw, said)},
        "omitted": {key: seal(said[key]) for key in OPTIONAL if key in said and key not in raw},
        "source": source_of(raw),
        "playoffs": [playoff["name"] for playoff in raw.get("playoffs") or ()],
    }
    return {key: value for key, value in kept.items() if value}


def differs(key: str, raw: Mapping[str, Any], said: Mapping[str, Any]) -> bool:
    return key not in said or raw[key] != said[key]


def seal(value: Any) -> str:
    return sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def as_given(said: Mapping[str, Any], kept: Mapping[str, Any]) -> dict[str, Any]:
    given = {key: raw for key, (raw, sealed) in kept.get("given", {}).items() if sealed == seal(said.get(key))}
    omitted = {key for key, sealed in kept.get("omitted", {}).items() if sealed == seal(said.get(key))}
    found = {key: value for key, value in said.items() if key not in omitted} | given
    return {key: found[key] for key in eventfile.KEYS if key in found}
