"""The page of one card: what it is, where it is legal, where it is played. Here because that takes published lists."""

from typing import Any

from django.db.models import Avg, Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from decks.models import Card, Game, Restriction, SubmissionCard
from decks.rules import games as rules
from decks.rules.sentences import language
from decks.rules.words import key
from decks.services.cards import standings
from decks.services.catalogue import catalogue
from decks.web.builder_check import game_or_404
from decks.web.cards import said, value_names
from tournaments.models import PERSON
from tournaments.queries import public_lists, public_submissions

LATEST = 6
ENOUGH = 5
"""Published lists below which a share says nothing."""


@require_safe
def card(request: HttpRequest, game: str, card: str) -> HttpResponse:
    """By the code of any of its printings, however it is written."""
    row = game_or_404(game)
    every = Card.objects.select_related("element", "faction", "game")
    found = every.filter(game=row, printings__code_key=key(card)).first()
    if found is None:
        raise Http404
    core, cards = rules.game(row.slug), catalogue(row)
    told = cards.by_code[found.code_key]
    lang = language(get_language())
    today = timezone.localdate()
    context = {
        "card": found,
        "game": row,
        "names": value_names(row),
        "printings": found.printings.select_related("expansion"),
        "demo": found.printings.filter(expansion__demo=True).exists(),
        "formats": [
            ((format.name_en if lang == "en" else format.name), each)
            for format, each in standings(told, core, cards, today)
        ],
        "restrictions": [
            (each, core.formats.get(each.format), each.since > today) for each in Restriction.objects.filter(card=found)
        ],
        "played": played(found, row),
        "position": said(core.values["position", found.position]) if found.position else "",
    }
    return render(request, "tournaments/public/card.html", context)


def played(card: Card, game: Game) -> dict[str, Any] | None:
    """Share of the published lists of its element (of its game, without one) that hold it, and the newest of them.

    None where too few lists are public to say anything.
    """
    lists = public_submissions().filter(game=game)
    if card.element_id:
        lists = lists.filter(element=card.element_id)
    every = lists.count()
    if every < ENOUGH:
        return None
    held = SubmissionCard.objects.filter(card=card, submission__in=lists)
    found = held.aggregate(lists=Count("submission", distinct=True), copies=Avg("copies"))
    rows = public_lists().filter(submission__cards__card=card).select_related("event", PERSON)
    return {
        "lists": found["lists"],
        "of": every,
        "share": found["lists"] / every,
        "copies": found["copies"],
        "latest": rows.order_by("-event__date", "-pk")[:LATEST],
    }
