"""`granian benchmarks.bare_wsgi:application`: the site as it serves, with the bare views of `benchmarks.bare`."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kounter_site.settings")

from django.conf import settings

settings.ROOT_URLCONF = "benchmarks.bare"

from kounter_site.wsgi import application  # noqa: E402, F401
