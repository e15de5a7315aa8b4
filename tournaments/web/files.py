"""The backup of an event, and bringing one back (DESIGN, Event file)."""

import json

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render, resolve_url
from django.utils.translation import gettext

from tournaments import eventfile
from tournaments.services import backups
from tournaments.services.errors import Refused
from tournaments.web import answers
from tournaments.web.access import actor, event_for_staff, store_for_staff
from tournaments.web.forms import RestoreForm


def backup(request: HttpRequest, slug: str) -> HttpResponse:
    """The event file of an event at any moment of its life, with every row beside it."""
    event = event_for_staff(request, slug, "backup")
    response = JsonResponse(backups.backup(event), json_dumps_params={"ensure_ascii": False, "indent": 1})
    response["Content-Disposition"] = f'attachment; filename="{event.slug}.json"'
    return response


def restore(request: HttpRequest, store: str) -> HttpResponse:
    """A file, what is in it, then the event. `content` carries the file from the preview to the confirmation."""
    shop = store_for_staff(request, store, "event.create")
    content, seen, problem = request.POST.get("content", ""), None, ""
    form = RestoreForm(request.POST, request.FILES) if request.method == "POST" and not content else RestoreForm()
    try:
        content = content or read(form)
        seen = eventfile.parse(content) if content else None
        if seen and "confirm" in request.POST:
            event = backups.restore(json.loads(content), shop, by=actor(request))
            return answers.SeeOther(resolve_url("console", event.slug))
    except eventfile.EventFileError as error:
        problem = gettext("This is no event file: %(why)s") % {"why": error}
    except Refused as refusal:
        problem = answers.words(refusal)
    context = {"store": shop, "form": form, "seen": seen, "content": content, "problem": problem}
    status = answers.REFUSED if form.errors or problem else 200
    return render(request, "tournaments/staff/restore.html", context, status=status)


def read(form: RestoreForm) -> str:
    """The text of the file; "" while there is none."""
    if not form.is_bound or not form.is_valid():
        return ""
    try:
        return str(form.cleaned_data["file"].read().decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise eventfile.EventFileError(gettext("its letters cannot be read; it should be UTF-8")) from None
