"""`manage.py rebuild_ranking [--check]`: rates everything from the first day (DESIGN, command line).

Without --check the result is published when it differs from what is; with it nothing is written, and the exit code is 1
when the published bytes are not those of the rows. One JSON line a game.
"""

import json
from argparse import ArgumentParser
from datetime import datetime
from typing import Any, override

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from decks.models import Game
from ranking.services import rate
from ranking.services.check import Check, check


class Command(BaseCommand):
    help = str(_("Rates every official event from the first day and publishes the result."))

    @override
    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--game", help=str(_("only this game (default: all that have events)")))
        parser.add_argument(
            "--check", action="store_true", help=str(_("only compare with what is published; exit 1 if it differs"))
        )

    @override
    def handle(self, *args: Any, game: str | None, check: bool, **options: Any) -> None:
        now = timezone.now()
        answers = [answer(each, now, only_check=check) for each in games(game)]
        if not answers:
            self.stderr.write(str(_("There is nothing to rate: no game has an event yet.")))
        for line in answers:
            self.stdout.write(json.dumps(line, ensure_ascii=False))
        if not all(line["equal"] and line["up_to_date"] for line in answers):
            raise CommandError(str(_("The published ranking is not that of the rows.")), returncode=1)


def games(slug: str | None) -> list[Game]:
    found = Game.objects.filter(events__isnull=False).distinct().order_by("pk")
    if slug is None:
        return list(found)
    if not (named := list(Game.objects.filter(slug=slug))):
        raise CommandError(str(_("There is no game “%(slug)s”.") % {"slug": slug}), returncode=2)
    return named


def answer(game: Game, now: datetime, *, only_check: bool) -> dict[str, Any]:
    """The check; without --check, what does not pass is published anew and checked again."""
    found = check(game, now)
    if found.passed or only_check:
        return line(game, found, published=False)
    if rate.rebuild(game, now) is None:
        raise CommandError(str(_("A worker is computing this ranking. Try again in a moment.")), returncode=1)
    return line(game, check(game, now), published=True)


def line(game: Game, found: Check, *, published: bool) -> dict[str, Any]:
    return {
        "game": game.slug,
        "snapshot": found.snapshot.number if found.snapshot else None,
        "new": published,
        "players": found.players,
        "matches": found.matches,
        "up_to_date": found.up_to_date,
        "equal": found.equal,
        "published": found.published,
        "rebuilt": found.rebuilt,
    }
