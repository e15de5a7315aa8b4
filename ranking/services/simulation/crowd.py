"""Who there is: stores over the provinces, and their regulars with hidden strengths."""

from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random

from django.contrib.auth.hashers import make_password

from decks.models import Element
from players import codes
from players.models import Player, User
from ranking.services.simulation import words
from tournaments.models import Series, Store

CANARY = {"ES-GC": "Atlantic/Canary", "ES-TF": "Atlantic/Canary"}
GUESTS = 0.15  # play without an account


@dataclass(eq=False)
class Regular:
    """strength: in logits against an average player. keen: how likely he comes on a night."""

    player: Player
    strength: float
    keen: float
    element: Element


@dataclass(eq=False)
class Shop:
    """offset: days after the week's first on which it plays, 0 to 5; the seventh belongs to the regional."""

    store: Store
    series: Series
    offset: int
    best_of: int
    regulars: list[Regular] = field(default_factory=list)


def shops(rng: Random, count: int, label: str, first: date) -> list[Shop]:
    """Saved, with their series."""
    stores, made = [], []
    for number in range(1, count + 1):
        province = words.PROVINCES[(number - 1) % len(words.PROVINCES)]
        store = Store(slug=f"{label}-{number}", name=words.store_name(rng, number), province=province, demo=True)
        store.time_zone = CANARY.get(province, "Europe/Madrid")
        stores.append(store.derive())
    for store in Store.objects.bulk_create(stores):
        offset = rng.choices(range(6), (1, 2, 3, 6, 5, 4))[0]
        name = f"{words.DAYS[(first + timedelta(days=offset)).weekday()]} de fichas"
        made.append(Shop(store, Series(store=store, name=name), offset, rng.choice((1, 1, 3))))
    Series.objects.bulk_create([shop.series for shop in made])
    return made


def regulars(rng: Random, shops: list[Shop], count: int, elements: list[Element], label: str) -> list[Regular]:
    """Saved, shared out among the shops; a few weeks make some of them known and leave others provisional."""
    names = words.people(rng)
    taken = set(Player.objects.values_list("code", flat=True))
    made = [Player(name=next(names), code=new_code(rng, taken), demo=True) for _ in range(count)]
    accounts = [player for player in made if rng.random() >= GUESTS]
    for player, user in zip(accounts, users(len(accounts), label), strict=True):
        player.user = user
    for number, player in enumerate(made):
        player.province = shops[number % len(shops)].store.province
    Player.objects.bulk_create([player.derive() for player in made])
    found = [Regular(p, rng.gauss(0, 0.8), rng.betavariate(2, 1.4), rng.choice(elements)) for p in made]
    for number, regular in enumerate(found):
        shops[number % len(shops)].regulars.append(regular)
    return found


def users(count: int, label: str) -> list[User]:
    """Accounts that nobody can sign in with: their people appear with their full name."""
    locked = make_password(None)
    rows = [User(email=f"{label}-{n}@example.test", password=locked, demo=True) for n in range(1, count + 1)]
    return User.objects.bulk_create(rows)


def new_code(rng: Random, taken: set[str]) -> str:
    while True:
        body = "".join(rng.choices(codes.ALPHABET, k=codes.LENGTH))
        code = body + codes.check_character(body)
        if code not in taken:
            taken.add(code)
            return code
