"""What a place at a table is worth, and who finished before whom."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from tournaments.swiss.types import Outcome, PlayerId, Pod, PodPoints

Places = Sequence[int | None]


def finish(places: Places) -> tuple[int, ...]:
    """The places as 1, 2, 2, 4, with whoever did not play behind the others.

    >>> finish((2, 1, None, None)), finish((1, 1, 2))
    ((2, 1, 3, 3), (1, 1, 3))
    """
    keys = [(place is None, place or 0) for place in places]
    return tuple(1 + sum(other < key for other in keys) for key in keys)


def points_by_seat(places: Places, points: PodPoints) -> tuple[int, ...]:
    """Points of each seat. Who shares places shares their points, rounded down: never more than there was to win.

    At a table of two that is the single point of a draw (1.4).

    >>> points_by_seat((1, 1, 3, None), {4: (5, 3, 2, 1)})
    (4, 4, 2, 1)
    """
    order, worth = finish(places), points[len(places)]
    shared = {place: order.count(place) for place in order}
    return tuple(sum(worth[place - 1 : place - 1 + shared[place]]) // shared[place] for place in order)


def pod_points(pod: Pod, player: PlayerId, points: PodPoints) -> int:
    """0 while the table is not reported, and where nobody played."""
    if pod.places is None or not pod.played:
        return 0
    return points_by_seat(pod.places, points)[pod.players.index(player)]


def best_points(pod: Pod, points: PodPoints) -> int:
    """What the first place at this table is worth."""
    return points[len(pod.players)][0] if pod.played else 0


def pod_outcome(pod: Pod, player: PlayerId) -> Outcome | None:
    """A first place of one's own is a win, a shared one a draw, anything else a loss."""
    if pod.places is None:
        return None
    if not pod.played:
        return Outcome.NOT_PLAYED
    order = finish(pod.places)
    if order[pod.players.index(player)] > 1:
        return Outcome.LOSS
    return Outcome.WIN if order.count(1) == 1 else Outcome.DRAW


def table_outcome(places: Places | None) -> tuple[Outcome, int | None]:
    """How the table ended as a whole, and the seat that won it: a shared first place is a draw.

    With one who came and nobody else it is his by forfeit; with nobody it was not played (1.1).

    >>> table_outcome((2, 1, 3)), table_outcome((1, None))
    ((<Outcome.WIN: 'win'>, 1), (<Outcome.FORFEIT: 'forfeit'>, 0))
    """
    came = [seat for seat, place in enumerate(places or ()) if place is not None]
    if places is None or not came:
        return Outcome.NOT_PLAYED, None
    order = finish(places)
    if order.count(1) > 1:
        return Outcome.DRAW, None
    return (Outcome.FORFEIT if len(came) == 1 else Outcome.WIN), order.index(1)


def left_behind(pod: Pod, player: PlayerId) -> int:
    """How many at the table finished behind that player."""
    if pod.places is None or not pod.played:
        return 0
    order = finish(pod.places)
    return sum(place > order[pod.players.index(player)] for place in order)


def tablemates(pod: Pod, player: PlayerId) -> Iterator[PlayerId]:
    return (other for other in pod.players if other != player)


def is_pod_meeting(pod: Pod) -> bool:
    """Those who sit and have not reported have met; where nobody played, nobody has."""
    return pod.places is None or pod.played


def duels(pod: Pod) -> Iterator[tuple[PlayerId, PlayerId, int]]:
    """The table as its pairs, for the rating: (a, b, half points of a), without whoever did not play (RANKING 2.4)."""
    if pod.places is None:
        return
    sat = [(player, place) for player, place in zip(pod.players, pod.places, strict=True) if place is not None]
    for (a, first), (b, second) in combinations(sat, 2):
        yield a, b, 1 if first == second else 2 * (first < second)
