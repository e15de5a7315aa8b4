"""A player's own decks: listed, written, saved in versions, handed on (UX, Player).

The check is that of `builder_check`; who is not signed in builds and checks as well, and is asked for an account to
save.
"""

from collections.abc import Callable
from typing import Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from decks import queries
from decks.models import Deck, DeckVersion, Game
from decks.rules import games as rules
from decks.services import decks as services
from decks.services.checking import NO_TAP, Tap
from decks.services.decks import DeckRefused
from decks.services.games import default_game, every_game
from decks.services.submissions import Terms
from decks.web.builder_check import asked, check_context, game_or_404
from players.models import Player
from players.numbers import whole
from players.services import people
from players.web.access import LoginNeeded, account, player_of

TEMPLATE = "decks/builder.html"
SHOWN_VERSIONS = 100


# -- whose -------------------------------------------------------------------------------------------------------------
def owner_of(request: HttpRequest) -> Player:
    """The player of the account. LoginNeeded without an account, 404 for an account that is no player."""
    account(request)
    player = player_of(request)
    if player is None:
        raise Http404
    return people.root(player)


def deck_or_404(request: HttpRequest, deck: int) -> Deck:
    """One of my decks; anybody else's is not there."""
    owner = owner_of(request)
    found = queries.decks_of(people.family(owner)).filter(pk=deck).first()
    if found is None:
        raise Http404
    return found


def terms_for(deck: Deck) -> Terms:
    return Terms(deck.game, timezone.localdate(), deck.format)


def playable() -> list[Game]:
    """Games for which people bring decks."""
    return [game for game in every_game() if rules.game(game.slug).registration]


# -- pages -------------------------------------------------------------------------------------------------------------
@require_safe
def decks(request: HttpRequest) -> HttpResponse:
    owner = owner_of(request)
    rows = list(queries.decks_of(people.family(owner)))
    elements = {(e.game_id, e.slug): e for game in {row.game for row in rows} for e in game.elements.all()}
    listed = [(row, elements.get((row.game_id, getattr(row, "element_slug", None) or ""))) for row in rows]
    return render(request, "decks/decks.html", {"rows": listed})


@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """`?juego=` chooses the game. POST: a button of the form; saving asks for an account."""
    slug = request.POST.get("game") or request.GET.get("juego") or default_game().slug
    game = game_or_404(slug)
    if not rules.game(game.slug).registration:
        raise Http404
    terms = Terms(game, timezone.localdate(), _format(request, game))
    if request.method == "POST" and "save" in request.POST:
        return created(request, terms)
    text, tap = asked(request.POST)
    return editor(request, terms, text, tap)


def created(request: HttpRequest, terms: Terms) -> HttpResponse:
    text, name = request.POST.get("text", ""), request.POST.get("name", "")
    try:
        deck = services.create(owner_of(request), terms.game, name, text, on=terms.on, format=terms.format)
    except LoginNeeded:
        messages.info(request, _("Sign in to save it. What you wrote stays on this device."))
        return editor(request, terms, text, status=403)
    except DeckRefused as refusal:
        messages.error(request, str(refusal))
        return editor(request, terms, text, status=422)
    messages.success(request, _("The deck is saved."))
    return redirect("deck", deck.pk)


@require_http_methods(["GET", "POST"])
def edit(request: HttpRequest, deck: int) -> HttpResponse:
    row = deck_or_404(request, deck)
    newest = row.versions.first()
    if request.method != "POST":
        return editor(request, terms_for(row), newest.text if newest else "", deck=row, newest=newest)
    terms = Terms(row.game, timezone.localdate(), _format(request, row.game))
    text, tap = asked(request.POST)
    if "save" not in request.POST:
        return editor(request, terms, text, tap, deck=row, newest=newest)
    return saved(request, terms, row, newest)


def saved(request: HttpRequest, terms: Terms, deck: Deck, newest: DeckVersion | None) -> HttpResponse:
    text, given = request.POST.get("text", ""), request.POST
    try:
        number = services.save(
            deck,
            text,
            based_on=whole(given.get("based_on", "")) or 0,
            on=terms.on,
            name=given.get("name", ""),
            format=terms.format,
            note=given.get("note", ""),
        )
    except DeckRefused as refusal:
        messages.error(request, str(refusal))
        return editor(request, terms, text, deck=deck, newest=deck.versions.first(), status=409)
    if newest and number == newest.number:
        messages.success(request, _("Saved; the list is as it was."))
    else:
        messages.success(request, _("Version %(n)s is saved.") % {"n": number})
    return redirect("deck", deck.pk)


def editor(
    request: HttpRequest,
    terms: Terms,
    text: str,
    tap: Tap = NO_TAP,
    *,
    deck: Deck | None = None,
    newest: DeckVersion | None = None,
    status: int = 200,
) -> HttpResponse:
    posted = request.method == "POST"
    context = check_context(text, terms, tap)
    context |= {
        "deck": deck,
        "newest": newest,
        "name": request.POST.get("name", "") if posted else deck.name if deck else "",
        "note": request.POST.get("note", ""),
        "unsaved": posted,
        "games": playable(),
        "formats": rules.game(terms.game.slug).formats.values(),
        "link": request.build_absolute_uri(reverse("deck_shared", args=[deck.share])) if deck and deck.share else "",
        "may_save": player_of(request) is not None,
    }
    return render(request, TEMPLATE, context, status=status)


def _format(request: HttpRequest, game: Game) -> str:
    asked = request.POST.get("format") or request.GET.get("formato") or ""
    return asked if asked in rules.game(game.slug).formats else ""


@require_safe
def versions(request: HttpRequest, deck: int) -> HttpResponse:
    """Each version with what it changed, newest first."""
    row = deck_or_404(request, deck)
    kept, terms = list(row.versions.all()[: SHOWN_VERSIONS + 1]), terms_for(row)
    pairs = zip(kept, [*kept[1:], None], strict=True)
    told = [(v, services.moves(before.text, v.text, terms) if before else None) for v, before in pairs]
    return render(request, "decks/versions.html", {"deck": row, "versions": told[:SHOWN_VERSIONS]})


@require_safe
def export(request: HttpRequest, deck: int, form: str) -> HttpResponse:
    """`txt` as any deck builder reads it, `json` for programs."""
    row = deck_or_404(request, deck)
    newest = row.versions.first()
    return exported(row, newest.text if newest else "", form)


def exported(deck: Deck, text: str, form: str) -> HttpResponse:
    if form == "txt":
        response = HttpResponse(text + "\n", content_type="text/plain; charset=utf-8")
    elif form == "json":
        found = services.as_json(deck.name, text, terms_for(deck))
        response = JsonResponse(found, json_dumps_params={"ensure_ascii": False, "indent": 1})
    else:
        raise Http404
    response["Content-Disposition"] = f'attachment; filename="{slugify(deck.name) or "mazo"}.{form}"'
    return response


# -- one button each ---------------------------------------------------------------------------------------------------
@require_POST
def act(request: HttpRequest, deck: int, action: str) -> HttpResponse:
    row = deck_or_404(request, deck)
    if action not in ACTIONS:
        raise Http404
    try:
        return ACTIONS[action](request, row)
    except DeckRefused as refusal:
        messages.error(request, str(refusal))
        return redirect("deck", row.pk)


def share(request: HttpRequest, deck: Deck) -> HttpResponse:
    services.share(deck)
    messages.success(request, _("Whoever has the link may read this deck."))
    return redirect("deck", deck.pk)


def unshare(request: HttpRequest, deck: Deck) -> HttpResponse:
    services.unshare(deck)
    messages.success(request, _("The link leads nowhere any more."))
    return redirect("deck", deck.pk)


def copy(request: HttpRequest, deck: Deck) -> HttpResponse:
    made = services.copy(deck, owner_of(request), on=timezone.localdate())
    messages.success(request, _("This is your copy."))
    return redirect("deck", made.pk)


def restore(request: HttpRequest, deck: Deck) -> HttpResponse:
    number = services.restore(deck, whole(request.POST.get("number", "")) or 0, on=timezone.localdate())
    messages.success(request, _("Version %(n)s is saved.") % {"n": number})
    return redirect("deck", deck.pk)


def delete(request: HttpRequest, deck: Deck) -> HttpResponse:
    name = deck.name
    services.delete(deck)
    messages.success(request, _("%(name)s is deleted.") % {"name": name})
    return redirect("decks")


ACTIONS: Final[dict[str, Callable[[HttpRequest, Deck], HttpResponse]]] = {
    "compartir": share,
    "dejar-de-compartir": unshare,
    "copiar": copy,
    "restaurar": restore,
    "borrar": delete,
}
