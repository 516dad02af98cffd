"""A strategy a player can learn: by total, soft or hard, by pair, by up card and range.

No change of a single cell makes this chart better: every cell is chosen by what the whole chart is
worth with it. A pair that is not split has a cell of its own as well. After a split a hand is played
by its total, another pair included.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from houseway.games.down_under.maths.solver.arrays import DOUBLE, HIT, STAND, Actions, Floats
from houseway.games.down_under.maths.solver.game_arrays import Table
from houseway.games.down_under.maths.solver.hands import VALUES, Hand, hand_of, player_hands
from houseway.games.down_under.maths.solver.solve import Play, best_hands
from houseway.games.down_under.maths.solver.states import AS_DEALT, MAY_DOUBLE, MAY_HIT, MAY_STAND
from houseway.games.down_under.maths.solver.variant import Case, Cases

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
    #: stand, hit or double for each pair as dealt that is not split, and case
    pairs: NDArray[np.int8]

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
        """P where the pair is split, else what its own cell says."""
        cell = card, self.column(case)
        if self.hands[cell]:
            return "P"
        if self.pairs[cell] != DOUBLE:
            return "H" if self.pairs[cell] == HIT else "S"
        graph = player_hands()
        number = graph.index[hand_of(card, card)]
        draws = self.draws[class_of(graph.totals[number], graph.soft[number]), cell[1]]
        return "D" if draws else "Ds"

    def policy(self, table: Table) -> Actions:
        """What the chart says at every position of a game."""
        classes = classes_of(table)
        columns = [self.column(case) for case in table.cases]
        may = table.states.may[:, None]
        drawn = np.where(self.draws[classes][:, columns], HIT, STAND)
        drawn = np.where(may & MAY_HIT == 0, STAND, np.where(may & MAY_STAND == 0, HIT, drawn))
        doubles = self.doubles[classes][:, columns] & (may & MAY_DOUBLE > 0)
        policy = np.where(may == 0, -1, np.where(doubles, DOUBLE, drawn)).astype(np.int8)
        policy[pairs_of(table)] = self.pairs[:, columns]
        return policy

    def on(self, table: Table) -> Play:
        """The chart followed at a table."""
        columns = [self.column(case) for case in table.cases]
        return Play(table, self.policy(table), self.hands[:, columns])


def classes_of(table: Table) -> NDArray[np.int64]:
    graph = player_hands()
    by_hand = np.array(
        [class_of(total, soft) for total, soft in zip(graph.totals, graph.soft, strict=True)]
    )
    found: NDArray[np.int64] = by_hand[table.states.hand]
    return found


def pairs_of(table: Table) -> list[int]:
    """The positions of the ten pairs as dealt."""
    return [table.states.at(AS_DEALT, hand_of(card, card)) for card in range(10)]


#: a gain below this, in bets a round, does not count: doubles are not that exact
_LEAST = 1e-13


def chart_of(best: Play) -> Chart:
    """The chart for a game whose best play is known, improved cell by cell until none can be.

    Hands never come to one class twice in a round, so what a single cell changes is known at once.
    Cases have nothing to do with each other: one cell of each is changed at a time.
    """
    cells = _Cells(best.table)
    chart = cells.start(best)
    while True:
        better = cells.improved(chart, chart.on(best.table))
        if better is None:
            return chart
        chart = better


class _Cells:
    """The cells of a table's charts, and what changing them brings."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.classes = classes_of(table)
        self.pairs = pairs_of(table)
        may = table.states.may
        #: positions that a class decides: pairs as dealt have cells of their own
        self.either = (may & MAY_HIT > 0) & (may & MAY_STAND > 0)
        self.either[self.pairs] = False
        self.doubling = self.either & (may & MAY_DOUBLE > 0)
        self.anywhere = _as_if_always_drawing(table)

    def sums(self, amounts: Floats, over: NDArray[np.bool_]) -> Floats:
        found = np.zeros((CLASSES, amounts.shape[1]))
        np.add.at(found, self.classes[over], amounts[over])
        return found

    def worth(self, values: Floats, weight: Floats) -> Floats:
        """What each class is worth as H, S, D and Ds (by place: draws not, draws; then doubled)."""
        plain = self.either & ~self.doubling
        doubled = self.sums(weight * values[:, :, DOUBLE], self.doubling)
        found = []
        for action in (STAND, HIT):
            alone = self.sums(weight * values[:, :, action], plain)
            found.append((alone + self.sums(weight * values[:, :, action], self.doubling), alone))
        (stands, stands_alone), (draws, draws_alone) = found
        return np.stack([stands, draws, stands_alone + doubled, draws_alone + doubled])

    def unsplit(self, values: Floats) -> NDArray[np.int8]:
        """The best decision for each pair as dealt that is not split."""
        may = self.table.states.may[self.pairs][:, None, None] >> np.arange(3) & 1
        worth = np.where(may > 0, values[self.pairs][:, :, :3], -np.inf)
        found: NDArray[np.int8] = worth.argmax(axis=2).astype(np.int8)
        return found

    def choices(self, play: Play) -> Floats:
        """The same under this play. Where no hand comes, or all that do are alike, hands decide that
        would come if nobody ever stood; they weigh too little to change anything else.
        """
        come = self.worth(play.values, play.came[:, :, 0])
        return come + _LEAST * self.worth(play.values, self.anywhere)

    def start(self, best: Play) -> Chart:
        """Every cell decided by what its hands are worth at the best play."""
        choice = self.choices(best).argmax(axis=0)
        return Chart(
            self.table.cases, choice % 2 == 1, choice >= 2, best.hands, self.unsplit(best.values)
        )

    def improved(self, chart: Chart, play: Play) -> Chart | None:
        """The chart with the best single change in every case that has one; None where none has."""
        table = self.table
        worth = self.choices(play)
        now = chart.draws + 2 * chart.doubles
        gains = worth.max(axis=0) - np.take_along_axis(worth, now[None], axis=0)[0]
        pairs = self.unsplit(play.values)
        alone = play.worth.copy()
        alone[self.pairs] = np.take_along_axis(play.values[self.pairs], pairs[:, :, None], 2)[
            :, :, 0
        ]
        hands = best_hands(table, alone, play.splits)
        by_pair = self._pair_gains(play, chart, pairs)
        draws, doubles = chart.draws.copy(), chart.doubles.copy()
        new_pairs, new_hands = chart.pairs.copy(), chart.hands.copy()
        changed = False
        for case in range(len(table.cases)):
            cell, pair = int(gains[:, case].argmax()), int(by_pair[:, case].argmax())
            if max(gains[cell, case], by_pair[pair, case]) <= _LEAST:
                continue
            changed = True
            if gains[cell, case] >= by_pair[pair, case]:
                choice = int(worth[:, cell, case].argmax())
                draws[cell, case], doubles[cell, case] = choice % 2 == 1, choice >= 2
            else:
                new_pairs[pair, case], new_hands[pair, case] = pairs[pair, case], hands[pair, case]
        return Chart(chart.cases, draws, doubles, new_hands, new_pairs) if changed else None

    def _pair_gains(self, play: Play, chart: Chart, pairs: NDArray[np.int8]) -> Floats:
        """What each pair gains in each case when it is split or not, or played alone, as is best."""
        table = self.table
        found = np.zeros((10, len(table.cases)))
        for deal in table.deals:
            if deal.pair < 0:
                continue
            at = deal.pair, deal.case
            alone = play.values[deal.position, deal.case]
            split = play.splits[at]
            hands = chart.hands[at]
            now = float(split[hands - 2]) if hands else float(alone[chart.pairs[at]])
            best = max(float(alone[pairs[at]]), float(split.max()))
            found[at] += deal.ways / table.ways * (best - now)
        return found


def _as_if_always_drawing(table: Table) -> Floats:
    """How often each hand as dealt would come up if nobody ever stood: for cells play never sees."""
    states = table.states
    policy = np.where(states.may & MAY_HIT, HIT, STAND).astype(np.int8)
    starts = np.zeros((len(states.row), len(table.cases)))
    for deal in table.deals:
        starts[deal.position, deal.case] += float(deal.orders)
    everywhere = np.repeat(policy[:, None], len(table.cases), axis=1)
    return table.reach(everywhere, starts)[:, :, 0]


def followed(play: Play, table: Table) -> Play:
    """A way to play that knows less, followed at a table where more is known."""
    columns = [
        next(
            number
            for number, mine in enumerate(play.table.cases)
            if mine.up == case.up and mine.holes >= case.holes
        )
        for case in table.cases
    ]
    return Play(table, play.policy[:, columns], play.hands[:, columns])


def by_total(table: Table, draws: Callable[[int, bool], bool]) -> Play:
    """Never doubled and never split: drawn to where `draws` says so of the total and if it is soft."""
    graph, at = player_hands(), table.states
    wanted = np.array([draws(*one) for one in zip(graph.totals, graph.soft, strict=True)])[at.hand]
    may = at.may
    hits = (may & MAY_HIT > 0) & (wanted | (may & MAY_STAND == 0))
    policy = np.where(may == 0, -1, np.where(hits, HIT, STAND)).astype(np.int8)
    everywhere = np.repeat(policy[:, None], len(table.cases), axis=1)
    return Play(table, everywhere, np.zeros((10, len(table.cases)), dtype=np.int8))


def mimics_the_dealer(total: int, soft: bool) -> bool:
    """Draw as the dealer does: to 17, soft or hard (685a.7(m))."""
    del soft
    return total < 17


def never_busts(total: int, soft: bool) -> bool:
    """Draw only to hands that one more card cannot bust, short of a soft 18."""
    return total < 12 or (soft and total < 18)


@dataclass(frozen=True, slots=True)
class Departure:
    """A hand whose best play differs from the chart."""

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
    """Every hand that the best play reaches and plays differently, the most valuable first."""
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
        if charted:
            said, better = "split", NAMES[best.policy[deal.position, deal.case]]
        else:
            said, better = NAMES[policy[deal.position, deal.case]], "split"
        cards = spelled(hand_of(deal.pair, deal.pair))
        found.append(Departure(cards, False, case, said, better, gain, deal.ways / table.ways))
    return sorted(found, key=lambda one: -one.gain * one.often)


def spelled(hand: Hand) -> str:
    """A hand as `A 2 T`."""
    return " ".join(VALUES[card] for card in range(10) for _ in range(hand[card]))
