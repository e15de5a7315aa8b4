"""An event with a cut says what it shows: one name a round of it, how far each came, and what is Swiss (7.6)."""

import re
from collections.abc import Callable, Iterator

import pytest
from django.test import Client

from players.models import User
from tests import make
from tournaments.models import Event, Round, Store
from tournaments.queries import final_standings, published_standings, sheet
from tournaments.services import cut, registrations, rounds
from tournaments.services.errors import Refused
from tournaments.services.journal import SYSTEM
from tournaments.web.reached import cut_names

pytestmark = pytest.mark.django_db
STAFF = ("consola/", "consola/?ronda=3", "diario/")
ROUND_OF_THE_CUT = re.compile(r"\b[Rr]ound [34]\b")


@pytest.fixture
def event(store: Store) -> Event:
    """Eight players, two Swiss rounds, Top 4: semifinals are round 3 of the event, the final is round 4."""
    return make.make_event(store, players=8, rounds=2, cut=4)


@pytest.fixture
def over(event: Event) -> Event:
    return make.make_finished(make.play_event(event))


@pytest.fixture
def desk(organiser: User, as_user: Callable) -> Client:
    return as_user(organiser)


def words(client: Client, address: str) -> str:
    page = re.sub(r"<(script|style).*?</\1>", " ", client.get(address).content.decode(), flags=re.S)
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def begun(event: Event) -> Round:
    make.play_round(event)
    make.play_round(event)
    return cut.start(event, by=SYSTEM, at=event.starts_at)


def moments(event: Event) -> Iterator[str]:
    """From the draft of the semifinals to the end, each moment by its name."""
    draft = begun(event)
    yield "draft"
    rounds.publish(event, draft.number, by=SYSTEM)
    yield "published"
    make.finish_tables(event)
    yield "played"
    cut.next_round(event, by=SYSTEM, at=event.starts_at)
    yield "next draft"


def test_the_console_has_one_name_for_a_round_of_the_cut(event: Event, desk: Client) -> None:
    for moment in moments(event):
        for page in STAFF:
            if page != STAFF[1] or event.rounds.filter(number=3).exists():
                found = words(desk, f"/eventos/{event.slug}/{page}")
                assert not ROUND_OF_THE_CUT.search(found), (moment, page, ROUND_OF_THE_CUT.search(found))
    assert "Publish final" in words(desk, f"/eventos/{event.slug}/consola/")


def test_what_is_said_after_an_action_has_that_name_too(event: Event, desk: Client) -> None:
    begun(event)
    done = desk.post(f"/eventos/{event.slug}/rondas/3/publicar/", follow=True).content.decode()
    assert "Semifinals is published and its clock runs." in done
    undone = desk.post(f"/eventos/{event.slug}/rondas/3/deshacer/", follow=True).content.decode()
    assert "Semifinals is undone." in undone


def test_refusals_have_it_too(event: Event) -> None:
    begun(event)
    with pytest.raises(Refused, match="Semifinales sigue en borrador"):
        cut.next_round(event, 4, by=SYSTEM)


def test_the_keyboard_offers_no_draw_in_the_cut(event: Event, desk: Client) -> None:
    make.pair_and_publish(event)
    page = f"/eventos/{event.slug}/consola/"
    assert "1 · X · 2" in words(desk, page)
    make.finish_tables(event)
    make.play_round(event)
    rounds.publish(event, cut.start(event, by=SYSTEM, at=event.starts_at).number, by=SYSTEM)
    found = words(desk, page)
    assert "1 · 2" in found
    assert "1 · X · 2" not in found
    assert "Nothing is drawn in the cut." in found


def test_who_left_in_the_cut_left_in_a_round_with_a_name(event: Event, desk: Client) -> None:
    draft = begun(event)
    rounds.publish(event, draft.number, by=SYSTEM)
    row = sheet(event).matches(sheet(event).current_round)[0].seat_list[0].registration
    registrations.drop(row, by=SYSTEM)
    assert "left the cut: semifinals" in words(desk, f"/eventos/{event.slug}/inscripciones/")
    own = words(desk, f"/eventos/{event.slug}/inscripciones/{row.pk}/")
    assert "Left the cut: semifinals" in own
    assert not ROUND_OF_THE_CUT.search(own)


# -- final places ------------------------------------------------------------------------------------------------------
def table(page: str) -> list[list[str]]:
    body = re.search(r"<table class=\"list.*?<tbody>(.*?)</tbody>", page, re.S)
    assert body
    cells = [re.findall(r"<td[^>]*>(.*?)</td>", row, re.S) for row in re.findall(r"<tr.*?</tr>", body[1], re.S)]
    return [[" ".join(re.sub(r"<[^>]+>", " ", cell).split()) for cell in row] for row in cells]


def test_how_far_each_came(over: Event) -> None:
    now = sheet(over)
    order = [now.by_key[row.player] for row in final_standings(now)]
    names = cut_names(now, order[0])
    assert [names.get(row.pk, "") for row in order] == ["Gana el torneo", "Final", "Semifinales", "Semifinales"] + [
        ""
    ] * 4


def test_final_places_name_the_cut_and_say_what_is_swiss(over: Event, visitor: Client) -> None:
    address = f"/eventos/{over.slug}/clasificacion/"
    page = visitor.get(address).content.decode()
    assert (
        "The cut decides the first places; the others, the points and the tie-breaks are of the Swiss rounds." in page
    )
    swiss = {row.player: row.rank for row in published_standings(sheet(over))}
    final = [row.player for row in final_standings(sheet(over))]
    ordinals = ["1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th"]
    found = table(page)
    assert [row[3] for row in found] == ["Wins the event", "Final", "Semifinals", "Semifinals", "", "", "", ""]
    assert [row[4] for row in found] == [ordinals[swiss[player] - 1] for player in final]
    assert "In the Swiss rounds: Points, then" in words(visitor, address)


def test_the_sums_of_a_player_say_both_places(over: Event, visitor: Client) -> None:
    now = sheet(over)
    first, last = (now.by_key[final_standings(now)[at].player].person.code for at in (0, -1))
    found = words(visitor, f"/eventos/{over.slug}/clasificacion/?jugador={first}")
    assert "1st place by the cut: Wins the event." in found
    assert "in the Swiss rounds, with 6 points." in found
    found = words(visitor, f"/eventos/{over.slug}/clasificacion/?jugador={last}")
    shared = {7: "7th", 8: "8th"}[final_standings(now)[-1].rank]  # two may be level in everything (rule 2.5)
    assert f"{shared} place, behind those of the cut." in found


def test_my_own_bar_says_that_its_points_are_swiss(over: Event, as_user: Callable) -> None:
    row = over.registrations.first()
    assert row is not None
    row.player.user = make.make_user()
    row.player.save()
    found = words(as_user(row.player.user), f"/eventos/{over.slug}/clasificacion/")
    assert re.search(r"\d points? in the Swiss rounds", found)


def test_paper_wall_and_the_page_of_the_event_say_it(over: Event, visitor: Client) -> None:
    paper = table(visitor.get(f"/eventos/{over.slug}/imprimir/clasificacion/").content.decode())
    assert [row[2] for row in paper][:3] == ["Wins the event", "Final", "Semifinals"]
    wall = words(visitor, f"/eventos/{over.slug}/proyector/")
    assert "Wins the event" in wall
    assert "3 points in the Swiss rounds" in wall
    home = words(visitor, f"/eventos/{over.slug}/")
    assert "Wins the event" in home
    assert (
        "The cut decides the first places; the others, the points and the tie-breaks are of the Swiss rounds." in home
    )


@pytest.mark.parametrize("finished", [False, True])
def test_the_console_fills_its_columns(event: Event, desk: Client, finished: bool) -> None:
    """In the cut the column of the points was empty."""
    make.play_event(event)
    if finished:
        make.make_finished(event)
    page = desk.get(f"/eventos/{event.slug}/consola/").content.decode()
    found = table(page)
    assert [row[2] for row in found] == ["Wins the event", "Final", "Semifinals", "Semifinals", "", "", "", ""]
    assert all(row[3] and row[4] for row in found)


def test_without_a_cut_nothing_is_said_of_one(store: Store, visitor: Client) -> None:
    event = make.make_finished_event(store, players=4, rounds=2)
    for page in ("clasificacion/", "proyector/", "", "imprimir/clasificacion/"):
        found = words(visitor, f"/eventos/{event.slug}/{page}")
        assert "the cut" not in found, page
        assert "in the Swiss rounds" not in found, page


def test_the_places_of_a_cut_cost_one_query_more_at_most(over: Event, visitor: Client, queries: Callable) -> None:
    with queries(12):
        visitor.get(f"/eventos/{over.slug}/clasificacion/")
