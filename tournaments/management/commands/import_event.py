"""`manage.py import_event FILE... --store SLUG --tier TIER`: event files become finished events, as JSON lines."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, override

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext_lazy as _

from decks.management.answers import NO, UNREADABLE, YES
from decks.models import Game
from decks.services.games import default_game
from tournaments.models import Event, Store
from tournaments.services import files
from tournaments.services.errors import Refused
from tournaments.services.journal import SYSTEM


class Command(BaseCommand):
    help = str(_("Imports event files as finished events; twice is once, the same id with other content is refused."))

    @override
    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE")
        parser.add_argument("--store", required=True, metavar="SLUG")
        parser.add_argument("--tier", required=True, choices=Event.Tier.values)
        parser.add_argument("--game", default="", metavar="SLUG", help=str(_("default: kounter")))
        parser.add_argument("--demo", action="store_true", help=str(_("its players are demonstration players")))

    @override
    def handle(self, *args: Any, **options: Any) -> None:
        store, game = find_store(options["store"]), find_game(options["game"])
        worst = YES
        for name in options["files"]:
            line, code = answer(name, store, options["tier"], game, options["demo"])
            self.stdout.write(json.dumps(line, ensure_ascii=False))
            if code != YES:
                self.stderr.write(f"{name}: {line['error']}")
            worst = max(worst, code)
        sys.exit(worst)


def find_store(slug: str) -> Store:
    store = Store.objects.filter(slug=slug).first()
    if store is None:
        raise CommandError(_("There is no store %(slug)s.") % {"slug": slug}, returncode=UNREADABLE)
    return store


def find_game(slug: str) -> Game:
    game = Game.objects.filter(slug=slug).first() if slug else default_game()
    if game is None:
        raise CommandError(_("There is no game %(slug)s.") % {"slug": slug}, returncode=UNREADABLE)
    return game


def answer(name: str, store: Store, tier: str, game: Game, demo: bool) -> tuple[dict[str, Any], int]:
    try:
        data = json.loads(Path(name).read_bytes().decode("utf-8-sig"))
        event, created = files.import_event(data, store, tier, by=SYSTEM, demo=demo, game=game)
    except OSError as error:
        return {"file": name, "error": f"cannot be read: {error.strerror}"}, UNREADABLE
    except (ValueError, RecursionError) as error:
        return {"file": name, "error": f"not JSON: {error}"}, UNREADABLE
    except Refused as refusal:
        code = UNREADABLE if refusal.code == "unreadable" else NO
        return {"file": name, "error": str(refusal), "code": refusal.code}, code
    return {
        "file": name,
        "id": event.reference,
        "event": event.slug,
        "store": event.store.slug,
        "created": created,
    }, YES
