"""Ratings of a reading: from the base's states where they still hold, by replay from the day that changed (RANKING 2).

Only the worker and the commands import this: it brings numpy, and the engine brings numba when it runs.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from ranking.boards import printed
from ranking.models import Rating, RatingPoint, Snapshot
from ranking.ratings.account import UNIT, whole_points
from ranking.ratings.columns import LAST_DAY, MATCHES, MU, VAR, Floats, Matches, fresh_state
from ranking.ratings.engine import History, rate
from ranking.ratings.parameters import Parameters
from ranking.ratings.stream import date_of
from ranking.services.inputs import EventRead, Reading, Seen

EPOCH = date(1970, 1, 1).toordinal()


@dataclass(frozen=True, slots=True)
class State:
    """A player after his last rated day."""

    player: int
    mu: float
    var: float
    last_day: date
    matches: int


@dataclass(frozen=True, slots=True)
class Point:
    """A player's day, as in the model RatingPoint."""

    player: int
    day: date
    mu_before: float
    var_before: float
    mu: float
    var: float
    matches: int
    account: list[list[float]]


@dataclass(frozen=True, slots=True)
class Ratings:
    """states: of everybody, by player id. points: of the days from `since` on; None: all of them are here."""

    states: list[State]
    points: list[Point]
    since: date | None
    opponents: dict[int, int]


def changed_since(read: Mapping[int, Seen], rated: Mapping[int, Seen]) -> date | None:
    """The first day on which a new, changed, moved or removed event falls; None when all are as they were."""
    differing = [key for key in read.keys() | rated.keys() if digest_of(read, key) != digest_of(rated, key)]
    return min((seen[key].day for key in differing for seen in (read, rated) if key in seen), default=None)


def digest_of(events: Mapping[int, Seen], key: int) -> str | None:
    return events[key].digest if key in events else None


def full(reading: Reading, parameters: Parameters) -> Ratings:
    return _rated(reading, parameters, [], None, reading.events)


def onwards(reading: Reading, parameters: Parameters, base: Snapshot, since: date | None) -> Ratings:
    """As `full`, to the bit, but replaying only the days from `since` on; None: nothing to replay."""
    start = since or date.max
    later = [event for event in reading.events if event.day >= start]
    return _rated(reading, parameters, states_before(base, start), start, later)


def states_before(base: Snapshot, day: date) -> list[State]:
    """The checkpoint of a day: everybody's state after the days before it, out of a published snapshot."""
    ratings = Rating.objects.filter(snapshot=base)
    if not ratings.filter(last_day__gte=day).exists():
        return [State(*row) for row in ratings.values_list("player_id", "mu", "var", "last_day", "matches")]
    points = RatingPoint.objects.filter(snapshot=base, day__lt=day).order_by("player_id", "day")
    rows = points.values_list("player_id", "mu", "var", "day", "matches")
    return list({row[0]: State(*row) for row in rows.iterator(chunk_size=5000)}.values())


def _rated(
    reading: Reading, parameters: Parameters, states: Iterable[State], since: date | None, events: Sequence[EventRead]
) -> Ratings:
    ids = sorted({side for event in reading.events for match in event.matches for side in (match.a, match.b)})
    index = {player: i for i, player in enumerate(ids)}
    state, points = _column(states, index), list[Point]()
    if any(event.matches for event in events):
        keys, matches = _matches(events, index)
        rated = rate(matches, parameters, state)
        assert rated.history is not None
        state, points = rated.state, _points(ids, keys, matches, rated.history, parameters)
    return Ratings(_states(ids, state), points, since, opponents(reading.events))


def _column(states: Iterable[State], index: Mapping[int, int]) -> Floats:
    column = fresh_state(len(index))
    for state in states:
        column[index[state.player]] = state.mu, state.var, state.last_day.toordinal() - EPOCH, state.matches
    return column


def _matches(events: Iterable[EventRead], index: Mapping[int, int]) -> tuple[list[int], Matches]:
    """The ids of the matches, and their columns."""
    rows = [(event.day.toordinal() - EPOCH, *match) for event in events for match in event.matches]
    days, keys, first, second, half_points, sixths = zip(*rows, strict=True)
    a, b = [index[player] for player in first], [index[player] for player in second]
    return list(keys), Matches.of(days, a, b, half_points, sixths=sixths, players=len(index))


def _states(ids: Sequence[int], column: Floats) -> list[State]:
    rows = zip(ids, column.tolist(), strict=True)
    return [State(p, row[MU], row[VAR], date_of(int(row[LAST_DAY])), int(row[MATCHES])) for p, row in rows]


def _points(
    ids: Sequence[int], keys: Sequence[int], matches: Matches, history: History, parameters: Parameters
) -> list[Point]:
    shares = _shares(keys, matches, history, parameters)
    columns = (history.player, history.day, history.mu_before, history.var_before, history.mu, history.var)
    rows = zip(*(column.tolist() for column in columns), history.matches.tolist(), strict=True)
    points = []
    for row, (player, day, mu_before, var_before, mu, var, played) in enumerate(rows):
        lines = account(shares[row], mu_before, mu, parameters)
        points.append(Point(ids[player], date_of(day), mu_before, var_before, mu, var, played, lines))
    return points


def _shares(
    keys: Sequence[int], matches: Matches, history: History, parameters: Parameters
) -> dict[int, list[tuple[int, float]]]:
    """{row of the history: [(match id, change in points), ...]}; the pairs of a table of several added up."""
    shares: dict[int, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    points = (history.shares / UNIT * parameters.scale).tolist()
    sides = zip(matches.row.tolist(), history.row_a.tolist(), history.row_b.tolist(), points, strict=True)
    for position, row_a, row_b, (share_a, share_b) in sides:
        shares[row_a][keys[position]] += share_a
        shares[row_b][keys[position]] += share_b
    return {row: list(by_match.items()) for row, by_match in shares.items()}


def account(
    shares: Sequence[tuple[int, float]], mu_before: float, mu: float, parameters: Parameters
) -> list[list[float]]:
    """[[match id, change, change in whole points]]; the whole ones add up to the change between printed ratings."""
    change = printed(parameters.points(mu)) - printed(parameters.points(mu_before))
    whole = whole_points([share for _, share in shares], change)
    return [[match, round(share, 4), points] for (match, share), points in zip(shares, whole, strict=True)]


def opponents(events: Iterable[EventRead]) -> dict[int, int]:
    """How many different people each one has met in rated matches."""
    pairs = [(min(m.a, m.b), max(m.a, m.b)) for event in events for m in event.matches]
    if not pairs:
        return {}
    players, counts = np.unique(np.unique(np.asarray(pairs, np.int64), axis=0), return_counts=True)
    return dict(zip(players.tolist(), counts.tolist(), strict=True))
