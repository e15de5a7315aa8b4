"""Public pages first, then what staff do."""

from tournaments.web import urls_public, urls_staff

urlpatterns = [*urls_public.urlpatterns, *urls_staff.urlpatterns]
