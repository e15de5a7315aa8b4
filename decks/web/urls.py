"""Cards and decks."""

from decks.web import urls_builder, urls_imports

urlpatterns = [
    *urls_imports.urlpatterns,
    *urls_builder.urlpatterns,
]
