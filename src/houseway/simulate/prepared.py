"""A plan made ready to be played: its rules, its strategy, its kernel, and the rounds of one block."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgspec
import numpy as np

from houseway.errors import Refused
from houseway.law import Rules
from houseway.money import Cents
from houseway.simulate.game import SIMULATION, SimulationGame
from houseway.simulate.kernels.counts import Counts, Ints, empty
from houseway.simulate.kernels.kernel import Kernel, LiveTable, check_most
from houseway.simulate.kernels.random_streams import start
from houseway.simulate.plan import Plan, rules_of

#: Rounds of a block. Each block has a stream of its own, so this number is part of every result.
BLOCK = 1 << 20
#: a meter is hit at most once in a few hundred hands; more than this would be a mistake
_HITS = 1 << 16


@dataclass(frozen=True)
class Playing:
    """A table of one plan, ready to be played."""

    plan: Plan
    rules: Rules
    family: SimulationGame
    #: what the game decides by, as the family made it
    strategy: Any
    kernel: Kernel
    #: rounds of a block
    block: int

    @property
    def positions(self) -> int:
        return len(self.plan.stakes)

    @property
    def wagers(self) -> tuple[tuple[str, int], ...]:
        """The wagers that are made, by their names on the PAR sheet, each with its column."""
        return self.kernel.wagers

    @property
    def net(self) -> Ints:
        return self.kernel.net

    @property
    def staked(self) -> Ints:
        return self.kernel.staked

    def stake_of(self, position: int, wager: str) -> Cents:
        """The stake that a wager's figures are per unit of; 0 where it is not made."""
        return self.family.stake_of(self, position, wager)

    def empty(self) -> Counts:
        hits = _HITS if self.rules.meter_names else 0
        return empty(self.positions, self.net.shape[1], self.net.shape[2], hits)

    def new_table(self) -> LiveTable:
        """A table with a new deck or shoe."""
        return self.kernel.new_table()


@lru_cache(maxsize=16)
def playing(encoded: bytes, round_by_round: bool = False) -> Playing:
    """Make a plan ready; `round_by_round` where the nets of single rounds will be wanted."""
    plan = msgspec.json.decode(encoded, type=Plan)
    rules = rules_of(plan)
    family = SIMULATION.of(rules.chapter)
    strategy = family.strategy(rules, plan.strategy)
    kernel = family.kernel(plan, rules, strategy, round_by_round=round_by_round)
    _check_known(plan, rules, kernel)
    check_most(int(np.abs(kernel.net).sum(axis=1).max()))
    check_most(max(plan.meters.values(), default=0))
    return Playing(plan, rules, family, strategy, kernel, kernel.block or BLOCK)


def _check_known(plan: Plan, rules: Rules, kernel: Kernel) -> None:
    """Refuse a wager that the kernel has no column for, since it would not be counted."""
    known = {name for name, _ in kernel.wagers}
    for wager in dict.fromkeys(wager for made in plan.stakes for wager in made):
        if not known & {wager, rules.chapter.wagers[wager].entry}:
            raise Refused(
                "wager_not_simulated",
                f"{rules.chapter.wagers[wager].name} cannot be simulated: its game family has no "
                "such wager",
                field=f"wagers.{wager}",
            )


def play_block(encoded: bytes, number: int, rounds: int) -> Counts:
    """The rounds of one block: the same on every machine."""
    game = playing(encoded)
    counts = game.empty()
    game.new_table().rounds(rounds, start(game.plan.seed, number), counts)
    return finished(game, counts, rounds)


def warm(plan: Plan) -> None:
    """Have the kernel of a plan compiled, or fetched from the cache, before a clock is started."""
    play_block(plan.encode(), 0, 1)


def finished(game: Playing, counts: Counts, rounds: int) -> Counts:
    """The counts of a block with what a kernel leaves to be worked out from others."""
    game.kernel.finish(counts)
    hits = int(counts.events[0, 0])
    if hits >= len(counts.events):
        raise OverflowError(f"more than {len(counts.events)} hits of meters in {rounds} rounds")
    # a block travels without the room that its hits did not need: it is most of its size
    return counts._replace(events=counts.events[: 1 + hits].copy())
