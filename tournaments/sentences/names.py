"""Lists of names inside a sentence."""

from collections.abc import Iterable

from django.utils.translation import gettext, ngettext

LISTED = 8  # names of one sentence


def names_words(names: Iterable[str]) -> str:
    """
    >>> names_words(["2", "3", "4"])  # in Spanish
    '2, 3 y 4'
    """
    found = list(names)
    if len(found) > LISTED:
        rest = len(found) - LISTED
        more = ngettext("%(count)s more", "%(count)s more", rest) % {"count": rest}
        found = [*found[:LISTED], more]
    if len(found) < 2:
        return "".join(found)
    return gettext("%(list)s and %(last)s") % {"list": ", ".join(found[:-1]), "last": found[-1]}
