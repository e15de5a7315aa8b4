"""/reglas/: the whole book with an anchor per rule, in both languages, searched without accents and without scripts."""

import re

import pytest
from django.template import Context, Template
from django.test import Client
from django.urls import reverse
from django.utils import translation

from tournaments.rulebook import book

pytestmark = pytest.mark.django_db


def page(client: Client, lang: str = "es", **query: str) -> str:
    response = client.get(reverse("rules"), query, headers={"accept-language": lang})
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.parametrize("lang", book.LANGUAGES)
def test_every_rule_has_its_anchor_once_and_every_link_inside_arrives(client: Client, lang: str) -> None:
    html = page(client, lang)
    ids = re.findall(r'\bid="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    assert {rule.id for rule in book.book(lang)} <= set(ids)
    targets = set(re.findall(r'href="(?:/reglas/)?#([^"]+)"', html))
    assert len(targets) > len(book.sections(lang))
    assert targets <= set(ids)


def test_language_follows_the_reader_at_the_same_address(client: Client) -> None:
    assert '<html lang="es"' in page(client, "es-ES")
    assert "Nadie descansa dos veces" in page(client, "fr")  # Spanish where we have no text
    english = page(client, "en")
    assert '<html lang="en"' in english
    assert "No second bye" in english
    client.post(reverse("set_language"), {"language": "es", "next": reverse("rules")})
    assert "Nadie descansa dos veces" in page(client, "en")  # what was chosen outranks the browser


def test_references_show_the_number_of_today(client: Client) -> None:
    with translation.override("es"):
        html = page(client)
    assert re.search(r'href="/reglas/#tiempo-agotado" title="[^"]+">[Rr]\w+ 8\.2</a>', html)


def test_search_ignores_accents_and_shows_only_what_matches(client: Client) -> None:
    html = page(client, q="ANIQUILACION")
    assert 'id="formas-de-ganar"' in html
    assert 'id="descanso-unico"' not in html
    assert 'value="ANIQUILACION"' in html


def test_search_by_number_and_without_result(client: Client) -> None:
    assert 'id="sin-repetir-rival"' in page(client, q="4.1.3")
    assert 'class="rule' not in page(client, q="xilófono")


def test_search_is_escaped_and_bounded(client: Client) -> None:
    html = page(client, q='"><script>alert(1)</script>')
    assert "<script>alert" not in html
    assert f'name="q" value="{"b" * 100}"' in page(client, q="b" * 5000)


def test_version_and_date_are_shown(client: Client) -> None:
    version = book.book("es").versions[0]
    html = page(client)
    assert version.number in html
    assert str(version.date.year) in html


def test_only_reading(client: Client) -> None:
    assert client.post(reverse("rules")).status_code == 405


def test_tag_links_by_number_and_by_id() -> None:
    template = Template(
        '{% load rulebook %}{% rule "4.1.3" %}|{% rule "sin-repetir-rival" %}|{% rule "" %}|{% rule odd %}'
    )
    with translation.override("en"):
        by_number, by_id, nothing, unknown = template.render(Context({"odd": "99.9<"})).split("|")
    assert (
        by_number
        == by_id
        == '<a class="rule-link" href="/reglas/#sin-repetir-rival" title="No rival twice">Rule 4.1.3</a>'
    )
    assert nothing == ""
    assert unknown == "Rule 99.9&lt;"
