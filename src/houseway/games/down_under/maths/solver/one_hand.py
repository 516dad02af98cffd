"""The player's play in one case without anything compiled: enough for one hand, and ready at once.

These are the plain twins of `kernels.play` and `kernels.orders`.
"""

from __future__ import annotations

import numpy as np

from houseway.games.down_under.maths.solver.arrays import DOUBLE, HIT, STAND, Actions, Floats, Ints
from houseway.games.down_under.maths.solver.game_arrays import Table
from houseway.games.down_under.maths.solver.hands import hard, player_hands
from houseway.games.down_under.maths.solver.quantities import net


def best_play(table: Table, case: int, ends: Floats) -> tuple[Actions, Floats]:
    """The best action at each position, and what the position is worth by it, in doubles."""
    states, hole = table.states, table.case_hole[case]
    points = np.array([hard(hand) for hand in player_hands().hands])[states.hand]
    plain, doubled = net(table.rules).arrays
    policy = np.full(len(points), -1, dtype=np.int8)
    # the last place stands for a bust, which loses what the lowest total loses to a 17
    worth = np.append(np.zeros(len(points)), plain[0, 0])
    standing = np.append((ends[states.row] * doubled[states.pays]).sum(axis=1), doubled[0, 0])
    stand = (ends[states.row] * plain[states.pays]).sum(axis=1)
    may = states.may[:, None] >> np.array([STAND, HIT, DOUBLE]) & 1
    for total in range(21, 0, -1):
        at = np.flatnonzero(points == total)
        shoe = table.left[states.row[at]]
        copies = np.maximum(shoe - (np.arange(10) == table.cases[case].up), 0)
        hidden = (copies @ hole)[:, None]
        chance = copies * (hidden - hole) / np.maximum(hidden * (shoe.sum(axis=1) - 2)[:, None], 1)
        child = states.child[at]
        hit, double = ((chance * value[child]).sum(axis=1) for value in (worth, standing))
        values = np.where(may[at] > 0, np.stack([stand[at], hit, double], axis=1), -np.inf)
        policy[at] = np.where(may[at].any(axis=1), values.argmax(axis=1), -1)
        same = at[states.follows[at] >= 0]
        policy[same] = policy[states.follows[same]]
        chosen = np.take_along_axis(values, np.maximum(policy[at], 0)[:, None].astype(int), 1)[:, 0]
        worth[at] = np.where(policy[at] >= 0, chosen, 0.0)
    return policy, worth[:-1]


def orders(child: Ints, policy: Actions, starts: Floats) -> tuple[Floats, Floats]:
    """In how many orders play comes to each position: undoubled, and doubled."""
    drawn, doubled = starts.tolist(), [0.0] * len(starts)
    for position in range(len(drawn) - 1, -1, -1):
        action = policy[position]
        if drawn[position] and action >= HIT:
            into = drawn if action == HIT else doubled
            for to in child[position].tolist():
                if to >= 0:
                    into[to] += drawn[position]
    return np.array(drawn), np.array(doubled)
