"""Wagers settled by a single paytable lookup: their outcomes with the number of deals for each.

An outcome has the names that a paytable may call it by, the most particular first; they are the
names that the game itself gives to such a hand. Counting and paying meet only here: a tally says
how many deals come to an outcome, a paytable what it pays, and `pay` puts them together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

import msgspec

from houseway.errors import Refused
from houseway.game_api.payouts import best_pay
from houseway.law import Pay, Paytable
from houseway.maths.figures import Spread
from houseway.money import Cents, Odds

LOSES = Fraction(-1)


class Outcomes(msgspec.Struct, frozen=True, dict=True):
    """The outcomes of a wager: the names of each and its number of deals, out of `total`."""

    rows: tuple[tuple[tuple[str, ...], int], ...]
    total: int


def beside(odds: Odds, stake: Cents) -> Fraction:
    """What odds pay beside the stake, in units of it; meters are not odds alone."""
    if odds.kind == "to":
        return odds.value
    if odds.kind == "for":
        return odds.value - 1
    if odds.kind == "dollars":
        return odds.value / stake
    raise Refused("not_odds", f"{odds.text} depends on the meter")


Worth = Callable[[Odds], Fraction]


def pay(outcomes: Outcomes, table: Paytable, worth: Worth) -> Spread:
    """The net results of a wager that this table pays."""
    ways: dict[Fraction, int] = {}
    for names, count in outcomes.rows:
        found = best_pay(table, names)
        net = LOSES if found is None else worth(found.odds)
        ways[net] = ways.get(net, 0) + count
    return Spread(ways, outcomes.total)


def edge(outcomes: Outcomes, table: Paytable) -> Fraction:
    """The house edge alone, fast: for tables that pay odds and nothing else."""
    taken = outcomes.total
    back, part = 0, 1  # what is given back over all deals, in parts of the stake
    pays = table.pays
    for names, count in outcomes.rows:
        for name in names:
            found = pays.get(name)
            if found is None:
                continue
            odds = found.odds
            top, bottom = odds.value.numerator, odds.value.denominator
            if odds.kind == "to":
                top += bottom
            elif odds.kind != "for":
                raise Refused("not_odds", f"{odds.text} depends on more than the paytable")
            if bottom == part:
                back += top * count
            else:
                back, part = back * bottom + top * count * part, part * bottom
            break
    return Fraction(taken * part - back, taken * part)


def by_row(outcomes: Outcomes, table: Paytable) -> list[tuple[Pay, int]]:
    """Each row of the table with the deals that it pays, in the order of the table."""
    counts = dict.fromkeys(table.pays, 0)
    for names, count in outcomes.rows:
        found = best_pay(table, names)
        if found is not None:
            counts[found.hand] += count
    return [(found, counts[hand]) for hand, found in table.pays.items()]


def together(spreads: Iterable[Spread]) -> Spread:
    """Parts of one whole, each counted among the same total, as one."""
    ways: dict[Fraction, int] = {}
    total = 0
    for part in spreads:
        total = part.total
        for net, count in part.ways.items():
            ways[net] = ways.get(net, 0) + count
    return Spread(ways, total)


def plain(stake: Cents) -> Worth:
    """Odds alone, at this stake."""
    return lambda odds: beside(odds, stake)
