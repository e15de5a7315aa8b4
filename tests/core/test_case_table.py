"""docs/cases.md: every case that must be a test has one, and every test that it names is there."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLE = (ROOT / "docs" / "cases.md").read_text("utf-8")
NAMED = {
    1, 3, 5, 6, 7, 9, 11, 12, 15, 16, 17, 18, 19, 20, 21, 24, 25, 26, 27, 29, 31, 32, 34, 35, 36, 37, 39, 40, 42, 43,
    44, 46, 47, 48, 50, 51, 62, 64, 65, 67, 69, 70, 71, 72, 73, 75, 76, 77, 78, 80, 81, 83, 85, 87, 88, 89,
}  # fmt: skip
TEST = re.compile(r"`(tests/[\w/]+\.py)::(?:(\w+)::)?(test_\w+)`")


def rows() -> dict[int, str]:
    found = re.findall(r"^\| (\d+) \| (.*) \|$", TABLE, re.M)
    assert len(found) == len({number for number, _ in found}), "a case has one row"
    return {int(number): text for number, text in found}


def is_there(path: str, group: str, name: str) -> bool:
    file = ROOT / path
    text = file.read_text("utf-8") if file.is_file() else ""
    function = rf"^{'    ' if group else ''}def {name}\("
    return bool(re.search(function, text, re.M)) and (not group or f"class {group}:" in text)


def test_every_named_case_has_a_row_with_tests() -> None:
    assert set(rows()) == NAMED
    assert [number for number, text in rows().items() if not TEST.search(text)] == []


def test_every_test_of_the_table_exists() -> None:
    named = TEST.findall(TABLE)
    assert len(named) == TABLE.count("::test_"), "the pattern reads every name"
    assert len(named) > 90
    assert [each for each in named if not is_there(*each)] == []


def test_a_test_that_is_not_there_is_seen() -> None:
    assert not is_there("tests/core/test_cases.py", "", "test_nobody_wrote_this")
    assert not is_there("tests/core/nowhere.py", "", "test_case_05_no_pairing_of_ten_has_a_smaller_gap")
    assert not is_there("tests/services/test_people.py", "TestNobody", "test_lists_sort_in_spanish_order")


def test_tests_that_carry_a_number_stand_in_the_table_or_beside_one_that_does() -> None:
    """`test_case_NN_...` of the files made for this speak of cases that the table knows."""
    files = ("tests/core/test_cases.py", "tests/services/test_cases.py", "tests/web/test_cases.py")
    numbers = {int(n) for file in files for n in re.findall(r"def test_case_(\d+)_", (ROOT / file).read_text("utf-8"))}
    assert numbers
    assert numbers <= NAMED
