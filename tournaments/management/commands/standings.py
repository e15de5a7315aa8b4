"""`manage.py standings FILE...`: standings of event files, as JSON lines. No database is touched."""

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, override

from django.core.management.base import BaseCommand
from django.utils.translation import gettext_lazy as _

from decks.management.answers import Answer
from tournaments.eventfile import EventFile, to_tournament
from tournaments.management.answers import answer_events
from tournaments.swiss.published import differences
from tournaments.swiss.standings import PRESETS, Standing, Value, standings

PLACES = 9


class Command(BaseCommand):
    help = str(_("Prints the standings of event files as JSON, one line for each file."))
    requires_system_checks = []

    @override
    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE")
        parser.add_argument("--preset", choices=sorted(PRESETS), help=str(_("default: the one of the file, or mtr")))
        parser.add_argument(
            "--after", type=round_number, metavar="ROUND", help=str(_("as they stood after that round"))
        )

    @override
    def handle(self, *args: Any, **options: Any) -> None:
        def answer(event: EventFile) -> Answer:
            return Answer(table(event, options["preset"], options["after"]))

        answer_events(options["files"], answer, self.stdout, self.stderr)


def round_number(text: str) -> int:
    if not text.isdecimal():
        raise ArgumentTypeError(_("a round is a number from 0 up"))
    return int(text)


def table(event: EventFile, preset: str | None, after: int | None) -> dict[str, Any]:
    tournament = to_tournament(event)
    if preset is not None:
        tournament = replace(tournament, rules=replace(tournament.rules, preset=preset))
    name, rows = tournament.rules.preset, standings(tournament, after)
    line: dict[str, Any] = {"preset": name, "standings": [row_of(row, PRESETS[name].keys) for row in rows]}
    if event.standings is not None and (after is None or after >= len(event.rounds)):
        line["differs"] = list(_differs(event, rows, PRESETS[name].keys))
    return line


def row_of(row: Standing, keys: Sequence[str]) -> dict[str, Any]:
    numbers = {key: number(value) for key, value in zip(keys, row.values, strict=True)}
    return {"rank": row.rank, "player": row.player, **numbers}


def number(value: Value) -> int | float | None:
    return float(round(value, PLACES)) if isinstance(value, Fraction) else value


def _differs(event: EventFile, rows: list[Standing], keys: Sequence[str]) -> Iterator[dict[str, Any]]:
    ours = {str(row.player): dict(zip(keys, row.values, strict=True)) for row in rows}
    for difference in differences(ours, event.standings or ()):
        yield difference._asdict() | {"ours": number(difference.ours)}
