"""Saigon 5 Card under a payout limit: every deal by what ante and Bonus come to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

from houseway.game_api.payouts import best_pay
from houseway.games.saigon.maths import tallies
from houseway.games.saigon.maths.ante import STATES, payoffs, settings
from houseway.games.saigon.maths.counts import BONUS
from houseway.law import Rules
from houseway.maths.joint.covariance import Together
from houseway.maths.joint.limited import LimitedDeals, Settled
from houseway.maths.wagers import beside
from houseway.money import Cents


def limited(rules: Rules, stakes: Mapping[str, Cents], limit: Cents) -> Together:
    """Ante and Bonus at these stakes, in this order, as they are paid under the limit."""
    ante, bonus = stakes.values()
    nets = payoffs(rules).nets
    best = settings(payoffs(rules, Fraction(limit, ante)))
    tally = tallies.kinds()
    alike: Counter[tuple[int, int, int]] = Counter()
    for state, dealer, hands in zip(best.state, tally.dealer, tally.bonus, strict=True):
        for other in STATES:
            for name, count in enumerate(hands):
                if count:
                    alike[state, other, name] += count * dealer[other]
    deals = LimitedDeals(stakes, limit)
    table = rules.table(
        next(w.id for w in rules.chapter.about.wagers if w.entry == list(stakes)[1])
    )
    for (state, other, name), ways in alike.items():
        net = nets[state][other] * ante
        pay = best_pay(table, (BONUS[name],))
        won = Fraction(0) if pay is None else bonus * beside(pay.odds, bonus)
        deals.add(
            ways,
            (
                Settled(max(-net, Fraction(0)), max(net, Fraction(0))),
                Settled(Fraction(0 if pay else bonus), won),
            ),
        )
    return deals.together()
