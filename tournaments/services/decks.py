"""Deck lists of an event: handed in, locked, unlocked for one player, let pass by the staff, checked by a judge.

What is handed in is a frozen copy (CASES 87). Until the event begins it may be handed in again as often as one likes;
when round 1 is paired everybody's is locked. A player's list has to be legal on the event's day to be taken: a list
that is not stays with him, with what to mend line by line. Staff may take it all the same, with a reason that the log
keeps. Log entries name players by key and lists by their digest, never a card.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

from decks.models import Card, DeckVersion, Submission, SubmissionCard
from decks.rules import games
from decks.rules.sentences import language, sentence
from decks.services import submissions
from decks.services.submissions import SHORT, Judged
from tournaments import rights
from tournaments.models import DeckCheck, Event, Penalty, Registration, Round
from tournaments.queries import BEFORE_PLAY, legal_lists
from tournaments.services.errors import Refused
from tournaments.services.journal import Actor, Change
from tournaments.services.judging import terms_of
from tournaments.services.registrations import changing

LONGEST_REASON = 200


# -- what one may do now -----------------------------------------------------------------------------------------------
def locked(event: Event, row: Registration) -> bool:
    """From round 1 on; staff may unlock one player, and a late entry hands his first one in."""
    return event.status not in BEFORE_PLAY and not row.deck_unlocked


def preview(event: Event, text: str) -> Judged:
    """What `submit` would say of that text; nothing is kept."""
    return submissions.judge(submissions.clean(text)[: submissions.LONGEST], terms_of(event))


def by_staff(event: Event, by: Actor) -> bool:
    """Acting for the store: not as the player whose account it is."""
    return by.player is None and (by.user is None or rights.may(by.user, "deck", event.store))


# -- handing in --------------------------------------------------------------------------------------------------------
def submit(
    registration: Registration,
    text: str,
    *,
    by: Actor,
    at: datetime | None = None,
    version: DeckVersion | None = None,
    name: str = "",
    accept: bool = False,
    reason: str = "",
) -> Submission:
    """Hand a list in. The same text again is nothing new. `version`: the deck it comes from, if it still reads so.

    Refused codes: `not_asked`, `finished`, `inactive`, `empty`, `too_long`, `locked`, `illegal` (with the
    verdict's `problems` as data), `reason`. `accept` takes an illegal list, staff only; after round 1 the staff need no
    unlocking, but a reason.
    """
    at, text = at or timezone.now(), submissions.clean(text)
    with changing(registration, "deck.submit", by=by, at=at, reason=reason) as (write, row):
        _check_may_submit(write.event, row, by, reason)
        _check_text(text)
        judged = submissions.judge(text, terms_of(write.event))
        if (current := _same(write.event, row, text, judged)) is not None:
            return current
        accepted = _check_legal(write.event, judged, by, accept, reason)
        handed = _freeze(write, row, text, judged, by=by, at=at, version=version, name=name)
        write.data |= {"digest": handed.digest[:SHORT], "again": row.submission_id is not None, "legal": judged.legal}
        write.set(
            row,
            submission=handed,
            element=handed.element or row.element,
            deck_unlocked=False,
            deck_accepted=accepted,
            lists_consent=write.event.lists_public,
        )
    return handed


def _check_may_submit(event: Event, row: Registration, by: Actor, reason: str) -> None:
    _check_asked(event)
    if row.last_round is not None:
        raise Refused(_("%(name)s is not in the event.") % {"name": row.person.name}, code="inactive", rule="5.1")
    if not locked(event, row):
        return
    if not by_staff(event, by):
        raise Refused(_("Lists are locked since round 1; ask a judge."), code="locked")
    _check_reason(reason)


def _check_asked(event: Event) -> None:
    if not event.asks_for_lists:
        raise Refused(_("This event asks for no deck lists."), code="not_asked")


def _check_reason(reason: str) -> None:
    if not reason.strip():
        raise Refused(_("Write the reason: it stays in the log."), code="reason")


def _check_text(text: str) -> None:
    if not text:
        raise Refused(_("Paste your list first."), code="empty")
    if len(text) > submissions.LONGEST:
        message = _("A list has at most %(most)d characters.") % {"most": submissions.LONGEST}
        raise Refused(message, code="too_long")


def _same(event: Event, row: Registration, text: str, judged: Judged) -> Submission | None:
    """The list in force, when it is this one and nothing else would change."""
    current, moved = row.submission, row.deck_unlocked or row.lists_consent != event.lists_public
    if current is None or moved or current.digest != submissions.digest(text):
        return None
    return current if judged.legal or row.deck_accepted else None


def _check_legal(event: Event, judged: Judged, by: Actor, accept: bool, reason: str) -> str:
    """Why an illegal list is taken all the same; empty for a legal one."""
    if judged.legal:
        return ""
    if not accept or not by_staff(event, by):
        problems = [submissions.told(problem, judged.said.game) for problem in judged.said.problems]
        raise Refused(illegal_words(judged), code="illegal", data={"problems": problems})
    _check_reason(reason)
    return reason.strip()[:LONGEST_REASON]


def illegal_words(judged: Judged) -> str:
    """The first thing that is wrong, and how many more there are."""
    first, *more = [sentence(each, judged.said.game, language(get_language())) for each in judged.said.problems]
    if not more:
        return gettext("The list is not legal: %(problem)s") % {"problem": first}
    text = ngettext(
        "The list is not legal: %(problem)s And %(count)d thing more.",
        "The list is not legal: %(problem)s And %(count)d things more.",
        len(more),
    )
    return text % {"problem": first, "count": len(more)}


def _freeze(
    write: Change,
    row: Registration,
    text: str,
    judged: Judged,
    *,
    by: Actor,
    at: datetime,
    version: DeckVersion | None,
    name: str,
) -> Submission:
    if version is not None and submissions.clean(version.text) != text:
        version = None
    made = submissions.frozen(row.player, text, judged, at=at, by=by.user, version=version, name=name)
    handed = write.add(made)
    write.add_all(SubmissionCard, submissions.cards_of([(handed, judged)]))
    write.add(submissions.verdict_of(handed, judged, 1, at))
    return handed


# -- leave of the staff ------------------------------------------------------------------------------------------------
def unlock(registration: Registration, *, by: Actor, reason: str, at: datetime | None = None) -> Registration:
    """This player may hand in again, once: what he then hands in is locked again."""
    with changing(registration, "deck.unlock", by=by, at=at, reason=reason) as (write, row):
        _check_asked(write.event)
        if write.event.status in BEFORE_PLAY:
            raise Refused(_("Lists are locked only from round 1 on."), code="not_locked")
        _check_reason(reason)
        write.set(row, deck_unlocked=True)
    return row


def lock(registration: Registration, *, by: Actor, at: datetime | None = None) -> Registration:
    with changing(registration, "deck.lock", by=by, at=at) as (write, row):
        write.set(row, deck_unlocked=False)
    return row


def accept(registration: Registration, *, by: Actor, reason: str, at: datetime | None = None) -> Registration:
    """Let him play with the list as it is, illegal or missing."""
    with changing(registration, "deck.accept", by=by, at=at, reason=reason) as (write, row):
        _check_asked(write.event)
        _check_reason(reason)
        if legal_lists(write.event).get(row.pk):
            raise Refused(_("This list is legal: there is nothing to let pass."), code="legal")
        write.set(row, deck_accepted=reason.strip()[:LONGEST_REASON])
        write.data["missing"] = row.submission_id is None
    return row


def consent(registration: Registration, *, by: Actor, at: datetime | None = None) -> Registration:
    """He agrees that his list is published when the event now says, which was not so when he handed it in."""
    with changing(registration, "deck.consent", by=by, at=at, always=True) as (write, row):
        write.set(row, lists_consent=write.event.lists_public)
    return row


# -- deck checks -------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Difference:
    """A card of which the list says one number and the table another."""

    code: str
    name: str
    listed: int
    found: int

    @property
    def more(self) -> int:
        return self.found - self.listed


def listed(submission: Submission) -> dict[str, tuple[str, int]]:
    """(name, copies) by card code, of what counts: tokens may lie on the table as they like. One query."""
    free = [section.slug for section in games.game(submission.game.slug).sections if section.free]
    rows = submission.cards.exclude(section__in=free).select_related("card")
    found: dict[str, tuple[str, int]] = {}
    for row in rows:
        found[row.card.code] = (row.card.name, found.get(row.card.code, ("", 0))[1] + row.copies)
    return found


def differences(submission: Submission, counted: Mapping[str, int]) -> list[Difference]:
    """`counted`: copies found, by card code; a card that it leaves out is as the list says. Two queries at most."""
    there = listed(submission)
    strange = Card.objects.filter(game=submission.game, code__in=counted.keys() - there.keys())
    names = {code: name for code, (name, _copies) in there.items()} | dict(strange.values_list("code", "name"))
    wanted = Counter({code: copies for code, (_name, copies) in there.items()})
    return [
        Difference(code, names[code], wanted[code], found)
        for code, found in counted.items()
        if code in names and found != wanted[code]
    ]


def check(
    registration: Registration,
    counted: Mapping[str, int],
    *,
    by: Actor,
    note: str = "",
    penalty: tuple[str, str] | None = None,
    round: Round | None = None,
    at: datetime | None = None,
) -> DeckCheck:
    """A judge held the cards against the list. `penalty`: kind and infraction, noted with it (rule 8.4)."""
    at = at or timezone.now()
    with changing(registration, "deck.check", by=by, at=at) as (write, row):
        if row.submission is None:
            raise Refused(_("There is no deck list to hold the cards against."), code="no_list")
        different = differences(row.submission, counted)
        given = _penalty(write, row, penalty, round, by, at)
        made = write.add(
            DeckCheck(
                event=write.event,
                registration=row,
                submission=row.submission,
                round=round,
                counted=dict(counted),
                correct=not different,
                note=note.strip(),
                penalty=given,
                by=by.user,
                at=at,
            )
        )
        write.data |= {"correct": made.correct, "differences": len(different)}
        write.data |= {"kind": given.kind} if given else {}
    return made


def _penalty(
    write: Change, row: Registration, asked: tuple[str, str] | None, round: Round | None, by: Actor, at: datetime
) -> Penalty | None:
    if asked is None:
        return None
    kind, infraction = asked
    if kind == Penalty.Kind.DISQUALIFICATION:
        raise Refused(
            _("Disqualify on the player's page: it changes tables and places."), code="disqualify", rule="8.5"
        )
    if not infraction.strip():
        raise Refused(_("Say what the penalty is for."), code="infraction", rule="8.4")
    values: dict[str, Any] = {"kind": kind, "infraction": infraction.strip()[:120], "by": by.user, "at": at}
    return write.add(Penalty(event=write.event, registration=row, round=round, **values))
