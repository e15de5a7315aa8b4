"""`python -m benchmarks.poll`: how many 304s a second the site answers, beside an empty Django view on the same server.

The server is granian as `serve` starts it, with a database of its own beside the one of DATABASE_URL (SQLite without
it). Two kinds of load: a hall, where many phones ask about one event, and `alone`, where the process may believe
nothing it has read (BEAT_SECONDS=0), so that each 304 costs its indexed read. The two addresses are asked in turn,
several times, over kept connections on 127.0.0.1. Exit 1 when a hall gets less than half the rate of the empty view.
"""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from threading import Thread

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kounter_site.settings")

CONNECTIONS, SECONDS, TURNS = 4, 1.5, 5
GOAL = 0.5


def main() -> int:
    with event_page() as (vendor, page, environment):
        shares = {}
        for name, believes in (("hall", "0.1"), ("alone", "0")):
            with serving(environment | {"BEAT_SECONDS": believes}) as port:
                shares[name] = measured(port, page)
    sys.stdout.write(json.dumps({"database": vendor} | shares) + "\n")
    return 0 if shares["hall"]["share"] >= GOAL else 1


@contextmanager
def event_page() -> Iterator[tuple[str, str, dict[str, str]]]:
    """A database with an event of 64 in round 5: its vendor, the address of the standings, the server's environment."""
    from benchmarks.scale import ROUNDS, database, settle

    with database(file=True) as vendor:
        from django.db import connection

        from tests import make

        event = make.make_big_event(64, rounds=ROUNDS, open_round=False, best_of=3)
        settle()
        yield vendor, f"/eventos/{event.slug}/clasificacion/", {"DATABASE_URL": address_of(connection.settings_dict)}


def address_of(database: dict[str, object]) -> str:
    given = os.environ.get("DATABASE_URL", "")
    return f"{given.rpartition('/')[0]}/{database['NAME']}" if given else f"sqlite:///{database['NAME']}"


@contextmanager
def serving(environment: dict[str, str]) -> Iterator[int]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [str(Path(sys.executable).parent / "granian"), "--interface", "wsgi", "--host", "127.0.0.1"]
    command += ["--port", str(port), "--workers", "1", "--no-ws", "--blocking-threads", "4", "--no-log"]
    server = subprocess.Popen([*command, "benchmarks.bare_wsgi:application"], env=os.environ | environment)
    try:
        wait_for(port)
        yield port
    finally:
        server.terminate()
        server.wait(20)


def wait_for(port: int) -> None:
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError("the server did not start")


def measured(port: int, page: str) -> dict[str, float]:
    poll = {"HX-Request": "1", "HX-Target": "tabla"}
    connection = HTTPConnection("127.0.0.1", port)
    connection.request("GET", page, headers=poll)
    answer = connection.getresponse()
    tag = answer.headers["ETag"]
    answer.read()
    asks = {
        "poll": (request(page, port, poll | {"If-None-Match": tag}), b" 304 "),
        "empty": (request("/bare/empty/", port, {}), b" 200 "),
    }
    rates: dict[str, list[float]] = {name: [] for name in asks}
    for _ in range(TURNS):
        for name, ask in asks.items():
            rates[name].append(rate(port, *ask))
    share = median(poll / empty for poll, empty in zip(rates["poll"], rates["empty"], strict=True))
    return {name: round(median(each)) for name, each in rates.items()} | {"share": round(share, 2)}


def request(path: str, port: int, headers: dict[str, str]) -> bytes:
    lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", *(f"{name}: {text}" for name, text in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def rate(port: int, ask: bytes, expected: bytes) -> float:
    """Answers a second over several kept connections, each asking when it has its answer; wrong answers raise."""
    counts = [0] * CONNECTIONS
    failed: list[bytes] = []
    ends = time.perf_counter() + SECONDS

    def keep_asking(at: int) -> None:
        with socket.create_connection(("127.0.0.1", port)) as line:
            while time.perf_counter() < ends:
                line.sendall(ask)
                head = line.recv(65536)
                while b"\r\n\r\n" not in head:
                    head += line.recv(65536)
                if expected not in head[:20]:
                    failed.append(head[:60])
                    return
                counts[at] += 1

    threads = [Thread(target=keep_asking, args=(at,)) for at in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise RuntimeError(failed[0].decode(errors="replace"))
    return sum(counts) / SECONDS


if __name__ == "__main__":
    raise SystemExit(main())
