"""Live pages (DESIGN, State): anonymous fragments with an ETag of (event version, privacy epoch, language, release).

A screen that polls sends back the tag it holds; while the event stands still the answer is a 304 that cost one indexed
read, without session or account. What is personal is rendered in full pages only, or marked in the browser.
"""

import json
import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from time import monotonic
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from tournaments import queries
from tournaments.models import Event
from tournaments.queries import Beat

KEPT_SECONDS = 15  # long enough for a hall of phones that ask at once, short enough for a name that must go
KEPT_BEATS = 1000  # addresses; made-up ones must not fill the memory
POLL_SECONDS = 15
PHONE_SECONDS = (4.0, 5.0)  # of players, who wait for their next table


def tag_of(event: Event | Beat, *parts: object) -> str:
    """The weak ETag of what anyone sees of an event; `parts`: whatever else the answer depends on.

    A name that someone hides leaves every screen with the next poll: `names_as_of` moves when any name does.
    """
    return tag(event.pk, event.version, event.names_as_of, *parts)


def tag(*parts: object) -> str:
    words = "|".join(map(str, (get_language(), settings.VERSION, *parts)))
    return f'W/"{sha256(words.encode()).hexdigest()[:24]}"'


def holds(tag: str) -> str:
    """`hx-headers` of a part that polls: a browser that sets this header itself hands a 304 through to htmx."""
    return json.dumps({"If-None-Match": tag})


def phone_seconds() -> str:
    """How often this phone asks; each a little differently, so that a hall that began together does not ask at once."""
    return f"{random.uniform(*PHONE_SECONDS):.2f}"


def part_wanted(request: HttpRequest, *parts: str) -> str:
    """The id of the element that htmx wants filled, when it is one of `parts`; else the whole page is wanted."""
    target = request.headers.get("HX-Target", "") if "HX-Request" in request.headers else ""
    return target if target in parts else ""


def unchanged(request: HttpRequest, tag: str) -> HttpResponse | None:
    """A 304 when the visitor holds this very tag, else None."""
    answer = get_conditional_response(request, etag=tag)
    return fresh(answer, tag) if answer else None


def standing_still(request: HttpRequest, slug: str, *parts: object) -> HttpResponse | None:
    """A 304 for whoever holds what is to be seen now; None when the event has moved, is a draft or is not there."""
    if "If-None-Match" not in request.headers:
        return None
    beat = recent_beat(slug)
    seen = beat is not None and beat.status != Event.Status.DRAFT
    return unchanged(request, tag_of(beat, *parts)) if beat and seen else None


def recent_beat(slug: str) -> Beat | None:
    """What `queries.beat` said within the last tenth of a second in this process: a hall of phones that all ask at
    once costs one read, and who is told of the old state a moment longer asks again in seconds."""
    now = monotonic()
    kept = _beats.get(slug)
    if kept and now - kept[0] < settings.BEAT_SECONDS:
        return kept[1]
    if len(_beats) >= KEPT_BEATS:
        _beats.clear()
    beat = queries.beat(slug)
    _beats[slug] = (now, beat)
    return beat


_beats: dict[str, tuple[float, Beat | None]] = {}


def fresh(response: HttpResponse, tag: str = "") -> HttpResponse:
    """Headers of an answer that must be asked for again each time, and that differs for htmx."""
    response.headers["Cache-Control"] = "no-cache, private"
    if tag:
        response.headers["ETag"] = tag
    patch_vary_headers(response, ["HX-Request", "HX-Target", "Accept-Language", "Cookie"])
    return response


@dataclass(frozen=True, slots=True)
class Part:
    """A fragment that is fit for everybody, and what the page around it wants to know: `extra`, by name."""

    html: str
    extra: Mapping[str, Any]

    def marked_for(self, code: str) -> SafeString:
        """The same with the visitor's own lines marked, as js/live.mjs does it after every renewal."""
        line = re.compile(rf'data-player="(?:[^"]* )?{re.escape(code)}(?: [^"]*)?" data-mark="(\w+)" class="')
        return SafeString(line.sub(lambda found: f"{found[0]}{found[1]} ", self.html) if code else self.html)


def anonymous(tag: str, part: str, build: Callable[[], Part]) -> Part:
    """The part for this tag, built once for all who ask within seconds; `build` looks at nobody in particular."""
    key = f"part:{part}:{tag}"
    found: Part | None = cache.get(key)
    if found is None:
        found = build()
        cache.set(key, found, KEPT_SECONDS)
    return found


def answer(tag: str, part: str, build: Callable[[], Part]) -> HttpResponse:
    """What a poll gets when the event has moved: the part as it is now, with word to what is personal beside it."""
    response = fresh(HttpResponse(anonymous(tag, part, build).html), tag)
    response.headers["HX-Trigger"] = "moved"
    return response
