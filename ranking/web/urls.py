from django.urls import URLPattern, path

from ranking.web import board

urlpatterns: list[URLPattern] = [
    path("ranking/", board.ranking, name="ranking"),
    path("ranking/<str:scope>/", board.board, name="board"),
]
