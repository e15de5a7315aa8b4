"""OMW% and GW% of many worlds at once, exactly (2.2): whole numbers over one denominator, quotients rounded once."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from math import lcm

import numpy as np
from numpy.typing import NDArray

from tournaments.swiss.ledger import GAME_WIN, Ledger
from tournaments.swiss.scoring import games_of, points_of
from tournaments.swiss.tiebreaks.shares import opponents_match_win, own_game_win
from tournaments.swiss.types import Match, Outcome, PlayerId
from tournaments.swiss.whatif.ground import Ground
from tournaments.swiss.whatif.worlds import Indexes, Worlds, bye_code

Numbers = NDArray[np.int64]

LARGEST = 2**62
"""Keys stay below, so that 64 bits hold them."""
EXACT_FLOATS = 2**53
"""Sums stay below, so that the product of matrices, which is of floats, is exact."""


class Shares:
    """Of the players in `columns`. `whole`: more than any `rivals()`, so that points times it plus them is one key."""

    def __init__(self, ground: Ground, players: Sequence[PlayerId], columns: Indexes) -> None:
        self.ground, self.columns = ground, columns
        self.bye = bye_code(ground)
        ledger, switches = ground.ledger, ground.tournament.rules.switches
        self.counts_byes = switches.opponent_byes == "count"
        tallies = [ledger.tally(player, ledger.after, byes=self.counts_byes) for player in players]
        self.points = np.array([tally.points for tally in tallies], dtype=np.int64)
        self.rounds = np.array([tally.rounds for tally in tallies], dtype=np.int64)
        self.met = meetings(ledger, {player: index for index, player in enumerate(players)})
        self.faced = self.met[columns].sum(axis=1)
        self.code_points = np.array([row[0] for row in code_rows(ground)], dtype=np.int64)
        self.code_games = np.array([row[1:] for row in code_rows(ground)], dtype=np.int64)
        own = [ledger.tally(players[index], ledger.after) for index in columns]
        self.game_points = np.array([tally.game_points for tally in own], dtype=np.int64)
        self.games_played = np.array([tally.games for tally in own], dtype=np.int64)
        self._denominators()

    def _denominators(self) -> None:
        """`unit`: of each rival's MW%; `common` over the number of rivals makes a sum a mean."""
        rules = self.ground.tournament.rules
        self.most = int(self.rounds.max(initial=0)) + 2
        self.most_faced = int(self.faced.max(initial=0)) + 2
        self.unit = lcm(rules.switches.floor.denominator, *(rules.points.win * n for n in range(1, self.most + 1)))
        self.common = lcm(*range(1, self.most_faced + 1))
        self.floor = int(rules.switches.floor * self.unit)
        self.nobody = self.floor * self.common if rules.switches.no_opponents == "floor" else 0
        points = max(int(self.points.max(initial=0)) + 2 * int(self.code_points.max()), rules.points.win * self.most)
        self.whole = (points * self.unit // rules.points.win + 1) * self.common

    def fits(self, most: int) -> bool:
        """Whether a key of points up to `most` and these shares stays exact."""
        return (abs(most) + 2) * self.whole < LARGEST and self.whole // self.common * self.most_faced < EXACT_FLOATS

    @cached_property
    def mean(self) -> Numbers:
        """By number of rivals."""
        return np.array([0, *(self.common // n for n in range(1, self.most_faced + 1))], dtype=np.int64)

    @cached_property
    def share(self) -> Numbers:
        """What one match point is of `unit`, by number of rounds."""
        win = self.ground.tournament.rules.points.win
        return np.array([0, *(self.unit // (win * n) for n in range(1, self.most + 1))], dtype=np.int64)

    def rivals(self, worlds: Worlds) -> Numbers:
        """`[world, column]`: OMW% times unit and common denominator."""
        win = self._match_win(worlds)
        total = np.rint(win.astype(np.float64) @ self.met[self.columns].T.astype(np.float64)).astype(np.int64)
        count = np.broadcast_to(self.faced, total.shape).copy()
        world = np.arange(len(win))[:, None]
        unique = self.ground.tournament.rules.switches.opponents == "unique"
        for step in worlds.steps:
            rival = step.rivals[:, self.columns]
            counts = rival >= 0
            if unique:
                counts &= ~self.met[self.columns[None, :], rival].astype(bool)
            total += np.where(counts, win[world, rival], 0)
            count += counts
        return np.where(count > 0, total * self.mean[count], self.nobody)

    def _match_win(self, worlds: Worlds) -> Numbers:
        """`[world, player]`: everybody's MW% as an opponent, times unit."""
        points, rounds = self.points, self.rounds
        for step in worlds.steps:
            taken = step.codes <= self.bye if self.counts_byes else step.codes < self.bye
            points = points + np.where(taken, self.code_points[step.codes], 0)
            if self.ground.tournament.rules.switches.mw_denominator == "played":
                rounds = rounds + taken
            elif not self.counts_byes:
                rounds = rounds - (step.codes == self.bye)
        win: Numbers = np.maximum(points * self.share[rounds], self.floor)
        return win

    def games(self, worlds: Worlds, rows: Indexes) -> NDArray[np.float64]:
        """`[row, column]`: GW%. One division of small whole numbers: equal shares are equal quotients."""
        points, played = self.game_points, self.games_played
        for step in worlds.steps:
            codes = step.codes[rows][:, self.columns]
            points, played = points + self.code_games[codes, 0], played + self.code_games[codes, 1]
        switches = self.ground.tournament.rules.switches
        share = points / np.maximum(GAME_WIN * played, 1)
        floor = float(switches.floor)
        return np.where(played == 0, floor, np.maximum(share, floor) if switches.own_gw_floor else share)


def vectorised(ground: Ground) -> bool:
    """Whether the numbers after the first are those that this module knows."""
    known = ground.preset.breaks[1:3] == (opponents_match_win, own_game_win)
    return known and not ground.tournament.rules.switches.freeze


def meetings(ledger: Ledger, column: Mapping[PlayerId, int]) -> Numbers:
    """How often each player (row) has each other as an opponent of his tie-breaks."""
    met = np.zeros((len(column), len(column)), dtype=np.int64)
    for player, row in column.items():
        for entry in ledger.opponents(player, ledger.after):
            if entry.opponent is not None:
                met[row, column[entry.opponent]] += 1
    return met


def code_rows(ground: Ground) -> list[tuple[int, int, int]]:
    """Of each code: match points, game points and games."""
    rules, a, b = ground.tournament.rules, PlayerId("a"), PlayerId("b")
    matches = [score.match(1, a, b) for score in ground.scores] + [Match(1, a, None, Outcome.BYE)]
    rows = []
    for match in matches:
        won, _, level = games_of(match, a, rules) or (0, 0, 0)
        games = GAME_WIN * won + rules.switches.drawn_game_points * level
        rows.append((points_of(match, a, rules), games, sum(games_of(match, a, rules) or (0, 0, 0))))
    return [*rows, (0, 0, 0)]
