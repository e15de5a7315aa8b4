"""Cards and decks."""

from decks.web import urls_builder

urlpatterns = [
    *urls_builder.urlpatterns,
]
