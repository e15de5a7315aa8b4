"""A player's own decks: versions, links, copies (UX, Player; CASES 87)."""

from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from decks.models import Deck, Submission
from decks.queries import browsed, decks_of, search, shared_deck
from decks.services import decks
from decks.services.decks import DeckRefused, Move
from decks.services.games import default_game
from decks.services.submissions import Terms, judge
from tests import lists, make

pytestmark = pytest.mark.django_db
DAY = date(2026, 3, 12)


@pytest.fixture
def kounter(game: object) -> Any:
    return lists.fill_catalogue()


@pytest.fixture
def deck(kounter: Any) -> Deck:
    return decks.create(make.make_player(), kounter, "  Brasa   lenta ", lists.text(), on=DAY)


def test_a_deck_begins_with_its_first_version(deck: Deck) -> None:
    version = deck.versions.get()
    assert (deck.name, version.number, version.size, version.element and version.element.slug) == (
        "Brasa lenta", 1, 40, "fuego",
    )  # fmt: skip
    assert deck.share is None


def test_only_a_list_that_changed_makes_a_version(deck: Deck) -> None:
    assert decks.save(deck, lists.text() + "\r\n", based_on=1, on=DAY, name="Otro nombre") == 1
    assert decks.save(deck, lists.short(), based_on=1, on=DAY, name="Otro nombre", note="Una menos") == 2
    deck.refresh_from_db()
    assert (deck.name, [v.number for v in deck.versions.all()]) == ("Otro nombre", [2, 1])


def test_two_tabs_never_overwrite_each_other_in_silence(deck: Deck) -> None:
    decks.save(deck, lists.short(), based_on=1, on=DAY)
    with pytest.raises(DeckRefused) as refusal:
        decks.save(deck, "4 Vigía de Kuran Delii", based_on=1, on=DAY)
    assert refusal.value.code == "moved"
    assert decks.save(deck, "4 Vigía de Kuran Delii", based_on=2, on=DAY) == 3


def test_an_old_version_comes_back_as_the_newest(deck: Deck) -> None:
    decks.save(deck, lists.short(), based_on=1, on=DAY)
    assert decks.restore(deck, 1, on=DAY) == 3
    assert [v.text for v in deck.versions.all()] == [lists.text(), lists.short(), lists.text()]
    with pytest.raises(DeckRefused):
        decks.restore(deck, 9, on=DAY)


def test_what_changed_is_told_by_card(deck: Deck, kounter: Any) -> None:
    first, *rest = lists.lines()
    count, name = first.split(" ", 1)
    moved = decks.moves(lists.text(), "\n".join([f"1 {name.upper()}", *rest, "2 No existe"]), Terms(kounter, DAY))
    assert Move(name, 1 - int(count)) in moved or int(count) == 1
    assert any(move.name.endswith("No existe") for move in moved)


def test_a_link_is_secret_stays_and_is_taken_back(deck: Deck) -> None:
    token = decks.share(deck)
    assert (len(token) > 20, decks.share(deck), shared_deck(token)) == (True, token, deck)
    decks.unshare(deck)
    assert shared_deck(token) is None
    assert shared_deck("") is None
    assert decks.share(deck) != token


def test_a_copy_is_private_and_knows_where_it_comes_from(deck: Deck) -> None:
    decks.share(deck)
    made = decks.copy(deck, make.make_player(), on=DAY)
    assert (made.share, made.copied_from, made.versions.get().text) == (None, deck, lists.text())


def test_case_87_what_was_handed_in_outlives_its_deck(deck: Deck) -> None:
    event = lists.make_asking(1)
    row = event.registrations.get()
    handed = lists.hand_in([row], version=deck.versions.get())[0]
    decks.save(deck, lists.short(), based_on=1, on=DAY)
    decks.delete(deck)
    handed = Submission.objects.get(pk=handed.pk)
    assert (handed.text, handed.deck_version) == (lists.text(), None)


def test_there_is_an_end_to_everything(deck: Deck, kounter: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DeckRefused) as refusal:
        decks.save(deck, "x" * 20_001, based_on=1, on=DAY)
    assert refusal.value.code == "long"
    monkeypatch.setattr(decks, "MOST_DECKS", 1)
    with pytest.raises(DeckRefused) as refusal:
        decks.copy(deck, deck.owner, on=DAY)
    assert refusal.value.code == "many"


def test_decks_of_a_person_cost_one_query(deck: Deck, kounter: Any, django_assert_num_queries: Any) -> None:
    decks.create(deck.owner, kounter, "Otra", lists.text("luz"), on=DAY)
    with django_assert_num_queries(1):
        rows = [(row.name, row.size, row.element_slug) for row in decks_of([deck.owner_id])]  # type: ignore[attr-defined]
    assert rows == [("Otra", 40, "luz"), ("Brasa lenta", 40, "fuego")]


@settings(max_examples=25, deadline=None)
@given(element=st.sampled_from(["luz", "agua", "fuego", "tecnologia"]), seed=st.randoms(use_true_random=False))
def test_what_is_exported_is_the_same_deck(element: str, seed: Any) -> None:
    from decks.models import Card

    if not Card.objects.exists():
        lists.fill_catalogue(default_game())
    lines = lists.lines(element)
    seed.shuffle(lines)
    terms = Terms(default_game(), DAY)
    told = decks.as_json("X", "\n".join(lines), terms)
    again = "\n".join(f"{card['copies']} {card['code']}" for card in told["cards"])  # type: ignore[attr-defined]
    assert decks.moves("\n".join(lines), again, terms) == []
    assert judge(again, terms).legal


# -- searching (CASES 67, 69, 70) --------------------------------------------------------------------------------------
def names(kounter: Any, words: str) -> list[str]:
    return [card.name for card in search(browsed(kounter), words)]


def test_the_exact_name_is_first_then_beginnings_words_and_texts(kounter: Any) -> None:
    from decks.models import Card

    cards = [("Ñu", ""), ("Ñu Gigante", ""), ("Gran Ñu", ""), ("Añuble", ""), ("Pastor", "Busca un Ñu.")]
    for number, (name, text) in enumerate(cards):
        Card.objects.create(game=kounter, code=f"Z-{number}", name=name, text=text, type="unidad")
    found = [name for name in names(kounter, "ÑU") if (name, "") in cards or name == "Pastor"]
    assert found == [name for name, _text in cards]
    assert names(kounter, "gigante ñu")[0] == "Ñu Gigante"


@pytest.mark.parametrize("words", ["vigia", "VIGÍA", "Vigi\u0301a", "vigía de", "MI1-001", "mi1 001"])
def test_case_67_a_card_is_found_however_it_is_typed(kounter: Any, words: str) -> None:
    assert "Vigía de Kuran Delii" in names(kounter, words)


def test_a_retired_card_is_not_browsed_and_signs_find_nothing_special(kounter: Any) -> None:
    from decks.models import Card

    Card.objects.filter(code="MI1-001").update(retired=True)
    assert "Vigía de Kuran Delii" not in names(kounter, "vigia")
    assert names(kounter, "%") == []
    assert names(kounter, "_") == []
    assert len(names(kounter, "")) == Card.objects.filter(retired=False).count()
