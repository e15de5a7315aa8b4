"""A circuit told in a few letters, for tests of the ranking.

    cast = people("ABCD")
    night(cast, "2026-03-05", "A>B C=D", "A>C D!B")  # a win, a draw; D was absent from nothing: B lost by forfeit

`A>B` A beat B, `A=B` drew, `A~B` agreed to draw, `A!B` B did not come, `A` alone has the bye.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

from players.models import Player
from tests.make import element, enrol, make_event, make_player, make_store, number
from tournaments.models import Event, Match, Registration, ResultRevision, Round, Seat, Store
from tournaments.services import events, results
from tournaments.services.journal import SYSTEM

OUTCOMES = {">": "win", "=": "draw", "~": "intentional_draw", "!": "forfeit"}
NAMES = {"A": "Ángel Abanico", "B": "Begoña Botijo", "C": "Candela Cascabel", "D": "Domitila Dedal", "E": "Eloy Escoba"}

Cast = dict[str, Player]


def people(letters: str, **fields: Any) -> Cast:
    return {letter: make_player(NAMES.get(letter, f"{letter}ita Farolillo {number()}"), **fields) for letter in letters}


def night(
    cast: Mapping[str, Player],
    day: str | date,
    *rounds: str,
    store: Store | None = None,
    tier: str = "semanal",
    elements: Mapping[str, str] | None = None,
    finished: bool = True,
    backwards: bool = False,
) -> Event:
    """An event on that day of the store's calendar, finished by the service. backwards: its last round stored first."""
    day = date.fromisoformat(day) if isinstance(day, str) else day
    store = store or Store.objects.first() or make_store()
    start = datetime(day.year, day.month, day.day, 19, 0, tzinfo=store.zone).astimezone(UTC)
    event = make_event(store, at=start, tier=tier, status=Event.Status.RUNNING, rounds=len(rounds))
    letters = sorted({letter for round in rounds for letter in round if letter.isalpha()})
    entries = {
        x: enrol(event, cast[x], element=element((elements or {})[x]) if x in (elements or {}) else None)
        for x in letters
    }
    for n, tables in sorted(enumerate(rounds, 1), reverse=backwards):
        play(event, n, tables.split(), entries)
    return finish(event) if finished else event


def finish(event: Event) -> Event:
    events.finish(event, by=SYSTEM, at=event.starts_at + timedelta(hours=3))
    return Event.objects.get(pk=event.pk)


def play(event: Event, number: int, tables: Iterable[str], entries: Mapping[str, Registration]) -> None:
    row = Round.objects.create(event=event, number=number, status=Round.Status.PUBLISHED, published_at=event.starts_at)
    for place, table in enumerate(tables, 1):
        seat(event, row, place, table, entries)


def seat(event: Event, row: Round, table: int, text: str, entries: Mapping[str, Registration]) -> None:
    if len(text) == 1:
        match = Match.objects.create(event=event, round=row, kind="bye", state="done", outcome="bye")
        Seat.objects.create(match=match, round=row, registration=entries[text], position=0)
        return
    a, sign, b = text
    won = sign in ">!"
    match = Match.objects.create(event=event, round=row, table=table)
    games = [1, 0] if won else [0, 0]
    for position, letter in enumerate((a, b)):
        seated = entries[letter]
        Seat.objects.create(match=match, round=row, registration=seated, position=position, games=games[position])
    winner = entries[a].player if won else None
    said = ResultRevision.objects.create(
        match=match,
        number=1,
        kind="decision",
        outcome=OUTCOMES[sign],
        winner=winner,
        games=[*games, 0],
        at=event.starts_at,
    )
    Match.objects.filter(pk=match.pk).update(current=said, state="done", outcome=said.outcome, winner=winner)


def match_between(event: Event, a: Player, b: Player) -> Match:
    return Match.objects.filter(event=event, seats__registration__player=a).get(
        pk__in=Match.objects.filter(seats__registration__player=b).values("pk")
    )


def correct(event: Event, a: Player, b: Player, score: str) -> Event:
    """The organiser corrects their match: "1" the one who sat first won, "2" the other, "x" nobody."""
    match = match_between(event, a, b)
    sitting = [row.registration for row in match.seats.select_related("registration").order_by("position")]
    said = results.parse_score(score, 1, sitting)
    results.correct(match, said, by=SYSTEM, reason="Apuntado al revés", at=later(event))
    return Event.objects.get(pk=event.pk)


def later(event: Event) -> datetime:
    """A moment after the event ended, for whoever computes."""
    return event.starts_at + timedelta(hours=4)
