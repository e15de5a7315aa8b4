"""The presets of TOURNAMENT_RULES 2.2-2.4: hand-made numbers, a slow oracle, the sums that `explain` shows (2.6)."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.swiss.build import event, shuffled
from tests.core.swiss.oracle import KEYS, Oracle
from tests.core.swiss.sums import total
from tests.core.swiss.wild import wild_event
from tournaments.swiss.lines import Line
from tournaments.swiss.presets import PRESETS
from tournaments.swiss.standings import Standing, explain, standings
from tournaments.swiss.types import Games, Match, Outcome, PlayerId, Points, Rules, Switches, Tournament

NAMES = sorted(name for name, preset in PRESETS.items() if not preset.pods)


def preset(tournament: Tournament, name: str, **switches: object) -> Tournament:
    rules = replace(tournament.rules, preset=name, switches=replace(tournament.rules.switches, **switches))
    return replace(tournament, rules=rules)


def rows(tournament: Tournament, name: str, after: int | None = None, **switches: object) -> dict[str, Standing]:
    return {row.player: row for row in standings(preset(tournament, name, **switches), after)}


def named(row: Standing, name: str) -> dict[str, object]:
    return dict(zip(PRESETS[name].keys, row.values, strict=True))


def lines(tournament: Tournament, name: str, player: str, **switches: object) -> dict[str, Line]:
    return {line.key: line for line in explain(preset(tournament, name, **switches), PlayerId(player)).lines}


# -- 2.3 ---------------------------------------------------------------------------------------------------------------
FIVE = event("ABCDE", "A>B C>D E*", "A>C E>B D*", "A=E D>B C*")
"""Byes for E, D and C; B loses all."""


def test_pokemon_percentages_by_hand() -> None:
    """B 0-3 is lifted to 25 %; C without its bye is 1 of 2; E without its bye 1½ of 2; D 1 of 2."""
    own = lines(FIVE, "play_pokemon", "A")
    assert [(t.opponent, t.points, t.rounds, t.value, t.limit) for t in own["owp"].terms] == [
        ("B", 0, 3, Fraction(1, 4), "floor"),
        ("C", 1, 2, Fraction(1, 2), ""),
        ("E", Fraction(3, 2), 2, Fraction(3, 4), ""),
    ]
    assert own["owp"].value == Fraction(1, 2)
    assert [(t.opponent, t.rounds, t.value) for t in own["oowp"].terms] == [
        ("B", 3, (Fraction(5, 6) + Fraction(3, 4) + Fraction(1, 2)) / 3),
        ("C", 2, (Fraction(1, 2) + Fraction(5, 6)) / 2),
        ("E", 2, (Fraction(1, 4) + Fraction(5, 6)) / 2),
    ]
    assert own["points"].value == 7


def test_pokemon_caps_who_left_early_and_nobody_else() -> None:
    """B wins both and leaves: 100 % counts 75 % for A. C stays and counts whole."""
    tournament = event("ABCDEF", "B>A C>D E>F", "B>C A>D E>F", "E>A C>F D*", drops={"B": 2})
    own = lines(tournament, "play_pokemon", "A")["owp"]
    assert [(t.opponent, t.value, t.limit) for t in own.terms] == [
        ("B", Fraction(3, 4), "cap"),
        ("D", Fraction(1, 4), "floor"),
        ("E", Fraction(1), ""),
    ]
    stayed = replace(tournament, entrants=tuple(replace(one, last_round=None) for one in tournament.entrants))
    assert lines(stayed, "play_pokemon", "A")["owp"].terms[0].value == 1


def test_pokemon_a_drop_after_the_last_round_moves_nothing_until_there_is_another() -> None:
    before = event("ABCD", "A>B C>D", "A>C B>D")
    after = event("ABCD", "A>B C>D", "A>C B>D", drops={"A": 2})
    assert {p: row.values for p, row in rows(after, "play_pokemon").items()} == {
        p: row.values for p, row in rows(before, "play_pokemon").items()
    }
    gone = event("ABCD", "A>B C>D", "A>C B>D", "B>C D*", drops={"A": 2})
    assert lines(gone, "play_pokemon", "C")["owp"].terms[1].limit == "cap"


def test_pokemon_counts_byes_in_points_and_nowhere_else() -> None:
    table = rows(event("ABC", "A>B C*", "C>A B*"), "play_pokemon")
    assert (table["C"].points, table["A"].points) == (6, 3)
    assert named(table["A"], "play_pokemon")["owp"] == (Fraction(1, 4) + 1) / 2
    alone = rows(event("ABC", "A>B C*"), "play_pokemon")["C"]
    assert alone.values == (3, Fraction(1, 4), Fraction(1, 4), None)
    assert rows(event("ABC", "A>B C*"), "play_pokemon", no_opponents="zero")["C"].values == (3, 0, 0, None)


LEVEL = event("ABCD", "A=C B=D", "C>B D>A", "B>A D>C")
"""B and C have 4 points, 19/36 and 14/27 each, and C beat B."""


def test_head_to_head_orders_two_who_are_level_and_met() -> None:
    for i in range(6):
        table = rows(replace(LEVEL, id=f"draw-{i}"), "play_pokemon")
        assert table["B"].values == (4, Fraction(19, 36), Fraction(14, 27), 0)
        assert table["C"].values == (4, Fraction(19, 36), Fraction(14, 27), 1)
        assert (table["C"].rank, table["B"].rank) == (2, 3), "whatever the lot says"
    assert [(t.opponent, t.outcome, t.value) for t in lines(LEVEL, "play_pokemon", "C")["head_to_head"].terms] == [
        ("B", Outcome.WIN, 1)
    ]


def test_head_to_head_adds_every_match_between_them() -> None:
    twice = event("AB", "A>B", "B>A", "A=B")
    assert [row.values[3] for row in rows(twice, "play_pokemon").values()] == [Fraction(3, 2)] * 2


def circle() -> Tournament:
    """Three on 3 points who beat each other in a ring, level in everything."""
    return event("ABC", "A>B C/", "B>C A/", "C>A B/")


def test_head_to_head_speaks_only_where_all_have_met() -> None:
    ring = rows(circle(), "play_pokemon")
    assert {row.values[3] for row in ring.values()} == {1}
    assert {row.rank for row in ring.values()} == {1}
    pairs = rows(event("ABCD", "A>B C>D"), "play_pokemon")
    assert [pairs[p].values[3] for p in "AC"] == [None, None], "A and C are level and never met"
    assert (pairs["A"].rank, pairs["C"].rank, pairs["B"].rank) == (1, 1, 3)


def test_a_disqualified_player_is_no_part_of_a_tie() -> None:
    tournament = circle()
    out = replace(tournament, entrants=tuple(replace(e, disqualified=e.id == "C") for e in tournament.entrants))
    table = rows(out, "play_pokemon")
    assert [table[p].values[3] for p in "ABC"] == [1, 0, None]
    assert [table[p].rank for p in "ABC"] == [1, 2, 3]


# -- 2.4 ---------------------------------------------------------------------------------------------------------------
def test_match_wins_put_a_win_before_any_number_of_draws() -> None:
    tournament = event("ABCDEF", "A>B C=D E=F", "C>A B=E D=F", "C=E A=D B*", "F>A C=B D!E")
    table = rows(tournament, "match_wins")
    assert {p: table[p].values[0] for p in "ABCDEF"} == {"A": 1, "B": 1, "C": 1, "D": 1, "E": 0, "F": 1}
    assert table["E"].rank == 6
    assert table["B"].values[1:] == rows(tournament, "mtr")["B"].values[1:]


def test_buchholz_by_hand() -> None:
    """Final points A 9, B 3, C 6, D 0... each of the six met three."""
    tournament = event("ABCDEF", "A>B C>D E=F", "A>C B>E D=F", "A>E C>B F>D")
    points = {p: row.points for p, row in rows(tournament, "buchholz").items()}
    assert points == {"A": 9, "B": 3, "C": 6, "D": 1, "E": 1, "F": 5}
    own = lines(tournament, "buchholz", "C")
    assert [(t.opponent, t.value) for t in own["buchholz"].terms] == [("D", 1), ("A", 9), ("B", 3)]
    assert [(t.points, t.value, t.limit) for t in own["median_buchholz"].terms] == [
        (1, 0, "cut"), (9, 0, "cut"), (3, 3, ""),
    ]  # fmt: skip
    assert [own[key].value for key in ("buchholz", "median_buchholz", "sonneborn_berger")] == [13, 3, 4]
    assert lines(tournament, "buchholz", "F")["sonneborn_berger"].value == Fraction(1, 2) + Fraction(1, 2) + 1


def test_buchholz_of_a_bye_is_a_dummy_with_his_points_up_to_a_draw_a_round() -> None:
    tournament = event("ABC", "A>B C*", "C>A B*", "C>B A*")
    own = lines(tournament, "buchholz", "C")
    assert [(t.opponent, t.points, t.limit) for t in own["buchholz"].terms] == [
        (None, 3, "cap"),
        ("A", 6, ""),
        ("B", 3, ""),
    ]
    assert own["sonneborn_berger"].value == 3 + 6 + 3, "the bye beats the dummy"
    weak = lines(event("ABC", "A>B C*", "A>C B*", "A>C B/", "A>B C/"), "buchholz", "B")
    assert [(t.outcome, t.points, t.limit) for t in weak["buchholz"].terms if t.opponent is None] == [
        (Outcome.BYE, 3, ""), (Outcome.UNPAIRED_LOSS, 3, ""),
    ]  # fmt: skip


def test_buchholz_of_an_opponent_who_left_counts_a_draw_for_each_round_after() -> None:
    tournament = event("ABCDE", "A>B C>D E*", "A>C D>E", "A>D C>E", drops={"B": 1})
    assert [(t.opponent, t.points, t.rounds) for t in lines(tournament, "buchholz", "A")["buchholz"].terms] == [
        ("B", 2, 2), ("C", 6, 0), ("D", 3, 0),
    ]  # fmt: skip


def test_median_buchholz_cuts_a_round_sat_out_first() -> None:
    """B's unpaired loss is worth 4, more than C's 1, and yet it is the one cut as lowest."""
    tournament = event("ABCDE", "B>C A>D E*", "B/ A>C D>E", "B=D A>E C/", "A>B D>C E/")
    terms = lines(tournament, "buchholz", "B")["median_buchholz"].terms
    assert [(t.opponent, t.limit) for t in terms] == [("C", ""), (None, "cut"), ("D", ""), ("A", "cut")]


@pytest.mark.parametrize(("played", "value"), [(0, 0), (1, 0), (2, 0), (3, 3)])
def test_median_buchholz_needs_three_rounds(played: int, value: int) -> None:
    whole = event("ABCD", "A>B C>D", "A>C B>D", "A>D B>C")
    assert named(rows(whole, "buchholz", played)["A"], "buchholz")["median_buchholz"] == value


def test_goals_by_hand() -> None:
    """3-1 and 0-2, a bye of 1-0, a no-show of 1-0, an agreed draw without goals, and a shoot-out after 2-2."""
    rules = Rules(best_of=1, preset="goals")
    tournament = event("ABCDE", "A>B:3-1 C>D:1-0 E*", "C>A:2-0 B!D E/", "A~B C#D E/", "A>E:2-2 B*", rules=rules)
    table = rows(tournament, "goals")
    assert table["A"].values[:3] == (7, 0, 5)
    assert table["B"].values[:3] == (7, 0, 3)
    assert table["E"].values[:3] == (3, 1, 3)
    assert [(t.points, t.rounds, t.value) for t in lines(tournament, "goals", "A")["goal_difference"].terms] == [
        (3, 1, 2), (0, 2, -2), (0, 0, 0), (2, 2, 0),
    ]  # fmt: skip
    assert [row.player for row in standings(tournament)] == ["A", "B", "C", "E", "D"]


def test_goals_unknown_leave_the_order() -> None:
    tournament = event("ABCD", "A>B C>D")
    unknown = replace(tournament, matches=(replace(tournament.matches[0], games=None), tournament.matches[1]))
    table = rows(unknown, "goals")
    assert {row.values[1:3] for row in table.values()} == {(None, None)}
    assert (table["A"].rank, table["C"].rank) == (1, 1)


def test_cumulative_by_the_published_formula() -> None:
    """Lost, won, won, won, lost: 0; 1; 2.25; 3.5625; 3.890625."""
    tournament = event("AB", "B>A", "A>B", "A>B", "A!B", "B>A")
    found = [named(rows(tournament, "cumulative", after)["A"], "cumulative")["ctb"] for after in range(1, 6)]
    assert found == [0, 1, Fraction(9, 4), Fraction(57, 16), Fraction(249, 64)]
    assert [t.points for t in lines(tournament, "cumulative", "A")["ctb"].terms] == [0, 1, 2, 3, 3]


def test_cumulative_puts_first_who_had_more_wins_the_last_time_that_they_differed() -> None:
    """A, C and D have one win each: in round 1, 2 and 3. Who left keeps his wins."""
    tournament = event("ABCDE", "A>B C/ D/ E/", "C>B D/ E/", "D>B C/ E/", drops={"A": 1})
    order = [row.player for row in standings(preset(tournament, "cumulative"))]
    assert order[:3] == ["A", "C", "D"]
    assert {row.rank for row in standings(preset(tournament, "cumulative")) if row.player in "BE"} == {4}


# -- all of them -------------------------------------------------------------------------------------------------------
SWITCHES = st.builds(
    Switches,
    floor=st.sampled_from([Fraction(33, 100), Fraction(1, 3), Fraction(0)]),
    own_gw_floor=st.booleans(),
    mw_denominator=st.sampled_from(["played", "all"]),
    opponents=st.sampled_from(["per_match", "unique"]),
    drawn_game_points=st.integers(0, 1),
    opponent_byes=st.sampled_from(["count", "strip"]),
    no_opponents=st.sampled_from(["floor", "zero"]),
    freeze=st.sampled_from([(), (2,), (2, 4), (1, 3, 5)]),
)
POINTS = st.sampled_from([Points(), Points(2, 1, 0, 2), Points(3, 0, 1, 1), Points(3, 1, 0, 1)])


@st.composite
def events(draw: st.DrawFn, name: str | None = None) -> Tournament:
    tournament = wild_event(draw(st.integers(0, 5000)), most=7)
    rules = Rules(
        points=draw(POINTS),
        best_of=draw(st.sampled_from([1, 3])),
        preset=name or draw(st.sampled_from(NAMES)),
        switches=draw(SWITCHES),
    )
    if draw(st.integers(0, 9)):
        matches = tuple(replace(one, games=_games(one)) for one in tournament.matches)
        tournament = replace(tournament, matches=matches)
    return replace(tournament, rules=rules)


def _games(one: Match) -> Games:
    return random.Random(f"{one.round}{one.a}").choice([Games(2, 0), Games(1, 2), Games(1, 1, 1), Games(0, 2, 1)])


AFTER = st.sampled_from([None, None, 0, 1, 2, 3])


@pytest.mark.parametrize("name", NAMES)
@given(st.data())
def test_every_number_and_place_is_that_of_the_slow_oracle(name: str, data: st.DataObject) -> None:
    tournament, after = data.draw(events(name)), data.draw(AFTER)
    oracle, table = Oracle(tournament, after), standings(tournament, after)
    assert {row.player for row in table} == set(oracle.players())
    for row in table:
        assert list(row.values[: len(KEYS[name])]) == oracle.values(row.player), row.player
    assert [(row.rank, row.player) for row in table] == oracle.table()


@given(events(), AFTER)
def test_the_terms_of_every_line_add_up_to_the_number_in_the_table(tournament: Tournament, after: int | None) -> None:
    for row in standings(tournament, after):
        own = explain(tournament, row.player, after).lines
        assert tuple(line.key for line in own) == PRESETS[tournament.rules.preset].keys
        assert tuple(line.value for line in own) == row.values
        assert tuple(total(line, tournament.rules.switches) for line in own) == row.values


@given(events(), st.integers(0, 99), AFTER)
def test_the_order_of_the_input_changes_nothing(tournament: Tournament, mix: int, after: int | None) -> None:
    mixed = shuffled(tournament, mix)
    assert standings(mixed, after) == standings(tournament, after)
    for row in standings(tournament, after)[:2]:
        assert explain(mixed, row.player, after) == explain(tournament, row.player, after)


@given(events(), st.integers(0, 4))
def test_a_frozen_phase_is_the_event_with_its_later_rounds_cut_off(tournament: Tournament, after: int) -> None:
    """2.7: what comes later changes nothing, but for who stands there (a late entry is listed before his round)."""
    cut = replace(tournament, matches=tuple(match for match in tournament.matches if match.round <= after))
    before = {row.player: row.values for row in standings(cut)}
    for row in standings(tournament, after):
        if PRESETS[tournament.rules.preset].among:
            assert before[row.player][:-1] == row.values[:-1]
        else:
            assert before[row.player] == row.values


@given(events("play_pokemon"))
def test_head_to_head_is_there_exactly_for_groups_that_all_met(tournament: Tournament) -> None:
    table = standings(tournament)
    out = {row.player: row.disqualified for row in table}
    met = {(m.a, m.b) for m in tournament.matches if m.b and m.outcome not in (None, Outcome.NOT_PLAYED)}
    for row in table:
        group = [r.player for r in table if r.values[:3] == row.values[:3] and out[r.player] == out[row.player]]
        pairs = [(a, b) for a in group for b in group if a < b]
        assert (row.values[3] is not None) == (len(group) > 1 and all(p in met or p[::-1] in met for p in pairs))


@pytest.mark.parametrize("name", NAMES)
def test_every_key_of_a_preset_is_the_key_of_its_line(name: str) -> None:
    own = explain(preset(event("ABCD", "A>B C=D"), name), PlayerId("A")).lines
    assert tuple(line.key for line in own) == PRESETS[name].keys
    assert len(PRESETS[name].breaks) + len(PRESETS[name].among) == len(PRESETS[name].keys)
