"""People: guests, names that look alike, merging two records of one person, renaming, retiring.

A merge moves nothing (DESIGN, Rooms): `merged_into` points to the record that stays, readers follow it with `root` and
`family`, and taking the pointer away undoes it. What else stands in the way, such as a shared event, is known to the
room that asks: `tournaments.services.merges`. Refusals are Django's ValidationError.
"""

from collections.abc import Sequence
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from players import names
from players.models import Merge, Player, User

LONGEST_NAME = 120


def checked_name(name: str) -> str:
    """The name as stored, or a ValidationError when there is none or it is too long."""
    clean = names.clean(name)
    if not clean:
        raise ValidationError(_("A player needs a name."), code="name_missing")
    if len(clean) > LONGEST_NAME:
        raise ValidationError(
            _("A name has at most %(most)d characters."), code="name_long", params={"most": LONGEST_NAME}
        )
    return clean


def new_guest(name: str, *, province: str = "", country: str = "ES", demo: bool = False) -> Player:
    """A guest ready for bulk_create, derived names included; his province is the store's until told (DESIGN)."""
    return Player(name=checked_name(name), province=province, country=country, demo=demo).derive()


def create_guest(name: str, *, province: str = "", country: str = "ES", demo: bool = False) -> Player:
    player = new_guest(name, province=province, country=country, demo=demo)
    player.save(force_insert=True)
    return player


def root(player: Player) -> Player:
    """The record that stands for this person. One query a merge, none without."""
    return player.root


def family(player: Player) -> list[int]:
    """Keys of every record of this person, the one that stands first. One query more than the chain has links."""
    return family_below(root(player))


def family_below(player: Player) -> list[int]:
    """This record and whatever was merged into it."""
    keys = [player.pk]
    newest: Sequence[int] = keys
    while newest:
        newest = list(Player.objects.filter(merged_into__in=newest).values_list("pk", flat=True))
        keys.extend(newest)
    return keys


@transaction.atomic
def merge(source: Player, target: Player, *, by: User | None, at: datetime | None = None, reason: str = "") -> Merge:
    """Let `source` point to `target`, or to whoever that one stands for."""
    row, target = _locked_pair(source, target)
    row.merged_into = source.merged_into = target
    row.renamed_at = timezone.now()  # the event's pages show the target from now on
    row.save(update_fields=["merged_into"])
    return Merge.objects.create(source=row, target=target, by=by, at=at or timezone.now(), reason=reason[:200])


def _locked_pair(source: Player, target: Player) -> tuple[Player, Player]:
    target = root(Player.objects.get(pk=target.pk))
    rows = {
        row.pk: row for row in Player.objects.select_for_update().filter(pk__in=[source.pk, target.pk]).order_by("pk")
    }
    source, target = rows[source.pk], rows[target.pk]
    check_mergeable(source, target)
    return source, target


def check_mergeable(source: Player, target: Player) -> None:
    if source.merged_into_id is not None:
        raise ValidationError(
            _("%(name)s is already merged; undo that first."), code="merged", params={"name": source.name}
        )
    if source.pk == target.pk:
        raise ValidationError(_("These two are the same player."), code="merge_same")
    if source.user_id is not None and target.user_id is not None:
        raise ValidationError(
            _("Both players have an account: one of the two must be closed first."), code="merge_accounts"
        )
    if source.user_id is not None:
        raise ValidationError(_("The player with the account is the one that stays."), code="merge_direction")
    if source.retired_at or target.retired_at:
        raise ValidationError(_("A retired player cannot be merged."), code="merge_retired")


@transaction.atomic
def undo_merge(merge: Merge, *, at: datetime | None = None) -> Player:
    """Take the pointer away; twice is once. The record stands for itself again."""
    source = Player.objects.select_for_update().get(pk=merge.source_id)
    merge.refresh_from_db()
    if merge.undone_at is None:
        merge.undone_at = at or timezone.now()
        merge.save(update_fields=["undone_at"])
        source.merged_into, source.renamed_at = None, timezone.now()
        source.save(update_fields=["merged_into"])
    return source


def rename(player: Player, name: str, *, alias: str | None = None) -> Player:
    """The code stays, so links and results do."""
    player.name = checked_name(name)
    fields = ["name"]
    if alias is not None:
        player.alias, fields = names.clean(alias)[:40], ["name", "alias"]
    player.save(update_fields=fields)
    return player


@transaction.atomic
def retire(player: Player, *, at: datetime | None = None) -> list[Player]:
    """Close a person's records, merged ones included (CASES 54): names go, results and the rivals' tie-breaks stay."""
    rows = list(Player.objects.select_for_update().filter(pk__in=family(player)).order_by("pk"))
    accounts = [row.user_id for row in rows if row.user_id]
    for row in rows:
        _forget(row, at or timezone.now())
    User.objects.filter(pk__in=accounts).delete()
    return rows


def _forget(player: Player, at: datetime) -> None:
    player.retired_at = player.retired_at or at
    player.user, player.name, player.alias = None, player.printed_code, ""
    player.privacy, player.province, player.home_store = Player.Privacy.PRIVATE, "", ""
    player.save(update_fields=["retired_at", "user", "name", "alias", "privacy", "province", "home_store"])
