"""What a run has counted so far, in whole numbers of any size; blocks are added in their order."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np

from houseway.simulate.kernels.counts import Counts, Ints
from houseway.simulate.prepared import Playing


@dataclass
class Tally:
    """Counts of rounds, codes, sums and hits of meters."""

    rounds: int
    codes: Ints
    #: [P][wager] what was paid beyond the nets of codes, and what that adds to squares
    more: list[list[int]]
    more_squares: list[list[int]]
    totals: list[int]
    products: list[list[int]]
    #: round of the run, meter, share in per cent, position
    hits: list[tuple[int, int, int, int]] = field(default_factory=list)

    @classmethod
    def none(cls, game: Playing) -> Tally:
        positions, wagers = game.net.shape[:2]
        return cls(
            0,
            np.zeros(game.net.shape, np.int64),
            [[0] * wagers for _ in range(positions)],
            [[0] * wagers for _ in range(positions)],
            [0] * positions,
            [[0] * positions for _ in range(positions)],
        )

    def add(self, counts: Counts, rounds: int) -> None:
        """Add a block that comes after all that is here."""
        self.codes += counts.codes
        varying = counts.varying.tolist()
        low, high = counts.low.tolist(), counts.high.tolist()
        for one in range(len(self.totals)):
            self.totals[one] += int(counts.totals[one])
            for wager, (paid, part, rest) in enumerate(varying[one]):
                self.more[one][wager] += paid
                self.more_squares[one][wager] += part + (rest << 32)
            for other in range(one + 1):
                self.products[one][other] += low[one][other] + (high[one][other] << 32)
        for number, meter, share, position in counts.events[
            1 : 1 + int(counts.events[0, 0])
        ].tolist():
            self.hits.append((self.rounds + number, meter, share, position))
        self.rounds += rounds

    def encode(self) -> str:
        """One line of JSON: the same for the same rounds, however they were played."""
        return json.dumps(
            {
                "rounds": self.rounds,
                "codes": self.codes.tolist(),
                "more": self.more,
                "more_squares": self.more_squares,
                "totals": self.totals,
                "products": self.products,
                "hits": self.hits,
            },
            separators=(",", ":"),
        )

    @classmethod
    def decode(cls, data: dict[str, Any]) -> Tally:
        return cls(
            data["rounds"],
            np.array(data["codes"], np.int64),
            data["more"],
            data["more_squares"],
            data["totals"],
            data["products"],
            [(a, b, c, d) for a, b, c, d in data["hits"]],
        )


@dataclass(frozen=True)
class Estimate:
    """A mean net result in cents and its variance, exact for the rounds that were played."""

    rounds: int
    mean: Fraction
    variance: Fraction

    @property
    def error(self) -> float:
        """The standard error of the mean, in cents."""
        return sqrt(float(self.variance) / self.rounds) if self.rounds else float("inf")


def _estimate(rounds: int, total: int, squares: int) -> Estimate:
    mean = Fraction(total, rounds)
    spread = Fraction(squares, rounds) - mean**2
    return Estimate(rounds, mean, spread * Fraction(rounds, rounds - 1) if rounds > 1 else spread)


def of_wager(game: Playing, tally: Tally, position: int, column: int) -> Estimate:
    """One wager of one position."""
    counts = tally.codes[position, column].tolist()
    nets = game.net[position, column].tolist()
    total = sum(n * net for n, net in zip(counts, nets, strict=True))
    squares = sum(n * net * net for n, net in zip(counts, nets, strict=True))
    return _estimate(
        tally.rounds,
        total + tally.more[position][column],
        squares + tally.more_squares[position][column],
    )


def of_position(tally: Tally, position: int) -> Estimate:
    """All wagers of one position together."""
    return _estimate(tally.rounds, tally.totals[position], tally.products[position][position])


def covariance(tally: Tally, one: int, other: int) -> Fraction:
    """The covariance of the nets of two positions, in squared cents."""
    high, low = max(one, other), min(one, other)
    rounds = tally.rounds
    mean = Fraction(tally.totals[one] * tally.totals[other], rounds * rounds)
    return Fraction(tally.products[high][low], rounds) - mean


def staked(game: Playing, tally: Tally, position: int, column: int) -> int:
    """What was put up on a wager over all rounds, in cents."""
    pairs = zip(
        tally.codes[position, column].tolist(),
        game.staked[position, column].tolist(),
        strict=True,
    )
    return sum(count * stake for count, stake in pairs)
