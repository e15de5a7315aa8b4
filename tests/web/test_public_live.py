"""Fragments for everybody and the visitor's own marks in them (DESIGN, State)."""

import pytest

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
