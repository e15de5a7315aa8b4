"""Every route, as every role, and with another store's objects (DESIGN, Who may do what).

ROUTES says once what each named route needs; a route that is missing here fails the first test. Whoever has no part in
a store or in the circuit learns nothing (404), too small a role is told so (403), a visitor is asked to sign in.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from knox.models import AuthToken

from decks.models import CardImport
from players.models import Player, User
from ranking.models import Season
from tests import make
from tournaments import rights
from tournaments.models import Event, Store

pytestmark = pytest.mark.django_db

PUBLIC, ACCOUNT, STORE, CIRCUIT = "public", "account", "store", "circuit"
ANSWERED = {
    200,
    201,
    204,
    302,
    303,
    400,
    405,
    409,
    422,
}  # the right was there; what came of it is other tests' business


@dataclass(frozen=True)
class Need:
    who: str
    action: str = ""
    method: str = "get"
    args: tuple[str, ...] = ()
    data: dict[str, str] = field(default_factory=dict, hash=False)


def store(action: str, method: str = "get", *args: str) -> Need:
    return Need(STORE, action, method, args)


def circuit(action: str, method: str = "get", *args: str) -> Need:
    return Need(CIRCUIT, action, method, args)


EVERYONE = Need(PUBLIC)
SEND = "post"
ROUND_ACTIONS = {
    "publicar": "pair",
    "repetir": "pair",
    "intercambiar": "pair",
    "deshacer": "pair",
    "reemparejar": "pair",
    "reloj": "clock",
}
ROSTER_ACTIONS = {
    "retirar": "roster", "devolver": "roster", "quitar": "roster", "pagado": "roster", "descanso": "roster",
    "presente": "roster", "datos": "roster", "unir": "roster", "separar": "roster", "descalificar": "penalty",
    "sancionar": "penalty", "abrir-mazo": "deck", "cerrar-mazo": "deck", "dejar-jugar": "deck",
}  # fmt: skip
STATES = {
    "open": "event.state",
    "check_in": "event.state",
    "finish": "event.state",
    "reopen": "event.state",
    "regulars": "roster",
    "liguilla": "event.edit",
    "suizo": "event.edit",
    "rondas": "event.edit",
}

ROUTES: dict[str, list[Need]] = {
    name: [EVERYONE]
    for name in [
        "home",
        "rules",
        "events",
        "event",
        "pairings",
        "bracket",
        "standings",
        "whatif",
        "projector",
        "lists",
        "list",
        "list_text",
        "my_table",
        "my_list",
        "pulse",
        "guest",
        "store",
        "ranking",
        "players",
        "player",
        "seasons",
        "season",
        "api_schema",
        "api_docs",
        "api_stores",
        "api_store",
        "api_events",
        "api_event",
        "api_standings",
        "api_chances",
        "api_lists",
        "api_board",
        "api_players",
        "api_player",
        "set_language",
        "health",
        "metrics",
        "sign_up",
        "report",
        "self_drop",
    ]
} | {
    "pairings_round": [Need(PUBLIC, args=("1",))],
    "why": [Need(PUBLIC, args=("1",))],
    "print": [Need(PUBLIC, args=("nombres",))],
    "board": [Need(PUBLIC, args=("nacional",))],
    "deck_check": [Need(PUBLIC, method=SEND)],
    "deck_rules": [Need(PUBLIC, args=("kounter",))],
    "cards": [EVERYONE],
    "statistics": [EVERYONE],
    "element": [Need(PUBLIC)],
    "card": [Need(PUBLIC, args=("kounter",))],
    "deck_pick": [Need(PUBLIC, method=SEND)],
    "deck_new": [EVERYONE, Need(PUBLIC, method=SEND)],
    "deck_shared": [Need(PUBLIC, args=("nobody-has-this",))],
    "decks": [Need(ACCOUNT)],
    "deck": [Need(ACCOUNT, args=("1",)), Need(ACCOUNT, method=SEND, args=("1",))],
    "deck_versions": [Need(ACCOUNT, args=("1",))],
    "deck_export": [Need(ACCOUNT, args=("1", "txt"))],
    "deck_action": [Need(ACCOUNT, method=SEND, args=("1", "borrar"))],
    "api_round": [Need(PUBLIC, args=("1",))],
    "profile": [Need(ACCOUNT)],
    "token_new": [Need(ACCOUNT, method=SEND)],
    "token_revoke": [Need(ACCOUNT, method=SEND)],
    "account_closing": [Need(ACCOUNT)],
    "account_close": [Need(ACCOUNT, method=SEND)],
    "follow": [Need(ACCOUNT, method=SEND)],
    "organise": [Need(ACCOUNT)],
    "event_new": [store("event.create"), store("event.create", SEND)],
    "restore": [store("event.create"), store("event.create", SEND)],
    "staff": [store("store.staff"), store("store.staff", SEND)],
    "console": [store("console")],
    "event_edit": [store("event.edit"), store("event.edit", SEND)],
    "show_chances": [store("event.edit", SEND)],
    "event_repeat": [store("event.create", SEND)],
    "event_state": [store(right, SEND, action) for action, right in STATES.items()],
    "pair": [store("pair", SEND)],
    "round_action": [store(right, SEND, "1", action) for action, right in ROUND_ACTIONS.items()],
    "cut": [store("pair", SEND)],
    "result": [store("result", SEND)],
    "correct": [store("result"), store("result", SEND)],
    "keyboard": [store("result", SEND)],
    "roster_add": [store("roster"), store("roster", SEND)],
    "roster_suggest": [store("roster")],
    "roster_import": [store("roster"), store("roster", SEND)],
    "registration": [store("console")],
    "roster_action": [store(right, SEND, action) for action, right in ROSTER_ACTIONS.items()],
    "list_staff": [store("deck.read"), store("deck", SEND)],
    "list_check": [store("deck"), store("deck", SEND)],
    "lists_print": [store("deck.read")],
    "undo": [store("undo", SEND)],
    "log": [store("log")],
    "backup": [store("backup")],
    "circuit": [circuit("circuit.read")],
    "circuit_stores": [circuit("circuit.read")],
    "store_new": [circuit("store.create", SEND)],
    "rebuild": [circuit("ranking.rebuild", SEND)],
    "season_new": [circuit("season.edit", SEND)],
    "season_edit": [circuit("season.edit", SEND)],
    "season_publish": [circuit("season.publish", SEND)],
    "season_action": [circuit("season.edit", SEND, "cerrar")],
    "card_imports": [circuit("circuit.read"), circuit("catalogue.edit", SEND)],
    "card_import": [circuit("circuit.read"), circuit("catalogue.edit", SEND)],
    "cards_export": [circuit("circuit.read", "get", "kounter")],
    "restrictions": [circuit("circuit.read"), circuit("catalogue.edit", SEND)],
    "api_roster": [EVERYONE, store("roster", SEND)],
    "api_list": [EVERYONE, store("deck", SEND)],
    "api_rounds": [EVERYONE, store("pair", SEND)],
    "api_cut": [EVERYONE, store("pair", SEND)],
    "api_drop": [store("roster", SEND)],
    "api_undrop": [store("roster", SEND)],
    "api_publish": [store("pair", SEND, "1")],
    "api_result": [store("result", SEND)],
    "api_finish": [store("event.state", SEND)],
}
NOT_OURS = ("account_", "mfa_", "admin:")  # allauth's and the admin's own, which have tests of their own
OURS = {"account_closing", "account_close"}


def named(patterns: list[URLPattern | URLResolver], space: str = "") -> Iterator[tuple[str, URLPattern]]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from named(pattern.url_patterns, f"{pattern.namespace}:" if pattern.namespace else space)
        else:
            yield f"{space}{pattern.name or pattern.pattern}", pattern


@cache
def our_routes() -> dict[str, URLPattern]:
    found = dict(named(get_resolver().url_patterns))
    return {name: p for name, p in found.items() if name in OURS or not name.startswith(NOT_OURS)}


def test_every_route_says_what_it_needs() -> None:
    assert sorted(our_routes()) == sorted(ROUTES)


@pytest.fixture
def event(store: Store) -> Event:
    return make.make_event(store, players=4)


@pytest.fixture
def season(event: Event) -> Season:
    return Season.objects.create(
        game=event.game, slug="mareas", name="Mareas", status="closed", starts="2026-01-01", ends="2027-01-01"
    )


@pytest.fixture
def cast_of(
    owner: User, organiser: User, judge: User, scorekeeper: User, stranger: User, administrator: User, auditor: User,
    player_user: User,
) -> dict[str, User]:  # fmt: skip
    names = ["owner", "organiser", "judge", "scorekeeper", "stranger", "administrator", "auditor", "player"]
    return dict(
        zip(names, [owner, organiser, judge, scorekeeper, stranger, administrator, auditor, player_user], strict=True)
    )


def address(name: str, need: Need, event: Event, season: Season) -> str:
    """The route's own parameters, filled with this store's objects, then with the need's arguments."""
    match, row = event.matches.first(), event.registrations.select_related("player").first()
    assert row
    known: dict[str, Any] = {
        "slug": season.slug
        if "season" in name
        else "luz"
        if name == "element"
        else event.store.slug
        if name in {"store", "api_store"}
        else event.slug,
        "store": event.store.slug,
        "pk": match.pk if match and name in {"result", "correct", "api_result"} else row.pk,
        "code": row.player.code,
        "secret": "nobody-has-this",
        "card": "MI1-001",
        "upload": upload_of(event) if name == "card_import" else 0,
        "key": "00000000",
        "scope": "es" if name == "api_board" else "nacional",
    }
    wanted = our_routes()[name].pattern.converters
    rest = iter(need.args)
    return reverse(name, kwargs={key: known[key] if key in known else next(rest) for key in wanted})


def slug_of(name: str, event: Event, season: Season) -> str:
    if name == "element":
        return "luz"
    if "season" in name:
        return season.slug
    return event.store.slug if name in {"store", "api_store"} else event.slug


def upload_of(event: Event) -> int:
    return CardImport.objects.create(game=event.game, filename="a.csv", content=UPLOAD, version_before=0).pk


UPLOAD = b"code,name,expansion,type,released\nX-1,Nadie,Muestra,trampa,2026-01-01\n"


def ask(user: User | None, name: str, need: Need, event: Event, season: Season) -> int:
    client, headers = Client(), {}
    if user and name.startswith("api_"):
        headers = {"authorization": f"Token {AuthToken.objects.create(user=user)[1]}"}
    elif user:
        client.force_login(user)
    path = address(name, need, event, season)
    answer = client.get(path, headers=headers) if need.method == "get" else client.post(path, {}, headers=headers)
    return answer.status_code


def expected(role: str, user: User | None, name: str, need: Need, event: Event) -> set[int]:
    if need.who == PUBLIC:
        return ANSWERED | {404}
    if user is None:
        return {401} if name.startswith("api_") else {302}
    if need.who == ACCOUNT:
        return ANSWERED | {404}
    if need.who == CIRCUIT:
        allowed = rights.may_circuit(user, need.action)
        return ANSWERED if allowed else {403} if user.circuit_role else {404}
    if not rights.roles_in(user, event.store):
        return {404}
    return ANSWERED | {404} if rights.may(user, need.action, event.store) else {403}


CASES = [(name, need) for name, needs in ROUTES.items() for need in needs]


@pytest.mark.parametrize(("name", "need"), CASES, ids=[f"{n}-{need.method}-{'-'.join(need.args)}" for n, need in CASES])
def test_every_route_as_every_role(
    name: str, need: Need, event: Event, season: Season, cast_of: dict[str, User]
) -> None:
    make.pair_and_publish(event)
    for role, user in [("anonymous", None), *cast_of.items()]:
        if name == "account_close" and user:
            continue  # it works, and then there is nobody to ask with
        status = ask(user, name, need, event, season)
        assert status in expected(role, user, name, need, event), f"{role}: {status}"


FOREIGN = [(name, need) for name, need in CASES if need.who == STORE and not name.startswith("api_")]


@pytest.mark.parametrize(
    ("name", "need"), FOREIGN, ids=[f"{n}-{need.method}-{'-'.join(need.args)}" for n, need in FOREIGN]
)
def test_an_owner_elsewhere_changes_nothing_here(
    name: str, need: Need, event: Event, season: Season, stranger: User
) -> None:
    make.pair_and_publish(event)
    before = (event.log.count(), Event.objects.get(pk=event.pk).version)
    assert ask(stranger, name, need, event, season) == 404
    assert (event.log.count(), Event.objects.get(pk=event.pk).version) == before


@pytest.mark.parametrize("name", ["result", "correct", "registration", "roster_action", "list_staff", "list_check"])
def test_the_objects_of_another_event_are_not_found(name: str, event: Event, other_store: Store, owner: User) -> None:
    """My event in the address, another store's match or registration behind it (STYLE, Do not copy: Cobra)."""
    theirs = make.make_event(other_store, players=4)
    make.pair_and_publish(theirs)
    match, row = theirs.matches.first(), theirs.registrations.first()
    assert match
    assert row
    client = Client()
    client.force_login(owner)
    pk = match.pk if name in {"result", "correct"} else row.pk
    kwargs = {"slug": event.slug, "pk": pk} | ({"action": "retirar"} if name == "roster_action" else {})
    version = Event.objects.get(pk=theirs.pk).version
    answer = (
        client.get(reverse(name, kwargs=kwargs))
        if name in {"registration", "list_staff", "list_check"}
        else client.post(reverse(name, kwargs=kwargs))
    )
    assert answer.status_code == 404
    assert Event.objects.get(pk=theirs.pk).version == version


def test_the_probe_reaches_refusals_and_rights(event: Event, season: Season, cast_of: dict[str, User]) -> None:
    """The walk must be able to fail: the same address answers each role differently."""
    pair = store("pair", SEND)
    seen = {role: ask(user, "pair", pair, event, season) for role, user in cast_of.items()}
    assert seen["scorekeeper"] == seen["judge"] == seen["auditor"] == 403
    assert seen["stranger"] == seen["player"] == 404
    assert {seen["owner"], seen["organiser"], seen["administrator"]} <= ANSWERED
    assert Player.objects.exists()
