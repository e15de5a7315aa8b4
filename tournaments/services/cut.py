"""The cut: frozen seeds, brackets round by round, final places (TOURNAMENT_RULES 7).

Its rounds are Rounds of kind `cut`: `services.rounds` publishes, clocks and undoes them like any other.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.cut import brackets, double
from tournaments.cut.brackets import CutMatch, CutRefused, Slot
from tournaments.cut.double import Side
from tournaments.models import Event, FrozenStandings, Match, Registration, Round
from tournaments.queries import CLOSED_SWISS, Sheet, published_standings, sheet, thawed
from tournaments.sentences.rounds import called
from tournaments.services import freezing, journal, seating
from tournaments.services.errors import Refused
from tournaments.services.journal import Actor, Change
from tournaments.swiss.standings import Standing
from tournaments.swiss.tables import assign_tables
from tournaments.swiss.types import PlayerId


# -- starting ----------------------------------------------------------------------------------------------------------
def start(event: Event, size: int | None = None, *, by: Actor, at: datetime | None = None, reason: str = "") -> Round:
    """Freeze the Swiss standings and seed the bracket from them, in draft (7.1, case 47). Started already: that round.

    Undone and started again, it seeds from the standings as they are then; equal ones make no new revision (7.5).
    """
    at = at or timezone.now()
    with journal.change(event, "cut.start", by=by, at=at, reason=reason) as write:
        now = sheet(write.event)
        if now.cut_rounds:
            write.skip = True
            return now.cut_rounds[0]
        require_swiss_over(now)
        wanted = size or write.event.cut_size
        require_size(wanted)
        frozen = freezing.freeze(write, FrozenStandings.Phase.SWISS, freezing.swiss_rows(now), at=at, reason=reason)
        seeds = brackets.seeds_of(thawed(now, frozen.rows), wanted, dropped(now))
        pairs = bracket(seeds)
        source = {"seeds": list(seeds), "size": wanted, "revision": frozen.revision}
        round = place_round(write, now, pairs, source)
        write.set(write.event, status=Event.Status.CUT, cut_size=wanted)
        write.data = {"round": round.number, "size": wanted, "seeds": [now.by_key[key].pk for key in seeds]}
    return round


def require_swiss_over(now: Sheet) -> None:
    event, last = now.event, now.current_round
    if event.status != Event.Status.RUNNING or last is None:
        raise Refused(_("The cut follows the Swiss rounds of a running event."), code="not_running", rule="7.1")
    require_finished_round(now, last)
    if last.number < event.rounds_planned:
        message = _("Round %(played)s of %(planned)s has been played: play the rest, or plan fewer rounds.") % {
            "played": last.number,
            "planned": event.rounds_planned,
        }
        raise Refused(message, code="rounds_left", rule="3", data={"planned": event.rounds_planned})


def require_finished_round(now: Sheet, last: Round) -> None:
    if last.status == Round.Status.DRAFT:
        message = _("%(round)s is still a draft: publish it first.") % {"round": called(last)}
        raise Refused(message, code="draft_open", rule="4.5", data={"round": last.number})
    if now.open_matches:
        tables = [match.table for match in now.open_matches]
        message = _("Results are missing at these tables: %(tables)s.") % {"tables": ", ".join(map(str, tables))}
        raise Refused(message, code="tables_open", rule="1.1", data={"tables": tables})


def require_size(size: int) -> None:
    if not brackets.SMALLEST <= size <= brackets.LARGEST:
        raise Refused(_("A cut has from 2 to 64 players."), code="cut_size", rule="7.1")


def bracket(seeds: Sequence[PlayerId]) -> list[tuple[Slot, Slot]]:
    try:
        return list(brackets.first_round(seeds))
    except CutRefused as refusal:
        message = _("A cut needs two players who are still in the event.")
        raise Refused(message, code="too_few_players", rule=refusal.rule) from None


def dropped(now: Sheet) -> set[PlayerId]:
    return {now.key_of[row.pk] for row in now.entrants if not row.active}


# -- the next round ----------------------------------------------------------------------------------------------------
def next_round(
    event: Event, number: int | None = None, *, by: Actor, at: datetime | None = None, reason: str = ""
) -> Round:
    """The next round of the bracket, in draft; a request for a round that exists returns it (4.6).

    Who dropped does not come out of his match: the opponent advances, or has a bye in the next (7.4).
    """
    with journal.change(event, "cut.next", by=by, at=at, reason=reason) as write:
        now = sheet(write.event)
        if (existing := waiting(now, number)) is not None:
            write.skip = True
            return existing
        require_in_cut(now)
        round = place_round(write, now, following(now), {})
        write.data = {"round": round.number}
    return round


def waiting(now: Sheet, number: int | None) -> Round | None:
    """The cut round that was asked for, if it is there: by number, or else a draft that nobody has published yet."""
    if number is not None:
        return next((row for row in now.cut_rounds if row.number == number), None)
    last = now.cut_rounds[-1] if now.cut_rounds else None
    return last if last is not None and last.status == Round.Status.DRAFT else None


def require_in_cut(now: Sheet) -> None:
    if now.event.status != Event.Status.CUT or not now.cut_rounds:
        raise Refused(_("The cut has not begun."), code="not_in_cut", rule="7.1")
    require_finished_round(now, now.cut_rounds[-1])
    if over(now):
        raise Refused(_("The final is played: finish the event."), code="cut_over", rule="7.1")


def following(now: Sheet) -> list[tuple[Slot, Slot]]:
    """The pairs of the next round, by slot; Refused when nobody is left to play it."""
    pairs = following_pairs(now, len(now.cut_rounds))
    if not pairs or not (is_double(now) or any(player for pair in pairs for player in pair)):
        raise Refused(_("Nobody of the cut is left: finish the event."), code="cut_over", rule="7.4")
    return pairs


def following_pairs(now: Sheet, played: int) -> list[tuple[Slot, Slot]]:
    """What follows from the first `played` rounds of the cut; [] when that is all."""
    matches = [match for match in cut_matches(now) if match.round <= played]
    if is_double(now):
        return double.next_round(places(now), matches, dropped(now))
    return brackets.next_round([match for match in matches if match.round == played], dropped(now))


def over(now: Sheet) -> bool:
    """Whether the last final is published and decided."""
    final = now.cut_rounds[-1] if now.cut_rounds else None
    if final is None or final.status == Round.Status.DRAFT or now.open_matches:
        return False
    if is_double(now):
        return double.over(cut_matches(now), dropped(now))
    return width(now, len(now.cut_rounds)) == 1


def is_double(now: Sheet) -> bool:
    return now.event.cut_format == Event.CutFormat.DOUBLE


def side_of(now: Sheet, round: int, slot: int) -> tuple[Side, int]:
    """The side of the bracket of a match of the n-th cut round, and the round of that side."""
    if is_double(now):
        tie = double.layout(places(now))[round - 1][slot]
        return tie.side, tie.stage
    return (Side.FINAL, 1) if width(now, round) == 1 else (Side.WINNERS, round)


def places(now: Sheet) -> int:
    """Of the bracket, the empty ones included: a power of two."""
    return max(2, 2 * len(now.matches(now.cut_rounds[0])))


def width(now: Sheet, round: int) -> int:
    """Matches of the n-th cut round, those included from which nobody comes out."""
    if is_double(now):
        return len(double.layout(places(now))[round - 1])
    return max(1, places(now) >> round)


# -- rows and values ---------------------------------------------------------------------------------------------------
def place_round(write: Change, now: Sheet, pairs: Sequence[tuple[Slot, Slot]], source: dict[str, Any]) -> Round:
    """One round of the bracket; a match keeps its place in it as `slot`, whoever has no opponent has a bye."""
    last = now.current_round
    number = (last.number if last else 0) + 1
    round = write.add(Round(event=write.event, number=number, kind=Round.Kind.CUT, input=source, certified=True))
    tables = tables_of(now, pairs)
    matches: list[Match] = []
    players: list[list[Registration]] = []
    for slot, pair in enumerate(pairs):
        sitting = [now.by_key[key] for key in pair if key is not None]
        if len(sitting) == 2:
            matches.append(Match(event=write.event, round=round, table=tables[slot], slot=slot))
        elif sitting:
            matches.append(seating.alone(write, round, Match.Kind.BYE, slot))
        if sitting:
            players.append(sitting)
    seating.place(write, matches, players)
    return round


def tables_of(now: Sheet, pairs: Sequence[tuple[Slot, Slot]]) -> dict[int, int]:
    """Table by slot: from the top of the bracket, who needs a table at his own (4.4)."""
    full = {(a, b): slot for slot, (a, b) in enumerate(pairs) if a is not None and b is not None}
    fixed = {now.key_of[row.pk]: row.fixed_table for row in now.active if row.fixed_table is not None}
    return {full[pair]: table for table, pair in assign_tables(full, fixed)}


def cut_matches(now: Sheet) -> list[CutMatch]:
    """The bracket so far; a match that nobody reached is there with two empty halves."""
    matches: list[CutMatch] = []
    for n, round in enumerate(now.cut_rounds, 1):
        played = {match.slot: match for match in now.matches(round)}
        matches += [cut_match(now, n, slot, played.get(slot)) for slot in range(width(now, n))]
    return matches


def cut_match(now: Sheet, round: int, slot: int, match: Match | None) -> CutMatch:
    if match is None:
        return CutMatch(round, slot, None, None)
    players = [now.key_of[seat.registration_id] for seat in match.seat_list]
    if match.kind == Match.Kind.BYE:
        return CutMatch(round, slot, players[0], None, players[0])
    winner = None if match.winner_id is None else now.key_of[now.by_player[match.winner_id].pk]
    return CutMatch(round, slot, players[0], players[1], winner)


# -- places ------------------------------------------------------------------------------------------------------------
def final_places(now: Sheet) -> list[tuple[int, Registration]]:
    """Everybody's final place, best first, ties sharing it (7.6); without a cut, the Swiss ranks."""
    rows = published_standings(now)
    out = {now.key_of[row.pk] for row in now.entrants if row.status == Registration.Status.DISQUALIFIED}
    found = places_of(now, rows, dropped(now), out)
    return [(place.rank, now.by_key[place.player]) for place in found]


def places_of(
    now: Sheet, standings: Sequence[Standing], gone: set[PlayerId], out: set[PlayerId]
) -> list[brackets.FinalPlace]:
    """By the bracket that was played, from those Swiss standings (7.6)."""
    if is_double(now) and now.cut_rounds:
        return double.final_places(standings, places(now), cut_matches(now), gone, out)
    return brackets.final_places(standings, cut_matches(now), gone, out)


def freeze_again(write: Change, round: Round, *, at: datetime, reason: str) -> None:
    """After a correction: what is published as closed gets a new revision, never another order in silence (2.7)."""
    from tournaments.services.events import final_rows  # events builds on this module

    if write.event.status not in CLOSED_SWISS:
        return
    now = sheet(write.event)
    if round.kind == Round.Kind.SWISS:
        freezing.freeze(write, FrozenStandings.Phase.SWISS, freezing.swiss_rows(now), at=at, reason=reason)
    if write.event.status == Event.Status.FINISHED:
        freezing.freeze(write, FrozenStandings.Phase.FINAL, final_rows(now), at=at, reason=reason)
