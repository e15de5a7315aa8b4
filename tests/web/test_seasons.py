"""Seasons in public and from the inside, and what the circuit sees of its worker (RANKING 1, 4; CASES 46, 54, 59)."""

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from decks.models import Game
from players.models import User
from players.services import people as people_services
from ranking.models import PointsRule, Run, Season, Snapshot
from ranking.services import rate, seasons
from ranking.web.forms import PointsGrid
from tests.make import make_store, make_user
from tests.services.ranking.circuit import Cast, correct, later, night, people
from tournaments.models import Event, Role, Store
from tournaments.services.journal import SYSTEM

pytestmark = pytest.mark.django_db
DAY = date(2026, 1, 8)
ROUNDS = ("A>B C>D", "A>C B>D", "A>D C>B")
Reader = Callable[[User], Client]
Counted = Callable[[int], AbstractContextManager[None]]


@pytest.fixture
def season(game: Game) -> Season:
    made = seasons.create(
        game, by=SYSTEM, name="Temporada de las Mareas", starts=date(2026, 1, 1), ends=date(2026, 7, 1)
    )
    return seasons.open(made, by=SYSTEM)


@pytest.fixture
def cast(season: Season) -> Cast:
    return people("ABCD")


@pytest.fixture
def event(cast: Cast) -> Event:
    played = night(cast, DAY, *ROUNDS, store=make_store())
    rate.catch_up(later(played))
    return played


def text(client: Client, path: str, **query: Any) -> str:
    response = client.get(path, query)
    assert response.status_code == 200, response.status_code
    return response.content.decode()


def url(season: Season, rest: str = "") -> str:
    return f"/circuito/temporadas/{season.slug}/{rest}"


def public(season: Season) -> str:
    return f"/temporadas/{season.slug}/"


# -- in public ---------------------------------------------------------------------------------------------------------
def test_the_page_says_days_points_limits_and_standing(visitor: Client, season: Season, event: Event) -> None:
    page = text(visitor, public(season))
    assert "From 1 January 2026 to 30 June 2026" in page  # the last day that belongs to it
    assert "the best 8" in page
    assert "17 players" in page
    assert "Ángel Abanico" in page
    assert '<td class="n pts">16</td>' in page  # 15 for the first place of four, 1 for taking part


def test_a_draft_is_the_circuits_business(visitor: Client, as_user: Reader, game: Game, auditor: User) -> None:
    draft = seasons.create(game, by=SYSTEM, name="Secreta", starts=DAY, ends=DAY + timedelta(days=9))
    assert visitor.get(public(draft)).status_code == 404
    assert "Secreta" not in text(visitor, "/temporadas/")
    assert "Secreta" in text(as_user(auditor), "/temporadas/")
    assert "Only you see it" in text(as_user(auditor), public(draft))


def test_without_points_the_page_says_when_they_come(visitor: Client, season: Season) -> None:
    assert "Nobody has points yet" in text(visitor, public(season))


def test_my_row_is_on_the_page_wherever_i_stand(as_user: Reader, season: Season, event: Event, cast: Cast) -> None:
    assert cast["D"].user
    assert text(as_user(cast["D"].user), public(season)).count('class="me"') == 1


def test_a_published_result_keeps_its_number_and_says_who_moved(
    visitor: Client, as_user: Reader, administrator: User, season: Season, event: Event, cast: Cast
) -> None:
    """CASES 59: the whole way through the pages."""
    boss = as_user(administrator)
    assert boss.post(url(season, "cerrar/"))["Location"] == public(season)
    assert "Ready to publish: 4 players" in text(boss, url(season, "publicar/"))
    assert boss.post(url(season, "publicar/")).status_code == 303
    assert "Final standings, number 1" in text(visitor, public(season))

    again = correct(event, cast["A"], cast["B"], "2")
    correct(again, cast["A"], cast["D"], "2")
    rate.catch_up(later(event))
    assert "Number 2 moves" in text(boss, url(season, "publicar/"))
    assert boss.post(url(season, "publicar/")).status_code == 422  # a change needs its reason
    assert boss.post(url(season, "publicar/"), {"reason": "Mesa 1 apuntada al revés"}).status_code == 303

    page = text(visitor, public(season))
    assert "Who moved with number 2" in page
    assert "Mesa 1 apuntada al revés" in page
    assert event.name in page
    old = text(visitor, public(season), revision=1)
    assert "Final standings, number 1" in old
    assert "There is a newer number" in old


def test_published_names_are_those_of_today(visitor: Client, season: Season, event: Event, cast: Cast) -> None:
    """CASES 54: in the frozen table and in its CSV."""
    seasons.close(season, by=SYSTEM, at=later(event))
    seasons.publish(season, by=SYSTEM, at=later(event))
    people_services.retire(cast["A"])
    assert "Abanico" not in text(visitor, public(season))
    csv = b"".join(visitor.get(public(season), {"formato": "csv"}).streaming_content).decode()
    assert "Abanico" not in csv
    assert csv.splitlines()[1].startswith("1,")


def test_publishing_twice_without_a_change_is_refused(
    as_user: Reader, administrator: User, season: Season, event: Event
) -> None:
    seasons.close(season, by=SYSTEM, at=later(event))
    boss = as_user(administrator)
    boss.post(url(season, "publicar/"))
    boss.post(url(season, "publicar/"), {"reason": "Por si acaso"})
    assert season.results.count() == 1
    assert "Nothing has changed" in text(boss, url(season, "publicar/"))


def test_closing_waits_for_the_ranking(as_user: Reader, administrator: User, season: Season, event: Event) -> None:
    night(people("EFGH"), DAY + timedelta(days=7), "E>F G>H")
    as_user(administrator).post(url(season, "cerrar/"))
    season.refresh_from_db()
    assert season.status == Season.Status.OPEN


def test_an_unknown_action_is_not_found(as_user: Reader, administrator: User, season: Season) -> None:
    assert as_user(administrator).post(url(season, "borrar/")).status_code == 404


# -- drafting ----------------------------------------------------------------------------------------------------------
GRID = {"from": ["1", "2", ""], "to": ["1", "4", ""], "needs": ["4", "", ""]}
WORTH = {"points-semanal": ["10", "5", ""], "points-tienda": ["30", "", ""]}
NOTHING = {f"points-{tier}": ["", "", ""] for tier in ("regional", "nacional")}
FORM = GRID | WORTH | NOTHING | {"name": "Otoño", "starts": "2026-09-01", "last_day": "2026-12-31", "best_semanal": "6"}


def test_a_new_season_is_saved_as_a_draft_with_its_points(as_user: Reader, administrator: User, game: Game) -> None:
    answer = as_user(administrator).post("/circuito/temporada-nueva/", FORM)
    made = Season.objects.get()
    assert answer["Location"] == public(made)
    assert (made.status, made.ends, made.best_finishes) == ("draft", date(2027, 1, 1), {"semanal": 6})
    rules = PointsRule.objects.order_by("tier", "place_from").values_list(
        "tier", "place_from", "place_to", "needs", "points"
    )
    assert list(rules) == [("semanal", 1, 1, 4, 10), ("semanal", 2, 4, 0, 5), ("tienda", 1, 1, 4, 30)]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"name": ""}, "This field is required"),
        ({"last_day": "2026-08-31"}, "The last day comes before the first"),
        ({"best_semanal": "-1"}, "greater than or equal to 0"),
        ({"from": ["1", "1", ""]}, "Another line begins at the same place"),
        ({"from": ["x", "2", ""]}, "Whole numbers"),
        ({"to": ["1", "1", ""]}, "Whole numbers"),
        ({"points-semanal": ["99999", "5", ""]}, "Whole numbers"),
    ],
)
def test_what_cannot_be_is_said_and_nothing_typed_is_lost(
    as_user: Reader, administrator: User, game: Game, wrong: dict[str, Any], said: str
) -> None:
    answer = as_user(administrator).post("/circuito/temporada-nueva/", FORM | wrong)
    assert answer.status_code == 422
    page = answer.content.decode()
    assert said in page
    assert 'name="points-tienda" inputmode="numeric" value="30"' in page
    assert not Season.objects.exists()


def test_another_like_this_begins_the_day_after(as_user: Reader, administrator: User, season: Season) -> None:
    page = text(as_user(administrator), "/circuito/temporada-nueva/", de=season.slug)
    assert 'value="2026-07-01"' in page
    assert page.count('value="500"') == 1  # the points table came along


def test_editing_reads_back_what_was_saved(as_user: Reader, administrator: User, season: Season) -> None:
    boss = as_user(administrator)
    boss.post(url(season), FORM)
    season.refresh_from_db()
    assert season.name == "Otoño"
    typed = PointsGrid.of(season.rules.all()).lines[0]
    assert (typed.place_from, typed.needs, typed.points) == ("1", "4", ["10", "30", "", ""])


def test_a_closed_season_cannot_be_edited(as_user: Reader, administrator: User, season: Season, event: Event) -> None:
    seasons.close(season, by=SYSTEM, at=later(event))
    assert as_user(administrator).post(url(season), FORM).status_code == 422
    season.refresh_from_db()
    assert season.name == "Temporada de las Mareas"


# -- the circuit -------------------------------------------------------------------------------------------------------
def test_an_auditor_reads_and_cannot_act(as_user: Reader, auditor: User, season: Season, event: Event) -> None:
    reader = as_user(auditor)
    page = text(reader, "/circuito/")
    assert "you can read everything" in page
    assert "Compute everything again" not in page
    for path in ("/circuito/recalcular/", url(season, "cerrar/"), url(season, "publicar/"), "/circuito/tiendas/nueva/"):
        assert reader.post(path).status_code == 403
    assert "Close the season" not in text(reader, public(season))


def test_the_rebuild_is_queued_by_a_row_and_the_next_sweep_does_it(
    as_user: Reader, administrator: User, event: Event
) -> None:
    boss, before = as_user(administrator), Snapshot.objects.get(current=True)
    for _twice in range(2):
        boss.post("/circuito/recalcular/")
    assert Run.objects.filter(status=Run.Status.QUEUED).count() == 1
    assert "The ranking is being computed" in text(boss, "/circuito/")
    (after,) = rate.catch_up(timezone.now())
    assert (after.number, after.digest) == (before.number + 1, before.digest)
    assert f"The ranking is published: no. {after.number}" in text(boss, "/circuito/")


def a_run(game: Game, status: str, **fields: Any) -> Run:
    return Run.objects.create(game=game, input_digest="x", parameters="p", status=status, **fields)


def test_a_worker_that_gives_no_sign_is_told(as_user: Reader, auditor: User, game: Game) -> None:
    a_run(game, Run.Status.QUEUED, queued_at=timezone.now() - timedelta(minutes=5))
    assert "There is work and no worker" in text(as_user(auditor), "/circuito/")


def test_a_failure_is_shown_with_its_error(as_user: Reader, auditor: User, game: Game) -> None:
    at = datetime(2026, 3, 1, tzinfo=UTC)
    a_run(game, Run.Status.FAILED, queued_at=at, finished_at=at, error="ZeroDivisionError: <b>")
    page = text(as_user(auditor), "/circuito/")
    assert "The last computation failed" in page
    assert "ZeroDivisionError: &lt;b&gt;" in page


def test_the_poll_asks_for_the_runs_alone(as_user: Reader, auditor: User, game: Game) -> None:
    headers = {"HX-Request": "true", "HX-Target": "calculos"}
    part = as_user(auditor).get("/circuito/", headers=headers).content.decode()
    assert "<html" not in part
    assert 'id="calculos"' in part


def test_events_that_nobody_finished_are_listed_with_the_contact(
    as_user: Reader, auditor: User, season: Season
) -> None:
    """CASES 46: from the day after."""
    store = make_store("Tinta y Dados", contact="tinta@example.test")
    night(people("AB"), DAY, "A>B", store=store, finished=False)
    page = text(as_user(auditor), "/circuito/")
    assert "1 event without its end" in page
    assert "tinta@example.test" in page


def test_the_pages_cost_the_same_however_many(
    as_user: Reader, administrator: User, season: Season, event: Event, queries: Counted
) -> None:
    boss = as_user(administrator)
    paths = ("/circuito/", "/circuito/tiendas/", "/temporadas/", public(season), url(season, "publicar/"))
    for number in range(6):
        night(people("AB"), DAY + timedelta(days=number), "A>B", store=make_store(f"Tienda {number}"), finished=False)
    for path, limit in zip(paths, (7, 3, 3, 8, 6), strict=True):
        with queries(limit):
            text(boss, path)


# -- stores ------------------------------------------------------------------------------------------------------------
def test_a_store_is_created_in_its_own_zone_with_its_owner(as_user: Reader, administrator: User, game: Game) -> None:
    owner = make_user()
    form = {"name": "Marea Alta", "province": "ES-GC", "city": "Telde", "owner": owner.email.upper()}
    assert as_user(administrator).post("/circuito/tiendas/nueva/", form).status_code == 303
    store = Store.objects.get()
    assert (store.slug, store.time_zone) == ("marea-alta", "Atlantic/Canary")
    assert Role.objects.get(store=store).user == owner
    assert "Marea Alta" in text(as_user(administrator), "/circuito/tiendas/", q="TELDE marea")


def test_an_owner_without_account_is_told(as_user: Reader, administrator: User, game: Game) -> None:
    form = {"name": "Marea Alta", "province": "ES-GC", "owner": "nadie@example.test"}
    answer = as_user(administrator).post("/circuito/tiendas/nueva/", form)
    assert answer.status_code == 422
    assert b"Nobody has signed up" in answer.content
    assert not Store.objects.exists()


# -- the web stays light -----------------------------------------------------------------------------------------------
def test_the_web_never_loads_the_engine() -> None:
    """RANKING 4: numba belongs to the worker."""
    code = "import django, sys; django.setup(); import ranking.web.urls; sys.exit('numba' in sys.modules)"
    env = os.environ | {"DJANGO_SETTINGS_MODULE": "kounter_site.settings"}
    done = subprocess.run([sys.executable, "-c", code], env=env, check=False, timeout=60)
    assert done.returncode == 0
