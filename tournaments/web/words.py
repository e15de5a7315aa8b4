"""What the core says in codes, in words that name people and tables (STYLE 10)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from tournaments.models import Event
from tournaments.queries import Sheet
from tournaments.services.events import NextStep
from tournaments.swiss.notes import Note
from tournaments.swiss.rounds import advice, suggested_cut, suggested_rounds

EXPECTED = {"bye", "assigned_bye"}  # said beside the name, no warning
LISTED = 8  # names of one sentence


@dataclass(frozen=True, slots=True)
class Remark:
    """One sentence with its rule; `tone` "missing" for what had to yield."""

    text: str
    rule: str
    tone: str = ""


def names_words(names: Iterable[str]) -> str:
    """
    >>> names_words(["2", "3", "4"])  # in Spanish
    '2, 3 y 4'
    """
    found = list(names)
    if len(found) > LISTED:
        rest = len(found) - LISTED
        more = ngettext("%(count)s more", "%(count)s more", rest) % {"count": rest}
        found = [*found[:LISTED], more]
    if len(found) < 2:
        return "".join(found)
    return gettext("%(list)s and %(last)s") % {"list": ", ".join(found[:-1]), "last": found[-1]}


# -- why a round is as it is (rule 4.3) --------------------------------------------------------------------------------
NOTES = {
    "assigned_bye": _("%(a)s has the bye that you assigned."),
    "repeat_bye": _("%(a)s has a second bye: nobody with fewer could be found."),
    "bye_points": _("The bye is not in the lowest group: %(a)s has %(points)s points and the lowest is %(lowest)s."),
    "repeat_down": _("%(a)s is paired down again."),
    "repeat_up": _("%(a)s is paired up again."),
    "separation": _("%(a)s and %(b)s are both of %(team)s and meet."),
}


def remark(sheet: Sheet, note: Mapping[str, Any]) -> Remark:
    """`note` as a round stores it: {code, rule, players, data}."""
    code, data = str(note["code"]), note.get("data", {})
    names = [sheet.by_key[key].person.name if key in sheet.by_key else str(key) for key in note["players"]]
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


# -- how many rounds (rule 3) ------------------------------------------------------------------------------------------
def advice_words(event: Event, players: int) -> list[Remark]:
    """What to tell before round 1: the table's suggestion, and where the chosen number leads."""
    if players < 2:
        return []
    rounds = event.rounds_planned or suggested_rounds(players)
    found = [Remark(suggestion_words(players), "3")] if event.rounds_planned in {0, rounds} else []
    if event.rounds_planned and event.rounds_planned != suggested_rounds(players):
        found = [Remark(chosen_words(event.rounds_planned, players), "3")]
    return found + [Remark(advice_text(note), note.rule, "missing") for note in advice(players, rounds)]


def suggestion_words(players: int) -> str:
    rounds, cut = suggested_rounds(players), suggested_cut(players)
    text = ngettext("%(players)s players: %(rounds)s round", "%(players)s players: %(rounds)s rounds", rounds)
    words = text % {"players": players, "rounds": rounds}
    return gettext("%(rounds)s and Top %(cut)s.") % {"rounds": words, "cut": cut} if cut else f"{words}."


def chosen_words(rounds: int, players: int) -> str:
    return gettext("You chose %(rounds)s rounds; for %(players)s players the table says %(suggested)s.") % {
        "rounds": rounds, "players": players, "suggested": suggested_rounds(players),
    }  # fmt: skip


def advice_text(note: Note) -> str:
    data = note.data
    robin = _("With %(players)s players, %(round_robin)s rounds are a round robin: everybody meets everybody.")
    repeat = _("With %(players)s players, %(rounds)s rounds may end in a repeat. With %(suggested)s it cannot happen.")
    return str(robin if note.code == "round_robin" else repeat) % data


def table_of_rounds() -> list[tuple[str, int, str]]:
    """Rule 3 for the form: (players, rounds, cut)."""
    from tournaments.swiss.rounds import TABLE

    bounds = [*(least for least, _r, _c in TABLE[1:]), None]
    rows = zip(TABLE, bounds, strict=True)
    return [(f"{a}–{b - 1}" if b else f"{a}+", r, f"Top {c}" if c else "–") for (a, r, c), b in rows]


# -- the next step -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Bar:
    """components/next.html: the one button at the foot. `target` empty: a plain form, it leads to another page."""

    headline: str
    why: str
    label: str
    action: str
    value: int | None = None
    blocked: bool = False
    target: str = "#console"


def step_of(event: Event, step: NextStep) -> Bar:
    return Bar(
        headline=step.headline or step.label,
        why=step.reason,
        label=step.label,
        action=reverse(step.url_name, args=[event.slug, *step.args]),
        value=step.number,
        blocked=not step.enabled,
        target="" if step.url_name == "event_repeat" else "#console",
    )
