"""The small signs of the look (UX, Everywhere; docs: templates/components/): icons, tiles, chips, numbers in words.

In the lowest room, so that the templates of every room may use them; a builtin, so that none has to load them.
"""

from collections.abc import Iterable, Mapping
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import lru_cache
from html import escape
from typing import Any

from django import template
from django.http import HttpRequest
from django.templatetags.static import static
from django.utils import formats
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, pgettext, pgettext_lazy

register = template.Library()

ELEMENTS = {
    "luz": pgettext_lazy("element", "Light"),
    "oscuridad": pgettext_lazy("element", "Darkness"),
    "agua": pgettext_lazy("element", "Water"),
    "naturaleza": pgettext_lazy("element", "Nature"),
    "fuego": pgettext_lazy("element", "Fire"),
    "tecnologia": pgettext_lazy("element", "Technology"),
}
WAYS = {
    "ascension": pgettext_lazy("way to win", "Ascension"),
    "aniquilacion": pgettext_lazy("way to win", "Annihilation"),
    "tiempo": pgettext_lazy("way to win", "Time"),
    "concesion": pgettext_lazy("way to win", "Concession"),
}
CHIP_ICONS = {"agree": "ok", "missing": "wait", "conflict": "differ", "danger": "warn", "unsent": "nonet"}
CHIP_CLASSES = {"unsent": "unsent missing", "draft": ""}
TALLIES = {2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 20, 25, 30, 32, 35, 40, 45, 50, 60, 64}  # as in app.css
MINUS, DASH = "\N{MINUS SIGN}", "\N{EN DASH}"


@lru_cache(maxsize=512)
def _svg(name: str, css: str) -> SafeString:
    return format_html('<svg class="{}" aria-hidden="true"><use href="{}#{}"/></svg>', css, static("icons.svg"), name)


@register.simple_tag
def icon(name: str, label: str = "", css: str = "icon") -> SafeString:
    """A sign of static/icons.svg. Without a label it is decoration: the word stands beside it."""
    if not label:
        return _svg(name, css)
    return format_html(
        '<svg class="{}" role="img" aria-label="{}"><use href="{}#{}"/></svg>', css, label, static("icons.svg"), name
    )


@register.simple_tag
def element(el: Any, only: bool = False) -> SafeString:
    """An element as glyph and word; `only` hides the word from the eye. None prints nothing.

    `el` is a slug or anything with a `slug` whose str() is its name in the reader's language.
    """
    if not el:
        return SafeString("")
    slug = getattr(el, "slug", el)
    word = ELEMENTS.get(el, el) if isinstance(el, str) else str(el)
    return _element(slug, str(word), only)


@lru_cache(maxsize=512)
def _element(slug: str, word: str, only: bool) -> SafeString:
    kind, hidden = ("element only", "hide") if only else ("element", "word")
    return format_html(
        '<span class="{} {}">{}<span class="{}">{}</span></span>', kind, slug, _svg(slug, ""), hidden, word
    )


@register.simple_tag
def ficha(text: Any, kind: str = "") -> SafeString:
    """The tile with the cut corner: a table number. kind: mine, on, hollow, missing, half, conflict."""
    return format_html('<b class="{}">{}</b>', f"ficha {kind}".strip(), text)


@register.simple_tag
def chip(state: str, text: str) -> SafeString:
    """A state in icon, word and colour: agree, missing, conflict, danger, unsent; draft has no icon."""
    sign = _svg(CHIP_ICONS[state], "icon") if state in CHIP_ICONS else ""
    return format_html('<span class="{}">{}{}</span>', f"chip {CHIP_CLASSES.get(state, state)}".strip(), sign, text)


@register.simple_tag
def way(code: str, word: bool = False) -> SafeString:
    """How a game was won (TOURNAMENT_RULES 1.3): the sign, and the word in sight or only for a screen reader."""
    if code not in WAYS:
        return SafeString("")
    return format_html(
        '{}{}<span class="{}">{}</span>', _svg(code, "way"), " " if word else "", "word" if word else "hide", WAYS[code]
    )


@register.simple_tag
def tally(value: int, max: int, label: str = "", tone: str = "") -> SafeString:
    """A progress bar cut into units, so that what is counted can be counted. tone: `now`."""
    css = f"tally n{max if max in TALLIES else 0} {tone}".strip()
    words = label or gettext("%(value)s of %(max)s") % {"value": value, "max": max}
    return format_html(
        '<progress class="{}" max="{}" value="{}" aria-label="{}">{}</progress>', css, max, value, words, words
    )


def _hundredths(value: Any) -> Decimal:
    exact = Fraction(value) * 100 if not isinstance(value, Fraction) else value * 100
    return (Decimal(exact.numerator) / Decimal(exact.denominator)).quantize(Decimal("0.01"), ROUND_HALF_UP)


@register.filter(name="pct")
def pct_filter(value: Any) -> str:
    """A share of one as a percentage with two decimals: 0.6296 is "62,96" in Spanish; None is a dash (rule 2.2)."""
    return DASH if value is None else _percent(*value.as_integer_ratio(), get_language())


@lru_cache(maxsize=8192)
def _percent(over: int, under: int, language: str | None) -> str:
    """Kept: of two thousand players most share their numbers with somebody. Whole numbers are found at once, where a
    Fraction is hashed by an inverse."""
    return formats.number_format(_hundredths(Fraction(over, under)), 2)


@register.simple_tag
def pct(value: Any) -> str:
    return pct_filter(value)


def english_suffix(n: int) -> str:
    """
    >>> [f"{n}{english_suffix(n)}" for n in (1, 2, 3, 4, 11, 12, 13, 21, 112)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '21st', '112th']
    """
    if n % 100 in {11, 12, 13}:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")


@register.simple_tag
def ordinal(n: int) -> str:
    """A place: "9.º" (el puesto; with its point, as Spanish writes it), "9th" in English."""
    return _ordinal(n, get_language())


def _ordinal(n: int, language: str | None) -> str:
    return f"{n}{english_suffix(n)}" if (language or "es").startswith("en") else f"{n}.º"


@register.simple_tag
def move(n: int | None) -> SafeString:
    """Change of place, positive is upwards: arrow, number and a word for who does not see the arrow. None is new."""
    if n is None:
        return format_html('<span class="move up">{}</span>', pgettext("on a board", "new"))
    if n == 0:
        return format_html(
            '<span class="move same">{}<span class="hide">{}</span></span>', _svg("same", ""), gettext("same place")
        )
    direction = "up" if n > 0 else "down"
    word = pgettext("change of place", "up") if n > 0 else pgettext("change of place", "down")
    return format_html(
        '<span class="move {}">{}<span class="hide">{} </span>{}</span>', direction, _svg(direction, ""), word, abs(n)
    )


@register.filter
def signed(value: float) -> str:
    """A change with its sign: "+18", "−6", "0"; the minus is a minus, not a hyphen."""
    text = formats.number_format(abs(value))
    return f"+{text}" if value > 0 else f"{MINUS}{text}" if value < 0 else text


@register.filter
def mmss(seconds: float) -> str:
    """Seconds on a clock: 767 is "12:47"; nothing below zero; past the hour the minutes go on."""
    left = max(0, int(seconds))
    return f"{left // 60}:{left % 60:02d}"


CELLS = {  # outcome: class, what stands in the cell when there is neither score nor sign, words
    "win": ("win", "", pgettext_lazy("standings cell", "won")),
    "loss": ("loss", "", pgettext_lazy("standings cell", "lost")),
    "draw": ("draw", "", pgettext_lazy("standings cell", "drew")),
    "intentional_draw": ("draw", "", pgettext_lazy("standings cell", "agreed a draw")),
    "double_loss": ("loss", "0", pgettext_lazy("standings cell", "both lost")),
    "forfeit_win": ("win", "+", pgettext_lazy("standings cell", "won by no-show")),
    "forfeit_loss": ("loss", MINUS, pgettext_lazy("standings cell", "lost by no-show")),
    "bye": ("bye", DASH, pgettext_lazy("standings cell", "bye")),
    "unpaired_loss": ("loss", DASH, pgettext_lazy("standings cell", "not seated, counts as lost")),
    "not_played": ("none", "·", pgettext_lazy("standings cell", "not played")),
    "live": ("live", "", pgettext_lazy("standings cell", "playing")),
    "none": ("none", "", pgettext_lazy("standings cell", "was not in the event")),
}


@register.simple_tag
def standings_cell(cell: Mapping[str, Any]) -> SafeString:
    """One round of one player: full is won, empty lost, half drawn; below it the rival's place, or the table in play.

    cell: outcome (as in CELLS), way, score ("2-1"), opponent (display name), rank (the opponent's), table; `words` for
    what the outcome alone does not say.
    """
    return SafeString(_filled(cell, get_language()))


@register.simple_tag
def standings_cells(cells: Iterable[Mapping[str, Any]]) -> SafeString:
    """The cells of a row, in their columns: thousands on a page, so that a tag for each would be most of its time."""
    language = get_language()
    return SafeString("".join([f'<td class="round">{_filled(cell, language)}</td>' for cell in cells]))


@register.simple_tag
def columns(texts: Iterable[str], css: str) -> SafeString:
    """Plain texts as cells of one kind."""
    opening = f'<td class="{escape(css)}">'
    return SafeString("".join([f"{opening}{escape(text)}</td>" for text in texts]))


def _filled(cell: Mapping[str, Any], language: str | None) -> str:
    outcome, opponent, rank = cell.get("outcome", "none"), cell.get("opponent"), cell.get("rank")
    asked = (cell.get("way"), cell.get("score"), bool(opponent), bool(rank), cell.get("words"))
    before, after = _cell(language, outcome, *asked)
    if outcome == "live":
        return f"{before}{cell.get('table') or ''}{after}</span>"
    return f"{before}{escape(opponent or '')}{after}{_ordinal(rank, language) if rank else ''}</span>"


@lru_cache(maxsize=4096)
def _cell(
    language: str | None, outcome: str, code: str | None, score: str | None, against: bool, rank: bool, words: Any
) -> tuple[str, str]:
    """The HTML of a cell before and behind what differs from cell to cell: the rival's name, or the table in play.

    It ends open, for the place. Few differ in a whole event; hence they are kept.
    """
    css, plain, said = CELLS[outcome]
    if css == "live":
        inside, hidden, seen = TOLD, f"{said}:", pgettext("standings cell", "table")
    else:
        inside, seen = score or (_svg(code, "way") if code in WAYS else plain), ""
        hidden = _cell_words(words or said, WAYS.get(code or ""), against, rank)
    html = format_html(
        '<span class="cell {}{}">{}</span><span class="vs"><span class="hide">{} </span>{}',
        css, " score" if score else "", inside, hidden, seen,
    )  # fmt: skip
    before, _, after = html.partition(TOLD)
    return before, after


TOLD = "\x1a"  # where it will stand


def _cell_words(result: Any, way: Any, against: bool, rank: bool) -> str:
    """What a screen reader hears: "won by Ascension against Lucía Garabato, place"; the number follows, if any."""
    said = gettext("%(result)s by %(way)s") % {"result": result, "way": way} if way else str(result)
    if not against:
        return said
    versus = gettext("%(result)s against %(opponent)s") % {"result": said, "opponent": TOLD}
    return gettext("%(against)s, place") % {"against": versus} if rank else versus


@register.simple_tag(takes_context=True)
def nav_link(context: template.Context, url: str, text: str, sign: str = "", section: bool = False) -> SafeString:
    """A link of a menu that knows whether it is the page you are on; `section`: also below it."""
    request = context.get("request")
    here = request.path if isinstance(request, HttpRequest) else ""
    current = "page" if here == url else "true" if section and here.startswith(url) else ""
    return format_html(
        '<a href="{}"{}>{}{}</a>',
        url,
        format_html(' aria-current="{}"', current) if current else "",
        _svg(sign, "icon") if sign else "",
        text,
    )


@register.simple_tag(takes_context=True)
def chosen_theme(context: template.Context) -> str:
    """What the reader chose, "light" or "dark" (js/page.mjs keeps it in a cookie); "" follows the system."""
    request = context.get("request")
    theme = request.COOKIES.get("theme", "") if isinstance(request, HttpRequest) else ""
    return theme if theme in {"light", "dark"} else ""
