"""The boards: whole, the same at any depth, with the names that may be shown (RANKING 3; CASES 54, 55, 65, 67)."""

import json
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, date, datetime

import pytest
from django.test import Client

from decks.models import Game
from players.models import Player, User
from players.services import people as people_services
from ranking.models import BoardRow, Run, Snapshot
from ranking.services import rate
from tests.make import make_player, make_store
from tests.services.ranking.circuit import Cast, later, night, people

pytestmark = pytest.mark.django_db
DAY = date(2026, 3, 5)
AT = datetime(2026, 3, 5, 22, tzinfo=UTC)
Reader = Callable[[User], Client]
Counted = Callable[[int], AbstractContextManager[None]]


def snapshot_of(game: Game, number: int = 1) -> Snapshot:
    Snapshot.objects.filter(game=game).update(current=False)
    run = Run.objects.create(game=game, input_digest=f"{number}", parameters="p", queued_at=AT, status="done")
    return Snapshot.objects.create(game=game, run=run, number=number, current=True, day=DAY, at=AT)


def fill(
    snapshot: Snapshot, values: list[tuple[Player, int | None, int]], board: str = "es", order: str = "rating"
) -> None:
    """(player, rank or None when provisional, value), in the order of the board."""
    BoardRow.objects.bulk_create(
        BoardRow(
            snapshot=snapshot,
            board=board,
            order=order,
            position=position,
            rank=rank,
            player=player,
            value=value,
            margin=0 if order != "rating" else 40,
            change=1,
            missing_matches=0 if rank else 3,
            missing_opponents=0 if rank else 1,
            element="agua",
            spark=[1500, 1510, value],
        )
        for position, (player, rank, value) in enumerate(values, 1)
    )


def crowd(size: int) -> list[Player]:
    made = [Player(name=f"Farolillo {i:04d}", province="ES-TE").derive() for i in range(size)]
    return Player.objects.bulk_create(made)


def ranks(page: str) -> list[tuple[str, str]]:
    """[(rank, name), ...] of the table."""
    return re.findall(r'<td class="rank">(\d+)</td>.*?<td class="name"><a [^>]*>([^<]*)</a>', page, re.S)


def text(client: Client, path: str, **query: object) -> str:
    response = client.get(path, query)
    assert response.status_code == 200, response.status_code
    return response.content.decode()


# -- without anything --------------------------------------------------------------------------------------------------
def test_before_the_first_snapshot_the_page_says_so(visitor: Client, game: Game) -> None:
    assert "The first place is still free" in text(visitor, "/ranking/")


@pytest.mark.parametrize("scope", ["ES-XX", "tienda:no-la-hay", "es-te", "esp", "..", "nacional+agua"])
def test_a_board_that_cannot_be_is_not_found(visitor: Client, game: Game, scope: str) -> None:
    assert visitor.get(f"/ranking/{scope}/").status_code == 404


@pytest.mark.parametrize("scope", ["nacional", "es", "ES-TE", "ES-ML", "pt"])
def test_a_board_without_anybody_is_a_page(visitor: Client, game: Game, scope: str) -> None:
    snapshot_of(game)
    assert "Nobody is on this list yet" in text(visitor, f"/ranking/{scope}/")


@pytest.mark.parametrize(
    "query",
    [
        {"pagina": "-1"},
        {"pagina": "x"},
        {"pagina": "9" * 30},
        {"elemento": "nada"},
        {"temporada": "no"},
        {"orden": "puntos"},
    ],
)
def test_whatever_the_address_says_there_is_a_page(visitor: Client, game: Game, query: dict[str, str]) -> None:
    fill(snapshot_of(game), [(make_player("Ángel Abanico"), 1, 1600)])
    assert visitor.get("/ranking/nacional/", query).status_code == 200


# -- places ------------------------------------------------------------------------------------------------------------
def test_ties_share_their_place_also_across_pages(visitor: Client, game: Game) -> None:
    """CASES 65: page 2 begins inside a tie; the same ranks in the page, the CSV and the JSON."""
    everybody = crowd(52)
    rank = [*range(1, 50), 50, 50, 52]
    fill(snapshot_of(game), [(p, r, 2000 - r) for p, r in zip(everybody, rank, strict=True)])
    assert [r for r, _name in ranks(text(visitor, "/ranking/nacional/", pagina=1))][-1] == "50"
    second = text(visitor, "/ranking/nacional/", pagina=2)
    assert ranks(second) == [("50", everybody[50].shown), ("52", everybody[51].shown)]
    rows = json.loads(b"".join(visitor.get("/ranking/nacional/?formato=json").streaming_content))["rows"]
    assert [row["rank"] for row in rows] == rank
    csv = b"".join(visitor.get("/ranking/nacional/?formato=csv").streaming_content).decode().splitlines()
    assert [line.split(",")[0] for line in csv[1:]] == [str(r) for r in rank]


def test_level_and_rating_add_up(visitor: Client, game: Game) -> None:
    fill(snapshot_of(game), [(make_player("Ángel Abanico"), 1, 1600)])
    page = text(visitor, "/ranking/nacional/")
    assert "1640 ± 40" in page
    assert '<td class="n pts">1600</td>' in page


def test_the_provisional_stand_below_with_what_they_lack(visitor: Client, game: Game) -> None:
    zoe, angel = make_player("Zoe Farolillo"), make_player("Ángel Abanico")
    fill(snapshot_of(game), [(zoe, 1, 1600), (angel, None, 1900)])
    page = text(visitor, "/ranking/nacional/")
    assert ranks(page) == [("1", "Zoe Farolillo")]
    assert page.index("Still without a place") < page.index("Ángel Abanico")
    assert "3\N{NO-BREAK SPACE}matches and 1\N{NO-BREAK SPACE}opponent" in page


def test_the_provisional_of_a_long_board_are_one_link_away(visitor: Client, game: Game) -> None:
    everybody = crowd(51)
    fill(snapshot_of(game), [(p, i, 2000 - i) for i, p in enumerate(everybody[:50], 1)] + [(everybody[50], None, 1500)])
    assert "pagina=2#provisionales" in text(visitor, "/ranking/nacional/")
    assert everybody[50].shown in text(visitor, "/ranking/nacional/", pagina=2)


# -- me ----------------------------------------------------------------------------------------------------------------
def test_my_row_stays_in_sight_and_leads_to_my_page(as_user: Reader, game: Game, player_user: User) -> None:
    everybody = crowd(60)
    me = player_user.player
    fill(snapshot_of(game), [(p, i, 3000 - i) for i, p in enumerate([*everybody, me], 1)])
    page = text(as_user(player_user), "/ranking/nacional/")
    assert "1 point from the 60th place" in page
    assert "pagina=2#yo" in page
    assert 'class="me" id="yo"' in text(as_user(player_user), "/ranking/nacional/", pagina=2)


def test_a_provisional_reader_is_told_what_is_missing(as_user: Reader, game: Game, player_user: User) -> None:
    fill(snapshot_of(game), [(player_user.player, None, 1500)])
    assert "more to have a place" in text(as_user(player_user), "/ranking/nacional/")


# -- choosing ----------------------------------------------------------------------------------------------------------
def test_a_chosen_province_is_remembered(visitor: Client, game: Game) -> None:
    fill(snapshot_of(game), [(make_player("Ángel Abanico"), 1, 1600)], board="ES-TE")
    answer = visitor.get("/ranking/?provincia=ES-TE&elemento=&orden=rating")
    assert answer["Location"] == "/ranking/ES-TE/?orden=rating"
    assert "Ranking of Teruel" in text(visitor, "/ranking/")
    visitor.get("/ranking/?provincia=nacional")
    assert "National ranking" in text(visitor, "/ranking/")


def test_a_stale_memory_is_forgiven(visitor: Client, game: Game) -> None:
    snapshot_of(game)
    visitor.cookies["ranking"] = "ES-??"
    assert "National ranking" in text(visitor, "/ranking/")


def test_choosing_what_is_not_there_is_refused(visitor: Client, game: Game) -> None:
    assert visitor.get("/ranking/?provincia=//evil.test").status_code == 404


@pytest.mark.parametrize("typed", ["nunez", "NÚÑEZ", "Nuñez", "Nun\N{COMBINING TILDE}ez"])
def test_search_does_not_mind_accents(visitor: Client, game: Game, typed: str) -> None:
    """CASES 67."""
    fill(snapshot_of(game), [(make_player("Zoe Farolillo"), 1, 1700), (make_player("Begoña Núñez Botijo"), 2, 1600)])
    assert ranks(text(visitor, "/ranking/nacional/", q=typed)) == [("2", "Begoña Núñez Botijo")]


def test_a_search_typed_letter_by_letter_asks_for_the_list_alone(visitor: Client, game: Game) -> None:
    fill(snapshot_of(game), [(make_player("Begoña Núñez Botijo"), 1, 1600)])
    part = visitor.get(
        "/ranking/nacional/?q=nunez", headers={"HX-Request": "true", "HX-Target": "lista"}
    ).content.decode()
    assert "Begoña" in part
    assert "<html" not in part


# -- names -------------------------------------------------------------------------------------------------------------
SECRET = "Wenceslao Quebrantahoz"


@pytest.mark.parametrize(
    "change", [{"minor": True, "alias": "Tormenta13"}, {"privacy": "private", "alias": "Tormenta13"}, {"retired": True}]
)
@pytest.mark.parametrize(
    "path",
    [
        "/ranking/nacional/",
        "/ranking/nacional/?q=wenceslao",
        "/ranking/nacional/?formato=csv",
        "/ranking/nacional/?formato=json",
        "/jugadores/?q=wenceslao",
    ],
)
def test_a_hidden_name_is_on_no_surface(visitor: Client, game: Game, path: str, change: dict[str, object]) -> None:
    """CASES 54, 55: also where the snapshot was made, and the page kept, before the name was hidden."""
    player = make_player(SECRET)
    fill(snapshot_of(game, 2), [(player, 1, 1600)])
    visitor.get(path.split("?")[0])  # whatever is kept between requests is kept now
    if "retired" in change:
        people_services.retire(player)
    else:
        for name, value in change.items():
            setattr(player, name, value)
        player.save()
    response = visitor.get(path)
    content = b"".join(response.streaming_content) if response.streaming else response.content
    assert "Quebrantahoz" not in content.decode()


def test_a_name_is_no_formula(visitor: Client, game: Game) -> None:
    fill(snapshot_of(game), [(make_player("=1+1"), 1, 1600)])
    assert b",'=1+1," in b"".join(visitor.get("/ranking/nacional/?formato=csv").streaming_content)


# -- the whole way -----------------------------------------------------------------------------------------------------
@pytest.fixture
def rated(game: Game) -> Cast:
    cast = people("ABCD")
    store = make_store()
    event = night(cast, DAY, "A>B C>D", "A>C B>D", store=store, elements=dict.fromkeys("ABCD", "agua"))
    rate.catch_up(later(event))
    return cast


def test_a_real_night_reaches_the_page(visitor: Client, rated: Cast) -> None:
    assert "Ángel Abanico" in text(visitor, "/ranking/nacional/")
    assert "Ángel Abanico" in text(visitor, "/ranking/ES-TE/", elemento="agua")


# -- what it costs -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("page", [1, 2, 4])
def test_any_page_costs_the_same(as_user: Reader, game: Game, player_user: User, queries: Counted, page: int) -> None:
    everybody = crowd(200)
    fill(snapshot_of(game), [(p, i, 3000 - i) for i, p in enumerate([*everybody, player_user.player], 1)])
    client = as_user(player_user)
    with queries(14):
        text(client, "/ranking/nacional/", pagina=page)
    with queries(10):
        text(client, "/ranking/nacional/", pagina=page)


def test_the_day_of_the_snapshot_is_said(visitor: Client, game: Game) -> None:
    snapshot_of(game, 14)
    assert "published no. 14, up to 5 March 2026" in text(visitor, "/ranking/nacional/")
