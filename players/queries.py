"""What other rooms read of players."""

from django.db.models import QuerySet

from players.models import Player

LAST_RENAMED = f'SELECT MAX(renamed_at) FROM "{Player._meta.db_table}"'
"""The privacy epoch for a query in plain SQL."""


def last_renamed() -> QuerySet[Player]:
    """The privacy epoch (DESIGN, State) as a subquery of one index look: when any name was last shown otherwise."""
    renamed = Player.objects.filter(renamed_at__isnull=False).order_by("-renamed_at")
    return renamed.values("renamed_at")[:1]  # type: ignore[return-value]
