"""/reglas/: the rulebook that messages and "why" panels cite, searched without accents (GAMES, Rules reference)."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from players.names import clean
from tournaments.rulebook import book


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    lang = get_language() or "es"
    query = clean(request.GET.get("q", ""))[:100]
    found = book.search(query, lang) if query else None
    return render(request, "rules/rules.html", {"book": book.book(lang), "query": query, "found": found})
