"""Double elimination: out with the second loss, and a second final where the first is lost by who had lost none (7.3).

The bracket is fixed by its number of places, 2 to 64 (a power of two; what the seeds leave empty is a bye, 7.1):

    round 1                 winners' round 1
    round 2j - 2, j >= 2    winners' round j, and losers' round 2j - 3 (those who are in it, between them)
    round 2j - 1            losers' round 2j - 2: they meet whom winners' round j has just beaten
    round 2k                the final; k: rounds of the winners' bracket
    round 2k + 1            the second final, only if the winners' champion lost the first

So nobody waits for more than one round, and nobody sits twice in one. Values in, values out.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from tournaments.cut.brackets import CutMatch, FinalPlace, Slot, SwissPlace, advancing, places_by
from tournaments.swiss.types import PlayerId

CROSSINGS: Mapping[int, tuple[int, ...]] = {
    1: (),
    2: (0,),
    3: (1, 0),
    4: (1, 1, 0),
    5: (4, 1, 1, 0),
    6: (8, 6, 1, 1, 0),
}
"""By rounds of the winners' bracket: where the losers of its rounds 2, 3, ... go, as a mask over the slots.

The loser of slot s goes to slot s XOR mask. Of all masks under which nobody's first losers' match is against whom he
beat in the first round or in the one before (but for the losers' final, which has one table), these expect the fewest
rematches when every match is a coin toss; a test tries them all.
"""


class Side(StrEnum):
    WINNERS = "winners"
    LOSERS = "losers"
    FINAL = "final"


@dataclass(frozen=True, slots=True)
class Feed:
    """Who comes to a chair: the winner, or the loser, of an earlier tie."""

    round: int
    slot: int
    won: bool = True


@dataclass(frozen=True, slots=True)
class Tie:
    """A place for a match. `stage`: the round of its own side, from 1; `feeds` None: the seeds sit there."""

    round: int
    slot: int
    side: Side
    stage: int
    feeds: tuple[Feed, Feed] | None = None


@lru_cache(maxsize=8)
def layout(places: int) -> tuple[tuple[Tie, ...], ...]:
    """The ties of every round, by slot: the winners' first, then the losers'. The last round is the second final."""
    k = places.bit_length() - 1
    rounds = [tuple(Tie(1, slot, Side.WINNERS, 1) for slot in range(places // 2))]
    for j in range(2, k + 1):
        width = places >> j
        rounds.append((*_winners(j, width), *_survivors(j, width)))
        rounds.append(_dropping_in(j, width, CROSSINGS[k][j - 2]))
    beaten = Feed(2 * k - 1, 0, won=k > 1)
    rounds.append((Tie(2 * k, 0, Side.FINAL, 1, (Feed(max(1, 2 * k - 2), 0), beaten)),))
    rounds.append((Tie(2 * k + 1, 0, Side.FINAL, 2, (Feed(2 * k, 0, won=False), Feed(2 * k, 0))),))
    return tuple(rounds)


def _winners(j: int, width: int) -> list[Tie]:
    before = max(1, 2 * j - 4)
    feeds = [(Feed(before, 2 * slot), Feed(before, 2 * slot + 1)) for slot in range(width)]
    return [Tie(2 * j - 2, slot, Side.WINNERS, j, pair) for slot, pair in enumerate(feeds)]


def _survivors(j: int, width: int) -> list[Tie]:
    """Losers' round 2j - 3: those of the round before between them; in the first, the losers of winners' round 1."""
    before, won = (1, False) if j == 2 else (2 * j - 3, True)
    feeds = [(Feed(before, 2 * slot, won), Feed(before, 2 * slot + 1, won)) for slot in range(width)]
    return [Tie(2 * j - 2, width + slot, Side.LOSERS, 2 * j - 3, pair) for slot, pair in enumerate(feeds)]


def _dropping_in(j: int, width: int, crossing: int) -> tuple[Tie, ...]:
    """Losers' round 2j - 2: whom winners' round j has beaten, crossed over, against those who are in it."""
    feeds = [(Feed(2 * j - 2, slot ^ crossing, won=False), Feed(2 * j - 2, width + slot)) for slot in range(width)]
    return tuple(Tie(2 * j - 1, slot, Side.LOSERS, 2 * j - 2, pair) for slot, pair in enumerate(feeds))


def next_round(places: int, matches: Iterable[CutMatch], dropped: Collection[PlayerId] = ()) -> list[tuple[Slot, Slot]]:
    """The next matches by slot from all those before; [] when it is over.

    A pair with one None is a bye, with two nobody comes out of there. Who has dropped is not seated again (7.4).
    CutRefused while a match is undecided.
    """
    played = {(match.round, match.slot): match for match in matches}
    if over(played.values(), dropped):
        return []
    last = max(round for round, _slot in played)
    return [_seated(tie, played, dropped) for tie in layout(places)[last]]


def _seated(tie: Tie, played: Mapping[tuple[int, int], CutMatch], dropped: Collection[PlayerId]) -> tuple[Slot, Slot]:
    assert tie.feeds is not None
    a, b = (_coming(feed, played, dropped) for feed in tie.feeds)
    return a, b


def _coming(feed: Feed, played: Mapping[tuple[int, int], CutMatch], dropped: Collection[PlayerId]) -> Slot:
    match = played[feed.round, feed.slot]
    return advancing(match, dropped) if feed.won else falling(match, dropped)


def falling(match: CutMatch, dropped: Collection[PlayerId] = ()) -> Slot:
    """Who lost a match and plays on: nobody falls out of a bye, and who has dropped is gone (7.4)."""
    through = match.winner or advancing(match, dropped)
    return next((player for player in match.players if player != through and player not in dropped), None)


def over(matches: Iterable[CutMatch], dropped: Collection[PlayerId] = ()) -> bool:
    """Whether everything is decided and fewer than two are still in it (7.3, 7.4)."""
    matches = list(matches)
    return not any(_undecided(match, dropped) for match in matches) and len(alive(matches, dropped)) < 2


def alive(matches: Iterable[CutMatch], dropped: Collection[PlayerId] = ()) -> set[PlayerId]:
    """Who has not lost twice and is still there."""
    matches = list(matches)
    lost = Counter(player for match in matches if match.winner for player in match.players if player != match.winner)
    return {player for match in matches for player in match.players if lost[player] < 2 and player not in dropped}


def _undecided(match: CutMatch, dropped: Collection[PlayerId]) -> bool:
    left = [player for player in match.players if player not in dropped]
    return match.winner is None and len(left) == 2


def champion(places: int, matches: Iterable[CutMatch], dropped: Collection[PlayerId] = ()) -> Slot:
    """The one who is left; if he has dropped as well, the other finalist (7.4). None before, or when both have."""
    matches = list(matches)
    if not over(matches, dropped):
        return None
    if left := alive(matches, dropped):
        return left.pop()
    final = max(matches, key=lambda match: match.round)
    ties = layout(places)[final.round - 1]
    return falling(final, dropped) if ties[0].side == Side.FINAL else None


def final_places(
    standings: Iterable[SwissPlace],
    places: int,
    matches: Sequence[CutMatch],
    dropped: Collection[PlayerId] = (),
    disqualified: Collection[PlayerId] = (),
) -> list[FinalPlace]:
    """As for single elimination (7.6): by the round in which each went out, or would with losses from here on."""
    return places_by(standings, reached(places, matches, dropped), disqualified)


def reached(places: int, matches: Sequence[CutMatch], dropped: Collection[PlayerId] = ()) -> dict[PlayerId, int]:
    """The round in which each is out for good: that of his last match, or where losing from here on would end.

    So a player who drops stands where two lost matches would leave him. The champion stands one round higher; while a
    second final is to come, the winner of the first stands before the other.
    """
    routes = _routes(places)
    out: dict[PlayerId, int] = {}
    for match in sorted(matches, key=lambda match: match.round):
        for player in match.players:
            out[player] = _out(routes, (match.round, match.slot), match.winner == player)
        final = layout(places)[match.round - 1][0].side == Side.FINAL
        if final and match.winner is not None and match.winner not in dropped:
            out[match.winner] = match.round + 1
    if (first := champion(places, matches, dropped)) is not None:
        out[first] = len(layout(places)) + 1
    return out


def _out(routes: Mapping[tuple[int, int, bool], tuple[int, int]], place: tuple[int, int], won: bool) -> int:
    """The round where losing ends who comes from there."""
    following = routes.get((*place, won))
    while following is not None:
        place = following
        following = routes.get((*place, False))
    return place[0]


@lru_cache(maxsize=8)
def _routes(places: int) -> Mapping[tuple[int, int, bool], tuple[int, int]]:
    """(round, slot, won) to the place of the next match; the second final is nobody's until it is played."""
    return {
        (feed.round, feed.slot, feed.won): (tie.round, tie.slot)
        for ties in layout(places)[:-1]
        for tie in ties
        for feed in tie.feeds or ()
    }
