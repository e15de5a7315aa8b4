"""Who comes to an event of the demonstration, when they signed up and with which element."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from decks.models import Element
from kounter_site.demonstration.calendar import Plan
from kounter_site.demonstration.cast import Cast
from players.models import Player
from tournaments.models import Event, Registration
from tournaments.services.registrations import new_secret

LATE = 0.2  # of the nights have somebody who comes after round 1 was paired
VISITORS = 3


@dataclass(frozen=True, slots=True)
class Crowd:
    """Rows that are not saved yet, in order of arrival; `late` comes during round 1 (TOURNAMENT_RULES 5.2)."""

    early: list[Registration]
    late: list[Registration]

    @property
    def rows(self) -> list[Registration]:
        return [*self.early, *self.late]


def crowd_of(cast: Cast, plan: Plan, event: Event, rng: Random, busy: set[int]) -> Crowd:
    """`busy`: who plays elsewhere that day; the crowd is added to it. Newcomers are only found in recent weeks."""
    people = choose(cast, plan, rng, busy | (set() if plan.recent else cast.newcomers))
    busy.update(player.pk for player in people)
    early = enrolled(cast, event, people, rng)
    late = [early.pop()] if len(early) > 10 and rng.random() < LATE else []
    for row in late:
        row.first_round, row.missed_as_losses = 2, rng.random() < 0.5
        row.at = event.starts_at + timedelta(minutes=6)
    return Crowd(early, late)


def choose(cast: Cast, plan: Plan, rng: Random, busy: set[int]) -> list[Player]:
    fewest, most = plan.people
    wanted = rng.randint(fewest, most)
    if plan.from_everywhere:
        everybody = shuffled((p for people in cast.people.values() for p in people if p != cast.heroine), rng, busy)
        return [cast.heroine, *everybody[: wanted - 1]]
    own = shuffled(cast.people[plan.place.province], rng, busy)
    visitors = shuffled((p for province in plan.place.guests for p in cast.people[province]), rng, busy)
    few = rng.randint(0, VISITORS)
    people = [*own[: wanted - few], *visitors[:few]]
    return people if len(people) >= fewest else [*own, *visitors][:fewest]


def shuffled(people: Iterable[Player], rng: Random, busy: set[int]) -> list[Player]:
    free = [player for player in people if player.pk not in busy]
    rng.shuffle(free)
    return free


def enrolled(cast: Cast, event: Event, people: Iterable[Player], rng: Random) -> list[Registration]:
    """Whoever has an account signs up some day of the week before, guests ten minutes before the start."""
    rows = [
        Registration(
            event=event,
            player=player,
            element=element_of(cast, player, rng),
            paid=rng.random() < 0.8,
            secret="" if player.user_id else new_secret(),
            at=arrival(event, player, rng),
        )
        for player in people
    ]
    rows.sort(key=lambda row: row.at)
    for order, row in enumerate(rows, 1):
        row.order = order
    return rows


def arrival(event: Event, player: Player, rng: Random) -> datetime:
    minutes = rng.randint(60, 5 * 24 * 60) if player.user_id else 10
    return event.starts_at - timedelta(minutes=minutes)


def element_of(cast: Cast, player: Player, rng: Random) -> Element | None:
    """Mostly their own, sometimes another; some say nothing."""
    first, second = cast.elements[player.pk]
    return rng.choices((first, second, None), (75, 18, 7))[0]
