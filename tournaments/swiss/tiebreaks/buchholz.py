"""Buchholz, median Buchholz and Sonneborn-Berger (TOURNAMENT_RULES 2.4), as FIDE's tie-break regulations (Handbook
C.07) have them, article 16 for rounds without an opponent, in the event's match points.

Byes: the player's own round counts a dummy opponent who has his own points, at most as many as drawing every round
gives; for his opponents his bye counts the points that it gave. Drops, late entries, unpaired losses and tables
without a result are rounds sat out: the same dummy for the player; for his opponents they count as given, and as
draws those that he sat out at the end, after his last match. A forfeit is a match between the two: 1.1 says that it
counts as an opponent (FIDE has that as the option "played").
The switches of percentages do not speak here; `opponents` and `freeze` do.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import takewhile

from tournaments.swiss.ledger import Entry, Ledger
from tournaments.swiss.lines import Line, Share, sum_line, table
from tournaments.swiss.tiebreaks.resistance import halves
from tournaments.swiss.types import PlayerId


def buchholz(ledger: Ledger, player: PlayerId) -> Line:
    """Sum of the opponents' points."""
    return sum_line("buchholz", *contributions(ledger, player))


def median_buchholz(ledger: Ledger, player: PlayerId) -> Line:
    """Buchholz without its lowest and its highest; a round that he sat out is the first to be cut as the lowest."""
    entries, shares = contributions(ledger, player)
    cut = _extremes(entries, shares)
    kept = [Share(s.points, s.rounds, 0, "cut") if i in cut else s for i, s in enumerate(shares)]
    return sum_line("median_buchholz", entries, kept)


def _extremes(entries: Sequence[Entry], shares: Sequence[Share]) -> set[int]:
    """Places of the lowest and of the highest; with one alone it is both."""
    places = range(len(shares))
    if not places:
        return set()
    low = min(places, key=lambda i: (not entries[i].sat_out, shares[i].value))
    high = max((i for i in places if i != low), key=lambda i: shares[i].value, default=low)
    return {low, high}


def sonneborn_berger(ledger: Ledger, player: PlayerId) -> Line:
    """The points of those he beat and half of those he drew with; a bye beats the dummy."""
    entries, shares = contributions(ledger, player)
    worth = [_worth(share, halves(entry)) for entry, share in zip(entries, shares, strict=True)]
    return sum_line("sonneborn_berger", entries, worth)


@lru_cache(4096)
def _worth(share: Share, halves: int) -> Share:
    return Share(share.points, share.rounds, Fraction(share.value * halves, 2))


def contributions(ledger: Ledger, player: PlayerId) -> tuple[list[Entry], list[Share]]:
    """Round by round, what the opponent is worth; nothing yet for a table that has not reported."""
    key = ("contributions", player)
    if key not in ledger.memo:
        ledger.memo[key] = _contributions(ledger, player)
    found: tuple[list[Entry], list[Share]] = ledger.memo[key]
    return found


def _contributions(ledger: Ledger, player: PlayerId) -> tuple[list[Entry], list[Share]]:
    end = ledger.end_of(player)
    alone = [e for e in ledger.rounds_of(player, end) if e.opponent is None and e.outcome is not None]
    entries = sorted([*ledger.opponents(player, end), *alone])
    dummy = _dummy(ledger, player, end) if alone else Share(0, 0, 0)
    worth = table(ledger, score, end)
    return entries, [dummy if e.opponent is None else worth[e.opponent] for e in entries]


def _dummy(ledger: Ledger, player: PlayerId, end: int) -> Share:
    own = ledger.tally(player, end).points
    most = ledger.tournament.rules.points.draw * end
    return Share(most, 0, most, "cap") if own > most else Share(own, 0, own)


def score(ledger: Ledger, player: PlayerId, end: int) -> Share:
    """Points of somebody as an opponent; `rounds` counts those at the end that he sat out, each worth a draw."""
    rounds = ledger.rounds_of(player, end)
    out = list(takewhile(lambda entry: entry.sat_out, reversed(rounds)))
    total = sum(entry.points for entry in rounds) + len(out) * ledger.tournament.rules.points.draw
    return Share(total, len(out), total)
