"""A player's page: places, history, an account that adds up, points, rivals (RANKING 1, 3; CASES 52, 54, 55, 67)."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client

from decks.models import Game
from players.models import Follow, Player, User
from players.services import people as people_services
from ranking.models import RatingPoint, Snapshot
from ranking.services import rate, seasons
from ranking.web import charts
from tests.make import make_guest, make_player, make_store
from tests.services.ranking.circuit import Cast, later, night, people
from tournaments.models import Store
from tournaments.services.journal import SYSTEM

pytestmark = pytest.mark.django_db
FIRST = date(2026, 1, 8)
WEEK = timedelta(days=7)
ROUNDS = ("A>B C>D", "A>C B>D", "A=D B>C")
Reader = Callable[[User], Client]
Counted = Callable[[int], AbstractContextManager[None]]


@pytest.fixture
def shop(game: Game) -> Store:
    return make_store("La Guarida del Ñandú", slug="la-guarida")


@pytest.fixture
def cast(shop: Store, game: Game) -> Cast:
    """Four players, five Thursdays, a season."""
    seasons.open(
        seasons.create(game, by=SYSTEM, name="Mareas", starts=date(2026, 1, 1), ends=date(2026, 7, 1)), by=SYSTEM
    )
    cast = people("ABCD")
    for week in range(5):
        event = night(cast, FIRST + week * WEEK, *ROUNDS, store=shop, elements=dict.fromkeys("AB", "agua"))
        rate.catch_up(later(event))
    return cast


def page(client: Client, player: Player, **query: Any) -> str:
    response = client.get(f"/jugadores/{player.code}/", query)
    assert response.status_code == 200
    return response.content.decode()


# -- places and history ------------------------------------------------------------------------------------------------
def test_four_places_local_provincial_national_elemental(visitor: Client, cast: Cast) -> None:
    """RANKING 3."""
    text = page(visitor, cast["A"])
    assert 'href="/ranking/tienda:la-guarida/"' in text
    assert 'href="/ranking/ES-TE/"' in text
    assert 'href="/ranking/nacional/"' in text
    assert 'href="/ranking/nacional/?elemento=agua"' in text


def test_the_provisional_read_what_is_missing(visitor: Client, cast: Cast) -> None:
    """Fifteen matches against three rivals: one rival to go."""
    text = page(visitor, cast["A"])
    assert "No place yet: 1\N{NO-BREAK SPACE}opponent to go" in text


def test_the_account_adds_up(visitor: Client, cast: Cast) -> None:
    """The whole points of the matches add up to the change of the event, and that to the printed rating."""
    text = page(visitor, cast["A"])
    sums = re.findall(r'<dl class="facts sum">(.*?)</dl>', text, re.S)
    assert sums
    for block in sums:
        *lines, total = [whole(found) for found in re.findall(r"<dd[^>]*>([^<]*)</dd>", block)]
        assert sum(lines) == total


def whole(text: str) -> int:
    return int(text.replace("\N{MINUS SIGN}", "-"))


def test_the_chart_says_in_words_and_in_a_table_what_it_draws(visitor: Client, cast: Cast) -> None:
    text = page(visitor, cast["A"])
    points = RatingPoint.objects.filter(snapshot__current=True, player=cast["A"]).count()
    assert re.search(r"The rating goes from 1500 on 8 January 2026 to \d+ on 5 February 2026", text)
    table = text.split("See it as a table")[1].split("</table>")[0]
    assert table.count("<tr>") == points + 1
    assert " style=" not in text


def test_a_period_without_matches_says_so(visitor: Client, cast: Cast, game: Game) -> None:
    snapshot = Snapshot.objects.get(current=True)
    assert snapshot.day == FIRST + 4 * WEEK
    season = game.seasons.get()
    season.starts, season.ends = date(2026, 2, 5), date(2026, 2, 6)
    season.save()
    text = page(visitor, cast["A"], periodo="temporada")
    assert text.split("See it as a table")[1].split("</table>")[0].count("<tr>") == 2


def test_events_are_explained_one_by_one_with_links(visitor: Client, cast: Cast) -> None:
    text = page(visitor, cast["A"])
    assert text.count("Standings of the event") == 5
    assert "/eventos/jueves-" in text


# -- points ------------------------------------------------------------------------------------------------------------
def test_the_ledger_names_what_counts_and_what_the_limit_drops(visitor: Client, cast: Cast, game: Game) -> None:
    season = game.seasons.get()
    seasons.edit(season, by=SYSTEM, best_finishes={"semanal": 3})
    rate.catch_up(later(cast["A"].registrations.latest("pk").event))
    text = page(visitor, cast["A"])
    assert "50 circuit points" in text  # the best three of five wins at 15, and five for taking part
    assert "2 places that do not count" in text


# -- rivals ------------------------------------------------------------------------------------------------------------
def test_rivals_and_every_match_against_one(visitor: Client, cast: Cast) -> None:
    text = page(visitor, cast["A"], contra=cast["D"].code)
    rows = text.split('id="contra"')[1].split("</section>")[0]
    assert rows.count("Drew") == 5
    assert "round 3" in rows


def test_between_the_two_of_us(as_user: Reader, cast: Cast) -> None:
    assert cast["A"].user
    text = page(as_user(cast["A"].user), cast["B"])
    assert "Between the two of you" in text
    assert re.search(r'<span class="cell win">5</span> you won', text)


# -- following ---------------------------------------------------------------------------------------------------------
def test_following_twice_is_once_and_can_be_taken_back(as_user: Reader, cast: Cast) -> None:
    me, her = cast["A"], cast["B"]
    assert me.user
    client = as_user(me.user)
    for _again in range(2):
        assert client.post(f"/jugadores/{her.code}/seguir/", {"on": "1"}).status_code == 302
    assert Follow.objects.get().followed == her
    assert her.shown in page(client, me).split('id="sigues"')[1]
    answer = client.post(f"/jugadores/{her.code}/seguir/", {"on": ""}, headers={"HX-Request": "true"})
    assert b"Follow" in answer.content
    assert not Follow.objects.exists()


def test_nobody_follows_himself_and_a_stranger_signs_in(as_user: Reader, visitor: Client, cast: Cast) -> None:
    assert cast["A"].user
    as_user(cast["A"].user).post(f"/jugadores/{cast['A'].code}/seguir/", {"on": "1"})
    assert not Follow.objects.exists()
    assert visitor.post(f"/jugadores/{cast['A'].code}/seguir/", {"on": "1"}).status_code == 302
    assert not Follow.objects.exists()


# -- who one is --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("typed", ["k-{a}-{b}", "{low}", "K{a}{b}"])
def test_a_code_as_people_type_it_leads_to_the_page(visitor: Client, cast: Cast, typed: str) -> None:
    code = cast["A"].code
    path = typed.format(a=code[:4], b=code[4:], low=code.lower())
    assert visitor.get(f"/jugadores/{path}/")["Location"] == f"/jugadores/{code}/"
    assert visitor.get("/jugadores/", {"q": path})["Location"] == f"/jugadores/{code}/"


def test_a_code_that_nobody_has_is_not_found(visitor: Client, game: Game) -> None:
    assert visitor.get("/jugadores/2222222/").status_code == 404
    assert visitor.get("/jugadores/no-es-un-código/").status_code == 404


def test_a_merged_record_leads_to_who_stands_for_it(visitor: Client, cast: Cast) -> None:
    """CASES 52: and the matches of both are one history."""
    guest = make_guest("Domitila Dedal")
    people_services.merge(guest, cast["D"], by=None)
    assert visitor.get(f"/jugadores/{guest.code}/")["Location"] == f"/jugadores/{cast['D'].code}/"


def test_a_retired_player_has_no_page_to_read(visitor: Client, cast: Cast) -> None:
    """CASES 54: also gone from his rivals' pages."""
    name = cast["A"].name
    people_services.retire(cast["A"])
    text = page(visitor, cast["A"])
    assert "Retired player" in text
    assert "Event by event" not in text
    assert name not in page(visitor, cast["B"])


@pytest.mark.parametrize("hidden", [{"minor": True}, {"privacy": "private"}])
def test_a_hidden_name_is_nowhere_on_the_page(visitor: Client, cast: Cast, hidden: dict[str, Any]) -> None:
    """CASES 55: page title, rivals, account, neighbours."""
    for name, value in (hidden | {"alias": "Tormenta13"}).items():
        setattr(cast["A"], name, value)
    cast["A"].save()
    for player in (cast["A"], cast["B"]):
        text = page(visitor, player)
        assert "Abanico" not in text
        assert "Tormenta13" in text


def test_who_has_not_played_is_welcomed(as_user: Reader, visitor: Client, game: Game) -> None:
    player = make_player("Zoe Farolillo")
    assert "No official match yet" in page(visitor, player)
    assert player.user
    assert "Your first official match" in page(as_user(player.user), player)


# -- search ------------------------------------------------------------------------------------------------------------
def test_players_are_found_in_spanish_order(visitor: Client, game: Game) -> None:
    """CASES 67, 70."""
    for name in ("Zoe", "Ángel", "Íñigo", "Nuria", "Ñusta"):
        make_player(f"{name} Núñez")
    text = visitor.get("/jugadores/", {"q": "NUNEZ"}).content.decode()
    assert re.findall(r'<span class="name">(\w+) ', text) == ["Ángel", "Íñigo", "Nuria", "Ñusta", "Zoe"]


def test_retired_and_merged_are_not_found(visitor: Client, game: Game) -> None:
    people_services.retire(make_player("Zoe Farolillo"))
    people_services.merge(make_guest("Ana Farolillo"), make_player("Eva Botijo"), by=None)
    assert "Nobody is called" in visitor.get("/jugadores/", {"q": "farolillo"}).content.decode()


# -- what it costs -----------------------------------------------------------------------------------------------------
def test_a_long_history_costs_no_more_queries(as_user: Reader, cast: Cast, shop: Store, queries: Counted) -> None:
    assert cast["A"].user
    client = as_user(cast["A"].user)
    with queries(28):
        page(client, cast["A"])
    for week in range(5, 8):
        rate.catch_up(later(night(cast, FIRST + week * WEEK, *ROUNDS, store=shop)))
    with queries(28):
        page(client, cast["A"], eventos="todos")


# -- drawing -----------------------------------------------------------------------------------------------------------
def test_the_scale_holds_everything_and_has_five_lines() -> None:
    for low in range(90, 2400, 37):
        for width in (1, 60, 175, 333, 999, 5000):
            levels = charts.scale(low, low + width)
            assert len(levels) == 5
            assert levels[-1] <= low
            assert levels[0] >= low + width
