"""Every address of `/api/v1/` on one screen."""

from django.urls import path
from drf_spectacular.views import SpectacularAPIView

from kounter_site.api import Docs
from ranking import api as ranking
from tournaments import api as tournaments

EVENT = "events/<slug:slug>/"
urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(), name="api_schema"),
    path("docs/", Docs.as_view(url_name="api_schema"), name="api_docs"),
    path("stores/", tournaments.Stores.as_view(), name="api_stores"),
    path("stores/<slug:slug>/", tournaments.StoreDetail.as_view(), name="api_store"),
    path("events/", tournaments.Events.as_view(), name="api_events"),
    path(EVENT, tournaments.EventDetail.as_view(), name="api_event"),
    path(EVENT + "players/", tournaments.Roster.as_view(), name="api_roster"),
    path(EVENT + "players/<str:code>/drop/", tournaments.Drop.as_view(), name="api_drop"),
    path(EVENT + "players/<str:code>/undrop/", tournaments.Undrop.as_view(), name="api_undrop"),
    path(EVENT + "players/<str:code>/list/", tournaments.DeckListDetail.as_view(), name="api_list"),
    path(EVENT + "lists/", tournaments.DeckLists.as_view(), name="api_lists"),
    path(EVENT + "rounds/", tournaments.Rounds.as_view(), name="api_rounds"),
    path(EVENT + "rounds/<int:number>/", tournaments.RoundDetail.as_view(), name="api_round"),
    path(EVENT + "rounds/<int:number>/publish/", tournaments.Publish.as_view(), name="api_publish"),
    path(EVENT + "matches/<int:pk>/result/", tournaments.Result.as_view(), name="api_result"),
    path(EVENT + "standings/", tournaments.Standings.as_view(), name="api_standings"),
    path(EVENT + "chances/", tournaments.Chances.as_view(), name="api_chances"),
    path(EVENT + "cut/", tournaments.Cut.as_view(), name="api_cut"),
    path(EVENT + "finish/", tournaments.Finish.as_view(), name="api_finish"),
    path("boards/<str:scope>/", ranking.Board.as_view(), name="api_board"),
    path("players/", ranking.Players.as_view(), name="api_players"),
    path("players/<str:code>/", ranking.PlayerDetail.as_view(), name="api_player"),
]
