"""How names are compared: accents, case, quotes, dashes and white space do not count. [no Django]"""

import re
import unicodedata
from functools import lru_cache

SIGNS = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′`´ʼ", "'"),
        **dict.fromkeys("“”„‟«»″", '"'),
        **dict.fromkeys("‐‑‒–—―−⁃﹘﹣－", "-"),
        **dict.fromkeys("×✕✖╳⨯", "x"),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad"),  # invisible: zero-width marks, BOM, soft hyphen
        **dict.fromkeys("\t\u00a0\u2007\u202f", " "),
    }
)
APART = re.compile(r"[\W_]+")


def plain(text: str) -> str:
    """One kind of quote, dash, multiplication sign and blank; accents and case stay.

    >>> plain(" 2\u00a0×  Guardián d’Or ")
    "2 x Guardián d'Or"
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(SIGNS)).translate(SIGNS)
    return " ".join(text.split())


@lru_cache(maxsize=65_536)
def key(text: str) -> str:
    """What two spellings of one name have in common; a text of signs alone is its own key.

    >>> key("¡Déjà-Vu!") == key("deja vu") == "deja vu"
    True
    """
    return APART.sub(" ", bare(text)).strip() or plain(text)


def bare(text: str) -> str:
    """Folded as `key` does, signs kept: tells "Dron +1" from "Dron -1"."""
    text = plain(text)
    if text.isascii():
        return text.lower()
    split = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(char for char in split if not unicodedata.combining(char))


def slug(text: str) -> str:
    """The stable id of a value that a file writes by its name.

    >>> slug("Semi Profesional"), slug("Básico")
    ('semi-profesional', 'basico')
    """
    return APART.sub(" ", bare(text)).strip().replace(" ", "-")
