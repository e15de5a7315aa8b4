"""What if, for a running event: computed once for each of its versions and kept in the cache (docs/what-if.md)."""

from threading import Lock

from django.conf import settings
from django.core.cache import cache

from tournaments.models import Event, Round
from tournaments.queries import Sheet
from tournaments.services.steps import planned_rounds
from tournaments.swiss.whatif.answer import NotYet, Outlook

__all__ = ["NotYet", "near", "outlook_of"]

KEPT_SECONDS = 3600
_one_at_a_time = Lock()
"""When a round is published a hall of phones asks at once: the first works it out, the others wait for its answer."""


def near(event: Event, round: Round | None, planned: int) -> bool:
    """Whether there is something to reckon, as far as can be told without reading the event: its last two rounds.

    Of a round robin the last alone: who meets whom in it does not follow the points (docs/what-if.md).
    """
    if not event.cut_size or event.status != Event.Status.RUNNING or round is None or round.kind != Round.Kind.SWISS:
        return False
    first = planned if event.format == Event.Format.ROUND_ROBIN else planned - 1
    return 0 < first <= round.number


def outlook_of(sheet: Sheet) -> Outlook:
    """The outlook of the published rounds. NotYet when there is nothing to reckon, `not_running` outside the Swiss,
    `round_robin` before its last round."""
    from tournaments.swiss.whatif.outlook import outlook  # numpy: only whoever asks for it

    event = sheet.event
    if event.status != Event.Status.RUNNING:
        raise NotYet("not_running")
    if event.format == Event.Format.ROUND_ROBIN and not near(event, sheet.published_round, planned_rounds(sheet)):
        raise NotYet("round_robin")
    key = f"what-if:{settings.VERSION}:{event.pk}:{event.version}"
    found: Outlook | None = cache.get(key)
    if found is None:
        with _one_at_a_time:
            found = cache.get(key) or outlook(sheet.tournament, planned_rounds(sheet), event.cut_size)
            cache.set(key, found, KEPT_SECONDS)
    return found
