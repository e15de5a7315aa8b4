"""The bell: rows are the truth, and a bell may ring twice or not at all (DESIGN, Two ways to run)."""

from celery import shared_task
from django.utils import timezone

from ranking.services import rate


@shared_task(name="ranking.tasks.sweep")
def sweep() -> None:
    """Rings for what waits: new and corrected events, and runs whose bell was lost or whose worker died."""
    for run in rate.sweep(timezone.now()):
        compute.delay(run.pk)


@shared_task(name="ranking.tasks.compute")
def compute(run_id: int) -> None:
    """Does nothing when another worker has the run."""
    rate.work(run_id, timezone.now())
