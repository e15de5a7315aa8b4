"""The log in sentences: who did what, when and why (TOURNAMENT_RULES 6.5). Entries store keys; names are today's."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext, ngettext

from players.models import Player, User
from players.templatetags.look import ordinal
from tournaments.models import Event, LogEntry, Match, Penalty
from tournaments.queries import Sheet
from tournaments.sentences.rounds import names_of
from tournaments.services import journal
from tournaments.web.tables import drawn_words, games_words
from tournaments.web.words import names_words

Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Line:
    number: int
    at: datetime
    text: str
    who: str
    reason: str
    undone: bool
    is_undo: bool


PEOPLE = ("players", "promoted", "illegal", "legal", "without_list")


def people_of(data: Data) -> list[int]:
    """Players that an entry names; "players" of a finished event is a count."""
    return [pk for key in PEOPLE if isinstance(data.get(key), list) for pk in data[key]]


class Told(Data):
    """The figures of an entry; one that is missing is a dash: an old entry never breaks the page that lists it."""

    def __missing__(self, key: str) -> str:
        return "–"


class Names:
    """Names of the registrations and players that entries speak of; one query for those no longer in the event."""

    def __init__(self, sheet: Sheet, entries: Iterable[LogEntry]) -> None:
        rows = sheet.registrations
        self.rounds = names_of(sheet.event, sheet.rounds)
        self.by_registration = {row.pk: row.person.name for row in rows}
        self.by_player = {row.player_id: row.person.name for row in rows}
        wanted = {pk for entry in entries for pk in people_of(entry.data)}
        if missing := wanted - self.by_player.keys():
            self.by_player |= dict(Player.objects.filter(pk__in=missing).values_list("pk", "name"))

    def players(self, keys: Iterable[int] | None) -> str:
        return names_words(self.by_player.get(key, gettext("somebody")) for key in keys or [])

    def round(self, data: Data) -> str:
        """By its name today; one that is undone has its number only."""
        return self.rounds.get(data["round"]) or gettext("Round %(number)s") % {"number": data["round"]}

    def registration(self, key: int | None) -> str:
        return self.by_registration.get(key or 0, gettext("somebody"))


def entries_of(event: Event) -> QuerySet[LogEntry]:
    people = ("by_user__player", "by_player__merged_into__merged_into", "undone_by")
    return (
        LogEntry.objects.filter(event=event)
        .select_related(*people)
        .defer("changes", "undone_by__changes")
        .order_by("-number")
    )


def newest(sheet: Sheet, user: User, count: int) -> list[Line]:
    """The last few, for the console. One query, two when somebody has been removed."""
    return lines(list(entries_of(sheet.event)[:count]), user, sheet)


def lines(entries: list[LogEntry], user: User, sheet: Sheet) -> list[Line]:
    names = Names(sheet, entries)
    return [line(entry, user, names) for entry in entries]


def line(entry: LogEntry, user: User, names: Names) -> Line:
    return Line(
        entry.number,
        entry.at,
        sentence(entry.action, entry.data, names),
        "" if entry.action == "result.report" else author(entry, user),  # the sentence names them
        entry.reason,
        undone=hasattr(entry, "undone_by"),
        is_undo=entry.undoes_id is not None,
    )


def undoable(event: Event) -> int | None:
    """The number of what «Undo» would take back: only ever the newest (rule 6.5). One query."""
    entry = journal.next_undo(event)
    return entry.number if entry else None


def author(entry: LogEntry, user: User) -> str:
    if entry.by_user_id == user.pk:
        return gettext("You")
    if entry.by_user is not None:
        player = getattr(entry.by_user, "player", None)
        return player.name if player else entry.by_user.email
    if entry.by_player is not None:
        return gettext("%(name)s, from the phone") % {"name": entry.by_player.root.name}
    return ""


def sentence(action: str, data: Data, names: Names) -> str:
    teller = TELLERS.get(action)
    return teller(Told(data), names) if teller else action


# -- one teller a kind of action ---------------------------------------------------------------------------------------
def fixed(text: Callable[[], str]) -> Callable[[Data, Names], str]:
    return lambda data, names: text()


def edited(data: Data, names: Names) -> str:
    labels = [str(getattr(Event._meta.get_field(name), "verbose_name", name)) for name in data.get("fields", [])]
    text = gettext("Settings changed: %(fields)s.") % {"fields": ", ".join(labels)}
    return text + let_in(data, names) + turned(data, names)


def let_in(data: Data, names: Names) -> str:
    lucky = data.get("promoted")
    return " " + gettext("In from the waiting list: %(names)s.") % {"names": names.players(lucky)} if lucky else ""


def turned(data: Data, names: Names) -> str:
    """Whose deck list is no longer what it was."""
    texts = {
        "illegal": gettext("No longer legal: the list of %(names)s."),
        "legal": gettext("Legal again: the list of %(names)s."),
    }
    return "".join(f" {text % {'names': names.players(data[key])}}" for key, text in texts.items() if data.get(key))


def judged_again(data: Data, names: Names) -> str:
    return gettext("Deck lists judged again.") + turned(data, names)


def handed_in(data: Data, names: Names) -> str:
    text = gettext("%(names)s: another deck list, %(digest)s.") if data.get("again") else ""
    text = text or gettext("%(names)s: deck list handed in, %(digest)s.")
    told = text % {"names": names.players(data.get("players")), "digest": data["digest"]}
    return told if data.get("legal") else f"{told} {gettext('It is not legal and plays all the same.')}"


def let_pass(data: Data, names: Names) -> str:
    text = gettext("%(names)s plays without a deck list.") if data.get("missing") else ""
    text = text or gettext("%(names)s plays with an illegal deck list.")
    return text % {"names": names.players(data.get("players"))}


def checked(data: Data, names: Names) -> str:
    values = {"names": names.players(data.get("players")), "count": data.get("differences")}
    if data.get("correct"):
        text = gettext("Deck of %(names)s checked: as the list says.")
    else:
        text = ngettext(
            "Deck of %(names)s checked: %(count)s difference.",
            "Deck of %(names)s checked: %(count)s differences.",
            data.get("differences") or 0,
        )
    penalty = f" {Penalty.Kind(data['kind']).label}." if data.get("kind") in Penalty.Kind.values else ""
    return text % values + penalty


def finished(data: Data, names: Names) -> str:
    return gettext("Finished; the final standings are published.")


def series(data: Data, names: Names) -> str:
    return gettext("Part of the series %(series)s from now on.") % {"series": data.get("series", "")}


def entered(data: Data, names: Names) -> str:
    players = data.get("players") or []
    text = ngettext("%(names)s comes in.", "%(names)s come in.", len(players))
    return text % {"names": names.players(players)}


def late(data: Data, names: Names) -> str:
    text = {
        "bye_seat": gettext("%(names)s comes late and takes a free chair at table %(table)s.")
        if data.get("chair")
        else gettext("%(names)s comes late and sits down opposite the bye."),
        "losses": gettext("%(names)s comes late, with the missed rounds lost."),
    }.get(data.get("choice", ""), gettext("%(names)s comes late and plays from round %(round)s."))
    values = {"round": data.get("round", ""), "table": data.get("table", "")}
    return text % {"names": names.players(data.get("players")), **values}


def dropped(data: Data, names: Names) -> str:
    text = gettext("%(names)s leaves.") % {"names": names.players(data.get("players"))}
    if tables := [str(table) for table in data.get("forfeits") or []]:
        text += " " + gettext("The opponent wins table %(tables)s.") % {"tables": ", ".join(tables)}
    return text + let_in(data, names)


def about(text: Callable[[], str]) -> Callable[[Data, Names], str]:
    """Something about one player, with the entry's own figures."""
    return lambda data, names: text() % Told(data | {"names": names.players(data.get("players"))})


def ticked(key: str, on: Callable[[], str], off: Callable[[], str]) -> Callable[[Data, Names], str]:
    return lambda data, names: (on() if data.get(key) else off()) % {"names": names.players(data.get("players"))}


def noted(data: Data, names: Names) -> str:
    return gettext("Data of %(names)s changed.") % {"names": names.players(data.get("players"))}


def penalised(data: Data, names: Names) -> str:
    kind = Penalty.Kind(data["kind"]).label if data.get("kind") in Penalty.Kind.values else ""
    return gettext("%(names)s: %(penalty)s.") % {"names": names.players(data.get("players")), "penalty": kind}


def paired(data: Data, names: Names) -> str:
    text = gettext("Round %(round)s paired.") % data
    if data.get("override"):
        text += " " + gettext("Open tables got a provisional result.")
    if without := data.get("without_list"):
        text += " " + gettext("Without a legal deck list: %(names)s.") % {"names": names.players(without)}
    if absent := data.get("no_shows"):
        text += " " + gettext("Not here, so not in: %(names)s.") % {
            "names": names_words(map(names.registration, absent))
        }
    return text + let_in(data, names) + turned(data, names)


def about_round(text: Callable[[], str]) -> Callable[[Data, Names], str]:
    return lambda data, names: text() % {"round": names.round(data)}


def swapped(data: Data, names: Names) -> str:
    first, second = (names.registration(pk) for pk in data.get("registrations") or (None, None))
    values = {"first": first, "second": second, "round": names.round(data)}
    return gettext("%(round)s: %(first)s and %(second)s change seats.") % values


def told(data: Data, names: Names) -> str:
    """ "ganó Pau Grillet 2–1", from the keys of the entry."""
    winner, outcome, games = data.get("winner"), data.get("outcome"), data.get("games")
    if outcome is None:
        return gettext("no result")
    if data.get("places"):
        return finished_words(data, names)
    score = games_words((games[0], games[1], games[2])) if games else ""
    if winner is None:
        return drawn_words(outcome, score)
    values = {"name": names.registration(winner), "score": score}
    if outcome == Match.Outcome.FORFEIT:
        return gettext("%(name)s wins by forfeit") % values
    return (gettext("%(name)s wins %(score)s") if score else gettext("%(name)s wins")) % values


def finished_words(data: Data, names: Names) -> str:
    """ "1.º Nuria y 2.º Zoe", at a table of several."""
    pairs = zip(data["places"], data.get("registrations") or [], strict=False)
    came = sorted((place, order, pk) for order, (place, pk) in enumerate(pairs) if place is not None)
    if not came:
        return drawn_words(Match.Outcome.NOT_PLAYED, "")
    return names_words(f"{ordinal(place)} {names.registration(pk)}" for place, _order, pk in came)


def at_table(data: Data, names: Names) -> str:
    return gettext("%(round)s, table %(table)s") % {"round": names.round(data), "table": data["table"]}


def reported(data: Data, names: Names) -> str:
    by = names.registration(data.get("by"))
    end = (
        gettext("They do not agree.")
        if data.get("conflict")
        else gettext("Two agree.")
        if data.get("confirmed") and data.get("places")
        else gettext("Both agree.")
        if data.get("confirmed")
        else ""
    )
    if data.get("confirmed"):
        return f"{at_table(data, names)}: {told(data, names)}. {end}"
    return f"{at_table(data, names)}: {said_by(data, by, names)} {end}".rstrip()


def said_by(data: Data, by: str, names: Names) -> str:
    games, winner = data.get("games"), data.get("winner")
    score = games_words((games[0], games[1], games[2])) if games else ""
    if winner is None or winner != data.get("by") or data.get("places"):
        return gettext("%(by)s says: %(result)s.") % {"by": by, "result": told(data, names)}
    text = gettext("%(by)s says: won %(score)s.") if score else gettext("%(by)s says: won.")
    return text % {"by": by, "score": score}


def decided(data: Data, names: Names) -> str:
    return f"{at_table(data, names)}: {told(data, names)}."


def corrected(data: Data, names: Names) -> str:
    before, after = told(data.get("before") or {}, names), told(data, names)
    values = {"table": at_table(data, names), "before": before, "after": after}
    return gettext("%(table)s corrected: %(before)s → %(after)s.") % values


def cleared(data: Data, names: Names) -> str:
    return gettext("%(table)s without a result again.") % {"table": at_table(data, names)}


def extended(data: Data, names: Names) -> str:
    minutes = round(data.get("seconds", 0) / 60)
    if data.get("table"):
        return gettext("%(minutes)s more minutes for table %(table)s.") % {"minutes": minutes, "table": data["table"]}
    return gettext("%(minutes)s more minutes on the clock.") % {"minutes": minutes}


def undone(data: Data, names: Names) -> str:
    return gettext("Undone: %(what)s") % {"what": sentence(data["action"], data, names)}


TELLERS: dict[str, Callable[[Data, Names], str]] = {
    "event.create": fixed(lambda: gettext("Event created.")),
    "event.import": fixed(lambda: gettext("Event imported from a file.")),
    "event.restore": fixed(lambda: gettext("Event restored from a backup.")),
    "event.series": series,
    "event.edit": edited,
    "event.open": fixed(lambda: gettext("Registration open.")),
    "event.check_in": fixed(lambda: gettext("Check-in started.")),
    "event.finish": finished,
    "event.reopen": fixed(lambda: gettext("Reopened for corrections.")),
    "player.enter": entered,
    "player.late": late,
    "player.drop": dropped,
    "player.undrop": about(lambda: gettext("%(names)s is back.")),
    "player.remove": about(lambda: gettext("%(names)s taken off the list.")),
    "player.disqualify": about(lambda: gettext("%(names)s is disqualified.")),
    "player.penalty": penalised,
    "player.check_in": ticked(
        "on", lambda: gettext("%(names)s is here."), lambda: gettext("%(names)s is not here yet.")
    ),
    "player.paid": ticked("paid", lambda: gettext("%(names)s has paid."), lambda: gettext("%(names)s has not paid.")),
    "player.bye": ticked(
        "next_bye",
        lambda: gettext("%(names)s gets the next bye."),
        lambda: gettext("%(names)s does not get the next bye."),
    ),
    "player.element": noted,
    "player.team": noted,
    "player.table": noted,
    "player.unite": about(lambda: gettext("%(names)s are one player now.")),
    "deck.submit": handed_in,
    "deck.unlock": about(lambda: gettext("%(names)s may hand in another deck list.")),
    "deck.lock": about(lambda: gettext("The deck list of %(names)s is locked again.")),
    "deck.accept": let_pass,
    "deck.consent": about(lambda: gettext("%(names)s agrees that the deck list is published.")),
    "deck.check": checked,
    "deck.rejudge": judged_again,
    "player.apart": about(lambda: gettext("%(names)s: not the one of that name of other nights.")),
    "round.pair": paired,
    "round.repair": about(lambda: gettext("Round %(round)s paired again.")),
    "round.publish": about_round(lambda: gettext("%(round)s published.")),
    "round.swap": swapped,
    "round.undo": about_round(lambda: gettext("%(round)s undone.")),
    "round.repair_open": about(lambda: gettext("Round %(round)s: tables without a report paired again.")),
    "result.report": reported,
    "result.decide": decided,
    "result.correct": corrected,
    "result.clear": cleared,
    "cut.start": fixed(lambda: gettext("The cut starts; the standings of the Swiss rounds are frozen.")),
    "cut.next": fixed(lambda: gettext("Next round of the cut paired.")),
    "clock.start": fixed(lambda: gettext("Clock started.")),
    "clock.pause": fixed(lambda: gettext("Clock paused.")),
    "clock.resume": fixed(lambda: gettext("Clock running again.")),
    "clock.add": extended,
    "undo": undone,
}
