"""A player's own deck list for an event: pasted or "my last deck", mended by tapping, handed in (UX, Player).

The check of the list is that of the deck pages (`decks.web.builder_check`): with JavaScript it follows every letter and
tap, without it each button sends this form. Signed-in players and guests with their link both come here.
"""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from decks.models import Submission
from decks.services import submissions
from decks.services.submissions import Last
from decks.web.builder_check import asked, check_context
from players.numbers import whole
from players.services import people
from players.web.access import player_of
from players.web.throttle import limited
from tournaments.models import Event, Registration
from tournaments.queries import visible_submission
from tournaments.services import decks
from tournaments.services.errors import Refused
from tournaments.services.journal import Actor
from tournaments.services.judging import terms_of
from tournaments.web import list_words
from tournaments.web.access import is_staff, my_registration, public_event
from tournaments.web.answers import SeeOther, words

TEMPLATE = "tournaments/public/my_list.html"
OVER = (Event.Status.FINISHED, Event.Status.REOPENED)


@limited("my_list", browser=60, shop=1200)
def my_list(request: HttpRequest, slug: str) -> HttpResponse:
    """GET: my list, or where to paste it. POST: one of its buttons: hand in, a fix without JavaScript, one of my
    decks, leave to publish."""
    event = public_event(request, slug)
    me = my_registration(request, event)
    if me is None or me.last_round is not None or not event.asks_for_lists:
        return SeeOther(reverse("my_table", args=[slug]))
    me.event = event
    if request.method != "POST":
        return whole_page(request, event, me)
    if "agree" in request.POST:
        return agree(request, event, me)
    if "hand_in" in request.POST:
        return hand_in(request, event, me)
    return write(request, event, me)


def hand_in(request: HttpRequest, event: Event, me: Registration) -> HttpResponse:
    text = request.POST.get("text", "")
    source = source_of(request, event, me, request.POST.get("from", ""))
    options: dict[str, Any] = {"version": source.version, "name": source.name} if source else {}
    try:
        decks.submit(me, text, by=actor(request, me), **options)
    except Refused as refusal:
        if refusal.code != "illegal":  # what is illegal about it stands beside its lines
            messages.error(request, words(refusal))
        return editor(request, event, me, text, status=422, refused=refusal.code == "illegal")
    messages.success(request, gettext("Your deck is handed in."))
    return SeeOther(reverse("my_list", args=[event.slug]))


def agree(request: HttpRequest, event: Event, me: Registration) -> HttpResponse:
    decks.consent(me, by=actor(request, me))
    messages.success(request, gettext("Your list will be published with the others."))
    return SeeOther(reverse("my_list", args=[event.slug]))


def actor(request: HttpRequest, me: Registration) -> Actor:
    """As the player, whatever else the account may do here."""
    return Actor(user=request.user if request.user.is_authenticated else None, player=me.player)


def write(request: HttpRequest, event: Event, me: Registration) -> HttpResponse:
    """The list with one of my decks in it, or after a tap."""
    if source := source_of(request, event, me, request.POST.get("take", "")):
        return editor(request, event, me, source.text, source=source)
    text, tap = asked(request.POST)
    context = check_context(text, terms_of(event), tap)
    return editor(request, event, me, context["text"], context=context)


# -- my decks ----------------------------------------------------------------------------------------------------------
def sources(request: HttpRequest, event: Event, me: Registration) -> list[Last]:
    """What "my last deck" may fill in, newest first.

    Decks are the account's. A guest's link opens only what was handed in by that very guest: whoever holds it need not
    be the account that the guest was joined to.
    """
    player = player_of(request)
    if player is not None and player.pk == me.person.pk:
        return submissions.lists_of(event.game, people.family(player), decks=True)
    return submissions.lists_of(event.game, [me.player_id], decks=False)


def source_of(request: HttpRequest, event: Event, me: Registration, asked: str) -> Last | None:
    number = whole(asked)
    found = sources(request, event, me) if number is not None else []
    return found[number] if number is not None and number < len(found) else None


# -- pages -------------------------------------------------------------------------------------------------------------
def whole_page(request: HttpRequest, event: Event, me: Registration) -> HttpResponse:
    """What is handed in; the editor where nothing is, where it is no longer legal, or where I want another."""
    handed = visible_submission(me, mine=True)
    locked = decks.locked(event, me) or event.status in OVER
    change = "cambiar" in request.GET or handed is None or not list_words.newest_verdict(handed).legal
    if change and not locked:
        return editor(request, event, me, handed.text if handed else "", handed=handed)
    return show(request, event, me, {"locked": locked, **(handed_context(handed) if handed else {})})


def editor(
    request: HttpRequest,
    event: Event,
    me: Registration,
    text: str,
    *,
    status: int = 200,
    source: Last | None = None,
    context: dict[str, Any] | None = None,
    handed: Submission | None = None,
    refused: bool = False,
) -> HttpResponse:
    handed = handed or visible_submission(me, mine=True)
    found = sources(request, event, me)
    context = {
        "editing": True,
        "refused": refused,
        "sources": list(enumerate(found)),
        "source": found.index(source) if source else request.POST.get("from", ""),
        **(handed_context(handed) if handed else {}),
        **(context or check_context(text, terms_of(event))),
    }
    return show(request, event, me, context, status)


def handed_context(handed: Submission) -> dict[str, Any]:
    verdict = list_words.newest_verdict(handed)
    return {
        "list": list_words.shown(handed),
        "verdict": verdict,
        "problems": list_words.problems(verdict, handed.game.slug),
    }


def show(
    request: HttpRequest, event: Event, me: Registration, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    narrower = me.submission_id is not None and me.lists_consent != event.lists_public
    context |= {
        "event": event,
        "me": me,
        "staff": is_staff(request, event),
        "required": event.decks == Event.Decks.REQUIRED,
        "may_agree": narrower and event.lists_public != Event.ListsPublic.NEVER and wider(event, me),
        "steps": [],
    }
    with timezone.override(event.store.zone):
        return render(request, TEMPLATE, context, status=status)


def wider(event: Event, me: Registration) -> bool:
    """The event publishes earlier than what I agreed to."""
    order = [Event.ListsPublic.NEVER, Event.ListsPublic.END, Event.ListsPublic.SWISS]
    return order.index(Event.ListsPublic(event.lists_public)) > order.index(Event.ListsPublic(me.lists_consent))
