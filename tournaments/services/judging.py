"""What an event asks of deck lists, and judging by it: when its day, its format or the cards move, and when it begins.

Legality goes by the event's date where the store is (CASES 62, 83). Each judgement is a new `Verdict`; past ones stay,
and an event that is over keeps the last one. Verdicts are a record, so nothing here is undone.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import reduce
from typing import Any

from django.db.models import F, OuterRef, Q, Subquery
from django.utils.translation import gettext_lazy as _

from decks.models import Expansion, Game, Submission, Verdict
from decks.rules import games
from decks.rules.games import NARROWINGS, Rule
from decks.services import submissions
from decks.services.submissions import Terms
from tournaments.models import Event, Registration
from tournaments.queries import OVER, Sheet
from tournaments.sentences.lists import lacking_words
from tournaments.services import journal
from tournaments.services.errors import Refused
from tournaments.services.journal import SYSTEM, Change
from tournaments.services.steps import players_of_round_1

MOST_COPIES = 99


# -- what is asked -----------------------------------------------------------------------------------------------------
def terms_of(event: Event) -> Terms:
    """What the lists of this event are judged by."""
    return Terms(event.game, event.date, event.deck_format, narrowing_of(event))


def narrowing_of(event: Event) -> dict[str, Any]:
    """A night for one element takes lists of that element only, whether or not anything else is narrowed."""
    return {**event.deck_rules, **({"elements": [event.element.slug]} if event.element else {})}


def validate(event: Event) -> None:
    """What no event may ask of decks. No query, one where it chooses expansions."""
    game = games.game(event.game.slug)
    if event.asks_for_lists and not game.registration:
        message = _("%(game)s is played with shared cards: nobody brings a list.") % {"game": game.name}
        raise Refused(message, code="decks")
    if event.deck_format and event.deck_format not in game.formats:
        message = _("%(game)s has no format %(format)s.") % {"game": game.name, "format": event.deck_format}
        raise Refused(message, code="deck_format")
    _check_known(event, game)
    _check_possible(event, game)


def _check_known(event: Event, game: games.Game) -> None:
    """Only values that the game has."""
    asked = event.deck_rules
    if unknown := asked.keys() - set(NARROWINGS):
        raise _wrong(", ".join(sorted(unknown)))
    known = {
        "elements": {value.slug for value in game.listed("element")},
        "factions": {value.slug for value in game.listed("faction")},
        "one": {"faction", "element"},
    }
    if asked.get("expansions"):
        known["expansions"] = set(Expansion.objects.filter(game=event.game).values_list("slug", flat=True))
    for name, values in known.items():
        if strange := set(asked.get(name, ())) - values:
            raise _wrong(", ".join(sorted(strange)))
    copies = asked.get("copies")
    if copies is not None and not (isinstance(copies, int) and 1 <= copies <= MOST_COPIES):
        raise Refused(_("Of each card at least 1 copy may be played."), code="deck_rules")


def _wrong(what: str) -> Refused:
    message = _("The decks cannot be narrowed so: %(what)s.") % {"what": what}
    return Refused(message, code="deck_rules")


def _check_possible(event: Event, game: games.Game) -> None:
    """Format, element, elements and factions together must leave something to build a deck of."""
    format = submissions.format_of(terms_of(event))
    everything = {value.slug for value in game.listed("element")}
    elements = reduce(set.intersection, _only(format.rules, "element"), everything)
    factions = _only(format.rules, "faction")
    homes = {value.of for value in game.listed("faction") if all(value.slug in taken for taken in factions)}
    if everything and (not elements or (factions and not homes & elements)):
        raise Refused(
            _("No deck can be built so: the format, the element and the factions exclude each other."),
            code="deck_rules",
        )


def _only(rules: Iterable[Rule], attribute: str) -> list[set[str]]:
    """Of every rule that takes only certain values, those values."""
    return [set(values) for rule in rules if rule.kind == "only" for name, values in rule.where if name == attribute]


# -- judging again -----------------------------------------------------------------------------------------------------
@dataclass(slots=True)
class Turned:
    """Whose list is no longer what it was, by player id."""

    illegal: list[int] = field(default_factory=list)
    legal: list[int] = field(default_factory=list)


def rejudge(write: Change, at: datetime) -> Turned:
    """A new verdict for every list of the event whose newest one rests on something that has moved. Five queries.

    Leave that the staff gave for an illegal list does not cover what is wrong with it only now.
    """
    event, turned = write.event, Turned()
    if not event.asks_for_lists or event.status in OVER:
        return turned
    terms, version = terms_of(event), submissions.version_of(event.game)
    rows = list(event.registrations.exclude(submission=None).select_related("submission"))
    newest = newest_verdicts(rows)
    stale = [row for row in rows if not submissions.current(newest[row.pk], terms, version)]
    if not stale:
        return turned
    new = _verdicts(stale, newest, terms, at)
    Verdict.objects.bulk_create(new)
    for row, verdict in zip(stale, new, strict=True):
        _compare(write, row, newest[row.pk], verdict, turned)
    write.data |= {name: found for name in ("illegal", "legal") if (found := getattr(turned, name))}
    return turned


def newest_verdicts(rows: Sequence[Registration]) -> dict[int, Verdict]:
    """By registration id. One query."""
    found = Verdict.objects.filter(submission__in=[row.submission_id for row in rows]).order_by("number")
    newest = {verdict.submission_id: verdict for verdict in found}
    return {row.pk: newest[row.submission_id] for row in rows if row.submission_id in newest}


def _verdicts(rows: Sequence[Registration], newest: dict[int, Verdict], terms: Terms, at: datetime) -> list[Verdict]:
    handed: list[Submission] = [row.submission for row in rows if row.submission is not None]
    judged = submissions.judge_all([each.text for each in handed], terms)
    return [
        submissions.verdict_of(each, said, newest[row.pk].number + 1, at)
        for row, each, said in zip(rows, handed, judged, strict=True)
    ]


def _compare(write: Change, row: Registration, before: Verdict, after: Verdict, turned: Turned) -> None:
    if before.legal != after.legal:
        (turned.legal if after.legal else turned.illegal).append(row.player_id)
    if row.deck_accepted and _faults(after) - _faults(before):
        write.set(row, deck_accepted="")


def _faults(verdict: Verdict) -> set[tuple[str, str | None]]:
    return {(problem["rule"], problem["card"]) for problem in verdict.problems}


def rejudge_event(event: Event, at: datetime) -> Turned:
    """By itself, because the cards have moved; the log says so when a list has turned."""
    with journal.change(event, "deck.rejudge", by=SYSTEM, at=at) as write:
        turned = rejudge(write, at)
        write.data["players"] = [*turned.illegal, *turned.legal]
        write.skip = not write.data["players"] and not write.changes
    return turned


def rejudge_stale(at: datetime) -> int:
    """Every event that is not over and has a list judged by other cards, rules or another day. How many there were."""
    events = list(stale_events())
    for event in events:
        rejudge_event(event, at)
    return len(events)


def stale_events() -> Iterable[Event]:
    """One query, and one for the games."""
    newest = Verdict.objects.filter(submission=OuterRef("submission")).order_by("-number")
    judged_by = {
        f"judged_{name}": Subquery(newest.values(name)[:1]) for name in ("on", "catalogue_version", "rules_version")
    }
    rows = Registration.objects.exclude(submission=None).exclude(event__status__in=OVER).annotate(**judged_by)
    moved = Q(pk__in=[])
    for game in Game.objects.all():
        same = Q(
            judged_on=F("event__date"),
            judged_catalogue_version=game.catalogue_version,
            judged_rules_version=games.game(game.slug).version,
        )
        moved |= Q(event__game=game) & ~same
    asked = rows.exclude(event__decks=Event.Decks.NONE).filter(moved)
    return Event.objects.filter(pk__in=asked.values("event")).order_by("pk")


# -- the start ---------------------------------------------------------------------------------------------------------
def check_at_start(write: Change, now: Sheet, *, override: bool, reason: str, at: datetime) -> None:
    """The full check when round 1 is paired (CASES 81): each list anew, and where one is required nobody without.

    `override` with a reason begins all the same; the log keeps who had none.
    """
    rejudge(write, at)
    lacking = now.lacking_lists(players_of_round_1(now))
    if not lacking:
        return
    if not override:
        raise Refused(lacking_words(now, lacking), code="lists", data={"registrations": [row.pk for row in lacking]})
    if not reason.strip():
        raise Refused(_("Write the reason: it stays in the log."), code="reason_needed")
    write.data["without_list"] = [row.player_id for row in lacking]
