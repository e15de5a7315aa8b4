"""Games, their catalogue of cards, the decks that players keep, and the lists they register.

What a game *is* stands in `decks/games/*.toml`; its elements and factions are rows so that others can point at them.
`decks.rules` judges values, never rows: `decks.services.catalogue` translates.
"""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from decks.rules.words import key
from players import names
from players.models import Player

# -- games -------------------------------------------------------------------------------------------------------------


class Game(models.Model):
    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=60)
    # Goes up with every change of cards, printings or restrictions: what is kept in memory goes by it.
    catalogue_version = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return self.name


class Element(models.Model):
    """One of a game's elements; `slug` is also its glyph and its colour in the look."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="elements")
    slug = models.SlugField()
    name = models.CharField(max_length=40)
    name_en = models.CharField(max_length=40)
    order = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["order"]
        constraints = [models.UniqueConstraint(fields=["game", "slug"], name="element_once_in_game")]

    def __str__(self) -> str:
        return self.name_en if (get_language() or "es").startswith("en") else self.name


class Faction(models.Model):
    """Four to an element in KOUNTER; a game without elements may have factions all the same."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="factions")
    element = models.ForeignKey(Element, models.CASCADE, null=True, blank=True, related_name="factions")
    slug = models.SlugField()
    name = models.CharField(max_length=60)
    name_en = models.CharField(max_length=60)
    order = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["order"]
        constraints = [models.UniqueConstraint(fields=["game", "slug"], name="faction_once_in_game")]

    def __str__(self) -> str:
        return self.name_en if (get_language() or "es").startswith("en") else self.name


# -- the catalogue -----------------------------------------------------------------------------------------------------


class Expansion(models.Model):
    game = models.ForeignKey(Game, models.CASCADE, related_name="expansions")
    slug = models.SlugField(max_length=80)
    name = models.CharField(_("name"), max_length=80)
    demo = models.BooleanField(default=False)  # invented cards; the pages say so

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["game", "slug"], name="expansion_once_in_game")]

    def __str__(self) -> str:
        return self.name


class Card(models.Model):
    """What copy limits count (GAMES). `code` is that of its first printing and never changes.

    The values of rarity, type, subtype and position are slugs of the game's file.
    """

    game = models.ForeignKey(Game, models.PROTECT, related_name="cards")
    code = models.CharField(_("code"), max_length=40)
    code_key = models.CharField(max_length=60, editable=False)
    name = models.CharField(_("name"), max_length=120)
    name_key = models.CharField(max_length=160, editable=False)  # `decks.rules.words.key`: how lists are read
    sort_key = models.CharField(max_length=300, editable=False)
    text = models.TextField(_("text"), blank=True)
    text_key = models.TextField(editable=False, blank=True)  # folded, for the search
    element = models.ForeignKey(Element, models.PROTECT, null=True, blank=True, related_name="cards")
    faction = models.ForeignKey(Faction, models.PROTECT, null=True, blank=True, related_name="cards")
    rarity = models.SlugField(_("rarity"), blank=True)
    type = models.SlugField(_("type"))
    subtype = models.SlugField(_("subtype"), blank=True)
    position = models.SlugField(_("position"), blank=True)
    cost = models.PositiveSmallIntegerField(_("cost"), null=True, blank=True)
    attack = models.PositiveSmallIntegerField(_("attack"), null=True, blank=True)
    life = models.PositiveSmallIntegerField(_("life"), null=True, blank=True)
    # Gone from the catalogue's file, kept because lists name it: it is still read and judged, and no longer browsed.
    retired = models.BooleanField(default=False)

    class Meta:
        ordering = ["sort_key", "code"]
        constraints = [models.UniqueConstraint(fields=["game", "code_key"], name="card_code_once_in_game")]
        indexes = [
            models.Index(fields=["game", "name_key"], name="card_by_name"),
            models.Index(fields=["game", "sort_key", "id"], name="card_in_order"),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.derive()
        super().save(*args, **kwargs)

    def derive(self) -> "Card":
        """The keys that follow from what people read; bulk writers call it themselves."""
        self.code_key = key(self.code)[:60]
        self.name_key = key(self.name)[:160]
        self.sort_key = names.collation_key(self.name)[:300]
        self.text_key = key(self.text) if self.text else ""
        return self


class Printing(models.Model):
    """One appearance of a card: in another expansion, as a promo, with other art."""

    game = models.ForeignKey(Game, models.PROTECT, related_name="printings")
    card = models.ForeignKey(Card, models.CASCADE, related_name="printings")
    expansion = models.ForeignKey(Expansion, models.PROTECT, related_name="printings")
    code = models.CharField(_("code"), max_length=40)
    code_key = models.CharField(max_length=60, editable=False)
    released = models.DateField(_("released"))

    class Meta:
        ordering = ["released", "code"]
        constraints = [models.UniqueConstraint(fields=["game", "code_key"], name="printing_code_once_in_game")]

    def __str__(self) -> str:
        return self.code

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.derive()
        super().save(*args, **kwargs)

    def derive(self) -> "Printing":
        self.code_key = key(self.code)[:60]
        return self


class Restriction(models.Model):
    """From that day on at most so many copies: 0 bans, None lifts. `format` empty: everywhere (CASES 83)."""

    card = models.ForeignKey(Card, models.CASCADE, related_name="restrictions")
    since = models.DateField(_("since"))
    copies = models.PositiveSmallIntegerField(_("copies"), null=True, blank=True)
    format = models.SlugField(_("format"), blank=True)

    class Meta:
        ordering = ["-since"]
        constraints = [models.UniqueConstraint(fields=["card", "since", "format"], name="restriction_once_a_day")]


class CardImport(models.Model):
    """One file on its way into the catalogue: looked at, taken over, undone (UX, Administrator).

    `changes` is what undoing needs, as `[[model, id, {field: before} | null, {field: after} | null], ...]`.
    """

    class Status(models.TextChoices):
        PREVIEW = "preview", _("looked at")
        APPLIED = "applied", _("taken over")
        UNDONE = "undone", _("undone")

    game = models.ForeignKey(Game, models.CASCADE, related_name="imports")
    status = models.CharField(max_length=8, choices=Status, default=Status.PREVIEW)
    filename = models.CharField(max_length=120)
    content = models.BinaryField()  # the file as it came, so that what is confirmed is what was looked at
    digest = models.CharField(max_length=64)  # SHA-256 of content
    choices = models.JSONField(default=dict, blank=True)  # what was decided about conflicts and removals, by code
    counts = models.JSONField(default=dict, blank=True)  # rows by verdict: new, changed, conflict, same, gone, bad
    changes = models.JSONField(default=list, blank=True)
    # The catalogue's version before and after it was applied: undone only while nothing came on top.
    version_before = models.PositiveIntegerField(null=True)
    version_after = models.PositiveIntegerField(null=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    applied_at = models.DateTimeField(null=True)
    undone_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-at", "-id"]


# -- decks -------------------------------------------------------------------------------------------------------------


class Deck(models.Model):
    """A player's own list. Private until shared by its link; its text lives in versions."""

    game = models.ForeignKey(Game, models.PROTECT, related_name="decks")
    owner = models.ForeignKey(Player, models.CASCADE, related_name="decks")
    name = models.CharField(_("name"), max_length=80)
    format = models.SlugField(_("format"), blank=True)  # what it is built for; empty: the game as it is
    # Who has the link may read it; None: nobody but the owner.
    share = models.CharField(max_length=32, null=True, default=None, unique=True)  # noqa: DJ001 - None is private
    copied_from = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="copies")
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-changed_at", "-id"]
        indexes = [models.Index(fields=["owner", "-changed_at"], name="deck_of_owner")]

    def __str__(self) -> str:
        return self.name


class DeckVersion(models.Model):
    """A deck as it was saved once; never changed afterwards."""

    deck = models.ForeignKey(Deck, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()  # from 1, per deck
    text = models.TextField(_("list"))
    note = models.CharField(max_length=120, blank=True)
    element = models.ForeignKey(Element, models.SET_NULL, null=True, blank=True, related_name="+")
    size = models.PositiveSmallIntegerField(default=0)  # cards that count
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["deck", "number"], name="deck_version_once")]


class Submission(models.Model):
    """A list handed in for an event: a frozen copy (CASES 87). Rows are only ever added.

    Which event it was for is the event's affair (`tournaments.Registration.submission`).
    """

    game = models.ForeignKey(Game, models.PROTECT, related_name="submissions")
    player = models.ForeignKey(Player, models.PROTECT, related_name="submissions")
    deck_version = models.ForeignKey(DeckVersion, models.SET_NULL, null=True, related_name="submissions")
    name = models.CharField(max_length=80, blank=True)
    text = models.TextField()  # as it was judged
    digest = models.CharField(max_length=64)  # SHA-256 of text: two copies of one list are told to be so
    element = models.ForeignKey(Element, models.PROTECT, null=True, blank=True, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["-at", "-id"]
        indexes = [models.Index(fields=["player", "-at"], name="submission_of_player")]


class SubmissionCard(models.Model):
    """How many of a card a submission holds, by section; keeps cards that lists name from being deleted (CASES 89)."""

    submission = models.ForeignKey(Submission, models.CASCADE, related_name="cards")
    card = models.ForeignKey(Card, models.PROTECT, related_name="submissions")
    section = models.SlugField(max_length=30)
    copies = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["submission", "card", "section"], name="submission_card_once"),
            models.CheckConstraint(condition=Q(copies__gte=1), name="submission_card_has_copies"),
        ]


class Verdict(models.Model):
    """What the rules said of a submission on a day. Past verdicts stay; the newest is the one in force (CASES 83)."""

    submission = models.ForeignKey(Submission, models.CASCADE, related_name="verdicts")
    number = models.PositiveSmallIntegerField()  # from 1, per submission
    on = models.DateField()  # the event's day where the store is
    format = models.SlugField(blank=True)
    narrowing = models.JSONField(default=dict, blank=True)  # what the event asked on top: arguments of `games.narrow`
    rules_version = models.CharField(max_length=20)  # of the game's file
    catalogue_version = models.PositiveIntegerField()
    legal = models.BooleanField()
    # [{"rule", "lines", "card", "message": {"es", "en"}}, ...]: the words stay what they were that day
    problems = models.JSONField(default=list)
    advice = models.JSONField(default=list)
    at = models.DateTimeField()

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["submission", "number"], name="verdict_number_once")]
