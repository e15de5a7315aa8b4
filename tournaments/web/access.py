"""First line of every staff view: the object and the right to it together (STYLE 5)."""

from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import Http404, HttpRequest

from players.models import Player, User
from players.web.access import account, player_of
from tournaments import queries, rights
from tournaments.models import PERSON, Event, Registration, Store
from tournaments.services.journal import Actor


def event_for_staff(request: HttpRequest, slug: str, action: str) -> Event:
    """A query for the event with its store, one for the roles. 404 for strangers, 403 for too small a role."""
    user = account(request)
    event = event_or_404(slug)
    require(user, action, event.store)
    return event


def event_or_404(slug: str) -> Event:
    found = queries.EVENT.of(slug)
    if not found:
        raise Http404
    return found[0]


def public_event(request: HttpRequest, slug: str) -> Event:
    """What anyone may see: everything but drafts, which only their staff see."""
    event = event_or_404(slug)
    if event.status == Event.Status.DRAFT and not is_staff(request, event):
        raise Http404
    return event


def store_for_staff(request: HttpRequest, slug: str, action: str) -> Store:
    user = account(request)
    store = Store.objects.filter(slug=slug).first()
    if store is None:
        raise Http404
    require(user, action, store)
    return store


def require(user: User, action: str, store: Store) -> None:
    if not rights.roles_in(user, store):
        raise Http404
    if not rights.may(user, action, store):
        raise PermissionDenied


def is_staff(request: HttpRequest, event: Event) -> bool:
    user = request.user
    return user.is_authenticated and rights.may(user, "console", event.store)


def actor(request: HttpRequest) -> Actor:
    return Actor(user=request.user if request.user.is_authenticated else None)


def of_person(player: Player) -> Q:
    """His own registrations and those of a guest who was joined to him (`Player.merged_into`)."""
    return Q(player=player) | Q(player__merged_into=player) | Q(player__merged_into__merged_into=player)


def my_registration(request: HttpRequest, event: Event) -> Registration | None:
    """My place in this event: by account, else by the guest secret that this browser was handed (session)."""
    player, secret = player_of(request), request.session.get(f"guest:{event.pk}", "")
    if not player and not secret:
        return None
    rows = event.registrations.select_related(PERSON, "element")
    if player and (mine := rows.filter(of_person(player)).first()):
        return mine
    return rows.filter(secret=secret).first() if secret else None
