"""Creating, editing and repeating events, and moving them from state to state."""

import copy
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render, resolve_url
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_POST

from decks.models import Game
from decks.services.games import default_game
from players import names
from players.numbers import whole
from tournaments.models import Event, Store
from tournaments.queries import player_count
from tournaments.services import events
from tournaments.services.errors import Refused
from tournaments.services.journal import Actor
from tournaments.web import answers, roster, staff_page, words
from tournaments.web.access import actor, event_for_staff, store_for_staff
from tournaments.web.forms import EventForm, default_name, next_half_hour

MOST_PLANNED = 99


# -- new ---------------------------------------------------------------------------------------------------------------
def event_new(request: HttpRequest, store: str) -> HttpResponse:
    """Two fields suffice; the event is open at once unless it is to stay a draft."""
    shop = store_for_staff(request, store, "event.create")
    with timezone.override(shop.zone):
        game = chosen_game(request)
        form = EventForm(
            request.POST if request.method == "POST" else None, initial=first_values(shop, game), game=game
        )
        if answers.target(request) == "advice":
            return advice(request, form)
        if request.method == "POST" and form.is_valid() and (event := made(request, shop, form, game)):
            return answers.SeeOther(resolve_url("console", event.slug))
        status = answers.REFUSED if request.method == "POST" else 200
        games = Game.objects.order_by("name")
        context = {
            "store": shop,
            "form": form,
            "game": game,
            "games": games,
            "table_of_rounds": words.table_of_rounds(form.instance),
        }
        return render(request, "tournaments/staff/event_new.html", context, status=status)


def chosen_game(request: HttpRequest) -> Game:
    """`?juego=` of the address, which the form sends back to."""
    asked = Game.objects.filter(slug=request.GET.get("juego", "")).first()
    return asked or default_game()


def first_values(store: Store, game: Game) -> dict[str, Any]:
    start = next_half_hour(timezone.now().astimezone(store.zone))
    return {"name": default_name(start, game), "starts_at": start}


def made(request: HttpRequest, store: Store, form: EventForm, game: Game) -> Event | None:
    status = Event.Status.DRAFT if request.POST.get("draft") else Event.Status.OPEN
    try:
        return events.create(store, by=actor(request), game=game, status=status, **form.cleaned_data)
    except Refused as refusal:
        form.add_error(None, answers.words(refusal))
        return None


def advice(request: HttpRequest, form: EventForm) -> HttpResponse:
    """What the table of rule 3 says of the number of players and rounds that stand in the form."""
    typed = request.POST.get("capacity") or request.POST.get("people") or ""
    players, rounds = whole(typed) or 0, whole(request.POST.get("rounds_planned", "")) or 0
    chosen = Event(rounds_planned=rounds, format=form.instance.format)
    if "format" in form.fields and request.POST.get("format") in Event.Format.values:
        chosen.format = request.POST["format"]
    context = {
        "advice": words.advice_words(chosen, min(players, 5000)),
        "table_of_rounds": words.table_of_rounds(chosen),
    }
    return render(request, "tournaments/staff/_advice.html", context)


# -- edit --------------------------------------------------------------------------------------------------------------
def event_edit(request: HttpRequest, slug: str) -> HttpResponse:
    event = event_for_staff(request, slug, "event.edit")
    with timezone.override(event.store.zone):
        form = EventForm(request.POST if request.method == "POST" else None, instance=copy.copy(event), game=event.game)
        if answers.target(request) == "advice":
            return advice(request, form)
        if request.method == "POST" and form.is_valid() and changed(request, event, form):
            return answers.SeeOther(resolve_url("console", event.slug))
        return edit_page(request, event, form)


def changed(request: HttpRequest, event: Event, form: EventForm) -> bool:
    before = event.version
    try:
        events.edit(event, by=actor(request), **form.cleaned_data)
    except Refused as refusal:
        form.add_error(None, answers.words(refusal))
        return False
    if event.version != before:
        messages.success(request, gettext("The settings are saved."))
    return True


def edit_page(request: HttpRequest, event: Event, form: EventForm) -> HttpResponse:
    people = player_count(event)
    context = {
        "form": form,
        "people": people,
        "advice": words.advice_words(event, people),
        "table_of_rounds": words.table_of_rounds(event),
    }
    status = answers.REFUSED if request.method == "POST" else 200
    return staff_page.show(request, event, "tournaments/staff/event_edit.html", context, status)


# -- repeat ------------------------------------------------------------------------------------------------------------
@require_POST
def event_repeat(request: HttpRequest, slug: str) -> HttpResponse:
    """«Repetir jueves»: one action from the list to the console of tonight's event."""
    event = event_for_staff(request, slug, "event.create")
    try:
        new = events.repeat(event, by=actor(request))
    except Refused as refusal:
        return answers.refused(request, event, refusal)
    return answers.SeeOther(resolve_url("console", new.slug))


# -- states ------------------------------------------------------------------------------------------------------------
def opened(request: HttpRequest, event: Event, by: Actor) -> str:
    events.open_registration(event, by=by)
    return gettext("Registration is open: players see the event.")


def check_in(request: HttpRequest, event: Event, by: Actor) -> str:
    events.start_check_in(event, by=by)
    return gettext("From now on only whoever is ticked as present gets paired.")


def finish(request: HttpRequest, event: Event, by: Actor) -> str:
    events.finish(event, by=by)
    return gettext("%(name)s is finished and its final standings are published.") % {"name": event.name}


def reopen(request: HttpRequest, event: Event, by: Actor) -> str:
    events.reopen(event, by=by, reason=names.clean(request.POST.get("reason", "")))
    return gettext("Reopened: the published standings stay as they are until you finish again.")


def regulars(request: HttpRequest, event: Event, by: Actor) -> str:
    """Everybody who was ticked among those who usually come."""
    chosen = set(request.POST.getlist("code"))
    usual = [player for player in events.regulars(event) if player.code in chosen]
    if not usual:
        raise Refused(gettext("Tick at least one player."), code="nobody")
    rows = roster.enter(event, [player.printed_code for player in usual], "nothing", by=by)
    return ngettext("%(count)s player is in.", "%(count)s players are in.", len(rows)) % {"count": len(rows)}


def round_robin(request: HttpRequest, event: Event, by: Actor) -> str:
    """Rule 3: one tap makes a round robin of the event, before round 1."""
    events.edit(event, by=by, format=Event.Format.ROUND_ROBIN)
    return gettext("It is a round robin now: everybody meets everybody.")


def swiss(request: HttpRequest, event: Event, by: Actor) -> str:
    events.edit(event, by=by, format=Event.Format.SWISS)
    return gettext("It has Swiss rounds now.")


def plan_rounds(request: HttpRequest, event: Event, by: Actor) -> str:
    """The remedy of a warning: another number of rounds."""
    wanted = whole(request.POST.get("rounds", "")) or 0
    if not 1 <= wanted <= MOST_PLANNED:
        raise Refused(gettext("Choose how many rounds."), code="rounds", rule="3")
    events.edit(event, by=by, rounds_planned=wanted)
    return ngettext("%(n)s round is planned.", "%(n)s rounds are planned.", wanted) % {"n": wanted}


STATES: dict[str, tuple[Callable[[HttpRequest, Event, Actor], str], str]] = {
    "open": (opened, "event.state"),
    "check_in": (check_in, "event.state"),
    "finish": (finish, "event.state"),
    "reopen": (reopen, "event.state"),
    "regulars": (regulars, "roster"),
    "liguilla": (round_robin, "event.edit"),
    "suizo": (swiss, "event.edit"),
    "rondas": (plan_rounds, "event.edit"),
}


@require_POST
def event_state(request: HttpRequest, slug: str, action: str) -> HttpResponse:
    handler, right = STATES.get(action, (None, "event.state"))
    event = event_for_staff(request, slug, right)
    if handler is None:
        raise Http404
    try:
        said = handler(request, event, actor(request))
    except Refused as refusal:
        return answers.refused(request, event, refusal)
    return answers.done(request, event, said)
