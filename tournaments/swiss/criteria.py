"""The criteria of 4.1 as they are judged: for a pairing of ours, a swapped draft, or a round stored long ago."""

from collections.abc import Iterable
from dataclasses import dataclass

from tournaments.swiss.history import History, history_before
from tournaments.swiss.types import PlayerId, Tournament


@dataclass(frozen=True, order=True, slots=True)
class Criteria:
    """Smaller is better, an earlier one outranks every amount of a later one: the order of the fields is the rule."""

    repeat_byes: int = 0
    rematches: int = 0
    rematch_recency: int = 0
    bye_points: int = 0
    gap: int = 0
    gap_squared: int = 0
    repeat_downs: int = 0
    repeat_ups: int = 0
    separations: int = 0


RULES: dict[str, str] = {
    "repeat_byes": "4.1.2",
    "rematches": "4.1.3",
    "rematch_recency": "4.1.3",
    "bye_points": "4.1.4",
    "gap": "4.1.5",
    "gap_squared": "4.1.5",
    "repeat_downs": "4.1.6",
    "repeat_ups": "4.1.6",
    "separations": "4.1.7",
}
"""The rule behind each criterion."""


def criteria_of(
    tournament: Tournament,
    round: int,
    pairs: Iterable[tuple[PlayerId, PlayerId]],
    bye: PlayerId | None = None,
    assigned_byes: Iterable[PlayerId] = (),
) -> Criteria:
    """Judge any pairing of that round. The lowest player of `bye_points` is the lowest of those named here."""
    return judge(tournament, history_before(tournament, round), list(pairs), bye, list(assigned_byes))


def judge(
    tournament: Tournament,
    history: History,
    pairs: list[tuple[PlayerId, PlayerId]],
    bye: PlayerId | None,
    assigned_byes: list[PlayerId],
) -> Criteria:
    teams = {entrant.id: entrant.team for entrant in tournament.entrants} if tournament.separate_teams else {}
    seated = [player for pair in pairs for player in pair] + assigned_byes + ([] if bye is None else [bye])
    gaps = [abs(history.points[a] - history.points[b]) for a, b in pairs]
    floats = [float_of(history, a, b) for (a, b), gap in zip(pairs, gaps, strict=True) if gap]
    meetings = [history.meeting(a, b) for a, b in pairs]
    return Criteria(
        repeat_byes=0 if bye is None else history.byes.get(bye, 0),
        rematches=sum(meeting.times for meeting in meetings),
        rematch_recency=sum(meeting.last for meeting in meetings),
        bye_points=0 if bye is None else history.points[bye] - min(history.points[player] for player in seated),
        gap=sum(gaps),
        gap_squared=sum(gap * gap for gap in gaps),
        repeat_downs=sum(high in history.downs for high, _ in floats),
        repeat_ups=sum(low in history.ups for _, low in floats),
        separations=sum(same_team(teams, a, b) for a, b in pairs),
    )


def float_of(history: History, a: PlayerId, b: PlayerId) -> tuple[PlayerId, PlayerId]:
    """(higher, lower) by points before the round."""
    return (a, b) if history.points[a] >= history.points[b] else (b, a)


def same_team(teams: dict[PlayerId, str | None], a: PlayerId, b: PlayerId) -> bool:
    return teams.get(a) is not None and teams.get(a) == teams.get(b)
