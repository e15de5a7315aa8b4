"""What each way to end a match is worth (TOURNAMENT_RULES 1).

One table, which points, records, tie-breaks, pairing and rating read.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from tournaments.swiss.pods.scoring import pod_points
from tournaments.swiss.types import POD_POINTS, Games, Match, Outcome, PlayerId, Points, Rules, Tournament

Award = Literal["win", "draw", "loss", "bye", "none"]
"""Which of the event's match points a side gets; "none" is 0 whatever the event says (1.1: no points)."""

DefaultGames = Literal["unknown", "winner", "drawn", "none"]
"""Games of a result that states none: unknown; the winner's 2-0 (1-0 in best of 1); all drawn (0-0-3); no game."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What one outcome of 1.1 does.

    `took_part`: a round in the denominator of MW%. `opponent`: each side counts in the other's tie-breaks.
    `meeting`: pairing them again is a rematch. `like_bye`: the winner had his bye (4.1.2). `rates`: reaches the rating.
    """

    winner: Award
    loser: Award
    games: DefaultGames
    took_part: bool = True
    opponent: bool = True
    meeting: bool = True
    like_bye: bool = False
    rates: bool = False


OUTCOMES: dict[Outcome, Effect] = {
    Outcome.WIN: Effect("win", "loss", "unknown", rates=True),
    Outcome.DRAW: Effect("draw", "draw", "unknown", rates=True),
    Outcome.INTENTIONAL_DRAW: Effect("draw", "draw", "drawn"),
    Outcome.DOUBLE_LOSS: Effect("none", "none", "none"),
    Outcome.BYE: Effect("bye", "none", "winner", opponent=False, meeting=False, like_bye=True),
    Outcome.FORFEIT: Effect("win", "loss", "winner", like_bye=True),
    Outcome.UNPAIRED_LOSS: Effect("none", "none", "none", opponent=False, meeting=False),
    Outcome.NOT_PLAYED: Effect("none", "none", "none", took_part=False, opponent=False, meeting=False),
}

DECIDED = (Outcome.WIN, Outcome.FORFEIT)
NO_OPPONENT = (Outcome.BYE, Outcome.UNPAIRED_LOSS)
WITHOUT_GAMES = (Outcome.UNPAIRED_LOSS, Outcome.NOT_PLAYED)


def effect_of(match: Match) -> Effect | None:
    """None while the match is not reported."""
    return None if match.outcome is None else OUTCOMES[match.outcome]


def wins_match(match: Match, player: PlayerId) -> bool:
    """A bye is a win for its player, a kind of its own all the same (1.1)."""
    return match.outcome is Outcome.BYE or match.winner == player


def outcome_for(match: Match, player: PlayerId) -> Outcome | None:
    """How the match ended for that player: the loser of a WIN or a FORFEIT sees LOSS. None while not reported."""
    if match.outcome in DECIDED and match.winner != player:
        return Outcome.LOSS
    return match.outcome


def points_of(match: Match, player: PlayerId, rules: Rules) -> int:
    """Match points that the player takes from the match (1.4); 0 while it is not reported."""
    effect = effect_of(match)
    if effect is None:
        return 0
    return award_points(effect.winner if wins_match(match, player) else effect.loser, rules.points)


def award_points(award: Award, points: Points) -> int:
    match award:
        case "win":
            return points.win
        case "draw":
            return points.draw
        case "loss":
            return points.loss
        case "bye":
            return points.bye
        case "none":
            return 0


def games_to_win(best_of: int) -> int:
    return best_of // 2 + 1


def games_of(match: Match, player: PlayerId, rules: Rules) -> tuple[int, int, int] | None:
    """(won, lost, drawn) for the player, None when unknown. What was not played counts for nobody (1.2)."""
    effect = effect_of(match)
    if effect is None or match.outcome in WITHOUT_GAMES:
        return 0, 0, 0
    if effect.games == "winner" or match.games is None or _agreed_unplayed(match):
        return _default_games(effect.games, wins_match(match, player), rules.best_of)
    games = match.games
    return (games.a, games.b, games.draws) if player == match.a else (games.b, games.a, games.draws)


def _agreed_unplayed(match: Match) -> bool:
    return match.outcome is Outcome.INTENTIONAL_DRAW and match.games == Games(0, 0, 0)


def _default_games(kind: DefaultGames, winner: bool, best_of: int) -> tuple[int, int, int] | None:
    match kind:
        case "winner":
            return (games_to_win(best_of), 0, 0) if winner else (0, games_to_win(best_of), 0)
        case "drawn":
            return 0, 0, best_of
        case "none":
            return 0, 0, 0
        case "unknown":
            return None


def conceded(games: Games | None, winner_is_a: bool, best_of: int) -> Games:
    """A concession keeps the games already won and completes the winner's: 1-1 becomes 2-1 (1.2)."""
    kept = games or Games(0, 0)
    target = games_to_win(best_of)
    return Games(target, kept.b, kept.draws) if winner_is_a else Games(kept.a, target, kept.draws)


def rates(match: Match) -> bool:
    """Byes, no-shows, assigned losses, double losses and agreed draws do not rate (RANKING 2.4)."""
    effect = effect_of(match)
    return effect is not None and effect.rates


def is_meeting(match: Match) -> bool:
    """Whether pairing these two again would be a rematch; two who sit and have not reported have met."""
    effect = effect_of(match)
    return match.b is not None and (effect is None or effect.meeting)


def counts_opponent(match: Match) -> bool:
    effect = effect_of(match)
    return match.b is not None and effect is not None and effect.opponent


def counts_round(match: Match) -> bool:
    effect = effect_of(match)
    return effect is not None and effect.took_part


def had_bye(match: Match, player: PlayerId) -> bool:
    """A bye, assigned or not, and a win by forfeit are one bye each (4.1.2)."""
    effect = effect_of(match)
    return effect is not None and effect.like_bye and wins_match(match, player)


def points_after(tournament: Tournament, round: int) -> dict[PlayerId, int]:
    """Points of every entrant from the matches up to and including that round (2.1: from the match list, always)."""
    points = sum_points(tournament, (match for match in tournament.matches if match.round <= round))
    for pod in tournament.pods:
        for player in pod.players if pod.round <= round else ():
            points[player] = points.get(player, 0) + pod_points(pod, player, tournament.rules.pods or POD_POINTS)
    return points


def sum_points(tournament: Tournament, matches: Iterable[Match]) -> dict[PlayerId, int]:
    points = {entrant.id: 0 for entrant in tournament.entrants}
    for match in matches:
        for player in match.players:
            points[player] = points.get(player, 0) + points_of(match, player, tournament.rules)
    return points
