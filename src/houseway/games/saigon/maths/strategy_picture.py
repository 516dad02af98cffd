"""What setting a hand to each point count brings, as a picture."""

from __future__ import annotations

from fractions import Fraction

from houseway.games.saigon.maths import ante, tallies
from houseway.law import Rules
from houseway.maths.strategy_view import Picture


def picture(rules: Rules, says: str) -> Picture:
    """What a hand brings on average when it is set to each point count."""
    pays = ante.payoffs(rules)
    tally = tallies.kinds()
    totals = [Fraction(0)] * 11
    hands = [0] * 11
    for counts, ways, dealer in zip(tally.counts, tally.ways, tally.dealer, strict=True):
        for state in counts or [0]:
            totals[state] += ways * ante.sumprod(pays.whole[state], dealer)
            hands[state] += ways
    scale = pays.part * ante.DEALER_HANDS
    worth = tuple(
        (
            "does not qualify" if state == 0 else f"point count {state}",
            totals[state] / hands[state] / scale,
        )
        for state in ante.STATES
    )
    return Picture(
        f"{rules.chapter.about.game}: what a setting brings",
        says,
        "On average over all hands that can be set so, per unit of ante.",
        worth=worth,
    )
