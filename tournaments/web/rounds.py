"""Pairing, publishing, swapping, undoing; the clock; the cut (TOURNAMENT_RULES 4, 6.3, 7, 8.1)."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from players import names
from tournaments.models import PERSON, Event, Registration
from tournaments.sentences.rounds import called, names_of
from tournaments.services import cut as cuts
from tournaments.services import rounds
from tournaments.services.errors import Refused
from tournaments.services.journal import Actor
from tournaments.web import answers, console, results, staff_page
from tournaments.web.access import actor, event_for_staff
from tournaments.web.forms import ClockForm, CutForm, PairForm, SwapForm


@require_POST
def pair(request: HttpRequest, slug: str) -> HttpResponse:
    """The form names the round, so that pressing twice is one round (rule 4.6)."""
    event = event_for_staff(request, slug, "pair")
    form = PairForm(request.POST)
    if not form.is_valid():
        return answers.invalid(request, event, form)
    data = form.cleaned_data
    try:
        rounds.pair(event, data["number"], by=actor(request), reason=data["reason"], override=data["override"])
    except Refused as refusal:
        return answers.refused(request, event, refusal, lambda: again(request, event))
    return answers.done(request, event)


def again(request: HttpRequest, event: Event) -> HttpResponse:
    """The console with what was typed, for a browser without scripts."""
    typed = staff_page.Typed(values={key: str(value) for key, value in request.POST.items()})
    return console.page(request, event, typed, answers.REFUSED)


def publish(request: HttpRequest, event: Event, number: int, by: Actor) -> str:
    published = rounds.publish(event, number, by=by)
    return gettext("%(round)s is published and its clock runs.") % {"round": called(published)}


def repair(request: HttpRequest, event: Event, number: int, by: Actor) -> str:
    rounds.repair(event, number, by=by)
    return gettext("Round %(number)s is paired again.") % {"number": number}


def swap(request: HttpRequest, event: Event, number: int, by: Actor) -> str:
    data = checked(SwapForm(request.POST))
    first, second = seated(event, data["first"]), seated(event, data["second"])
    rounds.swap(event, number, first, second, data["reason"], by=by)
    return gettext("%(first)s and %(second)s have changed seats.") % {
        "first": first.person.name,
        "second": second.person.name,
    }


def seated(event: Event, pk: int) -> Registration:
    row = event.registrations.select_related(PERSON).filter(pk=pk).first()
    if row is None:
        raise Http404
    return row


def undo(request: HttpRequest, event: Event, number: int, by: Actor) -> str:
    name = names_of(event, event.rounds.all()).get(number, "")
    rounds.undo_round(event, number, names.clean(request.POST.get("reason", "")), by=by)
    return gettext("%(round)s is undone.") % {"round": name}


def repair_open(request: HttpRequest, event: Event, number: int, by: Actor) -> str:
    rounds.repair_open_tables(event, number, names.clean(request.POST.get("reason", "")), by=by)
    return gettext("The tables without a report are paired again.")


def clock(request: HttpRequest, event: Event, number: int, by: Actor) -> str:
    data = checked(ClockForm(request.POST))
    table = results.match_or_404(event, data["match"]) if data["match"] else None
    rounds.clock(event, number, data["op"], data["seconds"], by=by, match=table)
    if table is None:
        return ""
    return gettext("Table %(table)s has %(minutes)s more minutes.") % {
        "table": table.table, "minutes": round(data["seconds"] / 60),
    }  # fmt: skip


class Invalid(Exception):
    def __init__(self, form: forms.Form) -> None:
        super().__init__()
        self.form = form


def checked(form: forms.Form) -> dict[str, Any]:
    if not form.is_valid():
        raise Invalid(form)
    return form.cleaned_data


# Address: what it does and the right it takes.
ROUND_ACTIONS: dict[str, tuple[Callable[[HttpRequest, Event, int, Actor], str], str]] = {
    "publicar": (publish, "pair"),
    "repetir": (repair, "pair"),
    "intercambiar": (swap, "pair"),
    "deshacer": (undo, "pair"),
    "reemparejar": (repair_open, "pair"),
    "reloj": (clock, "clock"),
}


@require_POST
def round_action(request: HttpRequest, slug: str, number: int, action: str) -> HttpResponse:
    handler, right = ROUND_ACTIONS.get(action, (None, "console"))
    event = event_for_staff(request, slug, right)
    if handler is None:
        raise Http404
    try:
        said = handler(request, event, number, actor(request))
    except Invalid as invalid:
        return answers.invalid(request, event, invalid.form, lambda: again(request, event))
    except Refused as refusal:
        return answers.refused(request, event, refusal, lambda: again(request, event))
    return answers.done(request, event, said)


@require_POST
def cut(request: HttpRequest, slug: str) -> HttpResponse:
    """Start the cut, or pair its next round (rule 7); the draft comes first, as in Swiss."""
    event = event_for_staff(request, slug, "pair")
    form = CutForm(request.POST)
    if not form.is_valid():
        return answers.invalid(request, event, form)
    by = actor(request)
    try:
        if event.status == Event.Status.CUT:
            cuts.next_round(event, form.cleaned_data["number"], by=by)
        else:
            cuts.start(event, form.cleaned_data["size"], by=by)
    except Refused as refusal:
        return answers.refused(request, event, refusal, lambda: again(request, event))
    return answers.done(request, event)
