"""A file into the catalogue: preview, confirm, undo (UX, Administrator; CASES 71-73, 89)."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import translation

from decks.models import Card, CardImport, Expansion, Game, Printing, Restriction
from decks.rules.cardfile import COLUMNS
from decks.rules.demo import demonstration
from decks.services import catalogue, imports
from decks.services.games import default_game, load_games
from decks.services.imports import ImportRefused
from decks.services.taking import Choices
from tests import lists, make
from tests.core.decks.test_changes import BASE

pytestmark = pytest.mark.django_db


@pytest.fixture
def kounter(game: object) -> Game:
    return default_game()


def file(*rows: dict[str, str], separator: str = ";", encoding: str = "utf-8-sig") -> bytes:
    lines = [separator.join(COLUMNS)]
    lines += [separator.join(f'"{(BASE | row).get(name, "")}"' for name in COLUMNS) for row in rows]
    return ("\r\n".join(lines) + "\r\n").encode(encoding)


FIRST = {}  # type: ignore[var-annotated]
SECOND = {"code": "MI9-002", "name": "Barquero Inventado"}
PROMO = {"code": "MIP-901", "expansion": "Promos nueve", "same_card_as": "MI9-001"}


def rows() -> Any:
    """Everything that an undo gives back."""
    return [list(model.objects.order_by("pk").values_list()) for model in (Expansion, Card, Printing)]  # type: ignore[attr-defined]


def take(game: Game, content: bytes, **choices: Any) -> CardImport:
    choices = {name: frozenset(value) if isinstance(value, set) else value for name, value in choices.items()}
    return imports.take_over(imports.look_at(game, "cartas.csv", content).record, Choices(**choices))


def test_looking_changes_nothing_and_taking_over_is_what_was_looked_at(kounter: Game) -> None:
    found = imports.look_at(kounter, "cartas.csv", file(FIRST, SECOND, PROMO))
    assert found.counts == {"new": 3, "changed": 0, "conflict": 0, "same": 0, "gone": 0, "bad": 0}
    assert not Card.objects.exists()
    record = imports.take_over(found.record)
    assert (record.status, Card.objects.count(), Printing.objects.count()) == ("applied", 2, 3)
    card = Card.objects.get(code="MI9-001")
    assert (card.name, card.cost, card.element and card.element.slug, card.name_key) == (
        "Farolera Inventada", 2, "luz", "farolera inventada",
    )  # fmt: skip
    assert [printing.code for printing in card.printings.all()] == ["MI9-001", "MIP-901"]
    assert catalogue.catalogue(kounter).by_code["mip 901"].code == "MI9-001"
    assert imports.take_over(found.record).applied_at == record.applied_at, "twice is once"


def test_undo_gives_back_every_row_whole(kounter: Game) -> None:
    take(kounter, file(FIRST, SECOND))
    before = rows()
    changed = take(
        kounter,
        file(
            {"cost": "5", "text": "Nuevo."},
            {**SECOND, "name": "Otro Nombre Distinto"},
            PROMO,
            {"code": "X-1", "name": "N"},
        ),
        take={"MI9-002"},
    )
    assert Card.objects.get(code="MI9-002").name == "Otro Nombre Distinto"
    assert rows() != before
    imports.undo(changed)
    assert rows() == before
    assert imports.undo(changed).status == "undone", "twice is once"
    with pytest.raises(ImportRefused) as refusal:
        imports.take_over(changed)
    assert refusal.value.code == "undone"


def test_only_the_newest_is_undone_and_then_the_one_below(kounter: Game) -> None:
    one = take(kounter, file(FIRST))
    two = take(kounter, file({"cost": "4"}))
    with pytest.raises(ImportRefused) as refusal:
        imports.undo(one)
    assert refusal.value.code == "later"
    imports.undo(two)
    one.refresh_from_db()
    imports.undo(one)
    assert rows() == [[], [], []]


def test_case_89_a_change_and_the_same_file_again(kounter: Game) -> None:
    take(kounter, file(FIRST, SECOND))
    key = Card.objects.get(code="MI9-001").pk
    take(kounter, file({"cost": "7"}, SECOND))
    assert Card.objects.get(code="MI9-001").cost == 7
    assert Card.objects.get(code="MI9-001").pk == key, "the same row, by its code"
    with pytest.raises(ImportRefused) as refusal:
        take(kounter, file({"cost": "7"}, SECOND))
    assert refusal.value.code == "nothing"


def test_case_89_what_is_gone_is_retired_only_where_somebody_says_so(kounter: Game) -> None:
    take(kounter, file(FIRST, SECOND))
    found = imports.look_at(kounter, "cartas.csv", file({"cost": "3"}))
    assert [gone.code for gone in found.comparison.gone] == ["MI9-002"]
    imports.take_over(found.record)
    assert not Card.objects.get(code="MI9-002").retired
    record = take(kounter, file({"cost": "3"}), retire={"MI9-002", "MI9-001"})
    assert list(Card.objects.values_list("code", "retired")) == [("MI9-002", True), ("MI9-001", False)]
    assert catalogue.catalogue(kounter).find("Barquero Inventado").cards, "a list that names it is still read"
    imports.undo(record)
    assert not Card.objects.get(code="MI9-002").retired


def test_case_89_cards_that_lists_hold_are_not_undone(kounter: Game) -> None:
    record = imports.load_demonstration([kounter])[0]
    event = make.make_event(players=1, decks="required")
    lists.hand_in(event)
    with translation.override("en"), pytest.raises(ImportRefused) as refusal:
        imports.undo(record)
    assert refusal.value.code == "used"
    assert "1 deck list" in str(refusal.value)


def test_nothing_is_taken_over_once_the_catalogue_has_moved(kounter: Game) -> None:
    found = imports.look_at(kounter, "a.csv", file(FIRST))
    take(kounter, file(SECOND))
    with pytest.raises(ImportRefused) as refusal:
        imports.take_over(found.record)
    assert refusal.value.code == "moved"
    assert imports.preview(found.record).counts["new"] == 1
    kounter.refresh_from_db()
    record = imports.take_over(found.record, seen=kounter.catalogue_version)
    assert (record.status, record.version_before) == ("applied", kounter.catalogue_version)


def test_bad_rows_are_left_out_only_where_somebody_says_so(kounter: Game) -> None:
    content = file(FIRST, {**SECOND, "cost": "dos"})
    found = imports.look_at(kounter, "a.csv", content)
    assert (found.counts["bad"], found.faults[0].line) == (1, 3)
    with pytest.raises(ImportRefused) as refusal:
        imports.take_over(found.record)
    assert refusal.value.code == "bad"
    assert imports.take_over(found.record, Choices(without_bad=True)).status == "applied"
    assert list(Card.objects.values_list("code", flat=True)) == ["MI9-001"]


def test_a_printing_of_a_card_that_was_not_taken_is_not_taken_either(kounter: Game) -> None:
    take(kounter, file(FIRST))
    twin = {"code": "MI9-003"}  # of the same name: to decide
    record = take(kounter, file(FIRST, twin, {**PROMO, "same_card_as": "MI9-003"}, SECOND))
    assert set(Printing.objects.values_list("code", flat=True)) == {"MI9-001", "MI9-002"}
    assert len(record.changes) == 2


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"\x00\x01", "unreadable"),
        (b"PK\x03\x04", "unreadable"),
        (b"nombre;codigo\nA;B", "columns"),
        ("\ufeffnombre;codigo".encode(), "columns"),
        (";".join(COLUMNS).encode(), "empty"),
        (b"", "columns"),
        (b"x" * (imports.MOST_BYTES + 1), "large"),
    ],
    ids=range(7),
)
def test_case_71_what_cannot_be_read_says_what_is_expected(kounter: Game, content: bytes, code: str) -> None:
    with pytest.raises(ImportRefused) as refusal:
        imports.look_at(kounter, "x", content)
    assert refusal.value.code == code
    assert not CardImport.objects.exists()
    if code == "columns":
        assert "code, name, expansion, type, released" in str(refusal.value)


def test_the_invented_cards_are_loaded_once_and_say_what_they_are(game: object) -> None:
    loaded = imports.load_demonstration(load_games())
    assert {record.game.slug for record in loaded} == {"kounter", "kickon"}
    assert all(expansion.demo for expansion in Expansion.objects.all())
    assert imports.load_demonstration(load_games()) == []
    for slug in ("kounter", "kickon"):
        cards, rows = demonstration(slug), catalogue.catalogue(Game.objects.get(slug=slug))
        assert {card.code: card.printings for card in rows.cards} == {card.code: card.printings for card in cards.cards}
    assert Restriction.objects.count() == len(demonstration("kounter").restrictions)
    imports.undo(CardImport.objects.get(game__slug="kounter"))
    assert not Card.objects.filter(game__slug="kounter").exists()
    assert imports.load_demonstration(load_games()) == [], "who has undone them does not want them"


def test_the_invented_set_is_what_was_promised(game: object) -> None:
    """Issue 4: 24 factions, at least 12 cards each over all types and rarities, tokens, two expansions and a promo."""
    imports.load_demonstration(load_games())
    cards = Card.objects.filter(game__slug="kounter")
    factions = {faction.slug: faction for faction in default_game().factions.all()}
    assert len(factions) == 24
    for faction in factions.values():
        own = cards.filter(faction=faction)
        assert own.count() >= 12, faction
    assert set(cards.values_list("rarity", flat=True)) >= {"basico", "comun", "raro", "legendario"}
    assert set(cards.values_list("type", flat=True)) == {"unidad", "mejora", "trampa", "ficha"}
    assert Expansion.objects.filter(game__slug="kounter").count() == 3
    assert Card.objects.filter(game__slug="kickon").count() >= 20


# -- commands ----------------------------------------------------------------------------------------------------------
def run(capsys: Any, *arguments: str) -> tuple[int, dict[str, Any]]:
    with pytest.raises(SystemExit) as left:
        call_command("import_cards", *arguments)
    return int(left.value.code or 0), json.loads(capsys.readouterr().out)


def test_import_cards_answers_in_json_and_by_its_exit_code(kounter: Game, tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "cartas.csv"
    path.write_bytes(file(FIRST, PROMO))
    code, told = run(capsys, str(path), "--dry-run")
    assert (code, told["applied"], told["counts"]["new"], Card.objects.count()) == (0, False, 2, 0)
    assert not CardImport.objects.exists()
    code, told = run(capsys, str(path))
    assert (code, told["applied"], Card.objects.count()) == (0, True, 1)
    code, told = run(capsys, str(path))
    assert (code, told["applied"], told["counts"]["same"]) == (0, False, 2)
    path.write_bytes(file({"name": "Otra Cosa Distinta"}))
    code, told = run(capsys, str(path))
    assert (code, told["applied"], told["conflicts"][0]["why"]) == (1, False, "renamed")
    code, told = run(capsys, str(path), "--take", "MI9-001")
    assert (code, told["applied"], Card.objects.get().name) == (0, True, "Otra Cosa Distinta")
    path.write_bytes(file({"cost": "dos"}))
    code, told = run(capsys, str(path))
    assert (code, told["bad"][0]["line"], told["bad"][0]["column"]) == (1, 2, "cost")


def test_import_cards_leaves_with_2_where_nothing_can_be_read(kounter: Game, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    for content in (None, b"\x00", b"a;b\n1;2"):
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(CommandError) as error:
            call_command("import_cards", str(path))
        assert error.value.returncode == 2
        assert str(error.value).startswith(f"{path}: ")


def test_what_is_exported_and_imported_again_changes_nothing(kounter: Game, tmp_path: Path, capsys: Any) -> None:
    imports.load_demonstration([kounter])
    Card.objects.filter(code="MI1-001").update(text="=1+1")
    catalogue.changed(kounter)
    call_command("export_cards")
    text = capsys.readouterr().out
    assert "'=1+1" in text
    path = tmp_path / "cartas.csv"
    path.write_text(text, "utf-8", newline="")
    code, told = run(capsys, str(path))
    assert code == 0
    assert told["counts"] | {"same": 0} == dict.fromkeys(told["counts"], 0)
