"""Games live in `decks/games/*.toml`; the database follows the files."""

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from django.db import transaction

from decks.models import Element, Faction, Game
from decks.rules.games import FOLDER, slugs

DEFAULT = "kounter"


def load_games() -> list[Game]:
    """Idempotent: run at every set-up; renames follow, nothing is ever deleted."""
    return [load_game(tomllib.loads(file.read_text("utf-8"))) for file in sorted(FOLDER.glob("*.toml"))]


@transaction.atomic
def load_game(data: dict[str, Any]) -> Game:
    game, _ = Game.objects.update_or_create(slug=data["slug"], defaults={"name": data["name"]})
    for order, element in enumerate(data.get("elements", [])):
        names = {"name": element["name"], "name_en": element["name_en"], "order": order}
        Element.objects.update_or_create(game=game, slug=element["slug"], defaults=names)
    elements = {element.slug: element for element in game.elements.all()}
    for order, faction in enumerate(data.get("factions", [])):
        given = {
            "name": faction["name"],
            "name_en": faction.get("name_en", faction["name"]),
            "order": order,
            "element": elements.get(faction.get("element", "")),
        }
        Faction.objects.update_or_create(game=game, slug=faction["slug"], defaults=given)
    return game


@cache
def match_settings(slug: str) -> Mapping[str, Any]:
    """`[match]` of the game's file: how its matches are played and its standings counted. Empty for an unknown game."""
    file = FOLDER / f"{slug}.toml"
    found: Mapping[str, Any] = tomllib.loads(file.read_text("utf-8")).get("match", {}) if file.exists() else {}
    return found


def game_of_format(format: str) -> Game:
    """The first game that is played so."""
    return game(next(f.stem for f in sorted(FOLDER.glob("*.toml")) if match_settings(f.stem).get("format") == format))


def default_game() -> Game:
    return game(DEFAULT)


def game(slug: str) -> Game:
    return Game.objects.filter(slug=slug).first() or next(g for g in load_games() if g.slug == slug)


def every_game() -> list[Game]:
    """Those that have a file, the house's own first."""
    found = Game.objects.filter(slug__in=slugs()).order_by("pk")
    return sorted(found, key=lambda game: game.slug != DEFAULT)
