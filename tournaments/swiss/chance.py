"""Chance: SHA-256 and nothing else (4.1), so that every machine, version and surface draws the same lots (2.5)."""

from collections.abc import Iterable
from hashlib import sha256


def lot(*parts: str) -> bytes:
    """The lot of those words together; the separator keeps ("ab", "c") and ("a", "bc") apart."""
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).digest()


def lot_number(*parts: str) -> int:
    """The same lot as a number of 64 bits."""
    return int.from_bytes(lot(*parts)[:8], "big")


def lots(seed: str, names: Iterable[str]) -> list[bytes]:
    """`lot(seed, name)` of many names."""
    head = seed.encode("utf-8", "surrogatepass") + b"\0"
    return [sha256(head + name.encode("utf-8", "surrogatepass")).digest() for name in names]
