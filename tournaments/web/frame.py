"""What the pages of an event share: its rounds as steps, what a round is called, and its clock."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from tournaments import queries
from tournaments.models import Event, Round

CUT_NAMES = {2: _("Final"), 4: _("Semifinals"), 8: _("Quarterfinals"), 16: _("Round of 16")}


def published(rounds: Iterable[Round]) -> list[Round]:
    """What players may see (rule 4.5)."""
    return [round for round in rounds if round.status == Round.Status.PUBLISHED]


def swiss_planned(event: Event, rounds: Iterable[Round], players: int) -> int:
    """How many Swiss rounds there will be; by the table of rule 3 while the event names none."""
    played = sum(round.kind == Round.Kind.SWISS for round in rounds)
    if event.cut_size and any(round.kind == Round.Kind.CUT for round in rounds):
        return played
    return max(played, queries.planned(event, players) if players > 1 else event.rounds_planned)


def steps(event: Event, rounds: list[Round], players: int) -> list[tuple[str, str]]:
    """(label, state) of each Swiss round, then the cut as one step; `rounds` are the published ones."""
    swiss = swiss_planned(event, rounds, players)
    current = rounds[-1].number if rounds else 0
    cut = current > swiss
    line = [(short_name(n), _state(n, current, event.live)) for n in range(1, swiss + 1)]
    if event.cut_size:
        over = event.status in {Event.Status.FINISHED, Event.Status.REOPENED}
        line.append((f"Top {event.cut_size}", "done" if cut and over else "now" if cut else ""))
    return line


def _state(number: int, current: int, live: bool) -> str:
    if number < current or (number == current and not live):
        return "done"
    return "now" if number == current else ""


def short_name(number: int) -> str:
    return pgettext("short for round", "R%(number)s") % {"number": number}


def round_name(event: Event, rounds: Iterable[Round], round: Round) -> str:
    """ "Round 2", "Semifinals"; `rounds` are all of the event, since a cut round counts from the first one."""
    if round.kind == Round.Kind.SWISS:
        return gettext("Round %(number)s") % {"number": round.number}
    if event.cut_format == Event.CutFormat.DOUBLE:
        return double_round_name(event, rounds, round)
    return cut_round_name(places_left(event, rounds, round))


def double_round_name(event: Event, rounds: Iterable[Round], round: Round) -> str:
    """Rounds of both brackets go by number, "Cut 3"; then the final, and perhaps a second one (rule 7.3)."""
    first = min((other for other in rounds if other.kind == Round.Kind.CUT), key=lambda other: other.number)
    number = round.number - first.number + 1
    entered = len(first.input.get("seeds", [])) or event.cut_size
    finals = 2 * (max(entered, 2) - 1).bit_length()
    return final_name(number - finals + 1) if number >= finals else gettext("Cut %(number)s") % {"number": number}


def final_name(stage: int) -> str:
    return str(CUT_NAMES[2]) if stage == 1 else gettext("Second final")


def cut_round_name(left: int) -> str:
    """By how many are still in when it begins."""
    return str(CUT_NAMES.get(left) or gettext("Round of %(number)s") % {"number": left})


def short_round_name(event: Event, rounds: Iterable[Round], round: Round) -> str:
    return short_name(round.number) if round.kind == Round.Kind.SWISS else round_name(event, rounds, round)


def places_left(event: Event, rounds: Iterable[Round], round: Round) -> int:
    """How many places of the bracket a cut round begins with: 8, 4, 2."""
    first = min(other.number for other in rounds if other.kind == Round.Kind.CUT)
    bracket = 1 << max(event.cut_size - 1, 1).bit_length()
    return max(bracket >> (round.number - first), 2)


def clock(
    event: Event, round: Round | None, name: str, at: datetime | None = None, extra: int = 0
) -> dict[str, Any] | None:
    """The clock for components/clock.html; None while the round has none running or paused (rule 8.1).

    `extra`: seconds added to one table.
    """
    if round is None or (round.ends_at is None and round.paused_left is None):
        return None
    now = (at or timezone.now()).timestamp()
    paused = round.paused_left is not None
    ends = None if paused or round.ends_at is None else round.ends_at.timestamp() + extra
    left = (round.paused_left or 0) + extra if ends is None else int(max(0, ends - now))
    return {
        "label": name,
        "minutes": event.minutes,
        "left": left,
        "gone": max(0, event.minutes - -(-left // 60)),
        "paused": paused,
        "over": left == 0,
        "now": now,
        "ends": ends,
        "ends_at": None if paused else round.ends_at,
    }
