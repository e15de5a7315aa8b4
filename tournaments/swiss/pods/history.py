"""What earlier rounds mean for the next pods: points, meetings and small tables, from the match list alone (2.1)."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from tournaments.swiss.history import NEVER, Meeting, pair_key
from tournaments.swiss.pods.scoring import is_pod_meeting
from tournaments.swiss.scoring import points_after
from tournaments.swiss.types import PlayerId, Pod, Tournament

Pair = tuple[PlayerId, PlayerId]


@dataclass(frozen=True, slots=True)
class PodHistory:
    """The state before a round. `small`: how often somebody sat at a table smaller than its round's largest."""

    points: dict[PlayerId, int]
    meetings: dict[Pair, Meeting]
    small: Counter[PlayerId]

    def meeting(self, a: PlayerId, b: PlayerId) -> Meeting:
        return self.meetings.get(pair_key(a, b), NEVER)


def pod_history(tournament: Tournament, round: int) -> PodHistory:
    meetings: dict[Pair, Meeting] = {}
    small: Counter[PlayerId] = Counter()
    for pods in _by_round(pod for pod in tournament.pods if pod.round < round):
        small.update(in_small(pods))
        for pod in filter(is_pod_meeting, pods):
            for pair in combinations(pod.players, 2):
                key = pair_key(*pair)
                meetings[key] = Meeting(meetings.get(key, NEVER).times + 1, pod.round)
    return PodHistory(points_after(tournament, round - 1), meetings, small)


def _by_round(pods: Iterable[Pod]) -> list[list[Pod]]:
    rounds: dict[int, list[Pod]] = defaultdict(list)
    for pod in pods:
        rounds[pod.round].append(pod)
    return [rounds[number] for number in sorted(rounds)]


def in_small(pods: list[Pod]) -> list[PlayerId]:
    """Who sits at a table of a round that is smaller than its largest."""
    largest = max((len(pod.players) for pod in pods), default=0)
    return [player for pod in pods if len(pod.players) < largest for player in pod.players]
