"""The catalogue from the administrator's side (UX, Administrator; CASES 71-73, 83, 89)."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from decks.models import Card, CardImport, Restriction
from decks.services import imports
from decks.services.games import default_game
from players.models import User
from tests.services.test_imports import FIRST, PROMO, SECOND, file, rows

pytestmark = pytest.mark.django_db
HOME = "/cartas/importar/"


@pytest.fixture
def desk(game: object, administrator: User, as_user: Callable[[User], Client]) -> Client:
    return as_user(administrator)


def upload(desk: Client, content: bytes, game: str = "kounter") -> Any:
    return desk.post(HOME, {"game": game, "file": SimpleUploadedFile("cartas.csv", content)}, follow=True)


def page(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def test_a_file_is_looked_at_confirmed_and_undone(desk: Client) -> None:
    before = rows()
    looked = upload(desk, file(FIRST, PROMO))
    assert "This is what the file would do" in page(looked)
    assert "2 new rows" in page(looked)
    assert rows() == before
    where = looked.redirect_chain[-1][0]
    done = desk.post(where, {"confirm": ""}, follow=True)
    assert "This file is in the catalogue" in page(done)
    assert Card.objects.get().printings.count() == 2
    back = desk.post(where, {"undo": ""}, follow=True)
    assert "This import was undone" in page(back)
    assert rows() == before
    assert "cartas.csv" in page(desk.get(HOME))


def test_each_conflict_is_decided_and_each_bad_row_named(desk: Client) -> None:
    imports.take_over(imports.look_at(default_game(), "a.csv", file(FIRST, SECOND)).record)
    renamed, bad = {"name": "Otro Nombre Distinto"}, {"code": "MI9-008", "cost": "dos"}
    looked = upload(desk, file(renamed, bad))
    text = page(looked)
    assert "1 row to decide" in text
    assert "MI9-001 has another name here." in text
    assert "1 row that cannot be read" in text
    assert "The cost has to be a whole number, not “dos”." in text
    assert "1 code of these expansions is not in the file" in text
    where = looked.redirect_chain[-1][0]
    refused = desk.post(where, {"confirm": "", "take": "MI9-001"})
    assert refused.status_code == 409
    assert "Some rows cannot be read." in page(refused)
    assert 'value="MI9-001" checked' in page(refused), "what was decided is still there"
    desk.post(where, {"confirm": "", "take": "MI9-001", "retire": "MI9-002", "without_bad": "on"})
    assert list(Card.objects.order_by("code").values_list("name", "retired")) == [
        ("Otro Nombre Distinto", False), ("Barquero Inventado", True),
    ]  # fmt: skip


def test_a_catalogue_that_moved_is_looked_at_again(desk: Client) -> None:
    where = upload(desk, file(FIRST)).redirect_chain[-1][0]
    imports.take_over(imports.look_at(default_game(), "b.csv", file(SECOND)).record)
    seen = default_game().catalogue_version
    answer = desk.post(where, {"confirm": "", "seen": str(seen - 1)})
    assert answer.status_code == 409
    assert "The catalogue has changed since you looked." in page(answer)
    assert f'name="seen" value="{seen}"' in page(answer), "what is shown now is against the catalogue of now"
    assert desk.post(where, {"confirm": "", "seen": str(seen)}).status_code == 302


def test_somebody_else_s_look_confirms_nothing(desk: Client, auditor: User, as_user: Callable) -> None:
    """The preview that I saw is the one I confirm, whoever has opened the page since."""
    where = upload(desk, file(FIRST)).redirect_chain[-1][0]
    seen = default_game().catalogue_version
    imports.take_over(imports.look_at(default_game(), "b.csv", file(SECOND)).record)
    assert as_user(auditor).get(where).status_code == 200
    assert desk.post(where, {"confirm": "", "seen": str(seen)}).status_code == 409
    assert Card.objects.count() == 1


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"\x00\x01", "neither text nor a workbook"), (b"a;b\n1;2", "There is no column code"), (b"", "no column")],
)
def test_what_cannot_be_read_is_said_on_the_spot(desk: Client, content: bytes, words: str) -> None:
    answer = upload(desk, content or b" ")
    assert answer.status_code == 422
    assert words in page(answer)
    assert not CardImport.objects.exists()
    assert desk.post(HOME, {"game": "kounter"}).status_code == 422
    assert desk.post(HOME, {"game": "nada", "file": SimpleUploadedFile("a.csv", b"x")}).status_code == 404


def test_why_it_cannot_be_undone_stands_in_place_of_the_button(desk: Client) -> None:
    one = imports.take_over(imports.look_at(default_game(), "a.csv", file(FIRST)).record)
    imports.take_over(imports.look_at(default_game(), "b.csv", file(SECOND)).record)
    text = page(desk.get(f"{HOME}{one.pk}/"))
    assert "It cannot be undone now. Something was changed after it" in text
    assert desk.post(f"{HOME}{one.pk}/", {"undo": ""}).status_code == 409
    assert Card.objects.count() == 2


def test_the_catalogue_as_a_file_of_a_spanish_spreadsheet(desk: Client) -> None:
    imports.take_over(imports.look_at(default_game(), "a.csv", file(FIRST, {**SECOND, "text": "=1+1"})).record)
    answer = desk.get("/cartas/exportar/kounter/")
    text = answer.content.decode("utf-8-sig")
    assert answer.content.startswith(b"\xef\xbb\xbf")
    assert text.splitlines()[0].startswith("code;name;game;")
    assert ";'=1+1;" in text
    assert 'filename="cartas-kounter.csv"' in answer["Content-Disposition"]


def test_a_card_is_banned_limited_and_lifted(desk: Client) -> None:
    imports.take_over(imports.look_at(default_game(), "a.csv", file(FIRST, SECOND)).record)
    where = "/cartas/restricciones/?game=kounter"
    desk.post(where, {"card": "farolera inventada", "since": "2026-12-12", "copies": "0"})
    desk.post(where, {"card": "MI9-002", "since": "2026-12-12", "copies": ""})
    found = Restriction.objects.order_by("card__code").values_list("card__code", "copies")
    assert list(found) == [("MI9-001", 0), ("MI9-002", None)]
    desk.post(where, {"card": "MI9-001", "since": "2026-12-12", "copies": "1"})
    assert Restriction.objects.get(card__code="MI9-001").copies == 1
    text = page(desk.get(where))
    assert "2 bans and limits" in text
    assert "at most 1" in text
    version = default_game().catalogue_version
    desk.post(where, {"remove": str(Restriction.objects.get(card__code="MI9-001").pk)})
    assert Restriction.objects.count() == 1
    assert default_game().catalogue_version == version + 1


@pytest.mark.parametrize(
    ("typed", "words"),
    [("farolera inventadda", "Perhaps: Farolera Inventada (MI9-001)"), ("zzzzzz", "There is no such card")],
)
def test_a_card_that_is_not_there_is_not_banned(desk: Client, typed: str, words: str) -> None:
    imports.take_over(imports.look_at(default_game(), "a.csv", file(FIRST)).record)
    answer = desk.post("/cartas/restricciones/?game=kounter", {"card": typed, "since": "2026-12-12", "copies": "0"})
    assert answer.status_code == 422
    assert words in page(answer)
    assert f'value="{typed}"' in page(answer)
    assert not Restriction.objects.exists()
