"""Two whole requests at one moment, and a web process that dies in one (issue, "Must show" 9; CASES 7, 50; rule 4.6).

On a SQLite file and on PostgreSQL, in processes of their own (tests/web/at_once.py); tests/services/test_concurrency.py
does the same to the services alone.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.services.test_concurrency import server_database

ROOT = Path(__file__).resolve().parent.parent.parent
Run = Callable[[str], list[dict[str, Any]]]
pytestmark = pytest.mark.timeout(240)


def runner(var: Path, url: str) -> Run:
    environment = os.environ | {"KOUNTER_VAR": str(var), "DATABASE_URL": url, "DATABASE_POOL": "0"}

    def run(job: str) -> list[dict[str, Any]]:
        command = [sys.executable, "-m", "tests.web.at_once", job]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=200)
        assert done.returncode == 0, done.stderr
        told: list[dict[str, Any]] = json.loads(done.stdout)
        return told

    return run


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """A database of its own, migrated: a SQLite file, or one on the server that DATABASE_URL names."""
    var = tmp_path_factory.mktemp("at-once")
    if request.param == "sqlite":
        run = runner(var, f"sqlite:///{var / 'at-once.sqlite3'}")
        run("migrate")
        yield run
        return
    with server_database(f"at_once_{os.getpid()}") as url:
        run = runner(var, url)
        run("migrate")
        yield run


def assert_one_round(state: dict[str, Any]) -> None:
    assert (state["rounds"], state["pairings_logged"]) == (1, 1)
    assert state["seats"] == state["seated"] == 24


def test_case_07_two_tabs_press_pair_and_both_show_the_one_round(run: Run) -> None:
    for race in run("pair"):
        first, second = race["answers"]
        assert [first["status"], second["status"]] == [303, 303]
        assert first["draft"]
        assert second["draft"]
        assert first["seated"] == second["seated"]
        assert len(set(first["seated"])) == 24
        assert_one_round(race["state"])


def test_case_07_two_programs_ask_and_both_answers_are_the_one_round(run: Run) -> None:
    for race in run("program"):
        first, second = race["answers"]
        assert sorted([first["status"], second["status"]]) == [200, 201]
        assert first["round"] == second["round"]
        codes = [seat["player"]["code"] for match in first["round"]["matches"] for seat in match["seats"]]
        assert len(codes) == len(set(codes)) == 24
        assert_one_round(race["state"])


def test_case_50_a_double_tap_over_a_slow_network_is_one_place(run: Run) -> None:
    for race in run("sign_up"):
        assert race == {"account": [303, 303], "guest": [303, 303], "account rows": 1, "guest rows": 1}


def test_a_web_process_killed_in_the_middle_of_pairing_leaves_all_or_nothing(run: Run) -> None:
    """Twenty times or more, each a real SIGKILL; the next click pairs what is not there and shows what is."""
    told = run("kill")
    assert len(told) >= 20
    assert all(each["died"] for each in told)
    for each in told:
        left, whole = each["left"], each["left"]["rounds"] == 1
        assert whole is (each["moment"] == "after commit"), each
        assert left["seats"] == left["seated"] == (24 if whole else 0)
        assert left["pairings_logged"] == whole
        assert left["status"] == ("running" if whole else "open")
        assert (each["after"], each["seated"], each["tables"]) == (303, 24, 12)
        assert_one_round(each["whole"])
