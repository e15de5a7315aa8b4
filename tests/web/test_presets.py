"""Every preset on every surface: chosen by the organiser, shown with its own numbers and their sums (rules 2.2-2.6)."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client

from decks.models import Game
from decks.services import games
from players.models import User
from tests import make
from tournaments.models import Event, LogEntry, Store
from tournaments.queries import sheet
from tournaments.services.events import usual_preset
from tournaments.standings_words import HEADS, LABELS, PRESET_NAMES, head_of
from tournaments.swiss.presets import PRESETS
from tournaments.web.explained import DETAILS, sums

pytestmark = pytest.mark.django_db
LogIn = Callable[[User], Client]
ES = {"accept-language": "es"}
NAMES = sorted(name for name, preset in PRESETS.items() if not preset.pods)
HEADS_ES = {
    "mtr": ["Ptos", "Rivales %", "Juegos %", "Juegos de rivales %"],
    "play_pokemon": ["Ptos", "Rivales %", "Rivales de rivales %", "Entre ellos"],
    "match_wins": ["Vict.", "Rivales %", "Juegos %", "Juegos de rivales %"],
    "buchholz": ["Ptos", "Mediano", "Buchholz", "S-B"],
    "goals": ["Ptos", "Dif. goles", "Goles", "Rivales %"],
    "cumulative": ["Vict.", "Acumulado"],
}


@pytest.fixture(autouse=True)
def stage(game: object) -> None:
    """The games are loaded."""


def played(preset: str, **fields: object) -> Event:
    """Five players, three rounds, a bye in each, a drop after the first: Ana, Bruno, Clara, Darío, Eva by arrival."""
    event = make.make_event(rounds=3, best_of=3, preset=preset, **fields)
    for name in ("Ana", "Bruno", "Clara", "Darío", "Eva"):
        make.enrol(event, make.make_player(name))
    make.seat_by_hand(event, (1, 2), (3, 4), (5,))
    make.finish_tables(event, "20", "21")
    make.drop(event, 2)
    make.seat_by_hand(event, (1, 3), (4, 5))
    make.finish_tables(event, "21", "11")
    make.seat_by_hand(event, (5, 1), (3, 4))
    make.finish_tables(event, "20", "02")
    return event


def page_of(event: Event, rest: str = "clasificacion/", **headers: str) -> str:
    return Client(headers=ES | headers).get(f"/eventos/{event.slug}/{rest}").content.decode()


def heads(page: str) -> list[str]:
    found = re.findall(r'<th class="n(?: wide-only)?" scope="col">(.*?)</th>', page)
    return [re.sub(r"<[^>]+>", "", head) for head in found]


# -- words -------------------------------------------------------------------------------------------------------------
def test_every_preset_and_every_number_has_its_words() -> None:
    keys = {key for preset in PRESETS.values() for key in preset.keys}
    assert PRESET_NAMES.keys() == PRESETS.keys()
    assert keys == LABELS.keys() == DETAILS.keys()
    assert HEADS.keys() <= keys
    assert all(len(head_of(key)) <= 20 for key in keys)


# -- pages -------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", NAMES)
def test_the_page_and_the_paper_have_the_columns_of_the_preset(name: str) -> None:
    event = played(name)
    for page in (page_of(event), page_of(event, "imprimir/clasificacion/")):
        assert heads(page) == HEADS_ES[name]
    english = Client(headers={"accept-language": "en"}).get(f"/eventos/{event.slug}/clasificacion/").content.decode()
    assert len(heads(english)) == len(HEADS_ES[name])
    assert heads(english)[0] in {"Pts", "W"}
    assert f"/reglas/#{rule_id(name)}" in english


def rule_id(name: str) -> str:
    from tournaments.rulebook import book

    return book.resolve(PRESETS[name].rule)


def test_the_first_number_is_that_of_the_order() -> None:
    """Eva: a bye, a draw and a win: 7 points, 2 wins, and the draw is none."""
    for name, number in (("mtr", "7"), ("match_wins", "2")):
        row = re.search(r"<tr id=[^>]*>(?:(?!</tr>).)*>Eva<.*?</tr>", page_of(played(name)), re.S)
        assert row
        assert re.search(rf'<td class="n pts">{number}</td>', row[0])


@pytest.mark.parametrize("name", NAMES)
def test_the_sums_of_a_player_stand_beside_the_table(name: str) -> None:
    event = played(name)
    now = sheet(event)
    for registration in now.entrants:
        page = page_of(event, f"clasificacion/?jugador={registration.player.code}")
        assert "Cómo se calcula" in page
        found = sums(now, registration, None)
        standing = now.row(registration)
        assert standing
        known = [key for key, value in zip(PRESETS[name].keys, standing.values, strict=True) if value is not None]
        assert [line.key for line in found] == known
        for line in found:
            assert line.total in page
            assert all(addend.who and addend.detail and addend.value for addend in line.addends)


def test_sums_say_what_they_rest_on_in_spanish() -> None:
    event = played("buchholz")
    ana = make.registration(event, 1)
    text = " ".join(re.sub(r"<[^>]+>", " ", page_of(event, f"clasificacion/?jugador={ana.player.code}")).split())
    assert "Bruno (2 puntos, con un empate por cada una de las 2 rondas que no jugó)" in text
    assert "No cuentan ni el rival más bajo ni el más alto." in text
    event = played("cumulative")
    ana = make.registration(event, 1)
    text = " ".join(re.sub(r"<[^>]+>", " ", page_of(event, f"clasificacion/?jugador={ana.player.code}")).split())
    assert "Ronda 1 (1 victoria hasta entonces) 1/16" in text
    assert "dividido entre 4" in text
    assert "En total 2,5625" in text
    event = played("play_pokemon")
    dario = make.registration(event, 4)
    text = " ".join(re.sub(r"<[^>]+>", " ", page_of(event, f"clasificacion/?jugador={dario.player.code}")).split())
    assert "Eva (1,5 de 2 mesas) 75,00" in text
    assert "Nadie cuenta menos de 25,00." in text
    assert "Un rival que se retiró cuenta 75,00 como mucho." in text


def test_goals_show_as_goals_also_in_best_of_one() -> None:
    event = make.make_event(rounds=1, best_of=1, preset="goals")
    for name in ("Ana", "Bruno", "Clara", "Darío"):
        make.enrol(event, make.make_player(name))
    make.seat_by_hand(event, (1, 2), (3, 4))
    make.finish_tables(event, "5-2", "1-0")
    page = page_of(event)
    row = re.search(r"<tr id=[^>]*>(?:(?!</tr>).)*>Bruno<.*?</tr>", page, re.S)
    assert row
    assert "−3" in row[0]
    ana = re.search(r"<tr id=[^>]*>(?:(?!</tr>).)*>Ana<.*?</tr>", page, re.S)
    assert ana
    assert "+3" in ana[0]
    assert "5-2" in ana[0], "the score is no detail where goals decide"


def test_the_wall_and_the_console_say_wins_where_wins_decide(store: Store, organiser: User, as_user: LogIn) -> None:
    event = make.make_finished(played("cumulative", store=store))
    wall = page_of(event, "proyector/")
    assert "2 victorias" in wall
    assert "puntos" not in wall
    console = as_user(organiser).get(f"/eventos/{event.slug}/consola/").content.decode()
    assert '<th class="n" scope="col">Wins</th>' in console


def test_the_api_gives_every_number_of_the_order() -> None:
    event = played("play_pokemon")
    rows = Client(headers=ES).get(f"/api/v1/events/{event.slug}/standings/").json()
    assert [t["key"] for t in rows[0]["tiebreaks"]] == ["points", "owp", "oowp", "head_to_head"]
    assert rows[0]["tiebreaks"][1]["name"] == "Victorias de rivales %"
    assert (rows[0]["omw"], rows[0]["tiebreaks"][0]["value"]) == (None, rows[0]["points"])
    assert Client().get(f"/api/v1/events/{event.slug}/").json()["preset"] == "play_pokemon"


# -- choosing ----------------------------------------------------------------------------------------------------------
@pytest.fixture
def desk(organiser: User, as_user: LogIn) -> Client:
    return as_user(organiser)


def create(desk: Client, store: Store, **fields: str) -> Event:
    desk.post(f"/organizar/{store.slug}/nuevo/", {"name": "Jueves", "starts_at": "2026-03-12T18:30"} | fields)
    return Event.objects.get(store=store)


@pytest.mark.parametrize("name", NAMES)
def test_the_organiser_chooses_the_order(store: Store, desk: Client, name: str) -> None:
    page = desk.get(f"/organizar/{store.slug}/nuevo/", headers=ES).content.decode()
    assert f'<option value="{name}"' in page
    assert create(desk, store, preset=name).preset == name


def test_the_order_is_that_of_the_game_unless_said_otherwise(store: Store, desk: Client) -> None:
    assert create(desk, store).preset == "mtr"


def test_a_game_says_its_order_in_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pelota.toml").write_text('slug = "pelota"\nname = "Pelota"\n[match]\nstandings = "goals"\n', "utf-8")
    monkeypatch.setattr(games, "FOLDER", tmp_path)
    assert usual_preset(Game(slug="pelota")) == "goals"
    assert usual_preset(Game(slug="otra")) == "mtr"


def test_an_unknown_order_is_refused(store: Store, desk: Client) -> None:
    answer = desk.post(
        f"/organizar/{store.slug}/nuevo/", {"name": "Jueves", "starts_at": "2026-03-12T18:30", "preset": "ajedrez"}
    )
    assert answer.status_code == 422
    assert not Event.objects.exists()


def test_a_change_is_logged_and_stops_with_round_1(store: Store, desk: Client) -> None:
    event = make.make_event(store, players=4)
    form = {"name": event.name, "starts_at": "2026-03-12T18:30"}
    desk.post(f"/eventos/{event.slug}/ajustes/", form | {"preset": "buchholz"})
    event.refresh_from_db()
    assert event.preset == "buchholz"
    entry = LogEntry.objects.filter(event=event, action="event.edit").latest("pk")
    assert "preset" in entry.data["fields"]
    log = desk.get(f"/eventos/{event.slug}/diario/", headers=ES).content.decode()
    assert "orden de la clasificación" in log
    make.pair(event)
    answer = desk.post(f"/eventos/{event.slug}/ajustes/", form | {"preset": "goals"}, headers=ES)
    assert answer.status_code == 422
    assert "orden de la clasificación" in answer.content.decode()
    event.refresh_from_db()
    assert event.preset == "buchholz"
