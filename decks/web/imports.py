"""An expansion comes in: file, preview, confirm; undone whole (UX, Administrator)."""

from itertools import islice
from typing import Any

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from decks.models import CardImport
from decks.rules.cardfile import COLUMNS, REQUIRED
from decks.rules.changes import Change, Kind
from decks.services import imports as services
from decks.services.games import every_game
from decks.services.imports import ImportRefused, Preview
from decks.services.sayings import COLUMN_NAMES, fault_words, why_words
from decks.services.taking import Choices
from decks.web.builder_check import game_or_404
from players.numbers import whole
from players.web.access import circuit_user, may_circuit

SHOWN = 200  # rows of a kind on the page; the file has them all
LISTED = 50
ENCODINGS = {"utf-8-sig": "UTF-8", "utf-16": "UTF-16", "cp1252": "Windows-1252", "xlsx": "XLSX", "json": "JSON"}
SEPARATORS = {";": gettext_lazy("semicolon"), ",": gettext_lazy("comma"), "\t": gettext_lazy("tab"), "|": "|"}


@require_http_methods(["GET", "POST"])
def imports(request: HttpRequest) -> HttpResponse:
    """Every import, newest first, and the form for the next."""
    if request.method == "GET":
        circuit_user(request, "circuit.read")
        return listed(request)
    user = circuit_user(request, "catalogue.edit")
    game, file = request.POST.get("game", ""), request.FILES.get("file")
    if not isinstance(file, UploadedFile):
        return listed(request, _("Choose a file first."), game)
    if (file.size or 0) > services.MOST_BYTES:
        return listed(request, _("The file is larger than 10 MB."), game)
    try:
        found = services.look_at(game_or_404(game), file.name or "", file.read(), by=user)
    except ImportRefused as refusal:
        return listed(request, str(refusal), game)
    return redirect("card_import", found.record.pk)


def listed(request: HttpRequest, error: str = "", game: str = "") -> HttpResponse:
    context = {
        "rows": CardImport.objects.select_related("game", "by").defer("content", "changes")[:LISTED],
        "games": every_game(),
        "error": error,
        "chosen": game,
        "columns": COLUMNS,
        "required": REQUIRED,
        "may_edit": may_circuit(request, "catalogue.edit"),
    }
    return render(request, "decks/imports.html", context, status=422 if error else 200)


@require_http_methods(["GET", "POST"])
def upload(request: HttpRequest, upload: int) -> HttpResponse:
    """One import: what it would do, then what it did."""
    circuit_user(request, "circuit.read" if request.method == "GET" else "catalogue.edit")
    record = get_object_or_404(CardImport.objects.select_related("game", "by"), pk=upload)
    if request.method == "POST":
        return undone(request, record) if "undo" in request.POST else confirmed(request, record)
    return shown(request, record)


def confirmed(request: HttpRequest, record: CardImport) -> HttpResponse:
    choices = Choices(
        take=frozenset(code for code in request.POST.getlist("take") if code),
        retire=frozenset(request.POST.getlist("retire")),
        without_bad="without_bad" in request.POST,
    )
    try:
        seen = whole(request.POST.get("seen", ""))
        services.take_over(record, choices, seen=seen, by=circuit_user(request, "catalogue.edit"))
    except ImportRefused as refusal:
        messages.error(request, str(refusal))
        return shown(request, record, choices, status=409)
    messages.success(request, _("The catalogue is as the file says."))
    return redirect("card_import", record.pk)


def undone(request: HttpRequest, record: CardImport) -> HttpResponse:
    try:
        services.undo(record)
    except ImportRefused as refusal:
        messages.error(request, str(refusal))
        return shown(request, record, status=409)
    messages.success(request, _("The catalogue is as it was before this import."))
    return redirect("card_import", record.pk)


def shown(request: HttpRequest, record: CardImport, choices: Choices | None = None, status: int = 200) -> HttpResponse:
    record.refresh_from_db(fields=["status", "counts", "version_before", "version_after"])
    context = {
        "record": record,
        "counts": record.counts,
        "may_edit": may_circuit(request, "catalogue.edit"),
        "chosen": choices or Choices(),
        "kept_back": services.why_not_undo(record) if record.status == CardImport.Status.APPLIED else None,
        "shown": SHOWN,
    }
    if record.status == CardImport.Status.PREVIEW:
        context |= looked_at(services.preview(record)) | {"seen": record.game.catalogue_version}
    return render(request, "decks/import.html", context, status=status)


def looked_at(found: Preview) -> dict[str, Any]:
    of = found.comparison.of
    return {
        "counts": found.counts,
        "encoding": ENCODINGS.get(found.encoding, found.encoding),
        "separator": SEPARATORS.get(found.separator, ""),
        "unknown": ", ".join(found.unknown),
        "conflicts": [(change, why_words(change), told(change)) for change in of[Kind.CONFLICT]],
        "changed": [(change, told(change)) for change in islice(of[Kind.CHANGED], SHOWN)],
        "new": of[Kind.NEW][:SHOWN],
        "gone": found.comparison.gone,
        "bad": [
            (fault, str(COLUMN_NAMES.get(fault.column, fault.column)), fault_words(fault))
            for fault in found.faults[:SHOWN]
        ],
        "possible": found.changes_anything,
    }


def told(change: Change) -> list[tuple[str, str, str]]:
    """Column, before and after of each difference."""
    return [(str(COLUMN_NAMES[each.column]), written(each.before), written(each.after)) for each in change.differences]


def written(value: Any) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return "–" if value in (None, "") else str(value)


@require_safe
def export(request: HttpRequest, game: str) -> HttpResponse:
    """The catalogue as CSV that opens well in a Spanish spreadsheet (CASES 72, 73)."""
    circuit_user(request, "circuit.read")
    text = services.exported(game_or_404(game), separator=";")
    response = HttpResponse("\ufeff" + text, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="cartas-{game}.csv"'
    return response
