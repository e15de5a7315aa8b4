"""Who plays whom (UX, Player; cases 15, 67, 70)."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from tests import make
from tests.web.conftest import account_in
from tournaments.models import Event, Match
from tournaments.services import rounds
from tournaments.services.journal import SYSTEM

pytestmark = pytest.mark.django_db
NAMES = ("Zoe Farolillo", "Ñusta Quebrantahoz", "Nuria Candil", "Íñigo Zarzuelo", "Ángel Cuévano")
PART = {"HX-Request": "true", "HX-Target": "lista"}


@pytest.fixture
def event(game: object) -> Event:
    """Five players with accounts; round 1 published: Zoe–Ñusta, Nuria–Íñigo, and Ángel has the bye."""
    event = make.make_event(rounds=3)
    for name in NAMES:
        make.enrol(event, make.make_player(name))
    make.seat_by_hand(event, (1, 2), (3, 4), (5,))
    return event


def text(client: Client, event: Event, path: str = "", **headers: str) -> str:
    return client.get(f"/eventos/{event.slug}/emparejamientos/{path}", headers=headers).content.decode()


def lines(page: str) -> list[str]:
    """The rows of the list, without tags."""
    found = re.findall(r"<(?:article|tr) data-player=.*?</(?:article|tr)>", page, re.S)
    return [" ".join(re.sub(r"<[^>]+>", " ", line).split()) for line in found]


def test_by_table_with_the_bye_last(visitor: Client, event: Event) -> None:
    found = lines(text(visitor, event))
    assert found[0].startswith("1 Zoe Farolillo Ñusta Quebrantahoz")
    assert found[1].startswith("2 Nuria Candil Íñigo Zarzuelo")
    assert "Ángel Cuévano bye" in found[2]


def test_by_name_in_spanish_order_with_table_and_rival(visitor: Client, event: Event) -> None:
    found = lines(text(visitor, event, "?orden=nombre"))
    assert [line.split(" ")[1 if line[0].isdigit() else 0] for line in found] == [
        "Ángel",
        "Íñigo",
        "Nuria",
        "Ñusta",
        "Zoe",
    ]
    assert found[1].startswith("2 Íñigo Zarzuelo against Nuria Candil")


@pytest.mark.parametrize("query", ["inigo", "ÍÑIGO", "zarzuelo íñi"])
def test_search_finds_the_table_of_a_name_without_accents(visitor: Client, event: Event, query: str) -> None:
    answer = visitor.get(f"/eventos/{event.slug}/emparejamientos/", {"q": query}).content.decode()
    assert len(lines(answer)) == 1
    assert "Íñigo Zarzuelo" in answer


def test_search_without_an_answer_says_so_and_escapes_what_was_typed(visitor: Client, event: Event) -> None:
    answer = visitor.get(f"/eventos/{event.slug}/emparejamientos/", {"q": "<b>Ataúlfo"}).content.decode()
    assert "Nobody at a table is called “&lt;b&gt;Ataúlfo”" in answer
    assert not lines(answer)


def test_my_table_is_marked_and_stands_on_top(event: Event, as_user: Callable, visitor: Client) -> None:
    zoe = event.registrations.get(player__name="Zoe Farolillo").player
    page = text(as_user(zoe.user), event)
    assert re.search(rf'data-player="{zoe.code} \w+" data-mark="focus" class="focus match"', page)
    assert page.count('class="focus match"') == 1
    assert 'id="mio"' in page
    assert "focus match" not in text(visitor, event)


def test_in_the_list_by_name_only_my_line_is_marked(event: Event, as_user: Callable) -> None:
    zoe = event.registrations.get(player__name="Zoe Farolillo").player
    page = text(as_user(zoe.user), event, "?orden=nombre")
    assert re.findall(r'data-player="(\w+)" data-mark="me" class="me ', page) == [zoe.code]


def test_what_a_poll_gets_is_the_same_for_everybody(event: Event, as_user: Callable, visitor: Client) -> None:
    zoe = event.registrations.get(player__name="Zoe Farolillo").player
    mine = as_user(zoe.user)
    text(mine, event)  # his marked page must not come back to others
    ours = text(visitor, event, **PART)
    assert text(mine, event, **PART) == ours
    assert "focus match" not in ours
    assert "csrf" not in ours


def test_results_show_as_cells_and_what_players_claim_does_not(event: Event, visitor: Client) -> None:
    from tournaments.services import results
    from tournaments.services.journal import Actor

    make.report(make.table(event, 1), "1a")
    claimed = make.table(event, 2)
    nuria = claimed.left.registration
    said = results.Statement(Match.Outcome.WIN, nuria, None, "tiempo")
    results.report(claimed, nuria, said, by=Actor(player=nuria.player), at=event.starts_at)
    page = text(visitor, event)
    first, second = lines(page)[:2]
    assert "won by Ascension against Ñusta" in first
    assert second == "2 Nuria Candil Íñigo Zarzuelo Playing"
    assert "1 table to go" in page


def test_a_draft_is_invisible_in_every_form(event: Event, visitor: Client, as_user: Callable) -> None:
    make.finish_tables(event)
    make.pair(event)
    clients = [visitor, as_user(make.make_staff(event.store))]
    for client in clients:
        assert client.get(f"/eventos/{event.slug}/emparejamientos/2/").status_code == 404
        assert client.get(f"/eventos/{event.slug}/emparejamientos/2/", headers=PART).status_code == 404
        assert "Round 1: every table has finished" in text(client, event)
    draft = make.sheet(event).rounds[-1]
    assert draft.status == "draft"
    rounds.publish(event, 2, by=SYSTEM, at=event.starts_at)
    assert "Round 2: 2 tables to go" in text(visitor, event)


def test_a_page_left_open_moves_to_the_next_round_and_says_so_to_what_is_personal(
    event: Event, visitor: Client
) -> None:
    address = f"/eventos/{event.slug}/emparejamientos/"
    first = visitor.get(address, headers=PART)
    make.finish_tables(event)
    make.pair_and_publish(event)
    second = visitor.get(address, headers=PART | {"If-None-Match": first["ETag"]})
    assert second.status_code == 200
    assert second["HX-Trigger"] == "moved"
    assert "Round 2" in second.content.decode()


def test_an_old_round_does_not_poll(event: Event, visitor: Client) -> None:
    make.finish_tables(event)
    make.pair_and_publish(event)
    assert "every 15s" in text(visitor, event)
    assert "every 15s" not in text(visitor, event, "1/")


def test_the_tag_changes_with_language_and_version(event: Event, visitor: Client) -> None:
    address = f"/eventos/{event.slug}/emparejamientos/"
    english = visitor.get(address, headers=PART)["ETag"]
    spanish = visitor.get(address, headers=PART | {"accept-language": "es"})["ETag"]
    make.report(make.table(event, 1), "1a")
    later = visitor.get(address, headers=PART)["ETag"]
    assert len({english, spanish, later}) == 3


def test_before_the_first_round_the_page_says_when_it_will_be_there(visitor: Client, game: object) -> None:
    page = text(visitor, make.make_event(players=4))
    assert "The tables are not out yet" in page
    assert "18:30" in page


def test_someone_in_no_match_is_told_nothing_wrong(event: Event, as_user: Callable) -> None:
    _row, user = account_in(event, "Óscar Tardón")
    assert "Your table, against" not in text(as_user(user), event)


def test_points_are_those_before_the_round(event: Event, visitor: Client) -> None:
    make.finish_tables(event)
    make.pair_and_publish(event)
    page = text(visitor, event)
    assert "3 points" in page
    make.report(make.table(event, 1), "1")
    assert page.count("3 points") == text(visitor, event).count("3 points")


def test_a_cut_round_goes_by_its_name_and_bracket(visitor: Client, game: object) -> None:
    from tournaments.services import cut

    event = make.make_event(players=8, rounds=1, cut=4)
    make.play_round(event)
    rounds.publish(event, cut.start(event, by=SYSTEM, at=event.starts_at).number, by=SYSTEM, at=event.starts_at)
    assert "Semifinals: 2 tables to go" in text(visitor, event)
    make.finish_tables(event)
    rounds.publish(event, cut.next_round(event, by=SYSTEM, at=event.starts_at).number, by=SYSTEM, at=event.starts_at)
    assert "Final: 1 table to go" in text(visitor, event)


def test_no_such_round(event: Event, visitor: Client) -> None:
    assert visitor.get(f"/eventos/{event.slug}/emparejamientos/9/").status_code == 404


def test_the_cut_is_drawn_with_its_seeds_and_the_places_to_come(visitor: Client, game: object) -> None:
    from tournaments.services import cut

    event = make.make_event(players=8, rounds=2, cut=4)
    make.play_round(event)
    make.play_round(event)
    rounds.publish(event, cut.start(event, by=SYSTEM, at=event.starts_at).number, by=SYSTEM, at=event.starts_at)
    page = text(visitor, event)
    drawn = page.split('class="bracket"')[1].split("</ol>")[0]
    assert re.findall(r'class="seed">(\d*)<', drawn) == ["1", "4", "2", "3", "", ""]
    assert "Final" in drawn
    make.finish_tables(event)
    assert text(visitor, event).count('class="won">') == 2
    assert "bracket" not in text(visitor, event, "1/")
