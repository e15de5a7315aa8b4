"""Places, ties, provisional and hidden players (RANKING 3; CASES 61, 65)."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.boards import Candidate, Minimums, Missing, active, board, board_score, missing, printed, ranked
from ranking.ratings.parameters import Parameters

SPANISH = "aábcdeéfghiíjklmnñoópqrstuúvwxyz"


def spanish(name: str) -> list[int]:
    return [SPANISH.index(letter) for letter in name.casefold()]


def places(points: dict[str, int]) -> list[tuple[int, str]]:
    return [(placed.rank, placed.row) for placed in ranked(points, score=points.__getitem__, name=spanish)]


def candidate(
    player: int = 1, score: int = 1500, matches: int = 12, opponents: int = 4, last_day: int = 0
) -> Candidate:
    return Candidate(player, score, f"{player:06}", matches, opponents, last_day)


def test_ties_share_a_rank() -> None:
    """CASES 65: points 10, 8, 8, 5."""
    assert places({"Eva": 10, "Leo": 8, "Ada": 8, "Zoe": 5}) == [(1, "Eva"), (2, "Ada"), (2, "Leo"), (4, "Zoe")]


def test_a_tie_is_listed_by_name_in_spanish() -> None:
    """CASES 70."""
    names = ["Zoe", "Ángel", "Íñigo", "Nuria", "Ñusta"]
    assert places(dict.fromkeys(names, 3)) == [(1, n) for n in ("Ángel", "Íñigo", "Nuria", "Ñusta", "Zoe")]


def test_empty_board() -> None:
    assert places({}) == []


@given(st.dictionaries(st.text("abñz", min_size=1, max_size=4), st.integers(-3, 3)))
def test_rank_is_one_more_than_the_number_of_better_scores(points: dict[str, int]) -> None:
    listed = places(points)
    assert Counter(name for _, name in listed) == Counter(list(points))
    assert all(rank == 1 + sum(other > points[name] for other in points.values()) for rank, name in listed)
    for (rank, name), (next_rank, next_name) in pairwise(listed):
        assert rank < next_rank or spanish(name) < spanish(next_name)


@pytest.mark.parametrize(("points", "shown"), [(1512.5, 1513), (1513.5, 1514), (1512.49, 1512), (0.0, 0), (-0.6, -1)])
def test_people_round_halves_up(points: float, shown: int) -> None:
    assert printed(points) == shown


def test_what_prints_equal_is_tied() -> None:
    """The decimals that nobody sees order nobody."""
    parameters = Parameters()
    mus = {"Zoe": 0.1003, "Ana": 0.1, "Eva": 0.2}
    scores = {name: board_score(mu, parameters.newcomer_var, 0, parameters) for name, mu in mus.items()}
    assert scores == {"Zoe": 1457, "Ana": 1457, "Eva": 1475}
    assert places(scores) == [(1, "Eva"), (2, "Ana"), (2, "Zoe")]


def test_board_score_is_mu_less_one_deviation_of_the_day() -> None:
    parameters = Parameters()
    var = (30 / parameters.scale) ** 2
    assert board_score(0, var, 0, parameters) == 1470
    assert board_score(0, var, 365, parameters) == 1464  # sqrt(30^2 + 20^2) = 36.06
    assert board_score(0, var, 36_500, parameters) == 1440
    assert board_score(0, var, -3, parameters) == 1470
    assert board_score(-50, var, 0, parameters) == 100


def test_what_is_missing() -> None:
    """RANKING 3: "te faltan 3 partidas y 1 rival"."""
    assert missing(9, 3) == Missing(matches=3, opponents=1)
    assert missing(1, 1) == Missing(matches=11, opponents=3)
    assert missing(500, 3) == Missing(matches=0, opponents=1)
    assert missing(2, 1, Minimums(matches=3, opponents=1)) == Missing(matches=1, opponents=0)
    assert not missing(12, 4)
    assert missing(11, 4)
    assert missing(12, 3)


@pytest.mark.parametrize(("idle", "shown"), [(0, True), (365, True), (366, False), (-5, True)])
def test_hidden_after_a_year_without_play(idle: int, shown: bool) -> None:
    assert active(20_000, 20_000 + idle) is shown


def test_board_of_a_season_closed_last_year() -> None:
    """CASES 61: 1-0 shows the minimum; activity counts to the season's end, not to today."""
    end, today = 20_000, 20_400
    night_before_the_end = [candidate(1, last_day=end - 1), candidate(2, matches=1, opponents=1, last_day=end - 1)]
    then = board(night_before_the_end, reference_day=end)
    assert [(p.rank, p.row.player) for p in then.placed] == [(1, 1)]
    assert [(c.player, lacks) for c, lacks in then.provisional] == [(2, Missing(11, 3))]
    assert then.hidden == []
    now = board(night_before_the_end, reference_day=today)
    assert (now.placed, now.provisional) == ([], [])
    assert [c.player for c in now.hidden] == [1, 2]


def test_provisional_players_take_no_place() -> None:
    result = board([candidate(3, 1500), candidate(2, 1900, matches=11), candidate(1, 1400)], reference_day=0)
    assert [(p.rank, p.row.player) for p in result.placed] == [(1, 3), (2, 1)]
    assert [c.player for c, _ in result.provisional] == [2]


def test_provisional_players_are_listed_by_name() -> None:
    result = board([candidate(player, 1500 + player, matches=5) for player in (3, 1, 2)], reference_day=0)
    assert [c.player for c, _ in result.provisional] == [1, 2, 3]


@given(
    st.lists(
        st.builds(candidate, st.integers(0, 99), st.integers(1400, 1410), st.integers(0, 20), st.integers(0, 8)),
        unique_by=lambda c: c.player,
    ),
    st.integers(0, 800),
)
def test_nobody_is_lost_and_nobody_is_twice(candidates: list[Candidate], reference_day: int) -> None:
    result = board(candidates, reference_day)
    listed = [p.row for p in result.placed] + [c for c, _ in result.provisional] + result.hidden
    assert Counter(listed) == Counter(candidates)
