"""Pairing a round (TOURNAMENT_RULES 4): from a tournament and a seed to the seats, with the proof and the reasons."""

from dataclasses import dataclass, field

from tournaments.swiss.criteria import Criteria, criteria_of, judge
from tournaments.swiss.history import History, history_before
from tournaments.swiss.notes import Note, Seating, notes_of, why_player
from tournaments.swiss.standings import standings
from tournaments.swiss.tables import assign_tables
from tournaments.swiss.types import PlayerId, Tournament

__all__ = [
    "ENGINE_VERSION",
    "Criteria",
    "Note",
    "Pairing",
    "PairingRefused",
    "criteria_of",
    "pair_round",
    "why",
]

ENGINE_VERSION = "kounter-swiss/2"
"""Changes whenever the same input and seed may give another round; the round stores it (4.2)."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """A round. `pairs` in table order with their `tables`; `certified`: proven optimal under 4.1."""

    round: int
    pairs: tuple[tuple[PlayerId, PlayerId], ...]
    tables: tuple[int, ...]
    bye: PlayerId | None
    assigned_byes: tuple[PlayerId, ...]
    criteria: Criteria
    certified: bool
    seed: str
    notes: tuple[Note, ...] = ()
    by_standings: bool = False


@dataclass
class PairingRefused(Exception):
    """There is no such round (4.3). Codes: no_players (0 or 1 active; those), hard_separations (the pairs to lift)."""

    code: str
    rule: str
    players: tuple[PlayerId, ...] = ()
    lift: tuple[tuple[PlayerId, PlayerId], ...] = field(default=())

    def __str__(self) -> str:
        if self.code == "no_players":
            return f"a round needs two active players, and there are {len(self.players)} (rule {self.rule})"
        pairs = ", ".join(f"{a} - {b}" for a, b in self.lift)
        return f"no round seats everyone under the hard separations; lift {pairs} (rule {self.rule})"


def pair_round(tournament: Tournament, round: int, seed: str, by_standings: bool = False) -> Pairing:
    """The best round under 4.1 from the matches before it. PairingRefused when there is none."""
    active = [entrant.id for entrant in tournament.entrants if entrant.active_in(round)]
    if len(active) < 2:
        raise PairingRefused("no_players", "4.3", tuple(active))
    resting = set(tournament.assigned_byes) & set(active)
    assigned = tuple(sorted(resting))
    history = history_before(tournament, round)
    places = {row.player: row.place for row in standings(tournament, round - 1)}
    playing = [player for player in active if player not in resting]
    pairs, bye = _search(tournament, history, playing, seed, places if by_standings else None)
    seats = _tables(tournament, history, places, pairs)
    seating = Seating(tournament, history, tuple(pair for _, pair in seats), bye, assigned, by_standings)
    return Pairing(
        round=round,
        pairs=seating.pairs,
        tables=tuple(table for table, _ in seats),
        bye=bye,
        assigned_byes=assigned,
        criteria=judge(tournament, history, list(seating.pairs), bye, list(assigned)),
        certified=True,
        seed=seed,
        notes=notes_of(seating),
        by_standings=by_standings,
    )


def _search(
    tournament: Tournament,
    history: History,
    playing: list[PlayerId],
    seed: str,
    places: dict[PlayerId, int] | None,
) -> tuple[list[tuple[PlayerId, PlayerId]], PlayerId | None]:
    if len(playing) < 2:
        return [], playing[0] if playing else None
    from tournaments.swiss.field import field_of  # numpy: only whoever pairs needs it
    from tournaments.swiss.search import best_pairing, lift_separations

    field = field_of(tournament, history, playing, seed, places)
    found = best_pairing(field)
    if found is None:
        lift = tuple(field.named(lift_separations(field))[0])
        raise PairingRefused("hard_separations", "4.1.1", tuple(player for pair in lift for player in pair), lift)
    return field.named(found)


def _tables(
    tournament: Tournament,
    history: History,
    places: dict[PlayerId, int],
    pairs: list[tuple[PlayerId, PlayerId]],
) -> list[tuple[int, tuple[PlayerId, PlayerId]]]:
    """Top table first: by the better player's points, the other's, and the better place (4.4)."""
    seats = [(a, b) if places[a] < places[b] else (b, a) for a, b in pairs]
    seats.sort(
        key=lambda pair: (-max(history.points[p] for p in pair), -min(history.points[p] for p in pair), places[pair[0]])
    )
    fixed = {entrant.id: entrant.table for entrant in tournament.entrants if entrant.table is not None}
    return assign_tables(seats, fixed)


def why(tournament: Tournament, pairing: Pairing, player: PlayerId) -> list[Note]:
    """Why this player has that opponent, or the bye, as results stand now."""
    history = history_before(tournament, pairing.round)
    seating = Seating(tournament, history, pairing.pairs, pairing.bye, pairing.assigned_byes, pairing.by_standings)
    return why_player(seating, player)
