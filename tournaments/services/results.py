"""Results: what players say, what the staff decide, what is corrected later (TOURNAMENT_RULES 1, 6).

Every statement is a revision that stays; the match points at the one that counts. Points are never added up here: they
follow from the match rows (rule 2.1).
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from django.db.models import Exists, Max, OuterRef, Subquery, Value
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from players.models import Player
from tournaments.models import Event, Match, Registration, ResultRevision, Round, Seat
from tournaments.queries import Sheet, sheet
from tournaments.sentences.rounds import called
from tournaments.services import journal, seating
from tournaments.services.errors import Refused
from tournaments.services.journal import Actor, Change
from tournaments.swiss import types
from tournaments.swiss.pods.scoring import duels, finish, table_outcome
from tournaments.swiss.scoring import conceded, games_to_win, rates
from tournaments.swiss.standings import Standing, standings
from tournaments.swiss.types import PlayerId, Tournament

Outcome, State, How = Match.Outcome, Match.State, Match.How
WON = (Outcome.WIN, Outcome.FORFEIT)
DRAWN = (Outcome.DRAW, Outcome.INTENTIONAL_DRAW)
BY_PLAYERS = (Outcome.WIN, Outcome.DRAW, Outcome.INTENTIONAL_DRAW)
"""What players may report by themselves; absences and double losses are for the staff."""

Games = tuple[int, int, int]
Places = tuple[int | None, ...]
MAX_GOALS = 99


@dataclass(frozen=True, slots=True)
class Statement:
    """A result as somebody states it. `games`: those of seat 0, those of seat 1, drawn ones; None: not said.

    `places`: of a table of several, by seat; None in it: he did not play, and stands last.
    """

    outcome: str
    winner: Registration | None = None
    games: Games | None = None
    how: str = ""
    places: Places | None = None

    @property
    def core(self) -> tuple[str, int | None, Games | None, Places | None]:
        """What two reports must agree on (rule 1.5); how the game was won is a remark."""
        return self.outcome, self.winner.player_id if self.winner else None, self.games, self.places

    @property
    def decided(self) -> tuple[str, int | None]:
        """Who goes on, whatever the games."""
        return self.core[:2]


# -- reading what people type (UX: keys of the counter) ----------------------------------------------------------------
SUFFIXES: Mapping[str, str] = {"a": How.ASCENSION, "n": How.ANNIHILATION, "t": How.TIME, "c": How.CONCESSION}
WORDS: Mapping[str, str] = {"dp": Outcome.DOUBLE_LOSS, "np": Outcome.NOT_PLAYED}
SCORE = re.compile(r"^(?:(?P<key>[12x])|(?P<a>\d)(?P<b>\d)(?P<d>\d)?)(?P<suffix>[antcfp])?$")
LONG_SCORE = re.compile(
    r"^(?P<a>\d{1,2})\s*[-–:]\s*(?P<b>\d{1,2})(?:\s*[-–:]\s*(?P<d>\d{1,2}))?\s*(?P<suffix>[antcfp])?$"
)


def parse(text: str, match: Match) -> Statement:
    """What was typed of that table; needs `seat_list`."""
    if match.is_pod:
        return parse_order(text, match.seat_list)
    return parse_score(text, match.event.best_of, match.seat_list)


def parse_score(text: str, best_of: int, seats: Sequence[Seat | Registration]) -> Statement:
    """Keys: best of 1 `1 x 2`; best of 3 `20 21 12 02 11 10 01 00`, with drawn games `111` or `2-1-1`.

    A letter after it says how: a ascension, n annihilation, t time, c concession, f forfeit (the other was absent), p
    agreed draw. `dp` is a double loss, `np` not played. "x", "11" and "00" leave the unfinished game drawn (rule 1.2).
    """
    key = text.strip().lower()
    if key in WORDS:
        return Statement(WORDS[key])
    found = SCORE.match(key) or LONG_SCORE.match(key)
    if found is None:
        raise unknown_score(text, best_of)
    parts = found.groupdict()
    games = keyed(parts["key"], best_of) if parts.get("key") else numbered(parts, best_of)
    if games is None:
        raise unknown_score(text, best_of)
    sitting = [seat.registration if isinstance(seat, Seat) else seat for seat in seats]
    return spelt(games, parts["suffix"] or "", sitting, unknown_score(text, best_of))


def unknown_score(text: str, best_of: int) -> Refused:
    keys = "1 x 2" if best_of == 1 else "20 21 12 02 11 10 01 00"
    message = _("“%(text)s” is no result here. Write one of %(keys)s.") % {"text": text[:20], "keys": keys}
    return Refused(message, code="score_unknown", rule="1.2", data={"keys": keys.split()})


def keyed(key: str, best_of: int) -> Games | None:
    """One key is a whole match only in best of 1; in best of 3 it would hide whether it was 2-0 or 2-1."""
    if best_of != 1:
        return None
    return {"1": (1, 0, 0), "2": (0, 1, 0), "x": (0, 0, 1)}[key]


def numbered(parts: Mapping[str, str | None], best_of: int) -> Games | None:
    a, b = int(parts["a"] or 0), int(parts["b"] or 0)
    if parts["d"] is not None:
        return a, b, int(parts["d"])
    return a, b, 1 if a == b < games_to_win(best_of) and a + b < best_of else 0


def spelt(games: Games, suffix: str, sitting: Sequence[Registration], otherwise: Refused) -> Statement:
    a, b, _drawn = games
    if a == b:
        if suffix not in ("", "t", "p"):
            raise otherwise
        agreed = suffix == "p"
        return Statement(
            Outcome.INTENTIONAL_DRAW if agreed else Outcome.DRAW, games=None if agreed and not a else games
        )
    winner = sitting[0 if a > b else 1]
    if suffix == "p":
        raise otherwise
    if suffix == "f":
        return Statement(Outcome.FORFEIT, winner)
    return Statement(Outcome.WIN, winner, games, SUFFIXES.get(suffix, ""))


def parse_order(text: str, seats: Sequence[Seat | Registration]) -> Statement:
    """Keys of a table of several: the seats in the order of finish, `2143`; `2=143` shares the first place.

    Whoever is left out did not play and stands last. `np` is not played.
    """
    key = re.sub(r"[\s,.>-]", "", text.strip().lower())
    if WORDS.get(key) == Outcome.NOT_PLAYED:
        return Statement(Outcome.NOT_PLAYED)
    if not ORDER.match(key) or any(int(seat) > len(seats) for seat in key.replace("=", "")):
        raise unknown_order(text, len(seats))
    places: dict[int, int] = {}
    for sharing in re.findall(r"\d(?:=\d)*", key):
        found = [int(seat) - 1 for seat in sharing.split("=")]
        if len(set(found)) < len(found) or places.keys() & set(found):
            raise unknown_order(text, len(seats))
        places |= dict.fromkeys(found, len(places) + 1)
    return Statement(Outcome.WIN, places=tuple(places.get(seat) for seat in range(len(seats))))


ORDER = re.compile(r"^[1-4](?:=?[1-4]){0,3}$")


def unknown_order(text: str, seats: int) -> Refused:
    example = "2143"[:seats] if seats > 2 else "21"
    message = _("“%(text)s” is no order of finish here. Write the seats, the winner first: %(example)s.")
    values = {"text": text[:20], "example": "213" if seats == 3 else example}
    return Refused(message % values, code="score_unknown", rule="2.4.5")


# -- what a statement may say ------------------------------------------------------------------------------------------
def checked(statement: Statement, match: Match, event: Event) -> Statement:
    """The statement in full, games included, or the rule that it breaks. `match.round` says whether this is the cut."""
    if match.is_pod:
        return checked_places(statement, match)
    if match.kind != Match.Kind.TABLE or len(match.seat_list) != 2:
        raise Refused(_("A bye or an unpaired loss is decided by itself."), code="no_table", rule="1.1")
    if statement.outcome not in SAYABLE:
        raise Refused(_("That is no result of a table."), code="outcome_unknown", rule="1.1")
    seated = {seat.registration_id for seat in match.seat_list}
    if statement.outcome in WON and (statement.winner is None or statement.winner.pk not in seated):
        raise Refused(_("Say which of the two won."), code="winner_needed", rule="1.1")
    if statement.outcome not in WON and match.round.kind == Round.Kind.CUT:
        message = _("The cut has no draws: at time the higher life total wins, then the active player.")
        raise Refused(message, code="draw_in_cut", rule="7.2")
    if statement.how not in How.values:
        raise Refused(_("That is no way to win."), code="how_unknown", rule="1.3")
    return SAYABLE[statement.outcome](statement, match, event)


def checked_places(statement: Statement, match: Match) -> Statement:
    """The places of a table of several as 1, 2, 2, 4, and what follows from them: a winner, a draw or nothing."""
    seats = match.seat_list
    places = statement.places or ((None,) * len(seats) if statement.outcome == Outcome.NOT_PLAYED else ())
    if len(places) != len(seats) or any(place is not None and place < 1 for place in places):
        raise Refused(_("Say in which order they finished."), code="places_needed", rule="2.4.5")
    order = finish(places)
    full = tuple(None if place is None else order[seat] for seat, place in enumerate(places))
    outcome, winner = table_outcome(full)
    return Statement(outcome, None if winner is None else seats[winner].registration, places=full)


def checked_win(statement: Statement, match: Match, event: Event) -> Statement:
    first = is_first(statement, match)
    games = statement.games
    if statement.how == How.CONCESSION or (games is None and event.best_of == 1):
        games = completed(games, first, event)
    if games is None:
        message = _("In best of 3, say the games: 2–0 or 2–1, or what was played when time was over.")
        raise Refused(message, code="games_needed", rule="1.2")
    require_games(games, event)
    own, other = (games[0], games[1]) if first else (games[1], games[0])
    if own < other or (own == other and not counts_goals(event)):
        raise games_disagree()
    return replace(statement, games=games)


def completed(games: Games | None, first: bool, event: Event) -> Games:
    """What a concession leaves (rule 1.2): the winner's games completed; of goals, one more than the other has."""
    if counts_goals(event) and games is not None:
        a, b, drawn = games
        return (max(a, b + 1), b, drawn) if first else (a, max(b, a + 1), drawn)
    full = conceded(types.Games(*games) if games else None, first, event.best_of)
    return full.a, full.b, full.draws


def checked_draw(statement: Statement, match: Match, event: Event) -> Statement:
    games = statement.games or ((0, 0, 1) if event.best_of == 1 else None)
    if games is None:
        raise Refused(_("In best of 3, say the games of a draw: 1–1 or 0–0."), code="games_needed", rule="1.2")
    require_games(games, event)
    if games[0] != games[1]:
        raise games_disagree()
    return replace(statement, winner=None, games=games, how="")


def checked_agreed(statement: Statement, match: Match, event: Event) -> Statement:
    """An agreed draw with no game played is 0-0-3 (rule 1.2)."""
    unplayed = statement.games is None or not any(statement.games)
    return checked_draw(replace(statement, games=(0, 0, event.best_of)) if unplayed else statement, match, event)


def checked_forfeit(statement: Statement, match: Match, event: Event) -> Statement:
    """The one who came wins 2-0, 1-0 in best of 1 (rule 1.1)."""
    target = games_to_win(event.best_of)
    games = (target, 0, 0) if is_first(statement, match) else (0, target, 0)
    return replace(statement, games=games, how="")


def checked_unplayed(statement: Statement, match: Match, event: Event) -> Statement:
    return Statement(statement.outcome, games=(0, 0, 0))


SAYABLE: Mapping[str, Callable[[Statement, Match, Event], Statement]] = {
    Outcome.WIN: checked_win,
    Outcome.DRAW: checked_draw,
    Outcome.INTENTIONAL_DRAW: checked_agreed,
    Outcome.FORFEIT: checked_forfeit,
    Outcome.DOUBLE_LOSS: checked_unplayed,
    Outcome.NOT_PLAYED: checked_unplayed,
}


def is_first(statement: Statement, match: Match) -> bool:
    return statement.winner is not None and statement.winner.pk == match.seat_list[0].registration_id


def require_games(games: Games, event: Event) -> None:
    """Nobody wins more games than the match has; where "games" are goals there is no such limit (rule 2.4)."""
    if counts_goals(event):
        most, drawn = MAX_GOALS, MAX_GOALS
    else:
        most, drawn = games_to_win(event.best_of), event.best_of
    a, b, d = games
    both_won = not counts_goals(event) and a == b == most
    if not (0 <= a <= most and 0 <= b <= most and 0 <= d <= drawn) or both_won:
        message = _("Those games do not fit into best of %(best_of)s.") % {"best_of": event.best_of}
        raise Refused(message, code="games_impossible", rule="1.2")


def counts_goals(event: Event) -> bool:
    """The games of a result are goals; with level goals a shoot-out decides who won, and its goals do not count."""
    return event.preset == "goals"


def games_disagree() -> Refused:
    return Refused(_("The games and the winner do not agree."), code="games_disagree", rule="1.2")


# -- one match from the database ---------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Bench:
    """One match as it is now, with round, seats and reports. `known`: that request was handled before."""

    match: Match
    known: bool
    last: int  # number of its newest revision


def bench(event: Event, match: Match, request_key: str | None = None) -> Bench:
    """One query."""
    said = ResultRevision.objects.filter(match=OuterRef("match"))
    newest = said.order_by("-number").values("number")[:1]
    known = Exists(said.filter(request_key=request_key)) if request_key else Value(False)
    seats: Sequence[Seat] = list(
        Seat.objects.filter(match=match.pk, match__event=event)
        .select_related("match__round", "registration__player", "claim")
        .annotate(known=known, last=Subquery(newest))
        .order_by("position")
    )
    fresh = seats[0].match
    fresh.seat_list = list(seats)
    fresh.event = event
    for seat in seats:
        seat.match, seat.round = fresh, fresh.round
    return Bench(fresh, seats[0].known, seats[0].last or 0)  # type: ignore[attr-defined]


def seat_of(match: Match, registration: Registration) -> Seat:
    for seat in match.seat_list:
        if seat.registration_id == registration.pk:
            return seat
    raise Refused(_("That is not your table."), code="not_seated", rule="1.5")


def spoken(revision: ResultRevision, match: Match) -> Statement:
    """A stored revision as a statement."""
    winner = next((s.registration for s in match.seat_list if s.registration.player_id == revision.winner_id), None)
    games = revision.games and (revision.games[0], revision.games[1], revision.games[2])
    places = None if revision.places is None else tuple(revision.places)
    return Statement(revision.outcome, winner if revision.winner_id else None, games or None, revision.how, places)


def claimed_statement(match: Match) -> Statement | None:
    """What the first report says, for the button "confirm"; needs `seat_list` with its claims."""
    return next((spoken(seat.claim, match) for seat in match.seat_list if seat.claim is not None), None)


def current_statement(match: Match) -> Statement | None:
    """The result that counts."""
    if match.outcome is None:
        return None
    winner = next((s.registration for s in match.seat_list if s.registration.player_id == match.winner_id), None)
    counts = [seat.games for seat in match.seat_list]
    games = None
    if len(counts) == 2 and counts[0] is not None and counts[1] is not None:
        games = (counts[0], counts[1], match.drawn_games or 0)
    places = tuple(seat.place for seat in match.seat_list) if match.is_pod else None
    return Statement(match.outcome, winner if match.winner_id else None, games, match.how, places)


# -- writing -----------------------------------------------------------------------------------------------------------
def settle(
    write: Change,
    settled: Sequence[tuple[Match, Statement]],
    *,
    kind: str,
    by: Actor,
    at: datetime,
    reason: str = "",
    request_key: str | None = None,
    last: Mapping[int, int] | None = None,
) -> None:
    """Decide matches: a revision each, which becomes the current one. Four queries, however many.

    `last`: number of the newest revision by match, where it is known already; spares a query.
    """
    full = [(match, checked(statement, match, write.event)) for match, statement in settled]
    numbers = numbers_of([match for match, _ in full]) if last is None else last
    options: dict[str, Any] = {"kind": kind, "by": by, "at": at, "reason": reason, "request_key": request_key}
    revisions = add_revisions(write, full, numbers, **options)
    conclude(write, [(m, s, r) for (m, s), r in zip(full, revisions, strict=True)])


def numbers_of(matches: Sequence[Match]) -> dict[int, int]:
    said = ResultRevision.objects.filter(match__in=[match.pk for match in matches])
    return dict(said.values_list("match").annotate(Max("number")).order_by())


def add_revisions(
    write: Change,
    full: Sequence[tuple[Match, Statement]],
    last: Mapping[int, int],
    *,
    kind: str,
    by: Actor,
    at: datetime,
    reason: str = "",
    request_key: str | None = None,
    player: Player | None = None,
) -> list[ResultRevision]:
    rows = [
        ResultRevision(
            match=match,
            number=last.get(match.pk, 0) + 1,
            kind=kind,
            outcome=statement.outcome,
            winner=statement.winner.player if statement.winner else None,
            games=list(statement.games) if statement.games else None,
            places=None if statement.places is None else list(statement.places),
            how=statement.how,
            by_user=by.user,
            by_player=by.player or player,
            reason=reason[:200],
            request_key=request_key,
            at=at,
        )
        for match, statement in full
    ]
    return write.add_all(ResultRevision, rows)


def conclude(
    write: Change, decided: Sequence[tuple[Match, Statement, ResultRevision]], heard: Seat | None = None
) -> None:
    """The revisions become what counts; `heard`: the seat whose report the (only) revision is."""
    write.set_all([match for match, _, _ in decided], [result_fields(*each) for each in decided])
    seats = [(seat, statement, revision) for match, statement, revision in decided for seat in match.seat_list]
    values = [seat_fields(seat, statement) for seat, statement, _ in seats]
    if heard is not None:
        claims = [revision if seat is heard else seat.claim for seat, _, revision in seats]
        values = [new | {"claim": claim} for new, claim in zip(values, claims, strict=True)]
    changed = [(seat, new) for (seat, _, _), new in zip(seats, values, strict=True) if differs(seat, new)]
    write.set_all([seat for seat, _ in changed], [new for _, new in changed])


def seat_fields(seat: Seat, statement: Statement) -> dict[str, Any]:
    """What the result gives one of them: his place at a table of several, else his games."""
    if statement.places is not None:
        return {"place": statement.places[seat.position]}
    return {"games": statement.games[seat.position] if statement.games else None}


def differs(row: Seat, new: Mapping[str, Any]) -> bool:
    return any(getattr(row, name) != value for name, value in new.items())


def result_fields(match: Match, statement: Statement, revision: ResultRevision) -> dict[str, Any]:
    return {
        "state": State.DONE,
        "outcome": statement.outcome,
        "winner": statement.winner.player if statement.winner else None,
        "drawn_games": statement.games[2] if statement.games else None,
        "how": statement.how,
        "current": revision,
        "version": match.version + 1,
    }


def provisional(match: Match) -> Statement:
    """What an open table counts as when the round goes on without it (case 9): its one report, else "not played"."""
    claims = [seat.claim for seat in match.seat_list if seat.claim is not None]
    return spoken(claims[0], match) if match.state == State.CLAIMED and claims else Statement(Outcome.NOT_PLAYED)


def log_data(match: Match, statement: Statement | None) -> dict[str, Any]:
    """For the log's sentence; people by registration, because names may change or be withdrawn."""
    return {
        "round": match.round.number,
        "table": match.table,
        "match": match.pk,
        "registrations": [seat.registration_id for seat in match.seat_list],
        "outcome": statement.outcome if statement else None,
        "winner": statement.winner.pk if statement and statement.winner else None,
        "games": list(statement.games) if statement and statement.games else None,
        "places": list(statement.places) if statement and statement.places else None,
    }


# -- players (rule 1.5) ------------------------------------------------------------------------------------------------
def report(
    match: Match,
    registration: Registration,
    statement: Statement,
    *,
    by: Actor,
    at: datetime | None = None,
    request_key: str | None = None,
) -> Match:
    """What a player says of his own table. Equal to the other's report: agreed. Different: a conflict, no points.

    The same again, by a double tap, a re-sent form or the back button, changes nothing.
    """
    with journal.change(match.event, "result.report", by=by, at=at) as write:
        desk = bench(write.event, match, request_key)
        fresh = desk.match
        seat = seat_of(fresh, registration)
        require_self_report(write.event, fresh)
        said = checked(of_those_who_stayed(statement, fresh), fresh, write.event)
        write.data = log_data(fresh, said) | {"by": registration.pk}
        if desk.known or is_said(fresh, seat, said):
            write.skip = True
            return fresh
        if fresh.state == State.DONE:
            message = _("This table has its result already. If it is wrong, tell the organiser.")
            raise Refused(message, code="already_decided", rule="1.5")
        hear(write, desk, seat, said, by, at or timezone.now(), request_key)
    return fresh


def of_those_who_stayed(statement: Statement, match: Match) -> Statement:
    """Who has left his table of several finishes last, whatever the others say (5.1)."""
    if statement.places is None or len(statement.places) != len(match.seat_list):
        return statement
    here = [seat.registration.active for seat in match.seat_list]
    return replace(
        statement, places=tuple(p if stays else None for p, stays in zip(statement.places, here, strict=True))
    )


def require_self_report(event: Event, match: Match) -> None:
    if not event.self_report:
        raise Refused(_("In this event the organiser enters the results."), code="self_report_off", rule="1.5")
    require_running(event)
    require_seen(match)


def require_running(event: Event) -> None:
    if not event.live:
        raise Refused(_("The event is not being played."), code="not_running", rule="1.5")


def require_seen(match: Match) -> None:
    if match.round.status != Round.Status.PUBLISHED:
        message = _("%(round)s is still a draft: publish it first.") % {"round": called(match.round)}
        raise Refused(message, code="draft_open", rule="4.5", data={"round": match.round.number})


def is_said(match: Match, seat: Seat, said: Statement) -> bool:
    """Whether this player, or the result that counts, says just that already."""
    now = current_statement(match)
    if now is not None:
        return now.core == said.core
    return seat.claim is not None and spoken(seat.claim, match).core == said.core


def hear(
    write: Change, desk: Bench, seat: Seat, said: Statement, by: Actor, at: datetime, request_key: str | None
) -> None:
    if said.outcome not in BY_PLAYERS:
        raise Refused(_("Only the organiser records that."), code="staff_only", rule="1.5")
    match, kind, player = desk.match, ResultRevision.Kind.REPORT, seat.registration.player
    options: dict[str, Any] = {"kind": kind, "by": by, "at": at, "request_key": request_key, "player": player}
    (revision,) = add_revisions(write, [(match, said)], {match.pk: desk.last}, **options)
    others = [spoken(other.claim, match) for other in match.seat_list if other is not seat and other.claim is not None]
    if others and all(other.core == said.core for other in others):
        conclude(write, [(match, with_remark(said, others[0], seat), revision)], heard=seat)
        write.data["confirmed"] = True
        return
    write.set(seat, claim=revision)
    write.set(match, state=State.CONFLICT if others else State.CLAIMED, version=match.version + 1)
    write.data["conflict"] = bool(others)


def with_remark(said: Statement, other: Statement, seat: Seat) -> Statement:
    """Where the two tell differently how it was won, the winner knows."""
    mine = said.winner is not None and said.winner.pk == seat.registration_id
    first, second = (said, other) if mine else (other, said)
    return replace(said, how=first.how or second.how)


# -- staff -------------------------------------------------------------------------------------------------------------
def decide(
    match: Match,
    statement: Statement,
    *,
    by: Actor,
    at: datetime | None = None,
    reason: str = "",
    version: int | None = None,
    request_key: str | None = None,
) -> Match:
    """The staff's first word on a table; it outranks the players' (rule 1.5). A second word is a correction.

    `version`: that of the match which the page showed; with another one now, nothing is written.
    """
    with journal.change(match.event, "result.decide", by=by, at=at, reason=reason) as write:
        desk = bench(write.event, match, request_key)
        fresh = desk.match
        require_seen(fresh)
        said = checked(statement, fresh, write.event)
        write.data = log_data(fresh, said)
        if desk.known or is_settled(fresh, said):
            write.skip = True
            return fresh
        require_version(fresh, version)
        require_undecided(write.event, fresh)
        decide_in(write, fresh, said, by=by, at=at, reason=reason, request_key=request_key, last=desk.last)
    return fresh


def decide_in(
    write: Change,
    match: Match,
    statement: Statement,
    *,
    by: Actor,
    at: datetime | None = None,
    reason: str = "",
    request_key: str | None = None,
    kind: str = ResultRevision.Kind.DECISION,
    last: int | None = None,
) -> None:
    """Inside a Change that is open; `match` as `bench` or a fresh sheet gives it."""
    known = None if last is None else {match.pk: last}
    when = at or timezone.now()
    options: dict[str, Any] = {"reason": reason, "request_key": request_key, "last": known}
    settle(write, [(match, statement)], kind=kind, by=by, at=when, **options)


def is_settled(match: Match, said: Statement) -> bool:
    now = current_statement(match)
    return now is not None and now.core == said.core and now.how == said.how


def require_version(match: Match, version: int | None) -> None:
    if version is not None and version != match.version:
        message = _("Table %(table)s has changed meanwhile. Look at it again.") % {"table": match.table}
        raise Refused(message, code="stale", rule="1.5", data={"version": match.version})


def require_undecided(event: Event, match: Match) -> None:
    if event.status not in (Event.Status.RUNNING, Event.Status.CUT, Event.Status.REOPENED):
        raise Refused(_("The event is not being played."), code="not_running", rule="6.1")
    if match.state == State.DONE:
        message = _("Table %(table)s has its result. Correct it, with a reason.") % {"table": match.table}
        raise Refused(message, code="already_decided", rule="6.1")


def award_forfeit(
    write: Change, match: Match, absent: Registration, *, by: Actor, at: datetime | None = None, reason: str = ""
) -> Match:
    """The other wins by rule 1.1: a drop after publication (5.1) or in the cut (7.4). A result that is there stays.

    A table of several goes on without him, until there is only one left.
    """
    fresh = bench(write.event, match).match
    if fresh.is_pod:
        return leave_to_the_last(write, fresh, absent, by=by, at=at, reason=reason)
    other = next((seat.registration for seat in fresh.seat_list if seat.registration_id != absent.pk), None)
    if fresh.kind == Match.Kind.TABLE and fresh.state != State.DONE and other is not None:
        said = Statement(Outcome.FORFEIT, other)
        decide_in(write, fresh, said, by=by, at=at, reason=reason, kind=ResultRevision.Kind.DROP)
    return fresh


def leave_to_the_last(
    write: Change, match: Match, absent: Registration, *, by: Actor, at: datetime | None = None, reason: str = ""
) -> Match:
    here = [s for s in match.seat_list if s.registration.active and s.registration_id != absent.pk]
    if match.state != State.DONE and len(here) == 1:
        said = Statement(Outcome.FORFEIT, places=tuple(1 if seat is here[0] else None for seat in match.seat_list))
        decide_in(write, match, said, by=by, at=at, reason=reason, kind=ResultRevision.Kind.DROP)
    return match


def clear(match: Match, *, by: Actor, reason: str, at: datetime | None = None, version: int | None = None) -> Match:
    """Back to "no result", with a reason: no finished match is voided silently (6.4). What was said stays stored."""
    with journal.change(match.event, "result.clear", by=by, at=at, reason=reason) as write:
        fresh = bench(write.event, match).match
        require_reason(reason)
        require_version(fresh, version)
        require_clearable(write.event, fresh)
        write.data = log_data(fresh, current_statement(fresh))
        state = {"state": State.OPEN, "outcome": None, "winner": None, "drawn_games": None, "how": "", "current": None}
        write.set_all(fresh.seat_list, [{"games": None, "place": None, "claim": None} for _ in fresh.seat_list])
        write.set(fresh, **state, version=fresh.version + 1)
    return fresh


def require_clearable(event: Event, match: Match) -> None:
    if match.kind != Match.Kind.TABLE:
        raise Refused(_("A bye or an unpaired loss is decided by itself."), code="no_table", rule="1.1")
    require_running(event)
    require_bracket_waits(event, match)


def require_reason(reason: str) -> None:
    if not reason.strip():
        raise Refused(_("Write the reason: it stays in the log."), code="reason_needed", rule="6.1")


# -- correcting (rule 6) -----------------------------------------------------------------------------------------------
Then = Literal["keep", "repair_open"]


def correct(
    match: Match,
    statement: Statement,
    *,
    by: Actor,
    reason: str,
    at: datetime | None = None,
    version: int | None = None,
    request_key: str | None = None,
    then: Then = "keep",
    seed: str | None = None,
) -> Match:
    """Change a result at any time, with a reason (6.1). Pairings stay, or those without a report are made again (6.3).

    Standings already published as closed get a new revision (2.7); a cut that has begun keeps its seeds.
    """
    from tournaments.services import cut, rounds  # they build on this module

    at = at or timezone.now()
    with journal.change(match.event, "result.correct", by=by, at=at, reason=reason) as write:
        desk = bench(write.event, match, request_key)
        fresh = desk.match
        require_seen(fresh)
        said = checked(statement, fresh, write.event)
        before = current_statement(fresh)
        write.data = log_data(fresh, said) | {"before": log_data(fresh, before), "then": then}
        if desk.known or is_settled(fresh, said):
            write.skip = True
            return fresh
        require_reason(reason)
        require_version(fresh, version)
        if before is not None and before.decided != said.decided:
            require_bracket_waits(write.event, fresh)
        kind = ResultRevision.Kind.CORRECTION
        options: dict[str, Any] = {"request_key": request_key, "kind": kind, "last": desk.last}
        decide_in(write, fresh, said, by=by, at=at, reason=reason, **options)
        if then == "repair_open":
            rounds.repair_open_in(write, last_round(write.event), seed)
        cut.freeze_again(write, fresh.round, at=at, reason=reason)
    return fresh


def last_round(event: Event) -> int:
    return event.rounds.order_by("-number").values_list("number", flat=True)[0]


def require_bracket_waits(event: Event, match: Match) -> None:
    """Another winner of a cut match would leave the wrong player in the next round: that is undone first (7.5)."""
    if match.round.kind != Round.Kind.CUT:
        return
    later = event.rounds.filter(number__gt=match.round.number).order_by("-number").first()
    if later is not None:
        message = _("%(round)s is paired already: undo it first.") % {"round": called(later)}
        raise Refused(message, code="cut_went_on", rule="7.5", data={"round": later.number})


# -- the preview (rule 6.2) --------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Moved:
    """Somebody whose numbers change."""

    registration: Registration
    before: Standing
    after: Standing

    @property
    def points(self) -> int:
        return self.after.points - self.before.points

    @property
    def rank(self) -> int:
        """Places gained."""
        return self.before.rank - self.after.rank

    @property
    def tie_breaks(self) -> bool:
        return self.before.values[1:] != self.after.values[1:]


@dataclass(frozen=True, slots=True)
class Impact:
    """What a correction would do. `moved` in the order of the new standings.

    `repaired`: the pairs that the newest round would have today, empty when they are those it has; `open_tables`: the
    tables that could still be paired again. `rating`: whether what reaches the rating changes; how much is for
    `ranking`, which knows ratings.
    """

    match: Match
    before: Statement | None
    after: Statement
    moved: list[Moved]
    pairings_round: int | None
    repaired: list[Sequence[Registration]]
    open_tables: list[Match]
    cut_in: list[Registration]
    cut_out: list[Registration]
    rating: bool

    @property
    def pairings(self) -> bool:
        return bool(self.repaired)

    @property
    def cut(self) -> bool:
        return bool(self.cut_in or self.cut_out)

    @property
    def points(self) -> list[Moved]:
        return [row for row in self.moved if row.points]

    @property
    def places(self) -> list[Moved]:
        return [row for row in self.moved if row.rank]


def impact(match: Match, statement: Statement) -> Impact:
    """Nothing is written. Costs the sheet (5 queries) and, when a later round is paired, one pairing."""
    now = sheet(match.event)
    row = next(m for r in now.published_rounds for m in now.matches(r) if m.pk == match.pk)
    said = checked(statement, row, now.event)
    after = corrected(now, row, said)
    rows_before, rows_after = now.standings(), standings(after)
    later = now.current_round if now.current_round is not None and now.current_round.number > row.round.number else None
    later = later if later is not None and later.kind == Round.Kind.SWISS else None
    came, left = cut_changes(now, rows_before, rows_after)
    return Impact(
        match=row,
        before=current_statement(row),
        after=said,
        moved=moved(now, rows_before, rows_after),
        pairings_round=later.number if later else None,
        repaired=pairs_today(now, later, after) if later else [],
        open_tables=[m for m in now.matches(later) if seating.is_untouched(m)],
        cut_in=came,
        cut_out=left,
        rating=is_rated_anew(now, row, said),
    )


def corrected(now: Sheet, match: Match, said: Statement) -> Tournament:
    """The event as it would be with that result."""
    before = now.tournament
    if match.is_pod:
        pod = now.core_pod(match.round, match)
        pods = [replace(pod, places=said.places) if each == pod else each for each in before.pods]
        return replace(before, pods=tuple(pods))
    old, new = now.core_match(match.round, match), core_match(now, match, said)
    return replace(before, matches=tuple(new if each == old else each for each in before.matches))


def is_rated_anew(now: Sheet, match: Match, said: Statement) -> bool:
    if match.is_pod:
        pod = now.core_pod(match.round, match)
        return list(duels(pod)) != list(duels(replace(pod, places=said.places)))
    return rated(now.core_match(match.round, match)) != rated(core_match(now, match, said))


def core_match(now: Sheet, match: Match, said: Statement) -> types.Match:
    return replace(
        now.core_match(match.round, match),
        outcome=types.Outcome(said.outcome),
        winner=now.key_of[said.winner.pk] if said.winner else None,
        games=types.Games(*said.games) if said.games else None,
    )


def moved(now: Sheet, before: list[Standing], after: list[Standing]) -> list[Moved]:
    was = {row.player: row for row in before}
    changed = [row for row in after if (was[row.player].rank, was[row.player].values) != (row.rank, row.values)]
    return [Moved(now.by_key[row.player], was[row.player], row) for row in changed]


def rated(match: types.Match) -> tuple[PlayerId | None, types.Games | None] | None:
    return (match.winner, match.games) if rates(match) else None


def pairs_today(now: Sheet, round: Round, after: Tournament) -> list[Sequence[Registration]]:
    """What the stored seed gives with the corrected points; empty when it is what the round has."""
    tournament = seating.before(after, round.number)
    try:
        drawn = seating.draw(now, tournament, round.number, round.seed, by_standings=round.by_standings)
    except Refused:
        return []
    have = {frozenset(now.keys_at(match)) for match in now.matches(round) if match.kind == Match.Kind.TABLE}
    if {frozenset(keys) for keys in seating.tables_of(drawn)} == have:
        return []
    return seating.sittings_of(now, drawn)


def cut_changes(
    now: Sheet, before: list[Standing], after: list[Standing]
) -> tuple[list[Registration], list[Registration]]:
    """Who would enter the cut by place, and who would leave it."""
    size = now.event.cut_size
    inside = [{row.player for row in rows if not row.disqualified} & set(first(rows, size)) for rows in (before, after)]
    came, left = inside[1] - inside[0], inside[0] - inside[1]
    return [now.by_key[key] for key in sorted(came)], [now.by_key[key] for key in sorted(left)]


def first(rows: list[Standing], size: int) -> list[PlayerId]:
    """The best `size` who are still there: those who dropped do not play the cut."""
    return [row.player for row in rows if not row.dropped and not row.disqualified][:size]
