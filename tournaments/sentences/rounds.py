"""What a round is called: by its number in Swiss, by how many are left in the cut (TOURNAMENT_RULES 7); everywhere."""

from collections.abc import Iterable

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.models import Event, Round

CUT_NAMES = {2: _("Final"), 4: _("Semifinals"), 8: _("Quarterfinals"), 16: _("Round of 16")}


def round_name(event: Event, rounds: Iterable[Round], round: Round) -> str:
    """ "Round 2", "Semifinals"; `rounds` are all of the event, since a cut round counts from the first one."""
    if round.kind == Round.Kind.SWISS:
        return gettext("Round %(number)s") % {"number": round.number}
    first = min((other for other in rounds if other.kind == Round.Kind.CUT), key=lambda other: other.number)
    return nth_cut_name(event, first, round.number - first.number + 1)


def names_of(event: Event, rounds: Iterable[Round]) -> dict[int, str]:
    """By number, for sentences that know no more of a round."""
    known = list(rounds)
    return {round.number: round_name(event, known, round) for round in known}


def called(round: Round) -> str:
    """For a sentence in a service that has no more than the round. One query in the cut, none in Swiss."""
    cut = round.kind == Round.Kind.CUT
    return round_name(round.event, round.event.rounds.all() if cut else (), round)


def inside(name: str) -> str:
    """The name in the middle of a sentence.

    >>> inside("Semifinals")
    'semifinals'
    """
    return name[:1].lower() + name[1:]


def nth_cut_name(event: Event, first: Round, number: int) -> str:
    """Of the n-th round of the cut, which may not be paired yet; `first` keeps who was seeded."""
    if event.cut_format == Event.CutFormat.DOUBLE:
        return double_round_name(len(first.input.get("seeds", [])) or event.cut_size, number)
    bracket = 1 << max(event.cut_size - 1, 1).bit_length()
    return cut_round_name(max(bracket >> (number - 1), 2))


def double_round_name(entered: int, number: int) -> str:
    """Rounds of both brackets go by number, "Cut 3"; then the final, and perhaps a second one (rule 7.3)."""
    finals = 2 * (max(entered, 2) - 1).bit_length()
    return final_name(number - finals + 1) if number >= finals else gettext("Cut %(number)s") % {"number": number}


def final_name(stage: int) -> str:
    return str(CUT_NAMES[2]) if stage == 1 else gettext("Second final")


def cut_round_name(left: int) -> str:
    """By how many are still in when it begins."""
    return str(CUT_NAMES.get(left) or gettext("Round of %(number)s") % {"number": left})
