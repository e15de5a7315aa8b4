"""Stores and their staff. Events, rounds and results are not here: they are written by services only."""

from django.contrib import admin

from tournaments.models import Role, Store


class RoleInline(admin.TabularInline):  # type: ignore[type-arg]
    model = Role
    extra = 1
    autocomplete_fields = ["user"]


@admin.register(Store)
class StoreAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["name", "city", "province", "time_zone"]
    list_filter = ["province"]
    search_fields = ["search_key", "slug"]
    prepopulated_fields = {"slug": ["name"]}
    inlines = [RoleInline]
    exclude = ["demo"]
