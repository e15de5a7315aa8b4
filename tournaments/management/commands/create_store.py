from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from players.models import User
from tournaments.services import stores
from tournaments.services.errors import Refused


class Command(BaseCommand):
    help = "A store and its owner, whose account must exist (createsuperuser, or the sign-up page)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--province", required=True, help="ISO 3166-2, such as ES-TE")
        parser.add_argument("--city", default="")
        parser.add_argument("--owner", required=True, help="e-mail of an account")

    def handle(self, *args: Any, **options: Any) -> None:
        owner = User.objects.filter(email=options["owner"].lower()).first()
        if owner is None:
            raise CommandError(_("there is no account %(email)s") % {"email": options["owner"]})
        try:
            store = stores.create(options["name"], province=options["province"], city=options["city"], owner=owner)
        except Refused as refusal:
            raise CommandError(str(refusal)) from None
        self.stdout.write(store.slug)
