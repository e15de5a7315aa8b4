"""How far everybody came in the cut, in the words of its rounds (TOURNAMENT_RULES 7.6).

Beside a final place stands the round of the cut in which somebody fell; his points and tie-breaks are those of the
Swiss rounds, with the place that they gave.
"""

from dataclasses import dataclass

from django.utils.translation import gettext

from tournaments.models import Registration, Round
from tournaments.queries import Sheet, published_standings
from tournaments.sentences.rounds import round_name
from tournaments.services import cut


@dataclass(frozen=True, slots=True)
class Reached:
    """`cut`: "Semifinals", "" for whoever did not come so far; `rank`: the place after the Swiss rounds."""

    cut: str
    rank: int | None


def reached(sheet: Sheet, first: Registration | None) -> dict[int, Reached]:
    """By registration; nothing while no round of a cut is published. One query, for the frozen Swiss places.

    `first`: who stands first, who is the winner once the cut is over (rule 7.4: not always who won the final).
    """
    names = cut_names(sheet, first)
    if not names:
        return {}
    ranks = {sheet.by_key[row.player].pk: row.rank for row in published_standings(sheet)}
    return {row.pk: Reached(names.get(row.pk, ""), ranks.get(row.pk)) for row in sheet.registrations}


def cut_names(sheet: Sheet, first: Registration | None) -> dict[int, str]:
    """By registration, the last round of the cut where somebody sits. No query."""
    found: dict[int, str] = {}
    for round in (row for row in sheet.cut_rounds if row.status == Round.Status.PUBLISHED):
        name = round_name(sheet.event, sheet.rounds, round)
        found |= {seat.registration_id: name for match in sheet.matches(round) for seat in match.seat_list}
    if first is not None and first.pk in found and cut.over(sheet):
        found[first.pk] = gettext("Wins the event")
    return found


def place_words(found: Reached | None, points: str) -> str:
    """What stands beside a final place where there is room for one thing: how far he came, else his Swiss number."""
    if found is None:
        return points
    return found.cut or swiss_words(points)


def swiss_words(points: str) -> str:
    """ "7 points in the Swiss rounds" """
    return gettext("%(points)s in the Swiss rounds") % {"points": points}
