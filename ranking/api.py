"""`/api/v1/` of boards and players: what the ranking pages show, whole snapshots only."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from decks.services.games import default_game
from players import codes
from players.models import Player
from players.names import fold
from players.numbers import whole
from ranking import queries
from ranking.models import BoardRow


class RowShape(serializers.Serializer[Any]):
    rank = serializers.IntegerField(allow_null=True, help_text="null: provisional")
    code = serializers.CharField(source="player.code")
    name = serializers.CharField(source="player.shown")
    value = serializers.IntegerField(help_text="rating less one deviation, or circuit points")
    margin = serializers.IntegerField()
    change = serializers.IntegerField(allow_null=True)
    element = serializers.CharField()
    missing_matches = serializers.IntegerField()
    missing_opponents = serializers.IntegerField()


class BoardShape(serializers.Serializer[Any]):
    snapshot = serializers.IntegerField()
    placed = serializers.IntegerField()
    page = serializers.IntegerField()
    rows = RowShape(many=True)


class PlayerShape(serializers.ModelSerializer[Player]):
    name = serializers.CharField(source="shown")

    class Meta:
        model = Player
        fields = ["code", "name", "province", "country"]


class PlaceShape(serializers.Serializer[Any]):
    scope = serializers.CharField()
    element = serializers.CharField()
    rank = serializers.IntegerField(allow_null=True)
    of = serializers.IntegerField()
    value = serializers.IntegerField()
    change = serializers.IntegerField(allow_null=True)


class PlayerDetailShape(PlayerShape):
    places = PlaceShape(many=True)

    class Meta(PlayerShape.Meta):
        fields = [*PlayerShape.Meta.fields, "places"]


class Board(APIView):
    @extend_schema(
        responses=BoardShape,
        parameters=[
            OpenApiParameter("elemento", str, description="slug of an element"),
            OpenApiParameter("orden", str, description="rating (default) or points:<season>"),
            OpenApiParameter("page", int),
        ],
    )
    def get(self, request: Request, scope: str) -> Response:
        """`scope`: `es`, a province such as `ES-TE`, or `tienda:<store>`. Pages of fifty by position."""
        snapshot = queries.current(default_game())
        if snapshot is None:
            raise Http404
        asked = request.query_params
        page = whole(asked.get("page", "")) or 1
        order = asked.get("orden", queries.RATING)
        board = queries.board(snapshot, scope, asked.get("elemento", ""), order, page=page)
        body = {"snapshot": snapshot.number, "placed": board.placed, "page": board.page, "rows": board.rows}
        return Response(BoardShape(body).data)


class Players(generics.ListAPIView[Player]):
    """Players by public name, accents aside: `?q=nunez`. People are found by what they show only."""

    serializer_class = PlayerShape

    def get_queryset(self) -> Any:
        found = Player.objects.active().order_by("sort_key", "pk")
        for word in fold(self.request.GET.get("q", "")).split():
            found = found.filter(search_key__contains=word)
        return found


class PlayerDetail(APIView):
    @extend_schema(responses=PlayerDetailShape)
    def get(self, request: Request, code: str) -> Response:
        player = Player.objects.filter(code=codes.normal(code)).first()
        if player is None:
            raise Http404
        snapshot = queries.current(default_game())
        places = queries.places_of(snapshot, player) if snapshot else []
        return Response(PlayerShape(player).data | {"places": [place_data(place) for place in places]})


def place_data(place: queries.Place) -> dict[str, Any]:
    row: BoardRow = place.row
    numbers = {"rank": row.rank, "of": place.of, "value": row.value, "change": row.change}
    return {"scope": place.scope, "element": place.element} | numbers
