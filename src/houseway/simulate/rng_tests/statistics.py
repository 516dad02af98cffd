"""The distributions that the tests need, without a statistics library."""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, exp, floor, lgamma, log, pi, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

_STEPS = 10_000


def gamma_above(shape: float, at: float) -> float:
    """The upper tail of the gamma distribution: Q(shape, at)."""
    if at <= 0:
        return 1.0
    front = exp(shape * log(at) - at - lgamma(shape))
    if at < shape + 1:
        term = total = 1 / shape
        for step in range(1, _STEPS):
            term *= at / (shape + step)
            total += term
            if term < total * 1e-16:
                break
        return max(0.0, 1 - total * front)
    # Lentz's continued fraction
    b = at + 1 - shape
    c, d = 1e300, 1 / b
    fraction = d
    for step in range(1, _STEPS):
        a = -step * (step - shape)
        b += 2
        d = 1 / ((a * d + b) or 1e-300)
        c = (b + a / c) or 1e-300
        fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return min(1.0, front * fraction)


def chi_square(counts: NDArray[Any], expected: NDArray[np.floating] | float) -> float:
    """The chance of counts at least this far from what is expected, one of them given by the sum."""
    flat = np.asarray(counts, float).ravel()
    wanted = np.broadcast_to(np.asarray(expected, float).ravel(), flat.shape)
    return chi_square_above(float(((flat - wanted) ** 2 / wanted).sum()), len(flat) - 1)


def chi_square_above(value: float, freedom: float) -> float:
    return gamma_above(freedom / 2, value / 2)


def normal_both(z: float) -> float:
    """The two-sided p-value of a normal deviate."""
    return erfc(abs(z) / sqrt(2))


def poisson(count: int, mean: float) -> float:
    """The mid-p value of a Poisson count: the chance of fewer, plus half the chance of equally many."""
    below = gamma_above(count, mean) if count else 0.0
    return below + (gamma_above(count + 1, mean) - below) / 2


def kolmogorov_smirnov(values: Sequence[float]) -> float:
    """The chance that uniform values lie at least as unevenly as these."""
    ordered = np.sort(np.asarray(values))
    n = len(ordered)
    steps = np.arange(1, n + 1) / n
    gap = float(max((steps - ordered).max(), (ordered - steps + 1 / n).max()))
    return _kolmogorov(n, gap)


def _kolmogorov(n: int, gap: float) -> float:
    """Exact by the matrix of Marsaglia, Tsang and Wang for few values, else by the limit."""
    if gap <= 0:
        return 1.0
    if n * gap * gap > 18:
        return 2 * exp(-2 * n * gap * gap)
    if n > 200:
        t = (sqrt(n) + 0.12 + 0.11 / sqrt(n)) * gap
        if t < 1:
            series = sum(exp(-((2 * k - 1) ** 2) * pi * pi / (8 * t * t)) for k in range(1, 20))
            return 1 - sqrt(2 * pi) / t * series
        tail: float = sum((-1) ** (k - 1) * exp(-2 * k * k * t * t) for k in range(1, 50))
        return min(1.0, 2 * tail)
    k = floor(n * gap) + 1
    m, h = 2 * k - 1, k - n * gap
    matrix = np.tril(np.ones((m, m)), 1)
    for i in range(m):
        matrix[i, 0] -= h ** (i + 1)
        matrix[m - 1, i] -= h ** (m - i)
    matrix[m - 1, 0] += (2 * h - 1) ** m if 2 * h > 1 else 0
    for i in range(m):
        for j in range(m):
            if i - j + 1 > 0:
                matrix[i, j] /= exp(lgamma(i - j + 2))
    # powers grow like n ** n / n!, so the factor goes in step by step
    power = np.eye(m)
    for i in range(1, n + 1):
        power = power @ matrix * (i / n)
    return float(min(1.0, max(0.0, 1 - power[k - 1, k - 1])))


def holm(p_values: Sequence[float], level: float) -> list[bool]:
    """Which are rejected, all of them together at this level (Holm)."""
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    rejected = [False] * len(p_values)
    for rank, place in enumerate(order):
        if p_values[place] > level / (len(p_values) - rank):
            break
        rejected[place] = True
    return rejected
