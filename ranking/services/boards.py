"""The rows of every board of a snapshot: scopes and their crossings with elements, by rating and by points (RANKING 3).

Boards are named as in the model: `es`, `ES-TE`, `tienda:slug`, alone or with `+element`.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from ranking.boards import Candidate, board, board_score, missing, printed, ranked
from ranking.queries import RATING, board_name, points_order, store_board
from ranking.ratings.parameters import Parameters
from ranking.services.awards import Award
from ranking.services.inputs import EventRead, Person, SeasonRead, current_season
from ranking.tuning import Tuning

SPARK = 12  # how many ratings the line in a row shows


@dataclass(slots=True)
class Tally:
    """What somebody played: all in all, or with one element."""

    matches: int = 0
    opponents: set[int] = field(default_factory=set)
    last_day: date = date.min

    def add(self, opponent: int, day: date, matches: int) -> None:
        self.matches += matches
        self.opponents.add(opponent)
        self.last_day = max(self.last_day, day)


@dataclass(slots=True)
class Stores:
    """Matches and the last day in each store."""

    matches: Counter[str] = field(default_factory=Counter)
    last_day: dict[str, date] = field(default_factory=dict)

    def add(self, store: str, day: date, matches: int) -> None:
        self.matches[store] += matches
        self.last_day[store] = max(day, self.last_day.get(store, day))

    @property
    def most(self) -> str:
        """Most matches, the most recent at a tie."""
        return max(self.matches, key=lambda s: (self.matches[s], self.last_day[s], s), default="")

    @property
    def newest(self) -> str:
        return max(self.matches, key=lambda s: (self.last_day[s], self.matches[s], s), default="")


@dataclass(slots=True)
class Career:
    """What the boards know of a player beside his rating."""

    whole: Tally = field(default_factory=Tally)
    elements: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    stores: Stores = field(default_factory=Stores)
    by_season: dict[int, Stores] = field(default_factory=lambda: defaultdict(Stores))

    @property
    def element(self) -> str:
        """The one played most, the most recent at a tie."""
        return max(self.elements, key=lambda e: (self.elements[e].matches, self.elements[e].last_day, e), default="")

    def home(self, pinned: str, season: int | None) -> str:
        """RANKING 3: a pinned store where he has played, else most matches this season; whoever has not played in it
        keeps the store of his last match."""
        if pinned in self.stores.matches:
            return pinned
        this = self.by_season.get(season) if season is not None else self.stores
        return this.most if this else self.stores.newest


def careers(events: Iterable[EventRead], seasons: Sequence[SeasonRead]) -> dict[int, Career]:
    found: dict[int, Career] = defaultdict(Career)
    for event in events:
        running = [season.id for season in seasons if event.day in season]
        seen: set[tuple[int, int]] = set()
        for match in event.matches:
            for player, opponent in ((match.a, match.b), (match.b, match.a)):
                new = (match.match, player) not in seen  # the pairs of a table of several are one match
                seen.add((match.match, player))
                add_match(found[player], event, player, opponent, running, int(new))
    return found


def add_match(
    career: Career, event: EventRead, player: int, opponent: int, seasons: Iterable[int], matches: int
) -> None:
    """`matches`: 1, or 0 for another rival at a table of several."""
    career.whole.add(opponent, event.day, matches)
    if element := event.entries[player].element:
        career.elements[element].add(opponent, event.day, matches)
    career.stores.add(event.store, event.day, matches)
    for season in seasons:
        career.by_season[season].add(event.store, event.day, matches)


# -- rows --------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Row:
    """As in the model BoardRow."""

    board: str
    order: str
    position: int
    rank: int | None
    player: int
    value: int
    margin: int = 0
    missing_matches: int = 0
    missing_opponents: int = 0


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's rating on the board's day: printed points less one deviation, and the deviation as printed."""

    score: int
    margin: int


@dataclass(frozen=True, slots=True)
class Table:
    """Everything that boards are made of."""

    people: Mapping[int, Person]
    careers: Mapping[int, Career]
    ratings: Mapping[int, Standing]
    seasons: Sequence[SeasonRead]
    awards: Mapping[int, Sequence[Award]]  # by season id
    opponents: Mapping[int, int]
    day: date
    tuning: Tuning

    @property
    def listed(self) -> list[Person]:
        """Whoever may stand on a board: not the retired (case 54)."""
        return [person for player, person in self.people.items() if not person.retired and player in self.careers]

    @property
    def season(self) -> int | None:
        season = current_season(self.seasons, self.day)
        return season.id if season else None


def standing(mu: float, var: float, idle_days: int, parameters: Parameters) -> Standing:
    """The margin is what is left to the printed rating, so that value and margin always add up to it."""
    score = board_score(mu, var, idle_days, parameters)
    return Standing(score, max(0, printed(parameters.points(mu)) - score))


def scopes(person: Person, home: str) -> list[str]:
    province = [person.province] if person.province else []
    return [person.country.lower(), *province, *([store_board(home)] if home else [])]


def rows(table: Table) -> Iterator[Row]:
    yield from rating_rows(table)
    for season in table.seasons:
        yield from points_rows(table, season)


def rating_rows(table: Table) -> Iterator[Row]:
    """An elemental board takes the overall rating of those who play the element (offsets come with the element's own
    rating), and asks for its minimum of matches and opponents with that element."""
    candidates: dict[str, list[Candidate]] = defaultdict(list)
    for person in table.listed:
        career = table.careers[person.id]
        home = career.home(person.pinned, table.season)
        tallies = [("", career.whole), *sorted(career.elements.items())]
        for element, tally in tallies:
            candidate = candidate_of(table, person, tally)
            for scope in scopes(person, home):
                candidates[board_name(scope, element)].append(candidate)
    for name in sorted(candidates):
        yield from rows_of_board(name, candidates[name], table)


def candidate_of(table: Table, person: Person, tally: Tally) -> Candidate:
    return Candidate(
        player=person.id,
        score=table.ratings[person.id].score,
        name=(person.sort_key, person.code),
        matches=tally.matches,
        opponents=len(tally.opponents),
        last_day=tally.last_day.toordinal(),
    )


def rows_of_board(name: str, candidates: Iterable[Candidate], table: Table) -> Iterator[Row]:
    divided = board(candidates, table.day.toordinal(), table.tuning.minimums)
    ordered = [(placed.rank, placed.row) for placed in divided.placed]
    ordered += [(None, candidate) for candidate, _ in divided.provisional]  # type: ignore[misc] # below, unplaced
    for position, (rank, candidate) in enumerate(ordered, start=1):
        lacks = missing(candidate.matches, candidate.opponents, table.tuning.minimums)
        margin = table.ratings[candidate.player].margin
        yield Row(
            board=name,
            order=RATING,
            position=position,
            rank=rank,
            player=candidate.player,
            value=candidate.score,
            margin=margin,
            missing_matches=lacks.matches,
            missing_opponents=lacks.opponents,
        )


def points_rows(table: Table, season: SeasonRead) -> Iterator[Row]:
    """On an elemental board count the points won with that element; the best finishes are those of the whole season."""
    totals: dict[tuple[int, str], int] = Counter()
    for award in table.awards[season.id]:
        if award.line.counted:
            totals[award.player, ""] += award.line.points
            if award.element:
                totals[award.player, award.element] += award.line.points
    boards: dict[str, dict[int, int]] = defaultdict(dict)
    for (player, element), points in totals.items():
        person = table.people[player]
        if points and not person.retired:
            home = table.careers[player].home(person.pinned, season.id)
            for scope in scopes(person, home):
                boards[board_name(scope, element)][player] = points
    for name in sorted(boards):
        yield from points_board(name, points_order(season.slug), boards[name], table.people)


def points_board(name: str, order: str, points: Mapping[int, int], people: Mapping[int, Person]) -> Iterator[Row]:
    def by_name(player: int) -> tuple[str, str]:
        return people[player].sort_key, people[player].code

    for position, placed in enumerate(ranked(points, score=points.__getitem__, name=by_name), start=1):
        yield Row(name, order, position, placed.rank, placed.row, points[placed.row])
