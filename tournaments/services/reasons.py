"""Why each player has that opponent, or the bye, in a round as it stands (TOURNAMENT_RULES 4.3)."""

from tournaments.models import Event, Round
from tournaments.queries import Sheet
from tournaments.sentences.reasons import of_robin
from tournaments.services.seating import seating_of
from tournaments.swiss.notes import Note, why_player
from tournaments.swiss.pods.notes import PodSeating, why_at_pod
from tournaments.swiss.types import PlayerId


def reasons_of(now: Sheet, round: Round) -> dict[PlayerId, list[Note]]:
    """Of everybody who plays or rests in it; assigned losses have no reason."""
    seated = [now.key_of[seat.registration_id] for match in now.matches(round) for seat in match.seat_list]
    if round.kind == Round.Kind.CUT:
        return {player: [Note("bracket", "7.1", (player,))] for player in seated}
    if now.event.format == Event.Format.ROUND_ROBIN:
        return of_robin(seated, round.notes)
    seating = seating_of(now, round)
    if isinstance(seating, PodSeating):
        return {player: why_at_pod(seating, player) for player in seated}
    return {player: why_player(seating, player) for player in seated}


def proven(round: Round) -> bool:
    """Whether the round stands as the pairing left it: neither moved by hand nor out of a file."""
    return round.certified and not round.swapped
