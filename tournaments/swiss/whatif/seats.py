"""Who is in the cut in each world, by every tie-break, exactly.

Places are decided a number at a time: the first of the standings, then OMW% and GW% where the preset has them, over all
worlds at once; whoever is still level at the line in some world is told apart there by the preset itself, with its
fractions and the stored draw (2.5).
"""

from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tournaments.swiss.chance import lot
from tournaments.swiss.ledger import Entry, Ledger
from tournaments.swiss.lines import Value
from tournaments.swiss.types import Match, Outcome, PlayerId
from tournaments.swiss.whatif.ground import Ground, entry_of
from tournaments.swiss.whatif.shares import Shares, vectorised
from tournaments.swiss.whatif.worlds import Indexes, Worlds, bye_code, gained

Inside = NDArray[np.bool_]


class Judge:
    """`open`: contestants whom the bounds leave undecided; they share `seats` places, the others' are known."""

    def __init__(self, ground: Ground, open: tuple[PlayerId, ...], seats: int) -> None:
        self.ground, self.open, self.seats = ground, open, seats
        self.players = sorted(ground.ledger.entries)
        self.column = {player: index for index, player in enumerate(self.players)}
        self.columns = np.array([self.column[player] for player in open], dtype=np.int64)
        self.score = np.array([ground.score[player] for player in self.players], dtype=np.int64)
        self.gained = gained(ground)
        self.shares = self._shares()
        self.entry = cache(self._entry)

    @property
    def quick(self) -> bool:
        return self.shares is not None

    def _shares(self) -> Shares | None:
        if not vectorised(self.ground):
            return None
        shares = Shares(self.ground, self.players, self.columns)
        most = int(self.score.max()) + 2 * self.ground.gains.most
        return shares if shares.fits(most) else None

    def inside(self, worlds: Worlds) -> Inside:
        """`[world, open player]`: in the cut."""
        if not 0 < self.seats < len(self.open):
            return np.full((len(worlds.weights), len(self.open)), self.seats > 0)
        key = self.score[self.columns]
        for step in worlds.steps:
            key = key + self.gained[step.codes[:, self.columns]]
        if self.shares is not None:
            key = key * self.shares.whole + self.shares.rivals(worlds)
        taken, level, left = over_the_line(key, np.full(len(key), self.seats))
        rows = np.flatnonzero(level.sum(axis=1) > left)
        if self.shares is not None and len(rows) and self.ground.ledger.games_known:
            games = np.where(level[rows], self.shares.games(worlds, rows), -1.0)
            above, same, left[rows] = over_the_line(games, left[rows])
            taken[rows], level[rows] = taken[rows] | above, same
            rows = rows[same.sum(axis=1) > left[rows]]
        for row in rows.tolist():
            level[row] = self._first_by_preset(worlds, row, np.flatnonzero(level[row]), int(left[row]))
        return taken | level

    # -- one world, by the preset itself -------------------------------------------------------------------------------
    def _first_by_preset(self, worlds: Worlds, row: int, level: Indexes, left: int) -> Inside:
        """A tie-break is asked only of who is still level at the line: some look at the rivals of rivals."""
        tied, ledger = [self.open[index] for index in level], self._ledger(worlds, row)
        first: set[PlayerId] = set()
        for tie_break in self.ground.preset.breaks[1:]:
            values = {player: tie_break(ledger, player).value for player in tied}
            if None in values.values():  # unknown for one is unknown for all (2.2)
                continue
            above, tied = at_the_line(values, left - len(first))
            first.update(above)
            if len(first) + len(tied) == left:
                break
        first.update(self._by_the_rest(ledger, tied)[: left - len(first)])
        return np.array([player in first for player in self.open])

    def _by_the_rest(self, ledger: Ledger, tied: list[PlayerId]) -> list[PlayerId]:
        """Who is level in all of that, by what is decided among them, then by the stored draw (2.5)."""
        keys: dict[PlayerId, tuple[int, ...]] = {}
        if self.ground.preset.among and len(tied) > 1:
            keys = self.ground.preset.sort_keys(self.ground.preset.values(ledger, tied))
        return sorted(tied, key=lambda player: (keys.get(player, ()), lot(self.ground.tournament.id, player)))

    def _ledger(self, worlds: Worlds, row: int) -> Ledger:
        entries = dict(self.ground.ledger.entries)
        for number, step in enumerate(worlds.steps, self.ground.round):
            codes, rivals = step.codes[row].tolist(), step.rivals[row].tolist()
            for index, (code, rival) in enumerate(zip(codes, rivals, strict=True)):
                if code <= bye_code(self.ground):
                    player = self.players[index]
                    entries[player] = [*entries[player], self.entry(number, index, rival, code)]
        return replace(self.ground.ledger, entries=entries, pending=frozenset(), memo={})

    def _entry(self, round: int, index: int, rival: int, code: int) -> Entry:
        """What a player takes from one match; worked out once for each match that there can be."""
        player = self.players[index]
        if rival < 0:
            return entry_of(self.ground.tournament.rules, Match(round, player, None, Outcome.BYE), player)
        match = self.ground.scores[code].match(round, player, self.players[rival])
        return entry_of(self.ground.tournament.rules, match, player)


def at_the_line(values: dict[PlayerId, Value], seats: int) -> tuple[list[PlayerId], list[PlayerId]]:
    """(above the line, level with it) of the first `seats`, largest first."""
    line = sorted(values.values(), key=lambda value: value or 0, reverse=True)[seats - 1] or 0
    above = [player for player, value in values.items() if (value or 0) > line]
    return above, [player for player, value in values.items() if value == line]


def over_the_line(keys: NDArray[np.int64] | NDArray[np.float64], seats: Indexes) -> tuple[Inside, Inside, Indexes]:
    """(above the line, level with it, seats left for those) by that key, largest first, in every row."""
    order = np.sort(keys, axis=1)
    line = order[np.arange(len(keys)), keys.shape[1] - seats][:, None]
    above = keys > line
    return above, keys == line, seats - above.sum(axis=1)
