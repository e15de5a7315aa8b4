"""The page of one event: when, where, who, and the one thing to do about it.

A phone on which it stays open asks the pulse; when the event has moved it gets what everybody may see (`#estado` and
what stands beside it), so that a form in which somebody is writing stays as it is. Only when the page is to become
another (sign-up closes, the first round is out, the event is over) the whole of it is sent again.
"""

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone

from players.names import collation_key
from players.web.access import player_of
from tournaments import queries
from tournaments.models import Event, Match, Registration, Round
from tournaments.queries import Sheet
from tournaments.services import seating
from tournaments.standings_words import title_of
from tournaments.swiss import round_robin
from tournaments.swiss.presets import PRESETS
from tournaments.swiss.round_robin import Chair
from tournaments.swiss.types import PlayerId
from tournaments.web import explained, frame, list_words, live, signup
from tournaments.web.access import event_or_404, is_staff, my_registration, public_event
from tournaments.web.live import Part
from tournaments.web.naming import label, tags
from tournaments.web.reached import Reached, reached

TEMPLATE = "tournaments/public/event.html"
LIVE = "tournaments/public/event_live.html"
OVER = (Event.Status.FINISHED, Event.Status.REOPENED)
PODIUM = 8


def event(request: HttpRequest, slug: str) -> HttpResponse:
    """At most 12 queries: event, roles, sheet, final places, me."""
    part = live.part_wanted(request, "estado", "mio")
    if part == "estado":
        return moved(request, slug)
    row = public_event(request, slug)
    return mine(request, row) if part else whole(request, row)


def whole(request: HttpRequest, row: Event) -> HttpResponse:
    me = my_registration(request, row)
    player = me.player if me else player_of(request)
    context = facts(queries.sheet(row)) | {
        "me": me,
        "staff": is_staff(request, row),
        "player": player,
        "open": signup.may_sign_up(row) and (me is None or me.last_round is not None),
        "form": signup.blank(row, player),
    }
    context |= polling(row, context["view"])
    with timezone.override(row.store.zone):
        return live.fresh(render(request, TEMPLATE, context))


def mine(request: HttpRequest, row: Event) -> HttpResponse:
    """Whether I am in or wait: a place may have become free."""
    return live.fresh(render(request, f"{TEMPLATE}#mio", {"event": row, "me": my_registration(request, row)}))


def moved(request: HttpRequest, slug: str) -> HttpResponse:
    """What everybody sees of an event that has moved, built once for all; or the page that it has become."""
    view = request.GET.get("vista", "")
    if same := live.standing_still(request, slug, "estado", view):
        return same
    row = event_or_404(slug)
    if row.status == Event.Status.DRAFT:
        raise Http404
    tag = tag_of(row, view)
    part = live.anonymous(tag, "estado", lambda: build(row))
    if part.extra["view"] == view:
        return live.fresh(HttpResponse(part.html), tag)
    response = whole(request, row)
    response["HX-Retarget"] = response["HX-Reselect"] = "#main"
    return response


def build(row: Event) -> Part:
    context = facts(queries.sheet(row))
    with timezone.override(row.store.zone):
        html = render_to_string(LIVE, context | polling(row, context["view"]))
    return Part(html, {"view": context["view"]})


def polling(row: Event, view: str) -> dict[str, Any]:
    """A draft is nobody's to follow, and nothing is awaited of an event that is over."""
    return {
        "moves": row.status not in {Event.Status.DRAFT, Event.Status.FINISHED},
        "poll": live.phone_seconds(),
        "holds": live.holds(tag_of(row, view)),
        "pulse_holds": live.holds(live.tag_of(row, "pulse")),
    }


def tag_of(row: Event, view: str) -> str:
    return live.tag_of(row, "estado", view)


def view_of(sheet: Sheet) -> str:
    """Which page it is, for everybody: what is written in the address of the poll."""
    if sheet.event.status in OVER:
        return "final"
    if sheet.published_rounds:
        return "rondas"
    return "abierto" if signup.may_sign_up(sheet.event) else "cerrado"


def facts(sheet: Sheet) -> dict[str, Any]:
    row = sheet.event
    return {
        "view": view_of(sheet),
        "event": row,
        "steps": frame.steps(row, sheet.published_rounds, len(sheet.active)) if sheet.published_rounds else [],
        "asked": list_words.asked_words(row),
        "lists_out": queries.lists_are_out(row),
        "planned": frame.swiss_planned(row, sheet.published_rounds, len(sheet.active)),
        "people": len(sheet.players),
        "gone": len(sheet.retired),
        "roster": labelled(sheet, roster_of(sheet)),
        "waiting": labelled(sheet, sheet.waiting),
        "left": max(0, row.capacity - len(sheet.active)) if row.capacity else None,
        "rounds": rounds_of(sheet),
        "to_come": to_come(sheet),
        "places": places_of(sheet) if row.status in OVER else [],
        "number_title": title_of(PRESETS[row.preset].keys[0]),
        "current": sheet.published_round,
        "current_name": frame.round_name(row, sheet.rounds, sheet.published_round) if sheet.published_round else "",
        "missing": sum(match.kind == Match.Kind.TABLE for match in sheet.open_matches),
    }


def roster_of(sheet: Sheet) -> list[Registration]:
    """In Spanish order (case 70)."""
    return sorted(sheet.players, key=lambda row: collation_key(row.person.shown))


def labelled(sheet: Sheet, rows: list[Registration]) -> list[tuple[Registration, str]]:
    tagged = tags(sheet.registrations)
    return [(row, label(row, tagged)) for row in rows]


def rounds_of(sheet: Sheet) -> list[tuple[Round, str, int]]:
    """(round, name, tables without a result) of what has been published."""
    return [
        (
            round,
            frame.round_name(sheet.event, sheet.rounds, round),
            sum(not match.done for match in sheet.tables(round)),
        )
        for round in sheet.published_rounds
    ]


def to_come(sheet: Sheet) -> list[tuple[int, list[tuple[str, str]], list[str]]]:
    """Of a round robin that is being played, the rounds to come: (number, pairs, who rests). One query."""
    if sheet.event.format != Event.Format.ROUND_ROBIN or sheet.event.status != Event.Status.RUNNING:
        return []
    last = sheet.published_round
    if last is None:
        return []
    chairs = seating.chairs_of(sheet, last.number + 1)
    end = min(sheet.event.rounds_planned, len(chairs) - 1)
    return [coming(sheet, number, chairs) for number in range(last.number + 1, end + 1)]


def coming(sheet: Sheet, number: int, chairs: Sequence[Chair]) -> tuple[int, list[tuple[str, str]], list[str]]:
    def shown(player: PlayerId) -> str:
        return sheet.by_key[player].person.shown

    sittings = round_robin.sittings_of(sheet.tournament, chairs, number)
    pairs = [(shown(a), shown(b)) for sitting in sittings if sitting.pair for a, b in [sitting.pair]]
    resting = [player for sitting in sittings if not sitting.pair for player in (sitting.a, sitting.b) if player]
    return number, pairs, [shown(player) for player in resting]


def places_of(sheet: Sheet) -> list[tuple[int, Registration, str, Reached | None]]:
    """(place, who, the number that decides first in Swiss rounds, how far in the cut)."""
    rows = queries.final_standings(sheet)[:PODIUM]
    finished = sheet.event.status == Event.Status.FINISHED
    far = reached(sheet, sheet.by_key[rows[0].player]) if rows and finished else {}
    found = [(row, sheet.by_key[row.player]) for row in rows]
    return [(row.rank, who, explained.first(sheet.event, row), far.get(who.pk)) for row, who in found]
