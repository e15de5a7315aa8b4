"""Our standings beside published ones: what differs by more than the rounding that the publisher used (data/README)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from tournaments.swiss.lines import Value

ROUNDED_ON_THE_WAY = Fraction(105, 100_000)
ROUNDED_AT_THE_END = Fraction(21, 10_000_000)
NOT_ROUNDED = Fraction(1, 1_000_000_000)
DIGITS = 12
"""Beyond these, digits of a published float are noise of its binary form."""


class Difference(NamedTuple):
    """`key` "player" with `ours` None: whom the publisher lists does not stand in our standings."""

    player: str
    key: str
    ours: Value
    published: Any


def differences(
    ours: Mapping[str, Mapping[str, Value]], published: Sequence[Mapping[str, Any]], tolerance: Fraction | None = None
) -> Iterator[Difference]:
    """Every published number of a key of ours that is another number; what is unknown on either side cannot differ."""
    margin = tolerance if tolerance is not None else tolerance_of(published)
    for row in published:
        player = row["player"]
        if player not in ours:
            yield Difference(player, "player", None, player)
            continue
        for key, value in ours[player].items():
            theirs = row.get(key)
            if value is not None and _comparable(key, theirs) and abs(value - Fraction(str(theirs))) > margin:
                yield Difference(player, key, value, theirs)


def _comparable(key: str, published: Any) -> bool:
    """Some platforms print a negative share for "no game played"."""
    return published is not None and (key not in SHARES or published >= 0)


SHARES = frozenset({"omw", "gw", "ogw", "owp", "oowp", "tablemates"})


def tolerance_of(published: Iterable[Mapping[str, Any]]) -> Fraction:
    """From the digits in print: three mean rounded before averaging, six to eight rounded at the end, more a float."""
    shares = [row[key] for row in published for key in SHARES if isinstance(row.get(key), float)]
    digits = max((_digits(share) for share in shares), default=0)
    if digits <= 4:
        return ROUNDED_ON_THE_WAY
    return ROUNDED_AT_THE_END if digits <= 9 else NOT_ROUNDED


def _digits(share: float) -> int:
    return len(f"{share:.{DIGITS}f}".rstrip("0").partition(".")[2])
