"""How a person's name is searched, sorted and shown. [no Django]

One place for the three questions, because every list, page, export and feed must give the same answer
(UX, Everywhere; DESIGN, Who may do what).
"""

import re
import unicodedata

PARTICLES = frozenset(
    {"de", "del", "la", "las", "lo", "los", "el", "y", "e", "i", "da", "do", "dos", "van", "von", "san"}
)


def clean(text: str) -> str:
    """NFC, without control characters, runs of white space as one blank."""
    text = unicodedata.normalize("NFC", text)
    return " ".join("".join(" " if unicodedata.category(c)[0] in "CZ" else c for c in text).split())


def fold(text: str) -> str:
    """The search key: accents, case and width do not count.

    >>> fold("NÚÑEZ") == fold("nunez") == "nunez"
    True
    """
    bare = unicodedata.normalize("NFKD", clean(text))
    return unicodedata.normalize("NFC", "".join(c for c in bare if not unicodedata.combining(c))).casefold()


def collation_key(text: str) -> str:
    """A key of ASCII letters and digits whose plain order is Spanish order, in any database and locale.

    Letters become two characters, so that ñ (`nz`) follows n (`na`) and precedes o; blanks and signs come first.

    >>> sorted(["Zoe", "Ñusta", "Nuria", "Íñigo", "Ángel"], key=collation_key)
    ['Ángel', 'Íñigo', 'Nuria', 'Ñusta', 'Zoe']
    """
    marked = unicodedata.normalize("NFC", clean(text)).casefold().replace("ñ", "\0")
    return "".join(_unit(c) for c in fold_keeping_null(marked))


def fold_keeping_null(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def _unit(char: str) -> str:
    if char == "\0":
        return "nz"
    if "a" <= char <= "z":
        return char + "a"
    if "0" <= char <= "9":
        return "1" + char
    return f"zz{ord(char):06x}" if char.isalpha() else "0"


def short_name(name: str) -> str:
    """First name and initial of what follows it, particles skipped.

    >>> short_name("María de los Ángeles Fernández-Bermellón y Castañuela")
    'María Á.'
    """
    first, *rest = clean(name).split() or [""]
    surname = next((word for word in rest if word.casefold() not in PARTICLES), "")
    initial = re.sub(r"^\W+", "", surname)[:1].upper()
    return f"{first} {initial}." if initial else first


def public_name(
    name: str, *, alias: str = "", guest: bool = False, minor: bool = False, private: bool = False, code: str = ""
) -> str:
    """The one display name of a player (DESIGN, Who may do what).

    A minor or a private player appears by alias; without one, a minor and a guest by first name and initial, a
    private player by code.
    """
    if (minor or private) and alias:
        return clean(alias)
    if private:
        return code
    return short_name(name) if guest or minor else clean(name)
