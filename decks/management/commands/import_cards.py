"""`manage.py import_cards FILE --game G [--dry-run]`: a file of cards into the catalogue (DESIGN, command line).

A row that needs a decision, or cannot be read, stops it all and is told: nothing is decided in silence. `--take CODE`
takes one over as the file says, `--retire CODE` retires a card that the file no longer has, `--without-bad` leaves bad
rows out.
"""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, override

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from decks.management.answers import NO, UNREADABLE, YES
from decks.rules import games as rules
from decks.rules.changes import Kind
from decks.services import games, imports
from decks.services.imports import ImportRefused, Preview
from decks.services.sayings import fault_words, why_words
from decks.services.taking import Choices


class Command(BaseCommand):
    help = "Takes a file of cards over into the catalogue, or says what it would do; prints one JSON object."

    @override
    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="CSV, XLSX or JSON (columns: see export_cards)")
        parser.add_argument("--game", choices=rules.slugs(), default=games.DEFAULT)
        parser.add_argument("--dry-run", action="store_true", help="say what it would do, and change nothing")
        parser.add_argument("--take", action="append", default=[], metavar="CODE", help="of a row that is to decide")
        parser.add_argument("--retire", action="append", default=[], metavar="CODE", help="of a card that is gone")
        parser.add_argument("--without-bad", action="store_true", help="leave out rows that cannot be read")

    @override
    def handle(self, *args: Any, **options: Any) -> None:
        choices = Choices(frozenset(options["take"]), frozenset(options["retire"]), options["without_bad"])
        with transaction.atomic():
            found = look_at(options["file"], options["game"])
            undecided = [c for c in found.comparison.of[Kind.CONFLICT] if c.row.code not in choices.take]
            refused = bool(undecided) or bool(found.faults and not choices.without_bad)
            applied = not (refused or options["dry_run"]) and found.changes_anything and taken(found, choices)
            if not applied:
                transaction.set_rollback(True)
        self.stdout.write(json.dumps(told(found, applied=applied), ensure_ascii=False, default=str))
        sys.exit(NO if refused else YES)


def look_at(name: str, game: str) -> Preview:
    try:
        content = Path(name).read_bytes()
        return imports.look_at(games.game(game), Path(name).name, content)
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}", returncode=UNREADABLE) from None
    except ImportRefused as error:
        raise CommandError(f"{name}: {error}", returncode=UNREADABLE) from None


def taken(found: Preview, choices: Choices) -> bool:
    """False where everything that could be changed was left as it is."""
    try:
        imports.take_over(found.record, choices)
    except ImportRefused as error:
        if error.code == "nothing":
            return False
        raise
    return True


def told(found: Preview, *, applied: bool) -> dict[str, Any]:
    return {
        "game": found.record.game.slug,
        "applied": applied,
        "counts": found.counts,
        "conflicts": [
            {"line": c.row.line, "code": c.row.code, "why": c.why, "other": c.other, "message": why_words(c)}
            for c in found.comparison.of[Kind.CONFLICT]
        ],
        "bad": [{"line": fault.line, "column": fault.column, "message": fault_words(fault)} for fault in found.faults],
        "gone": [{"code": gone.code, "name": gone.name} for gone in found.comparison.gone],
        "unknown_columns": found.unknown,
    }
