"""`{% load values %}`: what a slug of a game's file is called."""

from collections.abc import Mapping

from django import template

register = template.Library()


@register.filter
def named(names: Mapping[str, str], slug: str) -> str:
    return names.get(slug, slug)
