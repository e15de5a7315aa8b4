"""The cut (TOURNAMENT_RULES 7): seeds, byes, rounds, drops and final places."""

import pytest

from tests.core.swiss.build import event
from tournaments.cut.brackets import (
    CutMatch,
    CutRefused,
    advancing,
    bracket_order,
    champion,
    final_places,
    first_round,
    next_round,
    result_allowed,
    seeds_of,
    winner_on_time,
)
from tournaments.swiss.standings import standings
from tournaments.swiss.types import Outcome, PlayerId


def ids(size: int) -> list[PlayerId]:
    return [PlayerId(str(seed)) for seed in range(1, size + 1)]


def text(pairs) -> str:
    return " ".join(f"{a or '.'}-{b or '.'}" for a, b in pairs)


def matches(pairs, winners: str, round: int = 1) -> list[CutMatch]:
    """Winners by name, "." for undecided."""
    return [
        CutMatch(round, slot, a, b, None if winner == "." else PlayerId(winner))
        for slot, ((a, b), winner) in enumerate(zip(pairs, winners.split(), strict=True))
    ]


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (2, "1-2"),
        (3, "1-. 2-3"),
        (4, "1-4 2-3"),
        (5, "1-. 4-5 2-. 3-."),
        (6, "1-. 4-5 2-. 3-6"),
        (7, "1-. 4-5 2-7 3-6"),
        (8, "1-8 4-5 2-7 3-6"),
        (16, "1-16 8-9 4-13 5-12 2-15 7-10 3-14 6-11"),
    ],
)
def test_case_48_the_literal_brackets(size: int, expected: str) -> None:
    assert text(first_round(ids(size))) == expected


@pytest.mark.parametrize("size", range(2, 65))
def test_any_size_gives_the_byes_to_the_best_and_favourites_meet_last(size: int) -> None:
    pairs = first_round(ids(size))
    whole = 1 << (size - 1).bit_length()
    byes = [int(a) for a, b in pairs if b is None]
    assert sorted(byes) == list(range(1, whole - size + 1))
    assert sorted(int(player) for pair in pairs for player in pair if player) == list(range(1, size + 1))
    round, current = 1, [CutMatch(1, slot, a, b, a) for slot, (a, b) in enumerate(pairs)]
    while len(current) > 1:
        seeds = [int(match.a or 0) for match in current]
        assert sorted(seeds) == list(range(1, len(current) + 1))
        round += 1
        pairs_ = [tuple(sorted(pair, key=lambda player: int(player or 99))) for pair in next_round(current)]
        assert all(int(a) + int(b) == len(current) + 1 for a, b in pairs_ if a and b)
        current = [CutMatch(round, slot, a, b, a) for slot, (a, b) in enumerate(pairs_)]
    assert champion(current[0]) == "1"


@pytest.mark.parametrize("size", [0, 1, 65])
def test_sizes_that_are_no_cut(size: int) -> None:
    with pytest.raises(CutRefused) as refusal:
        first_round(ids(size))
    assert (refusal.value.code, refusal.value.rule) == ("size", "7.1")


def test_a_seed_twice_is_refused() -> None:
    with pytest.raises(CutRefused) as refusal:
        first_round([PlayerId("A"), PlayerId("B"), PlayerId("A")])
    assert (refusal.value.code, refusal.value.players) == ("players_twice", ("A",))


def test_bracket_order_of_eight() -> None:
    assert bracket_order(8) == [1, 8, 4, 5, 2, 7, 3, 6]


def test_case_47_seeds_are_the_frozen_standings_also_between_tied_players() -> None:
    """Eight players, cut to four: the seeds are the first four places as printed, ties by the stored draw."""
    table = standings(event("ABCDEFGH", "A>B C>D E>F G>H", "A>C E>G B>D F>H"))
    tied = [row for row in table if row.rank == table[0].rank]
    assert len(tied) == 2
    assert seeds_of(table, 4) == [row.player for row in table[:4]]
    assert seeds_of(list(reversed(table)), 4) == [row.player for row in table[:4]]


def test_seeds_pass_over_who_is_no_longer_there() -> None:
    table = standings(event("ABCDE", "A>B C>D E*", "A>C E>D B*"))
    order = [row.player for row in table]
    assert seeds_of(table, 2, dropped={order[0]}) == order[1:3]


def test_starting_twice_is_the_same_bracket() -> None:
    assert first_round(ids(6)) == first_round(ids(6))


def test_rounds_follow_from_the_slots_not_from_the_order_of_the_list() -> None:
    quarters = matches(first_round(ids(8)), "1 5 7 3")
    assert text(next_round(quarters)) == "1-5 7-3"
    assert text(next_round(list(reversed(quarters)))) == "1-5 7-3"
    semis = matches(next_round(quarters), "5 3", 2)
    final = matches(next_round(semis), "3", 3)
    assert text((match.a, match.b) for match in final) == "5-3"
    assert next_round(final) == []
    assert champion(final[0]) == "3"


def test_an_open_match_stops_the_round_and_is_named() -> None:
    with pytest.raises(CutRefused) as refusal:
        next_round(matches(first_round(ids(4)), "1 ."))
    assert (refusal.value.code, refusal.value.players) == ("undecided", ("2", "3"))


def test_a_winner_from_another_match_is_refused() -> None:
    with pytest.raises(CutRefused):
        advancing(CutMatch(1, 0, PlayerId("1"), PlayerId("4"), PlayerId("2")))


@pytest.mark.parametrize("outcome", list(Outcome))
def test_no_draws_in_the_cut(outcome: Outcome) -> None:
    assert result_allowed(outcome) is (outcome in {Outcome.WIN, Outcome.FORFEIT, Outcome.BYE})


@pytest.mark.parametrize(
    ("life_a", "life_b", "active", "winner"), [(12, 9, "B", "A"), (3, 9, "A", "B"), (7, 7, "A", "A"), (7, 7, "B", "B")]
)
def test_time_gives_the_higher_life_then_the_active_player(life_a, life_b, active, winner) -> None:
    assert winner_on_time(PlayerId("A"), PlayerId("B"), life_a, life_b, PlayerId(active)) == winner


def test_the_active_player_is_one_of_the_two() -> None:
    with pytest.raises(CutRefused):
        winner_on_time(PlayerId("A"), PlayerId("B"), 1, 1, PlayerId("C"))


def test_a_drop_lets_the_opponent_advance() -> None:
    assert text(next_round(matches(first_round(ids(4)), ". 3"), dropped={PlayerId("1")})) == "4-3"


def test_a_winner_who_drops_leaves_his_next_opponent_through() -> None:
    semis = matches(first_round(ids(4)), "1 3")
    final = matches(next_round(semis, dropped={PlayerId("1")}), ".", 2)
    assert text((match.a, match.b) for match in final) == ".-3"
    assert champion(final[0]) == "3"
    assert advancing(CutMatch(1, 0, PlayerId("1"), PlayerId("4")), {PlayerId("1"), PlayerId("4")}) is None


def test_a_champion_who_drops_is_not_the_champion() -> None:
    final = CutMatch(2, 0, PlayerId("1"), PlayerId("3"), PlayerId("1"))
    assert champion(final) == "1"
    assert champion(final, {PlayerId("1")}) == "3"
    assert champion(final, {PlayerId("1"), PlayerId("3")}) is None


def swiss_of_six():
    """E and F are tied on every criterion and share rank 4; the stored draw puts one of them in the Top 4."""
    return standings(event("ABCDEF", "A>B C>D E~F", "A>C B>D", "A>D B>C"))


def places(table, cut, dropped=(), disqualified=()) -> list[tuple[int, str]]:
    return [(row.rank, row.player) for row in final_places(table, cut, dropped, disqualified)]


def test_final_places_by_the_round_reached_then_by_swiss() -> None:
    table = swiss_of_six()
    one, two, three, four, five, six = (row.player for row in table)
    assert [row.rank for row in table] == [1, 2, 3, 4, 4, 6]
    semis = [CutMatch(1, 0, one, four, four), CutMatch(1, 1, two, three, three)]
    final = CutMatch(2, 0, four, three, four)
    result = places(table, [*semis, final])
    assert [player for _, player in result] == [four, three, one, two, five, six]
    assert [rank for rank, _ in result][:4] == [1, 2, 3, 4]
    assert [row.place for row in final_places(table, [*semis, final])] == [1, 2, 3, 4, 5, 6]
    assert [row.in_cut for row in final_places(table, [*semis, final])] == [True] * 4 + [False] * 2


def test_tied_swiss_places_stay_tied_behind_the_cut() -> None:
    table = standings(event("ABCD", "A>B C~D"))
    tied = [row for row in table if row.player in "CD"]
    assert tied[0].rank == tied[1].rank
    assert len({rank for rank, player in places(table, []) if player in "CD"}) == 1


def test_final_places_after_drops() -> None:
    table = swiss_of_six()
    one, two, three, four, *_ = (row.player for row in table)
    semis = [CutMatch(1, 0, one, four, one), CutMatch(1, 1, two, three, two)]
    before_final = [*semis, CutMatch(2, 0, None, two)]
    assert [player for _, player in places(table, before_final, dropped={one})][:4] == [two, one, three, four]
    after_final = [*semis, CutMatch(2, 0, one, two, one)]
    assert [player for _, player in places(table, after_final, dropped={one})][:2] == [two, one]
    assert [player for _, player in places(table, after_final)][:2] == [one, two]


def test_the_disqualified_stand_last() -> None:
    table = swiss_of_six()
    one, two, three, four, *_ = (row.player for row in table)
    cut = [CutMatch(1, 0, one, four, one), CutMatch(1, 1, two, three, two), CutMatch(2, 0, one, two, one)]
    assert places(table, cut, dropped={one}, disqualified={one})[-1] == (6, one)


def test_final_places_wait_for_the_final() -> None:
    table = swiss_of_six()
    one, two, *_ = (row.player for row in table)
    with pytest.raises(CutRefused):
        final_places(table, [CutMatch(1, 0, one, two)])
