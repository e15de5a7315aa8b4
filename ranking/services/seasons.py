"""Seasons: draft, open, closed, published (RANKING 4). Closing freezes the boards; publishing numbers the result.

A correction after that changes the current snapshot, never a numbered result: a revision says who moved and why.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from django.db import transaction
from django.db.models.functions import Length
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from decks.models import Element, Game
from ranking import points
from ranking.models import BoardRow, PointsEntry, PointsRule, Season, SeasonResult, Snapshot
from ranking.points import PointsRow, PointsTable
from ranking.queries import current, points_order
from ranking.services.errors import Refused
from ranking.services.inputs import ended, look, points_table
from tournaments.models import Event
from tournaments.services.journal import Actor

Status = Season.Status
EDITABLE: Final = frozenset({"name", "starts", "ends", "element", "best_finishes"})


# -- drafting ----------------------------------------------------------------------------------------------------------
@transaction.atomic
def create(
    game: Game,
    *,
    by: Actor,
    name: str,
    starts: date,
    ends: date,
    slug: str = "",
    element: Element | None = None,
    table: PointsTable = points.DEFAULT,
    demo: bool = False,
) -> Season:
    """A draft. `starts` belongs to the season, `ends` does not (TOURNAMENT_RULES 9)."""
    season = Season(game=game, name=name.strip(), starts=starts, ends=ends, element=element, demo=demo)
    season.slug, season.best_finishes = slug or free_slug(name), dict(table.limits)
    check(season)
    season.save(force_insert=True)
    write_rules(season, table.rows)
    return season


def clone(season: Season, *, by: Actor, name: str, starts: date, ends: date) -> Season:
    """A draft with the same points, limits and element."""
    table = points_table(season)
    return create(season.game, by=by, name=name, starts=starts, ends=ends, element=season.element, table=table)


@transaction.atomic
def edit(season: Season, *, by: Actor, **fields: Any) -> Season:
    """Of a draft or an open season; boards follow with the next run."""
    expect(season, Status.DRAFT, Status.OPEN)
    if unknown := fields.keys() - EDITABLE:
        raise TypeError(f"not editable: {', '.join(sorted(unknown))}")
    for field, value in fields.items():
        setattr(season, field, value)
    check(season)
    season.save(update_fields=list(fields))
    return season


@transaction.atomic
def set_rules(season: Season, rows: Iterable[PointsRow], *, by: Actor) -> Season:
    """The points table, whole (RANKING 1)."""
    expect(season, Status.DRAFT, Status.OPEN)
    season.rules.all().delete()
    write_rules(season, rows)
    return season


def write_rules(season: Season, rows: Iterable[PointsRow]) -> None:
    fields = ("tier", "place_from", "place_to", "needs", "points")
    made = [PointsRule(season=season, **{name: getattr(row, name) for name in fields}) for row in rows]
    seen = [(rule.tier, rule.place_from) for rule in made]
    if len(set(seen)) < len(seen):
        raise Refused(_("Two lines of the points table begin at the same place."), code="points_twice")
    PointsRule.objects.bulk_create(made)


def check(season: Season) -> None:
    if not season.name:
        raise Refused(_("A season needs a name."), code="name")
    if season.ends <= season.starts:
        raise Refused(_("The season has to end after its first day."), code="dates", rule="9")
    if season.element is not None and season.element.game_id != season.game_id:
        raise Refused(_("That element belongs to another game."), code="element")
    known = set(Event.Tier.values) - {Event.Tier.CASUAL}
    wrong = [tier for tier, limit in season.best_finishes.items() if tier not in known or not is_limit(limit)]
    if wrong:
        raise Refused(_("The best finishes have to be whole numbers, by tier."), code="best_finishes")


def is_limit(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def free_slug(name: str) -> str:
    stem = slugify(name)[:44] or "temporada"
    taken = set(Season.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    return next(s for n in range(1, len(taken) + 2) if (s := stem if n == 1 else f"{stem}-{n}") not in taken)


def expect(season: Season, *allowed: str) -> None:
    """Locks the row and reads it as it is now, not as it was when the page was drawn."""
    season.refresh_from_db(from_queryset=Season.objects.select_for_update())
    if season.status not in allowed:
        message = _("That is not possible now: the season is %(status)s.") % {"status": season.get_status_display()}
        raise Refused(message, code="wrong_state", data={"status": season.status})


# -- life --------------------------------------------------------------------------------------------------------------
@transaction.atomic
def open(season: Season, *, by: Actor, at: datetime | None = None) -> Season:
    """From here the public sees it, and its points are computed."""
    expect(season, Status.DRAFT)
    if not season.rules.exists():
        raise Refused(_("The season has no points table."), code="no_points")
    return move(season, Status.OPEN)


@transaction.atomic
def close(season: Season, *, by: Actor, at: datetime | None = None) -> Season:
    """Freezes its boards in the current snapshot, which has to know every event of the season that ended."""
    expect(season, Status.OPEN)
    at = at or timezone.now()
    return move(season, Status.CLOSED, frozen=up_to_date(season, at), closed_at=at)


@transaction.atomic
def reopen(season: Season, *, by: Actor, at: datetime | None = None) -> Season:
    """A closed season goes on; a published one does not: its number has been read."""
    expect(season, Status.CLOSED)
    return move(season, Status.OPEN, frozen=None, closed_at=None)


def move(season: Season, status: str, **fields: Any) -> Season:
    for name, value in {"status": status, **fields}.items():
        setattr(season, name, value)
    season.save(update_fields=["status", *fields])
    return season


def up_to_date(season: Season, at: datetime) -> Snapshot | None:
    """The current snapshot; refused while results of the season wait to be ranked."""
    found = look(season.game, timezone.localtime(at).date())
    if not found.changed:
        return found.base
    waiting = [key for key, seen in found.events.items() if key not in found.rated or found.rated[key] != seen]
    names = list(ended(season.game).filter(pk__in=waiting).order_by("date", "pk").values_list("name", flat=True)[:20])
    message = _("The ranking is still being computed. Try again in a moment.")
    raise Refused(message, code="ranking_behind", data={"events": names})


# -- publication -------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Move:
    """Somebody whose line would change; None: not on the board. events: slugs of those whose points differ."""

    player: str
    rank: tuple[int | None, int | None]
    points: tuple[int, int]
    events: list[str]

    def as_json(self) -> dict[str, Any]:
        return {"player": self.player, "rank": self.rank, "points": self.points, "events": self.events}


@dataclass(frozen=True, slots=True)
class Preview:
    """What publishing now would number. revision: its number; before: the one it follows, or none.

    rows: [{player, rank, points, board}, ...]. moved: against the previous revision, or against the boards as they
    were closed. events_open: official events of the season that nobody has finished.
    """

    season: Season
    revision: int
    before: SeasonResult | None
    snapshot: Snapshot | None
    rows: list[dict[str, Any]]
    moved: list[Move]

    @property
    def publishable(self) -> bool:
        """A closed season, or a published one in which something moved."""
        return self.season.status == Status.CLOSED or (self.season.status == Status.PUBLISHED and bool(self.moved))


def preview(season: Season) -> Preview:
    """Of any season but a draft; a handful of queries."""
    before = season.results.select_related("snapshot").order_by("-revision").first()
    now = current(season.game)
    was = before.rows if before else rows_of(season, season.frozen)
    then = before.snapshot if before else season.frozen
    rows = rows_of(season, now)
    return Preview(
        season=season,
        revision=before.revision + 1 if before else 1,
        before=before,
        snapshot=now,
        rows=rows,
        moved=moves(was, rows, reasons(season, then, now)) if before or season.frozen else [],
    )


def rows_of(season: Season, snapshot: Snapshot | None) -> list[dict[str, Any]]:
    """The country's board; several countries, one after the other. Other scopes stay in the snapshot, which is kept."""
    if snapshot is None:
        return []
    countries = BoardRow.objects.annotate(length=Length("board")).filter(length=2)  # as `es`; other names are longer
    rows = countries.filter(snapshot=snapshot, order=points_order(season.slug))
    values = rows.order_by("board", "position").values_list("player__code", "rank", "value", "board")
    return [{"player": code, "rank": rank, "points": value, "board": board} for code, rank, value, board in values]


def moves(
    was: Sequence[Mapping[str, Any]], now: Sequence[Mapping[str, Any]], why: Mapping[str, list[str]]
) -> list[Move]:
    """In the order of the new board; whoever left it comes last."""
    old = {row["player"]: row for row in was}
    new = {row["player"]: row for row in now}
    found = []
    for player in [*new, *(player for player in old if player not in new)]:
        a, b = old.get(player), new.get(player)
        if a is None or b is None or (a["rank"], a["points"]) != (b["rank"], b["points"]):
            rank = (a["rank"] if a else None, b["rank"] if b else None)
            points = (a["points"] if a else 0, b["points"] if b else 0)
            found.append(Move(player, rank, points, why.get(player, [])))
    return found


def reasons(season: Season, then: Snapshot | None, now: Snapshot | None) -> dict[str, list[str]]:
    """{player code: slugs of the events whose points differ between the two}."""
    old, new = counted(season, then), counted(season, now)
    why: dict[str, list[str]] = {}
    for player, event in sorted({line[:2] for line in old ^ new}):
        why.setdefault(player, []).append(event)
    return why


def counted(season: Season, snapshot: Snapshot | None) -> set[tuple[str, str, str, int]]:
    rows = PointsEntry.objects.filter(snapshot=snapshot, season=season, counts=True) if snapshot else None
    return set() if rows is None else set(rows.values_list("player__code", "event__slug", "kind", "points"))


@transaction.atomic
def publish(season: Season, *, by: Actor, at: datetime | None = None, reason: str = "") -> SeasonResult:
    """Numbers the standings, for ever. Again after a correction: the next revision, with its reason."""
    expect(season, Status.CLOSED, Status.PUBLISHED)
    at = at or timezone.now()
    up_to_date(season, at)
    seen = preview(season)
    if not seen.publishable:
        raise Refused(_("Nothing has changed since it was published."), code="unchanged")
    if seen.before is not None and not reason.strip():
        raise Refused(_("Say why the published standings change."), code="reason", rule="6.1")
    result = SeasonResult.objects.create(
        season=season,
        revision=seen.revision,
        snapshot=seen.snapshot,
        rows=seen.rows,
        moved=[move.as_json() for move in seen.moved],
        reason=reason.strip()[:200],
        by=by.user,
        at=at,
    )
    move(season, Status.PUBLISHED, published_at=at)
    return result
