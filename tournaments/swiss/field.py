"""Who is to be paired, as numbered nodes: the form in which the search sees a round."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tournaments.swiss.chance import lots
from tournaments.swiss.history import History
from tournaments.swiss.types import PlayerId, Tournament

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]
Lots = NDArray[np.uint64]

NO_TEAM = -1
LOW = np.uint64(24)
"""The low bits of a lot give way to the player's number, so that no two are the same and there is one order."""


@dataclass(frozen=True)
class Pairs:
    """A set of pairs of nodes as sorted keys, with two numbers for each: how often, and the last round."""

    keys: Numbers
    times: Numbers
    last: Numbers

    def find(self, wanted: Numbers) -> tuple[Numbers, Flags]:
        """Where each wanted key stands, and whether it is there at all."""
        if not len(self.keys):
            return np.zeros(wanted.shape, np.int64), np.zeros(wanted.shape, np.bool_)
        at = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        return at, self.keys[at] == wanted


@dataclass(frozen=True)
class Field:
    """Nodes 0..n-1 are the players in the order of their lots, so that the order of the input changes nothing.

    When n is odd, node n is the empty chair: whoever gets it has the bye. Arrays are by node, the chair included: it
    stands on the level of the player who should take it. `met` are earlier meetings, `barred` the hard separations,
    both as pair keys. `places` only under "by standings".
    """

    players: tuple[PlayerId, ...]
    lots: Lots
    levels: Numbers
    byes: Numbers
    downs: Flags
    ups: Flags
    teams: Numbers
    met: Pairs
    barred: Pairs
    places: Numbers | None

    @cached_property
    def size(self) -> int:
        return len(self.players)

    @cached_property
    def seats(self) -> int:
        """Nodes: the players, and the empty chair when their number is odd."""
        return self.size + self.size % 2

    @cached_property
    def chair(self) -> int | None:
        """The node of the bye, None when the number is even."""
        return self.size if self.size % 2 else None

    @cached_property
    def may_have_bye(self) -> Flags:
        """Nobody has fewer byes, and of those nobody has fewer points: the best that 4.1.2 and 4.1.4 can hope for."""
        allowed: Flags = (self.byes == self.byes[: self.size].min()) & (self.levels == self.levels[-1])
        allowed[self.size :] = False
        return allowed

    def key(self, a: Numbers, b: Numbers) -> Numbers:
        keys: Numbers = np.minimum(a, b) * self.seats + np.maximum(a, b)
        return keys

    @cached_property
    def apart(self) -> Pairs:
        """Who met before or must not meet."""
        if not len(self.barred.keys):
            return self.met
        keys = np.union1d(self.met.keys, self.barred.keys)
        return Pairs(keys, keys, keys)

    def forbidden(self, a: Numbers, b: Numbers) -> Flags:
        """Pairs that a round without a rematch, and with the bye where it belongs, does not have."""
        _, apart = self.apart.find(self.key(a, b))
        if self.chair is None:
            return apart
        bye = (a == self.chair) | (b == self.chair)
        taken: Flags = bye & ~self.may_have_bye[a] & ~self.may_have_bye[b]
        return apart | taken

    @cached_property
    def has_teams(self) -> bool:
        return bool((self.teams != NO_TEAM).any())

    def mates(self, a: Numbers, b: Numbers) -> Flags:
        if not self.has_teams:
            return np.zeros(a.shape, np.bool_)
        same: Flags = (self.teams[a] == self.teams[b]) & (self.teams[a] != NO_TEAM)
        return same

    def clash(self, a: Numbers, b: Numbers) -> Flags:
        """A pair to avoid: forbidden, or of one team."""
        return self.forbidden(a, b) | self.mates(a, b)

    def named(self, found: Numbers) -> tuple[list[tuple[PlayerId, PlayerId]], PlayerId | None]:
        """Pairs of nodes, the lower first, as players, and who sits opposite the empty chair."""
        real = found[:, 1] < self.size
        a, b = (map(self.players.__getitem__, nodes.tolist()) for nodes in found[real].T)
        return list(zip(a, b, strict=True)), next((self.players[node] for node in found[~real, 0].tolist()), None)


def field_of(
    tournament: Tournament,
    history: History,
    playing: list[PlayerId],
    seed: str,
    places: dict[PlayerId, int] | None = None,
) -> Field:
    numbers = np.fromiter(map(history.number.__getitem__, playing), np.int64, len(playing))
    drawn = np.frombuffer(b"".join(lots(seed, playing)), ">u8")[::4].astype(np.uint64)
    order = np.argsort((drawn >> LOW << LOW) | numbers.astype(np.uint64))
    numbers, players = numbers[order], tuple(map(playing.__getitem__, order.tolist()))
    odd = len(players) % 2
    points, byes = (_values(of_all)[numbers] for of_all in (history.points, history.byes))
    bye_level = points[byes == byes.min()].min()
    return Field(
        players=players,
        lots=np.append(drawn[order], np.zeros(odd, np.uint64)),
        levels=np.append(points, np.full(odd, bye_level)),
        byes=np.append(byes, np.zeros(odd, np.int64)),
        downs=np.append(_marked(history, history.downs)[numbers], np.zeros(odd, np.bool_)),
        ups=np.append(_marked(history, history.ups)[numbers], np.zeros(odd, np.bool_)),
        teams=_teams(tournament, players, odd),
        met=_met(history, numbers),
        barred=_barred(tournament, players),
        places=None if places is None else np.array([places[player] for player in players] + [0] * odd, np.int64),
    )


def _values(of_all: dict[PlayerId, int]) -> Numbers:
    """By the numbers of the history, whose order its dictionaries keep."""
    return np.fromiter(of_all.values(), np.int64, len(of_all))


def _marked(history: History, some: frozenset[PlayerId]) -> Flags:
    marked = np.zeros(len(history.players), np.bool_)
    marked[[history.number[player] for player in some]] = True
    return marked


def _teams(tournament: Tournament, players: tuple[PlayerId, ...], odd: int) -> Numbers:
    if not tournament.separate_teams:
        return np.full(len(players) + odd, NO_TEAM, np.int64)
    team = {entrant.id: entrant.team for entrant in tournament.entrants}
    names = {name: i for i, name in enumerate(sorted({name for name in team.values() if name is not None}))}
    return np.array(
        [NO_TEAM if (name := team[p]) is None else names[name] for p in players] + [NO_TEAM] * odd, np.int64
    )


def _met(history: History, numbers: Numbers) -> Pairs:
    node = np.full(len(history.players), -1, np.int64)
    node[numbers] = np.arange(len(numbers))
    a, b, rounds = np.frombuffer(history.meetings, np.int64).reshape(-1, 3).T
    return _pairs(node[a], node[b], rounds, len(numbers))


def _barred(tournament: Tournament, players: tuple[PlayerId, ...]) -> Pairs:
    node = {player: i for i, player in enumerate(players)} if tournament.separations else {}
    ends = [(node.get(a, -1), node.get(b, -1)) for a, b in tournament.separations]
    a, b = np.array(ends, np.int64).reshape(-1, 2).T
    return _pairs(a, b, np.zeros(len(a), np.int64), len(players))


def _pairs(a: Numbers, b: Numbers, rounds: Numbers, size: int) -> Pairs:
    """Those of whom both play, -1 standing for somebody who does not."""
    here = (a >= 0) & (b >= 0) & (a != b)
    a, b, rounds = a[here], b[here], rounds[here]
    span = 1 + int(rounds.max(initial=0))
    known = np.sort((np.minimum(a, b) * (size + size % 2) + np.maximum(a, b)) * span + rounds)
    keys, rounds = np.divmod(known, span)
    latest = np.flatnonzero(np.diff(keys, append=-1))
    return Pairs(keys[latest], np.diff(latest, prepend=-1), rounds[latest])
