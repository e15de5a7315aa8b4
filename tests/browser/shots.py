"""`make shots`: the README's pictures, taken from the demonstration circuit.

Starts the whole site (`serve`) in a folder of its own on a free port, waits for the worker's ratings, and stops it.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import django
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent.parent
SHOTS = ROOT / "docs" / "shots"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
LAPTOP = {"width": 1366, "height": 768}
PATIENCE = 240.0  # seconds for a cold start on a busy machine


def main() -> None:
    if CHROMIUM is None:
        sys.exit("make shots needs Chromium (Debian, Ubuntu: apt-get install chromium)")
    SHOTS.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="kounter-shots-") as folder:
        os.environ |= {"KOUNTER_VAR": folder, "SWEEP_SECONDS": "2", "DJANGO_ALLOW_ASYNC_UNSAFE": "1"}
        os.environ |= {"DJANGO_SETTINGS_MODULE": "kounter_site.settings", "DEMO": "1"}
        with serving() as url:
            django.setup()
            wait_for(lambda: rated(1))
            shoot(url)


# -- the site ----------------------------------------------------------------------------------------------------------
@contextmanager
def serving() -> Iterator[str]:
    port = free_port()
    process = subprocess.Popen([sys.executable, "manage.py", "serve", "--port", str(port)], cwd=ROOT)
    try:
        wait_for(lambda: answers(port) or process.poll() is not None)
        if process.poll() is not None:
            sys.exit("the site did not start")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def wait_for(happened: Callable[[], Any]) -> None:
    end = time.monotonic() + PATIENCE
    while not happened():
        if time.monotonic() > end:
            sys.exit("nothing came within four minutes")
        time.sleep(0.5)


def rated(snapshot: int) -> bool:
    from ranking.models import Snapshot

    return Snapshot.objects.filter(number__gte=snapshot, current=True).exists()


# -- the evening -------------------------------------------------------------------------------------------------------
def finish_tonight() -> None:
    """The left seat wins everywhere, so that the boards have an evening to tell of."""
    from tournaments.models import Event
    from tournaments.queries import sheet
    from tournaments.services import events, rounds
    from tournaments.services.journal import SYSTEM

    event = Event.objects.select_related("store", "game").get(status=Event.Status.RUNNING)
    decide_open(event)
    while len(sheet(event).rounds) < event.rounds_planned:
        number = len(sheet(event).rounds) + 1
        rounds.pair(event, number, by=SYSTEM)
        rounds.publish(event, number, by=SYSTEM)
        decide_open(event)
    events.finish(event, by=SYSTEM)


def decide_open(event: Any) -> None:
    from tournaments.queries import sheet
    from tournaments.services import results
    from tournaments.services.journal import SYSTEM

    for match in sheet(event).open_matches:
        match.event = event
        results.decide(match, results.parse_score("1", event.best_of, match.seat_list), by=SYSTEM)


# -- the pictures ------------------------------------------------------------------------------------------------------
def shoot(url: str) -> None:
    from tournaments.models import Event

    console = Event.objects.get(status=Event.Status.RUNNING).slug
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        take(browser, url, f"/eventos/{console}/consola/", "organizadora@kounter.example", "console.png")
        finish_tonight()
        wait_for(lambda: rated(2))
        take(browser, url, "/ranking/", "jugadora@kounter.example", "ranking.png")
        browser.close()


def take(browser: Browser, url: str, path: str, email: str, name: str) -> None:
    context = browser.new_context(viewport=LAPTOP, locale="es-ES", timezone_id="Europe/Madrid", color_scheme="light")
    page = context.new_page()
    sign_in(page, url, email)
    answer = page.goto(url + path)
    if answer is None or not answer.ok:
        sys.exit(f"{path} does not answer")
    page.evaluate("document.fonts.ready")
    page.screenshot(path=SHOTS / name, animations="disabled")
    context.close()


def sign_in(page: Page, url: str, email: str) -> None:
    from django.urls import reverse

    from kounter_site.demo import PASSWORD

    page.goto(url + reverse("account_login"))
    page.fill("input[name=login]", email)
    page.fill("input[name=password]", PASSWORD)
    page.click("form:has(input[name=password]) button[type=submit]")
    page.wait_for_load_state()


if __name__ == "__main__":
    main()
