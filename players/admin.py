"""The superuser's back room: accounts and players. Events are never edited here: they have services and a log."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from players.models import Player, User


@admin.register(User)
class AccountAdmin(UserAdmin):  # type: ignore[type-arg]
    ordering = ["email"]
    list_display = ["email", "circuit_role", "is_active", "last_login"]
    list_filter = ["circuit_role", "is_active", "is_staff"]
    search_fields = ["email"]
    fieldsets = [
        (None, {"fields": ["email", "password"]}),
        (_("Rights"), {"fields": ["circuit_role", "is_active", "is_staff", "is_superuser"]}),
    ]
    add_fieldsets = [(None, {"fields": ["email", "usable_password", "password1", "password2"]})]
    filter_horizontal = []


@admin.register(Player)
class PlayerAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["name", "printed_code", "public_name", "province", "privacy", "minor"]
    list_filter = ["privacy", "minor", "province"]
    search_fields = ["staff_key", "code"]
    fields = ["name", "alias", "province", "country", "privacy", "minor"]

    def has_delete_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        """A player is retired, never deleted: rivals' numbers rest on his results."""
        return False
