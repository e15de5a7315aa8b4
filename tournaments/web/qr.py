"""QR codes as inline SVG: presentation attributes only, so that the content security policy has nothing to forbid."""

import segno
from django.http import HttpRequest
from django.utils.safestring import SafeString


def qr(text: str) -> SafeString:
    """The code of a text, sized by the page's own stylesheet; the caption beside it says what it is."""
    code = segno.make(text, error="m", micro=False)
    svg = code.svg_inline(omitsize=True, border=2, svgclass=None, lineclass=None)
    return SafeString(svg.replace("<svg ", '<svg aria-hidden="true" focusable="false" ', 1))


def link(request: HttpRequest, path: str) -> str:
    """The address that a phone must open: absolute, by the name under which this page was asked for."""
    return request.build_absolute_uri(path)
