"""A match as one of its players lived it, for the look's cell: in standings, pairings and on the player's own page."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext

from players.templatetags.look import ordinal
from tournaments.models import Event, Match, Registration, Seat

DONE = Match.State.DONE.value

Cell = dict[str, Any]
"""What the tag `standings_cell` needs; nobody changes one that was made."""

ABSENT: Cell = {"outcome": "none"}
SETTLED = frozenset({"win", "loss", "draw"})
SIDED: dict[str, tuple[str, str]] = {
    Match.Outcome.WIN: ("win", "loss"),
    Match.Outcome.FORFEIT: ("forfeit_win", "forfeit_loss"),
}


def outcome_of(match: Match, registration: Registration) -> str:
    """A key of the look's CELLS. The winner is a player, not a seat (rule 1.1): both sides read the same row."""
    if match.state != DONE or match.outcome is None:
        return "live"
    if match.outcome not in SIDED:
        return match.outcome
    won, lost = SIDED[match.outcome]
    return won if match.winner_id == registration.player_id else lost


def score_of(event: Event, mine: Seat, other: Seat | None) -> str:
    """ "2-1" in best of 3 and where goals count; nothing in best of 1, where the sign says more, nor when unknown."""
    if (event.best_of == 1 and event.preset != "goals") or other is None or mine.games is None or other.games is None:
        return ""
    return f"{mine.games}-{other.games}"


def facing(match: Match) -> list[tuple[Seat, Seat | None]]:
    """Each seat with the one opposite: none at a bye, the first other one at a table of several."""
    seats = match.seat_list
    return [(mine, next((other for other in seats if other is not mine), None)) for mine in seats]


def cell(
    event: Event,
    match: Match,
    mine: Seat,
    other: Seat | None,
    names: Mapping[int, str],
    ranks: Mapping[int, int] | None = None,
) -> Cell:
    """`names` and, where the page shows places, `ranks` go by registration id."""
    if event.in_pods and match.is_pod:
        return pod_cell(match, mine)
    outcome = outcome_of(match, mine.registration)
    settled = outcome in SETTLED
    rival = other.registration_id if other else 0
    return {
        "outcome": outcome,
        "way": match.how if settled else "",
        "score": score_of(event, mine, other) if settled else "",
        "opponent": names.get(rival, ""),
        "rank": ranks.get(rival) if ranks else None,
        "table": match.table,
    }


def pod_cell(match: Match, mine: Seat) -> Cell:
    """The place at a table of several: the first is full, any other empty; "1=" is shared."""
    came = [seat.place for seat in match.seat_list if seat.place is not None]
    found: Cell = {"outcome": outcome_of(match, mine.registration), "table": match.table}
    if not match.done or not came:
        return found
    if mine.place is None:
        return found | {"outcome": "forfeit_loss"}
    shared = "=" if came.count(mine.place) > 1 else ""
    values = {"place": ordinal(mine.place), "players": len(match.seat_list)}
    words = gettext("%(place)s of %(players)s at the table") % values
    return found | {
        "outcome": "win" if mine.place == 1 else "loss", "score": f"{mine.place}{shared}", "words": words,
    }  # fmt: skip
