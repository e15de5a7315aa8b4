"""Standings: the order of an event after a round, and how each number comes about (TOURNAMENT_RULES 2)."""

from dataclasses import dataclass
from fractions import Fraction

from tournaments.swiss.chance import lot
from tournaments.swiss.ledger import Ledger, ledger_of
from tournaments.swiss.lines import Line, Term, Value
from tournaments.swiss.presets import PRESETS, Preset
from tournaments.swiss.types import Entrant, Outcome, PlayerId, Tournament

__all__ = ["PRESETS", "Explanation", "Line", "Preset", "Standing", "Term", "Value", "explain", "standings"]

WON = (Outcome.WIN, Outcome.FORFEIT)
LOST = (Outcome.LOSS, Outcome.DOUBLE_LOSS, Outcome.UNPAIRED_LOSS)
DRAWN = (Outcome.DRAW, Outcome.INTENTIONAL_DRAW)


@dataclass(frozen=True, slots=True)
class Standing:
    """One row. `rank` is shared by ties (1, 2, 2, 4); `place` is unique, after the stored draw (2.5).

    `values` follow PRESETS[preset].keys, the order's own numbers; omw, gw and ogw are None where the preset has none of
    them or the games are unknown. `wins` are without byes; `played` counts the rounds taken part in, byes included.
    """

    rank: int
    place: int
    player: PlayerId
    points: int
    omw: Fraction | None
    gw: Fraction | None
    ogw: Fraction | None
    wins: int
    losses: int
    draws: int
    byes: int
    played: int
    dropped: bool
    disqualified: bool
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """Every tie-break of one player with the terms that add up to it (2.6)."""

    player: PlayerId
    lines: tuple[Line, ...]


def standings(tournament: Tournament, after: int | None = None) -> list[Standing]:
    """Everybody's place after a round (None: after everything reported). A disqualified player stands last (8.5)."""
    preset, ledger = PRESETS[tournament.rules.preset], ledger_of(tournament, after)
    values = preset.values(ledger, list(ledger.entries))
    numbers = preset.sort_keys(values)
    keys = {player: (ledger.entrants[player].disqualified, *numbers[player]) for player in values}
    order = sorted(values, key=lambda player: (keys[player], lot(tournament.id, player)))
    rows: list[Standing] = []
    for place, player in enumerate(order, 1):
        tied = place > 1 and keys[order[place - 2]] == keys[player]
        rank = rows[-1].rank if tied else place
        rows.append(_row(rank, place, player, values[player], preset, ledger, ledger.entrants[player]))
    return rows


def _row(
    rank: int,
    place: int,
    player: PlayerId,
    values: tuple[Value, ...],
    preset: Preset,
    ledger: Ledger,
    entrant: Entrant,
) -> Standing:
    own = ledger.entries[player]
    named = dict(zip(preset.keys, values, strict=True))
    outcomes = [entry.outcome for entry in own]
    return Standing(
        rank=rank,
        place=place,
        player=player,
        points=sum([entry.points for entry in own]),
        omw=_share(named.get("omw")),
        gw=_share(named.get("gw")),
        ogw=_share(named.get("ogw")),
        wins=sum([outcome in WON for outcome in outcomes]),
        losses=sum([outcome in LOST for outcome in outcomes]),
        draws=sum([outcome in DRAWN for outcome in outcomes]),
        byes=outcomes.count(Outcome.BYE),
        played=sum([entry.counts for entry in own]),
        dropped=entrant.dropped,
        disqualified=entrant.disqualified,
        values=values,
    )


def _share(value: Value) -> Fraction | None:
    return Fraction(value) if isinstance(value, int) else value


def explain(tournament: Tournament, player: PlayerId, after: int | None = None) -> Explanation:
    """Every term of every tie-break of that player (2.6). KeyError when the player does not stand in the standings."""
    ledger = ledger_of(tournament, after)
    return Explanation(player, PRESETS[tournament.rules.preset].lines_of(ledger, player))
