"""Sentences that boards and profiles share."""

from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ranking.models import BoardRow

NO_BREAK = "\N{NO-BREAK SPACE}"


def grouped(number: int) -> str:
    """3418 as people read it: "3 418" in Spanish, "3,418" in English."""
    return formats.number_format(number, force_grouping=True)


def lacking(row: BoardRow) -> str:
    """What a provisional player still lacks: "3 partidas y 1 rival"; empty when nothing."""
    matches, opponents = row.missing_matches, row.missing_opponents
    parts = [
        ngettext("%(n)d match", "%(n)d matches", matches) % {"n": matches} if matches else "",
        ngettext("%(n)d opponent", "%(n)d opponents", opponents) % {"n": opponents} if opponents else "",
    ]
    parts = [part.replace(" ", NO_BREAK) for part in parts]
    if all(parts):
        return _("%(matches)s and %(opponents)s") % {"matches": parts[0], "opponents": parts[1]}
    return "".join(parts)


def you_lack(row: BoardRow) -> str:
    sentence = ngettext("You need %(what)s more to have a place.", "You need %(what)s more to have a place.", most(row))
    return sentence % {"what": lacking(row)}


def they_lack(row: BoardRow) -> str:
    return ngettext("No place yet: %(what)s to go", "No place yet: %(what)s to go", most(row)) % {"what": lacking(row)}


def most(row: BoardRow) -> int:
    """The number that the verb agrees with in Spanish: that of what is named first."""
    return row.missing_matches or row.missing_opponents
