"""`python -m benchmarks.standings`: every preset, and the chances of the cut, as ratios to adding up points."""

import sys
from collections.abc import Callable
from dataclasses import replace
from time import process_time

from benchmarks.events import played
from tournaments.swiss.presets import PRESETS
from tournaments.swiss.scoring import points_after
from tournaments.swiss.standings import standings
from tournaments.swiss.types import Match
from tournaments.swiss.whatif.outlook import outlook

REPEATS = 5


def main() -> None:
    big = list(played(2000, 11, draws=0.1))[-1].tournament
    floor = seconds(lambda: points_after(big, 10))
    say("2,000 players, 10 rounds: points", floor, floor)
    for name in PRESETS:
        event = replace(big, rules=replace(big.rules, preset=name))
        say(f"standings, {name}", seconds(lambda event=event: standings(event)), floor)  # type: ignore[misc]
    hall = list(played(64, 6, draws=0.1, drops=0))[-1]
    tables = tuple(Match(6, a, b, None) for a, b in zip(hall.playing[::2], hall.playing[1::2], strict=True))
    last = replace(hall.tournament, matches=(*hall.tournament.matches, *tables))
    floor = seconds(lambda: standings(last))
    say("64 players, last round: standings", floor, floor)
    say("chances of a Top 8, all of them", seconds(lambda: outlook(last, 6, 8)), floor)


def seconds(work: Callable[[], object]) -> float:
    taken = []
    for _ in range(REPEATS):
        start = process_time()
        work()
        taken.append(process_time() - start)
    return min(taken)


def say(what: str, took: float, floor: float) -> None:
    sys.stdout.write(f"{what:<56} {1000 * took:8.1f} ms {took / floor:8.1f}\n")


if __name__ == "__main__":
    main()
