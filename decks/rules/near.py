"""Names that a misspelt one may have meant: three-letter pieces find them, edit distance ranks them. [no Django]"""

from collections import Counter, defaultdict
from collections.abc import Collection
from heapq import nlargest

CANDIDATES = 40  # how many of the names that share most pieces are measured
SHARE = 4  # one edit in so many letters is still the same name


class NearNames:
    """An index over keys (`words.key`). Building reads every name once; asking touches only names that share pieces."""

    def __init__(self, names: Collection[str]) -> None:
        self.names = tuple(names)
        self.holders: dict[str, list[int]] = defaultdict(list)
        for number, name in enumerate(self.names):
            for piece in pieces(name):
                self.holders[piece].append(number)

    def suggest(self, name: str, limit: int = 3) -> list[str]:
        """Nearest first. A single nearest name stands alone, so that one tap can correct it.

        >>> NearNames(["muralla imperial", "muralla de luz"]).suggest("muraya imperial")
        ['muralla imperial']
        """
        within = max(1, len(name) // SHARE)
        ranked = sorted(
            (gap, other) for other in self._candidates(name) if (gap := distance(name, other, within)) <= within
        )
        if not ranked:
            return self._containing(name, limit)
        best = ranked[0][0]
        return [other for gap, other in ranked if gap == best][:limit]

    def _candidates(self, name: str) -> list[str]:
        shared: Counter[int] = Counter()
        for piece in pieces(name):
            shared.update(self.holders.get(piece, ()))
        ranked = nlargest(CANDIDATES, shared.items(), key=lambda item: (item[1], -item[0]))
        return [self.names[number] for number, _ in ranked]

    def _containing(self, name: str, limit: int) -> list[str]:
        """Names that have every word, for who typed half of one; or the same words in another order."""
        words = set(name.split())
        if len(name) < 3:
            return []
        return [other for other in self._candidates(name) if words <= set(other.split())][:limit]


def pieces(name: str) -> set[str]:
    """
    >>> sorted(pieces("sol"))
    [' so', 'ol ', 'sol']
    """
    padded = f" {name} "
    return {padded[start : start + 3] for start in range(len(padded) - 2)}


def distance(a: str, b: str, within: int) -> int:
    """Letters inserted, dropped, changed or swapped with their neighbour; whatever exceeds `within` is `within + 1`.

    Optimal string alignment, row by row; it leaves as soon as a whole row is too far.

    >>> distance("vigia", "vigai", 2), distance("lobo", "lobos", 2), distance("luz", "agua", 2)
    (1, 1, 3)
    """
    if abs(len(a) - len(b)) > within:
        return within + 1
    two_above: list[int] = []
    above: list[int] = []
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        two_above, above, row = above, row, [i]
        for j, other in enumerate(b, 1):
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == b[j - 2] and a[i - 2] == other:
                cost = min(cost, two_above[j - 2] + 1)
            row.append(cost)
        if min(row) > within:
            return within + 1
    return min(row[-1], within + 1)
