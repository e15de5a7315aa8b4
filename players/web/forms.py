from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from players.models import Player
from players.provinces import PROVINCES
from players.services import people


class ProfileForm(forms.ModelForm):  # type: ignore[type-arg]
    """What a player decides about how the public sees him. The code never changes."""

    province = forms.ChoiceField(label=_("Province"), choices=[("", "—"), *PROVINCES], required=False)

    class Meta:
        model = Player
        fields = ["name", "province", "alias", "privacy", "minor"]
        labels = {"minor": _("I am under 14: show my alias, or my first name and initial")}
        help_texts = {
            "name": _("As the shop knows you."),
            "alias": _("Shown instead of your name while your profile is private or you are under 14."),
        }

    def clean_name(self) -> str:
        return people.checked_name(self.cleaned_data["name"])

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if data.get("privacy") == Player.Privacy.PRIVATE and not data.get("alias"):
            self.add_error("alias", _("A private profile needs an alias."))
        return data
