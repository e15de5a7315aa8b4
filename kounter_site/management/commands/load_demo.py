"""`manage.py load_demo`: the demonstration circuit, once (DESIGN, Command line)."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.translation import gettext as _

from kounter_site.demonstration import circuit
from tournaments.services.errors import Refused


class Command(BaseCommand):
    help = "The demonstration circuit: made-up stores, people and events. Loaded already: nothing changes."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--seed", type=int, default=circuit.SEED, help="another number, other people win")

    def handle(self, *args: Any, seed: int, verbosity: int, **options: Any) -> None:
        try:
            loaded = circuit.load(timezone.now(), seed)
        except Refused as refusal:
            raise CommandError(str(refusal)) from None
        if verbosity:
            self.stdout.write(_("The demonstration is loaded.") if loaded else _("The demonstration is here already."))
            if loaded:
                self.stdout.write(_("Its accounts open with the next «make run» on this machine."))
