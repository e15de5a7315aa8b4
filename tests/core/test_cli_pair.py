"""`manage.py pair` and `standings` (DESIGN, command line): JSON lines, exit codes, no database."""

import json
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tournaments.swiss.presets import PRESETS

ROOT = Path(__file__).resolve().parents[2]
REAL = ROOT.parent / "shared" / "data" / "swiss"
EVENT = {
    "id": "noche-1",
    "date": "2026-03-14",
    "players": ["A", "B", "C", "D", "E"],
    "rounds": [
        [
            {"p1": "A", "p2": "B", "p1_games": 2, "p2_games": 1, "draws": 0, "result": "p1"},
            {"p1": "C", "p2": "D", "p1_games": 2, "p2_games": 0, "draws": 0, "result": "p1"},
            {"p1": "E", "p2": None, "p1_games": 2, "p2_games": 0, "draws": 0, "result": "bye"},
        ]
    ],
}


def run(command: str, *arguments: object, **options) -> tuple[int, list[dict], str]:
    """(exit code, one answer per line, what was said on stderr)"""
    out, err = StringIO(), StringIO()
    with pytest.raises(SystemExit) as end:
        call_command(command, *map(str, arguments), stdout=out, stderr=err, **options)
    return end.value.code, [json.loads(line) for line in out.getvalue().splitlines()], err.getvalue()


@pytest.fixture
def write(tmp_path: Path):
    def write(data: object, name: str = "event.json") -> Path:
        path = tmp_path / name
        path.write_text(data if isinstance(data, str) else json.dumps(data))
        return path

    return write


def test_pair_prints_the_next_round(write) -> None:
    path = write(EVENT)
    code, (answer,), err = run("pair", path, "--seed", 7)
    assert (code, err) == (0, "")
    assert list(answer)[:2] == ["file", "id"]
    assert (answer["file"], answer["id"], answer["round"], answer["seed"]) == (str(path), "noche-1", 2, 7)
    assert answer["bye"] in {"B", "D"}
    assert sorted([player for pair in answer["pairs"] for player in pair] + [answer["bye"]]) == list("ABCDE")
    assert answer["assigned_byes"] == []
    assert list(answer["criteria"]) == [
        "repeat_byes",
        "rematches",
        "rematch_recency",
        "bye_points",
        "gap",
        "gap_squared",
        "repeat_downs",
        "repeat_ups",
        "separations",
    ]
    assert answer["certified"] is True
    assert {note["code"] for note in answer["notes"]} >= {"bye"}
    assert all(set(note) == {"code", "rule", "players", "data", "text"} for note in answer["notes"])


@pytest.mark.parametrize(
    ("language", "bye", "level", "uneven"),
    [
        ("es", "Descansa D: nadie tiene menos puntos.", "Los dos tenían 3 puntos.", "3 contra 0 puntos:"),
        ("en", "D has the bye: nobody has fewer points.", "Both had 3 points.", "3 against 0 points:"),
    ],
)
def test_pair_says_in_words_what_yielded_and_why_each_meets_whom(
    write, language: str, bye: str, level: str, uneven: str
) -> None:
    """A, C and E have three points, B and D none; D has the bye."""
    _, (answer,), _ = run("pair", write(EVENT), "--seed", 1, language=language)
    assert answer["bye"] == "D"
    assert bye in [note["text"] for note in answer["notes"]]
    assert answer["why"]["D"] == [bye]
    assert sorted(answer["why"]) == list("ABCDE")
    (high,) = [a if a != "B" else b for a, b in answer["pairs"] if "B" in (a, b)]
    for player in {"A", "C", "E"} - {high}:
        assert answer["why"][player][0].startswith(level)
    assert answer["why"][high][0].startswith(uneven)
    assert answer["why"]["B"] == answer["why"][high]


def test_the_same_seed_is_the_same_round_and_without_one_it_is_drawn_from_the_event(write) -> None:
    path = write(EVENT)
    assert run("pair", path, "--seed", 7) == run("pair", path, "--seed", 7)
    _, (drawn,), _ = run("pair", path)
    assert run("pair", path, "--seed", drawn["seed"])[1] == [drawn]
    assert 0 <= drawn["seed"] < 2**53


def test_by_standings(write) -> None:
    """A and C won alike; the tie-breaks say who of the three winners has the odd opponent."""
    played = EVENT["rounds"][0][:2]
    path = write(EVENT | {"players": ["A", "B", "C", "D"], "rounds": [played]})
    code, (answer,), _ = run("pair", path, "--by-standings")
    assert code == 0
    assert sorted(map(sorted, answer["pairs"])) == [["A", "C"], ["B", "D"]]


def test_a_refused_pairing_is_a_no(write) -> None:
    gone = write(EVENT | {"drops": dict.fromkeys("ABCD", 1)})
    code, (answer,), err = run("pair", gone)
    assert (code, err) == (1, "")
    assert (answer["refused"], answer["rule"], answer["players"]) == ("no_players", "4.3", ["E"])
    barred = write(EVENT | {"drops": dict.fromkeys("ABC", 1), "separations": [["D", "E"]]}, "barred.json")
    code, (answer,), _ = run("pair", barred)
    assert (code, answer["refused"], sorted(answer["players"])) == (1, "hard_separations", ["D", "E"])


def test_a_broken_file_gives_a_line_and_the_others_still_answer(write, tmp_path: Path) -> None:
    good, broken, refused = write(EVENT), write("{", "broken.json"), write(EVENT | {"players": []}, "empty.json")
    missing = tmp_path / "missing.json"
    for command in ("pair", "standings"):
        code, lines, err = run(command, broken, good, missing, refused, tmp_path)
        assert code == 2
        assert [line["file"] for line in lines] == [str(path) for path in (broken, good, missing, refused, tmp_path)]
        assert ["error" in line for line in lines] == [True, False, True, True, True]
        assert len(err.splitlines()) == 4
        assert err.splitlines()[0].startswith(f"{broken}: not JSON")


def test_a_no_does_not_hide_an_unreadable_file(write) -> None:
    gone, broken = write(EVENT | {"drops": dict.fromkeys("ABCDE", 1)}), write("", "broken.json")
    assert run("pair", gone, broken)[0] == run("pair", broken, gone)[0] == 2


def test_standings_print_every_row(write) -> None:
    code, (answer,), _ = run("standings", write(EVENT))
    assert code == 0
    assert (answer["id"], answer["preset"]) == ("noche-1", "mtr")
    assert "differs" not in answer
    assert [row["rank"] for row in answer["standings"]] == [1, 1, 3, 4, 5]
    first = answer["standings"][0]
    assert list(first) == ["rank", "player", "points", "omw", "gw", "ogw"]
    assert (first["points"], first["omw"], first["gw"]) == (3, 0.33, 1.0)
    by_player = {row["player"]: row for row in answer["standings"]}
    assert (by_player["A"]["gw"], by_player["A"]["ogw"]) == (0.666666667, 0.333333333)


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_standings_in_every_preset(write, name: str) -> None:
    """By option and by the file; a number that says nothing is null."""
    (_, (asked,), _), (_, (said,), _) = (
        run("standings", write(EVENT), "--preset", name),
        run("standings", write(EVENT | {"preset": name}, "said.json")),
    )
    assert asked["preset"] == said["preset"] == name
    assert asked["standings"] == said["standings"]
    assert {tuple(row)[2:] for row in asked["standings"]} == {PRESETS[name].keys}
    numbers = [value for row in asked["standings"] for key, value in row.items() if key not in {"rank", "player"}]
    assert all(value is None or isinstance(value, (int, float)) for value in numbers)
    assert len(asked["standings"]) == 5


def test_standings_after_a_round_and_what_differs(write) -> None:
    published = [
        {"rank": 1, "player": "A", "points": 6, "omw": 0.33, "gw": 0.666667, "ogw": 0.333333},
        {"rank": 9, "player": "Z", "points": 0},
        {"rank": 2, "player": "C", "points": 3, "omw": None, "gw": -0.2},
    ]
    path = write(EVENT | {"standings": published})
    code, (answer,), _ = run("standings", path)
    assert code == 0
    assert answer["differs"] == [
        {"player": "A", "key": "points", "ours": 3, "published": 6},
        {"player": "Z", "key": "player", "ours": None, "published": "Z"},
    ]
    _, (before,), _ = run("standings", path, "--after", 0)
    assert {row["points"] for row in before["standings"]} == {0}
    assert {row["rank"] for row in before["standings"]} == {1}
    assert "differs" not in before


def test_wrong_arguments_are_refused() -> None:
    for arguments in (
        ["standings", "x", "--preset=chess"],
        ["standings", "x", "--after=-1"],
        ["pair", "x", "--seed=x"],
    ):
        with pytest.raises(CommandError):
            call_command(*arguments, "x")


def test_a_whole_process_touches_no_database(write) -> None:
    """The database of the settings is a folder here: opening it would fail."""
    path = write(EVENT)
    command = [sys.executable, "manage.py", "pair", str(path), "--seed", "7"]
    env = {"PATH": "/usr/bin:/bin", "DATABASE_URL": f"sqlite:///{path.parent}", "KOUNTER_VAR": str(path.parent / "var")}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=env)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == run("pair", path, "--seed", 7)[1][0]


@pytest.mark.realdata
def test_real_files_differ_exactly_where_they_are_known_to() -> None:
    files = sorted(REAL.glob("*.json"))
    code, lines, _ = run("standings", *files)
    assert code == 0
    same = {line["id"] for line in lines if not line["differs"]}
    expected = {path.stem for path in files if json.loads(path.read_bytes())["check"].get("all_exact", False)}
    assert same == expected
    assert (len(same), len(lines)) == (149, 167)


@pytest.mark.realdata
def test_every_real_event_can_be_paired_once_more() -> None:
    code, lines, _ = run("pair", *sorted(REAL.glob("*.json")))
    assert code == 0
    assert len(lines) == 167
    assert all(line["certified"] for line in lines)


def test_a_round_robin_follows_its_schedule_whatever_the_seed(write) -> None:
    """The chairs of the stored draw, or the file's own; whoever has dropped leaves a bye."""
    robin = EVENT | {"event_format": "round_robin", "rounds": []}
    first, other = (run("pair", write(robin), "--seed", seed)[1][0] for seed in (1, 2))
    assert first["pairs"] == other["pairs"]
    assert first["bye"] is not None
    drawn = robin | {"schedule": ["A", "B", "C", "D", "E", None]}
    code, (answer,), _ = run("pair", write(drawn))
    assert (code, answer["bye"]) == (0, "A")
    assert {frozenset(pair) for pair in answer["pairs"]} == {frozenset("BE"), frozenset("CD")}
    code, (late,), _ = run("pair", write(robin | {"schedule": ["A", "B", "C", "D"]}))
    assert (code, late["refused"], late["players"]) == (1, "no_chair", ["E"])


@pytest.mark.parametrize("schedule", [["A", "A"], ["A", None, "B"], ["A", "Z"], "AB"])
def test_a_schedule_that_is_none_is_unreadable(write, schedule: object) -> None:
    code, _answers, said = run("pair", write(EVENT | {"event_format": "round_robin", "schedule": schedule}))
    assert (code, "schedule" in said) == (2, True)


PODS = {
    "id": "mesas-1",
    "date": "2026-03-14",
    "event_format": "pods",
    "players": list("ABCDEFG"),
    "rounds": [
        [
            {"players": ["A", "B", "C", "D"], "places": [1, 2, 3, 4]},
            {"players": ["E", "F", "G"], "places": [2, 1, None]},
        ]
    ],
}


def test_pair_prints_tables_of_several(write) -> None:
    code, (answer,), err = run("pair", write(PODS), "--seed", 7)
    assert (code, err) == (0, "")
    assert "pairs" not in answer
    assert sorted(map(len, answer["pods"])) == [3, 4]
    assert sorted(player for pod in answer["pods"] for player in pod) == list("ABCDEFG")
    assert list(answer["criteria"]) == ["rematches", "gap", "gap_squared", "repeat_small", "separations"]
    assert answer["criteria"]["rematches"] == 3  # two tables share three of the first one among four and three seats
    assert answer["certified"] is True
    again = run("pair", write(PODS, "again.json"), "--seed", 7)[1][0]
    assert answer | {"file": ""} == again | {"file": ""}


def test_pair_seats_the_first_round_of_pods_and_refuses_one_player(write) -> None:
    code, (answer,), _ = run("pair", write(PODS | {"rounds": []}))
    assert (code, sorted(map(len, answer["pods"]))) == (0, [3, 4])
    code, (answer,), _ = run("pair", write(PODS | {"rounds": [], "players": ["A"]}))
    assert (code, answer["refused"]) == (1, "no_players")


def test_standings_of_pods_are_by_their_own_preset(write) -> None:
    code, (answer,), _ = run("standings", write(PODS))
    assert (code, answer["preset"]) == (0, "pods")
    assert list(answer["standings"][0]) == ["rank", "player", "points", "firsts", "tablemates", "left_behind"]
    rows = {row["player"]: row for row in answer["standings"]}
    assert [rows[p]["points"] for p in "ABCDEFG"] == [5, 3, 2, 1, 3, 5, 1]
    assert rows["A"]["tablemates"] == 0.4  # 3, 2 and 1 of 5
    assert rows["F"]["tablemates"] == 0.4  # 3 and 1 of 5
    assert (rows["A"]["rank"], rows["F"]["rank"]) == (1, 2)  # three left behind, and two
