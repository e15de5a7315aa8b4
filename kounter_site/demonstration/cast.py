"""Stores, people and accounts of the demonstration as rows."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from random import Random

from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import make_password
from django.utils.translation import gettext as _

from decks.models import Element, Game
from kounter_site.demo import PASSWORD
from kounter_site.demonstration.people import HEROINE, LOGINS, STAFF, Person, players
from kounter_site.demonstration.places import MAIN, OPEN_TONIGHT, PLACES, Place
from players import codes
from players.models import Follow, Player, User
from tournaments.models import Role, Store
from tournaments.services.errors import Refused
from tournaments.services.journal import Actor
from tournaments.services.stores import free_slug

ROLES = {"owner": MAIN, "organiser": MAIN, "judge": MAIN, "scorekeeper": MAIN, "other organiser": OPEN_TONIGHT}
BEST = 1.6  # the heroine's skill: she has something to show on every board


@dataclass(frozen=True, slots=True)
class Cast:
    """`skills`, `elements`: by player id. `stores`, `staff`: by the slug that the place asks for; it may be taken."""

    game: Game
    stores: dict[str, Store]
    staff: dict[str, Actor]
    people: dict[str, list[Player]]  # who plays, by province
    skills: dict[int, float]
    elements: dict[int, list[Element]]
    accounts: dict[str, User]  # by the part they play

    @property
    def newcomers(self) -> set[int]:
        """The last of each province has come for two weeks only: too few matches for a place on a board (RANKING 3)."""
        return {players[-1].pk for players in self.people.values()}

    @property
    def heroine(self) -> Player:
        return next(player for players in self.people.values() for player in players if player.name == HEROINE)


def gather(game: Game, rng: Random) -> Cast:
    require_free_addresses()
    stores = {place.slug: make_store(place) for place in PLACES}
    crew = make_players(STAFF.values(), rng)
    accounts = {part: player.user for part, player in zip(STAFF, crew, strict=True) if player.user}
    staff = employ(stores, accounts)
    cast = make_players(players(), rng)
    befriend(cast)
    elements = list(game.elements.all())
    return Cast(
        game=game,
        stores=stores,
        staff=staff,
        people={place.province: [p for p in cast if p.province == place.province] for place in PLACES},
        skills={p.pk: BEST if p.name == HEROINE else round(rng.gauss(0, 1), 3) for p in cast},
        elements={p.pk: rng.sample(elements, 2) for p in cast},
        accounts=accounts,
    )


def require_free_addresses() -> None:
    wanted = [person.email for person in (*STAFF.values(), *players()) if person.email] + [*map(owner_address, PLACES)]
    if taken := list(User.objects.filter(email__in=wanted).values_list("email", flat=True)):
        message = _("There are accounts with addresses of the demonstration: %(emails)s.")
        raise Refused(message % {"emails": ", ".join(sorted(taken))}, code="taken")


# -- stores ------------------------------------------------------------------------------------------------------------
def make_store(place: Place) -> Store:
    return Store.objects.create(
        slug=free_slug(place.slug),
        name=place.name,
        city=place.city,
        province=place.province,
        time_zone=place.time_zone,
        contact=owner_address(place),
        demo=True,
    )


def owner_address(place: Place) -> str:
    return STAFF["owner"].email if place.slug == MAIN else f"{place.slug}@kounter.example"


def employ(stores: dict[str, Store], accounts: dict[str, User]) -> dict[str, Actor]:
    """Roles, and by store who runs its events. Every store has an owner; as most of them nobody can sign in."""
    owners = make_users([Person(place.name, "", owner_address(place)) for place in PLACES if place.slug != MAIN])
    roles = {(MAIN, accounts["organiser"])} | {(slug, accounts[part]) for part, slug in ROLES.items()}
    rows = [Role(store=stores[slug], user=user, kind=kind_of(user, accounts)) for slug, user in roles]
    rows += [Role(store=stores[user.email.partition("@")[0]], user=user, kind=Role.Kind.OWNER) for user in owners]
    Role.objects.bulk_create(sorted(rows, key=lambda row: row.user_id))
    by_store = {user.email.partition("@")[0]: Actor(user=user) for user in owners}
    return by_store | {MAIN: Actor(user=accounts["organiser"]), OPEN_TONIGHT: Actor(user=accounts["other organiser"])}


def kind_of(user: User, accounts: dict[str, User]) -> str:
    part = next(part for part, account in accounts.items() if account == user)
    return part.removeprefix("other ")


# -- people ------------------------------------------------------------------------------------------------------------
def make_users(people: Iterable[Person]) -> list[User]:
    """Closed until `make run` opens them on loopback (DESIGN, Two ways to run). One hash for the one password."""
    roles = {STAFF[part].email: role for part, role in (("administrator", "administrator"), ("auditor", "auditor"))}
    users = [
        User(
            email=person.email,
            password=published_hash() if person.login else make_password(None),
            circuit_role=roles.get(person.email, ""),
            is_active=False,
            demo=True,
        )
        for person in people
        if person.email
    ]
    User.objects.bulk_create(users)
    EmailAddress.objects.bulk_create(EmailAddress(user=u, email=u.email, verified=True, primary=True) for u in users)
    return users


@cache
def published_hash() -> str:
    return make_password(PASSWORD)


def make_players(people: Iterable[Person], rng: Random) -> list[Player]:
    people = list(people)
    users = {user.email: user for user in make_users(people)}
    rows = [
        Player(
            code=code,
            user=users.get(person.email),
            name=person.name,
            alias=person.alias,
            minor=person.minor,
            privacy=Player.Privacy.PRIVATE if person.private else Player.Privacy.PUBLIC,
            province=person.province,
            demo=True,
        ).derive()
        for person, code in zip(people, free_codes(len(people), rng), strict=True)
    ]
    return Player.objects.bulk_create(rows)


def free_codes(count: int, rng: Random) -> list[str]:
    taken = set(Player.objects.values_list("code", flat=True))
    found: list[str] = []
    while len(found) < count:
        body = "".join(rng.choices(codes.ALPHABET, k=codes.LENGTH))
        code = body + codes.check_character(body)
        if code not in taken:
            found.append(code)
            taken.add(code)
    return found


def befriend(cast: list[Player]) -> None:
    """Whoever signs in follows some rivals."""
    for me in [player for player in cast if player.name in LOGINS]:
        near = [player for player in cast if player.province == me.province and player != me and player.user]
        Follow.objects.bulk_create(Follow(follower=me, followed=player) for player in near[:4])
