"""Which rows of long standings one page shows: so many places at a time, or those whose name is looked for.

Up to `LONG` players, which is nearly every event, it is all of them. Of two thousand, a phone would scroll through a
hundred screens, and an old laptop lay out forty thousand cells.
"""

from collections.abc import Sequence
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator
from django.http import HttpRequest

from players.names import fold
from tournaments.queries import Sheet
from tournaments.swiss.standings import Standing

LONG = 250
KEPT = ("ronda", "q", "page")
"""Of an address: what chooses rows and numbers, in this order."""


def address(request: HttpRequest) -> str:
    """Where the table renews itself: whoever reads the sums of a player keeps them beside it."""
    kept = [(name, text) for name in KEPT if (text := request.GET.get(name, ""))]
    return f"{request.path}?{urlencode(kept)}" if kept else request.path


def pages_from(request: HttpRequest) -> str:
    """The address of a page, up to its number."""
    kept = [(name, text) for name in KEPT if name != "page" and (text := request.GET.get(name, ""))]
    return f"{request.path}?{urlencode([*kept, ('page', '')]).removesuffix('page=')}"


def looked_for(request: HttpRequest) -> str:
    return request.GET.get("q", "").strip()[:60]


def page_of(request: HttpRequest, sheet: Sheet, order: Sequence[Standing]) -> Page[Standing]:
    """The rows asked for; a page that is not there is the nearest that is."""
    return Paginator(called(sheet, order, looked_for(request)), LONG).get_page(request.GET.get("page"))


def called(sheet: Sheet, order: Sequence[Standing], words: str) -> Sequence[Standing]:
    """Who is shown under such a name, or has that code, accents and case apart; everybody where nothing is asked."""
    if not words:
        return order
    wanted = fold(words)
    people = {row.player: sheet.by_key[row.player].person for row in order}
    return [
        row
        for row in order
        if wanted in fold(people[row.player].shown) or wanted.upper() in {people[row.player].code, row.player}
    ]


def everybody(order: Sequence[Standing]) -> Page[Standing]:
    """For paper."""
    return Paginator(order, max(1, len(order))).get_page(1)


def page_with(place: int) -> int:
    """The page on which somebody at that place of the order stands, the first being 1."""
    return (place - 1) // LONG + 1
