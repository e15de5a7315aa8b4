"""Events written as a story: `event("ABCD", "A>B C=D", "A>C B>D")`.

A>B A won 2-0, A>B:2-1 with games, A=B draw 1-1-1, A~B agreed draw, A#B double loss, A!B B did not come,
A-B not reported, A?B not played, A* bye, A/ in the event but not seated.
"""

import random
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from tournaments.swiss.types import Entrant, Games, Match, Outcome, PlayerId, Rules, Tournament

OUTCOMES = {
    ">": Outcome.WIN,
    "=": Outcome.DRAW,
    "~": Outcome.INTENTIONAL_DRAW,
    "#": Outcome.DOUBLE_LOSS,
    "!": Outcome.FORFEIT,
    "?": Outcome.NOT_PLAYED,
    "*": Outcome.BYE,
    "/": Outcome.UNPAIRED_LOSS,
    "-": None,
}
DEFAULT_GAMES = {">": Games(2, 0), "=": Games(1, 1, 1)}
TOKEN = re.compile(r"(\w+?)([>=~#!?*/-])(\w*)(?::(\d)-(\d)(?:-(\d))?)?$")


def match(token: str, round: int = 1) -> Match:
    parts = TOKEN.match(token)
    assert parts, token
    a, sign, b, *games = parts.groups()
    given = Games(int(games[0]), int(games[1]), int(games[2] or 0)) if games[0] else DEFAULT_GAMES.get(sign)
    winner = PlayerId(a) if sign in ">!" else None
    return Match(round, PlayerId(a), PlayerId(b) if b else None, OUTCOMES[sign], winner, given)


def event(players: Iterable[str], *rounds: str, drops: dict[str, int] | None = None, **options: Any) -> Tournament:
    matches = tuple(match(token, i) for i, line in enumerate(rounds, 1) for token in line.split())
    entrants = tuple(Entrant(PlayerId(player), last_round=(drops or {}).get(player)) for player in players)
    return Tournament("event", options.pop("rules", Rules()), entrants, matches, **options)


def names(pairs: Iterable[tuple[str, str]]) -> set[frozenset[str]]:
    return {frozenset(pair) for pair in pairs}


def pairs(*words: str) -> set[frozenset[str]]:
    """pairs("AD", "BC")"""
    return {frozenset(word) for word in words}


def shuffled(tournament: Tournament, seed: int) -> Tournament:
    """The same event with its entrants, matches, seats and separations in another order."""
    chance = random.Random(seed)
    matches = [_turned(one) if one.b and chance.random() < 0.5 else one for one in tournament.matches]
    return replace(
        tournament,
        entrants=_mixed(tournament.entrants, chance),
        matches=_mixed(matches, chance),
        separations=_mixed([(b, a) for a, b in tournament.separations], chance),
        assigned_byes=_mixed(tournament.assigned_byes, chance),
    )


def _turned(one: Match) -> Match:
    assert one.b is not None
    games = None if one.games is None else Games(one.games.b, one.games.a, one.games.draws)
    return replace(one, a=one.b, b=one.a, games=games)


def _mixed(items: Iterable[Any], chance: random.Random) -> tuple[Any, ...]:
    mixed = list(items)
    chance.shuffle(mixed)
    return tuple(mixed)
