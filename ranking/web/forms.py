"""What administrators type: a season, what its places are worth, a store."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from decks.models import Element, Game
from players.models import User
from players.provinces import PROVINCES
from ranking.models import PointsRule, Season
from ranking.points import PointsRow
from ranking.web.seasons import OFFICIAL, PointsLine, points_table

SPARE = 3  # empty lines at the end of the points table
MOST_LINES = 40


class SeasonForm(forms.Form):
    """`last_day` belongs to the season; what is stored is the day after it (TOURNAMENT_RULES 9)."""

    name = forms.CharField(label=_("Name"), max_length=80)
    starts = forms.DateField(label=_("First day"), widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"))
    last_day = forms.DateField(label=_("Last day"), widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"))
    element = forms.ModelChoiceField(
        label=_("Element"),
        queryset=Element.objects.none(),
        required=False,
        empty_label=_("all of them"),
        help_text=_("Of an elemental season count only the events played with that element."),
    )

    def __init__(self, game: Game, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["element"].queryset = game.elements.all()  # type: ignore[attr-defined]
        for tier in OFFICIAL:
            self.fields[f"best_{tier.value}"] = forms.IntegerField(
                label=tier.label, min_value=0, max_value=1000, required=False
            )

    @property
    def limits(self) -> list[forms.BoundField]:
        return [self[f"best_{tier.value}"] for tier in OFFICIAL]

    @property
    def plain(self) -> list[forms.BoundField]:
        return [self[name] for name in ("name", "starts", "last_day", "element")]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        first, last = data.get("starts"), data.get("last_day")
        if first and last and last < first:
            self.add_error("last_day", _("The last day comes before the first."))
        return data

    @property
    def values(self) -> dict[str, Any]:
        """As the services take them."""
        data = self.cleaned_data
        found = {tier.value: data[f"best_{tier.value}"] for tier in OFFICIAL}
        limits = {tier: limit for tier, limit in found.items() if limit is not None}
        ends = data["last_day"] + timedelta(days=1)
        return {"name": data["name"], "starts": data["starts"], "ends": ends, "element": data["element"]} | {
            "best_finishes": limits
        }


def initial_of(season: Season) -> dict[str, Any]:
    limits = {f"best_{tier}": limit for tier, limit in season.best_finishes.items()}
    days = {"starts": season.starts, "last_day": season.last_day}
    return {"name": season.name, "element": season.element_id} | days | limits


def next_of(season: Season) -> dict[str, Any]:
    """A season as long as this one, from the day after it; the name is for a person to find."""
    last = season.ends + (season.ends - season.starts) - timedelta(days=1)
    return initial_of(season) | {"name": "", "starts": season.ends, "last_day": last}


# -- the points table, typed as the page prints it ---------------------------------------------------------------------
@dataclass(slots=True)
class GridLine:
    """What was typed in one line, as text, and what is wrong with it."""

    place_from: str = ""
    place_to: str = ""
    needs: str = ""
    points: list[str] = field(default_factory=lambda: [""] * len(OFFICIAL))
    error: str = ""

    @property
    def empty(self) -> bool:
        return not any([self.place_from, self.place_to, self.needs, *self.points])

    @property
    def cells(self) -> list[tuple[str, str, str]]:
        """(tier code, its name, what was typed)."""
        return [(tier.value, str(tier.label), text) for tier, text in zip(OFFICIAL, self.points, strict=True)]


@dataclass(slots=True)
class PointsGrid:
    """Lines of places by columns of tiers; repeated fields in order: `from`, `to`, `needs`, `points-semanal`, ..."""

    lines: list[GridLine]

    @classmethod
    def of(cls, rules: Iterable[PointsRule | PointsRow]) -> "PointsGrid":
        return cls([as_typed(line) for line in points_table(rules)] + spare())

    @classmethod
    def typed(cls, data: Any) -> "PointsGrid":
        """`data` is a QueryDict."""
        names = ("from", "to", "needs", *(f"points-{tier.value}" for tier in OFFICIAL))
        columns = [data.getlist(name)[:MOST_LINES] for name in names]
        lines = [
            GridLine(first.strip(), last.strip(), needs.strip(), [text.strip() for text in points])
            for first, last, needs, *points in zip(*columns, strict=False)
        ]
        return cls([line for line in lines if not line.empty] + spare())

    def rows(self) -> list[PointsRow] | None:
        """What the services take; None when a line is wrong, which then says so."""
        found: list[PointsRow] = []
        for line in self.lines:
            if not line.empty:
                found += rows_of(line)
        self.mark_twins()
        return None if any(line.error for line in self.lines) else found

    def mark_twins(self) -> None:
        seen: set[str] = set()
        for line in self.lines:
            if not line.empty and line.place_from in seen:
                line.error = line.error or gettext("Another line begins at the same place.")
            seen.add(line.place_from)


def spare() -> list[GridLine]:
    return [GridLine() for _line in range(SPARE)]


def as_typed(line: PointsLine) -> GridLine:
    points = ["" if worth is None else str(worth) for worth in line.points]
    return GridLine(str(line.place_from), str(line.place_to), str(line.needs), points)


def rows_of(line: GridLine) -> list[PointsRow]:
    try:
        first, last, needs = int(line.place_from), int(line.place_to or line.place_from), int(line.needs or 0)
        worth = [(tier, int(text)) for tier, text in zip(OFFICIAL, line.points, strict=True) if text]
        if max(last, needs, *(points for _tier, points in worth), 0) > 32_000:
            raise ValueError
        return [PointsRow(tier.value, first, last, needs, points) for tier, points in worth]
    except ValueError:
        line.error = gettext("Whole numbers: from which place to which, how many players it needs, and its points.")
        return []


class StoreForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=80)
    city = forms.CharField(label=_("City"), max_length=60, required=False)
    province = forms.ChoiceField(label=_("Province"), choices=[("", _("choose one")), *PROVINCES])
    contact = forms.EmailField(label=_("Contact"), required=False, help_text=_("An e-mail that only the circuit sees."))
    owner = forms.EmailField(
        label=_("Owner's account"),
        required=False,
        help_text=_("The e-mail with which the owner signs in. It can be given later, on the store's team page."),
    )

    def clean_owner(self) -> User | None:
        if not (email := self.cleaned_data["owner"]):
            return None
        user = User.objects.filter(email=email.lower()).first()
        if user is None:
            raise forms.ValidationError(_("Nobody has signed up with that e-mail yet. Leave it empty for now."))
        return user


class PublishForm(forms.Form):
    reason = forms.CharField(
        label=_("Why it changes"), max_length=200, help_text=_("It is published beside who moves.")
    )
