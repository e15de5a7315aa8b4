"""`manage.py simulate --players N --stores N --weeks N --seed N`: a believable circuit in the database (DESIGN).

Everything in it is marked as demonstration: `remove_demo` takes it away. One JSON line on success.
"""

import json
import time
from argparse import ArgumentParser, ArgumentTypeError
from datetime import date, timedelta
from typing import Any, override

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from decks.services.games import default_game
from ranking.services.errors import Refused
from ranking.services.simulation.circuit import Made, Plan, simulate


class Command(BaseCommand):
    help = str(_("Writes a believable circuit of made-up people: weeks of finished events, ready to be rated."))

    @override
    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--players", type=at_least(4), default=200)
        parser.add_argument("--stores", type=at_least(1), default=8)
        parser.add_argument("--weeks", type=at_least(1), default=8)
        parser.add_argument("--seed", type=at_least(0), default=1, help=str(_("the same seed gives the same circuit")))
        parser.add_argument("--until", type=day, help=str(_("the last day, a Sunday at best (default: last Sunday)")))

    @override
    def handle(self, *args: Any, until: date | None, **options: Any) -> None:
        numbers = {name: options[name] for name in ("players", "stores", "weeks", "seed")}
        started = time.monotonic()
        try:
            made = simulate(Plan(default_game(), until=until or last_sunday(timezone.localdate()), **numbers))
        except Refused as refusal:
            raise CommandError(str(refusal), returncode=1) from None
        self.stdout.write(json.dumps(line(made, time.monotonic() - started)))


def line(made: Made, seconds: float) -> dict[str, Any]:
    counts = {name: getattr(made, name) for name in ("players", "stores", "events", "matches")}
    return counts | {"seconds": round(seconds, 1)}


def at_least(smallest: int) -> Any:
    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < smallest:
            raise ArgumentTypeError(_("a whole number from %(n)d up") % {"n": smallest})
        return int(text)

    return number


def day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(_("a day is written 2026-03-15")) from None


def last_sunday(today: date) -> date:
    return today - timedelta(days=today.isoweekday() % 7 or 7)
