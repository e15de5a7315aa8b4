"""`/cuenta/perfil/`: how I appear, my API tokens, and the way out."""

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from knox.models import AuthToken

from players.models import Player, User
from players.services import people
from players.web.forms import ProfileForm


def my_player(user: User) -> Player | None:
    return Player.objects.filter(user=user).first()


@login_required
@require_http_methods(["GET", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)
    player = my_player(request.user) or Player(user=request.user)
    form = ProfileForm(request.POST or None, instance=player)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Your profile is saved."))
        return redirect("profile")
    tokens = AuthToken.objects.filter(user=request.user).order_by("-created")
    context = {"form": form, "player": player, "tokens": tokens, "new_token": request.session.pop("new_token", "")}
    return render(request, "players/profile.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def token_new(request: HttpRequest) -> HttpResponse:
    """The token is shown once, on the next page; only its digest is kept."""
    _row, token = AuthToken.objects.create(user=request.user)
    request.session["new_token"] = token
    return redirect("profile")


@login_required
@require_POST
def token_revoke(request: HttpRequest, key: str) -> HttpResponse:
    get_object_or_404(AuthToken, user=request.user, token_key=key).delete()
    messages.success(request, _("That token no longer works."))
    return redirect("profile")


@login_required
@require_GET
def closing(request: HttpRequest) -> HttpResponse:
    return render(request, "players/close.html")


@login_required
@require_POST
def close(request: HttpRequest) -> HttpResponse:
    """The account goes; results stay under «Jugador retirado», so that nobody else's numbers move."""
    assert isinstance(request.user, User)
    user, player = request.user, my_player(request.user)
    logout(request)
    if player:
        people.retire(player)
    else:
        user.delete()
    messages.success(request, _("Your account is closed."))
    return redirect("home")
