"""Why a round is as it is, in words (TOURNAMENT_RULES 4.3): what had to yield, and why this opponent or the bye.

`proven`: the round stands as the pairing left it. Where the organiser moved seats, or the round came from a file, the
sentences tell the facts and do not claim that nothing better could be found.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from tournaments.sentences.names import names_words, number_words, points_words
from tournaments.swiss.criteria import RULES
from tournaments.swiss.notes import Note
from tournaments.swiss.pods.criteria import POD_RULES
from tournaments.swiss.types import PlayerId

Name = Callable[[str], str]
EXPECTED = {
    "bye",
    "assigned_bye",
    "float",
    "opponent",
    "bracket",
    "round_robin",
    "rest",
    "pod",
    "pod_spread",
}  # no warning


@dataclass(frozen=True, slots=True)
class Remark:
    """One sentence with its rule; `tone` "missing" for what had to yield."""

    text: str
    rule: str
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Measure:
    """One criterion of 4.1 as the round has it; 0 means that nothing had to yield."""

    key: str
    label: str
    value: int
    rule: str


CRITERIA = {
    "repeat_byes": _("Byes that whoever has the bye had before"),
    "rematches": _("Matches between two who had met"),
    "rematch_recency": _("Rounds of those meetings, added up"),
    "bye_points": _("Points of the bye above the lowest player"),
    "gap": _("Differences of points at the tables, added up"),
    "gap_squared": _("Those differences squared, added up"),
    "repeat_downs": _("Paired down again"),
    "repeat_ups": _("Paired up again"),
    "separations": _("Tables of two of one team"),
    "repeat_small": _("Seats at a small table of whoever had one before"),
}
NOTES = {
    "assigned_bye": _("%(a)s has an assigned bye."),
    "repeat_down": _("%(a)s is paired down again."),
    "repeat_up": _("%(a)s is paired up again."),
    "separation": _("%(a)s and %(b)s are both of %(team)s and meet."),
    "bye_points": _("The bye is not in the lowest group: %(a)s has %(points)s points and the lowest is %(lowest)s."),
    "bracket": _("The bracket of the cut: the best places meet the last, then the winners of neighbouring matches."),
    "round_robin": _("In a round robin everybody meets everybody, in a fixed order."),
}


def measures(criteria: Mapping[str, int]) -> list[Measure]:
    """The criteria of a round, the most important first; none for a round that was not paired here."""
    return [
        Measure(key, str(CRITERIA.get(key, key)), value, {**POD_RULES, **RULES}.get(key, "4.1"))
        for key, value in criteria.items()
        if isinstance(value, int)
    ]


def of_robin(players: Iterable[PlayerId], notes: Iterable[Mapping[str, Any]]) -> dict[PlayerId, list[Note]]:
    """Why this opponent, or the bye, in a round robin; `notes` as the round stores them."""
    resting = {note["players"][0]: note for note in notes if note["code"] == "rest"}
    found = {}
    for player in players:
        note = resting.get(player)
        data = note["data"] if note else {}
        found[player] = [Note("rest" if note else "round_robin", "3", (player,), data)]
    return found


def remarks(notes: Iterable[Note], name: Name, *, proven: bool = True) -> list[Remark]:
    """Of one player: what is said of him and his opponent need not be said again of the table."""
    found = list(notes)
    ordinary = any(note.code in ("opponent", "pod") for note in found)
    kept = [note for note in found if note.code not in ("float", "pod_spread") or not ordinary]
    return [remark(asdict(note), name, proven=proven) for note in kept]


def remark(note: Mapping[str, Any], name: Name, *, proven: bool = True) -> Remark:
    """`note` as a round stores it: {code, rule, players, data}; `name` says what a player is called here."""
    code, data = str(note["code"]), note.get("data", {})
    names = [str(name(key)) for key in note["players"]]
    values = {"a": names[0] if names else "", "b": names[-1] if names else "", **data}
    if data.get("absent"):
        values["absent"] = str(name(data["absent"]))
    return Remark(note_words(code, values, proven), str(note["rule"]), "" if code in EXPECTED else "missing")


def note_words(code: str, values: dict[str, Any], proven: bool) -> str:
    match code:
        case "rematch":
            return rematch_words(values, proven)
        case "float":
            return float_words(values)
        case "bye":
            return bye_words(values, proven)
        case "repeat_bye":
            return repeat_bye_words(values, proven)
        case "opponent":
            return opponent_words(values, proven)
        case "rest":
            return rest_words(values)
        case "pod":
            return pod_words(values)
        case "pod_spread":
            return spread_words(values)
        case "repeat_small":
            return repeat_small_words(values)
    return str(NOTES[code]) % values if code in NOTES else code


def rematch_words(values: dict[str, Any], proven: bool) -> str:
    if not proven and values["times"] == 1:
        return gettext("%(a)s and %(b)s meet again: they played in round %(last_round)s.") % values
    text = ngettext(
        "%(a)s and %(b)s meet again: they played in round %(last_round)s, and no round avoids every repeat.",
        "%(a)s and %(b)s meet again: %(times)s times so far, the last in round %(last_round)s.",
        values["times"],
    )
    return text % values


def float_words(values: dict[str, Any]) -> str:
    high, low = values["points"]
    return gettext("%(a)s (%(high)s points) meets %(b)s (%(low)s points).") % {**values, "high": high, "low": low}


def repeat_bye_words(values: dict[str, Any], proven: bool) -> str:
    if proven:
        return gettext("%(a)s has a second bye: nobody with fewer could be found.") % values
    return gettext("%(a)s has a second bye.") % values


def bye_words(values: dict[str, Any], proven: bool) -> str:
    passed = values.get("passed_over") or {}
    if not passed:
        return gettext("%(a)s has the bye: nobody has fewer points.") % values
    if all(reason == "had_bye" for reason in passed.values()):
        return gettext("%(a)s has the bye: whoever has fewer points had one already.") % values
    if not proven:
        return gettext("%(a)s has the bye.") % values
    return (
        gettext("%(a)s has the bye: with whoever has fewer points the round would break an earlier criterion.") % values
    )


def rest_words(values: dict[str, Any]) -> str:
    if values.get("absent"):
        return gettext("%(a)s rests: %(absent)s, who would be the rival, does not play this round.") % values
    return gettext("%(a)s rests: the number of players is odd, and everybody rests once.") % values


def pod_words(values: dict[str, Any]) -> str:
    """The points at a table of several, and why it is a small one."""
    own, *others = values["points"]
    level = [other for other in others if other != own]
    if level:
        points = names_words([number_words(other) for other in others])
        text = gettext("%(own)s, at a table with %(others)s.") % {"own": points_words(own), "others": points}
    else:
        text = gettext("Everybody at the table had %(points)s.") % {"points": points_words(own)}
    if values["small"]:
        return f"{text} {gettext('The number of players leaves tables of %(size)s too.') % values}"
    return text


def spread_words(values: dict[str, Any]) -> str:
    high, low = values["points"]
    text = gettext("Points from %(high)s to %(low)s at the table of %(a)s.")
    return text % {**values, "high": number_words(high), "low": number_words(low)}


def repeat_small_words(values: dict[str, Any]) -> str:
    return gettext("%(a)s sits at a small table again.") % values


def opponent_words(values: dict[str, Any], proven: bool) -> str:
    low, high = sorted(values["points"])
    if low != high:
        facts = {"high": number_words(high), "low": points_words(low)}
        if not proven:
            return gettext("%(high)s against %(low)s.") % facts
        return (
            gettext(
                "%(high)s against %(low)s: not everybody could meet somebody level, and no round has smaller "
                "differences in all."
            )
            % facts
        )
    level = gettext("Both had %(points)s.") % {"points": points_words(high)}
    return f"{level} {choice_words(values)}" if proven else level


def choice_words(values: dict[str, Any]) -> str:
    """How one was chosen among those level with him."""
    others, met = values["group"] - 1, values["met"]
    if others == 1:
        return gettext("Nobody else had as many.")
    if values["by_standings"]:
        return gettext("Of the %(others)s others with as many, neighbours in the standings meet.") % {"others": others}
    if met:
        text = ngettext(
            "Of the %(others)s others with as many, one had been met before; the lot decided among the rest.",
            "Of the %(others)s others with as many, %(met)s had been met before; the lot decided among the rest.",
            met,
        )
        return text % {"others": others, "met": met}
    return gettext("The lot decided among the %(others)s others with as many.") % {"others": others}
