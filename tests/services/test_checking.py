"""decks/services/checking.py: every line answers, every fix is a tap, and tapping comes to an end (CASES 75-81, 85)."""

from datetime import date
from typing import Any

import pytest
from django.utils import translation
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from decks.models import Game
from decks.services import games as stored
from decks.services.checking import MOST_LINES, NO_TAP, Checked, Row, Tap, TooLong, check, clean_narrowing, fix_key
from decks.services.submissions import Terms
from tests import lists
from tests.core.decks.lists import CARDS, kickon_deck, legal_deck, written

pytestmark = pytest.mark.django_db
TODAY = date(2026, 6, 12)
LEGENDARY = next(card.name for card in CARDS if card.element == "fuego" and card.rarity == "legendario")
STRANGER = next(card.name for card in CARDS if card.element == "agua" and card.rarity == "basico")
TOKEN = next(card.name for card in CARDS if card.type == "ficha")


@pytest.fixture
def kounter(game: Game) -> Game:
    return lists.fill_catalogue(game)


@pytest.fixture
def kickon(db: None) -> Game:
    return lists.fill_catalogue(stored.game("kickon"))


def asked(game: Game, text: str, tap: Tap = NO_TAP, **terms: Any) -> Checked:
    return check(text, Terms(game, TODAY, **terms), tap)


def row(checked: Checked, number: int) -> Row:
    return next(row for row in checked.rows if row.number == number)


def keys(checked: Checked) -> list[str]:
    return [offer.key for row in checked.rows for told in row.told for offer in told.offers]


def misspelt() -> str:
    """A legal deck with three names a letter wrong."""
    rows = written(legal_deck()).splitlines()
    for number in (0, 4, 7):
        count, name = rows[number].split(" ", 1)
        rows[number] = f"{count} {name[:2]}{name[3:]}"
    return "\n".join(rows)


def test_each_line_has_its_verdict(kounter: Game) -> None:
    text = f"# mazo\n2 {LEGENDARY}\n4 {STRANGER}\n4 Duende Chispero\n2 {TOKEN}\n4 Duende Chispeiro\n0 Lobo Consejero"
    checked = asked(kounter, text)
    states = {each.number: each.state for each in checked.rows}
    assert (states[1], states[2], states[5], states[6], states[7]) == ("aside", "problem", "free", "doubt", "problem")
    assert [offer.label for offer in row(checked, 2).told[0].offers] == ["Dejar 1"]
    assert [offer.label for offer in row(checked, 6).told[0].offers] == ["Poner «Duende Chispero»"]


def test_a_legal_deck_says_so_and_what_it_is_made_of(kounter: Game) -> None:
    checked = asked(kounter, written(legal_deck()))
    assert (checked.legal, checked.good, checked.needed, checked.size, checked.element) == (True, 40, 40, 40, "fuego")
    assert {part.slug: (part.count, part.right) for part in checked.parts} == {"mazo": (40, True), "fichas": (0, True)}
    assert sum(share.count for share in checked.types) == 40
    assert [share.slug for share in checked.types] == ["unidad", "mejora", "trampa"]
    assert sum(cost.count for cost in checked.curve) == 40
    units = next(share.count for share in checked.types if share.slug == "unidad")
    assert sum(cost.units for cost in checked.curve) == units == sum(side.units for side in checked.sides)


@pytest.mark.parametrize(("units", "on"), [(1, False), (2, True)])
def test_a_combo_switches_on_with_two_units(kounter: Game, units: int, on: bool) -> None:
    unit = next(card for card in CARDS if card.faction == "tribu-goblin" and card.type == "unidad")
    (side,) = asked(kounter, f"{units} {unit.name}").sides
    assert (side.name, side.count, side.units, side.on) == ("Tribu Goblin", units, units, on)
    assert bool([told for told in asked(kounter, f"{units} {unit.name}").advice if told.rule == "combo"]) is not on


def test_cards_that_are_right_are_counted_without_the_wrong_ones(kounter: Game) -> None:
    """As the look shows it: a legendary too many, a name misspelt, a card of another element."""
    deck = legal_deck("fuego", 32)
    count = deck.pop(LEGENDARY, 0)
    extra = f"2 {LEGENDARY}\n4 {STRANGER}\n{count + 2} Zzyzx Qwertz"
    checked = asked(kounter, f"{written(deck)}\n{extra}")
    assert checked.good == 32 - count + 1
    assert not checked.legal


def test_three_misspelt_lines_are_mended_by_three_taps(kounter: Game) -> None:
    checked = asked(kounter, misspelt())
    assert [each.number for each in checked.rows if each.state == "doubt"] == [1, 5, 8]
    for _ in range(3):
        checked = asked(kounter, checked.text, Tap(fix=keys(checked)[0]))
    assert (checked.legal, checked.text) == (True, written(legal_deck()))


def test_what_was_tapped_is_told_and_can_be_taken_back(kounter: Game) -> None:
    checked = asked(kounter, misspelt())
    after = asked(kounter, checked.text, Tap(fix=keys(checked)[0]))
    assert after.before == checked.text
    assert after.did.startswith("Poner «")


def test_a_tap_for_another_text_changes_nothing(kounter: Game) -> None:
    """The list went on being typed while the answer was on its way."""
    key = keys(asked(kounter, misspelt()))[0]
    moved = f"1 {STRANGER}\n{misspelt()}"
    assert (asked(kounter, moved, Tap(fix=key)).text, asked(kounter, moved, Tap(fix=key)).before) == (moved, None)


def test_a_card_is_added_and_taken_by_its_code(kounter: Game) -> None:
    added = asked(kounter, "", Tap(more=CARDS[0].code))
    assert (added.text, added.did) == (f"1 {CARDS[0].name}", f"+1 {CARDS[0].name}")
    assert asked(kounter, added.text, Tap(fewer=CARDS[0].code)).text == ""
    assert asked(kounter, "3 algo", Tap(more="no existe")).text == "3 algo"


def test_what_concerns_several_lines_is_said_at_the_first(kounter: Game) -> None:
    """CASES 77: 3 + 1 of a common card."""
    name = next(card.name for card in CARDS if card.element == "fuego" and card.rarity == "comun")
    checked = asked(kounter, f"2 {name}\n3 {name}\n1 {name}")
    assert [(each.state, each.see) for each in checked.rows] == [("ok", None), ("problem", None), ("problem", 2)]
    mended = asked(kounter, checked.text, Tap(fix=keys(checked)[0]))
    assert mended.text == f"2 {name}\n1 {name}"


def test_a_format_and_what_an_event_narrows_are_judged(kounter: Game) -> None:
    text = written(legal_deck())
    assert asked(kounter, text, format="temporada-de-fuego").legal
    assert not asked(kounter, text, format="temporada-de-agua").legal
    assert not asked(kounter, text, narrowing={"copies": 1}).legal


def test_the_day_decides(kounter: Game) -> None:
    """CASES 83."""
    name = next(iter(legal_deck()))
    lists.ban(name, date(2026, 6, 12))
    text = written(legal_deck())
    assert check(text, Terms(kounter, date(2026, 6, 11))).legal
    assert not check(text, Terms(kounter, date(2026, 6, 12))).legal


def test_kick_on_counts_its_sections(kickon: Game) -> None:
    text = "\n\n".join(f"{name}:\n{written(lying)}" for name, lying in kickon_deck().items())
    checked = asked(kickon, text)
    assert checked.legal
    assert (checked.needed, checked.good) == (60, 60)
    assert {part.slug: part.count for part in checked.parts} == {"mazo": 50, "titulares": 7, "suplentes": 3}


def test_a_game_without_decks_says_so(db: None) -> None:
    checked = asked(stored.game("ataquerrr"), "40 cosas")
    assert (checked.closed, checked.rows == (), len(checked.whole)) == (True, False, 1)
    assert "no hace falta lista" in checked.whole[0].text


def test_what_is_no_list_is_said_to_be_none(kounter: Game) -> None:
    """CASES 85."""
    (told,) = asked(kounter, "https://example.test/mazo/1").whole
    assert told.text.startswith("No entiendo este formato")


def test_problems_are_said_in_english(kounter: Game) -> None:
    with translation.override("en"):
        checked = asked(kounter, "4 Duende Chispeiro")
    assert row(checked, 1).told[0].text.startswith("There is no card called")
    assert row(checked, 1).told[0].offers[0].label == "Use “Duende Chispero”"


@pytest.mark.parametrize("text", ["x" * 20_001, "1 a\n" * MOST_LINES + "1 b"])
def test_a_list_without_end_is_not_read(kounter: Game, text: str) -> None:
    with pytest.raises(TooLong):
        asked(kounter, text)


@pytest.mark.parametrize(
    "given",
    [[], {"date": 1}, {"copies": "2"}, {"copies": True}, {"copies": -1}, {"elements": "agua"}, {"one": ["rarity"]},
     {"factions": [1]}, {"elements": ["a"] * 51}],
)  # fmt: skip
def test_a_narrowing_from_outside_is_looked_at(given: object) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        clean_narrowing(given)


def test_a_narrowing_of_ours_passes() -> None:
    given = {"elements": ["fuego"], "one": ["faction"], "copies": 1}
    assert clean_narrowing(given) == given


MISSPELT = [card.name[:3] + card.name[4:] for card in CARDS[::9]]
LINES = st.one_of(
    st.builds("{} {}".format, st.integers(0, 9), st.sampled_from([card.name for card in CARDS[::9]])),
    st.builds("{} {}".format, st.integers(1, 4), st.sampled_from(MISSPELT)),
    st.sampled_from(
        ["Fichas:", "Mazo:", "Sideboard:", "Unidades", "# nota", "", "3", "Torre", "1 MI1-001 Lobo Consejero", "Lobo",
         "Fichas: 2 Lobo Consejero", "99999 Lobo Consejero", "x2 de algo", "- 2 Lobo Consejero", "1 de", "40 cartas"]
    ),
)  # fmt: skip
MANY = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@MANY
@given(st.lists(LINES, max_size=14), st.data())
def test_tapping_always_ends_and_never_loses_another_line(kounter: Game, typed: list[str], data: st.DataObject) -> None:
    """Whatever fix is tapped, in whatever order: only its own lines change, blank ones apart, until none is left."""
    checked = asked(kounter, "\n".join(typed))
    for _ in range(4 * len(typed) + 4):
        offered = [(each, told, offer) for each in checked.rows for told in each.told for offer in told.offers]
        if not offered:
            break
        _row, _told, offer = data.draw(st.sampled_from(offered))
        fix = next(fix for fix in fixes(checked) if fix[0] == offer.key)
        touched = {edit.line for edit in fix[1].edits if edit.line}
        others = [line for n, line in enumerate(checked.text.splitlines(), 1) if line.strip() and n not in touched]
        checked = asked(kounter, checked.text, Tap(fix=offer.key))
        assert checked.before is not None, "the tap did something"
        assert in_order(others, checked.text.splitlines())
    else:
        pytest.fail(f"still something to tap: {checked.text!r}")


def fixes(checked: Checked) -> list[tuple[str, Any]]:
    rows = checked.text.splitlines()
    return [(fix_key(rows, fix), fix) for problem in checked.verdict.problems for fix in problem.fixes]


def in_order(some: list[str], every: list[str]) -> bool:
    left = iter(every)
    return all(line in left for line in some)
