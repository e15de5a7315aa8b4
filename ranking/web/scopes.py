"""Which board a URL names: `nacional`, a province such as `ES-TE`, or `tienda:<slug>` (RANKING 3)."""

import re
from dataclasses import dataclass

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _

from players.provinces import NAMES
from ranking.queries import store_board
from tournaments.models import Store

NATIONAL = "nacional"
COUNTRY = "es"
STORE = "tienda:"


@dataclass(frozen=True, slots=True)
class Scope:
    """code: as in the URL; board: as the snapshot names it; place: as people name it, empty for the whole country."""

    code: str
    board: str
    place: str

    @property
    def title(self) -> str:
        return _("Ranking of %(place)s") % {"place": self.place} if self.place else _("National ranking")

    @property
    def url(self) -> str:
        return reverse("board", args=[self.code])

    @property
    def is_province(self) -> bool:
        return self.code in NAMES

    @property
    def is_store(self) -> bool:
        return self.code.startswith(STORE)


def national() -> Scope:
    return Scope(NATIONAL, COUNTRY, "")


def scope(code: str) -> Scope:
    """A board that may exist, or 404; one query for a store, none for the rest."""
    if code in (NATIONAL, COUNTRY):
        return national()
    if code in NAMES:
        return Scope(code, code, NAMES[code])
    if code.startswith(STORE):
        return store_scope(code.removeprefix(STORE))
    if re.fullmatch("[a-z]{2}", code):
        return Scope(code, code, code.upper())
    raise Http404


def store_scope(slug: str) -> Scope:
    store = Store.objects.filter(slug=slug).first()
    if store is None:
        raise Http404
    return Scope(STORE + slug, store_board(slug), store.name)


def url_of(board: str) -> str:
    """The page of a board out of a snapshot, its element left aside."""
    name = board.partition("+")[0]
    return reverse("board", args=[NATIONAL if name == COUNTRY else name])
