"""`/mazos/comprobar/`: a list is checked while it is typed, and mended by tapping (UX, Player; CASES 75-81, 85).

How another page includes it, for example the registration of an event:

1.  The page has one `<form method="post" data-deck>` with a `<textarea name="text" {% include "decks/_live.html" %}>`,
    the terms as hidden fields (`{% include "decks/_terms.html" %}`) and, inside the same form,
    `{% include "decks/_check.html" %}`. It loads `js/deck.mjs`, which puts mended text into the field and keeps drafts.
2.  Its view gives the template `**check_context(text, terms)`; the `Terms` are the event's (`judging.terms_of`).
3.  Without JavaScript every fix is a submit button of that form (`fix`, `undo`). The view reads both text and tap with
    `asked(request.POST)`, and shows the page again with the `text` of `check_context(text, terms, tap)` in the field.
    With JavaScript the same buttons post to this address, and only `#check` is replaced.

POST: `text`, `game`, and optionally `format`, `date` (YYYY-MM-DD, default today), `narrowing` (JSON, as in
`games.narrow`), one of `fix`, `more`, `fewer`, `undo` with `before`. Answers the fragment, the mended text in it.
Anyone may ask; nothing is kept.
"""

from datetime import date
from json import dumps, loads
from typing import Any, NamedTuple

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_POST

from decks.models import Game
from decks.queries import browsed, search
from decks.rules import games
from decks.services.checking import MOST_LINES, NO_TAP, Cost, Tap, TooLong, check, clean_narrowing, copies_in
from decks.services.submissions import LONGEST, Terms
from players.web.throttle import limited

LISTS_A_MINUTE = 120  # of one browser: a check every half second while it is typed
LISTS_OF_A_SHOP = 2400


def asked(data: QueryDict) -> tuple[str, Tap]:
    """The list as it was sent, and the tap; undoing is a list without one."""
    if "undo" in data:
        return data.get("before", ""), NO_TAP
    return data.get("text", ""), Tap(**{name: data.get(name, "") for name in ("fix", "more", "fewer")})


def terms_of(data: QueryDict, game: Game | None = None) -> Terms:
    """As a page of ours sends them. 404 for an unknown game, 400 for a narrowing that makes no sense; a format that
    the game lacks is the game as it is, and a day that is none is today."""
    game = game or game_or_404(data.get("game", ""))
    try:
        narrowing = clean_narrowing(loads(data.get("narrowing") or "{}"))
    except (ValueError, RecursionError) as error:
        raise BadRequest(f"narrowing: {error}") from None
    format = data.get("format", "")
    return Terms(game, day(data.get("date", "")), format if format in games.game(game.slug).formats else "", narrowing)


def game_or_404(slug: str) -> Game:
    row = Game.objects.filter(slug=slug).first() if slug in games.slugs() else None
    if row is None:
        raise Http404
    return row


def day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return timezone.localdate()


def check_context(text: str, terms: Terms, tap: Tap = NO_TAP) -> dict[str, Any]:
    """What `decks/_check.html` and the parts around it need; `check` is None for a list that is too long to be one."""
    given = {"terms": terms, "narrowing": dumps(dict(terms.narrowing)), "longest": LONGEST, "most_lines": MOST_LINES}
    try:
        checked = check(text, terms, tap)
    except TooLong:
        return {**given, "check": None, "bars": [], "text": text}
    return {**given, "check": checked, "bars": bars(checked.curve), "text": checked.text}


@require_POST
@limited("deck_check", browser=LISTS_A_MINUTE, shop=LISTS_OF_A_SHOP)
def check_list(request: HttpRequest) -> HttpResponse:
    text, tap = asked(request.POST)
    context = check_context(text, terms_of(request.POST), tap)
    tapped = "undo" in request.POST or bool(context["check"] and context["check"].before is not None)
    response = render(request, "decks/_check.html", {**context, "tapped": tapped})
    if tapped:
        response["HX-Trigger-After-Settle"] = "tapped"  # what shows counts beside cards asks again
    return response


# -- the cost curve as a drawing: 320 x 152, one column for each cost -------------------------------------------------
FLOOR, HEIGHT, WIDTH, STEP, LEFT, GAP = 132, 88, 29, 39, 8, 2
TALLEST_CARD = 11


class Bar(NamedTuple):
    """A column in drawing units: units stand on the floor, the others on them, the count above both."""

    x: float
    middle: float
    width: int
    units_top: float
    units_height: float
    others_top: float
    others_height: float
    count_at: float
    cost: Cost


def bars(curve: tuple[Cost, ...]) -> list[Bar]:
    each = min(TALLEST_CARD, HEIGHT / max((cost.count for cost in curve), default=1))
    return [_bar(n, cost, each) for n, cost in enumerate(curve)]


def _bar(n: int, cost: Cost, each: float) -> Bar:
    x, units, others = LEFT + n * STEP, round(cost.units * each, 1), round(cost.others * each, 1)
    gap = GAP if units and others else 0
    drawn = max(0, others - gap)
    top = FLOOR - units - gap
    return Bar(x, x + WIDTH / 2, WIDTH, FLOOR - units, units, top - drawn, drawn, FLOOR - units - others - 6, cost)


# -- building by tapping cards -----------------------------------------------------------------------------------------
PICKED = 24


@require_POST
@limited("deck_pick", browser=LISTS_A_MINUTE, shop=LISTS_OF_A_SHOP)
def pick(request: HttpRequest) -> HttpResponse:
    """Cards by name, text or code, each with the copies that the list holds and a button for one more or one fewer."""
    terms = terms_of(request.POST)
    return render(request, "decks/_found.html", {**pick_context(request.POST, terms), "terms": terms})


def pick_context(data: QueryDict, terms: Terms) -> dict[str, Any]:
    words, text = data.get("q", "").strip()[:60], data.get("text", "")
    on_offer = search(browsed(terms.game), words) if words else browsed(terms.game).none()
    held = copies_in(text, terms)
    found = [(card, held.get(card.code, 0)) for card in on_offer[:PICKED]]
    return {"q": words, "found": found, "most": PICKED}
