"""The cut: from frozen seeds to a champion by single elimination (TOURNAMENT_RULES 7). Values in, values out."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from tournaments.swiss.types import Outcome, PlayerId

Slot = PlayerId | None
"""Half of a match; None: nobody comes out of there (a bye, or both dropped)."""

SMALLEST, LARGEST = 2, 64


@dataclass
class CutRefused(Exception):
    """What the rules of the cut do not allow. Codes: size, players_twice, undecided, no_draws, not_in_match."""

    code: str
    rule: str
    players: tuple[PlayerId, ...] = ()

    def __str__(self) -> str:
        return f"{self.code} (rule {self.rule}) {', '.join(self.players)}".rstrip()


@dataclass(frozen=True, slots=True)
class CutMatch:
    """One match of the bracket; `slot` is its place in the round from 0, top first. `winner` None: not decided."""

    round: int
    slot: int
    a: Slot
    b: Slot
    winner: Slot = None

    @property
    def players(self) -> tuple[PlayerId, ...]:
        return tuple(player for player in (self.a, self.b) if player is not None)


class SwissPlace(Protocol):
    """What the cut needs of a row of the Swiss standings."""

    @property
    def player(self) -> PlayerId: ...
    @property
    def rank(self) -> int: ...
    @property
    def place(self) -> int: ...
    @property
    def disqualified(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class FinalPlace:
    """`rank` is shared by ties, whose points are those of the better place; `place` is unique (7.6)."""

    rank: int
    place: int
    player: PlayerId
    in_cut: bool


def bracket_order(size: int) -> list[int]:
    """Seeds from top to bottom: 1-8, 4-5, 2-7, 3-6 for eight; the size is a power of two (7.1)."""
    order = [1]
    while len(order) < size:
        order = [seed for high in order for seed in (high, 2 * len(order) + 1 - high)]
    return order


def first_round(seeds: Sequence[PlayerId]) -> list[tuple[PlayerId, Slot]]:
    """Matches in bracket order; the best seeds have a bye when the size is no power of two (7.1)."""
    if not SMALLEST <= len(seeds) <= LARGEST:
        raise CutRefused("size", "7.1")
    if len(set(seeds)) < len(seeds):
        raise CutRefused("players_twice", "7.1", tuple(sorted({seed for seed in seeds if seeds.count(seed) > 1})))
    order = bracket_order(1 << (len(seeds) - 1).bit_length())
    chairs: list[Slot] = [seeds[seed - 1] if seed <= len(seeds) else None for seed in order]
    return [(a, b) for a, b in zip(chairs[::2], chairs[1::2], strict=True) if a is not None]


def seeds_of(standings: Iterable[SwissPlace], size: int, dropped: Collection[PlayerId] = ()) -> list[PlayerId]:
    """The best of the frozen standings who are still there, best first; 1, 2, 2, 4 goes by the stored draw (2.5)."""
    rows = sorted(standings, key=lambda row: row.place)
    return [row.player for row in rows if not row.disqualified and row.player not in dropped][:size]


def result_allowed(outcome: Outcome) -> bool:
    """Somebody advances: no draw of any kind and no double loss in the cut (7.2)."""
    return outcome in (Outcome.WIN, Outcome.FORFEIT, Outcome.BYE)


def winner_on_time(a: PlayerId, b: PlayerId, life_a: int, life_b: int, active: PlayerId) -> PlayerId:
    """The KOUNTER rule when the extra turns are over: the higher PV, then the active player (7.2)."""
    if active not in (a, b):
        raise CutRefused("not_in_match", "7.2", (active,))
    if life_a == life_b:
        return active
    return a if life_a > life_b else b


def advancing(match: CutMatch, dropped: Collection[PlayerId] = ()) -> Slot:
    """Who comes out of a match: the winner; without one, whoever is left (7.4). None when nobody is left.

    A winner who then drops is not replaced by whom he beat: his next opponent advances. CutRefused while two are left
    and nobody has won.
    """
    if match.winner is not None:
        if match.winner not in match.players:
            raise CutRefused("not_in_match", "7.2", (match.winner,))
        return None if match.winner in dropped else match.winner
    left = [player for player in match.players if player not in dropped]
    if len(left) > 1:
        raise CutRefused("undecided", "7.2", tuple(left))
    return left[0] if left else None


def next_round(previous: Iterable[CutMatch], dropped: Collection[PlayerId] = ()) -> list[tuple[Slot, Slot]]:
    """The next matches in bracket order from all matches of the previous round; [] after the final.

    A pair with one None is a bye; with two, nobody comes out of there.
    """
    matches = sorted(previous, key=lambda match: match.slot)
    through = [advancing(match, dropped) for match in matches]
    if len(through) < 2:
        return []
    return list(zip(through[::2], through[1::2], strict=True))


def champion(final: CutMatch, dropped: Collection[PlayerId] = ()) -> Slot:
    """The winner of the final; if he has dropped, the other finalist (7.4). None when both have."""
    if (winner := advancing(final, dropped)) is not None:
        return winner
    left = [player for player in final.players if player not in dropped]
    return left[0] if left else None


def final_places(
    standings: Iterable[SwissPlace],
    matches: Iterable[CutMatch],
    dropped: Collection[PlayerId] = (),
    disqualified: Collection[PlayerId] = (),
) -> list[FinalPlace]:
    """Cut players by the round that they reached, losers of one round by Swiss place; then the Swiss places (7.6).

    A player who drops out of the cut is beaten in the round that he had reached. Losers of one round who share their
    Swiss rank share the place. The disqualified stand last (8.5).
    """
    return places_by(standings, _reached(list(matches), dropped), disqualified)


def places_by(
    standings: Iterable[SwissPlace], reached: Mapping[PlayerId, int], disqualified: Collection[PlayerId] = ()
) -> list[FinalPlace]:
    """Everybody by how far he came in the cut, then by Swiss place (7.6); whoever is not in `reached` was not in it."""
    rows = sorted(standings, key=lambda row: row.place)
    out = {row.player for row in rows if row.disqualified} | set(disqualified)
    keys = {row.player: (row.player in out, -reached.get(row.player, 0), row.rank) for row in rows}
    order = sorted(rows, key=lambda row: (keys[row.player], row.place))
    places: list[FinalPlace] = []
    for place, row in enumerate(order, 1):
        tied = place > 1 and keys[order[place - 2].player] == keys[row.player]
        places.append(FinalPlace(places[-1].rank if tied else place, place, row.player, row.player in reached))
    return places


def _reached(matches: list[CutMatch], dropped: Collection[PlayerId]) -> dict[PlayerId, int]:
    """How far each came: the round of his last match, one more for a winner who never sat in the next."""
    reached: dict[PlayerId, int] = {}
    for match in sorted(matches, key=lambda match: match.round):
        for player in match.players:
            reached[player] = match.round
    last = max((match.round for match in matches), default=0)
    for match in matches:
        through = match.winner or advancing(match, dropped)
        if through is not None and reached[through] == match.round < last:
            reached[through] = match.round + 1
    finals = [match for match in matches if match.round == last]
    if len(finals) == 1 and (first := champion(finals[0], dropped)) is not None:
        reached[first] = last + 1
    return reached
