"""What the pages of an event share: its rounds as steps, what a round is called, and its clock."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import pgettext

from tournaments import queries
from tournaments.models import Event, Round
from tournaments.sentences.rounds import cut_round_name, final_name, round_name

__all__ = ["cut_round_name", "final_name", "published", "round_name", "short_round_name", "steps"]


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


def short_round_name(event: Event, rounds: Iterable[Round], round: Round) -> str:
    return short_name(round.number) if round.kind == Round.Kind.SWISS else round_name(event, rounds, round)


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
