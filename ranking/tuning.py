"""What a game's file says of its ratings and boards, in `[rating]` and `[boards]` (RANKING 2, 3)."""

import tomllib
from dataclasses import dataclass
from functools import cache

from decks.rules.games import FOLDER
from ranking.boards import Minimums
from ranking.ratings.parameters import Parameters


@dataclass(frozen=True, slots=True)
class Tuning:
    parameters: Parameters
    minimums: Minimums


@cache
def tuning(game: str) -> Tuning:
    """By the game's slug; what the file leaves out takes the default."""
    file = FOLDER / f"{game}.toml"
    data = tomllib.loads(file.read_text("utf-8")) if file.exists() else {}
    return Tuning(Parameters(**data.get("rating", {})), Minimums(**data.get("boards", {})))
