"""Each problem as a sentence that says what to change, in Spanish or English. [no Django]

The texts are data (`sentences.toml`, and `say_es`, `say_en` of a game's rules), because a game brings sentences of its
own without any Python.
"""

import tomllib
from collections.abc import Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from decks.rules.games import Game
from decks.rules.legality import Fix, Label, Problem, Word
from decks.rules.words import bare

LANGUAGES = ("es", "en")
AND = {"es": "y", "en": "and"}
OR = {"es": "o", "en": "or"}
EITHER = frozenset({"to", "cards"})
"""Lists between which the reader chooses; the others are said with "and"."""


@cache
def texts() -> dict[str, dict[str, Any]]:
    return tomllib.loads(Path(__file__).with_name("sentences.toml").read_text("utf-8"))


def language(code: str | None) -> str:
    """The one that is spoken for a Django code such as "es-es"; Spanish for any other."""
    return "en" if (code or "es").startswith("en") else "es"


def sentence(problem: Problem, game: Game, lang: str = "es") -> str:
    own = problem.rule.say.get(lang)
    if own:
        return _fill(own, "n", problem.data, game, lang)
    text = texts()[problem.code]
    return _fill(text[lang], text.get("by", ""), problem.data, game, lang)


def label(fix: Fix, game: Game, lang: str = "es") -> str:
    """What the button of a fix says."""
    text = texts()[f"fix-{fix.code}"]
    return _fill(text[lang], text.get("by", ""), fix.data, game, lang)


def _fill(text: Any, by: str, data: Mapping[str, Any], game: Game, lang: str) -> str:
    if not isinstance(text, str):
        text = text[0] if len(text) == 1 or data[by] == 1 else text[1]
    filled: str = text.format_map({name: _say(value, name, game, lang) for name, value in data.items()})
    return filled


def _say(value: Any, name: str, game: Game, lang: str) -> str:
    if isinstance(value, Word):
        return word(value, game, lang)
    if isinstance(value, Label):
        return value.en if lang == "en" else value.es
    if isinstance(value, date):
        return value.isoformat() if lang == "en" else value.strftime("%d/%m/%Y")
    if isinstance(value, tuple):
        words = [_say(each, name, game, lang) for each in value]
        return _listed(words, (OR if name in EITHER else AND)[lang])
    return str(value)


def _listed(words: list[str], joint: str) -> str:
    """
    >>> _listed(["Agua", "Luz", "Oscuridad"], "o")
    'Agua, Luz u Oscuridad'
    """
    if len(words) < 2:
        return "".join(words)
    *first, last = words
    sound = bare(last).removeprefix("h")
    if joint == "o" and sound.startswith("o"):
        joint = "u"
    if joint == "y" and sound.startswith("i") and not sound.startswith("ie"):
        joint = "e"
    return f"{', '.join(first)} {joint} {last}"


def word(value: Word, game: Game, lang: str) -> str:
    """The name of a value or section; a slug that the game does not list is shown as it is, capitalised."""
    if value.attribute == "section":
        section = game.section(value.slug)
        return section.name_en if lang == "en" else section.name
    known = game.values.get((value.attribute, value.slug))
    if known:
        return known.name_en if lang == "en" else known.name
    return value.slug.replace("-", " ").capitalize()
