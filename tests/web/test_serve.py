"""`make run` starts whole and stops whole (DESIGN, Two ways to run)."""

import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from tests.browser.conftest import ROOT, free_port, wait_for

pytestmark = [
    pytest.mark.timeout(180),
    pytest.mark.skipif(sys.platform != "linux", reason="processes are read from /proc"),
]


def family(folder: Path) -> set[int]:
    """Every process whose environment names this folder."""
    found = set()
    for process in Path("/proc").iterdir():
        try:
            if process.name.isdigit() and str(folder).encode() in (process / "environ").read_bytes():
                alive = (process / "stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
                found |= {int(process.name)} if alive else set()
        except OSError:
            continue  # gone, or not ours to read
    return found - {os.getpid()}


def start(folder: Path, port: int) -> subprocess.Popen[str]:
    env = {key: value for key, value in os.environ.items() if key not in {"DATABASE_URL", "REDIS_URL"}}
    env |= {"KOUNTER_VAR": str(folder), "DEMO": "0"}
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    return subprocess.Popen(command, env=env, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_behind(tmp_path: Path, number: signal.Signals) -> None:
    port = free_port()
    process = start(tmp_path, port)
    wait_for(f"http://127.0.0.1:{port}/")
    assert len(family(tmp_path)) >= 4, "supervisor, web, worker and beat"
    process.send_signal(number)
    process.communicate(timeout=40)
    end = time.monotonic() + 30
    while family(tmp_path) and time.monotonic() < end:
        time.sleep(0.2)
    assert family(tmp_path) == set()


def test_a_second_one_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    port = free_port()
    first = start(tmp_path, port)
    try:
        wait_for(f"http://127.0.0.1:{port}/")
        second = start(tmp_path, free_port())
        said, _ = second.communicate(timeout=60)
        assert second.returncode == 1
        assert "ya está en marcha" in said
        taken = start(tmp_path / "other", port)
        said, _ = taken.communicate(timeout=60)
        assert f"el puerto {port} está ocupado" in said
        assert urllib.request.urlopen(f"http://127.0.0.1:{port}/health/", timeout=5).status == 200
    finally:
        first.send_signal(signal.SIGINT)
        first.communicate(timeout=40)
