"""Round robin: everybody meets everybody once, by the circle method (TOURNAMENT_RULES 3).

Before round 1 the lot of rule 2.5 puts everybody on a chair, and one chair stays empty when their number is odd. All
rounds follow from the chairs: one stays, the others turn about it. Whoever comes later takes an empty chair, or the
chair of somebody who has left, with the rivals that this chair still has (5.2). Whoever has nobody opposite rests with
a bye. Values in, values out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tournaments.swiss.chance import lot
from tournaments.swiss.criteria import judge
from tournaments.swiss.history import History, history_before
from tournaments.swiss.notes import Note
from tournaments.swiss.pairing import Pairing, PairingRefused
from tournaments.swiss.standings import standings
from tournaments.swiss.tables import assign_tables
from tournaments.swiss.types import Entrant, PlayerId, Tournament

ENGINE_VERSION = "kounter-robin/1"
"""Changes whenever the same chairs may give another schedule; the round stores it (4.2)."""

Chair = PlayerId | None
"""Who drew it; None: nobody, so that whoever sits opposite rests."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """Two opposite chairs of one round, and who is on them in it."""

    a: Chair
    b: Chair
    absent: PlayerId | None = None  # had that chair and is not there: the other one rests because of him

    @property
    def pair(self) -> tuple[PlayerId, PlayerId] | None:
        return None if self.a is None or self.b is None else (self.a, self.b)


def draw_chairs(tournament: Tournament) -> tuple[Chair, ...]:
    """Everybody of round 1 in the order of the stored draw (2.5), and an empty chair when they are odd."""
    here = sorted(
        (entrant.id for entrant in tournament.entrants if entrant.active_in(1)), key=lambda key: lot(tournament.id, key)
    )
    return (*here, None) if len(here) % 2 else tuple(here)


def circle(chairs: int) -> list[list[tuple[int, int]]]:
    """The rounds, as pairs of chairs by number.

    >>> circle(4)
    [[(0, 3), (1, 2)], [(0, 2), (3, 1)], [(0, 1), (2, 3)]]
    """
    order = list(range(chairs))
    rounds = []
    for _ in range(chairs - 1):
        half = chairs // 2
        rounds.append(list(zip(order[:half], reversed(order[half:]), strict=True)))
        order = [order[0], order[-1], *order[1:-1]]
    return rounds


def pair_round(tournament: Tournament, round: int, seed: str, chairs: Sequence[Chair]) -> Pairing:
    """The round of the schedule. PairingRefused codes: no_players, no_chair (who has none), schedule_over."""
    active = [entrant.id for entrant in tournament.entrants if entrant.active_in(round)]
    if len(active) < 2:
        raise PairingRefused("no_players", "4.3", tuple(active))
    if round > len(chairs) - 1:
        raise PairingRefused("schedule_over", "3", ())
    if left := without_chair(tournament, chairs):
        raise PairingRefused("no_chair", "5.2", tuple(left))
    history = history_before(tournament, round)
    sittings = sittings_of(tournament, chairs, round)
    seats = _tables(tournament, round, [pair for sitting in sittings if (pair := sitting.pair)])
    pairs = tuple(pair for _, pair in seats)
    resting = [player for sitting in sittings if sitting.pair is None for player in (sitting.a, sitting.b) if player]
    bye, assigned = (resting[0], tuple(sorted(resting[1:]))) if resting else (None, ())
    return Pairing(
        round=round,
        pairs=pairs,
        tables=tuple(table for table, _ in seats),
        bye=bye,
        assigned_byes=assigned,
        criteria=judge(tournament, history, list(pairs), bye, list(assigned)),
        certified=False,
        seed=seed,
        notes=tuple(_notes(history, sittings)),
    )


def schedule(tournament: Tournament, chairs: Sequence[Chair]) -> list[list[Sitting]]:
    """Every round as it stands today: who has left leaves his rivals a bye, who came sits on his chair."""
    return [sittings_of(tournament, chairs, number) for number in range(1, len(chairs))]


def sittings_of(tournament: Tournament, chairs: Sequence[Chair], round: int) -> list[Sitting]:
    """The opposite chairs of a round. Two who must never meet (4.1.1) both rest when they sit opposite."""
    barred = {frozenset(pair) for pair in tournament.separations}
    entrants = {entrant.id: entrant for entrant in tournament.entrants}
    holders = [_holder(entrants, sitting, round) for sitting in occupants(tournament, chairs)]
    found: list[Sitting] = []
    for one, other in circle(len(chairs))[round - 1]:
        (a, gone_a), (b, gone_b) = holders[one], holders[other]
        if a is not None and b is not None and frozenset((a, b)) in barred:
            found += [Sitting(a, None, b), Sitting(b, None, a)]
        else:
            found.append(Sitting(a, b, gone_b if b is None else gone_a))
    return found


def _holder(
    entrants: dict[PlayerId, Entrant], occupant: Sequence[PlayerId], round: int
) -> tuple[PlayerId | None, PlayerId | None]:
    """Who is on a chair in that round, and who left it last."""
    here = next((player for player in reversed(occupant) if entrants[player].active_in(round)), None)
    return here, occupant[-1] if occupant else None


def occupants(tournament: Tournament, chairs: Sequence[Chair]) -> list[list[PlayerId]]:
    """Who has had each chair, in order: whoever came later is on the first one that was free when he came."""
    return _seated_late(tournament, chairs)[0]


def without_chair(tournament: Tournament, chairs: Sequence[Chair]) -> list[PlayerId]:
    """Who is there and finds no chair: another round robin would be needed for him (5.2)."""
    return _seated_late(tournament, chairs)[1]


def _seated_late(tournament: Tournament, chairs: Sequence[Chair]) -> tuple[list[list[PlayerId]], list[PlayerId]]:
    entrants = {entrant.id: entrant for entrant in tournament.entrants}
    taken = [[player] if player in entrants else [] for player in chairs]
    drawn = set(chairs)
    late = [entrant for entrant in tournament.entrants if entrant.participant and entrant.id not in drawn]
    left = []
    for entrant in sorted(late, key=lambda entrant: (entrant.first_round, lot(tournament.id, entrant.id))):
        free = [chair for chair in taken if not chair or _left_before(entrants[chair[-1]], entrant.first_round)]
        if free:
            min(free, key=len).append(entrant.id)
        elif not entrant.dropped:
            left.append(entrant.id)
    return taken, left


def _left_before(entrant: Entrant, round: int) -> bool:
    return entrant.last_round is not None and entrant.last_round < round


def _tables(
    tournament: Tournament, round: int, pairs: list[tuple[PlayerId, PlayerId]]
) -> list[tuple[int, tuple[PlayerId, PlayerId]]]:
    """The table of the best placed first (4.4)."""
    places = {row.player: row.place for row in standings(tournament, round - 1)}
    last = len(places) + 1
    pairs = sorted(pairs, key=lambda pair: sorted(places.get(player, last) for player in pair))
    fixed = {entrant.id: entrant.table for entrant in tournament.entrants if entrant.table is not None}
    return assign_tables(pairs, fixed)


def _notes(history: History, sittings: Sequence[Sitting]) -> Iterator[Note]:
    """rest {absent: who would have sat opposite, None for the empty chair}; rematch as in the Swiss rounds."""
    for sitting in sittings:
        if sitting.pair is None:
            for player in filter(None, (sitting.a, sitting.b)):
                yield Note("rest", "3", (player,), {"absent": sitting.absent})
        elif (meeting := history.meeting(*sitting.pair)).times:
            yield Note("rematch", "4.1.3", sitting.pair, {"times": meeting.times, "last_round": meeting.last})
