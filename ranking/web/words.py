"""Sentences that boards and profiles share."""

from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ranking.models import BoardRow


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
    found = [part for part in parts if part]
    return _("%(matches)s and %(opponents)s") % dict(zip(("matches", "opponents"), found, strict=True)) if found[1:] else "".join(found)


def you_lack(row: BoardRow) -> str:
    what = {"what": lacking(row)}
    most = row.missing_matches or row.missing_opponents
    return ngettext("You need %(what)s more to have a place.", "You need %(what)s more to have a place.", most) % what


def they_lack(row: BoardRow) -> str:
    what = {"what": lacking(row)}
    most = row.missing_matches or row.missing_opponents
    return ngettext("%(what)s to go for a place", "%(what)s to go for a place", most) % what
