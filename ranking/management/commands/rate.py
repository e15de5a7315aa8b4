"""`manage.py rate MATCHES.csv [--out RATINGS.csv]`: rates a match stream on its own, without the database (DESIGN)."""

import csv
import json
import os
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ranking.ratings.columns import LAST_DAY, MATCHES, MU, VAR, Floats
from ranking.ratings.engine import rate
from ranking.ratings.evaluate import walk_forward
from ranking.ratings.parameters import Parameters
from ranking.ratings.stream import Problem, Stream, StreamError, date_of, read

COLUMNS: Final = ("player", "rating", "rd", "conservative", "matches", "last_day")
TEXTS: Final = {
    Problem.NOT_GZIP: gettext_lazy("the gzip file is damaged or incomplete"),
    Problem.NOT_TEXT: gettext_lazy("the file is not UTF-8 text"),
    Problem.NOT_CSV: gettext_lazy("the file is not a CSV table (%(value)s)"),
    Problem.NO_COLUMN: gettext_lazy(
        "the header has no column “%(value)s”; needed are date, player_a, player_b and score_a"
    ),
    Problem.NO_MATCHES: gettext_lazy("there are no matches below the header"),
    Problem.FIELDS: gettext_lazy("line %(line)d does not have as many fields as the header (%(value)s)"),
    Problem.DATE: gettext_lazy("line %(line)d: “%(value)s” is not a date like 2026-03-14"),
    Problem.SCORE: gettext_lazy("line %(line)d: score_a is “%(value)s”; it must be 0, 0.5 or 1"),
    Problem.FLAG: gettext_lazy("line %(line)d: intentional_draw is “%(value)s”; it must be 0, 1 or empty"),
    Problem.NOT_A_DRAW: gettext_lazy("line %(line)d: an intentional draw scores 0.5, not %(value)s"),
    Problem.NO_PLAYER: gettext_lazy("line %(line)d: a player is missing; byes do not belong in a match stream"),
    Problem.SAME_PLAYER: gettext_lazy("line %(line)d: “%(value)s” plays against “%(value)s”"),
}


class Command(BaseCommand):
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.description = _("Rates a match stream and says how well the ratings predict")
        parser.add_argument("matches", type=Path, metavar="MATCHES.csv", help=_("CSV of matches, plain or gzip"))
        parser.add_argument("--out", type=Path, metavar="RATINGS.csv", help=_("writes everybody's rating there"))

    def handle(self, *args: object, matches: Path, out: Path | None, **options: Any) -> None:
        stream, parameters = _stream(matches), Parameters()
        rated = rate(stream.matches, parameters)
        assert rated.history is not None
        loss = walk_forward(stream.matches, rated.history, parameters)
        if out is not None:
            _write(out, _table(stream, rated.state, parameters))
        self.stdout.write(
            json.dumps(
                {
                    "matches": len(stream.matches),
                    "players": len(stream.players),
                    "log_loss": {name: round(value, 6) for name, value in asdict(loss).items()},
                }
            )
        )


def _stream(path: Path) -> Stream:
    try:
        return read(path)
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror or error}", returncode=2) from error
    except StreamError as error:
        text = TEXTS[error.problem] % {"line": error.line, "value": error.value}
        raise CommandError(f"{path}: {text}", returncode=2) from error


def _table(stream: Stream, state: Floats, parameters: Parameters) -> list[tuple[object, ...]]:
    """Best first, equals by id; whoever only drew by agreement has no rating and no line."""
    rows = ((player, state[index].tolist()) for index, player in enumerate(stream.players))
    played = [(player, row) for player, row in rows if row[MATCHES]]
    played.sort(key=lambda pair: (-pair[1][MU], pair[0]))
    return [
        (
            player,
            f"{parameters.points(row[MU]):.6f}",
            f"{parameters.deviation(row[VAR]):.6f}",
            f"{parameters.conservative(row[MU], row[VAR]):.6f}",
            int(row[MATCHES]),
            date_of(int(row[LAST_DAY])).isoformat(),
        )
        for player, row in played
    ]


def _write(path: Path, rows: list[tuple[object, ...]]) -> None:
    """Whole or not at all: beside the target first, then in its place."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with draft.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(COLUMNS)
            writer.writerows(rows)
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise CommandError(f"{path}: {error.strerror or error}", returncode=2) from error
