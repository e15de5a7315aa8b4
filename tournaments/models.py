"""Stores and their nights: events, registrations, rounds, matches, results, and the log that undoes them.

Rows are the truth: standings are computed from matches (TOURNAMENT_RULES 2.1). Every write of an event goes through
`tournaments.services` (docs/architecture.md).
"""

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from decks.models import Element, Game, Submission
from players import names
from players.models import Player


class Store(models.Model):
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(_("name"), max_length=80)
    search_key = models.CharField(max_length=120, editable=False, db_index=True)
    sort_key = models.CharField(max_length=200, editable=False)
    city = models.CharField(_("city"), max_length=60, blank=True)
    province = models.CharField(_("province"), max_length=6)
    country = models.CharField(_("country"), max_length=2, default="ES")
    time_zone = models.CharField(_("time zone"), max_length=40, default="Europe/Madrid")
    contact = models.EmailField(_("contact, for the circuit only"), blank=True)
    demo = models.BooleanField(default=False)

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.derive()
        super().save(*args, **kwargs)

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)

    def derive(self) -> "Store":
        self.search_key = names.fold(f"{self.name} {self.city}")[:120]
        self.sort_key = names.collation_key(self.name)[:200]
        return self


class Role(models.Model):
    """What an account may do in a store (DESIGN, Who may do what); the table is `tournaments/rights.py`."""

    class Kind(models.TextChoices):
        OWNER = "owner", _("owner")
        ORGANISER = "organiser", _("organiser")
        JUDGE = "judge", _("judge")
        SCOREKEEPER = "scorekeeper", _("scorekeeper")

    store = models.ForeignKey(Store, models.CASCADE, related_name="roles")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="store_roles")
    kind = models.CharField(max_length=12, choices=Kind)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["store", "user"], name="role_once_in_store")]


class Series(models.Model):
    """Events that recur in local wall time, such as every Thursday at 18:30 (TOURNAMENT_RULES 9)."""

    store = models.ForeignKey(Store, models.CASCADE, related_name="series")
    name = models.CharField(max_length=80)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["store", "name"], name="series_once_in_store")]

    def __str__(self) -> str:
        return self.name


class Event(models.Model):
    names_as_of: dt.datetime | None = None
    """When any player's shown name last changed; fetched with the event by what answers polls (web/access)."""

    class Tier(models.TextChoices):
        WEEKLY = "semanal", _("weekly")
        STORE = "tienda", _("store event")
        REGIONAL = "regional", _("regional")
        NATIONAL = "nacional", _("national")
        CASUAL = "casual", _("casual")

    class Status(models.TextChoices):
        DRAFT = "draft", _("draft")
        OPEN = "open", _("registration open")
        CHECK_IN = "check_in", _("check-in")
        RUNNING = "running", pgettext_lazy("event", "running")
        CUT = "cut", _("in the cut")
        FINISHED = "finished", pgettext_lazy("event", "finished")
        REOPENED = "reopened", _("reopened for corrections")

    class LastRound(models.TextChoices):
        RANDOM = "random", _("random inside each score group")
        STANDINGS = "standings", _("by standings in the last round")

    class Format(models.TextChoices):
        SWISS = "swiss", _("Swiss")
        ROUND_ROBIN = "round_robin", _("round robin")
        PODS = "pods", _("tables of several")

    class CutFormat(models.TextChoices):
        SINGLE = "single", _("single elimination")
        DOUBLE = "double", _("double elimination")

    class Decks(models.TextChoices):
        NONE = "none", _("not asked for")
        OPTIONAL = "optional", _("whoever wants")
        REQUIRED = "required", _("required to play")

    class ListsPublic(models.TextChoices):
        NEVER = "never", _("never")
        SWISS = "swiss", _("after the Swiss")
        END = "end", _("at the end")

    store = models.ForeignKey(Store, models.PROTECT, related_name="events")
    series = models.ForeignKey(Series, models.SET_NULL, null=True, blank=True, related_name="events")
    game = models.ForeignKey(Game, models.PROTECT, related_name="events")
    slug = models.SlugField(max_length=80, unique=True)
    name = models.CharField(_("name"), max_length=80)
    search_key = models.CharField(max_length=120, editable=False, db_index=True)
    tier = models.CharField(_("tier"), max_length=10, choices=Tier, default=Tier.WEEKLY)
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.DRAFT)
    starts_at = models.DateTimeField(_("starts at"))
    # The date in the store's own zone, stored (rule 9); seasons and rating periods read this, never starts_at.
    date = models.DateField(db_index=True)
    best_of = models.PositiveSmallIntegerField(
        _("best of"), choices=[(1, _("best of 1")), (3, _("best of 3"))], default=1
    )
    points_win = models.PositiveSmallIntegerField(_("points for a win"), default=3)
    points_draw = models.PositiveSmallIntegerField(_("points for a draw"), default=1)
    points_loss = models.PositiveSmallIntegerField(_("points for a loss"), default=0)
    points_bye = models.PositiveSmallIntegerField(_("points for a bye"), default=3)
    # Points by place for each size of a table, {"4": [5, 3, 2, 1], ...}, as the game says; empty: two play each other.
    pod_points = models.JSONField(default=dict, blank=True)
    preset = models.CharField(_("order of the standings"), max_length=20, default="mtr")
    switches = models.JSONField(default=dict, blank=True)  # as `tiebreak_fit` of the event file
    rounds_planned = models.PositiveSmallIntegerField(_("rounds"), default=0)  # 0: by the table of rule 3 at the start
    format = models.CharField(_("format"), max_length=12, choices=Format, default=Format.SWISS)
    decks = models.CharField(_("deck lists"), max_length=8, choices=Decks, default=Decks.NONE)
    deck_format = models.SlugField(_("format of the decks"), blank=True)  # one of the game's file; empty: as it is
    # What this event narrows on top: arguments of `decks.rules.games.narrow`, {"elements": ["fuego"], "copies": 1, ...}
    deck_rules = models.JSONField(default=dict, blank=True)
    lists_public = models.CharField(
        _("deck lists are published"), max_length=6, choices=ListsPublic, default=ListsPublic.NEVER
    )
    cut_size = models.PositiveSmallIntegerField(_("cut"), default=0)  # 0: none
    cut_format = models.CharField(_("kind of cut"), max_length=6, choices=CutFormat, default=CutFormat.SINGLE)
    last_round = models.CharField(
        _("pairing of the last round"), max_length=10, choices=LastRound, default=LastRound.RANDOM
    )
    separate_teams = models.BooleanField(_("keep team mates apart while possible"), default=False)
    capacity = models.PositiveIntegerField(_("places"), null=True, blank=True)
    minutes = models.PositiveSmallIntegerField(_("minutes per round"), default=30)
    self_signup = models.BooleanField(_("players sign up by themselves"), default=True)
    self_report = models.BooleanField(_("players report their results"), default=True)
    show_chances = models.BooleanField(_("players see their chances of the cut"), default=False)
    element = models.ForeignKey(Element, models.PROTECT, null=True, blank=True, related_name="+")  # narrows the event
    separations = models.JSONField(default=list, blank=True)  # hard: [[registration id, registration id], ...]
    version = models.PositiveIntegerField(default=0)
    external_id = models.CharField(max_length=80, null=True, blank=True, unique=True, default=None)  # id in its file
    file_digest = models.CharField(max_length=64, blank=True)
    file = models.JSONField(default=dict, blank=True)  # what an imported file says and no row holds
    finished_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["store", "-starts_at"]), models.Index(fields=["status", "date"])]
        constraints = [
            models.CheckConstraint(condition=Q(best_of__in=[1, 3]), name="event_best_of_1_or_3"),
            models.CheckConstraint(condition=Q(cut_size__lte=64) & ~Q(cut_size=1), name="event_cut_of_2_to_64"),
            models.CheckConstraint(
                condition=Q(finished_at=None) | Q(status__in=["finished", "reopened"]), name="event_finished_has_time"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        fields = kwargs.get("update_fields")
        if fields is None or {"name", "starts_at"} & set(fields):
            self.derive()
            if fields is not None:
                kwargs["update_fields"] = {*fields, "search_key", "date"}
        super().save(*args, **kwargs)

    @property
    def local_start(self) -> dt.datetime:
        return self.starts_at.astimezone(self.store.zone)

    @property
    def official(self) -> bool:
        """Casual events neither rate nor give points (RANKING 1)."""
        return self.tier != self.Tier.CASUAL

    @property
    def live(self) -> bool:
        return self.status in {self.Status.RUNNING, self.Status.CUT}

    @property
    def asks_for_lists(self) -> bool:
        return self.decks != self.Decks.NONE

    @property
    def in_pods(self) -> bool:
        """Two to four sit at a table, each for himself (GAMES, Ataquerrr)."""
        return self.format == self.Format.PODS

    @property
    def reference(self) -> str:
        """The event id in stored draws (TOURNAMENT_RULES 2.5) and in files."""
        return self.external_id or self.slug

    def local_date(self) -> dt.date:
        return self.local_start.date()

    def derive(self) -> "Event":
        self.search_key = names.fold(self.name)[:120]
        self.date = self.local_date()
        return self


PERSON = "player__merged_into__merged_into"
"""What `select_related` joins so that `Registration.person` asks no query: a guest may have been joined to another
guest, and that one to an account."""


class Registration(models.Model):
    """A player in an event. `last_round` None is active; 0 left before round 1 and is no participant (rule 5.1)."""

    class Status(models.TextChoices):
        REGISTERED = "registered", _("registered")
        WAITING = "waiting", _("waiting list")
        CHECKED_IN = "checked_in", _("checked in")
        DROPPED = "dropped", _("dropped")
        DISQUALIFIED = "disqualified", _("disqualified")

    event = models.ForeignKey(Event, models.CASCADE, related_name="registrations")
    player = models.ForeignKey(Player, models.PROTECT, related_name="registrations")
    status = models.CharField(max_length=12, choices=Status, default=Status.REGISTERED)
    first_round = models.PositiveSmallIntegerField(default=1)
    missed_as_losses = models.BooleanField(default=False)  # late entry with assigned losses (rule 5.2)
    last_round = models.PositiveSmallIntegerField(null=True, blank=True)
    element = models.ForeignKey(Element, models.PROTECT, null=True, blank=True, related_name="+")
    submission = models.OneToOneField(
        Submission, models.PROTECT, null=True, blank=True, related_name="registration"
    )  # the list in force; earlier ones stay in the log
    deck_unlocked = models.BooleanField(default=False)  # may hand in again after round 1, by leave of the staff
    # Why the staff let him play although his list is missing or illegal; empty: they do not.
    deck_accepted = models.CharField(max_length=200, blank=True)
    # When lists were to be published, as the event said when he handed his in: that much he agreed to (CASES 88).
    lists_consent = models.CharField(max_length=6, choices=Event.ListsPublic, default=Event.ListsPublic.NEVER)
    team = models.CharField(max_length=40, blank=True)
    fixed_table = models.PositiveSmallIntegerField(null=True, blank=True)
    next_bye = models.BooleanField(default=False)  # assigned bye for the next round (rule 4.1.1)
    paid = models.BooleanField(default=False)
    told_apart = models.BooleanField(default=False)  # staff have said: not the one of that name of other nights
    external_id = models.CharField(max_length=80, blank=True)  # id in the imported file
    # A guest's phone proves itself with this; it is only ever in a link or QR handed to that guest.
    secret = models.CharField(max_length=32, blank=True, db_index=True)
    order = models.PositiveIntegerField(default=0)  # order of arrival: the waiting list follows it
    at = models.DateTimeField()

    class Meta:
        ordering = ["order", "id"]
        constraints = [
            models.UniqueConstraint(fields=["event", "player"], name="registration_once_in_event"),
            models.UniqueConstraint(
                fields=["event", "external_id"], condition=~Q(external_id=""), name="registration_external_once"
            ),
            models.CheckConstraint(
                condition=(Q(status__in=["dropped", "disqualified"]) & Q(last_round__isnull=False))
                | (~Q(status__in=["dropped", "disqualified"]) & Q(last_round__isnull=True)),
                name="registration_dropped_has_round",
            ),
        ]

    @property
    def person(self) -> Player:
        """Whom every page names and links: the record that stands for a guest who was joined to it (CASES 52).

        `player` is who came that evening: keys, stored draws and winners go by it for good.
        """
        return self.player.root

    @property
    def key(self) -> str:
        """The player's id in cores and files: the file's own, or the public code (DESIGN, Event file)."""
        return self.external_id or self.player.code

    @property
    def active(self) -> bool:
        return self.status in {self.Status.REGISTERED, self.Status.CHECKED_IN}


class Round(models.Model):
    class Kind(models.TextChoices):
        SWISS = "swiss", _("Swiss")
        CUT = "cut", _("cut")

    class Status(models.TextChoices):
        DRAFT = "draft", _("draft")
        PUBLISHED = "published", _("published")

    event = models.ForeignKey(Event, models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()  # runs on through the cut
    kind = models.CharField(max_length=6, choices=Kind, default=Kind.SWISS)
    status = models.CharField(max_length=10, choices=Status, default=Status.DRAFT)
    seed = models.CharField(max_length=64, blank=True)
    by_standings = models.BooleanField(default=False)
    engine = models.CharField(max_length=20, blank=True)
    input = models.JSONField(default=dict)  # exact input of the pairing (rule 4.2), an event file
    criteria = models.JSONField(default=dict)
    certified = models.BooleanField(default=False)
    notes = models.JSONField(default=list)  # what yielded, for whom and why (rule 4.3)
    swapped = models.BooleanField(default=False)  # the organiser moved seats (rules 4.5, 4.7)
    published_at = models.DateTimeField(null=True)
    ends_at = models.DateTimeField(null=True)  # the clock is an end time on the server (rule 8.1)
    paused_left = models.PositiveIntegerField(null=True)  # seconds; set while paused

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="round_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="round_number_from_1"),
        ]


class Match(models.Model):
    """A table, a bye or an unpaired loss. `outcome` None: not decided. The winner is a player, not a seat (1.1)."""

    class Kind(models.TextChoices):
        TABLE = "table", _("table")
        BYE = "bye", _("bye")
        UNPAIRED = "unpaired", _("unpaired loss")

    class State(models.TextChoices):
        OPEN = "open", _("no result")
        CLAIMED = "claimed", _("one player has reported")
        CONFLICT = "conflict", _("reports differ")
        DONE = "done", _("agreed")

    class Outcome(models.TextChoices):
        WIN = "win", _("win")
        DRAW = "draw", _("draw")
        INTENTIONAL_DRAW = "intentional_draw", _("agreed draw")
        DOUBLE_LOSS = "double_loss", _("double loss")
        FORFEIT = "forfeit", _("win by forfeit")
        NOT_PLAYED = "not_played", _("not played")
        BYE = "bye", _("bye")
        UNPAIRED_LOSS = "unpaired_loss", _("unpaired loss")

    class How(models.TextChoices):
        NONE = "", "—"
        ASCENSION = "ascension", _("Ascension")
        ANNIHILATION = "aniquilacion", _("Annihilation")
        TIME = "tiempo", _("time")
        CONCESSION = "concesion", _("concession")

    event = models.ForeignKey(Event, models.CASCADE, related_name="matches")
    round = models.ForeignKey(Round, models.CASCADE, related_name="matches")
    kind = models.CharField(max_length=8, choices=Kind, default=Kind.TABLE)
    table = models.PositiveSmallIntegerField(null=True)
    slot = models.PositiveSmallIntegerField(null=True)  # place in the bracket of a cut round, from 0
    state = models.CharField(max_length=8, choices=State, default=State.OPEN)
    outcome = models.CharField(max_length=16, choices=Outcome, null=True)  # noqa: DJ001 - None is "not decided"
    winner = models.ForeignKey(Player, models.PROTECT, null=True, related_name="+")
    drawn_games = models.PositiveSmallIntegerField(null=True)
    how = models.CharField(max_length=12, choices=How, blank=True, default="")
    current = models.OneToOneField("ResultRevision", models.RESTRICT, null=True, related_name="current_of")
    extra_seconds = models.PositiveIntegerField(default=0)  # extension of this table (rule 8.1)
    version = models.PositiveIntegerField(default=0)

    seat_list: "list[Seat]"  # in order of position; filled by `tournaments.queries.sheet`

    class Meta:
        ordering = ["table", "id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(outcome=None) | Q(current__isnull=False) | ~Q(kind="table"),
                name="match_result_has_revision",
            ),
            models.CheckConstraint(
                condition=(Q(outcome__in=["win", "forfeit"]) & Q(winner__isnull=False))
                | ((Q(outcome=None) | ~Q(outcome__in=["win", "forfeit"])) & Q(winner=None)),
                name="match_won_has_winner",
            ),
            models.CheckConstraint(
                condition=(Q(state="done") & Q(outcome__isnull=False)) | (~Q(state="done") & Q(outcome=None)),
                name="match_done_has_outcome",
            ),
            models.UniqueConstraint(fields=["round", "table"], name="match_table_once_in_round"),
        ]

    @property
    def left(self) -> "Seat":
        return self.seat_list[0]

    @property
    def right(self) -> "Seat | None":
        """None at a bye or an unpaired loss."""
        return self.seat_list[1] if len(self.seat_list) > 1 else None

    @property
    def done(self) -> bool:
        return self.state == self.State.DONE

    @property
    def is_pod(self) -> bool:
        """Decided by places; a first place of one's own is a win, a shared one a draw."""
        return self.kind == self.Kind.TABLE and self.event.in_pods

    @property
    def score(self) -> str:
        """Games from the left seat's side, `2–1` or `1–1–1`; empty where undecided, unknown or nobody played."""
        games = [seat.games for seat in self.seat_list] if self.done and self.kind == self.Kind.TABLE else []
        if not games or None in games:
            return ""
        return "–".join(str(n) for n in [*games, *([self.drawn_games] if self.drawn_games else [])])


class Seat(models.Model):
    """A player at a match. Carries its round, so that nobody sits twice in one (rule 4.6)."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="seats")
    round = models.ForeignKey(Round, models.CASCADE, related_name="seats")
    registration = models.ForeignKey(Registration, models.RESTRICT, related_name="seats")
    position = models.PositiveSmallIntegerField()  # 0, 1 (up to 3 in a pod)
    games = models.PositiveSmallIntegerField(null=True)  # games won; None where unknown
    place = models.PositiveSmallIntegerField(null=True)  # in a decided pod; None: did not play, and stands last
    claim = models.ForeignKey(
        "ResultRevision", models.SET_NULL, null=True, related_name="+"
    )  # this player's last report

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["round", "registration"], name="seat_once_in_round"),
            models.UniqueConstraint(fields=["match", "position"], name="seat_position_once"),
        ]

    @property
    def won(self) -> bool:
        return self.match.winner_id == self.registration.player_id

    @property
    def opponent(self) -> "Seat | None":
        """Who sits opposite; needs `match.seat_list`."""
        return next((seat for seat in self.match.seat_list if seat is not self), None)


class ResultRevision(models.Model):
    """One statement about a match, never changed afterwards (rule 1.5)."""

    class Kind(models.TextChoices):
        REPORT = "report", _("report of a player")
        DECISION = "decision", _("decision of the staff")
        CORRECTION = "correction", _("correction")
        DROP = "drop", _("by a drop")
        IMPORT = "import", _("from a file")

    match = models.ForeignKey(Match, models.CASCADE, related_name="revisions")
    number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=12, choices=Kind)
    outcome = models.CharField(max_length=16, choices=Match.Outcome)
    winner = models.ForeignKey(Player, models.PROTECT, null=True, related_name="+")
    games = models.JSONField(null=True)  # [games of seat 0, games of seat 1, drawn games] at the time; None: unknown
    places = models.JSONField(null=True)  # of a pod, by seat; None in it: did not play
    how = models.CharField(max_length=12, choices=Match.How, blank=True, default="")
    by_user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    by_player = models.ForeignKey(Player, models.PROTECT, null=True, related_name="+")
    reason = models.CharField(max_length=200, blank=True)
    # A re-sent request is one revision; None is outside the constraint.
    request_key = models.CharField(max_length=64, null=True, default=None)  # noqa: DJ001
    at = models.DateTimeField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="revision_number_once"),
            models.UniqueConstraint(fields=["match", "request_key"], name="revision_request_once"),
        ]


class FrozenStandings(models.Model):
    """The published standings of a closed phase (rule 2.7): a later change makes a new revision, never another one."""

    class Phase(models.TextChoices):
        SWISS = "swiss", _("Swiss")
        FINAL = "final", _("final")

    event = models.ForeignKey(Event, models.CASCADE, related_name="frozen")
    phase = models.CharField(max_length=6, choices=Phase)
    revision = models.PositiveSmallIntegerField()
    rows = models.JSONField()  # [{registration, rank, place, points, ...}] in order
    at = models.DateTimeField()
    reason = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["-revision"]
        constraints = [models.UniqueConstraint(fields=["event", "phase", "revision"], name="frozen_revision_once")]


class Penalty(models.Model):
    """Private to staff, never published (rule 8.4)."""

    class Kind(models.TextChoices):
        CAUTION = "caution", _("caution")
        WARNING = "warning", _("warning")
        GAME_LOSS = "game_loss", _("game loss")
        MATCH_LOSS = "match_loss", _("match loss")
        DISQUALIFICATION = "disqualification", _("disqualification")

    event = models.ForeignKey(Event, models.CASCADE, related_name="penalties")
    registration = models.ForeignKey(Registration, models.RESTRICT, related_name="penalties")
    round = models.ForeignKey(Round, models.SET_NULL, null=True, related_name="+")
    kind = models.CharField(max_length=16, choices=Kind)
    infraction = models.CharField(max_length=120)
    note = models.TextField(blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()


class DeckCheck(models.Model):
    """A judge held the cards against the list. Private to staff, as penalties are."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="deck_checks")
    registration = models.ForeignKey(Registration, models.RESTRICT, related_name="deck_checks")
    submission = models.ForeignKey(Submission, models.PROTECT, related_name="+")
    round = models.ForeignKey(Round, models.SET_NULL, null=True, related_name="+")
    counted = models.JSONField(default=dict)  # copies found by card code; cards not in the list too
    correct = models.BooleanField()
    note = models.TextField(blank=True)
    penalty = models.ForeignKey(Penalty, models.SET_NULL, null=True, blank=True, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["-at", "-id"]


class LogEntry(models.Model):
    """Who did what, when and why; `changes` is enough to undo it (rule 6.5). `number` is the version it made."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="log")
    number = models.PositiveIntegerField()
    action = models.CharField(max_length=30)
    data = models.JSONField(default=dict)  # names and figures for the sentence, by action
    changes = models.JSONField(default=list)  # [[model, id, {field: before} | null, {field: after} | null], ...]
    reason = models.CharField(max_length=300, blank=True)
    by_user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    by_player = models.ForeignKey(Player, models.PROTECT, null=True, related_name="+")
    undoes = models.OneToOneField("self", models.RESTRICT, null=True, related_name="undone_by")
    at = models.DateTimeField()

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="log_number_once"),
            models.CheckConstraint(condition=~Q(undoes=F("id")), name="log_not_undoing_itself"),
        ]
