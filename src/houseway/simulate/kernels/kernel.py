"""What a kernel is: a game made ready for one plan, whose rounds come to codes that are counted.

In every round each wager of each position comes to a *code*, a small whole number. `net` and
`staked` say what a code wins or loses and has put up, so that a run only counts codes. All compiled
games have the same shape: arrays of the table, a function that plays rounds by them, a deck or shoe
and room to write on, both of which one live table keeps.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from houseway.errors import Refused
from houseway.game_api.payout_limit import covered
from houseway.game_api.round import Line
from houseway.law import Rules
from houseway.money import Cents
from houseway.simulate.kernels.counts import Counts, Ints

_MOST_NET = 3_000_000_000  # a product of two nets must fit 63 bits
NONE = np.zeros((0, 0), np.int64)
NO_LINES = np.zeros((0, 0, 0), np.int64)


class LiveTable(Protocol):
    """A table in play: it keeps its deck or shoe from one call to the next."""

    def rounds(
        self, count: int, stream: NDArray[np.uint64], counts: Counts, nets: Ints = ...
    ) -> None:
        """Play a number of rounds and add them to `counts`.

        `nets` takes each round's net result by position, where it has room.
        """


@dataclass(frozen=True, kw_only=True)
class Kernel(ABC):
    """A game made ready for one plan."""

    #: the wagers that are made, by their names on the PAR sheet, each with its column below
    wagers: tuple[tuple[str, int], ...]
    #: [P, wager, code] what a code wins or loses and what it has staked, in cents
    net: Ints
    staked: Ints
    #: rounds of a block, where it is not the usual number
    block: int | None = None

    @abstractmethod
    def new_table(self) -> LiveTable:
        """Open a table with a new deck or shoe."""

    def most_staked(self, position: int) -> Cents:
        """Return the most that a position can have staked in a round."""
        return int(self.staked[position].max(axis=1).sum())

    def finish(self, counts: Counts) -> None:  # noqa: B027 -- most kernels leave nothing
        """Work out what rounds leave to be worked out from other counts."""


#: Plays a number of rounds: table, rounds, stream, cards, given, counts, nets, lines, covariance, room.
#: Where `given` has rows, those are the cards of each round and none are drawn. `nets` takes each
#: round's net by position, `lines` by position and wager, if they have room. The stream is moved on.
Play = Callable[
    [Any, int, NDArray[np.uint64], Ints, Ints, Counts, Ints, Ints, bool, Any],
    None,
]


@dataclass(frozen=True, kw_only=True)
class CompiledKernel(Kernel):
    """A game compiled by `houseway.simulate.kernels.compiled`."""

    play: Play
    #: the arrays of the table, a `NamedTuple`
    table: Any
    #: the cards as the kernel has them, in any order
    cards: Ints
    #: makes room for the rounds of a table
    room_for: Callable[[Any], Any]
    covariance: bool
    #: the cards of a round, where they can be given
    round_cards: int = 0

    def new_table(self) -> LiveTable:
        return CompiledTable(self)


class CompiledTable:
    """A live table of a compiled kernel."""

    def __init__(self, kernel: CompiledKernel) -> None:
        self._kernel = kernel
        self._cards, self._room = kernel.cards.copy(), kernel.room_for(kernel.table)

    def rounds(
        self,
        count: int,
        stream: NDArray[np.uint64],
        counts: Counts,
        nets: Ints = NONE,
        given: Ints = NONE,
        lines: Ints = NO_LINES,
    ) -> None:
        kernel = self._kernel
        kernel.play(
            kernel.table, count, stream, self._cards, given, counts, nets, lines,
            kernel.covariance, self._room,
        )  # fmt: skip


class CodeValues:
    """What every code is worth, filled in from the lines that the game itself settles."""

    def __init__(self, rules: Rules, positions: int, wagers: int, codes: int) -> None:
        self._rules = rules
        self.net = np.zeros((positions, wagers, codes), np.int64)
        self.staked = np.zeros_like(self.net)
        #: what of it a payout limit counts
        self.limited = np.zeros_like(self.net)

    def put(self, position: int, column: int, code: int, lines: Iterable[Line]) -> None:
        """Add settled lines to a code."""
        place = position, column, code
        for line in lines:
            self.net[place] += line.net
            self.staked[place] += line.stake
            if line.paid > 0 and covered(self._rules, line):
                self.limited[place] += line.paid


def payout_limit(rules: Rules) -> Cents:
    """Return the payout limit as kernels have it: 0 where there is none."""
    limit = rules.options.get("payout_limit", "none")
    return 0 if limit == "none" else int(limit)


def check_most(amount: Cents) -> None:
    """Refuse stakes with which a round could win more than can be added up."""
    if amount > _MOST_NET:
        raise Refused(
            "stakes_too_high",
            f"a round could win more than ${_MOST_NET // 100:,}: wager less to simulate it",
            field="wagers",
        )
