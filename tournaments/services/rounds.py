"""Rounds: pair, publish, swap, pair again, undo, and the clock (TOURNAMENT_RULES 4, 6.3, 8.1)."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Literal

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models import Event, Match, Registration, Round, Seat
from tournaments.queries import Sheet, sheet
from tournaments.sentences.rounds import called, inside
from tournaments.services import journal, judging, results, seating
from tournaments.services.errors import Refused
from tournaments.services.journal import Actor, Change
from tournaments.services.registrations import promote
from tournaments.services.steps import plan_by_table
from tournaments.swiss.rounds import round_robin_rounds, suggested_rounds
from tournaments.swiss.types import Tournament

PAIRABLE = (Event.Status.DRAFT, Event.Status.OPEN, Event.Status.CHECK_IN, Event.Status.RUNNING)


# -- pairing -----------------------------------------------------------------------------------------------------------
def pair(
    event: Event,
    number: int,
    *,
    by: Actor,
    seed: str | None = None,
    at: datetime | None = None,
    reason: str = "",
    override: bool = False,
) -> tuple[Round, bool]:
    """The Swiss round `number`, in draft, and whether this call made it: twice is once (rule 4.6).

    With tables open it refuses and names them (case 9). `override` with a reason pairs all the same: a table where one
    player has reported takes that report, any other is "not played" until staff correct it; its two players are kept
    apart in this one round, as they may still be playing. Round 1 wants the deck lists that the event requires
    (`judging.check_at_start`); `override` begins without them.
    """
    with journal.change(event, "round.pair", by=by, at=at, reason=reason, data={"round": number}) as write:
        now = sheet(write.event)
        if (existing := now.round(number)) is not None:
            write.skip = True
            return existing, False
        require_pairable(now, number)
        if number == 1:
            judging.check_at_start(write, now, override=override, reason=reason, at=at or timezone.now())
        unfinished = list(now.open_matches)
        if unfinished:
            require_override(unfinished, override, reason)
        if prepare(write, now, number, unfinished, reason, by, at):
            now = sheet(write.event)
        tournament, pairing = decide(now, number, seed or seating.new_seed(), unfinished)
        round = write.add(Round(event=write.event, number=number, **seating.record_of(now, tournament, pairing)))
        seating.seat_pairing(write, now, round, pairing)
        start(write, now, number)
        write.data |= {"tables": len(seating.tables_of(pairing)), "override": bool(unfinished)}
    return round, True


def require_pairable(now: Sheet, number: int) -> None:
    event, last = now.event, now.current_round
    if event.status == Event.Status.CUT:
        raise Refused(_("The cut has begun: there are no more Swiss rounds."), code="in_cut", rule="7.1")
    if event.status not in PAIRABLE:
        raise Refused(_("The event is over: no round can be paired."), code="event_over", rule="6.1")
    if last is not None and last.status == Round.Status.DRAFT:
        message = _("%(round)s is still a draft: publish it first.") % {"round": called(last)}
        raise Refused(message, code="draft_open", rule="4.5", data={"round": last.number})
    following = (last.number if last else 0) + 1
    if number != following:
        message = _("The next round is round %(next)s, not %(asked)s.") % {"next": following, "asked": number}
        raise Refused(message, code="round_gap", rule="4.6", data={"next": following})
    if event.rounds_planned and number > event.rounds_planned:
        message = _(
            "All %(count)s planned rounds are paired. To play more, undo the last one and plan more in the settings."
        ) % {"count": event.rounds_planned}
        raise Refused(message, code="rounds_over", rule="3", data={"planned": event.rounds_planned})


def require_override(unfinished: Sequence[Match], override: bool, reason: str) -> None:
    tables = [match.table for match in unfinished]
    if not override:
        listed = ", ".join(str(table) for table in tables)
        message = _("Results are missing at these tables: %(tables)s.") % {"tables": listed}
        raise Refused(message, code="tables_open", rule="1.1", data={"tables": tables})
    require_reason(reason, "1.5")


def require_reason(reason: str, rule: str) -> None:
    if not reason.strip():
        raise Refused(_("Write the reason: it stays in the log."), code="reason_needed", rule=rule)


def prepare(
    write: Change, now: Sheet, number: int, unfinished: Sequence[Match], reason: str, by: Actor, at: datetime | None
) -> bool:
    """What a pairing settles first: open tables, losses for late entries, no-shows. Whether anything was written."""
    if unfinished:
        settled = [(match, results.provisional(match)) for match in unfinished]
        results.settle(write, settled, kind="decision", by=by, at=at or timezone.now(), reason=reason)
    late = assign_losses(write, now, number)
    absent = drop_no_shows(write, now, number)
    return bool(unfinished or late or absent)


def assign_losses(write: Change, now: Sheet, number: int) -> list[Match]:
    """Rule 5.2: who entered late "with losses" has an unpaired loss in each round before his first."""
    late = [row for row in now.active if row.missed_as_losses and row.first_round <= number]
    missed = [
        (round, row)
        for row in late
        for round in now.swiss_rounds
        if round.number < row.first_round and not any(r is round for r, _, _ in now.seats_of(row, drafts=True))
    ]
    matches = [seating.alone(write, round, Match.Kind.UNPAIRED) for round, _ in missed]
    return seating.place(write, matches, [(row,) for _, row in missed])


def drop_no_shows(write: Change, now: Sheet, number: int) -> list[Registration]:
    """Only where check-in was asked, and only before round 1: who did not come is no participant (rule 5.1), and the
    waiting list takes the places that become free (rule 5.6)."""
    if number != 1 or write.event.status != Event.Status.CHECK_IN:
        return []
    absent = [row for row in now.active if row.status != Registration.Status.CHECKED_IN]
    write.set_all(absent, [{"status": Registration.Status.DROPPED, "last_round": 0} for _ in absent])
    write.data["no_shows"] = [row.pk for row in absent]
    lucky = promote(write) if absent and now.waiting else []
    write.data["promoted"] = [row.player_id for row in lucky]
    return absent


def decide(now: Sheet, number: int, seed: str, unfinished: Sequence[Match] = ()) -> tuple[Tournament, seating.Drawn]:
    """The exact input and the round that follows from it."""
    event = now.event
    if is_round_robin(now):
        return now.tournament, seating.scheduled(now, number, seed)
    last = event.last_round == Event.LastRound.STANDINGS and number == (event.rounds_planned or number + 1)
    apart = tuple(seating.pairs_of(now, unfinished))
    tournament = now.tournament
    if apart:
        kept = replace(tournament, separations=(*tournament.separations, *apart))
        try:
            return kept, seating.draw(now, kept, number, seed, by_standings=last)
        except Refused as refusal:
            if refusal.code != "separations":
                raise
    return tournament, seating.draw(now, tournament, number, seed, by_standings=last)


def start(write: Change, now: Sheet, number: int) -> None:
    """Round 1 starts the event; a plan left open takes the table of rule 3."""
    if number != 1:
        return
    planned = plan(write.event, len(now.active))
    write.set(write.event, status=Event.Status.RUNNING, rounds_planned=planned)


def plan(event: Event, people: int) -> int:
    """Rounds for whoever is in round 1: a round robin takes as many as it takes, else the table fills in (rule 3)."""
    if event.format == Event.Format.ROUND_ROBIN:
        return round_robin_rounds(people)
    return event.rounds_planned or suggested_rounds(people)


def is_round_robin(now: Sheet) -> bool:
    return now.event.format == Event.Format.ROUND_ROBIN


def require_free_pairing(now: Sheet) -> None:
    """In a round robin a seat that moves makes two meet twice, and two others never (rule 3)."""
    if is_round_robin(now):
        message = _("In a round robin everybody meets everybody: the schedule says who plays whom.")
        raise Refused(message, code="round_robin", rule="3")


def repair(
    event: Event, number: int, *, by: Actor, seed: str | None = None, at: datetime | None = None, reason: str = ""
) -> Round:
    """Pair a draft again, with a new seed and the roster as it is now: another action than pairing (rule 4.6)."""
    with journal.change(event, "round.repair", by=by, at=at, reason=reason, data={"round": number}) as write:
        now = sheet(write.event)
        round = round_of(now, number)
        require_draft(round)
        require_swiss(round)
        tournament, pairing = decide(now, number, seed or seating.new_seed())
        seating.unseat(write, now.matches(round))
        write.set(round, **seating.record_of(now, tournament, pairing))
        seating.seat_pairing(write, now, round, pairing)
        if number == 1 and is_round_robin(now):
            write.set(write.event, rounds_planned=round_robin_rounds(len(now.active)))
        elif number == 1 and plan_by_table(write.event):
            write.set(write.event, rounds_planned=suggested_rounds(len(now.active)))
    return round


def round_of(now: Sheet, number: int) -> Round:
    round = now.round(number)
    if round is None:
        message = _("There is no round %(round)s.") % {"round": number}
        raise Refused(message, code="no_round", rule="4.6", data={"round": number})
    return round


def require_draft(round: Round) -> None:
    if round.status != Round.Status.DRAFT:
        message = _("%(round)s is published: it is no draft any more.") % {"round": called(round)}
        raise Refused(message, code="published", rule="4.5")


def require_published(round: Round) -> None:
    if round.status != Round.Status.PUBLISHED:
        message = _("%(round)s is still a draft: publish it first.") % {"round": called(round)}
        raise Refused(message, code="draft_open", rule="4.5", data={"round": round.number})


def require_last(now: Sheet, round: Round) -> None:
    if round is not now.current_round:
        message = _("Only the newest round can be changed so; %(round)s is not.") % {"round": inside(called(round))}
        raise Refused(message, code="not_last", rule="6.3")


def require_swiss(round: Round) -> None:
    if round.kind != Round.Kind.SWISS:
        raise Refused(_("The bracket of the cut follows from the seeds."), code="in_cut", rule="7.1")


# -- publishing --------------------------------------------------------------------------------------------------------
def publish(event: Event, number: int, *, by: Actor, at: datetime | None = None, reason: str = "") -> Round:
    """Players see the round from now on, and its clock runs (rules 4.5, 8.1). Published already: nothing changes."""
    at = at or timezone.now()
    with journal.change(event, "round.publish", by=by, at=at, reason=reason, data={"round": number}) as write:
        now = sheet(write.event)
        round = round_of(now, number)
        if round.status == Round.Status.PUBLISHED:
            write.skip = True
            return round
        require_current_roster(now, round)
        if round.kind == Round.Kind.CUT:
            advance_past_drops(write, now, round, by, at)
        ends = at + timedelta(minutes=write.event.minutes)
        write.set(round, status=Round.Status.PUBLISHED, published_at=at, ends_at=ends)
        consume_byes(write, now, round)
    return round


def require_current_roster(now: Sheet, round: Round) -> None:
    """A draft older than the roster would seat who left, or leave out who came (rules 4.1.1, 5.1)."""
    seated = {seat.registration_id for match in now.matches(round) for seat in match.seat_list}
    if round.kind == Round.Kind.CUT:
        return
    gone = [row for row in now.entrants if row.pk in seated and not row.active]
    new = [row for row in now.active if row.first_round <= round.number and row.pk not in seated]
    if gone or new:
        message = _("The roster has changed since this draft: pair it again. Gone: %(gone)s. New: %(new)s.") % {
            "gone": seating.names_of(gone) or "–",
            "new": seating.names_of(new) or "–",
        }
        data = {"gone": [row.pk for row in gone], "new": [row.pk for row in new]}
        raise Refused(message, code="draft_stale", rule="4.1.1", data=data)


def advance_past_drops(write: Change, now: Sheet, round: Round, by: Actor, at: datetime) -> None:
    """Who dropped while the cut round was a draft lets his opponent advance (rule 7.4)."""
    for match in now.matches(round):
        for seat in match.seat_list:
            if not seat.registration.active:
                results.award_forfeit(write, match, seat.registration, by=by, at=at)


def consume_byes(write: Change, now: Sheet, round: Round) -> None:
    """An assigned bye is for one round: that which is published with it."""
    resting = [match.left.registration for match in now.matches(round) if match.kind == Match.Kind.BYE]
    used = [row for row in resting if row.next_bye]
    write.set_all(used, [{"next_bye": False} for _ in used])


# -- seats -------------------------------------------------------------------------------------------------------------
def swap(
    event: Event,
    number: int,
    reg_a: Registration,
    reg_b: Registration,
    reason: str,
    *,
    by: Actor,
    at: datetime | None = None,
) -> Round:
    """Two players change seats: in a draft, or published while nobody has reported (rules 4.5, 4.7)."""
    data = {"round": number, "registrations": [reg_a.pk, reg_b.pk]}
    with journal.change(event, "round.swap", by=by, at=at, reason=reason, data=data) as write:
        require_reason(reason, "4.5")
        now = sheet(write.event)
        round = round_of(now, number)
        require_swappable(now, round)
        if round.kind == Round.Kind.SWISS:
            require_free_pairing(now)
        elif write.event.cut_format == Event.CutFormat.DOUBLE:
            require_swiss(round)  # a seat that moves from one side to the other would change who has lost how often
        a, b = seat_in(now, round, reg_a), seat_in(now, round, reg_b)
        exchange(write, a, b)
        now = sheet(write.event)
        round = round_of(now, number)
        require_allowed(now, round)
        if round.kind == Round.Kind.SWISS:
            write.set(round, **seating.judged_again(now, round))
    return round


def require_swappable(now: Sheet, round: Round) -> None:
    require_last(now, round)
    touched = [m.table for m in now.matches(round) if m.kind == Match.Kind.TABLE and m.state != Match.State.OPEN]
    if round.status == Round.Status.PUBLISHED and touched:
        message = _("Seats are fixed: there are reports at these tables: %(tables)s.") % {
            "tables": ", ".join(str(table) for table in touched)
        }
        raise Refused(message, code="has_results", rule="4.7", data={"tables": touched})


def seat_in(now: Sheet, round: Round, registration: Registration) -> Seat:
    for row, _match, seat in now.seats_of(registration, drafts=True):
        if row is round:
            return seat
    values = {"name": registration.person.name, "round": inside(called(round))}
    raise Refused(_("%(name)s has no seat in %(round)s.") % values, code="no_seat", rule="4.5")


def exchange(write: Change, a: Seat, b: Seat) -> None:
    """Through a position that no table has, because the database refuses two at one seat for even an instant."""
    if a.pk == b.pk:
        raise Refused(_("Choose two different players."), code="same_player", rule="4.5")
    match_a, position_a, match_b, position_b = a.match, a.position, b.match, b.position
    write.set(a, position=9)
    write.set(b, match=match_a, position=position_a)
    write.set(a, match=match_b, position=position_b)
    for match in {match_a, match_b}:
        write.set(match, version=match.version + 1)


def require_allowed(now: Sheet, round: Round) -> None:
    barred = {frozenset(pair) for pair in now.tournament.separations}
    for a, b in seating.pairs_of(now, now.matches(round)):
        if frozenset((a, b)) in barred:
            names = seating.names_of([now.by_key[a], now.by_key[b]])
            raise Refused(_("These must not meet: %(names)s.") % {"names": names}, code="separations", rule="4.1.1")


# -- going back --------------------------------------------------------------------------------------------------------
def undo_round(event: Event, number: int, reason: str = "", *, by: Actor, at: datetime | None = None) -> None:
    """Take the newest round back; once it has results, only with a typed reason: nothing is voided silently (6.3)."""
    with journal.change(event, "round.undo", by=by, at=at, reason=reason, data={"round": number}) as write:
        now = sheet(write.event)
        round = round_of(now, number)
        require_last(now, round)
        require_open_event(write.event)
        matches = now.matches(round)
        voided = [m.table for m in matches if m.kind == Match.Kind.TABLE and m.state != Match.State.OPEN]
        if voided and not reason.strip():
            message = _("%(round)s has results at these tables: %(tables)s. Undoing it needs a reason.") % {
                "round": called(round),
                "tables": ", ".join(str(table) for table in voided),
            }
            raise Refused(message, code="has_results", rule="6.3", data={"tables": voided})
        seating.unseat(write, matches)
        outlive(write, round)
        write.remove([Round.objects.get(pk=round.pk)])
        step_back(write, now, round)
        write.data["voided"] = voided


def outlive(write: Change, round: Round) -> None:
    """Penalties of a round that goes stay with their players (rule 8.4)."""
    kept = list(write.event.penalties.filter(round=round.pk))
    write.set_all(kept, [{"round": None} for _ in kept])


def require_open_event(event: Event) -> None:
    if event.status == Event.Status.FINISHED:
        raise Refused(_("The event is finished: reopen it first."), code="event_over", rule="6.1")


def step_back(write: Change, now: Sheet, round: Round) -> None:
    """Who dropped in that round dropped before it; without round 1, or without a cut, the event is where it was."""
    gone = [row for row in now.entrants if row.last_round is not None and row.last_round >= round.number]
    write.set_all(gone, [{"last_round": round.number - 1} for _ in gone])
    checked = any(row.status == Registration.Status.CHECKED_IN for row in now.registrations)
    if round.number == 1:
        status = Event.Status.CHECK_IN if checked else Event.Status.OPEN
        planned = 0 if plan_by_table(write.event) else write.event.rounds_planned
        write.set(write.event, status=status, finished_at=None, rounds_planned=planned)
    elif round.kind == Round.Kind.CUT and len(now.cut_rounds) == 1 and write.event.status == Event.Status.CUT:
        write.set(write.event, status=Event.Status.RUNNING)


def repair_open_tables(
    event: Event, number: int, reason: str, *, by: Actor, seed: str | None = None, at: datetime | None = None
) -> Round:
    """Pair again only the tables where nobody has reported, with the points as they stand now (rule 6.3)."""
    with journal.change(event, "round.repair_open", by=by, at=at, reason=reason, data={"round": number}) as write:
        require_reason(reason, "6.3")
        return repair_open_in(write, number, seed)


def repair_open_in(write: Change, number: int, seed: str | None = None) -> Round:
    now = sheet(write.event)
    round = round_of(now, number)
    require_last(now, round)
    require_published(round)
    require_swiss(round)
    require_free_pairing(now)
    matches = seating.redraw_open(write, now, round, seed or seating.new_seed())
    write.data["tables"] = [match.table for match in matches]
    now = sheet(write.event)
    round = round_of(now, number)
    return write.set(round, **seating.judged_again(now, round))


# -- the clock (rule 8.1) ----------------------------------------------------------------------------------------------
ClockOp = Literal["start", "pause", "resume", "add"]


def clock(
    event: Event,
    number: int,
    op: ClockOp,
    seconds: int = 0,
    *,
    by: Actor,
    at: datetime | None = None,
    match: Match | None = None,
    reason: str = "",
) -> Round:
    """`start` from the full time, `pause` and `resume` with what remains, `add` to all, or to the table of `match`."""
    at = at or timezone.now()
    with journal.change(event, f"clock.{op}", by=by, at=at, reason=reason, data={"round": number}) as write:
        require_open_event(write.event)
        round = round_of(sheet(write.event), number)
        require_published(round)
        if op == "add" and match is not None:
            extend_table(write, round, match, seconds)
        elif op == "add":
            extend(write, round, seconds, at)
        elif op == "start":
            write.set(round, ends_at=at + timedelta(minutes=write.event.minutes), paused_left=None)
        elif op == "pause":
            pause(write, round, at)
        else:
            resume(write, round, at)
        write.skip = not write.changes
    return round


def left(round: Round, at: datetime) -> int:
    """Seconds that remain; 0 when time is over or the clock never ran."""
    if round.paused_left is not None:
        return round.paused_left
    return max(0, int((round.ends_at - at).total_seconds())) if round.ends_at else 0


def pause(write: Change, round: Round, at: datetime) -> None:
    if round.paused_left is None:
        write.set(round, paused_left=left(round, at))


def resume(write: Change, round: Round, at: datetime) -> None:
    if round.paused_left is not None:
        write.set(round, ends_at=at + timedelta(seconds=round.paused_left), paused_left=None)


def extend(write: Change, round: Round, seconds: int, at: datetime) -> None:
    write.data["seconds"] = seconds
    if round.paused_left is not None:
        write.set(round, paused_left=max(0, round.paused_left + seconds))
    else:
        write.set(round, ends_at=(round.ends_at or at) + timedelta(seconds=seconds))


def extend_table(write: Change, round: Round, match: Match, seconds: int) -> None:
    fresh = Match.objects.filter(pk=match.pk, round=round).first()
    if fresh is None:
        message = _("There is no table %(table)s in this round.") % {"table": match.table}
        raise Refused(message, code="no_table", rule="8.1")
    write.data |= {"seconds": seconds, "table": fresh.table}
    write.set(fresh, extra_seconds=max(0, fresh.extra_seconds + seconds))
