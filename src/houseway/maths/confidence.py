"""How far the hold over many rounds may lie from the edge: the exact distribution of a sum.

The net results of a round lie on a lattice, so the sum of n rounds has the characteristic function
of one round to the power n. Over a window of M lattice points its distribution is the Fourier sum
over M frequencies, and for the cumulated distribution each frequency is one cosine. Three things are
left out, each with a bound: the tails outside of the window (Chernoff), the frequencies at which the
power has vanished, and what rounding adds. Together they stay below `ERROR`; where that cannot be
promised there is no interval.

Nearly all frequencies have vanished. Two results j and k of a round that lie d points apart bound
the characteristic function at the angle t by 1 - 2 p(j) p(k) / (p(j) + p(k)) sin(d t / 2)**2, so only
angles near the multiples of 2 pi / d can matter, for every pair of results; these are tens where the
window has a hundred thousand points.

A rare and very large award would make the window too wide. How often it comes in n rounds is then
counted by itself, and the rest of the rounds as above.

Results are kept in the cache of tallies; NumPy is imported only where one must be made.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import asin, exp, gcd, inf, lcm, lgamma, log, log1p, pi, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

import msgspec

from houseway.maths.counting.cache import digest
from houseway.maths.counting.tallies import Tallies
from houseway.maths.figures import Spread, decimal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Whole = NDArray[np.int64]

LEVELS = (90, 95, 99)
ROUNDS = (1_000, 10_000, 100_000, 1_000_000)
#: what every probability is within
ERROR = "1e-9"
#: what may lie beyond either end of a window; of the numbers of rare awards, beyond the most
_TAIL = 1e-10
#: what rounding may add
_ROUNDING = 5e-10
#: a power below exp(-_GONE) is left out
_GONE = 32.0
#: the widest window; the most cosines for one probability, and so few that no other way is sought
_WIDEST, _MOST, _LITTLE = 1 << 31, 1 << 20, 1 << 12
#: the most numbers of rare awards that are told apart
_PARTS = 400

_TALLIES = Tallies("confidence", ("houseway.maths.confidence",))


class Interval(msgspec.Struct, frozen=True):
    """The hold over a number of rounds, in percent of the initial wagers: it lies within the
    interval with at least this confidence, with equal tails. `covers` is the probability itself.
    """

    rounds: int
    confidence: str
    hold_low_percent: str
    hold_high_percent: str
    covers: str
    #: what the normal curve would say
    normal_low_percent: str
    normal_high_percent: str
    #: the probability that the players are ahead after these rounds
    house_behind: str


def intervals(spread: Spread, rounds: Sequence[int] = ROUNDS) -> list[Interval]:
    """The intervals for each number of rounds and level; none where a sum is too wide to tell."""
    return holds([spread], rounds)[0]


def holds(spreads: Sequence[Spread], rounds: Sequence[int] = ROUNDS) -> list[list[Interval]]:
    """The intervals of several wagers, kept together."""
    if not spreads:
        return []

    def make() -> list[list[Interval]]:
        return [[one for count in rounds for one in _made(each, count)] for each in spreads]

    named = [" ".join(f"{net}:{ways}" for net, ways in each.ways.items()) for each in spreads]
    key = digest(named, list(rounds))
    return _TALLIES.recall("hold", list[list[Interval]], make, key)


def _made(spread: Spread, rounds: int) -> list[Interval]:
    total = _sum_of(spread, rounds)
    if total is None:
        return []
    deviation = sqrt(float(spread.variance) / rounds)
    edge = float(spread.edge)
    outside = [(1 - level / 100) / 2 for level in LEVELS]
    bounds = total.quantiles([share for out in outside for share in (out, 1 - out)])
    behind = f"{max(1 - total.at_most(total.place(Fraction(0))), 0.0):.9f}"
    found = []
    for number, (level, out) in enumerate(zip(LEVELS, outside, strict=True)):
        low, high = bounds[2 * number : 2 * number + 2]
        z = NormalDist().inv_cdf(1 - out)
        found.append(
            Interval(
                rounds,
                f"{level}%",
                decimal(-total.amount(high) / rounds * 100, 4),
                decimal(-total.amount(low) / rounds * 100, 4),
                f"{total.at_most(high) - total.at_most(low - 1):.9f}",
                decimal(Fraction(edge - z * deviation) * 100, 4),
                decimal(Fraction(edge + z * deviation) * 100, 4),
                behind,
            )
        )
    return found


class _Sum:
    """The sum of many rounds, in lattice points above its least: parts by number of rare awards."""

    def __init__(
        self,
        lattice: _Lattice,
        parts: Sequence[tuple[float, int, _Rest]],
    ) -> None:
        self.lattice = lattice
        #: probability of the rare awards, what they bring together, and the rounds beside them
        self.parts = parts

    def amount(self, place: int) -> Fraction:
        """The net result at a point of the lattice."""
        return self.lattice.least + place * self.lattice.unit

    def place(self, amount: Fraction) -> int:
        """The greatest point of the lattice that is not above an amount."""
        return (amount - self.lattice.least) // self.lattice.unit

    def at_most(self, place: int) -> float:
        """The probability of at most this point."""
        return sum(weight * rest.at_most(place - won) for weight, won, rest in self.parts)

    def quantiles(self, shares: Sequence[float]) -> list[int]:
        """For each share the least point that so large a part of the sums stays at or below."""
        known = {
            min(won + rest.low for _, won, rest in self.parts) - 1: 0.0,
            max(won + rest.high for _, won, rest in self.parts): 1.0,
        }
        return [self._quantile(share, known) for share in shares]

    def _quantile(self, share: float, known: dict[int, float]) -> int:
        """By halving, and by the straight line between what is known on either side."""
        low = max(place for place, below in known.items() if below < share)
        high = min(place for place, below in known.items() if below >= share)
        turn = 0
        while high - low > 1:
            rise = known[high] - known[low]
            part = (share - known[low]) / rise if turn % 3 and rise > 0 else 0.5
            place = min(max(low + round(part * (high - low)), low + 1), high - 1)
            known[place] = self.at_most(place)
            low, high = (low, place) if known[place] >= share else (place, high)
            turn += 1
        return high


class _Rest:
    """So many rounds without rare awards: the probability of at most each point, as cosines."""

    def __init__(self, lattice: _Lattice, rounds: int) -> None:
        import numpy as np

        self.lattice = lattice
        self.low, self.high = lattice.first * lattice.step, lattice.last * lattice.step
        width = lattice.width
        self.frequency, logs, turns, doubt = lattice.waves
        frequency = self.frequency
        half = frequency * (pi / width)
        begin = (frequency * (lattice.first % width) % width) * (2 * pi / width)
        #: each cosine's height, and its angle at the first point
        self.height = np.exp(rounds * logs) / (width * np.sin(half))
        self.angle = rounds * turns - begin + half - pi / 2
        self.base = float((self.height * np.cos(self.angle)).sum())
        self.doubt = float((self.height * (rounds * doubt + 1e-15)).sum())

    def at_most(self, place: int) -> float:
        """The probability of at most this point."""
        import numpy as np

        at = place // self.lattice.step - self.lattice.first
        if at < 0:
            return 0.0
        if at >= self.lattice.width - 1:
            return 1.0
        width = self.lattice.width
        turned = (self.frequency * (at + 1) % width) * (2 * pi / width)
        waves = float((self.height * np.cos(self.angle - turned)).sum())
        return min(max((at + 1) / width + self.base - waves, 0.0), 1.0)


def _sum_of(spread: Spread, rounds: int) -> _Sum | None:
    """The sum by as many rare awards apart as take least work."""
    chances = sorted(
        (net, Fraction(ways, spread.total)) for net, ways in spread.ways.items() if ways
    )
    best: _Lattice | None = None
    for rare in range(min(4, len(chances) - 1)):
        lattice = _Lattice(chances, rare, rounds)
        if lattice.counts and (best is None or lattice.work < best.work):
            best = lattice
        if best is not None and best.work < _LITTLE:
            break
    if best is None or best.work > _MOST:
        return None
    made = {n: _Rest(best, rounds - n) for n in {sum(many) for many, _ in best.counts}}
    if max(rest.doubt for rest in made.values()) > _ROUNDING:
        return None
    return _Sum(
        best,
        [
            (weight, sum(n * place for n, place in zip(many, best.large, strict=True)), made[sum(many)])
            for many, weight in best.counts
        ],
    )  # fmt: skip


def _counts(chances: Sequence[float], rounds: int) -> list[tuple[tuple[int, ...], float]]:
    """The number of rare awards of each kind in these rounds, with its probability; all but a part
    below `_TAIL`. None at all: too many are likely.
    """
    found: list[tuple[int, ...]] = [()]
    for chance in chances:
        # the Poisson tail bounds the binomial one beyond the mean
        mean, most = rounds * chance, 0
        while most <= mean or most * log(most / mean) - most + mean < -log(_TAIL / len(chances)):
            most += 1
            if most * len(found) > _PARTS:
                return []
        found = [(*before, n) for before in found for n in range(min(most, rounds) + 1)]
    found = [many for many in found if sum(many) <= rounds]
    # how many ways there are to place them, a product that loses no digits
    placed = [0.0]
    for n in range(max(map(sum, found))):
        placed.append(placed[-1] + log(rounds - n))

    def probability(many: tuple[int, ...]) -> float:
        logs = placed[sum(many)] + (rounds - sum(many)) * log1p(-sum(chances))
        for n, chance in zip(many, chances, strict=True):
            logs += n * log(chance) - lgamma(n + 1)
        return exp(logs)

    return [(many, probability(many)) for many in found]


class _Lattice:
    """The net results of a round as points, the rare awards apart, and the window of their sum."""

    def __init__(
        self, chances: Sequence[tuple[Fraction, Fraction]], rare: int, rounds: int
    ) -> None:
        nets = [net for net, _ in chances]
        part = lcm(*(net.denominator for net in nets))
        points = [int((net - nets[0]) * part) for net in nets]
        common = gcd(*points)
        self.unit, self.least = Fraction(common, part), rounds * nets[0]
        points = [point // common for point in points]
        kept = len(points) - rare
        self.large = points[kept:]
        self.counts = _counts([float(chance) for _, chance in chances[kept:]], rounds)
        self.step = gcd(*points[:kept])
        self.steps = [point // self.step for point in points[:kept]]
        whole = sum((chance for _, chance in chances[:kept]), Fraction(0))
        self.chances = [float(chance / whole) for _, chance in chances[:kept]]
        self.rounds = rounds
        #: the fewest rounds without a rare award
        self.fewest = rounds - max((sum(many) for many, _ in self.counts), default=0)
        self.first, self.last = self._window()
        self.width = (self.last - self.first + 1) | 1

    @cached_property
    def work(self) -> float:
        """About how many cosines each probability takes."""
        if self.width > _WIDEST:
            return inf
        return len(self.counts) * min(self._nearness(*self._likeliest), 0.5) * self.width

    @cached_property
    def _likeliest(self) -> tuple[int, int]:
        """The two results that bound the characteristic function best."""
        order = sorted(range(len(self.steps)), key=lambda place: -self.chances[place])
        return order[0], order[1]

    def _window(self) -> tuple[int, int]:
        """The points outside of which less than `_TAIL` lies on either side."""
        import numpy as np

        steps, chances = np.array(self.steps, float), np.array(self.chances)
        mean = float((chances * steps).sum())
        deviation = sqrt(float((chances * (steps - mean) ** 2).sum()))
        t = 10 ** np.linspace(-2, 4, 240) / (deviation * sqrt(self.rounds))
        up = t * steps[-1] + np.log((chances * np.exp(np.outer(t, steps - steps[-1]))).sum(axis=1))
        down = np.log((chances * np.exp(np.outer(-t, steps))).sum(axis=1))
        high = float(((self.rounds * up - log(_TAIL)) / t).min())
        low = float(((log(_TAIL) - self.fewest * down) / t).max())
        return max(0, int(low) - 1), min(self.rounds * self.steps[-1], int(high) + 1)

    def _nearness(self, one: int, other: int) -> float:
        """How near to a multiple of a full turn, as a part of it, the angle between two results
        must be, that the power may not have vanished.
        """
        p, q = self.chances[one], self.chances[other]
        square = _GONE * (p + q) / (2 * self.fewest * p * q) if self.fewest else 1.0
        return asin(sqrt(square)) / pi if square < 1 else 1.0

    @cached_property
    def _candidates(self) -> Whole:
        """The frequencies that no pair of results rules out."""
        import numpy as np

        first, second = self._likeliest
        width, most = self.width, (self.width - 1) // 2
        near = self._nearness(first, second)
        if near >= 0.5:
            found = np.arange(1, most + 1)
        else:
            apart = abs(self.steps[first] - self.steps[second])
            turn = np.arange(apart // 2 + 1)
            begin = np.maximum(np.ceil((turn - near) * (width / apart)), 1).astype(np.int64)
            end = np.minimum(np.floor((turn + near) * (width / apart)), most).astype(np.int64)
            counts = np.maximum(end - begin + 1, 0)
            offset = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
            found = np.repeat(begin, counts) + offset
        for other in range(len(self.steps)):
            near = self._nearness(first, other)
            if other not in self._likeliest and near < 0.5:
                apart = abs(self.steps[first] - self.steps[other]) % width
                angle = found * apart % width
                found = found[np.minimum(angle, width - angle) <= near * width + 1]
        return found

    @cached_property
    def waves(self) -> tuple[Whole, Floats, Floats, Floats]:
        """The frequencies that matter; the logarithm of the characteristic function at each, by
        absolute value and angle, and what rounding may have added to it.

        The logarithm is taken of the distance to 1, so that the power loses no digits.
        """
        import numpy as np

        found = self._candidates
        real, imaginary, sines = np.zeros((3, len(found)))
        for chance, step in zip(self.chances, self.steps, strict=True):
            if step:
                angle = (found * (step % self.width) % self.width) * (2 * pi / self.width)
                half = np.sin(angle / 2)
                real -= 2 * chance * half**2
                imaginary += chance * np.sin(angle)
                sines += chance * np.abs(half)
        logs = 0.5 * np.log1p(np.maximum(2 * real + real**2 + imaginary**2, 1e-300 - 1))
        turns = np.arctan2(imaginary, 1 + real)
        kept = self.fewest * logs > -_GONE
        doubt = 1e-15 * sines / np.exp(logs)
        return found[kept], logs[kept], turns[kept], doubt[kept]
