"""The lemmas that the search rests on, each against a look at every possibility."""

import random
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from tests.core.swiss.brute import every_matching
from tests.core.swiss.build import event
from tests.core.swiss.wild import wild_event
from tournaments.swiss.edges import Edges, edges_among, edges_of
from tournaments.swiss.field import Field, Pairs, field_of
from tournaments.swiss.groups import Ladder, ladder_of
from tournaments.swiss.history import history_before
from tournaments.swiss.inside import pair_by_lot
from tournaments.swiss.matching import match
from tournaments.swiss.nearest import _least_apart
from tournaments.swiss.reservoirs import delegation
from tournaments.swiss.types import PlayerId
from tournaments.swiss.weights import Column, pack


def field_with(levels: list[int], apart: list[tuple[int, int]] = [], places: list[int] | None = None) -> Field:  # noqa: B006
    """Players on those points who met those others; nobody floated before."""
    tournament = event([f"p{i:03}" for i in range(len(levels))])
    plain = field_of(tournament, history_before(tournament, 1), [entrant.id for entrant in tournament.entrants], "1")
    keys = np.array(sorted(min(a, b) * plain.seats + max(a, b) for a, b in apart), np.int64)
    return replace(
        plain,
        levels=np.array(levels + [min(levels)] * (len(levels) % 2), np.int64),
        met=Pairs(keys, np.ones_like(keys), np.ones_like(keys)),
        places=None if places is None else np.array(places + [0] * (len(levels) % 2), np.int64),
    )


def every_pairing(ladder: Ladder) -> list[np.ndarray]:
    return [np.array(pairs) for pairs in every_matching(list(range(ladder.field.seats)))]


@pytest.mark.parametrize("seed", range(8))
def test_bound_excess_and_crossers_hold_for_every_pairing(seed: int) -> None:
    chance = random.Random(seed)
    ladder = ladder_of(field_with([chance.choice([9, 6, 6, 5, 3, 0]) for _ in range(8)]))
    whole = (0, len(ladder.groups))
    reached = False
    for pairs in every_pairing(ladder):
        over = ladder.cost(whole, pairs)[0]
        groups = ladder.rung[pairs]
        assert over >= 0
        assert all(over >= ladder.excess[a, b] for a, b in groups)
        crossed = [cut for cut in ladder.even_cuts[1:-1] if ((groups < cut).sum(axis=1) == 1).any()]
        assert over >= sum(2 * int(ladder.cut_prices[cut - 1]) for cut in crossed)
        for group in range(len(ladder.groups)):
            out = ((groups == group).sum(axis=1) == 1).sum()
            assert out <= ladder.most_crossers(group, whole, over)
        reached |= over == 0
    assert reached, "with nobody apart some pairing reaches the bound"


def test_the_least_excess_is_that_of_crossing_every_even_cut() -> None:
    ladder = ladder_of(field_with([9, 9, 6, 6, 3, 3]))
    assert ladder.even_cuts == [0, 1, 2, 3]
    crossing = np.array([[0, 2], [1, 4], [3, 5]])
    assert ladder.least_excess((0, 3)) == 4 * int(ladder.cut_prices[0])
    assert ladder.cost((0, 3), crossing)[0] >= ladder.least_excess((0, 3))


@pytest.mark.parametrize("most", [0, 1, 3, 6])
def test_a_roomy_group_is_always_paired_without_a_clash(most: int) -> None:
    """4d + 4 players of whom nobody clashes with more than d others: d = 0, 1, 3, 6, over and over."""
    for seed in range(60):
        chance = random.Random(seed)
        size, clashes, degree = 4 * most + 4, [], [0] * (4 * most + 4)
        for a, b in chance.sample(list(combinations(range(size), 2)), size * (size - 1) // 2):
            if max(degree[a], degree[b]) < most:
                clashes.append((a, b))
                degree[a], degree[b] = degree[a] + 1, degree[b] + 1
        field = field_with([0] * size, clashes)
        pairs = pair_by_lot(field, np.arange(size), turn=seed)
        assert pairs is not None
        assert sorted(pairs.ravel().tolist()) == list(range(size))
        assert not field.clash(*pairs.T).any()


def test_a_small_group_that_cannot_be_paired_says_so() -> None:
    assert pair_by_lot(field_with([0] * 4, [(0, 1), (0, 2), (0, 3)]), np.arange(4)) is None
    assert pair_by_lot(field_with([0] * 4), np.arange(3)) is None


def test_a_reservoir_keeps_parity_and_holds_who_has_not_floated() -> None:
    field = field_with([3] * 101 + [0] * 100)
    downs = np.arange(field.seats) < 90
    ladder = ladder_of(replace(field, downs=downs))
    upper = delegation(ladder, 0, (0, 2))
    assert upper.roomy
    assert len(upper.nodes) < 10
    assert len(upper.nodes) % 2 == len(ladder.groups[0]) % 2
    assert (~downs[upper.nodes]).sum() >= 2
    assert not delegation(ladder_of(field_with([3] * 9 + [0] * 9, [(0, i) for i in range(1, 9)])), 0, (0, 2)).roomy


@pytest.mark.parametrize("leaving", [0, 1, 2, 3])
def test_least_places_apart_against_every_choice_and_the_price_of_a_long_pair(leaving: int) -> None:
    for seed in range(12):
        chance = random.Random(seed)
        size = 6 + leaving % 2
        places = sorted(chance.sample(range(1, 20), size))
        field = field_with([0] * size, places=places)
        best = {}
        for left in range(leaving % 2, leaving + 1, 2):
            for out in combinations(range(size), left):
                for pairs in every_matching([i for i in range(size) if i not in out]):
                    apart = sum(places[b] - places[a] for a, b in pairs)
                    best[apart] = max(best.get(apart, 0), *(b - a for a, b in pairs))
        least = _least_apart(field, np.arange(size), leaving)
        assert least == min(best)
        assert all(apart - least >= longest - leaving - 1 for apart, longest in best.items())


def test_digits_keep_their_order_beyond_64_bits() -> None:
    chance = random.Random(5)
    columns = [[chance.randrange(1 << 30) for _ in range(50)] for _ in range(4)]
    packed = pack([Column(np.array(column), 1 << 31) for column in columns], 50)
    assert max(packed).bit_length() > 64
    assert sorted(range(50), key=packed.__getitem__) == sorted(range(50), key=lambda i: [c[i] for c in columns])


def test_the_matching_knows_only_weights() -> None:
    square = edges_among(np.array([3, 5, 8, 9]))
    chosen = match(square, np.array([3, 5, 8, 9]), [5, 1 << 90, 3, 3, 1 << 90, 6])
    assert chosen is not None
    assert edges_of(np.column_stack((square.a[chosen], square.b[chosen]))).a.tolist() == [3, 5]
    star = Edges(np.array([0, 0, 0]), np.array([1, 2, 3]), np.zeros(3, np.bool_))
    assert match(star, np.arange(4), [1, 1, 1]) is None


def test_players_are_nodes_in_the_order_of_their_lots() -> None:
    tournament = wild_event(3, most=9)
    players = [entrant.id for entrant in tournament.entrants]
    field = field_of(tournament, history_before(tournament, 99), players, "7")
    again = field_of(tournament, history_before(tournament, 99), players[::-1], "7")
    assert field.players == again.players
    assert (np.diff(field.lots[: field.size].astype(object)) > 0).all()
    assert set(field.players) == set(map(PlayerId, players))
