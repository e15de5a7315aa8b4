"""The made-up people of the demonstration: obviously invented, and hard on layouts, sorting and search on purpose."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Person:
    """`email`: of the account; empty for a guest. `login`: the account has the published password."""

    name: str
    province: str
    email: str = ""
    login: bool = False
    alias: str = ""
    minor: bool = False
    private: bool = False


# Two are called the same (CASES 51). Marks at the end: * guest, ~alias minor, !alias private (by code when empty).
PLAYERS: Mapping[str, str] = {
    "ES-TE": """
        María de los Ángeles Fernández-Bermellón y Castañuela
        Íñigo Zarzuelo Etxeberrialdea
        Ñusta Quebrantahoz Ruiz
        Zoe Farolillo Cantueso
        Ana Ortigosa Zascandil
        Ana Ortigosa Zascandil
        Lucas Renacuajo Peral ~Renacuajo Veloz
        Elvira Tiniebla Calatrava !La Sombra de la Mesa 4
        Baldomero Pimpollo Juste
        Wenceslao Buñuelo Rey
        Candela Peonza Abril
        Hipólito Sonajero Cid
        Casilda Trébede Yuste
        Fermín Cachivache Lahoz
        Remedios Carambola Gea *
        Saturnino Cencerro Blasco *
    """,
    "ES-Z": """
        Guiomar Tentempié Sanz
        Tadeo Campanilla Villarroya
        Úrsula Mondadientes Gil
        Próspero Cierzo Calamocha
        Milagros Pinzapapeles Auría
        Ángel Pimentón de la Vera
        Leonor Sacacorchos Ibáñez
        Jacinto Trampolín Ubeda
        Petra Mandarina Lasheras
        Isidro Bombilla Cinca
        Nicanor Tocarruedas Pardo *
        Berta Zapatiesta Orós
    """,
    "ES-V": """
        Jordi Alpargata Puig
        Vicenta Traca i Mocador
        Nuria Cucurella Trompeta
        Amparo Clarinete Xirivella
        Òscar Llimonada Ferrús
        Empar Orxata de Sucre
        Batiste Garrofa Sanchis
        Consuelo Horchatera Micó
        Rafel Espardenya Climent
        Desamparados Petardo Albiol
        Quico Taronger Peris *
        Llúcia Fartó Benlliure
    """,
    "ES-CA": """
        Macarena Levante Salmonete
        Curro Tortillita del Río
        Rocío Pestiño Barrameda
        Óscar Berenjeno Salmerón
        Estrella Camaronero Vélez
        Manolo Chirigota Cañaílla
        Inmaculada Poniente Duquesa
        Gaspar Almadraba Reguera
        Loli Piriñaca Bocanegra
        Fali Mojarrita Cabeza *
        Trinidad Salina Gallardete
    """,
    "ES-M": """
        Begoña Tirabuzón Arrieta
        Ximena Castañuelas Prado
        Fulgencio Barquillo Lavapiés
        Paloma Churrasca del Olmo
        Isabel Verbena Chotis
        Casimiro Organillo Manzano
        Leocadia Bocacalle Trigo
        Rubén Paraguas Altamira
        Dulce María Merengue Tudanca
        Cayetano Azucarillo Lozano
        Almudena Trastévere Vista
        Eusebio Fichero Salcedo !
        Nerea Duermevela Robledo
        Teófilo Semáforo Cuesta
        Yolanda Pispajo Montero
        Marcelo Tragaluz Ribera
        Inés Barquita Sol ~Capitana Pompas
        Gonzalo Sobremesa Rincón *
    """,
    "ES-SS": """
        Leire Cascabel Zubiri
        Aitor Txistulari Goikotxeandia
        Maialen Sirimiri Otxotorena
        Eneko Pintxopote Arrizabalaga
        Itziar Kaiku Urrestarazu
        Xabier Trikitixa Lizarraga
        Nekane Barandilla Iturrioz
        Gorka Makila Zabaleta
        Ainhoa Pottoka Berasategui
        Unai Kontxa Larrañaga *
        Olatz Txalaparta Mendizabal
    """,
    "ES-GC": """
        Yaiza Marejadilla Déniz
        Echedey Guagua Santana
        Idaira Mojopicón Rodríguez
        Ayoze Timple del Rosario
        Guacimara Gofio Betancor
        Nauzet Calima Suárez
        Gara Papaya Ojeda
        Doramas Bentayga Quintana
        Tenesoya Ronmiel Artiles
        Airam Baifo Cabrera *
        Dácil Charco Espino
    """,
}

# Who works in the circuit and in its stores; they appear in logs by name and do not play.
STAFF: Mapping[str, Person] = {
    "administrator": Person("Visitación Reglamento Páramo", "ES-M", "administracion@kounter.example", login=True),
    "auditor": Person("Anselmo Lupa Contreras", "ES-M", "auditoria@kounter.example", login=True),
    "owner": Person("Herminia Mostrador Alegre", "ES-TE", "duena@kounter.example", login=True),
    "organiser": Person("Begonia Pizarra Tronchón", "ES-TE", "organizadora@kounter.example", login=True),
    "judge": Person("Justa Silbato Monforte", "ES-TE", "jueza@kounter.example", login=True),
    "scorekeeper": Person("Ramiro Bolígrafo Mora", "ES-TE", "mesas@kounter.example", login=True),
    "other organiser": Person("Pura Cafetera Mochales", "ES-M", "otra-tienda@kounter.example", login=True),
}

# Players who sign in with the published password. The first plays in the event in progress.
LOGINS: Mapping[str, str] = {
    "María de los Ángeles Fernández-Bermellón y Castañuela": "jugadora@kounter.example",
    "Begoña Tirabuzón Arrieta": "jugador@kounter.example",
}
HEROINE = next(iter(LOGINS))


def players() -> list[Person]:
    """In a fixed order, with an account each but the guests."""
    lines = [(line.strip(), province) for province, text in PLAYERS.items() for line in text.strip().splitlines()]
    return [person(line, province, number) for number, (line, province) in enumerate(lines, 1)]


def person(line: str, province: str, number: int) -> Person:
    name, mark, rest = split(line)
    login = LOGINS.get(name, "")
    email = "" if mark == "*" else login or f"persona-{number}@kounter.example"
    return Person(name, province, email, bool(login), alias=rest, minor=mark == "~", private=mark == "!")


def split(line: str) -> tuple[str, str, str]:
    """Name, mark and what follows the mark."""
    for mark in "*~!":
        if mark in line:
            name, _, rest = line.partition(mark)
            return name.strip(), mark, rest.strip()
    return line, "", ""
