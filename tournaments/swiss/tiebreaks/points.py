"""Match points, match wins and the cumulative tie-break (TOURNAMENT_RULES 1.4, 2.4)."""

from fractions import Fraction
from functools import lru_cache
from itertools import accumulate

from tournaments.swiss.ledger import Entry, Ledger
from tournaments.swiss.lines import Line, Share, sum_line
from tournaments.swiss.types import Outcome, PlayerId

WINS = frozenset({Outcome.WIN, Outcome.FORFEIT, Outcome.BYE})
"""A bye is worth a win (1.4), and so is an opponent who did not come (1.1)."""

CTB_WEIGHT = 4


def match_points(ledger: Ledger, player: PlayerId) -> Line:
    entries = ledger.entries[player]
    return sum_line("points", entries, [_plain(entry.points, entry.counts) for entry in entries])


def match_wins(ledger: Ledger, player: PlayerId) -> Line:
    """Matches won, byes and wins by forfeit among them; a draw is no win, agreed or not."""
    entries = ledger.entries[player]
    return sum_line("wins", entries, [_plain(won(entry), entry.counts) for entry in entries])


@lru_cache(1024)
def _plain(points: int, counts: bool) -> Share:
    return Share(points, int(counts), points)


def won(entry: Entry) -> int:
    return int(entry.outcome in WINS)


def cumulative(ledger: Ledger, player: PlayerId) -> Line:
    """CTB after a round = CTB before it / 4 + wins so far: of two with as many wins, who had more the last time that
    they differed goes first (the cumulative tie-break that Wizards of the Coast published in 2013, with wins).

    Every round of the event counts for everybody, or the last time would not be the same for both: a round that he
    missed, before he came or after he left, repeats his wins. Byes and forfeits are wins.
    Lost, won, won: 0, then 0/4 + 1 = 1, then 1/4 + 2 = 2.25.
    """
    end = ledger.end_of(player)
    entries = ledger.rounds_of(player, end)
    totals = accumulate(won(entry) for entry in entries)
    shares = [_faded(wins, end - entry.round) for entry, wins in zip(entries, totals, strict=True)]
    return sum_line("ctb", entries, shares)


@lru_cache(4096)
def _faded(wins: int, rounds: int) -> Share:
    """Wins so far, as they weigh that many rounds later."""
    return Share(wins, rounds, Fraction(wins, CTB_WEIGHT**rounds))
