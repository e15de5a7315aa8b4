"""The one next-action button of the console (UX, Organiser): what comes next, and why it cannot be done yet."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.text import get_text_list
from django.utils.translation import gettext, ngettext

from tournaments.cut import double
from tournaments.models import Event, LogEntry, Match, Registration, Round
from tournaments.queries import Sheet, planned
from tournaments.sentences.lists import lacking_words
from tournaments.sentences.rounds import inside, nth_cut_name, round_name
from tournaments.services import cut

MOST_TABLES = 12


@dataclass(frozen=True, slots=True)
class NextStep:
    """`url_name` takes the event's slug and then `args`; all of them are POST. `number` is the round it speaks of.

    `headline` says where the event stands, `reason` why the button is disabled or what it will do.
    """

    action: str
    label: str
    enabled: bool
    reason: str
    url_name: str
    args: tuple[int | str, ...] = ()
    headline: str = ""
    number: int | None = None


def next_step(sheet: Sheet) -> NextStep:
    match sheet.event.status:
        case Event.Status.DRAFT:
            return _open(sheet)
        case Event.Status.OPEN | Event.Status.CHECK_IN:
            return _first_round(sheet)
        case Event.Status.FINISHED:
            return _repeat()
        case Event.Status.REOPENED:
            return _finish(sheet, gettext("Finish again"), gettext("Reopened for corrections"))
    return _play(sheet)


def _open(sheet: Sheet) -> NextStep:
    people = len(sheet.active)
    reason = gettext("Nobody but the staff sees the event yet.")
    return NextStep(
        "open", gettext("Open registration"), True, reason, "event_state", ("open",), headline=_registered(people)
    )


def _registered(people: int) -> str:
    return ngettext("%(people)d player registered", "%(people)d players registered", people) % {"people": people}


def _first_round(sheet: Sheet) -> NextStep:
    playing = players_of_round_1(sheet)
    if len(playing) < 2:
        reason = ngettext(
            "Two players are needed, and there is %(people)d.",
            "Two players are needed, and there are %(people)d.",
            len(playing),
        ) % {"people": len(playing)}
        return _pair(1, False, reason, _registered(len(sheet.active)))
    if lacking := sheet.lacking_lists(playing):
        return _pair(1, False, lacking_words(sheet, lacking), _registered(len(sheet.active)))
    absent = [row for row in sheet.active if row not in playing]
    lucky = [row for row in playing if not row.active]
    reason = _check_in_reason(len(absent), lucky) if absent else _plan(sheet, len(playing))
    return _pair(1, True, reason, _registered(len(sheet.active)))


def _check_in_reason(absent: int, lucky: Sequence[Registration]) -> str:
    text = ngettext(
        "%(absent)d player has not checked in and will not be paired.",
        "%(absent)d players have not checked in and will not be paired.",
        absent,
    ) % {"absent": absent}
    return f"{text} {gettext('In from the waiting list: %(names)s.') % {'names': _names(lucky)}}" if lucky else text


def players_of_round_1(sheet: Sheet) -> list[Registration]:
    """Everybody; once check-in was asked for whoever has checked in, and the waiting list on the places of the others
    (rule 5.6)."""
    if sheet.event.status != Event.Status.CHECK_IN:
        return sheet.active
    here = [row for row in sheet.active if row.status == Registration.Status.CHECKED_IN]
    if len(here) == len(sheet.active) or sheet.event.capacity is None:
        return here
    return here + sheet.waiting[: max(0, sheet.event.capacity - len(here))]


def _plan(sheet: Sheet, people: int) -> str:
    rounds = planned(sheet.event, people)
    text = ngettext("%(rounds)d round", "%(rounds)d rounds", rounds) % {"rounds": rounds}
    if sheet.event.format == Event.Format.ROUND_ROBIN:
        text = gettext("%(rounds)s, everybody meets everybody") % {"rounds": text}
    return f"{text} · Top {sheet.event.cut_size}" if sheet.event.cut_size else text


def plan_by_table(event: Event) -> bool:
    """Whether the table of rule 3 gave the number of rounds, and nobody has since: then it goes with the pairing."""
    label = Event._meta.label_lower
    actions = ["round.pair", "round.repair", "round.undo", "event.edit"]
    entries = LogEntry.objects.filter(event=event, action__in=actions, undone_by=None).order_by("-number")
    for action, changes in entries.values_list("action", "changes"):
        if any(change[0] == label and "rounds_planned" in (change[2] or {}) for change in changes):
            return action in {"round.pair", "round.repair"}
    return False


def planned_rounds(sheet: Sheet) -> int:
    """Swiss rounds to play: the organiser's number, else the table of rule 3 for whoever takes part."""
    return planned(sheet.event, len(sheet.players))


def _pair(number: int, enabled: bool, reason: str, headline: str) -> NextStep:
    label = gettext("Pair round %(number)d") % {"number": number}
    return NextStep("pair", label, enabled, reason, "pair", headline=headline, number=number)


def _play(sheet: Sheet) -> NextStep:
    current = sheet.current_round
    if current is None:
        return _pair(1, len(sheet.active) > 1, "", _registered(len(sheet.active)))
    if current.status == Round.Status.DRAFT:
        return _draft(sheet, current)
    if sheet.open_matches:
        return _blocked(_after(sheet, current), missing(sheet.open_matches))
    return _after(sheet, current)


def _draft(sheet: Sheet, current: Round) -> NextStep:
    left, new = roster_changes(sheet, current)
    name, number = round_name(sheet.event, sheet.rounds, current), current.number
    headline = gettext("%(round)s is a draft") % {"round": name}
    if left or new:
        label = gettext("Pair round %(number)d again") % {"number": number}
        return NextStep(
            "repair", label, True, _roster_reason(left, new), "round_action", (number, "repetir"), headline, number
        )
    label = gettext("Publish %(round)s") % {"round": inside(name)}
    reason = gettext("Nobody but the staff sees it yet; the clock starts when it is published.")
    return NextStep("publish", label, True, reason, "round_action", (number, "publicar"), headline, number)


def roster_changes(sheet: Sheet, draft: Round) -> tuple[list[Registration], list[Registration]]:
    """Who sits in the draft and has left since, and who came and does not sit in it (case 32). None in the cut."""
    if draft.kind == Round.Kind.CUT:
        return [], []
    seated = {seat.registration_id for match in sheet.matches(draft) for seat in match.seat_list}
    left = [row for row in sheet.registrations if row.pk in seated and not row.active]
    new = [row for row in sheet.active if row.pk not in seated and row.first_round <= draft.number]
    return left, new


def _roster_reason(left: Sequence[Registration], new: Sequence[Registration]) -> str:
    parts = []
    if left:
        text = ngettext("%(names)s has left since.", "%(names)s have left since.", len(left))
        parts.append(text % {"names": _names(left)})
    if new:
        text = ngettext("%(names)s is not in it yet.", "%(names)s are not in it yet.", len(new))
        parts.append(text % {"names": _names(new)})
    return " ".join(parts)


def _names(rows: Sequence[Registration]) -> str:
    return get_text_list([row.person.name for row in rows], gettext("and"))


def missing(matches: Sequence[Match]) -> str:
    """`4 tables missing: 2, 3, 4 and 6`, and which of them are in conflict."""
    tables = [match.table for match in matches if match.table is not None]
    text = ngettext("%(count)d table missing: %(tables)s", "%(count)d tables missing: %(tables)s", len(matches))
    text %= {"count": len(matches), "tables": table_list(tables)}
    conflict = [match.table for match in matches if match.state == Match.State.CONFLICT and match.table is not None]
    if not conflict:
        return text
    differ = ngettext("reports differ at table %(tables)s", "reports differ at tables %(tables)s", len(conflict))
    return f"{text} · {differ % {'tables': table_list(conflict)}}"


def table_list(tables: Iterable[int | None]) -> str:
    shown = [str(table) for table in sorted(table for table in tables if table is not None)]
    if (more := len(shown) - MOST_TABLES) > 1:
        rest = ngettext("%(more)d more", "%(more)d more", more) % {"more": more}
        shown = [*shown[:MOST_TABLES], rest]
    return get_text_list(shown, gettext("and"))


def _blocked(step: NextStep, reason: str) -> NextStep:
    return NextStep(step.action, step.label, False, reason, step.url_name, step.args, step.headline, step.number)


def _after(sheet: Sheet, current: Round) -> NextStep:
    """What follows the newest round once its results are in."""
    if current.kind == Round.Kind.CUT:
        return _after_cut_round(sheet, current)
    played, planned = len(sheet.swiss_rounds), planned_rounds(sheet)
    headline = gettext("Round %(number)d of %(planned)d") % {"number": played, "planned": max(played, planned)}
    if len(sheet.active) < 2:
        return _finish(sheet, gettext("Finish"), headline, gettext("Fewer than two players are left."))
    if played < planned:
        return _pair(current.number + 1, True, gettext("Every result is in."), headline)
    if sheet.event.cut_size:
        label = gettext("Start the Top %(size)d") % {"size": sheet.event.cut_size}
        reason = gettext("The standings are frozen and the seeds follow them.")
        return NextStep("cut", label, True, reason, "cut", headline=headline, number=current.number + 1)
    return _finish(sheet, gettext("Finish"), headline)


def _after_cut_round(sheet: Sheet, current: Round) -> NextStep:
    if cut.over(sheet) or (_is_final(sheet) and (sheet.open_matches or not cut.is_double(sheet))):
        return _finish(sheet, gettext("Finish"), _cut_name(sheet, len(sheet.cut_rounds)))
    headline = _cut_name(sheet, len(sheet.cut_rounds))
    label = gettext("Pair %(round)s") % {"round": inside(_cut_name(sheet, len(sheet.cut_rounds) + 1))}
    return NextStep(
        "cut", label, True, gettext("Every result is in."), "cut", headline=headline, number=current.number + 1
    )


def _cut_name(sheet: Sheet, number: int) -> str:
    return nth_cut_name(sheet.event, sheet.cut_rounds[0], number)


def _is_final(sheet: Sheet) -> bool:
    """Whether the newest round of the cut is the final, or the second one."""
    number = len(sheet.cut_rounds)
    if cut.is_double(sheet):
        return number >= len(double.layout(cut.places(sheet))) - 1
    return cut.width(sheet, number) == 1


def _finish(sheet: Sheet, label: str, headline: str, reason: str = "") -> NextStep:
    if sheet.open_matches:
        return NextStep("finish", label, False, missing(sheet.open_matches), "event_state", ("finish",), headline)
    return NextStep(
        "finish", label, True, reason or gettext("Every result is in."), "event_state", ("finish",), headline
    )


def _repeat() -> NextStep:
    reason = gettext("The same event at the same time, a week later.")
    headline = gettext("The event is finished")
    return NextStep("repeat", gettext("Repeat next week"), True, reason, "event_repeat", headline=headline)
