"""Random nights through the services: whatever happened, the event replays from its log and comes back from its backup.

Each seed is one night of 100 moves. What is refused is refused in words; anything else that is raised fails the test.
"""

import json
import random
from collections import Counter
from collections.abc import Callable

import pytest

from tests import make
from tests.services.test_files import gone, picture
from tournaments.models import Event, Match
from tournaments.queries import Sheet, sheet
from tournaments.services import backups, cut, events, journal, registrations, results, rounds
from tournaments.services.errors import Refused
from tournaments.services.journal import SYSTEM
from tournaments.services.verification import verify_event

pytestmark = pytest.mark.django_db

SEEDS = range(40, 44)
MOVES = 100


class Night:
    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        options = {"best_of": self.rng.choice([1, 3]), "cut": self.rng.choice([0, 0, 2, 4, 8])}
        self.event = make.make_event(players=self.rng.randint(4, 14), rounds=self.rng.choice([0, 3, 4]), **options)
        self.done: Counter[str] = Counter()

    def play(self) -> Event:
        others = [getattr(self, name) for name in dir(self) if name.startswith("do_")]
        for _move in range(MOVES):
            self.event = Event.objects.select_related("store").get(pk=self.event.pk)
            move = self.rng.choice([self.go_on] * 10 + others)
            try:
                move(sheet(self.event))
                self.done[move.__name__] += 1
            except Refused as refusal:
                self.done[refusal.code] += 1
        return Event.objects.select_related("store").get(pk=self.event.pk)

    def go_on(self, now: Sheet) -> None:
        step, seed = events.next_step(now), str(self.rng.random())
        moves: dict[str, Callable[[], object]] = {
            "pair": lambda: rounds.pair(self.event, step.number or 0, by=SYSTEM, seed=seed),
            "repair": lambda: rounds.repair(self.event, step.number or 0, by=SYSTEM, seed=seed),
            "publish": lambda: rounds.publish(self.event, step.number or 0, by=SYSTEM),
            "cut": lambda: (cut.next_round if now.cut_rounds else cut.start)(self.event, by=SYSTEM),
            "finish": lambda: events.finish(self.event, by=SYSTEM),
            "repeat": lambda: None,
        }
        if step.enabled:
            moves[step.action]()
        for match in now.open_matches:
            if self.rng.random() < 0.6:
                make.report(match, self.key(drawn=now.event.status == Event.Status.RUNNING))

    def key(self, *, drawn: bool = False) -> str:
        keys = ["1", "2", "x"] if self.event.best_of == 1 else ["20", "21", "12", "02", "11"]
        return self.rng.choice(keys if drawn else keys[:2])

    def one(self, now: Sheet) -> registrations.Registration:
        return self.rng.choice(now.registrations)

    def match(self, now: Sheet, *, newest: bool = False) -> Match:
        shown = [now.current_round] if newest else now.published_rounds
        matches = [m for row in shown for m in now.matches(row) if m.done and m.kind == Match.Kind.TABLE]
        if not matches:
            raise Refused("nothing is decided yet", code="nothing")
        return self.rng.choice(matches)

    def number(self, now: Sheet) -> int:
        return now.current_round.number if now.current_round else 1

    def do_drop(self, now: Sheet) -> None:
        registrations.drop(self.one(now), by=SYSTEM)

    def do_undrop(self, now: Sheet) -> None:
        registrations.undrop(self.one(now), by=SYSTEM, reason="Vuelve")

    def do_late(self, now: Sheet) -> None:
        choices: list[registrations.LateChoice] = ["bye_seat", "losses", "nothing"]
        registrations.enter_late(self.event, "Tardona", by=SYSTEM, choice=self.rng.choice(choices))

    def do_undo(self, now: Sheet) -> None:
        if (entry := journal.next_undo(self.event)) is not None:
            journal.undo(self.event, entry.number, by=SYSTEM)

    def do_swap(self, now: Sheet) -> None:
        rounds.swap(self.event, self.number(now), self.one(now), self.one(now), "Hermanos", by=SYSTEM)

    def do_correct(self, now: Sheet) -> None:
        match, then = self.match(now), self.rng.choice(["keep", "repair_open"])
        said = results.parse_score(self.key(), self.event.best_of, match.seat_list)
        results.correct(match, said, by=SYSTEM, reason="Al revés", then="keep" if then == "keep" else "repair_open")

    def do_repair_open(self, now: Sheet) -> None:
        rounds.repair_open_tables(self.event, self.number(now), "Error", by=SYSTEM, seed=str(self.rng.random()))

    def do_undo_round(self, now: Sheet) -> None:
        if self.rng.random() < 0.4:
            rounds.undo_round(self.event, self.number(now), "Error", by=SYSTEM)

    def do_clear(self, now: Sheet) -> None:
        results.clear(self.match(now, newest=True), by=SYSTEM, reason="Error")

    def do_disqualify(self, now: Sheet) -> None:
        if self.rng.random() < 0.2:
            registrations.disqualify(self.one(now), by=SYSTEM, reason="Trampas")

    def do_assign_bye(self, now: Sheet) -> None:
        registrations.assign_bye(self.one(now), self.rng.random() < 0.5, by=SYSTEM)

    def do_reopen(self, now: Sheet) -> None:
        events.reopen(self.event, by=SYSTEM, reason="Corregir")


def replayed(seed: int) -> Counter[str]:
    night = Night(seed)
    event = night.play()
    report = verify_event(event)
    assert report.ok, (seed, report.differs, night.done)
    data, before, store = json.loads(json.dumps(backups.backup(event))), picture(event), event.store
    gone(event)
    back = backups.restore(data, store, by=SYSTEM)
    assert picture(back) == before, seed
    assert verify_event(back).ok, seed
    gone(back)
    return night.done


def test_random_nights_replay_and_come_back() -> None:
    """With a probe: nights that never drop, correct or undo anything would prove nothing."""
    total = Counter[str]()
    for seed in SEEDS:
        total += replayed(seed)
    assert [name for name in dir(Night) if name.startswith("do_") and not total[name]] == [], total
    assert total["go_on"] > 30 * len(SEEDS)
