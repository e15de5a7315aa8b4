"""`/api/v1/` of stores and events: public reads, and token writes through the same services as the console.

People appear by their public name and code only. Standings and pairings come from `queries.sheet`; drafts are nobody's
business (rule 4.5). A refused write is a 409 with the rule it rests on (`kounter_site.api.explain`).
"""

from collections.abc import Callable, Iterable
from typing import Any, cast

import django_filters
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, permissions, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import UserRateThrottle
from rest_framework.views import APIView

from decks.models import Element
from decks.services import submissions
from decks.services.submissions import PublicCard
from players.models import User
from players.numbers import whole
from tournaments import queries, rights
from tournaments.cut.double import Side
from tournaments.models import PERSON, Event, Match, Registration, Round, Seat, Store
from tournaments.queries import ListState, Sheet
from tournaments.sentences import chances as sentences
from tournaments.sentences import reasons as words
from tournaments.services import chances, cut, decks, events, reasons, registrations, results, rounds
from tournaments.services.journal import Actor
from tournaments.services.results import Statement
from tournaments.standings_words import title_of
from tournaments.swiss.presets import PRESETS
from tournaments.swiss.standings import Standing
from tournaments.swiss.types import PlayerId
from tournaments.swiss.whatif.answer import Chance, NotYet, Odds, Outlook


# -- shapes ------------------------------------------------------------------------------------------------------------
class StoreShape(serializers.ModelSerializer[Store]):
    class Meta:
        model = Store
        fields = ["slug", "name", "city", "province", "country", "time_zone"]


class EventShape(serializers.ModelSerializer[Event]):
    store = serializers.SlugRelatedField[Store](slug_field="slug", read_only=True)
    game = serializers.SlugRelatedField[Any](slug_field="slug", read_only=True)
    element = serializers.SlugRelatedField[Element](slug_field="slug", read_only=True)
    players = serializers.IntegerField(source="people", read_only=True)

    class Meta:
        model = Event
        fields = [
            "slug", "name", "store", "game", "tier", "status", "starts_at", "date", "best_of", "preset", "format",
            "rounds_planned", "cut_size", "cut_format", "capacity", "minutes", "element", "players", "version",
            "decks", "deck_format", "deck_rules", "lists_public",
        ]  # fmt: skip


class PersonShape(serializers.Serializer[Any]):
    code = serializers.CharField()
    name = serializers.CharField()


class RegistrationShape(serializers.Serializer[Any]):
    player = PersonShape()
    status = serializers.CharField()
    element = serializers.CharField(allow_null=True)
    dropped_after = serializers.IntegerField(allow_null=True, help_text="last round played; null while active")


class SeatShape(serializers.Serializer[Any]):
    player = PersonShape()
    games = serializers.IntegerField(allow_null=True)
    place = serializers.IntegerField(
        allow_null=True, help_text="at a table of several; null until it is decided, and for whoever did not play"
    )


class MatchShape(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    table = serializers.IntegerField(allow_null=True)
    slot = serializers.IntegerField(allow_null=True, help_text="place in a round of the cut, from 0")
    kind = serializers.ChoiceField(choices=Match.Kind.choices)
    state = serializers.ChoiceField(choices=Match.State.choices)
    outcome = serializers.CharField(allow_null=True)
    winner = serializers.CharField(allow_null=True, help_text="code of the player")
    drawn_games = serializers.IntegerField(allow_null=True)
    how = serializers.CharField()
    version = serializers.IntegerField()
    seats = SeatShape(many=True)


class RemarkShape(serializers.Serializer[Any]):
    text = serializers.CharField()
    rule = serializers.CharField(help_text="section of the tournament rules")


class RoundShape(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=Round.Kind.choices)
    status = serializers.ChoiceField(choices=Round.Status.choices)
    seed = serializers.CharField()
    criteria = serializers.JSONField()
    certified = serializers.BooleanField()
    notes = serializers.JSONField(help_text="what had to yield, for whom and why: codes")
    explained = RemarkShape(many=True, help_text="the notes in words")
    why = serializers.DictField(
        child=RemarkShape(many=True), help_text="by code of the player: why this opponent, or why the bye"
    )
    ends_at = serializers.DateTimeField(allow_null=True)
    matches = MatchShape(many=True)


class TieBreakShape(serializers.Serializer[Any]):
    key = serializers.CharField()
    name = serializers.CharField(help_text="in the language asked for")
    value = serializers.FloatField(allow_null=True, help_text="null: unknown, or nothing to compare")


class TieShape(serializers.Serializer[Any]):
    """A place of the bracket; who does not sit there yet, or never will, is not in `players`."""

    round = serializers.IntegerField(help_text="number of the event's round")
    slot = serializers.IntegerField()
    side = serializers.ChoiceField(choices=[(side.value, side.value) for side in Side])
    stage = serializers.IntegerField(help_text="round of that side, from 1")
    players = PersonShape(many=True)
    winner = serializers.CharField(allow_null=True, help_text="code of the player")


class CutShape(serializers.Serializer[Any]):
    format = serializers.ChoiceField(choices=Event.CutFormat.choices)
    size = serializers.IntegerField()
    over = serializers.BooleanField()
    ties = TieShape(many=True)


class CutBody(serializers.Serializer[Any]):
    number = serializers.IntegerField(required=False, help_text="the round that is asked for: twice is once")


class StandingShape(serializers.Serializer[Any]):
    rank = serializers.IntegerField()
    player = PersonShape()
    points = serializers.IntegerField()
    omw = serializers.FloatField(allow_null=True)
    gw = serializers.FloatField(allow_null=True)
    ogw = serializers.FloatField(allow_null=True)
    wins = serializers.IntegerField()
    losses = serializers.IntegerField()
    draws = serializers.IntegerField()
    tiebreaks = TieBreakShape(many=True, help_text="the numbers of the event's order, most important first")
    dropped = serializers.BooleanField()


class BoundShape(serializers.Serializer[Any]):
    low = serializers.FloatField(help_text="fewest points at the end")
    high = serializers.FloatField(help_text="most points at the end")
    at_least = serializers.IntegerField(help_text="so many end above, whatever happens")
    at_most = serializers.IntegerField(help_text="no more can be level or above")
    above = serializers.ListField(child=serializers.CharField(), help_text="codes of who surely ends above")
    either = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField()), help_text="tables of which one surely ends above"
    )
    could = serializers.ListField(child=serializers.CharField(), help_text="codes of who might be level or above")


class OddsShape(serializers.Serializer[Any]):
    certain = serializers.BooleanField(allow_null=True, help_text="proven by points: in, out; null while open")
    chance = serializers.FloatField(allow_null=True)
    margin = serializers.FloatField(help_text="of a simulation, 19 times of 20; 0 where every way was counted")
    bound = BoundShape()


class ChanceShape(serializers.Serializer[Any]):
    player = PersonShape()
    points = serializers.FloatField()
    rival = PersonShape(allow_null=True, help_text="at the open table of this round")
    overall = OddsShape()
    results = serializers.DictField(child=OddsShape(), help_text="win, draw, loss; empty with nothing left to play")
    safe_with = serializers.FloatField(allow_null=True, help_text="final points that are enough for certain")
    answer = serializers.CharField(help_text="whether a draw is enough, in words")
    why = serializers.CharField(help_text="the reason, in words")


class ChancesShape(serializers.Serializer[Any]):
    not_yet = serializers.CharField(allow_null=True, help_text="why not; the rest is then absent")
    round = serializers.IntegerField(required=False)
    last_round = serializers.IntegerField(required=False)
    cut = serializers.IntegerField(required=False)
    method = serializers.ChoiceField(choices=["settled", "counted", "simulated"], required=False)
    worlds = serializers.IntegerField(required=False, help_text="ways counted, or runs")
    open_tables = serializers.IntegerField(required=False)
    players = ChanceShape(many=True, required=False)


class ListedCardShape(serializers.Serializer[Any]):
    code = serializers.CharField()
    name = serializers.CharField()
    section = serializers.CharField()
    copies = serializers.IntegerField()


class DeckListShape(serializers.Serializer[Any]):
    player = PersonShape()
    element = serializers.CharField(allow_null=True)
    cards = ListedCardShape(many=True)


class HandedInShape(serializers.Serializer[Any]):
    player = PersonShape()
    element = serializers.CharField(allow_null=True)
    digest = serializers.CharField(help_text="SHA-256 of the list")
    at = serializers.DateTimeField()
    legal = serializers.BooleanField()


class DeckListBody(serializers.Serializer[Any]):
    text = serializers.CharField(help_text="the list, a card per line", trim_whitespace=False)
    accept = serializers.BooleanField(default=False, help_text="take it although it is not legal; with a reason")
    reason = serializers.CharField(
        max_length=200, required=False, default="", help_text="for an illegal list, and for any from round 1 on"
    )


class PlayersBody(serializers.Serializer[Any]):
    names = serializers.ListField(
        child=serializers.CharField(max_length=120),
        min_length=1,
        max_length=500,
        help_text="a name makes a guest, a public code (K-XXXX-XXX) finds that player",
    )


class PairBody(serializers.Serializer[Any]):
    number = serializers.IntegerField(min_value=1)
    seed = serializers.CharField(max_length=64, required=False)


class ResultBody(serializers.Serializer[Any]):
    outcome = serializers.ChoiceField(
        choices=[o for o in Match.Outcome.choices if o[0] not in {"bye", "unpaired_loss"}]
    )
    winner = serializers.CharField(required=False, allow_null=True, help_text="code; for win and forfeit")
    games = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=99),
        min_length=3,
        max_length=3,
        required=False,
        help_text="games of seat 0, of seat 1, drawn",
    )
    places = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=4, allow_null=True),
        min_length=2,
        max_length=4,
        required=False,
        help_text="at a table of several: the place of each seat, shared ones twice, null for whoever did not play",
    )
    how = serializers.ChoiceField(choices=Match.How.choices, required=False, allow_blank=True, default="")
    reason = serializers.CharField(max_length=200, required=False, default="")
    version = serializers.IntegerField(
        required=False, help_text="of the match as you saw it; refused if it has moved on"
    )
    request_key = serializers.CharField(
        max_length=64, required=False, help_text="re-sending the same key is one result"
    )


def person(row: Registration) -> dict[str, str]:
    return {"code": row.person.code, "name": row.person.shown}


def registration_data(row: Registration) -> dict[str, Any]:
    element = row.element.slug if row.element else None
    return {"player": person(row), "status": row.status, "element": element, "dropped_after": row.last_round}


def list_data(row: Registration, cards: Iterable[PublicCard]) -> dict[str, Any]:
    """The list in the catalogue's words: what its owner wrote around the cards stays his."""
    listed = [
        {"code": each.card.code, "name": each.card.name, "section": each.section, "copies": each.copies}
        for each in cards
    ]
    return {"player": person(row), "element": row.element.slug if row.element else None, "cards": listed}


def match_data(match: Match) -> dict[str, Any]:
    seats = match.seat_list
    winner = next((s.registration.person.code for s in seats if s.registration.player_id == match.winner_id), None)
    plain = ["id", "table", "slot", "kind", "state", "outcome", "drawn_games", "how", "version"]
    return {name: getattr(match, name) for name in plain} | {
        "winner": winner,
        "seats": [{"player": person(seat.registration), "games": seat.games, "place": seat.place} for seat in seats],
    }


def round_data(sheet: Sheet, round: Round) -> dict[str, Any]:
    plain = ["number", "kind", "status", "seed", "criteria", "certified", "notes", "ends_at"]
    matches = [match_data(match) for match in sheet.matches(round)]
    return {name: getattr(round, name) for name in plain} | reasons_data(sheet, round) | {"matches": matches}


def reasons_data(sheet: Sheet, round: Round) -> dict[str, Any]:
    """The round in words (rule 4.3), in the language of the request."""

    def name(key: str) -> str:
        return sheet.by_key[key].person.shown if key in sheet.by_key else key

    def plain(remark: words.Remark) -> dict[str, str]:
        return {"text": remark.text, "rule": remark.rule}

    proven = reasons.proven(round)
    return {
        "explained": [plain(words.remark(note, name, proven=proven)) for note in round.notes],
        "why": {
            sheet.by_key[key].person.code: [plain(remark) for remark in words.remarks(notes, name, proven=proven)]
            for key, notes in reasons.reasons_of(sheet, round).items()
        },
    }


def standing_data(sheet: Sheet, row: Standing) -> dict[str, Any]:
    plain = ["rank", "points", "wins", "losses", "draws", "dropped"]
    shares = {name: None if (value := getattr(row, name)) is None else float(value) for name in ("omw", "gw", "ogw")}
    return (
        {name: getattr(row, name) for name in plain}
        | shares
        | {
            "player": person(sheet.by_key[row.player]),
            "tiebreaks": tiebreaks(sheet.event, row),
        }
    )


def tiebreaks(event: Event, row: Standing) -> list[dict[str, Any]]:
    return [
        {"key": key, "name": title_of(key), "value": None if value is None else float(value)}
        for key, value in zip(PRESETS[event.preset].keys, row.values, strict=True)
    ]


def chances_data(sheet: Sheet, found: Outlook) -> dict[str, Any]:
    plain = {name: getattr(found, name) for name in ("round", "method", "worlds", "open_tables")}
    rows = [chance_data(sheet, found, chance) for chance in found.chances]
    return {"not_yet": None, "last_round": found.last, "cut": found.size, **plain, "players": rows}


def chance_data(sheet: Sheet, found: Outlook, chance: Chance) -> dict[str, Any]:
    def name(key: PlayerId) -> str:
        return sheet.by_key[key].person.shown

    return {
        "player": person(sheet.by_key[chance.player]),
        "points": float(chance.points),
        "rival": None if chance.rival is None else person(sheet.by_key[chance.rival]),
        "overall": odds_data(sheet, found, chance.overall),
        "results": {result: odds_data(sheet, found, odds) for result, odds in chance.results.items()},
        "safe_with": None if chance.safe_with is None else float(chance.safe_with),
        "answer": sentences.answer(found, chance.draw) if chance.draw else "",
        "why": sentences.why(found, chance, name),
    }


def odds_data(sheet: Sheet, found: Outlook, odds: Odds) -> dict[str, Any]:
    def code(key: PlayerId) -> str:
        return sheet.by_key[key].person.code

    bound = odds.bound
    return {
        "certain": odds.certain,
        "chance": None if odds.share is None else float(odds.share),
        "margin": odds.margin,
        "bound": {
            "low": bound.low / found.scale,
            "high": bound.high / found.scale,
            "at_least": bound.at_least,
            "at_most": bound.at_most,
            "above": [code(key) for key in bound.above],
            "either": [[code(key) for key in table] for table in bound.either],
            "could": [code(key) for key in bound.could],
        },
    }


def cut_data(sheet: Sheet, seen: list[Round]) -> dict[str, Any]:
    """The bracket as far as it is paired; the rounds of a single elimination are `winners`, its last one `final`."""
    rounds = [round for round in seen if round.kind == Round.Kind.CUT]
    ties = [tie_data(sheet, n, match) for n, round in enumerate(rounds, 1) for match in sheet.matches(round)]
    return {
        "format": sheet.event.cut_format,
        "size": sheet.event.cut_size,
        "over": cut.over(sheet),
        "ties": ties,
    }


def tie_data(sheet: Sheet, n: int, match: Match) -> dict[str, Any]:
    data, slot = match_data(match), match.slot or 0
    side, stage = cut.side_of(sheet, n, slot)
    alone = match.kind == Match.Kind.BYE
    return {
        "round": match.round.number,
        "slot": slot,
        "side": side,
        "stage": stage,
        "players": [seat["player"] for seat in data["seats"]],
        "winner": match.left.registration.person.code if alone else data["winner"],
    }


# -- who may -----------------------------------------------------------------------------------------------------------
def account(request: Request) -> User | AnonymousUser:
    return request.user


def public_events() -> "QuerySet[Event]":
    return queries.public_events()


def event_to_read(request: Request, slug: str) -> Event:
    """Drafts are there for their own staff only."""
    event = queries.with_people(Event.objects.filter(slug=slug)).first()
    if event is None or (event.status == Event.Status.DRAFT and not may(request, "console", event)):
        raise Http404
    return event


def may(request: Request, action: str, event: Event) -> bool:
    return rights.may(account(request), action, event.store)


def event_to_write(request: Request, slug: str, action: str) -> Event:
    """404 for whoever has no role in the store, 403 for too small a role: as in the console."""
    event = event_to_read(request, slug)
    if not rights.roles_in(account(request), event.store):
        raise Http404
    if not may(request, action, event):
        raise PermissionDenied
    return event


def actor(request: Request) -> Actor:
    user = account(request)
    return Actor(user=user if isinstance(user, User) else None)


class WriteThrottle(UserRateThrottle):
    rate = "600/min"


class Write(APIView):
    """A view that writes: signed in by token; `action` of the rights table."""

    permission_classes = [permissions.IsAuthenticated]
    throttle_classes = [WriteThrottle]


# -- reading -----------------------------------------------------------------------------------------------------------
class EventFilter(django_filters.FilterSet):  # type: ignore[misc]
    store = django_filters.CharFilter(field_name="store__slug")
    province = django_filters.CharFilter(field_name="store__province")
    date_from = django_filters.DateFilter(field_name="date", lookup_expr="gte")
    date_to = django_filters.DateFilter(field_name="date", lookup_expr="lte")

    class Meta:
        model = Event
        fields = ["status", "tier"]


class Stores(generics.ListAPIView[Store]):
    """Every store, in Spanish order."""

    queryset = Store.objects.order_by("sort_key", "pk")
    serializer_class = StoreShape
    filterset_fields = ["province"]


class StoreDetail(generics.RetrieveAPIView[Store]):
    queryset = Store.objects.all()
    serializer_class = StoreShape
    lookup_field = "slug"


class Events(generics.ListAPIView[Event]):
    """Public events, newest first."""

    serializer_class = EventShape
    filterset_class = EventFilter

    def get_queryset(self) -> "QuerySet[Event]":
        return public_events().order_by("-starts_at", "-pk")


class EventDetail(APIView):
    @extend_schema(responses=EventShape)
    def get(self, request: Request, slug: str) -> Response:
        return Response(EventShape(event_to_read(request, slug)).data)


class Roster(Write):
    permission_classes = [permissions.IsAuthenticatedOrReadOnly]

    @extend_schema(responses=RegistrationShape(many=True))
    def get(self, request: Request, slug: str) -> Response:
        sheet = queries.sheet(event_to_read(request, slug))
        return Response([registration_data(row) for row in sheet.registrations])

    @extend_schema(request=PlayersBody, responses={201: RegistrationShape(many=True)})
    def post(self, request: Request, slug: str) -> Response:
        """Enter players, before round 1; afterwards they come late, from the next round on."""
        event = event_to_write(request, slug, "roster")
        names = checked(PlayersBody, request)["names"]
        if event.live:
            rows = [registrations.enter_late(event, name, by=actor(request), choice="nothing") for name in names]
        else:
            rows = registrations.add_guests(event, names, by=actor(request))
        return Response([registration_data(row) for row in rows], status=201)


class Rounds(Write):
    permission_classes = [permissions.IsAuthenticatedOrReadOnly]

    @extend_schema(responses=RoundShape(many=True))
    def get(self, request: Request, slug: str) -> Response:
        sheet = queries.sheet(event_to_read(request, slug))
        return Response([round_data(sheet, round) for round in seen_rounds(request, sheet)])

    @extend_schema(request=PairBody, responses={200: RoundShape, 201: RoundShape})
    def post(self, request: Request, slug: str) -> Response:
        """Pair round `number` as a draft; 200 with the existing round when it is there already (rule 4.6)."""
        event = event_to_write(request, slug, "pair")
        body = checked(PairBody, request)
        round, created = rounds.pair(event, body["number"], by=actor(request), seed=body.get("seed"))
        return Response(round_data(queries.sheet(event), round), status=201 if created else 200)


def seen_rounds(request: Request, sheet: Sheet) -> list[Round]:
    return sheet.rounds if may(request, "console", sheet.event) else sheet.published_rounds


class Cut(Write):
    permission_classes = [permissions.IsAuthenticatedOrReadOnly]

    @extend_schema(responses=CutShape)
    def get(self, request: Request, slug: str) -> Response:
        """The bracket (rule 7); no ties before it has begun."""
        sheet = queries.sheet(event_to_read(request, slug))
        return Response(cut_data(sheet, seen_rounds(request, sheet)))

    @extend_schema(request=CutBody, responses=RoundShape)
    def post(self, request: Request, slug: str) -> Response:
        """Start the cut, or pair its next round, as a draft: publish it like any other round."""
        event = event_to_write(request, slug, "pair")
        number = checked(CutBody, request).get("number")
        if event.status == Event.Status.CUT:
            round = cut.next_round(event, number, by=actor(request))
        else:
            round = cut.start(event, by=actor(request))
        return Response(round_data(queries.sheet(event), round))


class RoundDetail(APIView):
    @extend_schema(responses=RoundShape)
    def get(self, request: Request, slug: str, number: int) -> Response:
        sheet = queries.sheet(event_to_read(request, slug))
        round = next((r for r in seen_rounds(request, sheet) if r.number == number), None)
        if round is None:
            raise Http404
        return Response(round_data(sheet, round))


class Standings(APIView):
    @extend_schema(
        responses=StandingShape(many=True),
        parameters=[OpenApiParameter("after", int, description="after this round; the current ones without it")],
    )
    def get(self, request: Request, slug: str) -> Response:
        """The standings that every surface shows: frozen once their phase is closed (rule 2.7)."""
        sheet = queries.sheet(event_to_read(request, slug))
        after = whole(request.query_params.get("after", ""))
        rows = queries.final_standings(sheet) if after is None else sheet.standings(after)
        return Response([standing_data(sheet, row) for row in rows])


class DeckLists(APIView):
    @extend_schema(responses=DeckListShape(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The deck lists that are published; for judges and organisers all that are handed in."""
        event = event_to_read(request, slug)
        rows = list(queries.readable_lists(event, staff=may(request, "deck.read", event)))
        cards = submissions.public_cards_of([row.submission for row in rows if row.submission])
        return Response([list_data(row, cards[row.submission_id]) for row in rows if row.submission_id])


class DeckListDetail(Write):
    permission_classes = [permissions.IsAuthenticatedOrReadOnly]

    @extend_schema(responses=DeckListShape)
    def get(self, request: Request, slug: str, code: str) -> Response:
        """One deck list: published, one's own, or any for judges and organisers."""
        event = event_to_read(request, slug)
        row = registration_of(event, code)
        mine = account(request).is_authenticated and row.person.user_id == account(request).pk
        handed = queries.visible_submission(row, mine=mine, staff=may(request, "deck.read", event))
        if handed is None:
            raise Http404
        return Response(list_data(row, submissions.public_cards(handed)))

    @extend_schema(request=DeckListBody, responses={201: HandedInShape})
    def post(self, request: Request, slug: str, code: str) -> Response:
        """Hand a list in for a player."""
        event = event_to_write(request, slug, "deck")
        row, body = registration_of(event, code), checked(DeckListBody, request)
        handed = decks.submit(row, body.pop("text"), by=actor(request), **body)
        row.refresh_from_db(fields=["element", "submission"])
        return Response(
            {
                "player": person(row),
                "element": row.element.slug if row.element else None,
                "digest": handed.digest,
                "at": handed.at,
                "legal": queries.list_state_of(row) == ListState.LEGAL,
            },
            status=201,
        )


class Chances(APIView):
    @extend_schema(responses=ChancesShape)
    def get(self, request: Request, slug: str) -> Response:
        """What a win, a draw and a loss mean for the cut: for staff, and for all where players see it."""
        event = event_to_read(request, slug)
        if not event.show_chances and not may(request, "console", event):
            raise Http404
        sheet = queries.sheet(event)
        try:
            return Response(chances_data(sheet, chances.outlook_of(sheet)))
        except NotYet as reason:
            return Response({"not_yet": reason.code})


# -- writing -----------------------------------------------------------------------------------------------------------
def checked(shape: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    body = shape(data=request.data)
    body.is_valid(raise_exception=True)
    return cast("dict[str, Any]", body.validated_data)


def registration_of(event: Event, code: str) -> Registration:
    """By the code that the pages show; the one of a guest who was joined to it answers too."""
    named = Q(player__code=code) | Q(player__merged_into__code=code) | Q(player__merged_into__merged_into__code=code)
    row = event.registrations.select_related(PERSON, "element", "event").filter(named).first()
    if row is None:
        raise Http404
    return row


class Publish(Write):
    @extend_schema(request=None, responses=RoundShape)
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Publish a draft round: players see it and the clock starts."""
        event = event_to_write(request, slug, "pair")
        round = rounds.publish(event, number, by=actor(request))
        return Response(round_data(queries.sheet(event), round))


class Result(Write):
    @extend_schema(request=ResultBody, responses=MatchShape)
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Decide a table, or correct it (with a reason) when it has a result already (rule 6.1)."""
        event = event_to_write(request, slug, "result")
        seats = seats_or_404(event, pk)
        body = checked(ResultBody, request)
        match = seats[0].match
        write = self.correction if match.outcome and body["reason"] else results.decide
        if write is not results.decide and not may(request, "correct", event):
            raise PermissionDenied
        done = write(
            match,
            statement(seats, body),
            by=actor(request),
            reason=body["reason"],
            version=body.get("version"),
            request_key=body.get("request_key"),
        )
        return Response(match_data(done))

    correction: Callable[..., Match] = staticmethod(results.correct)


def seats_or_404(event: Event, match: int) -> list[Seat]:
    """Who sits at a table of this event, with the match; one query."""
    rows = Seat.objects.filter(match__pk=match, match__event=event).select_related("match", f"registration__{PERSON}")
    seats = list(rows.order_by("position"))
    if not seats:
        raise Http404
    seats[0].match.event = event
    return seats


def statement(seats: list[Seat], body: dict[str, Any]) -> Statement:
    """A winner who does not sit there is none: the service says which rule that breaks."""
    code, rows = body.get("winner"), [seat.registration for seat in seats]
    winner = next((row for row in rows if code in {row.person.code, row.player.code}), None)
    games = cast("tuple[int, int, int]", tuple(body["games"])) if "games" in body else None
    places = tuple(body["places"]) if "places" in body else None
    return Statement(body["outcome"], winner, games, body["how"], places)


class Drop(Write):
    """Drop a player (rule 5.1), or take the drop back."""

    verb: Callable[..., Registration] = staticmethod(registrations.drop)

    @extend_schema(request=None, responses=RegistrationShape)
    def post(self, request: Request, slug: str, code: str) -> Response:
        event = event_to_write(request, slug, "roster")
        row = self.verb(registration_of(event, code), by=actor(request))
        return Response(registration_data(row))


class Undrop(Drop):
    verb = staticmethod(registrations.undrop)


class Finish(Write):
    @extend_schema(request=None, responses=EventShape)
    def post(self, request: Request, slug: str) -> Response:
        """Finish the event; refused with the list of tables without a result."""
        event = event_to_write(request, slug, "event.state")
        events.finish(event, by=actor(request))
        return Response(EventShape(event_to_read(request, slug)).data)
