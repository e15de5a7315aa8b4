"""Programs that rate matches. Each prepares its own input, and rates it from nothing as often as asked.

The peers are in requirements/bench.in and needed for the comparison alone (`make bench`). Every one gets the matches in
the order of their days; a system of periods gets each day as one.
"""

from collections.abc import Callable
from itertools import groupby
from typing import Any

from ranking.ratings.columns import Matches
from ranking.ratings.engine import rate
from ranking.ratings.parameters import Parameters

Run = Callable[[], object]
PARAMETERS = Parameters()


def kounter(matches: Matches) -> Run:
    return lambda: rate(matches, PARAMETERS, history=False)


def with_history(matches: Matches) -> Run:
    """Every day of everybody, and the share of every match."""
    return lambda: rate(matches, PARAMETERS)


def lines(matches: Matches) -> list[tuple[int, int, int, float]]:
    columns = (matches.day, matches.a, matches.b, matches.half_points / 2)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def glicko2(matches: Matches) -> Run:
    from glicko2 import Player

    days = [list(group) for _, group in groupby(lines(matches), key=lambda line: line[0])]

    def run() -> object:
        players = [Player() for _ in range(matches.players)]
        for day in days:
            met: dict[int, list[tuple[float, float, float]]] = {}
            for _, a, b, score in day:
                met.setdefault(a, []).append((players[b].rating, players[b].rd, score))
                met.setdefault(b, []).append((players[a].rating, players[a].rd, 1 - score))
            for player, found in met.items():
                players[player].update_player(*map(list, zip(*found, strict=True)))
        return players

    return run


def openskill(matches: Matches) -> Run:
    from openskill.models import PlackettLuce

    played = lines(matches)

    def run() -> object:
        model = PlackettLuce()
        players = [model.rating() for _ in range(matches.players)]
        for _, a, b, score in played:
            [[players[a]], [players[b]]] = model.rate([[players[a]], [players[b]]], scores=[score, 1 - score])
        return players

    return run


def trueskill(matches: Matches) -> Run:
    from trueskill import TrueSkill

    played = lines(matches)

    def run() -> object:
        model = TrueSkill(draw_probability=0.04)
        players = [model.create_rating() for _ in range(matches.players)]
        for _, a, b, score in played:
            winner, loser = (a, b) if score >= 0.5 else (b, a)
            players[winner], players[loser] = model.rate_1vs1(players[winner], players[loser], drawn=score == 0.5)
        return players

    return run


def through_time(matches: Matches) -> Run:
    """Forward only, as whoever publishes every night; going back over the past costs a multiple."""
    from trueskillthroughtime import History

    played = lines(matches)
    sides = [[[str(a)], [str(b)]] for _, a, b, _ in played]
    scores: list[Any] = [[score, 1 - score] for *_, score in played]
    days = [day for day, *_ in played]
    return lambda: History(sides, scores, days, p_draw=0.04)


OURS = "kounter"
PROGRAMS: dict[str, Callable[[Matches], Run]] = {
    OURS: kounter,
    "kounter, with history": with_history,
    "glicko2": glicko2,
    "openskill": openskill,
    "trueskill": trueskill,
    "trueskillthroughtime": through_time,
}
