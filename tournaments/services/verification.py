"""Replaying an event from its log (DESIGN, `verify_event`): every pairing, every bracket, every published standing.

The log tells what each action changed, so the walk goes backwards: from the rows of today to those after each action,
where what that action decided is decided again and compared. A row that is not as the log left it was changed behind
the journal's back. Imported and restored rows have no log; what they came with is checked where the walk ends.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from django.apps import apps
from django.db import models
from django.db.models import Q

from players.models import Player
from tournaments import eventfile
from tournaments.cut import brackets
from tournaments.cut.brackets import Slot
from tournaments.models import Event, FrozenStandings, LogEntry, Match, Registration, Round, Seat
from tournaments.queries import Sheet, file_of, in_room_order, join_seats, thawed
from tournaments.services import cut, journal, seating
from tournaments.services.events import final_rows
from tournaments.services.freezing import swiss_rows
from tournaments.swiss import round_robin
from tournaments.swiss.pairing import ENGINE_VERSION, PairingRefused, criteria_of, pair_round
from tournaments.swiss.pods.criteria import pod_criteria
from tournaments.swiss.pods.pairing import POD_ENGINE, PodPairing, pair_pods
from tournaments.swiss.types import PlayerId, Tournament

WALKED: dict[str, type[models.Model]] = {
    model._meta.label_lower: model for model in (Event, Registration, Round, Match, Seat)
}
EVENT, REGISTRATION, ROUND, MATCH, SEAT = WALKED
FROZEN = FrozenStandings._meta.label_lower
Row = dict[str, Any]
Pairs = tuple[set[frozenset[PlayerId]], set[PlayerId]]


@dataclass
class Report:
    """`rounds` and `standings` say what was checked and how; `differs` is empty when all is as the log says."""

    event: str
    entries: int = 0
    rounds: list[Row] = field(default_factory=list)
    standings: list[Row] = field(default_factory=list)
    differs: list[Row] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return not self.differs

    def as_dict(self) -> Row:
        return {"event": self.event, "ok": self.ok, **{k: v for k, v in asdict(self).items() if k != "event"}}

    def differ(self, what: str, **data: Any) -> None:
        self.differs.append({"what": what, **data})


def verify_event(event: Event) -> Report:
    """Eight queries, then everything in memory; a sheet is rebuilt for each action that decided something."""
    event = Event.objects.select_related("store", "game").get(pk=event.pk)
    walk = _Walk(event)
    walk.check_numbers()
    for entry in walk.effective():
        walk.check_after(entry)
        walk.take_back(entry)
    walk.check_origin()
    walk.report.rounds.sort(key=lambda row: (row["round"], row["entry"]))
    walk.report.standings.sort(key=lambda row: (row["phase"], row["revision"]))
    return walk.report


class _Walk:
    def __init__(self, event: Event) -> None:
        self.event = event
        self.report = Report(event.slug)
        self.log: list[LogEntry] = list(event.log.order_by("-number"))
        removed = [before["player"] for label, before in self.removals() if label == REGISTRATION]
        self.players = Player.objects.filter(Q(registrations__event=event) | Q(pk__in=removed)).in_bulk()
        self.frozen = {row.pk: row for row in event.frozen.all()}
        self.rows: dict[str, dict[int, Row]] = {
            label: {row.pk: journal.encoded(row, journal.all_fields(model)) for row in self.load(model)}
            for label, model in WALKED.items()
        }

    def removals(self) -> Iterator[tuple[str, Row]]:
        for entry in self.log:
            for label, _key, before, after in entry.changes:
                if after is None and before is not None:
                    yield label, before

    def load(self, model: type[models.Model]) -> Iterable[models.Model]:
        scope = {Event: "pk", Seat: "match__event"}.get(model, "event")
        return model._default_manager.filter(**{scope: self.event.pk}).order_by("pk")

    # -- the log --
    def check_numbers(self) -> None:
        self.report.entries = len(self.log)
        numbers = {entry.number for entry in self.log}
        for number in sorted(set(range(1, self.event.version + 1)) ^ numbers):
            self.report.differ("log", number=number, problem="gap" if number not in numbers else "beyond the version")

    def effective(self) -> Iterator[LogEntry]:
        """Newest first, without what was undone and the undoing: the two leave everything as it was."""
        undone = {entry.undoes_id for entry in self.log}
        return (entry for entry in self.log if entry.undoes_id is None and entry.pk not in undone)

    def take_back(self, entry: LogEntry) -> None:
        for label, key, before, after in reversed(entry.changes):
            if label in WALKED:
                self.revert(entry, label, key, before, after)

    def revert(self, entry: LogEntry, label: str, key: Any, before: Row | None, after: Row | None) -> None:
        table = self.rows[label]
        if before is None:
            for one in key:
                if table.pop(one, None) is None:
                    self.report.differ("row", entry=entry.number, model=label, row=one, problem="missing")
        elif after is None:
            table[key] = dict(before)
        elif key not in table:
            self.report.differ("row", entry=entry.number, model=label, row=key, problem="missing")
        else:
            changed = sorted(name for name in after if table[key][name] != after[name])
            if changed:
                self.report.differ("row", entry=entry.number, model=label, row=key, fields=changed)
            table[key].update(before)

    # -- the event as it was --
    def sheet(self) -> Sheet:
        event = self.models_of(EVENT)[0]
        assert isinstance(event, Event)
        registrations = [row for row in self.models_of(REGISTRATION) if isinstance(row, Registration)]
        rounds = [row for row in self.models_of(ROUND) if isinstance(row, Round)]
        matches = [row for row in self.models_of(MATCH) if isinstance(row, Match)]
        seats = [row for row in self.models_of(SEAT) if isinstance(row, Seat)]
        for row in registrations:
            row.player = self.players[row.player_id]
        rounds.sort(key=lambda row: row.number)
        join_seats(registrations, rounds, matches, sorted(seats, key=lambda seat: seat.position))
        by_round: dict[int, list[Match]] = {row.pk: [] for row in rounds}
        for match in sorted(matches, key=in_room_order):
            by_round[match.round_id].append(match)
        return Sheet(event, registrations, rounds, by_round)

    def models_of(self, label: str) -> list[models.Model]:
        model = apps.get_model(label)
        return [model(**journal.decoded(model, row)) for row in self.rows[label].values()]

    # -- checking --
    def check_after(self, entry: LogEntry) -> None:
        """The rounds that this action paired or judged, and the standings that it froze."""
        rounds = self.decided_rounds(entry)
        frozen = frozen_by(entry)
        if not rounds and not frozen:
            return
        now = self.sheet()
        for round in now.rounds:
            if round.pk in rounds:
                self.check_round(now, round, entry.number)
        for pk in frozen:
            if pk in self.frozen:
                row = self.frozen.pop(pk)
                earlier = now.event.frozen.filter(phase=FrozenStandings.Phase.SWISS, pk__lt=row.pk)
                self.check_frozen(now, row, earlier.order_by("-revision").first(), entry.number)

    def decided_rounds(self, entry: LogEntry) -> set[int]:
        found: set[int] = set()
        for label, key, before, after in entry.changes:
            if label == ROUND and before is None:
                found.update(key)
            elif label == ROUND and after is not None and {"criteria", "swapped"} & after.keys():
                found.add(key)
        return found

    def check_origin(self) -> None:
        """What came in with a file or a backup, or stood before the log: no action of the log made it."""
        now = self.sheet()
        for round in now.rounds:
            if round.kind == Round.Kind.SWISS and not round.swapped:
                self.check_round(now, round, 0)
        logged = {pk for entry in self.log for pk in frozen_by(entry)}
        rows = [row for pk, row in self.frozen.items() if pk not in logged]
        newest = {row.phase: row for row in sorted(rows, key=lambda row: row.revision)}
        for row in newest.values():
            if now.event.status != Event.Status.REOPENED:  # corrections under way: finishing freezes again
                self.check_frozen(now, row, newest.get(FrozenStandings.Phase.SWISS), 0)

    def check_round(self, now: Sheet, round: Round, entry: int) -> None:
        how, problems = judge(now, round)
        self.report.rounds.append({"round": round.number, "entry": entry, "checked": how, "ok": not problems})
        for problem in problems:
            self.report.differ("round", round=round.number, entry=entry, **problem)

    def check_frozen(self, now: Sheet, row: FrozenStandings, swiss: FrozenStandings | None, entry: int) -> None:
        """Final places go by the Swiss standings that were published then, not by today's (rule 2.7)."""
        if row.phase == FrozenStandings.Phase.SWISS:
            ours = swiss_rows(now)
        else:
            ours = final_rows(now, thawed(now, swiss.rows) if swiss else now.standings())
        wrong = differing(ours, row.rows)
        name = {"phase": row.phase, "revision": row.revision, "entry": entry}
        self.report.standings.append(name | {"ok": not wrong})
        if wrong:
            self.report.differ("standings", **name, registrations=wrong)


def frozen_by(entry: LogEntry) -> list[int]:
    return [pk for label, keys, before, _after in entry.changes if label == FROZEN and before is None for pk in keys]


def differing(ours: list[Row], theirs: list[Row]) -> list[int]:
    """Registrations whose rows are not the same, in order of place; a missing one counts."""
    mine, published = ({row["registration"]: row for row in rows} for rows in (ours, theirs))
    keys = [row["registration"] for row in theirs] + [key for key in mine if key not in published]
    return [key for key in keys if mine.get(key) != published.get(key)]


# -- a round -----------------------------------------------------------------------------------------------------------
def judge(now: Sheet, round: Round) -> tuple[str, list[Row]]:
    """How it was checked, and what is not as it should be."""
    if round.kind == Round.Kind.CUT:
        return "bracket", bracket_problems(now, round)
    if not round.input or not round.seed:
        return "no stored input", []
    if round.swapped:
        ours = seating.judged_again(now, round)["criteria"]
        return "criteria", [] if ours == round.criteria else [{"criteria": ours, "stored": round.criteria}]
    return derived(now, round)


def derived(now: Sheet, round: Round) -> tuple[str, list[Row]]:
    """The round again from its stored input and seed (rule 4.2); another engine's only by its criteria."""
    tournament = stored_tournament(now, round)
    problems = input_problems(now, round)
    pairs, byes = seated(now, round, {entrant.id for entrant in tournament.entrants})
    if round.engine not in (ENGINE_VERSION, round_robin.ENGINE_VERSION, POD_ENGINE):
        return "criteria", problems + criteria_problems(tournament, round, pairs, byes)
    try:
        pairing = paired_again(tournament, round)
    except PairingRefused as refusal:
        return "derived", [*problems, {"refused": refusal.code}]
    bye = None if isinstance(pairing, PodPairing) else pairing.bye
    ours = {frozenset(keys) for keys in seating.tables_of(pairing)}, {*pairing.assigned_byes, *filter(None, [bye])}
    if ours != (pairs, byes):
        problems.append({"pairs": words(ours), "stored": words((pairs, byes))})
    if asdict(pairing.criteria) != round.criteria:
        problems.append({"criteria": asdict(pairing.criteria), "stored": round.criteria})
    return "derived", problems


def paired_again(tournament: Tournament, round: Round) -> seating.Drawn:
    if round.engine == POD_ENGINE:
        return pair_pods(tournament, round.number, round.seed)
    if round.engine == round_robin.ENGINE_VERSION:
        return round_robin.pair_round(tournament, round.number, round.seed, round.input["schedule"])
    return pair_round(tournament, round.number, round.seed, round.by_standings)


def stored_tournament(now: Sheet, round: Round) -> Tournament:
    """The input. The format has no word for the disqualified: who had left by then and is disqualified was so then."""
    tournament = eventfile.to_tournament(eventfile.from_dict(round.input))
    out = {now.key_of[row.pk] for row in now.registrations if row.status == Registration.Status.DISQUALIFIED}
    entrants = tuple(replace(e, disqualified=e.dropped and e.id in out) for e in tournament.entrants)
    return replace(tournament, entrants=entrants)


def input_problems(now: Sheet, round: Round) -> list[Row]:
    """The stored results against the rows as they were; a round that came with a backup may know later ones."""
    before = seating.before(now.tournament, round.number)
    ours = eventfile.canonical(eventfile.dump(file_of(before, now.event)))["rounds"]
    theirs = eventfile.canonical(round.input)["rounds"]
    wrong = [number for number, (a, b) in enumerate(zip(ours, theirs, strict=False), 1) if a != b]
    if round.status == Round.Status.PUBLISHED or not wrong:
        return []
    return [{"input": "results differ from the rows", "rounds": wrong}]


def seated(now: Sheet, round: Round, known: set[PlayerId]) -> Pairs:
    """Who sits with whom; whoever took the seat opposite a bye later (rule 5.2) is left out again."""
    pairs: set[frozenset[PlayerId]] = set()
    byes: set[PlayerId] = set()
    for match in now.matches(round):
        keys = [key for seat in match.seat_list if (key := now.key_of[seat.registration_id]) in known]
        if match.kind != Match.Kind.UNPAIRED and len(keys) > 1:
            pairs.add(frozenset(keys))
        elif match.kind != Match.Kind.UNPAIRED:
            byes.update(keys)
    return pairs, byes


def criteria_problems(
    tournament: Tournament, round: Round, pairs: set[frozenset[PlayerId]], byes: set[PlayerId]
) -> list[Row]:
    if tournament.rules.pods:
        pods = asdict(pod_criteria(tournament, round.number, [tuple(sorted(keys)) for keys in pairs]))
        return [] if pods == round.criteria else [{"criteria": pods, "stored": round.criteria}]
    assigned = sorted(byes & set(tournament.assigned_byes))
    bye = next(iter(byes - set(assigned)), None)
    listed = [(a, b) for a, b in (sorted(pair) for pair in pairs)]
    ours = asdict(criteria_of(tournament, round.number, listed, bye, tuple(assigned)))
    return [] if ours == round.criteria else [{"criteria": ours, "stored": round.criteria}]


def words(pairs: Pairs) -> Mapping[str, Any]:
    return {"pairs": sorted(sorted(pair) for pair in pairs[0]), "byes": sorted(pairs[1])}


def bracket_problems(now: Sheet, round: Round) -> list[Row]:
    """A round of the cut follows from the seeds, or from the round before it (rule 7.1)."""
    place = now.cut_rounds.index(round)
    if place == 0:
        expected: list[tuple[Slot, Slot]] = list(brackets.first_round(round.input.get("seeds", [])))
    else:
        expected = [(a, b) for a, b in cut.following_pairs(now, place) if a or b]
    ours = sorted(sorted(key for key in pair if key) for pair in expected)
    seats = sorted(sorted(now.key_of[seat.registration_id] for seat in m.seat_list) for m in now.matches(round))
    return [] if ours == seats else [{"bracket": ours, "stored": seats}]
