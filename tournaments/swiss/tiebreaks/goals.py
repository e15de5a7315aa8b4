"""Goal difference and goals scored (TOURNAMENT_RULES 2.4): Kick On!, where the games of a result are goals.

Kick On! publishes no rule of standings, so these are football's: every goal of every match counts, those of a
shoot-out do not. A bye and a forfeit are the 1-0 (2-0 in best of 3) of 1.1 and 2.2; an unpaired loss, a double loss
and a table that was not played have no goals. Opponents' goals never enter, so drops change nothing. Where the goals
of one match are unknown both keys are, for everybody (2.2).
"""

from collections.abc import Callable
from functools import lru_cache

from tournaments.swiss.ledger import NO_GAMES, Ledger
from tournaments.swiss.lines import Line, Share, sum_line
from tournaments.swiss.types import PlayerId


def goal_difference(ledger: Ledger, player: PlayerId) -> Line:
    return _over_games(ledger, player, "goal_difference", _difference)


def goals_for(ledger: Ledger, player: PlayerId) -> Line:
    return _over_games(ledger, player, "goals_for", _scored)


def _over_games(ledger: Ledger, player: PlayerId, key: str, share: Callable[[tuple[int, int, int]], Share]) -> Line:
    if not ledger.games_known:
        return Line(key, None, "sum")
    entries = ledger.entries[player]
    return sum_line(key, entries, [share(entry.games or NO_GAMES) for entry in entries])


@lru_cache(4096)
def _difference(games: tuple[int, int, int]) -> Share:
    """`points` are the goals scored, `rounds` those against."""
    scored, against, _ = games
    return Share(scored, against, scored - against)


@lru_cache(4096)
def _scored(games: tuple[int, int, int]) -> Share:
    scored, against, _ = games
    return Share(scored, against, scored)
