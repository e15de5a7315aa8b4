"""What happens at the tables of one event, in the values of the Swiss core: nothing is written here."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import exp
from random import Random

from ranking.services.simulation.crowd import Regular
from tournaments.cut import brackets
from tournaments.cut.brackets import CutMatch, Slot
from tournaments.models import Event
from tournaments.queries import rules_of
from tournaments.swiss.pairing import Pairing, pair_round
from tournaments.swiss.rounds import suggested_rounds
from tournaments.swiss.scoring import games_to_win
from tournaments.swiss.standings import standings
from tournaments.swiss.types import Entrant, Games, Match, Outcome, PlayerId, Tournament

DRAW, FORFEIT, AGREED = 0.035, 0.007, 0.005
GIVE_UP = 0.12  # after a second loss
HOW = {"ascension": 44, "aniquilacion": 42, "tiempo": 9, "concesion": 5}


@dataclass(frozen=True, slots=True)
class Table:
    """A match as the core sees it, and how it was won; `slot`: its place in the bracket of the cut."""

    match: Match
    how: str = ""
    slot: int | None = None


@dataclass(frozen=True, slots=True)
class Played:
    """A round. Of a Swiss one, the exact input and the pairing that followed from it (TOURNAMENT_RULES 4.2)."""

    tables: list[Table]
    tournament: Tournament | None = None
    pairing: Pairing | None = None


@dataclass(eq=False)
class Night:
    """`event` is not saved yet. rounds: what was played. left: who dropped, after which round."""

    event: Event
    people: list[Regular]
    rounds: list[Played] = field(default_factory=list)
    left: dict[PlayerId, int] = field(default_factory=dict)
    by_key: dict[PlayerId, Regular] = field(init=False)

    def __post_init__(self) -> None:
        self.by_key = {PlayerId(person.player.code): person for person in self.people}

    @property
    def matches(self) -> list[Match]:
        return [table.match for played in self.rounds if played.pairing for table in played.tables]


def play(event: Event, people: Sequence[Regular], rng: Random) -> Night:
    """The rounds of rule 3, and the cut that the event asks for."""
    night = Night(event, list(people))
    event.rounds_planned = suggested_rounds(len(people))
    for number in range(1, event.rounds_planned + 1):
        night.rounds.append(swiss_round(night, number, rng))
        if number < event.rounds_planned:
            give_up(night, number, rng)
    if event.cut_size:
        night.rounds += cut_rounds(night, rng)
    return night


def tournament_of(night: Night) -> Tournament:
    entrants = [Entrant(key, last_round=night.left.get(key)) for key in night.by_key]
    return Tournament(night.event.reference, rules_of(night.event), tuple(entrants), tuple(night.matches))


def swiss_round(night: Night, number: int, rng: Random) -> Played:
    tournament = tournament_of(night)
    pairing = pair_round(tournament, number, f"{rng.getrandbits(64):016x}")
    numbers = pairing.tables or range(1, len(pairing.pairs) + 1)
    pairs = zip(pairing.pairs, numbers, strict=True)
    tables = [result(night, Match(number, a, b, None, table=table), rng) for (a, b), table in pairs]
    if pairing.bye:
        tables.append(Table(Match(number, pairing.bye, None, Outcome.BYE)))
    return Played(tables, tournament, pairing)


def result(night: Night, match: Match, rng: Random, *, in_cut: bool = False, slot: int | None = None) -> Table:
    """The stronger player wins more often; the cut knows neither draws nor absences (TOURNAMENT_RULES 7.2)."""
    assert match.b is not None
    if not in_cut and (odd := rng.random()) < DRAW + FORFEIT + AGREED:
        return oddity(night, match, odd, rng)
    a, b = night.by_key[match.a], night.by_key[match.b]
    first = rng.random() < 1 / (1 + exp(b.strength - a.strength))
    wins, lost = games_to_win(night.event.best_of), night.event.best_of == 3 and rng.random() < 0.45
    games = Games(wins, int(lost)) if first else Games(int(lost), wins)
    how = rng.choices(list(HOW), list(HOW.values()))[0]
    return Table(won(match, Outcome.WIN, games, first=first), how, slot)


def oddity(night: Night, match: Match, odd: float, rng: Random) -> Table:
    if odd < DRAW:
        games = Games(1, 1, 1) if night.event.best_of == 3 else Games(0, 0, 1)
        return Table(replace(match, outcome=Outcome.DRAW, games=games), "tiempo")
    if odd < DRAW + FORFEIT:
        wins, first = games_to_win(night.event.best_of), rng.random() < 0.5
        return Table(won(match, Outcome.FORFEIT, Games(wins, 0) if first else Games(0, wins), first=first))
    return Table(replace(match, outcome=Outcome.INTENTIONAL_DRAW, games=Games(0, 0, night.event.best_of)))


def won(match: Match, outcome: Outcome, games: Games, *, first: bool) -> Match:
    return replace(match, outcome=outcome, winner=match.a if first else match.b, games=games)


def give_up(night: Night, number: int, rng: Random) -> None:
    """Whoever has lost twice may go home, while four are left to play."""
    lost = [key for m in night.matches if m.outcome == Outcome.WIN for key in m.players if key != m.winner]
    for key in sorted({key for key in lost if lost.count(key) >= 2} - night.left.keys()):
        if len(night.people) - len(night.left) > 4 and rng.random() < GIVE_UP:
            night.left[key] = number


def cut_rounds(night: Night, rng: Random) -> list[Played]:
    seeds = brackets.seeds_of(standings(tournament_of(night)), night.event.cut_size, night.left)
    pairs: list[tuple[Slot, Slot]] = list(brackets.first_round(seeds))
    rounds: list[Played] = []
    while pairs:
        number = night.event.rounds_planned + len(rounds) + 1
        rounds.append(Played([cut_table(night, number, slot, pair, rng) for slot, pair in enumerate(pairs)]))
        decided = [CutMatch(number, t.slot or 0, t.match.a, t.match.b, t.match.winner) for t in rounds[-1].tables]
        pairs = brackets.next_round(decided)
    return rounds


def cut_table(night: Night, number: int, slot: int, pair: tuple[Slot, Slot], rng: Random) -> Table:
    a, b = (pair[0], pair[1]) if pair[0] is not None else (pair[1], pair[0])
    assert a is not None
    if b is None:
        return Table(Match(number, a, None, Outcome.BYE), slot=slot)
    return result(night, Match(number, a, b, None, table=slot + 1), rng, in_cut=True, slot=slot)
