"""What staff type. A form says what a field may hold; what the event allows is the services' to refuse."""

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.core.validators import FileExtensionValidator
from django.http import QueryDict
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from decks.models import Element, Game
from decks.services.games import DEFAULT
from players import names
from tournaments.models import Event, Penalty, Role
from tournaments.services import events
from tournaments.standings_words import PRESET_NAMES
from tournaments.swiss.presets import PRESETS
from tournaments.web import deck_fields
from tournaments.web.deck_fields import ASKING, DeckRulesMixin

MINUTES = {1: 30, 3: 50}  # rule 8.1
CUTS = (2, 4, 8, 16, 32, 64)
MOST_ROUNDS = 15
REASON_LENGTH = 200


def next_half_hour(now: datetime) -> datetime:
    """
    >>> next_half_hour(datetime(2026, 3, 12, 17, 48))
    datetime.datetime(2026, 3, 12, 18, 30)
    """
    soon = now + timedelta(minutes=15)
    start = soon.replace(minute=0, second=0, microsecond=0)
    while start < soon:
        start += timedelta(minutes=30)
    return start


def default_name(start: datetime, game: Game) -> str:
    called = "KOUNTER" if game.slug == DEFAULT else game.name
    return gettext("%(weekday)s %(game)s") % {"weekday": capfirst(date_format(start, "l")), "game": called}


class LocalDateTimeInput(forms.DateTimeInput):
    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")


class EventForm(DeckRulesMixin, forms.ModelForm):  # type: ignore[type-arg]
    """Two fields suffice; what is absent takes the event's own value or its default (TOURNAMENT_RULES 1.4, 3, 8.1).

    Times are read and shown in the current time zone: the view activates the store's (rule 9). Never saved: the
    cleaned values go to `services.events`.
    """

    minutes = forms.IntegerField(
        label=_("Minutes per round"), min_value=5, max_value=180, required=False,
        help_text=_("Empty: 30 in best of 1, 50 in best of 3."),
    )  # fmt: skip
    rounds_planned = forms.IntegerField(label=_("Rounds"), min_value=0, widget=forms.Select)
    cut_size = forms.IntegerField(label=_("Final cut"), min_value=0, max_value=64, widget=forms.Select)
    capacity = forms.IntegerField(
        label=_("Places"), min_value=2, max_value=5000, required=False,
        help_text=_("Empty: no limit. Whoever comes after that waits in order."),
    )  # fmt: skip

    deck_format = forms.ChoiceField(label=_("Format of the decks"), required=False)
    preset = forms.ChoiceField(
        label=_("Order of the standings"),
        choices=[(name, words) for name, words in PRESET_NAMES.items() if not PRESETS[name].pods],
        help_text=_("It can no longer change once round 1 is paired."),
    )  # fmt: skip

    class Meta:
        model = Event
        fields = [
            "name", "starts_at", "best_of", "format", "rounds_planned", "cut_size", "cut_format", "minutes", "capacity",
            "tier", "element", "last_round", "separate_teams", "self_signup", "self_report", "show_chances", "preset",
            "points_win", "points_draw", "points_loss", "points_bye", *ASKING,
        ]  # fmt: skip
        widgets = {"starts_at": LocalDateTimeInput()}
        labels = {
            "starts_at": _("Day and hour"),
            "best_of": _("Each match"),
            "format": _("How it is paired"),
            "cut_format": _("How the cut is played"),
            "tier": _("Kind of event"),
            "element": _("Only one element"),
            "points_win": _("Win"),
            "points_draw": pgettext_lazy("points of a", "Draw"),
            "points_loss": _("Loss"),
            "points_bye": pgettext_lazy("points of a", "Bye"),
            "decks": _("Deck lists"),
            "lists_public": _("When they are published"),
        }
        help_texts = {
            "format": _("Round robin: everybody meets everybody, one round each."),
            "cut_format": _("Double elimination: out with the second loss."),
            "tier": _("Everything but casual counts for the ranking."),
            "element": _("A night for one element: its board shows it."),
            "decks": _("Who has to bring one hands it in from the phone before round 1."),
            "lists_public": _(
                "Whoever hands in agrees to what stands here then. Until then only judges and organisers see it."
            ),
            "show_chances": _("In the last two rounds, with a cut: what a win, a draw and a loss would mean."),
        }

    ALWAYS = ("name", "starts_at")
    # What says nothing at tables of several: the game has decided it.
    FOR_TWO = (
        "best_of", "format", "cut_size", "cut_format", "last_round", "show_chances", "preset",
        "points_win", "points_draw", "points_loss",
    )  # fmt: skip
    BOXES = ("separate_teams", "self_signup", "self_report", "show_chances")
    FORMAT = ("format", "rounds_planned", "cut_size", "cut_format", "best_of", "minutes")
    PEOPLE = ("capacity", "self_signup", "self_report", "separate_teams", "show_chances")
    COUNTING = ("tier", "element", "last_round")
    ORDER = ("preset",)
    POINTS = ("points_win", "points_draw", "points_loss", "points_bye")

    def __init__(
        self, data: QueryDict | None = None, *, game: Game, instance: Event | None = None, **kwargs: Any
    ) -> None:
        event = instance or Event(preset=events.usual_preset(game), format=events.usual_format(game))
        kwargs["initial"] = deck_fields.initial(event) | kwargs.get("initial", {})
        super().__init__(None if data is None else completed(data, event), instance=event, **kwargs)
        self.rounds_there = event.rounds_planned
        numbers = [(n, str(n)) for n in sorted({*range(1, MOST_ROUNDS + 1), event.rounds_planned} - {0})]
        sizes = sorted({*CUTS, event.cut_size} - {0})
        choices: dict[str, list[tuple[Any, Any]]] = {
            "rounds_planned": [(0, _("Automatic")), *numbers],
            "cut_size": [(0, pgettext_lazy("final cut", "None")), *((n, f"Top {n}") for n in sizes)],
            "format": [(value, capfirst(word)) for value, word in Event.Format.choices if value != Event.Format.PODS],
            "cut_format": [(value, capfirst(word)) for value, word in Event.CutFormat.choices],
            "best_of": [(1, _("Best of 1")), (3, _("Best of 3"))],
            "tier": [(value, capfirst(word)) for value, word in Event.Tier.choices],
            "last_round": [(value, capfirst(word)) for value, word in Event.LastRound.choices],
            "decks": [(value, capfirst(word)) for value, word in Event.Decks.choices],
            "lists_public": [(value, capfirst(word)) for value, word in Event.ListsPublic.choices],
        }
        for name, found in choices.items():
            self.fields[name].widget.choices = found
        for name in self.FOR_TWO if event.in_pods else ():
            del self.fields[name]
        self.prepare_decks(game)
        self.fields["element"].queryset = Element.objects.filter(game=game)  # type: ignore[attr-defined]
        self.fields["element"].empty_label = _("All of them")  # type: ignore[attr-defined]

    def clean_name(self) -> str:
        return names.clean(self.cleaned_data["name"])

    def clean_rounds_planned(self) -> int:
        """At most so many, or as many as a round robin has already: the list offers no others."""
        wanted: int = self.cleaned_data["rounds_planned"]
        if wanted > max(MOST_ROUNDS, self.rounds_there):
            message = _("At most %(most)s rounds.")
            raise forms.ValidationError(message, code="max_value", params={"most": MOST_ROUNDS})
        return wanted

    def clean(self) -> dict[str, Any]:
        """Without the constraints of the table: the service refuses what they forbid, and names the rule."""
        data = self.cleaned_data
        if not data.get("minutes"):
            data["minutes"] = MINUTES[data.get("best_of") or 1]
        if "decks" in self.fields:
            data["deck_rules"] = self.deck_rules(data)
        for name in deck_fields.NARROWING:
            data.pop(name, None)
        return data

    def sections(self) -> list[tuple[Any, list[forms.BoundField], bool]]:
        """(title, fields, folded): what decks may hold is folded away while nothing is narrowed."""
        groups = [
            (_("Format"), self.FORMAT),
            (_("Players"), self.PEOPLE),
            (_("Decks"), deck_fields.ASKING),
            (_("What the decks may hold"), deck_fields.NARROWING),
            (_("What it counts for"), self.COUNTING),
            (_("Match points"), self.POINTS),
            (_("Standings"), self.ORDER),
        ]
        quiet = not self.instance.deck_rules and not set(deck_fields.NARROWING) & self.errors.keys()
        shown = [
            (title, [self[name] for name in wanted if name in self.fields], wanted is deck_fields.NARROWING and quiet)
            for title, wanted in groups
        ]
        return [section for section in shown if section[1]]

    def needs_more(self) -> bool:
        """An error stands in the folded part: show it open."""
        return bool(set(self.errors) - set(self.ALWAYS) - {"__all__"})


def completed(data: QueryDict, event: Event) -> QueryDict:
    """What the form did not bring stays as it is. An unticked box looks absent: a whole form says that it is whole."""
    full = data.copy()
    for name in set(EventForm.Meta.fields) - set(EventForm.ALWAYS) - data.keys():
        value = getattr(event, Event._meta.get_field(name).attname)  # type: ignore[union-attr]
        if name == "minutes" and event._state.adding:
            value = None
        if name not in EventForm.BOXES:
            full[name] = "" if value is None else str(value)
        elif value and "whole" not in data:
            full[name] = "on"
    deck_fields.complete(full, event)
    return full


LATE_CHOICES = [
    ("bye_seat", _("takes the seat opposite the bye")),
    ("losses", _("next round, with losses")),
    ("nothing", _("next round, with nothing")),
]
FREE_CHAIR = _("takes a free chair at a smaller table")


class WalkInForm(forms.Form):
    """One name and Enter, or many, one a line; when rounds are played, what the missed ones count (rule 5.2)."""

    names = forms.CharField(
        label=_("Somebody has arrived"), max_length=20_000, widget=forms.Textarea(attrs={"rows": 1})
    )
    choice = forms.ChoiceField(label=_("Comes late"), choices=LATE_CHOICES, required=False)
    anyway = forms.BooleanField(required=False)  # the similar name is another person
    known = forms.BooleanField(required=False)  # the similar name is who has played here before
    back = forms.BooleanField(required=False)  # neither: the form as it was

    def clean_names(self) -> list[str]:
        lines = [names.clean(line) for line in self.cleaned_data["names"].splitlines()]
        found = [line for line in lines if line]
        if not found:
            raise forms.ValidationError(_("Write at least one name."), code="required")
        if too_long := next((line for line in found if len(line) > 120), None):
            raise forms.ValidationError(
                _("This name is longer than 120 characters: %(name)s"), params={"name": too_long[:60] + "…"}
            )
        return found

    def clean_choice(self) -> str:
        return self.cleaned_data["choice"] or "nothing"


class RegistrationForm(forms.Form):
    """What staff may note about somebody who plays."""

    element = forms.ModelChoiceField(
        Element.objects.none(), label=_("Element"), required=False, empty_label=_("Not told")
    )
    team = forms.CharField(
        label=_("Team or club"),
        max_length=40,
        required=False,
        help_text=_("Used to keep team mates apart, if the event asks for it."),
    )
    fixed_table = forms.IntegerField(
        label=_("Fixed table"),
        min_value=1,
        max_value=5000,
        required=False,
        help_text=_("For who needs a certain table."),
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["element"].queryset = Element.objects.filter(game_id=event.game_id)  # type: ignore[attr-defined]


class ReasonField(forms.CharField):
    """Needed, and said so by the page and by us, not in the browser's words."""

    default_error_messages = {"required": _("Write the reason: it stays in the log.")}

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"label": _("Reason (required)"), "max_length": REASON_LENGTH, **kwargs})


class ReasonForm(forms.Form):
    use_required_attribute = False
    reason = ReasonField(help_text=_("It stays in the log."))

    def clean_reason(self) -> str:
        return names.clean(self.cleaned_data["reason"])


class PenaltyForm(forms.Form):
    """Rule 8.4: infraction, round and author; private to staff."""

    kind = forms.ChoiceField(
        label=_("Penalty"), choices=[c for c in Penalty.Kind.choices if c[0] != "disqualification"]
    )
    infraction = forms.CharField(label=_("Infraction"), max_length=120)
    note = forms.CharField(label=_("Note"), max_length=2000, required=False, widget=forms.Textarea(attrs={"rows": 2}))


class SwapForm(forms.Form):
    """Two players change seats (rules 4.5, 4.7)."""

    first = forms.IntegerField(label=_("This player"))
    second = forms.IntegerField(label=_("changes with"))
    reason = ReasonField(label=_("Reason"))

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if data.get("first") is not None and data.get("first") == data.get("second"):
            self.add_error("second", _("Choose two different players."))
        return data


class ClockForm(forms.Form):
    op = forms.ChoiceField(choices=[(op, op) for op in ("start", "pause", "resume", "add")])
    seconds = forms.IntegerField(min_value=-3600, max_value=7200, required=False)
    match = forms.IntegerField(min_value=1, required=False)  # the time is this table's alone

    def clean_seconds(self) -> int:
        return self.cleaned_data["seconds"] or 0


class PairForm(forms.Form):
    """`override` with a reason pairs although results are missing (case 9)."""

    number = forms.IntegerField(label=_("Round"), min_value=1, max_value=100)
    override = forms.BooleanField(label=_("Pair although results are missing"), required=False)
    reason = forms.CharField(label=_("Reason"), max_length=REASON_LENGTH, required=False)


class CutForm(forms.Form):
    """Empty: the size that the event says."""

    number = forms.IntegerField(required=False)
    size = forms.IntegerField(label=_("Cut"), min_value=2, max_value=64, required=False)


class ImportForm(forms.Form):
    """A file or pasted rows; the file wins."""

    file = forms.FileField(
        label=_("File"), required=False, help_text=_("CSV or text, with its header in the first row."),
        validators=[FileExtensionValidator(["csv", "txt", "tsv"])],
    )  # fmt: skip
    text = forms.CharField(
        label=_("Or paste the rows"), required=False, max_length=500_000, strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
    )  # fmt: skip

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if not self.errors and not data.get("file") and not (data.get("text") or "").strip():
            raise forms.ValidationError(_("Choose a file or paste the rows."), code="required")
        return data

    def content(self) -> bytes | str:
        file = self.cleaned_data.get("file")
        return bytes(file.read()) if file else str(self.cleaned_data["text"])


class RestoreForm(forms.Form):
    file = forms.FileField(
        label=_("Backup file"), help_text=_("The .json file that «Backup» downloaded."),
        validators=[FileExtensionValidator(["json"])],
    )  # fmt: skip


class RoleForm(forms.Form):
    email = forms.EmailField(label=_("E-mail of the account"))
    kind = forms.ChoiceField(label=_("Role"), choices=Role.Kind.choices, initial=Role.Kind.ORGANISER)
