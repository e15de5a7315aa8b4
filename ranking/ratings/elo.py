"""Elo with K = 32, the yardstick beside our rating; it decides nothing."""

from ranking.ratings.columns import Floats, Matches

K = 32.0


def expectations(matches: Matches, k: float = K) -> Floats:
    """float64 [n]: the expected score of a, from the ratings at the start of the match's day.

    A day is one batch here too, so that both systems know the same when they predict.
    """
    from ranking.ratings import kernel

    return kernel.elo_expectations(
        matches.day, matches.a, matches.b, matches.half_points, matches.rates, matches.players, k
    )
