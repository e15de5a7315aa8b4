"""A circuit as columns: stores, their weekly nights, who came, who met whom and who won. Nothing is paired by rule."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from ranking.ratings.columns import Matches

REGULARS: Final = 400  # of a store; about twenty of them come on a night
WEEKS: Final = 104
ROUNDS: Final = 4
FIRST_DAY: Final = 19_723  # 2024-01-01, a Monday
ELEMENTS: Final = 6
DAYS: Final = (0.05, 0.08, 0.12, 0.25, 0.25, 0.2, 0.05)  # how many stores play on each day of the week
VISITORS, OTHER_ELEMENT, DRAWS = 0.02, 0.15, 0.04
LARGEST: Final = 80  # more stores than this, and everybody who visits one comes from another

type Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Circuit:
    """Entries are by event: those of event e are entries[e]:entries[e + 1].

    event_day, event_store: of each event. entry_player, entry_element: of each entry.
    match_event, match_round: of each match, by event; a, b: its two entries. half_points: of a.
    """

    players: int
    stores: int
    event_day: Ints
    event_store: Ints
    entries: Ints
    entry_player: Ints
    entry_element: Ints
    match_event: Ints
    match_round: Ints
    a: Ints
    b: Ints
    half_points: Ints

    @property
    def matches(self) -> Matches:
        day, a, b = self.event_day[self.match_event], self.entry_player[self.a], self.entry_player[self.b]
        return Matches.of(day, a, b, self.half_points, players=self.players)


def circuit(players: int, matches: int, seed: int = 1) -> Circuit:
    """About so many matches, never more than 3 % off."""
    rng = np.random.default_rng(seed)
    stores = max(1, players // REGULARS)
    regulars = players // stores
    size = 2 * max(2, round(matches / (stores * WEEKS * ROUNDS)))
    offset, coming = rng.choice(7, stores, p=DAYS), fields(rng, size, stores * WEEKS)
    event_store = np.tile(np.arange(stores), WEEKS)
    event_day = FIRST_DAY + 7 * np.repeat(np.arange(WEEKS), stores) + np.tile(offset, WEEKS)
    entries = np.concatenate(([0], np.cumsum(coming)))
    entry_event = np.repeat(np.arange(len(coming)), coming)
    home = (event_store[entry_event] + visits(rng, coming, stores)) % stores
    entry_player = home * regulars + seats(rng, coming, regulars)
    entry_element = rng.integers(0, ELEMENTS, players)[entry_player]
    other = rng.random(len(entry_player)) < OTHER_ELEMENT
    entry_element[other] = rng.integers(0, ELEMENTS, int(other.sum()))
    event, number, a, b = tables(rng, coming, entries)
    halves = results(rng, players, entry_player[a], entry_player[b])
    return Circuit(
        players,
        stores,
        event_day,
        event_store,
        entries,
        entry_player,
        entry_element,
        event,
        number,
        a,
        b,
        halves,
    )


def fields(rng: np.random.Generator, size: int, nights: int) -> Ints:
    """How many come to each night: even, around `size`."""
    spread = rng.integers(-(size // 4), size // 4 + 1, nights) * 2 if size >= 8 else np.zeros(nights, np.int64)
    return np.maximum(4, size + spread).astype(np.int64)


def seats(rng: np.random.Generator, coming: Ints, regulars: int) -> Ints:
    """Different regulars of one store on each night: a run of a shuffled store, from a random place of it."""
    night = np.repeat(np.arange(len(coming)), coming)
    place = np.arange(len(night)) - np.repeat(np.cumsum(coming) - coming, coming)
    start, step = rng.integers(0, regulars, len(coming)), coprime_steps(rng, len(coming), regulars)
    return (start[night] + step[night] * place) % regulars


def visits(rng: np.random.Generator, coming: Ints, stores: int) -> Ints:
    """How many stores away everybody is at home: mostly none, and no two of a night as many."""
    place = np.arange(int(coming.sum())) - np.repeat(np.cumsum(coming) - coming, coming)
    away = rng.random(len(place)) < (VISITORS if stores > LARGEST else 0)
    return np.where(away, 1 + place, 0)


def coprime_steps(rng: np.random.Generator, count: int, regulars: int) -> Ints:
    steps = np.array([n for n in range(1, regulars) if np.gcd(n, regulars) == 1] or [1])
    return rng.choice(steps, count)


def tables(rng: np.random.Generator, coming: Ints, entries: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Event, round and the two entries of each match: every round is drawn by lot, so that some meet again."""
    event = np.repeat(np.arange(len(coming)), coming)
    drawn = [np.argsort(event + rng.random(len(event))).reshape(-1, 2) for _ in range(ROUNDS)]
    pairs = np.stack(drawn, axis=1).reshape(-1, 2)  # every field is even, so that pairs never cross events
    number = np.tile(np.arange(1, ROUNDS + 1), len(event) // 2)
    return np.repeat(np.arange(len(coming)), coming // 2 * ROUNDS), number, pairs[:, 0], pairs[:, 1]


def results(rng: np.random.Generator, players: int, a: Ints, b: Ints) -> Ints:
    strength = rng.normal(0, 0.8, players)
    wins = rng.random(len(a)) < 1 / (1 + np.exp(strength[b] - strength[a]))
    return np.where(rng.random(len(a)) < DRAWS, 1, 2 * wins).astype(np.int64)
