from typing import Any

from django.core.management.base import BaseCommand

from decks.services import games


class Command(BaseCommand):
    help = "Load decks/games/*.toml into the database; twice is once."

    def handle(self, *args: Any, **options: Any) -> None:
        for game in games.load_games():
            self.stdout.write(f"{game.slug}: {game.elements.count()} elements")
