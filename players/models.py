"""People: accounts, players, whom they follow, and merges of two records of one person."""

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Final, Self

from django.contrib.auth.base_user import BaseUserManager
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players import codes, names

CODES_AT_ONCE: Final = 500  # codes looked up in one query


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        return self.create_user(
            email, password, is_staff=True, is_superuser=True, circuit_role="administrator", **fields
        )


class User(AbstractUser):
    """An account, known by its e-mail. What the public sees is the Player, never this."""

    class CircuitRole(models.TextChoices):
        NONE = "", _("none")
        ADMINISTRATOR = "administrator", _("circuit administrator")
        AUDITOR = "auditor", _("circuit auditor")

    username = None  # type: ignore[assignment]
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    email = models.EmailField(_("e-mail"), unique=True)
    circuit_role = models.CharField(_("circuit role"), max_length=16, choices=CircuitRole, blank=True, default="")
    demo = models.BooleanField(default=False)

    objects: ClassVar[UserManager] = UserManager()  # type: ignore[assignment]
    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    def get_full_name(self) -> str:
        return self.email

    def get_short_name(self) -> str:
        return self.email


def with_free_codes(rows: Sequence["Player"]) -> None:
    """Draw again the codes that are taken: of a million players, two would share one. One query at least."""
    while taken := taken_codes(rows):
        for row in taken:
            row.code = codes.new_code()


def taken_codes(rows: Sequence["Player"]) -> list["Player"]:
    seen: set[str] = set()
    for start in range(0, len(rows), CODES_AT_ONCE):
        some = [row.code for row in rows[start : start + CODES_AT_ONCE]]
        seen.update(Player.objects.filter(code__in=some).values_list("code", flat=True))
    taken = []
    for row in rows:
        if row.code in seen:
            taken.append(row)
        seen.add(row.code)
    return taken


class PlayerQuerySet(models.QuerySet["Player"]):
    def bulk_create(self, objs: Iterable["Player"], *args: Any, **kwargs: Any) -> list["Player"]:
        rows = list(objs)
        with_free_codes([row for row in rows if row.pk is None])
        return super().bulk_create(rows, *args, **kwargs)

    def active(self) -> Self:
        """Neither merged into another record nor retired."""
        return self.filter(merged_into=None, retired_at=None)


class Player(models.Model):
    """Someone who plays. May have no account (a guest); `public_name` is what everyone but staff sees.

    `search_key` and `sort_key` derive from the public name, `staff_key` from the full name: a public search cannot
    find what a public page may not show.
    """

    class Privacy(models.TextChoices):
        PUBLIC = "public", _("public")
        PRIVATE = "private", _("private: by alias")

    code = models.CharField(_("code"), max_length=8, unique=True, default=codes.new_code, editable=False)
    user = models.OneToOneField(User, models.SET_NULL, null=True, blank=True, related_name="player")
    name = models.CharField(_("name"), max_length=120)
    alias = models.CharField(_("alias"), max_length=40, blank=True)
    public_name = models.CharField(max_length=120, editable=False)
    search_key = models.CharField(max_length=140, editable=False, db_index=True)
    sort_key = models.CharField(max_length=300, editable=False)
    staff_key = models.CharField(max_length=140, editable=False, db_index=True)
    province = models.CharField(_("province"), max_length=6, blank=True, help_text=_("ISO 3166-2, such as ES-TE"))
    country = models.CharField(_("country"), max_length=2, default="ES")
    privacy = models.CharField(_("privacy"), max_length=8, choices=Privacy, default=Privacy.PUBLIC)
    minor = models.BooleanField(_("minor"), default=False)
    home_store = models.CharField(max_length=60, blank=True, help_text=_("slug of the store pinned as home"))
    merged_into = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="merged")
    retired_at = models.DateTimeField(null=True, blank=True)
    renamed_at = models.DateTimeField(
        null=True, editable=False, db_index=True
    )  # pages made before it show another name
    created_at = models.DateTimeField(auto_now_add=True)
    demo = models.BooleanField(default=False)

    objects = PlayerQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(merged_into=F("id")), name="player_not_merged_into_itself"),
            models.CheckConstraint(condition=~Q(name=""), name="player_has_name"),
        ]

    def __str__(self) -> str:
        return self.shown

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self._state.adding:
            with_free_codes([self])
        before = None if self._state.adding else self.public_name
        self.derive()
        if before not in (None, self.public_name):
            self.renamed_at = timezone.now()
        if (fields := kwargs.get("update_fields")) is not None:
            kwargs["update_fields"] = {*fields, "public_name", "search_key", "sort_key", "staff_key", "renamed_at"}
        super().save(*args, **kwargs)

    @property
    def shown(self) -> str:
        """The display name for everyone but staff; the retired have one in the reader's language."""
        return gettext("Retired player") if self.retired_at else self.public_name

    @property
    def root(self) -> "Player":
        """The record that stands for this person. One query a merge unless `merged_into` is joined, none without."""
        player = self
        while player.merged_into_id is not None:
            player = player.merged_into  # type: ignore[assignment]  # there is one: the key says so
        return player

    @property
    def printed_code(self) -> str:
        return codes.printed(self.code)

    def derive(self) -> Self:
        """Fill the derived names. `save` does it; whoever uses bulk_create calls it."""
        self.name = names.clean(self.name)
        private = self.privacy == self.Privacy.PRIVATE
        self.public_name = names.public_name(
            self.name,
            alias=self.alias,
            guest=self.user_id is None,
            minor=self.minor,
            private=private,
            code=codes.printed(self.code),
        )
        self.search_key = names.fold(self.public_name)[:140]
        self.sort_key = names.collation_key(self.public_name)[:300]
        self.staff_key = names.fold(self.name)[:140]
        return self


class Follow(models.Model):
    follower = models.ForeignKey(Player, models.CASCADE, related_name="following")
    followed = models.ForeignKey(Player, models.CASCADE, related_name="followers")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["follower", "followed"], name="follow_once"),
            models.CheckConstraint(condition=~Q(follower=F("followed")), name="follow_someone_else"),
        ]


class Merge(models.Model):
    """Two records of one person, joined by pointer (DESIGN, Rooms): nothing moves, so that it can be undone."""

    source = models.ForeignKey(Player, models.CASCADE, related_name="merges_from")
    target = models.ForeignKey(Player, models.CASCADE, related_name="merges_to")
    by = models.ForeignKey(User, models.SET_NULL, null=True)
    at = models.DateTimeField()
    reason = models.CharField(max_length=200, blank=True)
    undone_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["source"], condition=Q(undone_at=None), name="merge_once"),
        ]
