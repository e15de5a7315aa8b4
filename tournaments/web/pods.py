"""A table of several on any page: the order of finish in words, and what a form says of it.

A form has either `score`, the seats in the order of finish as at the counter (`2143`), or a place for each seat,
`place_0` to `place_3`: a number, or `x` for whoever did not play.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.templatetags.look import ordinal
from tournaments.models import Match, Registration, Seat
from tournaments.sentences.names import names_words
from tournaments.services.errors import Refused
from tournaments.services.results import Places, Statement

ABSENT = "x"
Name = Callable[[Registration], str]


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """One seat of the form; `value`: what is chosen already."""

    position: int
    registration: Registration
    name: str
    value: str = ""
    note: str = ""

    @property
    def seat(self) -> int:
        return self.position + 1


def places_form(
    match: Match, name: Name, places: Places | None = None, me: Registration | None = None
) -> dict[str, Any]:
    """Rows and choices for components/places.html; whoever has left the event stands last by himself (5.1)."""
    said = places or (None,) * len(match.seat_list)
    rows = [
        PlaceRow(
            position=seat.position,
            registration=seat.registration,
            name=name(seat.registration),
            value=chosen(seat, place, places is not None),
            note=gettext("you") if me is not None and seat.registration_id == me.pk else "",
        )
        for seat, place in zip(match.seat_list, said, strict=True)
    ]
    return {"rows": rows, "choices": [(str(n), ordinal(n)) for n in range(1, len(rows) + 1)], "absent": ABSENT}


def chosen(seat: Seat, place: int | None, said: bool) -> str:
    if place is not None:
        return str(place)
    return ABSENT if said or not (seat.registration.active or seat.match.done) else ""


def typed(match: Match, data: Mapping[str, Any]) -> str:
    """What the form says, in the keys of the counter."""
    if data.get("score"):
        return str(data["score"]).strip().lower()
    if not match.is_pod:
        return ""
    said = {seat.position: str(data.get(f"place_{seat.position}", "")).strip() for seat in match.seat_list}
    if not any(said.values()):
        return ""
    if not all(place == ABSENT or (place.isdecimal() and 1 <= int(place) <= len(said)) for place in said.values()):
        raise Refused(_("Say the place of everybody at the table."), code="places_needed", rule="2.4.5")
    return typed_order([None if said[seat] == ABSENT else int(said[seat]) for seat in sorted(said)])


def typed_order(places: Sequence[int | None]) -> str:
    """
    >>> typed_order([2, 1, 4, 3]), typed_order([1, 1, None]), typed_order([None, None])
    ('2143', '1=2', 'np')
    """
    order = sorted((place, seat) for seat, place in enumerate(places, 1) if place is not None)
    sharing = [[str(seat) for _place, seat in group] for _place, group in groupby(order, key=lambda pair: pair[0])]
    return "".join("=".join(seats) for seats in sharing) or "np"


def order_words(places: Places, seats: Sequence[Seat], name: Name = lambda row: row.person.name) -> str:
    """ "1.º Nuria y 2.º Zoe; no jugó Leo" """
    came = sorted((place, seat.position) for seat, place in zip(seats, places, strict=True) if place is not None)
    if not came:
        return gettext("Not played")
    words = names_words([f"{ordinal(place)} {name(seats[position].registration)}" for place, position in came])
    away = [name(seat.registration) for seat, place in zip(seats, places, strict=True) if place is None]
    if not away:
        return words
    return gettext("%(order)s; did not play: %(names)s") % {"order": words, "names": names_words(away)}


def statement_words(statement: Statement, match: Match, name: Name = lambda row: row.person.name) -> str:
    return order_words(statement.places or (None,) * len(match.seat_list), match.seat_list, name)


def shown(row: Registration) -> str:
    """The name that everybody may see."""
    return str(row.person.shown)
