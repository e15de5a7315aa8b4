import gc
import os
from importlib import import_module

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kounter_site.settings")
application = get_wsgi_application()

# Every page and what pairs a round, now: not while the first visitor waits.
import_module("kounter_site.urls")
import_module("tournaments.swiss.pairing")

# What was imported stays: the collector need not walk through it. And a page of two thousand players makes some 100,000
# objects that all die with the answer, none of them in a circle: looking for circles at every 2,000th was a fifth of
# the page's time.
gc.collect()
gc.freeze()
gc.set_threshold(200_000, 20, 20)
