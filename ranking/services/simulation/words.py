"""Made-up names: obviously invented, long enough to try a layout, with every letter that sorts or folds its own way."""

from collections.abc import Iterator
from random import Random
from typing import Final


def each(text: str) -> list[str]:
    return [word.strip() for word in text.split(",")]


FIRST: Final = each(
    "Ángel, Begoña, Candela, Domitila, Eloy, Froilán, Gudelia, Hermenegildo, Íñigo, Jacinta, Leire, Macario, Nuria, "
    "Ñusta, Óscar, Práxedes, Quiteria, Renato, Saturnina, Telesforo, Úrsula, Venancio, Wenceslao, Ximena, Yago, Zoe, "
    "Adoración, Baltasar, Casilda, Desiderio, Emeteria, Fuencisla, Gaspar, Hortensia, Isidoro, Jordi, Melitón"
)
LAST: Final = each(
    "Alpargata, Berenjeno, Botijo, Buñuelo, Cachivache, Campanilla, Carambola, Cascabel, Castañuela, Cencerro, Dedal, "
    "Cucurella, Farolillo, Gatuperio, Hojarasca, Íbice, Jolgorio, Kilovatio, Llimonada, Mandarina, Membrillo, Ñandú, "
    "Mondadientes, Orinal, Paparrucha, Peonza, Pimentón, Quebrantahoz, Regadera, Sacacorchos, Sonajero, Tentempié, "
    "Tirabuzón, Trampolín, Uvadulce, Vinagreta, Xilófono, Yunque, Zapatiesta, Zarzuelo, Zurrón"
)
PLACES: Final = each(
    "La Guarida, El Cubil, La Cueva, El Rincón, La Mesa, El Desván, La Torre, El Puerto, La Taberna, El Refugio"
)
OWNERS: Final = each(
    "del Ñandú, de la Berenjena, del Dado Zurdo, del Kontador, de la Ficha Perdida, del Trasgo, de la Peonza, "
    "del Buñuelo, de la Última Carta, del Íbice, de la Niebla, del Cencerro, de la Lechuza, del Botijo"
)
DAYS: Final = ("Lunes", "Martes", "Miércoles", "Jueves", "Viernes", "Sábado", "Domingo")
PROVINCES: Final = each(
    "ES-M, ES-B, ES-V, ES-SE, ES-A, ES-MA, ES-MU, ES-CA, ES-BI, ES-C, ES-Z, ES-GC, ES-TF, ES-PM, ES-TE, ES-SS, ES-VA, "
    "ES-GI, ES-T, ES-BU, ES-TO, ES-AB, ES-LU, ES-HU, ES-SO, ES-OU"
)


def people(rng: Random) -> Iterator[str]:
    """Without end; a name comes back only by chance, as in life (CASES 51)."""
    while True:
        last = rng.sample(LAST, 2)
        yield f"{rng.choice(FIRST)} {last[0]} {'y ' if rng.random() < 0.05 else ''}{last[1]}"


def store_name(rng: Random, number: int) -> str:
    return f"{rng.choice(PLACES)} {rng.choice(OWNERS)} {number}"
