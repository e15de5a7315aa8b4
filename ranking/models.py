"""Seasons, rating runs, and the snapshots that boards are read from (RANKING 3, 4)."""

import datetime as dt

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from decks.models import Element, Game
from players.models import Player, User
from tournaments.models import Event


class Season(models.Model):
    """Half-open in local dates: `starts` belongs to it, `ends` does not (TOURNAMENT_RULES 9)."""

    class Status(models.TextChoices):
        DRAFT = "draft", _("draft")
        OPEN = "open", _("open")
        CLOSED = "closed", _("closed")
        PUBLISHED = "published", _("published")

    game = models.ForeignKey(Game, models.PROTECT, related_name="seasons")
    slug = models.SlugField(unique=True)
    name = models.CharField(_("name"), max_length=80)
    starts = models.DateField(_("first day"))
    ends = models.DateField(_("day after the last"))
    status = models.CharField(max_length=10, choices=Status, default=Status.DRAFT)
    element = models.ForeignKey(Element, models.PROTECT, null=True, blank=True, related_name="+")
    best_finishes = models.JSONField(default=dict)  # {tier: how many finishes count}
    closed_at = models.DateTimeField(null=True, blank=True)
    # The snapshot in which it was closed: its boards stand still there until a revision is published.
    frozen = models.ForeignKey("Snapshot", models.PROTECT, null=True, blank=True, related_name="+")
    published_at = models.DateTimeField(null=True, blank=True)
    demo = models.BooleanField(default=False)

    class Meta:
        ordering = ["-starts"]
        constraints = [models.CheckConstraint(condition=Q(ends__gt=F("starts")), name="season_ends_after_start")]

    def __str__(self) -> str:
        return self.name

    @property
    def last_day(self) -> dt.date:
        """The last one that belongs to it: what people read and type."""
        return self.ends - dt.timedelta(days=1)


class PointsRule(models.Model):
    season = models.ForeignKey(Season, models.CASCADE, related_name="rules")
    tier = models.CharField(max_length=10, choices=Event.Tier)
    place_from = models.PositiveSmallIntegerField()
    place_to = models.PositiveSmallIntegerField()
    needs = models.PositiveSmallIntegerField()  # players with a played match that this place needs (the kicker)
    points = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["tier", "place_from"]
        constraints = [
            models.UniqueConstraint(fields=["season", "tier", "place_from"], name="points_rule_once"),
            models.CheckConstraint(condition=Q(place_to__gte=F("place_from")), name="points_rule_places"),
        ]


class Run(models.Model):
    """One computation, keyed by what it reads: the same input twice is one run (RANKING 4)."""

    class Status(models.TextChoices):
        QUEUED = "queued", _("queued")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")
        OBSOLETE = "obsolete", _("overtaken by newer results")

    game = models.ForeignKey(Game, models.CASCADE, related_name="runs")
    input_digest = models.CharField(max_length=64)
    parameters = models.CharField(max_length=64)
    base = models.ForeignKey("Snapshot", models.SET_NULL, null=True, related_name="+")  # current when it was queued
    context = models.JSONField(default=dict)  # digests of what it reads beside events: merges, seasons, minimums, day
    status = models.CharField(max_length=8, choices=Status, default=Status.QUEUED)
    worker = models.CharField(max_length=64, blank=True)
    heartbeat = models.DateTimeField(null=True)
    queued_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    counts = models.JSONField(default=dict)
    error = models.TextField(blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["game", "input_digest", "parameters"], name="run_once_per_input")
        ]


class RatedEvent(models.Model):
    """An event's place in a run, with the digest of what was read of it: how late corrections are found."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="events")
    event = models.ForeignKey(Event, models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64)
    version = models.PositiveIntegerField()  # of the event when it was read: equal means that nothing was written since
    date = models.DateField()  # as read: a moved event is replayed from its old or its new day, the earlier of both

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "event"], name="event_rated_once_in_run")]


class Snapshot(models.Model):
    """Numbered and immutable; exactly one per game is current, switched by compare-and-set (RANKING 4)."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="snapshots")
    run = models.OneToOneField(Run, models.PROTECT, related_name="snapshot")
    number = models.PositiveIntegerField()
    current = models.BooleanField(default=False)
    day = models.DateField()  # boards look from here: activity, drift
    at = models.DateTimeField()
    digest = models.CharField(max_length=64, blank=True)  # of its ratings, byte for byte

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="snapshot_number_once"),
            models.UniqueConstraint(fields=["game"], condition=Q(current=True), name="snapshot_one_current"),
        ]


class Rating(models.Model):
    """State of a player after the snapshot's last period; `mu` and `var` on the internal scale (RANKING 2).

    `province`, `country`, `pinned` and `retired` are copies of what the boards were made with: where they differ from
    the player's own, the boards are behind.
    """

    snapshot = models.ForeignKey(Snapshot, models.CASCADE, related_name="ratings")
    player = models.ForeignKey(Player, models.CASCADE, related_name="ratings")
    mu = models.FloatField()
    var = models.FloatField()
    last_day = models.DateField()
    matches = models.PositiveIntegerField()
    opponents = models.PositiveIntegerField()
    province = models.CharField(max_length=6, blank=True)
    country = models.CharField(max_length=2)
    pinned = models.CharField(max_length=60, blank=True)
    retired = models.BooleanField()
    home = models.CharField(max_length=60, blank=True)  # slug of the home store of this snapshot's boards (RANKING 3)
    element = models.CharField(max_length=50, blank=True)  # slug of the element played most

    class Meta:
        constraints = [models.UniqueConstraint(fields=["snapshot", "player"], name="rating_once_in_snapshot")]


class RatingPoint(models.Model):
    """A player's rating before and after one day: the chart and the account are drawn from it (RANKING 3).

    The last point of everybody before a day is the checkpoint of that day: late corrections replay from there
    (RANKING 2, late corrections).
    """

    snapshot = models.ForeignKey(Snapshot, models.CASCADE, related_name="points")
    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    day = models.DateField()
    mu_before = models.FloatField()
    var_before = models.FloatField()  # at the day, drift included
    mu = models.FloatField()
    var = models.FloatField()
    matches = models.PositiveIntegerField()  # rated ones, this day's included
    # [[match id, change in points, the same in whole points], ...]: the whole ones add up to the printed change.
    account = models.JSONField(default=list)

    class Meta:
        ordering = ["day"]
        constraints = [models.UniqueConstraint(fields=["snapshot", "player", "day"], name="rating_point_once")]


class BoardRow(models.Model):
    """One line of one board. `board` names the scope: `es`, `ES-TE`, `tienda:slug`, each alone or `+element`
    (as `ES-TE+agua`); `order` is rating or points:<season slug>."""

    snapshot = models.ForeignKey(Snapshot, models.CASCADE, related_name="rows")
    board = models.CharField(max_length=100)
    order = models.CharField(max_length=60)
    position = models.PositiveIntegerField()  # 1, 2, 3: pages are ranges over it
    rank = models.PositiveIntegerField(null=True)  # 1, 2, 2, 4; None: provisional, below the board
    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    value = models.IntegerField()  # as printed: conservative rating, or points
    margin = models.PositiveIntegerField(default=0)  # value + margin is the printed rating
    change = models.IntegerField(null=True)  # places gained since the last snapshot of an earlier day; None: new
    missing_matches = models.PositiveSmallIntegerField(default=0)
    missing_opponents = models.PositiveSmallIntegerField(default=0)
    element = models.CharField(max_length=50, blank=True)  # slug of the element the player plays most
    spark = models.JSONField(default=list)  # the last twelve ratings, for the line in the row

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["snapshot", "board", "order", "player"], name="board_player_once"),
            models.UniqueConstraint(fields=["snapshot", "board", "order", "position"], name="board_position_once"),
        ]


class PointsEntry(models.Model):
    """Where a player's circuit points come from, event by event (RANKING 1)."""

    class Kind(models.TextChoices):
        PLACE = "place", _("place")
        PARTICIPATION = "participation", _("participation")

    snapshot = models.ForeignKey(Snapshot, models.CASCADE, related_name="entries")
    season = models.ForeignKey(Season, models.CASCADE, related_name="entries")
    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    event = models.ForeignKey(Event, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=14, choices=Kind)
    place = models.PositiveIntegerField()
    players = models.PositiveIntegerField()
    points = models.PositiveIntegerField()
    counts = models.BooleanField()  # False: dropped by the best-finish limit

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["snapshot", "season", "player", "event", "kind"], name="points_entry_once")
        ]


class SeasonResult(models.Model):
    """The frozen, numbered standings of a season; a revision says who moved and why (RANKING 4)."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="results")
    revision = models.PositiveSmallIntegerField()
    snapshot = models.ForeignKey(Snapshot, models.PROTECT, null=True, related_name="results")  # its other boards
    rows = models.JSONField()  # [{player (code), rank, points, board}, ...] of the whole country
    moved = models.JSONField(default=list)  # [{player (code), rank: [old, new], points: [old, new], events}, ...]
    reason = models.CharField(max_length=200, blank=True)
    by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["-revision"]
        constraints = [models.UniqueConstraint(fields=["season", "revision"], name="season_revision_once")]
