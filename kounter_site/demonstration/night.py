"""One night of the past, from the first registration to the final standings.

The services' own inner halves pair, seat, hear and settle; what is here is who wins, who is late and what time it is.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import exp
from random import Random
from typing import Any

from kounter_site.demonstration.ledger import Later, Ledger
from tournaments.cut import brackets
from tournaments.models import Event, FrozenStandings, Match, Registration, ResultRevision, Round
from tournaments.queries import Sheet, thawed
from tournaments.services import cut, events, freezing, results, rounds, seating
from tournaments.services.journal import Actor
from tournaments.services.results import Bench, Statement
from tournaments.swiss.types import PlayerId

STEEP = 1.3  # how much a point of skill is worth
DRAWN = {1: 0.04, 3: 0.05}  # by best of
HEARTLESS = 0.25  # of the middle rounds end with somebody going home
BY_PLAYERS = 0.6  # the others are typed at the counter
MINUTE = timedelta(minutes=1)


class Memory(Sheet):
    """The sheet of rows without keys: rounds are told apart by their number."""

    def matches(self, round: Round | None) -> list[Match]:
        return [] if round is None else self.matches_by_round[round.number]


def win_probability(skills: Mapping[int, float], a: Registration, b: Registration) -> float:
    return 1 / (1 + exp(-STEEP * (skills[a.player_id] - skills[b.player_id])))


def played(rng: Random, skills: Mapping[int, float], match: Match, best_of: int, *, drawn: bool = True) -> Statement:
    """How a table ends. `drawn`: whether it may, which in the cut it may not (rule 7.2)."""
    a, b = (seat.registration for seat in match.seat_list)
    if drawn and rng.random() < DRAWN[best_of]:
        games = (0, 0, 1) if best_of == 1 else rng.choice(((1, 1, 0), (1, 1, 1), (0, 0, 1)))
        return Statement(Match.Outcome.DRAW, games=games)
    first = rng.random() < win_probability(skills, a, b)
    how = rng.choices([*Match.How][1:], (44, 42, 9, 5))[0]
    own, other = (1, 0) if best_of == 1 else (2, 0) if how == Match.How.CONCESSION or rng.random() < 0.55 else (2, 1)
    return Statement(Match.Outcome.WIN, a if first else b, (own, other, 0) if first else (other, own, 0), how)


def actor_of(row: Registration) -> Actor:
    return Actor(user=row.player.user, player=row.player)


@dataclass
class Night:
    """`roster` and `late` are saved rows, in order of arrival; the event is saved as it was made. `by`: the staff."""

    ledger: Ledger
    event: Event
    roster: list[Registration]
    late: list[Registration]
    skills: Mapping[int, float]
    by: Actor
    rng: Random
    repeats: str = ""  # slug of the week before
    at: datetime = field(init=False)
    rounds: list[Round] = field(init=False, default_factory=list)
    tables: dict[int, list[Match]] = field(init=False, default_factory=dict)
    here: list[Registration] = field(init=False, default_factory=list)

    def play(self) -> None:
        self.announce()
        self.enrol()
        self.at = self.event.starts_at + 4 * MINUTE
        for number in range(1, self.event.rounds_planned + 1):
            self.play_swiss(number)
        if self.event.cut_size:
            self.play_cut()
        self.finish()

    # -- writing --
    def sheet(self) -> Sheet:
        return Memory(self.event, self.here, self.rounds, self.tables)

    @contextmanager
    def action(self, name: str, by: Actor | None = None, data: dict[str, Any] | None = None) -> Iterator[Later]:
        write = Later(self.event, name, data or {})
        yield write
        self.ledger.record(write, by or self.by, self.at)
        for row in write.made:
            if isinstance(row, Round):
                self.rounds.append(row)
                self.tables[row.number] = []
        for row in write.made:
            if isinstance(row, Match):
                self.tables[row.round.number].append(row)

    # -- before --
    def announce(self) -> None:
        self.at = self.event.starts_at - timedelta(days=6)
        with self.action("event.create", data={"repeats": self.repeats} if self.repeats else {}):
            pass
        if self.event.status == Event.Status.DRAFT:
            self.at += 2 * MINUTE
            with self.action("event.open") as write:
                write.set(self.event, status=Event.Status.OPEN)

    def enrol(self) -> None:
        """Whoever has an account signs up by himself; guests are typed at the counter, all at once."""
        for row in self.roster:
            if row.player.user is not None:
                self.at = row.at
                self.enter([row], actor_of(row))
        if guests := [row for row in self.roster if row.player.user is None]:
            self.at = guests[0].at
            self.enter(guests, self.by)

    def enter(self, rows: list[Registration], by: Actor) -> None:
        with self.action("player.enter", by, {"players": [row.player_id for row in rows]}) as write:
            self.here += write.add_all(Registration, rows)

    # -- rounds --
    def play_swiss(self, number: int) -> None:
        self.pair(number)
        self.publish(number)
        if number == 1:
            self.let_in()
        self.hear(number)
        if 1 < number < self.event.rounds_planned:
            self.lose_heart(number)

    def pair(self, number: int) -> None:
        with self.action("round.pair", data={"round": number}) as write:
            now = self.sheet()
            tournament, pairing = rounds.decide(now, number, f"{self.rng.getrandbits(64):016x}")
            row = write.add(Round(event=self.event, number=number, **seating.record_of(now, tournament, pairing)))
            seating.seat_pairing(write, now, row, pairing)
            rounds.start(write, now, number)
            write.data |= {"tables": len(seating.tables_of(pairing)), "override": False}
        self.at += self.rng.randint(1, 3) * MINUTE

    def publish(self, number: int) -> None:
        with self.action("round.publish", data={"round": number}) as write:
            ends = self.at + self.event.minutes * MINUTE
            write.set(self.rounds[-1], status=Round.Status.PUBLISHED, published_at=self.at, ends_at=ends)
            rounds.consume_byes(write, self.sheet(), self.rounds[-1])

    def let_in(self) -> None:
        """Rule 5.2, while round 1 is played: from round 2 on, with the first one lost or with nothing."""
        for row in self.late:
            self.at = max(self.at, row.at)
            choice = "losses" if row.missed_as_losses else "nothing"
            with self.action("player.late", data={"choice": choice, "players": [row.player_id], "round": 2}) as write:
                self.here.append(write.add(row))
                rounds.assign_losses(write, self.sheet(), 2)

    def lose_heart(self, number: int) -> None:
        """Now and then somebody without a win goes home (rule 5.1)."""
        if self.rng.random() > HEARTLESS:
            return
        now = self.sheet()
        beaten = [row for row in now.standings() if not row.wins and not row.byes and not row.dropped]
        if beaten and len(now.active) > 8:
            self.drop(now.by_key[self.rng.choice(beaten).player], number)

    def drop(self, row: Registration, number: int) -> None:
        by = actor_of(row) if row.player.user else self.by
        data = {"players": [row.player_id], "last_round": number, "forfeits": [], "draft": None, "promoted": []}
        with self.action("player.drop", by, data) as write:
            write.set(row, status=Registration.Status.DROPPED, last_round=number, next_bye=False)

    # -- tables --
    def hear(self, number: int) -> None:
        """Every table of a round, in the order in which they end."""
        said: list[tuple[int, Callable[[], None]]] = []
        for match in self.tables[number]:
            if match.kind == Match.Kind.TABLE:
                said += self.result(match)
        began = self.at
        for minute, say in sorted(said, key=lambda each: each[0]):
            self.at = max(self.at, began + minute * MINUTE)
            say()
        self.at += self.rng.randint(2, 4) * MINUTE

    def result(self, match: Match) -> list[tuple[int, Callable[[], None]]]:
        minute = self.rng.randint(7, self.event.minutes - 1)
        swiss = match.round.kind == Round.Kind.SWISS
        said = results.checked(played(self.rng, self.skills, match, self.event.best_of, drawn=swiss), match, self.event)
        first, second = self.rng.sample(match.seat_list, 2)
        phones = first.registration.player.user and second.registration.player.user
        if phones and said.how != Match.How.CONCESSION and self.rng.random() < BY_PLAYERS:
            return [
                (minute, lambda: self.report(match, first.registration, said, 0)),
                (minute + 1, lambda: self.report(match, second.registration, said, 1)),
            ]
        return [(minute, lambda: self.decide(match, said))]

    def decide(self, match: Match, said: Statement) -> None:
        with self.action("result.decide", data=self.words(match, said)) as write:
            kind = ResultRevision.Kind.DECISION
            results.settle(write, [(match, said)], kind=kind, by=self.by, at=self.at, last={})

    def report(self, match: Match, row: Registration, said: Statement, last: int) -> None:
        by, seat = actor_of(row), results.seat_of(match, row)
        with self.action("result.report", by, self.words(match, said) | {"by": row.pk}) as write:
            key = f"{self.rng.getrandbits(64):016x}"
            results.hear(write, Bench(match, False, last), seat, said, by, self.at, key)

    def words(self, match: Match, said: Statement) -> dict[str, Any]:
        return results.log_data(match, said) | {"match": match}

    # -- the cut and the end --
    def play_cut(self) -> None:
        with self.action("cut.start") as write:
            now = self.sheet()
            frozen = self.freeze(write, FrozenStandings.Phase.SWISS, freezing.swiss_rows(now))
            seeds = self.seeds(now, frozen)
            source = {"seeds": seeds, "size": self.event.cut_size, "revision": frozen.revision}
            row = cut.place_round(write, now, cut.bracket(seeds), source)
            write.set(self.event, status=Event.Status.CUT)
            size, keys = self.event.cut_size, [now.by_key[key].pk for key in seeds]
            write.data |= {"round": row.number, "size": size, "seeds": keys}
        self.play_cut_round()
        while not cut.over(self.sheet()):
            self.next_cut_round()
            self.play_cut_round()

    def seeds(self, now: Sheet, frozen: FrozenStandings) -> list[PlayerId]:
        rows = thawed(now, frozen.rows)
        return brackets.seeds_of(rows, self.event.cut_size, cut.dropped(now))

    def next_cut_round(self) -> None:
        with self.action("cut.next") as write:
            now = self.sheet()
            write.data["round"] = cut.place_round(write, now, cut.following(now), {}).number

    def play_cut_round(self) -> None:
        number = self.rounds[-1].number
        self.at += MINUTE
        self.publish(number)
        self.hear(number)

    def freeze(self, write: Later, phase: FrozenStandings.Phase, rows: list[dict[str, Any]]) -> FrozenStandings:
        return write.add(FrozenStandings(event=self.event, phase=phase, revision=1, rows=rows, at=self.at))

    def finish(self) -> None:
        with self.action("event.finish") as write:
            now = self.sheet()
            if not self.event.cut_size:
                self.freeze(write, FrozenStandings.Phase.SWISS, freezing.swiss_rows(now))
            final = self.freeze(write, FrozenStandings.Phase.FINAL, events.final_rows(now, now.standings()))
            write.set(self.event, status=Event.Status.FINISHED, finished_at=self.at)
            write.data |= {"players": len(final.rows), "rounds": len(now.published_rounds), "revision": 1}
