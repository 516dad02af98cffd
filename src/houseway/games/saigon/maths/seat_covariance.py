"""Two seats of Saigon 5 Card: how far what they win goes together at most."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from houseway.games.saigon.maths import ante, tallies
from houseway.games.saigon.maths.hand_kinds import IN_DECK, JOKER, beside_kinds
from houseway.law import Rules
from houseway.maths.joint.seat_covariance import bound
from houseway.maths.sheet import Entry


def of_ante(rules: Rules, entry: Entry) -> Fraction:
    """The ante: both seats meet the dealer's hand."""
    assert entry.spread is not None
    best = ante.settings(ante.payoffs(rules))
    return bound(entry.spread.variance, _between_settings(best), 5, 48)


def of_bonus(entry: Entry) -> Fraction:
    """The bonus: only the hand itself matters."""
    assert entry.spread is not None
    return bound(entry.spread.variance, Fraction(0), 5, 53)


def _between_settings(best: ante.Settings) -> Fraction:
    """The players' settings beside each kind of hand that the dealer may have."""
    tally = tallies.kinds()
    held = np.array([[five.count(value) for value in range(1, JOKER + 1)] for five in tally.values])
    players = beside_kinds(held, np.array(best.state), IN_DECK)
    # the dealer sets the highest count that qualifies
    dealer = [counts[0] if counts else 0 for counts in tally.counts]
    nets = np.array(best.pays.whole).T[dealer]
    brought = (players * nets).sum(axis=1).tolist()
    squares = sum(w * b * b for w, b in zip(tally.ways, brought, strict=True))
    return (
        Fraction(squares, ante.DEALS * ante.DEALER_HANDS * best.pays.part**2) - best.spread.mean**2
    )
