"""From a pairing to rows: who sits where, what the round remembers of how it came about (rule 4.2).

The inner half of `rounds`, `results` and `cut`: everything here writes into a Change that is already open.
"""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from itertools import combinations
from typing import Any

from django.utils.translation import gettext_lazy as _

from tournaments import eventfile
from tournaments.models import Event, Match, Registration, ResultRevision, Round, Seat
from tournaments.queries import Sheet, file_of
from tournaments.services.errors import Refused
from tournaments.services.journal import Change
from tournaments.swiss import round_robin
from tournaments.swiss.history import history_before
from tournaments.swiss.notes import Note, Seating, notes_of
from tournaments.swiss.pairing import ENGINE_VERSION, Criteria, Pairing, PairingRefused, criteria_of, pair_round
from tournaments.swiss.pods.criteria import PodCriteria, judge_pods
from tournaments.swiss.pods.history import pod_history
from tournaments.swiss.pods.notes import PodSeating, pod_notes
from tournaments.swiss.pods.pairing import POD_ENGINE, PodPairing, pair_pods
from tournaments.swiss.round_robin import Chair
from tournaments.swiss.types import PlayerId, Tournament

Sitting = Sequence[Registration]
Drawn = Pairing | PodPairing


def new_seed() -> str:
    return secrets.token_hex(8)


def names_of(registrations: Iterable[Registration]) -> str:
    """For staff only: full names."""
    return ", ".join(row.person.name for row in registrations)


# -- deciding ----------------------------------------------------------------------------------------------------------
def draw(now: Sheet, tournament: Tournament, number: int, seed: str, *, by_standings: bool = False) -> Drawn:
    """The core's round, or its refusal in words that name the players."""
    try:
        if now.event.in_pods:
            return pair_pods(tournament, number, seed)
        return pair_round(tournament, number, seed, by_standings)
    except PairingRefused as refusal:
        raise refused(now, refusal) from None


def scheduled(now: Sheet, number: int, seed: str) -> Pairing:
    """The round of a round robin, or the core's refusal in words."""
    try:
        return round_robin.pair_round(now.tournament, number, seed, chairs_of(now, number))
    except PairingRefused as refusal:
        raise refused(now, refusal) from None


def chairs_of(now: Sheet, number: int) -> tuple[Chair, ...]:
    """Who drew which chair of a round robin: as round 1 stored it; drawn anew while round 1 is being paired."""
    first = now.round(1)
    stored = first.input.get("schedule") if first is not None and number > 1 else None
    return tuple(stored) if stored else round_robin.draw_chairs(now.tournament)


def robin_rounds(now: Sheet) -> int:
    """Rounds of the schedule of a round robin that has begun."""
    return len(chairs_of(now, 2)) - 1


def require_chairs(now: Sheet) -> None:
    """5.2: whoever comes, or comes back, into a round robin that has begun needs a chair with nobody on it."""
    if now.event.format != Event.Format.ROUND_ROBIN or not now.published_rounds:
        return
    if left := round_robin.without_chair(now.tournament, chairs_of(now, 2)):
        raise no_chair([now.by_key[key] for key in left])


def no_chair(left: Sequence[Registration]) -> Refused:
    message = _(
        "This round robin has no empty chair for %(names)s: everybody has a rival in every round that is left. Somebody"
        " who comes late takes the chair of the bye, or of a player who has dropped."
    )
    data = {"registrations": [row.pk for row in left]}
    return Refused(message % {"names": names_of(left)}, code="no_chair", rule="5.2", data=data)


def refused(now: Sheet, refusal: PairingRefused) -> Refused:
    if refusal.code == "no_players":
        message = _("There are not two active players left: finish the event.")
        data = {"active": len(refusal.players), "offer": "finish"}
        return Refused(message, code="too_few_players", rule=refusal.rule, data=data)
    if refusal.code == "no_chair":
        return no_chair([now.by_key[key] for key in refusal.players])
    if refusal.code == "schedule_over":
        message = _("Everybody has met everybody: finish the event, or start the cut.")
        return Refused(message, code="rounds_over", rule=refusal.rule)
    lift = [(now.by_key[a], now.by_key[b]) for a, b in refusal.lift]
    pairs = "; ".join(f"{a.person.name} – {b.person.name}" for a, b in lift)
    data = {"lift": [[a.pk, b.pk] for a, b in lift]}
    words = _("No round seats everyone while these are kept apart. Lift: %(pairs)s.") % {"pairs": pairs}
    return Refused(words, code="separations", rule=refusal.rule, data=data)


def before(tournament: Tournament, number: int) -> Tournament:
    return replace(
        tournament,
        matches=tuple(match for match in tournament.matches if match.round < number),
        pods=tuple(pod for pod in tournament.pods if pod.round < number),
    )


def tables_of(drawn: Drawn) -> tuple[tuple[PlayerId, ...], ...]:
    """Who sits together, in table order."""
    return drawn.pods if isinstance(drawn, PodPairing) else drawn.pairs


# -- writing -----------------------------------------------------------------------------------------------------------
def seat(
    write: Change,
    round: Round,
    sittings: Sequence[Sitting],
    *,
    byes: Sequence[Registration] = (),
    tables: Sequence[int] | None = None,
) -> list[Match]:
    """Tables and byes of a round in two INSERTs, whatever the number."""
    numbers = range(1, len(sittings) + 1) if tables is None else tables
    rows = [Match(event=write.event, round=round, table=table) for table in numbers]
    matches = rows + [alone(write, round, Match.Kind.BYE) for _ in byes]
    return place(write, matches, [*sittings, *[(row,) for row in byes]])


def place(write: Change, matches: list[Match], players: Sequence[Sequence[Registration]]) -> list[Match]:
    """Save the matches and seat at each its players, in order."""
    made = write.add_all(Match, matches)
    seats: list[Seat] = []
    for match, sitting in zip(made, players, strict=True):
        match.seat_list = [
            Seat(match=match, round=match.round, registration=row, position=i) for i, row in enumerate(sitting)
        ]
        seats += match.seat_list
    write.add_all(Seat, seats)
    return made


def alone(write: Change, round: Round, kind: Match.Kind, slot: int | None = None) -> Match:
    """A bye or an unpaired loss: decided at once, of its own kind (rule 1.1)."""
    outcome = Match.Outcome.BYE if kind == Match.Kind.BYE else Match.Outcome.UNPAIRED_LOSS
    return Match(event=write.event, round=round, kind=kind, state=Match.State.DONE, outcome=outcome, slot=slot)


def unseat(write: Change, matches: Sequence[Match]) -> None:
    """Remove matches with their seats and reports; all of it stays in the log, from where undo brings it back."""
    write.remove([seat for match in matches for seat in match.seat_list])
    write.remove(list(ResultRevision.objects.filter(match__in=[match.pk for match in matches])))
    write.remove(list(matches))


def seat_pairing(write: Change, now: Sheet, round: Round, drawn: Drawn) -> list[Match]:
    bye = None if isinstance(drawn, PodPairing) else drawn.bye
    byes = [now.by_key[key] for key in (*drawn.assigned_byes, *([bye] if bye else []))]
    return seat(write, round, sittings_of(now, drawn), byes=byes, tables=drawn.tables)


def sittings_of(now: Sheet, drawn: Drawn) -> list[Sitting]:
    return [[now.by_key[key] for key in keys] for keys in tables_of(drawn)]


# -- what the round remembers ------------------------------------------------------------------------------------------
def record_of(now: Sheet, tournament: Tournament, pairing: Drawn) -> dict[str, Any]:
    """Rule 4.2: seed, exact input, engine, criteria, proof and what yielded."""
    return {
        "seed": pairing.seed,
        "by_standings": isinstance(pairing, Pairing) and pairing.by_standings,
        "engine": engine_of(now.event),
        "input": eventfile.dump(replace(file_of(tournament, now.event), schedule=schedule_of(now, pairing.round))),
        "criteria": asdict(pairing.criteria),
        "certified": pairing.certified,
        "notes": [asdict(note) for note in pairing.notes],
        "swapped": False,
    }


def engine_of(event: Event) -> str:
    engines = {Event.Format.ROUND_ROBIN: round_robin.ENGINE_VERSION, Event.Format.PODS: POD_ENGINE}
    return engines.get(Event.Format(event.format), ENGINE_VERSION)


def schedule_of(now: Sheet, number: int) -> tuple[Chair, ...] | None:
    return chairs_of(now, number) if now.event.format == Event.Format.ROUND_ROBIN else None


def pairs_of(now: Sheet, matches: Iterable[Match]) -> list[tuple[PlayerId, PlayerId]]:
    """Who sits with whom; at a table of several, every two of them."""
    tables = [now.keys_at(match) for match in matches if match.kind == Match.Kind.TABLE]
    return [pair for keys in tables for pair in combinations(keys, 2)]


def seating_of(now: Sheet, round: Round) -> Seating | PodSeating:
    """A Swiss round as it stands, beside what had been played before it, as the notes look at it."""
    matches = now.matches(round)
    resting = [match.left.registration for match in matches if match.kind == Match.Kind.BYE]
    byes = [now.key_of[row.pk] for row in resting]
    given = {player for note in round.notes if note["code"] == "assigned_bye" for player in note["players"]}
    tournament = before(now.tournament, round.number)
    if now.event.in_pods:
        pods = tuple(now.keys_at(match) for match in matches if match.is_pod)
        return PodSeating(tournament, pod_history(tournament, round.number), pods, tuple(byes))
    return Seating(
        tournament=tournament,
        history=history_before(tournament, round.number),
        pairs=tuple(pairs_of(now, matches)),
        bye=next((key for key in byes if key not in given), None),
        assigned_byes=tuple(key for key in byes if key in given),
        by_standings=round.by_standings,
    )


def judged_again(now: Sheet, round: Round) -> dict[str, Any]:
    """Criteria and notes of a round whose seats the organiser moved (rules 4.5, 6.3); its proof is gone."""
    seating = seating_of(now, round)
    criteria, notes = judged(seating, round.number)
    return {
        "criteria": asdict(criteria),
        "notes": [asdict(note) for note in notes],
        "swapped": True,
        "certified": False,
    }


def judged(seating: Seating | PodSeating, number: int) -> tuple[Criteria | PodCriteria, Sequence[Note]]:
    if isinstance(seating, PodSeating):
        return judge_pods(seating.tournament, seating.history, seating.pods), pod_notes(seating)
    criteria = criteria_of(seating.tournament, number, seating.pairs, seating.bye, seating.assigned_byes)
    return criteria, notes_of(seating)


def redraw_open(write: Change, now: Sheet, round: Round, seed: str) -> list[Match]:
    """Pair again only the tables of a published round where nobody has reported (rule 6.3); the others stay."""
    free = [match for match in now.matches(round) if is_untouched(match)]
    if len(free) < 2:
        raise Refused(
            _("Fewer than two tables have not reported: there is nothing to pair again."),
            code="nothing_open",
            rule="6.3",
        )
    players = {now.key_of[seat.registration_id] for match in free for seat in match.seat_list}
    tournament = only(before(now.tournament, round.number), players, round.number)
    pairing = draw(now, tournament, round.number, seed, by_standings=round.by_standings)
    tables = sorted(match.table or 0 for match in free)
    unseat(write, free)
    sittings = sittings_of(now, pairing)
    return seat(write, round, sittings, tables=tables[: len(sittings)])


def is_untouched(match: Match) -> bool:
    """A table without a report whose players are all still there; who has left is not paired again (rule 5.1)."""
    here = all(seat.registration.active for seat in match.seat_list)
    return here and match.kind == Match.Kind.TABLE and match.state == Match.State.OPEN


def only(tournament: Tournament, players: set[PlayerId], number: int) -> Tournament:
    """The same event in which nobody else plays that round."""
    entrants = tuple(
        replace(entrant, table=None) if entrant.id in players else replace(entrant, last_round=number - 1)
        for entrant in tournament.entrants
    )
    return replace(tournament, entrants=entrants, assigned_byes=())
