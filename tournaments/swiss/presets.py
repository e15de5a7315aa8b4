"""Presets: which tie-breaks order an event (2.2-2.4). Where games disagree, a line here, never an `if` elsewhere."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.swiss.ledger import Ledger
from tournaments.swiss.tiebreaks import (
    Line,
    TieBreak,
    Value,
    match_points,
    opponents_game_win,
    opponents_match_win,
    own_game_win,
)
from tournaments.swiss.types import PlayerId


@dataclass(frozen=True, slots=True)
class Preset:
    """`keys` name the numbers of the order, most important first; `breaks` compute them, one each."""

    name: str
    keys: tuple[str, ...]
    breaks: tuple[TieBreak, ...]

    def lines(self, ledger: Ledger, player: PlayerId) -> tuple[Line, ...]:
        return tuple(tie_break(ledger, player) for tie_break in self.breaks)

    def values(self, ledger: Ledger, players: Sequence[PlayerId]) -> dict[PlayerId, tuple[Value, ...]]:
        return {player: tuple(line.value for line in self.lines(ledger, player)) for player in players}


PRESETS: dict[str, Preset] = {
    "mtr": Preset(
        "mtr",
        ("points", "omw", "gw", "ogw"),
        (match_points, opponents_match_win, own_game_win, opponents_game_win),
    ),
}
