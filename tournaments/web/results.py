"""Results: one tap, one typed line, and corrections with what they change (TOURNAMENT_RULES 1, 6.1-6.3)."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from players import names
from players.numbers import whole
from players.web.access import account
from tournaments.models import Event, Match, ResultRevision, Round, Seat
from tournaments.queries import sheet
from tournaments.services import results
from tournaments.services.errors import Refused
from tournaments.services.results import Statement, Then
from tournaments.web import answers, console, frame, pods, staff_page, tables
from tournaments.web.access import actor, event_for_staff, require
from tournaments.web.forms import REASON_LENGTH

CLEAR = "clear"  # no score: the table is open again


def seated(event: Event, **where: Any) -> list[Match]:
    """Matches of this event with their seats, newest round first. One query."""
    seats = Seat.objects.filter(match__event=event, **where).select_related(
        "match__round", "registration__player", "claim"
    )
    found: dict[int, Match] = {}
    for seat in seats.order_by("-round__number", "match_id", "position"):
        match = found.setdefault(seat.match_id, seat.match)
        seat.match, seat.registration.event, match.event = match, event, event
        match.seat_list = [*getattr(match, "seat_list", []), seat]
    return list(found.values())


def match_or_404(event: Event, pk: int) -> Match:
    """Only of this event: another's number is no table."""
    found = seated(event, match__pk=pk, match__kind=Match.Kind.TABLE)
    if not found:
        raise Http404
    return found[0]


def request_key(request: HttpRequest) -> str | None:
    """A form that is sent again is one result (rule 1.5); another button of the same form is another one."""
    key = request.POST.get("key", "")[:32]
    said = request.POST.get("score") or "".join(request.POST.get(f"place_{seat}", "-")[:2] for seat in range(4))
    return f"{key}:{said[:12]}{request.POST.get('how', '')[:1]}" if key else None


def version(request: HttpRequest) -> int | None:
    return whole(request.POST.get("version", ""))


def stated(event: Event, match: Match, data: Any) -> Statement:
    return tables.statement_of(match, pods.typed(match, data), event.best_of, data.get("how", "").strip().lower())


@require_POST
def result(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """One tap. Ten queries at most, whatever the size of the event."""
    event = event_for_staff(request, slug, "result")
    match = match_or_404(event, pk)
    try:
        statement = stated(event, match, request.POST)
        results.decide(match, statement, by=actor(request), version=version(request), request_key=request_key(request))
    except Refused as refusal:
        return answers.refused(request, event, refusal)
    return answers.done(request, event)


@require_POST
def keyboard(request: HttpRequest, slug: str) -> HttpResponse:
    """The same, typed: table and score, in the round that is being played."""
    event = event_for_staff(request, slug, "result")
    table, score = request.POST.get("table", "").strip(), request.POST.get("score", "")
    try:
        match = typed_match(event, table)
        results.decide(match, stated(event, match, request.POST), by=actor(request), request_key=request_key(request))
    except Refused as refusal:
        typed = staff_page.Typed(table=table, score=score)
        return answers.refused(request, event, refusal, lambda: console.page(request, event, typed, answers.REFUSED))
    return answers.done(request, event)


def typed_match(event: Event, table: str) -> Match:
    """An old round's open table of that number only when the newest has none."""
    number = whole(table)
    rows = [] if number is None else seated(event, match__table=number, round__status=Round.Status.PUBLISHED)
    if not rows:
        message = gettext("There is no table %(table)s in this round.") % {"table": table[:9] or "–"}
        raise Refused(message, code="no_table", rule="4.4")
    if rows[0].done:
        message = gettext("Table %(table)s has its result already: %(result)s. To change it, use «Correct».")
        raise Refused(message % {"table": table, "result": tables.result_words(rows[0])}, code="decided", rule="6.1")
    return rows[0]


# -- corrections -------------------------------------------------------------------------------------------------------
def correct(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Everything that can be said of one table. Where it has a result: what would change, and the reason (rule 6)."""
    event = event_for_staff(request, slug, "result")
    match = match_or_404(event, pk)
    if match.done:
        require(account(request), "correct", event.store)
    if request.method == "POST":
        return save(request, event, match)
    return correct_page(request, event, match)


def save(request: HttpRequest, event: Event, match: Match) -> HttpResponse:
    reason = names.clean(request.POST.get("reason", ""))[:REASON_LENGTH]
    then: Then = "repair_open" if request.POST.get("then") == "repair_open" else "keep"
    options: dict[str, Any] = {
        "by": actor(request), "reason": reason, "version": version(request), "request_key": request_key(request),
    }  # fmt: skip
    try:
        if request.POST.get("score") == CLEAR:
            return cleared(request, event, match, reason)
        statement = stated(event, match, request.POST)
        if match.done:
            results.correct(match, statement, then=then, **options)
        else:
            results.decide(match, statement, **options)
    except Refused as refusal:
        return answers.refused(request, event, refusal, lambda: correct_page(request, event, match, answers.REFUSED))
    words = tables.words_of(statement, match)
    return answers.done(
        request, event, gettext("Table %(table)s: %(result)s.") % {"table": match.table, "result": words}
    )


def cleared(request: HttpRequest, event: Event, match: Match, reason: str) -> HttpResponse:
    """Back to no result, with its reason (rule 6.4)."""
    results.clear(match, by=actor(request), reason=reason, version=version(request))
    return answers.done(request, event, gettext("Table %(table)s has no result again.") % {"table": match.table})


def correct_page(request: HttpRequest, event: Event, match: Match, status: int = 200) -> HttpResponse:
    data = request.POST if request.method == "POST" else request.GET
    now = sheet(event)
    match = next(row for rows in now.matches_by_round.values() for row in rows if row.pk == match.pk)
    cut = match.round.kind == Round.Kind.CUT
    context: dict[str, Any] = {
        "match": match,
        "sheet": now,
        "round_name": frame.round_name(event, now.rounds, match.round),
        "table": tables.table_alone(now, match.round, match),
        "keys": [] if match.is_pod else tables.every_key(match, event.best_of, cut),
        "hows": [(key, Match.How(value).label) for key, value in results.SUFFIXES.items()],
        "how": data.get("how", ""),
        "chosen": None,
        "reason": data.get("reason", ""),
        "then": data.get("then", ""),
        "revisions": said_of(match),
        **staff_page.frame_of(now),
    }
    try:
        context |= chosen(event, match, data)
    except Refused as refusal:
        context["refused"] = answers.words(refusal)
    return staff_page.show(request, event, "tournaments/staff/correct.html", context, status)


def said_of(match: Match) -> list[dict[str, Any]]:
    """Every statement about the table, newest first (rule 1.5)."""
    rows = match.revisions.select_related("by_user__player", "by_player__merged_into__merged_into").order_by("-number")
    return [
        {"revision": row, "words": tables.words_of(results.spoken(row, match), match), "who": author(row)}
        for row in rows
    ]


def author(row: ResultRevision) -> str:
    player = row.by_player or getattr(row.by_user, "player", None)
    return player.root.name if player else row.by_user.email if row.by_user else ""


def chosen(event: Event, match: Match, data: Any) -> dict[str, Any]:
    """The result under consideration and its consequences, when the address names one."""
    score = pods.typed(match, data)
    if score in ("", CLEAR):
        return {}
    statement = stated(event, match, data)
    impact = results.impact(match, statement) if match.done else None
    return {
        "chosen": statement,
        "chosen_words": tables.words_of(statement, match),
        "score": score,
        "impact": impact,
        "tie_breaks": sum(row.tie_breaks for row in impact.moved) if impact else 0,
    }
