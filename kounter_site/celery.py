"""The worker's door: `celery -A kounter_site worker`."""

import os
import warnings
from typing import Any

from celery import Celery
from celery.exceptions import SecurityWarning
from celery.signals import worker_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kounter_site.settings")
# Messages are JSON with names of tasks and keys of rows: what Celery warns root of, pickled messages, is not read here.
warnings.filterwarnings("ignore", category=SecurityWarning)
app = Celery("kounter")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_ready.connect
def look_at_once(**_: Any) -> None:
    """A worker that has just started does not wait for beat to look for unrated events."""
    app.send_task("ranking.tasks.sweep")
