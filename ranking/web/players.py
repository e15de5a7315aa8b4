"""Looking for a player, and following one."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from decks.services.games import default_game
from players import codes, names
from players.models import Follow, Player
from players.services import follows, people
from players.web.access import account, player_of
from ranking import queries
from ranking.models import BoardRow, Snapshot
from ranking.web.scopes import COUNTRY

MOST = 50


@require_safe
def players(request: HttpRequest) -> HttpResponse:
    """By public name or by code; a code goes straight to its page. Three queries, and those of the visitor."""
    text = request.GET.get("q", "").strip()[:60]
    if codes.is_valid(code := codes.normal(text)) and Player.objects.filter(code=code).exists():
        return redirect("player", code)
    me, snapshot = player_of(request), queries.current(default_game())
    found = search(text) if text else []
    context = {
        "q": text,
        "rows": beside(found[:MOST], snapshot),
        "more": len(found) > MOST,
        "followed": beside(followed(me), snapshot) if me and not text else [],
        "me": me,
    }
    part = "#encontrados" if request.headers.get("HX-Target") == "encontrados" else ""
    return render(request, f"ranking/players.html{part}", context)


def search(text: str) -> list[Player]:
    """Every word somewhere in the public name, accents aside (CASES 55, 67); in Spanish order, one more than fit."""
    found = Player.objects.active()
    for word in names.fold(text).split():
        found = found.filter(search_key__contains=word)
    return list(found.order_by("sort_key", "pk")[: MOST + 1])


def followed(me: Player) -> list[Player]:
    return list(Player.objects.active().filter(followers__follower=me).order_by("sort_key", "pk"))


def beside(found: list[Player], snapshot: Snapshot | None) -> list[tuple[Player, BoardRow | None]]:
    """With where each stands in the country; one query."""
    rows = BoardRow.objects.filter(snapshot=snapshot, board=COUNTRY, order=queries.RATING, player__in=found)
    by_player = {row.player_id: row for row in rows} if snapshot and found else {}
    return [(player, by_player.get(player.pk)) for player in found]


def player_or_404(code: str) -> Player:
    player = Player.objects.select_related("merged_into").filter(code=codes.normal(code)).first()
    if player is None:
        raise Http404
    return player


@require_POST
def follow(request: HttpRequest, code: str) -> HttpResponse:
    """`on` empty takes it back. Twice is once."""
    me, player = player_of(request), people.root(player_or_404(code))
    if me is None:
        account(request)
        return redirect("profile")
    wanted = bool(request.POST.get("on"))
    if me != player:
        follows.set_following(me, player, wanted)
    if request.headers.get("HX-Request"):
        return render(request, "ranking/_follow.html", {"player": player, "me": me, "following": wanted})
    return redirect("player", player.code)


def is_following(me: Player | None, player: Player) -> bool:
    return me is not None and Follow.objects.filter(follower=me, followed=player).exists()
