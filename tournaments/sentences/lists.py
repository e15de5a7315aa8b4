"""Who has no deck list to begin with, in words."""

from collections.abc import Iterable

from django.utils.translation import gettext

from tournaments.models import Registration
from tournaments.queries import ListState, Sheet
from tournaments.sentences.names import names_words


def lacking_words(sheet: Sheet, rows: Iterable[Registration]) -> str:
    """ "Deck list missing: Ana and Bruno. Deck list not legal: Clara." """
    by_state: dict[ListState, list[str]] = {}
    for row in rows:
        by_state.setdefault(sheet.list_state(row), []).append(row.person.name)
    texts = {
        ListState.MISSING: gettext("Deck list missing: %(names)s."),
        ListState.ILLEGAL: gettext("Deck list not legal: %(names)s."),
    }
    return " ".join(
        text % {"names": names_words(by_state[state])} for state, text in texts.items() if state in by_state
    )
