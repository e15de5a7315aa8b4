"""`{% load rulebook %}{% rule "4.1.3" %}`: a reason on the screen links to the rule it rests on."""

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from tournaments.rulebook import book

register = template.Library()


def rule_link(number_or_id: str, label: str) -> SafeString:
    """Refusals carry rule numbers at run time: one that is unknown stays words, it does not break the page."""
    try:
        found = book.rule(number_or_id, get_language() or "es")
    except book.UnknownRule:
        return format_html("{}", label % {"number": number_or_id})
    address = f"{reverse('rules')}#{found.id}"
    return format_html(
        '<a class="rule-link" href="{}" title="{}">{}</a>', address, found.title, label % {"number": found.number}
    )


@register.simple_tag
def rule(number_or_id: str) -> SafeString:
    """A link such as "Regla 4.1.3", by number or permanent id; nothing when nothing is cited."""
    return rule_link(number_or_id, gettext("Rule %(number)s")) if number_or_id else SafeString("")


@register.simple_tag
def rule_reference(id: str) -> SafeString:
    """The same inside a sentence of the rulebook: "regla 4.1.3"."""
    return rule_link(id, gettext("rule %(number)s"))
