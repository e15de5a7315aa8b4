"""How many rounds (TOURNAMENT_RULES 3): the table, its advice, and the round robin that small events should play."""

from tournaments.swiss.notes import Note

TABLE: tuple[tuple[int, int, int], ...] = (
    (4, 3, 0),
    (9, 4, 4),
    (17, 5, 8),
    (33, 6, 8),
    (65, 7, 8),
    (129, 8, 8),
    (227, 9, 8),
    (410, 10, 8),
)
"""(from so many players, Swiss rounds, size of the cut)."""


def suggested_rounds(players: int) -> int:
    """Rounds of the table; below its first line a round robin: 3 for three players, 1 for two."""
    return next((rounds for least, rounds, _ in reversed(TABLE) if players >= least), round_robin_rounds(players))


def suggested_cut(players: int) -> int:
    """4 for Top 4, 0 for none."""
    return next((cut for least, _, cut in reversed(TABLE) if players >= least), 0)


def round_robin_rounds(players: int) -> int:
    return 0 if players < 2 else players - 1 + players % 2


def advice(players: int, rounds: int) -> list[Note]:
    """What to tell who chooses that many rounds: round_robin, or may_force_rematch (6 players, 4 rounds)."""
    data = {"players": players, "rounds": rounds, "suggested": suggested_rounds(players)}
    if players < 2 or rounds < 1:
        return []
    if rounds >= players - 1:
        return [Note("round_robin", "3", (), data | {"round_robin": round_robin_rounds(players)})]
    if may_run_out(players, rounds):
        return [Note("may_force_rematch", "3", (), data)]
    return []


def may_run_out(players: int, rounds: int) -> bool:
    """Whether some course of the event leaves no full pairing without a rematch in one of that many rounds.

    Before its last round everybody (with an odd number the empty chair too) has the same number of opponents left. A
    graph of even degree d can split into two odd halves, which have no full pairing, from 2d + 2 players on; one of
    odd degree cannot split so, and has none from 3d + 7 on (Wallis, The smallest regular graphs without one-factors).
    """
    seats = players + players % 2
    left = max(1, seats - rounds)
    return any(may_lack_pairing(seats, degree) for degree in (left, left + 1))


def may_lack_pairing(seats: int, degree: int) -> bool:
    """Whether some graph of so many seats, in which everybody has `degree` rivals left, has no full pairing."""
    if degree < 1:
        return True
    if degree % 2 == 0:
        return seats >= 2 * degree + 2
    return degree >= 3 and seats >= 3 * degree + 7
