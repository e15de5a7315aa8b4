"""The worker's door: `celery -A kounter_site worker`."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kounter_site.settings")
app = Celery("kounter")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
