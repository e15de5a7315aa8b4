"""Pairing a round (TOURNAMENT_RULES 4) on the cases that break other software (CASES.md) and at the edges."""

import json
from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from tests.core.swiss.build import event, names, pairs, shuffled
from tests.core.swiss.verify import digest
from tests.core.swiss.wild import played_event
from tournaments.eventfile import from_dict, to_tournament
from tournaments.swiss.history import history_before
from tournaments.swiss.pairing import ENGINE_VERSION, Note, Pairing, PairingRefused, criteria_of, pair_round, why
from tournaments.swiss.round_robin import circle
from tournaments.swiss.standings import standings
from tournaments.swiss.types import Entrant, Match, Outcome, PlayerId, Tournament


def paired(tournament: Tournament, seed: str = "1", by_standings: bool = False) -> Pairing:
    return pair_round(tournament, tournament.last_round + 1, seed, by_standings)


def codes(notes) -> list[str]:
    return [note.code for note in notes]


def seated(pairing: Pairing) -> list[str]:
    players = [player for pair in pairing.pairs for player in pair]
    return sorted([*players, *pairing.assigned_byes, *([pairing.bye] if pairing.bye else [])])


def test_case_1_no_rematch_while_a_full_pairing_without_one_exists() -> None:
    pairing = paired(event("ABCD", "A>B C>D", "A>C B>D"))
    assert names(pairing.pairs) == pairs("AD", "BC")
    assert pairing.criteria.rematches == 0
    assert pairing.criteria.gap == 6


def test_case_3_when_everybody_has_met_the_least_recent_rematch_is_taken_and_said() -> None:
    """Six players, no full pairing without a rematch in round 4 (those who have not met form two triangles)."""
    tournament = event("ABCDEF", "A>F C>B E>D", "C>A B>D F>E", "D>A F>B C>E")
    pairing = paired(tournament)
    assert seated(pairing) == sorted("ABCDEF")
    assert pairing.criteria.rematches == 1
    assert pairing.criteria.rematch_recency == 1
    note = next(note for note in pairing.notes if note.code == "rematch")
    assert note.rule == "4.1.3"
    assert note.data == {"times": 1, "last_round": 1}
    assert frozenset(note.players) in names(pairing.pairs)


def test_case_5_the_gap_is_smallest_over_the_whole_pairing() -> None:
    """Ten players, two rounds played: nobody on 2-0 meets 0-2 while 2-0 against 1-1 exists."""
    for seed in range(20):
        tournament = event(
            "ABCDEFGHIJ", "A>B C>D E>F G>H I>J", "A>C E>G I>B D>F H>J" if seed % 2 else "A>C E>G B>I F>D H>J"
        )
        pairing = paired(tournament, str(seed))
        points = {row.player: row.points for row in standings(tournament)}
        assert max(abs(points[a] - points[b]) for a, b in pairing.pairs) <= 3
        assert pairing.criteria.rematches == 0


def test_case_6_random_inside_the_group_and_the_seed_gives_the_same_round_again() -> None:
    """Every pairing of four players on equal points comes up; tie-breaks play no part unless asked for."""
    four = event("ABCD")
    seen = Counter(frozenset(names(paired(four, str(seed)).pairs)) for seed in range(120))
    assert len(seen) == 3
    assert min(seen.values()) > 20
    eight = event("ABCDEFGH")
    rounds = [paired(eight, str(seed)) for seed in range(20)]
    assert len({pairing.pairs for pairing in rounds}) > 15
    assert rounds == [paired(eight, str(seed)) for seed in range(20)]
    assert {pairing.seed for pairing in rounds} == {str(seed) for seed in range(20)}


def test_case_6_tie_breaks_do_not_decide_who_meets_whom() -> None:
    """Four on 3 points after two rounds meet in every combination, whatever their tie-breaks."""
    tournament = event("ABCDEFGH", "A>B C>D E>F G>H", "A>C B>D E>G F>H")
    met = {frozenset(pair) for seed in range(200) for pair in paired(tournament, str(seed)).pairs}
    assert pairs("BF", "BG", "CF", "CG") <= met


def test_by_standings_neighbours_meet() -> None:
    tournament = event("ABCDEFGH", "A>B:2-0 C>D:2-0 E>F:2-1 G>H:2-1")
    place = {row.player: row.place for row in standings(tournament)}
    for seed in range(5):
        pairing = paired(tournament, str(seed), by_standings=True)
        assert sorted(sorted((place[a], place[b])) for a, b in pairing.pairs) == [[1, 2], [3, 4], [5, 6], [7, 8]]


@pytest.mark.parametrize("left", [0, 1])
def test_case_11_nobody_or_one_left_is_a_clear_refusal(left: int) -> None:
    players = "ABCD"
    tournament = event(players, "A>B C>D", drops=dict.fromkeys(players[left:], 1))
    with pytest.raises(PairingRefused) as refusal:
        paired(tournament)
    assert (refusal.value.code, refusal.value.rule) == ("no_players", "4.3")
    assert refusal.value.players == tuple(players[:left])


def test_case_12_a_hard_separation_is_kept_whatever_it_costs() -> None:
    tournament = event("ABCD", "A>C B>D", separations=((PlayerId("A"), PlayerId("B")),))
    for seed in range(10):
        pairing = paired(tournament, str(seed))
        assert frozenset("AB") not in names(pairing.pairs)
        assert names(pairing.pairs) == pairs("AD", "BC")


def test_case_12_an_impossible_hard_separation_is_named() -> None:
    """A must not meet B, C or D: one of the three has to be lifted, and it is said which."""
    barred = tuple((PlayerId("A"), PlayerId(other)) for other in "BCD")
    with pytest.raises(PairingRefused) as refusal:
        paired(event("ABCD", separations=barred))
    assert refusal.value.code == "hard_separations"
    assert len(refusal.value.lift) == 1
    lifted = tuple(pair for pair in barred if frozenset(pair) not in names(refusal.value.lift))
    assert seated(paired(event("ABCD", separations=lifted))) == list("ABCD")
    assert "lift" in str(refusal.value)


def test_case_12_a_soft_separation_yields_last_and_is_said() -> None:
    def teamed(players: str, teams: dict[str, str], *rounds: str) -> Tournament:
        plain = event(players, *rounds)
        entrants = tuple(replace(one, team=teams.get(one.id)) for one in plain.entrants)
        return replace(plain, entrants=entrants, separate_teams=True)

    kept = teamed("ABCD", {"A": "x", "B": "x"})
    assert all(frozenset("AB") not in names(paired(kept, str(seed)).pairs) for seed in range(20))
    forced = teamed("ABCD", {"A": "x", "B": "x"}, "A>C B>D")
    pairing = paired(forced)
    assert names(pairing.pairs) == pairs("AB", "CD")
    note = next(note for note in pairing.notes if note.code == "separation")
    assert (note.rule, note.data, set(note.players)) == ("4.1.7", {"team": "x"}, {"A", "B"})
    assert pairing.criteria.separations == 1
    unasked = replace(kept, separate_teams=False)
    assert any(frozenset("AB") in names(paired(unasked, str(seed)).pairs) for seed in range(20))


def test_case_16_the_bye_goes_to_the_lowest_and_twice_to_nobody_who_need_not() -> None:
    """5 players, 4 rounds: four different players have the bye, each lowest among those without one."""
    for seed in range(10):
        had: list[str] = []
        for tournament, round, pairing in played_event(5, 4, seed, drops=0.0):
            points = {row.player: row.points for row in standings(tournament, round - 1)}
            assert pairing.bye not in had
            if pairing.criteria.rematches == 0:
                assert points[pairing.bye] == min(points[player] for player in points if player not in had)
            note = next(note for note in pairing.notes if note.code == "bye")
            assert note.players == (pairing.bye,)
            assert set(note.data) == {"points", "lowest", "byes", "passed_over"}
            had.append(pairing.bye)


def test_case_17_a_bye_by_hand_and_a_win_by_forfeit_count_when_the_next_is_given() -> None:
    by_hand = event("ABC", "C* A>B", "A>C B*")
    assert paired(by_hand).bye == "A"
    by_forfeit = event("ABCDE", "A>B C!D E*", "A>C B>D")
    pairing = paired(by_forfeit)
    assert pairing.bye == "D"
    both = event("ABC", "C!B A*")
    assert paired(both).bye == "B"


def test_case_18_bye_and_pairs_are_chosen_together() -> None:
    """The lowest, C, may not have the bye, for A would meet B again."""
    tournament = event("ABCDE", "A>B D>C E*", drops={"D": 1, "E": 1})
    pairing = paired(tournament)
    assert pairing.bye == "B"
    assert names(pairing.pairs) == pairs("AC")
    assert pairing.criteria.rematches == 0
    reason = next(note for note in why(tournament, pairing, PlayerId("B")) if note.code == "bye")
    assert reason.data["points"] == 0


def bye_note(tournament: Tournament) -> Note:
    return next(note for note in paired(tournament).notes if note.code == "bye")


def test_the_note_of_a_bye_says_whom_it_passed_over_and_why() -> None:
    """E has fewer points and has had a bye; C has fewer points, and with his bye A and B would meet again."""
    had = bye_note(event("ABCDE", "A>B C>D E*", "A>E B>C D*", "D>E C>A B*"))
    assert had.players[0] in "AC"
    assert had.data == {"points": 6, "lowest": 3, "byes": 0, "passed_over": {"E": "had_bye"}}
    worse = bye_note(event("ABCDE", "A>B D>C E*", "B>E A>D C/", drops={"D": 2, "E": 2}))
    assert worse.players == ("B",)
    assert worse.data == {"points": 3, "lowest": 0, "byes": 0, "passed_over": {"C": "worse_round"}}


def test_case_21_assigned_byes_leave_first_and_bias_nothing_else() -> None:
    """9 players, 2 assigned byes: 7 are left, and each of the 7 can have the bye of round 1."""
    assigned = (PlayerId("A"), PlayerId("B"))
    byes = set()
    for seed in range(80):
        pairing = paired(event("ABCDEFGHI", assigned_byes=assigned), str(seed))
        assert pairing.assigned_byes == assigned
        assert seated(pairing) == list("ABCDEFGHI")
        assert len(pairing.pairs) == 3
        byes.add(pairing.bye)
    assert byes == set("CDEFGHI")


def test_assigned_byes_of_everybody_or_of_all_but_one() -> None:
    two = event("AB", assigned_byes=(PlayerId("A"), PlayerId("B")))
    assert (paired(two).pairs, paired(two).bye, paired(two).assigned_byes) == ((), None, ("A", "B"))
    one = event("AB", assigned_byes=(PlayerId("A"),))
    assert (paired(one).pairs, paired(one).bye) == ((), "B")
    gone = event("ABC", "A>B C*", drops={"A": 1}, assigned_byes=(PlayerId("A"),))
    assert paired(gone).assigned_byes == ()


@pytest.mark.parametrize("players", [2, 3])
def test_the_smallest_events(players: int) -> None:
    for seed in range(5):
        rounds = list(played_event(players, 6, seed, drops=0.0))
        assert len(rounds) == 6
        for _, _, pairing in rounds:
            assert len(seated(pairing)) == players


def test_everybody_has_met_everybody() -> None:
    ids = [PlayerId(letter) for letter in "ABCDEF"]
    matches = tuple(Match(i, a, b, Outcome.WIN, a) for i, games in enumerate(everybody(ids), 1) for a, b in games)
    tournament = Tournament("all", event("A").rules, tuple(Entrant(player) for player in ids), matches)
    pairing = paired(tournament)
    assert pairing.criteria.rematches == 3
    first = {frozenset((a, b)) for a, b in everybody(ids)[0]}
    assert pairing.criteria.rematch_recency == 3
    assert names(pairing.pairs) == first


def test_everybody_has_had_a_bye_and_they_stay_balanced() -> None:
    """3 players, 9 rounds: everybody three times, nobody a third time before all had two."""
    for _, round, pairing in played_event(3, 9, seed=4, drops=0.0):
        assert pairing.criteria.repeat_byes == (round - 1) // 3


def test_five_players_five_rounds_is_a_round_robin_of_byes() -> None:
    for seed in range(10):
        byes = [pairing.bye for _, _, pairing in played_event(5, 5, seed, drops=0.0)]
        assert sorted(byes) == sorted(set(byes))


def test_a_leader_who_has_met_the_whole_next_group() -> None:
    tournament = event("ABCDEF", "A>B C>D E>F", "A>C B>E F>D", "A>E B>C D-F")
    pairing = paired(tournament)
    assert not any(frozenset("A" + other) in names(pairing.pairs) for other in "BCE")
    assert "float" in codes(why(tournament, pairing, PlayerId("A")))


def test_floats_are_noted_and_repeated_ones_are_named() -> None:
    """A is paired down in round 2 and, alone on top again, in round 3."""
    tournament = event("ABCDEF", "A>B C=D E=F", "A>C D>B E>F")
    pairing = paired(tournament)
    floats = [note for note in pairing.notes if note.code == "float"]
    assert all(note.data["points"][0] > note.data["points"][1] for note in floats)
    assert sum(note.data["gap"] for note in floats) == pairing.criteria.gap
    assert codes(pairing.notes).count("repeat_down") == pairing.criteria.repeat_downs == 1
    down = next(note for note in pairing.notes if note.code == "repeat_down")
    assert (down.rule, down.players[0]) == ("4.1.6", "A")


def test_floats_are_counted_as_results_stand_now() -> None:
    """Round 1 is corrected from D>C to C>D: in round 2 A and C had been paired down after all (4.1.6)."""
    before = history_before(event("ABCD", "A>B D>C", "D>A B>C"), 3)
    after = history_before(event("ABCD", "A>B C>D", "D>A B>C"), 3)
    assert (before.downs, before.ups) == (frozenset(), frozenset())
    assert (after.downs, after.ups) == ({"A", "C"}, {"B", "D"})


def test_double_meetings_weigh_twice() -> None:
    tournament = event("ABCD", "A>B C>D", "A>C B>D", "A>D B>C", "A>B C>D")
    pairing = paired(tournament)
    assert names(pairing.pairs) in (pairs("AC", "BD"), pairs("AD", "BC"))
    assert pairing.criteria.rematches == 2
    assert pairing.criteria.rematch_recency == 4


def test_criteria_of_judges_a_swapped_draft() -> None:
    tournament = event("ABCDE", "A>B C>D E*")
    best = paired(tournament)
    assert criteria_of(tournament, 2, best.pairs, best.bye, best.assigned_byes) == best.criteria
    swapped = [(PlayerId("A"), PlayerId("B")), (PlayerId("C"), PlayerId("D"))]
    judged = criteria_of(tournament, 2, swapped, PlayerId("E"))
    assert (judged.rematches, judged.rematch_recency, judged.repeat_byes, judged.bye_points) == (2, 2, 1, 3)
    assert best.criteria < judged


def test_tables_by_standing_and_fixed() -> None:
    tournament = event("ABCDEFGH", "A>B C>D E>F G>H")
    points = {row.player: row.points for row in standings(tournament)}
    pairing = paired(tournament)
    assert pairing.tables == (1, 2, 3, 4)
    assert [points[a] for a, _ in pairing.pairs] == [3, 3, 0, 0]
    fixed = replace(
        tournament, entrants=tuple(replace(one, table=7 if one.id == "B" else None) for one in tournament.entrants)
    )
    at = dict(zip(paired(fixed).tables, paired(fixed).pairs, strict=True))
    assert set(at) == {1, 2, 3, 7}
    assert "B" in at[7]


@pytest.mark.parametrize(
    ("fixed", "tables"),
    [
        ({"A": 2, "B": 5}, (1, 2)),
        ({"A": 1, "C": 1}, (1, 2)),
        ({"C": 1}, (1, 2)),
        ({"A": 9, "C": 9}, (1, 9)),
    ],
)
def test_two_fixed_players_use_one_fixed_table(fixed: dict[str, int], tables: tuple[int, ...]) -> None:
    apart = tuple((PlayerId(a), PlayerId(b)) for a, b in ("AC", "AD"))
    plain = event("ABCD", separations=apart)
    entrants = tuple(replace(one, table=fixed.get(one.id)) for one in plain.entrants)
    pairing = paired(replace(plain, entrants=entrants))
    assert names(pairing.pairs) == pairs("AB", "CD")
    assert pairing.tables == tables
    if fixed == {"A": 2, "B": 5}:
        assert set(pairing.pairs[1]) == {"A", "B"}


def test_why_this_opponent() -> None:
    tournament = event("ABCD", "A>B C>D", "A>C B>D")
    pairing = paired(tournament)
    first = why(tournament, pairing, PlayerId("B"))[0]
    assert (first.code, first.players) == ("opponent", ("B", "C"))
    assert first.data == {"points": [3, 3], "same_points": True, "group": 2, "met": 0, "by_standings": False}
    assert codes(why(tournament, pairing, PlayerId("A"))) == ["opponent", "float"]
    assert why(tournament, pairing, PlayerId("stranger")) == []
    bye = event("ABC", assigned_byes=(PlayerId("A"),))
    assert why(bye, paired(bye), PlayerId("A")) == [Note("assigned_bye", "4.1.1", (PlayerId("A"),))]


def test_only_matches_before_the_round_count() -> None:
    """A stored round can be derived again after later rounds were played (4.2)."""
    whole = event("ABCDEF", "A>B C>D E>F", "A>C E>B D>F", "A>E C>F B>D")
    cut = replace(whole, matches=tuple(match for match in whole.matches if match.round < 3))
    assert pair_round(whole, 3, "9") == pair_round(cut, 3, "9")


def test_late_and_disqualified_players_sit_when_they_are_active() -> None:
    entrants = (
        *(Entrant(PlayerId(letter)) for letter in "ABC"),
        Entrant(PlayerId("L"), first_round=2),
        Entrant(PlayerId("M"), first_round=3),
        Entrant(PlayerId("Q"), disqualified=True),
    )
    tournament = replace(event("ABC", "A>B C*"), entrants=entrants)
    assert seated(pair_round(tournament, 2, "1")) == ["A", "B", "C", "L"]


@pytest.mark.parametrize("players", range(2, 13))
def test_every_size_and_length_gives_a_round(players: int) -> None:
    """Every number of rounds up to players + 2, with drops and late entries: a round, or the refusal of 4.3."""
    for seed in range(4):
        late = seed % 2 and players // 4
        seen, last = 0, None
        for tournament, round, pairing in played_event(players, players + 2, seed, draws=0.1, drops=0.06, late=late):
            active = [one.id for one in tournament.entrants if one.active_in(round)]
            assert seated(pairing) == sorted(active)
            assert len(pairing.pairs) == len(active) // 2
            assert pairing.certified
            seen, last = round, tournament
        assert last is not None
        assert seen == players + 2 or refuses(last, seen + 1)


def refuses(tournament: Tournament, round: int) -> bool:
    """With one player left, or none, nobody is paired, and it is said why."""
    entrants = [replace(one, last_round=round - 1) for one in tournament.entrants[1:]]
    with pytest.raises(PairingRefused) as refusal:
        pair_round(replace(tournament, entrants=(tournament.entrants[0], *entrants)), round, "1")
    return (refusal.value.code, refusal.value.rule) == ("no_players", "4.3")


def test_one_team_over_half_the_field() -> None:
    """Seven of ten are of one team: two of its pairs cannot be helped, no more than two are made."""
    plain = event("ABCDEFGHIJ")
    entrants = tuple(replace(one, team="big" if one.id < "H" else None) for one in plain.entrants)
    for seed in range(10):
        pairing = paired(replace(plain, entrants=entrants, separate_teams=True), str(seed))
        assert pairing.criteria.separations == codes(pairing.notes).count("separation") == 2


def test_groups_of_one() -> None:
    """Nobody has the points of another: everybody floats, by the least there is."""
    tournament = event("ABCDEF", "A>B C>D E=F", "A>C D=E B/ F*")
    assert sorted(history_before(tournament, 3).points.values()) == [0, 1, 2, 3, 4, 6]
    pairing = paired(tournament)
    assert names(pairing.pairs) == pairs("AF", "CE", "BD")
    assert (pairing.criteria.rematches, pairing.criteria.gap, pairing.criteria.gap_squared) == (0, 4, 6)


def test_a_bottom_group_of_whom_each_has_had_a_bye() -> None:
    """D and E stand last and have had theirs: the bye goes up to somebody who has not."""
    tournament = event("ABCDE", "A>B C>D E*", "A>C B>E D*", "A>D B>E C*")
    history = history_before(tournament, 4)
    assert [history.byes[PlayerId(player)] for player in "ABCDE"] == [0, 0, 1, 1, 1]
    assert history.points["D"] == history.points["E"] == min(history.points.values())
    assert paired(tournament).bye in ("A", "B")
    assert paired(tournament).criteria.repeat_byes == 0


def test_a_large_round_is_quick_and_clean() -> None:
    """300 players of 20 teams: found by the bound or by the exact search, every round is clean."""
    for tournament, round, pairing in played_event(300, 5, seed=8, teams=20):
        assert len(seated(pairing)) == sum(one.active_in(round) for one in tournament.entrants)
        assert pairing.criteria.rematches == pairing.criteria.repeat_byes == pairing.criteria.separations == 0


def everybody(ids: list[PlayerId]) -> list[list[tuple[PlayerId, PlayerId]]]:
    """Rounds in which an even number of players meet each other once."""
    return [[(ids[a], ids[b]) for a, b in pairs] for pairs in circle(len(ids))]


GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "pairing.json").read_text())


@pytest.mark.parametrize("stored", GOLDEN["rounds"], ids=lambda stored: stored["event"]["id"])
def test_the_same_round_on_every_machine(stored) -> None:
    """Rounds derived once and kept (4.2): a change here is another ENGINE_VERSION."""
    tournament = shuffled(to_tournament(from_dict(stored["event"])), 4)
    pairing = paired(tournament, stored["seed"], stored["by_standings"])
    assert asdict(pairing.criteria) == stored["criteria"]
    assert ([list(pair) for pair in pairing.pairs], pairing.bye) == (stored["pairs"], stored["bye"])
    assert ENGINE_VERSION == "kounter-swiss/2"


def test_the_same_rounds_with_every_numpy_and_every_matching() -> None:
    """Random rounds of 2 to 250 players; `make verify-versions` asks other releases for the same digest (4.2)."""
    assert digest() == GOLDEN["digest"]
