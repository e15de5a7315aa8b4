"""Where several sit at a table: first places, the strength of the tablemates, whom one left behind (GAMES, Ataquerrr).

Decision, as no published rule is asked for: points > first places > tablemates > left behind. First places come before
the tablemates because one wins by being the last who stands; the tablemates are a mean of shares, since tables of four
and of three are worth different points; who left more behind finished better where places were worth the same.
"""

from fractions import Fraction

from tournaments.swiss.ledger import Entry, Ledger
from tournaments.swiss.lines import Line, Share, mean, sum_line, table
from tournaments.swiss.pods.scoring import best_points, left_behind, tablemates
from tournaments.swiss.types import POD_POINTS, Outcome, PlayerId, Pod


def first_places(ledger: Ledger, player: PlayerId) -> Line:
    """Tables that he won alone: a shared first place is none, and a bye is no table."""
    entries = ledger.entries[player]
    first = [int(entry.outcome is Outcome.WIN) for entry in entries]
    shares = [Share(own, int(entry.counts), own) for entry, own in zip(entries, first, strict=True)]
    return sum_line("firsts", entries, shares)


def tablemates_share(ledger: Ledger, player: PlayerId) -> Line:
    """Mean over everybody he sat with, each time anew, of the points that they took out of those that they could."""
    end = ledger.end_of(player)
    worth = table(ledger, points_share, end)
    entries = [
        _with(entry, mate)
        for entry, pod in _pods(ledger, player, end)
        if pod is not None and pod.played
        for mate in tablemates(pod, player)
    ]
    shares = [worth[entry.opponent] for entry in entries if entry.opponent is not None]
    value = mean([share.value for share in shares]) if shares else Fraction(0)
    return Line("tablemates", value, "mean", entries, shares)


def points_share(ledger: Ledger, player: PlayerId, end: int) -> Share:
    """Points over what the first places at his tables were worth; an assigned loss is a table of four, a bye a bye."""
    rows = _pods(ledger, player, end)
    points = sum(entry.points for entry, _ in rows)
    whole = sum(_whole(ledger, entry, pod) for entry, pod in rows)
    return Share(points, whole, Fraction(points, whole) if whole else Fraction(0))


def _whole(ledger: Ledger, entry: Entry, pod: Pod | None) -> int:
    rules = ledger.tournament.rules
    points = rules.pods or POD_POINTS
    if pod is not None:
        return best_points(pod, points)
    if entry.outcome is Outcome.BYE:
        return rules.points.bye
    return points[max(points)][0] if entry.counts else 0


def left_behind_line(ledger: Ledger, player: PlayerId) -> Line:
    """How many at his tables finished behind him: a second place among four is more than one among three."""
    rows = _pods(ledger, player, ledger.end_of(player))
    behind = [0 if pod is None else left_behind(pod, player) for _, pod in rows]
    shares = [Share(own, int(entry.counts), own) for (entry, _), own in zip(rows, behind, strict=True)]
    return sum_line("left_behind", [entry for entry, _ in rows], shares)


def _pods(ledger: Ledger, player: PlayerId, end: int) -> list[tuple[Entry, Pod | None]]:
    """His rounds up to `end`, each with its table; None where he sat at none."""
    pods = {pod.round: pod for pod in ledger.pods.get(player, ())}
    return [(entry, pods.get(entry.round)) for entry in ledger.entries.get(player, []) if entry.round <= end]


def _with(entry: Entry, mate: PlayerId) -> Entry:
    return entry._replace(opponent=mate)
