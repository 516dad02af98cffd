"""The hold over many rounds by a second program: distributions are convolved, squaring them.

The sum of two rounds is the distribution of one convolved with itself, the sum of four that of two,
and so on. A result far above all others is counted by itself, how often it comes being binomial.
No characteristic function is raised to a power here, and no window is reckoned beforehand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import exp, gcd, lcm, log1p
from typing import Any

import numpy as np

#: a result that lies more points than this above the least is counted by itself, if it is rare
FAR = 3_000
SHARES = {"90%": (0.05, 0.95), "95%": (0.025, 0.975), "99%": (0.005, 0.995)}

#: what is convolved term by term
LONG = 4_000

#: the first point of the lattice, and the chance of it and of each after it
Chances = tuple[int, np.ndarray]


def convolved(one: Chances, other: Chances) -> Chances:
    """The sum of two that do not depend on each other: term by term, or where that takes too long
    by a Fourier transform, whose noise is cut off at the ends.
    """
    length = len(one[1]) + len(other[1]) - 1
    if min(len(one[1]), len(other[1])) <= LONG:
        return trimmed(one[0] + other[0], np.convolve(one[1], other[1]), 1e-18)
    size = 1 << (length - 1).bit_length()
    found = np.fft.irfft(np.fft.rfft(one[1], size) * np.fft.rfft(other[1], size), size)[:length]
    return trimmed(one[0] + other[0], np.maximum(found, 0), 1e-13)


def one_more(before: Chances, line: np.ndarray) -> Chances:
    """One round more."""
    found = np.zeros(len(before[1]) + len(line) - 1)
    for place in np.flatnonzero(line):
        found[place : place + len(before[1])] += line[place] * before[1]
    return trimmed(before[0], found, 1e-18)


def trimmed(first: int, chances: np.ndarray, little: float) -> Chances:
    """Without the ends that are not even so likely."""
    kept = np.flatnonzero((chances.cumsum() > little) & (chances[::-1].cumsum()[::-1] > little))
    chances = chances[kept[0] : kept[-1] + 1]
    return first + int(kept[0]), chances / chances.sum()


def repeated(one: Chances, rounds: int) -> Chances:
    """The sum of so many."""
    found: Chances = (0, np.ones(1))
    while rounds:
        if rounds % 2:
            found = convolved(found, one)
        rounds //= 2
        if rounds:
            one = convolved(one, one)
    return found


def often(chance: Fraction, rounds: int) -> Iterator[tuple[int, float]]:
    """How often a rare result comes in so many rounds."""
    p, placed = float(chance), 1.0
    for many in range(rounds + 1):
        probability = placed * p**many * exp((rounds - many) * log1p(-p))
        yield many, probability
        if many > rounds * p and probability < 1e-13:
            return
        placed *= (rounds - many) / (many + 1)


class Sums:
    """The sum of so many rounds: parts, each with its weight, how far it is moved, and its chances."""

    def __init__(self, nets: dict[Fraction, Fraction], rounds: int) -> None:
        results = sorted(net for net, chance in nets.items() if chance)
        part = lcm(*(net.denominator for net in results))
        places = [int((net - results[0]) * part) for net in results]
        step = gcd(*places)
        self.least, self.unit = rounds * results[0], Fraction(step, part)
        chances = {place // step: nets[net] for place, net in zip(places, results, strict=True)}
        far = [p for p in chances if p > FAR and chances[p] * rounds < 40 and p != min(chances)]
        near = {place: chance for place, chance in chances.items() if place not in far}
        self.coarse = gcd(*near)
        line = np.zeros(max(near) // self.coarse + 1)
        for place, chance in near.items():
            line[place // self.coarse] = float(chance / sum(near.values()))
        cases = [one for one in self._far(far, chances, rounds) if one[0] > 1e-14]
        # the rounds without any of the far results, the fewest first
        fewest = rounds - max(count for _, _, count in cases)
        made = {fewest: repeated((0, line), fewest)}
        for count in range(fewest, rounds):
            made[count + 1] = one_more(made[count], line)
        self.parts = [(weight, moved, made[rounds - count]) for weight, moved, count in cases]
        self.cumulated = {id(one): one[1].cumsum() for one in made.values()}

    def _far(
        self, far: Sequence[int], chances: dict[int, Fraction], rounds: int
    ) -> list[tuple[float, int, int]]:
        found, whole = [(1.0, 0, 0)], Fraction(1)
        for place in far:
            # of the rounds that had none of those before
            found = [
                (weight * probability, moved + many * place, count + many)
                for weight, moved, count in found
                for many, probability in often(chances[place] / whole, rounds - count)
            ]
            whole -= chances[place]
        return found

    def at_most(self, place: int) -> float:
        total = 0.0
        for weight, moved, one in self.parts:
            at = (place - moved) // self.coarse - one[0]
            if at >= 0:
                total += weight * min(float(self.cumulated[id(one)][min(at, len(one[1]) - 1)]), 1.0)
        return total

    def percent(self, place: int, rounds: int) -> str:
        """The hold at a point, in per cent with four places, halves away from zero."""
        hold = -(self.least + place * self.unit) / rounds * 100
        whole = int(abs(hold) * 10_000 + Fraction(1, 2))
        sign = "-" if hold < 0 and whole else ""
        return f"{sign}{whole // 10_000}.{whole % 10_000:04}"

    def bounds(self, share: float) -> set[int]:
        """The least points that so large a share stays at or below; two where that is too near to tell."""
        low = min(moved + one[0] * self.coarse for _, moved, one in self.parts) - 1
        high = max(moved + (one[0] + len(one[1])) * self.coarse for _, moved, one in self.parts)
        found = set()
        for asked in (share - 1e-9, share + 1e-9):
            below, above = low, high
            while above - below > 1:
                middle = (below + above) // 2
                below, above = (below, middle) if self.at_most(middle) >= asked else (middle, above)
            found.add(above)
        return found


def agrees(nets: dict[Fraction, Fraction], hold: Sequence[Any]) -> bool:
    """Whether every interval of a sheet is what the convolution says."""
    for rounds in dict.fromkeys(one.rounds for one in hold):
        sums = Sums(nets, rounds)
        zero = int((-sums.least) // sums.unit)
        for one in hold:
            if one.rounds != rounds:
                continue
            low, high = (sums.bounds(share) for share in SHARES[one.confidence])
            lows = {sums.percent(place, rounds): place for place in high}
            highs = {sums.percent(place, rounds): place for place in low}
            assert one.hold_low_percent in lows, (one, lows)
            assert one.hold_high_percent in highs, (one, highs)
            covers = sums.at_most(lows[one.hold_low_percent]) - sums.at_most(
                highs[one.hold_high_percent] - 1
            )
            assert abs(covers - float(one.covers)) < 2e-9, (one, covers)
            assert abs(1 - sums.at_most(zero) - float(one.house_behind)) < 2e-9, one
    return bool(hold)
