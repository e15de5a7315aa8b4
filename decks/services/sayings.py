"""What is said of a catalogue file, in the reader's language."""

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from decks.rules.cardfile import Fault
from decks.rules.changes import Change, Kind, Why
from decks.rules.tables import NotTable, NotText

COLUMN_NAMES = {
    "code": gettext_lazy("code"),
    "name": gettext_lazy("name"),
    "game": gettext_lazy("game"),
    "expansion": gettext_lazy("expansion"),
    "element": gettext_lazy("element"),
    "faction": gettext_lazy("faction"),
    "rarity": gettext_lazy("rarity"),
    "type": gettext_lazy("type"),
    "subtype": gettext_lazy("subtype"),
    "position": gettext_lazy("position"),
    "cost": gettext_lazy("cost"),
    "attack": gettext_lazy("attack"),
    "life": gettext_lazy("life"),
    "text": gettext_lazy("text"),
    "released": gettext_lazy("release date"),
    "same_card_as": gettext_lazy("first printing"),
    "retired": gettext_lazy("retired"),
}
KIND_NAMES = {
    Kind.NEW: pgettext_lazy("rows of an import", "New"),
    Kind.CHANGED: pgettext_lazy("rows of an import", "Changed"),
    Kind.CONFLICT: pgettext_lazy("rows of an import", "To decide"),
    Kind.SAME: pgettext_lazy("rows of an import", "Unchanged"),
}

FAULTS: Mapping[str, Callable[[str, str], str]] = {
    "missing": lambda column, value: _("There is no %(column)s.") % {"column": column},
    "other-game": lambda column, value: _("The row is of another game: “%(value)s”.") % {"value": value},
    "value": lambda column, value: (
        _("“%(value)s” is not a value of %(column)s in this game.") % {"value": value, "column": column}
    ),
    "parent": lambda column, value: (
        _("The %(column)s “%(value)s” does not go with the rest of the row.") % {"value": value, "column": column}
    ),
    "number": lambda column, value: (
        _("The %(column)s has to be a whole number, not “%(value)s”.") % {"value": value, "column": column}
    ),
    "date": lambda column, value: (
        _("The %(column)s has to be a date such as 2026-06-12 or 12/06/2026, not “%(value)s”.")
        % {"value": value, "column": column}
    ),
    "needed": lambda column, value: (
        _("A card of type “%(value)s” needs its %(column)s.") % {"value": value, "column": column}
    ),
    "fixed-cost": lambda column, value: _("Cards of this type do not cost %(value)s.") % {"value": value},
    "twice": lambda column, value: _("The code “%(value)s” is in the file twice.") % {"value": value},
    "nobody": lambda column, value: _("“%(value)s” is the code of no card, here or in the file.") % {"value": value},
    "long": lambda column, value: (
        _("The %(column)s has more than %(value)s letters.") % {"value": value, "column": column}
    ),
}


def fault_words(fault: Fault) -> str:
    """One sentence on a bad cell, without its line."""
    column = str(COLUMN_NAMES.get(fault.column, fault.column))
    return FAULTS[fault.code](column, fault.value)


def why_words(change: Change) -> str:
    """Why a row needs a decision, and what taking it would do."""
    values = {"code": change.row.code, "other": change.other, "name": change.row.name}
    if change.why is Why.NAME:
        text = _(
            "There is already a card called “%(name)s” (%(other)s). If this is another printing of it, write %(other)s"
            " under same_card_as; taken as it is, there are two cards of one name."
        )
    elif change.why is Why.RENAMED:
        text = _(
            "%(code)s has another name here. Taken, the card is renamed, also in lists that hold it; if it is another"
            " card, it needs a code of its own."
        )
    elif change.why is Why.MOVED:
        text = _("%(code)s is a printing of %(other)s here. Taken, it becomes one of the card that the file names.")
    else:
        text = _("%(code)s belongs to the card %(other)s here: a code cannot change from card to printing or back.")
    return text % values


def unreadable_words(error: NotText) -> str:
    if isinstance(error, NotTable):
        return _("The file holds no table that can be read (%(why)s).") % {"why": error}
    return _("The file is neither text nor a workbook. Save it as CSV, XLSX or JSON.")
