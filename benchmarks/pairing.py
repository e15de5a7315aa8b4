"""`make bench`: the pairing engine beside its peers, time, memory and criteria (TOURNAMENT_RULES 4.1).

Every case is a round of an event as played (`events.py`): so many players, 4 % or 30 % draws, drops, byes. A time is
the least of several runs, in seconds of the processor, so that other programs disturb little. `input` is what a program
takes to prepare its own input (for ours the field, lots by SHA-256 included), `time` what it takes to pair. Exit 1 when
a peer has a better round anywhere, or when a goal of docs/benchmarks.md is missed.
"""

import gc
import os
import resource
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass
from functools import partial
from math import log

from benchmarks.events import Round, played
from benchmarks.peers import OURS, PROGRAMS, Answer, Run
from tournaments.swiss.criteria import Criteria, criteria_of

SIZES = (8, 32, 128, 512, 2048, 10_000)
ROUNDS = (1, 5, 10, 15)
DRAWS = (0.04, 0.3)
GOAL_512_R10, GOAL_10_000 = 2.0, 20.0
SHORT = ("byes", "rematch", "recency", "bye pts", "gap", "gap²", "downs", "ups", "apart")


@dataclass(frozen=True, slots=True)
class Measure:
    """One program on one round. `criteria` None: no legal round, and `failure` says how."""

    input: float
    seconds: float = 0.0
    megabytes: float = 0.0
    criteria: Criteria | None = None
    failure: str = ""

    @property
    def remark(self) -> str:
        if self.criteria is None:
            return self.failure
        yields = [f"{name} {value}" for name, value in zip(SHORT, astuple(self.criteria), strict=True) if value]
        return ", ".join(yields) or "clean"


@dataclass(frozen=True, slots=True)
class Case:
    size: int
    round: int
    draws: float
    playing: int
    measures: dict[str, Measure]

    @property
    def ours(self) -> Measure:
        return self.measures[OURS]

    @property
    def peers(self) -> dict[str, Measure]:
        return {name: measure for name, measure in self.measures.items() if name != OURS}

    @property
    def beaten_by(self) -> list[str]:
        mine = self.ours.criteria
        assert mine is not None
        return [name for name, peer in self.peers.items() if peer.criteria is not None and peer.criteria < mine]

    def ratio(self, name: str) -> float:
        """How many times as long as ours; 0 for a program that failed."""
        return self.measures[name].seconds / self.ours.seconds

    def __str__(self) -> str:
        return f"{self.size:,} r{self.round}, {self.draws:.0%} draws ({self.playing:,})"


def cases(sizes: list[int], rounds: list[int], draws: float, names: list[str]) -> Iterator[Case]:
    for size in sizes:
        for before in played(size, max(rounds), draws):
            if before.number in rounds:
                found = {name: measure(before, PROGRAMS[name]) for name in [OURS, *names]}
                measures = {name: one for name, one in found.items() if one is not None}
                yield Case(size, before.number, draws, len(before.playing), measures)


def measure(before: Round, prepare: Callable[[Round], Run | None]) -> Measure | None:
    """None for a program that is not asked, the case being too large for it."""
    run = prepare(before)
    if run is None:
        return None
    ready = least_seconds(partial(prepare, before))
    try:
        answer, megabytes = run(), memory_of(run)
    except Exception as failure:  # a peer's own, whatever it is, is what the table reports
        return Measure(ready, failure=f"raises {type(failure).__name__}")
    return Measure(ready, least_seconds(run), megabytes, *judged(before, answer))


def least_seconds(run: Callable[[], object]) -> float:
    """Three runs to thirty, without the collector, as timeit does; two of what takes long."""
    times: list[float] = []
    gc.disable()
    while len(times) < 3 or (sum(times) < 1 and len(times) < 30):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
        if len(times) > 1 and times[-1] > 1:
            break
    gc.enable()
    return min(times)


def judged(before: Round, answer: Answer) -> tuple[Criteria | None, str]:
    pairs, alone = answer
    seated = [player for pair in pairs for player in pair] + alone
    if sorted(seated) != sorted(before.playing):
        return None, "seats somebody twice or not at all"
    if len(alone) > len(before.playing) % 2:
        return None, f"leaves {len(alone)} without an opponent"
    return criteria_of(before.tournament, before.number, pairs, alone[0] if alone else None), ""


def memory_of(run: Callable[[], object]) -> float:
    """Megabytes that one run adds to the peak of a process of its own."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        try:
            run()
        finally:
            added = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
            os.write(writer, str(added).encode())
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as result:
        added = int(result.read())
    os.waitpid(child, 0)
    return added / 1024


def lines(case: Case) -> Iterator[str]:
    for name, one in case.measures.items():
        times = " | | "
        if one.seconds:
            times = f"{one.seconds * 1000:.1f} | {shown(case.ratio(name))} | {one.megabytes:.0f}"
        yield f"| {case} | {name} | {one.input * 1000:.1f} | {times} | {one.remark} |"


def shown(ratio: float) -> str:
    return f"{ratio:.2g}" if ratio < 10 else f"{ratio:,.0f}"


def exponent(found: list[Case], round: int) -> float:
    """Slope of log(time) over log(players) from 512 on, by least squares."""
    large = [case for case in found if case.round == round and case.size >= 512]
    if len(large) < 2:
        return float("nan")
    points = [(log(case.playing), log(case.ours.seconds)) for case in large]
    x, y = (sum(values) / len(points) for values in zip(*points, strict=True))
    slope: float = sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)
    return slope


def missed(found: list[Case]) -> Iterator[str]:
    for case in found:
        ratios = {name: case.ratio(name) for name, peer in case.peers.items() if peer.seconds}
        for name in case.beaten_by:
            yield f"{name} has a better round: {case}"
        if case.size == 10_000 and ratios and min(ratios.values()) < GOAL_10_000:
            yield f"less than {GOAL_10_000:.0f} times the best peer: {case}"
        if (case.size, case.round) == (512, 10) and ratios.get("swisspair", 1) * GOAL_512_R10 < 1:
            yield f"more than {GOAL_512_R10} of swisspair: {case}"


def main() -> int:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES))
    parser.add_argument("--rounds", type=int, nargs="+", default=list(ROUNDS))
    parser.add_argument("--draws", type=float, nargs="+", default=list(DRAWS))
    parser.add_argument("--peers", nargs="*", default=[name for name in PROGRAMS if name != OURS])
    options = parser.parse_args()
    write = sys.stdout.write
    write("| players, round (playing) | program | input, ms | time, ms | ratio | MB | criteria |\n")
    write("|---|---|--:|--:|--:|--:|---|\n")
    faults: list[str] = []
    for draws in options.draws:
        found = []
        for case in cases(options.sizes, options.rounds, draws, options.peers):
            found.append(case)
            write("".join(f"{line}\n" for line in lines(case)))
            sys.stdout.flush()
        slopes = ", ".join(f"r{number} {exponent(found, number):.2f}" for number in options.rounds)
        write(f"\ngrowth from 512 players on, {draws:.0%} draws, as a power of the players: {slopes}\n\n")
        faults += missed(found)
    write("".join(f"{fault}\n" for fault in faults) or "every goal reached\n")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
