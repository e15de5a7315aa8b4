"""Event files, `kounter-event/1` (DESIGN): read, refused in one clear line, written back as they were."""

import json
import random
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.eventfile import (
    RESULTS,
    EventFileError,
    canonical,
    digest,
    dump,
    from_dict,
    parse,
    result_code,
    to_file_match,
    to_file_pod,
    to_match,
    to_tournament,
)
from tournaments.swiss.types import Games, Outcome, Points, Switches

REAL = Path(__file__).resolve().parents[3] / "shared" / "data" / "swiss"


def duel(p1: str, p2: str | None, result: str, games: tuple = (2, 0, 0)) -> dict:
    return {"p1": p1, "p2": p2, "p1_games": games[0], "p2_games": games[1], "draws": games[2], "result": result}


def minimal(**more) -> dict:
    rounds = [[duel("A", "B", "p1"), duel("C", None, "bye")]]
    return {"id": "noche-1", "date": "2026-03-14", "players": ["A", "B", "C"], "rounds": rounds, **more}


FULL = minimal(
    points={"win": 3, "draw": 1, "loss": 0, "bye": 3},
    best_of=3,
    preset="mtr",
    tiebreak_fit={"floor": "1/3", "own_gw_floor": False, "opponents": "unique", "no_opponents": 0, "freeze": [1]},
    drops={"B": 1},
    entries={"C": 2},
    elements={"A": "fuego"},
    teams={"A": "x", "C": "x"},
    separations=[["B", "A"]],
    next_byes=["A"],
    tables={"C": 4},
    phase_ends=[1],
    playoffs=[{"name": "Top 2", "matches": [duel("A", "C", "p1")]}],
    standings=[{"rank": 1, "player": "A", "points": 3, "omw": 0.33, "gw": None, "ogw": 0.33}],
)


def refusal(data) -> str:
    with pytest.raises(EventFileError) as error:
        parse(data if isinstance(data, (str, bytes)) else json.dumps(data))
    message = str(error.value)
    assert "\n" not in message
    return message


def test_a_whole_file_is_read_and_given_back() -> None:
    event = parse(json.dumps(FULL | {"check": 1, "source": "ignored"}))
    assert dump(event) == FULL
    assert (event.id, event.date, event.drops) == ("noche-1", date(2026, 3, 14), {"B": 1})


def test_what_is_absent_stays_absent() -> None:
    assert dump(from_dict(minimal())) == minimal()


def test_the_core_sees_what_the_file_says() -> None:
    tournament = to_tournament(from_dict(FULL))
    entrants = {entrant.id: entrant for entrant in tournament.entrants}
    assert tournament.rules.points == Points()
    expected = Switches(Fraction(1, 3), False, opponents="unique", no_opponents="zero", freeze=(1,))
    assert tournament.rules.switches == expected
    assert (entrants["B"].last_round, entrants["C"].first_round, entrants["C"].table) == (1, 2, 4)
    assert (entrants["A"].team, tournament.separate_teams) == ("x", True)
    assert (tournament.separations, tournament.assigned_byes) == ((("B", "A"),), ("A",))
    first, bye = tournament.matches
    assert (first.outcome, first.winner, first.games) == (Outcome.WIN, "A", Games(2, 0, 0))
    assert (bye.outcome, bye.b, bye.winner) == (Outcome.BYE, None, None)


def test_whoever_is_in_drops_is_inactive_and_everyone_else_active() -> None:
    """Also when the file names a round that has not come yet."""
    tournament = to_tournament(from_dict(minimal(drops={"A": 9, "B": 0})))
    assert [entrant.id for entrant in tournament.entrants if entrant.active_in(2)] == ["C"]


def test_defaults_are_those_of_the_rules() -> None:
    rules = to_tournament(from_dict(minimal())).rules
    assert (rules.best_of, rules.preset, rules.points, rules.switches) == (3, "mtr", Points(3, 1, 0, 3), Switches())
    assert to_tournament(from_dict(minimal(tiebreak_fit={"floor": 0.33}))).rules.switches.floor == Fraction(33, 100)


@pytest.mark.parametrize("code", list(RESULTS))
def test_every_result_code_goes_and_comes_back(code: str) -> None:
    alone = code in {"bye", "unpaired_loss"}
    data = minimal(rounds=[[duel("A", None if alone else "B", code, (None, None, None))]])
    (row,) = from_dict(data).rounds[0]
    match = to_match(row, 1)
    assert result_code(match) == code
    assert to_file_match(match) == row
    swap = {"A": "x", "B": "y"}
    assert to_file_match(match, swap.__getitem__).p1 == "x"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"id": ""}, "id: must be text that is not empty"),
        ({"id": 5}, "id: must be text"),
        ({"id": "\ud800"}, "id: must be text"),
        ({"date": "14/03/2026"}, "date: must be a day such as"),
        ({"date": None}, "date: must be a day such as"),
        ({"date": "2026-W11-6"}, "date: must be a day such as"),
        ({"date": "2026-02-30"}, "date: must be a day such as"),
        ({"players": {"A": 1}}, "players: must be a list"),
        ({"players": ["A", "B", "C", "A"]}, "players: A is there twice"),
        ({"players": ["A", "B", ""]}, "players[2]: must be text"),
        ({"rounds": [[duel("A", "Z", "p1")]]}, 'rounds[0][0].p2: "Z" is not one of the players'),
        ({"rounds": [[duel("A", "B", "win")]]}, 'rounds[0][0].result: "win" is not one of p1, p2'),
        ({"rounds": [[duel("A", "A", "p1")]]}, "rounds[0][0]: A plays himself"),
        ({"rounds": [[duel("A", None, "p1")]]}, "rounds[0][0]: p1 takes two players"),
        ({"rounds": [[duel("A", "B", "bye")]]}, "rounds[0][0]: bye takes one player"),
        ({"rounds": [[duel("A", "B", "p1"), duel("A", "C", "p1")]]}, "rounds[0]: A sits twice"),
        ({"rounds": [[duel("A", "B", "p1", (-1, 0, 0))]]}, "rounds[0][0].p1_games: must be a whole number"),
        ({"rounds": [[duel("A", "B", "p1", (2.5, 0, 0))]]}, "rounds[0][0].p1_games: must be a whole number"),
        ({"rounds": [[duel("A", "B", "p1", (True, 0, 0))]]}, "rounds[0][0].p1_games: must be a whole number"),
        ({"rounds": [["A-B"]]}, "rounds[0][0]: must be an object"),
        ({"rounds": [{"players": []}]}, "rounds[0]: must be a list"),
        ({"rounds": [[{"players": ["A"], "places": [1]}]]}, "rounds[0][0]: a pod has two to four players"),
        ({"points": {"win": 0}}, "points.win: a win gives at least 1 point"),
        ({"points": {"win": "3"}}, "points.win: must be a whole number"),
        ({"best_of": 2}, "best_of: best of 1 and best of 3 exist, not 2"),
        ({"preset": "chess"}, 'preset: "chess" is not one of'),
        ({"tiebreak_fit": {"floor": "x"}}, "tiebreak_fit.floor: must be a share"),
        ({"tiebreak_fit": {"floor": "1/0"}}, "tiebreak_fit.floor: must be a share"),
        ({"tiebreak_fit": {"floor": 3}}, "tiebreak_fit.floor: must lie between 0 and 1"),
        ({"tiebreak_fit": {"opponents": "all"}}, 'tiebreak_fit.opponents: "all" is not one of per_match, unique'),
        ({"tiebreak_fit": {"own_gw_floor": "yes"}}, "tiebreak_fit.own_gw_floor: must be true or false"),
        ({"tiebreak_fit": {"no_opponents": 1}}, "tiebreak_fit.no_opponents: 1 is not one of floor, zero"),
        ({"drops": {"Z": 1}}, 'drops: "Z" is not one of the players'),
        ({"drops": {"A": -1}}, "drops.A: must be a whole number from 0"),
        ({"entries": {"A": 0}}, "entries.A: must be a whole number from 1"),
        ({"elements": {"A": 5}}, "elements.A: must be text"),
        ({"separations": [["A"]]}, "separations[0]: must be two players"),
        ({"separations": [["A", "A"]]}, "separations[0]: names a player twice"),
        ({"next_byes": ["Z"]}, 'next_byes[0]: "Z" is not one of the players'),
        ({"tables": {"A": 0}}, "tables.A: must be a whole number from 1"),
        ({"playoffs": [{"matches": []}]}, "playoffs[0].name: must be text"),
        ({"standings": [{"rank": 1}]}, "standings[0].player: must be text"),
        ({"standings": [{"player": "A", "omw": "x"}]}, "standings[0].omw: must be a number"),
    ],
)
def test_a_wrong_value_is_named_in_one_line(change: dict, words: str) -> None:
    assert words in refusal(minimal(**change))


@pytest.mark.parametrize("key", ["id", "date", "players", "rounds"])
def test_what_is_required_is_missed_by_name(key: str) -> None:
    data = minimal()
    del data[key]
    assert refusal(data) == f"{key}: is missing"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not JSON"),
        ("[]", "the file must be a JSON object"),
        ("{", "not JSON: "),
        (b"\xff\xfe", "not UTF-8"),
        ("[" * 100_000, "nested too deeply"),
        ('{"id": NaN}', "NaN is not a number"),
        (json.dumps(minimal())[:-1] + ', "standings": [{"player": "A", "omw": 1e999}]}', "standings[0].omw"),
        (json.dumps(minimal()).replace('"p1_games": 2', '"p1_games": ' + "9" * 5000), "a number too long"),
    ],
)
def test_what_is_no_event_at_all(text, words: str) -> None:
    assert words in refusal(text)


def test_a_byte_order_mark_is_no_trouble() -> None:
    text = json.dumps(minimal())
    assert parse(b"\xef\xbb\xbf" + text.encode()) == parse("\ufeff" + text) == parse(text)


def pods(*rounds: list[dict[str, Any]], **changes: Any) -> dict[str, Any]:
    return {"id": "mesas", "date": "2026-03-14", "players": list("ABCDEFG"), "rounds": list(rounds), **changes}


def test_pods_are_tables_of_several_with_their_places() -> None:
    table = {"players": ["A", "B", "C"], "places": [2, 1, None]}
    unplayed = {"players": ["D", "E", "F", "G"], "places": None}
    event = from_dict(pods([table, unplayed]))
    assert dump(event)["rounds"] == [[table, unplayed]]
    assert event.in_pods
    night = to_tournament(event)
    assert night.matches == ()
    assert night.rules.preset == "pods"
    assert night.rules.pods == {4: (5, 3, 2, 1), 3: (5, 3, 1), 2: (3, 0)}
    assert [(pod.players, pod.places) for pod in night.pods] == [
        (("A", "B", "C"), (2, 1, None)),
        (("D", "E", "F", "G"), (None,) * 4),
    ]
    assert [to_file_pod(pod) for pod in night.pods] == list(event.rounds[0])


def test_a_table_where_nobody_played_is_not_played() -> None:
    table = {"players": ["A", "B"], "places": [None, None]}
    assert dump(from_dict(pods([table])))["rounds"] == [[{"players": ["A", "B"], "places": None}]]


def test_an_event_says_what_places_are_worth() -> None:
    event = from_dict(pods(event_format="pods", pod_points={"4": [10, 5, 5, 0]}))
    assert to_tournament(event).rules.pods == {4: (10, 5, 5, 0), 3: (5, 3, 1), 2: (3, 0)}
    assert dump(event)["pod_points"] == {"4": [10, 5, 5, 0]}
    usual = pods(event_format="pods", pod_points={"4": [5, 3, 2, 1], "3": [5, 3, 1], "2": [3, 0]})
    assert "pod_points" not in canonical(usual)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (pods([{"players": ["A"], "places": [1]}]), "rounds[0][0]: a pod has two to four players"),
        (pods([{"players": list("ABCDE"), "places": [1, 2, 3, 4, 5]}]), "rounds[0][0]: a pod has two to four players"),
        (pods([{"players": ["A", "B"], "places": [1]}]), "rounds[0][0]: a pod has two to four players"),
        (pods([{"players": ["A", "B"], "places": [0, 1]}]), "rounds[0][0].places: must be a whole number from 1"),
        (pods([{"players": ["A", "A"], "places": [1, 2]}]), "rounds[0][0].players: names a player twice"),
        (pods([{"players": ["A", "B"], "places": [1, 2]}, {"players": ["A", "C"], "places": None}]), "A sits twice"),
        (pods([{"players": ["A", "B"], "places": [1, 2]}, duel("C", "D", "p1")]), "rounds[0][1]: an event of pods"),
        (pods([duel("C", "D", "p1")], event_format="pods"), "rounds[0][0]: an event of pods"),
        (pods([{"players": ["A", "B"], "places": [1, 2]}], event_format="round_robin"), "round_robin has no pods"),
        (pods(event_format="pods", playoffs=[{"name": "Top 2", "matches": [duel("A", "B", "p1")]}]), "has no cut"),
        (pods(pod_points={"5": [1, 1, 1, 1, 1]}), 'tables have 2, 3 or 4 players, not "5"'),
        (pods(pod_points={"3": [1, 2, 3]}), "pod_points.3: must be 3 numbers, the first place the most"),
        (pods(pod_points={"3": [0, 0, 0]}), "pod_points.3: must be 3 numbers, the first place the most"),
    ],
)
def test_pods_that_are_none(data: dict[str, Any], words: str) -> None:
    with pytest.raises(EventFileError) as error:
        to_tournament(from_dict(data))
    assert words in str(error.value)


@given(st.data())
def test_pods_survive_the_file(data: st.DataObject) -> None:
    players = data.draw(st.permutations("ABCDEFG"))
    places = st.one_of(st.none(), st.integers(1, 4))
    tables = [
        {"players": list(players[:4]), "places": data.draw(st.lists(places, min_size=4, max_size=4))},
        {"players": list(players[4:]), "places": data.draw(st.lists(places, min_size=3, max_size=3))},
    ]
    first = dump(from_dict(pods(tables)))
    assert dump(from_dict(json.loads(json.dumps(first)))) == first
    night = to_tournament(from_dict(first))
    assert [to_file_pod(pod) for pod in night.pods] == list(from_dict(first).rounds[0])


def test_canonical_forms_of_one_event_are_equal() -> None:
    other = json.loads(json.dumps(FULL))
    chance = random.Random(1)
    for key in ("players", "standings"):
        chance.shuffle(other[key])
    other["rounds"] = [list(reversed(matches)) for matches in other["rounds"]]
    other["separations"] = [["A", "B"]]
    other["note"] = "not documented"
    del other["best_of"], other["points"], other["preset"]
    other["next_byes"], other["entries"] = ["A"], {"C": 2}
    assert canonical(other) == canonical(FULL)
    assert digest(other) == digest(FULL)
    assert canonical(canonical(FULL)) == canonical(FULL)


def test_empty_lists_say_nothing_but_teams_do() -> None:
    """`teams`, even empty, asks for the soft separation."""
    assert canonical(minimal(drops={}, next_byes=[], playoffs=[], standings=[])) == canonical(minimal())
    assert canonical(minimal(teams={})) != canonical(minimal())


@pytest.mark.parametrize("change", [{"date": "2026-03-15"}, {"drops": {"A": 1}}, {"best_of": 1}])
def test_another_content_is_another_digest(change: dict) -> None:
    assert digest(minimal(**change)) != digest(minimal())


@pytest.mark.realdata
def test_every_real_file_is_given_back() -> None:
    files = sorted(REAL.glob("*.json"))
    assert len(files) == 167
    for path in files:
        text = path.read_bytes()
        data = json.loads(text)
        written = dump(parse(text))
        assert written == {key: data[key] for key in written}
        assert set(data) - set(written) <= {"source", "game", "format", "tiebreak_rules", "tiebreak_fit", "check"}
        assert parse(json.dumps(written)) == parse(text)
