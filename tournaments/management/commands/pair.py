"""`manage.py pair FILE...`: the next round of event files, as JSON lines. No database is touched."""

from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any, override

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from decks.management.answers import Answer
from tournaments.eventfile import EventFile, to_tournament
from tournaments.management.answers import answer_events
from tournaments.sentences.reasons import of_robin, remark, remarks
from tournaments.swiss import round_robin
from tournaments.swiss.chance import lot_number
from tournaments.swiss.history import history_before
from tournaments.swiss.notes import Note, Seating, why_player
from tournaments.swiss.pairing import Pairing, PairingRefused, pair_round
from tournaments.swiss.pods.history import pod_history
from tournaments.swiss.pods.notes import PodSeating, why_at_pod
from tournaments.swiss.pods.pairing import PodPairing, pair_pods
from tournaments.swiss.types import PlayerId, Tournament

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
        languages = [code for code, _name in settings.LANGUAGES]
        parser.add_argument(
            "--language", choices=languages, default=settings.LANGUAGE_CODE, help=str(_("of the reasons"))
        )

    @override
    def handle(self, *args: Any, **options: Any) -> None:
        def answer(event: EventFile) -> Answer:
            return next_round(event, options["seed"], options["by_standings"])

        with translation.override(options["language"]):
            answer_events(options["files"], answer, self.stdout, self.stderr)


def next_round(event: EventFile, seed: int | None, by_standings: bool) -> Answer:
    round = len(event.rounds) + 1
    if seed is None:
        seed = lot_number(event.id, str(round)) >> (64 - SEED_BITS)
    tournament = to_tournament(event)
    try:
        pairing = paired(event, tournament, round, str(seed), by_standings)
    except PairingRefused as refusal:
        reason = {"refused": refusal.code, "rule": refusal.rule, "players": refusal.players, "message": str(refusal)}
        return Answer({"round": round, **reason}, refused=True)
    if isinstance(pairing, PodPairing):
        seats: dict[str, Any] = {"pods": pairing.pods}
    else:
        seats = {"pairs": pairing.pairs, "bye": pairing.bye}
    return Answer(
        {
            "round": round,
            **seats,
            "assigned_byes": pairing.assigned_byes,
            "criteria": asdict(pairing.criteria),
            "certified": pairing.certified,
            "seed": seed,
            "notes": [asdict(note) | {"text": remark(asdict(note), str).text} for note in pairing.notes],
            "why": reasons(event, tournament, pairing),
        }
    )


def paired(event: EventFile, tournament: Tournament, round: int, seed: str, by_standings: bool) -> Pairing | PodPairing:
    """A round robin goes by its schedule: the file's own chairs, else those of the stored draw."""
    if event.in_pods:
        return pair_pods(tournament, round, seed)
    if event.event_format != "round_robin":
        return pair_round(tournament, round, seed, by_standings)
    drawn = [None if player is None else PlayerId(player) for player in event.schedule or ()]
    return round_robin.pair_round(tournament, round, seed, drawn or round_robin.draw_chairs(tournament))


def reasons(event: EventFile, tournament: Tournament, pairing: Pairing | PodPairing) -> dict[str, list[str]]:
    """By player, in the order of the tables: why this opponent, or why the bye (rule 4.3)."""
    found = pod_reasons(tournament, pairing) if isinstance(pairing, PodPairing) else pair_reasons(tournament, pairing)
    if event.event_format == "round_robin":
        found = of_robin(found, [asdict(note) for note in pairing.notes])
    return {player: [each.text for each in remarks(notes, str)] for player, notes in found.items()}


def pair_reasons(tournament: Tournament, pairing: Pairing) -> dict[PlayerId, list[Note]]:
    history = history_before(tournament, pairing.round)
    seating = Seating(tournament, history, pairing.pairs, pairing.bye, pairing.assigned_byes, pairing.by_standings)
    return {player: why_player(seating, player) for player in [*seating.seated, *pairing.assigned_byes]}


def pod_reasons(tournament: Tournament, pairing: PodPairing) -> dict[PlayerId, list[Note]]:
    seating = PodSeating(tournament, pod_history(tournament, pairing.round), pairing.pods, pairing.assigned_byes)
    players = [*(player for pod in pairing.pods for player in pod), *pairing.assigned_byes]
    return {player: why_at_pod(seating, player) for player in players}
