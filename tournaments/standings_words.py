"""What the presets and their numbers are called, for pages, forms and the API (TOURNAMENT_RULES 2.2-2.4)."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

PRESET_NAMES = {
    "mtr": _("Points, then the strength of the rivals and games won"),
    "play_pokemon": _("Points, then the rivals' win percentage and head-to-head"),
    "match_wins": _("Matches won, then the strength of the rivals and games won"),
    "buchholz": _("Points, then Buchholz and Sonneborn-Berger"),
    "goals": _("Points, then goal difference and goals scored"),
    "cumulative": _("Matches won, the earlier the better"),
    "pods": _("Points by place, first places and the strength of the table"),
}
"""What the organiser chooses from, in the order of the rules (2.2-2.4)."""

LABELS = {
    "points": _("Points"),
    "omw": _("Rivals' points %"),
    "gw": _("Games won %"),
    "ogw": _("Rivals' games %"),
    "owp": _("Rivals' wins %"),
    "oowp": _("Wins of rivals' rivals %"),
    "wins": _("Wins"),
    "buchholz": _("Buchholz"),
    "median_buchholz": _("Median Buchholz"),
    "sonneborn_berger": _("Sonneborn-Berger"),
    "goal_difference": _("Goal difference"),
    "goals_for": pgettext_lazy("tie-break", "Goals scored"),
    "ctb": _("Cumulative"),
    "head_to_head": _("Between them"),
    "firsts": _("First places"),
    "tablemates": _("Tablemates' points %"),
    "left_behind": _("Tablemates left behind"),
}
HEADS = {
    "points": pgettext_lazy("points", "Pts"),
    "wins": pgettext_lazy("matches won", "W"),
    "omw": _("Rivals %"),
    "gw": _("Games %"),
    "ogw": _("Rivals' games %"),
    "owp": _("Rivals %"),
    "oowp": _("Their rivals %"),
    "median_buchholz": _("Median"),
    "sonneborn_berger": _("S-B"),
    "goal_difference": _("Goal diff."),
    "goals_for": pgettext_lazy("tie-break", "Goals"),
    "firsts": pgettext_lazy("first places", "1sts"),
    "tablemates": _("Tablemates %"),
    "left_behind": _("Left behind"),
}


def title_of(key: str) -> str:
    return str(LABELS.get(key, key))


def head_of(key: str) -> str:
    """The short title over a column."""
    return str(HEADS.get(key) or title_of(key))
