"""`/cartas/...` for whoever keeps the catalogue."""

from django.urls import path

from decks.web import imports, restrictions

urlpatterns = [
    path("cartas/importar/", imports.imports, name="card_imports"),
    path("cartas/importar/<int:upload>/", imports.upload, name="card_import"),
    path("cartas/exportar/<slug:game>/", imports.export, name="cards_export"),
    path("cartas/restricciones/", restrictions.restrictions, name="restrictions"),
]
