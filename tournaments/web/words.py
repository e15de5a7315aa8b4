"""What the core says in codes, in words that name people and tables (STYLE 10)."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from tournaments.models import Event
from tournaments.sentences.names import names_words
from tournaments.sentences.reasons import Remark
from tournaments.services.events import NextStep
from tournaments.swiss.notes import Note
from tournaments.swiss.rounds import advice, suggested_cut, suggested_rounds

__all__ = ["Bar", "Remark", "advice_words", "names_words", "step_of", "table_of_rounds"]


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
