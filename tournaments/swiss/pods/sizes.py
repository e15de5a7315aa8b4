"""How a number of players falls into tables: of four, then of three; five are three and two (GAMES, Ataquerrr)."""

LARGEST = 4


def table_sizes(players: int) -> tuple[int, ...]:
    """The larger tables first; nobody ever sits alone.

    >>> table_sizes(11), table_sizes(9), table_sizes(5), table_sizes(2)
    ((4, 4, 3), (3, 3, 3), (3, 2), (2,))
    """
    if players < 2:
        return ()
    if players in (2, 5):
        return (3, 2) if players == 5 else (2,)
    threes = -players % LARGEST
    return (LARGEST,) * ((players - 3 * threes) // LARGEST) + (3,) * threes
