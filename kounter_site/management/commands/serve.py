"""`make run`: web, worker and beat as one thing that starts whole and stops whole."""

import contextlib
import ctypes
import fcntl
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from typing import IO, Any

import segno
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections
from django.utils.translation import gettext as _

from kounter_site import demo

GRACE = 10.0  # seconds between asking and killing
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


def die_with_parent() -> None:
    """In the child: ask Linux for SIGTERM should the supervisor vanish (kill -9, out of memory)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)


class Child:
    """A process in a session of its own: Ctrl-C reaches the supervisor alone, which then asks each child once."""

    def __init__(self, name: str, args: list[str]) -> None:
        self.name, self.args, self.failures, self.not_before, self.started = name, args, 0, 0.0, 0.0
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            [sys.executable, "-W", "ignore::RuntimeWarning", "-m", *self.args],
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=die_with_parent,
            cwd=settings.BASE_DIR,
        )

    def sweep(self) -> None:
        """No grandchild outlives its parent (a pool process after kill -9 of the worker)."""
        if self.process:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)

    def back_off(self) -> float:
        now = time.monotonic()
        self.failures = 0 if now - self.started > 60 else self.failures + 1
        self.not_before = now + min(30, 2**self.failures / 2)
        return self.not_before - now


def children(host: str, port: int) -> list[Child]:
    web = ["granian", "--interface", "wsgi", "--host", host, "--port", str(port), "--workers", "1", "--no-ws"]
    web += ["--blocking-threads", "4", "--workers-kill-timeout", "5s", "--no-log", "kounter_site.wsgi:application"]
    celery = ["celery", "-q", "-A", "kounter_site"]
    worker = [*celery, "worker", "--concurrency", "1", "-l", "WARNING"]
    worker += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    return [Child("web", web), Child("worker", worker), Child("beat", [*celery, "beat", "-l", "WARNING", "--pidfile="])]


def own_address() -> str:
    """The address of this machine in the shop's network; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


class Command(BaseCommand):
    help = __doc__
    requires_migrations_checks = False
    stopping = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 serves the shop's network")
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *args: Any, **options: Any) -> None:
        host, port = options["host"], options["port"]
        self.refuse_taken(host, port)
        with open(settings.VAR / "serve.lock", "w") as lock:
            self.hold(lock)
            address = self.prepare(host)
            self.supervise(children(host, port), f"http://{address}:{port}/", host in LOOPBACK)

    def refuse_taken(self, host: str, port: int) -> None:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError:
                message = _("port %(port)d is taken; say for example: make run PORT=8001")
                raise CommandError(message % {"port": port}) from None

    def hold(self, lock: IO[str]) -> None:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CommandError(_("already running in %(folder)s") % {"folder": settings.VAR}) from None

    def prepare(self, host: str) -> str:
        """Database, demonstration and environment of the children; gives the address to type."""
        self.stdout.write(_("Preparing the database ..."))
        call_command("prepare")
        if settings.DEMO and demo.is_empty():
            self.stdout.write(_("Loading the demonstration circuit ..."))
            call_command("load_demo", verbosity=0)
        demo.open_accounts(host in LOOPBACK)
        address = host if host in LOOPBACK else own_address() if host == "0.0.0.0" else host
        os.environ["ALLOWED_HOSTS"] = ",".join({*settings.ALLOWED_HOSTS, address, socket.gethostname()})
        connections.close_all()
        return address

    def supervise(self, family: list[Child], url: str, loopback: bool) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self.ask)
        greeted = False
        try:
            while not self.stopping:
                for child in family:
                    self.tend(child)
                greeted = greeted or self.greet(url, loopback)
                time.sleep(0.2)
        finally:
            self.stop(family)

    def ask(self, *signals: object) -> None:
        if not self.stopping:
            self.stdout.write(_("Stopping; what is half done is finished first ..."))
            self.stdout.flush()
        self.stopping = True

    def greet(self, url: str, loopback: bool) -> bool:
        """Once the site answers: the address, a QR for phones, the demonstration accounts."""
        try:
            urllib.request.urlopen(f"{url}health/", timeout=2).close()
        except (urllib.error.URLError, OSError):
            return False
        if not loopback:
            segno.make(url).terminal(out=sys.stdout, compact=True)
        self.stdout.write("\n" + _("KOUNTER answers at %(url)s   (Ctrl-C stops it)") % {"url": url} + "\n")
        self.introduce(loopback)
        self.stdout.flush()
        return True

    def introduce(self, loopback: bool) -> None:
        """Who can sign in, or what to do so that somebody can."""
        if accounts := demo.accounts():
            self.stdout.write(_("Demonstration accounts, all with the password «%(word)s»:") % {"word": demo.PASSWORD})
            for email, role in accounts:
                self.stdout.write(f"  {email:<36} {role}")
        elif demo.is_loaded() and not loopback:
            self.stdout.write(_("Their password is public, so the demonstration accounts are closed on a network."))
        if demo.is_loaded() and not settings.DEMO:
            self.stdout.write(_("The demonstration is in this database: manage.py remove_demo takes it away."))
        if demo.needs_owner():
            self.stdout.write(_("Nobody runs a store here yet. README, «Your first night», says the two commands."))

    def tend(self, child: Child) -> None:
        if child.process is None:
            if time.monotonic() >= child.not_before:
                child.start()
        elif child.process.poll() is not None:
            child.sweep()
            words = {"name": child.name, "code": child.process.returncode, "seconds": child.back_off()}
            self.stderr.write(_("%(name)s ended with %(code)s; again in %(seconds).0f s") % words)
            child.process = None

    def stop(self, family: list[Child]) -> None:
        alive = [(child, child.process) for child in family if child.process is not None]
        for _each, process in alive:
            process.send_signal(signal.SIGTERM)
        end = time.monotonic() + GRACE
        for child, process in alive:
            try:
                process.wait(max(0.0, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                words = {"name": child.name, "seconds": GRACE}
                self.stderr.write(_("%(name)s did not stop in %(seconds).0f s; killed") % words)
            child.sweep()
            process.wait()
