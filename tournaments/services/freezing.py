"""Frozen standings (TOURNAMENT_RULES 2.7): what a closed phase published stays; a later change is a new revision."""

from datetime import datetime
from typing import Any

from tournaments.models import FrozenStandings
from tournaments.queries import Sheet, frozen_row
from tournaments.services.journal import Change


def swiss_rows(sheet: Sheet) -> list[dict[str, Any]]:
    return [frozen_row(sheet, standing) for standing in sheet.standings()]


def freeze(
    write: Change, phase: FrozenStandings.Phase, rows: list[dict[str, Any]], *, at: datetime, reason: str = ""
) -> FrozenStandings:
    """The newest revision of that phase; a new one only when the rows differ from it. One query, or two."""
    newest = write.event.frozen.filter(phase=phase).order_by("-revision").first()
    if newest is not None and newest.rows == rows:
        return newest
    revision = 1 if newest is None else newest.revision + 1
    return write.add(
        FrozenStandings(event=write.event, phase=phase, revision=revision, rows=rows, at=at, reason=reason[:200])
    )
