"""Every include on one screen."""

from django.contrib import admin
from django.urls import include, path
from django.views.i18n import set_language

from kounter_site import web

urlpatterns = [
    path("", web.home, name="home"),
    path("", include("decks.web.urls")),
    path("", include("tournaments.web.urls")),
    path("", include("ranking.web.urls")),
    path("", include("players.web.urls")),
    path("api/v1/", include("kounter_site.api_urls")),
    path("cuenta/", include("allauth.urls")),
    path("idioma/", set_language, name="set_language"),
    path("health/", web.health, name="health"),
    path("metrics/", web.metrics, name="metrics"),
    path("admin/", admin.site.urls),
]
