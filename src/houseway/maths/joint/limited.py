"""Wagers of one seat under a payout limit, which counts them together in the order of settlement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from houseway.law import Rules
from houseway.maths.joint.covariance import Together
from houseway.money import Cents


def payout_limit(rules: Rules | None) -> Cents | None:
    """The most that a player is paid in a round; None where there is no limit."""
    limit = "none" if rules is None else rules.options.get("payout_limit", "none")
    return None if limit == "none" else int(limit)


def spared(rules: Rules) -> Sequence[str]:
    """Outcomes that a limit does not cover."""
    fact = rules.chapter.about.facts.get("payout_limit_spares")
    return tuple(map(str, fact.value)) if fact and isinstance(fact.value, tuple) else ()


class Settled(NamedTuple):
    """The result of one wager in cents: what is collected, and what is paid in addition to the
    stake.
    """

    taken: Fraction
    paid: Fraction
    covered: bool = True


class LimitedDeals:
    """Deals by what each wager of a seat brings when the limit has cut it."""

    def __init__(self, stakes: Mapping[str, Cents], limit: Cents) -> None:
        self._stakes, self._limit = dict(stakes), limit
        self._ways: Counter[tuple[Fraction, ...]] = Counter()

    def add(self, ways: int, wagers: Sequence[Settled]) -> None:
        """Add a number of deals with these results of the wagers, in order of settlement."""
        left, nets = Fraction(self._limit), []
        for one in wagers:
            paid = min(one.paid, left) if one.covered else one.paid
            left -= paid if one.covered else 0
            nets.append(paid - one.taken)
        self._ways[tuple(nets)] += ways

    def together(self) -> Together:
        """Their means, variances and covariances, each in units of its own stake."""
        total = sum(self._ways.values())
        names = list(self._stakes)

        def mean(*places: int) -> Fraction:
            whole = Fraction(0)
            for nets, ways in self._ways.items():
                product = Fraction(ways)
                for place in places:
                    product *= nets[place]
                whole += product
            for place in places:
                whole /= self._stakes[names[place]]
            return whole / total

        means = {name: mean(place) for place, name in enumerate(names)}
        variances = {name: mean(at, at) - means[name] ** 2 for at, name in enumerate(names)}
        covariances = {
            (names[a], names[b]): mean(a, b) - means[names[a]] * means[names[b]]
            for a in range(len(names))
            for b in range(a + 1, len(names))
        }
        return Together(means, variances, covariances, self._stakes)
