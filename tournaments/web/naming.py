"""What a player is called on a public list. Two who are shown the same get their codes beside it (CASES 51)."""

from collections import Counter
from collections.abc import Iterable
from html import escape

from django.utils.safestring import SafeString

from tournaments.models import Registration
from tournaments.queries import Sheet


def shown_names(registrations: Iterable[Registration]) -> dict[int, str]:
    """Registration id to the name that everyone sees."""
    return {row.id: row.person.shown for row in registrations}


def tags(registrations: Iterable[Registration]) -> dict[int, str]:
    """Registration id to the public code, for those whose shown name is also another's in this event."""
    rows = list(registrations)
    names = shown_names(rows)
    times = Counter(names.values())
    return {row.id: row.person.printed_code for row in rows if times[names[row.id]] > 1}


def staff_tags(sheet: Sheet) -> dict[int, str]:
    """The same for who sees whole names: the code of each who is called as another is, accents and case apart."""
    return {row.pk: row.person.printed_code for group in sheet.twins for row in group}


def label(registration: Registration, tagged: dict[int, str]) -> str | SafeString:
    name, tag = registration.person.shown, tagged.get(registration.pk)
    return SafeString(f'{escape(name)} <small class="muted num">{escape(tag)}</small>') if tag else name
