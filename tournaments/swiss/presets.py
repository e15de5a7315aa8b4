"""Presets: which tie-breaks order an event (2.2-2.4). Where games disagree, a line here, never an `if` elsewhere.

To add one: its tie-breaks are functions in `tiebreaks/`, its order is an entry of PRESETS; its words are in
`web/explained.py` and its rule in the rulebook.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import lcm

from tournaments.swiss.ledger import Ledger
from tournaments.swiss.lines import GroupBreak, Line, Number, TieBreak, Value
from tournaments.swiss.tiebreaks.buchholz import buchholz, median_buchholz, sonneborn_berger
from tournaments.swiss.tiebreaks.goals import goal_difference, goals_for
from tournaments.swiss.tiebreaks.pods import first_places, left_behind_line, tablemates_share
from tournaments.swiss.tiebreaks.points import cumulative, match_points, match_wins
from tournaments.swiss.tiebreaks.resistance import head_to_head, opponents_opponents_win, opponents_win
from tournaments.swiss.tiebreaks.shares import opponents_game_win, opponents_match_win, own_game_win
from tournaments.swiss.types import PlayerId


@dataclass(frozen=True, slots=True)
class Preset:
    """`keys` name the numbers of the order, most important first; `breaks` compute them, one each.

    `among` come after them, among those who are still level. `rule` is its paragraph in the rulebook. `pods`: for
    tables of several, where no other order makes sense, and for nothing else.
    """

    name: str
    rule: str
    keys: tuple[str, ...]
    breaks: tuple[TieBreak, ...]
    among: tuple[GroupBreak, ...] = ()
    pods: bool = False

    def lines(self, ledger: Ledger) -> dict[PlayerId, tuple[Line, ...]]:
        """Every tie-break of everybody who stands in the standings."""
        lines = {player: self._own(ledger, player) for player in ledger.entries}
        for criterion in self.among:
            for group in _level(ledger, lines):
                for player, line in criterion(ledger, group).items():
                    lines[player] = (*lines[player], line)
        return lines

    def values(self, ledger: Ledger, players: Sequence[PlayerId]) -> dict[PlayerId, tuple[Value, ...]]:
        """The numbers of these players, whoever else stands in the standings."""
        lines = self.lines(ledger) if self.among else {player: self._own(ledger, player) for player in players}
        return {player: tuple(line.value for line in lines[player]) for player in players}

    def sort_keys(self, values: Mapping[PlayerId, tuple[Value, ...]]) -> dict[PlayerId, tuple[int, ...]]:
        """Whole numbers in the order of the values, best first; a key unknown for anybody leaves it for all (2.2).

        Not one of `among`: that is unknown for everybody who is level before it, or for nobody of them.
        """
        columns = [
            _whole([value or 0 for value in column])
            for at, column in enumerate(zip(*values.values(), strict=True))
            if at >= len(self.breaks) or None not in column
        ]
        return dict(zip(values, zip(*columns, strict=True), strict=True))

    def lines_of(self, ledger: Ledger, player: PlayerId) -> tuple[Line, ...]:
        """Those of one player: what is among players needs everybody's."""
        return self.lines(ledger)[player] if self.among else self._own(ledger, player)

    def _own(self, ledger: Ledger, player: PlayerId) -> tuple[Line, ...]:
        return tuple(tie_break(ledger, player) for tie_break in self.breaks)


def _whole(column: list[Number]) -> list[int]:
    """The column, highest first, over one common denominator: integers sort ten times as fast as Fractions."""
    common = lcm(*{number.denominator for number in column})
    return [-number.numerator * (common // number.denominator) for number in column]


def _level(ledger: Ledger, lines: dict[PlayerId, tuple[Line, ...]]) -> list[Sequence[PlayerId]]:
    """Groups of equal numbers so far; a disqualified player stands apart, whatever his numbers (8.5)."""
    groups: dict[object, list[PlayerId]] = defaultdict(list)
    for player, own in lines.items():
        entrant = ledger.entrants.get(player)
        out = entrant is not None and entrant.disqualified
        groups[out, *(line.value for line in own)].append(player)
    return list(groups.values())


PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            "mtr",
            "2.2",
            ("points", "omw", "gw", "ogw"),
            (match_points, opponents_match_win, own_game_win, opponents_game_win),
        ),
        Preset(
            "play_pokemon",
            "2.3",
            ("points", "owp", "oowp", "head_to_head"),
            (match_points, opponents_win, opponents_opponents_win),
            among=(head_to_head,),
        ),
        Preset(
            "match_wins",
            "2.4.1",
            ("wins", "omw", "gw", "ogw"),
            (match_wins, opponents_match_win, own_game_win, opponents_game_win),
        ),
        Preset(
            "buchholz",
            "2.4.2",
            ("points", "median_buchholz", "buchholz", "sonneborn_berger"),
            (match_points, median_buchholz, buchholz, sonneborn_berger),
        ),
        Preset(
            "goals",
            "2.4.3",
            ("points", "goal_difference", "goals_for", "omw"),
            (match_points, goal_difference, goals_for, opponents_match_win),
        ),
        Preset("cumulative", "2.4.4", ("wins", "ctb"), (match_wins, cumulative)),
        Preset(
            "pods",
            "2.4.5",
            ("points", "firsts", "tablemates", "left_behind"),
            (match_points, first_places, tablemates_share, left_behind_line),
            pods=True,
        ),
    )
}
