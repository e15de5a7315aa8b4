"""The cast and the stage: who acts in the tests, and what this machine allows (DESIGN, Two ways to run)."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.test import override_settings
from django.utils import translation
from django.utils.translation.reloader import translation_file_changed

from kounter_site.catalogues import compile_all

os.environ.setdefault("DATABASE_POOL", "0")  # threads of concurrency tests take connections of their own
os.environ.setdefault("BEAT_SECONDS", "0")  # tests write and ask in the same moment
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "1")  # Playwright's sync API leaves a running loop

if TYPE_CHECKING:
    from decks.models import Game
    from players.models import User
    from tournaments.models import Store

DATA = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ON_POSTGRES = os.environ.get("DATABASE_URL", "").startswith("postgres")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--no-skips", action="store_true", help="fail where a test would be skipped for a missing service")


def pytest_configure(config: pytest.Config) -> None:
    """Django has been set up by now and keeps what it read, which in a fresh clone was no catalogue at all."""
    for catalogue in compile_all(Path(config.rootpath) / "locale"):
        translation_file_changed(config, catalogue)
    if (url := os.environ.get("REDIS_URL")) and (worker := os.environ.get("PYTEST_XDIST_WORKER")):
        keep_to_own_redis(url, int(worker.removeprefix("gw")))


def keep_to_own_redis(url: str, worker: int) -> None:
    """Tests empty their cache, so each worker has a database of its own, counted up from the one that was given."""
    server, _, number = url.rpartition("/")
    own = f"{server}/{int(number) + worker}" if number.isdecimal() else f"{url.rstrip('/')}/{worker}"
    cache = {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": own}
    override_settings(CACHES={"default": cache}).enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What this machine does not allow is skipped with its reason, or refused under --no-skips."""
    reasons = {
        "browser": "" if CHROMIUM else "Chromium is not installed",
        "postgres": "" if ON_POSTGRES else "no PostgreSQL: DATABASE_URL is not given",
        "redis": "" if os.environ.get("REDIS_URL") else "no Redis: REDIS_URL is not given",
        "realdata": "" if DATA.is_dir() else "../shared/data is absent",
    }
    if config.getoption("--no-skips") and (missing := [reason for reason in reasons.values() if reason]):
        raise pytest.UsageError("; ".join(missing))
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.xdist_group("browser"))  # one house, one Chromium
        for marker, reason in reasons.items():
            if reason and item.get_closest_marker(marker):
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(autouse=True)
def cold_cache() -> None:
    """What a test keeps is not there in the next one, whose rows may have the same keys."""
    from django.core.cache import cache

    cache.clear()


@pytest.fixture(autouse=True)
def no_cards_in_memory() -> None:
    """A catalogue is kept by the game's key and version, and those of the next test are the same for other cards."""
    from decks.services import catalogue

    catalogue._catalogue.cache_clear()


@pytest.fixture(autouse=True)
def in_spanish() -> None:
    """The site's own language, whatever the last request of the test before asked for."""
    translation.deactivate()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """Without autovacuum: it counts what is committed, in tests nothing, and plans for empty tables take minutes."""
    if not ON_POSTGRES:
        return
    from django.db import connection

    with django_db_blocker.unblock(), connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'ALTER TABLE "{table}" SET (autovacuum_enabled = false)')


@pytest.fixture
def game(db: None) -> "Game":
    from decks.services.games import default_game

    return default_game()


@pytest.fixture
def store(game: "Game") -> "Store":
    from tournaments.models import Store

    return Store.objects.create(slug="la-guarida", name="La Guarida del Ñandú", city="Teruel", province="ES-TE")


@pytest.fixture
def other_store(game: "Game") -> "Store":
    from tournaments.models import Store

    return Store.objects.create(slug="el-otro-mazo", name="El Otro Mazo", city="Cádiz", province="ES-CA")


def _staff(store: "Store", kind: str, email: str) -> "User":
    from players.models import User
    from tournaments.models import Role

    user = User.objects.create_user(email)
    Role.objects.create(store=store, user=user, kind=kind)
    return user


@pytest.fixture
def owner(store: "Store") -> "User":
    return _staff(store, "owner", "duena@example.test")


@pytest.fixture
def organiser(store: "Store") -> "User":
    return _staff(store, "organiser", "organizadora@example.test")


@pytest.fixture
def judge(store: "Store") -> "User":
    return _staff(store, "judge", "jueza@example.test")


@pytest.fixture
def scorekeeper(store: "Store") -> "User":
    return _staff(store, "scorekeeper", "mesas@example.test")


@pytest.fixture
def stranger(other_store: "Store") -> "User":
    """An organiser, but of another store."""
    return _staff(other_store, "organiser", "forastera@example.test")


@pytest.fixture
def administrator(db: None) -> "User":
    from players.models import User

    return User.objects.create_user("circuito@example.test", circuit_role="administrator")


@pytest.fixture
def auditor(db: None) -> "User":
    from players.models import User

    return User.objects.create_user("auditoria@example.test", circuit_role="auditor")


@pytest.fixture
def player_user(db: None) -> "User":
    from players.models import Player, User

    user = User.objects.create_user("jugadora@example.test")
    Player.objects.create(user=user, name="Ñusta Quebrantahoz Ruiz", province="ES-TE")
    return user


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
    flags += ["--disable-component-update", "--disable-sync"]
    with sync_playwright() as p:
        chromium = p.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield chromium
        chromium.close()
