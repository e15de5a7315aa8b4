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
    if request.method != "POST":
        return page(request, event, ImportForm())
    form = ImportForm(request.POST, request.FILES)
    if not form.is_valid():
        return page(request, event, form, status=answers.REFUSED)
    found = roster.preview(form.content(), event)
    if "confirm" in request.POST and found.possible:
        return confirmed(request, event, form, found)
    return page(request, event, form, found, 200 if found.possible else answers.REFUSED)


def confirmed(request: HttpRequest, event: Event, form: ImportForm, found: RosterPreview) -> HttpResponse:
    try:
        rows = roster.confirm(event, found.rows, by=actor(request))
    except Refused as refusal:
        messages.error(request, answers.words(refusal))
        return page(request, event, form, found, answers.REFUSED)
    said = ngettext("%(count)s player is in.", "%(count)s players are in.", len(rows)) % {"count": len(rows)}
    waiting = sum(row.status == "waiting" for row in rows)
    if waiting:
        said += " " + gettext("The event is full: %(count)s of them wait.") % {"count": waiting}
    messages.success(request, said)
    return answers.SeeOther(resolve_url("console", event.slug))


def page(
    request: HttpRequest, event: Event, form: ImportForm, found: RosterPreview | None = None, status: int = 200
) -> HttpResponse:
    context = {
        "form": form,
        "found": found,
        "encoding": ENCODINGS.get(found.encoding or "", gettext("pasted text")) if found else "",
        "separator": SEPARATORS[found.separator] if found else "",
        "wrong": [row for row in found.rows if row.errors] if found else [],
        "doubtful": [row for row in found.rows if row.warnings and not row.errors] if found else [],
    }
    return staff_page.show(request, event, "tournaments/staff/roster_import.html", context, status)
