"""What players write (CASES 75-77, 80, 81, 85), and `manage.py check_deck` (DESIGN, command line)."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from decks.rules.decklist import Is, read
from decks.rules.demo import demonstration
from tests.core.decks.lists import KOUNTER, broken, cards, judged, legal_deck, written

NAME = "Duende Chispero"


def understood(line: str) -> tuple[int, str] | None:
    """(copies, card) of the one line, None when it is no card."""
    (found,) = [each for each in read(line, KOUNTER, demonstration("kounter")).lines if each.kind is not Is.OUTSIDE]
    return (found.count, found.card.name) if found.card else None


@pytest.mark.parametrize(
    "line",
    [
        f"2 {NAME}",
        f"2x {NAME}",
        f"2 x {NAME}",
        f"{NAME} x2",
        f"{NAME} ×2",
        f"2\u00a0{NAME}",
        f"2\t{NAME}",
        f'2 "{NAME}"',
        f"2 «{NAME}»",
        f"- 2 {NAME}",
        f"\ufeff2 {NAME}",
        f"2 {NAME.upper()}",
        "2 duende  chispero",
        "2 MI1-205",
        "2 MIP-005",
    ],
)
def test_case_76_a_line_may_be_written_in_many_ways(line: str) -> None:
    assert understood(line) == (2, NAME)


def test_case_75_accents_and_capitals_do_not_matter() -> None:
    name = next(card.name for card in cards(element="agua") if "á" in card.name)
    assert understood(f"3 {name.replace('á', 'A').upper()}") == (3, name)


@pytest.mark.parametrize(("lines", "over"), [(["3", "3", "3", "3"], True), (["2", "1"], False)])
def test_case_77_copies_add_up_over_lines(lines: list[str], over: bool) -> None:
    common = next(card.name for card in cards(element="fuego", rarity="comun"))
    verdict = judged("\n".join(f"{count} {common}" for count in lines))
    assert ("copias" in broken(verdict)) is over


@pytest.mark.parametrize(("size", "legal"), [(39, False), (40, True), (41, False)])
def test_case_81_forty_and_no_other_number(size: int, legal: bool) -> None:
    assert judged(legal_deck("fuego", size)).legal is legal


@pytest.mark.parametrize("text", ["<html><body>Mazo</body></html>", "https://cartas.example/mazo/77", "", "\n\n"])
def test_case_85_what_is_no_list_is_said_to_be_none(text: str) -> None:
    verdict = judged(text)
    assert not verdict.legal
    assert len(verdict.problems) >= 1
    assert all(problem.rule.id in {"lista", "carta"} for problem in verdict.problems)


def test_a_sideboard_is_no_part_of_this_game_and_is_named() -> None:
    verdict = judged(f"{written(legal_deck())}\n\nBanquillo:\n1 {NAME}")
    assert broken(verdict) == {"secciones"}


# -- the command -------------------------------------------------------------------------------------------------------
def answers(*arguments: str) -> tuple[int, list[dict[str, Any]]]:
    out = io.StringIO()
    with pytest.raises(SystemExit) as left:
        call_command("check_deck", *arguments, "--game", "kounter", "--date", "2026-06-12", stdout=out, stderr=out)
    lines = [line for line in out.getvalue().splitlines() if line.startswith("{")]
    return int(left.value.code or 0), [json.loads(line) for line in lines]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    short = written(legal_deck("fuego", 39)).replace(NAME, "Duende Chispeor")
    texts = {
        "good": written(legal_deck()).encode(),
        "bad": short.encode(),
        "latin": written(legal_deck("agua")).encode("cp1252"),
    }
    texts["picture"] = bytes(range(256)) * 4
    for name, data in texts.items():
        (tmp_path / name).write_bytes(data)
    return {name: str(tmp_path / name) for name in texts}


def test_a_legal_deck_is_a_yes_whatever_its_encoding(files: dict[str, str]) -> None:
    code, lines = answers(files["good"], files["latin"])
    assert (code, [line["legal"] for line in lines]) == (0, [True, True])


def test_an_illegal_one_is_a_no_with_lines_and_rules(files: dict[str, str]) -> None:
    code, (line,) = answers(files["bad"])
    assert code == 1
    assert {problem["rule"] for problem in line["problems"]} >= {"tamano"}
    assert all(problem["message"] for problem in line["problems"])


def test_a_broken_file_has_its_line_and_the_others_still_answer(files: dict[str, str]) -> None:
    code, lines = answers(files["picture"], files["good"], "/no/such/file")
    assert code == 2
    assert ["error" in line for line in lines] == [True, False, True]


def test_an_unknown_format_is_refused_with_those_there_are(files: dict[str, str]) -> None:
    with pytest.raises(CommandError, match="una-copia") as refusal:
        call_command("check_deck", files["good"], "--game", "kounter", "--format", "ninguno")
    assert refusal.value.returncode == 2
