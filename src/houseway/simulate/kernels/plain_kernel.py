"""Rounds one after the other, for a game that has no compiled kernel.

Every round is dealt from all cards freshly shuffled, played by the family's `play_round` and settled
by the game's rules part. The random words come from the same streams as those of compiled kernels, so
a run depends on its plan and its number of rounds alone.

What a wager comes to has no codes here: all nets are added up as what is paid beyond the net of a
code, which is 0, and a code is a binary digit of what was staked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from houseway.cards import Card
from houseway.game_api.round import Round, Settlement
from houseway.game_api.settle import settle
from houseway.law import Rules
from houseway.money import Cents, odds
from houseway.simulate.game import SimulationGame
from houseway.simulate.kernels.counts import Counts, Ints
from houseway.simulate.kernels.kernel import NONE, Kernel, LiveTable, check_most
from houseway.simulate.kernels.random_streams import words
from houseway.simulate.plan import Plan
from houseway.simulate.results.exact import without_limit

#: rounds of a block: about a second's
BLOCK = 1 << 14
_DIGITS = 40
_WORDS = 1 << 10
_WORD, _HALF = 1 << 64, (1 << 32) - 1


@dataclass(frozen=True, kw_only=True)
class PlainKernel(Kernel):
    """A game played by its own functions."""

    game: SimulationGame
    plan: Plan
    rules: Rules
    strategy: Any

    @classmethod
    def of(cls, game: SimulationGame, plan: Plan, rules: Rules, strategy: Any) -> PlainKernel:
        """Make a plan ready: a column for each entry of the PAR sheet that may have lines."""
        made = {wager for stakes in plan.stakes for wager in stakes}
        wagers = [
            wager.entry
            for wager in rules.chapter.about.wagers
            if wager.id in made or (wager.kind == "follows" and rules.offers(wager.id))
        ]
        names = tuple((name, column) for column, name in enumerate(dict.fromkeys(wagers)))
        shape = len(plan.stakes), len(names), _DIGITS
        return cls(
            wagers=names,
            net=np.zeros(shape, np.int64),
            staked=np.broadcast_to(1 << np.arange(_DIGITS), shape),
            block=BLOCK,
            game=game,
            plan=plan,
            rules=rules,
            strategy=strategy,
        )

    def most_staked(self, position: int) -> Cents:
        """What a position stakes before the deal; a decision may add to it."""
        return sum(self.plan.stakes[position].values())

    def new_table(self) -> LiveTable:
        return _Table(self)


class _Table:
    def __init__(self, kernel: PlainKernel) -> None:
        self._kernel = kernel
        rules = kernel.rules
        self._shuffle = _Shuffle(list(kernel.game.cards(rules)))
        self._posted = without_limit(rules)
        columns, law = dict(kernel.wagers), rules.chapter
        #: a bonus is counted with the wager it is paid beside
        entries = {wager.id: wager.entry for wager in law.about.wagers}
        entries |= {bonus.id: entries[bonus.beside] for bonus in law.about.bonuses}
        self._column = {line: columns[name] for line, name in entries.items() if name in columns}

    def rounds(
        self, count: int, stream: NDArray[np.uint64], counts: Counts, nets: Ints = NONE
    ) -> None:
        kernel = self._kernel
        game, plan, rules = kernel.game, kernel.plan, kernel.rules
        positions = range(len(plan.stakes))
        net = np.zeros((count, len(positions), len(kernel.wagers)), np.int64)
        staked, total = np.zeros_like(net), np.zeros(net.shape[:2], np.int64)
        for number in range(count):
            draw = self._shuffle.dealt(stream)
            round = game.play_round(plan, rules, kernel.strategy, draw)
            settled = settle(round)
            self._add(number, self._as_posted(round, settled), net, staked)
            for position in positions:
                seat = settled.seat(position + 1)
                total[number, position] = seat.net
                for line in seat.lines:
                    if line.meter is not None and line.odds is not None:
                        meter = rules.meter_names.index(line.meter)
                        share = int(odds(line.odds).value * 100)
                        _hit(counts.events, (number, meter, share, position))
        check_most(int(np.abs(net).max(initial=0)))
        _sum(net, staked, total, counts, plan.covariance)
        if len(nets):
            nets[:count] = total

    def _as_posted(self, round: Round, settled: Settlement) -> Settlement:
        """The round as each wager is posted, before a payout limit."""
        if self._posted is self._kernel.rules:
            return settled
        return settle(msgspec.structs.replace(round, rules=self._posted))

    def _add(self, number: int, settled: Settlement, net: Ints, staked: Ints) -> None:
        for seat in settled.seats:
            for line in seat.lines:
                place = number, seat.seat - 1, self._column[line.wager]
                net[place] += line.net
                staked[place] += line.stake


def _hit(events: Ints, hit: tuple[int, int, int, int]) -> None:
    last = int(events[0, 0]) + 1
    if last < len(events):  # more hits than there is room for are reported
        events[last] = hit
    events[0, 0] = last


def _sum(net: Ints, staked: Ints, total: Ints, counts: Counts, covariance: bool) -> None:
    squares = net * net
    counts.varying[:, :, 0] += net.sum(axis=0)
    counts.varying[:, :, 1] += (squares & _HALF).sum(axis=0)
    counts.varying[:, :, 2] += (squares >> 32).sum(axis=0)
    for digit in range(_DIGITS):
        counts.codes[:, :, digit] += (staked >> digit & 1).sum(axis=0)
    counts.totals[:] += total.sum(axis=0)
    for one in range(total.shape[1]):
        for other in range(0 if covariance else one, one + 1):
            product = total[:, one] * total[:, other]
            counts.low[one, other] += (product & _HALF).sum()
            counts.high[one, other] += (product >> 32).sum()


class _Shuffle:
    """Cards drawn in random order, every order equally likely; each deal starts with all of them."""

    def __init__(self, cards: list[Card]) -> None:
        self._cards = cards
        self._buffer = np.zeros(_WORDS, np.uint64)
        self._words: list[int] = []

    def dealt(self, stream: NDArray[np.uint64]) -> Callable[[], Card]:
        """Shuffle all cards and return a function that draws the next one."""
        cards, size = self._cards, len(self._cards)
        place = 0

        def draw() -> Card:
            nonlocal place
            if place == size:
                raise ValueError(f"a round takes more than {size} cards")
            chosen = place + self._below(size - place, stream)
            cards[place], cards[chosen] = cards[chosen], cards[place]
            place += 1
            return cards[place - 1]

        return draw

    def _below(self, bound: int, stream: NDArray[np.uint64]) -> int:
        """A number below a bound, each equally likely (Lemire)."""
        while True:
            if not self._words:
                words(stream, self._buffer)
                self._words = self._buffer.tolist()
            found, left = divmod(self._words.pop() * bound, _WORD)
            if left >= bound or left >= _WORD % bound:
                return found
