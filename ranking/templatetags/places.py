"""Provinces and days in words."""

from datetime import date, datetime

from django import template
from django.utils import timezone
from django.utils.dateformat import format as formatted
from django.utils.translation import get_language

from players.provinces import province_name

register = template.Library()

SPANISH = {"short": "j M Y", "long": r"j \d\e F \d\e Y", "week": r"l j \d\e F", "month": "M Y", "time": "j M, H:i"}
ENGLISH = SPANISH | {"long": "j F Y", "week": "l j F"}


@register.filter
def province(code: str) -> str:
    """`ES-TE` is Teruel; whatever is no province of Spain stays as it is."""
    return province_name(code)


@register.filter
def day(value: date | None, style: str = "long") -> str:
    """A day as the language writes it: "5 de marzo de 2026", in lower case in Spanish; "5 March 2026" in English.

    style: short ("5 mar 2026"), long, week ("jueves 5 de marzo"), month ("mar 2026"), time ("5 mar, 18:30").
    """
    if value is None:
        return ""
    value = timezone.localtime(value) if isinstance(value, datetime) else value
    english = (get_language() or "es").startswith("en")
    return formatted(value, ENGLISH[style]) if english else formatted(value, SPANISH[style]).lower()
