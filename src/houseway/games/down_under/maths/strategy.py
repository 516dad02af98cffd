"""A strategy a player can learn: by total, soft or hard, by pair, by up card and range.

Among all charts this one is the best that no change of a single cell improves: each cell is decided
by the average over the hands that come to it, weighted by how often they do under the chart itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from houseway.games.down_under.maths.game_arrays import Table
from houseway.games.down_under.maths.hands import VALUES, Hand, hand_of, player_hands
from houseway.games.down_under.maths.kernels import DOUBLE, HIT, STAND, Actions, Floats
from houseway.games.down_under.maths.solve import Play, best_hands, evaluate
from houseway.games.down_under.maths.states import AS_DEALT, MAY_DOUBLE, MAY_HIT, MAY_STAND
from houseway.games.down_under.maths.variant import Case, Cases

NAMES = {STAND: "stand", HIT: "hit", DOUBLE: "double"}
#: classes of hands: hard totals 0 to 21, then soft totals 22 up
CLASSES = 44


def class_of(total: int, soft: bool) -> int:
    return total + 22 * soft


@dataclass(frozen=True)
class Chart:
    """Draw or stand and double or not for each class and case, and into how many hands to split."""

    cases: Cases
    draws: NDArray[np.bool_]
    doubles: NDArray[np.bool_]
    hands: NDArray[np.int8]

    def column(self, case: Case) -> int:
        """The column that tells what to do in a case: the same range, or the up card alone."""
        for number, mine in enumerate(self.cases):
            if mine.up == case.up and mine.range in (case.range, "covered"):
                return number
        raise KeyError(case)

    def code(self, total: int, soft: bool, case: Case) -> str:
        """H, S, D (double, or draw if that is not open) or Ds (double, or stand)."""
        cell = class_of(total, soft), self.column(case)
        draws, doubles = bool(self.draws[cell]), bool(self.doubles[cell])
        return ("D" if draws else "Ds") if doubles else ("H" if draws else "S")

    def pair_code(self, card: int, case: Case) -> str:
        """P where the pair is split, else what its total says."""
        if self.hands[card, self.column(case)]:
            return "P"
        graph = player_hands()
        number = graph.index[hand_of(card, card)]
        return self.code(graph.totals[number], graph.soft[number], case)

    def policy(self, table: Table) -> Actions:
        """What the chart says at every position of a game."""
        classes = classes_of(table)
        columns = [self.column(case) for case in table.cases]
        may = table.states.may[:, None]
        drawn = np.where(self.draws[classes][:, columns], HIT, STAND)
        drawn = np.where(may & MAY_HIT == 0, STAND, np.where(may & MAY_STAND == 0, HIT, drawn))
        doubles = self.doubles[classes][:, columns] & (may & MAY_DOUBLE > 0)
        return np.where(may == 0, -1, np.where(doubles, DOUBLE, drawn)).astype(np.int8)

    def on(self, table: Table) -> Play:
        """The chart followed at a table."""
        columns = [self.column(case) for case in table.cases]
        return evaluate(table, self.policy(table), self.hands[:, columns])


def classes_of(table: Table) -> NDArray[np.int64]:
    graph = player_hands()
    by_hand = np.array(
        [class_of(total, soft) for total, soft in zip(graph.totals, graph.soft, strict=True)]
    )
    found: NDArray[np.int64] = by_hand[table.states.hand]
    return found


def chart_of(best: Play) -> Chart:
    """The chart for a game whose best play is known, improved until no cell can be."""
    table = best.table
    classes = classes_of(table)
    anywhere = _as_if_always_drawing(table)
    chart = _better(best, classes, anywhere)
    followed = chart.on(table)
    while True:
        other = _better(followed, classes, anywhere)
        tried = other.on(table)
        if tried.value <= followed.value:
            return chart
        chart, followed = other, tried


def _as_if_always_drawing(table: Table) -> Floats:
    """How often each hand as dealt would come up if nobody ever stood: for cells play never sees."""
    states = table.states
    policy = np.where(states.may & MAY_HIT, HIT, STAND).astype(np.int8)
    dealt = np.zeros((len(states.row), len(table.cases)))
    for deal in table.deals:
        dealt[deal.position, deal.case] += deal.ways / table.ways
    everywhere = np.repeat(policy[:, None], len(table.cases), axis=1)
    return table.reach(everywhere, dealt)[:, :, 0]


def _better(play: Play, classes: NDArray[np.int64], anywhere: Floats) -> Chart:
    """Every cell decided by what its hands are worth when the rest is played as in `play`."""
    table, values, came = play.table, play.values, play.came[:, :, 0]
    may = table.states.may

    def gains(gain: Floats, weight: Floats, over: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Whether each class gains, over the hands that come to it, or else could come to it."""
        sums = np.zeros((3, CLASSES, len(table.cases)))
        for kind, part in enumerate((weight, weight * gain, anywhere * gain)):
            np.add.at(sums[kind], classes[over], part[over])
        better: NDArray[np.bool_] = np.where(sums[0] > 0, sums[1], sums[2]) > 0
        return better

    either = (may & MAY_HIT > 0) & (may & MAY_STAND > 0)
    # what is doubled does not care whether it would draw or stand
    decides = came * (play.policy != DOUBLE)
    draws = gains(values[:, :, HIT] - values[:, :, STAND], decides, either)
    otherwise = np.where(draws[classes], values[:, :, HIT], values[:, :, STAND])
    doubles = gains(values[:, :, DOUBLE] - otherwise, came, may & MAY_DOUBLE > 0)
    hands = best_hands(table, play.worth, play.splits)
    return Chart(table.cases, draws, doubles, hands)


@dataclass(frozen=True, slots=True)
class Departure:
    """A hand that is better played otherwise than the chart says."""

    cards: str
    from_split: bool
    case: Case
    chart: str
    better: str
    #: what that gains when it happens, in bets
    gain: float
    #: how often it happens, in hands a round, under the best play
    often: float


def departures(best: Play, chart: Chart) -> list[Departure]:
    """Every hand that the best play comes to and plays otherwise, the most valuable first."""
    table = best.table
    graph = player_hands()
    policy = chart.policy(table)
    dealt = set(table.states.first[AS_DEALT].tolist())
    differ = (best.came[:, :, 0] > 0) & (best.policy >= 0) & (policy != best.policy)
    found = [
        Departure(
            spelled(graph.hands[table.states.hand[position]]),
            position not in dealt,
            table.cases[case],
            NAMES[policy[position, case]],
            NAMES[best.policy[position, case]],
            float(
                best.values[position, case, best.policy[position, case]]
                - best.values[position, case, policy[position, case]]
            ),
            float(best.came[position, case, 0]),
        )
        for position, case in np.argwhere(differ).tolist()
    ]
    for deal in table.deals:
        case = table.cases[deal.case]
        hands = best.hands[deal.pair, deal.case]
        charted = chart.hands[deal.pair, chart.column(case)]
        if deal.pair < 0 or bool(hands) == bool(charted):
            continue
        gain = abs(float(best.splits[deal.pair, deal.case].max()) - best.by_itself(deal))
        whole = NAMES[best.policy[deal.position, deal.case]]
        said, better = ("split", whole) if charted else (whole, "split")
        cards = spelled(hand_of(deal.pair, deal.pair))
        found.append(Departure(cards, False, case, said, better, gain, deal.ways / table.ways))
    return sorted(found, key=lambda one: -one.gain * one.often)


def spelled(hand: Hand) -> str:
    """A hand as `A 2 T`."""
    return " ".join(VALUES[card] for card in range(10) for _ in range(hand[card]))
