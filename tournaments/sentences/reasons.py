"""Why a round is as it is, in words (TOURNAMENT_RULES 4.3)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

Name = Callable[[str], str]
EXPECTED = {"bye", "assigned_bye"}  # said beside the name, no warning


@dataclass(frozen=True, slots=True)
class Remark:
    """One sentence with its rule; `tone` "missing" for what had to yield."""

    text: str
    rule: str
    tone: str = ""


NOTES = {
    "assigned_bye": _("%(a)s has the bye that you assigned."),
    "repeat_bye": _("%(a)s has a second bye: nobody with fewer could be found."),
    "bye_points": _("The bye is not in the lowest group: %(a)s has %(points)s points and the lowest is %(lowest)s."),
    "repeat_down": _("%(a)s is paired down again."),
    "repeat_up": _("%(a)s is paired up again."),
    "separation": _("%(a)s and %(b)s are both of %(team)s and meet."),
}


def remark(note: Mapping[str, Any], name: Name) -> Remark:
    """`note` as a round stores it: {code, rule, players, data}; `name` says what a player is called here."""
    code, data = str(note["code"]), note.get("data", {})
    names = [str(name(key)) for key in note["players"]]
    values = {"a": names[0] if names else "", "b": names[-1] if names else "", **data}
    return Remark(note_words(code, values), str(note["rule"]), "" if code in EXPECTED or code == "float" else "missing")


def note_words(code: str, values: dict[str, Any]) -> str:
    if code == "rematch":
        return rematch_words(values)
    if code == "float":
        high, low = values["points"]
        return gettext("%(a)s (%(high)s points) meets %(b)s (%(low)s points).") % {**values, "high": high, "low": low}
    if code == "bye":
        return bye_words(values)
    return str(NOTES[code]) % values if code in NOTES else code


def rematch_words(values: dict[str, Any]) -> str:
    text = ngettext(
        "%(a)s and %(b)s meet again: they played in round %(last_round)s, and no round avoids every repeat.",
        "%(a)s and %(b)s meet again: %(times)s times so far, the last in round %(last_round)s.",
        values["times"],
    )
    return text % values


def bye_words(values: dict[str, Any]) -> str:
    passed = values.get("passed_over") or {}
    if not passed:
        return gettext("%(a)s has the bye: nobody has fewer points.") % values
    if all(reason == "had_bye" for reason in passed.values()):
        return gettext("%(a)s has the bye: whoever has fewer points had one already.") % values
    return (
        gettext("%(a)s has the bye: with whoever has fewer points the round would break an earlier criterion.") % values
    )
