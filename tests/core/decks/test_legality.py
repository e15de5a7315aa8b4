"""Deck rules (GAMES.md): for each a legal deck at its edge and an illegal one a step beyond; CASES 75-89."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from decks.rules.cards import Catalogue, Restriction
from decks.rules.demo import demonstration
from decks.rules.games import game, narrow, parse, slugs
from decks.rules.legality import check, mend
from decks.rules.sentences import label, sentence
from tests.core.decks.lists import (
    KICKON,
    KOUNTER,
    MOST,
    PESO,
    TODAY,
    Deck,
    broken,
    cards,
    judged,
    kickon_deck,
    kickon_judged,
    legal_deck,
    written,
)

ELEMENTS = ["luz", "oscuridad", "agua", "naturaleza", "fuego", "tecnologia"]


def one_more(deck: Deck, name: str) -> Deck:
    return {**deck, name: deck.get(name, 0) + 1}


def one_less(deck: Deck, name: str) -> Deck:
    return {key: count - (key == name) for key, count in deck.items() if count > (key == name)}


def deck_around(rarity: str) -> tuple[Deck, str]:
    """A legal deck that holds a card of that rarity as often as it may."""
    card = next(card for card in cards(element="fuego", rarity=rarity) if card.type != "ficha")
    rest = {name: count for name, count in legal_deck("fuego", 80).items() if name != card.name}
    deck, left = {card.name: MOST[rarity]}, 40 - MOST[rarity]
    for name, count in rest.items():
        if left > 0:
            deck[name] = min(count, left)
            left -= deck[name]
    return deck, card.name


# -- KOUNTER -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("element", ["oscuridad", "agua", "naturaleza", "fuego"])
def test_forty_cards_of_one_element_are_legal(element: str) -> None:
    verdict = judged(legal_deck(element))
    assert (verdict.legal, verdict.counts["mazo"], verdict.shared("element")) == (True, 40, element)


@pytest.mark.parametrize("change", [one_more, one_less])
def test_a_card_more_or_less_is_one_too_many_or_too_few(change: object) -> None:
    deck = legal_deck()
    verdict = judged(change(deck, list(deck)[-1]))  # type: ignore[operator]
    assert broken(verdict) == {"tamano"}


@pytest.mark.parametrize("rarity", list(MOST))
def test_copies_by_rarity(rarity: str) -> None:
    deck, name = deck_around(rarity)
    assert judged(deck).legal
    other = next(each for each in deck if each != name and deck[each] > 1)
    beyond = judged(one_less(one_more(deck, name), other))
    assert broken(beyond) == {"copias"}
    (problem,) = beyond.problems
    assert (problem.card, problem.data["n"], problem.data["max"]) == (name, MOST[rarity] + 1, MOST[rarity])


@pytest.mark.parametrize("other", [element for element in ELEMENTS if element != "fuego"])
def test_one_card_of_another_element_is_named(other: str) -> None:
    deck = legal_deck()
    stranger = cards(element=other, rarity="basico")[0].name
    verdict = judged(one_less(one_more(deck, stranger), next(iter(deck))))
    assert [(problem.rule.id, problem.card) for problem in verdict.problems] == [("elemento", stranger)]


def test_half_and_half_blames_neither() -> None:
    """20 and 20: which half is the wrong one is the player's to say."""
    verdict = judged(legal_deck("fuego", 20) | legal_deck("agua", 20))
    assert [(problem.rule.id, problem.line) for problem in verdict.problems] == [("elemento", None)]


@pytest.mark.parametrize("listed", [1, 20])
def test_tokens_never_count_and_are_never_illegal(listed: int) -> None:
    token = cards(type="ficha", element="luz")[0].name
    verdict = judged(f"{written(legal_deck())}\n{listed} {token}")
    assert (verdict.legal, verdict.counts["mazo"]) == (True, 40)


def test_a_unit_among_the_tokens_is_no_token() -> None:
    deck = legal_deck()
    name, count = deck.popitem()
    verdict = judged(f"{written(deck)}\nFichas:\n{count} {name}")
    assert "tipos" in broken(verdict)


def test_a_promo_counts_with_its_card() -> None:
    """CASES 78: copy limits count the card, not the printing."""
    card = next(card for card in cards(element="oscuridad") if len(card.printings) > 1)
    most, (first, promo) = MOST[card.rarity], (printing.code for printing in card.printings)
    rest, left = [], 40 - most
    for name, count in legal_deck("oscuridad", 60).items():
        if name != card.name and left > 0:
            rest.append(f"{min(count, left)} {name}")
            left -= min(count, left)
    assert judged("\n".join([f"1 {promo}", f"{most - 1} {first}", *rest])).legal
    assert broken(judged("\n".join([f"2 {promo}", f"{most - 1} {first}", *rest]))) == {"copias", "tamano"}


# -- dates -------------------------------------------------------------------------------------------------------------
BANNED = Restriction("MI1-205", date(2026, 3, 1), 0)
LIFTED = Restriction("MI1-205", date(2026, 5, 1), None)


@pytest.mark.parametrize(
    ("on", "legal"),
    [(date(2026, 2, 28), True), (date(2026, 3, 1), False), (date(2026, 4, 30), False), (date(2026, 5, 1), True)],
)
def test_a_ban_holds_from_its_day_until_it_is_lifted(on: date, legal: bool) -> None:
    every = demonstration("kounter")
    listed = Catalogue(every.cards, (BANNED, LIFTED), every.expansions)
    name = every.find("MI1-205").cards[0].name
    deck = legal_deck()
    deck = deck if name in deck else {name: 4, **{k: v for k, v in legal_deck("fuego", 36).items() if k != name}}
    verdict = check(written(deck), KOUNTER, listed, on)
    assert verdict.legal is legal
    assert broken(verdict) <= {"restringida", "prohibida"}


def test_an_expansion_is_legal_from_the_day_it_is_out() -> None:
    deck = legal_deck()
    out = max(demonstration("kounter").find(name).cards[0].released for name in deck)
    assert judged(deck, on=out).legal
    assert not judged(deck, on=out - timedelta(days=1)).legal


# -- formats -----------------------------------------------------------------------------------------------------------
def test_formats_narrow_the_game() -> None:
    fire, light = KOUNTER.formats["temporada-de-fuego"], KOUNTER.formats["temporada-de-luz"]
    assert judged(legal_deck(), format=fire).legal
    assert broken(judged(legal_deck(), format=light)) == {"formato-elemento"}
    assert "formato-copias" in broken(judged(legal_deck(), format=KOUNTER.formats["una-copia"]))
    assert "formato-una-faction" in broken(judged(legal_deck(), format=KOUNTER.formats["una-faccion"]))
    assert {rule.id for rule in narrow(elements=["luz"], copies=1)} == {"formato-elemento", "formato-copias"}


# -- advice ------------------------------------------------------------------------------------------------------------
def test_advice_is_never_an_error() -> None:
    few = {card.name: MOST[card.rarity] for card in cards(element="fuego") if card.type in ("mejora", "trampa")}
    verdict = judged(few)
    assert "sin-unidades" in {advice.rule.id for advice in verdict.advice}
    assert "sin-unidades" not in broken(verdict)


# -- Kick On! ----------------------------------------------------------------------------------------------------------
def test_a_team_with_its_fifty_is_legal() -> None:
    verdict = kickon_judged(kickon_deck())
    assert (broken(verdict), dict(verdict.counts)) == (set(), {"mazo": 50, "titulares": 7, "suplentes": 3})


def test_kick_pesos_have_no_limit_by_ruling() -> None:
    deck = kickon_deck()
    taken = next(name for name in deck["Mazo"] if name != PESO)
    deck["Mazo"][PESO] += deck["Mazo"].pop(taken)
    assert deck["Mazo"][PESO] > 3
    assert kickon_judged(deck).legal
    assert KICKON.rule("kick-peso").ruling


@pytest.mark.parametrize("position", ["arquero", "defensa", "mediocampista", "delantero"])
def test_every_line_of_the_team_needs_its_players(position: str) -> None:
    every = demonstration("kickon")
    deck = kickon_deck()
    theirs = [name for name in deck["Titulares"] if every.find(name).cards[0].position == position]
    spare = next(
        card.name
        for card in every.cards
        if card.type == "player" and card.position not in (position, "arquero") and card.rarity != "leyenda"
    )
    for name in theirs:
        del deck["Titulares"][name]
    deck["Titulares"][spare] = deck["Titulares"].get(spare, 0) + len(theirs)
    rule = {"arquero": "arquero-titular"}.get(position, position)
    assert rule in broken(kickon_judged(deck))


# -- whatever the way of writing ---------------------------------------------------------------------------------------
@settings(max_examples=40, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from(["legal", "beyond"]))
def test_the_verdict_is_the_decks_and_not_the_writings(chance: object, kind: str) -> None:
    """Lines shuffled, a card split over lines, printings, accents and case changed: the same rules are broken."""
    deck = legal_deck("naturaleza")
    deck = deck if kind == "legal" else one_more(deck, next(iter(deck)))
    lines = []
    for name, count in deck.items():
        card = demonstration("kounter").find(name).cards[0]
        cut = chance.randint(0, count)  # type: ignore[attr-defined]
        ways = [name, name.upper(), name.lower(), plain(name), chance.choice(card.printings).code]  # type: ignore[attr-defined]
        for some in (cut, count - cut):
            if some:
                way = chance.choice(ways)  # type: ignore[attr-defined]
                lines.append(chance.choice([f"{some} {way}", f"{some}x {way}", f"{way} x{some}"]))  # type: ignore[attr-defined]
    chance.shuffle(lines)  # type: ignore[attr-defined]
    assert broken(judged("\n".join(lines))) == broken(judged(deck))


def plain(name: str) -> str:
    return name.translate(str.maketrans("áéíóúüÁÉÍÓÚ", "aeiouuAEIOU"))


# -- what to do about it -----------------------------------------------------------------------------------------------
def test_every_problem_says_in_both_languages_what_to_change_and_one_tap_does_it() -> None:
    deck = legal_deck()
    name = next(iter(deck))
    text = written(deck).replace(name, name[:-2] + "x", 1)
    (problem,) = [problem for problem in judged(text).problems if problem.rule.id == "carta"]
    for language in ("es", "en"):
        assert name in sentence(problem, KOUNTER, language)
    fix = problem.fixes[0]
    assert name in label(fix, KOUNTER)
    assert judged(mend(text, fix)).legal


def test_too_many_copies_are_taken_out_by_one_tap() -> None:
    deck, name = deck_around("raro")
    other = next(each for each in deck if each != name and deck[each] > 1)
    text = written(one_less(one_more(deck, name), other))
    (problem,) = judged(text).problems
    assert broken(judged(mend(text, problem.fixes[0]))) == {"tamano"}


# -- Ataquerrr!!! ------------------------------------------------------------------------------------------------------
def test_a_game_with_a_shared_set_takes_no_decks() -> None:
    verdict = check("4 Boss", game("ataquerrr"), Catalogue(()), TODAY)
    assert [(problem.rule.id, problem.code) for problem in verdict.problems] == [("sin-registro", "closed")]


# -- a new game --------------------------------------------------------------------------------------------------------
FOURTH = """
slug = "cuarto"
name = "El cuarto juego"
version = "1"
[[rarities]]
slug = "unica"
name = "Única"
[[types]]
slug = "bicho"
name = "Bicho"
[[sections]]
slug = "mazo"
name = "Mazo"
types = ["bicho"]
[[rules]]
id = "tamano"
kind = "size"
min = 2
max = 3
es = "De dos a tres cartas."
en = "Two or three cards."
[[rules]]
id = "copias"
kind = "copies"
max = 1
es = "Una copia de cada."
en = "One copy of each."
"""


def test_a_fourth_game_is_one_file() -> None:
    fourth = parse(FOURTH)
    bugs = Catalogue(tuple(replace(card, type="bicho", rarity="unica") for card in cards(element="luz")[:3]))
    first, second, third = (card.name for card in bugs.cards)

    def rules_broken(text: str) -> set[str]:
        return broken(check(text, fourth, bugs, TODAY))

    assert rules_broken(f"1 {first}\n1 {second}") == set()
    assert rules_broken(f"1 {first}") == {"tamano"}
    assert rules_broken(f"2 {first}\n1 {third}") == {"copias"}


def test_the_games_files_are_read_whole() -> None:
    assert [game(slug).slug for slug in slugs()] == ["ataquerrr", "kickon", "kounter"]
    factions = {card.faction for card in demonstration("kounter").cards if card.faction}
    assert len(factions) == 24
    assert all(len(cards(faction=faction)) >= 12 for faction in factions)
