"""A guest signs himself up from the public page: no account, one registration however often the form is sent."""

from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.crypto import salted_hmac

from decks.models import Element
from players import codes, names
from players.models import Player
from players.services import people
from tournaments.models import Event, Registration
from tournaments.services import journal, registrations
from tournaments.services.errors import Refused
from tournaments.services.journal import Actor


@transaction.atomic
def join_as_guest(
    event: Event,
    name: str,
    request_key: str,
    *,
    element: Element | None = None,
    team: str = "",
    at: datetime | None = None,
) -> Registration:
    """Make the guest and enrol him. The same form twice is one guest (CASES 50), two people of one name are two (51).

    Nobody is looked for by name: the form's own key gives the guest's public code, and codes are unique.
    """
    journal.locked(event)  # two taps at once: the second waits here and then finds the first
    code = code_for(event, request_key)
    if (before := sent_before(event, code, name)) is not None:
        return before
    guest = new_guest(event, name, code)
    return registrations.sign_up(event, guest, by=Actor(player=guest), element=element, team=team, at=at)


def code_for(event: Event, request_key: str) -> str:
    """Derived with the secret key, so that nobody can aim a form at somebody else's code."""
    number = int(salted_hmac("tournaments.joining", f"{event.pk}:{request_key}", algorithm="sha256").hexdigest(), 16)
    base = len(codes.ALPHABET)
    body = "".join(codes.ALPHABET[number // base**place % base] for place in range(codes.LENGTH))
    return body + codes.check_character(body)


def sent_before(event: Event, code: str, name: str) -> Registration | None:
    """What this very form made already. Another name or another event: another person who happens to have the code."""
    rows = event.registrations.select_related("player", "element")
    return rows.filter(player__code=code, player__user=None, player__staff_key=names.fold(name)[:140]).first()


def new_guest(event: Event, name: str, code: str) -> Player:
    try:
        guest = people.new_guest(
            name, province=event.store.province, country=event.store.country, demo=event.store.demo
        )
    except ValidationError as error:
        raise Refused(error.messages[0], code=error.code or "name") from None
    if not Player.objects.filter(code=code).exists():
        guest.code = code
    guest.save(force_insert=True)
    return guest
