"""Safety from the first day: content policy, throttled sign-in, production settings, what public pages never say."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.cache import cache
from django.test import Client, override_settings

from players.models import Player, User
from tests import make
from tournaments.models import Event, Store

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = ["/", "/eventos/", "/ranking/", "/jugadores/", "/temporadas/", "/reglas/", "/cuenta/login/", "/cuenta/signup/"]


@pytest.mark.parametrize("path", PAGES)
def test_no_page_allows_inline_code(path: str) -> None:
    answer = Client().get(path)
    policy = answer["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    text = answer.content.decode()
    assert " style=" not in text
    assert "<style" not in text
    assert "onclick" not in text
    assert answer["X-Frame-Options"] == "DENY"


def test_only_the_documentation_of_the_api_is_excepted() -> None:
    assert "unsafe-inline" in Client().get("/api/v1/docs/")["Content-Security-Policy"]
    assert "unsafe" not in Client().get("/api/v1/stores/")["Content-Security-Policy"]


def test_guessing_a_password_is_slowed_down() -> None:
    cache.clear()
    User.objects.create_user("duena@example.test", "la-de-verdad-es-otra")
    guess = {"login": "duena@example.test", "password": "no-es-esta"}
    answers = [Client().post("/cuenta/login/", guess) for _ in range(12)]
    assert answers[0].status_code == 200
    right = Client().post("/cuenta/login/", guess | {"password": "la-de-verdad-es-otra"})
    assert right.status_code != 302, "even the right password waits now"
    cache.clear()


def test_public_pages_say_no_personal_data(store: Store, player_user: User) -> None:
    """No e-mail, no full name of a guest or a minor, on any public page of an event that is being played."""
    event = make.make_event(store, players=3)
    minor = Player.objects.create(name="Pequeña Secretísima", alias="Rayo", minor=True, province="ES-TE")
    for player in (Player.objects.get(user=player_user), minor):
        make.enrol(event, player)
    make.enrol(event, "Invitada Apellidísima Larga")
    make.pair_and_publish(event)
    for page in ("", "emparejamientos/", "clasificacion/", "proyector/", "imprimir/nombres/", "imprimir/mesas/"):
        text = Client().get(f"/eventos/{event.slug}/{page}").content.decode()
        assert "@example.test" not in text, page
        assert "Secretísima" not in text, page
        assert "Apellidísima" not in text, page
    assert Event.objects.get(pk=event.pk).live


def test_production_settings_pass_the_deployment_check(tmp_path: Path) -> None:
    unwanted = {"DATABASE_URL", "DJANGO_ALLOW_ASYNC_UNSAFE"}
    env = {key: value for key, value in os.environ.items() if key not in unwanted}
    env |= {"KOUNTER_VAR": str(tmp_path), "HTTPS": "1", "BEHIND_PROXY": "1", "SECRET_KEY": "k" * 20 + "Zz9-" * 20}
    env |= {"ALLOWED_HOSTS": "kounter.example", "MAIL_HOST": "mail.kounter.example"}
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("host", "secure", "sent"),
    [("localhost:8000", False, True), ("127.0.0.1", False, True), ("192.168.1.7:8000", False, False),
     ("192.168.1.7", True, True)],
)  # fmt: skip
def test_the_opener_policy_is_sent_where_a_browser_honours_it(
    host: str, secure: bool, sent: bool, game: object
) -> None:
    with override_settings(ALLOWED_HOSTS=["*"]):
        answer = Client().get("/", headers={"host": host}, secure=secure)
    assert ("Cross-Origin-Opener-Policy" in answer.headers) == sent
