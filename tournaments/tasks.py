"""The bell for deck lists: rows say what was judged by what, and a bell may ring twice or not at all."""

from celery import shared_task
from django.utils import timezone

from tournaments.services import judging


@shared_task(name="tournaments.tasks.rejudge")
def rejudge() -> None:
    """Lists of events that are not over, when cards, a ban list or a game's rules have moved (CASES 83)."""
    judging.rejudge_stale(timezone.now())
