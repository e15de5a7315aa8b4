"""`/mazos/...`: a player's decks."""

from django.urls import path

from decks.web import builder, builder_check, builder_rules, builder_shared

urlpatterns = [
    path("mazos/", builder.decks, name="decks"),
    path("mazos/nuevo/", builder.new, name="deck_new"),
    path("mazos/cartas/", builder_check.pick, name="deck_pick"),
    path("mazos/comprobar/", builder_check.check_list, name="deck_check"),
    path("mazos/reglas/<slug:game>/", builder_rules.rules, name="deck_rules"),
    path("mazos/compartido/<str:share>/", builder_shared.shared, name="deck_shared"),
    path("mazos/<int:deck>/", builder.edit, name="deck"),
    path("mazos/<int:deck>/versiones/", builder.versions, name="deck_versions"),
    path("mazos/<int:deck>/exportar/<str:form>/", builder.export, name="deck_export"),
    path("mazos/<int:deck>/<str:action>/", builder.act, name="deck_action"),
]
