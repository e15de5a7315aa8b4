"""Who plays: signing up, walk-ins, late entries, drops and everything else on the roster (TOURNAMENT_RULES 5, 8).

Each action is one change of the journal, so each can be undone (rule 6.5). Log entries name players by key, never by
name: whoever retires leaves no name behind (CASES 54).
"""

import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from django.core.exceptions import ValidationError
from django.db.models import Count, Max, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from decks.models import Element
from players import codes, names
from players.models import Player
from players.services import people
from tournaments import rights
from tournaments.models import Event, Match, Penalty, Registration, Round, Seat
from tournaments.queries import ACTIVE, sheet
from tournaments.services import cut, journal, merges, results, seating
from tournaments.services.errors import Refused
from tournaments.services.events import wrong_state
from tournaments.services.journal import Actor, Change
from tournaments.swiss.pods.sizes import LARGEST

Status = Registration.Status
LateChoice = Literal["bye_seat", "losses", "nothing"]
BEFORE_PLAY = (Event.Status.DRAFT, Event.Status.OPEN, Event.Status.CHECK_IN)
SIGN_UP = (Event.Status.OPEN, Event.Status.CHECK_IN)
MOST_AT_ONCE = 1000


# -- what every action shares ------------------------------------------------------------------------------------------
@contextmanager
def changing(
    registration: Registration, action: str, *, by: Actor, at: datetime | None, reason: str = "", always: bool = False
) -> Iterator[tuple[Change, Registration]]:
    """The open change and the row as it is under the lock. `always`: also in a finished event."""
    data = {"players": [registration.player_id]}
    with journal.change(registration.event, action, by=by, at=at, reason=reason, data=data) as write:
        if write.event.status == Event.Status.FINISHED and not always:
            raise Refused(_("The event is finished; reopen it first."), code="finished", rule="2.7")
        yield write, _fresh(write, registration)
        write.skip = not write.changes


def _fresh(write: Change, registration: Registration) -> Registration:
    row = write.event.registrations.select_related("player", "element").filter(pk=registration.pk).first()
    if row is None:
        raise Refused(_("This player is no longer in the event."), code="gone", rule="5.3")
    row.event = write.event
    return row


def _list_of(row: Registration) -> dict[str, Any]:
    """What goes with a deck list that was handed in."""
    names = ("submission", "deck_accepted", "lists_consent")
    return {name: getattr(row, name) for name in names} if row.submission_id else {}


def _set(registration: Registration, action: str, by: Actor, at: datetime | None, **values: Any) -> Registration:
    with changing(registration, action, by=by, at=at) as (write, row):
        write.set(row, **values)
        write.data |= {name: journal.encoded(row, [name])[name] for name in values}
    return row


@dataclass(slots=True)
class Room:
    """Places and the end of the list, counted once under the lock (rule 5.6)."""

    capacity: int | None
    inside: int
    waiting: int
    last: int

    @property
    def free(self) -> bool:
        return self.capacity is None or self.inside < self.capacity

    def admit(self) -> str:
        """The status of the next to come; whoever waits already goes first."""
        self.last += 1
        if self.free and not self.waiting:
            self.inside += 1
            return Status.REGISTERED
        self.waiting += 1
        return Status.WAITING


def room_of(event: Event) -> Room:
    """One query."""
    inside, waiting = Count("pk", Q(status__in=ACTIVE)), Count("pk", Q(status=Status.WAITING))
    found = event.registrations.aggregate(inside=inside, waiting=waiting, last=Max("order"))
    return Room(event.capacity, found["inside"], found["waiting"], found["last"] or 0)


def promote(write: Change) -> list[Registration]:
    """Let the waiting list in while places are free, in order of arrival; only before round 1 is played."""
    if write.event.status not in BEFORE_PLAY:
        return []
    room = room_of(write.event)
    free = room.waiting if room.capacity is None else max(0, room.capacity - room.inside)
    if not room.waiting or not free:
        return []
    lucky = list(write.event.registrations.filter(status=Status.WAITING).order_by("order", "pk")[:free])
    write.set_all(lucky, [{"status": Status.REGISTERED} for _row in lucky])
    return lucky


def new_secret() -> str:
    return secrets.token_urlsafe(18)


# -- coming in before round 1 ------------------------------------------------------------------------------------------
def sign_up(
    event: Event,
    player: Player,
    *,
    by: Actor,
    element: Element | None = None,
    team: str = "",
    at: datetime | None = None,
) -> Registration:
    """Enrol a player, on the waiting list when the event is full. A second tap returns the same row (5.5)."""
    at = at or timezone.now()
    player = people.root(player)
    with journal.change(event, "player.enter", by=by, at=at, data={"players": [player.pk]}) as write:
        found = write.event.registrations.select_related("player").filter(player__in=people.family(player)).first()
        if found is not None and found.last_round is None:
            write.skip = True
            return found
        _check_sign_up(write.event, by)
        if found is not None:
            return _come_back(write, found)
        element = allowed_element(write.event, element)
        entry = Entry(player, element, names.clean(team)[:40])
        return _enrol(write, [entry], at)[0]


def _check_sign_up(event: Event, by: Actor) -> None:
    staff = by.player is None and (by.user is None or rights.may(by.user, "roster", event.store))
    if event.status not in (BEFORE_PLAY if staff else SIGN_UP):
        raise _closed(event)
    if not staff and not event.self_signup:
        raise Refused(_("The store signs players up for this event; ask at the counter."), code="sign_up_off")


def _closed(event: Event) -> Refused:
    if event.live:
        return Refused(_("The event has begun: use late entry."), code="late", rule="5.2")
    return wrong_state(event)


def _come_back(write: Change, row: Registration) -> Registration:
    """Somebody who had left before round 1 signs up again, at the end of the list."""
    if row.status == Status.DISQUALIFIED:
        raise Refused(_("This player is disqualified."), code="disqualified", rule="8.5")
    room = room_of(write.event)
    return write.set(row, status=room.admit(), last_round=None, order=room.last)


def allowed_element(event: Event, element: Element | None) -> Element | None:
    """An event of one element registers that one (GAMES: an event may narrow it)."""
    if element is not None and element.game_id != event.game_id:
        raise Refused(_("That element belongs to another game."), code="element")
    if event.element_id is None:
        return element
    if element is not None and element.pk != event.element_id:
        raise Refused(_("This event is of %(element)s only.") % {"element": event.element}, code="element")
    return event.element


@dataclass(frozen=True, slots=True)
class Entry:
    """Somebody about to be enrolled."""

    player: Player
    element: Element | None = None
    team: str = ""
    paid: bool = False
    told_apart: bool = False


def _enrol(write: Change, entries: Sequence[Entry], at: datetime) -> list[Registration]:
    """Two queries, however many: the room, and one INSERT."""
    room = room_of(write.event)
    rows = []
    for entry in entries:
        status = room.admit()
        rows.append(
            Registration(
                event=write.event,
                player=entry.player,
                status=status,
                element=entry.element,
                team=entry.team,
                paid=entry.paid,
                told_apart=entry.told_apart,
                secret="" if entry.player.user_id else new_secret(),
                order=room.last,
                at=at,
            )
        )
    return write.add_all(Registration, rows)


def add_guests(
    event: Event, entries: Iterable[str], *, by: Actor, at: datetime | None = None, told_apart: bool = False
) -> list[Registration]:
    """Enrol walk-ins, a line each: a name makes a new guest, a public code (K-....-...) finds that player.

    Never matched by name (CASES 51): `similar` says who is called the same. Whoever is in already keeps his row. The
    number of queries does not depend on the number of lines. `told_apart`: none is his namesake of other nights.
    """
    at = at or timezone.now()
    lines = [line for line in (names.clean(entry) for entry in entries) if line]
    if not lines:
        raise Refused(_("Write a name."), code="name_missing")
    with journal.change(event, "player.enter", by=by, at=at) as write:
        check_open_roster(write.event)
        players, element = people_of(lines, write.event), write.event.element
        return enrol_missing(write, [Entry(player, element, told_apart=told_apart) for player in players], at)


def check_open_roster(event: Event) -> None:
    if event.status not in BEFORE_PLAY:
        raise _closed(event)


def enrol_missing(write: Change, entries: Sequence[Entry], at: datetime) -> list[Registration]:
    """Rows in the order of the entries; those who were in already are left as they are."""
    if len(entries) > MOST_AT_ONCE:
        raise Refused(_("At most %(most)d players at once.") % {"most": MOST_AT_ONCE}, code="too_many")
    known = {row.player_id: row for row in write.event.registrations.select_related("player")}
    new = {entry.player.pk: entry for entry in entries if entry.player.pk not in known}
    known |= {row.player_id: row for row in _enrol(write, list(new.values()), at)} if new else {}
    write.data["players"] = list(new)
    write.skip = not new
    return [known[entry.player.pk] for entry in entries]


def people_of(lines: Sequence[str], event: Event) -> list[Player]:
    """The player of each line: by code, else a new guest of the store's province. One query each for the two kinds."""
    wanted = {code for line in lines if codes.is_valid(code := codes.normal(line))}
    by_code = players_by_code(wanted)
    found = [by_code.get(codes.normal(line)) or new_guest(line, event) for line in lines]
    Player.objects.bulk_create([player for player in found if player.pk is None])
    return found


def players_by_code(wanted: Iterable[str]) -> dict[str, Player]:
    """Merged records answer for whoever stands for them."""
    rows = Player.objects.filter(code__in=list(wanted), retired_at=None).select_related("merged_into")
    return {row.code: row if row.merged_into_id is None else people.root(row) for row in rows}


def new_guest(name: str, event: Event) -> Player:
    try:
        return people.new_guest(name, province=event.store.province, country=event.store.country, demo=event.store.demo)
    except ValidationError as error:
        raise Refused(error.messages[0], code=error.code or "name") from None


def similar(event: Event, name: str, *, exclude: Player | None = None) -> list[Registration]:
    """Who in the event is called the same once case, accents and blanks are set aside: "Ana" and "ana " (CASES 50)."""
    rows = event.registrations.select_related("player").filter(player__staff_key=names.fold(name)[:140])
    return [row for row in rows if exclude is None or row.player_id != exclude.pk]


# -- coming in later (rule 5.2) ----------------------------------------------------------------------------------------
def enter_late(
    event: Event,
    who: Player | str,
    *,
    by: Actor,
    choice: LateChoice = "bye_seat",
    element: Element | None = None,
    at: datetime | None = None,
    reason: str = "",
    told_apart: bool = False,
) -> Registration:
    """Three choices: the seat opposite the current bye; next round with losses for the missed ones; or with nothing."""
    at = at or timezone.now()
    with journal.change(event, "player.late", by=by, at=at, reason=reason, data={"choice": choice}) as write:
        rounds = _rounds_for_late(write.event)
        player = people.root(who) if isinstance(who, Player) else people_of([names.clean(who)], write.event)[0]
        write.data["players"] = [player.pk]
        row = _late_row(write, player, allowed_element(write.event, element), at)
        if row.active:
            write.skip = True
            return row
        row.told_apart = told_apart if row._state.adding else row.told_apart
        _seat_late(write, row, rounds, choice, at)
        _require_chair(write)
    return row


def _require_chair(write: Change) -> None:
    """Of a round robin only: its schedule has a place for whoever plays on (rule 5.2)."""
    if write.event.format == Event.Format.ROUND_ROBIN:
        seating.require_chairs(sheet(write.event))


def _rounds_for_late(event: Event) -> list[Round]:
    if event.status in BEFORE_PLAY:
        raise Refused(_("Round 1 is not paired yet: sign the player up as usual."), code="not_late", rule="5.2")
    if event.status != Event.Status.RUNNING:
        raise Refused(_("Nobody enters once the Swiss rounds are over."), code="too_late", rule="5.2")
    return list(event.rounds.all())


def _late_row(write: Change, player: Player, element: Element | None, at: datetime) -> Registration:
    """His row, not saved when it is new. Nobody passes the limit, staff included (rule 5.6)."""
    row = write.event.registrations.select_related("player").filter(player__in=people.family(player)).first()
    if row is not None and row.active:
        return row
    if row is not None and row.last_round is not None:
        message = _("%(name)s was here and left: bring him back instead.") % {"name": row.person.name}
        raise Refused(message, code="dropped", rule="5.4")
    room = room_of(write.event)
    if not room.free:
        raise _full(write.event)
    secret = "" if player.user_id else new_secret()
    new = Registration(event=write.event, player=player, element=element, secret=secret, order=room.last + 1, at=at)
    new.status = Status.WAITING  # until he has his seat below
    return row or new


def _full(event: Event) -> Refused:
    message = _("All %(places)d places are taken. Raise the limit in the settings first.") % {"places": event.capacity}
    return Refused(message, code="full", rule="5.6")


def _seat_late(write: Change, row: Registration, rounds: Sequence[Round], choice: LateChoice, at: datetime) -> None:
    if choice == "bye_seat" and write.event.in_pods:
        table = _free_chair(write.event, rounds)
        _save_late(write, row, table.round.number)
        _sit_down(write, table, row)
        write.data |= {"round": table.round.number, "table": table.table, "chair": True}
        return
    if choice == "bye_seat":
        bye = _current_bye(write.event, rounds)
        _save_late(write, row, bye.round.number)
        _take_seat(write, bye, row)
        write.data |= {"round": bye.round.number, "table": bye.table}
        return
    first = next_round_number(rounds)
    _save_late(write, row, first, losses=choice == "losses")
    write.data["round"] = first
    if choice == "losses":
        _assign_losses(write, row, [round for round in rounds if round.number < first])


def next_round_number(rounds: Sequence[Round]) -> int:
    """The round that he can still be paired in: a draft, which is then paired again, or the one after the newest."""
    if not rounds:
        return 1
    newest = rounds[-1]
    return newest.number if newest.status == Round.Status.DRAFT else newest.number + 1


def _save_late(write: Change, row: Registration, first: int, *, losses: bool = False) -> None:
    """Who comes in once lists are locked may still hand his in."""
    values = {"status": Status.REGISTERED, "first_round": first, "missed_as_losses": losses}
    values["deck_unlocked"] = write.event.asks_for_lists and row.submission_id is None
    if not row._state.adding:
        write.set(row, **values)
        return
    for name, value in values.items():
        setattr(row, name, value)
    write.add(row)


def _current_bye(event: Event, rounds: Sequence[Round]) -> Match:
    """The bye of the newest round; an assigned bye (rule 4.1.1) is nobody's empty chair."""
    newest = rounds[-1] if rounds else None
    seats = Seat.objects.filter(round=newest, match__kind=Match.Kind.BYE)
    for seat in seats.select_related("match__round", "registration__player"):
        if seat.registration.key not in seat.match.round.input.get("next_byes", []):
            return seat.match
    raise Refused(_("Nobody has the bye in this round: choose to enter in the next one."), code="no_bye", rule="5.2")


def _free_chair(event: Event, rounds: Sequence[Round]) -> Match:
    """At tables of several: the smallest of the newest round where nobody has reported and not everybody fits."""
    newest = rounds[-1] if rounds else None
    tables = Match.objects.filter(round=newest, kind=Match.Kind.TABLE, state=Match.State.OPEN).select_related("round")
    free = tables.annotate(sitting=Count("seats")).filter(sitting__lt=LARGEST).order_by("sitting", "-table").first()
    if free is None:
        message = _("No table without reports has a free chair: choose to enter in the next round.")
        raise Refused(message, code="no_chair", rule="5.2")
    return free


def _sit_down(write: Change, table: Match, row: Registration) -> None:
    write.set(table, version=table.version + 1)
    last = table.seats.aggregate(last=Max("position"))["last"]
    write.add(Seat(match=table, round=table.round, registration=row, position=last + 1))


def _take_seat(write: Change, bye: Match, row: Registration) -> None:
    table = (Match.objects.filter(round=bye.round).aggregate(last=Max("table"))["last"] or 0) + 1
    write.set(bye.seats.get(), games=None)
    write.set(
        bye,
        kind=Match.Kind.TABLE,
        table=table,
        state=Match.State.OPEN,
        outcome=None,
        current=None,
        drawn_games=None,
        version=bye.version + 1,
    )
    write.add(Seat(match=bye, round=bye.round, registration=row, position=1))


def _assign_losses(write: Change, row: Registration, missed: Sequence[Round]) -> None:
    """Rule 1.1, `unpaired_loss`: in the event, not seated, no points. One row a missed round; rows are the truth."""
    done = {"state": Match.State.DONE, "outcome": Match.Outcome.UNPAIRED_LOSS, "kind": Match.Kind.UNPAIRED}
    swiss = [round for round in missed if round.kind == Round.Kind.SWISS]
    matches = write.add_all(Match, [Match(event=write.event, round=round, **done) for round in swiss])
    write.add_all(Seat, [Seat(match=match, round=match.round, registration=row, position=0) for match in matches])


# -- leaving -----------------------------------------------------------------------------------------------------------
def drop(registration: Registration, *, by: Actor, at: datetime | None = None, reason: str = "") -> Registration:
    """Rule 5.1: before round 1 no participant; afterwards results stay and he is not paired again.

    Whoever sits at a table without any report gives that match to the opponent by forfeit (1.1); what has been reported
    stays (CASES 31). A draft that seats him is not touched: the console then offers to pair it again (CASES 32).
    """
    at = at or timezone.now()
    with changing(registration, "player.drop", by=by, at=at, reason=reason) as (write, row):
        if row.last_round is None:
            _leave(write, row, Status.DROPPED, by, at)
    return row


def _leave(write: Change, row: Registration, status: str, by: Actor, at: datetime) -> None:
    rounds = list(write.event.rounds.all())
    published = [round for round in rounds if round.status == Round.Status.PUBLISHED]
    last = published[-1].number if published else 0
    forfeited = _unreported(row, published)
    write.set(row, status=status, last_round=last, next_bye=False)
    settled = [results.award_forfeit(write, match, row, by=by, at=at) for match in forfeited]
    seated = [round.number for round in rounds if round.status == Round.Status.DRAFT and _sits_in(row, round)]
    promoted = promote(write)
    write.data |= {
        "last_round": last,
        "forfeits": [match.table for match in settled if match.done],
        "draft": seated[0] if seated else None,
        "promoted": [lucky.player_id for lucky in promoted],
    }


def _unreported(row: Registration, published: Sequence[Round]) -> list[Match]:
    open_tables = Match.objects.filter(seats__registration=row, kind=Match.Kind.TABLE, state=Match.State.OPEN)
    return list(open_tables.filter(round__in=[round.pk for round in published]).select_related("round"))


def _publish_again(write: Change, at: datetime) -> None:
    """A disqualification moves the closed Swiss standings too: a new revision, never in silence (rules 2.7, 8.5)."""
    swiss = write.event.rounds.filter(kind=Round.Kind.SWISS).order_by("-number").first()
    if swiss is not None:
        cut.freeze_again(write, swiss, at=at, reason="")


def _sits_in(row: Registration, round: Round) -> bool:
    return Seat.objects.filter(registration=row, round=round).exists()


def undrop(registration: Registration, *, by: Actor, at: datetime | None = None, reason: str = "") -> Registration:
    """One action (rule 5.4). Results that the drop gave away stay: undo the drop, or correct them. Lifting a
    disqualification needs its reason."""
    with changing(registration, "player.undrop", by=by, at=at, reason=reason) as (write, row):
        if row.last_round is None:
            return row
        if row.status == Status.DISQUALIFIED and not reason.strip():
            raise Refused(_("Say why the disqualification is lifted."), code="reason", rule="8.4")
        room = room_of(write.event)
        before_play = write.event.status in BEFORE_PLAY
        if not room.free and not before_play:
            raise _full(write.event)
        values = {"status": room.admit(), "order": room.last} if before_play else {"status": Status.REGISTERED}
        lifted = row.status == Status.DISQUALIFIED
        write.set(row, last_round=None, **values)
        _require_chair(write)
        if lifted:
            _publish_again(write, at or timezone.now())
    return row


def remove(
    registration: Registration, *, by: Actor, at: datetime | None = None, reason: str = ""
) -> list[Registration]:
    """Delete, which exists only before round 1 (rule 5.3). Returns whom the waiting list let in."""
    with changing(registration, "player.remove", by=by, at=at, reason=reason) as (write, row):
        if write.event.rounds.exists():
            message = _("Round 1 is paired: %(name)s can only be dropped.") % {"name": row.person.name}
            raise Refused(message, code="paired", rule="5.3")
        write.remove(list(row.deck_checks.all()))
        write.remove(list(row.penalties.all()))
        write.remove([row])
        _forget_separations(write, row)
        promoted = promote(write)
        write.data["promoted"] = [lucky.player_id for lucky in promoted]
    return promoted


def _forget_separations(write: Change, row: Registration) -> None:
    write.set(write.event, separations=[pair for pair in write.event.separations if row.pk not in pair])


def disqualify(
    registration: Registration,
    *,
    by: Actor,
    reason: str,
    round: Round | None = None,
    at: datetime | None = None,
) -> Registration:
    """Rule 8.5: opponents keep their results; he leaves the prizes and the ranking. Open tables go to the opponent."""
    if not reason.strip():
        raise Refused(_("Say why."), code="reason", rule="8.4")
    at = at or timezone.now()
    with changing(registration, "player.disqualify", by=by, at=at, reason=reason) as (write, row):
        if row.status == Status.DISQUALIFIED:
            return row
        if row.last_round is None:
            _leave(write, row, Status.DISQUALIFIED, by, at)
        else:
            write.set(row, status=Status.DISQUALIFIED)
        _penalise(write, row, Penalty.Kind.DISQUALIFICATION, reason[:120], round, "", by, at)
        _publish_again(write, at)
    return row


def add_penalty(
    registration: Registration,
    kind: str,
    infraction: str,
    *,
    by: Actor,
    round: Round | None = None,
    note: str = "",
    at: datetime | None = None,
) -> Penalty:
    """Rule 8.4, private to staff. It changes no result: a match loss is entered as the result it is. A disqualification
    is `disqualify`."""
    if kind == Penalty.Kind.DISQUALIFICATION:
        disqualify(registration, by=by, reason=infraction, round=round, at=at)
        return registration.penalties.latest("pk")
    if not infraction.strip():
        raise Refused(_("Say what the penalty is for."), code="infraction", rule="8.4")
    at = at or timezone.now()
    with changing(registration, "player.penalty", by=by, at=at) as (write, row):
        write.data |= {"kind": str(kind)}
        return _penalise(write, row, kind, infraction.strip()[:120], round, note, by, at)


def _penalise(
    write: Change,
    row: Registration,
    kind: str,
    infraction: str,
    round: Round | None,
    note: str,
    by: Actor,
    at: datetime,
) -> Penalty:
    author, event = by.user, write.event
    return write.add(
        Penalty(
            event=event, registration=row, round=round, kind=kind, infraction=infraction, note=note, by=author, at=at
        )
    )


# -- the rest of a roster line -----------------------------------------------------------------------------------------
def check_in(registration: Registration, *, by: Actor, on: bool = True, at: datetime | None = None) -> Registration:
    with changing(registration, "player.check_in", by=by, at=at) as (write, row):
        if not row.active:
            raise Refused(_("%(name)s is not in the event.") % {"name": row.person.name}, code="inactive", rule="5.1")
        write.set(row, status=Status.CHECKED_IN if on else Status.REGISTERED)
        write.data["on"] = on
    return row


def set_paid(registration: Registration, paid: bool, *, by: Actor, at: datetime | None = None) -> Registration:
    """The tick of the counter; also after the event."""
    with changing(registration, "player.paid", by=by, at=at, always=True) as (write, row):
        write.set(row, paid=paid)
        write.data["paid"] = paid
    return row


def set_element(
    registration: Registration, element: Element | None, *, by: Actor, at: datetime | None = None
) -> Registration:
    """What he says he plays; once a list is handed in, the list says it."""
    listed = registration.submission.element if registration.submission else None
    if listed is not None and element != listed:
        raise Refused(_("The deck list says %(element)s; hand in another list.") % {"element": listed}, code="element")
    return _set(registration, "player.element", by, at, element=listed or allowed_element(registration.event, element))


def set_team(registration: Registration, team: str, *, by: Actor, at: datetime | None = None) -> Registration:
    return _set(registration, "player.team", by, at, team=names.clean(team)[:40])


def set_fixed_table(
    registration: Registration, table: int | None, *, by: Actor, at: datetime | None = None
) -> Registration:
    """A table of one's own, for whoever needs one (rule 4.4)."""
    if table is not None and not 1 <= table <= 9999:
        raise Refused(_("Tables are numbered from 1."), code="table", rule="4.4")
    return _set(registration, "player.table", by, at, fixed_table=table)


def assign_bye(registration: Registration, on: bool, *, by: Actor, at: datetime | None = None) -> Registration:
    """An assigned bye for the next round that is paired (rule 4.1.1)."""
    if on and not registration.active:
        raise Refused(_("Only somebody who plays on can have a bye."), code="inactive", rule="4.1")
    if on and registration.event.format == Event.Format.ROUND_ROBIN:
        raise Refused(_("In a round robin the schedule says who rests, and when."), code="round_robin", rule="3")
    return _set(registration, "player.bye", by, at, next_bye=on)


# -- two records, one person -------------------------------------------------------------------------------------------
def claim_guest(secret: str, player: Player, *, by: Actor, at: datetime | None = None) -> Registration:
    """The guest of that link is this account's player: a pointer, nothing moves. Claiming twice is once."""
    row = (
        Registration.objects.select_related("player", "event__store").filter(secret=secret).first() if secret else None
    )
    if row is None:
        raise Refused(_("This link is not valid any more."), code="secret")
    if people.root(row.player).pk != people.root(player).pk:
        merges.merge(row.player, player, by=by.user, at=at, reason=str(_("Claimed with the guest's link")))
    return row


def unite(away: Registration, keep: Registration, *, by: Actor, at: datetime | None = None) -> Registration:
    """Guest "Ana" and account "ana " in one event (CASES 50): one row stays and the guest points to the other player.

    Before round 1 only; afterwards the two have results of their own. What the row that stays lacks, it takes over.
    """
    at = at or timezone.now()
    with changing(away, "player.unite", by=by, at=at) as (write, guest):
        if guest.event_id != keep.event_id or write.event.rounds.exists():
            raise Refused(_("Round 1 is paired: two players of it cannot become one."), code="paired", rule="5.3")
        stays = _fresh(write, keep)
        write.remove(list(guest.deck_checks.all()))
        write.remove([guest])
        merges.point(write, guest.player, stays.player, by=by.user, at=at)
        instead = guest.last_round is None and not stays.active
        place = {"status": guest.status, "last_round": None} if instead else {}
        write.set(
            stays,
            paid=stays.paid or guest.paid,
            element=stays.element or guest.element,
            team=stays.team or guest.team,
            **place,
            **({} if stays.submission_id else _list_of(guest)),
        )
        write.data["players"] = [guest.player_id, stays.player_id]
        promote(write)
    return stays
