"""Why a round is as it is (TOURNAMENT_RULES 4.3): its criteria, what had to yield, and each player's opponent or bye.

One page for everybody; a draft's is for its staff (4.5). A player's phone fetches its own part once. What is the same
for everybody is built once for all who ask within seconds.
"""

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string

from tournaments import queries
from tournaments.models import Event, Match, Round
from tournaments.queries import Sheet
from tournaments.sentences import reasons as sentences
from tournaments.sentences.reasons import Remark
from tournaments.services import reasons
from tournaments.swiss.notes import Note
from tournaments.web import frame, live
from tournaments.web.access import is_staff, my_registration, public_event
from tournaments.web.live import Part
from tournaments.web.my_table import show
from tournaments.web.naming import label, tags

TEMPLATE = "tournaments/public/why.html"
LIST = "tournaments/public/why_list.html"


@dataclass(frozen=True, slots=True)
class Side:
    label: str
    code: str
    why: list[Remark]


@dataclass(frozen=True, slots=True)
class Seated:
    """A table, or somebody alone; `why` holds for all who sit there, each side's for itself."""

    table: int | None
    bye: bool
    sides: list[Side]
    why: list[Remark]

    @property
    def codes(self) -> str:
        return " ".join(side.code for side in self.sides)


def why(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """At most 12 queries."""
    event = public_event(request, slug)
    staff = is_staff(request, event)
    round = event.rounds.filter(number=number).defer("input").first()
    if round is None or (round.status == Round.Status.DRAFT and not staff):
        raise Http404
    part = live.part_wanted(request, "por-que")
    found = live.anonymous(live.tag_of(event, "why", number), "why", lambda: build(event, number))
    me = my_registration(request, event)
    code = me.person.code if me else ""
    context = {"event": event, "me": me, "staff": staff, "round": round, "html": found.marked_for(code)}
    context |= {"mine": found.extra["why"].get(code, []), "round_name": found.extra["round_name"]}
    context["resting"] = code in found.extra["resting"]
    return live.fresh(show(request, event, f"{TEMPLATE}#por_que" if part else TEMPLATE, context))


def build(event: Event, number: int) -> Part:
    """The list for everybody, and each one's own reasons."""
    sheet = queries.sheet(event)
    round = sheet.round(number)
    if round is None:
        raise Http404
    found = reasons.reasons_of(sheet, round)
    context = explained(round, shown_names(sheet)) | {
        "event": event,
        "round": round,
        "round_name": frame.round_name(event, sheet.rounds, round),
        "tables": tables_of(sheet, round, found),
    }
    own = {sheet.by_key[key].person.code: words_of(sheet, round, notes) for key, notes in found.items()}
    resting = {code for table in context["tables"] if table.bye for code in table.codes.split()}
    return Part(render_to_string(LIST, context), {"why": own, "round_name": context["round_name"], "resting": resting})


def explained(round: Round, names: dict[str, str]) -> dict[str, Any]:
    """What the round as a whole has to say: what had to yield, what is worth knowing, its criteria."""
    proven = reasons.proven(round)
    remarks = [sentences.remark(note, lambda key: names.get(key, key), proven=proven) for note in round.notes]
    return {
        "remarks": [each for each in remarks if each.tone],
        "because": [each for each in remarks if not each.tone],
        "measures": sentences.measures(round.criteria) if round.kind == Round.Kind.SWISS else [],
    }


def shown_names(sheet: Sheet) -> dict[str, str]:
    return {key: row.person.shown for key, row in sheet.by_key.items()}


def words_of(sheet: Sheet, round: Round, notes: list[Note]) -> list[Remark]:
    def name(key: str) -> str:
        return sheet.by_key[key].person.shown

    return sentences.remarks(notes, name, proven=reasons.proven(round))


def tables_of(sheet: Sheet, round: Round, found: dict[Any, list[Note]]) -> list[Seated]:
    tagged = tags(sheet.entrants)
    tables = []
    for match in sheet.matches(round):
        words = [words_of(sheet, round, found[sheet.key_of[seat.registration_id]]) for seat in match.seat_list]
        common = [each for each in words[0] if all(each in other for other in words)]
        sides = [
            Side(
                label=label(seat.registration, tagged),
                code=seat.registration.person.code,
                why=[each for each in own if each not in common],
            )
            for seat, own in zip(match.seat_list, words, strict=True)
        ]
        tables.append(Seated(match.table, match.kind == Match.Kind.BYE, sides, common))
    return tables
