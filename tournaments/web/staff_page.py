"""What every page of an event has for its staff: rights, rounds as steps, the next step, what was typed and refused."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from players.models import Player
from players.web.access import account
from tournaments import rights
from tournaments.models import Event, Match
from tournaments.queries import Sheet
from tournaments.services import events
from tournaments.swiss.pods.sizes import LARGEST
from tournaments.web import frame
from tournaments.web.forms import FREE_CHAIR, LATE_CHOICES, WalkInForm
from tournaments.web.words import step_of

ACTIONS = tuple(rights.STORE_ACTIONS)


def can(request: HttpRequest, event: Event) -> dict[str, bool]:
    """What this account may do here, for what a page offers; the views themselves ask again."""
    user = account(request)
    return {action.replace(".", "_"): rights.may(user, action, event.store) for action in ACTIONS}


def base(request: HttpRequest, event: Event) -> dict[str, Any]:
    """What the frame of every page of an event needs."""
    return {"event": event, "can": can(request, event)}


def show(
    request: HttpRequest, event: Event, template: str, context: Mapping[str, Any], status: int = 200
) -> HttpResponse:
    """Render in the store's own time zone (TOURNAMENT_RULES 9)."""
    with timezone.override(event.store.zone):
        return render(request, template, {**base(request, event), **context}, status=status)


@dataclass
class Typed:
    """What was typed into a form that the server refused (UX, Everywhere: nothing is lost)."""

    walk_in: WalkInForm = field(default_factory=WalkInForm)
    similar: list[Any] = field(default_factory=list)
    repeated: list[str] = field(default_factory=list)
    known: list[tuple[str, list[Player]]] = field(default_factory=list)  # who has played here under that name
    table: str = ""
    score: str = ""
    values: Mapping[str, str] = field(default_factory=dict)

    @property
    def doubtful(self) -> bool:
        return bool(self.similar or self.repeated or self.known)

    @property
    def certain(self) -> bool:
        """Whether some name is that of just one who has played here, so that one press may mean him."""
        return any(len(players) == 1 for _name, players in self.known)


def frame_of(sheet: Sheet) -> dict[str, Any]:
    event, published = sheet.event, sheet.published_rounds
    return {
        "people": len(sheet.players),
        "gone": len(sheet.retired),
        "steps": linked_steps(sheet),
        "step": step_of(event, events.next_step(sheet)),
        "planned": frame.swiss_planned(event, published, len(sheet.active)),
    }


def linked_steps(sheet: Sheet) -> list[tuple[str, str, str]]:
    """(label, state, address): each round that exists leads to its tables, where any result can be corrected."""
    home = reverse("console", args=[sheet.event.slug])
    steps = frame.steps(sheet.event, sheet.rounds, len(sheet.active))
    numbers = {round.number for round in sheet.rounds}
    cut = sheet.cut_rounds[-1].number if sheet.cut_rounds else None
    found = []
    for index, (label, state) in enumerate(steps, 1):
        number = cut if label.startswith("Top") else index
        found.append((label, state, f"{home}?ronda={number}" if number in numbers else ""))
    return found


def late_choices(sheet: Sheet) -> list[tuple[str, Any]]:
    """Rule 5.2, while rounds are played; the seat opposite the bye is offered only while there is one, and the next
    round only while there will be one."""
    newest = sheet.matches(sheet.current_round)
    if sheet.event.status != Event.Status.RUNNING:
        return []
    last = len(sheet.published_rounds) >= frame.swiss_planned(sheet.event, sheet.rounds, len(sheet.active))
    byes = any(match.kind == Match.Kind.BYE and match.outcome for match in newest)
    if sheet.event.in_pods:
        byes = any(match.is_pod and match.state == Match.State.OPEN and has_chair(match) for match in newest)
    offered = {"bye_seat": byes, "losses": bool(sheet.published_rounds) and not last, "nothing": not last}
    said = dict(LATE_CHOICES) | ({"bye_seat": FREE_CHAIR} if sheet.event.in_pods else {})
    return [(value, words) for value, words in said.items() if offered[value]]


def has_chair(match: Match) -> bool:
    return len(match.seat_list) < LARGEST
