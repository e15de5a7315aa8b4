"""The invented cards of `decks/demo` as a catalogue, for who has no other. [no Django]"""

from functools import cache
from pathlib import Path

from decks.rules.cardfile import catalogue, read_cards, read_restrictions
from decks.rules.cards import Catalogue
from decks.rules.games import game
from decks.rules.tables import read_table

FOLDER = Path(__file__).resolve().parent.parent / "demo"


@cache
def demonstration(slug: str) -> Catalogue:
    """Empty for a game without invented cards."""
    file = FOLDER / f"{slug}.csv"
    if not file.is_file():
        return Catalogue(())
    rows, faults = read_cards(read_table(file.read_bytes()).rows, game(slug))
    assert not faults, faults
    return catalogue(rows, read_restrictions(read_table((FOLDER / "restrictions.csv").read_bytes()).rows, game(slug)))
