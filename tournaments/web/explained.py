""" "Cómo se calcula": every tie-break of one player as a sum with names (TOURNAMENT_RULES 2.6)."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from players.templatetags.look import pct_filter as percent
from tournaments.models import Registration
from tournaments.queries import Sheet
from tournaments.swiss.standings import Line, Term, Value, explain
from tournaments.swiss.types import Outcome, PlayerId

SHARES = frozenset({"omw", "gw", "ogw", "owp", "oowp"})
LABELS = {
    "points": _("Points"),
    "omw": _("Rivals' points %"),
    "gw": _("Games won %"),
    "ogw": _("Rivals' games %"),
    "owp": _("Rivals' wins %"),
    "oowp": _("Wins of rivals' rivals %"),
    "wins": _("Wins"),
    "mw": _("Wins"),
    "buchholz": _("Buchholz"),
    "median_buchholz": _("Median Buchholz"),
    "sonneborn_berger": _("Sonneborn-Berger"),
    "goal_difference": _("Goal difference"),
    "goals_for": pgettext_lazy("tie-break", "Goals scored"),
    "ctb": _("Cumulative"),
    "head_to_head": _("Between them"),
}
HEADS = {"omw": _("Rivals %"), "gw": _("Games %"), "ogw": _("Rivals' games %")}
TOTALS = {"sum": _("In all"), "mean": _("Average of the rivals"), "ratio": _("Of all games")}
RESULTS = {
    Outcome.WIN: _("won"),
    Outcome.LOSS: _("lost"),
    Outcome.DRAW: _("drew"),
    Outcome.INTENTIONAL_DRAW: _("agreed a draw"),
    Outcome.DOUBLE_LOSS: _("both lost"),
    Outcome.BYE: _("bye"),
    Outcome.FORFEIT: _("won by no-show"),
    Outcome.UNPAIRED_LOSS: _("not seated, counts as lost"),
    Outcome.NOT_PLAYED: _("not played"),
}


@dataclass(frozen=True, slots=True)
class Addend:
    who: str
    detail: str
    value: str


@dataclass(frozen=True, slots=True)
class Sum:
    key: str
    title: Any
    addends: list[Addend]
    total_label: Any
    total: str
    floor: str


def title_of(key: str) -> str:
    return str(LABELS.get(key, key))


def head_of(key: str) -> str:
    """The short title over a column."""
    return str(HEADS.get(key) or title_of(key))


def shown(key: str, value: Value) -> str:
    """A tie-break as it stands in a column: shares as percentages, halves and sums as they are."""
    if key in SHARES or value is None:
        return percent(value)
    return str(value) if Fraction(value).denominator == 1 else percent(Fraction(value) / 100)


def sums(sheet: Sheet, registration: Registration, after: int | None) -> list[Sum]:
    """One sum a tie-break, in the order in which they decide; nothing for whoever does not stand in the standings."""
    try:
        found = explain(sheet.tournament, PlayerId(registration.key), after)
    except KeyError:
        return []
    return [sum_of(sheet, line) for line in found.lines if line.value is not None]


def sum_of(sheet: Sheet, line: Line) -> Sum:
    return Sum(
        key=line.key,
        title=title_of(line.key),
        addends=list(addends(sheet, line)),
        total_label=TOTALS[line.how],
        total=shown(line.key, line.value),
        floor=percent(line.floor) if line.floor and line.key in SHARES else "",
    )


def addends(sheet: Sheet, line: Line) -> Iterator[Addend]:
    for term in line.terms:
        rival = sheet.by_key[term.opponent].person.shown if term.opponent else str(RESULTS[term.outcome]).capitalize()
        yield Addend(who=rival, detail=detail(line, term), value=value_of(line, term))


def detail(line: Line, term: Term) -> str:
    """What the term rests on: "7 of 9 points", "round 2, won"."""
    if line.how == "sum":
        return gettext("round %(round)s, %(result)s") % {"round": term.round, "result": RESULTS[term.outcome]}
    whole = {"points": term.points, "whole": line.unit * term.rounds}
    if line.key == "omw":
        return ngettext("%(points)s of %(whole)s point", "%(points)s of %(whole)s points", whole["whole"]) % whole
    return gettext("%(points)s of %(whole)s game points") % whole


def value_of(line: Line, term: Term) -> str:
    if line.how == "ratio":
        return f"{term.points}/{line.unit * term.rounds}"
    return shown(line.key, term.value)
