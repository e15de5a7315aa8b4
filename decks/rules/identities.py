"""What each element stands for and how it likes to win: texts of the game's file. [no Django]"""

import tomllib
from functools import cache
from typing import NamedTuple

from decks.rules.games import FOLDER


class Identity(NamedTuple):
    """`motto`: what it stands for; `wins`: its way to victory. Each in Spanish and English."""

    motto: tuple[str, str]
    wins: tuple[str, str]


@cache
def identities(game: str) -> dict[str, Identity]:
    """By the element's slug; an element of which the file says nothing has none."""
    file = FOLDER / f"{game}.toml"
    elements = tomllib.loads(file.read_text("utf-8")).get("elements", []) if file.exists() else []
    return {
        each["slug"]: Identity((each["motto"], each["motto_en"]), (each["wins"], each["wins_en"]))
        for each in elements
        if "motto" in each
    }
