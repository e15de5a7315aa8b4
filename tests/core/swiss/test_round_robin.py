"""Round robin by the circle method (TOURNAMENT_RULES 3), with late entries, drops and those who must not meet."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.swiss.build import names, shuffled
from tournaments.swiss.pairing import Pairing, PairingRefused
from tournaments.swiss.round_robin import Chair, circle, draw_chairs, pair_round, schedule, without_chair
from tournaments.swiss.types import Entrant, Match, Outcome, PlayerId, Rules, Tournament

NAMES = [PlayerId(f"P{n:02}") for n in range(40)]


def field(players: int, **options) -> Tournament:
    return Tournament("liga", Rules(), tuple(Entrant(player) for player in NAMES[:players]), (), **options)


def played(tournament: Tournament, pairing: Pairing) -> Tournament:
    tables = [Match(pairing.round, a, b, Outcome.WIN, a) for a, b in pairing.pairs]
    byes = [Match(pairing.round, player, None, Outcome.BYE) for player in resting(pairing)]
    return replace(tournament, matches=(*tournament.matches, *tables, *byes))


def resting(pairing: Pairing) -> list[PlayerId]:
    return [*([pairing.bye] if pairing.bye else []), *pairing.assigned_byes]


def play(tournament: Tournament, chairs: Sequence[Chair], *rounds: int) -> Tournament:
    for number in rounds:
        tournament = played(tournament, pair_round(tournament, number, "7", chairs))
    return tournament


def meetings(tournament: Tournament) -> Counter[frozenset[PlayerId]]:
    return Counter(frozenset(match.players) for match in tournament.matches if match.b)


def changed(tournament: Tournament, player: PlayerId, **values: int | None) -> Tournament:
    entrants = tuple(replace(e, **values) if e.id == player else e for e in tournament.entrants)
    return replace(tournament, entrants=entrants)


@pytest.mark.parametrize("players", range(2, 41))
def test_everybody_meets_everybody_once_and_rests_once_when_odd(players: int) -> None:
    tournament = field(players)
    chairs = draw_chairs(tournament)
    rounds = players - 1 + players % 2
    assert len(chairs) - 1 == rounds
    done = play(tournament, chairs, *range(1, rounds + 1))
    assert meetings(done) == dict.fromkeys(map(frozenset, combinations(NAMES[:players], 2)), 1)
    byes = Counter(match.a for match in done.matches if match.outcome == Outcome.BYE)
    assert byes == (dict.fromkeys(NAMES[:players], 1) if players % 2 else {})


def test_the_literal_circle_of_six() -> None:
    assert circle(6) == [
        [(0, 5), (1, 4), (2, 3)],
        [(0, 4), (5, 3), (1, 2)],
        [(0, 3), (4, 2), (5, 1)],
        [(0, 2), (3, 1), (4, 5)],
        [(0, 1), (2, 5), (3, 4)],
    ]


def test_the_chairs_are_drawn_by_the_stored_lot_whatever_the_order_of_the_list() -> None:
    """2.5: SHA-256 of (event id, player); another event draws other chairs."""
    tournament = field(7)
    chairs = draw_chairs(tournament)
    assert draw_chairs(shuffled(tournament, 3)) == chairs
    assert draw_chairs(replace(tournament, id="otra")) != chairs
    assert chairs[-1] is None
    assert chairs[:2] == ("P00", "P06")


def test_a_round_follows_from_the_chairs_not_from_the_seed_or_the_results() -> None:
    tournament = field(8)
    chairs = draw_chairs(tournament)
    first = play(tournament, chairs, 1)
    lost = replace(first, matches=tuple(replace(m, winner=m.b) for m in first.matches))
    assert names(pair_round(first, 2, "7", chairs).pairs) == names(pair_round(lost, 2, "9", chairs).pairs)
    assert pair_round(shuffled(first, 5), 2, "7", chairs).pairs == pair_round(first, 2, "7", chairs).pairs


def test_who_drops_leaves_his_rivals_a_bye_each() -> None:
    tournament = field(6)
    chairs = draw_chairs(tournament)
    gone = NAMES[0]
    halfway = changed(play(tournament, chairs, 1, 2), gone, last_round=2)
    done = play(halfway, chairs, 3, 4, 5)
    rivals = {player for pair in meetings(tournament_after(tournament, chairs)) if gone in pair for player in pair}
    met = {player for pair in meetings(done) if gone in pair for player in pair} - {gone}
    byes = Counter(match.a for match in done.matches if match.outcome == Outcome.BYE)
    assert byes == dict.fromkeys(rivals - met - {gone}, 1)
    assert len(byes) == 3
    note = next(note for note in pair_round(halfway, 3, "7", chairs).notes if note.code == "rest")
    assert note.data == {"absent": gone}


def tournament_after(tournament: Tournament, chairs: Sequence[Chair]) -> Tournament:
    return play(tournament, chairs, *range(1, len(chairs)))


def test_two_whose_rivals_have_left_rest_both() -> None:
    tournament = field(8)
    chairs = draw_chairs(tournament)
    without = changed(changed(play(tournament, chairs, 1), NAMES[0], last_round=1), NAMES[1], last_round=1)
    rests = [len(resting(pair_round(without, number, "7", chairs))) for number in range(2, 8)]
    assert sorted(rests) in ([0, 2, 2, 2, 2, 2], [2, 2, 2, 2, 2, 2])
    done = play(without, chairs, *range(2, 8))
    assert max(meetings(done).values()) == 1
    assert meetings(done).keys() >= set(map(frozenset, combinations(NAMES[2:8], 2)))


@pytest.mark.parametrize("players", [3, 5, 7])
def test_who_comes_late_takes_the_empty_chair_and_its_rivals(players: int) -> None:
    tournament = field(players)
    chairs = draw_chairs(tournament)
    late = PlayerId("Zoe")
    begun = play(tournament, chairs, 1)
    first_bye = next(match.a for match in begun.matches if match.b is None)
    joined = replace(begun, entrants=(*begun.entrants, Entrant(late, first_round=2)))
    done = play(joined, chairs, *range(2, len(chairs)))
    assert max(meetings(done).values()) == 1
    met = {player for pair in meetings(done) if late in pair for player in pair} - {late}
    assert met == set(NAMES[:players]) - {first_bye}
    assert [match.a for match in done.matches if match.outcome == Outcome.BYE] == [first_bye]


def test_who_takes_the_seat_opposite_the_bye_of_round_1_keeps_that_chair() -> None:
    tournament = field(5)
    chairs = draw_chairs(tournament)
    pairing = pair_round(tournament, 1, "7", chairs)
    assert pairing.bye is not None
    late = Entrant(PlayerId("Zoe"))
    tables = [Match(1, a, b, Outcome.WIN, a) for a, b in [*pairing.pairs, (pairing.bye, late.id)]]
    joined = replace(tournament, entrants=(*tournament.entrants, late), matches=tuple(tables))
    done = play(joined, chairs, 2, 3, 4, 5)
    assert meetings(done) == dict.fromkeys(map(frozenset, combinations([*NAMES[:5], late.id], 2)), 1)


def test_who_comes_late_takes_the_chair_of_who_left_or_finds_none() -> None:
    """5.2: in a round robin whose chairs are all taken there is no place; the refusal names who has none."""
    tournament = field(6)
    chairs = draw_chairs(tournament)
    late = Entrant(PlayerId("Zoe"), first_round=3)
    joined = replace(play(tournament, chairs, 1, 2), entrants=(*tournament.entrants, late))
    assert without_chair(joined, chairs) == ["Zoe"]
    with pytest.raises(PairingRefused) as refusal:
        pair_round(joined, 3, "7", chairs)
    assert (refusal.value.code, refusal.value.rule, refusal.value.players) == ("no_chair", "5.2", ("Zoe",))
    freed = changed(joined, NAMES[4], last_round=2)
    assert without_chair(freed, chairs) == []
    assert resting(pair_round(freed, 3, "7", chairs)) == []
    too_late = changed(joined, NAMES[4], last_round=3)
    assert without_chair(too_late, chairs) == ["Zoe"]


def test_two_who_must_not_meet_both_rest_in_their_round() -> None:
    tournament = field(6)
    chairs = draw_chairs(tournament)
    apart = replace(tournament, separations=((NAMES[0], NAMES[1]),))
    done = play(apart, chairs, *range(1, 6))
    assert frozenset(NAMES[:2]) not in meetings(done)
    assert len(meetings(done)) == 14
    assert Counter(m.a for m in done.matches if m.outcome == Outcome.BYE) == {NAMES[0]: 1, NAMES[1]: 1}


@pytest.mark.parametrize(("round", "players", "code"), [(6, 6, "schedule_over"), (1, 1, "no_players")])
def test_refusals(round: int, players: int, code: str) -> None:
    tournament = field(players)
    with pytest.raises(PairingRefused) as refusal:
        pair_round(tournament, round, "7", draw_chairs(tournament))
    assert refusal.value.code == code


def test_the_schedule_is_known_from_the_start() -> None:
    tournament = field(6)
    chairs = draw_chairs(tournament)
    ahead = [names(sitting.pair for sitting in sittings if sitting.pair) for sittings in schedule(tournament, chairs)]
    for number, pairs in enumerate(ahead, 1):
        assert names(pair_round(tournament, number, "7", chairs).pairs) == pairs
        tournament = play(tournament, chairs, number)


def test_the_best_sit_at_the_first_table_and_who_needs_one_has_it() -> None:
    """4.4"""
    tournament = field(6)
    chairs = draw_chairs(tournament)
    after = play(tournament, chairs, 1, 2)
    pairing = pair_round(after, 3, "7", chairs)
    assert pairing.tables == (1, 2, 3)
    fixed = changed(after, pairing.pairs[2][0], table=1)
    assert pair_round(fixed, 3, "7", chairs).pairs[0] == pairing.pairs[2]


@given(st.integers(3, 14), st.data())
def test_whoever_comes_and_goes_nobody_meets_twice(players: int, data: st.DataObject) -> None:
    """A drop and a late entry now and then: each round seats everybody who is there once, and no pair twice."""
    tournament = field(players)
    chairs = draw_chairs(tournament)
    for number in range(1, len(chairs)):
        if number > 1 and data.draw(st.booleans()):
            came = Entrant(PlayerId(f"L{number}"), first_round=number)
            joined = replace(tournament, entrants=(*tournament.entrants, came))
            tournament = tournament if without_chair(joined, chairs) else joined
        active = [entrant.id for entrant in tournament.entrants if entrant.active_in(number)]
        if len(active) < 2:
            return
        pairing = pair_round(tournament, number, "7", chairs)
        seated = [*resting(pairing), *(player for pair in pairing.pairs for player in pair)]
        assert sorted(seated) == sorted(active)
        tournament = played(tournament, pairing)
        if data.draw(st.booleans()):
            leaver = data.draw(st.sampled_from(active))
            tournament = changed(tournament, leaver, last_round=number)
    assert max(meetings(tournament).values(), default=1) == 1
