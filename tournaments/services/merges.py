"""Merging two records of one person, seen from the events (CASES 52): preview, what stands in the way, pointer."""

from dataclasses import dataclass
from datetime import datetime

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from players.models import Merge, Player, User
from players.services import people
from tournaments.models import Event, Registration
from tournaments.services.errors import Refused
from tournaments.services.journal import Change


@dataclass(frozen=True, slots=True)
class MergePreview:
    """What the merge brings together. `shared`: events where both play; while there is one, it is refused."""

    source: Player
    target: Player
    source_events: list[Event]
    target_events: list[Event]
    shared: list[Event]
    refusal: str

    @property
    def possible(self) -> bool:
        return not self.refusal


def preview(source: Player, target: Player) -> MergePreview:
    target = people.root(target)
    theirs, ours = _events(source), _events(target)
    shared = [event for event in theirs if event in ours]
    return MergePreview(source, target, theirs, ours, shared, _refusal(source, target, shared))


def _events(player: Player) -> list[Event]:
    rows = Registration.objects.filter(player__in=people.family_below(player)).exclude(last_round=0)
    return list(Event.objects.filter(pk__in=rows.values("event")).select_related("store").order_by("date", "pk"))


def _refusal(source: Player, target: Player, shared: list[Event]) -> str:
    try:
        people.check_mergeable(source, target)
    except ValidationError as error:
        return error.messages[0]
    if shared:
        return str(_("Both are in %(events)s.") % {"events": ", ".join(event.name for event in shared)})
    return ""


def require(source: Player, target: Player) -> None:
    """Refuse what the preview says is not possible."""
    seen = preview(source, target)
    if not seen.possible:
        code = "merge_shared" if seen.shared else "merge"
        raise Refused(seen.refusal, code=code, data={"events": [event.slug for event in seen.shared]})


def merge(source: Player, target: Player, *, by: User | None, at: datetime | None = None, reason: str = "") -> Merge:
    """Refused while they share an event, which is also where they would have played each other (CASES 52)."""
    require(source, target)
    return people.merge(source, target, by=by, at=at, reason=reason)


def undo_merge(merge: Merge, *, at: datetime | None = None) -> Player:
    return people.undo_merge(merge, at=at)


def point(write: Change, source: Player, target: Player, *, by: User | None, at: datetime) -> None:
    """The pointer as part of an event's change, so that undoing the change takes it away again."""
    try:
        people.check_mergeable(source, target)
    except ValidationError as error:
        raise Refused(error.messages[0], code=error.code or "merge") from None
    write.set(source, merged_into=target, renamed_at=at)  # pages of other events show the target from now on
    write.add(Merge(source=source, target=target, by=by, at=at))
