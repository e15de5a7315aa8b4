"""The engine is RANKING 2: against a slow oracle, in any order, in any number of steps."""

import random
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.ratings.columns import LAST_DAY, MATCHES, MU, VAR, Matches, fresh_state, last_rated_day, widened
from ranking.ratings.engine import Checkpoint, newest_before, rate, replay
from ranking.ratings.parameters import Parameters
from tests.core.ratings.circuit import FIRST_DAY, columns, random_circuit
from tests.core.ratings.oracle import Played, ratings

DEFAULTS = Parameters()

small_circuits = st.lists(
    st.builds(
        Played,
        day=st.integers(0, 6),
        a=st.integers(0, 4),
        b=st.integers(5, 9),
        score=st.sampled_from([Decimal(0), Decimal("0.5"), Decimal(1)]),
        rates=st.sampled_from([True, True, True, False]),
    ),
    min_size=1,
    max_size=30,
)


@pytest.mark.parametrize(
    ("seed", "parameters"),
    [
        (1, Parameters()),
        (2, Parameters(rd0=350, drift=90)),
        (3, Parameters(iterations=1)),
        (4, Parameters(rd0=110, drift=0, iterations=7)),
    ],
)
def test_agrees_with_the_oracle(seed: int, parameters: Parameters) -> None:
    played = random_circuit(seed, players=40, days=1200, matches=900)
    state = rate(columns(played, players=45), parameters).state
    truth = ratings(played, rd0=str(parameters.rd0), drift=str(parameters.drift), iterations=parameters.iterations)
    assert len(truth) > 30
    for player, known in truth.items():
        assert state[player, MU] == pytest.approx(float(known.mu), abs=1e-9)
        assert state[player, VAR] == pytest.approx(float(known.var), abs=1e-9)
        assert (state[player, LAST_DAY], state[player, MATCHES]) == (known.last_day, known.matches)
    strangers = [player for player in range(45) if player not in truth]
    assert strangers
    assert not state[strangers].any()


def test_golden_small_event() -> None:
    """Two nights of four players, made up here. Points and deviations as the oracle gives them."""
    nights = [
        Played(20000, 0, 1, Decimal(1)),
        Played(20000, 2, 3, Decimal("0.5")),
        Played(20000, 0, 2, Decimal(1)),
        Played(20000, 1, 3, Decimal(0)),
        Played(20028, 0, 3, Decimal(0)),
        Played(20028, 1, 2, Decimal("0.5"), rates=False),
    ]
    state = rate(columns(nights), DEFAULTS).state
    shown = [(round(DEFAULTS.points(row[MU]), 6), round(DEFAULTS.deviation(row[VAR]), 6)) for row in state.tolist()]
    assert shown == [
        (1509.043536, 57.830335),
        (1481.488588, 58.357679),
        (1491.116576, 58.351060),
        (1518.349137, 57.824014),
    ]
    assert state[:, MATCHES].tolist() == [3, 2, 2, 3]
    assert state[:, LAST_DAY].tolist() == [20028, 20000, 20000, 20028]


@given(small_circuits, st.randoms(use_true_random=False))
def test_order_and_sides_change_no_bit(played: list[Played], rng: random.Random) -> None:
    """CASES 56: two events of one day entered in reverse, round 3 stored before round 1."""
    shuffled = [
        Played(p.day, p.b, p.a, 1 - p.score, p.rates) if rng.random() < 0.5 else p
        for p in rng.sample(played, len(played))
    ]
    one, other = rate(columns(played, players=10), DEFAULTS), rate(columns(shuffled, players=10), DEFAULTS)
    assert one.state.tobytes() == other.state.tobytes()
    assert one.history is not None
    assert other.history is not None
    for column in ("player", "day", "mu_before", "var_before", "mu", "var", "matches_before", "matches"):
        assert getattr(one.history, column).tobytes() == getattr(other.history, column).tobytes(), column


def test_big_day_shuffled_changes_no_bit() -> None:
    """A day of 4,000 matches, where sums of floats would differ."""
    played = [replace(p, day=FIRST_DAY) for p in random_circuit(5, players=300, days=1, matches=4000)]
    expected = rate(columns(played, players=300), DEFAULTS, history=False).state.tobytes()
    for seed in range(3):
        shuffled = random.Random(seed).sample(played, len(played))
        assert shuffled != played
        assert rate(columns(shuffled, players=300), DEFAULTS, history=False).state.tobytes() == expected


@pytest.mark.parametrize("players", [3, 255, 256, 5_000])
def test_the_players_of_a_day_are_listed_by_index(players: int) -> None:
    """Few are compared, many are sorted by digits: large indices, too."""
    highest = 3_000_000
    drawn = np.random.default_rng(players).choice(highest, 2 * players, replace=False)
    history = rate(Matches.of([1] * players, drawn[:players], drawn[players:], [2] * players), DEFAULTS).history
    assert history is not None
    assert np.array_equal(history.player, np.sort(drawn))
    assert np.array_equal(history.player[history.row_a], drawn[:players])


@given(small_circuits, st.lists(st.integers(-1, 7), max_size=4))
def test_any_number_of_steps_is_a_full_build(played: list[Played], stops: list[int]) -> None:
    """Full = incremental = replay from each checkpoint, byte for byte."""
    everything = columns(played, players=10)
    full = rate(everything, DEFAULTS).state.tobytes()
    checkpoint = Checkpoint.start()
    for stop in [*sorted(stops), 7]:
        checkpoint = replay(checkpoint, everything.through(stop), DEFAULTS).checkpoint
        assert replay(checkpoint, everything, DEFAULTS).state.tobytes() == full
    assert checkpoint.state.tobytes() == full


def test_late_correction_replays_from_the_checkpoint_before_it() -> None:
    """CASES 59: a result of two weeks ago changes; nothing is patched, and the days before stay as they were."""
    played = random_circuit(6, players=30, days=400, matches=1500)
    matches, nights = columns(played), sorted({p.day for p in played})
    checkpoints = [rate(matches.through(day), DEFAULTS, history=False).checkpoint for day in nights[::5]]
    wrong = next(i for i, p in enumerate(played) if p.day == nights[-3] and p.score == 1)
    played[wrong] = replace(played[wrong], score=Decimal(0))
    corrected = columns(played)
    checkpoint = newest_before(nights[-3], checkpoints)
    assert checkpoint.day == max(day for day in nights[::5] if day < nights[-3])
    again = rate(corrected, DEFAULTS).state
    assert replay(checkpoint, corrected, DEFAULTS).state.tobytes() == again.tobytes()
    assert again.tobytes() != rate(matches, DEFAULTS).state.tobytes()


def test_without_a_checkpoint_early_enough_everything_is_replayed() -> None:
    late = Checkpoint(20, fresh_state(2))
    assert newest_before(20, [late]).day is None
    assert newest_before(21, [late]) is late


def test_new_players_widen_the_state() -> None:
    played = random_circuit(8, players=20, days=300, matches=400)
    half = FIRST_DAY + 150
    early = [p for p in played if p.day <= half and max(p.a, p.b) < 12]
    late = [p for p in played if p.day > half]
    full = rate(columns(early + late, players=20), DEFAULTS).state
    steps = replay(rate(columns(early, players=12), DEFAULTS).checkpoint, columns(late, players=20), DEFAULTS)
    assert steps.state.tobytes() == full.tobytes()


def test_a_rated_day_is_not_rated_twice() -> None:
    matches = Matches.of([5, 6], [0, 0], [1, 1], [2, 2])
    state = rate(matches, DEFAULTS).state
    before = state.tobytes()
    with pytest.raises(ValueError, match="day 6 is not after the rated day 6"):
        rate(Matches.of([6], [0], [1], [0]), DEFAULTS, state)
    assert state.tobytes() == before


def test_given_state_is_left_alone() -> None:
    state = rate(Matches.of([5], [0], [1], [2]), DEFAULTS).state
    before = state.tobytes()
    assert rate(Matches.of([6], [0], [1], [2]), DEFAULTS, state).state.tobytes() != before
    assert state.tobytes() == before


def test_a_state_never_forgets_players() -> None:
    with pytest.raises(ValueError, match="3 players, the matches only 2"):
        widened(fresh_state(3), 2)


def test_agreed_draws_move_nobody() -> None:
    """RANKING 2.4, also when it is the only match of the day or of a career."""
    rated = [Played(1, 0, 1, Decimal(1)), Played(4, 0, 1, Decimal(0))]
    agreed = [Played(day, a, b, Decimal("0.5"), rates=False) for day in (1, 2, 4) for a, b in ((0, 1), (1, 2))]
    with_agreed = rate(columns(rated + agreed, players=3), DEFAULTS).state
    assert with_agreed.tobytes() == rate(columns(rated, players=3), DEFAULTS).state.tobytes()
    assert not with_agreed[2].any()


def test_idleness_widens_up_to_a_newcomer() -> None:
    state = rate(Matches.of([0] * 20, [0] * 20, [1] * 20, [1] * 20), DEFAULTS).state
    history = rate(Matches.of([100_000], [0], [1], [1]), DEFAULTS, state).history
    assert history is not None
    assert state[0, VAR] < DEFAULTS.newcomer_var
    assert history.var_before.tolist() == [DEFAULTS.newcomer_var] * 2
    soon = rate(Matches.of([73], [0], [1], [1]), DEFAULTS, state).history
    assert soon is not None
    assert soon.var_before[0] == state[0, VAR] + DEFAULTS.var_per_day * 73


def test_history_is_the_state_day_by_day() -> None:
    """CASES 57: the base of a day is what was known before that date, however many events it has."""
    played = random_circuit(9, players=12, days=200, matches=250)
    matches = columns(played)
    history = rate(matches, DEFAULTS).history
    assert history is not None
    assert list(zip(history.day, history.player, strict=True)) == sorted(zip(history.day, history.player, strict=True))
    for day in sorted(set(history.day.tolist())):
        before = widened(rate(matches.through(day - 1), DEFAULTS).state, matches.players)
        after = rate(matches.through(day), DEFAULTS).state
        today = history.day == day
        players = history.player[today]
        moved = history.matches[today] > history.matches_before[today]
        assert (history.mu_before[today] == before[players, MU]).all()
        assert (history.matches_before[today] == before[players, MATCHES]).all()
        assert (history.matches[today] == after[players, MATCHES]).all()
        assert (history.mu[today] == after[players, MU]).all()
        assert (history.var[today] == after[players, VAR])[moved].all()


def test_no_matches_at_all() -> None:
    nothing = Matches.of([], [], [], [])
    rated = rate(nothing, DEFAULTS)
    assert rated.state.shape == (0, 4)
    assert rated.checkpoint.day is None
    state = rate(Matches.of([5], [0], [1], [2]), DEFAULTS).state
    still = replay(Checkpoint(5, state), Matches.of([5], [0], [1], [2]), DEFAULTS)
    assert still.state.tobytes() == state.tobytes()
    assert last_rated_day(still.state) == 5
    assert np.array_equal(rate(Matches.of([], [], [], [], players=2), DEFAULTS, state).state, state)
