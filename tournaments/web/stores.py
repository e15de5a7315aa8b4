"""A store's public page: its next nights and those that were."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone

from players.provinces import province_name
from tournaments import queries, rights
from tournaments.models import Event, Store
from tournaments.web.events import OVER, PAGE

TEMPLATE = "tournaments/public/store.html"


def store(request: HttpRequest, slug: str) -> HttpResponse:
    row = get_object_or_404(Store, slug=slug)
    public = queries.events_of(row).exclude(status=Event.Status.DRAFT)
    today = timezone.now().astimezone(row.zone).date()
    context = {
        "store": row,
        "where": ", ".join(dict.fromkeys(part for part in (row.city, province_name(row.province)) if part)),
        "next": [e for e in public.exclude(status__in=OVER).order_by("starts_at") if e.live or e.date >= today],
        "page": Paginator(public.filter(status__in=OVER), PAGE).get_page(request.GET.get("page")),
        "staff": request.user.is_authenticated and rights.may(request.user, "console", row),
    }
    with timezone.override(row.zone):
        return render(request, TEMPLATE, context)
