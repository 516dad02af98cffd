"""Thousands of seats at once: a Gymnasium vector environment on the compiled simulation kernels.

A game with one decision in a round says which strategies always decide one way
(`SimulationGame.decisions`). Rounds are dealt as arrays, the kernel settles each of them for every
decision, and an action picks one of the results. A game with several decisions in a round has a
kernel that moves every seat on by one decision (`SimulationGame.decision_kernel`). Games without
either are played seat by seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from houseway.environments.seat import SeatEnvironment, hints_of, moves_of, standard_wagers
from houseway.law import Rules, choose
from houseway.money import Cents, cents
from houseway.simulate.game import SIMULATION
from houseway.simulate.kernels.compiled import compiled
from houseway.simulate.kernels.counts import Counts, empty
from houseway.simulate.kernels.decision_kernel import DecisionKernel
from houseway.simulate.kernels.kernel import CompiledKernel, CompiledTable
from houseway.simulate.kernels.random_streams import BATCH, draw, start
from houseway.simulate.plan import plan_of
from houseway.table import TABLE

Cards = NDArray[np.int64]


def VectorEnvironment(  # noqa: N802  a vector entry point is called like a class
    num_envs: int,
    chapter: str,
    rules: Rules | Mapping[str, Any] | None = None,
    wagers: Mapping[str, str] | Sequence[Mapping[str, str]] | None = None,
    **_given: Any,
) -> VectorEnv[Any, Any, Any]:
    """The fastest vector environment that the chapter's game has."""
    chosen = rules if isinstance(rules, Rules) else choose(chapter, dict(rules or {}))
    sets = [wagers] if isinstance(wagers, Mapping) else list(wagers or [standard_wagers(chosen)])
    if len(sets) == 1:
        stakes = {name: cents(text) for name, text in sets[0].items()}
        TABLE.of(chosen.chapter).check_wagers(chosen, stakes)
        game = SIMULATION.of(chosen.chapter)
        if game.decisions(chosen):
            return CompiledSeats(num_envs, chosen, stakes)
        moves, hints = moves_of(chosen), hints_of(chosen)
        kernel = game.decision_kernel(chosen, stakes, num_envs, moves, hints)
        if kernel is not None:
            return DecidingSeats(num_envs, chosen, kernel, moves, hints)
    return SyncVectorEnv(
        [lambda: SeatEnvironment(chapter, chosen, sets)] * num_envs,
        autoreset_mode=AutoresetMode.SAME_STEP,
    )


class _Vector(VectorEnv[Any, Any, Any]):
    """What the compiled environments share."""

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012

    def __init__(
        self, num_envs: int, rules: Rules, moves: tuple[str, ...], seen: spaces.Space[Any]
    ) -> None:
        super().__init__()
        self.num_envs = num_envs
        self.rules = rules
        #: what each action stands for, in order
        self.moves = moves
        self.single_observation_space = seen
        self.single_action_space = spaces.Discrete(len(moves))
        self.observation_space = batch_space(seen, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._stream = start("0", 0)
        self._begun = False
        self._never = np.zeros(num_envs, np.bool_)

    def _seed(self, seed: int | list[int | None] | None) -> None:
        """Start the stream of a seed, or at the first reset one by chance."""
        one = seed[0] if isinstance(seed, list) else seed
        super().reset(seed=one)
        if one is not None or not self._begun:
            self._stream = start(
                str(one if one is not None else self.np_random.integers(1 << 62)), 0
            )
        self._begun = True

    def _checked(self, actions: Any) -> NDArray[np.int64]:
        chosen = np.asarray(actions, np.int64)
        if chosen.shape != (self.num_envs,) or chosen.min() < 0 or chosen.max() >= len(self.moves):
            raise gymnasium.error.InvalidAction(
                f"{self.num_envs} actions from 0 to {len(self.moves) - 1} are needed"
            )
        return chosen


class DecidingSeats(_Vector):
    """Seats of a game with several decisions in a round, each moved on by its own action.

    Observation: a row of small numbers for each seat, as the game's kernel describes them. The
    legal actions are in `info["action_mask"]`; an illegal one changes nothing. A seat whose round
    ends is dealt the next one at once, and its observation is of that.
    """

    def __init__(
        self,
        num_envs: int,
        rules: Rules,
        kernel: DecisionKernel,
        moves: tuple[str, ...],
        hints: tuple[str, ...],
    ) -> None:
        seen = spaces.Box(kernel.least, kernel.most, dtype=np.int8)
        super().__init__(num_envs, rules, moves, seen)
        self.hints = hints
        self._kernel = kernel

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Deal every seat a round; with a seed, always the same ones."""
        self._seed(seed)
        self._kernel.begin(self._stream)
        return self._kernel.seen.copy(), {"action_mask": self._kernel.mask.copy()}

    def step(
        self, actions: Any
    ) -> tuple[
        NDArray[np.int8], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
    ]:
        """Make one move at every seat."""
        kernel = self._kernel
        kernel.step(self._checked(actions), self._stream)
        info = {"action_mask": kernel.mask.copy()}
        return kernel.seen.copy(), kernel.nets / 100, kernel.ends.copy(), self._never.copy(), info


class CompiledSeats(_Vector):
    """Seats that are all dealt, decided and settled together.

    Observation: the cards of each seat's hand as numbers from 0 to 52, in ascending order. Every
    action ends a round, and the observation with it is the next round's hand.
    """

    def __init__(self, num_envs: int, rules: Rules, stakes: Mapping[str, Cents]) -> None:
        game = SIMULATION.of(rules.chapter)
        decisions = game.decisions(rules)
        size = rules.chapter.number("hand_cards")
        seen = spaces.Box(0, 52, (size,), np.int64)
        super().__init__(num_envs, rules, tuple(decisions), seen)
        plan = plan_of(rules, wagers=stakes)
        kernels = [
            kernel
            for one in decisions.values()
            if isinstance(
                kernel := game.kernel(plan, rules, one, round_by_round=True), CompiledKernel
            )
        ]
        self._tables = [CompiledTable(one) for one in kernels]
        self._counts = [
            empty(1, one.net.shape[1], one.net.shape[2], num_envs if rules.meter_names else 0)
            for one in kernels
        ]
        self._deck = np.array([int(one) for one in game.cards(rules)], np.int64)
        self._own = slice(size, 2 * size)
        #: the dealer's cards, the seat's, and those beside them
        self._given = np.zeros((num_envs, kernels[0].round_cards), np.int64)
        self._nets = np.zeros((len(decisions), num_envs, 1), np.int64)
        self._rows = np.arange(num_envs)
        self._ends = np.ones(num_envs, np.bool_)

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[Cards, dict[str, Any]]:
        """Deal every seat a hand; with a seed, always the same ones."""
        self._seed(seed)
        return self._deal(), {}

    def step(
        self, actions: Any
    ) -> tuple[Cards, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """End every seat's round by its decision, and deal the next."""
        rewards = self._nets[self._checked(actions), self._rows, 0] / 100
        return self._deal(), rewards, self._ends.copy(), self._never.copy(), {}

    def _deal(self) -> Cards:
        _deal(self._stream, self._deck, self._given, self._own.start, self._own.stop)
        for table, counts, nets in zip(self._tables, self._counts, self._nets, strict=True):
            _forget(counts)
            table.rounds(self.num_envs, self._stream, counts, nets, self._given)
        return self._given[:, self._own].copy()


def _forget(counts: Counts) -> None:
    counts.events[0, 0] = 0


@compiled
def _deal(stream: NDArray[np.uint64], deck: Cards, given: Cards, first: int, last: int) -> None:
    """Deal every row from the whole deck, every order equally likely; one hand is sorted."""
    at, cards = stream[0], given.shape[1]
    for row in range(len(given)):
        for place in range(0, cards, BATCH):
            at = draw(deck, place, min(BATCH, cards - place), at)
        for place in range(cards):
            given[row, place] = deck[place]
        for place in range(first + 1, last):
            card, lower = given[row, place], place
            while lower > first and given[row, lower - 1] > card:
                given[row, lower] = given[row, lower - 1]
                lower -= 1
            given[row, lower] = card
    stream[0] = at
