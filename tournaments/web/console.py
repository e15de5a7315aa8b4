"""The console: one screen that says how the event stands, what needs a person, and the one next thing to do (UX).

Whole page, or the part that htmx asked for by HX-Target: `tables`, `draft` or `roster-list` (after what changes them,
and every few seconds), or `console` (after anything that changes what the page is about). Its queries: event, roles,
the sheet's five, two for the log, one for the undo.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from players.numbers import whole
from players.web.access import account
from tournaments import rights
from tournaments.models import Event, Match, Registration, Round
from tournaments.queries import Sheet, final_standings, planned, sheet
from tournaments.sentences.ahead import ahead_of
from tournaments.services import chances, cut, events, namesakes
from tournaments.services.steps import planned_rounds
from tournaments.standings_words import title_of
from tournaments.swiss.presets import PRESETS
from tournaments.web import answers, explained, frame, list_words, log_words, qr, roster_list, staff_page, why
from tournaments.web.access import event_for_staff
from tournaments.web.reached import reached
from tournaments.web.tables import Table, by_need, pips_words, tables_of
from tournaments.web.words import robin_notes, table_words

POLL_SECONDS = 8
LOG_LINES = 5
MOST_PIPS = 40
MOST_PLACES = 8
OVER = {Event.Status.FINISHED}


def console(request: HttpRequest, slug: str) -> HttpResponse:
    event = event_for_staff(request, slug, "console")
    if answers.is_htmx(request) and request.GET.get("version") == str(event.version):
        return HttpResponse(status=204)
    return page(request, event)


def page(request: HttpRequest, event: Event, typed: staff_page.Typed | None = None, status: int = 200) -> HttpResponse:
    now = sheet(event)
    round = shown_round(request, now)
    context = {"typed": typed or staff_page.Typed(), "sheet": now, "mode": mode_of(now, round), "round": round}
    context |= staff_page.frame_of(now) | log_of(request, now) | parts_of(request, now, round)
    context |= {"poll": POLL_SECONDS, "here": request.path, "arrived": request.headers.get("HX-Trigger") == "walk-in"}
    part, mode = answers.target(request), context["mode"]
    if part in LIVE and mode != request.GET.get("mode", mode):
        part = "console"  # somebody else has moved the event on: the whole screen is another
    template = "tournaments/staff/console.html" + (f"#{part.replace('-', '_')}_live" if part in PARTS else "")
    response = staff_page.show(request, event, template, context, status)
    if part == "console":
        response["HX-Retarget"] = "#console"
        response["HX-Reswap"] = "outerHTML show:window:top"
    return response


LIVE = {"tables", "roster-list", "draft"}  # what asks again by itself, every few seconds
PARTS = LIVE | {"console"}


def shown_round(request: HttpRequest, sheet: Sheet) -> Round | None:
    """The round of the address, else the newest."""
    asked = whole(request.GET.get("ronda", ""))
    return (None if asked is None else sheet.round(asked)) or sheet.current_round


def mode_of(sheet: Sheet, round: Round | None) -> str:
    """What the screen is about: setup, draft, tables, past (an earlier round) or over."""
    if round is None:
        return "setup"
    if round is not sheet.current_round:
        return "past"
    if round.status == Round.Status.DRAFT:
        return "draft"
    return "over" if sheet.event.status in OVER else "tables"


def log_of(request: HttpRequest, sheet: Sheet) -> dict[str, Any]:
    user, event = account(request), sheet.event
    if not rights.may(user, "log", event.store):
        return {"log": [], "undo": None}
    return {
        "log": log_words.newest(sheet, user, LOG_LINES),
        "undo": log_words.undoable(event),
    }


def parts_of(request: HttpRequest, sheet: Sheet, round: Round | None) -> dict[str, Any]:
    mode = mode_of(sheet, round)
    if mode == "setup" or round is None:
        return setup_parts(request, sheet)
    if mode == "draft":
        return draft_parts(sheet, round)
    parts = round_parts(sheet, round)
    closed = mode == "over" or (mode == "tables" and not parts["open_tables"])
    asked = {"namesakes": namesakes.namesakes(sheet)} if mode == "over" else {}
    return parts | asked | (places_of(sheet) if closed else {})


def setup_parts(request: HttpRequest, sheet: Sheet) -> dict[str, Any]:
    event = sheet.event
    address = qr.link(request, reverse("sign_up", args=[event.slug]))
    return {
        "join": {"address": address, "svg": qr.qr(address)} if event.self_signup else None,
        "advice": table_words(event, len(sheet.active)),
        "ahead": ahead_of(sheet),
        "robin": robin_choice(sheet),
        "regulars": events.regulars(event),
        "lists": list_words.standing(sheet),
    } | roster_list.listing(request, sheet)


def robin_choice(sheet: Sheet) -> int:
    """Rounds of the round robin that rule 3 proposes, which one tap makes of the event; 0: no such proposal."""
    event, people = sheet.event, len(sheet.active)
    if event.format == Event.Format.ROUND_ROBIN or people < 2:
        return 0
    return next((note.data["round_robin"] for note in robin_notes(people, planned(event, people))), 0)


def draft_parts(sheet: Sheet, round: Round) -> dict[str, Any]:
    """A round that only staff see yet (rule 4.5): its tables, what had to yield, and what is simply worth knowing."""
    tables = tables_of(sheet, round)
    return {
        "round_name": frame.round_name(sheet.event, sheet.rounds, round),
        "tables": [table for table in tables if table.match.kind == Match.Kind.TABLE],
        "alone": [table for table in tables if table.match.kind != Match.Kind.TABLE],
        **reasons_of(sheet, round),
        "seated": seated(tables),
        "late_choices": staff_page.late_choices(sheet),
    }


def reasons_of(sheet: Sheet, round: Round) -> dict[str, Any]:
    """Why the round is as it is, with the names that staff see (rule 4.3)."""
    return why.explained(round, {key: row.person.name for key, row in sheet.by_key.items()})


def round_parts(sheet: Sheet, round: Round) -> dict[str, Any]:
    tables = tables_of(sheet, round)
    played = [table for table in tables if table.match.kind == Match.Kind.TABLE]
    name = frame.round_name(sheet.event, sheet.rounds, round)
    return {
        "round_name": name,
        "all_tables": tables,
        "open_tables": by_need(tables),
        "done_tables": [table for table in played if table.match.done],
        "alone": [table for table in tables if table.match.kind != Match.Kind.TABLE],
        "pips": pips_of(played),
        "pips_words": pips_words(played),
        "clock": frame.clock(sheet.event, round, name),
        **reasons_of(sheet, round),
        "late_choices": staff_page.late_choices(sheet),
        "seated": seated(tables),
        "ahead": ahead_of(sheet),
        "chances": chances.near(sheet.event, sheet.published_round, planned_rounds(sheet)),
        "untouched": [table for table in played if table.state == table.match.State.OPEN],
    }


def seated(tables: list[Table]) -> list[tuple[str, Registration]]:
    """(what the tile says, who sits there), by name: for the form that swaps two of them."""
    found = [
        (f"{table.label} · {side.tag}" if side.tag else table.label, side.registration)
        for table in tables
        for side in table.sides
    ]
    return sorted(found, key=lambda pair: pair[1].person.sort_key)


def pips_of(tables: list[Table]) -> list[tuple[str, str]]:
    """A tile a table; in a big hall only those that are missing, as many as a glance takes in."""
    shown = tables if len(tables) <= MOST_PIPS else [table for table in tables if not table.match.done]
    return [(table.label, table.pip) for table in shown[:MOST_PIPS]]


def places_of(sheet: Sheet) -> dict[str, Any]:
    """The best eight as they stand, (rank, name, the number that decides first in Swiss rounds, how far in the cut), by
    rule 7.6; and whether places are shared.
    """
    order = final_standings(sheet)
    numbers = {sheet.by_key[row.player].pk: explained.first(sheet.event, row) for row in order}
    rows = [(row.rank, sheet.by_key[row.player]) for row in order]
    if sheet.cut_rounds and sheet.event.status != Event.Status.FINISHED:
        rows = cut.final_places(sheet)
    far = reached(sheet, rows[0][1] if rows else None)
    ranks = [rank for rank, _who in rows[:MOST_PLACES]]
    return {
        "places": [
            (rank, who.person.name, numbers.get(who.pk, ""), far.get(who.pk)) for rank, who in rows[:MOST_PLACES]
        ],
        "by_cut": bool(far),
        "head": title_of(PRESETS[sheet.event.preset].keys[0]),
        "ties": not sheet.cut_rounds and len(set(ranks)) < len(ranks),
    }
