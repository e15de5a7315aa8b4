"""Two at once and one that dies, on a real database: separate processes, a file or a server (cases 7, 39; rule 4.6)."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
Run = Callable[[str], Any]


def runner(var: Path, url: str) -> Run:
    environment = os.environ | {"KOUNTER_VAR": str(var), "DATABASE_URL": url, "DATABASE_POOL": "0"}

    def run(job: str) -> Any:
        command = [sys.executable, "-m", "tests.services.rivals", job]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """A database of its own, migrated: a SQLite file, or one on the server that DATABASE_URL names."""
    var = tmp_path_factory.mktemp("rivals")
    if request.param == "sqlite":
        run = runner(var, f"sqlite:///{var / 'rivals.sqlite3'}")
        run("migrate")
        yield run
        return
    with server_database(f"rivals_{os.getpid()}") as url:
        run = runner(var, url)
        run("migrate")
        yield run


@contextmanager
def server_database(name: str) -> Iterator[str]:
    server = os.environ["DATABASE_URL"]
    execute(server, f'CREATE DATABASE "{name}"')
    try:
        yield urlsplit(server)._replace(path=f"/{name}").geturl()
    finally:
        execute(server, f'DROP DATABASE "{name}" WITH (FORCE)')


def execute(server: str, statement: str) -> None:
    import psycopg

    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(statement.encode())


def test_two_requests_to_pair_make_one_round(run: Run) -> None:
    """Case 7: both answers show it, and everybody sits once."""
    told = run("pair")
    first, second = told["answers"]
    assert first["round"] == second["round"]
    assert first["seats"] == second["seats"]
    assert sorted([first["made"], second["made"]]) == [False, True]
    state = told["state"]
    assert (state["rounds"], state["pairings_logged"]) == (1, 1)
    assert state["seats"] == state["seated"] == 24


def test_two_phones_in_the_same_second(run: Run) -> None:
    """Case 39: equal is confirmed once, different is a conflict without points, one phone twice is one report."""
    same, differ, twice = run("reports")
    assert same == {"state": "done", "outcome": "win", "revisions": 2}
    assert differ == {"state": "conflict", "outcome": None, "revisions": 2}
    assert twice == {"state": "claimed", "outcome": None, "revisions": 1}


def test_a_process_killed_while_pairing_leaves_all_or_nothing(run: Run) -> None:
    """SIGKILL before the first query, the second, ... the twentieth; the next request pairs as if nothing had been."""
    left = run("kill")
    assert len(left) == 20
    undone = 0
    for state in left:
        whole = state["rounds"] == 1
        assert state["seats"] == state["seated"] == (24 if whole else 0)
        assert state["status"] == ("running" if whole else "open")
        assert state["pairings_logged"] == undone + whole
        undone += whole
    complete = [state["rounds"] for state in left]
    assert complete == sorted(complete)
    assert {0, 1} == set(complete)
