"""A match as one of its players lived it, for the look's cell: in standings, pairings and on the player's own page."""

from typing import Any

from django.utils.translation import gettext

from players.templatetags.look import ordinal
from tournaments.models import Event, Match, Registration, Seat

SIDED = {Match.Outcome.WIN: ("win", "loss"), Match.Outcome.FORFEIT: ("forfeit_win", "forfeit_loss")}


def outcome_of(match: Match, registration: Registration) -> str:
    """A key of the look's CELLS. The winner is a player, not a seat (rule 1.1): both sides read the same row."""
    if match.state != Match.State.DONE or match.outcome is None:
        return "live"
    won, lost = SIDED.get(Match.Outcome(match.outcome), (match.outcome, match.outcome))
    return won if match.winner_id == registration.player_id else lost


def score_of(event: Event, mine: Seat, other: Seat | None) -> str:
    """ "2-1" in best of 3 and where goals count; nothing in best of 1, where the sign says more, nor when unknown."""
    if (event.best_of == 1 and event.preset != "goals") or other is None or mine.games is None or other.games is None:
        return ""
    return f"{mine.games}-{other.games}"


def cell(
    event: Event, match: Match, mine: Seat, other: Seat | None, ranks: dict[int, int] | None = None
) -> dict[str, Any]:
    """What the tag `standings_cell` needs. `ranks`: registration id to place, when the page shows places."""
    if match.is_pod:
        return pod_cell(match, mine)
    rival = other.registration if other else None
    outcome = outcome_of(match, mine.registration)
    settled = outcome in {"win", "loss", "draw"}
    return {
        "outcome": outcome,
        "way": match.how if settled else "",
        "score": score_of(event, mine, other) if settled else "",
        "opponent": rival.person.shown if rival else "",
        "rank": (ranks or {}).get(rival.pk) if rival else None,
        "table": match.table,
    }


def pod_cell(match: Match, mine: Seat) -> dict[str, Any]:
    """The place at a table of several: the first is full, any other empty; "1=" is shared."""
    came = [seat.place for seat in match.seat_list if seat.place is not None]
    found: dict[str, Any] = {"outcome": outcome_of(match, mine.registration), "table": match.table}
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


ABSENT = {"outcome": "none"}
