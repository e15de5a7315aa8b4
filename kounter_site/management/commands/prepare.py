"""What a database and a folder need before anything runs. Twice is once."""

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from decks.services import games, imports
from kounter_site.catalogues import compile_all


class Command(BaseCommand):
    help = "Compile the catalogues, migrate, load the games and the invented cards, collect the static files."
    requires_migrations_checks = False

    def handle(self, *args: Any, **options: Any) -> None:
        compile_all(settings.BASE_DIR / "locale")
        call_command("migrate", interactive=False, verbosity=0)
        imports.load_demonstration(games.load_games())
        call_command("collectstatic", interactive=False, verbosity=0)
