"""The rows of an import, written and taken back in bulk."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from typing import Any

from django.db.models import Model

from decks.models import Card, Element, Expansion, Faction, Game, Printing, Restriction
from decks.rules import games as rules
from decks.rules.cardfile import NUMBERS, Listed, read_restrictions
from decks.rules.cards import ATTRIBUTES
from decks.rules.changes import Comparison, Kind
from decks.rules.tables import read_table
from decks.rules.words import key, slug
from decks.services import catalogue

MODELS: dict[str, type[Model]] = {"expansion": Expansion, "card": Card, "printing": Printing}
Written = list[list[Any]]
"""`[[model, id, {field: before} | None, {field: after} | None], ...]`, in the order of writing."""

PLAIN = ("rarity", "type", "subtype", "position")
BATCH = 500


@dataclass(frozen=True)
class Choices:
    """What was decided: conflicts to take and cards to retire, by code; whether to go on without bad rows."""

    take: frozenset[str] = frozenset()
    retire: frozenset[str] = frozenset()
    without_bad: bool = False

    def as_json(self) -> dict[str, Any]:
        return {name: sorted(value) if isinstance(value, frozenset) else value for name, value in asdict(self).items()}


def write(game: Game, comparison: Comparison, choices: Choices) -> Written:
    return _Writer(game).write(comparison, choices)


@dataclass
class _Writer:
    game: Game
    written: Written = field(default_factory=list)

    def __post_init__(self) -> None:
        self.elements = dict(Element.objects.filter(game=self.game).values_list("slug", "pk"))
        self.factions = dict(Faction.objects.filter(game=self.game).values_list("slug", "pk"))
        self.expansions = {row.slug: row for row in Expansion.objects.filter(game=self.game)}
        self.cards = {row.pk: row for row in Card.objects.filter(game=self.game)}
        self.printings = {row.code_key: row for row in Printing.objects.filter(game=self.game)}

    def write(self, comparison: Comparison, choices: Choices) -> Written:
        taken = [each for each in comparison.of[Kind.CONFLICT] if each.takeable and each.row.code in choices.take]
        rows = [each.row for each in (*comparison.of[Kind.NEW], *comparison.of[Kind.CHANGED], *taken)]
        rows = self.with_their_cards(rows)
        self.make_expansions(rows)
        new = [row for row in rows if key(row.code) not in self.printings]
        known = [row for row in rows if key(row.code) in self.printings]
        self.make_cards([row for row in new if not row.same_as])
        self.make_printings([row for row in new if row.same_as])
        self.change(known)
        self.retire(choices.retire & {gone.code for gone in comparison.gone if gone.card})
        return self.written

    def with_their_cards(self, rows: Iterable[Listed]) -> list[Listed]:
        """Without printings of a card that is neither here nor taken over."""
        rows = list(rows)
        cards = {key(row.code) for row in rows if not row.same_as} | self.printings.keys()
        return [row for row in rows if not row.same_as or key(row.same_as) in cards]

    def make_expansions(self, rows: Iterable[Listed]) -> None:
        for row in rows:
            if slug(row.expansion) not in self.expansions:
                made = Expansion.objects.create(game=self.game, slug=slug(row.expansion), name=row.expansion)
                self.expansions[made.slug] = made
                self.written.append(["expansion", made.pk, None, {"name": made.name}])

    def make_cards(self, rows: Sequence[Listed]) -> None:
        cards = [Card(game=self.game, code=row.code, **self.of_card(row)).derive() for row in rows]
        for card in Card.objects.bulk_create(cards, BATCH):
            self.cards[card.pk] = card
            self.written.append(["card", card.pk, None, {"code": card.code}])
        self._print(rows, cards)

    def make_printings(self, rows: Sequence[Listed]) -> None:
        self._print(rows, [self.cards[self.printings[key(row.same_as)].card_id] for row in rows])

    def _print(self, rows: Sequence[Listed], cards: Sequence[Card]) -> None:
        made = [
            Printing(game=self.game, card=card, code=row.code, **self.of_printing(row)).derive()
            for row, card in zip(rows, cards, strict=True)
        ]
        for printing in Printing.objects.bulk_create(made, BATCH):
            self.printings[printing.code_key] = printing
            self.written.append(["printing", printing.pk, None, {"code": printing.code}])

    def change(self, rows: Sequence[Listed]) -> None:
        cards, printings = [], []
        for row in rows:
            printing = self.printings[key(row.code)]
            wanted = self.of_printing(row)
            if row.same_as and (first := self.printings.get(key(row.same_as))):
                wanted["card_id"] = first.card_id
            if self.set("printing", printing, wanted):
                printings.append(printing)
            card = self.cards[printing.card_id]
            if not row.same_as and self.set("card", card, self.of_card(row) | {"retired": False}):
                cards.append(card.derive())
        Card.objects.bulk_update(cards, [*self.card_fields(), *DERIVED], BATCH) if cards else None
        Printing.objects.bulk_update(printings, ["expansion", "released", "card"], BATCH) if printings else None

    def retire(self, codes: Iterable[str]) -> None:
        cards = [self.cards[self.printings[key(code)].card_id] for code in sorted(codes)]
        for card in cards:
            self.set("card", card, {"retired": True})
        Card.objects.filter(pk__in=[card.pk for card in cards]).update(retired=True)

    def set(self, name: str, row: Model, wanted: dict[str, Any]) -> bool:
        """Note what differs, and make it so in memory."""
        differs = {column: value for column, value in wanted.items() if getattr(row, column) != value}
        if differs:
            before = {column: plain(getattr(row, column)) for column in differs}
            self.written.append([name, row.pk, before, {column: plain(value) for column, value in differs.items()}])
            for column, value in differs.items():
                setattr(row, column, value)
        return bool(differs)

    def of_card(self, row: Listed) -> dict[str, Any]:
        values = {column: row.values[column] for column in (*PLAIN, *NUMBERS, "text")}
        return values | {
            "name": row.name,
            "element_id": self.elements.get(row.values["element"]),
            "faction_id": self.factions.get(row.values["faction"]),
        }

    def of_printing(self, row: Listed) -> dict[str, Any]:
        return {"expansion_id": self.expansions[slug(row.expansion)].pk, "released": row.released}

    @staticmethod
    def card_fields() -> tuple[str, ...]:
        return ("name", *ATTRIBUTES, *NUMBERS, "text", "retired")


DERIVED = ("name_key", "sort_key", "text_key", "code_key")


def plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value


def take_back(written: Written) -> None:
    """The reverse of `write`, newest first; made rows go, changed ones are as they were."""
    for name in ("card", "printing"):
        changed = {pk: before for model, pk, before, _ in reversed(written) if model == name and before is not None}
        _restore(MODELS[name], changed)
    for name in ("printing", "card", "expansion"):
        made = [pk for model, pk, before, _ in written if model == name and before is None]
        rows = MODELS[name]._default_manager.filter(pk__in=made)
        if name == "expansion":
            rows = rows.filter(printings=None)
        rows.delete()


def _restore(model: type[Model], changed: dict[int, dict[str, Any]]) -> None:
    rows = list(model._default_manager.filter(pk__in=changed))
    for row in rows:
        for column, value in changed[row.pk].items():
            setattr(row, column, date.fromisoformat(value) if column == "released" else value)
        row.derive()  # type: ignore[attr-defined]  # cards and printings have it
    columns = sorted({column.removesuffix("_id") for before in changed.values() for column in before})
    derived = DERIVED if model is Card else ()
    if rows:
        model._default_manager.bulk_update(rows, [*columns, *derived], BATCH)


def restrict(game: Game, content: bytes) -> int:
    """Rows of `game,card,since,copies,format` as restrictions, twice is once; the catalogue's version then."""
    cards = dict(Card.objects.filter(game=game).values_list("code", "pk"))
    for each in read_restrictions(read_table(content).rows, rules.game(game.slug)):
        Restriction.objects.update_or_create(
            card_id=cards[each.card], since=each.since, format=each.format, defaults={"copies": each.copies}
        )
    return catalogue.changed(game)
