"""Double elimination (TOURNAMENT_RULES 7.3): its shape at every size, its champion, its places, whatever happens."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.swiss.build import event
from tournaments.cut import brackets, double
from tournaments.cut.brackets import CutMatch, CutRefused, Slot
from tournaments.cut.double import CROSSINGS, Feed, Side, layout
from tournaments.swiss.standings import standings
from tournaments.swiss.types import PlayerId

Decide = Callable[[PlayerId, PlayerId], PlayerId]
SIZES = range(2, 65)


def ids(size: int) -> list[PlayerId]:
    return [PlayerId(f"{seed:02}") for seed in range(1, size + 1)]


def places_of(size: int) -> int:
    return 2 * len(brackets.first_round(ids(size)))


def favourite(a: PlayerId, b: PlayerId) -> PlayerId:
    return min(a, b)


def settled(round: int, pairs: list[tuple[Slot, Slot]], decide: Decide) -> list[CutMatch]:
    """Everybody alone has a bye; of two, `decide` names the winner."""
    return [CutMatch(round, slot, a, b, decide(a, b) if a and b else a or b) for slot, (a, b) in enumerate(pairs)]


def play(size: int, decide: Decide) -> list[CutMatch]:
    places, played = places_of(size), settled(1, list(brackets.first_round(ids(size))), decide)
    while pairs := double.next_round(places, played):
        played += settled(played[-1].round + 1, pairs, decide)
    return played


def real(played: list[CutMatch]) -> list[CutMatch]:
    return [match for match in played if match.a and match.b]


def losses(played: list[CutMatch]) -> Counter[PlayerId]:
    return Counter(player for match in real(played) for player in match.players if player != match.winner)


def text(matches: list[CutMatch]) -> str:
    return " ".join(f"{int(m.a or 0) or '.'}-{int(m.b or 0) or '.'}" for m in matches)


TABLE = {
    2: ["1-2", "1-2"],
    3: ["1-. 2-3", "1-2 .-3", "2-3", "1-2"],
    4: ["1-4 2-3", "1-2 4-3", "2-3", "1-2"],
    5: ["1-. 4-5 2-. 3-.", "1-4 2-3 .-5 .-.", "3-5 4-.", "1-2 3-4", "2-3", "1-2"],
    6: ["1-. 4-5 2-. 3-6", "1-4 2-3 .-5 .-6", "3-5 4-6", "1-2 3-4", "2-3", "1-2"],
    7: ["1-. 4-5 2-7 3-6", "1-4 2-3 .-5 7-6", "3-5 4-6", "1-2 3-4", "2-3", "1-2"],
    8: ["1-8 4-5 2-7 3-6", "1-4 2-3 8-5 7-6", "3-5 4-6", "1-2 3-4", "2-3", "1-2"],
}


@pytest.mark.parametrize("size", TABLE)
def test_the_literal_rounds_when_the_favourites_win(size: int) -> None:
    played = play(size, favourite)
    rounds = [[match for match in played if match.round == n] for n in range(1, played[-1].round + 1)]
    assert [text(matches) for matches in rounds] == TABLE[size]


@pytest.mark.parametrize("size", SIZES)
def test_every_size_takes_2n_minus_2_matches_when_the_favourites_win(size: int) -> None:
    """7.1, 7.3: the byes of the first round go to the best; the first seed loses to nobody, everybody else twice."""
    played = play(size, favourite)
    first, *others = ids(size)
    byes = [match.a for match in played if match.round == 1 and match.b is None]
    assert sorted(byes) == ids(places_of(size) - size)
    assert len(real(played)) == 2 * size - 2
    assert losses(played) == dict.fromkeys(others, 2)
    assert double.champion(places_of(size), played) == first
    assert len(played) == sum(len(ties) for ties in layout(places_of(size))[:-1])


@pytest.mark.parametrize("size", SIZES)
def test_the_losers_champion_wins_two_finals(size: int) -> None:
    """7.3: the winners' champion has lost nothing, so that one final is not enough."""
    played = play(size, favourite)
    until = [match for match in played if match.round < played[-1].round]
    final = played[-1]
    upset = [*until, CutMatch(final.round, 0, final.a, final.b, final.b)]
    assert not double.over(upset)
    assert double.next_round(places_of(size), upset) == [(final.a, final.b)]
    for winner in final.players:
        second = [*upset, CutMatch(final.round + 1, 0, final.a, final.b, winner)]
        assert double.over(second)
        assert double.champion(places_of(size), second) == winner
        assert len(real(second)) == 2 * size - 1
        assert double.next_round(places_of(size), second) == []


@pytest.mark.parametrize("places", [2, 4, 8, 16, 32, 64])
def test_the_layout_seats_nobody_twice_and_leads_everybody_once(places: int) -> None:
    """Every winner and every first loss comes to exactly one chair, of a later round; a second loss to none."""
    rounds = layout(places)
    ties = [tie for row in rounds for tie in row]
    assert [[tie.slot for tie in row] for row in rounds] == [list(range(len(row))) for row in rounds]
    feeds = [feed for tie in ties for feed in tie.feeds or ()]
    assert len(set(feeds)) == len(feeds)
    assert all(feed.round < tie.round for tie in ties for feed in tie.feeds or ())
    sides = {(tie.round, tie.slot): tie.side for tie in ties}
    assert all(sides[f.round, f.slot] != Side.LOSERS for f in feeds if not f.won)
    won = {(feed.round, feed.slot) for feed in feeds if feed.won}
    assert won == {(tie.round, tie.slot) for tie in ties[:-1]}
    fell = {(feed.round, feed.slot) for feed in feeds if not feed.won}
    assert fell == {(tie.round, tie.slot) for tie in ties[:-1] if tie.side != Side.LOSERS}
    k = places.bit_length() - 1
    assert len(rounds) == 2 * k + 1
    assert Counter(tie.side for tie in ties) == {
        Side.WINNERS: places - 1,
        Side.FINAL: 2,
        **({Side.LOSERS: places - 2} if places > 2 else {}),
    }


# -- rematches ---------------------------------------------------------------------------------------------------------
def meetings(masks: tuple[int, ...]) -> list[tuple[int, int, Fraction]]:
    """(round of the first loss, of the second, chance to meet again) when every match is a coin toss.

    Whoever loses winners' round j had beaten somebody in each round i < j. Both fall into blocks of the losers' side,
    which join as the bracket narrows: where they do, the two meet if both have won until there.
    """
    k = len(masks) + 1
    mask = {1: 0, **dict(enumerate(masks, 2))}
    found = []
    for j in range(2, k + 1):
        for i in range(1, j):
            apart = mask[j] ^ (mask[i] >> (j - i))
            meet = 2 * (j + apart.bit_length()) - 3 if apart else 2 * j - 2
            wins = meet - (1 if i == 1 else 2 * i - 2) + meet - (2 * j - 2)
            found.append((i, j, Fraction(2 ** (k - j), 2**wins)))
    return found


def avoids_immediate(masks: tuple[int, ...]) -> bool:
    k = len(masks) + 1
    mask = {1: 0, **dict(enumerate(masks, 2))}
    return all(mask[j] != mask[i] >> (j - i) for j in range(2, k) for i in {1, j - 1} if i < j)


@pytest.mark.parametrize("k", range(2, 7))
def test_the_crossings_expect_the_fewest_rematches(k: int) -> None:
    every = product(*[range(2 ** (k - j)) for j in range(2, k + 1)])
    best = min((sum(chance for *_, chance in meetings(masks)), masks) for masks in every if avoids_immediate(masks))
    assert avoids_immediate(CROSSINGS[k])
    assert sum(chance for *_, chance in meetings(CROSSINGS[k])) == best[0]


@given(st.integers(2, 64), st.randoms(use_true_random=False))
def test_nobody_falls_onto_whom_he_has_just_beaten(size: int, rng) -> None:
    """Dropping in is no rematch of the first round or of the round before his last; the losers' final is one table."""
    played = play(size, lambda a, b: rng.choice([a, b]))
    ties = {(tie.round, tie.slot): tie for row in layout(places_of(size)) for tie in row}
    last_losers = 2 * (places_of(size).bit_length() - 1) - 2
    seen: dict[frozenset[PlayerId], list[int]] = {}
    for match in real(played):
        tie = ties[match.round, match.slot]
        before = seen.setdefault(frozenset(match.players), [])
        if tie.side == Side.LOSERS and tie.stage % 2 == 0 and tie.stage < last_losers:
            assert 1 not in before
            assert match.round - 3 not in before
        before.append(match.round)


# -- whatever happens --------------------------------------------------------------------------------------------------
@given(st.integers(2, 64), st.randoms(use_true_random=False))
def test_any_results_leave_one_champion_and_everybody_else_out_by_two_losses(size: int, rng) -> None:
    played = play(size, lambda a, b: rng.choice([a, b]))
    places = places_of(size)
    lost, first = losses(played), double.champion(places, played)
    assert first is not None
    assert lost[first] <= 1
    assert {player: n for player, n in lost.items() if player != first} == {p: 2 for p in ids(size) if p != first}
    assert len(real(played)) == 2 * size - 2 + lost[first]
    reached = double.reached(places, played)
    last = {player: match.round for match in played for player in match.players}
    assert {p: r for p, r in reached.items() if p != first} == {p: r for p, r in last.items() if p != first}
    assert reached[first] == len(layout(places)) + 1


@given(st.integers(2, 33), st.randoms(use_true_random=False))
def test_any_drops_leave_nobody_seated_who_has_gone(size: int, rng) -> None:
    """7.4: the opponent advances; whoever is left in the end is the champion, and nobody is seated after two losses."""
    places, gone = places_of(size), set()
    played: list[CutMatch] = []
    pairs: list[tuple[Slot, Slot]] = list(brackets.first_round(ids(size)))
    number = 1
    while pairs:
        seated = [player for pair in pairs for player in pair if player]
        assert not gone & set(seated)
        assert len(set(seated)) == len(seated)
        played += settled(number, pairs, lambda a, b: rng.choice([a, b]))
        gone |= {player for player in seated if rng.random() < 0.1}
        number, pairs = number + 1, double.next_round(places, played, gone)
    assert double.over(played, gone)
    assert max(losses(played).values()) <= 2
    first = double.champion(places, played, gone)
    left = {player for player in ids(size) if player not in gone and losses(played)[player] < 2}
    assert first in left if left else first is None or first in played[-1].players
    assert len(left) <= 1
    if first is not None:
        reached = double.reached(places, played, gone)
        assert max(reached, key=lambda player: reached[player]) == first


def test_who_wins_the_second_final_and_drops_stands_below_the_other() -> None:
    """7.4: a champion who drops is not the champion, and no place is shared with him."""
    played: list[CutMatch] = []
    pairs: list[tuple[Slot, Slot]] = list(brackets.first_round(ids(2)))
    for number in (1, 2, 3):
        played += settled(number, pairs, max if number == 2 else min)
        pairs = double.next_round(2, played)
    first, other = ids(2)
    assert double.champion(2, played) == first
    assert double.champion(2, played, {first}) == other
    reached = double.reached(2, played, {first})
    assert reached[other] > reached[first]


def test_who_drops_between_two_rounds_leaves_his_opponents_a_bye_on_both_sides() -> None:
    first = settled(1, list(brackets.first_round(ids(8))), favourite)
    second = double.next_round(8, first, {PlayerId("01"), PlayerId("08")})
    assert second == [(None, "04"), ("02", "03"), (None, "05"), ("07", "06")]


def test_a_champion_who_drops_is_not_the_champion() -> None:
    """7.4, after one final and after the first of two."""
    one, two = ids(2)
    first = [CutMatch(1, 0, one, two, one)]
    won = [*first, CutMatch(2, 0, one, two, one)]
    assert double.champion(2, won, {one}) == two
    upset = [*first, CutMatch(2, 0, one, two, two)]
    assert double.champion(2, upset) is None
    assert double.champion(2, upset, {two}) == one
    assert double.champion(2, upset, {one}) == two
    assert double.champion(2, upset, {one, two}) is None


def test_an_open_match_stops_the_round_and_is_named() -> None:
    played = [*settled(1, list(brackets.first_round(ids(4))), favourite)]
    played[1] = CutMatch(1, 1, played[1].a, played[1].b)
    with pytest.raises(CutRefused) as refusal:
        double.next_round(4, played)
    assert (refusal.value.code, refusal.value.players) == ("undecided", ("02", "03"))
    open_final = [*play(4, favourite)[:-1], CutMatch(4, 0, PlayerId("01"), PlayerId("02"))]
    assert not double.over(open_final)


def test_the_literal_layout_of_four() -> None:
    winners, both, survivors, final, second = layout(4)
    assert [tie.feeds for tie in winners] == [None, None]
    assert [(tie.side, tie.stage, tie.feeds) for tie in both] == [
        (Side.WINNERS, 2, (Feed(1, 0), Feed(1, 1))),
        (Side.LOSERS, 1, (Feed(1, 0, won=False), Feed(1, 1, won=False))),
    ]
    assert survivors[0].feeds == (Feed(2, 0, won=False), Feed(2, 1))
    assert final[0].feeds == (Feed(2, 0), Feed(3, 0))
    assert second[0].feeds == (Feed(4, 0, won=False), Feed(4, 0))


# -- places (7.6) ------------------------------------------------------------------------------------------------------
def test_final_places_by_the_round_of_the_second_loss_then_by_swiss_place() -> None:
    table = standings(event("ABCDEFGHI", "A>B C>D E>F G>H I*", "A>C E>G I>B D>F H*", "A>E I>C D>G B>H F*"))
    order = [row.player for row in table]
    seeds, names = order[:8], dict(zip(order, ids(9), strict=True))
    keys = {name: player for player, name in names.items()}
    played = [CutMatch(m.round, m.slot, keys.get(m.a), keys.get(m.b), keys.get(m.winner)) for m in play(8, favourite)]
    assert played[0].players == (seeds[0], seeds[7])
    places = double.final_places(table, 8, played)
    assert [row.player for row in places] == order
    assert [row.place for row in places] == list(range(1, 10))
    assert [row.in_cut for row in places] == [True] * 8 + [False]
    upset = [*played[:-1], CutMatch(6, 0, order[0], order[1], order[1]), CutMatch(7, 0, order[0], order[1], order[1])]
    assert [row.player for row in double.final_places(table, 8, upset)][:3] == [order[1], order[0], order[2]]
    waiting = double.final_places(table, 8, upset[:-1])
    assert [row.player for row in waiting][:3] == [order[1], order[0], order[2]]
    gone = double.final_places(table, 8, upset, {order[1]}, {order[1]})
    assert (gone[0].player, gone[-1].player) == (order[0], order[1])


def test_who_drops_with_one_life_left_stands_where_two_losses_leave_him() -> None:
    played = settled(1, list(brackets.first_round(ids(8))), favourite)
    reached = double.reached(8, played)
    assert (
        {player: reached[player] for player in ids(8)}
        == {
            **dict.fromkeys(ids(4), 3),  # they lose winners' round 2, and losers' round 2 after it
            **dict.fromkeys(ids(8)[4:], 2),
        }
    )
