"""Seating a round of pods (GAMES, Ataquerrr; TOURNAMENT_RULES 4): tables of four, then three; nobody sits alone."""

from dataclasses import dataclass

from tournaments.swiss.notes import Note
from tournaments.swiss.pairing import PairingRefused
from tournaments.swiss.pods.criteria import PodCriteria, Sitting, judge_pods
from tournaments.swiss.pods.field import PodField, pod_field
from tournaments.swiss.pods.history import PodHistory, pod_history
from tournaments.swiss.pods.notes import PodSeating, pod_notes, why_at_pod
from tournaments.swiss.pods.sizes import LARGEST, table_sizes
from tournaments.swiss.standings import standings
from tournaments.swiss.tables import assign_tables
from tournaments.swiss.types import PlayerId, Tournament

POD_ENGINE = "kounter-pods/1"
"""Changes whenever the same input and seed may give another round; the round stores it (4.2)."""


@dataclass(frozen=True, slots=True)
class PodPairing:
    """A round. `pods` in table order with their `tables`, each with the best placed first; `certified`: proven optimal.

    There is no bye but an assigned one: whoever plays sits at a table.
    """

    round: int
    pods: tuple[Sitting, ...]
    tables: tuple[int, ...]
    assigned_byes: tuple[PlayerId, ...]
    criteria: PodCriteria
    certified: bool
    seed: str
    notes: tuple[Note, ...] = ()


def pair_pods(tournament: Tournament, round: int, seed: str) -> PodPairing:
    """The best tables from the rounds before: exact for a few players, else the best that a long search finds.

    PairingRefused with fewer than two players, and where no seating was found that keeps the hard separations.
    """
    active = [entrant.id for entrant in tournament.entrants if entrant.active_in(round)]
    assigned = tuple(sorted(set(tournament.assigned_byes) & set(active)))
    playing = [player for player in active if player not in assigned]
    if len(active) < 2 or len(playing) == 1:
        raise PairingRefused("no_players", "4.3", tuple(playing))
    history = pod_history(tournament, round)
    places = {row.player: row.place for row in standings(tournament, round - 1)}
    groups, certified = _search(pod_field(tournament, history, playing, table_sizes(len(playing)), seed))
    seats = _tables(tournament, history, places, groups)
    pods = tuple(pod for _, pod in seats)
    return PodPairing(
        round=round,
        pods=pods,
        tables=tuple(table for table, _ in seats),
        assigned_byes=assigned,
        criteria=judge_pods(tournament, history, pods),
        certified=certified,
        seed=seed,
        notes=pod_notes(PodSeating(tournament, history, pods, assigned)),
    )


def _search(field: PodField) -> tuple[list[Sitting], bool]:
    from tournaments.swiss.pods.search import best_pods  # numpy: only whoever pairs needs it

    if not field.size:
        return [], True
    found = best_pods(field)
    if found.cost.barred:
        lift = tuple((field.players[a], field.players[b]) for a, b in _barred_pairs(field, found.groups))
        raise PairingRefused("hard_separations", "4.1.1", tuple(player for pair in lift for player in pair), lift)
    return [tuple(field.players[node] for node in group) for group in found.groups], found.certified


def _barred_pairs(field: PodField, groups: tuple[tuple[int, ...], ...]) -> list[tuple[int, int]]:
    """With the fewest that could be found: those are the ones to lift."""
    return [(a, b) for group in groups for a in group for b in group if a < b and b in field.barred[a]]


def _tables(
    tournament: Tournament, history: PodHistory, places: dict[PlayerId, int], groups: list[Sitting]
) -> list[tuple[int, Sitting]]:
    """Top table first: by the points of its best player, its second...; then the larger, and the better place (4.4)."""
    pods = [tuple(sorted(group, key=lambda player: places[player])) for group in groups]
    pods.sort(key=lambda pod: (*_points(history, pod), places[pod[0]]))
    fixed = {entrant.id: entrant.table for entrant in tournament.entrants if entrant.table is not None}
    return assign_tables(pods, fixed)


def _points(history: PodHistory, pod: Sitting) -> list[int]:
    """The best first; a seat that is not there comes after every player."""
    return sorted(-history.points[player] for player in pod) + [1] * (LARGEST - len(pod))


def why_pod(tournament: Tournament, pairing: PodPairing, player: PlayerId) -> list[Note]:
    """Why this player sits at that table, or has the bye, as results stand now."""
    history = pod_history(tournament, pairing.round)
    return why_at_pod(PodSeating(tournament, history, pairing.pods, pairing.assigned_byes), player)
