"""What the core says in codes, in words that name people and tables (STYLE 10)."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext, ngettext

from tournaments.models import Event
from tournaments.queries import planned
from tournaments.sentences.ahead import ahead_of_new
from tournaments.sentences.names import names_words
from tournaments.sentences.reasons import Remark
from tournaments.services.events import NextStep
from tournaments.swiss.notes import Note
from tournaments.swiss.pods.sizes import table_sizes
from tournaments.swiss.rounds import advice, suggested_cut, suggested_rounds

__all__ = ["Bar", "Remark", "advice_words", "names_words", "step_of", "table_of_rounds"]


# -- how many rounds (rule 3) ------------------------------------------------------------------------------------------
def advice_words(event: Event, players: int) -> list[Remark]:
    """For the form: the table's suggestion, where the chosen number leads, and what can be done about it."""
    found = table_words(event, players)
    if players < 2 or event.format != Event.Format.SWISS:
        return found
    warning = ahead_of_new(players, planned(event, players))
    return found + ([Remark(f"{warning.text} {warning.remedies}", warning.rule, "missing")] if warning else [])


def table_words(event: Event, players: int) -> list[Remark]:
    """What rule 3 says of so many players, and that their number of rounds is a round robin's."""
    if players < 2:
        return []
    rounds = planned(event, players)
    if event.format == Event.Format.ROUND_ROBIN:
        return [Remark(robin_words(players, rounds), "3")]
    if event.in_pods:
        return [Remark(pod_rounds_words(players, rounds), "2.4.5")]
    chosen = event.rounds_planned and event.rounds_planned != suggested_rounds(players)
    found = [Remark(chosen_words(rounds, players) if chosen else suggestion_words(players), "3")]
    return found + [
        Remark(robin_words(players, note.data["round_robin"]), "3") for note in robin_notes(players, rounds)
    ]


def pod_rounds_words(players: int, rounds: int) -> str:
    """ "11 players: 4 rounds, at tables of 4, 4 and 3." """
    sizes = table_sizes(players)
    large = sizes.count(sizes[0])
    tables = ngettext("%(count)s table of %(size)s", "%(count)s tables of %(size)s", large)
    said = [tables % {"count": large, "size": sizes[0]}]
    if small := len(sizes) - large:
        tables = ngettext("%(count)s table of %(size)s", "%(count)s tables of %(size)s", small)
        said.append(tables % {"count": small, "size": sizes[-1]})
    text = ngettext("%(players)s players: %(rounds)s round", "%(players)s players: %(rounds)s rounds", rounds)
    return f"{text % {'players': players, 'rounds': rounds}}, {names_words(said)}."


def robin_notes(players: int, rounds: int) -> list[Note]:
    return [note for note in advice(players, rounds) if note.code == "round_robin"]


def suggestion_words(players: int) -> str:
    rounds, cut = suggested_rounds(players), suggested_cut(players)
    text = ngettext("%(players)s players: %(rounds)s round", "%(players)s players: %(rounds)s rounds", rounds)
    words = text % {"players": players, "rounds": rounds}
    return gettext("%(rounds)s and Top %(cut)s.") % {"rounds": words, "cut": cut} if cut else f"{words}."


def chosen_words(rounds: int, players: int) -> str:
    return gettext("You chose %(rounds)s rounds; for %(players)s players the table says %(suggested)s.") % {
        "rounds": rounds, "players": players, "suggested": suggested_rounds(players),
    }  # fmt: skip


def robin_words(players: int, rounds: int) -> str:
    text = gettext("With %(players)s players, %(round_robin)s rounds are a round robin: everybody meets everybody.")
    return text % {"players": players, "round_robin": rounds}


def table_of_rounds(event: Event) -> list[tuple[str, int, str]]:
    """Rule 3 for the form: (players, rounds, cut); tables of several have none."""
    from tournaments.swiss.rounds import TABLE

    bounds = [*(least for least, _r, _c in TABLE[1:]), None]
    rows = zip(TABLE, bounds, strict=True)
    return [
        (f"{a}–{b - 1}" if b else f"{a}+", r, f"Top {c}" if c and not event.in_pods else "–") for (a, r, c), b in rows
    ]


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
