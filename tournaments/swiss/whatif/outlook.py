"""The chance of each player to reach the cut, and whether he can draw in, with the reason."""

from collections.abc import Iterator
from fractions import Fraction
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from tournaments.swiss.types import PlayerId, Tournament
from tournaments.swiss.whatif.answer import Chance, Method, Odds, Outlook
from tournaments.swiss.whatif.bounds import Bounds
from tournaments.swiss.whatif.ground import Ground, Result, ground_of
from tournaments.swiss.whatif.seats import Judge
from tournaments.swiss.whatif.worlds import Worlds, counted, drawn, ways

RUNS = 10_000
SLOW_RUNS = 1_500
"""Of a simulation; fewer for presets whose numbers are worked out world by world."""
COUNTED = 20_000
SLOW_COUNTED = 2_200
"""Up to so many ways everything is counted: nine open tables in best of 1, six in best of 3; else seven and four."""
SURE_WITH = 1.96
"""Standard deviations of the margin: 19 of 20 simulations come nearer to the truth."""
RESULTS = tuple(Result)


def outlook(tournament: Tournament, last: int, size: int, runs: int | None = None) -> Outlook:
    """Of an event of `last` Swiss rounds with a cut of `size`, as results stand; NotYet when there is nothing to do.

    The same event gives the same numbers on every machine. Fewer ways than COUNTED are counted, else `runs` simulated.
    """
    ground = ground_of(tournament, last, size)
    bounds = Bounds(ground)
    certain = {player: bounds.of(player) for player in ground.contestants}
    if not ground.tables and not ground.another:
        return settled(ground, bounds)
    open = tuple(player for player, bound in certain.items() if bound.certain(size) is None)
    taken = sum(bound.certain(size) is True for bound in certain.values())
    judge = Judge(ground, open, size - taken)
    method, worlds = method_of(ground, judge.quick, runs)
    counts = Counts(ground, judge)
    if open:
        for some in counted(ground, judge.column) if method is Method.COUNTED else drawn(ground, judge.column, worlds):
            counts.add(some)
    chances = tuple(chance(ground, bounds, counts, method, player) for player in ground.contestants)
    return Outlook(ground.round, ground.last, size, len(ground.tables), method, worlds, ground.scale, chances)


def method_of(ground: Ground, quick: bool, runs: int | None) -> tuple[Method, int]:
    """How, and how many worlds."""
    if not ground.another and runs is None and ways(ground) <= (COUNTED if quick else SLOW_COUNTED):
        return Method.COUNTED, ways(ground)
    return Method.SIMULATED, runs or (RUNS if quick else SLOW_RUNS)


def settled(ground: Ground, bounds: Bounds) -> Outlook:
    """Everything is in: the first places of the standings, tie-breaks and stored draw included."""
    chances = []
    for place, player in enumerate(ground.contestants, 1):
        inside = place <= ground.size
        odds = Odds(bounds.of(player), inside, Fraction(int(inside)))
        points = Fraction(ground.score[player], ground.scale)
        chances.append(Chance(player, points, None, odds, {}, points if inside else None))
    return Outlook(ground.round, ground.last, ground.size, 0, Method.SETTLED, 1, ground.scale, tuple(chances))


class Counts:
    """How often each open player was in the cut: in all, and by the result of his next match."""

    def __init__(self, ground: Ground, judge: Judge) -> None:
        self.ground, self.judge = ground, judge
        self.index = {player: index for index, player in enumerate(judge.open)}
        self.total = 0
        self.inside = np.zeros(len(judge.open), dtype=np.int64)
        self.seen = np.zeros((len(RESULTS), len(judge.open)), dtype=np.int64)
        self.seen_inside = np.zeros_like(self.seen)
        by_code = [RESULTS.index(score.result) for score in ground.scores]
        self.result_of = np.array([*by_code, -1, -1])
        seated = {player for table in ground.tables for player in table}
        self.now = np.array([player in seated for player in judge.open], dtype=bool)

    def add(self, worlds: Worlds) -> None:
        inside, weights = self.judge.inside(worlds), worlds.weights
        self.total += int(weights.sum())
        self.inside += weights @ inside
        results = self.results(worlds)
        for number in range(len(RESULTS)):
            had = results == number
            self.seen[number] += weights @ had
            self.seen_inside[number] += weights @ (had & inside)

    def results(self, worlds: Worlds) -> NDArray[np.int64]:
        """`[world, open player]`: of his open table, else of the round to come."""
        first, last = worlds.steps[0], worlds.steps[-1]
        codes = np.where(self.now, first.codes[:, self.judge.columns], last.codes[:, self.judge.columns])
        return self.result_of[codes]

    def share(self, player: PlayerId, result: Result | None) -> tuple[Fraction | None, int]:
        """How often he is in, and of how much weight that is."""
        index = self.index[player]
        if result is None:
            return Fraction(int(self.inside[index]), self.total), self.total
        number = RESULTS.index(result)
        seen = int(self.seen[number, index])
        return (Fraction(int(self.seen_inside[number, index]), seen) if seen else None), seen


def chance(ground: Ground, bounds: Bounds, counts: Counts, method: Method, player: PlayerId) -> Chance:
    table = ground.table_of(player)
    plays = table is not None or (ground.another and player not in ground.tournament.assigned_byes)
    results = {result: odds(bounds, counts, method, player, result) for result in RESULTS if plays}
    safe = next(safe_totals(ground, bounds, player), None)
    return Chance(
        player=player,
        points=Fraction(ground.score[player], ground.scale),
        rival=None if table is None else next(one for one in table if one != player),
        overall=odds(bounds, counts, method, player, None),
        results=results,
        safe_with=None if safe is None else Fraction(safe, ground.scale),
    )


def safe_totals(ground: Ground, bounds: Bounds, player: PlayerId) -> Iterator[int]:
    return (total for total in bounds.totals(player) if bounds.with_total(player, total).certain(ground.size))


def odds(bounds: Bounds, counts: Counts, method: Method, player: PlayerId, result: Result | None) -> Odds:
    """A bound that is certain outranks what was counted; nothing else is ever called certain."""
    bound = bounds.of(player, result)
    certain = bound.certain(bounds.ground.size)
    if certain is not None:
        return Odds(bound, certain, Fraction(int(certain)))
    share, seen = counts.share(player, result)
    return Odds(bound, None, share, margin(share, seen) if method is Method.SIMULATED and share is not None else 0.0)


def margin(share: Fraction, runs: int) -> float:
    """Of a share of that many runs, two of each kind added, so that 0 and 1 have one too (Agresti and Coull)."""
    near = float(share * runs + 2) / (runs + 4)
    return SURE_WITH * sqrt(near * (1 - near) / (runs + 4))
