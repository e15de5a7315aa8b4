"""A player's code is his alone, also where a million have been drawn at random."""

import pytest

from players import codes
from players.models import Player

pytestmark = pytest.mark.django_db


def test_a_code_that_is_taken_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first = Player.objects.create(name="Zoe Farolillo")
    draws = iter([first.code, "2222222", first.code, "3333333", "4444444"])
    monkeypatch.setattr(codes, "new_code", lambda: next(draws))
    alone = Player(name="Pau Grillet", code=first.code)
    alone.save()
    assert alone.code == "2222222"
    twins = [Player(name=f"Iván {n}", code=first.code).derive() for n in range(2)]
    assert {row.code for row in Player.objects.bulk_create(twins)} == {"3333333", "4444444"}


def test_changing_a_name_keeps_the_code() -> None:
    player = Player.objects.create(name="Zoe Farolillo")
    before = player.code
    player.name = "Zoe Farolillo Paz"
    player.save(update_fields=["name"])
    assert Player.objects.get(pk=player.pk).code == before
