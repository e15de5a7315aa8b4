"""A roster from a file or a paste, in two steps: what was understood, then in (CASES 71, 72)."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import resolve_url
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from tournaments.models import Event
from tournaments.services import roster
from tournaments.services.errors import Refused
from tournaments.services.roster import RosterPreview
from tournaments.web import answers, staff_page
from tournaments.web.access import actor, event_for_staff
from tournaments.web.forms import ImportForm

ENCODINGS = {"utf-8-sig": "UTF-8", "utf-16": "UTF-16", "cp1252": "Windows-1252"}
SEPARATORS = {";": _("semicolon"), ",": _("comma"), "\t": _("tab"), "": _("none: one name a line")}


def roster_import(request: HttpRequest, slug: str) -> HttpResponse:
    """`text` travels from the preview to the confirmation as it was decoded, so that both read the same."""
    event = event_for_staff(request, slug, "roster")
    form = ImportForm(request.POST or None, request.FILES or None)
    if request.method != "POST" or not form.is_valid():
        return page(request, event, form)
    found = roster.preview(form.content(), event)
    if "confirm" not in request.POST or not found.possible:
        return page(request, event, form, found)
    return confirmed(request, event, form, found)


def confirmed(request: HttpRequest, event: Event, form: ImportForm, found: RosterPreview) -> HttpResponse:
    try:
        rows = roster.confirm(event, found.rows, by=actor(request))
    except Refused as refusal:
        messages.error(request, answers.words(refusal))
        return page(request, event, form, found)
    said = ngettext("%(count)s player is in.", "%(count)s players are in.", len(rows)) % {"count": len(rows)}
    waiting = sum(row.status == "waiting" for row in rows)
    if waiting:
        said += " " + gettext("The event is full: %(count)s of them wait.") % {"count": waiting}
    messages.success(request, said)
    return answers.SeeOther(resolve_url("console", event.slug))


def page(request: HttpRequest, event: Event, form: ImportForm, found: RosterPreview | None = None) -> HttpResponse:
    context = {
        "form": form,
        "found": found,
        "encoding": ENCODINGS.get(found.encoding or "", gettext("pasted text")) if found else "",
        "separator": SEPARATORS[found.separator] if found else "",
        "wrong": [row for row in found.rows if row.errors] if found else [],
        "doubtful": [row for row in found.rows if row.warnings and not row.errors] if found else [],
    }
    bad = request.method == "POST" and (found is None or not found.possible)
    template = "tournaments/staff/roster_import.html"
    return staff_page.show(request, event, template, context, answers.REFUSED if bad else 200)
