""" "Cómo se calcula": every tie-break of one player as a sum with names (TOURNAMENT_RULES 2.6)."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from players.templatetags.look import ordinal
from players.templatetags.look import pct_filter as percent
from tournaments.models import Event, Registration
from tournaments.queries import Sheet
from tournaments.standings_words import title_of
from tournaments.swiss.lines import Number
from tournaments.swiss.pods.scoring import finish
from tournaments.swiss.presets import PRESETS
from tournaments.swiss.standings import Line, Standing, Term, Value, explain
from tournaments.swiss.tiebreaks.points import CTB_WEIGHT
from tournaments.swiss.tiebreaks.resistance import CAP
from tournaments.swiss.types import Outcome, PlayerId, Pod

SHARES = frozenset({"omw", "gw", "ogw", "owp", "oowp", "tablemates"})
TABLEMATES_TOTAL = _("Average of the tablemates")
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
    None: _("no result yet"),
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
    notes: list[str]


def shown(key: str, value: Value) -> str:
    """A tie-break as it stands in a column: shares as percentages, CTB with four decimals, sums as they are."""
    if value is None or key in SHARES:
        return percent(value)
    if key == "goal_difference":
        return f"{int(value):+d}".replace("-", "−") if value else "0"
    return plain(value, 4 if key == "ctb" else 1)


def plain(value: Number, decimals: int = 1) -> str:
    """A whole number as it is, else with that many decimals: halves are "4,5" in Spanish."""
    fraction = Fraction(value)
    if fraction.denominator == 1:
        return str(fraction.numerator)
    return number_format(float(round(fraction, decimals)), decimals)


def first(event: Event, standing: Standing) -> str:
    """The number that decides first, as it stands beside a name where there is room for one."""
    return shown(PRESETS[event.preset].keys[0], standing.values[0])


def first_words(event: Event, standing: Standing) -> str:
    """The same in words: "7 points", "3 wins"."""
    number = int(standing.values[0] or 0)
    if PRESETS[event.preset].keys[0] == "wins":
        return ngettext("%(n)s win", "%(n)s wins", number) % {"n": number}
    return ngettext("%(n)s point", "%(n)s points", number) % {"n": number}


def sums(sheet: Sheet, registration: Registration, after: int | None) -> list[Sum]:
    """One sum a tie-break, in the order in which they decide; nothing for whoever does not stand in the standings."""
    try:
        found = explain(sheet.tournament, PlayerId(registration.key), after)
    except KeyError:
        return []
    tables = tables_of(sheet, found.player)
    return [sum_of(sheet, line, tables) for line in found.lines if line.value is not None]


def tables_of(sheet: Sheet, player: PlayerId) -> dict[int, str]:
    """How somebody finished at his tables of several, by round: "2.º de 4 en la mesa"."""
    return {
        pod.round: place_words(pod, player) for pod in sheet.tournament.pods if pod.played and player in pod.players
    }


def place_words(pod: Pod, player: PlayerId) -> str:
    at, places = pod.players.index(player), pod.places or ()
    if places[at] is None:
        return gettext("did not play")
    values = {"place": ordinal(finish(places)[at]), "players": len(places)}
    return gettext("%(place)s of %(players)s at the table") % values


def sum_of(sheet: Sheet, line: Line, tables: Mapping[int, str]) -> Sum:
    return Sum(
        key=line.key,
        title=title_of(line.key),
        addends=list(addends(sheet, line, tables)),
        total_label=TABLEMATES_TOTAL if line.key == "tablemates" else TOTALS[line.how],
        total=shown(line.key, line.value),
        notes=list(notes(line)),
    )


def notes(line: Line) -> Iterator[str]:
    """What holds for every term of the sum, in a sentence."""
    if line.floor and line.key in SHARES:
        yield gettext("Nobody counts for less than %(floor)s.") % {"floor": percent(line.floor)}
    if line.key == "owp":
        yield gettext("A rival who dropped counts for at most %(cap)s.") % {"cap": percent(CAP)}
    if line.key == "ctb":
        yield gettext("After each round: what there was, divided by %(weight)s, plus the wins so far.") % {
            "weight": CTB_WEIGHT
        }
    if line.key == "median_buchholz":
        yield gettext("The lowest and the highest rival do not count.")


def addends(sheet: Sheet, line: Line, tables: Mapping[int, str]) -> Iterator[Addend]:
    for term in line.terms:
        if term.opponent is None and term.round in tables:
            round = gettext("Round %(round)s") % {"round": term.round}
            yield Addend(who=round, detail=tables[term.round], value=value_of(line, term))
            continue
        yield Addend(who=who(sheet, line, term), detail=DETAILS[line.key](line, term), value=value_of(line, term))


def who(sheet: Sheet, line: Line, term: Term) -> str:
    if line.key == "ctb":
        return gettext("Round %(round)s") % {"round": term.round}
    return sheet.by_key[term.opponent].person.shown if term.opponent else str(RESULTS[term.outcome]).capitalize()


def value_of(line: Line, term: Term) -> str:
    if line.how == "ratio":
        return f"{term.points}/{line.unit * term.rounds}"
    if line.key == "ctb":
        return f"{term.points}/{CTB_WEIGHT**term.rounds}" if term.rounds else str(term.points)
    return "–" if term.limit == "cut" else shown(line.key, term.value)


# -- what a term rests on ----------------------------------------------------------------------------------------------
def round_and_result(line: Line, term: Term) -> str:
    """ "round 2, won" """
    return gettext("round %(round)s, %(result)s") % {"round": term.round, "result": RESULTS[term.outcome]}


def of_points(line: Line, term: Term) -> str:
    """ "7 of 9 points" """
    whole = line.unit * term.rounds
    words = ngettext("%(points)s of %(whole)s point", "%(points)s of %(whole)s points", whole)
    return words % {"points": term.points, "whole": whole}


def of_game_points(line: Line, term: Term) -> str:
    return gettext("%(points)s of %(whole)s game points") % {"points": term.points, "whole": line.unit * term.rounds}


def of_matches(line: Line, term: Term) -> str:
    """ "2,5 of 4 matches" """
    words = ngettext("%(won)s of %(rounds)s match", "%(won)s of %(rounds)s matches", term.rounds)
    return words % {"won": plain(term.points), "rounds": term.rounds}


def of_rivals(line: Line, term: Term) -> str:
    words = ngettext("average of %(count)s rival", "average of %(count)s rivals", term.rounds)
    return words % {"count": term.rounds}


def wins_so_far(line: Line, term: Term) -> str:
    return ngettext("%(count)s win so far", "%(count)s wins so far", int(term.points)) % {"count": term.points}


def rival_points(line: Line, term: Term) -> str:
    """ "6 points", and of what they are made where that is no plain sum of results."""
    if term.opponent is None:
        own = gettext("as many points as one's own, at most a draw a round")
        return gettext("round %(round)s, %(result)s") % {"round": term.round, "result": own}
    points = ngettext("%(n)s point", "%(n)s points", int(term.points)) % {"n": term.points}
    if not term.rounds:
        return points
    missed = ngettext("a draw for %(count)s round missed", "a draw for each of %(count)s rounds missed", term.rounds)
    return f"{points}, {missed % {'count': term.rounds}}"


def result_and_points(line: Line, term: Term) -> str:
    return f"{RESULTS[term.outcome]}, {rival_points(line, term)}"


def goals(line: Line, term: Term) -> str:
    """ "round 2, 3–1" """
    return gettext("round %(round)s, %(result)s") % {"round": term.round, "result": f"{term.points}–{term.rounds}"}


DETAILS: dict[str, Callable[[Line, Term], str]] = {
    "points": round_and_result,
    "wins": round_and_result,
    "head_to_head": round_and_result,
    "omw": of_points,
    "gw": of_game_points,
    "ogw": of_game_points,
    "owp": of_matches,
    "oowp": of_rivals,
    "ctb": wins_so_far,
    "buchholz": rival_points,
    "median_buchholz": rival_points,
    "sonneborn_berger": result_and_points,
    "goal_difference": goals,
    "goals_for": goals,
    "firsts": round_and_result,
    "tablemates": of_points,
    "left_behind": round_and_result,
}
