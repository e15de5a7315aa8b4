"""The life of an event: created, opened, finished, reopened, and repeated a week later."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from decks.models import Game
from decks.services.games import default_game, match_settings
from players import names
from players.models import Player
from tournaments import eventfile
from tournaments.models import Event, FrozenStandings, Match, Registration, Round, Series, Store
from tournaments.queries import Sheet, published_standings, sheet
from tournaments.sentences.rounds import called
from tournaments.services import cut, journal, judging, seating
from tournaments.services.errors import Refused
from tournaments.services.freezing import freeze, swiss_rows
from tournaments.services.journal import Actor, Change
from tournaments.services.steps import NextStep, next_step, plan_by_table, planned_rounds, table_list
from tournaments.swiss.presets import PRESETS
from tournaments.swiss.standings import Standing
from tournaments.swiss.types import PlayerId

__all__ = ["NextStep", "create", "edit", "finish", "next_step", "open_registration", "regulars", "reopen", "repeat"]

MINUTES = {1: 30, 3: 50}  # rule 8.1, by best of
SETTINGS = (
    "game", "tier", "best_of", "points_win", "points_draw", "points_loss", "points_bye", "preset", "switches",
    "format", "pod_points", "rounds_planned", "cut_size", "cut_format", "last_round", "separate_teams", "capacity",
    "minutes", "self_signup", "self_report", "show_chances", "element", "decks", "deck_format", "deck_rules",
    "lists_public",
)  # fmt: skip
EDITABLE = frozenset({*SETTINGS, "name", "starts_at", "series", "separations"})
# Results already stand on these: they change only while no round is there (rule 2.1 recomputes everything from them).
BEFORE_ROUND_1 = frozenset(
    {
        "game",
        "element",
        "format",
        "pod_points",
        "best_of",
        "points_win",
        "points_draw",
        "points_loss",
        "points_bye",
        "preset",
        "switches",
        "decks",
        "deck_format",
        "deck_rules",
    }
)
AFTERWARDS = frozenset({"lists_public"})  # changes nothing that was played  # fmt: skip


# -- creating ----------------------------------------------------------------------------------------------------------
def create(
    store: Store,
    *,
    by: Actor,
    name: str,
    starts_at: datetime,
    game: Game | None = None,
    at: datetime | None = None,
    status: str = Event.Status.DRAFT,
    **options: Any,
) -> Event:
    """A new event of the store; `options` are any of EDITABLE. `starts_at` without a zone is the store's wall time."""
    _known_fields(options)
    event = Event(store=store, game=game or default_game(), name=names.clean(name), status=status)
    event.preset, event.format = usual_preset(event.game), usual_format(event.game)
    event.pod_points = usual_pod_points(event.game)
    event.starts_at = local_aware(starts_at, store.zone)
    event.minutes = MINUTES.get(options.get("best_of", event.best_of), 50)
    for field, value in options.items():
        setattr(event, field, value)
    validate(event)
    return _logged_creation(event, by, at or timezone.now())


def usual_preset(game: Game) -> str:
    """The standings preset that a game's events have unless told otherwise: `standings` of its `[match]` (rule 2)."""
    return str(match_settings(game.slug).get("standings", "mtr"))


def usual_format(game: Game) -> str:
    """How a game is played: `format` of its `[match]`; tables of several or two against two, which decides for all."""
    return str(match_settings(game.slug).get("format", Event.Format.SWISS))


def usual_pod_points(game: Game) -> dict[str, list[int]]:
    """What the places at a table are worth: `[match.pod_points]`; empty where two play each other."""
    return {size: list(points) for size, points in match_settings(game.slug).get("pod_points", {}).items()}


def _logged_creation(event: Event, by: Actor, at: datetime, data: Mapping[str, Any] | None = None) -> Event:
    with transaction.atomic():
        event.slug = free_slug(event.name, event.local_date())
        event.save(force_insert=True)
        journal.record(Change(event, "event.create", dict(data or {})), by, at, "")
    return event


def free_slug(name: str, day: date) -> str:
    """`jueves-de-kounter-2026-07-02`, numbered from 2 when it is taken. One query."""
    base = f"{slugify(names.fold(name))[:60] or 'evento'}-{day.isoformat()}"
    taken = set(Event.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    return base if base not in taken else next(s for n in range(2, 10_000) if (s := f"{base}-{n}") not in taken)


def local_aware(moment: datetime, zone: ZoneInfo) -> datetime:
    """In UTC, from the store's wall time when it has no zone; an hour that the clock skips becomes a real one."""
    return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)


def _known_fields(options: Mapping[str, Any]) -> None:
    if unknown := options.keys() - EDITABLE:
        raise TypeError(f"an event has no setting {', '.join(sorted(unknown))}")


def validate(event: Event) -> None:
    """What no event may be, with the rule that says so."""
    _validate_name(event)
    if event.best_of not in MINUTES:
        raise Refused(_("Matches are best of 1 or best of 3."), code="best_of", rule="1.2")
    if event.points_win < 1:
        raise Refused(_("A win gives at least 1 point."), code="points", rule="1.4")
    if event.cut_size == 1 or not 0 <= event.cut_size <= 64:
        raise Refused(_("A cut has from 2 to 64 players."), code="cut_size", rule="7.1")
    if event.capacity is not None and event.capacity < 2:
        raise Refused(_("An event has at least 2 places."), code="capacity", rule="5.6")
    if event.minutes < 1:
        raise Refused(_("A round lasts at least 1 minute."), code="minutes", rule="8.1")
    _validate_rules(event)
    judging.validate(event)


def _validate_name(event: Event) -> None:
    if not event.name or len(event.name) > 80:
        raise Refused(_("An event needs a name of at most 80 characters."), code="name")


def _validate_tables(event: Event) -> None:
    """A game of several at a table is played so, and has its own order of standings; no other game has."""
    in_pods = usual_format(event.game) == Event.Format.PODS
    if event.in_pods != in_pods:
        several, two = _("%(game)s is played at tables of several."), _("%(game)s is played by two at a table.")
        message = (several if in_pods else two) % {"game": event.game.name}
        raise Refused(message, code="format", rule="2.4.5")
    if in_pods != PRESETS[event.preset].pods:
        raise Refused(
            _("Tables of several have an order of standings of their own, and no other."), code="preset", rule="2.4.5"
        )
    if in_pods and event.cut_size:
        raise Refused(_("Tables of several have no cut: a bracket seats two."), code="cut_in_pods", rule="7.1")


def _validate_rules(event: Event) -> None:
    if event.preset not in PRESETS:
        raise Refused(
            _("There are no standings rules called %(preset)s.") % {"preset": event.preset}, code="preset", rule="2"
        )
    try:
        eventfile.switches(event.switches)
    except eventfile.EventFileError as error:
        raise Refused(str(error), code="switches", rule="2.2") from None
    if event.element is not None and event.element.game_id != event.game_id:
        raise Refused(_("That element belongs to another game."), code="element")
    _validate_tables(event)


# -- editing -----------------------------------------------------------------------------------------------------------
def edit(event: Event, *, by: Actor, at: datetime | None = None, reason: str = "", **fields: Any) -> Event:
    """Change settings; raising the capacity lets the waiting list in (rule 5.6), and deck lists are judged again when
    their day or what is asked of them moves (CASES 83)."""
    from tournaments.services.registrations import (
        promote,
    )  # registrations.py asks this module for the state of an event

    _known_fields(fields)
    with journal.change(event, "event.edit", by=by, at=at, reason=reason) as write:
        changed = _changed(write.event, fields)
        _check_edit(write.event, changed)
        write.set(write.event, **changed)
        validate(write.event)
        promoted = promote(write) if "capacity" in changed else []
        if changed:
            judging.rejudge(write, at or timezone.now())
        write.data |= {"fields": sorted(changed), "promoted": [row.player_id for row in promoted]}
        write.skip = not changed
    event.refresh_from_db()
    return event


def _changed(event: Event, fields: dict[str, Any]) -> dict[str, Any]:
    if "name" in fields:
        fields["name"] = names.clean(fields["name"])
    if "starts_at" in fields:
        fields["starts_at"] = local_aware(fields["starts_at"], event.store.zone)
    return {name: value for name, value in fields.items() if getattr(event, name) != value}


def _check_edit(event: Event, changed: Mapping[str, Any]) -> None:
    if changed.keys() - AFTERWARDS and event.status == Event.Status.FINISHED:
        raise Refused(_("The event is finished; reopen it first."), code="finished", rule="2.7")
    rounds = list(event.rounds.all())
    if rounds and (fixed := changed.keys() & BEFORE_ROUND_1):
        message = _("Round 1 is paired: %(fields)s can no longer change. Undo the rounds first.")
        raise Refused(
            message % {"fields": ", ".join(_labels(fixed))}, code="paired", rule="2.1", data={"fields": sorted(fixed)}
        )
    if "game" in changed and event.registrations.exclude(submission=None).exists():
        raise Refused(_("Deck lists of this game are handed in already; it can no longer be another."), code="lists")
    if "rounds_planned" in changed:
        _check_rounds_planned(event, rounds, changed["rounds_planned"])
    if {"cut_size", "cut_format"} & changed.keys() and any(row.kind == Round.Kind.CUT for row in rounds):
        raise Refused(_("The cut has started; undo it to change it."), code="cut_started", rule="7.5")
    if changed.get("capacity") is not None:
        _check_capacity(event, changed["capacity"])
    if "separations" in changed:
        _check_separations(event, changed["separations"])


def _labels(fields: frozenset[str] | set[str]) -> list[str]:
    return sorted(str(getattr(Event._meta.get_field(name), "verbose_name", name)) for name in fields)


def _check_rounds_planned(event: Event, rounds: list[Round], wanted: int) -> None:
    """The number may change until the last round is paired (rule 3)."""
    paired = sum(row.kind == Round.Kind.SWISS for row in rounds)
    if paired and wanted and wanted < paired:
        message = _("%(paired)d rounds are already paired; there cannot be fewer.") % {"paired": paired}
        raise Refused(message, code="rounds_paired", rule="3")
    if paired and event.format == Event.Format.ROUND_ROBIN and wanted > seating.robin_rounds(sheet(event)):
        raise Refused(
            _("In a round robin everybody meets everybody once; there are no more rounds."),
            code="round_robin",
            rule="3",
        )
    if paired and paired >= planned_rounds(sheet(event)):
        raise Refused(
            _("The last round is already paired; undo it to play more rounds."), code="last_round_paired", rule="3"
        )


def _check_capacity(event: Event, capacity: int) -> None:
    inside = event.registrations.filter(status__in=["registered", "checked_in"]).count()
    if capacity < inside:
        message = _("%(inside)d players are already in; the event cannot have fewer places.") % {"inside": inside}
        raise Refused(message, code="capacity", rule="5.6")


def _check_separations(event: Event, pairs: list[list[int]]) -> None:
    known = set(event.registrations.values_list("pk", flat=True))
    if any(len(set(pair)) != 2 or len(pair) != 2 or not set(pair) <= known for pair in pairs):
        raise Refused(_("Two different players of this event are kept apart."), code="separations", rule="4.1")


# -- states ------------------------------------------------------------------------------------------------------------
def open_registration(event: Event, *, by: Actor, at: datetime | None = None, reason: str = "") -> Event:
    """Draft to open, or back from check-in; the event becomes visible to everyone."""
    before = (Event.Status.DRAFT, Event.Status.CHECK_IN)
    return _move(event, "event.open", before, Event.Status.OPEN, by=by, at=at, reason=reason)


def start_check_in(event: Event, *, by: Actor, at: datetime | None = None, reason: str = "") -> Event:
    """From here on only whoever is checked in gets paired in round 1."""
    return _move(event, "event.check_in", (Event.Status.OPEN,), Event.Status.CHECK_IN, by=by, at=at, reason=reason)


def _move(
    event: Event, action: str, before: tuple[str, ...], after: str, *, by: Actor, at: datetime | None, reason: str
) -> Event:
    with journal.change(event, action, by=by, at=at, reason=reason) as write:
        if write.event.status == after:
            write.skip = True
        elif write.event.status not in before:
            raise wrong_state(write.event)
        else:
            write.set(write.event, status=after)
    return event


def wrong_state(event: Event) -> Refused:
    message = _("That is not possible now: the event is %(status)s.") % {"status": event.get_status_display()}
    return Refused(message, code="wrong_state", data={"status": event.status})


def finish(event: Event, *, by: Actor, at: datetime | None = None, reason: str = "") -> Event:
    """Freeze Swiss and final standings and close the event (case 46: refused with the list of what is missing)."""
    at = at or timezone.now()
    with journal.change(event, "event.finish", by=by, at=at, reason=reason) as write:
        if write.event.status == Event.Status.FINISHED:
            write.skip = True
        else:
            _close(write, sheet(write.event), at, reason)
    event.finished_at = write.event.finished_at
    return event


def _close(write: Change, rows: Sheet, at: datetime, reason: str) -> None:
    _check_finish(rows)
    freeze(write, FrozenStandings.Phase.SWISS, swiss_rows(rows), at=at, reason=reason)
    final = freeze(write, FrozenStandings.Phase.FINAL, final_rows(rows), at=at, reason=reason)
    write.set(write.event, status=Event.Status.FINISHED, finished_at=at)
    write.data = {"count": len(final.rows), "rounds": len(rows.published_rounds), "revision": final.revision}


def _check_finish(rows: Sheet) -> None:
    if rows.event.status not in (Event.Status.RUNNING, Event.Status.CUT, Event.Status.REOPENED):
        raise wrong_state(rows.event)
    if rows.open_matches:
        tables = [match.table for match in rows.open_matches if match.table]
        message = _("Results are missing: tables %(tables)s.") % {"tables": table_list(tables)}
        data = {"tables": tables, "matches": [match.pk for match in rows.open_matches]}
        raise Refused(message, code="open_matches", rule="1.5", data=data)
    draft = rows.current_round
    if draft is None or not rows.published_rounds:
        raise Refused(_("No round has been played."), code="no_rounds", rule="5.1")
    if draft.status == Round.Status.DRAFT:
        message = _("%(round)s is still a draft: publish it or undo it.") % {"round": called(draft)}
        raise Refused(message, code="draft_round", rule="4.5", data={"round": draft.number})
    _check_cut(rows)


def _check_cut(rows: Sheet) -> None:
    size = rows.event.cut_size
    if size and not rows.cut_rounds:
        message = _("The Top %(size)d has not been played. Start it, or set the cut to none.") % {"size": size}
        raise Refused(message, code="cut_pending", rule="7.1")
    if rows.cut_rounds and rows.event.status == Event.Status.CUT and not cut.over(rows):
        raise Refused(_("The cut is not over: the next round is missing."), code="cut_unfinished", rule="7.1")


def final_rows(rows: Sheet, standings: Sequence[Standing] | None = None) -> list[dict[str, Any]]:
    """The final order (rule 7.6) with everybody's Swiss numbers; `rank` is the final place, shared by ties.

    `standings`: the Swiss ones to go by, as published. A cut match of a file that nobody won lets nobody through.
    """
    standings = published_standings(rows) if standings is None else standings
    swiss = {row["registration"]: row for row in swiss_rows(rows)}
    out = {rows.key_of[row.pk] for row in rows.entrants if row.status == Registration.Status.DISQUALIFIED}
    places = cut.places_of(rows, standings, cut.dropped(rows) | _unwon(rows), out)
    keyed = [(place, rows.by_key[place.player].pk) for place in places]
    return [swiss[key] | {"rank": place.rank, "place": place.place} for place, key in keyed if key in swiss]


def _unwon(rows: Sheet) -> set[PlayerId]:
    matches = [match for round in rows.cut_rounds for match in rows.matches(round)]
    unwon = [match for match in matches if match.done and match.kind == Match.Kind.TABLE and match.winner_id is None]
    return {rows.key_of[seat.registration_id] for match in unwon for seat in match.seat_list}


def reopen(event: Event, *, by: Actor, reason: str, at: datetime | None = None) -> Event:
    """For corrections; the published standings stay until it is finished again (rule 2.7). `finished_at` stays too."""
    if not reason.strip():
        raise Refused(_("Say why the event is reopened."), code="reason", rule="6.1")
    return _move(event, "event.reopen", (Event.Status.FINISHED,), Event.Status.REOPENED, by=by, at=at, reason=reason)


# -- repeating ---------------------------------------------------------------------------------------------------------
def repeat(event: Event, *, by: Actor, at: datetime | None = None, reason: str = "") -> Event:
    """The same event at the same wall time a week later, or as many weeks as reach today (rule 9), open at once.

    A second request for the same day returns the first one's event.
    """
    at = at or timezone.now()
    with transaction.atomic():
        source = journal.locked(event)
        starts_at = next_week(source, at)
        series = source.series or _new_series(source, by, at)
        if existing := Event.objects.filter(series=series, starts_at=starts_at).first():
            return existing
        copied = {name: getattr(source, name) for name in SETTINGS}
        new = Event(store=source.store, series=series, name=source.name, starts_at=starts_at, **copied)
        new.status = Event.Status.OPEN
        if plan_by_table(source):
            new.rounds_planned = 0  # the table of rule 3 decides again, for whoever comes this time
        return _logged_creation(new, by, at, {"repeats": source.slug})


def next_week(event: Event, at: datetime) -> datetime:
    """Local wall time survives the clock change of October and March: 18:30 stays 18:30."""
    zone = event.store.zone
    wall, today = event.local_start.replace(tzinfo=None), at.astimezone(zone).date()
    weeks = max(1, -((wall.date() - today).days // 7))
    return local_aware(wall + timedelta(weeks=weeks), zone)


def _new_series(event: Event, by: Actor, at: datetime) -> Series:
    """Joining a series is noted but nothing to undo: the event itself is as it was."""
    series, _created = Series.objects.get_or_create(store=event.store, name=event.name)
    event.series = series
    event.save(update_fields=["series"])
    journal.record(Change(event, "event.series", {"series": series.name}), by, at, "")
    return series


def regulars(event: Event, *, nights: int = 4, limit: int = 40) -> list[Player]:
    """Who played the last nights of the series and is not in this event, most frequent first. Two queries."""
    if event.series_id is None:
        return []
    recent = Event.objects.filter(series=event.series_id, starts_at__lt=event.starts_at).order_by("-starts_at")[:nights]
    rows = Registration.objects.filter(
        event__in=[row.pk for row in recent], player__merged_into=None, player__retired_at=None
    )
    rows = rows.exclude(player__registrations__event=event).exclude(last_round=0).select_related("player")
    seen: dict[int, list[Player]] = {}
    for row in rows:
        seen.setdefault(row.player_id, []).append(row.player)
    often = sorted(seen.values(), key=lambda same: (-len(same), same[0].sort_key, same[0].pk))
    return [same[0] for same in often[:limit]]
