"""`check_deck` on the files of tests/decks: the answer, the rules it names and the exit code (DESIGN, command line)."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

FOLDER = Path(__file__).resolve().parents[2] / "decks"
BROKEN = {
    "kounter-legal-fuego": {},
    "kounter-legal-agua-con-fichas": {},
    "kounter-legal-escrito-de-muchas-maneras": {},
    "kounter-ilegal-39": {"tamano"},
    "kounter-ilegal-41": {"tamano"},
    "kounter-ilegal-cinco-copias": {"copias"},
    "kounter-ilegal-dos-elementos": {"elemento"},
    "kounter-ilegal-tres-nombres-mal": {"carta", "tamano"},
    "kounter-ilegal-pagina-web": {"lista"},
    "kickon-legal": {},
    "kickon-ilegal-sin-arquero": {"arquero-titular", "titulares"},
}


def asked(capsys: Any, *files: Path, game: str) -> tuple[int, list[dict[str, Any]]]:
    with pytest.raises(SystemExit) as left:
        call_command("check_deck", *map(str, files), "--game", game, "--date", "2026-06-12", "--language", "es")
    return int(left.value.code or 0), [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_the_folder_and_the_table_are_the_same() -> None:
    assert {file.stem for file in FOLDER.glob("*.txt")} == set(BROKEN)


@pytest.mark.parametrize("name", BROKEN)
def test_each_file_is_judged(name: str, capsys: Any) -> None:
    code, (told,) = asked(capsys, FOLDER / f"{name}.txt", game=name.split("-")[0])
    assert (code, told["legal"]) == (int(bool(BROKEN[name])), not BROKEN[name])
    assert {problem["rule"] for problem in told["problems"]} == set(BROKEN[name])
    assert all(problem["message"] for problem in told["problems"])


def test_problems_name_their_lines(capsys: Any) -> None:
    _code, (told,) = asked(capsys, FOLDER / "kounter-ilegal-tres-nombres-mal.txt", game="kounter")
    assert [problem["line"] for problem in told["problems"]] == [1, 2, 3, None]


def test_several_files_answer_a_line_each_and_the_worst_decides(capsys: Any, tmp_path: Path) -> None:
    broken = tmp_path / "roto.txt"
    broken.write_bytes(b"\x00\x01\x02")
    files = [FOLDER / "kounter-legal-fuego.txt", FOLDER / "kounter-ilegal-39.txt"]
    code, told = asked(capsys, *files, game="kounter")
    assert (code, [each["legal"] for each in told]) == (1, [True, False])
    code, told = asked(capsys, *files, broken, tmp_path / "no-esta.txt", game="kounter")
    assert (code, [each.get("legal") for each in told]) == (2, [True, False, None, None])
    assert all("error" in each for each in told[2:])
