"""The bet and Match-the-Dealer of one seat, for the joint figures of a PAR sheet."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, ClassVar

from houseway.games.down_under.maths import outcomes
from houseway.games.down_under.maths.entries import spread_of
from houseway.games.down_under.maths.figures import BetFigures
from houseway.law import Paytable
from houseway.maths.figures import Spread
from houseway.maths.joint.covariance import WagerModel
from houseway.maths.wagers import beside


class _Model(WagerModel):
    """A wager of Down Under by its own results; how two of them meet is in `products`."""

    products: ClassVar[dict[tuple[type, type], Callable[[Any, Any], Fraction]]] = {}
    spread: Spread

    def mean(self) -> Fraction:
        return self.spread.mean

    def square(self) -> Fraction:
        return self.spread.square


class Bet(_Model):
    """The bet with its doubles and splits, played the best way."""

    def __init__(self, known: BetFigures) -> None:
        self.spread = spread_of(known)
        self.by_matches = [Fraction(mean) for mean in known.by_matches]


class Match(_Model):
    """Match-the-Dealer: each of two cards that matches is paid, and none loses the wager."""

    def __init__(self, decks: int, table: Paytable) -> None:
        self.spread = outcomes.pay_matches(decks, table)
        self.pays = [beside(table[name].odds, 100) for name in ("suited_match", "unsuited_match")]


def _bet_match(bet: Bet, match: Match) -> Fraction:
    suited, unsuited, none = bet.by_matches
    return match.pays[0] * suited + match.pays[1] * unsuited - none


_Model.products[Bet, Match] = _bet_match
