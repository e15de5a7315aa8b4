"""Event files, `kounter-event/1` (DESIGN.md): text to values, values to text, and the bridge to the Swiss core.

A file that cannot be read gives one clear line (EventFileError) that names the place; unknown keys are ignored.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from fractions import Fraction
from hashlib import sha256
from math import isfinite
from typing import Any, Literal, NoReturn, cast, get_args

from tournaments.swiss.presets import PRESETS
from tournaments.swiss.types import (
    POD_POINTS,
    Entrant,
    Games,
    Match,
    Outcome,
    PlayerId,
    Pod,
    PodPoints,
    Points,
    Rules,
    Switches,
    Tournament,
)

Result = Literal[
    "p1",
    "p2",
    "draw",
    "intentional_draw",
    "double_loss",
    "p1_by_forfeit",
    "p2_by_forfeit",
    "not_played",
    "bye",
    "unpaired_loss",
]

EventFormat = Literal["swiss", "round_robin", "pods"]
CutFormat = Literal["single", "double"]

RESULTS: dict[Result, tuple[Outcome, Literal[1, 2] | None]] = {
    "p1": (Outcome.WIN, 1),
    "p2": (Outcome.WIN, 2),
    "draw": (Outcome.DRAW, None),
    "intentional_draw": (Outcome.INTENTIONAL_DRAW, None),
    "double_loss": (Outcome.DOUBLE_LOSS, None),
    "p1_by_forfeit": (Outcome.FORFEIT, 1),
    "p2_by_forfeit": (Outcome.FORFEIT, 2),
    "not_played": (Outcome.NOT_PLAYED, None),
    "bye": (Outcome.BYE, None),
    "unpaired_loss": (Outcome.UNPAIRED_LOSS, None),
}
"""Result code of a file: outcome of the match and the seat that won it."""

ALONE: tuple[Result, ...] = ("bye", "unpaired_loss")
MAX_NUMBER = 1_000_000


class EventFileError(ValueError):
    """The file is not a readable event: one line, for a person, that says where."""


@dataclass(frozen=True, slots=True)
class FileMatch:
    """One match as written; `p2` None for a bye or an unpaired loss, games None where unknown.

    `slot`: its place in a round of a double elimination, where the order of the list does not tell it.
    """

    p1: str
    p2: str | None
    p1_games: int | None
    p2_games: int | None
    draws: int | None
    result: Result
    slot: int | None = None


@dataclass(frozen=True, slots=True)
class FilePod:
    """A table of two to four players; `places[i]` is the finishing place of `players[i]`, None where he did not play.

    `places` None: the table was not played.
    """

    players: tuple[str, ...]
    places: tuple[int | None, ...] | None


@dataclass(frozen=True, slots=True)
class FilePlayoff:
    """One round of the cut, by its name ("Top 4")."""

    name: str
    matches: tuple[FileMatch, ...]


@dataclass(frozen=True, slots=True)
class EventFile:
    """Every documented key; None where the file does not have it, so that `dump` gives back what was there."""

    id: str
    date: date
    players: tuple[str, ...]
    rounds: tuple[tuple[FileMatch | FilePod, ...], ...]
    points: Points | None = None
    best_of: int | None = None
    preset: str | None = None
    tiebreak_fit: Mapping[str, Any] | None = None
    event_format: EventFormat | None = None
    pod_points: PodPoints | None = None
    schedule: tuple[str | None, ...] | None = None
    drops: Mapping[str, int] | None = None
    entries: Mapping[str, int] | None = None
    elements: Mapping[str, str] | None = None
    teams: Mapping[str, str] | None = None
    separations: tuple[tuple[str, str], ...] | None = None
    next_byes: tuple[str, ...] | None = None
    tables: Mapping[str, int] | None = None
    phase_ends: tuple[int, ...] | None = None
    cut_format: CutFormat | None = None
    playoffs: tuple[FilePlayoff, ...] | None = None
    standings: tuple[Mapping[str, Any], ...] | None = None

    @property
    def in_pods(self) -> bool:
        """Said so, or played so."""
        return self.event_format == "pods" or any(isinstance(m, FilePod) for matches in self.rounds for m in matches)


KEYS = tuple(field.name for field in fields(EventFile))
"""The documented keys, in the order in which they are written."""


def parse(source: str | bytes) -> EventFile:
    """The event of a file's text. EventFileError when it is not one."""
    return from_dict(_json(source))


def _json(source: str | bytes) -> Any:
    try:
        text = source.decode("utf-8-sig") if isinstance(source, bytes) else source.removeprefix("\ufeff")
        return json.loads(text, parse_constant=_no_number)
    except UnicodeDecodeError as error:
        raise EventFileError(f"not UTF-8 text (byte {error.start})") from None
    except json.JSONDecodeError as error:
        raise EventFileError(f"not JSON: {error.msg} (line {error.lineno}, column {error.colno})") from None
    except EventFileError:
        raise
    except (RecursionError, ValueError):
        raise EventFileError("not JSON that can be read: nested too deeply, or a number too long") from None


def _no_number(word: str) -> NoReturn:
    raise EventFileError(f"{word} is not a number")


def from_dict(data: Any) -> EventFile:
    if not isinstance(data, dict):
        _fail("the file", "must be a JSON object")
    for key in ("id", "date", "players", "rounds"):
        if key not in data:
            _fail(key, "is missing")
    players = _players(data["players"])
    read = _Reader(frozenset(players))
    optional = {key: _READERS[key](read, key, data[key]) for key in _READERS if data.get(key) is not None}
    return EventFile(
        id=_text("id", data["id"]),
        date=_date(data["date"]),
        players=players,
        rounds=tuple(read.round(f"rounds[{i}]", item) for i, item in enumerate(_list("rounds", data["rounds"]))),
        **optional,
    )


def _fail(where: str, what: str) -> NoReturn:
    raise EventFileError(f"{where}: {what}" if where != "the file" else f"{where} {what}")


def _text(where: str, value: Any) -> str:
    if not isinstance(value, str) or not value.strip() or "\0" in value or not _encodable(value):
        _fail(where, f"must be text that is not empty, not {_shown(value)}")
    return value


def _encodable(text: str) -> bool:
    """JSON can spell half of a surrogate pair, which no output can print."""
    return all(not "\ud800" <= letter <= "\udfff" for letter in text)


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace").decode()
    return text if len(text) <= 60 else text[:57] + "..."


def _number(where: str, value: Any, least: int = 0) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= MAX_NUMBER:
        _fail(where, f"must be a whole number from {least} up, not {_shown(value)}")
    return value


def _list(where: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        _fail(where, f"must be a list, not {_shown(value)}")
    return value


def _object(where: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        _fail(where, f"must be an object, not {_shown(value)}")
    return cast(dict[str, Any], value)


def _date(value: Any) -> date:
    try:
        day = date.fromisoformat(_text("date", value))
    except ValueError:
        day = None
    if day is None or day.isoformat() != value:
        _fail("date", f"must be a day such as 2026-03-14, not {_shown(value)}")
    return day


def _players(value: Any) -> tuple[str, ...]:
    players = tuple(_text(f"players[{i}]", item) for i, item in enumerate(_list("players", value)))
    if len(set(players)) < len(players):
        twice = sorted(player for player in set(players) if players.count(player) > 1)
        _fail("players", f"{', '.join(twice)} is there twice (5.5)")
    return players


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads what names players: everybody named must be among `players`."""

    known: frozenset[str]

    def player(self, where: str, value: Any) -> str:
        if not isinstance(value, str) or value not in self.known:
            _fail(where, f"{_shown(value)} is not one of the players")
        return value

    def round(self, where: str, value: Any) -> tuple[FileMatch | FilePod, ...]:
        matches = tuple(self.match(f"{where}[{i}]", item) for i, item in enumerate(_list(where, value)))
        seated = [player for match in matches for player in seats_of(match)]
        if len(set(seated)) < len(seated):
            twice = sorted(player for player in set(seated) if seated.count(player) > 1)
            _fail(where, f"{', '.join(twice)} sits twice in one round (4.6)")
        return matches

    def match(self, where: str, value: Any) -> FileMatch | FilePod:
        data = _object(where, value)
        return self.pod(where, data) if "places" in data else self.duel(where, data)

    def pod(self, where: str, data: dict[str, Any]) -> FilePod:
        players = self.several(f"{where}.players", data.get("players"))
        if data["places"] is None:
            places: list[int | None] = [None] * len(players)
        else:
            said = _list(f"{where}.places", data["places"])
            places = [None if place is None else _number(f"{where}.places", place, 1) for place in said]
        if not 2 <= len(players) <= 4 or len(places) != len(players):
            _fail(where, "a pod has two to four players and a place for each")
        return FilePod(players, tuple(places) if any(places) else None)

    def duel(self, where: str, data: dict[str, Any]) -> FileMatch:
        result = data.get("result")
        if result not in RESULTS:
            _fail(f"{where}.result", f"{_shown(result)} is not one of {', '.join(RESULTS)}")
        first = self.player(f"{where}.p1", data.get("p1"))
        second = None if data.get("p2") is None else self.player(f"{where}.p2", data["p2"])
        if (second is None) != (result in ALONE):
            _fail(where, f"{result} takes {'one player' if result in ALONE else 'two players'} (1.1)")
        if first == second:
            _fail(where, f"{first} plays himself (4.1)")
        games, against, drawn = (_games(where, data, key) for key in ("p1_games", "p2_games", "draws"))
        return FileMatch(first, second, games, against, drawn, cast(Result, result))

    def several(self, where: str, value: Any) -> tuple[str, ...]:
        players = tuple(self.player(f"{where}[{i}]", item) for i, item in enumerate(_list(where, value)))
        if len(set(players)) < len(players):
            _fail(where, "names a player twice")
        return players

    def numbers(self, where: str, value: Any, least: int = 0) -> dict[str, int]:
        return {self.player(where, k): _number(f"{where}.{k}", v, least) for k, v in _object(where, value).items()}

    def chairs(self, where: str, value: Any) -> tuple[str | None, ...]:
        """Of a round robin: who drew each chair, null for the empty one."""
        chairs = _list(where, value)
        self.several(where, [player for player in chairs if player is not None])
        if len(chairs) % 2:
            _fail(where, "must be an even number of chairs")
        return tuple(chairs)

    def first_rounds(self, where: str, value: Any) -> dict[str, int]:
        return self.numbers(where, value, 1)

    def words(self, where: str, value: Any) -> dict[str, str]:
        return {self.player(where, k): _text(f"{where}.{k}", v) for k, v in _object(where, value).items()}

    def pairs(self, where: str, value: Any) -> tuple[tuple[str, str], ...]:
        pairs = [self.several(f"{where}[{i}]", item) for i, item in enumerate(_list(where, value))]
        for i, pair in enumerate(pairs):
            if len(pair) != 2:
                _fail(f"{where}[{i}]", "must be two players")
        return tuple((pair[0], pair[1]) for pair in pairs)

    def playoffs(self, where: str, value: Any) -> tuple[FilePlayoff, ...]:
        return tuple(self.playoff(f"{where}[{i}]", item) for i, item in enumerate(_list(where, value)))

    def playoff(self, where: str, value: Any) -> FilePlayoff:
        data = _object(where, value)
        matches = enumerate(_list(f"{where}.matches", data.get("matches")))
        duels = tuple(self.tie(f"{where}.matches[{i}]", _object(where, item)) for i, item in matches)
        return FilePlayoff(_text(f"{where}.name", data.get("name")), duels)

    def tie(self, where: str, data: dict[str, Any]) -> FileMatch:
        slot = data.get("slot")
        return replace(self.duel(where, data), slot=None if slot is None else _number(f"{where}.slot", slot))

    def published(self, where: str, value: Any) -> tuple[Mapping[str, Any], ...]:
        rows = [_object(f"{where}[{i}]", item) for i, item in enumerate(_list(where, value))]
        for i, row in enumerate(rows):
            _text(f"{where}[{i}].player", row.get("player"))
            for key, number in row.items():
                if key != "player" and not _is_number(number):
                    _fail(f"{where}[{i}].{key}", f"must be a number, not {_shown(number)}")
        return tuple(rows)


def _is_number(value: Any) -> bool:
    """A published number, or null for unknown; 1e999 is read as infinity and is none."""
    return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value))


def _games(where: str, data: dict[str, Any], key: str) -> int | None:
    value = data.get(key)
    return None if value is None else _number(f"{where}.{key}", value)


def _points(read: _Reader, where: str, value: Any) -> Points:
    data = _object(where, value)
    given = {key: _number(f"{where}.{key}", data[key]) for key in ("win", "draw", "loss", "bye") if key in data}
    points = Points(**given)
    if points.win < 1:
        _fail(f"{where}.win", "a win gives at least 1 point (1.4)")
    return points


def _best_of(read: _Reader, where: str, value: Any) -> int:
    if _number(where, value, 1) not in (1, 3):
        _fail(where, f"best of 1 and best of 3 exist, not {value} (1.2)")
    return cast(int, value)


def _preset(read: _Reader, where: str, value: Any) -> str:
    if value not in PRESETS:
        _fail(where, f"{_shown(value)} is not one of {', '.join(PRESETS)} (2.2-2.4)")
    return cast(str, value)


def _event_format(read: _Reader, where: str, value: Any) -> str:
    return _choice(*get_args(EventFormat))(where, value)


def _pod_points(read: _Reader, where: str, value: Any) -> PodPoints:
    """{"4": [5, 3, 2, 1], ...}: for each size of a table what its places are worth, the first one the most."""
    found: dict[int, tuple[int, ...]] = {}
    for size, points in _object(where, value).items():
        if size not in ("2", "3", "4"):
            _fail(where, f"tables have 2, 3 or 4 players, not {_shown(size)}")
        worth = tuple(_number(f"{where}.{size}", each) for each in _list(f"{where}.{size}", points))
        if len(worth) != int(size) or list(worth) != sorted(worth, reverse=True) or not worth[0]:
            _fail(f"{where}.{size}", f"must be {size} numbers, the first place the most")
        found[int(size)] = worth
    return found


def _cut_format(read: _Reader, where: str, value: Any) -> str:
    return _choice(*get_args(CutFormat))(where, value)


def _rounds(read: _Reader, where: str, value: Any) -> tuple[int, ...]:
    return tuple(_number(f"{where}[{i}]", item) for i, item in enumerate(_list(where, value)))


def _fit(read: _Reader, where: str, value: Any) -> Mapping[str, Any]:
    switches(_object(where, value))
    return cast(Mapping[str, Any], value)


_READERS: dict[str, Callable[[_Reader, str, Any], Any]] = {
    "points": _points,
    "best_of": _best_of,
    "preset": _preset,
    "tiebreak_fit": _fit,
    "event_format": _event_format,
    "pod_points": _pod_points,
    "schedule": _Reader.chairs,
    "drops": _Reader.numbers,
    "entries": _Reader.first_rounds,
    "elements": _Reader.words,
    "teams": _Reader.words,
    "separations": _Reader.pairs,
    "next_byes": _Reader.several,
    "tables": _Reader.first_rounds,
    "phase_ends": _rounds,
    "cut_format": _cut_format,
    "playoffs": _Reader.playoffs,
    "standings": _Reader.published,
}


def switches(fit: Mapping[str, Any]) -> Switches:
    """The switches of `tiebreak_fit` (2.2); what it does not name takes its default."""
    given = {key: read(f"tiebreak_fit.{key}", fit[key]) for key, read in _SWITCHES.items() if fit.get(key) is not None}
    return Switches(**given)


def _share(where: str, value: Any) -> Fraction:
    try:
        share = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        _fail(where, f'must be a share such as 0.33 or "1/3", not {_shown(value)}')
    if isinstance(value, bool) or not 0 <= share <= 1:
        _fail(where, f"must lie between 0 and 1, not {_shown(value)}")
    return share


def _flag(where: str, value: Any) -> bool:
    if not isinstance(value, bool):
        _fail(where, f"must be true or false, not {_shown(value)}")
    return value


def _choice(*options: str) -> Callable[[str, Any], str]:
    def choose(where: str, value: Any) -> str:
        if value not in options:
            _fail(where, f"{_shown(value)} is not one of {', '.join(options)}")
        return cast(str, value)

    return choose


def _nobody(where: str, value: Any) -> str:
    """`no_opponents`: "floor", or 0 (also spelt "zero")."""
    return "zero" if value == 0 and not isinstance(value, bool) else _choice("floor", "zero")(where, value)


def _ends(where: str, value: Any) -> tuple[int, ...]:
    return tuple(sorted(_number(where, item) for item in _list(where, value)))


_SWITCHES: dict[str, Callable[[str, Any], Any]] = {
    "floor": _share,
    "own_gw_floor": _flag,
    "mw_denominator": _choice("played", "all"),
    "opponents": _choice("per_match", "unique"),
    "drawn_game_points": _number,
    "opponent_byes": _choice("count", "strip"),
    "no_opponents": _nobody,
    "freeze": _ends,
}


def seats_of(match: FileMatch | FilePod) -> tuple[str, ...]:
    if isinstance(match, FilePod):
        return match.players
    return (match.p1,) if match.p2 is None else (match.p1, match.p2)


def to_tournament(event: EventFile) -> Tournament:
    """The event as the Swiss core sees it. EventFileError for what no event can be."""
    _check_pods(event)
    numbered = [(i, match) for i, matches in enumerate(event.rounds, 1) for match in matches]
    return Tournament(
        id=event.id,
        rules=Rules(
            points=event.points or Points(),
            best_of=event.best_of or 3,
            preset=event.preset or usual_preset(event),
            switches=switches(event.tiebreak_fit or {}),
            pods={**POD_POINTS, **(event.pod_points or {})} if event.in_pods else None,
        ),
        entrants=tuple(_entrant(event, player) for player in event.players),
        matches=tuple(to_match(match, i) for i, match in numbered if isinstance(match, FileMatch)),
        separations=tuple((PlayerId(a), PlayerId(b)) for a, b in event.separations or ()),
        assigned_byes=tuple(PlayerId(player) for player in event.next_byes or ()),
        separate_teams=event.teams is not None,
        pods=tuple(to_pod(match, i) for i, match in numbered if isinstance(match, FilePod)),
    )


def usual_preset(event: EventFile) -> str:
    return "pods" if event.in_pods else "mtr"


def _check_pods(event: EventFile) -> None:
    """An event is played in pods or in pairs; there a table of two is a pod of two."""
    if not event.in_pods:
        return
    if event.event_format not in (None, "pods"):
        _fail("event_format", f"{event.event_format} has no pods")
    for i, matches in enumerate(event.rounds):
        for j, match in enumerate(matches):
            if isinstance(match, FileMatch) and match.p2 is not None:
                _fail(
                    f"rounds[{i}][{j}]",
                    "an event of pods has no other tables: two players are `players` and `places` too",
                )
    if event.playoffs:
        _fail("playoffs", "an event of pods has no cut (7.1)")


def _entrant(event: EventFile, player: str) -> Entrant:
    """Whoever is in `drops` is inactive now, whatever round it names."""
    last = (event.drops or {}).get(player)
    return Entrant(
        id=PlayerId(player),
        first_round=(event.entries or {}).get(player, 1),
        last_round=None if last is None else min(last, len(event.rounds)),
        team=(event.teams or {}).get(player),
        table=(event.tables or {}).get(player),
    )


def to_match(match: FileMatch, round: int) -> Match:
    outcome, seat = RESULTS[match.result]
    winner = {1: match.p1, 2: match.p2, None: None}[seat]
    return Match(
        round=round,
        a=PlayerId(match.p1),
        b=None if match.p2 is None else PlayerId(match.p2),
        outcome=outcome,
        winner=None if winner is None else PlayerId(winner),
        games=_match_games(match),
    )


def to_pod(pod: FilePod, round: int) -> Pod:
    players = tuple(PlayerId(player) for player in pod.players)
    return Pod(round, players, pod.places or (None,) * len(players))


def to_file_pod(pod: Pod, name: Callable[[PlayerId], str] = str) -> FilePod:
    """The reverse of `to_pod`. A table not reported is one that was not played."""
    return FilePod(tuple(name(player) for player in pod.players), pod.places if pod.played else None)


def _match_games(match: FileMatch) -> Games | None:
    if match.p1_games is None or match.p2_games is None:
        return None
    return Games(match.p1_games, match.p2_games, match.draws or 0)


def to_file_match(match: Match, name: Callable[[PlayerId], str] = str) -> FileMatch:
    """The reverse of `to_match`; `name` gives the file's id of a player. A match not reported is `not_played`."""
    games = match.games
    return FileMatch(
        p1=name(match.a),
        p2=None if match.b is None else name(match.b),
        p1_games=games.a if games else None,
        p2_games=games.b if games else None,
        draws=games.draws if games else None,
        result=result_code(match),
    )


def result_code(match: Match) -> Result:
    seat = None if match.winner is None else 1 if match.winner == match.a else 2
    outcome = match.outcome or Outcome.NOT_PLAYED
    return next(code for code, meaning in RESULTS.items() if meaning == (outcome, seat))


def dump(event: EventFile) -> dict[str, Any]:
    """The file as JSON-able values, with the keys that the event has and no other."""
    return {key: _plain(value) for key in KEYS if (value := getattr(event, key)) is not None}


def _plain(value: Any) -> Any:
    match value:
        case date():
            return value.isoformat()
        case Mapping():
            return {str(key): _plain(item) for key, item in value.items()}
        case tuple() | list():
            return [_plain(item) for item in value]
        case FileMatch(slot=None):
            return {field.name: _plain(getattr(value, field.name)) for field in fields(value) if field.name != "slot"}
        case FileMatch() | FilePod() | FilePlayoff() | Points():
            return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
        case _:
            return value


def canonical(data: Mapping[str, Any]) -> dict[str, Any]:
    """Documented keys only, lists without an order of their own sorted, what says nothing left out.

    Two files with equal canonical forms are one event: for import, export and the digest.
    """
    plain = dump(from_dict(dict(data)))
    for key in ("players", "next_byes", "standings"):
        if key in plain:
            plain[key] = _sorted(plain[key])
    if "separations" in plain:
        plain["separations"] = _sorted(sorted(pair) for pair in plain["separations"])
    plain["rounds"] = [_sorted(matches) for matches in plain["rounds"]]
    for playoff in plain.get("playoffs", ()):
        playoff["matches"] = _sorted(playoff["matches"])
    return {key: plain[key] for key in sorted(plain) if plain[key] not in _SAYS_NOTHING.get(key, ([], {}))}


_SAYS_NOTHING: dict[str, tuple[Any, ...]] = {
    "players": (),
    "rounds": (),
    "teams": (),
    "best_of": (3,),
    "preset": ("mtr",),
    "event_format": ("swiss",),
    "cut_format": ("single",),
    "pod_points": ({str(size): list(worth) for size, worth in POD_POINTS.items()},),
    "points": ({"win": 3, "draw": 1, "loss": 0, "bye": 3},),
}
"""Values that mean the same as an absent key; without an entry here: the empty list and the empty object."""


def _sorted(items: Iterable[Any]) -> list[Any]:
    return sorted(items, key=_text_of)


def _text_of(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def digest(data: Mapping[str, Any]) -> str:
    """SHA-256 of the canonical form: the same id with another digest is another event."""
    return sha256(_text_of(canonical(data)).encode("utf-8", "surrogatepass")).hexdigest()
