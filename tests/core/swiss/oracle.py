"""Standings written a second time, as slowly and as plainly as the rules read: nothing of the core but its values.

Each function goes through the match list anew for every number; fractions are added one by one.
"""

from fractions import Fraction
from functools import cmp_to_key
from hashlib import sha256
from typing import NamedTuple

from tournaments.swiss.types import Match, Outcome, PlayerId, Tournament

KEYS = {
    "mtr": ["points", "omw", "gw", "ogw"],
    "play_pokemon": ["points", "owp", "oowp"],
    "match_wins": ["wins", "omw", "gw", "ogw"],
    "buchholz": ["points", "median_buchholz", "buchholz", "sonneborn_berger"],
    "goals": ["points", "goal_difference", "goals_for", "omw"],
    "cumulative": ["wins", "ctb"],
}


class Life(NamedTuple):
    """One round of one player: kind is won, drawn, lost, bye, out (sat out), or open (table without a result)."""

    kind: str
    rival: PlayerId | None
    points: int
    took_part: bool
    games: tuple[int, int, int] | None


class Oracle:
    def __init__(self, tournament: Tournament, after: int | None = None) -> None:
        self.event = tournament
        self.rules = tournament.rules
        self.switches = tournament.rules.switches
        last = max((match.round for match in tournament.matches), default=0)
        self.after = last if after is None else min(after, last)
        self.asked = after
        self.known = all(
            life.games is not None
            for player in self.seated()
            for life in (self.life(player, round) for round in range(1, self.after + 1))
            if life.kind != "open"
        )

    # -- the match list --
    def seated(self) -> set[PlayerId]:
        return {player for match in self.event.matches if match.round <= self.after for player in match.players}

    def players(self) -> list[PlayerId]:
        reported = {
            player
            for match in self.event.matches
            if match.round <= self.after and match.outcome is not None
            for player in match.players
        }
        found = []
        for entrant in self.event.entrants:
            late = self.asked is not None and entrant.first_round > self.asked + 1
            if entrant.id in reported or (entrant.last_round != 0 and not late):
                found.append(entrant.id)
        return found

    def life(self, player: PlayerId, round: int) -> Life:
        for match in self.event.matches:
            if match.round == round and player in match.players:
                return self.lived(match, player)
        return Life("out", None, 0, False, (0, 0, 0))

    def lived(self, match: Match, player: PlayerId) -> Life:
        worth, rival = self.rules.points, match.b if match.a == player else match.a
        best = self.rules.best_of // 2 + 1
        if match.outcome is None:
            return Life("open", None, 0, False, None)
        if match.outcome is Outcome.BYE:
            return Life("bye", None, worth.bye, True, (best, 0, 0))
        if match.outcome is Outcome.UNPAIRED_LOSS:
            return Life("out", None, 0, True, (0, 0, 0))
        if match.outcome is Outcome.NOT_PLAYED:
            return Life("out", None, 0, False, (0, 0, 0))
        mine = None
        if match.games is not None:
            won, lost = (match.games.a, match.games.b) if match.a == player else (match.games.b, match.games.a)
            mine = (won, lost, match.games.draws)
        if match.outcome is Outcome.DOUBLE_LOSS:
            return Life("lost", rival, 0, True, mine or (0, 0, 0))
        if match.outcome is Outcome.DRAW:
            return Life("drawn", rival, worth.draw, True, mine)
        if match.outcome is Outcome.INTENTIONAL_DRAW:
            agreed = (0, 0, self.rules.best_of) if mine in (None, (0, 0, 0)) else mine
            return Life("drawn", rival, worth.draw, True, agreed)
        winner = match.winner == player
        if match.outcome is Outcome.FORFEIT:
            mine = (best, 0, 0) if winner else (0, best, 0)
        return Life("won" if winner else "lost", rival, worth.win if winner else worth.loss, True, mine)

    def lives(self, player: PlayerId, end: int) -> list[Life]:
        return [self.life(player, round) for round in range(1, end + 1)]

    def end(self, player: PlayerId) -> int:
        """Where the numbers of who looks stop."""
        played = [round for round in range(1, self.after + 1) if self.life(player, round).took_part]
        for end in sorted(self.switches.freeze):
            if max(played, default=0) <= end <= self.after:
                return end
        return self.after

    def rivals(self, player: PlayerId, end: int) -> list[PlayerId]:
        met: list[PlayerId] = []
        for life in self.lives(player, end):
            if life.rival is not None and not (self.switches.opponents == "unique" and life.rival in met):
                met.append(life.rival)
        return met

    # -- each key --
    def values(self, player: PlayerId) -> list[Fraction | int | None]:
        return [getattr(self, key)(player) for key in KEYS[self.rules.preset]]

    def points(self, player: PlayerId) -> int:
        return sum(life.points for life in self.lives(player, self.after))

    def wins(self, player: PlayerId) -> int:
        return sum(life.kind in ("won", "bye") for life in self.lives(player, self.after))

    def average(self, numbers: list[Fraction], floor: Fraction) -> Fraction:
        if not numbers:
            return floor if self.switches.no_opponents == "floor" else Fraction(0)
        total = Fraction(0)
        for number in numbers:
            total += number
        return total / len(numbers)

    def omw(self, player: PlayerId) -> Fraction:
        end = self.end(player)
        return self.average([self.mw(rival, end) for rival in self.rivals(player, end)], self.switches.floor)

    def mw(self, rival: PlayerId, end: int) -> Fraction:
        lives = self.lives(rival, end)
        byes = [life for life in lives if life.kind == "bye"] if self.switches.opponent_byes == "strip" else []
        took_part = sum(life.took_part for life in lives)
        rounds = (took_part if self.switches.mw_denominator == "played" else len(lives)) - len(byes)
        points = sum(life.points for life in lives) - sum(life.points for life in byes)
        share = Fraction(points, self.rules.points.win * rounds) if rounds else Fraction(0)
        return max(share, self.switches.floor)

    def gw(self, player: PlayerId) -> Fraction | None:
        if not self.known:
            return None
        share = self.game_share(player, self.after)
        if share is None:
            return self.switches.floor
        return max(share, self.switches.floor) if self.switches.own_gw_floor else share

    def game_share(self, player: PlayerId, end: int) -> Fraction | None:
        got = of = 0
        for life in self.lives(player, end):
            won, lost, drawn = life.games or (0, 0, 0)
            got += 3 * won + self.switches.drawn_game_points * drawn
            of += 3 * (won + lost + drawn)
        return Fraction(got, of) if of else None

    def ogw(self, player: PlayerId) -> Fraction | None:
        if not self.known:
            return None
        end, floor = self.end(player), self.switches.floor
        return self.average(
            [max(self.game_share(r, end) or Fraction(0), floor) for r in self.rivals(player, end)], floor
        )

    def owp(self, player: PlayerId) -> Fraction:
        return self.owp_at(player, self.end(player))

    def owp_at(self, player: PlayerId, end: int) -> Fraction:
        return self.average([self.wp(rival, end) for rival in self.rivals(player, end)], Fraction(1, 4))

    def wp(self, rival: PlayerId, end: int) -> Fraction:
        lives = self.lives(rival, end)
        got, rounds = Fraction(0), 0
        for life in lives:
            if life.kind == "bye":
                continue
            got += {"won": Fraction(1), "drawn": Fraction(1, 2)}.get(life.kind, Fraction(0))
            rounds += life.took_part or self.switches.mw_denominator == "all"
        share = max(Fraction(1, 4), got / rounds if rounds else Fraction(0))
        left = next((entrant.last_round for entrant in self.event.entrants if entrant.id == rival), None)
        return min(share, Fraction(3, 4)) if left is not None and left < end else share

    def oowp(self, player: PlayerId) -> Fraction:
        end = self.end(player)
        return self.average([self.owp_at(rival, end) for rival in self.rivals(player, end)], Fraction(1, 4))

    def ctb(self, player: PlayerId) -> Fraction:
        ctb, wins = Fraction(0), 0
        for life in self.lives(player, self.end(player)):
            wins += life.kind in ("won", "bye")
            ctb = ctb / 4 + wins
        return ctb

    def met(self, player: PlayerId) -> list[tuple[bool, Fraction, Fraction]]:
        """(sat out, what the opponent is worth, the share of it that the result took), an entry for each opponent."""
        end, seen, found = self.end(player), set(), []
        lives = self.lives(player, end)
        dummy = min(sum(life.points for life in lives), self.rules.points.draw * end)
        for life in lives:
            took = {"won": Fraction(1), "bye": Fraction(1), "drawn": Fraction(1, 2)}.get(life.kind, Fraction(0))
            if life.kind == "open" or (life.rival in seen and self.switches.opponents == "unique"):
                continue
            if life.rival is None:
                found.append((life.kind == "out", Fraction(dummy), took))
            else:
                seen.add(life.rival)
                found.append((False, Fraction(self.adjusted(life.rival, end)), took))
        return found

    def adjusted(self, rival: PlayerId, end: int) -> int:
        lives = self.lives(rival, end)
        points = sum(life.points for life in lives)
        while lives and lives.pop().kind == "out":
            points += self.rules.points.draw
        return points

    def buchholz(self, player: PlayerId) -> Fraction:
        return sum((worth for _, worth, _ in self.met(player)), Fraction(0))

    def median_buchholz(self, player: PlayerId) -> Fraction:
        out = sorted(worth for sat_out, worth, _ in self.met(player) if sat_out)
        rest = sorted(worth for sat_out, worth, _ in self.met(player) if not sat_out)
        return sum(sorted((out + rest)[1:])[:-1], Fraction(0))

    def sonneborn_berger(self, player: PlayerId) -> Fraction:
        return sum((worth * took for _, worth, took in self.met(player)), Fraction(0))

    def goal_difference(self, player: PlayerId) -> int | None:
        return sum(a - b for a, b, _ in self.goals(player)) if self.known else None

    def goals_for(self, player: PlayerId) -> int | None:
        return sum(a for a, _, _ in self.goals(player)) if self.known else None

    def goals(self, player: PlayerId) -> list[tuple[int, int, int]]:
        return [life.games or (0, 0, 0) for life in self.lives(player, self.after)]

    # -- the order --
    def table(self) -> list[tuple[int, PlayerId]]:
        """(rank, player) in order: pairwise comparison, then the stored draw."""
        values = {player: self.values(player) for player in self.players()}
        usable = [i for i in range(len(KEYS[self.rules.preset])) if all(v[i] is not None for v in values.values())]
        out = {entrant.id: entrant.disqualified for entrant in self.event.entrants}
        between = {player: self.between(player, values, out) for player in values}

        def better(a: PlayerId, b: PlayerId) -> int:
            if out[a] != out[b]:
                return 1 if out[a] else -1
            for i in usable:
                if values[a][i] != values[b][i]:
                    return -1 if values[a][i] > values[b][i] else 1
            if between[a] is not None and between[a] != between[b]:
                return -1 if between[a] > between[b] else 1
            return 0

        drawn = sorted(values, key=lambda p: sha256(f"{self.event.id}\0{p}".encode()).digest())
        order = sorted(drawn, key=cmp_to_key(better))
        ranks: list[tuple[int, PlayerId]] = []
        for place, player in enumerate(order, 1):
            tied = ranks and better(ranks[-1][1], player) == 0
            ranks.append((ranks[-1][0] if tied else place, player))
        return ranks

    def between(self, player: PlayerId, values: dict, out: dict[PlayerId, bool]) -> Fraction | None:
        """Head-to-head, where every two of those level with the player have met."""
        level = [one for one in values if values[one] == values[player] and out[one] == out[player]]
        if self.rules.preset != "play_pokemon" or len(level) < 2:
            return None
        lives = {one: self.lives(one, self.after) for one in level}
        for one in level:
            if any(other != one and all(life.rival != other for life in lives[one]) for other in level):
                return None
        own = [life.kind for life in lives[player] if life.rival in level]
        return Fraction(2 * own.count("won") + own.count("drawn"), 2)
