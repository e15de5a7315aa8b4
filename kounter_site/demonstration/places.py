"""The made-up stores of the demonstration: seven provinces, one of them an hour behind the others."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import time


@dataclass(frozen=True, slots=True)
class Place:
    """`noun` names its weekly series ("Jueves de fichas"). `guests`: provinces from where people come over."""

    slug: str
    name: str
    city: str
    province: str
    noun: str
    starts: time
    guests: tuple[str, ...]
    tonight: bool = False  # its weekly falls on today's day of the week
    time_zone: str = "Europe/Madrid"


MAIN = "la-ficha-fluorescente"
OPEN_TONIGHT = "dados-y-berenjenas"
REGIONAL = "el-ultimo-turno"

PLACES = (
    Place(MAIN, "La Ficha Fluorescente", "Teruel", "ES-TE", "fichas", time(18, 30), ("ES-V", "ES-Z"), tonight=True),
    Place(OPEN_TONIGHT, "Dados y Berenjenas", "Madrid", "ES-M", "berenjenas", time(20, 0), ("ES-CA",), tonight=True),
    Place(
        "el-cubil-del-nandu-tuerto", "El Cubil del Ñandú Tuerto", "Zaragoza", "ES-Z", "plumas", time(19, 0), ("ES-TE",)
    ),
    Place("mesa-coja-juegos", "Mesa Coja Juegos", "Valencia", "ES-V", "mesa coja", time(18, 0), ("ES-TE",)),
    Place(
        "la-cueva-del-escarabajo-pirata",
        "La Cueva del Escarabajo Pirata de la Calle de Atrás",
        "Cádiz",
        "ES-CA",
        "abordaje",
        time(19, 30),
        ("ES-GC",),
    ),
    Place(REGIONAL, "El Último Turno", "Alcalá de Henares", "ES-M", "último turno", time(19, 0), ("ES-SS",)),
    Place("kalamidad-jokoak", "Kalamidad Jokoak", "Donostia", "ES-SS", "kalamidad", time(18, 30), ("ES-Z",)),
    Place(
        "la-guagua-encantada",
        "La Guagua Encantada",
        "Las Palmas de Gran Canaria",
        "ES-GC",
        "guagua",
        time(19, 0),
        ("ES-CA",),
        time_zone="Atlantic/Canary",
    ),
)
WEEKDAYS: Mapping[int, str] = dict(
    enumerate(("Lunes", "Martes", "Miércoles", "Jueves", "Viernes", "Sábado", "Domingo"))
)
