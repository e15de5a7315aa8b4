"""Why a table of several is as it is (4.3); the codes that two-player rounds have too mean the same here."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from tournaments.swiss.criteria import same_team
from tournaments.swiss.notes import Note
from tournaments.swiss.pods.criteria import POD_RULES, Sitting
from tournaments.swiss.pods.history import PodHistory
from tournaments.swiss.types import PlayerId, Tournament


@dataclass(frozen=True, slots=True)
class PodSeating:
    """A round as the notes look at it.

    Codes and their `data`, beside `assigned_bye`, `rematch` and `separation` of `swiss.notes`:

    pod_spread     {points: [high, low], gap}        a table of different points; its players, highest first
    repeat_small   {times, size}                     he has sat at a small table before, and does again
    pod            {points: [own, others...], size, met, small}      (from `why`) the ordinary reason; met: tablemates
                   whom he had met before; small: the table is smaller than others of the round
    """

    tournament: Tournament
    history: PodHistory
    pods: tuple[Sitting, ...]
    assigned_byes: tuple[PlayerId, ...] = ()

    @property
    def largest(self) -> int:
        return max(map(len, self.pods), default=0)


def pod_notes(seating: PodSeating) -> tuple[Note, ...]:
    """Everything that yielded in the round, the most important criterion first."""
    notes = [Note("assigned_bye", "4.1.1", (player,)) for player in seating.assigned_byes]
    for pod in seating.pods:
        notes += _of_table(seating, pod)
    return tuple(sorted(notes, key=lambda note: note.rule))


def _of_table(seating: PodSeating, pod: Sitting) -> Iterator[Note]:
    history = seating.history
    for a, b in combinations(pod, 2):
        if (meeting := history.meeting(a, b)).times:
            yield Note("rematch", POD_RULES["rematches"], (a, b), {"times": meeting.times, "last_round": meeting.last})
    points = sorted((history.points[player] for player in pod), reverse=True)
    if points[0] > points[-1]:
        ordered = tuple(sorted(pod, key=lambda player: (-history.points[player], pod.index(player))))
        gap = points[0] - points[-1]
        yield Note("pod_spread", POD_RULES["gap"], ordered, {"points": [points[0], points[-1]], "gap": gap})
    if len(pod) < seating.largest:
        for player in pod:
            if times := history.small[player]:
                yield Note("repeat_small", POD_RULES["repeat_small"], (player,), {"times": times, "size": len(pod)})
    yield from _team_notes(seating, pod)


def _team_notes(seating: PodSeating, pod: Sitting) -> Iterator[Note]:
    if not seating.tournament.separate_teams:
        return
    teams = {entrant.id: entrant.team for entrant in seating.tournament.entrants}
    for a, b in combinations(pod, 2):
        if same_team(teams, a, b):
            yield Note("separation", POD_RULES["separations"], (a, b), {"team": teams[a]})


def why_at_pod(seating: PodSeating, player: PlayerId) -> list[Note]:
    """Why this table, or why the bye; empty for somebody who is not in the round."""
    if player in seating.assigned_byes:
        return [Note("assigned_bye", "4.1.1", (player,))]
    for pod in seating.pods:
        if player in pod:
            return [_ordinary(seating, pod, player), *_of_table(seating, pod)]
    return []


def _ordinary(seating: PodSeating, pod: Sitting, player: PlayerId) -> Note:
    history, others = seating.history, tuple(other for other in pod if other != player)
    points = [history.points[player], *(history.points[other] for other in others)]
    data = {
        "points": points,
        "size": len(pod),
        "met": sum(history.meeting(player, other).times > 0 for other in others),
        "small": len(pod) < seating.largest,
    }
    return Note("pod", "4.1.8" if len(set(points)) == 1 else POD_RULES["gap"], (player, *others), data)
