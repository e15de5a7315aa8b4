"""The front door: home, health and metrics."""

from django.http import HttpRequest, HttpResponse, JsonResponse


def home(request: HttpRequest) -> HttpResponse:
    return HttpResponse("KOUNTER")


def health(request: HttpRequest) -> HttpResponse:
    return JsonResponse({"ok": True})


def metrics(request: HttpRequest) -> HttpResponse:
    return HttpResponse("")
