"""One player's event, by narrow queries: a phone that asks does not load the five hundred others (DESIGN, State)."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from tournaments.models import PERSON, Event, Match, Registration, Round, Seat
from tournaments.queries import ListState, list_state_of, pod_points_of, rules_of
from tournaments.services import decks, results
from tournaments.services.results import Statement
from tournaments.swiss.pods.scoring import points_by_seat
from tournaments.swiss.scoring import OUTCOMES, award_points
from tournaments.swiss.types import POD_POINTS, Outcome


@dataclass(frozen=True, slots=True)
class Game:
    """A match of mine, in a round that everybody sees."""

    round: Round
    match: Match
    mine: Seat
    others: tuple[Seat, ...]

    @property
    def other(self) -> Seat | None:
        """Who sits opposite, where two play each other."""
        return self.others[0] if self.others and not self.match.is_pod else None

    @property
    def points(self) -> int:
        return points_from(self.match, self.mine.registration)

    @property
    def result(self) -> Statement | None:
        return results.current_statement(self.match)

    @property
    def said(self) -> Statement | None:
        return results.spoken(self.mine.claim, self.match) if self.mine.claim else None

    @property
    def rival_said(self) -> Statement | None:
        return results.spoken(self.other.claim, self.match) if self.other and self.other.claim else None

    def score(self, statement: Statement) -> str:
        """The games from my side, "2–1"; nothing in best of 1."""
        if statement.games is None or self.match.event.best_of == 1:
            return ""
        a, b, _drawn = statement.games
        return f"{a}–{b}" if self.mine.position == 0 else f"{b}–{a}"

    def won(self, statement: Statement) -> bool:
        return statement.winner is not None and statement.winner.pk == self.mine.registration_id


class MyDeck(NamedTuple):
    """`locked`: it is no more to be changed; `accepted`: the staff let me play with it as it is."""

    state: ListState
    locked: bool
    accepted: bool
    submission: int | None

    @property
    def trouble(self) -> bool:
        """There is something that I should do about it."""
        return self.state != ListState.LEGAL and not self.accepted


@dataclass
class Night:
    """`rounds`: all of the event, drafts included (a cut round takes its name from its place among them)."""

    event: Event
    me: Registration
    rounds: list[Round]
    games: list[Game]

    @cached_property
    def published(self) -> list[Round]:
        return [round for round in self.rounds if round.status == Round.Status.PUBLISHED]

    @property
    def round(self) -> Round | None:
        return self.published[-1] if self.published else None

    @property
    def current(self) -> Game | None:
        """My match of the newest published round, if I have one in it."""
        return self.games[-1] if self.games and self.games[-1].round is self.round else None

    @property
    def goes_on(self) -> bool:
        """Whether I only rest in this round of the cut: in a double elimination, with one loss at most (rule 7.3)."""
        if self.event.cut_format != Event.CutFormat.DOUBLE or self.event.status != Event.Status.CUT:
            return False
        mine = [game.match for game in self.games if game.round.kind == Round.Kind.CUT]
        lost = [match for match in mine if match.winner_id not in (None, self.me.player_id)]
        return bool(mine) and len(lost) < 2

    @cached_property
    def deck(self) -> "MyDeck | None":
        """How my list stands, where one is asked for. One query."""
        if not self.event.asks_for_lists:
            return None
        me = self.me
        return MyDeck(list_state_of(me), decks.locked(self.event, me), bool(me.deck_accepted), me.submission_id)

    @property
    def points(self) -> int:
        """Of the Swiss rounds: those of the cut count for nothing (rule 7)."""
        return sum(game.points for game in self.games if game.round.kind == Round.Kind.SWISS)


def night_of(event: Event, me: Registration) -> Night:
    """Three queries: rounds, my seats with their matches, and who else sat there."""
    rounds = {round.pk: round for round in event.rounds.defer("input", "criteria", "notes")}
    mine = Seat.objects.filter(registration=me, round__status=Round.Status.PUBLISHED).select_related("match", "claim")
    seats = list(mine.order_by("round__number"))
    others = opposite(seats)
    games = [game_of(event, rounds[seat.round_id], seat, others[seat.match_id], me) for seat in seats]
    return Night(event, me, list(rounds.values()), games)


def opposite(seats: Iterable[Seat]) -> dict[int, list[Seat]]:
    found: dict[int, list[Seat]] = defaultdict(list)
    rows = Seat.objects.filter(match__in=[seat.match_id for seat in seats]).exclude(pk__in=[seat.pk for seat in seats])
    for row in rows.select_related(f"registration__{PERSON}", "claim").order_by("position"):
        found[row.match_id].append(row)
    return found


def game_of(event: Event, round: Round, mine: Seat, others: Iterable[Seat], me: Registration) -> Game:
    """Tie the rows together so that nothing walks back to the database."""
    match = mine.match
    match.event, match.round, mine.registration = event, round, me
    match.seat_list = sorted([mine, *others], key=lambda seat: seat.position)
    for seat in match.seat_list:
        seat.match, seat.round = match, round
    return Game(round, match, mine, tuple(others))


def points_from(match: Match, registration: Registration) -> int:
    """What that player takes from a match (rule 1.4); nothing while it is open."""
    if match.outcome is None:
        return 0
    if match.is_pod:
        seats = match.seat_list
        worth = points_by_seat([seat.place for seat in seats], pod_points_of(match.event) or POD_POINTS)
        own = next(i for i, seat in enumerate(seats) if seat.registration_id == registration.pk)
        return 0 if match.outcome == Match.Outcome.NOT_PLAYED else worth[own]
    effect = OUTCOMES[Outcome(match.outcome)]
    won = match.winner_id == registration.player_id or match.outcome == Match.Outcome.BYE
    return award_points(effect.winner if won else effect.loser, rules_of(match.event).points)


def points_of(event: Event, registration: Registration, before: Round) -> int:
    """Somebody's Swiss points before a round. One query."""
    rows = Match.objects.filter(seats__registration=registration, round__number__lt=before.number)
    total = 0
    for match in rows.filter(round__kind=Round.Kind.SWISS):
        match.event = event
        total += points_from(match, registration)
    return total


def tables_missing(round: Round) -> int:
    """Tables of a round without an agreed result. One query."""
    return round.matches.filter(kind=Match.Kind.TABLE).exclude(state=Match.State.DONE).count()


def ahead_of(me: Registration) -> int:
    """How many wait before me (rule 5.6). One query."""
    waiting = me.event.registrations.filter(status=Registration.Status.WAITING)
    return waiting.filter(order__lt=me.order).count()
