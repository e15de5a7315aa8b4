"""`manage.py remove_demo`: takes the demonstration away and keeps the shop's own data."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from kounter_site.demonstration import removal

SHOWN = 20  # events named before the removal is refused


class Command(BaseCommand):
    help = "Takes the demonstration circuit away; the shop's own data stay."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--yes", action="store_true", help="also events that were made in demonstration stores")

    def handle(self, *args: Any, verbosity: int, yes: bool, **options: Any) -> None:
        if not yes and (slugs := list(removal.own_events().values_list("slug", flat=True)[:SHOWN])):
            message = _(
                "These were made in demonstration stores and would go with them: %(slugs)s. "
                "Export them with export_event, then say remove_demo --yes. Nothing was removed."
            )
            raise CommandError(message % {"slugs": ", ".join(slugs)})
        gone = removal.remove()
        if not verbosity:
            return
        line = _("Removed: stores %(stores)d, events %(events)d, players %(players)d, accounts %(accounts)d.")
        counts = ("stores", "events", "players", "accounts")
        self.stdout.write(line % {name: getattr(gone, name) for name in counts})
        if gone.kept:
            message = _("They stay as guests, because they played in your own events: %(codes)s.")
            self.stdout.write(message % {"codes": ", ".join(gone.kept)})
        for slug in gone.ownerless:
            message = _("The store %(slug)s has no owner any more: give it one in the back room.")
            self.stderr.write(message % {"slug": slug})
