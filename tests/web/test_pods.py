"""A night at tables of several over HTTP, without a browser's scripts: console, phones, wall, paper, API (GAMES)."""

import json
import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.test import Client

from decks.services.games import game as game_of
from players.models import User
from tests import make
from tests.web.conftest import reader
from tournaments.models import Event, Match, Registration, Store
from tournaments.queries import sheet
from tournaments.services import verification
from tournaments.web.pods import typed_order

pytestmark = pytest.mark.django_db
LogIn = Callable[[User], Client]
AsGuest = Callable[[Registration], Client]
ES = {"accept-language": "es"}


@pytest.fixture(autouse=True)
def stage(game: object) -> None:
    """The games are loaded."""


@pytest.fixture
def desk(organiser: User, as_user: LogIn) -> Client:
    return as_user(organiser)


def text(client: Client, url: str, **headers: str) -> str:
    response = client.get(url, headers=headers)
    assert response.status_code == 200, (url, response.status_code)
    return response.content.decode()


def plain(page: str) -> str:
    return unescape(" ".join(re.sub(r"<[^>]+>", " ", page).split()))


def address(event: Event, rest: str = "consola/") -> str:
    return f"/eventos/{event.slug}/{rest}"


def post(client: Client, event: Event, rest: str, status: int = 200, **data: Any) -> str:
    response = client.post(address(event, rest), data, follow=True)
    assert response.status_code == status, response.status_code
    return response.content.decode()


def places_of(match: Match) -> list[int | None]:
    return [seat.place for seat in match.seat_list]


def an_event(store: Store, players: int = 7, rounds: int = 3, **fields: Any) -> Event:
    event = make.make_pod_event(store, players=players, rounds=rounds, **fields)
    for row in event.registrations.all():
        row.secret = f"secreto-{row.pk}"
        row.save(update_fields=["secret"])
    return event


# -- creating ----------------------------------------------------------------------------------------------------------
def test_the_form_of_a_game_of_several_asks_only_what_it_means(store: Store, desk: Client) -> None:
    url = f"/organizar/{store.slug}/nuevo/"
    plain_form = text(desk, url)
    assert 'name="best_of"' in plain_form
    assert "?juego=ataquerrr" in plain_form
    assert 'value="pods"' not in plain_form
    form = text(desk, f"{url}?juego=ataquerrr")
    for absent in ("best_of", "cut_size", "points_win", "last_round", "preset", "format"):
        assert f'name="{absent}"' not in form
    assert 'name="points_bye"' in form
    data = {"name": "Noche de Ataquerrr", "starts_at": "2026-03-12T18:30"}
    assert desk.post(f"{url}?juego=ataquerrr", data).status_code == 303
    event = Event.objects.get(name="Noche de Ataquerrr")
    assert (event.game.slug, event.format, event.preset, event.minutes) == ("ataquerrr", "pods", "pods", 30)
    assert event.pod_points["4"] == [5, 3, 2, 1]
    page = post(desk, event, "ajustes/", name="Otra", starts_at="2026-03-12T18:30", whole="1", minutes="45")
    event.refresh_from_db()
    assert (event.name, event.minutes, event.format) == ("Otra", 45, "pods"), plain(page)[:300]


def test_the_advice_tells_the_tables(store: Store, desk: Client) -> None:
    url = f"/organizar/{store.slug}/nuevo/?juego=ataquerrr"
    response = desk.post(url, {"capacity": "11"}, headers={"HX-Request": "true", "HX-Target": "advice"})
    assert "11 players: 4 rounds, 2 tables of 4 and 1 table of 3." in plain(response.content.decode())


# -- the counter -------------------------------------------------------------------------------------------------------
def test_a_line_typed_at_the_counter_decides_a_table(store: Store, desk: Client) -> None:
    event = an_event(store, published=1)
    page = text(desk, address(event))
    assert 'data-best-of="pod"' in page
    assert page.count('data-names="') == 2
    post(desk, event, "teclado/", table="1", score="2143")
    assert places_of(make.table(event, 1)) == [2, 1, 4, 3]
    post(desk, event, "teclado/", table="2", score="3=1")
    assert places_of(make.table(event, 2)) == [1, None, 1]
    names = [seat.registration.person.name for seat in make.table(event, 1).seat_list]
    done = plain(text(desk, address(event)))
    assert f"Table 1 · 1st {names[1]}, 2nd {names[0]}, 3rd {names[3]} and 4th {names[2]}" in done


@pytest.mark.parametrize("typed", ["", "5", "11", "x", "20"])
def test_a_line_that_is_no_order_keeps_what_was_typed(store: Store, desk: Client, typed: str) -> None:
    event = an_event(store, published=1)
    page = post(desk, event, "teclado/", 422, table="1", score=typed)
    assert places_of(make.table(event, 1)) == [None] * 4
    assert "2143" in page
    assert make.table(event, 1).state == "open"


def test_places_chosen_in_the_list_decide_a_table(store: Store, desk: Client) -> None:
    event = an_event(store, published=1)
    match = make.table(event, 1)
    url = f"mesas/{match.pk}/resultado/"
    half = post(desk, event, url, version=match.version, place_0="1", place_1="2", place_2="", place_3="4")
    assert make.table(event, 1).state == "open"
    assert "Say the place of everybody" in half
    post(desk, event, url, version=match.version, place_0="2", place_1="1", place_2="2", place_3="x", key="abc")
    assert places_of(make.table(event, 1)) == [2, 1, 2, None]


def test_a_correction_shows_what_changes_and_asks_for_a_reason(store: Store, desk: Client) -> None:
    event = an_event(store, published=1)
    post(desk, event, "teclado/", table="1", score="1234")
    match = make.table(event, 1)
    first = text(desk, address(event, f"mesas/{match.pk}/corregir/"))
    assert first.count("<select") >= 4
    assert "hidden" not in re.findall(r"<select[^>]*>", first)[0]
    chosen = "?" + "&".join(f"place_{i}={place}" for i, place in enumerate((4, 3, 2, 1)))
    preview = plain(text(desk, address(event, f"mesas/{match.pk}/corregir/{chosen}")))
    assert "This is what changes" in preview
    assert "5 → 1" in preview
    assert "1 → 5" in preview
    assert places_of(make.table(event, 1)) == [1, 2, 3, 4]
    post(desk, event, f"mesas/{match.pk}/corregir/", score="4321", version=match.version, reason="al revés")
    assert places_of(make.table(event, 1)) == [4, 3, 2, 1]
    log = plain(text(desk, address(event, "diario/")))
    assert "corrected: 1st" in log


def test_reports_that_differ_stand_side_by_side_with_a_button_each(store: Store, desk: Client) -> None:
    event = an_event(store, published=1)
    make.claim(make.table(event, 1), 0, "1234")
    make.claim(make.table(event, 1), 1, "2134")
    page = text(desk, address(event))
    assert "They do not agree" in page
    assert page.count('value="claim_') == 2
    match = make.table(event, 1)
    post(desk, event, f"mesas/{match.pk}/resultado/", score="claim_1", version=match.version)
    assert places_of(make.table(event, 1)) == [2, 1, 3, 4]


def test_the_list_of_tables_keeps_its_budget(store: Store, desk: Client, queries: Callable[[int], Any]) -> None:
    small, large = an_event(store, players=7, published=1), an_event(store, players=40, published=1)
    for event in (small, large):
        text(desk, address(event))
        with queries(12):
            page = text(desk, f"{address(event)}?mode=tables", **{"HX-Request": "true", "HX-Target": "tables"})
        assert "data-places" in page


# -- phones ------------------------------------------------------------------------------------------------------------
def test_a_player_reports_the_order_and_another_confirms(store: Store, as_guest: AsGuest) -> None:
    event = an_event(store, players=4, published=1)
    match = make.table(event, 1)
    mine, other, third, fourth = [seat.registration for seat in match.seat_list]
    phone = as_guest(mine)
    page = text(phone, address(event, "mi-mesa/"))
    for rival in (other, third, fourth):
        assert rival.person.shown in page
    assert page.count("<select") == 4
    assert "Tap the seats in order" in page
    places = {f"place_{i}": str(place) for i, place in enumerate((2, 1, 4, 3))}
    sent = post(phone, event, "mi-mesa/resultado/", match=match.pk, request_key="k1", **places)
    assert "Another player of the table has to say the same" in sent
    assert "You said:" in sent
    again = post(phone, event, "mi-mesa/resultado/", match=match.pk, request_key="k1", **places)
    assert "You said:" in again
    assert make.table(event, 1).state == "claimed"

    asked = text(as_guest(third), address(event, "mi-mesa/"))
    assert f"According to {mine.person.shown}:" in plain(asked)
    score = re.findall(r'name="score" value="([^"]+)"', asked)
    assert score == ["2143"]
    done = post(as_guest(third), event, "mi-mesa/resultado/", match=match.pk, request_key="k2", score="2143")
    assert "You finished 4th" in plain(done)
    assert places_of(make.table(event, 1)) == [2, 1, 4, 3]
    assert "You finished 2nd" in plain(text(phone, address(event, "mi-mesa/")))
    assert "3 points" in plain(text(phone, address(event, "mi-mesa/")))


def test_different_reports_are_seen_by_everybody_at_the_table(store: Store, as_guest: AsGuest) -> None:
    event = an_event(store, players=4, published=1)
    match = make.table(event, 1)
    make.claim(match, 0, "1234")
    phone = as_guest(match.seat_list[1].registration)
    places = {f"place_{i}": str(place) for i, place in enumerate((2, 1, 3, 4))}
    page = post(phone, event, "mi-mesa/resultado/", match=match.pk, **places)
    assert "Not everybody says the same" in page
    silent = text(as_guest(match.seat_list[3].registration), address(event, "mi-mesa/"))
    assert "Not everybody says the same" in silent
    assert "Say it again" in silent


def test_an_order_that_is_not_whole_is_refused_and_nothing_counts(store: Store, as_guest: AsGuest) -> None:
    event = an_event(store, players=4, published=1)
    match = make.table(event, 1)
    phone = as_guest(match.seat_list[0].registration)
    for data in (
        {},
        {"place_0": "1"},
        {"score": "12x"},
        {"place_0": "9", "place_1": "1", "place_2": "2", "place_3": "3"},
    ):
        post(phone, event, "mi-mesa/resultado/", match=match.pk, **data)
        assert make.table(event, 1).state == "open"


def test_dropping_out_says_that_the_table_goes_on(store: Store, as_guest: AsGuest) -> None:
    event = an_event(store, players=4, published=1)
    match = make.table(event, 1)
    mine, rival = match.seat_list[0].registration, match.seat_list[1].registration
    phone = as_guest(mine)
    assert "Table 1 goes on without you, and you finish last." in plain(
        text(phone, address(event, "mi-mesa/retirarme/"))
    )
    post(phone, event, "mi-mesa/retirarme/")
    assert make.table(event, 1).state == "open"
    form = text(as_guest(rival), address(event, "mi-mesa/"))
    own = re.search(r'<select name="place_0".*?</select>', form, re.S)
    assert own
    assert re.search(r'value="x" selected', own[0])


# -- for everybody -----------------------------------------------------------------------------------------------------
def test_pairings_wall_and_paper_name_everybody_at_the_table(store: Store, visitor: Client, desk: Client) -> None:
    event = an_event(store, players=7, published=1)
    match = make.table(event, 1)
    names = [seat.registration.person.shown for seat in match.seat_list]
    for rest in ("emparejamientos/", "proyector/", "imprimir/mesas/", "imprimir/nombres/", "imprimir/resguardos/"):
        page = text(visitor, address(event, rest))
        assert all(name in page for name in names), rest
    by_name = plain(text(visitor, address(event, "emparejamientos/?orden=nombre")))
    assert f"against {names[1]}, {names[2]} and {names[3]}" in by_name
    slips = text(visitor, address(event, "imprimir/resguardos/"))
    assert "Ascension" not in slips
    assert slips.count("signature") == 2  # one a table: the order is one statement


def test_standings_have_a_place_in_each_round_and_sums_that_add_up(store: Store, visitor: Client) -> None:
    event = an_event(store, players=7)
    make.play_round(event, "2143", "31")
    page = text(visitor, address(event, "clasificacion/"))
    assert "2nd of 4 at the table" in page
    assert "1sts" in page
    assert "Tablemates %" in page
    assert "won the table" in page
    row = make.table(event, 1).seat_list[0].registration  # the other table has somebody who did not play
    sums = plain(text(visitor, address(event, f"clasificacion/?jugador={row.person.code}")))
    for words in (
        "Points",
        "First places",
        "Tablemates' points %",
        "Average of the tablemates",
        "Tablemates left behind",
    ):
        assert words in sums
    assert "of 5 points" in sums
    assert re.search(r"Round 1 \(\d(st|nd|rd|th) of [34] at the table\)", sums)
    assert ", lost)" not in sums


def test_the_round_explains_itself(store: Store, visitor: Client) -> None:
    event = an_event(store, players=7)
    make.play_round(event)
    make.pair_and_publish(event)
    page = plain(text(visitor, address(event, "emparejamientos/2/por-que/")))
    assert "meet again" in page
    assert "at a table with" in page
    assert "The number of players leaves tables of 3 too." in page
    assert "Seats at a small table" in page
    spanish = plain(Client(headers=ES).get(address(event, "emparejamientos/2/por-que/")).content.decode())
    assert "en una mesa con" in spanish


# -- programs ----------------------------------------------------------------------------------------------------------
def test_programs_read_places_and_enter_them(store: Store, desk: Client, organiser: User) -> None:
    event = an_event(store, players=7, published=1)
    match = make.table(event, 1)
    (round,) = json.loads(text(desk, f"/api/v1/events/{event.slug}/rounds/"))
    assert [len(each["seats"]) for each in round["matches"]] == [4, 3]
    assert json.loads(text(desk, f"/api/v1/events/{event.slug}/"))["format"] == "pods"
    body = {"outcome": "win", "places": [2, 1, 4, None]}
    answer = desk.post(f"/api/v1/events/{event.slug}/matches/{match.pk}/result/", body, content_type="application/json")
    if answer.status_code in (401, 403):  # by token only: the same service, tried with one
        from knox.models import AuthToken

        _, token = AuthToken.objects.create(organiser)
        answer = reader().post(
            f"/api/v1/events/{event.slug}/matches/{match.pk}/result/",
            body,
            content_type="application/json",
            headers={"authorization": f"Token {token}"},
        )
    assert answer.status_code == 200, answer.content
    assert [seat["place"] for seat in answer.json()["seats"]] == [2, 1, 3, None]


# -- the whole night ---------------------------------------------------------------------------------------------------
def test_a_night_of_eleven_from_the_form_to_the_final_places(store: Store, desk: Client, as_guest: AsGuest) -> None:
    """Three rounds: a drop in the second, somebody late, a correction, a report from two phones, the end."""
    data = {"name": "Ataquerrr del viernes", "starts_at": "2026-03-13T18:30", "rounds_planned": "3"}
    assert desk.post(f"/organizar/{store.slug}/nuevo/?juego=ataquerrr", data).status_code == 303
    event = Event.objects.get(name=data["name"])
    post(desk, event, "inscripciones/", names="\n".join(make.NAMES[:11]))
    assert event.registrations.count() == 11

    # round 1: 4, 4 and 3; two at the counter, one from the phones
    draft = plain(post(desk, event, "rondas/", number="1"))
    assert "Round 1: draft" in draft
    post(desk, event, "rondas/1/publicar/")
    now = sheet(event)
    assert [len(match.seat_list) for match in now.tables(now.current_round)] == [4, 4, 3]
    for table, order in (("1", "2143"), ("2", "4=213")):
        post(desk, event, "teclado/", table=table, score=order)
    third = make.table(event, 3)
    for seat in third.seat_list[:2]:
        chosen = {f"place_{i}": str(place) for i, place in enumerate((3, 1, 2))}
        post(as_guest(seat.registration), event, "mi-mesa/resultado/", match=third.pk, **chosen)
    assert places_of(make.table(event, 3)) == [3, 1, 2]

    # a correction before round 2: the first table was the other way round
    first = make.table(event, 1)
    post(desk, event, f"mesas/{first.pk}/corregir/", score="1234", version=first.version, reason="lo leí mal")
    assert places_of(make.table(event, 1)) == [1, 2, 3, 4]

    # round 2: somebody comes late and takes the free chair, somebody leaves in the middle
    post(desk, event, "rondas/", number="2")
    post(desk, event, "rondas/2/publicar/")
    page = text(desk, address(event))
    assert "takes a free chair at a smaller table" in page.lower()
    post(desk, event, "inscripciones/", names="Tardía Impuntual", choice="bye_seat")
    now = sheet(event)
    assert sorted(len(match.seat_list) for match in now.tables(now.current_round)) == [4, 4, 4]
    gone = make.table(event, 2).seat_list[3].registration
    post(desk, event, f"inscripciones/{gone.pk}/retirar/")
    assert make.table(event, 2).state == "open"
    for table in ("1", "3"):
        post(desk, event, "teclado/", table=table, score="4321")
    post(desk, event, "teclado/", table="2", score="213")
    assert places_of(make.table(event, 2)) == [2, 1, 3, None]

    # round 3: eleven again
    post(desk, event, "rondas/", number="3")
    post(desk, event, "rondas/3/publicar/")
    now = sheet(event)
    assert gone.pk not in {seat.registration_id for m in now.tables(now.current_round) for seat in m.seat_list}
    for match in now.tables(now.current_round):
        post(desk, event, "teclado/", table=match.table, score=typed_order(range(1, len(match.seat_list) + 1)))
    post(desk, event, "estado/finish/")
    event.refresh_from_db()
    assert event.status == Event.Status.FINISHED

    # everybody sees the same, and it replays
    frozen = event.frozen.get(phase="final").rows
    names = {row.pk: row.person.shown for row in sheet(event).registrations}
    final = text(reader(), address(event, "clasificacion/"))
    assert "Final places" in final
    at = [final.index(names[row["registration"]]) for row in frozen]
    assert at == sorted(at)
    assert verification.verify_event(event).ok
    rules = sheet(event).tournament.rules.pods
    assert rules
    worth = [sum(rules[len(pod.players)]) for pod in sheet(event).tournament.pods]
    assert sum(row["points"] for row in frozen) == sum(worth)  # the two who shared the first place have 4 each
    assert game_of("ataquerrr") == event.game


@pytest.mark.parametrize("state", ["draft", "playing", "over"])
def test_every_page_of_such_a_night_opens_in_both_languages(store: Store, desk: Client, state: str) -> None:
    event = an_event(store, players=7, rounds=1)
    make.pair(event)
    if state != "draft":
        make.publish(event)
        make.claim(make.table(event, 1), 0, "1234")
    if state == "over":
        make.finish_tables(event)
        make.make_finished(event)
    pages = ["", "consola/", "ajustes/", "diario/", "clasificacion/", "proyector/", "emparejamientos/", "copia.json"]
    for language in ("es", "en"):
        for page in (
            *(address(event, rest) for rest in pages),
            "/",
            f"/tiendas/{store.slug}/",
            "/eventos/",
            "/organizar/",
        ):
            text(desk, page, **{"accept-language": language})


def test_a_past_round_shows_the_places_and_leads_to_the_correction(store: Store, desk: Client) -> None:
    event = an_event(store, players=7)
    make.play_round(event, "2143", "31")
    make.pair_and_publish(event)
    page = text(desk, address(event, "consola/?ronda=1"))
    assert "0 points · 2nd" in plain(page)
    assert "did not play" in plain(page)
    assert page.count("/corregir/") == 2
