"""What other rooms read of players."""

from django.db.models import DateTimeField
from django.db.models.expressions import RawSQL

from players.models import Player

LAST_RENAMED = f'SELECT MAX(renamed_at) FROM "{Player._meta.db_table}"'
"""The privacy epoch (DESIGN, State), by one index look: when any name was last shown otherwise."""


def last_renamed() -> RawSQL:
    """The same as a column of a queryset."""
    return RawSQL(LAST_RENAMED, (), output_field=DateTimeField())
