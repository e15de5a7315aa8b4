"""`make verify-pairing`: the engine against every round there is, and against dense exact matching (4.2).

The objective is `brute.Judge`, written apart from the engine; the dense matching sees every pair and takes no shortcut.
The suite runs a slice of this (test_pairing_brute.py).
"""

import random
import sys
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import combinations

import rustworkx

from tests.core.swiss.brute import Judge, Pairs, every_round
from tests.core.swiss.wild import played_event, wild_event
from tournaments.swiss.field import field_of
from tournaments.swiss.history import history_before
from tournaments.swiss.pairing import ENGINE_VERSION, PairingRefused, pair_round
from tournaments.swiss.search import best_pairing
from tournaments.swiss.standings import standings
from tournaments.swiss.types import PlayerId, Tournament

Cost = tuple[int, ...]
Case = tuple[Tournament, int]
"""An event, and the round to be paired."""

CRITERIA = ("repeat_byes", "rematches", "recency", "bye_points", "gap", "squared", "downs", "ups", "mates", "places")
SEED = "2026"


class Objective:
    """What a round costs by the separate objective; "by standings" is its last criterion."""

    def __init__(self, case: Case, *, by_standings: bool) -> None:
        self.judge = Judge(*case)
        self.places = {row.player: row.place for row in standings(case[0], case[1] - 1)} if by_standings else {}

    def cost(self, pairs: Pairs, bye: PlayerId | None) -> Cost:
        apart = self.judge.apart(pairs, self.places) if self.places else 0
        return (*self.judge.cost(pairs, bye), apart)

    def best_of_all(self) -> Cost | None:
        """By looking at every round; None when none is allowed."""
        rounds = every_round(self.judge.playing)
        return min((self.cost(pairs, bye) for pairs, bye in rounds if self.judge.legal(pairs)), default=None)

    def best_by_matching(self) -> Cost | None:
        """By one matching over every pair."""
        chairs = [*self.judge.playing, *([None] * (len(self.judge.playing) % 2))]
        costs = {(a, b): self._pair(chairs[a], chairs[b]) for a, b in combinations(range(len(chairs)), 2)}
        edges = {ends: cost for ends, cost in costs.items() if cost is not None}
        radix = [1 + max(column, default=0) * (len(chairs) // 2) for column in zip(*edges.values(), strict=True)]
        graph = rustworkx.PyGraph(multigraph=False)
        graph.add_nodes_from(chairs)
        graph.add_edges_from([(a, b, -packed(cost, radix)) for (a, b), cost in edges.items()])
        found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
        if 2 * len(found) < len(chairs):
            return None
        return tuple(map(sum, zip(*(edges[min(ends), max(ends)] for ends in found), strict=True)))

    def _pair(self, a: PlayerId | None, b: PlayerId | None) -> Cost | None:
        if a is None or b is None:
            return self.cost([], a or b)
        return self.cost([(a, b)], None) if self.judge.legal([(a, b)]) else None


def packed(cost: Cost, radix: list[int]) -> int:
    """Mixed radix; the matching computes in 128 bits and doubles."""
    weight = 0
    for digit, base in zip(cost, radix, strict=True):
        weight = weight * base + digit
    assert weight < 1 << 125
    return weight


def rounds_of(case: Case, *, by_standings: bool) -> Iterator[Cost | None]:
    """What the engine's round costs: as it pairs, taken apart, and without its luck; None for a refusal."""
    objective, (tournament, round) = Objective(case, by_standings=by_standings), case
    try:
        pairing = pair_round(tournament, round, SEED, by_standings)
    except PairingRefused:
        yield None
        return
    judge = objective.judge
    seated = [*sum(pairing.pairs, ()), *pairing.assigned_byes, *([pairing.bye] if pairing.bye else [])]
    assert sorted(seated) == sorted(judge.active)
    assert set(pairing.assigned_byes) == set(judge.assigned)
    assert judge.legal(list(pairing.pairs))
    yield objective.cost(list(pairing.pairs), pairing.bye)
    if len(judge.playing) < 2:
        return
    field = field_of(tournament, history_before(tournament, round), judge.playing, SEED, objective.places or None)
    for by_luck in (True, False):
        found = best_pairing(field, small=0, by_luck=by_luck)
        assert found is not None
        yield objective.cost(*field.named(found))


@dataclass
class Tally:
    """What was compared. `mismatches` name the event, the round and both costs."""

    name: str
    events: int = 0
    rounds: int = 0
    met: Counter[str] = field(default_factory=Counter)
    mismatches: list[str] = field(default_factory=list)

    def compare(self, case: Case, best: Callable[[Objective], Cost | None]) -> None:
        for by_standings in (False, True):
            objective = Objective(case, by_standings=by_standings)
            if len(objective.judge.active) < 2:
                return
            expected = best(objective)
            self.rounds += 1
            self.met.update(
                ["refused"] if expected is None else [n for n, x in zip(CRITERIA, expected, strict=True) if x]
            )
            for cost in rounds_of(case, by_standings=by_standings):
                if cost != expected:
                    self.mismatches.append(f"{case[0].id} round {case[1]} {by_standings=}: {cost}, best {expected}")

    def __str__(self) -> str:
        met = ", ".join(f"{name} {count}" for name, count in sorted(self.met.items()))
        return f"{self.name}: {self.events} events, {self.rounds} rounds, {len(self.mismatches)} mismatches ({met})"


def small(seeds: Iterable[int]) -> Iterator[list[Case]]:
    """Two to nine players: any past, and every third event as it is played to the bitter end."""
    for seed in seeds:
        chance = random.Random(seed)
        if seed % 3:
            tournament = wild_event(seed, most=9)
            yield [(tournament, tournament.last_round + 1)]
        else:
            size = chance.randint(2, 9)
            yield list(played(size, size + 1, seed, chance))


def larger(seeds: Iterable[int], least: int, most: int, last: int) -> Iterator[list[Case]]:
    """Events as played, the `last` rounds of each."""
    for seed in seeds:
        chance = random.Random(seed)
        yield list(played(chance.randint(least, most), chance.randint(4, 14), seed, chance))[-last:]


def played(size: int, rounds: int, seed: int, chance: random.Random) -> Iterator[Case]:
    """With draws, drops and teams of every share; now and then hard separations and assigned byes."""
    draws, drops = chance.choice([0.0, 0.04, 0.3]), chance.choice([0.0, 0.03, 0.1])
    teams = chance.choice([0, 0, 2, 4, 1 + size // 3])
    for tournament, round, _ in played_event(size, rounds, seed, draws, drops, teams):
        ids = [entrant.id for entrant in tournament.entrants]
        if chance.random() < 0.15:
            apart = tuple((a, b) for a, b in (chance.sample(ids, 2) for _ in range(chance.randint(1, 2 * size))))
            tournament = replace(tournament, separations=apart, assigned_byes=tuple(chance.sample(ids, size // 8)))
        yield tournament, round


def verify(scale: float = 1.0, write: Callable[[str], object] = sys.stdout.write) -> list[Tally]:
    """1,200 small events, 500 of 4-60 players, 100 of 61-200 (times `scale`)."""
    plans = [
        (Tally("2-9 players, every round"), small(range(int(1200 * scale))), Objective.best_of_all),
        (Tally("4-60 players, dense"), larger(range(int(500 * scale)), 4, 60, 8), Objective.best_by_matching),
        (Tally("61-200 players, dense"), larger(range(int(100 * scale)), 61, 200, 6), Objective.best_by_matching),
    ]
    for tally, events, best in plans:
        start = time.monotonic()
        for cases in events:
            tally.events += 1
            for case in cases:
                tally.compare(case, best)
        write(f"{tally}, {time.monotonic() - start:.0f} s\n" + "".join(f"  {line}\n" for line in tally.mismatches[:9]))
    return [tally for tally, _, _ in plans]


def digest() -> str:
    """SHA-256 of the rounds of random events: the same with every numpy and every rustworkx (4.2)."""
    chance = random.Random(1)
    wild = [wild_event(seed, most=12) for seed in range(60)]
    cases = [(tournament, tournament.last_round + 1) for tournament in wild]
    for seed in range(6):
        cases += played(chance.randint(20, 250), 7, seed, random.Random(seed))
    rounds = sha256(ENGINE_VERSION.encode())
    for case in cases:
        for by_standings in (False, True):
            rounds.update(repr(answer(*case, by_standings=by_standings)).encode())
    return rounds.hexdigest()


def answer(tournament: Tournament, round: int, *, by_standings: bool) -> object:
    try:
        pairing = pair_round(tournament, round, SEED, by_standings)
    except PairingRefused as refusal:
        return refusal.code, sorted(map(sorted, refusal.lift))
    return pairing.pairs, pairing.bye


def main() -> int:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--digest", action="store_true", help="only the digest of random rounds")
    parser.add_argument("--scale", type=float, default=1.0)
    options = parser.parse_args()
    if options.digest:
        sys.stdout.write(digest() + "\n")
        return 0
    return int(any(tally.mismatches for tally in verify(options.scale)))


if __name__ == "__main__":
    sys.exit(main())
