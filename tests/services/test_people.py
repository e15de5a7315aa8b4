"""players/services/people.py and tournaments/services/merges.py: guests, look-alikes, merges, retirement."""

import pytest
from django.core.exceptions import ValidationError

from players import names
from players.models import Merge, Player, User
from players.services import people
from tests import make
from tournaments import queries
from tournaments.models import Event, Registration
from tournaments.services import journal, merges, registrations
from tournaments.services.errors import Refused
from tournaments.services.journal import SYSTEM, Actor

pytestmark = pytest.mark.django_db


class TestGuests:
    def test_a_guest_shows_by_first_name_and_initial_in_the_stores_province(self) -> None:
        guest = people.create_guest("  Zoe   Farolillo Cantueso ", province="ES-TE")
        assert (guest.name, guest.shown, guest.province) == ("Zoe Farolillo Cantueso", "Zoe F.", "ES-TE")

    @pytest.mark.parametrize(("name", "code"), [("   ", "name_missing"), ("á" * 121, "name_long")])
    def test_a_name_that_cannot_be_is_refused(self, name: str, code: str) -> None:
        with pytest.raises(ValidationError) as refusal:
            people.create_guest(name)
        assert refusal.value.code == code
        assert not Player.objects.exists()

    def test_lists_sort_in_spanish_order(self) -> None:
        """CASES 70, by the stored key: the database's own order is never asked."""
        for name in ["Zoe", "Ñusta", "Nuria", "Íñigo", "Ángel"]:
            make.make_guest(name)
        order = [player.name for player in Player.objects.order_by("sort_key")]
        assert order == ["Ángel", "Íñigo", "Nuria", "Ñusta", "Zoe"]


class TestMerge:
    def test_the_pointer_is_set_and_taken_away(self) -> None:
        guest, player = make.make_guest("Ana Tormo"), make.make_player("Ana Tormo Gil")
        merge = people.merge(guest, player, by=None, reason="la misma")
        guest.refresh_from_db()
        assert people.root(guest) == player
        assert people.family(player) == [player.pk, guest.pk]
        assert people.undo_merge(merge).merged_into_id is None
        assert people.undo_merge(merge).merged_into_id is None, "twice is once"
        guest.refresh_from_db()
        assert people.family(guest) == [guest.pk]

    def test_chains_lead_to_the_one_that_stands(self) -> None:
        first, second, third = make.make_guest(), make.make_guest(), make.make_player()
        people.merge(first, second, by=None)
        people.merge(second, third, by=None)
        first.refresh_from_db()
        assert people.root(first) == third
        assert people.family(first) == [third.pk, second.pk, first.pk]

    def test_a_merge_into_a_merged_record_goes_to_its_root_and_never_round_in_a_circle(self) -> None:
        a, b, c = make.make_guest(), make.make_guest(), make.make_guest()
        people.merge(a, b, by=None)
        assert people.merge(c, a, by=None).target == b
        with pytest.raises(ValidationError) as refusal:
            people.merge(b, c, by=None)
        assert refusal.value.code == "merge_same"

    def test_what_cannot_be_one_person_is_refused(self) -> None:
        account, other, guest = make.make_player(), make.make_player(), make.make_guest()
        for source, target, code in [(account, other, "merge_accounts"), (account, guest, "merge_direction")]:
            with pytest.raises(ValidationError) as refusal:
                people.merge(source, target, by=None)
            assert refusal.value.code == code
        people.merge(guest, account, by=None)
        guest.refresh_from_db()
        with pytest.raises(ValidationError) as refusal:
            people.merge(guest, other, by=None)
        assert refusal.value.code == "merged"


class TestMergePreview:
    """CASES 52: guest of two events into an account of three, and both in one of them."""

    def test_the_preview_lists_both_and_the_merge_is_undone(self) -> None:
        guest, player = make.make_guest("Ana"), make.make_player("Ana Tormo")
        theirs, ours = [make.make_event() for _ in range(2)], [make.make_event() for _ in range(3)]
        for event in theirs:
            make.enrol(event, guest)
        for event in ours:
            make.enrol(event, player)
        seen = merges.preview(guest, player)
        assert seen.possible
        assert {event.pk for event in seen.source_events} == {event.pk for event in theirs}
        assert {event.pk for event in seen.target_events} == {event.pk for event in ours}
        merge = merges.merge(guest, player, by=None)
        assert Registration.objects.filter(player=guest).count() == 2, "nothing moves"
        merges.undo_merge(merge)
        guest.refresh_from_db()
        assert guest.merged_into_id is None

    def test_a_shared_event_stands_in_the_way(self) -> None:
        guest, player, event = make.make_guest("Ana"), make.make_player("Ana Tormo"), make.make_event()
        make.enrol(event, guest)
        make.enrol(event, player)
        assert merges.preview(guest, player).shared == [event]
        with pytest.raises(Refused, match=event.name) as refusal:
            merges.merge(guest, player, by=None)
        assert refusal.value.code == "merge_shared"
        assert not Merge.objects.exists()

    def test_an_event_left_before_round_1_is_not_shared(self) -> None:
        guest, player, event = make.make_guest("Ana"), make.make_player("Ana Tormo"), make.make_event()
        make.enrol(event, guest, status="dropped", last_round=0)
        make.enrol(event, player)
        assert merges.preview(guest, player).possible


class TestClaim:
    def test_the_guests_link_joins_the_guest_to_the_account_once(self) -> None:
        event = make.make_event()
        row = registrations.add_guests(event, ["Zoe"], by=SYSTEM)[0]
        player = make.make_player("Zoe Farolillo")
        actor = Actor(user=player.user)
        assert registrations.claim_guest(row.secret, player, by=actor) == row
        registrations.claim_guest(row.secret, player, by=actor)
        assert Merge.objects.filter(undone_at=None).count() == 1
        assert registrations.sign_up(event, player, by=actor) == row, "his place is the guest's"

    @pytest.mark.parametrize("secret", ["", "adivinado"])
    def test_no_secret_opens_nothing(self, secret: str) -> None:
        event = make.make_event()
        make.enrol(event, "Zoe")
        with pytest.raises(Refused):
            registrations.claim_guest(secret, make.make_player(), by=SYSTEM)

    def test_somebody_in_the_same_event_is_refused(self) -> None:
        event = make.make_event()
        row = registrations.add_guests(event, ["Zoe"], by=SYSTEM)[0]
        player = make.make_player("Zoe Farolillo")
        make.enrol(event, player)
        with pytest.raises(Refused) as refusal:
            registrations.claim_guest(row.secret, player, by=SYSTEM)
        assert refusal.value.code == "merge_shared"


class TestUnite:
    """CASES 50: guest "Ana" and account "ana " on one night: warned, joined by a button, never by itself."""

    def two_anas(self) -> tuple[Event, Registration, Registration]:
        event = make.make_event()
        guest = registrations.add_guests(event, ["Ana"], by=SYSTEM)[0]
        account = registrations.sign_up(event, make.make_player("ana "), by=SYSTEM)
        return event, guest, account

    def test_they_are_two_until_somebody_says_otherwise(self) -> None:
        event, guest, account = self.two_anas()
        assert guest.pk != account.pk
        assert registrations.similar(event, "ANA ", exclude=account.player) == [guest]
        assert queries.twins(event.registrations.select_related("player")) == [[guest, account]]
        assert not Merge.objects.exists()

    def test_one_row_stays_with_what_either_had_and_undo_brings_both_back(self) -> None:
        event, guest, account = self.two_anas()
        registrations.set_paid(guest, True, by=SYSTEM)
        stays = registrations.unite(guest, account, by=SYSTEM)
        assert (stays.pk, stays.paid, event.registrations.count()) == (account.pk, True, 1)
        merged = Player.objects.get(pk=guest.player_id)
        assert people.root(merged) == account.player
        assert merged.renamed_at is not None, "pages of other events are told (DESIGN, State: privacy epoch)"
        journal.undo(event, Event.objects.get(pk=event.pk).version, by=SYSTEM)
        assert event.registrations.count() == 2
        assert Player.objects.get(pk=guest.player_id).merged_into_id is None
        assert not Merge.objects.exists()

    def test_a_waiting_account_takes_over_the_guests_place(self) -> None:
        event = make.make_event(capacity=2, players=1)
        guest = registrations.add_guests(event, ["Ana"], by=SYSTEM)[0]
        account = registrations.sign_up(event, make.make_player("ana"), by=SYSTEM)
        assert account.status == "waiting"
        assert registrations.unite(guest, account, by=SYSTEM).status == "registered"

    def test_after_round_1_is_paired_it_is_refused(self) -> None:
        event, guest, account = self.two_anas()
        make.pair(event)
        with pytest.raises(Refused) as refusal:
            registrations.unite(guest, account, by=SYSTEM)
        assert refusal.value.rule == "5.3"


class TestRetire:
    def test_the_name_goes_and_the_results_stay(self) -> None:
        """CASES 54."""
        event = make.make_finished_event(players=4)
        player = event.registrations.get(order=1).player
        player.user = make.make_user()
        player.save()
        before = list(event.matches.values_list("pk", "winner", "outcome"))
        people.retire(player)
        player.refresh_from_db()
        assert player.shown.casefold() in {"jugador retirado", "retired player"}
        assert names.fold(make.a_name(0)) not in {player.search_key, player.staff_key}
        assert make.a_name(0) not in {player.name, player.alias, player.public_name}
        assert player.user_id is None
        assert not User.objects.filter(player=player.pk).exists()
        assert list(event.matches.values_list("pk", "winner", "outcome")) == before

    def test_the_records_merged_into_him_go_too(self) -> None:
        guest, player = make.make_guest("Ana Tormo"), make.make_player("Ana Tormo Gil")
        people.merge(guest, player, by=None)
        assert {row.pk for row in people.retire(player)} == {guest.pk, player.pk}
        assert not Player.objects.filter(name__startswith="Ana").exists()

    def test_the_log_of_an_event_names_nobody(self) -> None:
        event = make.make_event(players=3)
        row = registrations.add_guests(event, ["Hipólito Sonajero"], by=SYSTEM)[0]
        registrations.drop(row, by=SYSTEM)
        for entry in event.log.all():
            assert "Sonajero" not in str(entry.data) + str(entry.changes)


def test_rename_keeps_the_code() -> None:
    player = make.make_player("Ana Tormo")
    code = player.code
    people.rename(player, " Ana   Tormo  Gil ", alias="La Ñ")
    player.refresh_from_db()
    assert (player.code, player.name, player.alias, player.search_key) == (
        code,
        "Ana Tormo Gil",
        "La Ñ",
        "ana tormo gil",
    )
    with pytest.raises(ValidationError):
        people.rename(player, "")
