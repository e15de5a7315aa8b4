"""Standings: one cell per round, my row marked, and how every number comes about (UX, Player; TOURNAMENT_RULES 2)."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Page
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.html import escape
from django.utils.safestring import SafeString

from decks.models import Element
from players.web.rows import TemplateRow
from tournaments import queries
from tournaments.models import Event, FrozenStandings, Match, Registration, Round
from tournaments.queries import Sheet
from tournaments.standings_words import PRESET_NAMES, head_of
from tournaments.swiss.presets import PRESETS
from tournaments.swiss.standings import Standing
from tournaments.web import explained, frame, live
from tournaments.web.access import event_or_404, is_staff, my_registration, public_event
from tournaments.web.cells import ABSENT, Cell, cell, facing
from tournaments.web.live import Part
from tournaments.web.naming import label, shown_names, tags
from tournaments.web.reached import Reached, reached
from tournaments.web.standings_pages import LONG, address, looked_for, page_of, page_with, pages_from

TEMPLATE = "tournaments/public/standings.html"
TABLE = "tournaments/public/standings_table.html"


@dataclass(frozen=True, slots=True)
class Row(TemplateRow):
    rank: int
    shown_rank: SafeString  # digits as they are: Django would ask for each how the reader's country writes it
    registration: Registration
    element: Element | None
    label: str  # the name, with the public code where two are called the same
    code: SafeString  # letters and digits: escaping them thrice a row would be for nothing
    points: int
    main: str  # the number that decides first
    cells: list[Cell]
    numbers: list[str]
    gone: bool
    out: bool  # disqualified; said no louder than that (rule 8.4)
    last_in_cut: bool
    far: Reached | None  # of final places after a cut

    @property
    def css(self) -> SafeString:
        return SafeString(("gone " if self.gone or self.out else "") + ("cut" if self.last_in_cut else ""))


def standings(request: HttpRequest, slug: str) -> HttpResponse:
    """The newest numbers, or those after `?ronda=`; `?jugador=` opens the sums of one player. At most 12 queries."""
    part = live.part_wanted(request, "tabla", "calculo", "mio")
    if part == "tabla" and (same := live.standing_still(request, slug, address(request))):
        return same
    event = event_or_404(slug) if part == "tabla" else public_event(request, slug)
    if part == "tabla" and event.status == Event.Status.DRAFT:
        raise Http404
    tag = live.tag_of(event, address(request))
    if part == "tabla":
        return live.answer(tag, part, lambda: build(request, event))
    context = {"event": event} | explanation(request, event)
    if part != "calculo":
        context |= personal(request, event, live.anonymous(tag, "tabla", lambda: build(request, event)))
    return live.fresh(show(request, event, f"{TEMPLATE}#{part}" if part else TEMPLATE, context))


def show(request: HttpRequest, event: Event, template: str, context: dict[str, Any]) -> HttpResponse:
    with timezone.override(event.store.zone):
        return render(request, template, context)


def build(request: HttpRequest, event: Event) -> Part:
    """The table for everybody, and each one's row for the bar that finds it."""
    sheet = queries.sheet(event)
    order = chosen(sheet, asked_round(request.GET.get("ronda", ""), sheet))
    context = table_context(request, sheet, order, page_of(request, sheet, order))
    with timezone.override(event.store.zone):
        html = render_to_string(TABLE, context)
    mine = {sheet.by_key[row.player].person.code: (row.rank, row.points, row.place) for row in order}
    return Part(html, {"steps": context["steps"], "rows": mine, "any": bool(mine), "cut": context["cut"]})


def personal(request: HttpRequest, event: Event, table: Part) -> dict[str, Any]:
    me = my_registration(request, event)
    code = me.person.code if me else ""
    row = table.extra["rows"].get(code)
    return {
        "me": me,
        "staff": is_staff(request, event),
        "steps": table.extra["steps"],
        "html": table.marked_for(code),
        "rank": row[0] if row else None,
        "points": row[1] if row else 0,
        "to_me": f"{page_address(request, row[2])}#p-{code}" if row else "",
        "cut": table.extra["cut"],
        "path": address(request),
    }


def page_address(request: HttpRequest, place: int) -> str:
    """Nothing where the row is on the page that is shown, so that the browser only moves there."""
    if page_with(place) == 1 and not set(request.GET) & {"q", "page"}:
        return ""
    after = request.GET.get("ronda", "")
    return f"{request.path}?{urlencode(({'ronda': after} if after else {}) | {'page': page_with(place)})}"


def table_context(request: HttpRequest, sheet: Sheet, order: list[Standing], page: Page[Standing]) -> dict[str, Any]:
    """Everything that is the same for everybody; `order` is everybody in it, `page` whose rows are shown."""
    after = asked_round(request.GET.get("ronda", ""), sheet)
    keys = columns(sheet.event)
    far = far_in_cut(sheet, order, after)
    rows = rows_of(sheet, order, page.object_list, after, keys, far)
    return {
        "event": sheet.event,
        "rows": rows,
        "page": page,
        "long": len(order) > LONG,
        "q": looked_for(request),
        "cut": bool(far),
        "after": after,
        "order": PRESET_NAMES[sheet.event.preset],
        "cited": PRESETS[sheet.event.preset].rule,
        "main_head": head_of(PRESETS[sheet.event.preset].keys[0]),
        "heads": [head_of(key) for key in keys],
        "numbers": [frame.short_name(round.number) for round in cell_rounds(sheet, after)],
        "ways": any(c.get("way") for row in rows for c in row.cells),
        "closed": swiss_rounds_closed(sheet),
        "steps": frame.steps(sheet.event, sheet.published_rounds, len(sheet.active)),
        "state": state_of(sheet, after),
        "places": places_of(sheet),
        "holds": live.holds(live.tag_of(sheet.event, address(request))),
        "path": address(request),
        "bare": request.path,
        "pages": pages_from(request),
        "own": escape(f"{address(request)}{'&' if '?' in address(request) else '?'}"),
        "live": sheet.event.live and after is None,
        "poll": live.POLL_SECONDS,
    }


def asked_round(text: str, sheet: Sheet) -> int | None:
    """`?ronda=2`: as it stood after round 2; None: now. A round that nobody has seen yet is not found."""
    if not text:
        return None
    numbers = {str(round.number): round.number for round in swiss_rounds(sheet)}
    if text not in numbers:
        raise Http404
    return numbers[text]


def swiss_rounds(sheet: Sheet) -> list[Round]:
    return [round for round in sheet.published_rounds if round.kind == Round.Kind.SWISS]


def cell_rounds(sheet: Sheet, after: int | None) -> list[Round]:
    return [round for round in swiss_rounds(sheet) if after is None or round.number <= after]


def swiss_rounds_closed(sheet: Sheet) -> list[int]:
    """Rounds after which everybody's result is in: those that the page offers to look back to."""
    return [r.number for r in swiss_rounds(sheet) if all(m.state == Match.State.DONE for m in sheet.matches(r))]


def columns(event: Event) -> list[str]:
    """The tie-breaks shown after the number that decides first, in their order (rules 2.2-2.4).

    In best of 1 a game is the match, so the shares of games repeat what stands beside them: left to the sums.
    """
    keys = PRESETS[event.preset].keys[1:]
    return [key for key in keys if event.best_of > 1 or key not in {"gw", "ogw"}]


def far_in_cut(sheet: Sheet, order: list[Standing], after: int | None) -> dict[int, Reached]:
    """Of final places, which go by the cut (rule 7.6); nothing in standings of Swiss rounds alone."""
    if after is not None or sheet.event.status != Event.Status.FINISHED or not order:
        return {}
    return reached(sheet, sheet.by_key[order[0].player])


def rows_of(
    sheet: Sheet,
    order: list[Standing],
    shown: Iterable[Standing],
    after: int | None,
    keys: list[str],
    far: Mapping[int, Reached],
) -> list[Row]:
    ranks = {sheet.by_key[row.player].id: row.rank for row in order}
    shown = list(shown)
    wanted = {sheet.by_key[row.player].id for row in shown}
    cells = cells_of(sheet, cell_rounds(sheet, after), ranks, wanted)
    line = cut_line(sheet, order)
    every, tagged = PRESETS[sheet.event.preset].keys, tags(sheet.entrants)
    columns = [(key, every.index(key)) for key in keys]
    return [row_of(sheet, row, cells, columns, line, tagged, far) for row in shown]


def chosen(sheet: Sheet, after: int | None) -> list[Standing]:
    """Final places once finished, the frozen snapshot once the phase is closed, else live (rules 2.7, 7.6)."""
    return queries.final_standings(sheet) if after is None else sheet.standings(after)


def cut_line(sheet: Sheet, order: list[Standing]) -> int:
    """The place under which the cut runs, counting those who can still take it; 0: no line."""
    size = sheet.event.cut_size
    if not size or sheet.event.status in {Event.Status.FINISHED, Event.Status.REOPENED}:
        return 0
    staying = [row.place for row in order if not row.dropped and not row.disqualified]
    return staying[size - 1] if len(staying) > size else 0


def row_of(
    sheet: Sheet,
    standing: Standing,
    cells: Mapping[int, list[Cell]],
    columns: Iterable[tuple[str, int]],
    line: int,
    tagged: dict[int, str],
    far: Mapping[int, Reached],
) -> Row:
    """`columns`: the keys shown behind the cells, with their place among the values."""
    registration = sheet.by_key[standing.player]
    return Row(
        rank=standing.rank,
        shown_rank=SafeString(standing.rank),
        registration=registration,
        element=registration.element,
        label=label(registration, tagged),
        code=SafeString(registration.person.code),
        points=standing.points,
        main=explained.first(sheet.event, standing),
        cells=cells[registration.id],
        numbers=[explained.shown(key, standing.values[at]) for key, at in columns],
        gone=standing.dropped and not standing.disqualified,
        out=standing.disqualified,
        last_in_cut=standing.place == line,
        far=far.get(registration.pk),
    )


def cells_of(
    sheet: Sheet, rounds: list[Round], ranks: dict[int, int], wanted: Collection[int]
) -> dict[int, list[Cell]]:
    """Registration id to one cell for each of the rounds, in their order, for those who are wanted."""
    names = shown_names(sheet.registrations)
    found = {row: [ABSENT] * len(rounds) for row in wanted}
    for at, round in enumerate(rounds):
        for match in sheet.matches(round):
            for mine, other in facing(match):
                if mine.registration_id in found:
                    found[mine.registration_id][at] = cell(sheet.event, match, mine, other, names, ranks)
    return found


@dataclass(frozen=True, slots=True)
class State(TemplateRow):
    """What the heading says: final, cut, live (a round is in play and part of it counts), after, before."""

    kind: str
    round: int
    missing: int
    playing: int = 0
    revision: int = 0
    reason: str = ""


def state_of(sheet: Sheet, after: int | None) -> State:
    event = sheet.event
    if after is not None:
        return State("after", after, 0)
    if event.status == Event.Status.FINISHED:
        return with_revision(sheet, "final", FrozenStandings.Phase.FINAL)
    if sheet.cut_rounds or event.status in queries.CLOSED_SWISS:
        kind = "reopened" if event.status == Event.Status.REOPENED else "cut"
        return with_revision(sheet, kind, FrozenStandings.Phase.SWISS)
    rounds = swiss_rounds(sheet)
    if not rounds:
        return State("before", 0, 0)
    last = rounds[-1].number
    matches = [match for match in sheet.matches(rounds[-1]) if match.kind == Match.Kind.TABLE]
    missing = sum(match.state != Match.State.DONE for match in matches)
    if missing == len(matches) and missing:
        return State("after", last - 1, missing, playing=last)
    return State("live", last, missing, playing=last) if missing else State("after", last, 0)


def with_revision(sheet: Sheet, kind: str, phase: str) -> State:
    """A second revision of a published snapshot says so and why (rule 2.7)."""
    snapshot = queries.frozen(sheet.event, phase)
    last = len(swiss_rounds(sheet))
    return State(
        kind, last, 0, revision=snapshot.revision if snapshot else 0, reason=snapshot.reason if snapshot else ""
    )


def places_of(sheet: Sheet) -> int:
    """How many go on to the cut, while that is still open."""
    closed = sheet.event.status in queries.CLOSED_SWISS
    return 0 if closed else sheet.event.cut_size


def explanation(request: HttpRequest, event: Event) -> dict[str, Any]:
    """The side panel of `?jugador=`; a code that is not in this event is a 404, like any page that does not exist."""
    code, after = request.GET.get("jugador", ""), request.GET.get("ronda", "")
    if not code:
        return {"who": None}
    sheet = queries.sheet(event)
    registration = next((row for row in sheet.entrants if code in {row.person.code, row.player.code}), None)
    if registration is None:
        raise Http404
    order = chosen(sheet, asked_round(after, sheet))
    standing = next((row for row in order if row.player == registration.key), None)
    return {
        "who": registration,
        "standing": standing,
        "far": far_in_cut(sheet, order, asked_round(after, sheet)).get(registration.pk),
        "sums": explained.sums(sheet, registration, asked_round(after, sheet)) if standing else [],
        "tied": standing is not None and sum(row.rank == standing.rank for row in order) > 1,
        "cited": PRESETS[event.preset].rule,
        "close": address(request),
    }
