"""What is certain, by counting points alone: no tie-break, no chance, no model of results.

Two at one table cannot both win, so each table is looked at as a whole: how many of its two players can end with so
many points at most, and must at least. The sums over the tables are exact for a last round; with a round still to be
paired everybody may gain or lose in it whatever the others do, which leaves the sums safe on both sides.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from tournaments.swiss.types import PlayerId
from tournaments.swiss.whatif.ground import Ground, Result

Pair = tuple[PlayerId, PlayerId]


@dataclass(frozen=True, slots=True)
class Bound:
    """What must and what can happen to one player with his final points between `low` and `high` (as `Ground.score`).

    `at_least`: so many others end above him whatever happens: `above` for certain, and one at each table of `either`.
    `at_most`: no more can reach him or pass him; `could` are all who might, though perhaps not all at once.
    """

    low: int
    high: int
    at_least: int
    at_most: int
    above: tuple[PlayerId, ...]
    either: tuple[Pair, ...]
    could: tuple[PlayerId, ...]

    def certain(self, size: int) -> bool | None:
        """True: in the first `size` whatever happens; False: not in them, whatever happens; None: open."""
        if self.at_most < size:
            return True
        return False if self.at_least >= size else None


@dataclass(frozen=True, slots=True)
class Tally:
    """Of the players at one table, or of one alone: how many end at a mark or over it, at least and at most."""

    players: tuple[PlayerId, ...]
    least: int
    most: int
    surely: tuple[PlayerId, ...]
    maybe: tuple[PlayerId, ...]


class Bounds:
    """Bounds of every contestant; tallies are kept, as few different marks occur."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.places = {player: index for index, player in enumerate(ground.contestants)}
        seated = {player for table in ground.tables for player in table}
        self.groups: list[tuple[PlayerId, ...]] = [*ground.tables]
        self.groups += [(player,) for player in ground.contestants if player not in seated]
        self.later = (ground.gains.least, ground.gains.most) if ground.another else (0, 0)
        self._kept: dict[int, list[Tally]] = {}

    def of(self, player: PlayerId, result: Result | None = None) -> Bound:
        """With that result at his open table, or in the round to come; None: whatever he does."""
        gained = self._gained(player, result)
        now = self.ground.score[player]
        return self._bound(player, result, now + min(gained), now + max(gained))

    def with_total(self, player: PlayerId, total: int) -> Bound:
        """When he ends with exactly that many points, however he came by them."""
        return self._bound(player, None, total, total)

    def totals(self, player: PlayerId) -> list[int]:
        """Every number of points with which he can end, fewest first."""
        gains, now = self.ground.gains, self.ground.score[player]
        results = {gains.of(result) for result in Result}
        table = results if self.ground.table_of(player) else {0}
        last = results | {gains.bye} if self.ground.another else {0}
        return sorted({now + first + second for first in table for second in last})

    def _gained(self, player: PlayerId, result: Result | None) -> set[int]:
        gains, seated = self.ground.gains, self.ground.table_of(player) is not None
        results = {gains.of(one) for one in Result}
        chosen = results if result is None else {gains.of(result)}
        if seated:
            return {one + two for one in chosen for two in (self.later if self.ground.another else (0,))}
        if not self.ground.another:
            return {0}
        return set(self.later) if result is None else chosen

    def _bound(self, player: PlayerId, result: Result | None, low: int, high: int) -> Bound:
        over, reach = self._seen_by(player, result, high + 1), self._seen_by(player, result, low)
        above = [key for tally in over for key in tally.surely]
        either = [tally.players for tally in over if tally.least > len(tally.surely)]
        could = [key for tally in reach for key in tally.maybe]
        return Bound(
            low=low,
            high=high,
            at_least=sum(tally.least for tally in over),
            at_most=sum(tally.most for tally in reach),
            above=tuple(sorted(above, key=self.places.__getitem__)),
            either=tuple((a, b) for a, b in either),
            could=tuple(sorted(could, key=self.places.__getitem__)),
        )

    def _seen_by(self, player: PlayerId, result: Result | None, mark: int) -> list[Tally]:
        """Every group's tally without himself; his rival with what that result leaves him."""
        if mark not in self._kept:
            self._kept[mark] = [self._tally(group, mark) for group in self.groups]
        return [
            self._tally(tally.players, mark, player, result) if player in tally.players else tally
            for tally in self._kept[mark]
        ]

    def _tally(
        self, group: tuple[PlayerId, ...], mark: int, me: PlayerId | None = None, result: Result | None = None
    ) -> Tally:
        """Everybody of the group but me, over every way in which the table can end when I have that result."""
        others = [key for key in group if key != me and key in self.places]
        ends = list(self._ends(group, me, result))
        fewest, most = self.later
        least = [[key for key in others if gained[key] + fewest >= mark] for gained in ends]
        best = [[key for key in others if gained[key] + most >= mark] for gained in ends]
        return Tally(
            players=group,
            least=min(map(len, least)),
            most=max(map(len, best)),
            surely=tuple(key for key in others if all(key in end for end in least)),
            maybe=tuple(key for key in others if any(key in end for end in best)),
        )

    def _ends(
        self, group: tuple[PlayerId, ...], me: PlayerId | None, result: Result | None
    ) -> Iterator[dict[PlayerId, int]]:
        score, gains = self.ground.score, self.ground.gains
        if len(group) == 1:
            yield {group[0]: score[group[0]]}
            return
        a, b = group
        for left, right in ((Result.WIN, Result.LOSS), (Result.DRAW, Result.DRAW), (Result.LOSS, Result.WIN)):
            if me is None or result in (None, left if me == a else right):
                yield {a: score[a] + gains.of(left), b: score[b] + gains.of(right)}
