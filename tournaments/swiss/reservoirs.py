"""Reservoirs: a few players stand for a large score group while it is decided who leaves it.

A group is *roomy* when whoever stays in it can always be paired without a clash: with 2r staying and nobody having more
than d clashes among them, a pair that clashes finds among the r - 1 others at least one to swap partners with, if
r - 1 > 2d. So what stays is free, and only who leaves matters. Everybody outside has at most e clashes in the group; if
c of it leave, the best e + c + 1 for a role (paired down, paired up) are enough: whoever else had it could be
replaced by one of them who does not clash, leaves not, has not the bye, and is no worse.
"""

from dataclasses import dataclass

import numpy as np

from tournaments.swiss.field import Flags, Numbers
from tournaments.swiss.groups import Ladder, Stretch


@dataclass(frozen=True)
class Delegation:
    """Who of a group takes part in a search. `roomy`: they stand for the group, and pairs among them are free."""

    nodes: Numbers
    roomy: bool


def delegation(ladder: Ladder, group: int, stretch: Stretch, reach: int = 0) -> Delegation:
    """For pairings of the stretch that lie at most `reach` above the bound."""
    nodes, field = ladder.groups[group], ladder.field
    crossers = ladder.most_crossers(group, stretch, reach)
    members = nodes[nodes < field.size]
    if len(members) < 4 * ladder.clashes_inside[group] + crossers + 4:
        return Delegation(nodes, roomy=False)
    enough = ladder.clashes_outside[group] + crossers + 1
    chosen = np.concatenate((_first(members, field.downs, enough), _first(members, field.ups, enough)))
    if len(members) < len(nodes):
        bye_last = ~field.may_have_bye
        chosen = np.concatenate((chosen, _first(members, bye_last, crossers + 2), nodes[-1:]))
    return Delegation(_same_parity(np.unique(chosen), nodes), roomy=True)


def _first(members: Numbers, last: Flags, enough: int) -> Numbers:
    """So many by lot, those who have the flag after all others."""
    return members[np.argsort(last[members], kind="stable")[:enough]]


def _same_parity(chosen: Numbers, nodes: Numbers) -> Numbers:
    if (len(nodes) - len(chosen)) % 2 == 0:
        return chosen
    rest = np.setdiff1d(nodes, chosen, assume_unique=True)
    return np.sort(np.append(chosen, rest[0]))
