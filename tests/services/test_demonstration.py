"""The demonstration circuit: what is in it, that the services could have written it, that it goes whole (DESIGN)."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db.models import Count, Max
from django.test import TestCase
from django.utils import timezone

from decks.models import Deck
from decks.services import imports
from decks.services.submissions import Terms, judge
from kounter_site import demo
from kounter_site.demonstration import calendar, circuit, people, removal
from kounter_site.demonstration.places import MAIN, OPEN_TONIGHT, PLACES
from kounter_site.demonstration.tonight import shop_day
from players.models import Follow, Player, User
from players.services import people as merging
from ranking.models import BoardRow, Run, Season, SeasonResult, Snapshot
from ranking.services import rate, seasons
from tests import make
from tournaments.models import (
    Event,
    FrozenStandings,
    LogEntry,
    Match,
    Registration,
    ResultRevision,
    Role,
    Round,
    Seat,
    Series,
    Store,
)
from tournaments.queries import open_events, sheet, tonight
from tournaments.services import events, journal, results, rounds
from tournaments.services.errors import Refused
from tournaments.services.journal import SYSTEM
from tournaments.services.registrations import drop
from tournaments.services.verification import verify_event

NOW = datetime(2026, 11, 12, 19, 40, tzinfo=UTC)
"""A Thursday, 20:40 in Teruel; the clocks went back two and a half weeks before."""
TODAY = date(2026, 11, 12)


def finished() -> list[Event]:
    return list(Event.objects.filter(status=Event.Status.FINISHED).select_related("store").order_by("starts_at", "pk"))


def weeklies() -> list[Event]:
    names = {place.noun for place in PLACES}
    return [event for event in finished() if event.name.partition(" de ")[2] in names]


def running() -> Event:
    return Event.objects.select_related("store").get(status=Event.Status.RUNNING)


def picture() -> dict[str, Any]:
    """Everything that chance decided, without keys and guests' secrets."""
    seats = Seat.objects.order_by(
        "match__event__slug", "round__number", "match__table", "match__kind", "registration__player__code"
    )
    columns = ("round__seed", "registration__player__code", "games", "match__outcome", "match__how", "match__state")
    return {
        "people": list(Player.objects.order_by("code").values_list("code", "name")),
        "seats": list(seats.values_list("match__event__slug", "round__number", "match__table", *columns)),
        "log": list(LogEntry.objects.order_by("event__slug", "number").values_list("event__slug", "action", "at")),
        "season": SeasonResult.objects.get().rows,
    }


EMPTIED = (
    Store, Event, Registration, Round, Match, Seat, ResultRevision, FrozenStandings, LogEntry, Series, Role, Player,
    User, Follow, Season, SeasonResult, Run, Snapshot, BoardRow,
)  # fmt: skip


class CircuitTest(TestCase):
    """Loaded once; each test works in a savepoint of its own."""

    @classmethod
    def setUpTestData(cls) -> None:
        assert circuit.load(NOW)

    # -- who and where --
    def test_about_ninety_people_of_every_kind_that_is_hard_to_show(self) -> None:
        players = Player.objects.filter(registrations__isnull=False).distinct()
        assert 85 <= players.count() <= 95
        assert players.filter(user=None).count() >= 7
        minor = players.filter(minor=True).first()
        assert minor is not None
        assert minor.shown == minor.alias != minor.name
        private = players.filter(privacy=Player.Privacy.PRIVATE)
        assert {player.shown for player in private} == {"La Sombra de la Mesa 4", private.get(alias="").printed_code}
        twins = [name for name, count in Counter(player.staff_key for player in players).items() if count > 1]
        assert twins == ["ana ortigosa zascandil"]
        assert max(len(name) for name in players.values_list("name", flat=True)) > 50

    def test_stores_of_six_provinces_and_one_an_hour_behind(self) -> None:
        stores = Store.objects.all()
        assert len(stores) >= 7
        assert len({store.province for store in stores}) >= 6
        assert {store.province for store in stores if store.time_zone == "Atlantic/Canary"} == {"ES-GC"}
        for store in stores:
            assert store.roles.filter(kind=Role.Kind.OWNER).count() == 1

    # -- what was played --
    def test_eight_weeks_of_weeklies_in_every_store_at_their_own_wall_time(self) -> None:
        assert Counter(event.store.name for event in weeklies()) == {place.name: 8 for place in PLACES}
        walls = {(event.store.name, event.local_start.strftime("%A %H:%M")) for event in weeklies()}
        assert len(walls) == len(PLACES)
        offsets = {event.local_start.utcoffset() for event in weeklies() if event.store.slug == MAIN}
        assert len(offsets) == 2  # the clock change is among them

    def test_weeklies_have_ten_to_sixteen_players_four_rounds_and_some_a_top_4(self) -> None:
        for event in weeklies():
            assert 10 <= event.registrations.count() <= 16
            assert event.best_of == 1
            assert event.rounds.filter(kind=Round.Kind.SWISS).count() == 4
            assert event.rounds.filter(kind=Round.Kind.CUT).count() == (2 if event.cut_size else 0)
        assert Counter(event.cut_size for event in weeklies()) == {0: 48, 4: 16}

    def test_the_regional_has_forty_players_six_rounds_and_a_top_8(self) -> None:
        event = Event.objects.get(tier=Event.Tier.REGIONAL)
        assert (event.registrations.count(), event.best_of, event.cut_size) == (40, 3, 8)
        assert event.rounds.filter(kind=Round.Kind.SWISS).count() == 6
        assert event.rounds.filter(kind=Round.Kind.CUT).count() == 3
        assert event.local_start.weekday() >= calendar.SATURDAY
        assert len({row.player.province for row in event.registrations.select_related("player")}) >= 6

    def test_everything_that_happens_to_events_happens_here(self) -> None:
        assert Match.objects.filter(kind=Match.Kind.BYE).exists()
        assert Match.objects.filter(kind=Match.Kind.UNPAIRED).exists()
        assert Registration.objects.filter(first_round=2, missed_as_losses=False).exists()
        assert Registration.objects.filter(status=Registration.Status.DROPPED).exists()
        assert Match.objects.filter(outcome=Match.Outcome.DRAW, event__best_of=3).exists()
        assert set(Match.objects.exclude(how="").values_list("how", flat=True)) == set(Match.How.values) - {""}
        assert set(ResultRevision.objects.values_list("kind", flat=True)) == {"report", "decision"}
        assert set(Registration.objects.values_list("element__slug", flat=True)) > {"luz", "agua", "fuego", None}

    def test_nobody_is_in_two_places_on_one_day(self) -> None:
        days = Counter(Registration.objects.filter(event__in=finished()).values_list("player", "event__date"))
        assert max(days.values()) == 1

    def test_nothing_is_in_the_future_and_every_log_goes_forward(self) -> None:
        assert max(LogEntry.objects.values_list("at", flat=True)) <= NOW
        assert max(event.finished_at for event in finished() if event.finished_at) < NOW
        for event in finished():
            times = list(event.log.order_by("number").values_list("at", flat=True))
            assert times == sorted(times)

    def test_stronger_players_win_more_often(self) -> None:
        """A latent skill decides, so that ratings have something to find."""
        heroine = Player.objects.get(name=people.HEROINE)
        hers = Match.objects.filter(seats__registration__player=heroine, kind=Match.Kind.TABLE, event__in=finished())
        assert hers.filter(winner=heroine).count() > 0.6 * hers.count() > 10

    # -- as if the services had written it --
    def test_events_replay_from_their_logs(self) -> None:
        """A sample of the past, the regional, and the one in progress (`verify_event`)."""
        sample = [*finished()[::9], Event.objects.get(tier=Event.Tier.REGIONAL), running()]
        for event in sample:
            report = verify_event(event)
            assert report.differs == []
            assert len(report.rounds) >= event.rounds.count()
            assert {row["checked"] for row in report.rounds} <= {"derived", "bracket"}
            assert len(report.standings) == (0 if event.live else 2)

    def test_versions_are_the_numbers_of_the_logs(self) -> None:
        counted = Event.objects.annotate(entries=Count("log"), last=Max("log__number"))
        assert all(event.version == event.entries == event.last for event in counted)

    def test_a_finished_night_can_be_undone_step_by_step(self) -> None:
        event = next(event for event in finished() if event.cut_size == 4)
        for action in ("event.finish", "result."):
            entry = journal.next_undo(event)
            assert entry is not None
            assert entry.action.startswith(action)
            journal.undo(event, entry.number, by=SYSTEM, at=NOW)
        assert Event.objects.get(pk=event.pk).status == Event.Status.CUT
        assert len(sheet(event).open_matches) == 1
        assert verify_event(event).ok

    def test_a_finished_night_can_be_corrected(self) -> None:
        event = next(event for event in finished() if not event.cut_size)
        match = next(m for m in sheet(event).matches(sheet(event).rounds[0]) if m.outcome == Match.Outcome.WIN)
        loser = next(seat.registration for seat in match.seat_list if not seat.won)
        match.event = event
        results.correct(match, results.Statement(Match.Outcome.WIN, loser), by=SYSTEM, at=NOW, reason="Estaba al revés")
        assert verify_event(event).ok
        assert event.frozen.filter(phase=FrozenStandings.Phase.SWISS).count() == 2

    # -- tonight --
    def test_one_event_is_in_its_third_round(self) -> None:
        event = running()
        now = sheet(event)
        assert event.store.slug == MAIN
        assert (event.rounds_planned, [row.status for row in now.rounds]) == (4, [Round.Status.PUBLISHED] * 3)
        tables = [match.state for match in now.matches(now.rounds[2]) if match.kind == Match.Kind.TABLE]
        assert Counter(tables) == {"open": 2, "done": 2, "claimed": 1, "conflict": 1}
        assert 0 < rounds.left(now.rounds[2], NOW) < 30 * 60
        assert [row.last_round for row in now.entrants if not row.active] == [2]
        assert event in tonight(NOW)

    def test_the_player_who_signs_in_has_a_table_to_report(self) -> None:
        event = running()
        mine = sheet(event).by_player[Player.objects.get(user__email="jugadora@kounter.example").pk]
        match = sheet(event).current_match(mine)
        assert match is not None
        assert (match.kind, match.state) == (Match.Kind.TABLE, Match.State.OPEN)

    def test_the_last_action_of_tonight_can_be_undone(self) -> None:
        event = running()
        entry = journal.next_undo(event)
        assert entry is not None
        journal.undo(event, entry.number, by=SYSTEM, at=NOW)
        assert Counter(match.state for match in sheet(event).open_matches) == {"open": 2, "claimed": 2}

    def test_another_event_takes_registrations_tonight_and_one_is_a_draft(self) -> None:
        (open_now,) = open_events(NOW)
        assert open_now.store.slug == OPEN_TONIGHT
        assert open_now.local_date() == TODAY
        assert 8 <= open_now.registrations.count() < (open_now.capacity or 0)
        draft = Event.objects.get(status=Event.Status.DRAFT)
        assert draft.store.slug == MAIN
        assert draft.series is not None

    def test_repeating_the_late_session_makes_one_for_tonight(self) -> None:
        last = Event.objects.filter(name="Jueves golfo").latest("starts_at")
        again = events.repeat(last, by=SYSTEM, at=NOW)
        assert (again.date, again.local_start.strftime("%H:%M")) == (TODAY, "21:30")
        assert len(events.regulars(again)) >= 8

    # -- accounts --
    def test_accounts_are_closed_until_they_are_opened_on_loopback(self) -> None:
        assert demo.accounts() == []
        demo.open_accounts(loopback=True)
        assert [role for _email, role in demo.accounts()] == [
            "administración del circuito",
            "auditoría del circuito",
            "propietaria o propietario · La Ficha Fluorescente",
            "organización · La Ficha Fluorescente",
            "juez · La Ficha Fluorescente",
            "resultados · La Ficha Fluorescente",
            "organización · Dados y Berenjenas",
            "jugador",
            "jugador",
        ]
        users = User.objects.filter(email__in=[email for email, _role in demo.accounts()])
        assert len({user.password for user in users}) == 1
        assert users[0].check_password(demo.PASSWORD)
        assert all(user.emailaddress_set.get().verified for user in users)
        demo.open_accounts(loopback=False)
        assert demo.accounts() == []

    def test_everything_carries_the_mark(self) -> None:
        for model in (Store, Player, User, Season):
            assert not model.objects.filter(demo=False).exists()

    # -- ranking --
    def test_nothing_is_rated_until_the_worker_comes(self) -> None:
        assert not Run.objects.exists()
        (snapshot,) = rate.catch_up(NOW)
        assert snapshot.run.counts["events"] == len(finished())
        country = BoardRow.objects.filter(snapshot=snapshot, board="es", order="rating")
        assert country.exclude(rank=None).count() > 75
        assert country.filter(rank=None, missing_matches__gt=0).count() >= 5
        stores = {
            name
            for name in country.model.objects.filter(snapshot=snapshot).values_list("board", flat=True)
            if ":" in name
        }
        assert {f"tienda:{place.slug}" for place in PLACES} <= stores
        values = country.values_list("value", flat=True)
        assert max(values) - min(values) > 200

    def test_the_open_season_covers_the_weeks_and_the_one_before_is_published(self) -> None:
        past, now = Season.objects.order_by("starts")
        assert now.status == Season.Status.OPEN
        assert all(now.starts <= event.date < now.ends for event in weeklies())
        assert past.status == Season.Status.PUBLISHED
        assert past.ends == now.starts
        rows = past.results.get().rows
        assert rows[0]["rank"] == 1
        assert len(rows) > 40
        rate.catch_up(NOW)
        assert seasons.preview(past).moved == []
        assert seasons.preview(now).rows[0]["points"] > 100

    # -- coming and going --
    def test_loading_again_does_nothing(self) -> None:
        before = Event.objects.count()
        assert not circuit.load(NOW)
        call_command("load_demo", verbosity=0)
        assert Event.objects.count() == before

    def test_the_same_day_and_seed_give_the_same_circuit(self) -> None:
        first = picture()
        removal.remove()
        assert circuit.load(NOW)
        assert picture() == first

    def test_removing_leaves_nothing(self) -> None:
        rate.catch_up(NOW)
        removed = removal.remove()
        assert (removed.stores, removed.seasons, removed.kept, removed.ownerless) == (8, 2, [], [])
        assert removed.events == 78
        assert [model.__name__ for model in EMPTIED if model._default_manager.exists()] == []
        assert removal.remove().events == 0

    def test_what_is_the_shops_own_stays(self) -> None:
        """A made-up player in the shop's own night, the shop's own player in a made-up one, and what hangs on both."""
        stranger = Player.objects.get(user__email="jugador@kounter.example")
        home = make.make_store("La Mía")
        mine = make.make_player("Pura Verdad Cierta", home_store=MAIN)
        season = seasons.create(
            make.default_game(), by=SYSTEM, name="La propia", starts=TODAY, ends=TODAY + timedelta(9)
        )
        own = make.make_event(home, players=3, rounds=2)
        for player in (stranger, mine):
            make.enrol(own, player)
        drop(make.registration(own, 3), by=SYSTEM, at=own.starts_at)
        make.make_finished(make.play_event(own))
        theirs = Event.objects.get(store__slug=OPEN_TONIGHT, status=Event.Status.OPEN)
        make.enrol(theirs, mine)
        rate.catch_up(NOW)

        removed = removal.remove()

        assert removed.kept == [stranger.code]
        stranger.refresh_from_db()
        assert (stranger.demo, stranger.user, stranger.public_name) == (False, None, "Begoña T.")
        mine.refresh_from_db()
        assert (mine.home_store, mine.user is None) == ("", False)
        assert list(Event.objects.all()) == [own]
        assert list(Store.objects.all()) == [home]
        assert list(Season.objects.all()) == [season]
        assert Player.objects.count() == 5
        assert verify_event(own).ok
        assert not Snapshot.objects.exists()
        (snapshot,) = rate.catch_up(NOW)
        assert snapshot.run.counts["events"] == 1

    def test_snapshots_on_which_an_own_season_stands_stay(self) -> None:
        season = seasons.create(make.default_game(), by=SYSTEM, name="La propia", starts=date(2026, 1, 1), ends=TODAY)
        seasons.open(season, by=SYSTEM)
        rate.catch_up(NOW)
        seasons.close(season, by=SYSTEM, at=NOW)
        removal.remove()
        season.refresh_from_db()
        assert season.frozen == Snapshot.objects.get()

    def test_a_record_that_stands_for_somebody_of_the_shop_stays(self) -> None:
        guest, stranger = (
            make.make_guest("Pura Verdad Cierta"),
            Player.objects.get(user__email="jugador@kounter.example"),
        )
        merging.merge(guest, stranger, by=None, at=NOW)
        assert removal.remove().kept == [stranger.code]
        guest.refresh_from_db()
        assert guest.merged_into == stranger

    def test_a_store_whose_owner_was_made_up_is_named(self) -> None:
        store = make.make_store("La Mía")
        Role.objects.create(store=store, user=User.objects.get(email="duena@kounter.example"), kind=Role.Kind.OWNER)
        assert removal.remove().ownerless == [store.slug]

    def test_addresses_that_are_taken_are_named_and_nothing_is_written(self) -> None:
        removal.remove()
        User.objects.create_user("organizadora@kounter.example")
        with pytest.raises(Refused, match=r"organizadora@kounter\.example"):
            circuit.load(NOW)
        assert not Store.objects.exists()


# -- without a database ----------------------------------------------------------------------------------------------
def test_every_name_is_given_once_but_the_twins() -> None:
    names = Counter(person.name for person in [*people.players(), *people.STAFF.values()])
    assert [name for name, count in names.items() if count > 1] == ["Ana Ortigosa Zascandil"]


def test_soon_after_midnight_it_is_still_last_nights_circuit() -> None:
    """Else the event in progress would not be the newest, and the boards could not say who moved."""
    midnight = datetime(2026, 11, 12, 23, tzinfo=UTC)
    assert [shop_day(midnight + timedelta(minutes=n)) - TODAY for n in (-1, 0, 79, 80)] == [
        timedelta(n) for n in (0, 0, 0, 1)
    ]


@pytest.mark.parametrize("days", range(7))
def test_whatever_the_day_of_the_week_everything_fits(days: int) -> None:
    today = TODAY + timedelta(days=days)
    plans = calendar.past(today)
    regional = next(plan for plan in plans if plan.tier == Event.Tier.REGIONAL)
    assert regional.starts.weekday() >= calendar.SATURDAY
    assert all(plan.starts.date() != regional.starts.date() for plan in plans if plan is not regional)
    assert max(plan.starts.date() for plan in plans) < today
    assert Counter(plan.place.slug for plan in plans if plan.recent) == {place.slug: 2 for place in PLACES}
    first_day = calendar.season_starts(today)
    before = [plan for plan in plans if plan.starts.date() < first_day]
    assert {plan.tier for plan in before} == {Event.Tier.STORE}
    assert first_day < today < calendar.half_a_year(first_day, 1)


@pytest.mark.django_db
def test_events_made_in_demonstration_stores_are_named_before_they_go() -> None:
    store = make.make_store("Fichas de Mentira", demo=True)
    make.make_event(store, players=2)
    own = make.make_event(store, players=2, name="Noche mía")
    Event.objects.filter(pk=own.pk).update(created_at=timezone.now() + timedelta(hours=1))
    with pytest.raises(CommandError, match=own.slug):
        call_command("remove_demo")
    assert Event.objects.count() == 2
    call_command("remove_demo", "--yes", verbosity=0)
    assert not Event.objects.exists()


def test_who_can_sign_in_has_legal_decks_and_an_event_takes_lists(game: Any) -> None:
    imports.load_demonstration([game])
    circuit.load(NOW)
    decks = list(Deck.objects.select_related("owner__user").prefetch_related("versions"))
    assert {deck.owner.user.email for deck in decks if deck.owner.user} == {
        "jugadora@kounter.example", "jugador@kounter.example",
    }  # fmt: skip
    for deck in decks:
        newest, older = deck.versions.all()
        assert judge(newest.text, Terms(game, timezone.localdate(), "")).legal
        assert (newest.size, older.size < 40) == (40, True)
    assert sum(bool(deck.share) for deck in decks) == 1
    assert Event.objects.filter(decks="optional", status="open").count() == 1
    assert removal.remove().players
    assert not Deck.objects.exists()
