"""`python -m benchmarks.rating`: the rating engine beside its peers and beside a floor (RANKING 2).

The peers rate a small circuit, because they would take hours for the large one; ours rates both. The floor is what no
engine can do without: reading the columns once, and gathering the states of both players of each match. Times are the
least of several runs, in seconds of one core's processor. Exit 1 when the large circuit takes longer than the goal.
"""

import sys
from argparse import ArgumentParser
from importlib.util import find_spec

from benchmarks.circuit import circuit
from benchmarks.pairing import least_seconds, memory_of
from benchmarks.raters import OURS, PROGRAMS, with_history
from ranking.ratings.columns import Matches, fresh_state

GOAL = 3.0  # seconds for ten million matches of a million players
PER_GOAL = 10_000_000


def main() -> int:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=1_000_000)
    parser.add_argument("--matches", type=int, default=PER_GOAL)
    parser.add_argument("--small", type=int, default=20_000, help="matches for the peers")
    options = parser.parse_args()
    PROGRAMS[OURS](circuit(400, 1_000).matches)()  # compiles
    with_history(circuit(400, 1_000).matches)()
    beside_peers(circuit(options.small // 10, options.small).matches)
    large = circuit(options.players, options.matches).matches
    seconds = on_the_large(large)
    return int(seconds > GOAL * len(large) / PER_GOAL)


def beside_peers(matches: Matches) -> None:
    say(f"| {len(matches):,} matches of {matches.players:,} players | matches a second | times as long |")
    say("|---|--:|--:|")
    ours = None
    for name, prepare in PROGRAMS.items():
        if name != OURS and not name.startswith(OURS) and find_spec(name) is None:
            say(f"| {name} | not installed | |")
            continue
        seconds = least_seconds(prepare(matches))
        ours = ours or seconds
        say(f"| {name} | {len(matches) / seconds:,.0f} | {seconds / ours:,.1f} |")


def on_the_large(matches: Matches) -> float:
    """Seconds of the state alone: what a rebuild of the boards needs."""
    states = fresh_state(matches.players)
    columns = (matches.day, matches.a, matches.b, matches.half_points, matches.rates, matches.sixths)
    runs = {
        "floor: reading the columns": lambda: [int(column.sum()) for column in columns],
        "floor: gathering both states": lambda: [states[side].sum() for side in (matches.a, matches.b)],
        "columns of somebody's, checked and sorted": lambda: Matches.of(
            matches.day, matches.a, matches.b, matches.half_points, players=matches.players
        ),
        OURS: PROGRAMS[OURS](matches),
        "kounter, with history": with_history(matches),
    }
    say(f"\n| {len(matches):,} matches of {matches.players:,} players | seconds | M matches/s | MB |")
    say("|---|--:|--:|--:|")
    seconds = {}
    for name, run in runs.items():
        seconds[name] = least_seconds(run)
        rate = len(matches) / seconds[name] / 1e6
        say(f"| {name} | {seconds[name]:.2f} | {rate:,.1f} | {memory_of(run):,.0f} |")
    return seconds[OURS]


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
