"""Many seats of a game with several decisions in a round, decided one after the other.

A game that has such a kernel returns it from `SimulationGame.decision_kernel`. Programs that learn
use it (`houseway.environments`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray


class DecisionKernel(ABC):
    """Seats that are alone against the house, each with a round of its own."""

    #: [seat, column] what a seat sees, and the bounds of each column
    seen: NDArray[np.int8]
    least: NDArray[np.int8]
    most: NDArray[np.int8]
    #: [seat, move] 1 if the move is legal
    mask: NDArray[np.int8]
    #: [seat] the net result of the round that the last move ended, in cents; 0 if it ended none
    nets: NDArray[np.int64]
    ends: NDArray[np.bool_]

    @abstractmethod
    def begin(self, stream: NDArray[np.uint64]) -> None:
        """Deal every seat a new round."""

    @abstractmethod
    def step(self, moves: NDArray[np.int64], stream: NDArray[np.uint64]) -> None:
        """Make one move at every seat. A seat whose round ends is dealt the next.

        An illegal move changes nothing.
        """
