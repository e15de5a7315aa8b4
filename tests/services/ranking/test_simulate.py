"""`manage.py simulate`: a circuit that could have happened (DESIGN, command line)."""

import io
import json
from datetime import date, timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.utils import timezone

from decks.models import Game
from players import codes
from players.models import Player
from ranking import queries
from ranking.management.commands.simulate import last_sunday
from ranking.models import Rating, Season
from ranking.services import rate
from ranking.services.simulation import circuit, crowd
from tournaments.models import Event, FrozenStandings, Match, Registration, ResultRevision, Store
from tournaments.services.verification import verify_event

pytestmark = pytest.mark.django_db
UNTIL = date(2026, 3, 15)


def run(*arguments: str) -> dict[str, Any]:
    out = io.StringIO()
    call_command("simulate", *arguments, stdout=out)
    return json.loads(out.getvalue())


@pytest.fixture
def made(game: Game) -> circuit.Made:
    return circuit.simulate(circuit.Plan(game, players=60, stores=3, weeks=3, seed=5, until=UNTIL))


def test_the_counts_are_those_of_the_rows(game: Game) -> None:
    line = run("--players", "40", "--stores", "2", "--weeks", "2", "--seed", "9", "--until", "2026-03-15")
    assert (line["players"], line["stores"]) == (40, 2) == (Player.objects.count(), Store.objects.count())
    assert line["events"] == Event.objects.count()
    assert line["matches"] == Match.objects.count() > 20


def test_every_event_verifies(made: circuit.Made) -> None:
    """Pairings follow from their seeds and standings from the results, as of any event of a shop."""
    reports = [verify_event(event) for event in Event.objects.all()]
    assert len(reports) == made.events >= 6
    assert [report.differs for report in reports if report.differs] == []
    assert any(row["checked"] == "derived" for report in reports for row in report.rounds)


def test_the_weeks_end_on_the_last_day(made: circuit.Made) -> None:
    days = set(Event.objects.values_list("date", flat=True))
    assert min(days) > UNTIL - timedelta(weeks=3)
    assert max(days) <= UNTIL
    regional = Event.objects.get(tier=Event.Tier.REGIONAL)
    assert (regional.date, regional.cut_size) == (UNTIL, 8)
    final = FrozenStandings.objects.get(event=regional, phase="final").rows
    assert [row["rank"] for row in final[:2]] == [1, 2]


def test_everything_that_happens_in_a_shop_happens(game: Game) -> None:
    circuit.simulate(circuit.Plan(game, players=150, stores=5, weeks=5, seed=2, until=UNTIL))
    outcomes = set(Match.objects.values_list("outcome", flat=True))
    assert outcomes >= {"win", "draw", "bye", "forfeit", "intentional_draw"}
    assert Registration.objects.filter(status=Registration.Status.DROPPED).exists()
    assert set(Event.objects.values_list("best_of", flat=True)) == {1, 3}
    assert Player.objects.filter(user=None).exists()
    assert not Match.objects.exclude(state=Match.State.DONE).exists()
    assert ResultRevision.objects.count() == Match.objects.filter(kind=Match.Kind.TABLE).count()
    assert set(Store.objects.values_list("province", flat=True)) == {"ES-M", "ES-B", "ES-V", "ES-SE", "ES-A"}


def test_nobody_sits_twice_on_an_evening(made: circuit.Made) -> None:
    seen = list(Registration.objects.values_list("player", "event__date", "event__tier"))
    weekly = [(player, day) for player, day, tier in seen if tier == Event.Tier.WEEKLY]
    assert len(set(weekly)) == len(weekly)
    sunday = {player for player, day, tier in seen if tier == Event.Tier.REGIONAL}
    assert not sunday & {player for player, day in weekly if day == UNTIL}


def test_the_same_seed_gives_the_same_circuit(game: Game) -> None:
    plan = circuit.Plan(game, players=20, stores=2, weeks=1, seed=3, until=UNTIL)

    def told() -> list[tuple[Any, ...]]:
        rows = Match.objects.order_by("event__slug", "round__number", "table", "pk")
        return list(rows.values_list("event__slug", "round__seed", "table", "outcome", "winner__code", "winner__name"))

    with transaction.atomic():
        circuit.simulate(plan)
        first = told()
        transaction.set_rollback(True)
    assert told() == []
    circuit.simulate(plan)
    assert told() == first != []


def test_the_ratings_find_the_hidden_strengths(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also what makes it worth rating: whoever is stronger stands higher."""
    people: list[crowd.Regular] = []
    regulars = circuit.regulars

    def remembered(*args: Any) -> list[crowd.Regular]:
        people.extend(regulars(*args))
        return people

    monkeypatch.setattr(circuit, "regulars", remembered)
    circuit.simulate(circuit.Plan(game, players=40, stores=1, weeks=7, seed=4, until=UNTIL))
    (snapshot,) = rate.catch_up(timezone.now())
    found = {row.player_id: row.mu for row in Rating.objects.filter(snapshot=snapshot, matches__gte=12)}
    pairs = [(person.strength, found[person.player.pk]) for person in people if person.player.pk in found]
    assert len(pairs) > 20
    pairs.sort()
    half = len(pairs) // 2
    weak, strong = sum(mu for _, mu in pairs[:half]) / half, sum(mu for _, mu in pairs[-half:]) / half
    assert strong - weak > 0.1
    season = Season.objects.get()
    assert season.status == Season.Status.OPEN
    assert queries.board(snapshot, "es").placed > 20
    assert queries.board(snapshot, "es", order=queries.points_order(season.slug)).rows[0].value >= 200


def test_a_seed_is_simulated_once(made: circuit.Made) -> None:
    with pytest.raises(CommandError) as failure:
        run("--seed", "5")
    assert failure.value.returncode == 1
    assert Store.objects.count() == 3


def test_an_open_season_is_used(made: circuit.Made, game: Game) -> None:
    circuit.simulate(circuit.Plan(game, players=12, stores=1, weeks=1, seed=6, until=UNTIL))
    assert Season.objects.count() == 1


@pytest.mark.parametrize("arguments", [["--players", "3"], ["--weeks", "0"], ["--seed", "-1"], ["--until", "ayer"]])
def test_senseless_numbers_are_refused(arguments: list[str]) -> None:
    with pytest.raises(CommandError):
        run(*arguments)
    assert not Store.objects.exists()


def test_everybody_is_marked_as_demonstration(made: circuit.Made) -> None:
    assert not Player.objects.filter(demo=False).exists()
    assert not Store.objects.filter(demo=False).exists()
    assert not Season.objects.filter(demo=False).exists()
    users = [player.user for player in Player.objects.select_related("user") if player.user]
    assert all(user.demo and not user.has_usable_password() for user in users)


def test_codes_are_valid_and_new(made: circuit.Made) -> None:
    assert all(codes.is_valid(code) for code in Player.objects.values_list("code", flat=True))


def test_the_default_is_the_last_sunday() -> None:
    assert last_sunday(date(2026, 3, 16)) == last_sunday(date(2026, 3, 22)) == date(2026, 3, 15)
