"""Seating a round of pods: the best there is for a few, a strong and reproducible one for many."""

import random
from dataclasses import replace

import pytest

from tests.core.swiss.pods.brute import Judge, every_seating, sizes
from tests.core.swiss.pods.build import event, ids, played, shuffled, tables
from tournaments.swiss.pairing import PairingRefused
from tournaments.swiss.pods.criteria import judge_pods, pod_criteria
from tournaments.swiss.pods.field import PodField, pod_field
from tournaments.swiss.pods.history import pod_history
from tournaments.swiss.pods.pairing import pair_pods, why_pod
from tournaments.swiss.pods.profile import Cuts, best_profile
from tournaments.swiss.pods.search import best_pods
from tournaments.swiss.pods.sizes import table_sizes
from tournaments.swiss.types import Entrant, PlayerId, Pod, Tournament


def values(tournament: Tournament, round: int, seed: str = "s") -> tuple[int, ...]:
    found = pair_pods(tournament, round, seed)
    c = found.criteria
    return (0, c.rematches, c.gap, c.gap_squared, c.repeat_small)


def a_field(tournament: Tournament, round: int, seed: str = "s") -> PodField:
    history = pod_history(tournament, round)
    active = [entrant.id for entrant in tournament.entrants if entrant.active_in(round)]
    return pod_field(tournament, history, active, table_sizes(len(active)), seed)


# -- exact -------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("players", range(2, 10))
def test_few_players_have_the_best_of_all_seatings(players: int) -> None:
    for seed in range(12):
        chance = random.Random(100 * players + seed)
        rounds = chance.randrange(5)
        night = played(players, rounds, chance)
        if players > 5 and seed % 3 == 0:
            night = replace(night, separations=((night.entrants[0].id, night.entrants[1].id),))
        judge = Judge(night, rounds + 1)
        active = [entrant.id for entrant in night.entrants]
        best = min(judge.criteria(tables) for tables in every_seating(active, sizes(players)))
        found = pair_pods(night, rounds + 1, "seed")
        assert judge.criteria(list(found.pods)) == best
        assert values(night, rounds + 1, "seed") == best
        assert found.certified


def test_the_long_search_finds_what_the_exact_one_finds() -> None:
    """Up to 16 players both are possible; here the search has always found the best."""
    for seed in range(25):
        chance = random.Random(seed)
        players, rounds = chance.randrange(6, 17), chance.randrange(5)
        field = a_field(played(players, rounds, chance), rounds + 1)
        exact, searched = best_pods(field), best_pods(field, exact_to=0)
        assert exact.cost == searched.cost, f"seed {seed}"
        assert exact.cost == field.total(exact.groups)
        assert sorted(node for group in searched.groups for node in group) == list(range(players))


def test_the_bound_is_one_and_is_reached_where_nobody_has_met() -> None:
    for seed in range(60):
        chance = random.Random(seed)
        field = a_field(played(chance.randrange(2, 14), chance.randrange(1, 5), chance), 6)
        alone = replace(field, met=[{} for _ in field.players])
        profile, best = best_profile(alone), best_pods(alone).cost
        assert Cuts(alone).bound <= best.gap
        assert profile.value >= best[2:5]
        if profile.proven:
            assert profile.value == best[2:5]


@pytest.mark.parametrize("players", [17, 40, 61, 201])
def test_many_players_sit_and_the_second_and_third_round_are_proven(players: int) -> None:
    chance = random.Random(players)
    night = Tournament(
        "event", played(4, 0, chance).rules, tuple(Entrant(PlayerId(f"{i:03}")) for i in range(players)), ()
    )
    for round in (1, 2, 3):
        found = pair_pods(night, round, f"seed {round}")
        assert sorted(player for pod in found.pods for player in pod) == [entrant.id for entrant in night.entrants]
        assert sorted(map(len, found.pods), reverse=True) == list(table_sizes(players))
        assert found.criteria.rematches == 0
        assert found.criteria == pod_criteria(night, round, found.pods)
        if round == 1 or (round == 2 and players > 17):
            assert found.certified
        pods = tuple(Pod(round, pod, tuple(chance.sample(range(1, len(pod) + 1), len(pod)))) for pod in found.pods)
        night = replace(night, pods=night.pods + pods)


# -- determinism and chance --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("players", [7, 11, 16, 23, 40])
def test_the_order_of_the_input_changes_nothing(players: int) -> None:
    night = played(players, 3, random.Random(players))
    first = pair_pods(night, 4, "seed")
    for seed in range(3):
        again = pair_pods(shuffled(night, seed), 4, "seed")
        assert (again.pods, again.tables, again.criteria, again.notes) == (
            first.pods,
            first.tables,
            first.criteria,
            first.notes,
        )


def test_the_seed_is_the_chance() -> None:
    night = event("ABCDEFGH")
    seatings = {frozenset(tables(pair_pods(night, 1, str(seed)).pods)) for seed in range(60)}
    assert len(seatings) > 20  # of 35
    assert pair_pods(night, 1, "7") == pair_pods(night, 1, "7")


# -- examples ----------------------------------------------------------------------------------------------------------
def test_first_places_meet_and_nobody_meets_again() -> None:
    night = event("ABCDEFGHIJKLMNOP", "A>B>C>D E>F>G>H I>J>K>L M>N>O>P")
    found = pair_pods(night, 2, "s")
    assert tables(found.pods) == tables(["AEIM", "BFJN", "CGKO", "DHLP"])
    assert (found.tables, set(found.pods[0]), set(found.pods[3])) == ((1, 2, 3, 4), set("AEIM"), set("DHLP"))
    assert found.notes == ()


def test_small_tables_go_around() -> None:
    """Of five, two sit at the table of two; whoever sat there does not again, as long as that costs nothing else."""
    night = event("ABCDE", "ABC- DE-")
    found = pair_pods(night, 2, "s")
    assert found.criteria.repeat_small == 0
    assert not set(next(pod for pod in found.pods if len(pod) == 2)) & set("DE")


def test_who_left_is_not_seated_and_who_comes_late_is() -> None:
    night = event("ABCDEFGH", "A>B>C>D E>F>G>H", drops={"D": 1})
    late = replace(night, entrants=(*night.entrants, Entrant(PlayerId("Z"), first_round=2)))
    found = pair_pods(late, 2, "s")
    assert sorted(player for pod in found.pods for player in pod) == list("ABCEFGHZ")
    assert [len(pod) for pod in found.pods] == [4, 4]


def test_assigned_byes_leave_first() -> None:
    night = event("ABCDE", assigned_byes=ids("E"))
    found = pair_pods(night, 1, "s")
    assert (tables(found.pods), found.assigned_byes) == (tables(["ABCD"]), ("E",))
    assert [note.code for note in found.notes] == ["assigned_bye"]


@pytest.mark.parametrize("players", ["", "A"])
def test_too_few_players_are_refused(players: str) -> None:
    with pytest.raises(PairingRefused, match="two active players") as refusal:
        pair_pods(event(players), 1, "s")
    assert refusal.value.code == "no_players"


def test_one_player_beside_an_assigned_bye_is_refused() -> None:
    with pytest.raises(PairingRefused, match="two active players"):
        pair_pods(event("AB", assigned_byes=ids("A")), 1, "s")


def test_hard_separations_are_kept_or_refused_by_name() -> None:
    apart = event("ABCDEFGH", separations=(ids("AB"),))
    for seed in range(20):
        assert not any({"A", "B"} <= set(pod) for pod in pair_pods(apart, 1, str(seed)).pods)
    with pytest.raises(PairingRefused) as refusal:
        pair_pods(event("ABCD", separations=(ids("AB"),)), 1, "s")
    assert (refusal.value.code, [set(pair) for pair in refusal.value.lift]) == ("hard_separations", [{"A", "B"}])


def test_team_mates_are_apart_where_it_costs_nothing() -> None:
    teams = event("ABCDEFGH", separate_teams=True)
    teams = replace(teams, entrants=tuple(replace(e, team="x" if e.id in "ABCDE" else "y") for e in teams.entrants))
    found = pair_pods(teams, 1, "s")
    # five x and three y at two tables: 3 + 2 and 1 + 2 are the fewest pairs of one team
    assert found.criteria.separations == 3 + 1 + 0 + 1
    assert {note.code for note in found.notes} == {"separation"}


def test_fixed_tables_are_given() -> None:
    night = event("ABCDEFGH")
    fixed = replace(night, entrants=tuple(replace(e, table=7) if e.id == "C" else e for e in night.entrants))
    found = pair_pods(fixed, 1, "s")
    assert "C" in found.pods[found.tables.index(7)]
    assert found.tables == (1, 7)


# -- reasons -----------------------------------------------------------------------------------------------------------
def test_the_round_says_what_had_to_yield() -> None:
    night = event("ABCDEFG", "A>B>C>D E>F>G", "A>E>F>B C>D>G")
    found = pair_pods(night, 3, "s")
    codes = {note.code for note in found.notes}
    assert {"rematch", "pod_spread"} <= codes
    again = [note for note in found.notes if note.code == "rematch"]
    assert sum(note.data["times"] for note in again) == found.criteria.rematches
    assert all(any(set(note.players) <= set(pod) for pod in found.pods) for note in again)
    small = [note for note in found.notes if note.code == "repeat_small"]
    assert sum(note.data["times"] for note in small) == found.criteria.repeat_small
    assert found.criteria == judge_pods(night, pod_history(night, 3), found.pods)


def test_why_a_player_sits_there() -> None:
    night = event("ABCDEFG", "A>B>C>D E>F>G")
    found = pair_pods(night, 2, "s")
    for pod in found.pods:
        for player in pod:
            first = why_pod(night, found, player)[0]
            assert (first.code, set(first.players), first.players[0]) == ("pod", set(pod), player)
            assert first.data["size"] == len(pod)
            assert first.data["small"] == (len(pod) < 4)
    assert why_pod(night, found, PlayerId("nobody")) == []
