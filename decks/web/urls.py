"""Cards and decks."""

from decks.web import urls_builder, urls_cards, urls_imports

urlpatterns = [
    *urls_imports.urlpatterns,
    *urls_cards.urlpatterns,
    *urls_builder.urlpatterns,
]
