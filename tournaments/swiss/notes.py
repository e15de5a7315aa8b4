"""Why a round is as it is (4.3): which criterion yielded, for whom and why. Codes and data; the prose is the pages'."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from tournaments.swiss.criteria import RULES, float_of, same_team
from tournaments.swiss.history import History
from tournaments.swiss.types import PlayerId, Tournament


@dataclass(frozen=True, slots=True)
class Note:
    """One remark. Codes and their `data`:

    assigned_bye   {}                                     he has his bye by assignment
    bye            {points, lowest, byes, passed_over}    he has the bye; passed_over: {player: reason}, reasons
                   "had_bye" (more byes than he), "worse_round" (his bye would cost an earlier criterion)
    repeat_bye     {byes}                                 nobody with fewer byes could be found
    bye_points     {points, lowest}                       the bye is not in the lowest group
    rematch        {times, last_round}                    they met before, and no full pairing avoids it at less
    float          {points: [high, low], gap}             the higher is paired down
    repeat_down    {points: [high, low]}                  and had been paired down before
    repeat_up      {points: [high, low]}                  the lower had been paired up before
    separation     {team}                                 two of one team meet
    opponent       {points: [own, other], same_points, group, met, by_standings}    (from `why`) the ordinary reason:
                   group: players on his points, himself included; met: how many of them he had met
    """

    code: str
    rule: str
    players: tuple[PlayerId, ...]
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Seating:
    """A round as the notes look at it."""

    tournament: Tournament
    history: History
    pairs: tuple[tuple[PlayerId, PlayerId], ...]
    bye: PlayerId | None
    assigned_byes: tuple[PlayerId, ...]
    by_standings: bool = False

    @cached_property
    def teams(self) -> dict[PlayerId, str | None]:
        """Nobody's while the event does not ask to keep teams apart."""
        entrants = self.tournament.entrants if self.tournament.separate_teams else ()
        return {entrant.id: entrant.team for entrant in entrants}

    @property
    def seated(self) -> list[PlayerId]:
        """Who competes for opponents and the bye; assigned byes have left."""
        return [player for pair in self.pairs for player in pair] + ([] if self.bye is None else [self.bye])

    @property
    def lowest(self) -> int:
        return min(self.history.points[player] for player in [*self.seated, *self.assigned_byes])


def notes_of(seating: Seating) -> tuple[Note, ...]:
    """Everything that yielded in the round, the most important criterion first."""
    notes = [*_assigned(seating), *_bye_notes(seating)]
    for a, b in seating.pairs:
        notes += _pair_notes(seating, a, b)
    return tuple(sorted(notes, key=lambda note: note.rule))


def _assigned(seating: Seating) -> Iterator[Note]:
    for player in seating.assigned_byes:
        yield Note("assigned_bye", "4.1.1", (player,))


def _bye_notes(seating: Seating) -> Iterator[Note]:
    if seating.bye is None:
        return
    points, byes = seating.history.points[seating.bye], seating.history.byes.get(seating.bye, 0)
    if byes:
        yield Note("repeat_bye", RULES["repeat_byes"], (seating.bye,), {"byes": byes})
    if points > seating.lowest:
        data = {"points": points, "lowest": seating.lowest}
        yield Note("bye_points", RULES["bye_points"], (seating.bye,), data)
    yield bye_reason(seating, seating.bye)


def bye_reason(seating: Seating, player: PlayerId) -> Note:
    history = seating.history
    points, byes = history.points[player], history.byes.get(player, 0)
    passed = {
        other: "had_bye" if history.byes.get(other, 0) > byes else "worse_round"
        for other in sorted(seating.seated)
        if history.points[other] < points
    }
    data = {"points": points, "lowest": seating.lowest, "byes": byes, "passed_over": passed}
    return Note("bye", RULES["bye_points"], (player,), data)


def _pair_notes(seating: Seating, a: PlayerId, b: PlayerId) -> Iterator[Note]:
    history = seating.history
    meeting = history.meeting(a, b)
    if meeting.times:
        data = {"times": meeting.times, "last_round": meeting.last}
        yield Note("rematch", RULES["rematches"], (a, b), data)
    if history.points[a] != history.points[b]:
        yield from _float_notes(history, *float_of(history, a, b))
    if same_team(seating.teams, a, b):
        yield Note("separation", RULES["separations"], (a, b), {"team": seating.teams[a]})


def _float_notes(history: History, high: PlayerId, low: PlayerId) -> Iterator[Note]:
    points = [history.points[high], history.points[low]]
    yield Note("float", RULES["gap"], (high, low), {"points": points, "gap": points[0] - points[1]})
    if high in history.downs:
        yield Note("repeat_down", RULES["repeat_downs"], (high, low), {"points": points})
    if low in history.ups:
        yield Note("repeat_up", RULES["repeat_ups"], (low, high), {"points": points})


def why_player(seating: Seating, player: PlayerId) -> list[Note]:
    """Why this opponent, or why the bye; empty for somebody who is not in the round."""
    if player in seating.assigned_byes:
        return [Note("assigned_bye", "4.1.1", (player,))]
    if player == seating.bye:
        return list(_bye_notes(seating))
    for a, b in seating.pairs:
        if player in (a, b):
            other = b if player == a else a
            return [_ordinary(seating, player, other), *_pair_notes(seating, a, b)]
    return []


def _ordinary(seating: Seating, player: PlayerId, other: PlayerId) -> Note:
    history = seating.history
    own, theirs = history.points[player], history.points[other]
    group = [someone for someone in seating.seated if history.points[someone] == own]
    data = {
        "points": [own, theirs],
        "same_points": own == theirs,
        "group": len(group),
        "met": sum(history.meeting(player, someone).times > 0 for someone in group if someone != player),
        "by_standings": seating.by_standings,
    }
    return Note("opponent", "4.1.8" if own == theirs else RULES["gap"], (player, other), data)
