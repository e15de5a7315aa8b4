"""`/circuito/`: seasons, what the worker is doing, events that nobody closed, stores (UX, Administrator).

Administrators act, auditors read. The web queues a computation by a row and never computes (RANKING 4).
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from decks.models import Game
from decks.services.games import default_game
from players.names import fold
from ranking import queries
from ranking.models import Run, Season
from ranking.services import rate
from ranking.web.access import circuit_user
from ranking.web.forms import StoreForm
from tournaments.models import Store
from tournaments.rights import may_circuit
from tournaments.services import stores as store_services
from tournaments.services.errors import Refused
from tournaments.web import answers

RUNS = 12
STORES = 50
SLOW = timedelta(minutes=1)  # a queued run is picked up within seconds when a worker is there


@require_safe
def circuit(request: HttpRequest) -> HttpResponse:
    """Ten queries, whatever the size of the circuit."""
    user, game, now = circuit_user(request, "circuit.read"), default_game(), timezone.now()
    context = {"may_edit": may_circuit(user, "season.edit"), "runs": Runs.of(game, now), "game": game}
    if answers.target(request) == "calculos":
        return render(request, "ranking/circuit.html#calculos", context)
    seasons = list(Season.objects.filter(game=game).select_related("element"))
    running = [season for season in seasons if season.status == Season.Status.OPEN]
    context |= {
        "seasons": seasons,
        "late": [event for season in running[:1] for event in late(season, now)],
        "stores": Store.objects.count(),
    }
    return render(request, "ranking/circuit.html", context)


def late(season: Season, now: datetime) -> list[Any]:
    """Events whose day is over in their own zone and that nobody finished (CASES 46)."""
    return [e for e in queries.unfinished_events(season) if e.date < now.astimezone(e.store.zone).date()]


# -- what the worker does ----------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Runs:
    """The newest computations, newest first, and what they add up to."""

    rows: list[Run]
    now: datetime

    @classmethod
    def of(cls, game: Game, now: datetime) -> "Runs":
        return cls(queries.runs(game, RUNS), now)

    @property
    def active(self) -> Run | None:
        return next((run for run in self.rows if run.status in {Run.Status.QUEUED, Run.Status.RUNNING}), None)

    @property
    def failed(self) -> Run | None:
        """The newest that ended, when it ended badly."""
        ended = next((run for run in self.rows if run.status in {Run.Status.DONE, Run.Status.FAILED}), None)
        return ended if ended and ended.status == Run.Status.FAILED else None

    @property
    def alone(self) -> bool:
        """Whether work waits and no worker shows a sign of life."""
        run = self.active
        if run is None:
            return False
        return (run.heartbeat or run.queued_at) < self.now - (rate.STALE if run.heartbeat else SLOW)

    @property
    def published(self) -> Run | None:
        return next((run for run in self.rows if getattr(run, "snapshot", None) and run.snapshot.current), None)


@require_POST
def rebuild(request: HttpRequest) -> HttpResponse:
    circuit_user(request, "ranking.rebuild")
    rate.request_rebuild(default_game(), timezone.now())
    messages.success(request, _("The rebuild is queued: the worker takes it within seconds."))
    return redirect("circuit")


# -- stores ------------------------------------------------------------------------------------------------------------
@require_safe
def stores(request: HttpRequest) -> HttpResponse:
    """Every store by name or city, accents aside, with its last event; three queries."""
    user, text = circuit_user(request, "circuit.read"), request.GET.get("q", "").strip()[:60]
    rows = Store.objects.annotate(last=Max("events__date")).order_by("sort_key", "pk")
    for word in fold(text).split():
        rows = rows.filter(search_key__contains=word)
    page = Paginator(rows, STORES).get_page(request.GET.get("page"))
    context = {"page": page, "q": text, "may_create": may_circuit(user, "store.create")}
    return render(request, "ranking/stores.html", context)


@require_http_methods(["GET", "POST"])
def store_new(request: HttpRequest) -> HttpResponse:
    circuit_user(request, "store.create")
    form = StoreForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            store = store_services.create(**form.cleaned_data)
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("%(store)s is in the circuit.") % {"store": store.name})
            return answers.SeeOther(resolve_url("circuit_stores"))
    return render(request, "ranking/store_new.html", {"form": form}, status=422 if form.errors else 200)
