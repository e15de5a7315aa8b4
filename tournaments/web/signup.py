"""Signing up: an account in one tap and a choice of element, a guest by his name (UX, Player)."""

import secrets
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from decks.models import Element
from players import names
from players.models import Player
from players.web.access import player_of
from players.web.throttle import limited
from tournaments.models import PERSON, Event, Registration
from tournaments.services import joining, registrations
from tournaments.services.errors import Refused
from tournaments.services.journal import Actor
from tournaments.web.access import is_staff, my_registration, public_event
from tournaments.web.answers import SeeOther, words

TEMPLATE = "tournaments/public/sign_up.html"
OPEN = (Event.Status.OPEN, Event.Status.CHECK_IN)


class SignUpForm(forms.Form):
    """What a player says of himself. `key` makes a form that is sent twice one registration; `anyway`: I am another."""

    name = forms.CharField(
        label=_("Your name"),
        max_length=120,
        help_text=_("The public pages show your first name and an initial."),
        widget=forms.TextInput(attrs={"autocomplete": "name", "autocapitalize": "words"}),
    )
    element = forms.ModelChoiceField(
        Element.objects.none(), label=_("Element"), required=False, empty_label=_("I do not know yet"),
        widget=forms.RadioSelect, blank=True,
    )  # fmt: skip
    team = forms.CharField(
        label=_("Team or club"), max_length=40, required=False,
        help_text=_("Team mates are kept apart while that is possible."),
    )  # fmt: skip
    key = forms.CharField(widget=forms.HiddenInput, max_length=64)
    anyway = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, event: Event, player: Player | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["element"].queryset = Element.objects.filter(game_id=event.game_id)  # type: ignore[attr-defined]
        for field, unwanted in {
            "name": player is not None,
            "element": event.element_id is not None or event.decks == Event.Decks.REQUIRED,  # the list says it
            "team": not event.separate_teams,
        }.items():
            if unwanted:
                del self.fields[field]

    def clean_name(self) -> str:
        name = names.clean(self.cleaned_data["name"])
        if not any(char.isalpha() for char in name):
            raise forms.ValidationError(_("Write your name with letters."), code="no_letters")
        return name


def blank(event: Event, player: Player | None) -> SignUpForm:
    return SignUpForm(event=event, player=player, initial={"key": secrets.token_urlsafe(16)})


def may_sign_up(event: Event) -> bool:
    return event.status in OPEN and event.self_signup


@limited("sign_up", browser=12, shop=240)
def sign_up(request: HttpRequest, slug: str) -> HttpResponse:
    """The page behind the QR of the counter, and where its form goes. Whoever is in already is shown his table."""
    event = public_event(request, slug)
    me = my_registration(request, event)
    if me and me.last_round is None:
        return SeeOther(reverse("my_table", args=[slug]))
    player = me.player if me else player_of(request)  # whoever left before round 1 comes back as himself
    if request.method != "POST":
        return page(request, event, blank(event, player), player)
    form = SignUpForm(request.POST, event=event, player=player)
    return enter(request, event, player, form) if form.is_valid() else page(request, event, form, player, status=422)


def enter(request: HttpRequest, event: Event, player: Player | None, form: SignUpForm) -> HttpResponse:
    data = form.cleaned_data
    twins = [] if data["anyway"] else called_the_same(event, player, data)
    if twins:
        return page(request, event, form, player, status=422, twins=twins)
    try:
        row = register(event, player, data, request)
    except Refused as refusal:
        form.add_error(None, words(refusal))
        return page(request, event, form, player, status=409)
    if row.secret and player is None:
        request.session[f"guest:{event.pk}"] = row.secret
    messages.success(request, said(row))
    there = "my_list" if event.decks == Event.Decks.REQUIRED else "my_table"
    return SeeOther(reverse(there, args=[event.slug]))


def called_the_same(event: Event, player: Player | None, data: dict[str, Any]) -> list[Registration]:
    """Whom the list already shows under this name: maybe the same person twice, maybe not (CASES 50, 51). We ask.

    By shown names only: the answer must not tell whether a guess at a hidden name is right (CASES 55). Not for the form
    that made that very row: that is only a second tap.
    """
    name = player.name if player else data["name"]
    shown = {names.fold(each)[:140] for each in (name, names.short_name(name), player.shown if player else name)}
    rows = event.registrations.filter(player__search_key__in=shown, last_round=None).select_related(PERSON)
    mine = player.code if player else joining.code_for(event, data["key"])
    found = list(rows)
    return [] if any(row.person.code == mine for row in found) else found


def register(event: Event, player: Player | None, data: dict[str, Any], request: HttpRequest) -> Registration:
    choices = {"element": data.get("element"), "team": data.get("team", "")}
    if player is None:
        return joining.join_as_guest(event, data["name"], data["key"], **choices)
    user = request.user if request.user.is_authenticated else None
    return registrations.sign_up(event, player, by=Actor(user=user, player=player), **choices)


def said(row: Registration) -> str:
    if row.status == Registration.Status.WAITING:
        return gettext("The event is full: you are on the waiting list.")
    return gettext("You are in the event.")


def page(
    request: HttpRequest,
    event: Event,
    form: SignUpForm,
    player: Player | None,
    status: int = 200,
    twins: list[Registration] | None = None,
) -> HttpResponse:
    inside = event.registrations.filter(last_round=None).exclude(status=Registration.Status.WAITING).count()
    context = {
        "event": event,
        "form": form,
        "player": player,
        "twins": twins or [],
        "open": may_sign_up(event),
        "staff": is_staff(request, event),
        "left": max(0, event.capacity - inside) if event.capacity else None,
    }
    with timezone.override(event.store.zone):
        return render(request, TEMPLATE, context, status=status)


def guest(request: HttpRequest, secret: str) -> HttpResponse:
    """The personal link of a guest: this browser is his from now on. A POST joins him to the account."""
    row = Registration.objects.select_related("event", "player").filter(secret=secret).first() if secret else None
    if row is None or row.event.status == Event.Status.DRAFT:
        return render(request, "tournaments/public/no_guest.html", status=404)
    request.session[f"guest:{row.event_id}"] = secret
    if request.method == "POST":
        claim(request, secret)
    return redirect("my_table", row.event.slug)


def claim(request: HttpRequest, secret: str) -> None:
    player = player_of(request)
    if player is None or not request.user.is_authenticated:
        messages.error(request, gettext("Sign in first; then this link joins your results to your account."))
        return
    try:
        registrations.claim_guest(secret, player, by=Actor(user=request.user, player=player))
    except Refused as refusal:
        messages.error(request, words(refusal))
    else:
        messages.success(request, gettext("These results are now part of your profile."))
