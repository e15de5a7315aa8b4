"""Provinces in words."""

from django import template

from players.provinces import province_name

register = template.Library()


@register.filter
def province(code: str) -> str:
    """`ES-TE` is Teruel; whatever is no province of Spain stays as it is."""
    return province_name(code)
