"""The bracket: single and double elimination on one page, for every screen and for paper (TOURNAMENT_RULES 7)."""

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import translation

from players.models import User
from tests import make
from tournaments.models import Event, Store
from tournaments.queries import sheet
from tournaments.services import cut, rounds
from tournaments.services.journal import SYSTEM
from tournaments.web import bracket

pytestmark = pytest.mark.django_db


def begun(players: int, size: int, kind: str = "double") -> Event:
    event = make.make_event(players=players, rounds=2, cut=size, cut_format=kind)
    make.play_round(event)
    make.play_round(event)
    rounds.publish(event, cut.start(event, by=SYSTEM, at=event.starts_at).number, by=SYSTEM, at=event.starts_at)
    return event


def go_on(event: Event, *scores: str) -> None:
    make.finish_tables(event, *scores)
    row = cut.next_round(event, by=SYSTEM, at=event.starts_at)
    rounds.publish(event, row.number, by=SYSTEM, at=event.starts_at)


def text(client: Client, event: Event, rest: str = "cuadro/") -> str:
    return client.get(f"/eventos/{event.slug}/{rest}").content.decode()


def drawn(event: Event) -> dict[str, list[tuple[str, str]]]:
    """By bracket, (column, its ties by seeds: "1-8 4-5")."""
    with translation.override("en"):
        return {drawing.title: [column_text(column) for column in drawing.columns] for drawing in drawings_of(event)}


def drawings_of(event: Event) -> list[bracket.Drawing]:
    return bracket.drawings(sheet(event))


def column_text(column: bracket.Column) -> tuple[str, str]:
    return column.name, " ".join("-".join(str(place.seed or ".") for place in tie.places) for tie in column.ties)


def test_both_brackets_are_drawn_with_the_rounds_to_come(game: object) -> None:
    event = begun(8, 8)
    assert drawn(event) == {
        "Winners' bracket": [
            ("Quarterfinals", "1-8 4-5 2-7 3-6"),
            ("Semifinals", ".-. .-."),
            ("Winners' final", ".-."),
            ("Final", ".-."),
        ],
        "Losers' bracket": [
            ("Round 1", ".-. .-."),
            ("Round 2", ".-. .-."),
            ("Round 3", ".-."),
            ("Losers' final", ".-."),
        ],
    }
    go_on(event)
    found = drawn(event)
    assert found["Winners' bracket"][1] == ("Semifinals", "1-4 2-3")
    assert found["Losers' bracket"][0] == ("Round 1", "8-5 7-6")


def test_an_open_chair_says_whose_loser_comes_to_it(visitor: Client, game: object) -> None:
    event = begun(8, 8)
    first = sheet(event).matches(sheet(event).current_round)[0]
    names = " – ".join(seat.registration.person.shown for seat in first.seat_list)
    assert f"loser of {names}" in text(visitor, event)


def test_once_decided_a_chair_says_who_comes_and_never_who_has_left(visitor: Client, game: object) -> None:
    """7.4: a loser who has dropped comes to no chair."""
    event = begun(8, 8)
    first, second, *_ = sheet(event).matches(sheet(event).current_round)
    make.finish_tables(event)
    gone = second.seat_list[1].registration
    make.drop(event, gone.order)
    page = text(visitor, event)
    shown = [seat.registration.person.shown for seat in first.seat_list]
    assert "loser of" not in page
    assert [page.count(f'<span class="name hint">{name}</span>') for name in shown] == [1, 1]
    assert f'<span class="name hint">{gone.person.shown}</span>' not in page


def test_byes_and_chairs_that_nobody_comes_to(visitor: Client, game: object) -> None:
    event = begun(8, 5)
    go_on(event)
    page = text(visitor, event)
    assert page.count('class="tie empty"') == 1
    assert page.count('class="tie alone"') == 4
    assert drawn(event)["Losers' bracket"][0] == ("Round 1", "5-. .-.")


def test_the_second_final_is_there_only_when_it_is_played(visitor: Client, game: object) -> None:
    event = begun(4, 2)
    go_on(event)
    assert [name for name, _ in drawn(event)["Winners' bracket"]] == ["Winners' final", "Final"]
    assert "Losers' bracket" not in drawn(event)
    go_on(event, "2")
    assert drawn(event)["Winners' bracket"][-1] == ("Second final", "1-2")
    assert "<h1>Second final</h1>" in text(visitor, event)
    make.finish_tables(event, "1")
    winner = sheet(event).matches(sheet(event).current_round)[0].left.registration.person.shown
    assert f"<h1>{winner} wins the cut</h1>" in text(visitor, event)


def test_a_single_elimination_is_one_drawing(visitor: Client, game: object) -> None:
    event = begun(8, 6, "single")
    assert drawn(event) == {"": [("Quarterfinals", "1-. 4-5 2-. 3-6"), ("Semifinals", ".-. .-."), ("Final", ".-.")]}
    assert text(visitor, event).count('class="bracket"') == 1


def test_who_has_won_stands_in_the_next_column_before_it_is_published(visitor: Client, game: object) -> None:
    event = begun(8, 4, "single")
    first, _second = sheet(event).matches(sheet(event).current_round)
    make.finish_tables(event)
    page = text(visitor, event)
    left, right = (f'<span class="name hint">{seat.registration.person.shown}</span>' for seat in first.seat_list)
    assert (left in page, right in page) == (True, False)


def test_before_the_cut_the_page_says_so(visitor: Client, game: object) -> None:
    event = make.make_event(players=8, rounds=2, cut=4)
    assert "The cut has not begun" in text(visitor, event)
    make.play_round(event)
    make.play_round(event)
    cut.start(event, by=SYSTEM, at=event.starts_at)
    assert "The cut has not begun" in text(visitor, event)


def test_a_bracket_of_64_costs_twelve_queries_and_a_poll_one(visitor: Client, game: object, queries: Callable) -> None:
    event = make.make_big_event(70, rounds=1, open_round=False)
    Event.objects.filter(pk=event.pk).update(cut_size=64, cut_format="double", rounds_planned=1)
    event.refresh_from_db()
    row = cut.start(event, by=SYSTEM, at=event.starts_at)
    rounds.publish(event, row.number, by=SYSTEM, at=event.starts_at)
    go_on(event)
    with queries(12):
        page = text(visitor, event)
    assert len(re.findall(r'class="tie[ "]', page)) == 63 + 62 + 1
    part = {"HX-Request": "true", "HX-Target": "cuadro"}
    first = visitor.get(f"/eventos/{event.slug}/cuadro/", headers=part)
    with queries(1):
        again = visitor.get(f"/eventos/{event.slug}/cuadro/", headers=part | {"If-None-Match": first["ETag"]})
    assert again.status_code == 304


def test_who_rests_in_a_round_of_the_cut_is_told_so_and_who_is_out_too(as_user: Callable, game: object) -> None:
    """Rule 7.3: between two rounds of his own bracket somebody rests, and is not out."""
    event = begun(8, 4)
    go_on(event)
    go_on(event)
    now = sheet(event)
    seated = {seat.registration_id for match in now.matches(now.current_round) for seat in match.seat_list}
    inside = [seat.registration for match in now.matches(now.cut_rounds[0]) for seat in match.seat_list]
    waiting = [row for row in inside if row.pk not in seated]
    resting = [row for row in waiting if wins(event, row.pk)]
    out = [row for row in waiting if not wins(event, row.pk)]
    assert (len(resting), len(out)) == (1, 1)
    for row, words in ((resting[0], "You go on in the cut."), (out[0], "Your event is over")):
        row.player.user = make.make_user()
        row.player.save()
        assert words in text(as_user(row.player.user), event, "mi-mesa/")


def wins(event: Event, registration: int) -> int:
    now = sheet(event)
    row = now.by_id[registration]
    return sum(match.winner_id == row.player_id for round, match, _ in now.seats_of(row) if round in now.cut_rounds)


def test_the_console_leads_through_a_double_elimination(as_user: Callable, organiser: User, store: Store) -> None:
    """One button each time: pair, publish, and after a final that the losers' champion wins the second one."""
    event = make.make_event(store, players=4, rounds=1, cut=4, cut_format="double")
    make.play_round(event)
    desk = as_user(organiser)
    console = f"/eventos/{event.slug}/consola/"

    def button() -> str:
        page = desk.get(console).content.decode()
        found = re.search(r'id="next".*?<button[^>]*>(.*?)</button>', page, re.S)
        return re.sub(r"<[^>]*>|\s+", " ", found[1]).strip() if found else ""

    assert "Start the Top 4" in button()
    desk.post(f"/eventos/{event.slug}/corte/")
    for following in ("cut 2", "cut 3", "final"):
        make.publish(event)
        make.finish_tables(event)
        assert f"Pair {following}" in button()
        desk.post(f"/eventos/{event.slug}/corte/")
    make.publish(event)
    assert "Finish" in button()
    make.finish_tables(event, "2")
    assert "Pair second final" in button()
    desk.post(f"/eventos/{event.slug}/corte/")
    make.publish(event)
    make.finish_tables(event)
    assert "Finish" in button()
