"""tournaments/services/registrations.py: the roster before and during the event (TOURNAMENT_RULES 5, 8)."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from pytest_django.fixtures import DjangoAssertNumQueries

from players.models import Player
from tests import make
from tournaments.models import Event, Match, Registration
from tournaments.queries import sheet
from tournaments.services import events, journal, registrations, rounds
from tournaments.services.errors import Refused
from tournaments.services.journal import SYSTEM, Actor

pytestmark = pytest.mark.django_db


def state(event: Event) -> list[tuple[Any, ...]]:
    """Every row of the event, for comparing before an action and after its undo."""
    roster = event.registrations.order_by("pk").values_list(
        "pk", "status", "first_round", "last_round", "team", "paid", "fixed_table", "next_bye", "element", "order"
    )
    matches = event.matches.order_by("pk").values_list("pk", "kind", "table", "state", "outcome", "winner")
    seats = (
        Match.objects.filter(event=event)
        .order_by("seats__pk")
        .values_list("seats", "seats__registration", "seats__games")
    )
    return [*roster, *matches, *seats, *event.penalties.values_list("pk", "kind")]


class TestSignUp:
    def test_a_double_tap_is_one_place(self) -> None:
        """CASES 50, rule 5.5."""
        event, player = make.make_event(), make.make_player()
        first = registrations.sign_up(event, player, by=Actor(user=player.user))
        again = registrations.sign_up(event, player, by=Actor(user=player.user))
        assert first == again
        assert event.registrations.count() == 1
        assert event.log.count() == 1, "the second tap is no action"

    def test_the_database_itself_refuses_a_second_place(self) -> None:
        event, player = make.make_event(), make.make_player()
        make.enrol(event, player)
        with pytest.raises(IntegrityError), transaction.atomic():
            make.enrol(event, player)

    def test_two_people_of_one_name_are_two(self) -> None:
        """CASES 51: never matched by name; told apart by code."""
        event = make.make_event()
        rows = registrations.add_guests(event, ["José García", "José García"], by=SYSTEM)
        assert len({row.player.code for row in rows}) == 2
        assert registrations.similar(event, "jose garcia") == rows

    def test_who_left_before_round_1_signs_up_again_at_the_end_of_the_list(self) -> None:
        event, player = make.make_event(players=2), make.make_player()
        row = registrations.sign_up(event, player, by=SYSTEM)
        registrations.drop(row, by=SYSTEM)
        back = registrations.sign_up(event, player, by=SYSTEM)
        assert (back.pk, back.status, back.last_round) == (row.pk, "registered", None)
        assert back.order > row.order

    def test_players_only_sign_up_where_the_store_lets_them(self) -> None:
        event, player = make.make_event(self_signup=False), make.make_player()
        with pytest.raises(Refused) as refusal:
            registrations.sign_up(event, player, by=Actor(user=player.user))
        assert refusal.value.code == "sign_up_off"
        assert registrations.sign_up(event, player, by=Actor(user=make.make_staff(event.store))).pk

    @pytest.mark.parametrize("status", ["draft", "running", "cut", "finished"])
    def test_players_only_sign_up_while_it_is_open(self, status: str) -> None:
        finished = make.NOON if status == "finished" else None
        event, player = make.make_event(status=status, finished_at=finished), make.make_player()
        with pytest.raises(Refused):
            registrations.sign_up(event, player, by=Actor(user=player.user))
        assert not event.registrations.exists()

    def test_an_event_of_one_element_registers_that_one(self) -> None:
        event = make.make_event()
        event.element = make.element("fuego")
        event.save()
        assert registrations.sign_up(event, make.make_player(), by=SYSTEM).element == make.element("fuego")
        with pytest.raises(Refused) as refusal:
            registrations.sign_up(event, make.make_player(), by=SYSTEM, element=make.element("agua"))
        assert refusal.value.code == "element"


class TestWalkIns:
    def test_a_name_a_line_makes_guests_with_a_link_of_their_own(self) -> None:
        event = make.make_event()
        rows = registrations.add_guests(event, ["Zoe Farolillo", "  ", "Ñusta  Quebrantahoz"], by=SYSTEM)
        assert [row.player.name for row in rows] == ["Zoe Farolillo", "Ñusta Quebrantahoz"]
        assert [row.player.province for row in rows] == ["ES-TE", "ES-TE"]
        assert len({row.secret for row in rows}) == 2
        assert all(len(row.secret) >= 20 for row in rows)

    def test_a_public_code_finds_that_very_player(self) -> None:
        event, player = make.make_event(), make.make_player()
        rows = registrations.add_guests(event, [player.printed_code.lower()], by=SYSTEM)
        assert [row.player for row in rows] == [player]
        assert registrations.add_guests(event, [player.code], by=SYSTEM) == rows, "he is in already"

    @pytest.mark.parametrize("lines", [[], [" ", ""]])
    def test_nothing_is_refused(self, lines: list[str]) -> None:
        with pytest.raises(Refused):
            registrations.add_guests(make.make_event(), lines, by=SYSTEM)

    @pytest.mark.parametrize("people", [1, 60])
    def test_the_number_of_queries_does_not_depend_on_the_lines(
        self, people: int, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        event = make.make_event(players=5)
        with django_assert_num_queries(10):  # savepoint twice, lock, codes, guests, roster, room, rows, version, log
            registrations.add_guests(event, [make.a_name(i) for i in range(people)], by=SYSTEM)


class TestCapacity:
    """Rule 5.6."""

    def full(self) -> Event:
        event = make.make_event(players=2, capacity=3)
        registrations.add_guests(event, ["Tercera", "Cuarto", "Quinta"], by=SYSTEM)
        return event

    def statuses(self, event: Event) -> list[str]:
        return list(event.registrations.values_list("status", flat=True))

    def test_nobody_passes_the_limit_staff_included(self) -> None:
        assert self.statuses(self.full()) == ["registered"] * 3 + ["waiting"] * 2

    @pytest.mark.parametrize("leave", [registrations.drop, registrations.remove])
    def test_a_free_place_goes_to_whoever_waits_longest(self, leave: Callable[..., Any]) -> None:
        event = self.full()
        leave(make.registration(event, 1), by=SYSTEM)
        assert make.registration(event, 4).status == "registered"
        assert make.registration(event, 5).status == "waiting"
        before = state(event)
        journal.undo(event, event.log.first().number, by=SYSTEM)  # type: ignore[union-attr]
        assert make.registration(event, 1).status == "registered"
        assert make.registration(event, 4).status == "waiting"
        assert state(event) != before

    def test_raising_the_limit_lets_them_in(self) -> None:
        event = self.full()
        events.edit(event, capacity=4, by=SYSTEM)
        assert self.statuses(event) == ["registered"] * 4 + ["waiting"]
        events.edit(event, capacity=None, by=SYSTEM)
        assert self.statuses(event) == ["registered"] * 5

    def test_the_limit_does_not_fall_below_who_is_in(self) -> None:
        event = self.full()
        with pytest.raises(Refused) as refusal:
            events.edit(event, capacity=2, by=SYSTEM)
        assert refusal.value.rule == "5.6"

    def test_who_comes_back_to_a_full_event_waits(self) -> None:
        event = self.full()
        row = make.registration(event, 1)
        registrations.drop(row, by=SYSTEM)
        assert registrations.undrop(row, by=SYSTEM).status == "waiting"

    def test_a_late_entry_does_not_pass_it_either(self) -> None:
        event = make.make_event(players=3, capacity=3)
        make.pair_and_publish(event)
        with pytest.raises(Refused) as refusal:
            registrations.enter_late(event, "Tardona", by=SYSTEM, choice="nothing")
        assert refusal.value.code == "full"
        assert not Player.objects.filter(name="Tardona").exists()


class TestLateEntry:
    """CASES 29, rule 5.2: seven players, round 1 is paired, the eighth arrives."""

    @pytest.fixture
    def seven(self) -> Event:
        event = make.make_event(players=7, rounds=3)
        make.pair_and_publish(event)
        event.refresh_from_db()
        return event

    def test_the_seat_opposite_the_bye(self, seven: Event) -> None:
        row = registrations.enter_late(seven, "Octavia", by=SYSTEM, choice="bye_seat")
        now = sheet(seven)
        assert (row.first_round, row.status) == (1, "registered")
        match = now.current_match(now.by_id[row.pk])
        assert match is not None
        assert (match.kind, match.state, match.table, match.outcome) == ("table", "open", 4, None)
        assert [m for m in now.matches(now.current_round) if m.kind == "bye"] == []
        make.finish_tables(seven)
        make.pair(seven)
        assert len(sheet(seven).matches(sheet(seven).current_round)) == 4

    def test_next_round_with_losses_for_what_was_missed(self, seven: Event) -> None:
        row = registrations.enter_late(seven, "Octavia", by=SYSTEM, choice="losses")
        make.finish_tables(seven)
        make.pair_and_publish(seven)
        now = sheet(seven)
        own = now.seats_of(now.by_id[row.pk])
        assert [(number.number, match.kind, match.outcome) for number, match, _seat in own] == [
            (1, "unpaired", "unpaired_loss"),
            (2, "table", None),
        ]
        standing = now.row(now.by_id[row.pk])
        assert standing is not None
        assert (standing.points, standing.played, standing.losses) == (0, 1, 1)

    def test_next_round_with_nothing_for_them(self, seven: Event) -> None:
        row = registrations.enter_late(seven, "Octavia", by=SYSTEM, choice="nothing")
        make.finish_tables(seven)
        make.pair_and_publish(seven)
        now = sheet(seven)
        assert [number.number for number, _match, _seat in now.seats_of(now.by_id[row.pk])] == [2]
        standing = now.row(now.by_id[row.pk])
        assert standing is not None
        assert (standing.points, standing.played) == (0, 0)

    @pytest.mark.parametrize("choice", ["bye_seat", "losses", "nothing"])
    def test_each_is_undone(self, seven: Event, choice: registrations.LateChoice) -> None:
        before = state(seven)
        registrations.enter_late(seven, "Octavia", by=SYSTEM, choice=choice)
        journal.undo(seven, seven.version, by=SYSTEM)
        assert state(seven) == before

    def test_without_a_bye_there_is_no_such_seat(self) -> None:
        event = make.make_event(players=6)
        make.pair_and_publish(event)
        with pytest.raises(Refused) as refusal:
            registrations.enter_late(event, "Octavia", by=SYSTEM, choice="bye_seat")
        assert refusal.value.code == "no_bye"

    def test_an_assigned_bye_is_nobodys_empty_chair(self) -> None:
        event = make.make_event(players=5)
        registrations.assign_bye(make.registration(event, 1), True, by=SYSTEM)
        make.pair_and_publish(event)
        with pytest.raises(Refused) as refusal:
            registrations.enter_late(event, "Octavia", by=SYSTEM, choice="bye_seat")
        assert refusal.value.code == "no_bye"

    def test_into_a_draft_he_is_paired_again_with_it(self, seven: Event) -> None:
        make.finish_tables(seven)
        make.pair(seven)
        row = registrations.enter_late(seven, "Octavia", by=SYSTEM, choice="losses")
        assert row.first_round == 2
        step = events.next_step(sheet(Event.objects.get(pk=seven.pk)))
        assert (step.action, step.number) == ("repair", 2)
        rounds.repair(seven, 2, by=SYSTEM)
        now = sheet(seven)
        assert len(now.seats_of(now.by_id[row.pk], drafts=True)) == 2

    def test_the_same_player_twice_is_once(self, seven: Event) -> None:
        player = make.make_player()
        row = registrations.enter_late(seven, player, by=SYSTEM, choice="nothing")
        version = seven.version
        assert registrations.enter_late(seven, player, by=SYSTEM, choice="losses") == row
        assert seven.version == version

    def test_who_waited_takes_a_place_with_the_same_three_choices(self) -> None:
        event = make.make_event(players=3, capacity=3)
        waiting = registrations.add_guests(event, ["Paciencia"], by=SYSTEM)[0]
        make.pair_and_publish(event)
        events.edit(event, capacity=4, by=SYSTEM)
        row = registrations.enter_late(event, waiting.player, by=SYSTEM, choice="bye_seat")
        assert (row.pk, row.status) == (waiting.pk, "registered")

    def test_somebody_who_left_is_brought_back_instead(self, seven: Event) -> None:
        row = registrations.drop(make.registration(seven, 1), by=SYSTEM)
        with pytest.raises(Refused) as refusal:
            registrations.enter_late(seven, row.player, by=SYSTEM, choice="nothing")
        assert refusal.value.rule == "5.4"

    @pytest.mark.parametrize(("status", "code"), [("open", "not_late"), ("cut", "too_late"), ("finished", "too_late")])
    def test_only_while_swiss_rounds_run(self, status: str, code: str) -> None:
        event = make.make_event(players=4, status=status, finished_at=make.NOON if status == "finished" else None)
        with pytest.raises(Refused) as refusal:
            registrations.enter_late(event, "Octavia", by=SYSTEM, choice="nothing")
        assert refusal.value.code == code


class TestDrop:
    def test_before_round_1_he_is_no_participant(self) -> None:
        event = make.make_event(players=5)
        row = registrations.drop(make.registration(event, 5), by=SYSTEM)
        assert row.last_round == 0
        make.pair_and_publish(event)
        now = sheet(event)
        assert now.row(now.by_id[row.pk]) is None
        assert len(now.standings()) == 4

    def test_a_reported_result_stays_and_he_is_out_of_the_pairing(self) -> None:
        """CASES 31."""
        event = make.make_event(players=6, rounds=3)
        make.play_round(event)
        loser = next(seat.registration for seat in make.table(event, 1).seat_list if seat.position == 1)
        row = registrations.drop(loser, by=SYSTEM)
        assert row.last_round == 1
        assert make.table(event, 1).outcome == "win"
        make.pair_and_publish(event)
        now = sheet(event)
        assert now.current_match(now.by_id[row.pk]) is None
        for match in event.matches.all():
            keys = list(match.seats.values_list("registration", flat=True))
            assert len(keys) == len(set(keys)), "nobody plays himself"

    def test_from_a_published_table_the_rival_wins_by_forfeit(self) -> None:
        """CASES 32, rule 1.1: 2-0, and it does not rate."""
        event = make.make_event(players=4, best_of=3, published=1)
        match = make.table(event, 2)
        gone, stays = (seat.registration for seat in match.seat_list)
        registrations.drop(gone, by=SYSTEM)
        match = make.table(event, 2)
        assert (match.state, match.outcome, match.winner_id) == ("done", "forfeit", stays.player_id)
        assert match.current is not None
        assert match.current.kind == "drop"
        standing = sheet(event).row(stays)
        assert standing is not None
        assert standing.points == 3
        assert event.log.first().data["forfeits"] == [2]  # type: ignore[union-attr]

    def test_what_one_has_reported_is_not_overwritten(self) -> None:
        """The report form's "me retiro" (UX): his own report waits for the rival, it does not become a forfeit."""
        from tournaments.services import results

        event = make.make_event(players=4, published=1)
        match = make.table(event, 1)
        loser, winner = (seat.registration for seat in match.seat_list)
        statement = results.Statement(Match.Outcome.WIN, winner)
        results.report(match, loser, statement, by=Actor(player=loser.player), request_key="k")
        registrations.drop(loser, by=Actor(player=loser.player))
        assert make.table(event, 1).state == "claimed"

    def test_from_a_draft_nothing_is_touched_and_the_console_offers_to_pair_again(self) -> None:
        """CASES 32."""
        event = make.make_event(players=6, rounds=3, published=1)
        make.finish_tables(event)
        make.pair(event)
        row = registrations.drop(make.registration(event, 2), by=SYSTEM)
        assert row.last_round == 1
        step = events.next_step(sheet(Event.objects.get(pk=event.pk)))
        assert (step.action, step.enabled) == ("repair", True)
        assert row.player.name in step.reason
        with pytest.raises(Refused):
            rounds.publish(event, 2, by=SYSTEM)
        rounds.repair(event, 2, by=SYSTEM)
        rounds.publish(event, 2, by=SYSTEM)
        now = sheet(event)
        assert now.current_match(now.by_id[row.pk]) is None

    def test_a_cleared_forfeit_is_not_paired_again_with_who_left(self) -> None:
        """Rules 5.1, 6.3: of four open tables, the one without its player stays as it is."""
        from tournaments.services import results

        event = make.make_event(players=8, rounds=3, published=1)
        match = make.table(event, 1)
        gone, stays = (seat.registration for seat in match.seat_list)
        registrations.drop(gone, by=SYSTEM)
        results.clear(make.table(event, 1), by=SYSTEM, reason="Iba a volver")
        rounds.repair_open_tables(event, 1, "Mal sentados", by=SYSTEM)
        now = sheet(event)
        assert {seat.registration_id for seat in make.table(event, 1).seat_list} == {gone.pk, stays.pk}
        assert len(now.matches(now.current_round)) == 4

    def test_twice_is_once(self) -> None:
        event = make.make_event(players=4)
        row = registrations.drop(make.registration(event, 1), by=SYSTEM)
        registrations.drop(row, by=SYSTEM)
        assert event.log.count() == 1

    def test_undrop_is_one_action(self) -> None:
        """Rule 5.4."""
        event = make.make_event(players=4, rounds=3, published=1)
        make.finish_tables(event)
        row = registrations.drop(make.registration(event, 1), by=SYSTEM)
        back = registrations.undrop(row, by=SYSTEM)
        assert (back.status, back.last_round) == ("registered", None)
        make.pair_and_publish(event)
        now = sheet(event)
        assert now.current_match(now.by_id[row.pk]) is not None

    def test_in_the_cut_the_rival_advances(self) -> None:
        """Rule 7.4."""
        from tournaments.services import cut

        event = make.make_event(players=8, rounds=3, cut=4)
        for _ in range(3):
            make.play_round(event)
        first = cut.start(event, by=SYSTEM)
        rounds.publish(event, first.number, by=SYSTEM)
        match = make.table(event, 1)
        gone, stays = (seat.registration for seat in match.seat_list)
        registrations.drop(gone, by=SYSTEM)
        match = make.table(event, 1)
        assert (match.outcome, match.winner_id) == ("forfeit", stays.player_id)


class TestRemove:
    def test_only_before_round_1(self) -> None:
        """CASES 35, rule 5.3: once paired, a player with matches can only be dropped."""
        event = make.make_event(players=4)
        registrations.remove(make.registration(event, 4), by=SYSTEM)
        assert event.registrations.count() == 3
        make.pair_and_publish(event)
        row = make.registration(event, 1)
        with pytest.raises(Refused) as refusal:
            registrations.remove(row, by=SYSTEM)
        assert refusal.value.rule == "5.3"
        with pytest.raises(ProtectedError):
            row.player.delete()
        assert event.registrations.count() == 3

    def test_his_separations_go_with_him_and_come_back_with_the_undo(self) -> None:
        event = make.make_event(players=4)
        pair = [make.registration(event, 1).pk, make.registration(event, 2).pk]
        events.edit(event, separations=[pair], by=SYSTEM)
        registrations.remove(make.registration(event, 1), by=SYSTEM)
        event.refresh_from_db()
        assert event.separations == []
        journal.undo(event, event.version, by=SYSTEM)
        event.refresh_from_db()
        assert event.separations == [pair]


class TestDisqualify:
    def test_opponents_keep_their_results_and_he_stands_last(self) -> None:
        """Rule 8.5."""
        event = make.make_event(players=4, rounds=3)
        make.play_round(event)
        winner = make.table(event, 1).seat_list[0].registration
        row = registrations.disqualify(winner, by=SYSTEM, reason="Carta marcada")
        assert (row.status, row.last_round) == ("disqualified", 1)
        rows = sheet(event).standings()
        assert (rows[-1].player, rows[-1].disqualified) == (row.key, True)
        assert make.table(event, 1).outcome == "win"
        assert [penalty.kind for penalty in event.penalties.all()] == ["disqualification"]

    def test_it_needs_a_reason_and_so_does_lifting_it(self) -> None:
        event = make.make_event(players=4)
        row = make.registration(event, 1)
        with pytest.raises(Refused):
            registrations.disqualify(row, by=SYSTEM, reason=" ")
        registrations.disqualify(row, by=SYSTEM, reason="Insultos")
        with pytest.raises(Refused):
            registrations.undrop(row, by=SYSTEM)
        assert registrations.undrop(row, by=SYSTEM, reason="Era otra persona").status == "registered"

    def test_a_penalty_is_stored_with_its_author_and_round(self) -> None:
        event = make.make_event(players=4, published=1)
        judge = Actor(user=make.make_staff(event.store, "judge"))
        playing = event.rounds.get()
        row = make.registration(event, 1)
        penalty = registrations.add_penalty(row, "warning", "Retraso", by=judge, round=playing)
        assert (penalty.by, penalty.round, penalty.kind) == (judge.user, playing, "warning")
        made = registrations.add_penalty(row, "disqualification", "Trampas", by=judge, round=playing)
        assert (made.kind, make.registration(event, 1).status) == ("disqualification", "disqualified")


ACTIONS: dict[str, Callable[[Event], Any]] = {
    "player.enter": lambda e: registrations.sign_up(e, make.make_player(), by=SYSTEM),
    "player.enter many": lambda e: registrations.add_guests(e, ["Una", "Otra"], by=SYSTEM),
    "player.drop": lambda e: registrations.drop(make.registration(e, 1), by=SYSTEM),
    "player.undrop": lambda e: registrations.undrop(make.registration(e, 4), by=SYSTEM),
    "player.remove": lambda e: registrations.remove(make.registration(e, 2), by=SYSTEM),
    "player.disqualify": lambda e: registrations.disqualify(make.registration(e, 1), by=SYSTEM, reason="Sí"),
    "player.penalty": lambda e: registrations.add_penalty(make.registration(e, 1), "caution", "Ruido", by=SYSTEM),
    "player.check_in": lambda e: registrations.check_in(make.registration(e, 1), by=SYSTEM),
    "player.paid": lambda e: registrations.set_paid(make.registration(e, 1), True, by=SYSTEM),
    "player.element": lambda e: registrations.set_element(make.registration(e, 1), make.element("agua"), by=SYSTEM),
    "player.team": lambda e: registrations.set_team(make.registration(e, 1), "Ñúes", by=SYSTEM),
    "player.table": lambda e: registrations.set_fixed_table(make.registration(e, 1), 3, by=SYSTEM),
    "player.bye": lambda e: registrations.assign_bye(make.registration(e, 1), True, by=SYSTEM),
}


@pytest.mark.parametrize("name", ACTIONS)
def test_every_roster_action_is_logged_and_undone(name: str) -> None:
    """Rule 6.5: newest first, and the undo is itself logged."""
    event = make.make_event(players=3, capacity=30)
    registrations.drop(registrations.add_guests(event, ["Cuarta"], by=SYSTEM)[0], by=SYSTEM)
    before = state(event)
    ACTIONS[name](event)
    assert state(event) != before
    event.refresh_from_db()
    entry = event.log.first()
    assert entry is not None
    assert (entry.action, entry.number) == (name.split()[0], event.version)
    journal.undo(event, event.version, by=SYSTEM)
    assert state(event) == before
    assert [row.action for row in event.log.all()[:2]] == ["undo", name.split()[0]]


@pytest.mark.parametrize("name", [name for name in ACTIONS if not name.startswith(("player.paid", "player.enter"))])
def test_a_finished_event_is_reopened_first(name: str) -> None:
    event = make.make_event(players=4, status="finished", finished_at=make.NOON)
    with pytest.raises(Refused):
        ACTIONS[name](event)


def test_the_paid_tick_also_works_after_the_event() -> None:
    event = make.make_event(players=1, status="finished", finished_at=make.NOON)
    assert registrations.set_paid(make.registration(event, 1), True, by=SYSTEM).paid


def test_a_stale_row_of_somebody_removed_is_refused_in_words() -> None:
    event = make.make_event(players=2)
    row = make.registration(event, 1)
    registrations.remove(row, by=SYSTEM)
    with pytest.raises(Refused) as refusal:
        registrations.drop(row, by=SYSTEM)
    assert refusal.value.code == "gone"
    assert Registration.objects.count() == 1
