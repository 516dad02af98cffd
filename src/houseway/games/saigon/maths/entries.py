"""The entries of a PAR sheet for Saigon 5 Card."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import comb

from houseway.games.saigon.hands import Setting
from houseway.games.saigon.maths import ante as saigon
from houseway.games.saigon.maths import tallies
from houseway.games.saigon.maths.counts import BONUS
from houseway.games.saigon.settlement import settle_ante
from houseway.law import Paytable, Rules, choose
from houseway.law.chapter import Wager
from houseway.maths.entries import alternative, paid_text, stakes_shown, worth_at
from houseway.maths.joint.limited import payout_limit
from houseway.maths.par import Asked
from houseway.maths.sheet import Entry, Outcome, StrategyOut
from houseway.maths.wagers import Outcomes
from houseway.money import Cents, dollars


@cache
def bonus_outcomes() -> Outcomes:
    """Five cards of a deck with a joker."""
    tally = tallies.kinds()
    counts = [sum(kind[place] for kind in tally.bonus) for place in range(len(BONUS))]
    return Outcomes(
        tuple(((name,), ways) for name, ways in zip(BONUS, counts, strict=True)), comb(53, 5)
    )


def ante(asked: Asked, wager: Wager) -> Iterator[Entry]:
    """The ante, every hand set the best way."""
    for table in asked.tables(wager.id):
        for stake in stakes_shown(asked, wager.id, table):
            yield _ante_at(asked, wager, table, stake)


def _ante_at(asked: Asked, wager: Wager, table: Paytable, stake: Cents | None) -> Entry:
    """The ante at a stake, where that matters."""
    limit = payout_limit(asked.rules)
    most = None if limit is None or stake is None else Fraction(limit, stake)
    pays = saigon.payoffs(asked.rules or choose(asked.law), most)
    best = saigon.settings(pays)
    five, worth = table.get("point_count_5"), worth_at(asked, stake)
    shown = {"win": table["win"], "win_with_5": five or table["win"]}
    rules = asked.rules or choose(asked.law)
    rows = [
        Outcome(
            name, paid_text(pay.odds, worth(pay.odds), stake), ways, worth(pay.odds), pay.clause
        )
        if (pay := shown.get(name))
        else Outcome(name, _NOT_PAID[name][0], ways, _NOT_PAID[name][1], _not_paid(rules, name))
        for name, ways in best.outcomes.items()
    ]
    columns = {} if stake is None else {"stake": dollars(stake)}
    return Entry(
        wager.entry, table.id, best.spread, rows, saigon.DEALS, table.clause, columns,
        _strategy(pays, best),
    )  # fmt: skip


_RETURNED, _LOST = ("returned", Fraction(0)), ("lost", Fraction(-1))
_NOT_PAID = {
    "push": _RETURNED, "neither_qualifies": _RETURNED, "lose": _LOST,
    "dealer_alone_qualifies": _LOST,
}  # fmt: skip

#: three cards that do not qualify, and two point counts of three that do
_NO_HAND, _LOW, _HIGH = (
    Setting((), (), qualifies, count) for qualifies, count in ((False, 0), (True, 3), (True, 8))
)
_HANDS = {
    "push": (_LOW, _LOW), "neither_qualifies": (_NO_HAND, _NO_HAND), "lose": (_LOW, _HIGH),
    "dealer_alone_qualifies": (_NO_HAND, _LOW),
}  # fmt: skip


def _not_paid(rules: Rules, outcome: str) -> str:
    """The clause that takes the ante or gives it back, as settlement cites it."""
    return settle_ante(rules, 100, *_HANDS[outcome]).clause


def _strategy(pays: saigon.Payoffs, best: saigon.Settings) -> StrategyOut:
    tally = tallies.kinds()
    avoided = [
        (counts[0], state, ways)
        for counts, state, ways in zip(tally.counts, best.state, tally.ways, strict=True)
        if counts and state != counts[0]
    ]
    choices = saigon.hands_with_a_choice()
    fives = saigon.hands_with_a_choice((5,))
    if avoided:
        says = (
            "Set the qualifying three that leave the highest point count, except in "
            f"{sum(ways for _, _, ways in avoided):,} hands, where a lower one brings more."
        )
    else:
        beside = sorted({c for counts in tally.counts if counts[:1] == [5] for c in counts[1:]})
        says = (
            "Set the qualifying three that leave the highest point count. Do not avoid a point count "
            f"of 5, although it pays less: the only alternative is {' or '.join(map(str, beside))}."
        )
    edge = best.spread.edge
    return StrategyOut(
        says,
        {
            "hands_with_a_choice": choices,
            "of_which_can_be_5": fives,
            "set_below_the_highest": [
                {"highest": high, "set_to": state, "hands": ways} for high, state, ways in avoided
            ],
        },
        [
            alternative(
                "as_the_dealer",
                "always the highest point count",
                saigon.settings(pays, saigon.highest).spread.edge,
                edge,
            ),
            alternative(
                "avoid_five",
                "never 5 where another count can be had",
                saigon.settings(pays, saigon.avoid_five).spread.edge,
                edge,
            ),
        ],
    )
