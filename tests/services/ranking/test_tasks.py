"""The worker's door, and what the web must never import (DESIGN, Libraries; RANKING 4)."""

import subprocess
import sys
from datetime import date, timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from ranking import queries, tasks
from ranking.models import Run
from ranking.services import rate
from tests.services.ranking.circuit import night, people

FIRST = date(2026, 1, 8)


@pytest.fixture
def bell(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What was rung, in place of a broker."""
    rung: list[int] = []
    monkeypatch.setattr(tasks.compute, "delay", rung.append)
    return rung


@pytest.mark.django_db
def test_the_sweep_rings_and_the_worker_publishes(bell: list[int]) -> None:
    event = night(people("AB"), FIRST, "A>B")
    tasks.sweep()
    (run,) = bell
    tasks.compute(run)
    snapshot = queries.current(event.game)
    assert snapshot is not None
    assert snapshot.run_id == run
    tasks.sweep()
    assert bell == [run]


@pytest.mark.django_db
def test_a_lost_bell_rings_again(bell: list[int]) -> None:
    """The broker is a bell, never the truth: a task that got lost with its worker costs one sweep."""
    night(people("AB"), FIRST, "A>B")
    tasks.sweep()
    tasks.sweep()
    assert len(bell) == 2
    assert len(set(bell)) == 1
    for run in bell:
        tasks.compute(run)
    assert Run.objects.get().snapshot.number == 1


@pytest.mark.django_db
def test_the_run_of_a_dead_worker_rings_again(bell: list[int]) -> None:
    night(people("AB"), FIRST, "A>B")
    tasks.sweep()
    run = Run.objects.get()
    rate.claim(run, "murió", timezone.now())
    tasks.sweep()
    assert bell == [run.pk], "alive as far as anyone knows"
    Run.objects.update(heartbeat=timezone.now() - rate.STALE - timedelta(seconds=1))
    tasks.sweep()
    assert bell == [run.pk, run.pk]
    tasks.compute(run.pk)
    assert Run.objects.get().status == Run.Status.DONE


@pytest.mark.django_db
def test_a_run_that_is_gone_is_nobodys_problem() -> None:
    tasks.compute(4711)


def test_the_tasks_have_the_names_that_the_schedule_rings() -> None:
    assert tasks.sweep.name in {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert tasks.compute.name == "ranking.tasks.compute"


@pytest.mark.parametrize("door", ["kounter_site.wsgi", "kounter_site.urls", "ranking.services.rate"])
def test_the_web_never_imports_the_engine(door: str) -> None:
    """numba costs half a second and some 60 MB in every web process; the worker imports it when it rates."""
    code = f"""
import django, importlib, os, sys
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kounter_site.settings")
django.setup()
importlib.import_module({door!r})
from django.urls import get_resolver
get_resolver().url_patterns
print(sorted({{"numba", "llvmlite"}} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr[-2000:]
