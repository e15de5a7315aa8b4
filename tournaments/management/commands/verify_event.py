"""`manage.py verify_event SLUG`: replays an event from its log and says, as JSON, whatever differs."""

import json
import sys
from argparse import ArgumentParser
from typing import Any, override

from django.core.management.base import BaseCommand
from django.utils.translation import gettext_lazy as _

from decks.management.answers import NO, YES
from tournaments.management.commands.export_event import find_event
from tournaments.services.verification import verify_event


class Command(BaseCommand):
    help = str(_("Replays an event: every pairing from its seed, every standing recomputed, the log without gaps."))

    @override
    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("event", metavar="SLUG", help=str(_("the event's address, or the id of its file")))

    @override
    def handle(self, *args: Any, **options: Any) -> None:
        report = verify_event(find_event(options["event"]))
        self.stdout.write(json.dumps(report.as_dict(), ensure_ascii=False))
        sys.exit(YES if report.ok else NO)
