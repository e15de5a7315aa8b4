"""A backup: the event file, and under `kounter` every row of the event, so that it goes on where it stood.

The rows go out as the journal writes them and come back with new keys. What stays behind: accounts (who entered what),
guests' links, and the log, which begins anew with `event.restore`; the log of the past speaks of rows by keys that are
not free elsewhere. For staff only, as it holds names.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, models, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from decks.models import Element, Game, Submission, SubmissionCard, Verdict
from decks.services import submissions
from players import names
from players.models import Player, User
from tournaments.models import (
    DeckCheck,
    Event,
    FrozenStandings,
    Match,
    Penalty,
    Registration,
    ResultRevision,
    Round,
    Seat,
    Series,
    Store,
)
from tournaments.services import events, files, journal
from tournaments.services.errors import Refused
from tournaments.services.journal import Actor, Change
from tournaments.services.judging import terms_of
from tournaments.services.registrations import new_secret

FORMAT = 1
KEY = "kounter"
# Parents first. A match and its revisions point at each other: matches come in undecided and are decided at the end.
ROWS: tuple[type[models.Model], ...] = (
    Submission, Verdict, Registration, Round, Match, ResultRevision, Seat, FrozenStandings, Penalty, DeckCheck,
)  # fmt: skip
SINCE_LISTS = (Submission, Verdict, DeckCheck)  # older backups have none
SCOPES: dict[type[models.Model], str] = {ResultRevision: "match__event", Seat: "match__event"}
NOT_OF_AN_EVENT = (Submission, Verdict, *SCOPES)
LEFT_BEHIND = {"id", "event", "secret", "game", "deck_version"}
DECIDED = ("state", "outcome", "winner", "current")
# Whatever a file that was edited by hand can provoke.
DAMAGE = (KeyError, TypeError, ValueError, AttributeError, OverflowError, IntegrityError, DataError, ValidationError)
EVENT_FIELDS = (
    *(name for name in events.SETTINGS if name not in ("game", "element")),
    "name", "slug", "status", "starts_at", "separations", "external_id", "file", "file_digest", "finished_at",
)  # fmt: skip
ADDED_LATER = {
    "format",
    "cut_format",
    "show_chances",
    "pod_points",
    "decks",
    "deck_format",
    "deck_rules",
    "lists_public",
}  # older backups do not say: the default
PERSON = ("name", "alias", "province", "country", "privacy", "minor")


# -- out ---------------------------------------------------------------------------------------------------------------
def backup(event: Event) -> dict[str, Any]:
    """The event file with everything else beside it. About 20 queries, whatever the size."""
    event = Event.objects.select_related("store", "game", "element", "series").get(pk=event.pk)
    return {**files.export_event(event), KEY: block(event)}


def block(event: Event) -> dict[str, Any]:
    tables = {model: list(rows_of(model, event)) for model in ROWS}
    named = [row.player for model in (Registration, Submission) for row in tables[model]]  # type: ignore[attr-defined]
    people = {player.code: person(player) for player in named}
    return {
        "format": FORMAT,
        "game": event.game.slug,
        "element": event.element.slug if event.element else None,
        "series": event.series.name if event.series else None,
        "event": journal.encoded(event, EVENT_FIELDS),
        "people": people,
        "rows": {model._meta.model_name: [plain(row) for row in rows] for model, rows in tables.items()},
    }


def rows_of(model: type[models.Model], event: Event) -> Iterable[models.Model]:
    rows: models.QuerySet[Any]
    if model in (Submission, Verdict):
        rows = model._default_manager.filter(lists_of(event, "submission__" if model is Verdict else ""))
    else:
        rows = model._default_manager.filter(**{SCOPES.get(model, "event"): event})
    rows = rows.order_by("pk")
    people = [f.name for f in model._meta.concrete_fields if f.related_model in (Player, Element)]
    return rows.select_related(*people) if people else rows


def lists_of(event: Event, prefix: str) -> Q:
    """Lists in force, and those that a judge has checked."""
    checked = DeckCheck.objects.filter(event=event).values("submission")
    return Q(**{f"{prefix}registration__event": event}) | Q(**{f"{prefix}id__in": checked})


def person(player: Player) -> dict[str, Any]:
    return {name: getattr(player, name) for name in PERSON}


def plain(row: models.Model) -> dict[str, Any]:
    own = [f for f in row._meta.concrete_fields if f.name not in LEFT_BEHIND and f.related_model is not User]
    return {"pk": row.pk} | {f.name: plain_value(row, f) for f in own}


def plain_value(row: models.Model, field: "models.Field[Any, Any]") -> Any:
    """Players by code, elements by slug: those are the same everywhere; the event's own rows by key."""
    if field.related_model in (Player, Element):
        other = getattr(row, field.name)
        return None if other is None else other.code if isinstance(other, Player) else other.slug
    return journal.encoded(row, [field.name])[field.name]


# -- back in -----------------------------------------------------------------------------------------------------------
def restore(
    data: Mapping[str, Any], store: Store, *, by: Actor, at: datetime | None = None, tier: str = Event.Tier.WEEKLY
) -> Event:
    """The event of a backup, in the state it had; a plain event file comes in as a finished event of that tier.

    Twice is once. An event that is here with other content is not overwritten (code `conflict`).
    """
    if KEY not in data:
        return files.import_event(data, store, tier, by=by, at=at)[0]
    file = files.readable(data)
    try:
        with transaction.atomic():
            Store.objects.select_for_update().get(pk=store.pk)
            existing = files.known_event(file, data)
            return existing or _Restore(data[KEY], store, by, at or timezone.now()).run()
    except DAMAGE as error:
        message = _("This backup is damaged: nothing was restored (%(error)s).")
        text = f"{type(error).__name__}: {error}"[:120]
        raise Refused(message % {"error": text}, code="unreadable") from None


class _Restore:
    """One backup on its way into rows. `keys` leads from the old keys to the new rows, by model."""

    def __init__(self, block: Mapping[str, Any], store: Store, by: Actor, at: datetime) -> None:
        if block["format"] != FORMAT:
            raise ValueError(f"format {block['format']}")
        self.block, self.store, self.by, self.at = block, store, by, at
        self.game = known_game(block["game"])
        self.elements = {element.slug: element for element in self.game.elements.all()}
        self.players = self.find_people(block["people"])
        self.keys: dict[type[models.Model], dict[int, models.Model]] = {}

    def run(self) -> Event:
        self.event = self.new_event()
        for model in ROWS:
            name = model._meta.model_name
            self.bring(model, self.block["rows"].get(name, []) if model in SINCE_LISTS else self.block["rows"][name])
        self.read_lists()
        self.decide()
        self.event.separations = [[self.new_key(Registration, key) for key in pair] for pair in self.event.separations]
        self.event.save(update_fields=["separations"])
        data = {"file": self.event.reference, "count": len(self.keys[Registration])}
        journal.record(Change(self.event, "event.restore", data), self.by, self.at, "")
        return self.event

    def find_people(self, people: Mapping[str, Mapping[str, Any]]) -> dict[str, Player]:
        """Whoever is here by his code; the others come as guests until they claim themselves."""
        known = {player.code: player for player in Player.objects.filter(code__in=list(people))}
        new = [self.new_person(code, values) for code, values in people.items() if code not in known]
        return known | {player.code: player for player in Player.objects.bulk_create(new)}

    def new_person(self, code: str, values: Mapping[str, Any]) -> Player:
        player = Player(code=code, demo=self.store.demo, **{name: values[name] for name in PERSON}).derive()
        player.clean_fields(exclude=["user", "merged_into"])
        return player

    def new_event(self) -> Event:
        values = self.block["event"]
        event = Event(store=self.store, game=self.game)
        known = {name: values[name] for name in EVENT_FIELDS if name in values or name not in ADDED_LATER}
        for name, value in journal.decoded(Event, known).items():
            setattr(event, name, value)
        event.element = self.elements[self.block["element"]] if self.block["element"] else None
        if series := self.block["series"]:
            event.series = Series.objects.get_or_create(store=self.store, name=names.clean(series)[:80])[0]
        event.derive().clean_fields(exclude=[*empty(event), "store", "game", "element", "series"])
        events.validate(event)
        event.save(force_insert=True)
        return event

    def bring(self, model: type[models.Model], rows: Sequence[Mapping[str, Any]]) -> None:
        made = [self.new_row(model, values) for values in rows]
        self.keys[model] = dict(zip([row["pk"] for row in rows], model._default_manager.bulk_create(made), strict=True))

    def new_row(self, model: type[models.Model], values: Mapping[str, Any]) -> models.Model:
        fields = {f.name: f for f in model._meta.concrete_fields}
        later = {"pk", *DECIDED} if model is Match else {"pk"}
        row = model(**{name: self.value(fields[name], value) for name, value in values.items() if name not in later})
        for name, value in self.given_here(model).items():
            setattr(row, name, value)
        row.clean_fields(exclude=[*empty(row), *(name for name, f in fields.items() if f.is_relation)])
        return row

    def given_here(self, model: type[models.Model]) -> dict[str, Any]:
        """What a backup does not decide: the event, and a new link for each guest."""
        if model is Submission:
            return {"game": self.game}
        event = {} if model in NOT_OF_AN_EVENT else {"event": self.event}
        return event | ({"secret": new_secret()} if model is Registration else {})

    def value(self, field: "models.Field[Any, Any]", value: Any) -> Any:
        target: Any = field.related_model
        if value is None or target is None:
            return self.plain_value(field, value)
        named: dict[Any, Mapping[Any, models.Model]] = {Player: self.players, Element: self.elements}
        return named.get(target, self.keys.get(target, {}))[value]

    def plain_value(self, field: "models.Field[Any, Any]", value: Any) -> Any:
        if field.model is FrozenStandings and field.name == "rows":
            return [row | {"registration": self.new_key(Registration, row["registration"])} for row in value]
        return None if value is None else field.to_python(value)

    def new_key(self, model: type[models.Model], key: int) -> int:
        return int(self.keys[model][key].pk)

    def read_lists(self) -> None:
        """The cards of the lists, as far as this catalogue has them."""
        handed = [row for row in self.keys[Submission].values() if isinstance(row, Submission)]
        judged = submissions.judge_all([row.text for row in handed], terms_of(self.event))
        SubmissionCard.objects.bulk_create(submissions.cards_of(list(zip(handed, judged, strict=True))))

    def decide(self) -> None:
        """Matches take the results that they came with, now that their revisions are there."""
        decided: list[Match] = []
        for values in self.block["rows"]["match"]:
            match = self.keys[Match][values["pk"]]
            assert isinstance(match, Match)
            match.state, match.outcome = values["state"], values["outcome"]
            match.winner = self.players[values["winner"]] if values["winner"] else None
            match.current_id = self.new_key(ResultRevision, values["current"]) if values["current"] else None
            match.clean_fields(exclude=[*empty(match), "event", "round", "winner", "current"])
            decided.append(match)
        Match.objects.bulk_update(decided, DECIDED, batch_size=200)


def known_game(slug: str) -> Game:
    game = Game.objects.filter(slug=slug).first()
    if game is None:
        raise Refused(_("The game of this backup is not set up here: %(game)s.") % {"game": slug}, code="game")
    return game


def empty(row: models.Model) -> list[str]:
    """Fields without a value, which only the database judges."""
    return [f.name for f in row._meta.concrete_fields if getattr(row, f.attname) in (None, "", [], {})]
