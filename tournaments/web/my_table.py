"""A player's phone: where I sit, against whom, how long, and the report (UX, Player).

The page asks a pulse that is the same for everybody and mostly answers 304; only when the event has moved does it ask
for its own part, and only when that is another does the screen change: what somebody is choosing stays chosen.
"""

import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from players.numbers import whole
from players.web.access import player_of
from players.web.throttle import limited
from tournaments import queries
from tournaments.models import PERSON, Event, FrozenStandings, Match, Registration, Round, Seat
from tournaments.sentences.names import names_words
from tournaments.services import chances, registrations, results
from tournaments.services.errors import Refused
from tournaments.services.journal import Actor
from tournaments.services.results import Statement
from tournaments.web import frame, live, night, qr, signup
from tournaments.web.access import event_or_404, is_staff, my_registration, public_event
from tournaments.web.answers import SeeOther, words
from tournaments.web.cells import cell
from tournaments.web.naming import shown_names
from tournaments.web.night import Game, Night
from tournaments.web.pods import places_form, shown, statement_words, typed, typed_order

TEMPLATE = "tournaments/public/my_table.html"
PULSE = "tournaments/public/pulse.html"
LEFT = (Registration.Status.DROPPED, Registration.Status.DISQUALIFIED)
OVER = (Event.Status.FINISHED, Event.Status.REOPENED)

# What a best of 3 can end in, from my side: as posted, as shown, in words.
SCORES = [("20", "2–0", _("I won")), ("21", "2–1", _("I won")), ("12", "1–2", _("I lost")), ("02", "0–2", _("I lost"))]
SHORT_SCORES = [
    ("10", "1–0", _("I won")),
    ("01", "0–1", _("I lost")),
    ("11", "1–1", _("Draw")),
    ("00", "0–0", _("Draw")),
]


# -- the page ----------------------------------------------------------------------------------------------------------
def my_table(request: HttpRequest, slug: str) -> HttpResponse:
    event = public_event(request, slug)
    me = my_registration(request, event)
    if me is None:
        return nobody(request, event)
    me.event = event
    now = night.night_of(event, me)
    kind = kind_of(now)
    part = live.part_wanted(request, "mio")
    tag = my_tag(now, kind) if part else ""
    news = list(messages.get_messages(request)) if part else []  # a refusal changes nothing but must be read
    if part and not news and (same := live.unchanged(request, tag)):
        return same
    context = context_of(request, now, kind) | {"part": part}
    if part:
        context["messages"] = news
    return live.fresh(show(request, event, f"{TEMPLATE}#mio" if part else TEMPLATE, context), tag)


def show(request: HttpRequest, event: Event, template: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
    with timezone.override(event.store.zone):
        return render(request, template, context, status=status)


def nobody(request: HttpRequest, event: Event) -> HttpResponse:
    """Not in this event, as far as this browser knows: the way in, or the way to find oneself."""
    context = {
        "event": event,
        "player": player_of(request),
        "open": signup.may_sign_up(event),
        "staff": is_staff(request, event),
        "published": event.rounds.filter(status=Round.Status.PUBLISHED).exists(),
    }
    return show(request, event, "tournaments/public/no_table.html", context)


def kind_of(now: Night) -> str:
    """Which of its moments the page is in."""
    if now.me.status == Registration.Status.WAITING:
        return "waiting"
    if now.event.status in OVER:
        return "over"
    if now.me.status in LEFT:
        return "left"
    return kind_of_round(now)


def kind_of_round(now: Night) -> str:
    game = now.current
    if now.round is None:
        return "before"
    if game is None and now.round.kind == Round.Kind.CUT:
        return "resting" if now.goes_on else "out"
    if game is None:
        return "unseated"
    if game.match.kind == Match.Kind.BYE or not game.others:
        return "bye" if game.match.kind == Match.Kind.BYE else "unseated"
    return "done" if game.match.state == Match.State.DONE else "table"


def my_tag(now: Night, kind: str) -> str:
    """Of everything that the personal part shows and that can change: the tag stays while none of it does."""
    round, game = now.round, now.current
    clock = (round.pk, round.ends_at, round.paused_left) if round else ()
    match = (game.match.pk, game.match.version, game.match.state, game.match.extra_seconds) if game else ()
    mine = (now.me.status, now.me.last_round, now.me.element_id, now.deck)
    event = (now.event.self_report, now.event.minutes, now.event.rounds_planned, now.event.name, now.event.show_chances)
    # In these moments the page counts others, so it follows the event; at my table it follows the table alone.
    around = now.event.version if kind != "table" else 0
    return live.tag("mio", now.me.pk, kind, now.event.status, around, clock, match, mine, event, now.points)


def context_of(request: HttpRequest, now: Night, kind: str) -> dict[str, Any]:
    event, round, game = now.event, now.round, now.current
    name = frame.round_name(event, now.rounds, round) if round else ""
    extra = game.match.extra_seconds if game else 0
    return {
        "event": event,
        "me": now.me,
        "kind": kind,
        "night": now,
        "deck": now.deck,
        "game": game,
        "round": round,
        "round_name": name,
        "planned": event.rounds_planned,
        "clock": frame.clock(event, round, name, extra=extra) if event.live and kind in CLOCKED else None,
        "games": [history(now, past) for past in now.games],
        "pulse_holds": live.holds(live.tag_of(event, "pulse")),
        "mine_holds": live.holds(my_tag(now, kind)),
        "poll": live.phone_seconds(),
        "link": guest_link(request, now.me),
        "player": player_of(request),
        "staff": is_staff(request, event),
        "chances": event.show_chances and now.me.active and chances.near(event, round, event.rounds_planned),
        **PARTS.get(kind, nothing)(now),
    }


CLOCKED = {"table", "done", "bye", "unseated"}


def history(now: Night, game: Game) -> dict[str, Any]:
    names = shown_names([game.other.registration] if game.other else [])
    return {
        "name": frame.short_round_name(now.event, now.rounds, game.round),
        "cell": cell(now.event, game.match, game.mine, game.other, names),
        "rival": names_words(seat.registration.person.shown for seat in game.others),
        "game": game,
        "counts": game.round.kind == Round.Kind.SWISS and game.match.done,
    }


def guest_link(request: HttpRequest, me: Registration) -> dict[str, Any] | None:
    """A guest's personal address, for another phone of his; only whoever holds it is ever shown it."""
    if not me.secret or me.person.user_id:
        return None
    address = qr.link(request, reverse("guest", args=[me.secret]))
    return {"address": address, "svg": qr.qr(address), "path": reverse("guest", args=[me.secret])}


# -- what each moment adds ---------------------------------------------------------------------------------------------
def at_pod(now: Night, game: Game) -> dict[str, Any]:
    """At a table of several: who is there, what each has said, and the form."""
    said = game.said
    claims = [(seat.registration, results.spoken(seat.claim, game.match)) for seat in game.others if seat.claim]
    first = claims[0][1] if claims else None
    return {
        "pod": places_form(game.match, shown, said.places if said else None, now.me),
        "rivals": [seat.registration for seat in game.others],
        "state": game.match.state,
        "said": said and order_of(game, said),
        "claims": [(row.person.shown, order_of(game, each)) for row, each in claims],
        "rival_said": {"value": keys_of(first)} if first else None,
        "may_report": now.event.self_report,
        "request_key": secrets.token_urlsafe(16),
    }


def order_of(game: Game, statement: Statement) -> str:
    return statement_words(statement, game.match, shown)


def keys_of(statement: Statement) -> str:
    """The same order as the field `score`: the form that agrees repeats it."""
    return typed_order(statement.places or ())


def at_table(now: Night) -> dict[str, Any]:
    game = now.current
    assert game is not None
    if game.match.is_pod:
        return at_pod(now, game)
    assert game.other is not None
    swiss = game.round.kind == Round.Kind.SWISS
    rival = game.other.registration
    theirs = night.points_of(now.event, rival, game.round) if swiss and game.round.number > 1 else None
    return {
        "rival": rival,
        "rival_points": theirs,
        "level": theirs == now.points,
        "state": game.match.state,
        "said": say(game, game.said),
        "rival_said": say(game, game.rival_said),
        "may_report": now.event.self_report,
        "may_draw": swiss,
        "scores": SCORES,
        "short_scores": SHORT_SCORES if swiss else [row for row in SHORT_SCORES if row[0] in {"10", "01"}],
        "request_key": secrets.token_urlsafe(16),
    }


def say(game: Game, statement: Statement | None) -> dict[str, Any] | None:
    """A statement in my words, with the form values that would repeat it."""
    if statement is None:
        return None
    mine = game.won(statement)
    drawn = statement.winner is None
    return {
        "kind": "draw" if drawn else "win" if mine else "loss",
        "agreed": statement.outcome == Match.Outcome.INTENTIONAL_DRAW,
        "forfeit": statement.outcome == Match.Outcome.FORFEIT,
        "outcome": statement.outcome,
        "how": statement.how,
        "score": game.score(statement),
        "value": value_of(game, statement),
    }


def value_of(game: Game, statement: Statement) -> str:
    """The same statement as the field `score` of the form, from my side."""
    suffix = "p" if statement.outcome == Match.Outcome.INTENTIONAL_DRAW else ""
    if game.match.event.best_of == 1 or statement.games is None:
        return ("x" if statement.winner is None else "1" if game.won(statement) else "2") + suffix
    a, b, drawn = statement.games
    left, right = (a, b) if game.mine.position == 0 else (b, a)
    return f"{left}{right}{drawn or ''}" + suffix


def after_table(now: Night) -> dict[str, Any]:
    game = now.current
    assert game is not None
    if game.match.is_pod:
        result = game.result
        return {
            "pod": {},
            "rivals": [seat.registration for seat in game.others],
            "result": {"words": order_of(game, result)} if result else None,
            "place": game.mine.place,
            "missing": night.tables_missing(game.round),
        }
    return {
        "rival": game.other.registration if game.other else None,
        "result": say(game, game.result),
        "missing": night.tables_missing(game.round),
    }


def between(now: Night) -> dict[str, Any]:
    return {"missing": night.tables_missing(now.round) if now.round else 0}


def in_line(now: Night) -> dict[str, Any]:
    return {"position": night.ahead_of(now.me) + 1}


def before(now: Night) -> dict[str, Any]:
    return {"inside": queries.player_count(now.event)}


def at_the_end(now: Night) -> dict[str, Any]:
    """My final place, from the frozen standings."""
    snapshot = queries.frozen(now.event, FrozenStandings.Phase.FINAL)
    row = next((row for row in snapshot.rows if row["registration"] == now.me.pk), None) if snapshot else None
    return {"place": row["rank"] if row else None, "people": queries.player_count(now.event)}


def nothing(now: Night) -> dict[str, Any]:
    return {}


PARTS: dict[str, Callable[[Night], dict[str, Any]]] = {
    "table": at_table,
    "done": after_table,
    "bye": between,
    "unseated": between,
    "waiting": in_line,
    "before": before,
    "over": at_the_end,
}


# -- the pulse ---------------------------------------------------------------------------------------------------------
def pulse(request: HttpRequest, slug: str) -> HttpResponse:
    """Has the event moved since? The same for everybody; one indexed read, no session, no account."""
    if same := live.standing_still(request, slug, "pulse"):
        return same
    event = event_or_404(slug)
    if event.status == Event.Status.DRAFT:
        raise Http404
    tag = live.tag_of(event, "pulse")
    context = {"event": event, "pulse_holds": live.holds(tag), "poll": live.phone_seconds()}
    response = live.fresh(HttpResponse(render_to_string(PULSE, context)), tag)
    response.headers["HX-Trigger"] = "moved"
    return response


# -- reporting ---------------------------------------------------------------------------------------------------------
@require_POST
@limited("report", browser=30, shop=900)
def report(request: HttpRequest, slug: str) -> HttpResponse:
    """One query for who asks and where he sits, then the service. The form names its match, so that a report that was
    late on the way never lands on the next round."""
    seats = my_seats(request, slug)
    user = request.user if request.user.is_authenticated else None
    try:
        said = statement_of(request, seats)
        by = Actor(user=user, player=seats[0].registration.player)
        match = results.report(seats[0].match, seats[0].registration, said, by=by, request_key=key_of(request))
    except Refused as refusal:
        messages.error(request, words(refusal))
    else:
        messages.success(request, heard(match))
    return SeeOther(reverse("my_table", args=[slug]))


def my_seats(request: HttpRequest, slug: str) -> list[Seat]:
    """The seats of the match that the form names, mine first; a match that is not mine is a 404."""
    match = whole(request.POST.get("match", ""))
    rows = Seat.objects.select_related("match__event__store", "match__round", f"registration__{PERSON}")
    seats = [] if match is None else list(rows.filter(match=match, match__event__slug=slug))
    mine = next((seat for seat in seats if is_mine(request, seat.registration)), None)
    if mine is None or mine.match.event.status == Event.Status.DRAFT:
        raise Http404
    return [mine, *(seat for seat in seats if seat is not mine)]


def is_mine(request: HttpRequest, registration: Registration) -> bool:
    """By the account, that of the player a guest was merged into included, or by the guest's link opened here."""
    accounts = {registration.player.user_id, registration.person.user_id} - {None}
    if request.user.is_authenticated and request.user.pk in accounts:
        return True
    held = request.session.get(f"guest:{registration.event_id}", "")
    return bool(held) and held == registration.secret


def statement_of(request: HttpRequest, seats: list[Seat]) -> Statement:
    """`score` from my side: 1 x 2 in best of 1, 20 21 12 … in best of 3; `how` says how the winner won."""
    match = seats[0].match
    if match.is_pod:
        return results.parse_order(pod_order(request, match, seats), match.seat_list)
    score, how = request.POST.get("score", ""), request.POST.get("how", "")
    if not score:
        raise Refused(gettext("Choose the result before you send it."), code="score_missing", rule="1.2")
    if len(seats) < 2:
        raise Refused(gettext("You have no rival at this table."), code="no_table", rule="1.1")
    said = results.parse_score(score, seats[0].match.event.best_of, seats)
    if said.games and seats[0].position == 1:
        said = replace(said, games=(said.games[1], said.games[0], said.games[2]))
    return replace(said, how=how) if how and said.winner else said


def pod_order(request: HttpRequest, match: Match, seats: list[Seat]) -> str:
    """The order of finish, by seat: the table is the same for all who sit there."""
    match.seat_list = sorted(seats, key=lambda seat: seat.position)
    order = typed(match, request.POST)
    if not order:
        raise Refused(gettext("Choose the result before you send it."), code="score_missing", rule="2.4.5")
    return order


def key_of(request: HttpRequest) -> str | None:
    return request.POST.get("request_key", "")[:64] or None


def heard(match: Match) -> str:
    """Only what is true: agreed, different, or waiting for the other."""
    if match.state == Match.State.DONE:
        return gettext("Agreed: the result counts.")
    if match.is_pod and match.state == Match.State.CONFLICT:
        return gettext("At your table not everybody says the same. Call the organiser.")
    if match.is_pod:
        return gettext("Sent. Another player of the table has to say the same.")
    if match.state == Match.State.CONFLICT:
        return gettext("You two do not say the same. Call the organiser.")
    return gettext("Sent. Your rival only has to confirm it.")


# -- leaving -----------------------------------------------------------------------------------------------------------
@limited("report", browser=30, shop=900)
def self_drop(request: HttpRequest, slug: str) -> HttpResponse:
    """ "Me retiro": a page that says what it means, then one button. Staff see it and can take it back (CASES 34)."""
    event = public_event(request, slug)
    me = my_registration(request, event)
    if me is None:
        raise Http404
    me.event = event
    if me.last_round is not None or event.status in OVER:
        return SeeOther(reverse("my_table", args=[slug]))
    if request.method != "POST":
        return drop_page(request, event, me)
    user = request.user if request.user.is_authenticated else None
    try:
        registrations.drop(me, by=Actor(user=user, player=me.player))
    except Refused as refusal:
        messages.error(request, words(refusal))
    else:
        messages.success(request, gettext("You have dropped out. Thank you for playing."))
    return SeeOther(reverse("my_table", args=[slug]))


def drop_page(request: HttpRequest, event: Event, me: Registration) -> HttpResponse:
    now = night.night_of(event, me)
    game = now.current
    gives_away = game is not None and game.match.kind == Match.Kind.TABLE and game.match.state == Match.State.OPEN
    context = {"event": event, "me": me, "night": now, "game": game if gives_away else None}
    return show(request, event, "tournaments/public/drop.html", context)
