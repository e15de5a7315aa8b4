"""What the core answers: the odds of every contestant, with what they rest on. Plain values, cheap to import."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from tournaments.swiss.types import PlayerId
from tournaments.swiss.whatif.bounds import Bound
from tournaments.swiss.whatif.ground import NotYet, Result

__all__ = ["Chance", "Method", "NotYet", "Odds", "Outlook", "Result"]


class Method(StrEnum):
    """`settled`: nothing is open; `counted`: every way in which the tables can end; `simulated`: by lot."""

    SETTLED = "settled"
    COUNTED = "counted"
    SIMULATED = "simulated"


@dataclass(frozen=True, slots=True)
class Odds:
    """`certain` comes from the bound alone, and `share` is then 1 or 0. `share` None: it never happened in any run.

    `margin`: of a simulated share; 0 where everything was counted.
    """

    bound: Bound
    certain: bool | None
    share: Fraction | None
    margin: float = 0.0


@dataclass(frozen=True, slots=True)
class Chance:
    """One contestant. `rival`: at his open table; None with `results` present: his next match is not paired yet.

    `results` is empty for who has nothing left to play. `safe_with`: the fewest final points (as in the standings) with
    which he is in whatever happens; None when no number that he can reach is enough.
    """

    player: PlayerId
    points: Fraction
    rival: PlayerId | None
    overall: Odds
    results: Mapping[Result, Odds]
    safe_with: Fraction | None

    @property
    def draw(self) -> Odds | None:
        return self.results.get(Result.DRAW)


@dataclass(frozen=True, slots=True)
class Outlook:
    """`worlds`: ways counted, or runs. `chances` in the order of the standings. `scale`: of the points of bounds."""

    round: int
    last: int
    size: int
    open_tables: int
    method: Method
    worlds: int
    scale: int
    chances: tuple[Chance, ...]
