"""The rulebook: same rules in both languages, numbers as TOURNAMENT_RULES counts them, every citation resolves."""

import doctest
import re
from pathlib import Path

import pytest

from players.names import fold
from tournaments.rulebook import book
from tournaments.swiss.presets import PRESETS

ROOT = Path(__file__).parents[2]
ROOMS = ("kounter_site", "ranking", "tournaments", "decks", "players", "templates")
CITATION = re.compile(r"""\brule(?:=|["']:\s*|\s+)["'](\d+(?:\.\d+)*)["']""")

# Every numbered paragraph of TOURNAMENT_RULES 1-9 (presets of 2.4, criteria of 4.1 one level down), then the ranking.
NUMBERS = {
    *(f"1.{n}" for n in range(1, 6)),
    *(f"2.{n}" for n in range(1, 8)), *(f"2.4.{n}" for n in range(1, 6)),
    "3.1", "3.2", "3.3",
    *(f"4.{n}" for n in range(1, 8)), *(f"4.1.{n}" for n in range(1, 9)),
    *(f"5.{n}" for n in range(1, 7)),
    *(f"6.{n}" for n in range(1, 6)),
    *(f"7.{n}" for n in range(1, 7)),
    *(f"8.{n}" for n in range(1, 6)),
    "9.1", "9.2", "9.3",
    *(f"10.{n}" for n in range(1, 10)),
    *(str(n) for n in range(1, 11)),
}  # fmt: skip


def test_every_paragraph_of_the_specification_has_a_rule_with_its_number() -> None:
    assert {rule.number for rule in book.book("es")} == NUMBERS


@pytest.mark.parametrize("lang", book.LANGUAGES)
def test_ids_and_numbers_are_unique(lang: str) -> None:
    rules = list(book.book(lang))
    for values in ([rule.id for rule in rules], [rule.number for rule in rules]):
        assert len(values) == len(set(values))


def test_both_languages_have_the_same_rules_references_and_tables() -> None:
    def shape(lang: str) -> list[tuple[object, ...]]:
        return [
            (rule.id, rule.number, sorted(book.REFERENCE.findall(rule.text)), len(rule.rows), len(rule.blocks))
            for rule in book.book(lang)
        ]

    assert shape("es") == shape("en")
    assert [version.number for version in book.book("es").versions] == [v.number for v in book.book("en").versions]


@pytest.mark.parametrize("lang", book.LANGUAGES)
def test_every_reference_resolves_and_shows_todays_number(lang: str) -> None:
    pieces = [p for rule in book.book(lang) for block in rule.blocks for line in block.lines for p in line if p.id]
    assert len(pieces) >= 10
    assert all(book.rule(piece.id, lang).number == piece.text for piece in pieces)


def test_a_reference_to_nothing_is_an_error() -> None:
    with pytest.raises(book.UnknownRule):
        book._pieces("see [[no-such-rule]]", {"corte": "7"})


@pytest.mark.parametrize("lang", book.LANGUAGES)
def test_numbers_stand_in_their_section_and_in_order(lang: str) -> None:
    for section in book.sections(lang):
        numbers = [tuple(map(int, rule.number.split("."))) for rule in section.rules]
        assert numbers == sorted(numbers)
        assert {number[0] for number in numbers} == {int(section.number)}


def test_tables_are_rectangular() -> None:
    tables = [rule for rule in book.book("es") if rule.rows]
    assert {rule.id for rule in tables} == {"tabla-de-rondas", "puntos-de-circuito"}
    assert all(len(row) == len(rule.head) for rule in tables for row in rule.rows)


def test_lookup_by_number_and_by_id() -> None:
    assert book.resolve("4.1.2") == "descanso-unico"
    assert book.rule("descanso-unico").number == "4.1.2"
    assert book.rule("3").title == "Cuántas rondas"
    assert book.rule("3", "en-gb").title == "How many rounds"
    with pytest.raises(book.UnknownRule):
        book.resolve("4.1.99")


def test_languages_without_a_text_get_spanish() -> None:
    assert book.language("es-mx") == "es"
    assert book.language("en-us") == "en"
    assert book.language("ca") == "es"


def test_search_ignores_accents_and_case_and_wants_every_word() -> None:
    assert [rule.id for rule in book.search("ASCENSION")] == ["formas-de-ganar"]
    assert [rule.id for rule in book.search("Ascensión")] == ["formas-de-ganar"]
    both = book.search("descanso asignado")
    assert all("descanso" in rule.key and "asignado" in rule.key for rule in both)
    assert {rule.number for rule in both} >= {"4.1.1", "4.1.2"}
    assert book.search("xilófono") == []
    assert [rule.number for rule in book.search("top 8 409")] == ["3.1"]
    assert len(book.search("")) == len(NUMBERS) - 10


def test_spanish_is_written_in_spanish_and_english_in_english() -> None:
    """A rule copied over without its translation would be the same text in both."""
    pairs = zip(book.book("es"), book.book("en"), strict=True)
    same = [es.id for es, en in pairs if (es.text and es.text == en.text) or fold(es.title) == fold(en.title)]
    assert same == ["ranking"]


def test_nothing_is_quoted_from_the_specification_markers() -> None:
    assert not re.search(r"`|\*\*|OMW%", "".join(rule.text for lang in book.LANGUAGES for rule in book.book(lang)))


def citations() -> list[tuple[str, str]]:
    """(place, number) of each literal in the code base: rule="4.1.2", "rule": "4.1.2" or {% rule "4.1.2" %}."""
    files = (path for room in ROOMS for path in (ROOT / room).rglob("*") if path.suffix in {".py", ".html"})
    return [
        (str(path.relative_to(ROOT)), number)
        for path in sorted(files)
        for number in CITATION.findall(path.read_text(encoding="utf-8"))
    ]


def test_the_pattern_finds_each_way_of_citing() -> None:
    code = """Refused(_("No"), code="x", rule="5.6") {"rule": "4.3"} {% rule "2.2" %} dict(rule='1.5') rules = "9.9" """
    assert CITATION.findall(code) == ["5.6", "4.3", "2.2", "1.5"]


def test_every_citation_in_the_code_resolves() -> None:
    found = citations()
    assert found, "the code base cites no rule: the pattern has come loose"
    broken = [(place, number) for place, number in found if number not in NUMBERS]
    assert broken == []


def test_worked_examples() -> None:
    assert doctest.testmod(book).failed == 0


def test_every_preset_has_a_rule_of_its_own() -> None:
    rules = {name: book.resolve(preset.rule) for name, preset in PRESETS.items()}
    assert rules == {
        "mtr": "desempates",
        "play_pokemon": "otro-orden-rivales",
        "match_wins": "orden-victorias",
        "buchholz": "orden-buchholz",
        "goals": "orden-goles",
        "cumulative": "orden-acumulado",
        "pods": "orden-mesas",
    }
