"""Whole requests that arrive at one moment, or whose process dies while it answers. Run by test_at_once.

    python -m tests.web.at_once migrate|pair|program|sign_up|kill

The database is that of the environment, a real one, never the test's. Each request runs in a process of its own, from
middleware to commit. Prints JSON.
"""

import json
import os
import re
import secrets
import signal
import sys
from collections.abc import Callable
from typing import Any

# isort: off
from tests.services.rivals import migrate, new_event, seats, state, together  # first: it sets Django up

from django.db import connection, connections
from django.test import Client
from knox.models import AuthToken

from players.models import Player, User
from tournaments.models import Event, Registration, Role
from tournaments.services import rounds
from tournaments.services.journal import SYSTEM

RACES, KILLS = 4, 20


def account() -> User:
    """`make` counts from 1 in every process, and all of them share this database."""
    return User.objects.create_user(f"{secrets.token_hex(6)}@example.test")


def staff_of(event: Event) -> User:
    user = account()
    Role.objects.create(store=event.store, user=user, kind="organiser")
    return user


def signed_in(user: User) -> Client:
    """Signed in before the race, as two tabs of one browser are."""
    client = Client(headers={"accept-language": "en"})
    client.force_login(user)
    return client


def warm() -> None:
    """Read templates and rulebook before the first fork, so that each race is of requests and not of imports."""
    event = new_event()
    Client().get(f"/eventos/{event.slug}/apuntarme/")
    press(signed_in(staff_of(event)), event)


def seen_on(page: str) -> list[str]:
    """Who sits at each table of the draft, row by row."""
    draft = page.split('aria-label="Tables of the draft"')[-1].split("</table>")[0]
    rows = re.findall(r"<tr>(.*?)</tr>", draft, re.S)
    return [name for row in rows for name in re.findall(r'<span class="name">(.*?)</span>', row)]


# -- two at once -------------------------------------------------------------------------------------------------------
def pair_race() -> Any:
    """Two tabs of the console press "pair" together, and each is shown where that leads."""
    return [two_tabs(new_event()) for _ in range(RACES)]


def two_tabs(event: Event) -> dict[str, Any]:
    client = signed_in(staff_of(event))
    answers = together(lambda: press(client, event), lambda: press(client, event))
    return {"answers": answers, "state": state(event)}


def press(client: Client, event: Event) -> dict[str, Any]:
    answer = client.post(f"/eventos/{event.slug}/rondas/", {"number": 1})
    page = client.get(answer["Location"]).content.decode() if answer.status_code == 303 else ""
    return {"status": answer.status_code, "draft": "Round 1: draft" in page, "seated": seen_on(page)}


def program_race() -> Any:
    """The same by token: the answer is the round itself."""
    return [two_programs(new_event()) for _ in range(RACES)]


def two_programs(event: Event) -> dict[str, Any]:
    token = AuthToken.objects.create(user=staff_of(event))[1]
    headers = {"authorization": f"Token {token}"}

    def ask() -> dict[str, Any]:
        answer = Client().post(f"/api/v1/events/{event.slug}/rounds/", {"number": 1}, headers=headers)
        return {"status": answer.status_code, "round": answer.json()}

    return {"answers": together(ask, ask), "state": state(event)}


def sign_up_race() -> Any:
    """A double tap on "sign up" over a slow network: an account's, and a guest's with the same form."""
    return [two_taps(new_event()) for _ in range(RACES)]


def two_taps(event: Event) -> dict[str, Any]:
    player = Player.objects.create(name="Ana Farolillo", user=account(), province="ES-TE")
    client, address = signed_in(player.user), f"/eventos/{event.slug}/apuntarme/"
    taps = together(*[lambda: client.post(address, {"key": "k"}).status_code] * 2)
    guest = {"name": "Zoe Peonza", "key": "the-same-form"}
    guests = together(*[lambda: Client().post(address, guest).status_code] * 2)
    rows = Registration.objects.filter(event=event)
    return {
        "account": taps,
        "guest": guests,
        "account rows": rows.filter(player=player).count(),
        "guest rows": rows.filter(player__name="Zoe Peonza").count(),
    }


# -- killed while it answers -------------------------------------------------------------------------------------------
def killed() -> Any:
    """The process that answers "pair" dies by SIGKILL: before each of its statements, then before and after COMMIT."""
    event = new_event()
    client = signed_in(staff_of(event))
    number = together(lambda: statements_of(client, event))[0]
    rounds.undo_round(event, 1, by=SYSTEM)
    moments = [*range(1, number + 1), "before commit", "after commit"]
    while len(moments) < KILLS:
        moments += ["before commit", "after commit"]
    return [killed_at(new_event(), moment) for moment in moments]


def statements_of(client: Client, event: Event) -> int:
    asked = 0

    def count(execute: Any, *args: Any) -> Any:
        nonlocal asked
        asked += 1
        return execute(*args)

    with connection.execute_wrapper(count):
        client.post(f"/eventos/{event.slug}/rondas/", {"number": 1})
    return asked


def killed_at(event: Event, moment: int | str) -> dict[str, Any]:
    """What is left after the kill, and what the next click then makes of it."""
    client = signed_in(staff_of(event))
    died = dies(lambda: die(client, event, moment))
    left = state(event)
    after = press(client, event)
    return {
        "moment": moment,
        "died": died,
        "left": left,
        "after": after["status"],
        "seated": len(set(after["seated"])),
        "whole": state(event),
        "tables": len(seats(event)),
    }


def dies(job: Callable[[], Any]) -> bool:
    """Run it in a process; whether SIGKILL ended that."""
    connections.close_all()
    pid = os.fork()
    if not pid:
        try:
            job()
        finally:
            os._exit(0)
    _pid, status = os.waitpid(pid, 0)
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


def die(client: Client, event: Event, moment: int | str) -> None:
    connection.ensure_connection()
    if isinstance(moment, str):
        die_at_commit(after=moment == "after commit")
        client.post(f"/eventos/{event.slug}/rondas/", {"number": 1})
        return
    asked = 0

    def count(execute: Any, *args: Any) -> Any:
        nonlocal asked
        asked += 1
        if asked == moment:
            kill()
        return execute(*args)

    with connection.execute_wrapper(count):
        client.post(f"/eventos/{event.slug}/rondas/", {"number": 1})


def die_at_commit(*, after: bool) -> None:
    commit = connection._commit

    def last() -> None:
        if after:
            commit()
        kill()

    connection._commit = last


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


JOBS = {"migrate": migrate, "pair": pair_race, "program": program_race, "sign_up": sign_up_race, "kill": killed}

if __name__ == "__main__":
    job = sys.argv[1]
    if job != "migrate":
        warm()
    json.dump(JOBS[job](), sys.stdout)
