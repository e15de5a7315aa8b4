"""tournaments/services/decks.py and judging.py: lists handed in, locked, judged again, checked (CASES 62, 81-88)."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from decks.models import Deck, DeckVersion, Submission, Verdict
from decks.services import catalogue, submissions
from tests import lists, make
from tournaments.models import DeckCheck, Event, Penalty, Registration
from tournaments.queries import ListState, public_lists, public_submissions, sheet, visible_submission
from tournaments.services import backups, decks, events, files, journal, judging, registrations, rounds
from tournaments.services.errors import Refused
from tournaments.services.journal import SYSTEM, Actor
from tournaments.services.steps import next_step

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(db: None) -> Event:
    return lists.make_asking(players=4)


@pytest.fixture
def first(event: Event) -> Registration:
    return make.registration(event, 1)


def refusal_of(work: Any) -> Refused:
    with pytest.raises(Refused) as refusal:
        work()
    return refusal.value


def player_of(row: Registration) -> Actor:
    return Actor(player=row.player)


def again(row: Registration) -> Registration:
    return Registration.objects.select_related("event__store", "event__game", "player", "submission").get(pk=row.pk)


def verdicts(row: Registration) -> list[tuple[date, bool]]:
    return list(Verdict.objects.filter(submission=again(row).submission).order_by("number").values_list("on", "legal"))


# -- handing in --------------------------------------------------------------------------------------------------------
class TestSubmit:
    def test_a_frozen_copy_with_hash_time_verdict_and_versions(self, event: Event, first: Registration) -> None:
        at = datetime(2026, 3, 10, 9, 0, tzinfo=UTC)
        handed = decks.submit(first, lists.text(), by=player_of(first), at=at)
        row = again(first)
        assert row.submission == handed
        assert (handed.at, handed.digest) == (at, submissions.digest(lists.text()))
        assert sum(handed.cards.values_list("copies", flat=True)) == 40
        verdict = handed.verdicts.get()
        assert (verdict.on, verdict.legal, verdict.number) == (event.date, True, 1)
        assert verdict.rules_version == judging.terms_of(event).rules.version
        assert verdict.catalogue_version == event.game.catalogue_version == 1

    def test_the_element_of_the_registration_is_that_of_the_list(self, event: Event, first: Registration) -> None:
        registrations.set_element(first, make.element("luz"), by=SYSTEM)
        decks.submit(again(first), lists.text("agua"), by=SYSTEM)
        row = again(first)
        assert row.element == make.element("agua")
        assert refusal_of(lambda: registrations.set_element(row, make.element("luz"), by=SYSTEM)).code == "element"
        assert registrations.set_element(row, make.element("agua"), by=SYSTEM).element == make.element("agua")

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("", "empty"),
            (" \n\t\n", "empty"),
            ("4 Nadie\n" * 3000, "too_long"),
            ("https://example.test/mazo", "illegal"),
        ],
    )
    def test_what_is_no_list_is_not_taken(self, first: Registration, text: str, code: str) -> None:
        assert refusal_of(lambda: decks.submit(first, text, by=player_of(first))).code == code
        assert again(first).submission is None

    def test_an_illegal_list_stays_with_its_player_and_says_what_to_mend(self, first: Registration) -> None:
        refusal = refusal_of(lambda: decks.submit(first, lists.short(), by=player_of(first)))
        assert refusal.code == "illegal"
        assert [problem["rule"] for problem in refusal.data["problems"]] == ["tamano"]
        assert Submission.objects.count() == 0

    def test_no_player_lets_his_own_list_pass(self, first: Registration) -> None:
        work = lambda: decks.submit(first, lists.short(), by=player_of(first), accept=True, reason="Porque sí")  # noqa: E731
        assert refusal_of(work).code == "illegal"

    def test_staff_take_an_illegal_list_with_a_reason(self, event: Event, first: Registration) -> None:
        staff = make.staff_actor(event)
        options = {"by": staff, "accept": True}
        assert refusal_of(lambda: decks.submit(first, lists.short(), **options)).code == "reason"
        decks.submit(first, lists.short(), reason="Juega con 37: se le ha roto la funda", **options)
        row = again(first)
        assert row.deck_accepted == "Juega con 37: se le ha roto la funda"
        assert sheet(event).lists == {row.pk: False}
        assert sheet(event).lacking_lists([row]) == []

    def test_the_same_text_again_is_one_submission(self, event: Event, first: Registration) -> None:
        handed = decks.submit(first, lists.text(), by=SYSTEM)
        version = Event.objects.get(pk=event.pk).version
        assert decks.submit(again(first), f"\n{lists.text()}  \r\n", by=SYSTEM) == handed
        assert Event.objects.get(pk=event.pk).version == version

    def test_another_list_takes_its_place_and_both_are_kept(self, event: Event, first: Registration) -> None:
        one = decks.submit(first, lists.text(), by=SYSTEM)
        other = decks.submit(again(first), lists.text("luz"), by=SYSTEM)
        assert again(first).submission == other
        assert set(Submission.objects.values_list("pk", flat=True)) == {one.pk, other.pk}
        assert again(first).element == make.element("luz")

    def test_undo_gives_back_what_was_in_force_and_keeps_what_was_handed_in(
        self, event: Event, first: Registration
    ) -> None:
        one = decks.submit(first, lists.text(), by=SYSTEM)
        decks.submit(again(first), lists.text("luz"), by=SYSTEM)
        for expected, left in ((one, 2), (None, 2)):
            entry = journal.next_undo(event)
            assert entry is not None
            journal.undo(event, entry.number, by=SYSTEM)
            assert again(first).submission == expected
            assert Submission.objects.count() == left
        assert again(first).element is None

    @pytest.mark.parametrize("status", ["dropped", "disqualified"])
    def test_who_is_out_hands_nothing_in(self, first: Registration, status: str) -> None:
        Registration.objects.filter(pk=first.pk).update(status=status, last_round=0)
        assert refusal_of(lambda: decks.submit(first, lists.text(), by=SYSTEM)).code == "inactive"

    def test_an_event_that_asks_for_none_takes_none(self) -> None:
        event = lists.make_asking(players=1, decks="none")
        row = make.registration(event, 1)
        assert refusal_of(lambda: decks.submit(row, lists.text(), by=SYSTEM)).code == "not_asked"

    def test_nor_does_one_that_is_over(self) -> None:
        event = lists.make_asking(players=1, status="finished", finished_at=make.NOON)
        row = make.registration(event, 1)
        assert refusal_of(lambda: decks.submit(row, lists.text(), by=SYSTEM)).code == "finished"

    def test_it_costs_the_same_whatever_the_list(self, event: Event) -> None:
        one, other = make.registration(event, 1), make.registration(event, 2)
        decks.preview(event, lists.text())  # the catalogue is in memory from here on
        counts = []
        for row, text in ((one, lists.text()), (other, "\n".join(f"1 {name}" for name in lists.names("luz") * 4))):
            with CaptureQueriesContext(connection) as seen:
                decks.submit(row, text, by=SYSTEM, accept=True, reason="Prueba")
            counts.append(len(seen))
        assert counts[0] == counts[1] <= 24

    def test_the_log_names_no_card(self, event: Event, first: Registration) -> None:
        decks.submit(first, lists.text(), by=SYSTEM)
        entry = event.log.get(action="deck.submit")
        assert not any(name in str([entry.data, entry.changes]) for name in lists.names())
        assert entry.data["digest"] == submissions.digest(lists.text())[:8]


class TestFromADeck:
    @pytest.fixture
    def deck(self, event: Event, first: Registration) -> DeckVersion:
        deck = Deck.objects.create(game=event.game, owner=first.player, name="Brasas")
        return DeckVersion.objects.create(deck=deck, number=1, text=lists.text(), size=40)

    def test_editing_the_deck_does_not_move_what_was_handed_in(self, first: Registration, deck: DeckVersion) -> None:
        """CASES 87."""
        handed = decks.submit(first, deck.text, by=SYSTEM, version=deck, name="Brasas")
        assert handed.deck_version == deck
        DeckVersion.objects.create(deck=deck.deck, number=2, text=lists.text("luz"), size=40)
        DeckVersion.objects.filter(pk=deck.pk).update(text="4 Otra cosa")
        deck.deck.delete()
        kept = Submission.objects.get(pk=handed.pk)
        assert (kept.text, kept.digest, kept.deck_version) == (lists.text(), handed.digest, None)
        assert again(first).submission == kept

    def test_a_text_that_was_changed_comes_from_no_deck(self, first: Registration, deck: DeckVersion) -> None:
        assert decks.submit(first, lists.text("luz"), by=SYSTEM, version=deck).deck_version is None

    def test_my_last_one_is_the_newest_deck_or_list(self, event: Event, first: Registration, deck: DeckVersion) -> None:
        people = [first.player_id]
        found = submissions.last_of(event.game, people, decks=True)
        assert found is not None
        assert (found.name, found.version) == ("Brasas", deck)
        assert submissions.last_of(event.game, people, decks=False) is None
        later = datetime.now(UTC) + timedelta(days=1)
        decks.submit(first, lists.text("agua"), by=SYSTEM, at=later)
        for with_decks in (True, False):
            found = submissions.last_of(event.game, people, decks=with_decks)
            assert found is not None
            assert found.text == lists.text("agua")

    def test_of_somebody_else_or_another_game_there_is_none(self, first: Registration, deck: DeckVersion) -> None:
        from decks.services.games import game

        assert submissions.last_of(game("kickon"), [first.player_id], decks=True) is None
        assert submissions.last_of(game("kounter"), [make.make_player().pk], decks=True) is None


# -- locked ------------------------------------------------------------------------------------------------------------
class TestLock:
    @pytest.fixture
    def begun(self, event: Event) -> Event:
        lists.hand_in(event)
        make.pair(event)
        event.refresh_from_db()
        return event

    def test_round_1_locks_and_undoing_it_opens_again(self, begun: Event) -> None:
        row = again(make.registration(begun, 1))
        assert refusal_of(lambda: decks.submit(row, lists.text("luz"), by=player_of(row))).code == "locked"
        rounds.undo_round(begun, 1, by=SYSTEM)
        assert decks.submit(again(row), lists.text("luz"), by=player_of(row)).element == make.element("luz")

    def test_one_player_is_unlocked_with_a_reason_hands_in_once_and_is_locked_again(self, begun: Event) -> None:
        """CASES 87."""
        staff, row, other = make.staff_actor(begun), *(again(make.registration(begun, n)) for n in (1, 2))
        assert refusal_of(lambda: decks.unlock(row, by=staff, reason=" ")).code == "reason"
        decks.unlock(row, by=staff, reason="Apuntó la lista de otro mazo")
        entry = begun.log.get(action="deck.unlock")
        assert (entry.reason, entry.by_user) == ("Apuntó la lista de otro mazo", staff.user)
        decks.submit(again(row), lists.text("luz"), by=player_of(row))
        assert refusal_of(lambda: decks.submit(again(row), lists.text("agua"), by=player_of(row))).code == "locked"
        assert refusal_of(lambda: decks.submit(other, lists.text("luz"), by=player_of(other))).code == "locked"

    def test_an_unlocking_that_nobody_used_is_taken_back(self, begun: Event) -> None:
        row = again(make.registration(begun, 1))
        decks.unlock(row, by=SYSTEM, reason="Por si acaso")
        decks.lock(again(row), by=SYSTEM)
        assert refusal_of(lambda: decks.submit(again(row), lists.text("luz"), by=player_of(row))).code == "locked"

    def test_before_round_1_there_is_nothing_to_unlock(self, event: Event, first: Registration) -> None:
        assert refusal_of(lambda: decks.unlock(first, by=SYSTEM, reason="Ya")).code == "not_locked"

    def test_staff_paste_a_list_after_round_1_with_a_reason(self, begun: Event) -> None:
        staff, row = make.staff_actor(begun), again(make.registration(begun, 1))
        assert refusal_of(lambda: decks.submit(row, lists.text("luz"), by=staff)).code == "reason"
        decks.submit(row, lists.text("luz"), by=staff, reason="La trajo en papel")
        assert begun.log.get(action="deck.submit", reason="La trajo en papel").by_user == staff.user

    def test_a_late_entry_hands_in_when_he_comes(self, begun: Event) -> None:
        make.publish(begun)
        row = registrations.enter_late(begun, "Tardona Peral", by=SYSTEM, choice="nothing")
        row = again(row)
        decks.submit(row, lists.text(), by=player_of(row))
        assert refusal_of(lambda: decks.submit(again(row), lists.text("luz"), by=player_of(row))).code == "locked"


# -- the start ---------------------------------------------------------------------------------------------------------
class TestStart:
    def test_the_button_says_whose_list_is_missing_or_illegal(self, event: Event) -> None:
        one, two, three, four = event.registrations.select_related("event__store", "event__game", "player")
        lists.hand_in([one, two])
        lists.hand_in([three], lists.short(), accept=True, reason="Le falta una")
        Registration.objects.filter(pk=three.pk).update(deck_accepted="")
        step = next_step(sheet(event))
        assert not step.enabled
        assert four.player.name in step.reason
        assert three.player.name in step.reason
        assert one.player.name not in step.reason
        refusal = refusal_of(lambda: rounds.pair(event, 1, by=SYSTEM))
        assert (refusal.code, refusal.data["registrations"]) == ("lists", [three.pk, four.pk])
        assert not event.rounds.exists()

    def test_leave_of_the_staff_lets_one_begin(self, event: Event) -> None:
        *others, last = event.registrations.select_related("event__store", "event__game", "player")
        lists.hand_in(others)
        assert refusal_of(lambda: decks.accept(last, by=SYSTEM, reason="")).code == "reason"
        decks.accept(last, by=SYSTEM, reason="Juega con un mazo prestado")
        assert next_step(sheet(event)).enabled
        assert refusal_of(lambda: decks.accept(others[0], by=SYSTEM, reason="Da igual")).code == "legal"
        assert rounds.pair(event, 1, by=SYSTEM)[1]

    def test_it_begins_without_lists_with_a_reason_that_is_kept(self, event: Event) -> None:
        assert refusal_of(lambda: rounds.pair(event, 1, by=SYSTEM, override=True)).code == "reason_needed"
        rounds.pair(event, 1, by=SYSTEM, override=True, reason="Se ha caído la red")
        entry = event.log.get(action="round.pair")
        assert len(entry.data["without_list"]) == 4
        assert entry.reason == "Se ha caído la red"

    def test_where_lists_are_optional_nobody_is_held_up(self) -> None:
        event = lists.make_asking(players=4, decks="optional")
        assert next_step(sheet(event)).enabled
        assert rounds.pair(event, 1, by=SYSTEM)[1]

    def test_only_who_is_paired_needs_one(self, event: Event) -> None:
        """Who did not check in is not paired, and who waits neither."""
        one, two, three, four = event.registrations.select_related("event__store", "event__game", "player")
        lists.hand_in([one, two, three])
        Event.objects.filter(pk=event.pk).update(status="check_in")
        for row in (one, two, three):
            registrations.check_in(row, by=SYSTEM)
        event.refresh_from_db()
        assert next_step(sheet(event)).enabled
        assert rounds.pair(event, 1, by=SYSTEM)[1]
        assert again(four).last_round == 0

    def test_the_full_check_is_made_again_at_the_start(self, event: Event) -> None:
        """CASES 81: a card was banned since; nobody had looked."""
        lists.hand_in(event)
        lists.ban(lists.names()[0], event.date)
        refusal = refusal_of(lambda: rounds.pair(event, 1, by=SYSTEM))
        assert refusal.code == "lists"
        assert len(refusal.data["registrations"]) == 4


# -- judged again ------------------------------------------------------------------------------------------------------
class TestJudgedAgain:
    def test_case_83_the_day_of_the_event_decides_and_not_that_of_the_list(self) -> None:
        """Banned from Friday the 13th; handed in on Wednesday; the event is on Thursday, Friday, then Saturday."""
        thursday = make.NOON
        event = lists.make_asking(players=1, at=thursday)
        row = make.registration(event, 1)
        lists.ban(lists.names()[0], date(2026, 3, 13))
        handed = decks.submit(row, lists.text(), by=SYSTEM, at=thursday - timedelta(days=1))
        event.refresh_from_db()
        for days, legal in ((0, True), (1, False), (2, False), (0, True)):
            events.edit(event, by=SYSTEM, starts_at=thursday + timedelta(days=days))
            newest = handed.verdicts.order_by("-number")[0]
            assert (newest.on, newest.legal) == (date(2026, 3, 12) + timedelta(days=days), legal)
        assert [legal for _on, legal in verdicts(row)] == [True, False, False, True], "past verdicts stay"
        turned = [entry.data.get("illegal", []) for entry in event.log.filter(action="event.edit").order_by("number")]
        assert turned == [[row.player_id], [], []]

    def test_case_62_the_day_is_the_stores_own(self) -> None:
        """Half past midnight of the 13th in Madrid is still the 12th in Las Palmas."""
        midnight = datetime(2026, 3, 12, 23, 30, tzinfo=UTC)
        lists.fill_catalogue()
        lists.ban(lists.names()[0], date(2026, 3, 13))
        for zone, legal in (("Europe/Madrid", False), ("Atlantic/Canary", True)):
            event = lists.make_asking(store=make.make_store(time_zone=zone), players=1, at=midnight)
            assert decks.preview(event, lists.text()).legal is legal

    def test_a_ban_that_comes_or_goes_is_found_by_the_sweep(self, event: Event) -> None:
        lists.hand_in(event)
        assert judging.rejudge_stale(make.NOON) == 0
        row = lists.ban(lists.names()[0], event.date)
        assert judging.rejudge_stale(make.NOON) == 1
        entry = event.log.get(action="deck.rejudge")
        assert len(entry.data["illegal"]) == 4
        assert set(sheet(event).lists.values()) == {False}
        row.delete()
        catalogue.changed(event.game)
        assert judging.rejudge_stale(make.NOON) == 1
        assert set(sheet(event).lists.values()) == {True}
        assert judging.rejudge_stale(make.NOON) == 0

    def test_cards_that_touch_nobody_are_no_line_of_the_log(self, event: Event) -> None:
        lists.hand_in(event)
        version = Event.objects.get(pk=event.pk).version
        lists.ban(lists.names("luz")[0], event.date)
        assert judging.rejudge_stale(make.NOON) == 1
        assert Event.objects.get(pk=event.pk).version == version
        assert verdicts(make.registration(event, 1)) == [(event.date, True)] * 2

    def test_the_judging_is_no_action_to_undo(self, event: Event) -> None:
        lists.hand_in(event)
        newest = journal.next_undo(event)
        lists.ban(lists.names()[0], event.date)
        judging.rejudge_stale(make.NOON)
        assert journal.next_undo(event) == newest

    @pytest.mark.parametrize("status", ["finished", "reopened"])
    def test_an_event_that_is_over_keeps_its_verdict(self, event: Event, status: str) -> None:
        lists.hand_in(event)
        Event.objects.filter(pk=event.pk).update(status=status, finished_at=make.NOON)
        lists.ban(lists.names()[0], event.date)
        assert judging.rejudge_stale(make.NOON) == 0
        assert verdicts(make.registration(event, 1)) == [(event.date, True)]

    def test_what_the_event_asks_is_judged_again_when_it_moves(self, event: Event, first: Registration) -> None:
        decks.submit(first, lists.text(), by=SYSTEM)
        for asked, legal in (
            ({"deck_format": "temporada-de-luz"}, False),
            ({"deck_format": "temporada-de-fuego"}, True),
            ({"deck_format": "", "deck_rules": {"copies": 1}}, False),
            ({"deck_rules": {}}, True),
            ({"element": make.element("agua")}, False),
            ({"element": None}, True),
        ):
            events.edit(event, by=SYSTEM, **asked)
            assert sheet(event).lists == {first.pk: legal}, asked

    def test_leave_for_one_fault_is_none_for_the_next(self, event: Event, first: Registration) -> None:
        lists.hand_in([first], lists.short(), accept=True, reason="Le falta una")
        events.edit(event, by=SYSTEM, starts_at=event.starts_at + timedelta(days=1))
        assert again(first).deck_accepted == "Le falta una"
        lists.ban(lists.names()[0], event.date)
        judging.rejudge_stale(make.NOON)
        assert again(first).deck_accepted == ""

    def test_it_costs_the_same_for_four_and_for_forty(self) -> None:
        counts = []
        for players in (4, 40):
            event = lists.make_asking(players=players)
            lists.hand_in(event)
            with CaptureQueriesContext(connection) as seen:
                events.edit(event, by=SYSTEM, starts_at=event.starts_at + timedelta(days=1))
            counts.append(len(seen))
        assert counts[0] == counts[1]


# -- what an event may ask ---------------------------------------------------------------------------------------------
class TestAsking:
    @pytest.mark.parametrize(
        ("asked", "code"),
        [
            ({"deck_format": "moderno"}, "deck_format"),
            ({"deck_rules": {"colores": ["rojo"]}}, "deck_rules"),
            ({"deck_rules": {"elements": ["hierro"]}}, "deck_rules"),
            ({"deck_rules": {"factions": ["nadie"]}}, "deck_rules"),
            ({"deck_rules": {"expansions": ["ninguna"]}}, "deck_rules"),
            ({"deck_rules": {"one": ["cost"]}}, "deck_rules"),
            ({"deck_rules": {"copies": 0}}, "deck_rules"),
            ({"deck_rules": {"copies": "muchas"}}, "deck_rules"),
            ({"deck_rules": {"elements": ["agua"]}, "deck_format": "temporada-de-fuego"}, "deck_rules"),
            ({"deck_rules": {"factions": ["kuran-delii"], "elements": ["agua"]}}, "deck_rules"),
        ],
    )
    def test_what_no_deck_could_be_is_refused(self, event: Event, asked: dict[str, Any], code: str) -> None:
        assert refusal_of(lambda: events.edit(event, by=SYSTEM, **asked)).code == code

    def test_a_night_for_one_element_and_a_format_for_another(self, event: Event) -> None:
        work = lambda: events.edit(event, by=SYSTEM, element=make.element("luz"), deck_format="temporada-de-agua")  # noqa: E731
        assert refusal_of(work).code == "deck_rules"

    def test_a_game_of_shared_cards_takes_no_lists(self) -> None:
        event = make.make_pod_event()
        assert refusal_of(lambda: events.edit(event, by=SYSTEM, decks="required")).code == "decks"

    def test_an_event_of_one_element_takes_lists_of_it_only(self) -> None:
        event = lists.make_asking(players=1, element=make.element("fuego"))
        row = make.registration(event, 1)
        assert refusal_of(lambda: decks.submit(row, lists.text("luz"), by=player_of(row))).code == "illegal"
        handed = decks.submit(row, lists.text("fuego"), by=player_of(row))
        assert handed.verdicts.get().narrowing == {"elements": ["fuego"]}

    def test_format_and_narrowing_that_say_the_same_say_it_once(self) -> None:
        event = lists.make_asking(element=make.element("fuego"), deck_format="temporada-de-fuego")
        said = [(problem.rule.id, problem.card) for problem in decks.preview(event, lists.text("luz")).said.problems]
        assert len(set(said)) == len(said) > 0
        format = submissions.format_of(judging.terms_of(event))
        assert [rule.id for rule in format.rules] == ["formato-elemento"]

    def test_the_next_night_of_a_series_asks_the_same(self, event: Event) -> None:
        asked = {"deck_rules": {"copies": 2}, "deck_format": "una-faccion", "lists_public": "end"}
        events.edit(event, by=SYSTEM, **asked)
        new = events.repeat(event, by=SYSTEM)
        assert {name: getattr(new, name) for name in (*asked, "decks")} == asked | {"decks": "required"}

    def test_what_is_asked_stands_from_round_1_on_but_not_when_it_is_published(self) -> None:
        event = lists.make_asking(players=4, decks="optional")
        make.pair(event)
        assert refusal_of(lambda: events.edit(event, by=SYSTEM, deck_rules={"copies": 1})).code == "paired"
        events.edit(event, by=SYSTEM, lists_public="end")
        Event.objects.filter(pk=event.pk).update(status="finished", finished_at=make.NOON)
        events.edit(event, by=SYSTEM, lists_public="never")

    def test_the_game_stays_once_a_list_is_there(self, event: Event, first: Registration) -> None:
        from decks.services.games import game

        decks.submit(first, lists.text(), by=SYSTEM)
        assert refusal_of(lambda: events.edit(event, by=SYSTEM, game=game("kickon"))).code == "lists"


# -- who reads them ----------------------------------------------------------------------------------------------------
class TestPublic:
    @pytest.mark.parametrize(
        ("asked", "told", "seen_in"),
        [
            ("never", "end", ()),
            ("end", "never", ()),
            ("end", "end", ("finished", "reopened")),
            ("swiss", "swiss", ("cut", "finished", "reopened")),
            ("swiss", "end", ("finished", "reopened")),
            ("end", "swiss", ("finished", "reopened")),
        ],
    )
    def test_the_narrower_of_what_is_announced_and_what_he_was_told(
        self, event: Event, first: Registration, asked: str, told: str, seen_in: tuple[str, ...]
    ) -> None:
        handed = decks.submit(first, lists.text(), by=SYSTEM)
        Registration.objects.filter(pk=first.pk).update(lists_consent=told)
        for status in Event.Status.values:
            over = make.NOON if status in ("finished", "reopened") else None
            Event.objects.filter(pk=event.pk).update(lists_public=asked, status=status, finished_at=over)
            row = again(first)
            assert visible_submission(row) == (handed if status in seen_in else None), status
            assert public_submissions().exists() is (status in seen_in)
            assert visible_submission(row, mine=True) == visible_submission(row, staff=True) == handed

    def test_who_left_before_round_1_is_not_shown(self, event: Event, first: Registration) -> None:
        Event.objects.filter(pk=event.pk).update(lists_public="end")
        first.event.refresh_from_db()
        decks.submit(first, lists.text(), by=SYSTEM)
        Event.objects.filter(pk=event.pk).update(status="finished", finished_at=make.NOON)
        assert public_lists().count() == 1
        Registration.objects.filter(pk=first.pk).update(status="dropped", last_round=0)
        assert public_lists().count() == 0

    def test_handing_in_agrees_to_what_is_announced_then_and_to_no_more(
        self, event: Event, first: Registration
    ) -> None:
        decks.submit(first, lists.text(), by=player_of(first))
        assert again(first).lists_consent == "never"
        events.edit(event, by=SYSTEM, lists_public="swiss")
        assert again(first).lists_consent == "never"
        decks.consent(again(first), by=player_of(first))
        assert again(first).lists_consent == "swiss"

    def test_the_same_list_handed_in_again_agrees_anew(self, event: Event, first: Registration) -> None:
        decks.submit(first, lists.text(), by=player_of(first))
        events.edit(event, by=SYSTEM, lists_public="end")
        decks.submit(again(first), lists.text(), by=player_of(first))
        assert again(first).lists_consent == "end"

    def test_public_cards_are_the_catalogues_words(self, event: Event, first: Registration) -> None:
        """What somebody writes around his cards, his name for one, is his."""
        token = "Fichas: 2 Centella"
        text = f"# El mazo de Leocadia Quitapesares\nNombre: Leocadia\n{lists.text()}\n{token}"
        handed = decks.submit(first, text, by=SYSTEM)
        cards = submissions.public_cards(handed)
        shown = submissions.public_text(handed, cards)
        assert "Leocadia" in handed.text
        assert "Leocadia" not in shown
        assert sum(each.copies for each in cards if each.section == "mazo") == 40
        assert decks.preview(event, shown).legal


# -- deck checks -------------------------------------------------------------------------------------------------------
class TestCheck:
    @pytest.fixture
    def handed(self, first: Registration) -> Submission:
        return decks.submit(first, lists.text(), by=SYSTEM)

    def counted(self, handed: Submission, **changes: int) -> dict[str, int]:
        return {code: copies for code, (_name, copies) in decks.listed(handed).items()} | changes

    def test_cards_that_are_as_the_list_says(self, first: Registration, handed: Submission, judge_actor: Actor) -> None:
        made = decks.check(again(first), self.counted(handed), by=judge_actor, note="Fundas nuevas")
        assert (made.correct, made.note, made.by, made.submission) == (True, "Fundas nuevas", judge_actor.user, handed)

    def test_more_fewer_and_strange_ones(self, first: Registration, handed: Submission, judge_actor: Actor) -> None:
        code = next(code for code, (_name, copies) in decks.listed(handed).items() if copies == 4)
        strange = lists.Card.objects.get(name=lists.names("luz")[0]).code
        counted = self.counted(handed, **{code: 3, strange: 1})
        found = {(each.code, each.more) for each in decks.differences(handed, counted)}
        assert found == {(code, -1), (strange, 1)}
        made = decks.check(again(first), counted, by=judge_actor, penalty=("game_loss", "El mazo no es el de la lista"))
        assert not made.correct
        assert made.penalty is not None
        assert (made.penalty.kind, made.penalty.infraction) == ("game_loss", "El mazo no es el de la lista")
        assert first.event.log.get(action="deck.check").data["differences"] == 2

    def test_undo_takes_check_and_penalty_back(self, first: Registration, handed: Submission) -> None:
        decks.check(again(first), {}, by=SYSTEM, penalty=("warning", "Fundas marcadas"))
        entry = journal.next_undo(first.event)
        assert entry is not None
        journal.undo(first.event, entry.number, by=SYSTEM)
        assert not DeckCheck.objects.exists()
        assert not Penalty.objects.exists()
        assert Submission.objects.get() == handed

    def test_without_a_list_there_is_nothing_to_check(self, first: Registration) -> None:
        assert refusal_of(lambda: decks.check(first, {}, by=SYSTEM)).code == "no_list"

    @pytest.mark.parametrize(
        ("penalty", "code"), [(("warning", " "), "infraction"), (("disqualification", "Trampa"), "disqualify")]
    )
    def test_penalties_that_are_none(
        self, first: Registration, handed: Submission, penalty: tuple[str, str], code: str
    ) -> None:
        assert refusal_of(lambda: decks.check(again(first), {}, by=SYSTEM, penalty=penalty)).code == code
        assert not DeckCheck.objects.exists()

    def test_who_is_taken_off_the_list_takes_his_checks_along(self, first: Registration, handed: Submission) -> None:
        decks.check(again(first), {}, by=SYSTEM, penalty=("caution", "Llega sin fundas"))
        registrations.remove(again(first), by=SYSTEM)
        assert not Registration.objects.filter(pk=first.pk).exists()
        entry = journal.next_undo(first.event)
        assert entry is not None
        journal.undo(first.event, entry.number, by=SYSTEM)
        assert again(first).deck_checks.get().penalty == Penalty.objects.get()
        assert again(first).submission == handed


@pytest.fixture
def judge_actor(event: Event) -> Actor:
    return Actor(user=make.make_staff(event.store, "judge"))


# -- beside them -------------------------------------------------------------------------------------------------------
class TestBeside:
    def test_a_guest_who_becomes_an_account_brings_his_list(self, event: Event, first: Registration) -> None:
        handed = decks.submit(first, lists.text(), by=SYSTEM)
        keep = make.enrol(event, make.make_player("Ana Peral"))
        registrations.unite(again(first), again(keep), by=SYSTEM)
        assert again(keep).submission == handed

    def test_the_event_file_holds_no_list(self) -> None:
        event = lists.make_asking(players=4, rounds=1)
        lists.hand_in(event)
        make.make_finished(make.play_event(event))
        exported = str(files.export_event(event))
        assert not any(name in exported for name in lists.names())

    def test_a_backup_brings_lists_verdicts_and_checks_to_another_house(self) -> None:
        event = lists.make_asking(players=4, rounds=1, lists_public="end", deck_rules={"elements": ["fuego"]})
        first, second = lists.hand_in(event)[:2]
        decks.check(again(make.registration(event, 1)), {}, by=SYSTEM, note="Bien")
        decks.submit(again(make.registration(event, 1)), "\n".join(reversed(lists.lines())), by=SYSTEM)
        make.make_finished(make.play_event(event))
        data = backups.backup(event)
        Event.objects.filter(pk=event.pk).update(slug="otro", external_id="otro")
        there = backups.restore(data, make.make_store(), by=SYSTEM)
        assert there.pk != event.pk
        assert (there.decks, there.lists_public, there.deck_rules) == ("required", "end", {"elements": ["fuego"]})
        rows = list(there.registrations.select_related("submission").order_by("order"))
        assert [row.submission.text for row in rows if row.submission][1] == second.text
        assert all(sum(row.submission.cards.values_list("copies", flat=True)) == 40 for row in rows if row.submission)
        assert (
            list(Verdict.objects.filter(submission__registration__event=there).values_list("legal", flat=True))
            == [True] * 4
        )
        check = there.deck_checks.get()
        assert (check.note, check.submission.text, check.registration) == ("Bien", first.text, rows[0])
        assert public_lists().filter(event=there).count() == 4

    def test_a_backup_of_before_lists_still_comes_in(self) -> None:
        event = make.make_event(players=4, rounds=1)
        make.make_finished(make.play_event(event))
        data = backups.backup(event)
        for model in ("submission", "verdict", "deckcheck"):
            del data["kounter"]["rows"][model]
        for row in data["kounter"]["rows"]["registration"]:
            for name in ("submission", "deck_unlocked", "deck_accepted", "lists_consent"):
                del row[name]
        for name in ("decks", "deck_format", "deck_rules", "lists_public"):
            del data["kounter"]["event"][name]
        Event.objects.filter(pk=event.pk).update(slug="otro", external_id="otro")
        assert backups.restore(data, make.make_store(), by=SYSTEM).registrations.count() == 4

    def test_states_of_the_roster_cost_one_query_and_none_where_nobody_asks(self, event: Event) -> None:
        row = make.registration(event, 1)
        lists.hand_in([row])
        now = sheet(event)
        with CaptureQueriesContext(connection) as seen:
            states = [now.list_state(each) for each in now.registrations]
        assert states == [ListState.LEGAL, *[ListState.MISSING] * 3]
        assert len(seen) == 1
        quiet = sheet(make.make_event(players=2))
        with CaptureQueriesContext(connection) as seen:
            assert quiet.lacking_lists(quiet.active) == []
        assert len(seen) == 0


def test_rights_of_lists(event: Event) -> None:
    from tournaments import rights

    kinds = ("owner", "organiser", "judge", "scorekeeper")
    allowed = {kind: rights.may(make.make_staff(event.store, kind), "deck", event.store) for kind in kinds}
    assert allowed == {"owner": True, "organiser": True, "judge": True, "scorekeeper": False}
    assert not rights.may(make.make_user(), "deck.read", event.store)
