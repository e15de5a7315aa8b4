"""The cut as a picture: a column for each round, those to come with empty places (TOURNAMENT_RULES 7).

Single elimination is one drawing. Double elimination is two: the winners' side with the finals, and the losers' side,
where an open chair says whose loser comes to it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext

from tournaments import queries
from tournaments.cut import double
from tournaments.cut.brackets import advancing
from tournaments.cut.double import Side
from tournaments.models import Event, Match, Registration, Round
from tournaments.queries import Sheet
from tournaments.services import cut
from tournaments.web import frame, live, tables
from tournaments.web.access import event_or_404, is_staff, my_registration, public_event
from tournaments.web.live import Part

TEMPLATE = "tournaments/public/bracket.html"
DRAWING = "tournaments/public/bracket_drawing.html"


@dataclass(frozen=True, slots=True)
class Place:
    """One half of a tie; `name` "" is still open, `seed` None as long. `hint`: what to read in an open half."""

    name: str = ""
    code: str = ""
    seed: int | None = None
    won: bool = False
    lost: bool = False
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Tie:
    """`alone`: whoever is there has a bye; `empty`: nobody comes there, it only keeps the others in place."""

    places: tuple[Place, Place]
    table: int | None = None
    alone: bool = False
    empty: bool = False

    @property
    def open(self) -> bool:
        return not any(place.won for place in self.places)


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    ties: list[Tie]


@dataclass(frozen=True, slots=True)
class Drawing:
    """One bracket; `title` "" when it is the only one."""

    title: str
    columns: list[Column]


# -- the page ----------------------------------------------------------------------------------------------------------
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """The whole cut on one page, which moves on by itself. At most 12 queries."""
    part = live.part_wanted(request, "cuadro")
    if part and (same := live.standing_still(request, slug, request.get_full_path())):
        return same
    event = event_or_404(slug) if part else public_event(request, slug)
    if event.status == Event.Status.DRAFT and part:
        raise Http404
    tag = live.tag_of(event, request.get_full_path())
    if part:
        return live.answer(tag, part, lambda: build(request, event))
    drawn = live.anonymous(tag, "cuadro", lambda: build(request, event))
    me = my_registration(request, event)
    context = {"event": event, "me": me, "staff": is_staff(request, event), "steps": drawn.extra["steps"]}
    context |= {"html": drawn.marked_for(me.person.code if me else ""), "wall": "pantalla" in request.GET}
    with timezone.override(event.store.zone):
        return live.fresh(render(request, TEMPLATE, context))


def build(request: HttpRequest, event: Event) -> Part:
    sheet = queries.sheet(event)
    path = request.get_full_path()
    context = {
        "event": event,
        "drawings": drawings(sheet),
        "title": title_of(sheet),
        "path": path,
        "poll": live.POLL_SECONDS,
    }
    context |= {"holds": live.holds(live.tag_of(event, path)), "wall": "pantalla" in request.GET}
    context["champion"] = champion(sheet)
    with timezone.override(event.store.zone):
        html = render_to_string(f"{TEMPLATE}#cuadro", context)
    return Part(html, {"steps": frame.steps(event, sheet.published_rounds, len(sheet.active))})


def title_of(sheet: Sheet) -> str:
    rounds = published(sheet)
    return frame.round_name(sheet.event, sheet.rounds, rounds[-1]) if rounds else ""


def champion(sheet: Sheet) -> str:
    """Who has won the cut; "" while it is played."""
    return cut.final_places(sheet)[0][1].person.shown if cut.over(sheet) else ""


# -- the drawings ------------------------------------------------------------------------------------------------------
def published(sheet: Sheet) -> list[Round]:
    return [round for round in sheet.published_rounds if round.kind == Round.Kind.CUT]


def drawings(sheet: Sheet) -> list[Drawing]:
    """The published rounds of the cut, then those that follow from them; nothing before the cut."""
    rounds = published(sheet)
    if not rounds:
        return []
    if cut.is_double(sheet):
        return double_drawings(sheet, rounds)
    return [Drawing("", single_columns(sheet, rounds))]


def single_columns(sheet: Sheet, rounds: Sequence[Round]) -> list[Column]:
    seeds = seeds_of(sheet, rounds[0])
    found = [Column(frame.round_name(sheet.event, sheet.rounds, r), ties_of(sheet, r, seeds)) for r in rounds]
    hints = {match.slot: coming(sheet, len(rounds), match) for match in sheet.matches(rounds[-1])}
    chairs = [Place(hint=hints.get(slot, "")) for slot in range(cut.width(sheet, len(rounds)))]
    while len(chairs) > 1:
        ties = [Tie(pair) for pair in zip(chairs[::2], chairs[1::2], strict=False)]
        found.append(Column(frame.cut_round_name(2 * len(ties)), ties))
        chairs = [Place()] * len(ties)
    return found


def coming(sheet: Sheet, number: int, match: Match, *, won: bool = True) -> str:
    """The name of who comes out of a decided match of the cut's round, or falls out of it, and is still there (7.4)."""
    if match.state != Match.State.DONE:
        return ""
    seen, gone = cut.cut_match(sheet, number, match.slot or 0, match), cut.dropped(sheet)
    key = advancing(seen, gone) if won else double.falling(seen, gone)
    return sheet.by_key[key].person.shown if key else ""


def ties_of(sheet: Sheet, round: Round, seeds: Mapping[int, int]) -> list[Tie]:
    return [tie_of(match, seeds) for match in sheet.matches(round)]


def tie_of(match: Match, seeds: Mapping[int, int]) -> Tie:
    places = [place(match, seat.registration, seeds) for seat in match.seat_list]
    alone = match.kind == Match.Kind.BYE
    other = places[1] if len(places) > 1 else Place(hint=gettext("bye"))
    return Tie((places[0], other), match.table, alone=alone)


def place(match: Match, registration: Registration, seeds: Mapping[int, int]) -> Place:
    done = match.state == Match.State.DONE
    won = done and (match.winner_id == registration.player_id or match.kind == Match.Kind.BYE)
    player = registration.person
    return Place(player.shown, player.code, seeds.get(registration.pk), won, done and not won)


def seeds_of(sheet: Sheet, first: Round) -> dict[int, int]:
    """Registration id to seed, as the cut began (rule 7.1): a later revision of the standings renumbers nobody.

    An imported cut stored none: there the published places of those who are in it.
    """
    if stored := tables.seeds_of(sheet, first):
        return stored
    inside = {seat.registration_id for match in sheet.matches(first) for seat in match.seat_list}
    order = [sheet.by_key[row.player].pk for row in queries.published_standings(sheet)]
    return {pk: seed for seed, pk in enumerate((pk for pk in order if pk in inside), 1)}


# -- double elimination ------------------------------------------------------------------------------------------------
def double_drawings(sheet: Sheet, rounds: Sequence[Round]) -> list[Drawing]:
    board = _Double(sheet, rounds)
    winners = [*board.columns(Side.WINNERS), *board.columns(Side.FINAL)]
    losers = board.columns(Side.LOSERS)
    found = [Drawing(gettext("Winners' bracket"), winners), Drawing(gettext("Losers' bracket"), losers)]
    return [drawing for drawing in found if drawing.columns]


class _Double:
    """A double elimination as far as it is published, by the ties of its layout."""

    def __init__(self, sheet: Sheet, rounds: Sequence[Round]) -> None:
        self.sheet, self.places = sheet, cut.places(sheet)
        self.layout = double.layout(self.places)
        self.played = len(rounds)
        self.seeds = seeds_of(sheet, rounds[0])
        self.matches = {(n, match.slot): match for n, row in enumerate(rounds, 1) for match in sheet.matches(row)}

    def columns(self, side: Side) -> list[Column]:
        stages: dict[int, list[double.Tie]] = {}
        for ties in self.layout[: max(self.played, len(self.layout) - 1)]:
            for tie in ties:
                if tie.side == side:
                    stages.setdefault(tie.stage, []).append(tie)
        return [Column(self.name(side, stage), [self.tie(tie) for tie in ties]) for stage, ties in stages.items()]

    def name(self, side: Side, stage: int) -> str:
        rounds = self.places.bit_length() - 1
        if side == Side.FINAL:
            return frame.final_name(stage)
        if side == Side.WINNERS:
            last = stage == rounds
            return gettext("Winners' final") if last else frame.cut_round_name(self.places >> (stage - 1))
        return gettext("Losers' final") if stage == 2 * rounds - 2 else gettext("Round %(n)s") % {"n": stage}

    def tie(self, tie: double.Tie) -> Tie:
        match = self.matches.get((tie.round, tie.slot))
        if match is not None:
            return tie_of(match, self.seeds)
        if tie.round <= self.played:
            return Tie((Place(), Place()), empty=True)
        a, b = (Place(hint=self.hint(feed)) for feed in tie.feeds or ())
        return Tie((a, b))

    def hint(self, feed: double.Feed) -> str:
        """Who comes to a chair: by name once the match is decided, before that whose loser, once two sit there."""
        match = self.matches.get((feed.round, feed.slot))
        if match is None:
            return ""
        if feed.won or match.state == Match.State.DONE:
            return coming(self.sheet, feed.round, match, won=feed.won)
        names = [seat.registration.person.shown for seat in match.seat_list]
        return gettext("loser of %(a)s – %(b)s") % {"a": names[0], "b": names[1]} if len(names) == 2 else ""
