"""Whether the rounds that are left can be legal, in words that name the rule and the remedies (TOURNAMENT_RULES 3)."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.translation import gettext, ngettext

from tournaments.models import Event
from tournaments.queries import BEFORE_PLAY, Sheet, planned
from tournaments.sentences.names import names_words
from tournaments.swiss import feasibility
from tournaments.swiss.feasibility import Outlook, Verdict
from tournaments.swiss.rounds import round_robin_rounds
from tournaments.swiss.types import PlayerId

MOST_ROBIN = 15
"""Rounds of a round robin that one evening, or two, can hold: more are not proposed."""


@dataclass(frozen=True, slots=True)
class Ahead:
    """`text`: what may happen, `rule` the rule that it would break. Remedies, 0 where there is none: `fewer` rounds in
    all, `robin` rounds of a round robin; to allow a repeat is always one."""

    text: str
    rule: str
    fewer: int = 0
    robin: int = 0

    @property
    def remedies(self) -> str:
        """In words, for a form that has no buttons for them."""
        found = [gettext("plan %(n)s rounds") % {"n": self.fewer}] if self.fewer else []
        found += [gettext("play a round robin of %(n)s rounds") % {"n": self.robin}] if self.robin else []
        listed = "; ".join([*found, gettext("or allow the repeat: it is the one that is longest ago")])
        return gettext("Remedies: %(remedies)s.") % {"remedies": listed}


def ahead_of(sheet: Sheet) -> Ahead | None:
    """What the staff should know before the next Swiss round; None when nothing can go wrong, or no round follows."""
    event = sheet.event
    running = event.status == Event.Status.RUNNING and not sheet.cut_rounds
    if event.format != Event.Format.SWISS or not (running or event.status in BEFORE_PLAY):
        return None
    people = len(sheet.active) if not sheet.rounds else len(sheet.players)
    wanted = planned(event, people)
    if people < 2 or len(sheet.swiss_rounds) >= wanted:
        return None
    found = feasibility.outlook(sheet.tournament, wanted)
    return words(found, lambda key: sheet.by_key[key].person.name)


def ahead_of_new(players: int, rounds: int) -> Ahead | None:
    """The same for so many players, before there is an event."""
    return words(feasibility.outlook_of_new(players, rounds), str) if players > 1 else None


def words(found: Outlook, name: Callable[[PlayerId], str]) -> Ahead | None:
    if found.verdict == Verdict.CERTAIN:
        return None
    text, rule = impossible(found, name) if found.verdict == Verdict.IMPOSSIBLE else possible(found)
    robin = round_robin_rounds(found.players) if not found.played else 0
    return Ahead(text, rule, found.fewer, robin if robin <= MOST_ROBIN else 0)


def possible(found: Outlook) -> tuple[str, str]:
    text = gettext(
        "With %(players)s players, %(rounds)s rounds may end in a repeat. With %(suggested)s it cannot happen."
    )
    return text % {"players": found.players, "rounds": found.planned, "suggested": found.fewer}, "4.1.3"


def impossible(found: Outlook, name: Callable[[PlayerId], str]) -> tuple[str, str]:
    values = {"rounds": found.rounds}
    if not found.short:
        text = ngettext(
            "The round that is left cannot be paired without a repeat.",
            "The %(rounds)s rounds that are left cannot all be paired without a repeat.",
            found.rounds,
        )
        return text % values, "4.1.3"
    least = found.short[0].left
    players = [one.player for one in found.short if one.left == least and one.player is not None]
    if not players:
        text = ngettext(
            "Of those who are odd somebody has to rest twice: byes for %(left)s more round, and %(rounds)s to play.",
            "Of those who are odd somebody has to rest twice: byes for %(left)s more rounds, and %(rounds)s to play.",
            least,
        )
        return text % (values | {"left": least}), "4.1.2"
    text = ngettext(
        "Rivals that are left for %(names)s: %(left)s; and %(rounds)s round to play.",
        "Rivals that are left for %(names)s: %(left)s; and %(rounds)s rounds to play.",
        found.rounds,
    )
    if found.played == 0 and len(players) == found.players:
        text = gettext("%(players)s players cannot play %(rounds)s rounds without a repeat.")
        return text % (values | {"players": found.players}), "4.1.3"
    return text % (values | {"names": names_words(name(player) for player in players), "left": least}), "4.1.3"
