"""Programs that pair Swiss rounds. Each prepares its own input from the history, and runs on that as often as asked.

The peers are in requirements/bench.in and needed for the comparison alone (`make bench`).
"""

from collections.abc import Callable
from dataclasses import replace

from benchmarks.events import Round, field_before, paired
from tournaments.swiss.exact import solve_whole
from tournaments.swiss.history import History
from tournaments.swiss.types import Outcome, PlayerId

Pairs = list[tuple[PlayerId, PlayerId]]
Answer = tuple[Pairs, list[PlayerId]]
"""Pairs, and everybody who has no opponent."""
Run = Callable[[], Answer]

DENSE_UP_TO = 512
"""One matching over all pairs takes minutes beyond."""


def kounter(before: Round) -> Run:
    field = field_before(before)

    def run() -> Answer:
        pairs, bye = paired(replace(field))  # a copy has nothing worked out yet
        return pairs, [] if bye is None else [bye]

    return run


def dense(before: Round) -> Run | None:
    """rustworkx's matching over every pair, with the weights of ours."""
    if len(before.playing) > DENSE_UP_TO:
        return None
    field = field_before(before)

    def run() -> Answer:
        found = solve_whole(replace(field))
        assert found is not None
        pairs, bye = field.named(found)
        return pairs, [] if bye is None else [bye]

    return run


def swisspair(before: Round) -> Run:
    from swisspair import Player, create_matches

    history, playing = before.history, sorted(before.playing, key=lambda one: -before.history.points[one])
    met = opponents(history, set(playing))
    fewest = min(history.byes[one] for one in playing)
    players = [
        Player(one, history.points[one], rank, history.byes[one] == fewest, met[one])
        for rank, one in enumerate(playing, 1)
    ]

    def run() -> Answer:
        matches = create_matches(players)
        pairs = [(PlayerId(one.p1.id), PlayerId(one.p2.id)) for one in matches if one.p2 is not None]
        return pairs, [PlayerId(one.p1.id) for one in matches if one.p2 is None]

    return run


def opponents(history: History, playing: set[PlayerId]) -> dict[PlayerId, set[str]]:
    met: dict[PlayerId, set[str]] = {one: set() for one in playing}
    for i, j in zip(history.meetings[0::3], history.meetings[1::3], strict=True):
        a, b = history.players[i], history.players[j]
        if a in playing and b in playing:
            met[a].add(b)
            met[b].add(a)
    return met


def cardarena(before: Round) -> Run:
    from cardarena_tournament_core import Matchup, MatchupOutcome, Player, Swiss
    from cardarena_tournament_core import Round as Played

    people = {one.id: Player(one.id, one.id) for one in before.tournament.entrants}
    rounds: dict[int, list[Matchup]] = {}
    for match in before.tournament.matches:
        outcome = MatchupOutcome.PLAYER1_WINS if match.winner in (match.a, None) else MatchupOutcome.PLAYER2_WINS
        if match.outcome is Outcome.DRAW:
            outcome = MatchupOutcome.DRAW
        other = None if match.b is None else people[match.b]
        rounds.setdefault(match.round, []).append(Matchup(people[match.a], other, outcome))
    played = [Played(number, matchups) for number, matchups in sorted(rounds.items())]
    swiss = Swiss.from_history(list(people.values()), played, set(before.playing))

    def run() -> Answer:
        matchups = swiss.pair().matchups
        pairs = [(PlayerId(one.player1.id), PlayerId(one.player2.id)) for one in matchups if one.player2 is not None]
        return pairs, [PlayerId(one.player1.id) for one in matchups if one.player2 is None]

    return run


OURS = "kounter"
PROGRAMS: dict[str, Callable[[Round], Run | None]] = {
    OURS: kounter,
    "swisspair": swisspair,
    "cardarena": cardarena,
    "dense": dense,
}
