"""Fragments for everybody and the visitor's own marks in them (DESIGN, State)."""

from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from tests import make
from tournaments.models import Event
from tournaments.web import live
from tournaments.web.live import Part
from tournaments.web.qr import qr

LINES = (
    '<tr id="p-AAA" data-player="AAA" data-mark="me" class="gone ">'
    '<article data-player="AAA BBB" data-mark="focus" class="match">'
    '<article data-player="XAAA BBBX" data-mark="focus" class="match">'
)


@pytest.mark.parametrize(
    ("code", "marked"),
    [
        ("AAA", ['class="me gone ', 'class="focus match"']),
        ("BBB", ['class="focus match"']),
        ("CCC", []),
        ("", []),
        (".*", []),
        ('"', []),
    ],
)
def test_only_the_visitor_s_own_lines_are_marked(code: str, marked: list[str]) -> None:
    html = Part(LINES, {}).marked_for(code)
    added = len(html) - len(LINES)
    assert added == sum(len(mark.split('"')[1].split(" ")[0]) + 1 for mark in marked)
    assert all(mark in html for mark in marked)
    assert 'data-player="XAAA BBBX" data-mark="focus" class="match"' in html


def test_a_code_is_drawn_without_a_style() -> None:
    svg = qr("http://localhost/i/abc/")
    assert svg.startswith("<svg aria-hidden")
    assert "style" not in svg
    assert "class" not in svg


@pytest.mark.django_db
def test_what_was_just_read_of_an_event_answers_many_polls(game: object, settings: Any) -> None:
    """A hall that asks at once costs one read; a moment later the event is looked at again."""
    event = make.make_event()
    settings.BEAT_SECONDS = 60
    live._beats.clear()
    try:
        with CaptureQueriesContext(connection) as asked:
            beats = {live.recent_beat(event.slug) for _ in range(9)}
        assert (len(asked), len(beats)) == (1, 1)
        Event.objects.filter(pk=event.pk).update(version=F("version") + 1)
        assert live.recent_beat(event.slug) in beats
        settings.BEAT_SECONDS = 0
        assert live.recent_beat(event.slug) not in beats
    finally:
        live._beats.clear()


def test_made_up_addresses_do_not_fill_the_memory(db: None, settings: Any) -> None:
    settings.BEAT_SECONDS = 60
    for n in range(live.KEPT_BEATS + 5):
        assert live.recent_beat(f"no-{n}") is None
    assert len(live._beats) <= live.KEPT_BEATS
    live._beats.clear()
