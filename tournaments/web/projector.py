"""The wall of the shop: names in columns, the clock, a QR; no account, nothing to press, it moves on by itself (UX)."""

from typing import Any

from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from players.names import collation_key
from tournaments import queries
from tournaments.models import Event, Registration, Round
from tournaments.queries import Sheet
from tournaments.web import explained, frame, live, qr
from tournaments.web.access import event_or_404, public_event
from tournaments.web.naming import label, tags
from tournaments.web.pairings import lines_of, tables_of
from tournaments.web.reached import place_words, reached

TEMPLATE = "tournaments/public/projector.html"
A_SCREEN = 110  # names that the smallest letters of the look hold; more of them take turns
TURN_SECONDS = 12
POLL_SECONDS = 10
PHONE_PAGES = {"people": "sign_up", "seats": "my_table", "places": "standings"}  # where the QR leads


def projector(request: HttpRequest, slug: str) -> HttpResponse:
    """Whole page, or what htmx asks for: the clock is always made anew, the names only when the event has changed."""
    part = live.part_wanted(request, "pared")
    if part and (same := live.standing_still(request, slug, request.get_full_path())):
        return same
    event = event_or_404(slug) if part else public_event(request, slug)
    if event.status == Event.Status.DRAFT and part:
        raise Http404
    return wall_part(request, event) if part else live.fresh(wall_page(request, event))


def wall_page(request: HttpRequest, event: Event) -> HttpResponse:
    context = wall_context(request, queries.sheet(event))
    with timezone.override(event.store.zone):
        return render(request, TEMPLATE, context)


def wall_part(request: HttpRequest, event: Event) -> HttpResponse:
    """A crowd takes turns on the screen, so its part is another page of names; else a 304 while nothing moves."""
    tag = live.tag_of(event, request.get_full_path())
    return live.fresh(HttpResponse(build_wall(request, event)), tag)


def build_wall(request: HttpRequest, event: Event) -> str:
    with timezone.override(event.store.zone):
        return render_to_string(f"{TEMPLATE}#pared", wall_context(request, queries.sheet(event)))


def wall_context(request: HttpRequest, sheet: Sheet) -> dict[str, Any]:
    event, round = sheet.event, sheet.published_round
    name = frame.round_name(event, sheet.rounds, round) if round else ""
    kind = kind_of(sheet)
    page = Paginator(entries(sheet, round, kind), A_SCREEN).get_page(request.GET.get("pagina"))
    address = qr.link(request, reverse(PHONE_PAGES[kind], args=[event.slug]))
    return {
        "event": event,
        "kind": kind,
        "round": round,
        "round_name": name,
        "steps": frame.steps(event, sheet.published_rounds, len(sheet.active)),
        "page": page,
        "open": sum(not match.done for match in sheet.tables(round)),
        "clock": frame.clock(event, round, name) if event.live else None,
        "qr": qr.qr(address),
        "people": len(sheet.players),
        "left": max(0, event.capacity - len(sheet.active)) if event.capacity else None,
        "next": address_of(request, page),
        "every": TURN_SECONDS if page.has_other_pages() else POLL_SECONDS,
        "holds": "{}" if page.has_other_pages() else live.holds(live.tag_of(event, address_of(request, page))),
    }


def kind_of(sheet: Sheet) -> str:
    """What the wall is about: who is coming, the seats of a round, or the final places."""
    if sheet.event.status in {Event.Status.FINISHED, Event.Status.REOPENED}:
        return "places"
    return "seats" if sheet.published_round else "people"


def entries(sheet: Sheet, round: Round | None, kind: str) -> list[Any]:
    tagged = tags(sheet.entrants)
    if kind == "places":
        return [(rank, label(row, tagged), words) for rank, row, words in places_of(sheet)]
    if round is None:
        people = sorted(sheet.active, key=lambda row: collation_key(row.person.shown))
        return [label(row, tagged) for row in people]
    return list(lines_of(tables_of(sheet, round)))


def places_of(sheet: Sheet) -> list[tuple[int, Registration, str]]:
    """(place, who, how far in the cut or the number that decides first)."""
    rows = [(row.rank, sheet.by_key[row.player], row) for row in queries.final_standings(sheet)]
    finished = sheet.event.status == Event.Status.FINISHED
    far = reached(sheet, rows[0][1]) if rows and finished else {}
    return [
        (rank, who, place_words(far.get(who.pk), explained.first_words(sheet.event, row))) for rank, who, row in rows
    ]


def address_of(request: HttpRequest, page: Page[Any]) -> str:
    """Where the wall looks next: the following page of names, after the last one the first again."""
    if not page.has_other_pages():
        return request.path
    return f"{request.path}?pagina={page.next_page_number() if page.has_next() else 1}"
