"""Circuit points of every season, event by event, out of a reading (RANKING 1)."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from ranking.points import Finish, PointsLine, ledger
from ranking.services.inputs import EventRead, SeasonRead


@dataclass(frozen=True, slots=True)
class Award:
    """A line of a player's account, and the element that he played there."""

    player: int
    element: str
    line: PointsLine


def awards(events: Iterable[EventRead], season: SeasonRead) -> list[Award]:
    """By player id, then as in his account."""
    finishes: dict[int, list[Finish]] = defaultdict(list)
    elements: dict[tuple[int, int], str] = {}
    for event in events:
        if event.day in season:
            for player, finish in event_finishes(event, season.element):
                finishes[player].append(finish)
                elements[player, event.id] = event.entries[player].element
    return [
        Award(player, elements[player, line.event], line)
        for player in sorted(finishes)
        for line in ledger(finishes[player], season.table)
    ]


def event_finishes(event: EventRead, element: str = "") -> list[tuple[int, Finish]]:
    """Of whoever played at least one match and has a place; in an elemental season, with its element.

    The field counts everybody who played, whatever the element: that is how hard the place was to get (RANKING 1).
    """
    played = {(match.match, side) for match in event.matches for side in (match.a, match.b)}
    rounds = Counter(side for _, side in played)
    return [
        (player, Finish(event.id, event.day, event.tier, entry.place, len(rounds), rounds[player]))
        for player, entry in event.entries.items()
        if rounds[player] and entry.place is not None and element in ("", entry.element)
    ]
