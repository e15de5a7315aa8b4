"""The cut as a picture: a column for each round, those to come with empty places (TOURNAMENT_RULES 7)."""

from dataclasses import dataclass

from tournaments import queries
from tournaments.models import Match, Registration, Round
from tournaments.queries import Sheet
from tournaments.web import frame, tables


@dataclass(frozen=True, slots=True)
class Place:
    """One half of a tie; `name` "" is still open, `seed` None as long."""

    name: str = ""
    code: str = ""
    seed: int | None = None
    won: bool = False
    lost: bool = False


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    ties: list[tuple[Place, Place]]


def columns(sheet: Sheet) -> list[Column]:
    """The published rounds of the cut, then those that follow from them; nothing before the cut."""
    rounds = [round for round in sheet.published_rounds if round.kind == Round.Kind.CUT]
    if not rounds:
        return []
    seeds = seeds_of(sheet, rounds[0])
    found = [Column(frame.round_name(sheet.event, sheet.rounds, r), ties_of(sheet, r, seeds)) for r in rounds]
    left = len(found[-1].ties) // 2
    while left >= 1:
        found.append(Column(frame.cut_round_name(2 * left), [(Place(), Place())] * left))
        left //= 2
    return found


def seeds_of(sheet: Sheet, first: Round) -> dict[int, int]:
    """Registration id to seed, as the cut began (rule 7.1): a later revision of the standings renumbers nobody.

    An imported cut stored none: there the published places of those who are in it.
    """
    if stored := tables.seeds_of(sheet, first):
        return stored
    inside = {seat.registration_id for match in sheet.matches(first) for seat in match.seat_list}
    order = [sheet.by_key[row.player].pk for row in queries.published_standings(sheet)]
    return {pk: seed for seed, pk in enumerate((pk for pk in order if pk in inside), 1)}


def ties_of(sheet: Sheet, round: Round, seeds: dict[int, int]) -> list[tuple[Place, Place]]:
    found = []
    for match in sheet.matches(round):
        places = [place(match, seat.registration, seeds) for seat in match.seat_list]
        found.append((places[0], places[1] if len(places) > 1 else Place()))
    return found


def place(match: Match, registration: Registration, seeds: dict[int, int]) -> Place:
    done = match.state == Match.State.DONE
    won = done and (match.winner_id == registration.player_id or match.kind == Match.Kind.BYE)
    player = registration.person
    return Place(player.shown, player.code, seeds.get(registration.pk), won, done and not won)
