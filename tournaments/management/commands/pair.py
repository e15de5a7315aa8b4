"""`manage.py pair FILE...`: the next round of event files, as JSON lines. No database is touched."""

from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any, override

from django.core.management.base import BaseCommand
from django.utils.translation import gettext_lazy as _

from tournaments.eventfile import EventFile, to_tournament
from tournaments.management.answers import Answer, answer_files
from tournaments.swiss import round_robin
from tournaments.swiss.chance import lot_number
from tournaments.swiss.pairing import Pairing, PairingRefused, pair_round
from tournaments.swiss.types import PlayerId

SEED_BITS = 52
"""A seed of ours survives in every JSON reader."""


class Command(BaseCommand):
    help = str(_("Pairs the next round of event files and prints it as JSON, one line for each file."))
    requires_system_checks = []

    @override
    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE")
        parser.add_argument("--seed", type=int, help=str(_("default: drawn from the event's id and the round")))
        parser.add_argument("--by-standings", action="store_true", help=str(_("neighbours in the standings meet")))

    @override
    def handle(self, *args: Any, **options: Any) -> None:
        def answer(event: EventFile) -> Answer:
            return next_round(event, options["seed"], options["by_standings"])

        answer_files(options["files"], answer, self.stdout, self.stderr)


def next_round(event: EventFile, seed: int | None, by_standings: bool) -> Answer:
    round = len(event.rounds) + 1
    if seed is None:
        seed = lot_number(event.id, str(round)) >> (64 - SEED_BITS)
    try:
        pairing = paired(event, round, str(seed), by_standings)
    except PairingRefused as refusal:
        reason = {"refused": refusal.code, "rule": refusal.rule, "players": refusal.players, "message": str(refusal)}
        return Answer({"round": round, **reason}, refused=True)
    return Answer(
        {
            "round": round,
            "pairs": pairing.pairs,
            "bye": pairing.bye,
            "assigned_byes": pairing.assigned_byes,
            "criteria": asdict(pairing.criteria),
            "certified": pairing.certified,
            "seed": seed,
            "notes": [asdict(note) for note in pairing.notes],
        }
    )


def paired(event: EventFile, round: int, seed: str, by_standings: bool) -> Pairing:
    """A round robin goes by its schedule: the file's own chairs, else those of the stored draw."""
    tournament = to_tournament(event)
    if event.event_format != "round_robin":
        return pair_round(tournament, round, seed, by_standings)
    drawn = [None if player is None else PlayerId(player) for player in event.schedule or ()]
    return round_robin.pair_round(tournament, round, seed, drawn or round_robin.draw_chairs(tournament))
