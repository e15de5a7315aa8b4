"""Plain typed builders: an event reads as a story.

    event = make_event(players=8, rounds=3)
    play_round(event, "1", "1", "x", "2")  # pairs, publishes, and reports by table
    drop(event, 3)

Rounds and results go through the services; rosters are rows, so that a test of one service does not need another.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Case, OuterRef, Subquery, When

from decks.models import Element
from decks.services.games import default_game, game
from players import codes
from players.models import Player, User
from tournaments.models import Event, Match, Registration, ResultRevision, Role, Round, Seat, Store
from tournaments.queries import Sheet, sheet
from tournaments.services.journal import SYSTEM, Actor

NOON = datetime(2026, 3, 12, 17, 30, tzinfo=UTC)
"""A Thursday, 18:30 in Teruel and 17:30 in Las Palmas."""

NAMES = (
    "María de los Ángeles Fernández-Bermellón y Castañuela",
    "Íñigo Zarzuelo Etxeberrialdea",
    "Ñusta Quebrantahoz Ruiz",
    "Zoe Farolillo Cantueso",
    "Ángel Pimentón de la Vera",
    "Nuria Cucurella Trompeta",
    "Óscar Berenjeno Salmerón",
    "Begoña Tirabuzón Arrieta",
    "Ximena Castañuelas Prado",
    "Úrsula Mondadientes Gil",
    "Jordi Alpargata Puig",
    "Leire Cascabel Zubiri",
    "Wenceslao Buñuelo Rey",
    "Candela Peonza Abril",
    "Hipólito Sonajero Cid",
    "Yaiza Marejadilla Déniz",
)

_count = 0


def number() -> int:
    """Grows by one with every call: for what must be unique."""
    global _count
    _count += 1
    return _count


# -- people and places -------------------------------------------------------------------------------------------------
def make_store(name: str = "La Guarida del Ñandú", **fields: Any) -> Store:
    values = {"slug": f"tienda-{number()}", "city": "Teruel", "province": "ES-TE"} | fields
    return Store.objects.create(name=name, **values)


def make_staff(store: Store, kind: str = "organiser") -> User:
    user = User.objects.create_user(f"{kind}-{number()}@example.test")
    Role.objects.create(store=store, user=user, kind=kind)
    return user


def make_user() -> User:
    return User.objects.create_user(f"cuenta-{number()}@example.test")


def a_name(position: int) -> str:
    """Sixteen names, then the same with an ordinal: still obviously made up."""
    lap, index = divmod(position, len(NAMES))
    return NAMES[index] + (f" {'I' * min(lap, 3)}{lap}" if lap else "")


def a_code(position: int) -> str:
    """A valid code of one's own choice, where a test must draw the same lots every time."""
    body = "".join(codes.ALPHABET[position // len(codes.ALPHABET) ** place % len(codes.ALPHABET)] for place in range(6))
    return body + codes.check_character(body)


def make_player(name: str | None = None, **fields: Any) -> Player:
    """Somebody with an account; `make_guest` makes one without."""
    fields = {"user": make_user(), "province": "ES-TE"} | fields
    return Player.objects.create(name=name or a_name(number()), **fields)


def make_guest(name: str | None = None, **fields: Any) -> Player:
    return make_player(name, **({"user": None} | fields))


# -- events ------------------------------------------------------------------------------------------------------------
def make_event(
    store: Store | None = None,
    *,
    players: int = 0,
    rounds: int = 0,
    best_of: int = 1,
    cut: int = 0,
    at: datetime = NOON,
    published: int = 0,
    status: str = Event.Status.OPEN,
    **fields: Any,
) -> Event:
    """An event with guests enrolled; `published` rounds are paired, published and left without results but the last.

    `rounds=0` takes the table of rule 3 at the start.
    """
    n = number()
    values: dict[str, Any] = {
        "store": store or make_store(),
        "game": default_game(),
        "slug": f"jueves-{n}",
        "name": f"Jueves de fichas {n}",
        "starts_at": at,
        "rounds_planned": rounds,
        "best_of": best_of,
        "minutes": 30 if best_of == 1 else 50,
        "cut_size": cut,
        "status": status,
    }
    event = Event.objects.create(**(values | fields))
    enrol_many(event, players)
    for round in range(1, published + 1):
        pair_and_publish(event)
        if round < published:
            finish_tables(event)
    return event


def make_pod_event(store: Store | None = None, *, players: int = 0, rounds: int = 0, **fields: Any) -> Event:
    """A night of tables of several (Ataquerrr)."""
    pods: dict[str, Any] = {"game": game("ataquerrr"), "format": Event.Format.PODS, "preset": "pods"}
    return make_event(store, players=players, rounds=rounds, **(pods | fields))


def enrol_many(event: Event, players: int) -> list[Registration]:
    """Guests in bulk; two queries whatever the number."""
    made = [Player(name=a_name(i), province=event.store.province).derive() for i in range(players)]
    Player.objects.bulk_create(made)
    rows = [Registration(event=event, player=player, order=i, at=event.starts_at) for i, player in enumerate(made, 1)]
    return Registration.objects.bulk_create(rows)


def enrol(event: Event, player: Player | str | None = None, **fields: Any) -> Registration:
    """One more, a player or a guest by name."""
    player = player if isinstance(player, Player) else make_guest(player)
    order = event.registrations.count() + 1
    return Registration.objects.create(event=event, player=player, **({"order": order, "at": event.starts_at} | fields))


def registration(event: Event, order: int) -> Registration:
    """The n-th who came, from 1."""
    return event.registrations.select_related("player").get(order=order)


def drop(event: Event, order: int, last_round: int | None = None) -> Registration:
    """As a row, without what a drop does to the current round: for that there is `services.registrations.drop`."""
    row = registration(event, order)
    played = event.rounds.order_by("-number").values_list("number", flat=True).first() or 0
    row.status, row.last_round = Registration.Status.DROPPED, played if last_round is None else last_round
    row.save(update_fields=["status", "last_round"])
    return row


def element(slug: str) -> Element:
    return Element.objects.get(game=default_game(), slug=slug)


def staff_actor(event: Event) -> Actor:
    role = Role.objects.filter(store=event.store).select_related("user").first()
    return Actor(user=role.user if role else make_staff(event.store))


# -- rounds ------------------------------------------------------------------------------------------------------------
def pair(event: Event, *, seed: str = "7", by: Actor = SYSTEM, at: datetime | None = None, **options: Any) -> Round:
    """The next Swiss round, in draft."""
    from tournaments.services import rounds

    last = event.rounds.order_by("-number").values_list("number", flat=True).first() or 0
    return rounds.pair(event, last + 1, by=by, seed=seed, at=at or event.starts_at, **options)[0]


def publish(event: Event, *, by: Actor = SYSTEM, at: datetime | None = None) -> Round:
    from tournaments.services import rounds

    draft = event.rounds.order_by("-number")[0]
    return rounds.publish(event, draft.number, by=by, at=at or event.starts_at)


def pair_and_publish(event: Event, *, seed: str = "7", by: Actor = SYSTEM, at: datetime | None = None) -> Round:
    pair(event, seed=seed, by=by, at=at)
    return publish(event, by=by, at=at)


def seat_by_hand(event: Event, *tables: tuple[int, ...], published: bool = True) -> Round:
    """A round whose tables are given by order of arrival: `(1, 4), (2, 3), (5,)`; one number alone has the bye.

    For tests that need a certain history; the round has no seed and no stored input.
    """
    from tournaments.services import seating
    from tournaments.services.journal import change

    seated = [[registration(event, order) for order in table] for table in tables]
    with change(event, "round.pair", by=SYSTEM, at=event.starts_at) as write:
        last = event.rounds.order_by("-number").values_list("number", flat=True).first() or 0
        row = write.add(Round(event=write.event, number=last + 1))
        pairs = [(pair[0], pair[1]) for pair in seated if len(pair) == 2]
        seating.seat(write, row, pairs, byes=[pair[0] for pair in seated if len(pair) == 1])
        write.set(write.event, status=Event.Status.RUNNING)
    return publish(event) if published else row


def table(event: Event, number: int) -> Match:
    """The table of the newest round, with its `seat_list`."""
    now: Sheet = sheet(event)
    return next(match for match in now.matches(now.current_round) if match.table == number)


def match_of(event: Event, order: int) -> Match:
    """Where the n-th who came sits in the newest round."""
    now: Sheet = sheet(event)
    mine = next(row for row in now.registrations if row.order == order)
    return now.seats_of(mine, drafts=True)[-1][1]


def report(match: Match, score: str, *, by: Actor = SYSTEM, at: datetime | None = None) -> Match:
    """The staff's decision in the keys of the counter: "1", "x", "2"; "20", "21", ... (UX)."""
    from tournaments.services import results

    statement = results.parse(score, match)
    return results.decide(match, statement, by=by, at=at or match.event.starts_at)


def claim(match: Match, position: int, score: str, *, by: Actor = SYSTEM, request_key: str | None = None) -> Match:
    """What the player of that seat (0 left, 1 right) reports, in keys as the room's left and right."""
    from tournaments.services import results

    statement = results.parse(score, match)
    options: dict[str, Any] = {"at": match.event.starts_at, "request_key": request_key}
    return results.report(match, match.seat_list[position].registration, statement, by=by, **options)


def win(event: Event, order: int) -> Match:
    """The n-th who came wins his match of the newest round."""
    match = match_of(event, order)
    left = match.left.registration.order == order
    key = {(1, True): "1", (1, False): "2", (3, True): "20", (3, False): "02"}[event.best_of, left]
    return report(match, key)


def play_round(event: Event, *scores: str, seed: str = "7", by: Actor = SYSTEM) -> Round:
    """Pair, publish and decide: scores by table from the first; tables without one are won by the left seat."""
    pair_and_publish(event, seed=seed, by=by)
    return finish_tables(event, *scores, by=by)


def finish_tables(event: Event, *scores: str, by: Actor = SYSTEM) -> Round:
    now: Sheet = sheet(event)
    tables = [match for match in now.matches(now.published_round) if match.kind == Match.Kind.TABLE]
    usual = [first_wins(event, match) for match in tables]
    for match, score in zip(tables, [*scores, *usual[len(scores) :]], strict=False):
        if match.state != Match.State.DONE:
            report(match, score, by=by)
    assert now.published_round is not None
    return now.published_round


def first_wins(event: Event, match: Match) -> str:
    """The first seat wins; at a table of several they finish as they sit."""
    if event.in_pods:
        return "1234"[: len(match.seat_list)]
    return "1" if event.best_of == 1 else "20"


def play_event(event: Event, *, by: Actor = SYSTEM) -> Event:
    """Every planned round and the cut, if there is one; the left seat wins everywhere. It is not finished yet."""
    from tournaments.services import cut, rounds

    play_round(event, by=by)
    while event.rounds.count() < Event.objects.get(pk=event.pk).rounds_planned:
        play_round(event, by=by)
    if event.cut_size:
        row: Round | None = cut.start(event, by=by, at=event.starts_at)
        while row is not None:
            rounds.publish(event, row.number, by=by, at=event.starts_at)
            finish_tables(event, by=by)
            row = None if cut.over(sheet(event)) else cut.next_round(event, by=by, at=event.starts_at)
    event.refresh_from_db()
    return event


def make_finished_event(store: Store | None = None, *, players: int = 8, **fields: Any) -> Event:
    return make_finished(play_event(make_event(store, players=players, **fields)))


def make_finished(event: Event) -> Event:
    """Every round is played: close it."""
    from tournaments.services import events

    events.finish(event, by=SYSTEM, at=event.starts_at + timedelta(hours=3))
    event.refresh_from_db()
    return event


def make_big_event(players: int = 500, rounds: int = 3, *, open_round: bool = True, **fields: Any) -> Event:
    """Many players by bulk: `rounds` decided rounds, and one more published without results if `open_round`.

    Seated by turning one half against the other, not by the rules: it is for measuring what reads and writes.
    """
    event = make_event(players=players, rounds=rounds + 3, **fields)
    everybody = list(event.registrations.select_related("player"))
    for turn in range(rounds + open_round):
        row = seat_in_a_circle(event, everybody, turn)
        if turn < rounds:
            decide_all(event, row)
    return event


def seat_in_a_circle(event: Event, everybody: list[Registration], turn: int) -> Round:
    from tournaments.services import seating
    from tournaments.services.journal import change

    half = len(everybody) // 2
    left, right = everybody[:half], everybody[half : 2 * half]
    pairs = [(a, right[(i + turn) % half]) for i, a in enumerate(left)]
    with change(event, "round.pair", by=SYSTEM, at=event.starts_at) as write:
        row = write.add(Round(event=write.event, number=turn + 1, seed="7"))
        seating.seat(write, row, pairs, byes=everybody[2 * half :])
        write.set(row, status=Round.Status.PUBLISHED, published_at=event.starts_at)
        write.set(write.event, status=Event.Status.RUNNING)
    return row


def decide_all(event: Event, row: Round) -> None:
    """Every table of a round in six queries: the left seat wins, every fifth table is drawn. As rows, without a log."""
    tables = list(row.matches.filter(kind=Match.Kind.TABLE).prefetch_related("seats__registration__player"))
    games = (1, 0, 0) if event.best_of == 1 else (2, 0, 0)
    drawn = (0, 0, 1) if event.best_of == 1 else (1, 1, 1)
    revisions = [
        ResultRevision(match=match, number=1, kind="decision", at=event.starts_at, **words)
        for match in tables
        for words in [
            {"outcome": "draw", "games": list(drawn)}
            if (match.table or 0) % 5 == 0
            else {"outcome": "win", "games": list(games), "winner": match.seats.all()[0].registration.player}
        ]
    ]
    ResultRevision.objects.bulk_create(revisions)
    said = ResultRevision.objects.filter(match=OuterRef("pk"))
    current = {name: Subquery(said.values(name)[:1]) for name in ("outcome", "winner")}
    matches = row.matches.filter(kind=Match.Kind.TABLE)
    matches.update(state="done", version=1, current=Subquery(said.values("pk")[:1]), **current)
    matches.update(drawn_games=Case(When(outcome="draw", then=drawn[2]), default=0))
    seats = Seat.objects.filter(match__in=matches)
    level = seats.filter(match__outcome="draw").values_list("pk", flat=True)
    Seat.objects.filter(pk__in=list(level)).update(games=drawn[0])
    for position in (0, 1):
        ids = seats.filter(position=position, match__outcome="win").values_list("pk", flat=True)
        Seat.objects.filter(pk__in=list(ids)).update(games=games[position])
