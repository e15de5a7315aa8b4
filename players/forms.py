"""What is asked at sign-up beside e-mail and password: the least that a ranking needs."""

from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from players.models import Player, User
from players.provinces import PROVINCES


class SignupForm(forms.Form):
    name = forms.CharField(label=_("Name and surname"), max_length=120)
    province = forms.ChoiceField(label=_("Province"), choices=[("", "—"), *PROVINCES], required=False)
    alias = forms.CharField(label=_("Alias"), max_length=40, required=False)
    minor = forms.BooleanField(label=_("I am under 14: show my alias, not my name"), required=False)

    def signup(self, request: HttpRequest, user: Any) -> None:
        assert isinstance(user, User)
        data = self.cleaned_data
        Player.objects.create(
            user=user, name=data["name"], alias=data["alias"], minor=data["minor"], province=data["province"]
        )
