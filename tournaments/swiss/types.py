"""The values that the Swiss core speaks of (TOURNAMENT_RULES 1-2, 4-5). No Django here."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Literal, NewType

PlayerId = NewType("PlayerId", str)
"""The player's public code in the database, the file's id in event files."""


class Outcome(StrEnum):
    """Every way in which a match can end, for the match or for one of its players (1.1).

    A match never stores LOSS: a decided match is WIN (or FORFEIT) and names its winner; LOSS is what the other saw.
    """

    WIN = "win"
    LOSS = "loss"
    DRAW = "draw"
    INTENTIONAL_DRAW = "intentional_draw"
    DOUBLE_LOSS = "double_loss"
    BYE = "bye"
    FORFEIT = "forfeit"
    UNPAIRED_LOSS = "unpaired_loss"
    NOT_PLAYED = "not_played"

    __hash__ = str.__hash__  # an Enum's own runs in Python, and standings look outcomes up by the hundred thousand


@dataclass(frozen=True, slots=True)
class Games:
    """Games won by each seat and drawn games (1.2); goals in Kick On!."""

    a: int
    b: int
    draws: int = 0


@dataclass(frozen=True, slots=True)
class Match:
    """One match of one round; `b` is None for a bye or an unpaired loss.

    `outcome` None: not reported yet, scores nothing. `games` None: unknown (a bye or a forfeit then takes its default).
    """

    round: int
    a: PlayerId
    b: PlayerId | None
    outcome: Outcome | None
    winner: PlayerId | None = None
    games: Games | None = None
    table: int | None = None

    @property
    def players(self) -> tuple[PlayerId, ...]:
        return (self.a,) if self.b is None else (self.a, self.b)

    def opponent(self, player: PlayerId) -> PlayerId | None:
        return self.b if player == self.a else self.a


@dataclass(frozen=True, slots=True)
class Pod:
    """A table of two to four, each for himself. `places` None: not reported yet.

    `places[i]` is where `players[i]` finished, the better place first and shared where the game left it open; what
    counts is their order. None in it: he did not play, and stands behind everybody who did; None in all: not played.
    """

    round: int
    players: tuple[PlayerId, ...]
    places: tuple[int | None, ...] | None = None
    table: int | None = None

    @property
    def played(self) -> bool:
        return self.places is not None and any(place is not None for place in self.places)


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who takes part, and when (5.1, 5.2).

    `last_round`: dropped after that round, 0 = before round 1, None = active. `table`: needs that table (4.4).
    """

    id: PlayerId
    first_round: int = 1
    last_round: int | None = None
    team: str | None = None
    table: int | None = None
    disqualified: bool = False

    @property
    def dropped(self) -> bool:
        return self.last_round is not None

    @property
    def participant(self) -> bool:
        return self.last_round is None or self.last_round > 0

    def active_in(self, round: int) -> bool:
        present = self.first_round <= round and (self.last_round is None or self.last_round >= round)
        return present and not self.disqualified


@dataclass(frozen=True, slots=True)
class Points:
    """Match points (1.4)."""

    win: int = 3
    draw: int = 1
    loss: int = 0
    bye: int = 3


PodPoints = Mapping[int, tuple[int, ...]]
"""Points by finishing place, for each size of a table."""

POD_POINTS: PodPoints = {4: (5, 3, 2, 1), 3: (5, 3, 1), 2: (3, 0)}
"""What a file that says nothing takes (GAMES); an event stores those of its game."""


@dataclass(frozen=True, slots=True)
class Switches:
    """How an event counts its tie-breaks (2.2); the defaults are what an event that says nothing takes."""

    floor: Fraction = Fraction(33, 100)
    own_gw_floor: bool = True
    mw_denominator: Literal["played", "all"] = "played"
    opponents: Literal["per_match", "unique"] = "per_match"
    drawn_game_points: int = 1
    opponent_byes: Literal["count", "strip"] = "count"
    no_opponents: Literal["floor", "zero"] = "floor"
    freeze: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Rules:
    """`pods`: what the places at a table of several are worth; None where two play each other."""

    points: Points = field(default_factory=Points)
    best_of: int = 3
    preset: str = "mtr"
    switches: Switches = field(default_factory=Switches)
    pods: PodPoints | None = None


@dataclass(frozen=True, slots=True)
class Tournament:
    """An event as the core sees it. The order of entrants, matches and pods changes nothing.

    Where pods are played, `matches` holds only whoever sat at no table: byes and unpaired losses.

    `separations`: pairs that must never meet (hard). `assigned_byes`: for the round to be paired.
    `separate_teams`: two of one team should not meet (soft, 4.1 criterion 7).
    """

    id: str
    rules: Rules
    entrants: tuple[Entrant, ...]
    matches: tuple[Match, ...]
    separations: tuple[tuple[PlayerId, PlayerId], ...] = ()
    assigned_byes: tuple[PlayerId, ...] = ()
    separate_teams: bool = False
    pods: tuple[Pod, ...] = ()

    @property
    def last_round(self) -> int:
        rounds = [match.round for match in self.matches] + [pod.round for pod in self.pods]
        return max(rounds, default=0)
