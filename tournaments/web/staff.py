"""Who works in a store: added by e-mail, with the role that says what they may do (DESIGN, Who may do what)."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render, resolve_url
from django.utils.translation import gettext

from players.models import User
from players.numbers import whole
from players.web.access import account
from tournaments.models import Role, Store
from tournaments.services import stores
from tournaments.services.errors import Refused
from tournaments.web import answers
from tournaments.web.access import store_for_staff
from tournaments.web.forms import RoleForm


def staff(request: HttpRequest, store: str) -> HttpResponse:
    shop = store_for_staff(request, store, "store.staff")
    form = RoleForm(request.POST if request.POST.get("do") == "add" else None)
    if request.method == "POST" and (said := acted(request, shop, form)):
        messages.success(request, said)
        return answers.SeeOther(resolve_url("staff", shop.slug))
    roles = sorted(
        Role.objects.filter(store=shop).select_related("user__player"),
        key=lambda role: (list(Role.Kind).index(Role.Kind(role.kind)), role.user.email),
    )
    context = {"store": shop, "form": form, "roles": roles, "kinds": Role.Kind.choices, "me": account(request)}
    status = answers.REFUSED if request.method == "POST" else 200
    return render(request, "tournaments/staff/staff.html", context, status=status)


def acted(request: HttpRequest, store: Store, form: RoleForm) -> str:
    """What was done, in words; "" when it could not be: the form or a message says why."""
    doing = {
        "add": lambda: add(store, form),
        "change": lambda: change(request, store),
        "remove": lambda: remove(request, store),
    }
    if (act := doing.get(request.POST.get("do", ""))) is None:
        raise Http404
    try:
        return act()
    except Refused as refusal:
        messages.error(request, answers.words(refusal))
        return ""


def add(store: Store, form: RoleForm) -> str:
    if not form.is_valid():
        return ""
    email = form.cleaned_data["email"].lower()
    user = User.objects.filter(email=email).first()
    if user is None:
        form.add_error(
            "email", gettext("No account has that e-mail yet. Ask them to sign up first, then add them here.")
        )
        return ""
    if Role.objects.filter(store=store, user=user).exists():
        form.add_error(
            "email", gettext("%(email)s works here already: change the role in the list.") % {"email": email}
        )
        return ""
    stores.set_role(store, user, form.cleaned_data["kind"])
    return gettext("%(email)s works here now.") % {"email": email}


def role_or_404(request: HttpRequest, store: Store) -> Role:
    pk = whole(request.POST.get("role", "")) or 0
    role = Role.objects.select_related("user", "store").filter(store=store, pk=pk).first()
    if role is None:
        raise Http404
    return role


def change(request: HttpRequest, store: Store) -> str:
    role, kind = role_or_404(request, store), request.POST.get("kind", "")
    if kind not in Role.Kind.values:
        raise Refused(gettext("Choose one of the roles."), code="role")
    leaving = role.kind == Role.Kind.OWNER and kind != Role.Kind.OWNER
    if leaving and owners(store) == 1:
        raise Refused(gettext("A store keeps at least one owner."), code="last_owner")
    stores.set_role(store, role.user, kind)
    return gettext("%(email)s is %(role)s now.") % {"email": role.user.email, "role": Role.Kind(kind).label}


def owners(store: Store) -> int:
    return Role.objects.filter(store=store, kind=Role.Kind.OWNER).count()


def remove(request: HttpRequest, store: Store) -> str:
    role = role_or_404(request, store)
    stores.remove_role(role)
    return gettext("%(email)s no longer works here.") % {"email": role.user.email}
