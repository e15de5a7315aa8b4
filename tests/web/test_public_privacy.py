"""Nobody's hidden name leaves by a public page (DESIGN, Who may do what; cases 54, 55)."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from players.models import Player
from players.services import people
from tests import make
from tests.web.conftest import account_in, reader
from tournaments.models import Event
from tournaments.services import results
from tournaments.services.journal import Actor

pytestmark = pytest.mark.django_db
HIDDEN = {  # surnames and names that only these four have
    "minor": "Leocadia Quitapesares",
    "alias": "Crisanto Tragaldabas",
    "guest": "Fulgencio Zampabollos",
    "private": "Hermenegilda Rompetechos",
}
PATHS = (
    "", "apuntarme/", "emparejamientos/", "emparejamientos/1/", "emparejamientos/?orden=nombre", "clasificacion/",
    "clasificacion/?ronda=1", "proyector/", "imprimir/nombres/", "imprimir/mesas/", "imprimir/resguardos/",
    "imprimir/clasificacion/", "mi-mesa/", "mi-mesa/retirarme/",
)  # fmt: skip
PARTS = {"emparejamientos/": "lista", "clasificacion/": "tabla", "proyector/": "pared", "mi-mesa/": "mio"}


def cast() -> list[Player]:
    return [
        make.make_player(HIDDEN["minor"], minor=True),
        make.make_player(HIDDEN["alias"], minor=True, alias="Tormenta13"),
        make.make_guest(HIDDEN["guest"]),
        make.make_player(HIDDEN["private"], privacy=Player.Privacy.PRIVATE),
    ]


def parts_of(event: Event, client: Client, codes: list[str]) -> dict[str, str]:
    """Everything that my pages answer about the event, as a whole and in parts."""
    home = f"/eventos/{event.slug}/"
    answers = {path: client.get(home + path) for path in PATHS}
    answers |= {
        f"#{part}": client.get(home + p, headers={"HX-Request": "1", "HX-Target": part}) for p, part in PARTS.items()
    }
    answers |= {code: client.get(f"{home}clasificacion/?jugador={code}") for code in codes}
    answers |= {f"q={name}": client.get(f"{home}emparejamientos/", {"q": name}) for name in ("tormenta", "leocadia")}
    answers["/eventos/"] = client.get("/eventos/", {"q": event.name})
    answers["store"] = client.get(f"/tiendas/{event.store.slug}/")
    return {where: answer.content.decode() for where, answer in answers.items()}


def leaks(pages: dict[str, str]) -> list[tuple[str, str]]:
    words = [word for name in HIDDEN.values() for word in name.split()[1:]] + ["Crisanto", "Hermenegilda"]
    return [(where, word) for where, page in pages.items() for word in words if word.lower() in page.lower()]


def a_night() -> tuple[Event, object, list[str]]:
    """The four and a rival with an account; round 1 decided, round 2 claimed by the hidden ones."""
    event = make.make_event(rounds=3)
    players = cast()
    for player in players:
        make.enrol(event, player)
    _row, user = account_in(event, "Zoe Farolillo")
    make.enrol(event, make.make_player("Nuria Candil"))
    make.seat_by_hand(event, (1, 5), (2, 6), (3, 4))
    make.finish_tables(event)
    make.seat_by_hand(event, (2, 5), (1, 3), (4, 6))
    match = make.match_of(event, 5)
    rival = next(s.registration for s in match.seat_list if s.registration.order != 5)
    said = results.Statement("win", rival, None, "tiempo")
    results.report(match, rival, said, by=Actor(player=rival.player), at=event.starts_at)
    return event, user, [player.code for player in players]


def test_the_hidden_names_are_nowhere(game: object, visitor: Client, as_user: Callable) -> None:
    event, user, codes = a_night()
    for client in (visitor, as_user(user), as_user(make.make_staff(event.store))):
        pages = parts_of(event, client, codes)
        assert leaks(pages) == []
    assert "Tormenta13" in pages["emparejamientos/"]
    assert "Leocadia Q." in pages["clasificacion/"]
    assert "Fulgencio Z." in pages["proyector/"]


def test_nor_at_the_end(game: object, visitor: Client) -> None:
    event = make.make_event(rounds=1)
    players = cast()
    for player in players:
        make.enrol(event, player)
    make.make_finished(make.play_event(event))
    assert leaks(parts_of(event, visitor, [player.code for player in players])) == []


def test_the_warning_about_a_like_name_shows_no_more_than_the_list(game: object, visitor: Client) -> None:
    event = make.make_event()
    make.enrol(event, make.make_guest(HIDDEN["guest"]))
    answer = visitor.post(f"/eventos/{event.slug}/apuntarme/", {"key": "k", "name": "fulgencio ZAMPABOLLOS"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Fulgencio Z." in page
    assert page.count("ZAMPABOLLOS") == 1  # only what was typed, in its own field


@pytest.mark.parametrize("who", ["private", "alias"])
def test_the_warning_does_not_tell_whether_a_guess_at_a_hidden_name_is_right(game: object, who: str) -> None:
    event = make.make_event()
    for player in cast():
        make.enrol(event, player)
    answer = reader().post(f"/eventos/{event.slug}/apuntarme/", {"key": "k", "name": HIDDEN[who]})
    assert answer.status_code == 303


def test_a_search_cannot_probe_a_hidden_name(game: object, visitor: Client) -> None:
    event, _user, _codes = a_night()
    answer = visitor.get(f"/eventos/{event.slug}/emparejamientos/", {"q": "tragaldabas"}).content.decode()
    assert "Tormenta13" not in answer


def test_who_retires_leaves_no_name_and_everybody_s_results_stay(game: object, visitor: Client) -> None:
    event = make.make_event(rounds=1)
    winner = make.make_player("Zoe Farolillo")
    make.enrol(event, winner)
    make.enrol(event, make.make_player("Nuria Candil"))
    make.seat_by_hand(event, (1, 2))
    make.win(event, 1)
    make.make_finished(event)
    people.retire(winner)
    pages = parts_of(event, visitor, [])
    assert not [where for where, page in pages.items() if "Farolillo" in page]
    assert "Retired player won" in pages[""]
    plain = " ".join(re.sub(r"<[^>]+>", " ", pages["clasificacion/"]).split())
    assert "lost against Retired player, place 1st" in plain


def test_no_e_mail_and_no_contact(game: object, visitor: Client) -> None:
    event, _user, codes = a_night()
    event.store.contact = "llamame@example.test"
    event.store.save()
    assert not [where for where, page in parts_of(event, visitor, codes).items() if "@example.test" in page]


def polled(client: Client, path: str, part: str, tag: str = "") -> tuple[int, str, str]:
    headers = {"HX-Request": "1", "HX-Target": part} | ({"If-None-Match": tag} if tag else {})
    answer = client.get(path, headers=headers)
    return answer.status_code, answer.headers["ETag"], answer.content.decode()


@pytest.mark.parametrize(
    ("path", "part"), [("emparejamientos/", "lista"), ("clasificacion/", "tabla"), ("proyector/", "pared")]
)
def test_a_name_that_is_hidden_leaves_screens_that_poll(game: object, visitor: Client, path: str, part: str) -> None:
    """DESIGN, State: the ETag holds a privacy epoch; the event does not move when a player goes private."""
    event = make.make_event(rounds=1)
    player = make.make_player("Hermenegilda Rompetechos")
    for row in (player, make.make_player("Nuria Candil")):
        make.enrol(event, row)
    make.seat_by_hand(event, (1, 2))
    where = f"/eventos/{event.slug}/{path}"
    _, tag, html = polled(visitor, where, part)
    assert "Rompetechos" in html
    assert polled(visitor, where, part, tag)[0] == 304
    player.privacy, player.alias = Player.Privacy.PRIVATE, "Tormenta13"
    player.save()
    status, fresh, html = polled(visitor, where, part, tag)
    assert (status, fresh != tag) == (200, True)
    assert "Rompetechos" not in html
    assert "Tormenta13" in html


def test_another_province_is_no_new_name(game: object) -> None:
    player = make.make_player("Nuria Candil")
    player.province = "ES-CA"
    player.save()
    assert Player.objects.get(pk=player.pk).renamed_at is None
