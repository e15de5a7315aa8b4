"""OWP, OOWP and head-to-head (TOURNAMENT_RULES 2.3), as Play! Pokémon publishes its tie-breakers.

A win is 1, a tie 0.5, over the rounds that he took part in. Byes are removed everywhere: no opponent for who had it,
neither round nor win for his opponents. Nobody counts for less than 25 %, nor an opponent who dropped for more than
75 %. An unpaired loss is a round lost. A forfeit counts as the opponent and the result that 1.1 says. The match points
that come first are the event's own (3-1-0 by default): W 1 and T 0.5 are the weights of these percentages.
The switches `floor` and `opponent_byes` do not speak here: 2.3 fixes both.
"""

from collections.abc import Sequence
from fractions import Fraction

from tournaments.swiss.ledger import Entry, Ledger
from tournaments.swiss.lines import Line, Number, Share, mean, mean_of_opponents, sum_line, table
from tournaments.swiss.types import Outcome, PlayerId

FLOOR = Fraction(1, 4)
CAP = Fraction(3, 4)

HALVES = {
    Outcome.WIN: 2,
    Outcome.FORFEIT: 2,
    Outcome.BYE: 2,
    Outcome.DRAW: 1,
    Outcome.INTENTIONAL_DRAW: 1,
}
"""Half points of a result, W 1 and T 0.5; whatever is not here gives none."""


def halves(entry: Entry) -> int:
    return 0 if entry.outcome is None else HALVES.get(entry.outcome, 0)


def halved(number: int) -> Number:
    """Half of it, whole numbers as int."""
    return Fraction(number, 2) if number % 2 else number // 2


def opponents_win(ledger: Ledger, player: PlayerId) -> Line:
    return mean_of_opponents(ledger, player, "owp", win_share, FLOOR, 1)


def opponents_opponents_win(ledger: Ledger, player: PlayerId) -> Line:
    """The mean of the opponents' own OWP: floor and cap have had their say inside it."""
    return mean_of_opponents(ledger, player, "oowp", resistance, FLOOR, 1)


def win_share(ledger: Ledger, player: PlayerId, end: int) -> Share:
    """Win percentage of somebody as an opponent. The cap is for who missed a round that counts (`left_before`)."""
    own = ledger.entries.get(player, [])
    won = sum(halves(entry) for entry in own if entry.round <= end and entry.outcome is not Outcome.BYE)
    rounds = ledger.tally(player, end, byes=False).rounds
    share = Fraction(won, 2 * rounds) if rounds else Fraction(0)
    if share < FLOOR:
        return Share(halved(won), rounds, FLOOR, "floor")
    if share > CAP and ledger.left_before(player, end):
        return Share(halved(won), rounds, CAP, "cap")
    return Share(halved(won), rounds, share)


def resistance(ledger: Ledger, player: PlayerId, end: int) -> Share:
    """OWP of somebody as an opponent: he has met at least the one who asks. `rounds` counts his opponents."""
    worth = table(ledger, win_share, end)
    shares = [worth[entry.opponent].value for entry in ledger.opponents(player, end) if entry.opponent is not None]
    value = mean(shares)
    return Share(value * len(shares), len(shares), value)


def head_to_head(ledger: Ledger, group: Sequence[PlayerId]) -> dict[PlayerId, Line]:
    """W 1, T 0.5 from the matches between players who are level in everything before; only when all of them have met,
    else it says nothing about any of them and the stored draw decides (2.5)."""
    if not _all_met(ledger, group):
        return {player: Line("head_to_head", None, "sum") for player in group}
    tied = frozenset(group)
    return {player: _between(ledger, player, tied) for player in group}


def _all_met(ledger: Ledger, group: Sequence[PlayerId]) -> bool:
    if len(group) < 2 or any(len(ledger.entries[player]) < len(group) - 1 for player in group):
        return False
    tied = frozenset(group)
    return all(tied <= {player, *(entry.opponent for entry in ledger.entries[player])} for player in group)


def _between(ledger: Ledger, player: PlayerId, tied: frozenset[PlayerId]) -> Line:
    entries = [entry for entry in ledger.entries[player] if entry.opponent in tied]
    return sum_line("head_to_head", entries, [Share(n := halved(halves(entry)), 1, n) for entry in entries])
