"""A file on its way into the catalogue: looked at, taken over, undone (UX, Administrator; CASES 71, 72, 89).

What is confirmed is what was looked at: the file itself is kept, and nothing is taken over once the catalogue has
moved. Cards are never deleted for not being in a file; they are retired where somebody says so. `services.taking`
writes the rows.
"""

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from decks.models import Card, CardImport, Expansion, Game, SubmissionCard
from decks.rules import games as rules
from decks.rules.cardfile import COLUMNS, REQUIRED, Fault, missing_columns, read_cards, written
from decks.rules.changes import Comparison, Kind, compare
from decks.rules.tables import NotText, read_table, safe_cell
from decks.services import catalogue, taking
from decks.services.sayings import unreadable_words
from decks.services.taking import Choices
from players.models import User

MOST_BYTES = 10 * 2**20


class ImportRefused(Exception):
    """Nothing was changed. `code` for programs, the message for people."""

    def __init__(self, message: str, *, code: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Preview:
    """What the file would do to the catalogue of now."""

    record: CardImport
    comparison: Comparison
    faults: list[Fault]
    unknown: list[str]  # columns that nobody reads
    encoding: str
    separator: str

    @property
    def counts(self) -> dict[str, int]:
        return self.comparison.count() | {"bad": len({fault.line for fault in self.faults})}

    @property
    def changes_anything(self) -> bool:
        of = self.comparison.of
        return bool(of[Kind.NEW] or of[Kind.CHANGED] or of[Kind.CONFLICT] or self.comparison.gone)


@transaction.atomic
def look_at(game: Game, filename: str, content: bytes, *, by: User | None = None) -> Preview:
    """Keep the file and say what it would do. Raises ImportRefused where it cannot be read."""
    if len(content) > MOST_BYTES:
        raise ImportRefused(_("The file is larger than 10 MB."), code="large")
    record = CardImport(game=game, filename=filename[:120], content=content, by=by, digest=sha256(content).hexdigest())
    game.refresh_from_db()
    found = preview(record)
    record.counts, record.version_before = found.counts, game.catalogue_version
    record.save()
    return found


def preview(record: CardImport) -> Preview:
    """The file beside the catalogue as it is now; reads, and changes nothing."""
    game = rules.game(record.game.slug)
    try:
        table = read_table(bytes(record.content))
    except NotText as error:
        raise ImportRefused(unreadable_words(error), code="unreadable") from None
    if missing := missing_columns(table.columns):
        words = {"missing": ", ".join(missing), "needed": ", ".join(REQUIRED)}
        raise ImportRefused(
            _("There is no column %(missing)s. The first line has to name at least: %(needed)s.") % words,
            code="columns",
        )
    if not table.rows:
        raise ImportRefused(_("There is nothing in the file but its first line."), code="empty")
    cards = catalogue.catalogue(record.game)
    rows, faults = read_cards(table.rows, game, cards.by_code)
    retired = Card.objects.filter(game=record.game, retired=True).values_list("code", flat=True)
    unknown = [column for column in table.columns if column and column not in COLUMNS]
    return Preview(record, compare(rows, cards, retired), faults, unknown, table.encoding, table.separator)


@transaction.atomic
def take_over(
    record: CardImport,
    choices: Choices | None = None,
    *,
    seen: int | None = None,
    by: User | None = None,
    at: datetime | None = None,
) -> CardImport:
    """Write what was looked at; twice is once. Raises ImportRefused when the catalogue has moved meanwhile.

    `seen`: the catalogue's version that the preview was made against; None: that of the upload.
    """
    choices = choices or Choices()
    game = Game.objects.select_for_update().get(pk=record.game_id)
    record = CardImport.objects.select_for_update().get(pk=record.pk)
    record.game = game
    if record.status == CardImport.Status.APPLIED:
        return record
    if record.status == CardImport.Status.UNDONE:
        raise ImportRefused(_("This import was undone. Upload the file again."), code="undone")
    if game.catalogue_version != (record.version_before if seen is None else seen):
        raise ImportRefused(_("The catalogue has changed since you looked. Look again."), code="moved")
    found = preview(record)
    if found.faults and not choices.without_bad:
        raise ImportRefused(_("Some rows cannot be read. Mend them, or say to go on without them."), code="bad")
    record.changes = taking.write(game, found.comparison, choices)
    if not record.changes:
        raise ImportRefused(_("There is nothing to change."), code="nothing")
    record.choices, record.counts = choices.as_json(), found.counts
    record.version_before = game.catalogue_version
    record.version_after = catalogue.changed(game)
    record.status, record.applied_at = CardImport.Status.APPLIED, at or timezone.now()
    record.by = by or record.by
    record.save()
    return record


def why_not_undo(record: CardImport) -> ImportRefused | None:
    """Why an import that was taken over cannot be undone any more."""
    if record.status != CardImport.Status.APPLIED:
        return ImportRefused(_("There is nothing to undo: it was not taken over."), code="not-applied")
    version = Game.objects.values_list("catalogue_version", flat=True).get(pk=record.game_id)
    if record.version_after != version:
        return ImportRefused(_("Something was changed after it: undo that first."), code="later")
    made = [pk for model, pk, before, _after in record.changes if model == "card" and before is None]
    used = SubmissionCard.objects.filter(card__in=made).values("submission").distinct().count()
    if used:
        return ImportRefused(
            ngettext(
                "%(n)s deck list holds cards of it, and a list that was handed in stays as it is.",
                "%(n)s deck lists hold cards of it, and lists that were handed in stay as they are.",
                used,
            )
            % {"n": used},
            code="used",
        )
    return None


@transaction.atomic
def undo(record: CardImport, *, at: datetime | None = None) -> CardImport:
    """Every row as it was before, whole; twice is once. Raises ImportRefused (`why_not_undo`)."""
    game = Game.objects.select_for_update().get(pk=record.game_id)
    record = CardImport.objects.select_for_update().get(pk=record.pk)
    if record.status == CardImport.Status.UNDONE:
        return record
    if refusal := why_not_undo(record):
        raise refusal
    taking.take_back(record.changes)
    catalogue.changed(game)
    # What lay below may be undone in its turn: the catalogue is as that import left it.
    CardImport.objects.filter(game=game, version_after=record.version_before).update(
        version_after=game.catalogue_version
    )
    record.status, record.undone_at = CardImport.Status.UNDONE, at or timezone.now()
    record.save(update_fields=["status", "undone_at"])
    return record


def exported(game: Game, *, separator: str = ",") -> str:
    """The catalogue as the file that would make it; text that a spreadsheet would run stays text (CASES 73)."""
    file = io.StringIO(newline="")
    table = csv.DictWriter(file, COLUMNS, delimiter=separator, lineterminator="\r\n")
    table.writeheader()
    for row in written(catalogue.catalogue(game), game.slug):
        table.writerow({column: safe_cell(text) for column, text in row.items()})
    return file.getvalue()


def load_demonstration(games: Iterable[Game]) -> list[CardImport]:
    """The invented cards, once, for each game that never had an import of any."""
    from decks.rules.demo import FOLDER

    loaded = []
    for game in games:
        file = FOLDER / f"{game.slug}.csv"
        if file.is_file() and not game.imports.exists() and not game.cards.exists():
            with transaction.atomic():
                record = take_over(look_at(game, file.name, file.read_bytes()).record)
                Expansion.objects.filter(game=game).update(demo=True)
                record.version_after = taking.restrict(game, (FOLDER / "restrictions.csv").read_bytes())
                record.save(update_fields=["version_after"])
            loaded.append(record)
    return loaded
