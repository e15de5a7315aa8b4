"""When everybody plays: weeks of weeklies, a regional, a cup in each store the season before. Days count from today."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from kounter_site.demonstration.places import MAIN, PLACES, REGIONAL, WEEKDAYS, Place
from tournaments.models import Event

WEEKS = 8
DAY, WEEK = timedelta(days=1), timedelta(days=7)
SATURDAY, SUNDAY = 5, 6


@dataclass(frozen=True, slots=True)
class Plan:
    """An event to be played. `people`: how few and how many come; `from_everywhere`: from the whole country."""

    place: Place
    name: str
    starts: datetime  # local wall time
    tier: str = Event.Tier.WEEKLY
    series: bool = True
    best_of: int = 1
    rounds: int = 4
    cut: int = 0
    people: tuple[int, int] = (10, 16)
    from_everywhere: bool = False
    recent: bool = False  # in the last two weeks


def season_starts(today: date) -> date:
    """The first of a month, with all the weeks behind it."""
    return (today - WEEKS * WEEK - DAY).replace(day=1)


def half_a_year(start: date, halves: int) -> date:
    months = start.year * 12 + start.month - 1 + 6 * halves
    return date(months // 12, months % 12 + 1, 1)


def past(today: date) -> list[Plan]:
    """In order of time."""
    plans = [*cups(season_starts(today)), *weeklies(today), *late_sessions(today), regional(today)]
    return sorted(plans, key=lambda plan: (plan.starts, plan.place.slug))


def days_back(today: date) -> dict[str, int]:
    """By place, how many days ago its last weekly was. The day of the regional belongs to nobody's weekly."""
    free = [days for days in range(1, 7) if days != weekend(today)]
    busy = [place for place in PLACES if not place.tonight]
    return {place.slug: 7 for place in PLACES if place.tonight} | {
        place.slug: free[n % len(free)] for n, place in enumerate(busy)
    }


def weekend(today: date) -> int:
    """Days since the last Saturday; since the last Sunday where today is one."""
    return (today.weekday() - SATURDAY) % 7 or (today.weekday() - SUNDAY) % 7


def weekly_name(place: Place, day: date) -> str:
    return f"{WEEKDAYS[day.weekday()]} de {place.noun}"


def weeklies(today: date) -> Iterator[Plan]:
    """The last week of four ends in a Top 4."""
    for place in PLACES:
        last = today - days_back(today)[place.slug] * DAY
        for week in range(WEEKS):
            day = last - week * WEEK
            cut = 4 if week % 4 == 1 else 0
            starts = datetime.combine(day, place.starts)
            yield Plan(place, weekly_name(place, day), starts, cut=cut, recent=week < 2)


def late_sessions(today: date) -> Iterator[Plan]:
    """A second series of the main store; its last night was a week ago, so that «Repetir» makes tonight's."""
    place = next(place for place in PLACES if place.slug == MAIN)
    for week in (2, 1):
        day = today - week * WEEK
        name = f"{WEEKDAYS[day.weekday()]} golfo"
        yield Plan(place, name, datetime.combine(day, time(21, 30)), rounds=3, people=(8, 10))


def regional(today: date) -> Plan:
    place = next(place for place in PLACES if place.slug == REGIONAL)
    starts = datetime.combine(today - (weekend(today) + 7) * DAY, time(10, 0))
    regular = {"tier": Event.Tier.REGIONAL, "series": False, "best_of": 3, "rounds": 6, "cut": 8}
    return Plan(place, "Regional del Páramo", starts, people=(40, 40), from_everywhere=True, **regular)  # type: ignore[arg-type]


def cups(first_day: date) -> Iterator[Plan]:
    """What the season before is made of."""
    for number, place in enumerate(PLACES):
        day = first_day - (5 + 4 * number) * DAY
        starts = datetime.combine(day, time(11, 0))
        cup = {"tier": Event.Tier.STORE, "series": False, "best_of": 3, "cut": 4}
        yield Plan(place, f"Copa {place.name}"[:80], starts, **cup)  # type: ignore[arg-type]
