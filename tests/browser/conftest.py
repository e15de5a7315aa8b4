"""A house that is really open: `manage.py serve` with its own folder, worker and beat, and people with browsers."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parent.parent.parent
PHONE = {"width": 390, "height": 844}
LAPTOP = {"width": 1366, "height": 768}
PROJECTOR = {"width": 1920, "height": 1080}


@dataclass(frozen=True)
class House:
    url: str
    env: dict[str, str]

    def manage(self, *args: str, **extra: str) -> str:
        command = [sys.executable, str(ROOT / "manage.py"), *args]
        done = subprocess.run(command, env=self.env | extra, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(url: str, seconds: float = 90) -> None:
    end = time.monotonic() + seconds
    while True:
        try:
            urllib.request.urlopen(f"{url}health/", timeout=2).close()
        except OSError:
            assert time.monotonic() < end, f"{url} does not answer"
            time.sleep(0.2)
        else:
            return


@pytest.fixture(scope="session")
def live_server(django_db_setup: None, live_server: Any) -> Any:
    """After the test database is there: the server's threads share the connection in memory that they find then."""
    return live_server


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """The embedded mode, whatever database the other tests run on; empty, and swept every second."""
    unwanted = {"DATABASE_URL", "REDIS_URL"}
    env = {key: value for key, value in os.environ.items() if key not in unwanted}
    env |= {
        "KOUNTER_VAR": str(tmp_path_factory.mktemp("house")),
        "DEMO": "0",
        "SWEEP_SECONDS": "1",
        "LOG_LEVEL": "ERROR",
    }
    port = free_port()
    serve = [sys.executable, str(ROOT / "manage.py"), "serve", "--port", str(port)]
    process = subprocess.Popen(serve, env=env, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(f"http://127.0.0.1:{port}/")
        yield House(f"http://127.0.0.1:{port}", env)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)


Open = Callable[..., "Page"]


@pytest.fixture
def open_browser(browser: "Browser", house: House) -> Iterator[Open]:
    """A person with a browser of his own; at the end no console may have complained."""
    contexts: list[Any] = []
    problems: list[str] = []

    def open_page(size: dict[str, int], **options: Any) -> "Page":
        context = browser.new_context(locale="es-ES", viewport=size, base_url=house.url, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda m: problems.append(f"{page.url}: {m.text}") if m.type == "error" else None)
        page.on("pageerror", lambda error: problems.append(f"{page.url}: {error}"))
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert problems == []
