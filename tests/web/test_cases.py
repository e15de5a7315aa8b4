"""Cases of CASES.md on the pages and in the API, with their smallest input; docs/cases.md says which test is which."""

import json
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
import time_machine
from django.test import Client
from knox.models import AuthToken

from decks.models import Game
from players.models import User
from ranking import queries as ranking
from ranking.points import PointsRow, PointsTable
from ranking.services import rate, seasons
from tests import make
from tests.services.ranking.circuit import later, night, people
from tests.services.test_cases import CASE_3, tell
from tests.web.conftest import account_in, reader
from tournaments import queries
from tournaments.models import Event, Match, Store
from tournaments.queries import sheet
from tournaments.services import cut, events, registrations, results, rounds
from tournaments.services.journal import SYSTEM

pytestmark = pytest.mark.django_db
LogIn = Callable[[User], Client]
Queries = Callable[[int], AbstractContextManager[None]]
ROOMS = ("kounter_site", "ranking", "tournaments", "decks", "players")


@pytest.fixture(autouse=True)
def stage(game: Game) -> None:
    """The games are loaded."""


@pytest.fixture
def desk(organiser: User, as_user: LogIn) -> Client:
    return as_user(organiser)


def program(user: User) -> dict[str, Any]:
    """Another program's headers."""
    return {"headers": {"authorization": f"Token {AuthToken.objects.create(user=user)[1]}"}}


def words(page: str) -> str:
    main = re.search(r"<main.*?</main>", page, re.S)
    return " ".join(re.sub(r"<[^>]+>", " ", main[0] if main else page).split())


def page(client: Client, path: str, **query: Any) -> str:
    answer = client.get(path, query)
    assert answer.status_code == 200, (path, answer.status_code)
    return answer.content.decode()


# -- case 3: six players and a fourth round ----------------------------------------------------------------------------
def test_case_03_before_round_1_the_console_says_where_four_rounds_lead(store: Store, desk: Client) -> None:
    """Rule 3: warned with six inside, and three are suggested."""
    event = make.make_event(store, players=6, rounds=4)
    said = words(page(desk, f"/eventos/{event.slug}/consola/"))
    assert "With 6 players, 4 rounds may end in a repeat. With 3 it cannot happen." in said
    events.edit(event, by=SYSTEM, rounds_planned=3)
    assert "may end in a repeat" not in page(desk, f"/eventos/{event.slug}/consola/")


def test_case_03_at_round_4_the_organiser_takes_the_repeat_or_finishes(store: Store, desk: Client) -> None:
    """Both are on the console: the draft says who meets again, and "Finish now" leaves the rest unplayed."""
    event = tell(make.make_event(store, players=6, rounds=4), *CASE_3)
    home = f"/eventos/{event.slug}/"
    console = page(desk, home + "consola/")
    assert "Pair round 4" in console
    assert "Finish now" in console
    draft = desk.post(home + "rondas/", {"number": 4}, follow=True).content.decode()
    assert re.search(r"meet again: they played in round 1, and no round avoids every repeat", words(draft))
    desk.post(home + "rondas/4/deshacer/")
    done = desk.post(home + "estado/finish/", follow=True).content.decode()
    assert f"{event.name} is finished" in done
    assert Event.objects.get(pk=event.pk).status == "finished"


@pytest.mark.parametrize("change", [{"rounds": 3}, {"rounds": 4, "cut": 2}])
def test_case_03_finishing_early_is_offered_only_where_it_is_possible(
    store: Store, desk: Client, change: dict[str, int]
) -> None:
    event = tell(make.make_event(store, players=6, **change), *CASE_3)
    assert "Finish now" not in page(desk, f"/eventos/{event.slug}/consola/")
    early = tell(make.make_event(store, players=6, rounds=4), "1>6 3>2 5-4")
    assert "Finish now" not in page(desk, f"/eventos/{early.slug}/consola/")


# -- case 11 -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("gone", [3, 4])
def test_case_11_when_nobody_is_left_the_button_ends_the_event(store: Store, desk: Client, gone: int) -> None:
    event = make.make_event(store, players=4, rounds=3)
    make.play_round(event)
    for order in range(1, gone + 1):
        row = make.registration(event, order)
        desk.post(f"/eventos/{event.slug}/inscripciones/{row.pk}/retirar/")
    step = desk.get(f"/eventos/{event.slug}/consola/").context["step"]
    assert (step.label, step.blocked) == ("Finish", False)
    refused = desk.post(f"/eventos/{event.slug}/rondas/", {"number": 2})
    assert refused.status_code == 422
    assert desk.post(step.action).status_code == 303
    assert Event.objects.get(pk=event.pk).status == "finished"


# -- case 15: a draft, two of it swapped -------------------------------------------------------------------------------
PUBLIC = (
    "", "apuntarme/", "emparejamientos/", "emparejamientos/1/", "emparejamientos/?orden=nombre",
    "emparejamientos/?q=a", "clasificacion/", "clasificacion/?ronda=1", "proyector/", "proyector/?pagina=2",
    "imprimir/nombres/", "imprimir/mesas/", "imprimir/resguardos/", "imprimir/clasificacion/", "mi-mesa/",
    "mi-mesa/retirarme/", "pulso/",
)  # fmt: skip
PARTS = {
    "?vista=rondas": "estado", "emparejamientos/": "lista", "clasificacion/": "tabla", "proyector/": "pared",
    "mi-mesa/": "mio",
}  # fmt: skip
FEEDS = ("", "players/", "rounds/", "rounds/1/", "standings/")
CHANGES_BY_ITSELF = re.compile(
    r'name="(csrfmiddlewaretoken|key|request_key)" value="[^"]*"|data-now="\d+"|"version":\d+|'
    r"If-None-Match[^}]*\}|every [\d.]+s|nonce=\S+|hx-headers='[^']*'|\d\d:\d\d"
)


def everything_seen(event: Event, clients: dict[str, Client]) -> dict[str, str]:
    """Every public page and feed of the event, as each of them gets it, without what differs between two looks."""
    home, found = f"/eventos/{event.slug}/", {}
    for who, client in clients.items():
        for path in PUBLIC:
            found[f"{who} {path}"] = client.get(home + path)
        for path, part in PARTS.items():
            found[f"{who} #{part}"] = client.get(home + path, headers={"HX-Request": "true", "HX-Target": part})
        for path in FEEDS:
            found[f"{who} api {path}"] = client.get(f"/api/v1/events/{event.slug}/{path}")
        found |= {f"{who} {path}": client.get(path) for path in ("/", "/eventos/", f"/tiendas/{event.store.slug}/")}
    return {name: f"{a.status_code} {CHANGES_BY_ITSELF.sub('', a.content.decode())}" for name, a in found.items()}


def test_case_15_a_draft_and_a_swap_in_it_change_nothing_that_anybody_sees(as_user: LogIn) -> None:
    """Rule 4.5: pages, parts, sheets of paper, projector, pulse and API are the same to the byte; then it is out."""
    event = make.make_event(players=5, rounds=3)
    row, user = account_in(event, "Zoe Farolillo")
    make.play_round(event)
    clients = {"visitor": reader(), "player": as_user(user)}
    everything_seen(event, clients)  # whatever is kept between two looks is kept now
    before = everything_seen(event, clients)
    make.pair(event)
    first, second = (make.table(event, number).left.registration for number in (1, 2))
    rounds.swap(event, 2, first, second, "Ya estaban sentados", by=SYSTEM)
    rounds.repair(event, 2, by=SYSTEM, seed="otra")
    after = everything_seen(event, clients)
    assert {name: (before[name], after[name]) for name in before if before[name] != after[name]} == {}
    for client in clients.values():
        assert client.get(f"/eventos/{event.slug}/emparejamientos/2/").status_code == 404
        assert client.get(f"/eventos/{event.slug}/imprimir/mesas/?ronda=2").status_code == 404
        assert client.get(f"/api/v1/events/{event.slug}/rounds/2/").status_code == 404
        assert client.get(f"/eventos/{event.slug}/consola/").status_code in {302, 404}
    make.publish(event)
    out = everything_seen(event, clients)
    assert out["visitor proyector/"] != after["visitor proyector/"], "the look does see a round"
    assert f"TABLE {make.match_of(event, row.order).table}" in words(out["player mi-mesa/"])


# -- case 18 -----------------------------------------------------------------------------------------------------------
def test_case_18_the_console_shows_the_reason_of_the_bye(store: Store, desk: Client) -> None:
    event = tell(make.make_event(store, players=5, rounds=3), "1>2 4>3 5")
    for order in (4, 5):
        registrations.drop(make.registration(event, order), by=SYSTEM)
    make.pair(event)
    resting = make.registration(event, 2).player.name
    assert f"{resting} has the bye: nobody has fewer points." in words(page(desk, f"/eventos/{event.slug}/consola/"))


# -- case 26 -----------------------------------------------------------------------------------------------------------
def test_case_26_who_leaves_after_the_cut_is_marked_in_place_on_every_surface(visitor: Client) -> None:
    """Rules 2.5, 2.7: page, print and API keep the order that was published."""
    event = make.make_event(players=8, rounds=3, cut=4)
    for _ in range(3):
        make.play_round(event)
    rounds.publish(event, cut.start(event, by=SYSTEM).number, by=SYSTEM)
    home, feed = f"/eventos/{event.slug}/", f"/api/v1/events/{event.slug}/standings/"
    before, paper = visitor.get(feed).json(), ranks(page(visitor, home + "imprimir/clasificacion/"))
    inside = {seat.registration_id for seat in event.rounds.get(number=4).seats.all()}
    last = event.rounds.get(number=3).seats.exclude(registration__in=inside).filter(games=0)[0].registration
    registrations.drop(last, by=SYSTEM)
    after = visitor.get(feed).json()
    assert [row | {"dropped": False} for row in after] == before
    assert [row["player"]["code"] for row in after if row["dropped"]] == [last.player.code]
    assert ranks(page(visitor, home + "imprimir/clasificacion/")) == paper
    shown = page(visitor, home + "clasificacion/")
    assert re.findall(r'<tr id="p-(\w+)"[^>]*class="[^"]*gone', shown) == [last.player.code]
    assert re.findall(r'<tr id="p-(\w+)"', shown) == [row["player"]["code"] for row in before]


def ranks(text: str) -> list[tuple[str, str]]:
    """[(rank, name), ...] of a table of standings or of a board."""
    rows = re.findall(r'<td class="rank">(.*?)</td>.*?<td class="name">(.*?)</td>', text, re.S)
    return [(plain(rank), plain(name)) for rank, name in rows]


def plain(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


# -- case 32 -----------------------------------------------------------------------------------------------------------
def test_case_32_the_rival_of_who_leaves_is_told_and_has_won(as_user: LogIn) -> None:
    """Rules 1.1, 5.1: in the published round 2, on the phone that lies there open; nothing to reload by hand."""
    event = make.make_event(rounds=3)
    users = [account_in(event, name)[1] for name in ("Ana Peral", "Bruno Tapir", "Clara Botijo", "Darío Cascabel")]
    tell(event, "1>2 3>4")
    make.seat_by_hand(event, (1, 3), (2, 4))
    ana, address = as_user(users[0]), f"/eventos/{event.slug}/mi-mesa/"
    held = re.search(r'id="mio"[^>]*If-None-Match&quot;: &quot;(.*?)&quot;\}', page(ana, address))
    assert held
    as_user(users[2]).post(f"/eventos/{event.slug}/mi-mesa/retirarme/")
    part = ana.get(address, headers={"HX-Request": "true", "HX-Target": "mio", "If-None-Match": held[1]})
    assert part.status_code == 200, "the page in her hand learns it"
    said = plain(part.content.decode())
    assert "You win: your rival is not there" in said
    assert "Clara Botijo" in said
    assert "3 points." in said
    assert "won by no-show" in said
    assert make.match_of(event, 1).winner == make.registration(event, 1).player
    assert "draft" not in said


def test_case_32_in_a_draft_nobody_wins_by_it_and_it_is_paired_again(store: Store, desk: Client) -> None:
    event = tell(make.make_event(store, players=5, rounds=3), "1>2 3>4 5")
    make.pair(event)
    gone = make.registration(event, 3)
    desk.post(f"/eventos/{event.slug}/inscripciones/{gone.pk}/retirar/")
    assert not event.matches.filter(outcome="forfeit").exists()
    step = desk.get(f"/eventos/{event.slug}/consola/").context["step"]
    assert (step.label, step.blocked) == ("Pair round 2 again", False)
    desk.post(step.action)
    assert not event.rounds.get(number=2).seats.filter(registration=gone).exists()


# -- case 43 -----------------------------------------------------------------------------------------------------------
def test_case_43_reported_from_the_right_seat_then_a_swap_is_tried(store: Store, desk: Client, as_user: LogIn) -> None:
    """Rules 1.1, 4.7: the report stays the reporter's, each sees it from his side, and seats do not move any more."""
    event = make.make_event(store, rounds=2)
    users = [account_in(event, name)[1] for name in ("Ana Peral", "Bruno Tapir", "Clara Botijo", "Darío Cascabel")]
    make.seat_by_hand(event, (1, 2), (3, 4))
    ana, bruno = as_user(users[0]), as_user(users[1])
    match, address = make.table(event, 1), f"/eventos/{event.slug}/mi-mesa/"
    bruno.post(address + "resultado/", {"match": match.pk, "score": "1", "how": "ascension"})
    first, second = make.registration(event, 1), make.registration(event, 3)
    swap = {"first": first.pk, "second": second.pk, "reason": "Cambio de mesa"}
    refused = desk.post(f"/eventos/{event.slug}/rondas/1/intercambiar/", swap)
    assert refused.status_code == 422
    assert "According to Bruno Tapir: you lost by Ascension" in words(page(ana, address))
    assert "You said: you won by Ascension" in words(page(bruno, address))
    ana.post(address + "resultado/", {"match": match.pk, "score": "2", "how": "ascension"})
    match.refresh_from_db()
    assert match.winner == make.registration(event, 2).player
    assert "You won by Ascension" in words(page(bruno, address))
    assert "You lost by Ascension" in words(page(ana, address))


# -- case 46 -----------------------------------------------------------------------------------------------------------
def test_case_46_an_agreed_draw_is_told_apart_from_a_played_one(store: Store, visitor: Client, desk: Client) -> None:
    event = make.make_event(store, players=4, rounds=1)
    make.seat_by_hand(event, (1, 2), (3, 4))
    make.report(make.table(event, 1), "xp")
    make.report(make.table(event, 2), "x")
    standings = page(visitor, f"/eventos/{event.slug}/clasificacion/")
    assert standings.count("agreed a draw against") == standings.count("drew against") == 2
    outcomes = [m["outcome"] for m in visitor.get(f"/api/v1/events/{event.slug}/rounds/1/").json()["matches"]]
    assert outcomes == ["intentional_draw", "draw"]
    assert "Draw agreed without playing" in page(desk, f"/eventos/{event.slug}/consola/")


@pytest.mark.parametrize("door", ["tap", "keyboard", "form", "player", "program"])
def test_case_46_no_door_lets_a_draw_into_the_cut(
    store: Store, desk: Client, organiser: User, as_user: LogIn, door: str
) -> None:
    """Rule 7.2."""
    event = make.make_event(store, rounds=1, cut=2)
    users = [account_in(event, name)[1] for name in ("Ana Peral", "Bruno Tapir")]
    tell(event, "1>2")
    rounds.publish(event, cut.start(event, by=SYSTEM).number, by=SYSTEM)
    match, home = make.table(event, 1), f"/eventos/{event.slug}/"
    final = f"{home}mesas/{match.pk}/"
    answer = {
        "tap": lambda: desk.post(final + "resultado/", {"score": "x"}, headers={"HX-Request": "true"}),
        "keyboard": lambda: desk.post(home + "teclado/", {"table": "1", "score": "x"}),
        "form": lambda: desk.post(final + "corregir/", {"score": "xp", "reason": "Así quedaron"}),
        "player": lambda: as_user(users[0]).post(home + "mi-mesa/resultado/", {"match": match.pk, "score": "x"}),
        "program": lambda: Client().post(
            f"/api/v1/events/{event.slug}/matches/{match.pk}/result/", {"outcome": "draw"}, **program(organiser)
        ),
    }[door]()
    assert answer.status_code == {"player": 303, "program": 409}.get(door, 422)
    assert Match.objects.get(pk=match.pk).revisions.count() == 0


# -- case 47 -----------------------------------------------------------------------------------------------------------
def test_case_47_seeds_stand_beside_names_in_the_order_that_was_published(
    store: Store, visitor: Client, desk: Client
) -> None:
    """Eight players, two of them tied on points, cut to four: 1-4 and 2-3 of the published standings, on both pages."""
    event = tell(make.make_event(store, players=8, rounds=2, cut=4), "1>2 3>4 5>6 7>8", "1>3 5>7 2>4 6>8")
    home = f"/eventos/{event.slug}/"
    order = re.findall(r'<tr id="p-(\w+)"', page(visitor, home + "clasificacion/"))[:4]
    rounds.publish(event, cut.start(event, by=SYSTEM).number, by=SYSTEM)
    assert re.findall(r'<tr id="p-(\w+)"', page(visitor, home + "clasificacion/"))[:4] == order
    names = [sheet(event).by_key[code].player.shown for code in order]
    one, two, three, four = names
    assert drawn(page(visitor, home + "emparejamientos/")) == [("1", one), ("4", four), ("2", two), ("3", three)]
    console = desk.get(home + "consola/").context["open_tables"]
    assert [[side.seed for side in table.sides] for table in console] == [[1, 4], [2, 3]]


def drawn(text: str) -> list[tuple[str, str]]:
    """[(seed, name), ...] of the first column of the bracket."""
    bracket = text.split('class="bracket"')[1].split("</ol>")[0]
    found = re.findall(r'class="seed">(\d+)</\w+>(<span class="name">.*?</span>)', bracket, re.S)
    return [(seed, plain(name)) for seed, name in found]


def test_case_47_a_correction_in_the_cut_renumbers_no_seed(store: Store, visitor: Client, desk: Client) -> None:
    """Rules 2.7, 7.1: it makes a revision of the standings; who was seeded first stays so, on every page."""
    event = tell(make.make_event(store, players=8, rounds=2, cut=4), "1>2 3>4 5>6 7>8", "1>3 5>7 2>4 6>8")
    rounds.publish(event, cut.start(event, by=SYSTEM).number, by=SYSTEM)
    home = f"/eventos/{event.slug}/"
    before = drawn(page(visitor, home + "emparejamientos/"))
    first = queries.published_standings(sheet(event))[0]
    now = sheet(event)
    wrong = next(m for m in now.matches(now.round(1)) if first.player in {s.registration.key for s in m.seat_list})
    left = wrong.seat_list[0].registration.key == first.player
    said = results.parse_score("2" if left else "1", 1, wrong.seat_list)
    results.correct(wrong, said, by=SYSTEM, reason="Al revés")
    assert queries.published_standings(sheet(event))[0].player != first.player, "the standings did move"
    assert drawn(page(visitor, home + "emparejamientos/")) == before
    console = desk.get(home + "consola/").context["open_tables"]
    assert [[side.seed for side in table.sides] for table in console] == [[1, 4], [2, 3]]


# -- case 51 -----------------------------------------------------------------------------------------------------------
def test_case_51_two_of_one_name_are_told_apart_wherever_they_are_shown(visitor: Client) -> None:
    """Never by name alone: lists add the public code, and each link leads to his own page with his own points."""
    event = make.make_event(rounds=2)
    first, second = (make.enrol(event, make.make_player("José García")) for _ in range(2))
    make.enrol(event, make.make_player("Zoe Farolillo"))
    make.enrol(event, make.make_player("Nuria Candil"))
    tell(event, "2>1 3=4")
    home = f"/eventos/{event.slug}/"
    sheets = [f"imprimir/{what}/" for what in ("nombres", "mesas", "resguardos", "clasificacion")]
    for path in ("", "emparejamientos/", "emparejamientos/?orden=nombre", "clasificacion/", "proyector/", *sheets):
        text = page(visitor, home + path)
        assert all(row.player.printed_code in text for row in (first, second)), path
    rows = {row["player"]["code"]: row["points"] for row in visitor.get(f"/api/v1{home_of(event)}standings/").json()}
    assert (rows[first.player.code], rows[second.player.code]) == (0, 3)
    shown = page(visitor, "/jugadores/", q="jose garcia")
    assert all(row.player.printed_code in shown for row in (first, second))
    mine = re.search(rf'<tr id="p-{second.player.code}".*?</tr>', page(visitor, home + "clasificacion/"), re.S)
    assert mine
    assert "won against José García" in plain(mine[0])


def home_of(event: Event) -> str:
    return f"/events/{event.slug}/"


# -- case 64 -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("zone", "hour"), [("Europe/Madrid", 0), ("Atlantic/Canary", 1)])
def test_case_64_what_began_at_eleven_runs_on_at_ten_to_midnight_and_after_it(
    zone: str, hour: int, organiser: User, store: Store
) -> None:
    """In the store's own hours: there at 23:50, and at 00:20 while it is played; what nobody played is yesterday's."""
    Store.objects.filter(pk=store.pk).update(time_zone=zone)
    store.refresh_from_db()
    eleven = datetime(2026, 3, 12, 22 + hour, 0, tzinfo=UTC)
    event = make.make_event(store, players=4, published=1, at=eleven, name="Sesión golfa")
    assert (event.local_start.hour, event.date) == (23, date(2026, 3, 12))
    make.make_event(store, at=eleven - timedelta(hours=3), name="No llegó a jugarse")
    for minutes, both in ((50, True), (80, False)):
        with time_machine.travel(eleven + timedelta(minutes=minutes), tick=False):
            client = reader()
            client.force_login(organiser)
            for path in ("/", "/eventos/", "/organizar/"):
                assert "Sesión golfa" in page(client, path), (path, minutes)
            assert ("No llegó a jugarse" in page(client, "/eventos/")) is both


# -- case 65: 1, 2, 2, 4 everywhere ------------------------------------------------------------------------------------
TIED = ("1>4 3=2", "1>4 2=3")


def test_case_65_event_standings_read_1_2_2_4_in_one_order_on_every_surface(visitor: Client, as_user: LogIn) -> None:
    """Rule 2.5: inside the tie the stored draw orders, the same on page, paper, file, wall, API and phone."""
    from tournaments.services import files

    event = make.make_event(rounds=2)
    accounts = [account_in(event, name) for name in ("Zoe", "Ñusta", "Ángel", "Nuria")]
    tell(event, *TIED)
    make.make_finished(event)
    home = f"/eventos/{event.slug}/"
    told = visitor.get(f"/api/v1{home_of(event)}standings/").json()
    expected = [(str(row["rank"]), row["player"]["name"]) for row in told]
    assert [rank for rank, _ in expected] == ["1", "2", "2", "4"]
    assert (expected[0][1], {name for _, name in expected[1:3]}) == ("Zoe", {"Ángel", "Ñusta"})
    assert ranks(page(visitor, home + "clasificacion/")) == expected
    assert ranks(page(visitor, home + "imprimir/clasificacion/")) == expected
    by_code = {row.player.code: row.player.shown for row, _user in accounts}
    file = files.export_event(Event.objects.get(pk=event.pk))["standings"]
    assert [(str(row["rank"]), by_code[row["player"]]) for row in file] == expected
    wall = plain(page(visitor, home + "proyector/").split('class="seats"')[1].split("</ol>")[0])
    assert re.findall(r"(\d) (Zoe|Ñusta|Ángel|Nuria)", wall) == expected
    for (rank, name), ordinal in zip(expected, ("1st", "2nd", "2nd", "4th"), strict=True):
        user = next(user for row, user in accounts if row.player.shown == name)
        assert f"You came {ordinal}" in words(page(as_user(user), home + "mi-mesa/")), (rank, name)


def test_case_65_circuit_points_10_8_8_5_share_the_second_place_on_every_surface(visitor: Client, game: Game) -> None:
    """RANKING 3: boards list a tie by name; page 2 begins inside it and keeps its rank; profile and season agree."""
    table = PointsTable(
        (PointsRow("semanal", 1, 1, 4, 9), PointsRow("semanal", 2, 3, 4, 7), PointsRow("semanal", 4, 4, 4, 4))
    )
    season = seasons.create(game, by=SYSTEM, name="Mareas", starts=date(2026, 1, 1), ends=date(2026, 7, 1), table=table)
    seasons.open(season, by=SYSTEM)
    cast = people("DCBA")  # who comes first by name was made last
    rate.catch_up(later(night(cast, date(2026, 3, 5), "A>D C=B", "A>D B=C")))
    expected = [(1, "Ángel Abanico", 10), (2, "Begoña Botijo", 8), (2, "Candela Cascabel", 8), (4, "Domitila Dedal", 5)]
    board = page(visitor, "/ranking/nacional/", orden="puntos")
    assert ranks(board) == [(str(rank), name) for rank, name, _ in expected]
    rows = json.loads(b"".join(visitor.get("/ranking/nacional/?orden=puntos&formato=json").streaming_content))["rows"]
    assert [(row["rank"], row["name"], row["value"]) for row in rows] == expected
    order = ranking.points_order(season.slug)
    feed = visitor.get("/api/v1/boards/es/", {"orden": order}).json()["rows"]
    assert [(row["rank"], row["name"], row["value"]) for row in feed] == expected
    snapshot = ranking.current(game)
    assert snapshot
    second = ranking.board(snapshot, "es", order=order, page=2, size=2)
    assert [(row.rank, row.player.shown, row.value) for row in second.rows] == expected[2:]
    for rank, name, points in expected:
        player = next(player for player in cast.values() if player.name == name)
        own = words(page(visitor, f"/jugadores/{player.code}/"))
        assert f"{points} circuit points" in own, (rank, name)
    assert ranks(page(visitor, f"/temporadas/{season.slug}/"))[:4] == [(str(rank), name) for rank, name, _ in expected]


# -- cases 67 and 69: found as people type -----------------------------------------------------------------------------
TYPED = ("nunez", "NÚÑEZ", "Nuñez", "Nun\N{COMBINING TILDE}ez", "  ñúñez ")
SEARCHES = {
    "players": "/jugadores/?q={q}",
    "boards": "/ranking/nacional/?q={q}",
    "pairings": "/eventos/{slug}/emparejamientos/?q={q}",
    "roster": "/eventos/{slug}/inscripciones/?q={q}",
    "arrivals": "/eventos/{open}/inscripciones/buscar/?names={q}",
    "events": "/eventos/?q={q}",
    "stores": "/organizar/?q={q}",
    "players of the API": "/api/v1/players/?q={q}",
}


@pytest.mark.parametrize("typed", TYPED)
def test_case_67_every_search_finds_nunez_however_it_is_typed(administrator: User, as_user: LogIn, typed: str) -> None:
    """Players, events, stores and rosters, by the stored folded key; the rest of the list is not there."""
    store = make.make_store("Almacén Núñez")
    make.make_store("Otra Tienda")
    event = make.make_event(store, rounds=2, name="Copa Núñez")
    for name in ("Begoña Núñez Botijo", "Zoe Farolillo"):
        make.enrol(event, make.make_player(name))
    tell(event, "1>2")
    events.edit(event, by=SYSTEM, rounds_planned=1)
    make.make_finished(event)
    rate.catch_up(later(event))
    still_open = make.make_event(store, name="Copa Núñez, la siguiente")
    client = as_user(administrator)
    for where, address in SEARCHES.items():
        query = typed.replace(" ", "%20")
        text = client.get(address.format(q=query, slug=event.slug, open=still_open.slug)).content.decode()
        assert "Núñez" in text, where
        rest = re.sub(r"against Zoe Farolillo|<title>.*?</title>", "", text)
        assert where == "pairings" or "Zoe Farolillo" not in rest, where


@pytest.mark.parametrize("typed", ["íñigo", "ÍÑIGO", "inigo", "I\N{COMBINING ACUTE ACCENT}n\N{COMBINING TILDE}igo"])
def test_case_69_a_capital_with_an_accent_is_found_in_either_database(visitor: Client, typed: str) -> None:
    """SQLite folds ASCII only: 'Íñigo' LIKE '%íñigo%' is false there; this runs on whichever database tests have."""
    make.make_player("Íñigo Zarzuelo")
    make.make_player("Zoe Farolillo")
    assert [row["name"] for row in visitor.get("/api/v1/players/", {"q": typed}).json()["results"]] == [
        "Íñigo Zarzuelo"
    ]


def test_case_69_no_search_leans_on_what_only_one_database_folds() -> None:
    """icontains and its kin compare as the database likes, unaccent is PostgreSQL's: only keys of ours are asked."""
    root = Path(__file__).resolve().parents[2]
    leaning = re.compile(r"__i(contains|exact|startswith|endswith|regex)|[uU]naccent|[tT]rigram|SearchVector|COLLATE")
    sources = [path for room in ROOMS for path in (root / room).rglob("*.py")]
    assert len(sources) > 150
    assert [str(path) for path in sources if leaning.search(path.read_text("utf-8"))] == []


# -- case 70 -----------------------------------------------------------------------------------------------------------
def test_case_70_lists_of_people_and_stores_are_in_spanish_order(administrator: User, as_user: LogIn) -> None:
    """SQLite alone gives Zoe before Ángel; stores, players and the API read the stored key."""
    names = ["Ángel", "Íñigo", "Nuria", "Ñusta", "Zoe"]
    for name in ("Zoe", "Ángel", "Íñigo", "Nuria", "Ñusta"):
        make.make_player(f"{name} Farolillo")
        make.make_store(f"{name} Juegos")
    client = as_user(administrator)
    people_found = client.get("/api/v1/players/", {"q": "farolillo"}).json()["results"]
    stores = client.get("/api/v1/stores/").json()["results"]
    assert [row["name"].split()[0] for row in people_found] == names
    assert [row["name"].split()[0] for row in stores if "Juegos" in row["name"]] == names
    desks = client.get("/organizar/", {"q": "juegos"}).context["desks"]
    assert [desk.store.name.split()[0] for desk in desks] == names


# -- budgets of the other ways in (issue, "Must show" 6) ---------------------------------------------------------------
@pytest.fixture(params=[12, 500])
def hall(request: pytest.FixtureRequest, store: Store) -> Event:
    return make.make_big_event(request.param, 2, store=store)


def test_a_typed_result_costs_ten_queries(hall: Event, desk: Client, queries: Queries) -> None:
    with queries(10):
        assert desk.post(f"/eventos/{hall.slug}/teclado/", {"table": "3", "score": "1"}).status_code == 303
    assert make.table(hall, 3).state == "done"


def test_a_result_of_a_table_with_two_reports_costs_ten_queries(hall: Event, desk: Client, queries: Queries) -> None:
    match = make.table(hall, 3)
    make.claim(match, 0, "1")
    make.claim(match, 1, "2")
    with queries(10):
        answer = desk.post(f"/eventos/{hall.slug}/mesas/{match.pk}/resultado/", {"score": "2", "key": "k"})
    assert answer.status_code == 303
    assert make.table(hall, 3).state == "done"


def test_the_first_round_of_a_hall_costs_twenty_queries(
    store: Store, desk: Client, queries: Queries, request: pytest.FixtureRequest
) -> None:
    """Round 1 starts the event, fixes the plan and, where check-in was asked, lets the absent go."""
    for players in (12, 500):
        event = make.make_event(store, players=players, status=Event.Status.CHECK_IN)
        event.registrations.exclude(order=1).update(status="checked_in")
        with queries(20):
            assert desk.post(f"/eventos/{event.slug}/rondas/", {"number": 1}).status_code == 303
        assert event.rounds.get().seats.count() == players - 1


def test_the_bracket_of_a_hall_costs_twelve_queries(hall: Event, visitor: Client, queries: Queries) -> None:
    make.finish_tables(hall)
    events.edit(hall, by=SYSTEM, rounds_planned=3)
    rounds.publish(hall, cut.start(hall, 8, by=SYSTEM).number, by=SYSTEM)
    with queries(12):
        assert 'class="bracket"' in page(visitor, f"/eventos/{hall.slug}/emparejamientos/")


def test_a_program_pays_what_a_person_pays(hall: Event, organiser: User, queries: Queries) -> None:
    """The same budgets by token: a result at most 10, a round at most 20, pairings and standings at most 12."""
    home, by_token = f"/api/v1{home_of(hall)}", program(organiser)
    match = make.table(hall, 3)
    said = {"outcome": "win", "winner": match.left.registration.player.code, "request_key": "k"}
    with queries(10 + 2):  # the token and its account, as the session and the user elsewhere
        assert Client().post(f"{home}matches/{match.pk}/result/", said, **by_token).status_code == 200
    make.finish_tables(hall)
    with queries(20 + 2):
        assert Client().post(f"{home}rounds/", {"number": 4}, **by_token).status_code == 201
    for path in ("rounds/", "rounds/3/", "standings/", "players/"):
        with queries(12):
            assert Client().get(home + path, **by_token).status_code == 200


def test_a_winner_who_does_not_sit_there_is_refused_by_its_rule(hall: Event, organiser: User) -> None:
    match, stranger = make.table(hall, 3), make.table(hall, 4).left.registration.player
    said = {"outcome": "win", "winner": stranger.code}
    answer = Client().post(f"/api/v1{home_of(hall)}matches/{match.pk}/result/", said, **program(organiser))
    assert (answer.status_code, answer.json()["code"]) == (409, "winner_needed")
    assert make.table(hall, 3).state == "open"


# -- numbers that are none ---------------------------------------------------------------------------------------------
NUMBERS = ("²", "٣", "-1", "9" * 30, "9" * 5000, "1e3", "\0")
PLACES: dict[str, tuple[str, str, dict[str, str]]] = {
    "console": ("get", "/eventos/{slug}/consola/?ronda={n}", {}),
    "standings": ("get", "/eventos/{slug}/clasificacion/?ronda={n}", {}),
    "print": ("get", "/eventos/{slug}/imprimir/mesas/?ronda={n}", {}),
    "projector": ("get", "/eventos/{slug}/proyector/?pagina={n}", {}),
    "events": ("get", "/eventos/?ver=terminados&page={n}", {}),
    "roster": ("get", "/eventos/{slug}/inscripciones/?page={n}", {}),
    "board": ("get", "/ranking/nacional/?pagina={n}", {}),
    "standings of the API": ("get", "/api/v1/events/{slug}/standings/?after={n}", {}),
    "board of the API": ("get", "/api/v1/boards/es/?page={n}", {}),
    "players of the API": ("get", "/api/v1/players/?page={n}", {}),
    "pairings of a round": ("get", "/eventos/{slug}/emparejamientos/{digits}/", {}),
    "round of the API": ("get", "/api/v1/events/{slug}/rounds/{digits}/", {}),
    "round": ("post", "/eventos/{slug}/rondas/{digits}/publicar/", {}),
    "table": ("post", "/eventos/{slug}/mesas/{digits}/resultado/", {"score": "1"}),
    "registration": ("post", "/eventos/{slug}/inscripciones/{digits}/retirar/", {}),
    "pair": ("post", "/eventos/{slug}/rondas/", {"number": "{n}"}),
    "cut": ("post", "/eventos/{slug}/corte/", {"number": "{n}", "size": "{n}"}),
    "clock": ("post", "/eventos/{slug}/rondas/1/reloj/", {"op": "add", "seconds": "{n}"}),
    "clock of a table": ("post", "/eventos/{slug}/rondas/1/reloj/", {"op": "add", "seconds": "9", "match": "{n}"}),
    "swap": ("post", "/eventos/{slug}/rondas/1/intercambiar/", {"first": "{n}", "second": "{n}", "reason": "x"}),
    "undo": ("post", "/eventos/{slug}/deshacer/", {"number": "{n}"}),
    "result": ("post", "/eventos/{slug}/mesas/{match}/resultado/", {"score": "1", "version": "{n}"}),
    "correction": ("post", "/eventos/{slug}/mesas/{match}/corregir/", {"score": "1", "version": "{n}"}),
    "keyboard": ("post", "/eventos/{slug}/teclado/", {"table": "{n}", "score": "1"}),
    "report": ("post", "/eventos/{slug}/mi-mesa/resultado/", {"match": "{n}", "score": "1"}),
    "sign up": ("post", "/eventos/{slug}/apuntarme/", {"name": "Ana", "element": "{n}", "key": "k"}),
    "join": ("post", "/eventos/{slug}/inscripciones/{row}/unir/", {"keep": "{n}"}),
    "apart": ("post", "/eventos/{slug}/inscripciones/{row}/separar/", {"other": "{n}", "on": "1"}),
    "details": ("post", "/eventos/{slug}/inscripciones/{row}/datos/", {"fixed_table": "{n}", "element": "{n}"}),
    "staff": ("post", "/organizar/{store}/equipo/", {"remove": "{n}", "role": "{n}", "pk": "{n}"}),
    "new event": ("post", "/organizar/{store}/nuevo/", {"capacity": "{n}", "rounds_planned": "{n}", "people": "{n}"}),
}


@pytest.mark.parametrize("place", PLACES)
def test_a_number_that_is_none_is_answered_in_words(owner: User, store: Store, as_user: LogIn, place: str) -> None:
    """What people and programs send where a number belongs never breaks a page (STYLE: bad input)."""
    event = make.make_event(store, players=4, rounds=3, published=1)
    client, version = as_user(owner), event.version
    method, address, data = PLACES[place]
    known = {"slug": event.slug, "store": store.slug, "match": make.table(event, 1).pk}
    known["row"] = make.registration(event, 1).pk
    for number in NUMBERS:
        values = known | {"n": quote(number) if method == "get" else number, "digits": "9" * len(number)}
        body = {key: value.format(**values) for key, value in data.items()}
        advice = {"HX-Request": "true", "HX-Target": "advice"} if place == "new event" else {}
        answer = getattr(client, method)(address.format(**values), body, headers=advice)
        assert answer.status_code < 500, number
    if method == "get":
        assert Event.objects.get(pk=event.pk).version == version
