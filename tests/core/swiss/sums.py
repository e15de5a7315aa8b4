"""What the terms of a line add up to, worked out from their own words (2.6)."""

from fractions import Fraction

from tournaments.swiss.lines import Line, Term, Value
from tournaments.swiss.types import Switches


def total(line: Line, switches: Switches) -> Value:
    if line.value is None:
        return None
    if line.how == "sum":
        assert all(term.value == 0 for term in line.terms if term.limit == "cut")
        return sum(term.value for term in line.terms)
    floor = line.floor if line.floor is not None else switches.floor
    if line.how == "ratio":
        rounds = sum(term.rounds for term in line.terms)
        share = Fraction(sum(term.points for term in line.terms), line.unit * rounds) if rounds else switches.floor
        return share if line.floor is None else max(share, line.floor)
    for term in line.terms:
        _check(line, term, floor)
    nobody = floor if switches.no_opponents == "floor" else Fraction(0)
    return sum((term.value for term in line.terms), Fraction(0)) / len(line.terms) if line.terms else nobody


def _check(line: Line, term: Term, floor: Fraction) -> None:
    """A term of a mean is points over unit x rounds, unless it says why it is not."""
    share = Fraction(term.points) / (line.unit * term.rounds) if term.rounds else Fraction(0)
    if term.limit == "floor":
        assert share < floor == term.value
    elif term.limit == "cap":
        assert share > term.value
    else:
        assert share == term.value
