"""`manage.py export_cards --game G`: the catalogue as the CSV that `import_cards` reads (DESIGN, command line)."""

from argparse import ArgumentParser
from typing import Any, override

from django.core.management.base import BaseCommand

from decks.rules import games as rules
from decks.services import games, imports


class Command(BaseCommand):
    help = "Prints the catalogue as CSV, one row for each printing."

    @override
    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--game", choices=rules.slugs(), default=games.DEFAULT)

    @override
    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(imports.exported(games.game(options["game"])), ending="")
