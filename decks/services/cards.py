"""What a card may do: how many of it fit, from when, in which format (GAMES, Legality)."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from decks.rules.cards import Card, Catalogue
from decks.rules.games import OPEN, Format, Game, Rule
from decks.rules.legality import fits


@dataclass(frozen=True, slots=True)
class Standing:
    """How a card stands on a day in a format.

    state: "legal" (`copies` fit; None: as many as one likes), "banned", "limited" (to `copies` by a restriction),
    "unreleased" (until `since`), "outside" (what the format narrows leaves it out), "free" (never counts).
    """

    state: str
    copies: int | None = None
    since: date | None = None


def standing(card: Card, game: Game, catalogue: Catalogue, on: date, format: Format = OPEN) -> Standing:
    home = game.home(card)
    if home is not None and home.free:
        return Standing("free")
    if card.released > on:
        return Standing("unreleased", since=card.released)
    rules = (*game.rules, *format.rules)
    if not all(_inside(card, rule) for rule in rules):
        return Standing("outside")
    most = min((limit for rule in rules if (limit := _limit(card, rule)) is not None), default=None)
    held = catalogue.restriction(card, on, format.slug)
    if held is None or held.copies is None or (most is not None and held.copies >= most):
        return Standing("legal", most)
    return Standing("limited" if held.copies else "banned", held.copies, held.since)


def _inside(card: Card, rule: Rule) -> bool:
    """Whether a rule that narrows leaves the card in."""
    if rule.advice or (rule.sections and rule.kind == "only" and not rule.where):
        return True
    if rule.kind == "only":
        return fits(card, rule.where)
    if rule.kind == "expansions":
        return any(printing.expansion in rule.expansions for printing in card.printings)
    return True


def _limit(card: Card, rule: Rule) -> int | None:
    """Copies that a rule leaves of this card; None: it says nothing of it."""
    if rule.kind != "copies" or rule.advice or (rule.but and fits(card, rule.but)):
        return None
    return rule.limits.get(getattr(card, rule.by), rule.max) if rule.by else rule.max


def standings(card: Card, game: Game, catalogue: Catalogue, on: date) -> Iterator[tuple[Format, Standing]]:
    """The game as it is, then each of its formats."""
    for format in (OPEN, *game.formats.values()):
        yield format, standing(card, game, catalogue, on, format)
