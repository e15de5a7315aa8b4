"""Games and their elements, loaded from `decks/games/*.toml`."""

from django.db import models
from django.utils.translation import get_language


class Game(models.Model):
    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=60)

    def __str__(self) -> str:
        return self.name


class Element(models.Model):
    """One of a game's elements; `slug` is also its glyph and its colour in the look."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="elements")
    slug = models.SlugField()
    name = models.CharField(max_length=40)
    name_en = models.CharField(max_length=40)
    order = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["order"]
        constraints = [models.UniqueConstraint(fields=["game", "slug"], name="element_once_in_game")]

    def __str__(self) -> str:
        return self.name_en if (get_language() or "es").startswith("en") else self.name
