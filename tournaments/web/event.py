"""The page of one event: when, where, who, and the one thing to do about it."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from players.names import collation_key
from tournaments import queries
from tournaments.models import Event, Match, Registration, Round
from tournaments.queries import Sheet
from tournaments.web import frame, signup
from tournaments.web.access import is_staff, my_registration, player_of, public_event
from tournaments.web.naming import label, tags

TEMPLATE = "tournaments/public/event.html"
OVER = (Event.Status.FINISHED, Event.Status.REOPENED)
PODIUM = 8


def event(request: HttpRequest, slug: str) -> HttpResponse:
    """At most 12 queries: event, roles, sheet, final places, me."""
    row = public_event(request, slug)
    sheet = queries.sheet(row)
    me = my_registration(request, row)
    player = me.player if me else player_of(request)
    context = facts(sheet) | {
        "me": me,
        "staff": is_staff(request, row),
        "player": player,
        "open": signup.may_sign_up(row) and (me is None or me.last_round is not None),
        "form": signup.blank(row, player),
    }
    with timezone.override(row.store.zone):
        return render(request, TEMPLATE, context)


def facts(sheet: Sheet) -> dict[str, Any]:
    row = sheet.event
    return {
        "event": row,
        "steps": frame.steps(row, sheet.published_rounds, len(sheet.active)) if sheet.published_rounds else [],
        "planned": frame.swiss_planned(row, sheet.published_rounds, len(sheet.active)),
        "people": len(sheet.players),
        "gone": len(sheet.retired),
        "roster": labelled(sheet, roster_of(sheet)),
        "waiting": labelled(sheet, sheet.waiting),
        "left": max(0, row.capacity - len(sheet.active)) if row.capacity else None,
        "rounds": rounds_of(sheet),
        "places": places_of(sheet) if row.status in OVER else [],
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


def places_of(sheet: Sheet) -> list[tuple[int, Registration, int]]:
    return [(row.rank, sheet.by_key[row.player], row.points) for row in queries.final_standings(sheet)[:PODIUM]]
