from django.urls import URLPattern, path

from ranking.web import board, circuit, drafting, players, profile, seasons, shares

urlpatterns: list[URLPattern] = [
    path("ranking/", board.ranking, name="ranking"),
    path("ranking/<str:scope>/", board.board, name="board"),
    path("estadisticas/", shares.statistics, name="statistics"),
    path("elementos/<slug:slug>/", shares.element, name="element"),
    path("jugadores/", players.players, name="players"),
    path("jugadores/<str:code>/", profile.player, name="player"),
    path("jugadores/<str:code>/seguir/", players.follow, name="follow"),
    path("temporadas/", seasons.seasons, name="seasons"),
    path("temporadas/<slug:slug>/", seasons.season, name="season"),
    path("circuito/", circuit.circuit, name="circuit"),
    path("circuito/recalcular/", circuit.rebuild, name="rebuild"),
    path("circuito/tiendas/", circuit.stores, name="circuit_stores"),
    path("circuito/tiendas/nueva/", circuit.store_new, name="store_new"),
    path("circuito/temporada-nueva/", drafting.season_new, name="season_new"),
    path("circuito/temporadas/<slug:slug>/", drafting.season_edit, name="season_edit"),
    path("circuito/temporadas/<slug:slug>/publicar/", drafting.season_publish, name="season_publish"),
    path("circuito/temporadas/<slug:slug>/<str:action>/", drafting.season_action, name="season_action"),
]
