"""OMW%, GW% and OGW% (TOURNAMENT_RULES 2.2), as the Magic Tournament Rules define them in their appendix C.

Byes: the player's own adds no opponent and counts 2-0 (1-0) in his GW%; an opponent's counts in his MW% unless the
switch `opponent_byes` strips it. Drops: rounds stop counting, unless `mw_denominator` is "all". An unpaired loss is a
round of MW% without games. A forfeit counts as the opponent and the games that 1.1 says.
"""

from fractions import Fraction
from functools import lru_cache

from tournaments.swiss.ledger import GAME_WIN, NO_GAMES, Ledger
from tournaments.swiss.lines import Line, Share, mean_of_opponents
from tournaments.swiss.types import PlayerId


def opponents_match_win(ledger: Ledger, player: PlayerId) -> Line:
    rules = ledger.tournament.rules
    return mean_of_opponents(ledger, player, "omw", match_win, rules.switches.floor, rules.points.win)


def opponents_game_win(ledger: Ledger, player: PlayerId) -> Line:
    if not ledger.games_known:
        return Line("ogw", None, "mean")
    return mean_of_opponents(ledger, player, "ogw", game_win, ledger.tournament.rules.switches.floor, GAME_WIN)


def match_win(ledger: Ledger, player: PlayerId, end: int) -> Share:
    """MW% of somebody as an opponent: match points over those that he could have made."""
    rules = ledger.tournament.rules
    tally = ledger.tally(player, end, byes=rules.switches.opponent_byes == "count")
    return floored(tally.points, tally.rounds, rules.points.win, rules.switches.floor)


def game_win(ledger: Ledger, player: PlayerId, end: int) -> Share:
    """GW% of somebody as an opponent: game points over those of the games that he played."""
    tally = ledger.tally(player, end)
    return floored(tally.game_points, tally.games, GAME_WIN, ledger.tournament.rules.switches.floor)


def floored(points: int, rounds: int, unit: int, floor: Fraction) -> Share:
    share = Fraction(points, unit * rounds) if rounds else Fraction(0)
    return Share(points, rounds, floor, "floor") if share < floor else Share(points, rounds, share)


def own_game_win(ledger: Ledger, player: PlayerId) -> Line:
    """GW% of the player; without a played game it is the floor, whatever `own_gw_floor` says (2.2)."""
    if not ledger.games_known:
        return Line("gw", None, "ratio")
    switches = ledger.tournament.rules.switches
    entries = ledger.entries[player]
    shares = [_games_share(entry.games or NO_GAMES, switches.drawn_game_points) for entry in entries]
    games = sum(share.rounds for share in shares)
    share = Fraction(sum(share.points for share in shares), GAME_WIN * games) if games else switches.floor
    floor = switches.floor if switches.own_gw_floor else None
    return Line("gw", share if floor is None else max(share, floor), "ratio", entries, shares, floor, GAME_WIN)


@lru_cache(4096)
def _games_share(games: tuple[int, int, int], drawn: int) -> Share:
    won, lost, level = games
    points = GAME_WIN * won + drawn * level
    return Share(points, won + lost + level, points)
