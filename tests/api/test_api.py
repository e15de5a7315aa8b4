"""`/api/v1/`: what anyone reads, what staff write by token, and what nobody may see."""

from typing import Any

import pytest
from django.test import Client
from knox.models import AuthToken

from players.models import Player, User
from tests import make
from tournaments.models import Event, Match, Registration, Store

pytestmark = pytest.mark.django_db
V1 = "/api/v1"


class Program:
    """Another program: JSON in, JSON out, with the token of an account."""

    def __init__(self, user: User | None) -> None:
        token = AuthToken.objects.create(user=user)[1] if user else ""
        self.headers = {"authorization": f"Token {token}"} if token else {}

    def get(self, path: str) -> Any:
        return Client().get(V1 + path, headers=self.headers)

    def post(self, path: str, **body: Any) -> Any:
        return Client().post(V1 + path, body, content_type="application/json", headers=self.headers)


@pytest.fixture
def staff(organiser: User) -> Program:
    return Program(organiser)


@pytest.fixture
def event(store: Store) -> Event:
    return make.make_event(store, players=6)


def path(event: Event, rest: str = "") -> str:
    return f"/events/{event.slug}/{rest}"


def test_a_night_runs_by_token(staff: Program, event: Event) -> None:
    assert staff.post(path(event, "players/"), names=["Zoe Farolillo", "Iván Pamplinas"]).status_code == 201
    made = staff.post(path(event, "rounds/"), number=1)
    assert made.status_code == 201
    assert len(made.json()["matches"]) == 4
    assert staff.post(path(event, "rounds/1/publish/")).json()["status"] == "published"
    for match in made.json()["matches"]:
        winner = match["seats"][0]["player"]["code"]
        answer = staff.post(path(event, f"matches/{match['id']}/result/"), outcome="win", winner=winner)
        assert answer.json()["winner"] == winner
    rows = Program(None).get(path(event, "standings/")).json()
    assert [row["rank"] for row in rows] == [1] * 4 + [5] * 4
    assert [row["points"] for row in rows] == [3] * 4 + [0] * 4


def test_pairing_twice_is_one_round(staff: Program, event: Event) -> None:
    """Rule 4.6, case 7."""
    first, second = (staff.post(path(event, "rounds/"), number=1) for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json() == second.json()
    assert event.rounds.count() == 1


def test_a_refusal_names_its_rule(staff: Program, event: Event) -> None:
    staff.post(path(event, "rounds/"), number=1)
    staff.post(path(event, "rounds/1/publish/"))
    answer = staff.post(path(event, "finish/"))
    assert answer.status_code == 409
    assert answer.json()["code"]
    assert answer.json()["detail"]


def test_a_draft_round_is_nobodys_business(staff: Program, event: Event) -> None:
    """Rule 4.5, case 15."""
    staff.post(path(event, "rounds/"), number=1)
    assert Program(None).get(path(event, "rounds/")).json() == []
    assert Program(None).get(path(event, "rounds/1/")).status_code == 404
    assert len(staff.get(path(event, "rounds/")).json()) == 1


def test_a_repeated_request_key_is_one_result(staff: Program, event: Event) -> None:
    make.pair_and_publish(event)
    match = make.table(event, 1)
    code = match.seats.order_by("position")[0].registration.player.code
    for _ in range(2):
        body = {"outcome": "win", "winner": code, "request_key": "k1"}
        assert staff.post(path(event, f"matches/{match.pk}/result/"), **body).status_code == 200
    assert match.revisions.count() == 1


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"outcome": "bye"},
        {"outcome": "win", "games": [1]},
        {"outcome": "win", "games": "2-0"},
        {"outcome": "nonsense"},
    ],
)
def test_bad_input_is_answered_and_nothing_changes(staff: Program, event: Event, body: dict[str, Any]) -> None:
    make.pair_and_publish(event)
    match = make.table(event, 1)
    assert staff.post(path(event, f"matches/{match.pk}/result/"), **body).status_code == 400
    assert Match.objects.get(pk=match.pk).outcome is None


def test_drop_and_undrop(staff: Program, event: Event) -> None:
    make.pair_and_publish(event)
    row = Registration.objects.filter(event=event).select_related("player").first()
    assert row
    assert staff.post(path(event, f"players/{row.player.code}/drop/")).json()["status"] == "dropped"
    assert staff.post(path(event, f"players/{row.player.code}/undrop/")).json()["dropped_after"] is None


WRITES = [
    "players/",
    "rounds/",
    "rounds/1/publish/",
    "matches/1/result/",
    "players/X/drop/",
    "players/X/undrop/",
    "finish/",
]


@pytest.mark.parametrize("rest", WRITES)
def test_writes_are_for_the_staff_of_this_store(rest: str, event: Event, stranger: User, player_user: User) -> None:
    assert Program(None).post(path(event, rest)).status_code == 401
    assert Program(stranger).post(path(event, rest)).status_code == 404
    assert Program(player_user).post(path(event, rest)).status_code == 404


@pytest.mark.parametrize("rest", [rest for rest in WRITES if not rest.startswith("matches")])
def test_a_scorekeeper_only_keeps_scores(rest: str, event: Event, scorekeeper: User) -> None:
    assert Program(scorekeeper).post(path(event, rest)).status_code == 403


def test_a_match_of_another_event_is_not_found(staff: Program, event: Event, store: Store) -> None:
    other = make.make_event(store, players=4, name="Otro jueves")
    make.pair_and_publish(other)
    foreign = make.table(other, 1)
    answer = staff.post(path(event, f"matches/{foreign.pk}/result/"), outcome="draw")
    assert answer.status_code == 404


READS = ["/stores/", "/events/", "/players/", "/events/{slug}/", "/events/{slug}/players/", "/events/{slug}/rounds/"]


@pytest.mark.parametrize("where", [*READS, "/events/{slug}/standings/"])
def test_reads_are_public_and_show_no_real_name_of_a_guest(where: str, event: Event) -> None:
    make.enrol(event, Player.objects.create(name="Zutano Secretísimo Apellidez", province="ES-TE"))
    answer = Program(None).get(where.format(slug=event.slug))
    assert answer.status_code == 200
    assert "Apellidez" not in answer.content.decode()
    assert "@" not in answer.content.decode()


def test_a_draft_event_is_there_for_its_staff_only(staff: Program, event: Event, stranger: User) -> None:
    Event.objects.filter(pk=event.pk).update(status="draft")
    assert Program(None).get(path(event)).status_code == 404
    assert Program(stranger).get(path(event)).status_code == 404
    assert staff.get(path(event)).status_code == 200


def test_players_are_found_without_accents(db: None, player_user: User) -> None:
    """Case 67."""
    assert Program(None).get("/players/?q=nusta").json()["results"][0]["name"] == "Ñusta Quebrantahoz Ruiz"


def test_the_documentation_needs_no_other_host(db: None) -> None:
    page = Client().get(f"{V1}/docs/")
    assert page.status_code == 200
    assert "https://" not in page.content.decode().replace("https://www.w3.org", "")
    assert Client().get(f"{V1}/schema/").status_code == 200


def test_the_chances_of_the_cut_are_for_staff_until_players_see_them(staff: Program, store: Store) -> None:
    event = make.make_event(store, rounds=2, cut=2, players=6, published=2)
    here = path(event, "chances/")
    assert Program(None).get(here).status_code == 404
    answer = staff.get(here).json()
    assert (answer["not_yet"], answer["round"], answer["last_round"], answer["cut"]) == (None, 2, 2, 2)
    assert (answer["method"], answer["worlds"], answer["open_tables"]) == ("counted", 27, 3)
    first, last = answer["players"][0], answer["players"][-1]
    assert list(first["results"]) == ["win", "draw", "loss"]
    assert (first["points"], first["results"]["win"]["bound"]["low"]) == (3, 6)
    assert last["results"]["draw"] | {"bound": 0} == {"certain": False, "chance": 0, "margin": 0, "bound": 0}
    assert last["answer"] == "No."
    assert last["why"].startswith("Con un empate se queda en 1 punto.")
    Event.objects.filter(pk=event.pk).update(show_chances=True)
    assert Program(None).get(here).json() == answer


def test_before_the_last_two_rounds_there_are_no_chances(staff: Program, store: Store) -> None:
    event = make.make_event(store, rounds=5, cut=2, players=6, published=1)
    assert staff.get(path(event, "chances/")).json() == {"not_yet": "too_early"}


def test_a_cut_by_token(staff: Program, store: Store) -> None:
    """Rule 7: start, publish, decide, go on; a program reads the same bracket as the page."""
    event = make.make_event(store, players=4, rounds=1, cut=4, cut_format="double")
    make.play_round(event)
    assert Program(None).get(path(event, "cut/")).json() == {"format": "double", "size": 4, "over": False, "ties": []}
    made = staff.post(path(event, "cut/"))
    assert [match["slot"] for match in made.json()["matches"]] == [0, 1]
    assert staff.post(path(event, "cut/"), number=2).json()["number"] == 2
    assert Program(None).get(path(event, "cut/")).json()["ties"] == []
    make.publish(event)
    make.finish_tables(event)
    assert staff.post(path(event, "cut/")).json()["number"] == 3
    make.publish(event)
    ties = Program(None).get(path(event, "cut/")).json()["ties"]
    shape = [(tie["round"], tie["slot"], tie["side"], tie["stage"], bool(tie["winner"])) for tie in ties]
    assert shape == [
        (2, 0, "winners", 1, True),
        (2, 1, "winners", 1, True),
        (3, 0, "winners", 2, False),
        (3, 1, "losers", 1, False),
    ]
    assert staff.post(path(event, "cut/")).status_code == 409


@pytest.mark.parametrize(
    ("language", "bye", "level"),
    [
        ("es", ": nadie tiene menos puntos.", "Los dos tenían 0 puntos."),
        ("en", "has the bye: nobody has fewer points.", "Both had 0 points."),
    ],
)
def test_a_round_explains_itself_in_words(store: Store, language: str, bye: str, level: str) -> None:
    """Rule 4.3: criteria, what had to yield and for whom, and per player why this opponent or the bye."""
    event = make.make_event(store, rounds=3, players=5, published=1)
    headers = {"accept-language": language}
    round = Client().get(V1 + path(event, "rounds/1/"), headers=headers).json()
    assert round["criteria"]["gap"] == 0
    (remark,) = round["explained"]
    assert remark["text"].endswith(bye)
    assert remark["rule"] == "4.1.4"
    resting = next(match for match in round["matches"] if match["kind"] == "bye")["seats"][0]["player"]["code"]
    assert round["why"].pop(resting) == [remark]
    assert len(round["why"]) == 4
    assert all(reasons[0]["text"].startswith(level) for reasons in round["why"].values())
    assert Client().get(V1 + path(event, "rounds/"), headers=headers).json()[0]["why"][resting] == [remark]


def test_lists_by_token(store: Store, staff: Program, player_user: User) -> None:
    """Handed in by the staff, read by judges and by their owner, by everybody once they are published (CASES 88)."""
    from tests import lists

    event = lists.make_asking(store=store, players=3, rounds=1, lists_public="end")
    row = make.enrol(event, player_user.player)
    others = event.registrations.exclude(pk=row.pk).select_related("event__store", "event__game", "player")
    lists.hand_in(others, lists.text("luz"))
    there = path(event, f"players/{row.player.code}/list/")
    refused = staff.post(there, text=lists.short())
    assert (refused.status_code, refused.json()["code"]) == (409, "illegal")
    assert refused.json()["data"]["problems"][0]["rule"] == "tamano"
    made = staff.post(there, text=lists.text())
    assert (made.status_code, made.json()["legal"], made.json()["element"]) == (201, True, "fuego")
    anybody, mine = Program(None), Program(player_user)
    assert anybody.get(there).status_code == 404
    assert anybody.get(path(event, "lists/")).json() == []
    assert len(staff.get(path(event, "lists/")).json()) == 4
    assert sum(card["copies"] for card in mine.get(there).json()["cards"]) == 40
    assert mine.get(path(event, f"players/{others[0].player.code}/list/")).status_code == 404
    make.make_finished(make.play_event(Event.objects.get(pk=event.pk)))
    assert len(anybody.get(path(event, "lists/")).json()) == 4
    assert anybody.get(there).json()["player"]["code"] == row.player.code
