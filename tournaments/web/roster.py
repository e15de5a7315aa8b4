"""Who plays: arrivals, late entries, drops, and what staff note about each (TOURNAMENT_RULES 5)."""

from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import resolve_url
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_GET, require_POST

from players import codes, names
from players.models import Player
from players.numbers import whole
from players.provinces import NAMES
from tournaments.models import PERSON, Event, Match, Penalty, Registration, ResultRevision, Round
from tournaments.queries import Sheet, sheet
from tournaments.sentences.rounds import inside, names_of
from tournaments.services import decks, events, namesakes, registrations
from tournaments.services.errors import Refused
from tournaments.services.journal import Actor
from tournaments.services.registrations import LateChoice
from tournaments.web import answers, console, list_words, qr, roster_list, staff_page, words
from tournaments.web.access import actor, event_for_staff
from tournaments.web.forms import PenaltyForm, ReasonForm, RegistrationForm, WalkInForm
from tournaments.web.tables import table_alone

SUGGESTED = 6


def registration_or_404(event: Event, pk: int) -> Registration:
    """Only of this event: another's number is nobody."""
    row = event.registrations.select_related(PERSON, "element").filter(pk=pk).first()
    if row is None:
        raise Http404
    row.event = event
    return row


def roster(request: HttpRequest, slug: str) -> HttpResponse:
    """GET: the page of all who play. POST: somebody has arrived."""
    if request.method == "POST":
        return add(request, slug)
    event = event_for_staff(request, slug, "roster")
    if answers.is_htmx(request) and request.GET.get("version") == str(event.version):
        return HttpResponse(status=204)
    return page(request, event)


def page(
    request: HttpRequest, event: Event, typed: "staff_page.Typed | None" = None, status: int = 200
) -> HttpResponse:
    now = sheet(event)
    context = (
        roster_list.listing(request, now)
        | staff_page.frame_of(now)
        | {"typed": typed or staff_page.Typed(), "sheet": now}
    )
    context |= {
        "late_choices": staff_page.late_choices(now),
        "here": here(request),
        "poll": console.POLL_SECONDS,
        "mode": None,
    }
    context |= {"arrived": request.headers.get("HX-Trigger") == "walk-in"}
    template = "tournaments/staff/roster.html"
    if answers.target(request) == "roster-list":
        template += "#roster_list_live"
    return staff_page.show(request, event, template, context, status)


def here(request: HttpRequest) -> str:
    """This page with its search and filter, without what only its poll says."""
    kept = request.GET.copy()
    for name in ("version", "mode"):
        kept.pop(name, None)
    return f"{request.path}?{kept.urlencode()}" if kept else request.path


# -- arrivals ----------------------------------------------------------------------------------------------------------
@require_POST
def add(request: HttpRequest, slug: str) -> HttpResponse:
    """One name or many, a line each; a public code, typed or from the suggestions, enters that very player."""
    event = event_for_staff(request, slug, "roster")
    form = WalkInForm(request.POST)
    if not form.is_valid():
        return answers.invalid(request, event, form, again_with(request, event, form))
    if form.cleaned_data["back"]:
        return walk_in(request, event, staff_page.Typed(form), 200)
    if form.cleaned_data["known"]:
        form = meant(event, form)
    people, anyway = form.cleaned_data["names"], form.cleaned_data["anyway"]
    if not anyway and (typed := doubts(event, form)).doubtful:
        return walk_in(request, event, typed, answers.REFUSED)
    try:
        entered = enter(event, people, form.cleaned_data["choice"], by=actor(request), told_apart=anyway)
    except Refused as refusal:
        return answers.refused(request, event, refusal, again_with(request, event, form))
    return answers.done(request, event, entered_words(entered))


def enter(
    event: Event, people: list[str], choice: LateChoice, *, by: Actor, told_apart: bool = False
) -> list[Registration]:
    """Before round 1 everybody at once; later each by the choice of rule 5.2. All of them or nobody."""
    if not event.live:
        return registrations.add_guests(event, people, by=by, told_apart=told_apart)
    with transaction.atomic():
        return [registrations.enter_late(event, name, by=by, choice=choice, told_apart=told_apart) for name in people]


def similar(event: Event, people: list[str]) -> list[tuple[str, Registration]]:
    """Whoever is in already under the same name, accents and case apart (case 50). One query."""
    keys = {names.fold(name)[:140]: name for name in people if not codes.is_valid(codes.normal(name))}
    rows = event.registrations.select_related(PERSON).filter(player__staff_key__in=keys)
    return [(keys[row.player.staff_key], row) for row in rows]


def known(event: Event, people: list[str]) -> list[tuple[str, list[Player]]]:
    """Each name under which somebody has played in this store and is not in this event (case 51). Two queries."""
    keys = {names.fold(name)[:140]: name for name in people if not codes.is_valid(codes.normal(name))}
    found = namesakes.known(event, keys)
    inside = {row.person.pk for row in event.registrations.select_related(PERSON)} if found else set()
    told = {key: [each.player for each in group if each.player.pk not in inside] for key, group in found.items()}
    return [(keys[key], players) for key, players in sorted(told.items()) if players]


def meant(event: Event, form: WalkInForm) -> WalkInForm:
    """The same form with the code of whoever is the only one here of that name: staff have said that it is he."""
    codes_of = {
        name: players[0].printed_code for name, players in known(event, form.cleaned_data["names"]) if len(players) == 1
    }
    lines = [codes_of.get(name, name) for name in form.cleaned_data["names"]]
    told = WalkInForm({**form.data.dict(), "names": "\n".join(lines)})  # type: ignore[attr-defined]
    told.is_valid()
    return told


def repeated(people: list[str]) -> list[str]:
    """
    >>> repeated(["Ana Peña", "Zoe Farolillo", "ana pena"])
    ['ana pena']
    """
    keys = [names.fold(name) for name in people]
    return [name for index, name in enumerate(people) if keys[index] in keys[:index]]


def doubts(event: Event, form: WalkInForm) -> staff_page.Typed:
    """Who may be meant by the names: in the event already, twice in what was written, or known from other nights."""
    people = form.cleaned_data["names"] if form.is_valid() else []
    found = similar(event, people), repeated(people), known(event, people)
    return staff_page.Typed(form, *found)


def again_with(request: HttpRequest, event: Event, form: WalkInForm) -> Callable[[], HttpResponse]:
    people = form.cleaned_data["names"] if form.is_valid() else []
    typed = staff_page.Typed(walk_in=form, repeated=repeated(people))
    return lambda: whole_page(request, event, typed, answers.REFUSED)


def whole_page(request: HttpRequest, event: Event, typed: staff_page.Typed, status: int) -> HttpResponse:
    """The one that the form stood on."""
    there = resolve_url("roster_add", event.slug)
    show = page if answers.where_from(request, "").startswith(there) else console.page
    return show(request, event, typed, status)


def walk_in(request: HttpRequest, event: Event, typed: staff_page.Typed, status: int) -> HttpResponse:
    """The form as typed; with its doubts it asks (case 51: never by name alone), and without them it is back."""
    if not answers.is_htmx(request):
        return whole_page(request, event, typed, status)
    context = {
        "typed": typed,
        "late_choices": staff_page.late_choices(sheet(event)),
        "here": answers.where_from(request, ""),
    }
    response = staff_page.show(request, event, "tournaments/staff/_walk_in.html", context, status)
    response["HX-Retarget"] = "#walk-in"
    response["HX-Reswap"] = "outerHTML"
    return response


def entered_words(rows: list[Registration]) -> str:
    waiting = [row for row in rows if row.status == Registration.Status.WAITING]
    if waiting:
        text = ngettext(
            "The event is full: %(names)s waits in the list.",
            "The event is full: %(names)s wait in the list.",
            len(waiting),
        )
        return text % {"names": words.names_words(row.person.name for row in waiting)}
    text = ngettext("%(names)s is in.", "%(names)s are in.", len(rows))
    return text % {"names": words.names_words(row.person.name for row in rows)}


@require_GET
def suggest(request: HttpRequest, slug: str) -> HttpResponse:
    """Players of this store who are called like that, told apart by code and province (case 51)."""
    event = event_for_staff(request, slug, "roster")
    query = names.fold(request.GET.get("names", ""))
    one_line = "\n" not in request.GET.get("names", "").strip()
    found = known_players(event, query) if len(query) > 1 and one_line else []
    for player in found:
        player.province_name = NAMES.get(player.province, "")  # type: ignore[attr-defined]
    context = {"suggested": found, "choice": request.GET.get("choice", ""), "here": request.GET.get("next", "")}
    return staff_page.show(request, event, "tournaments/staff/_suggested.html", context)


def known_players(event: Event, query: str) -> list[Player]:
    """Who has played here before, or has an account, and is not in this event. One query."""
    here = Q(registrations__event__store=event.store_id) | Q(user__isnull=False)
    people = Player.objects.active().filter(here).exclude(registrations__event=event)
    for word in query.split():
        people = people.filter(staff_key__contains=word)
    return list(people.distinct().order_by("sort_key", "pk")[:SUGGESTED])


# -- one of them -------------------------------------------------------------------------------------------------------
def registration(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Everything staff can do about one player, each with its reason where one is asked for."""
    event = event_for_staff(request, slug, "console")
    row = registration_or_404(event, pk)
    return registration_page(request, event, row)


def registration_page(
    request: HttpRequest, event: Event, row: Registration, forms: dict[str, Any] | None = None, status: int = 200
) -> HttpResponse:
    now = sheet(event)
    row = now.by_id[row.pk]
    list_words.mark(now, [row])
    roster_list.mark_cut(now, [row])
    initial = {"element": row.element_id, "team": row.team, "fixed_table": row.fixed_table}
    context = {
        "row": row,
        "form": RegistrationForm(initial=initial, event=event),
        "reason_form": ReasonForm(auto_id="dq_%s"),
        "penalty_form": PenaltyForm(auto_id="penalty_%s"),
        "penalties": penalties(now, row),
        "history": history(now, row),
        "apart": apart(now, row),
        "others": [each for each in now.active if each.pk != row.pk],
        "removable": not any(now.seats_of(row, drafts=True)),
        "guest_link": guest_link(request, row),
        **staff_page.frame_of(now),
        **(forms or {}),
    }
    return staff_page.show(request, event, "tournaments/staff/registration.html", context, status)


def guest_link(request: HttpRequest, row: Registration) -> dict[str, Any] | None:
    """A guest's phone proves itself with it; shown to that guest only, here."""
    if not row.secret:
        return None
    address = qr.link(request, reverse("guest", args=[row.secret]))
    return {"address": address, "svg": qr.qr(address)}


def apart(sheet: Sheet, row: Registration) -> list[Registration]:
    """Whom this player never meets."""
    pairs = [pair for pair in sheet.event.separations if row.pk in pair]
    return [sheet.by_id[pk] for pair in pairs for pk in pair if pk != row.pk and pk in sheet.by_id]


def history(sheet: Sheet, row: Registration) -> list[tuple[str, Any]]:
    """(name of the round, table) for each match of theirs."""
    called = names_of(sheet.event, sheet.rounds)
    return [(called[round.number], table_alone(sheet, round, match)) for round, match, _seat in sheet.seats_of(row)]


def penalties(sheet: Sheet, row: Registration) -> list[tuple[Penalty, str]]:
    """(penalty, name of its round or ""), newest first. One query."""
    called = names_of(sheet.event, sheet.rounds)
    found = sheet.event.penalties.filter(registration=row).select_related("round", "by").order_by("-at")
    return [(each, inside(called.get(each.round.number, "")) if each.round else "") for each in found]


Handler = Callable[[HttpRequest, Event, Registration, Actor], str]


def said(text: str, row: Registration) -> str:
    return text % {"name": row.person.name}


def drop(request: HttpRequest, event: Event, row: Registration, by: Actor) -> str:
    left = registrations.drop(row, by=by, reason=names.clean(request.POST.get("reason", "")))
    lost = given_away(row)
    now = lost is not None and lost.round.number == left.last_round
    told = (
        gettext("Table %(table)s goes to the other side, by absence.") % {"table": lost.table} if lost and now else ""
    )
    return " ".join(filter(None, [said(gettext("%(name)s has left the event."), row), told]))


def given_away(row: Registration) -> Match | None:
    """The newest table that his leaving gave to the other side; coming back does not take it back (rule 5.4)."""
    lost = Match.objects.filter(seats__registration=row, outcome=Match.Outcome.FORFEIT)
    lost = lost.filter(current__kind=ResultRevision.Kind.DROP).exclude(winner=row.player)
    return lost.select_related("round").order_by("-round__number").first()


def undrop(request: HttpRequest, event: Event, row: Registration, by: Actor) -> str:
    registrations.undrop(row, by=by, reason=names.clean(request.POST.get("reason", "")))
    lost = given_away(row)
    told = (
        gettext("Table %(table)s stays lost by absence: correct it if they do play.") % {"table": lost.table}
        if lost
        else ""
    )
    return " ".join(filter(None, [said(gettext("%(name)s is back."), row), told]))


def remove(request: HttpRequest, event: Event, row: Registration, by: Actor) -> str:
    registrations.remove(row, by=by)
    return said(gettext("%(name)s is out of the list."), row)


def paid(request: HttpRequest, event: Event, row: Registration, by: Actor) -> str:
    registrations.set_paid(row, request.POST.get("on") == "1", by=by)
    return ""


def bye(request: HttpRequest, event: Event, row: Registration, by: Actor) -> str:
    on = request.POST.get("on") == "1"
    registrations.assign_bye(row, on, by=by)
    return (
        said(gettext("%(name)s has the bye of the next round."), row)
        if on
        else said(gettext("%(name)s will be paired."), row)
    )


def check_in(request: HttpRequest, event: Event, row: Registration, by: Actor) -> str:
    registrations.check_in(row, by=by, on=request.POST.get("on") == "1")
    return ""


def details(request: HttpRequest, event: Event, row: Registration, by: Actor) -> str:
    form = RegistrationForm(request.POST, event=event)
    if not form.is_valid():
        raise Invalid(form=form)
    data = form.cleaned_data
    registrations.set_element(row, data["element"], by=by)
    registrations.set_team(row, data["team"], by=by)
    registrations.set_fixed_table(row, data["fixed_table"], by=by)
    return said(gettext("What you noted about %(name)s is saved."), row)


def unite(request: HttpRequest, event: Event, row: Registration, by: Actor) -> str:
    """This row and another are one person (case 50); the other one stays."""
    keep = registration_or_404(event, number_of(request, "keep"))
    registrations.unite(row, keep, by=by)
    return said(gettext("%(name)s is one player now."), keep)


def same(request: HttpRequest, event: Event, row: Registration, by: Actor) -> str:
    """This row is who has played here before under that name (cases 51, 52)."""
    player = namesakes.candidate(row, number_of(request, "player"))
    stays = namesakes.same(row, player, by=by)
    return gettext("%(name)s is one player now.") % {"name": stays.name}


def different(request: HttpRequest, event: Event, row: Registration, by: Actor) -> str:
    namesakes.different(row, by=by)
    return said(gettext("%(name)s is somebody new."), row)


def separate(request: HttpRequest, event: Event, row: Registration, by: Actor) -> str:
    """These two never meet, or may meet again (rule 4.1.1: hard separations)."""
    other = registration_or_404(event, number_of(request, "other"))
    pair, on = sorted((row.pk, other.pk)), request.POST.get("on") == "1"
    rest = [each for each in event.separations if sorted(each) != pair]
    events.edit(event, by=by, separations=[*rest, pair] if on else rest)
    text = gettext("%(name)s and %(other)s are kept apart.") if on else gettext("%(name)s and %(other)s may meet.")
    return text % {"name": row.person.name, "other": other.person.name}


def number_of(request: HttpRequest, field: str) -> int:
    return whole(request.POST.get(field, "")) or 0


def playing(event: Event) -> Round | None:
    return event.rounds.filter(status=Round.Status.PUBLISHED).order_by("-number").first()


def disqualify(request: HttpRequest, event: Event, row: Registration, by: Actor) -> str:
    form = ReasonForm(request.POST, auto_id="dq_%s")
    if not form.is_valid():
        raise Invalid(reason_form=form)
    registrations.disqualify(row, by=by, reason=form.cleaned_data["reason"], round=playing(event))
    return said(gettext("%(name)s is disqualified. The opponents keep their results."), row)


def penalty(request: HttpRequest, event: Event, row: Registration, by: Actor) -> str:
    form = PenaltyForm(request.POST, auto_id="penalty_%s")
    if not form.is_valid():
        raise Invalid(penalty_form=form)
    data = form.cleaned_data
    registrations.add_penalty(row, data["kind"], data["infraction"], note=data["note"], round=playing(event), by=by)
    return said(gettext("The penalty of %(name)s is noted; only staff see it."), row)


def unlock_list(request: HttpRequest, event: Event, row: Registration, by: Actor) -> str:
    decks.unlock(row, by=by, reason=names.clean(request.POST.get("reason", "")))
    return said(gettext("%(name)s may hand in another deck list."), row)


def lock_list(request: HttpRequest, event: Event, row: Registration, by: Actor) -> str:
    decks.lock(row, by=by)
    return said(gettext("The deck list of %(name)s is locked again."), row)


def let_play(request: HttpRequest, event: Event, row: Registration, by: Actor) -> str:
    decks.accept(row, by=by, reason=names.clean(request.POST.get("reason", "")))
    return said(gettext("%(name)s may play so."), row)


class Invalid(Exception):
    """A form of the player's page lacks something; it is shown again as typed."""

    def __init__(self, **forms: Any) -> None:
        super().__init__()
        self.forms = forms


# Address: what it does and the right it takes.
ROSTER_ACTIONS: dict[str, tuple[Handler, str]] = {
    "retirar": (drop, "roster"),
    "devolver": (undrop, "roster"),
    "quitar": (remove, "roster"),
    "pagado": (paid, "roster"),
    "descanso": (bye, "roster"),
    "presente": (check_in, "roster"),
    "datos": (details, "roster"),
    "unir": (unite, "roster"),
    "misma": (same, "roster"),
    "otra": (different, "roster"),
    "separar": (separate, "roster"),
    "descalificar": (disqualify, "penalty"),
    "sancionar": (penalty, "penalty"),
    "abrir-mazo": (unlock_list, "deck"),
    "cerrar-mazo": (lock_list, "deck"),
    "dejar-jugar": (let_play, "deck"),
}


@require_POST
def roster_action(request: HttpRequest, slug: str, pk: int, action: str) -> HttpResponse:
    handler, right = ROSTER_ACTIONS.get(action, (None, "roster"))
    event = event_for_staff(request, slug, right)
    row = registration_or_404(event, pk)
    if handler is None:
        raise Http404
    try:
        done = handler(request, event, row, actor(request))
    except Invalid as invalid:
        return registration_page(request, event, row, invalid.forms, answers.REFUSED)
    except Refused as refusal:
        return answers.refused(
            request, event, refusal, lambda: registration_page(request, event, row, status=answers.REFUSED)
        )
    return answers.done(request, event, done)
