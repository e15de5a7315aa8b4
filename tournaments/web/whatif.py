"""What if: who reaches the cut by winning, drawing or losing. Staff always, players when the event says so.

A page of its own; the console and the player's page fetch its parts once, when somebody looks, never with a poll. What
is the same for everybody is built once for all who ask within seconds, the numbers once for each version of the event.
"""

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext, pgettext
from django.views.decorators.http import require_POST

from tournaments import queries, rights
from tournaments.models import Event
from tournaments.queries import Sheet
from tournaments.sentences import chances as sentences
from tournaments.sentences.chances import Card, Shown
from tournaments.sentences.names import names_words, number_words
from tournaments.services import chances, events
from tournaments.services.errors import Refused
from tournaments.swiss.types import PlayerId
from tournaments.swiss.whatif.answer import Chance, NotYet, Outlook, Result
from tournaments.web import answers, live
from tournaments.web.access import actor, event_for_staff, is_staff, my_registration, public_event
from tournaments.web.live import Part
from tournaments.web.my_table import show
from tournaments.web.naming import label, tags

TEMPLATE = "tournaments/public/whatif.html"
TABLE = "tournaments/public/whatif_table.html"


@dataclass(frozen=True, slots=True)
class Row:
    place: int
    label: str
    code: str
    points: str
    places: str
    overall: Shown
    results: list[Shown | None]


def whatif(request: HttpRequest, slug: str) -> HttpResponse:
    """`?jugador=` opens one player's card; without it the visitor's own. At most 12 queries."""
    event = public_event(request, slug)
    staff = is_staff(request, event)
    if not staff and not event.show_chances:
        raise Http404
    part = live.part_wanted(request, "cuentas", "cuentas-consola")
    found = live.anonymous(live.tag_of(event, "what-if"), "what-if", lambda: build(event))
    me = my_registration(request, event)
    own = me.person.code if me else ""
    asked = request.GET.get("jugador", "") or own
    if asked != own and found.extra["cards"] and asked not in found.extra["cards"]:
        raise Http404
    context = {
        "event": event,
        "me": me,
        "staff": staff,
        "may_show": rights.may(request.user, "event.edit", event.store),
        "card": found.extra["cards"].get(asked),
        "mine": asked == own,
        "html": found.marked_for(own),
        **found.extra,
    }
    template = f"{TEMPLATE}#{part.replace('-', '_')}" if part else TEMPLATE
    return live.fresh(show(request, event, template, context))


def build(event: Event) -> Part:
    """The table for everybody, and each one's card."""
    sheet = queries.sheet(event)
    try:
        found = chances.outlook_of(sheet)
    except NotYet as reason:
        nothing = {"cards": {}, "not_yet": str(sentences.NOT_YET[reason.code]), "groups": []}
        return Part(render_to_string(TABLE, {"event": event, **nothing}), nothing)
    cards = {card.code: card for card in cards_of(sheet, found)}
    context = {"event": event, "rows": rows_of(sheet, found), "method": sentences.method_words(found)}
    context |= {"round": found.round, "last": found.last, "size": found.size}
    groups = {"cards": cards, "not_yet": "", "groups": groups_of(sheet, found)}
    return Part(render_to_string(TABLE, context), groups | context)


def groups_of(sheet: Sheet, found: Outlook) -> list[tuple[str, int, str]]:
    """(what is certain, how many, their names), for the console: in, open, out."""
    titles = {
        True: pgettext("of the cut", "In for certain"),
        None: gettext("Still open"),
        False: pgettext("of the cut", "Out for certain"),
    }
    groups = []
    for certain, title in titles.items():
        names = [
            sheet.by_key[chance.player].person.shown for chance in found.chances if chance.overall.certain is certain
        ]
        groups.append((title, len(names), names_words(names) if certain is not False else ""))
    return groups


def cards_of(sheet: Sheet, found: Outlook) -> list[Card]:
    def name(player: PlayerId) -> str:
        return sheet.by_key[player].person.shown

    return [sentences.card_of(found, chance, sheet.by_key[chance.player].person.code, name) for chance in found.chances]


def rows_of(sheet: Sheet, found: Outlook) -> list[Row]:
    tagged = tags(sheet.entrants)
    return [row_of(sheet, found, place, chance, tagged) for place, chance in enumerate(found.chances, 1)]


def row_of(sheet: Sheet, found: Outlook, place: int, chance: Chance, tagged: dict[int, str]) -> Row:
    registration = sheet.by_key[chance.player]
    results = [chance.results.get(result) for result in Result]
    best, worst = chance.overall.bound.at_least + 1, chance.overall.bound.at_most + 1
    return Row(
        place=place,
        label=label(registration, tagged),
        code=registration.person.code,
        points=number_words(chance.points),
        places=f"{best}–{worst}" if best < worst else str(best),
        overall=sentences.shown("", chance.overall),
        results=[None if odds is None else sentences.shown("", odds) for odds in results],
    )


@require_POST
def show_chances(request: HttpRequest, slug: str) -> HttpResponse:
    """Whether players see it: one of the event's settings, with its button where one thinks of it."""
    event = event_for_staff(request, slug, "event.edit")
    shown = request.POST.get("show") == "1"
    try:
        events.edit(event, by=actor(request), show_chances=shown)
    except Refused as refusal:
        return answers.refused(request, event, refusal)
    return answers.done(request, event, gettext("Players see it now.") if shown else gettext("Only staff see it now."))
