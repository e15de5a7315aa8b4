"""`python -m benchmarks.decks`: lists, imports and searches at the sizes that were promised.

- 10,000 lists of forty cards judged by the engine: at most 5 seconds.
- `manage.py check_deck` on one list: at most 1.5 times `manage.py check` in the same run.
- A file of 5,000 cards looked at, taken over and undone: at most 10 seconds, on the database of DATABASE_URL (SQLite
  without it), beside reading the same file as CSV.
- Any search among 20,000 cards, its first page: at most 50 ms, beside counting the rows.

Exit 1 when one takes longer.
"""

import csv
import io
import json
import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kounter_site.settings")

LISTS, CARDS, LARGE = 10_000, 5_000, 20_000
LISTS_SECONDS, IMPORT_SECONDS, SEARCH_SECONDS, TIMES = 5.0, 10.0, 0.05, 1.5
SYLLABLES = (
    "ba", "ca", "da", "fa", "ga", "la", "ma", "na", "pa", "ra", "sa", "ta", "vi", "lo", "mu", "ñe", "cho", "rri", "güe",
    "tán", "bel", "kor", "zen", "dul",
)  # fmt: skip


def main() -> int:
    found = judging() | command()
    with database() as vendor:
        found |= {"database": vendor} | importing() | searching()
    sys.stdout.write(json.dumps(found, ensure_ascii=False) + "\n")
    return int(
        found["lists_seconds"] > LISTS_SECONDS
        or found["check_deck_over_check"] > TIMES
        or found["import_seconds"] > IMPORT_SECONDS
        or found["slowest_search_ms"] > 1000 * SEARCH_SECONDS
    )


def timed(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


# -- the engine --------------------------------------------------------------------------------------------------------
def judging() -> dict[str, Any]:
    """Lists that differ, one in three with something wrong: names misspelt, a copy too many, a card too few."""
    from decks.rules.demo import demonstration
    from decks.rules.games import game
    from decks.rules.legality import check
    from tests.core.decks.lists import TODAY

    chance = random.Random(7)
    texts = [some_list(chance) for _ in range(LISTS)]
    rules, cards = game("kounter"), demonstration("kounter")
    began = time.perf_counter()
    legal = sum(check(text, rules, cards, TODAY).legal for text in texts)
    took = time.perf_counter() - began
    return {"lists": LISTS, "legal": legal, "lists_seconds": round(took, 2)}


def some_list(chance: random.Random) -> str:
    from tests.core.decks.lists import MOST, cards

    element = chance.choice(["luz", "oscuridad", "agua", "naturaleza", "fuego", "tecnologia"])
    pool = [card for card in cards(element=element) if card.type != "ficha"]
    chance.shuffle(pool)
    lines, left = [], 40
    for card in pool:
        copies = min(MOST[card.rarity], left)
        if copies:
            lines.append(f"{copies} {card.name}")
        left -= copies
    spoiled = chance.random()
    if spoiled < 1 / 9:
        lines[0] = lines[0][:-2] + "x" + lines[0][-1]
    elif spoiled < 2 / 9:
        lines[1] = f"9 {lines[1].split(' ', 1)[1]}"
    elif spoiled < 3 / 9:
        lines.pop()
    return "\n".join(lines)


# -- the command -------------------------------------------------------------------------------------------------------
def command(runs: int = 7) -> dict[str, Any]:
    from benchmarks.commands import seconds

    with TemporaryDirectory() as folder:
        file = Path(folder) / "deck.txt"
        for seed in range(99):  # a legal one: the command leaves with 1 for any other
            file.write_text(some_list(random.Random(seed)), "utf-8")
            if is_legal(file.read_text("utf-8")):
                break
        asks = {"check": ["check"], "check_deck": ["check_deck", str(file), "--date", "2026-06-12"]}
        least = dict.fromkeys(asks, float("inf"))
        for _ in range(runs):
            for name, arguments in asks.items():
                least[name] = min(least[name], seconds(*arguments))
    return {
        "check_seconds": round(least["check"], 2),
        "check_deck_seconds": round(least["check_deck"], 2),
        "check_deck_over_check": round(least["check_deck"] / least["check"], 2),
    }


def is_legal(text: str) -> bool:
    from tests.core.decks.lists import judged

    return judged(text).legal


# -- the catalogue -----------------------------------------------------------------------------------------------------
@contextmanager
def database() -> Iterator[str]:
    from benchmarks.scale import database as made

    with made() as vendor:
        yield vendor


def invented(count: int, set_name: str) -> bytes:
    """A file of so many cards with names of their own."""
    from decks.rules.cardfile import COLUMNS

    chance = random.Random(set_name)
    file = io.StringIO(newline="")
    table = csv.DictWriter(file, COLUMNS, delimiter=";")
    table.writeheader()
    for number in range(count):
        words = ["".join(chance.choices(SYLLABLES, k=chance.randint(2, 4))).capitalize() for _ in range(3)]
        table.writerow(
            {
                "code": f"{set_name}-{number:05}", "name": f"{' '.join(words)} {number}", "game": "kounter",
                "expansion": f"Muestra {set_name}", "element": "fuego", "faction": "tribu-goblin", "rarity": "comun",
                "type": "unidad", "cost": "2,0", "attack": "1", "life": "3", "released": "12/06/2026",
                "text": " ".join("".join(chance.choices(SYLLABLES, k=3)) for _ in range(14)),
            }
        )  # fmt: skip
    return file.getvalue().encode("utf-8-sig")


def importing() -> dict[str, Any]:
    from decks.models import Card
    from decks.services import imports
    from decks.services.games import default_game

    game, content = default_game(), invented(CARDS, "B1")
    floor = timed(lambda: list(csv.reader(io.StringIO(content.decode("utf-8-sig")), delimiter=";")))
    began = time.perf_counter()
    found = imports.look_at(game, "b1.csv", content)
    looked = time.perf_counter()
    record = imports.take_over(found.record)
    taken = time.perf_counter()
    assert Card.objects.count() == CARDS
    imports.undo(record)
    undone = time.perf_counter()
    assert not Card.objects.exists()
    return {
        "import_cards": CARDS,
        "import_seconds": round(undone - began, 2),
        "of_which": {
            "preview": round(looked - began, 2), "taken": round(taken - looked, 2), "undone": round(undone - taken, 2),
        },
        "reading_the_csv_alone": round(floor, 3),
    }  # fmt: skip


def searching() -> dict[str, Any]:
    from benchmarks.scale import settle
    from decks.models import Card
    from decks.queries import browsed, search
    from decks.services import imports
    from decks.services.games import default_game

    game = default_game()
    imports.take_over(imports.look_at(game, "b2.csv", invented(LARGE, "B2")).record)
    settle()
    some = Card.objects.order_by("pk")[LARGE // 2]
    words = {
        "name": some.name, "beginning": some.name[:4], "letter": "a", "two words": " ".join(some.name.split()[:2]),
        "text": some.text.split()[3], "code": some.code, "nothing": "zzzzqx", "everything": "",
    }  # fmt: skip
    took = {
        name: median(timed(lambda asked=asked: list(search(browsed(game), asked)[:48])) for _ in range(7))  # type: ignore[misc]
        for name, asked in words.items()
    }
    return {
        "searched": LARGE,
        "search_ms": {name: round(1000 * each, 1) for name, each in took.items()},
        "slowest_search_ms": round(1000 * max(took.values()), 1),
        "counting_the_rows_ms": round(1000 * median(timed(lambda: browsed(game).count()) for _ in range(7)), 1),
    }


if __name__ == "__main__":
    raise SystemExit(main())
