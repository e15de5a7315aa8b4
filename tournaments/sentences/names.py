"""Lists and numbers inside a sentence."""

from collections.abc import Iterable
from fractions import Fraction

from django.utils.formats import localize, number_format
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


def number_words(number: Fraction | int) -> str:
    whole = number.numerator if number.denominator == 1 else float(number)
    return str(localize(whole))


def many_words(number: int) -> str:
    """With its thousands apart."""
    return str(number_format(number, force_grouping=True))


def points_words(points: Fraction | int) -> str:
    text = ngettext("%(points)s point", "%(points)s points", 1 if points == 1 else 2)
    return text % {"points": number_words(points)}
