"""Pod events written as a story: `event("ABCDEFG", "A>B>C>D E>F=G", ...)`.

A table is its finishing order: `>` finished before, `=` shared the place; `A>B>C>D!` D did not play; `ABCD?` not
reported; `ABCD-` not played. `X*` a bye, `X/` in the event but not seated.
"""

import random
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from tournaments.swiss.pods.sizes import table_sizes
from tournaments.swiss.types import POD_POINTS, Entrant, Match, Outcome, PlayerId, Pod, Rules, Tournament

RULES = Rules(preset="pods", pods=POD_POINTS)
ALONE = {"*": Outcome.BYE, "/": Outcome.UNPAIRED_LOSS}


def pod(text: str, round: int = 1) -> Pod:
    if text[-1] in "?-":
        players = ids(text[:-1])
        return Pod(round, players, None if text[-1] == "?" else (None,) * len(players))
    players, places = [], []
    for sign, player, absent in re.findall(r"([>=]?)(\w)(!?)", text):
        shared = sign == "=" and places
        places.append(None if absent else places[-1] if shared else len(players) + 1)
        players.append(PlayerId(player))
    return Pod(round, tuple(players), tuple(places))


def ids(text: Iterable[str]) -> tuple[PlayerId, ...]:
    return tuple(PlayerId(player) for player in text)


def event(players: Iterable[str], *rounds: str, drops: dict[str, int] | None = None, **options: Any) -> Tournament:
    words = [(i, word) for i, line in enumerate(rounds, 1) for word in line.split()]
    entrants = tuple(Entrant(PlayerId(player), last_round=(drops or {}).get(player)) for player in players)
    matches = tuple(Match(i, PlayerId(w[0]), None, ALONE[w[1]]) for i, w in words if w[1] in ALONE)
    pods = tuple(pod(word, i) for i, word in words if word[1] not in ALONE)
    return Tournament("event", options.pop("rules", RULES), entrants, matches, pods=pods, **options)


def played(players: int, rounds: int, chance: random.Random) -> Tournament:
    """An event of that many players after so many rounds at tables drawn by chance, some of them unfinished."""
    names = [PlayerId(f"P{i:04}") for i in range(players)]
    pods = []
    for round in range(1, rounds + 1):
        chance.shuffle(names)
        rest = list(names)
        for size in table_sizes(players):
            sitting, rest = rest[:size], rest[size:]
            pods.append(Pod(round, tuple(sitting), finishing(size, chance)))
    return Tournament("event", RULES, tuple(Entrant(name) for name in sorted(names)), (), pods=tuple(pods))


def finishing(size: int, chance: random.Random) -> tuple[int | None, ...] | None:
    places: list[int | None] = [*range(1, size + 1)]
    chance.shuffle(places)
    odd = chance.random()
    if odd < 0.04:
        return None
    if odd < 0.15:
        places = [1 if place == 2 else place for place in places]
    elif odd < 0.25:
        places = [None if place == size else place for place in places]
    return tuple(places)


def shuffled(tournament: Tournament, seed: int) -> Tournament:
    """The same event with its entrants, pods, seats and separations in another order."""
    chance = random.Random(seed)
    pods = [_turned(pod, chance) for pod in chance.sample(tournament.pods, len(tournament.pods))]
    return replace(
        tournament,
        entrants=tuple(chance.sample(tournament.entrants, len(tournament.entrants))),
        pods=tuple(pods),
        separations=tuple((b, a) for a, b in reversed(tournament.separations)),
    )


def _turned(pod: Pod, chance: random.Random) -> Pod:
    order = chance.sample(range(len(pod.players)), len(pod.players))
    places = None if pod.places is None else tuple(pod.places[i] for i in order)
    return replace(pod, players=tuple(pod.players[i] for i in order), places=places)


def tables(pods: Iterable[Iterable[str]]) -> set[frozenset[str]]:
    return {frozenset(pod) for pod in pods}
