"""Two seats of one table: the covariance of their results.

They meet the same dealer, and neither can hold a card of the other. Let D be the cards that they
share and f what one of them wins. Then

    covariance = Var(E[f | D]) + E[Cov(f(first hand), f(second hand) | D)]

The first part is counted by each game. For the second: given D the hands are two sets of k of the n cards
left that have none in common. To take the mean of f over the hands that share no card with a given
one is to average over its neighbors in the Kneser graph of n and k, which has the eigenvalues
(-1)^j C(n-k-j, k-j) / C(n-k, k). Without the mean itself, j = 0, the greatest is that of j = 2, so
the second part is at most that much of what is left of the variance, a per cent or less, and mostly
it is negative. What is given here is that bound.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb


def together(size: int, left: int) -> Fraction:
    """An upper bound of the covariance of two hands from the cards left, as a fraction of the
    variance.
    """
    return Fraction(comb(left - size - 2, size - 2), comb(left - size, size))


def bound(variance: Fraction, between: Fraction, size: int, left: int) -> Fraction:
    """The largest covariance of two seats, `between` being what the shared cards account for."""
    return between + together(size, left) * (variance - between)
