"""Spain's provinces and autonomous cities by ISO 3166-2, in Spanish order, under the names people use."""

import pycountry

from players.names import collation_key


def _clean(name: str) -> str:
    """`Girona [Gerona]` is printed `Girona`; `Asturias, Principado de` is printed `Asturias`."""
    return name.split(" [")[0].split("/")[0].split(",")[0].rstrip("*").strip()


def _provinces() -> list[tuple[str, str]]:
    found = [
        (area.code, _clean(area.name))
        for area in pycountry.subdivisions.get(country_code="ES")  # type: ignore[no-untyped-call]
        if area.type == "Province" or area.type.casefold().startswith("autonomous city")
    ]
    return sorted(found, key=lambda pair: collation_key(pair[1]))


PROVINCES: list[tuple[str, str]] = _provinces()
NAMES: dict[str, str] = dict(PROVINCES)


def province_name(code: str) -> str:
    return NAMES.get(code, code)
