"""Tables as the console shows them: who sits there, what each says, and the keys that decide it."""

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from tournaments.models import Match, Registration, Round, Seat
from tournaments.queries import Sheet
from tournaments.services import results
from tournaments.services.errors import Refused
from tournaments.services.results import Statement
from tournaments.swiss.scoring import points_after
from tournaments.web import pods
from tournaments.web.naming import staff_tags

NEED = {Match.State.CONFLICT: 0, Match.State.CLAIMED: 1, Match.State.OPEN: 2, Match.State.DONE: 3}
PIPS = {
    Match.State.CONFLICT: "conflict",
    Match.State.CLAIMED: "half",
    Match.State.OPEN: "missing",
    Match.State.DONE: "agreed",
}
WAYS = {
    "ascension": _("by Ascension"),
    "aniquilacion": _("by Annihilation"),
    "tiempo": _("on time"),
    "concesion": _("by concession"),
}
# What a key says and what it means; in the cut nothing is drawn (rule 7.2).
SCORES = {1: ("1", "x", "2"), 3: ("20", "21", "12", "02")}
OTHERS = {
    1: ("1f", "2f", "xp", "dp", "np"),
    3: ("11", "00", "10", "01", "20f", "02f", "00p", "dp", "np"),
}  # the same keys as at the counter (services.results.parse_score)


@dataclass(frozen=True, slots=True)
class Key:
    """One button that decides a table: its value in the form, its face, and its accessible name."""

    value: str
    face: str
    words: str
    current: bool = False
    wins: bool = True


@dataclass(frozen=True, slots=True)
class Side:
    registration: Registration
    name: str
    call: str  # as one calls across the shop: the first name, unless both have it
    points: int
    seed: int | None  # in the cut: the frozen place it was seeded by (rule 7.1, case 47)
    claim: str  # "says: won by Ascension"; "" when this player has said nothing
    accept: Key | None  # the button that takes this player's word
    won: bool
    tag: str = ""  # the public code, where another in this event is called the same (CASES 51)
    seat: int = 0  # from 1: what is typed at a table of several


@dataclass(frozen=True, slots=True)
class Table:
    match: Match
    label: str
    state: str
    sides: tuple[Side, ...]
    keys: tuple[Key, ...]
    result: str  # in words, "" while open

    @property
    def playable(self) -> bool:
        """A table, whose result somebody says."""
        return self.match.kind == Match.Kind.TABLE

    @property
    def places(self) -> dict[str, Any] | None:
        """The form of a table of several, with what stands; None where two play each other."""
        if not self.match.is_pod:
            return None
        now = results.current_statement(self.match)
        return pods.places_form(self.match, lambda row: row.person.name, now.places if now else None)

    @property
    def kept(self) -> str:
        """Names the form of this state of the table: what is half chosen in it survives the list's renewal."""
        return f"places-{self.match.pk}-{self.match.version}"

    @property
    def names(self) -> str:
        """By seat, for the browser's preview of what is typed."""
        return "|".join(side.call for side in self.sides)

    @property
    def pip(self) -> str:
        return PIPS[Match.State(self.match.state)]

    @property
    def form_key(self) -> str:
        """Of this showing of the form: sent twice it is one result (rule 1.5)."""
        return secrets.token_urlsafe(9)

    @property
    def ficha(self) -> str:
        """The tile's variant in the list."""
        return {"half": "half", "missing": "hollow"}.get(self.pip, "")

    @property
    def accept(self) -> Key | None:
        """The one report that waits for the other player's."""
        return next((side.accept for side in self.sides if side.accept), None) if self.claimed else None

    @property
    def conflict(self) -> bool:
        return self.match.state == Match.State.CONFLICT

    @property
    def claimed(self) -> bool:
        return self.match.state == Match.State.CLAIMED


def tables_of(sheet: Sheet, round: Round) -> list[Table]:
    """Every table of a round in room order, byes last. Points are those before the round."""
    points = points_after(sheet.tournament, round.number - 1)
    points_by_id = {pk: points.get(key, 0) for pk, key in sheet.key_of.items()}
    seeds = seeds_of(sheet, round)
    return [table_of(sheet, round, match, points_by_id, seeds) for match in sheet.matches(round)]


def seeds_of(sheet: Sheet, round: Round) -> dict[int, int]:
    """Registration to seed, as the first round of the cut stored them; one query, none in Swiss rounds."""
    if round.kind != Round.Kind.CUT:
        return {}
    keys = sheet.cut_rounds[0].input.get("seeds", [])
    return {sheet.by_key[key].pk: seed for seed, key in enumerate(keys, 1) if key in sheet.by_key}


def by_need(tables: Iterable[Table]) -> list[Table]:
    """Open ones; first those that need a person: reports that differ, then one report waiting for the other."""
    waiting = [table for table in tables if not table.match.done]
    return sorted(waiting, key=lambda table: (NEED[Match.State(table.match.state)], table.match.table or 0))


def table_alone(sheet: Sheet, round: Round, match: Match) -> Table:
    """One table, with the points before its round."""
    points = points_after(sheet.tournament, round.number - 1)
    return table_of(sheet, round, match, {pk: points.get(key, 0) for pk, key in sheet.key_of.items()})


def table_of(
    sheet: Sheet, round: Round, match: Match, points: Mapping[int, int], seeds: Mapping[int, int] | None = None
) -> Table:
    best_of, cut = sheet.event.best_of, round.kind == Round.Kind.CUT
    calls, tagged = call_names([seat.registration.person.name for seat in match.seat_list]), staff_tags(sheet)
    sides = tuple(side_of(match, seat, calls, points, seeds or {}, tagged) for seat in match.seat_list)
    playable = match.kind == Match.Kind.TABLE
    return Table(
        match,
        str(match.table or "–"),
        match.state,
        sides,
        keys=keys_of(match, best_of, cut) if playable and not match.is_pod else (),
        result=result_words(match) if match.done else "",
    )


def side_of(
    match: Match,
    seat: Seat,
    calls: list[str],
    points: Mapping[int, int],
    seeds: Mapping[int, int],
    tagged: Mapping[int, str],
) -> Side:
    registration = seat.registration
    return Side(
        registration,
        registration.person.name,
        calls[match.seat_list.index(seat)],
        points.get(registration.pk, 0),
        seeds.get(registration.pk),
        claim=claim_words(seat) if claimed(seat) else "",
        accept=accept_key(match, seat, calls) if claimed(seat) else None,
        won=seat.won,
        tag=tagged.get(registration.pk, ""),
        seat=seat.position + 1,
    )


def claimed(seat: Seat) -> bool:
    return seat.claim_id is not None and not seat.match.done


def call_names(names: list[str]) -> list[str]:
    """
    >>> call_names(["Nuria Candil", "Xoán Lapislázuli"]), call_names(["Ana Trasgo", "Ana Peña"])
    (['Nuria', 'Xoán'], ['Ana Trasgo', 'Ana Peña'])
    """
    first = [name.split()[0] for name in names]
    return first if len(set(first)) == len(first) else names


def caller(match: Match) -> pods.Name:
    """What each is called at that table."""
    names = call_names([seat.registration.person.name for seat in match.seat_list])
    by_row = {seat.registration_id: name for seat, name in zip(match.seat_list, names, strict=True)}
    return lambda row: by_row[row.pk]


# -- keys --------------------------------------------------------------------------------------------------------------
def keys_of(match: Match, best_of: int, cut: bool) -> tuple[Key, ...]:
    scores = [score for score in SCORES[best_of] if not (cut and score == "x")]
    return tuple(key_of(match, score, best_of) for score in scores)


def every_key(match: Match, best_of: int, cut: bool) -> list[Key]:
    return [*keys_of(match, best_of, cut), *more_keys(match, best_of, cut)]


def more_keys(match: Match, best_of: int, cut: bool) -> tuple[Key, ...]:
    """Everything else that can happen at a table (rule 1.1)."""
    keys = [key_of(match, value, best_of) for value in OTHERS[best_of]]
    return tuple(key for key in keys if not cut or key.wins)


def key_of(match: Match, value: str, best_of: int) -> Key:
    statement = statement_of(match, value, best_of)
    current = match.done and same_result(match, statement)
    return Key(value, face_of(value), statement_words(statement), current, wins=statement.winner is not None)


def face_of(value: str) -> str:
    if value in SCORES[1]:
        return value.upper()
    return f"{value[0]}–{value[1]}" if value.isdigit() else ""


def same_result(match: Match, statement: Statement) -> bool:
    """Whether the table already says that; how it was won is not asked."""
    winner = statement.winner.player_id if statement.winner else None
    if (match.outcome, match.winner_id) != (str(statement.outcome), winner):
        return False
    games = tuple(seat.games for seat in match.seat_list)
    return statement.games is None or None in games or (*games, match.drawn_games or 0) == tuple(statement.games)


def statement_of(match: Match, value: str, best_of: int, how: str = "") -> Statement:
    """The statement behind a key, or behind what was typed; Refused when it says nothing."""
    if value.startswith("claim_"):
        return statement_of_claim(match, value)
    if match.is_pod:
        return results.parse(value, match)
    return results.parse_score(value + how[:1], best_of, match.seat_list)


def statement_of_claim(match: Match, value: str) -> Statement:
    """What the player in that seat reported; Refused when the report is gone meanwhile."""
    seat = next((seat for seat in match.seat_list if value == f"claim_{seat.position}"), None)
    if seat is None or seat.claim is None:
        raise Refused(_("That report is no longer there. Look at the table again."), code="no_claim", rule="1.5")
    return results.spoken(seat.claim, match)


def accept_key(match: Match, seat: Seat, calls: list[str]) -> Key:
    value = f"claim_{seat.position}"
    statement = statement_of_claim(match, value)
    if match.is_pod:
        words = pods.statement_words(statement, match, caller(match))
        return Key(value, gettext("Accept"), gettext("Accept: %(result)s") % {"result": words})
    if match.state == Match.State.CLAIMED:
        return Key(value, gettext("Accept"), gettext("Accept: %(result)s") % {"result": statement_words(statement)})
    call = next((c for s, c in zip(match.seat_list, calls, strict=True) if s.registration == statement.winner), None)
    face = gettext("%(name)s won") % {"name": call} if call else gettext("It was a draw")
    score = games_words(statement.games)
    return Key(value, f"{face} {score}" if score and call else face, statement_words(statement))


# -- words -------------------------------------------------------------------------------------------------------------
def games_words(games: tuple[int, int, int] | None) -> str:
    """From the winner's side; "" in best of 1 and where unknown."""
    if games is None or sum(games) <= 1:
        return ""
    high, low = max(games[:2]), min(games[:2])
    return f"{high}–{low}"


def statement_words(statement: Statement, how: bool = True) -> str:
    """ "Íñigo Zarzuelo wins 2–1 by Ascension"."""
    outcome, winner = Match.Outcome(statement.outcome), statement.winner
    score = games_words(statement.games)
    if winner is not None:
        values = {"name": winner.person.name, "score": score}
        if outcome == Match.Outcome.FORFEIT:
            return gettext("%(name)s wins by forfeit: the other did not come") % values
        said = gettext("%(name)s wins %(score)s") if score else gettext("%(name)s wins")
        way = WAYS.get(statement.how) if how else None
        return f"{said % values} {way}" if way else said % values
    return drawn_words(outcome, score)


def drawn_words(outcome: str, score: str) -> str:
    if outcome == Match.Outcome.DRAW:
        return gettext("Draw %(score)s") % {"score": score} if score else gettext("Draw")
    return {
        Match.Outcome.INTENTIONAL_DRAW: gettext("Draw agreed without playing"),
        Match.Outcome.DOUBLE_LOSS: gettext("Both lose"),
        Match.Outcome.NOT_PLAYED: gettext("Not played"),
        Match.Outcome.BYE: gettext("Bye"),
        Match.Outcome.UNPAIRED_LOSS: gettext("Not seated, counts as lost"),
    }[Match.Outcome(outcome)]


def result_words(match: Match) -> str:
    """The result that stands, in words; needs `seat_list`."""
    statement = results.current_statement(match)
    assert statement is not None
    return words_of(statement, match)


def words_of(statement: Statement, match: Match) -> str:
    """A statement of that table in words; needs `seat_list`."""
    return pods.statement_words(statement, match) if match.is_pod else statement_words(statement)


def claim_words(seat: Seat) -> str:
    """What this player says of the match: "says: won 2–1 by Ascension"."""
    claim = seat.claim
    assert claim is not None
    if seat.match.is_pod:
        words = pods.statement_words(results.spoken(claim, seat.match), seat.match, caller(seat.match))
        return gettext("says: %(result)s") % {"result": words}
    score = games_words(tuple(claim.games)) if claim.games else ""
    if claim.winner_id is None:
        return gettext("says: %(result)s") % {"result": drawn_words(claim.outcome, score).lower()}
    mine = claim.winner_id == seat.registration.player_id
    said = gettext("says: won %(score)s") if mine else gettext("says: lost %(score)s")
    words = (said % {"score": score}).rstrip()
    return f"{words} {WAYS[claim.how]}" if claim.how in WAYS else words


def points_words(points: int) -> str:
    return ngettext("%(points)s point", "%(points)s points", points) % {"points": points}


def pips_words(tables: Iterable[Table]) -> str:
    """The tiles in words, for who does not see them."""
    groups = {"conflict": [], "half": [], "missing": [], "agreed": []}  # type: dict[str, list[str]]
    for table in tables:
        groups[table.pip].append(table.label)
    names = {
        "conflict": gettext("do not agree: %(tables)s"),
        "half": gettext("one has reported: %(tables)s"),
        "missing": gettext("without a result: %(tables)s"),
        "agreed": gettext("finished: %(tables)s"),
    }
    said = [names[state] % {"tables": ", ".join(found)} for state, found in groups.items() if found]
    return gettext("Tables %(groups)s") % {"groups": "; ".join(said)}
