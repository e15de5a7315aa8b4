"""Standings and tie-breaks (TOURNAMENT_RULES 2): published examples, hand-made events, real published standings."""

import json
import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from tests.core.swiss.build import event, shuffled
from tests.core.swiss.sums import total
from tests.core.swiss.wild import played_event, wild_event
from tournaments.eventfile import EventFile, parse, to_tournament
from tournaments.swiss.ledger import ledger_of
from tournaments.swiss.published import differences, tolerance_of
from tournaments.swiss.standings import PRESETS, explain, standings
from tournaments.swiss.types import Entrant, Games, Match, Outcome, PlayerId, Rules, Tournament

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "mtr-appendix-c.json").read_text())
REAL = Path(__file__).resolve().parents[4] / "shared" / "data" / "swiss"
THIRD = Fraction(1, 3)
DUELS = [preset for preset in PRESETS.values() if not preset.pods]


def rows(tournament: Tournament, after: int | None = None):
    return {row.player: row for row in standings(tournament, after)}


def switched(tournament: Tournament, **switches) -> Tournament:
    return replace(tournament, rules=replace(tournament.rules, switches=replace(tournament.rules.switches, **switches)))


def with_record(player: str, record: list[int], first_round: int = 1) -> list[Match]:
    """Matches that give the player that record of wins, losses, draws against strangers."""
    signs = [sign for sign, count in zip("WLD", record, strict=True) for _ in range(count)]
    return [_against(player, f"{player}x{i}", sign, i) for i, sign in enumerate(signs, first_round)]


def _against(a: str, b: str, sign: str, round: int) -> Match:
    first, second = PlayerId(a), PlayerId(b)
    if sign == "D":
        return Match(round, first, second, Outcome.DRAW, None, Games(1, 1, 1))
    won = sign == "W"
    return Match(round, first, second, Outcome.WIN, first if won else second, Games(2, 0) if won else Games(0, 2))


def tournament_of(matches: list[Match]) -> Tournament:
    ids = sorted({player for match in matches for player in match.players})
    return Tournament("golden", Rules(), tuple(Entrant(player) for player in ids), tuple(matches))


@pytest.mark.parametrize("example", GOLDEN["match_points"])
def test_published_match_points(example) -> None:
    assert rows(tournament_of(with_record("A", example["record"])))["A"].points == example["points"]


@pytest.mark.parametrize("example", GOLDEN["match_win"])
def test_published_match_win_share(example) -> None:
    """Seen by an opponent; 1-3-0 and drop is 3 of 12, raised to the floor."""
    tournament = tournament_of(with_record("A", example["record"]))
    term = next(line for line in explain(tournament, PlayerId("Ax1")).lines if line.key == "omw").terms[0]
    assert (term.rounds, float(round(term.value, 2))) == (example["rounds"], example["share"])


@pytest.mark.parametrize("example", GOLDEN["game_win"])
def test_published_game_win_share(example) -> None:
    matches = [
        replace(_against("A", f"x{i}", "W" if won > lost else "L", i), games=Games(won, lost, drawn))
        for i, (won, lost, drawn) in enumerate(example["games"], 1)
    ]
    line = next(line for line in explain(tournament_of(matches), PlayerId("A")).lines if line.key == "gw")
    assert sum(term.points for term in line.terms) == example["points"]
    assert sum(term.rounds for term in line.terms) == example["of"]
    assert float(round(line.value, 2)) == example["share"]


def test_published_opponents_match_win() -> None:
    example = GOLDEN["opponents"]
    matches: list[Match] = []
    for i, (won, lost, drawn) in enumerate(example["records"], 1):
        matches.append(_against("P", f"O{i}", "W", i))
        matches += with_record(f"O{i}", [won, lost - 1, drawn], first_round=i + 1)
    line = next(line for line in explain(tournament_of(matches), PlayerId("P")).lines if line.key == "omw")
    assert [float(round(term.value, 2)) for term in line.terms] == example["shares"]
    assert float(round(line.value, 2)) == example["mean"]
    with_bye = [
        Match(1, PlayerId("P"), None, Outcome.BYE),
        *(match for match in matches if match.players != ("P", "O1")),
    ]
    assert float(round(rows(tournament_of(with_bye))["P"].omw, 2)) == example["mean_with_bye_in_round_1"]


def test_case_20_the_bye_s_own_round_adds_no_opponent_and_the_sum_is_shown() -> None:
    tournament = event("ABCDE", "A>B C>D E*", "A>C E>D B*", "E>A B>C D*")
    lines = {line.key: line for line in explain(tournament, PlayerId("E")).lines}
    assert [term.opponent for term in lines["omw"].terms] == ["D", "A"]
    assert [(term.points, term.rounds) for term in lines["omw"].terms] == [(3, 3), (6, 3)]
    assert lines["omw"].value == (Fraction(3, 9) + Fraction(6, 9)) / 2
    assert [(term.round, term.points) for term in lines["points"].terms] == [(1, 3), (2, 3), (3, 3)]
    stripped = switched(tournament, opponent_byes="strip")
    assert explain(stripped, PlayerId("E")).lines[1].value == (Fraction(33, 100) + Fraction(6, 9)) / 2


def test_case_24_the_floor_lifts_every_value_below_it() -> None:
    """One win in five is 0.20; the floor is 0.33 unless the event says 1/3."""
    tournament = event("ABCDEFG", "A>B", "C>A", "D>A", "E>A", "F>A")
    assert rows(tournament)["B"].omw == Fraction(33, 100)
    assert rows(switched(tournament, floor=THIRD))["B"].omw == THIRD
    assert rows(switched(tournament, floor=Fraction(0)))["B"].omw == Fraction(1, 5)


def test_case_25_a_drop_stops_the_count_and_a_tie_wants_every_criterion_equal() -> None:
    """B's share is of the rounds that B played; equal points alone are no tie."""
    tournament = event("ABCDEF", "A>B C>D E>F", "A>C B>D E*", drops={"B": 2})
    table = rows(tournament)
    assert table["D"].omw == (Fraction(1, 2) + Fraction(1, 2)) / 2
    assert (table["B"].points, table["C"].points) == (3, 3)
    assert (table["B"].rank == table["C"].rank) == (table["B"].values == table["C"].values)
    assert table["B"].dropped
    later = event("ABCDEF", "A>B C>D E>F", "A>C B>D E*", "A>D C>E F*", drops={"B": 2})
    assert [term.rounds for term in explain(later, PlayerId("D")).lines[1].terms] == [3, 2, 3]


def test_case_26_dropped_players_stay_listed_and_marked() -> None:
    tournament = event("ABCD", "A>B C>D", "A>C B>D", drops={"D": 2, "A": 2})
    assert [(row.player, row.dropped) for row in standings(tournament)][:1] == [("A", True)]
    assert {row.player for row in standings(tournament)} == set("ABCD")
    before = event("ABCD", "A>B C>D", "A>C B>D")
    assert [row.values for row in standings(before)] == [row.values for row in standings(tournament)]


def test_case_27_standings_follow_at_once_from_the_last_result() -> None:
    open_match = event("ABCD", "A>B C>D", "A-C B>D")
    assert rows(open_match)["A"].points == 3
    assert rows(open_match)["A"].played == 1
    assert rows(event("ABCD", "A>B C>D", "A>C B>D"))["A"].points == 6


def test_ties_share_the_rank_and_follow_the_stored_draw() -> None:
    tournament = event("ABCDEF", "A~B C~D", "A>E")
    table = standings(event("ABCD"))
    assert [row.rank for row in table] == [1, 1, 1, 1]
    assert [row.place for row in table] == [1, 2, 3, 4]
    assert standings(shuffled(event("ABCD"), 3)) == table
    assert [row.player for row in standings(replace(event("ABCD"), id="another"))] != [row.player for row in table]
    ranks = [row.rank for row in standings(tournament)]
    assert ranks == [1, 2, 3, 3, 5, 6]


def test_who_stands_in_the_standings() -> None:
    """Dropped before round 1: no participant (5.1). A late entry stands there from the round before his first."""
    entrants = (
        Entrant(PlayerId("A")),
        Entrant(PlayerId("B")),
        Entrant(PlayerId("gone"), last_round=0),
        Entrant(PlayerId("late"), first_round=3),
    )
    tournament = replace(event("AB", "A>B", "A>B"), entrants=entrants)
    assert {row.player for row in standings(tournament)} == {"A", "B", "late"}
    assert {row.player for row in standings(tournament, 1)} == {"A", "B"}
    assert {row.player for row in standings(tournament, 2)} == {"A", "B", "late"}


def test_a_disqualified_player_stands_last_and_keeps_the_opponents_results() -> None:
    tournament = event("ABCD", "A>B C>D", "A>C B>D")
    out = replace(tournament, entrants=tuple(replace(one, disqualified=one.id == "A") for one in tournament.entrants))
    assert [(row.player, row.rank, row.disqualified) for row in standings(out)][-1] == ("A", 4, True)
    assert rows(out)["B"].omw == rows(tournament)["B"].omw


def test_unpaired_loss_is_a_round_without_games() -> None:
    tournament = event("ABC", "A>B C/", "C>A:2-1 B*")
    table = rows(tournament)
    assert table["C"].gw == Fraction(6, 9)
    assert explain(tournament, PlayerId("A")).lines[1].terms[1].rounds == 2
    assert (table["C"].losses, table["C"].points) == (1, 3)


@pytest.mark.parametrize(("switch", "value"), [("floor", Fraction(33, 100)), ("zero", Fraction(0))])
def test_without_an_opponent(switch: str, value: Fraction) -> None:
    row = rows(switched(event("ABC", "A>B C*"), no_opponents=switch))["C"]
    assert (row.omw, row.ogw, row.gw) == (value, value, 1)


def test_own_game_win_takes_the_floor_when_the_event_says_so() -> None:
    tournament = event("AB", "A>B:2-0", "A>B:2-0")
    assert rows(tournament)["B"].gw == Fraction(33, 100)
    assert rows(switched(tournament, own_gw_floor=False))["B"].gw == 0
    nobody_played = switched(event("AB"), own_gw_floor=False)
    assert rows(nobody_played)["A"].gw == Fraction(33, 100)


def test_drawn_games_and_unique_opponents() -> None:
    tournament = event("AB", "A=B:1-1-1", "A>B:2-1")
    assert rows(tournament)["A"].gw == Fraction(3 + 1 + 6, 18)
    assert rows(switched(tournament, drawn_game_points=0))["A"].gw == Fraction(9, 18)
    assert len(explain(tournament, PlayerId("A")).lines[1].terms) == 2
    assert len(explain(switched(tournament, opponents="unique"), PlayerId("A")).lines[1].terms) == 1


def test_missed_rounds_count_as_losses_where_the_platform_counts_all() -> None:
    tournament = event("ABCD", "A>B C>D", "B>C A>D", "A>C D*", drops={"B": 2})
    assert explain(tournament, PlayerId("A")).lines[1].terms[0].rounds == 2
    everything = switched(tournament, mw_denominator="all", floor=THIRD)
    assert [term.rounds for term in explain(everything, PlayerId("A")).lines[1].terms] == [3, 3, 3]


def test_freeze_stops_the_numbers_at_the_phase_that_the_player_reached() -> None:
    tournament = event("ABCD", "A>B C>D", "C>B D>A", "A>C", "C>A")
    frozen = switched(tournament, freeze=(2, 4))
    of_b = explain(frozen, PlayerId("B")).lines[1]
    assert [(term.opponent, term.points, term.rounds) for term in of_b.terms] == [("A", 3, 2), ("C", 6, 2)]
    of_c = explain(frozen, PlayerId("C")).lines[1]
    assert [(term.opponent, term.rounds) for term in of_c.terms] == [("D", 2), ("B", 2), ("A", 4), ("A", 4)]


def test_unknown_games_leave_the_order_for_everybody() -> None:
    tournament = event("ABCD", "A>B C>D")
    unknown = replace(tournament, matches=tuple(replace(one, games=None) for one in tournament.matches))
    assert {(row.gw, row.ogw) for row in standings(unknown)} == {(None, None)}
    assert [row.rank for row in standings(unknown)] == [1, 1, 3, 3]


@pytest.mark.parametrize("seed", range(60))
def test_explain_adds_up_to_the_printed_value(seed: int) -> None:
    tournament = wild_event(seed)
    tournament = replace(tournament, matches=tuple(replace(one, games=_games(one)) for one in tournament.matches))
    for row in standings(tournament):
        lines = explain(tournament, row.player).lines
        assert tuple(line.value for line in lines) == row.values
        assert [total(line, tournament.rules.switches) for line in lines] == list(row.values)


def _games(one: Match) -> Games:
    return random.Random(f"{one.round}{one.a}").choice([Games(2, 0), Games(1, 2), Games(1, 1, 1), Games(0, 2, 1)])


def test_the_order_of_the_input_changes_nothing() -> None:
    for tournament, round, _ in played_event(11, 6, seed=5, draws=0.2, drops=0.1):
        for mix in range(3):
            assert standings(shuffled(tournament, mix), round) == standings(tournament, round)


def test_earlier_rounds_are_as_they_were() -> None:
    whole = event("ABCD", "A>B C>D", "A>C B>D", "A>D B>C")
    for round in (0, 1, 2):
        cut = replace(whole, matches=tuple(match for match in whole.matches if match.round <= round))
        assert standings(whole, round) == standings(cut)


@pytest.fixture(scope="module")
def real_events() -> list[tuple[EventFile, bool]]:
    found = []
    for path in sorted(REAL.glob("*.json")):
        text = path.read_bytes()
        found.append((parse(text), json.loads(text)["check"].get("all_exact", False)))
    return found


@pytest.mark.realdata
def test_real_published_standings_are_reproduced(real_events) -> None:
    """149 of the 167 real events exactly within their rounding; the other 18 are told apart (data/README)."""
    exact = {}
    for event_file, expected in real_events:
        tournament = to_tournament(event_file)
        keys = PRESETS[tournament.rules.preset].keys
        ours = {row.player: dict(zip(keys, row.values, strict=True)) for row in standings(tournament)}
        exact[event_file.id] = not list(differences(ours, event_file.standings or ()))
        assert exact[event_file.id] is expected, event_file.id
    assert (sum(exact.values()), len(exact)) == (149, 167)


@pytest.mark.realdata
def test_every_preset_reproduces_what_its_switches_describe(real_events) -> None:
    """A published number of a key that another preset has too is that preset's number as well (2.2-2.4)."""
    compared = Counter()
    for event_file, expected in real_events:
        for preset in DUELS if expected else ():
            ours = {
                row.player: dict(zip(preset.keys, row.values, strict=True)) for row in placed(event_file, preset.name)
            }
            assert not list(differences(ours, event_file.standings or ())), (event_file.id, preset.name)
            compared[preset.name] += sum(key in row for row in event_file.standings or () for key in preset.keys)
    assert {name: compared[name] // 4804 for name in sorted(preset.name for preset in DUELS)} == {
        "buchholz": 1, "cumulative": 0, "goals": 2, "match_wins": 3, "mtr": 4, "play_pokemon": 1,
    }  # fmt: skip


@pytest.mark.realdata
def test_the_explanation_of_every_real_player_adds_up_to_the_published_number(real_events) -> None:
    """All 4,804 of the 149 events."""
    exact = [event_file for event_file, expected in real_events if expected]
    for event_file in exact:
        tournament, published = to_tournament(event_file), event_file.standings or ()
        lines, margin = PRESETS["mtr"].lines(ledger_of(tournament)), tolerance_of(published)
        for row in published:
            sums = {line.key: total(line, tournament.rules.switches) for line in lines[row["player"]]}
            for key in sums.keys() & row.keys():
                if sums[key] is not None and row[key] is not None and row[key] >= 0:
                    assert abs(sums[key] - Fraction(str(row[key]))) <= margin, (event_file.id, row["player"], key)
        last = PlayerId(published[-1]["player"])
        assert explain(tournament, last).lines == lines[last]
    assert sum(len(event_file.standings or ()) for event_file in exact) == 4804


@pytest.mark.realdata
@pytest.mark.parametrize("name", sorted(preset.name for preset in DUELS))
def test_real_explanations_add_up_in_every_preset(real_events, name: str) -> None:
    for event_file, _ in real_events[::6]:
        tournament = with_preset(to_tournament(event_file), name)
        for row in standings(tournament)[::5]:
            lines = explain(tournament, row.player).lines
            assert tuple(total(line, tournament.rules.switches) for line in lines) == row.values


def placed(event_file: EventFile, preset: str):
    return standings(with_preset(to_tournament(event_file), preset))


def with_preset(tournament: Tournament, name: str) -> Tournament:
    return replace(tournament, rules=replace(tournament.rules, preset=name))
