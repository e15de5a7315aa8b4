"""Whom a player keeps an eye on."""

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from players.models import Follow, Player


def set_following(follower: Player, followed: Player, on: bool) -> None:
    """Twice is once, either way."""
    if follower.pk == followed.pk:
        raise ValidationError(_("You cannot follow yourself."), code="follow_self")
    if on:
        Follow.objects.get_or_create(follower=follower, followed=followed)
    else:
        Follow.objects.filter(follower=follower, followed=followed).delete()
