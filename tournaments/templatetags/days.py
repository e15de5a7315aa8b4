"""`{% load days %}`: dates as one says them, in the reader's language and in the zone that is active."""

from datetime import date, datetime
from typing import Any

from django import template
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import pgettext

register = template.Library()


def said(value: Any, form: str) -> str:
    """A moment is told in the active zone (the store's, TOURNAMENT_RULES 9); nothing for nothing."""
    if not isinstance(value, date):
        return ""
    if isinstance(value, datetime) and timezone.is_aware(value):
        value = timezone.localtime(value)
    return date_format(value, form)


@register.filter
def day(value: Any) -> str:
    """ "jueves 12 de marzo" """
    return said(value, pgettext("format of a date: weekday and day", "l j F"))


@register.filter
def full_day(value: Any) -> str:
    """ "jueves 12 de marzo de 2026" """
    return said(value, pgettext("format of a date: weekday, day and year", "l j F Y"))


@register.filter
def short_day(value: Any) -> str:
    """ "12 mar" """
    return said(value, pgettext("format of a date: day and month, short", "j M"))


@register.filter
def short_moment(value: Any) -> str:
    """ "jue 12 mar, 20:12" """
    return said(value, pgettext("format of a date: short weekday, day and time", "D j M, H:i"))


@register.filter
def stamp(value: Any) -> str:
    """ "12 de marzo, 20:12" """
    return said(value, pgettext("format of a date: day and time", "j F, H:i"))
