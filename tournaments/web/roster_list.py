"""The list of who plays: found, filtered, counted, by pages; in the console before round 1 and on its own page."""

from collections.abc import Iterable
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest

from players import names
from tournaments.models import Registration
from tournaments.queries import ListState, Sheet
from tournaments.sentences.rounds import inside, round_name
from tournaments.services import namesakes
from tournaments.web import list_words
from tournaments.web.naming import staff_tags

PER_PAGE = 100
SHOWS = ("all", "unpaid", "absent", "nolist", "out")


def listing(request: HttpRequest, sheet: Sheet) -> dict[str, Any]:
    """One page of the roster, by name in Spanish order, found without accents; those who left stand last, marked."""
    query, show = names.fold(request.GET.get("q", "")), request.GET.get("ver", "all")
    if sheet.event.asks_for_lists:
        list_words.mark(sheet, sheet.registrations)
    rows = [row for row in sheet.registrations if matches(row, query) and belongs(row, show)]
    rows.sort(key=lambda row: (row.status == Registration.Status.WAITING, not row.active, row.person.sort_key, row.pk))
    tagged = staff_tags(sheet)
    for row in rows:
        row.tag = tagged.get(row.pk, "")  # type: ignore[attr-defined]
    mark_cut(sheet, rows)
    for place, row in enumerate(sheet.waiting, 1):
        row.waiting_place = place  # type: ignore[attr-defined]
    return {
        "found": Paginator(rows, PER_PAGE).get_page(request.GET.get("page")),
        "query": request.GET.get("q", ""),
        "show": show if show in SHOWS else "all",
        "counts": counts(sheet),
        "started": bool(sheet.rounds),
        "twins": [] if sheet.rounds else sheet.twins,
        "namesakes": namesakes.namesakes(sheet),
    }


def mark_cut(sheet: Sheet, rows: Iterable[Registration]) -> None:
    """Who left in the cut did so in a round with a name, `cut_left`."""
    called = {round.number: round_name(sheet.event, sheet.rounds, round) for round in sheet.cut_rounds}
    for row in rows:
        row.cut_left = inside(called.get(row.last_round or 0, ""))  # type: ignore[attr-defined]


def matches(row: Registration, query: str) -> bool:
    key = f"{row.person.staff_key} {row.person.search_key} {row.person.code.casefold()}"
    return all(word in key for word in query.removeprefix("k-").split())


def belongs(row: Registration, show: str) -> bool:
    status = Registration.Status
    return {
        "unpaid": row.active and not row.paid,
        "absent": row.status == status.REGISTERED,
        "nolist": row.active and getattr(row, "list_state", ListState.LEGAL) != ListState.LEGAL,
        "out": row.status in {status.DROPPED, status.DISQUALIFIED},
    }.get(show, True)


def counts(sheet: Sheet) -> dict[str, int]:
    return {
        "all": len(sheet.registrations),
        "players": len(sheet.players),
        "waiting": len(sheet.waiting),
        "paid": sum(row.paid for row in sheet.active),
        "unpaid": sum(not row.paid for row in sheet.active),
        "here": sum(row.status == Registration.Status.CHECKED_IN for row in sheet.active),
        "absent": sum(row.status == Registration.Status.REGISTERED for row in sheet.active),
        "out": sum(row.status in {"dropped", "disqualified"} for row in sheet.registrations),
        "nolist": list_words.counts(sheet)["lacking"] if sheet.event.asks_for_lists else 0,
    }
