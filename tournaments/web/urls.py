"""Public pages first, then what staff do."""

from django.urls import path

from tournaments.web import rules, urls_public, urls_staff

urlpatterns = [
    path("reglas/", rules.rules, name="rules"),
    *urls_public.urlpatterns,
    *urls_staff.urlpatterns,
]
