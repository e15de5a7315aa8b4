"""Paper: by name for the players, by table for the staff, slips of six a sheet, standings (UX, Organiser; case 97)."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from tournaments import queries
from tournaments.models import Match, Round
from tournaments.queries import Sheet
from tournaments.web import frame
from tournaments.web.access import is_staff, public_event
from tournaments.web.pairings import lines_of, tables_of
from tournaments.web.standings import State, asked_round, chosen, table_context
from tournaments.web.standings_pages import everybody

TEMPLATE = "tournaments/public/print.html"
SHEETS = {
    "resguardos": _("Slips"),
    "nombres": _("By name"),
    "mesas": _("By table"),
    "clasificacion": _("Standings"),
}


def print_sheet(request: HttpRequest, slug: str, what: str) -> HttpResponse:
    """One sheet, ready to print; `?ya` opens the printer's dialog by itself. Staff may print a draft, marked as one."""
    event = public_event(request, slug)
    if what not in SHEETS:
        raise Http404
    sheet = queries.sheet(event)
    staff = is_staff(request, event)
    context = standings_sheet(request, sheet) if what == "clasificacion" else round_sheet(request, sheet, staff)
    context |= {"event": event, "what": what, "kinds": list(SHEETS.items()), "staff": staff, "now": timezone.now()}
    context["at_once"] = "ya" in request.GET
    with timezone.override(event.store.zone):
        return render(request, TEMPLATE, context)


def standings_sheet(request: HttpRequest, sheet: Sheet) -> dict[str, Any]:
    order = chosen(sheet, asked_round(request.GET.get("ronda", ""), sheet))
    context = table_context(request, sheet, order, everybody(order))
    return context | {"heading": heading(context["state"])}


def heading(state: State) -> str:
    if state.kind == "final":
        return gettext("Final places")
    if state.kind == "before":
        return gettext("There are no standings yet")
    if state.kind == "live":
        words = ngettext(
            "Round %(round)s: %(n)s result to come", "Round %(round)s: %(n)s results to come", state.missing
        )
        return words % {"round": state.playing, "n": state.missing}
    if state.round == 0:
        return gettext("Round 1 is being played")
    return gettext("Standings after round %(round)s") % {"round": state.round}


def round_sheet(request: HttpRequest, sheet: Sheet, staff: bool) -> dict[str, Any]:
    round = round_to_print(request, sheet, staff)
    tables = tables_of(sheet, round) if round else []
    return {
        "round": round,
        "round_name": frame.round_name(sheet.event, sheet.rounds, round) if round else "",
        "draft": round is not None and round.status == Round.Status.DRAFT,
        "tables": tables,
        "lines": lines_of(tables),
        "slips": [table for table in tables if table.match.kind == Match.Kind.TABLE],
        "may_draw": round is not None and round.kind == Round.Kind.SWISS,
        "rounds": [(r, frame.round_name(sheet.event, sheet.rounds, r)) for r in sheet.published_rounds],
    }


def round_to_print(request: HttpRequest, sheet: Sheet, staff: bool) -> Round | None:
    """The newest that this visitor may see, or `?ronda=`."""
    visible = sheet.rounds if staff else sheet.published_rounds
    asked = request.GET.get("ronda", "")
    if not asked:
        return visible[-1] if visible else None
    round = next((row for row in visible if str(row.number) == asked), None)
    if round is None:
        raise Http404
    return round
