"""The whole log of an event, and «Undo» for the newest of it (TOURNAMENT_RULES 6.5)."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from players import names
from players.numbers import whole
from players.web.access import account
from tournaments.queries import sheet
from tournaments.services import journal, judging
from tournaments.services.errors import Refused
from tournaments.web import answers, log_words, staff_page
from tournaments.web.access import actor, event_for_staff

PER_PAGE = 50


def log(request: HttpRequest, slug: str) -> HttpResponse:
    event = event_for_staff(request, slug, "log")
    now = sheet(event)
    page = Paginator(log_words.entries_of(event), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "lines": log_words.lines(list(page), account(request), now),
        "undo": log_words.undoable(event),
        **staff_page.frame_of(now),
    }
    return staff_page.show(request, event, "tournaments/staff/log.html", context)


@require_POST
def undo(request: HttpRequest, slug: str) -> HttpResponse:
    """The form names the entry: a stale button undoes nothing else."""
    event = event_for_staff(request, slug, "undo")
    number = whole(request.POST.get("number", "")) or 0
    try:
        journal.undo(
            event,
            number,
            by=actor(request),
            reason=names.clean(request.POST.get("reason", "")),
        )
    except Refused as refusal:
        return answers.refused(request, event, refusal)
    judging.rejudge_event(event, timezone.now())  # its day or what it asks of decks may have gone back
    return answers.done(request, event, gettext("Undone."))
