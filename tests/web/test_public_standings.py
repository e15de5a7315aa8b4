"""Standings on the page (TOURNAMENT_RULES 2; cases 20, 26, 27, 65)."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from tests import make
from tournaments.models import Event
from tournaments.services import events, registrations, results
from tournaments.services.journal import SYSTEM

pytestmark = pytest.mark.django_db
PART = {"HX-Request": "true", "HX-Target": "tabla"}


@pytest.fixture(autouse=True)
def stage(game: object) -> None:
    """The games are loaded."""


def text(client: Client, event: Event, query: str = "", **headers: str) -> str:
    return client.get(f"/eventos/{event.slug}/clasificacion/{query}", headers=headers).content.decode()


def rows(page: str) -> list[list[str]]:
    """Rank, name, points and the cells with their hidden words, a list per player."""
    body = re.search(r"<tbody>(.*?)</tbody>", page, re.S)
    assert body
    table = []
    for row in re.findall(r"<tr id=.*?</tr>", body[1], re.S):
        cells = re.findall(r"<td[^>]*>(.*?)</td>", row, re.S)
        table.append([" ".join(re.sub(r"<[^>]+>", " ", cell).split()) for cell in cells])
    return table


def four(*scores: str, best_of: int = 1) -> Event:
    """Four with accounts (Ana, Bruno, Clara, Darío by arrival): Ana–Bruno, Clara–Darío."""
    event = make.make_event(rounds=2, best_of=best_of)
    for name in ("Ana", "Bruno", "Clara", "Darío"):
        make.enrol(event, make.make_player(name))
    make.seat_by_hand(event, (1, 2), (3, 4))
    make.finish_tables(event, *scores)
    return event


def test_ties_share_the_rank_and_the_next_is_skipped(visitor: Client) -> None:
    found = rows(text(visitor, four("1", "1")))
    assert [row[0] for row in found] == ["1", "1", "3", "3"]
    assert {row[2] for row in found[:2]} == {"Ana", "Clara"}


def test_one_cell_a_round_with_the_rival_s_place_below(visitor: Client) -> None:
    found = {row[2]: row for row in rows(text(visitor, four("1a", "x")))}
    assert found["Ana"][3:5] == ["3", "won by Ascension against Bruno, place 4th"]
    assert found["Bruno"][4] == "lost by Ascension against Ana, place 1st"
    assert found["Clara"][4].startswith("drew against Darío, place 2nd")


def test_best_of_three_shows_the_games_from_each_side(visitor: Client) -> None:
    found = {row[2]: row for row in rows(text(visitor, four("21a", "20", best_of=3)))}
    assert found["Ana"][4].startswith("2-1 won by Ascension")
    assert found["Bruno"][4].startswith("1-2 lost by Ascension")


def test_the_last_result_counts_at_once(visitor: Client) -> None:
    event = four("1", "1")
    make.seat_by_hand(event, (1, 3), (2, 4))
    make.report(make.table(event, 1), "1")
    text(visitor, event)  # warm: the next answer must not come from what was kept
    make.report(make.table(event, 2), "2")
    page = text(visitor, event)
    assert "Standings after round 2" in page
    first = rows(page)[0]
    assert (first[0], first[2], first[3]) == ("1", "Ana", "6")


def test_while_a_round_is_in_play_the_page_says_what_is_missing_and_where_people_sit(visitor: Client) -> None:
    event = four("1", "1")
    make.seat_by_hand(event, (1, 3), (2, 4))
    before = text(visitor, event)
    assert "Standings after round 1" in before
    assert "Round 2 is being played." in before
    make.report(make.table(event, 1), "1")
    page = text(visitor, event)
    assert "Round 2: 1 result to come" in page
    found = {row[2]: row for row in rows(page)}
    assert found["Bruno"][5] == "2 playing: table"
    assert found["Ana"][3] == "6"


def test_the_page_as_it_stood_after_an_earlier_round(visitor: Client) -> None:
    event = four("1", "1")
    make.play_round(event)
    make.play_round(event) if event.rounds.count() < 2 else None
    found = rows(text(visitor, event, "?ronda=1"))
    assert sorted(row[3] for row in found) == ["0", "0", "3", "3"]
    assert all(len(row) == 6 for row in found)  # one round, one tie-break
    for wrong in ("?ronda=9", "?ronda=x", "?ronda=-1"):
        assert visitor.get(f"/eventos/{event.slug}/clasificacion/{wrong}").status_code == 404


def test_my_row_is_marked_and_the_bar_finds_it(as_user: Callable) -> None:
    event = four("1a", "x")
    bruno = event.registrations.get(player__name="Bruno").player
    page = text(as_user(bruno.user), event)
    assert re.findall(r'<tr id="p-(\w+)"[^>]*class="me ', page) == [bruno.code]
    assert f'href="#p-{bruno.code}"' in page
    assert "4th" in page.split('id="mio"')[1]


def test_what_a_poll_gets_is_the_same_for_everybody(as_user: Callable, visitor: Client) -> None:
    event = four("1a", "x")
    bruno = event.registrations.get(player__name="Bruno").player
    client = as_user(bruno.user)
    text(client, event)
    assert text(client, event, **PART) == text(visitor, event, **PART)
    assert 'class="me ' not in text(visitor, event)


def test_who_dropped_stays_listed_and_marked(visitor: Client) -> None:
    event = four("1", "1")
    registrations.drop(make.registration(event, 4), by=SYSTEM, at=event.starts_at)
    page = text(visitor, event)
    assert re.search(r'class="gone [^"]*">.*?Darío</a> <span class="chip">dropped', page, re.S)
    assert len(rows(page)) == 4


def test_a_disqualification_is_not_called_by_its_name(visitor: Client) -> None:
    """Penalties are private (rule 8.4); the row stays and is marked (2.5)."""
    event = four("1", "1")
    registrations.disqualify(make.registration(event, 1), by=SYSTEM, reason="cartas marcadas", at=event.starts_at)
    page = text(visitor, event)
    assert "out of the event" in page
    assert "disqualified" not in page.lower()
    assert "marcadas" not in page
    assert rows(page)[-1][2].startswith("Ana")


def test_the_cut_line_runs_under_who_would_go_on(visitor: Client) -> None:
    event = make.make_event(players=6, rounds=2, cut=2)
    make.play_round(event)
    page = text(visitor, event)
    assert "The first 2 go on to the cut." in page
    classes = re.findall(r'<tr id="p-\w+"[^>]*class="([^"]*)"', page)
    assert [("cut" in c) for c in classes] == [False, True, False, False, False, False]


def test_a_drop_in_the_cut_does_not_reorder_what_was_published(visitor: Client) -> None:
    from tournaments.services import cut, rounds

    event = make.make_event(players=6, rounds=2, cut=4)
    make.play_round(event)
    make.play_round(event)
    rounds.publish(event, cut.start(event, by=SYSTEM, at=event.starts_at).number, by=SYSTEM, at=event.starts_at)
    before = [row[:2] + row[3:4] for row in rows(text(visitor, event))]
    leaver = make.sheet(event).standings()[-1].player
    row = make.sheet(event).by_key[leaver]
    registrations.drop(row, by=SYSTEM, at=event.starts_at)
    page = text(visitor, event)
    assert "Standings after the Swiss rounds" in page
    assert [r[:2] + r[3:4] for r in rows(page)] == before
    assert "dropped" in page


def test_final_places_are_those_of_the_cut(visitor: Client) -> None:
    event = make.make_finished_event(players=8, rounds=2, cut=4)
    page = text(visitor, event)
    assert "Final places" in page
    from tournaments.queries import final_standings

    sheet = make.sheet(event)
    winner = sheet.by_key[final_standings(sheet)[0].player].player
    assert winner.code in re.findall(r'<tr id="p-(\w+)"', page)[0]
    assert "every 15s" not in page


def test_a_second_revision_says_why(visitor: Client) -> None:
    event = make.make_finished_event(players=4, rounds=1)
    events.reopen(event, by=SYSTEM, reason="mesa 1 al revés", at=event.starts_at)
    assert "Standings under review" in text(visitor, event)
    match = make.table(event, 1)
    wrong = results.parse_score("2", 1, match.seat_list)
    results.correct(match, wrong, by=SYSTEM, reason="mesa 1 al revés", at=event.starts_at)
    events.finish(event, by=SYSTEM, at=event.starts_at)
    page = text(visitor, event)
    assert "Revision 2" in page


# -- how it is worked out (2.6) ----------------------------------------------------------------------------------------
def explained(client: Client, event: Event, name: str) -> str:
    code = event.registrations.get(player__name=name).player.code
    page = text(client, event, f"?jugador={code}")
    panel = re.search(r'<aside id="calculo".*?</aside>', page, re.S)
    assert panel
    return " ".join(re.sub(r"<[^>]+>", " ", panel[0]).split())


def test_every_number_is_a_sum_with_names(visitor: Client) -> None:
    event = four("1", "1")
    make.seat_by_hand(event, (1, 3), (2, 4))
    make.finish_tables(event, "1", "1")
    panel = explained(visitor, event, "Ana")
    assert "Bruno (round 1, won) 3" in panel
    assert "Clara (round 2, won) 3" in panel
    assert "In all 6" in panel
    # Bruno 3 of 6, Clara 3 of 6: the mean is 50
    assert "Bruno (3 of 6 points) 50.00" in panel
    assert "Average of the rivals 50.00" in panel


def test_a_rival_under_the_floor_counts_the_floor(visitor: Client) -> None:
    panel = explained(visitor, four("1", "1"), "Ana")
    assert "Bruno (0 of 3 points) 33.00" in panel
    assert "Nobody counts for less than 33.00." in panel


def test_a_bye_gives_points_and_no_rival(visitor: Client) -> None:
    event = make.make_event(rounds=2)
    for name in ("Ana", "Bruno", "Clara"):
        make.enrol(event, make.make_player(name))
    make.seat_by_hand(event, (1, 2), (3,))
    make.finish_tables(event)
    panel = explained(visitor, event, "Clara")
    assert "Bye (round 1, bye) 3" in panel
    assert "Average of the rivals 33.00" in panel


def test_a_shared_place_says_that_a_draw_orders_the_list(visitor: Client) -> None:
    assert "they share it" in explained(visitor, four("1", "1"), "Ana")
    assert "they share it" not in explained(visitor, four("1a", "x"), "Ana")


def test_the_panel_alone_for_htmx_and_nobody_else_s_code(visitor: Client) -> None:
    event, other = four("1", "1"), make.make_player()
    code = event.registrations.get(player__name="Ana").player.code
    answer = text(visitor, event, f"?jugador={code}", **{"HX-Request": "true", "HX-Target": "calculo"})
    assert answer.strip().startswith("<aside")
    for wrong in (other.code, "x", "<b>"):
        assert visitor.get(f"/eventos/{event.slug}/clasificacion/", {"jugador": wrong}).status_code == 404


def test_before_the_first_round(visitor: Client) -> None:
    assert "There are no standings yet" in text(visitor, make.make_event(players=4))


def test_a_draft_round_does_not_show(visitor: Client) -> None:
    event = four("1", "1")
    before = text(visitor, event)
    make.pair(event)
    after = text(visitor, event)
    assert rows(before) == rows(after)
    assert "Round 2" not in after
