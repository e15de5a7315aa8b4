"""`manage.py rebuild_ranking [--check]` (DESIGN, command line; RANKING 2, correctness)."""

import io
import json
from datetime import date, timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from ranking.models import BoardRow, PointsEntry, Rating, RatingPoint, Run, Snapshot
from ranking.services import rate, seasons
from tests.conftest import DATA
from tests.make import make_store
from tests.services.ranking.circuit import night, people
from tournaments.services.files import import_event
from tournaments.services.journal import SYSTEM

pytestmark = pytest.mark.django_db
FIRST = date(2026, 1, 8)


def rebuild(*arguments: str) -> dict[str, Any]:
    out = io.StringIO()
    call_command("rebuild_ranking", *arguments, stdout=out)
    (line,) = out.getvalue().splitlines()
    return json.loads(line)


def check_fails() -> dict[str, Any]:
    out = io.StringIO()
    with pytest.raises(CommandError) as failure:
        call_command("rebuild_ranking", "--check", stdout=out)
    assert failure.value.returncode == 1
    return json.loads(out.getvalue().splitlines()[0])


@pytest.fixture
def published() -> Snapshot:
    cast = people("ABCDEF")
    event = night(cast, FIRST, "A>B C>D E=F", "A>C E>B D>F")
    season = seasons.create(event.game, by=SYSTEM, name="Mareas", starts=FIRST, ends=FIRST + timedelta(days=90))
    seasons.open(season, by=SYSTEM)
    rate.catch_up(timezone.now())
    night(cast, FIRST + timedelta(days=7), "B>A C>D E=F", "B>C E>A D>F")
    (snapshot,) = rate.catch_up(timezone.now())
    return snapshot


def test_the_check_passes_on_what_was_rated_event_by_event(published: Snapshot) -> None:
    line = rebuild("--check")
    assert (line["equal"], line["up_to_date"], line["snapshot"], line["players"]) == (True, True, 2, 6)
    assert line["published"] == line["rebuilt"]
    assert set(line["rebuilt"]) == {"ratings", "history", "boards", "points"}
    assert Snapshot.objects.count() == 2


DAMAGE = {
    "ratings": lambda: Rating.objects.order_by("-pk")[:1],
    "history": lambda: RatingPoint.objects.order_by("-pk")[:1],
    "boards": lambda: BoardRow.objects.order_by("-pk")[:1],
    "points": lambda: PointsEntry.objects.order_by("-pk")[:1],
}


@pytest.mark.parametrize("part", DAMAGE)
def test_the_check_sees_one_wrong_value(published: Snapshot, part: str) -> None:
    """The smallest change there is: the last bit of a rating, one place, one point."""
    (row,) = DAMAGE[part]()
    fields = {"ratings": "mu", "history": "mu", "boards": "value", "points": "points"}
    value = getattr(row, fields[part])
    setattr(row, fields[part], value + (2.0**-52 if isinstance(value, float) else 1))
    row.save()
    line = check_fails()
    assert [name for name in line["published"] if line["published"][name] != line["rebuilt"][name]] == [part]


def test_a_rebuild_mends_what_the_check_found(published: Snapshot) -> None:
    Rating.objects.filter(snapshot=published).update(mu=0.25)
    check_fails()
    line = rebuild()
    assert (line["new"], line["equal"], line["snapshot"]) == (True, True, 3)
    assert rebuild("--check")["equal"]


def test_a_rebuild_of_what_is_right_publishes_nothing(published: Snapshot) -> None:
    line = rebuild()
    assert (line["new"], line["snapshot"], Snapshot.objects.count()) == (False, 2, 2)


def test_events_that_wait_are_told_and_rebuilt(published: Snapshot) -> None:
    night(people("AB"), FIRST + timedelta(days=14), "A>B")
    assert check_fails()["up_to_date"] is False
    assert rebuild()["up_to_date"] is True


def test_a_busy_worker_is_left_alone(published: Snapshot) -> None:
    night(people("AB"), FIRST + timedelta(days=14), "A>B")
    run = rate.request_rebuild(published.game, timezone.now())
    rate.claim(run, "otro", timezone.now())
    with pytest.raises(CommandError):
        rebuild()
    assert Run.objects.get(pk=run.pk).worker == "otro"


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(CommandError) as failure:
        call_command("rebuild_ranking", "--game", "ajedrez", stdout=io.StringIO())
    assert failure.value.returncode == 2


@pytest.mark.realdata
def test_real_events_imported_in_three_lots_equal_a_full_rebuild() -> None:
    """Issue "Must show": byte for byte after all imports; here a tenth of the files, in an order of their own."""
    files = sorted((DATA / "swiss").glob("*.json"))[::10]
    stores = [make_store(province=province) for province in ("ES-TE", "ES-M", "ES-B")]
    for lot in range(3):
        for place, file in enumerate(files[lot::3]):
            import_event(json.loads(file.read_text()), stores[place % 3], "semanal", by=SYSTEM)
        rate.catch_up(timezone.now())
    line = rebuild("--check")
    assert (line["equal"], line["up_to_date"]) == (True, True)
    assert line["matches"] > 500


def test_an_empty_circuit_says_so() -> None:
    out, told = io.StringIO(), io.StringIO()
    call_command("rebuild_ranking", "--check", stdout=out, stderr=told)
    assert out.getvalue() == ""
    assert "No hay nada que puntuar" in told.getvalue()
