"""The site with two bare views beside its own, as floors for its pages: nothing at all, and a table of plain values.

`benchmarks.bare_wsgi` serves it; in a process, ROOT_URLCONF may name it.
"""

from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template import engines
from django.urls import include, path

TABLE = "<table>{% for row in rows %}<tr>{% for cell in row %}<td>{{ cell }}</td>{% endfor %}</tr>{% endfor %}</table>"


def empty(request: HttpRequest) -> HttpResponse:
    return HttpResponse()


def table(request: HttpRequest, rows: int) -> HttpResponse:
    return HttpResponse(template().render({"rows": values(rows)}, request))


@cache
def template() -> Any:
    return engines["django"].from_string(TABLE)


@cache
def values(rows: int) -> list[list[object]]:
    return [[place, f"Nombre Inventado {place}", *range(9)] for place in range(1, rows + 1)]


urlpatterns = [
    path("bare/empty/", empty),
    path("bare/table/<int:rows>/", table),
    path("", include("kounter_site.urls")),
]
