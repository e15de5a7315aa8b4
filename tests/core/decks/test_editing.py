"""A card more or fewer by tapping: the list says what was tapped, and nothing else in it changes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from decks.rules.cards import Card
from decks.rules.decklist import Is, Line, read
from decks.rules.demo import demonstration
from decks.rules.editing import fewer, more
from decks.rules.games import Game
from tests.core.decks.lists import CARDS, KICKON, KOUNTER, kickon_deck, legal_deck, written

KICKON_CARDS = demonstration("kickon").cards
HOUND, HERALD = CARDS[12], CARDS[0]


def lines(text: str, game: Game = KOUNTER) -> list[Line]:
    return [line for line in read(text, game, demonstration(game.slug)).lines if line.kind is not Is.BLANK]


def held(text: str, game: Game = KOUNTER) -> dict[tuple[Card, str], int]:
    """Copies by card and section."""
    found: dict[tuple[Card, str], int] = {}
    for line in lines(text, game):
        if line.kind is Is.CARD and line.card:
            found[line.card, line.section] = found.get((line.card, line.section), 0) + line.count
    return found


def one_more(text: str, card: Card, game: Game = KOUNTER) -> str:
    return more(text, card, game, demonstration(game.slug))


def one_fewer(text: str, card: Card, game: Game = KOUNTER) -> str:
    return fewer(text, card, game, demonstration(game.slug))


def test_the_first_card_begins_a_list() -> None:
    assert one_more("", HOUND) == f"1 {HOUND.name}"


def test_the_line_that_has_it_counts_one_more_and_keeps_its_writing() -> None:
    typed = f"# mis lobos\n2x {HOUND.name.upper()}\n3 {HERALD.name}"
    assert one_more(typed, HOUND) == f"# mis lobos\n3 {HOUND.name.upper()}\n3 {HERALD.name}"


def test_the_last_copy_takes_its_line_along() -> None:
    typed = f"1 {HOUND.name}\n3 {HERALD.name}"
    assert one_fewer(typed, HOUND) == f"3 {HERALD.name}"
    assert one_fewer(f"3 {HERALD.name}", HOUND) == f"3 {HERALD.name}"


def test_a_card_goes_among_its_like_though_another_part_comes_last() -> None:
    token = next(card for card in CARDS if card.type == "ficha")
    typed = f"Mazo:\n3 {HERALD.name}\n\nFichas:\n2 {token.name}"
    assert one_more(typed, HOUND) == f"Mazo:\n3 {HERALD.name}\n1 {HOUND.name}\n\nFichas:\n2 {token.name}"


def test_below_tokens_alone_a_card_of_the_deck_brings_its_heading() -> None:
    token = next(card for card in CARDS if card.type == "ficha")
    assert held(one_more(f"Fichas:\n2 {token.name}", HOUND))[HOUND, "mazo"] == 1


def test_players_fill_the_starters_and_then_the_substitutes() -> None:
    text, players = "", [card for card in KICKON_CARDS if card.type == "player"][:10]
    for card in players:
        text = one_more(text, card, KICKON)
    sections = [line.section for line in lines(text, KICKON) if line.kind is Is.CARD]
    assert sections == ["titulares"] * 7 + ["suplentes"] * 3


def test_what_makes_no_sense_stays_as_it_is() -> None:
    page = "<!doctype html><p>3 lobos"
    assert one_more(page, HOUND) == page


KOUNTER_LINES = st.sampled_from(
    [
        *(f"{n} {card.name}" for n, card in enumerate(CARDS[:40], 1)),
        "Mazo:",
        "Fichas:",
        "Unidades",
        "Sideboard",
        "# nota",
        "",
        "3 Muraya Imperial",
        "no hay quien lo lea",
        "Fichas: 2 Centella",
        "0 Lobo Consejero",
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(KOUNTER_LINES, max_size=12), st.sampled_from([*CARDS[:14], *CARDS[-8:]]))
def test_one_more_is_one_more_and_taking_it_back_gives_the_same_cards(typed: list[str], card: Card) -> None:
    text = "\n".join(typed)
    before, after = held(text), held(one_more(text, card))
    grown = {key: after[key] - before.get(key, 0) for key in after if after[key] != before.get(key, 0)}
    assert list(grown.values()) == [1]
    assert next(iter(grown))[0] is card
    assert before.keys() <= after.keys()
    others = [line.text for line in lines(text) if line.card is not card]
    kept = [line.text for line in lines(one_more(text, card)) if line.card is not card]
    assert [each for each in kept if each in others] == others
    assert sum(held(one_fewer(one_more(text, card), card)).values()) == sum(before.values())


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_deck_can_be_tapped_together_in_any_order(data: st.DataObject) -> None:
    wanted = [name for name, count in legal_deck().items() for _ in range(count)]
    text, cards = "", demonstration("kounter")
    for name in data.draw(st.permutations(wanted)):
        text = one_more(text, cards.find(name).cards[0])
    assert sorted(text.splitlines()) == sorted(written(legal_deck()).splitlines())


@pytest.mark.parametrize("section", ["Mazo", "Titulares", "Suplentes"])
def test_one_more_of_a_full_deck_grows_the_part_it_stands_in(section: str) -> None:
    deck = kickon_deck()
    text = "\n\n".join(f"{name}:\n{written(lying)}" for name, lying in deck.items())
    card = demonstration("kickon").find(next(iter(deck[section]))).cards[0]
    before, after = held(text, KICKON), held(one_more(text, card, KICKON), KICKON)
    assert sum(after.values()) == sum(before.values()) + 1
