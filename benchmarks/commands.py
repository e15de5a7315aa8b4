"""`make bench`, second half: whole processes of the command line beside `manage.py check` in the same run.

`pair` on a file of 12 players may take 1.5 times as long; on one of 10,000 before round 15 twice as long and two
seconds more. Exit 1 when it takes longer.
"""

import json
import subprocess
import sys
import time
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.events import Round, played
from tournaments.swiss.types import Match, Outcome

ROOT = Path(__file__).parent.parent
TIMES_SMALL, TIMES_LARGE, SECONDS_LARGE = 1.5, 2.0, 2.0


def event_file(before: Round) -> str:
    """The event as `kounter-event/1`."""
    rounds: list[list[dict[str, object]]] = [[] for _ in range(before.number - 1)]
    for match in before.tournament.matches:
        rounds[match.round - 1].append(line_of(match))
    entrants = before.tournament.entrants
    left = {entrant.id: entrant.last_round for entrant in entrants if entrant.dropped}
    event = {"id": before.tournament.id, "date": "2026-03-14", "players": [entrant.id for entrant in entrants]}
    return json.dumps({**event, "rounds": rounds, "drops": left})


def line_of(match: Match) -> dict[str, object]:
    games: dict[str, int | None] = {"p1_games": None, "p2_games": None, "draws": None}
    if match.games is not None:
        games = {"p1_games": match.games.a, "p2_games": match.games.b, "draws": match.games.draws}
    result = "p1" if match.winner == match.a else "p2"
    if match.outcome in (Outcome.BYE, Outcome.DRAW):
        result = str(match.outcome)
    return {"p1": match.a, "p2": match.b, **games, "result": result}


def seconds(*arguments: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "manage.py", *arguments], cwd=ROOT, check=True, capture_output=True)
    return time.perf_counter() - start


def imports(*arguments: str) -> list[tuple[float, str]]:
    """The packages that cost most to import, in milliseconds, each without those that it imports."""
    command = [sys.executable, "-X", "importtime", "manage.py", *arguments]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    own: dict[str, float] = {}
    for line in done.stderr.splitlines():
        if line.startswith("import time:") and "|" in line and "imported" not in line:
            spent, _, name = line.removeprefix("import time:").split("|")
            package = name.strip().split(".")[0]
            own[package] = own.get(package, 0) + int(spent) / 1000
    return sorted(((spent, package) for package, spent in own.items()), reverse=True)


def main() -> int:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--players", type=int, default=10_000)
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        small, large = Path(folder) / "small.json", Path(folder) / "large.json"
        *_, before = played(12, 4, draws=0.04)
        small.write_text(event_file(before))
        *_, before = played(options.players, 15, draws=0.04)
        large.write_text(event_file(before))
        commands = {"check": ["check"], "12 players": ["pair", str(small)], "round 15": ["pair", str(large)]}
        least = dict.fromkeys(commands, float("inf"))
        for _ in range(options.runs):
            for name, arguments in commands.items():
                least[name] = min(least[name], seconds(*arguments))
        slowest = ", ".join(f"{package} {spent:.0f}" for spent, package in imports("pair", str(small))[:12])
    check, pair, pair_large = least.values()
    write = sys.stdout.write
    write(f"manage.py check {check:.2f} s\n")
    write(f"manage.py pair, 12 players: {pair:.2f} s, {pair / check:.2f} times (at most {TIMES_SMALL})\n")
    allowed = TIMES_LARGE * check + SECONDS_LARGE
    write(f"manage.py pair, {options.players:,} players, round 15: {pair_large:.2f} s (at most {allowed:.2f})\n")
    write(f"imports of the small one, ms by package: {slowest}\n")
    return int(pair > TIMES_SMALL * check or pair_large > allowed)


if __name__ == "__main__":
    sys.exit(main())
