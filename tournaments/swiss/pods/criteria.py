"""The criteria of 4.1 as they stand for tables of several: every pair at a table counts as a pair of 4.1 does."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from tournaments.swiss.criteria import same_team
from tournaments.swiss.pods.history import PodHistory, pod_history
from tournaments.swiss.types import PlayerId, Tournament

Sitting = tuple[PlayerId, ...]


@dataclass(frozen=True, order=True, slots=True)
class PodCriteria:
    """Smaller is better, an earlier one outranks every amount of a later one.

    rematches      earlier meetings, over every pair at every table (4.1.3)
    gap            differences in points, over the same pairs, and `gap_squared` their squares (4.1.5)
    repeat_small   earlier seats at a small table, over those who have one now; small: smaller than the round's largest
    separations    pairs of one team at a table, while the event asks to keep them apart (4.1.7)
    """

    rematches: int = 0
    gap: int = 0
    gap_squared: int = 0
    repeat_small: int = 0
    separations: int = 0


POD_RULES: dict[str, str] = {
    "rematches": "4.1.3",
    "gap": "4.1.5",
    "gap_squared": "4.1.5",
    "repeat_small": "4.1.6",
    "separations": "4.1.7",
}
"""The rule behind each criterion; a small table is what a bye is elsewhere, and stays as fair as pairing down."""


def pod_criteria(tournament: Tournament, round: int, pods: Iterable[Sitting]) -> PodCriteria:
    """Judge any seating of that round."""
    return judge_pods(tournament, pod_history(tournament, round), list(pods))


def judge_pods(tournament: Tournament, history: PodHistory, pods: Sequence[Sitting]) -> PodCriteria:
    teams = {entrant.id: entrant.team for entrant in tournament.entrants} if tournament.separate_teams else {}
    pairs = [pair for pod in pods for pair in combinations(pod, 2)]
    gaps = [abs(history.points[a] - history.points[b]) for a, b in pairs]
    largest = max(map(len, pods), default=0)
    return PodCriteria(
        rematches=sum(history.meeting(a, b).times for a, b in pairs),
        gap=sum(gaps),
        gap_squared=sum(gap * gap for gap in gaps),
        repeat_small=sum(history.small[player] for pod in pods if len(pod) < largest for player in pod),
        separations=sum(same_team(teams, a, b) for a, b in pairs),
    )
