"""What a tie-break says of one player: a value and the terms that add up to it (TOURNAMENT_RULES 2.6).

`tiebreaks/` computes them from the ledger, `presets.py` puts them in order.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import Literal, NamedTuple

from tournaments.swiss.ledger import Entry, Ledger
from tournaments.swiss.types import Outcome, PlayerId

Number = int | Fraction
Value = Number | None
"""None: unknown, and the key then leaves the order (2.2)."""

How = Literal["sum", "mean", "ratio"]

Limit = Literal["", "floor", "cap", "cut"]
"""Why `value` is not what the numbers give: raised to the floor, lowered to the cap, or cut as an extreme (then 0)."""


class Share(NamedTuple):
    """What one round adds: in a mean `points` over `unit` x `rounds`, unless `limit`; in a sum the value alone."""

    points: Number
    rounds: int
    value: Number
    limit: Limit = ""


class Term(NamedTuple):
    """One addend with the round it comes from. `opponent` None: he met nobody that round; `outcome` None: still open.

    What `points` and `rounds` count is the tie-break's: an opponent's match points and rounds for OMW%, the game
    points and games of the round for GW%, wins so far for CTB (see the function of that key in `tiebreaks/`).
    """

    round: int
    opponent: PlayerId | None
    outcome: Outcome | None
    points: Number
    rounds: int
    value: Number
    limit: Limit


class Line(NamedTuple):
    """One tie-break of one player.

    sum: the terms' values added; mean: their average; ratio: their points over `unit` x their rounds, raised to
    `floor`. A mean without a term is what the switch `no_opponents` says. Terms are made when asked for: standings of
    thousands need the values alone.
    """

    key: str
    value: Value
    how: How
    entries: Sequence[Entry] = ()
    shares: Sequence[Share] = ()
    floor: Fraction | None = None
    unit: int = 1

    @property
    def terms(self) -> tuple[Term, ...]:
        pairs = zip(self.entries, self.shares, strict=True)
        return tuple(Term(entry.round, entry.opponent, entry.outcome, *share) for entry, share in pairs)


TieBreak = Callable[[Ledger, PlayerId], Line]

GroupBreak = Callable[[Ledger, Sequence[PlayerId]], dict[PlayerId, Line]]
"""A criterion among players who are level in everything before it."""

Measure = Callable[[Ledger, PlayerId, int], Share]
"""What somebody is worth to his opponents, from the rounds up to one."""


class Table(dict[PlayerId, Share]):
    """A measure of everybody up to round `end`, each worked out when first asked for: his opponents all ask."""

    def __init__(self, measure: Measure, ledger: Ledger, end: int) -> None:
        super().__init__()
        self.measure, self.ledger, self.end = measure, ledger, end

    def __missing__(self, player: PlayerId) -> Share:
        share = self[player] = self.measure(self.ledger, player, self.end)
        return share


def table(ledger: Ledger, measure: Measure, end: int) -> Table:
    """The ledger's one table of that measure and round."""
    key = (measure, end)
    if key not in ledger.memo:
        ledger.memo[key] = Table(measure, ledger, end)
    found: Table = ledger.memo[key]
    return found


def sum_line(key: str, entries: Sequence[Entry], shares: Sequence[Share]) -> Line:
    return Line(key, sum([share.value for share in shares]), "sum", entries, shares)


def mean(values: Iterable[Number]) -> Fraction:
    """Exact average over one common denominator (a chain of Fraction additions costs four times as much)."""
    ratios = [number.as_integer_ratio() for number in values]
    common = lcm(*[under for _, under in ratios])
    return Fraction(sum([over * (common // under) for over, under in ratios]), common * len(ratios))


def mean_of_opponents(ledger: Ledger, player: PlayerId, key: str, measure: Measure, floor: Fraction, unit: int) -> Line:
    """Over the opponents actually faced (2.2); who faced nobody has the floor, or 0 (switch `no_opponents`)."""
    end = ledger.end_of(player)
    entries = ledger.opponents(player, end)
    worth = table(ledger, measure, end)
    shares = [worth[entry.opponent] for entry in entries if entry.opponent is not None]
    nobody = floor if ledger.tournament.rules.switches.no_opponents == "floor" else Fraction(0)
    value = mean([share.value for share in shares]) if shares else nobody
    return Line(key, value, "mean", entries, shares, floor, unit)
