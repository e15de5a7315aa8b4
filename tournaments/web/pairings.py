"""Who plays whom: by table for the staff's eye, by name for the player's (UX, Player)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone

from players.names import collation_key, fold
from players.web.rows import TemplateRow
from tournaments import queries
from tournaments.models import Event, Match, Round, Seat
from tournaments.queries import Sheet
from tournaments.sentences.names import names_words
from tournaments.swiss.pods.sizes import LARGEST
from tournaments.swiss.scoring import points_after
from tournaments.swiss.types import PlayerId
from tournaments.web import bracket, frame, live
from tournaments.web.access import event_or_404, is_staff, my_registration, public_event
from tournaments.web.cells import cell
from tournaments.web.live import Part
from tournaments.web.naming import label, shown_names, tags

TEMPLATE = "tournaments/public/pairings.html"
LIST = "tournaments/public/pairings_list.html"
ORDERS = ("mesa", "nombre")


@dataclass(frozen=True, slots=True)
class Side(TemplateRow):
    seat: Seat
    name: str
    label: str  # the name, with the public code where two are called the same
    code: str
    cell: dict[str, Any]
    points: int | None


@dataclass(frozen=True, slots=True)
class Table(TemplateRow):
    match: Match
    sides: list[Side]

    @property
    def codes(self) -> str:
        """For the browser, which marks the visitor's own line in what was rendered for everybody."""
        return " ".join(side.code for side in self.sides)

    @property
    def span(self) -> int:
        """Columns of the last name on a sheet with room for the largest table of several."""
        return LARGEST + 1 - len(self.sides) - (self.bye or self.unseated)

    @property
    def bye(self) -> bool:
        return self.match.kind == Match.Kind.BYE

    @property
    def unseated(self) -> bool:
        return self.match.kind == Match.Kind.UNPAIRED

    @property
    def done(self) -> bool:
        return self.match.state == Match.State.DONE


@dataclass(frozen=True, slots=True)
class Line(TemplateRow):
    """One player in the list by name."""

    side: Side
    rivals: tuple[Side, ...]
    table: Table

    @property
    def against(self) -> str:
        """The other one, or everybody else at a table of several; "" for whoever sits alone."""
        return names_words(side.name for side in self.rivals)


def tables_of(sheet: Sheet, round: Round) -> list[Table]:
    points, tagged = points_before(sheet, round), tags(sheet.entrants)
    return [table(sheet.event, match, points, tagged) for match in sheet.matches(round)]


def points_before(sheet: Sheet, round: Round) -> Mapping[PlayerId, int]:
    """Each player's points when the round was paired; nothing in the cut, where they no longer count."""
    if round.kind == Round.Kind.CUT or round.number == 1:
        return {}
    return points_after(sheet.tournament, round.number - 1)


def table(event: Event, match: Match, points: Mapping[PlayerId, int], tagged: dict[int, str]) -> Table:
    seats: list[Seat] = match.seat_list
    others: list[Seat | None] = [*reversed(seats)] if len(seats) == 2 else [None] * len(seats)
    names = shown_names(seat.registration for seat in seats)
    sides = []
    for mine, other in zip(seats, others, strict=True):
        row = mine.registration
        sides.append(
            Side(
                seat=mine,
                name=names[row.id],
                label=label(row, tagged),
                code=row.person.code,
                cell=cell(event, match, mine, other, names),
                points=points.get(PlayerId(row.key)),
            )
        )
    return Table(match, sides)


def lines_of(tables: list[Table]) -> list[Line]:
    """By name, in Spanish order (case 70)."""
    lines = [
        Line(side, tuple(s for s in table.sides if s is not side), table) for table in tables for side in table.sides
    ]
    return sorted(lines, key=lambda line: collation_key(line.side.name))


def found(tables: list[Table], text: str) -> list[Table]:
    """Tables where a shown name holds every word of the search, accents aside (case 67)."""
    words = fold(text).split()
    return [t for t in tables if any(all(w in fold(s.name) for w in words) for s in t.sides)]


def wanted(request: HttpRequest) -> tuple[str, str]:
    """(order, search) as asked for, with their defaults."""
    order = request.GET.get("orden", "mesa")
    return (order if order in ORDERS else "mesa"), request.GET.get("q", "").strip()[:60]


def pairings(request: HttpRequest, slug: str, number: int | None = None) -> HttpResponse:
    """A round's tables, the newest when none is named: a page left open moves on by itself. At most 12 queries."""
    part = live.part_wanted(request, "lista", "mio")
    if part == "lista" and (same := live.standing_still(request, slug, request.get_full_path())):
        return same
    event = event_or_404(slug) if part == "lista" else public_event(request, slug)
    if part == "lista" and event.status == Event.Status.DRAFT:
        raise Http404
    tag = live.tag_of(event, request.get_full_path())
    if part == "lista":
        return live.answer(tag, part, lambda: build(request, event, number))
    tables = live.anonymous(tag, "lista", lambda: build(request, event, number))
    context = {"event": event, "path": request.get_full_path()} | personal(request, event, tables)
    with timezone.override(event.store.zone):
        return live.fresh(render(request, f"{TEMPLATE}#{part}" if part else TEMPLATE, context))


def build(request: HttpRequest, event: Event, number: int | None) -> Part:
    """The list for everybody, and each one's seat for the strip that shows it."""
    sheet = queries.sheet(event)
    context = list_context(request, sheet, number)
    with timezone.override(event.store.zone):
        html = render_to_string(LIST, context)
    names = ("steps", "round_name")
    return Part(html, {name: context[name] for name in names} | {"seats": seats_by_code(context["every"])})


def seats_by_code(tables: list[Table]) -> dict[str, dict[str, Any]]:
    found = {}
    for table in tables:
        for side in table.sides:
            rival = names_words(other.name for other in table.sides if other is not side)
            facts = {"table": table.match.table, "rival": rival, "done": table.done, "bye": table.bye}
            found[side.code] = facts | {"unseated": table.unseated}
    return found


def personal(request: HttpRequest, event: Event, tables: Part) -> dict[str, Any]:
    me = my_registration(request, event)
    code = me.person.code if me else ""
    return {
        "me": me,
        "staff": is_staff(request, event),
        "mine": tables.extra["seats"].get(code),
        "html": tables.marked_for(code),
        "steps": tables.extra["steps"],
        "round_name": tables.extra["round_name"],
    }


def list_context(request: HttpRequest, sheet: Sheet, number: int | None) -> dict[str, Any]:
    """Everything that is the same for everybody."""
    order, search = wanted(request)
    round = round_or_404(sheet, number)
    tables = tables_of(sheet, round) if round else []
    shown = found(tables, search) if search else tables
    return {
        "event": sheet.event,
        "round": round,
        "round_name": frame.round_name(sheet.event, sheet.rounds, round) if round else "",
        "rounds": [(r, frame.round_name(sheet.event, sheet.rounds, r)) for r in sheet.published_rounds],
        "steps": frame.steps(sheet.event, sheet.published_rounds, len(sheet.active)),
        "order": order,
        "q": search,
        "every": tables,
        "drawings": bracket.drawings(sheet) if round and round.kind == Round.Kind.CUT else [],
        "tables": shown,
        "lines": lines_found(shown, search) if order == "nombre" else [],
        "missing": sum(not table.done for table in tables),
        "holds": live.holds(live.tag_of(sheet.event, request.get_full_path())),
        "path": request.get_full_path(),
        "bare": request.path,
        "newest": number is None or round is sheet.published_round,
        "poll": live.POLL_SECONDS,
    }


def lines_found(tables: list[Table], search: str) -> list[Line]:
    words = fold(search).split()
    return [line for line in lines_of(tables) if all(word in fold(line.side.name) for word in words)]


def round_or_404(sheet: Sheet, number: int | None) -> Round | None:
    """A draft is not there for anybody on this page, staff included: theirs is the console (rule 4.5, case 15)."""
    if number is None:
        return sheet.published_round
    round = next((row for row in sheet.published_rounds if row.number == number), None)
    if round is None:
        raise Http404
    return round
