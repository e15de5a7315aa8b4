"""`/cartas/restricciones/`: which cards are banned or limited, from when, in what format (CASES 83)."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from decks.models import Card, Game, Restriction
from decks.rules import games as rules
from decks.rules.cards import Catalogue
from decks.services import catalogue
from decks.services import restrictions as services
from decks.services.games import default_game, every_game
from decks.web.builder_check import game_or_404
from players.web.access import circuit_user, may_circuit

MOST_COPIES = 60


class RestrictionForm(forms.Form):
    card = forms.CharField(label=gettext_lazy("Card"), max_length=120, help_text=gettext_lazy("Its name or its code."))
    since = forms.DateField(
        label=gettext_lazy("From"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    copies = forms.IntegerField(
        label=gettext_lazy("Copies"),
        required=False,
        min_value=0,
        max_value=MOST_COPIES,
        help_text=gettext_lazy("0 bans it; empty lifts what held before."),
    )
    format = forms.ChoiceField(label=gettext_lazy("Format"), required=False)

    def __init__(self, game: Game, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.game = game
        formats = rules.game(game.slug).formats.values()
        field = self.fields["format"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", gettext_lazy("Everywhere")), *((format.slug, format.name) for format in formats)]

    def clean_card(self) -> Card:
        """The one card that is meant; near names and namesakes are named."""
        cards: Catalogue = catalogue.catalogue(self.game)
        typed = self.cleaned_data["card"]
        found = cards.find(typed).cards
        if len(found) == 1:
            return Card.objects.select_related("game").get(game=self.game, code=found[0].code)
        near = ", ".join(f"{card.name} ({card.code})" for card in (found or cards.near(typed)))
        if near:
            raise forms.ValidationError(_("Which card? Perhaps: %(near)s.") % {"near": near})
        raise forms.ValidationError(_("There is no such card."))


@require_http_methods(["GET", "POST"])
def restrictions(request: HttpRequest) -> HttpResponse:
    """`?game=` chooses; POST adds one, or takes back the one named by `remove`."""
    circuit_user(request, "circuit.read" if request.method == "GET" else "catalogue.edit")
    game = game_or_404(asked) if (asked := request.GET.get("game")) else default_game()
    if request.method == "GET":
        return shown(request, game, RestrictionForm(game, initial={"since": timezone.localdate()}))
    if pk := request.POST.get("remove"):
        row = get_object_or_404(Restriction.objects.select_related("card__game"), pk=pk if pk.isdecimal() else 0)
        services.remove(row)
        messages.success(request, _("%(card)s: it is as if it had never been said.") % {"card": row.card.name})
        return back(game)
    form = RestrictionForm(game, request.POST)
    if not form.is_valid():
        return shown(request, game, form, status=422)
    given = form.cleaned_data
    services.restrict(given["card"], given["since"], given["copies"], given["format"])
    messages.success(request, _("%(card)s: lists of coming events are judged again.") % {"card": given["card"].name})
    return back(game)


def back(game: Game) -> HttpResponse:
    response = redirect("restrictions")
    response["Location"] += f"?game={game.slug}"
    return response


def shown(request: HttpRequest, game: Game, form: RestrictionForm, status: int = 200) -> HttpResponse:
    named = {slug: format.name for slug, format in rules.game(game.slug).formats.items()}
    rows = Restriction.objects.filter(card__game=game).select_related("card").order_by("-since", "card__sort_key")
    today = timezone.localdate()
    context = {
        "game": game,
        "games": every_game(),
        "form": form,
        "rows": [(row, named.get(row.format, row.format), row.since > today) for row in rows],
        "may_edit": may_circuit(request, "catalogue.edit"),
    }
    return render(request, "decks/restrictions.html", context, status=status)
