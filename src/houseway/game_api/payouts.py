"""Paying a wager from its paytable: the odds and the clause come from the chapter's data."""

from __future__ import annotations

from collections.abc import Sequence

from houseway.game_api.round import Line, Meters
from houseway.law import Pay, Paytable, Rules
from houseway.money import Cents


def best_pay(table: Paytable, names: Sequence[str]) -> Pay | None:
    """The payout for the most specific name of a hand that the table lists."""
    for name in names:
        pay = table.pays.get(name)
        if pay is not None:
            return pay
    return None


def pay_wager(
    rules: Rules,
    table: Paytable,
    wager: str,
    stake: Cents,
    names: Sequence[str],
    *,
    lost: str,
    meters: Meters | None = None,
    hand: int | None = None,
) -> Line:
    """Settle a wager against a paytable; `lost` is the clause by which a losing one is taken.

    Without `meters`, a line that a meter pays names it and is still due its share (`Meters.pay`).
    """
    pay = best_pay(table, names)
    if pay is None:
        return Line(wager, stake, "lose", 0, lost, hand=hand)
    if pay.odds.kind == "meter":
        meter = rules.meter_name(wager, pay.odds)
        due = Line(
            wager, stake, "win", -stake, pay.clause, pay.odds.text, hand, meter, outcome=pay.hand
        )  # fmt: skip
        return due if meters is None else meters.pay(due)
    paid = pay.odds.beside(stake)
    return Line(wager, stake, "win", paid, pay.clause, pay.odds.text, hand, outcome=pay.hand)


def pay_bonus(
    table: Paytable, wager: str, on: Cents, names: Sequence[str], *, hand: int | None = None
) -> Line | None:
    """A bonus paid on another wager's stake, or in dollars; None if nothing is due."""
    pay = best_pay(table, names)
    if pay is None:
        return None
    paid = pay.odds.beside(on)
    return Line(wager, 0, "bonus", paid, pay.clause, pay.odds.text, hand, outcome=pay.hand)
