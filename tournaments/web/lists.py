"""The deck lists of an event that everybody may read, once they are published (CASES 88)."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import get_language

from decks.models import Submission
from decks.rules.sentences import language
from decks.services import submissions
from players import codes
from players.models import Player
from tournaments import queries
from tournaments.models import PERSON, Event, Registration
from tournaments.queries import Sheet, readable_lists, visible_submission
from tournaments.web import list_words
from tournaments.web.access import is_staff, my_registration, of_person, public_event


def index(request: HttpRequest, slug: str) -> HttpResponse:
    """Who played what, in the order of the places; or when it will be told."""
    event = public_event(request, slug)
    sheet = queries.sheet(event)
    published = {row.pk: row for row in readable_lists(event)}
    context = {
        "event": event,
        "lines": lines_of(sheet, published),
        "people": len(sheet.players),
        "when": event.lists_public if event.asks_for_lists else "",
        "me": my_registration(request, event),
        "staff": is_staff(request, event),
        "steps": [],
    }
    return show(request, event, "tournaments/public/lists.html", context)


def lines_of(sheet: Sheet, published: dict[int, Registration]) -> list[tuple[int | None, Registration]]:
    """(place, registration): those who stand in the standings first, then whoever does not."""
    ranked = [(row.rank, sheet.by_key[row.player]) for row in queries.final_standings(sheet)]
    lines: list[tuple[int | None, Registration]] = [
        (rank, published[row.pk]) for rank, row in ranked if row.pk in published
    ]
    there = {row.pk for _rank, row in lines}
    return lines + [(None, row) for pk, row in published.items() if pk not in there]


def one(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    event, row, handed = list_or_404(request, slug, code)
    context = {
        "event": event,
        "row": row,
        "list": list_words.shown(handed),
        "text": text_of(handed),
        "me": my_registration(request, event),
        "staff": is_staff(request, event),
        "steps": [],
    }
    return show(request, event, "tournaments/public/list.html", context)


def text(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """The same list as a text file."""
    _event, row, handed = list_or_404(request, slug, code)
    response = HttpResponse(text_of(handed), content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slug}-{row.person.code}.txt"'
    return response


def list_or_404(request: HttpRequest, slug: str, code: str) -> tuple[Event, Registration, Submission]:
    """A list that is not public is not there, whoever asks; its owner and the staff have pages of their own."""
    event, player = public_event(request, slug), Player.objects.filter(code=codes.normal(code)).first()
    row = event.registrations.filter(of_person(player)).select_related(PERSON).first() if player else None
    handed = visible_submission(row) if row else None
    if row is None or handed is None:
        raise Http404
    return event, row, handed


def text_of(handed: Submission) -> str:
    return submissions.public_text(handed, submissions.public_cards(handed), language(get_language()))


def show(request: HttpRequest, event: Event, template: str, context: dict[str, Any]) -> HttpResponse:
    with timezone.override(event.store.zone):
        return render(request, template, context)
