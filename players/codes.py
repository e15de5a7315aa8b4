"""Public player codes: short, spoken aloud over a counter, with a check character. [no Django]"""

import secrets

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # no 0 O 1 I L; 31 signs, a prime: every single slip is caught
LENGTH = 6  # signs before the check character: 31**6, about 888 million codes


def check_character(body: str) -> str:
    """Weighted sum modulo 31; catches every wrong sign and every swap of neighbours."""
    total = sum((place + 1) * ALPHABET.index(sign) for place, sign in enumerate(body))
    return ALPHABET[total % len(ALPHABET)]


def new_code() -> str:
    body = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
    return body + check_character(body)


def normal(text: str) -> str:
    """What a person typed, as stored: `k-7n4 2qx` is `7N42QX`-like; the K- prefix is decoration."""
    bare = "".join(c for c in text.upper() if c.isalnum())
    return bare.removeprefix("K") if len(bare) == LENGTH + 2 else bare


def is_valid(code: str) -> bool:
    return len(code) == LENGTH + 1 and set(code) <= set(ALPHABET) and code[-1] == check_character(code[:-1])


def printed(code: str) -> str:
    return f"K-{code[:4]}-{code[4:]}"
