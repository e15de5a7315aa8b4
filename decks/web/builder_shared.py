"""`/mazos/compartido/<token>/`: a deck as its owner hands it on; read by whoever has the link, found by nobody else."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from decks import queries
from decks.services import decks as services
from decks.services.decks import DeckRefused
from decks.web.builder import exported, owner_of, terms_for
from decks.web.builder_check import check_context


@require_http_methods(["GET", "POST"])
def shared(request: HttpRequest, share: str) -> HttpResponse:
    """`?formato=txt|json` downloads it; POST makes it a deck of one's own."""
    deck = queries.shared_deck(share)
    if deck is None:
        raise Http404
    if request.method == "POST":
        return copied(request, share)
    newest = deck.versions.first()
    text = newest.text if newest else ""
    if form := request.GET.get("formato"):
        return exported(deck, text, form)
    context = check_context(text, terms_for(deck)) | {"deck": deck, "owner": deck.owner.root.shown, "newest": newest}
    response = render(request, "decks/shared.html", context)
    response["X-Robots-Tag"] = "noindex"
    response["Referrer-Policy"] = "no-referrer"
    return response


def copied(request: HttpRequest, share: str) -> HttpResponse:
    owner, deck = owner_of(request), queries.shared_deck(share)
    if deck is None:
        raise Http404
    try:
        made = services.copy(deck, owner, on=timezone.localdate())
    except DeckRefused as refusal:
        messages.error(request, str(refusal))
        return redirect("deck_shared", share)
    messages.success(request, _("This is your copy."))
    return redirect("deck", made.pk)
