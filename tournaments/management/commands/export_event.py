"""`manage.py export_event SLUG`: an event as an event file (DESIGN, Event file)."""

import json
from argparse import ArgumentParser
from typing import Any, override

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext_lazy as _

from decks.management.answers import UNREADABLE
from tournaments.models import Event
from tournaments.services import files


class Command(BaseCommand):
    help = str(_("Prints an event as an event file."))

    @override
    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("event", metavar="SLUG", help=str(_("the event's address, or the id of its file")))

    @override
    def handle(self, *args: Any, **options: Any) -> None:
        event = find_event(options["event"])
        self.stdout.write(json.dumps(files.export_event(event), ensure_ascii=False, indent=1))


def find_event(name: str) -> Event:
    """By the slug of its address, else by the id that its file gave."""
    events = Event.objects.select_related("store", "game")
    event = events.filter(slug=name).first() or events.filter(external_id=name).first()
    if event is None:
        raise CommandError(_("There is no event %(slug)s.") % {"slug": name}, returncode=UNREADABLE)
    return event
