"""The exact figure beside each estimate, for the strategy that is played, or the reason for none."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from houseway.law import Rules
from houseway.maths.figures import Spread
from houseway.maths.par import Asked, entries_of
from houseway.money import Cents
from houseway.simulate.kernels.kernel import payout_limit
from houseway.simulate.prepared import Playing, playing

#: amounts in cents, each with the deals in which it comes, and how many deals there are in all
Ways = tuple[Counter[int], int]


@dataclass(frozen=True)
class Exact:
    """A mean net result in units of the stake, and its variance where that is known."""

    mean: Fraction
    variance: Fraction | None = None

    @classmethod
    def of(cls, spread: Spread) -> Exact:
        return cls(spread.mean, spread.variance)


def exact(game: Playing, position: int, wager: str) -> Exact | None:
    """What one wager of one position is worth a round; None if mathematics has no single number.

    It is the wager's own, before a payout limit, which counts all wagers of a player together; and
    so are the estimates beside it. What the limit takes is measured by seat.
    """
    return _exact(game.plan.encode(), position, wager)


@lru_cache(maxsize=256)
def _exact(encoded: bytes, position: int, wager: str) -> Exact | None:
    game = playing(encoded)
    return game.family.exact(game, position, wager)


def of_par_sheet(
    game: Playing, position: int, wager: str, players: tuple[int, ...] = ()
) -> Exact | None:
    """The figure of the PAR sheet, where it has exactly one with a spread."""
    asked = Asked(
        game.rules.chapter,
        without_limit(game.rules),
        (game.stake_of(position, wager),),
        players,
        game.plan.meters,
    )
    spreads = [entry.spread for entry in entries_of(asked, wager) if entry.spread is not None]
    return Exact.of(spreads[0]) if len(spreads) == 1 else None


def without_limit(rules: Rules) -> Rules:
    """The rules without a payout limit, which belongs to no single wager (see `taken_by_limit`)."""
    if not payout_limit(rules):
        return rules
    return replace(rules, options={**rules.options, "payout_limit": "none"})


def taken_by_limit(game: Playing, position: int) -> Exact | None:
    """What the payout limit takes from a position in a round, exactly, in cents; None if not known.

    A limit counts all wagers of a player together, so the figure needs all cards of a round at once.
    """
    stakes = tuple(sorted(game.plan.stakes[position].items()))
    return _taken(game.plan.encode(), stakes)


@lru_cache(maxsize=64)
def _taken(encoded: bytes, stakes: tuple[tuple[str, Cents], ...]) -> Exact | None:
    game = playing(encoded)
    found = game.family.taken_by_limit(game, dict(stakes)) if payout_limit(game.rules) else None
    if found is None:
        return None
    ways, every = found
    mean = Fraction(sum(amount * count for amount, count in ways.items()), every)
    square = Fraction(sum(amount**2 * count for amount, count in ways.items()), every)
    return Exact(mean, square - mean**2)
