"""What the entries of PAR sheets have in common: stakes, payout limits, rows, simpler strategies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from houseway.law import Paytable
from houseway.law.chapter import Wager
from houseway.maths import wagers
from houseway.maths.figures import exact, percent
from houseway.maths.joint.limited import payout_limit, spared
from houseway.maths.par import Asked
from houseway.maths.sheet import AlternativeOut, Entry, Outcome
from houseway.maths.wagers import Outcomes, Worth
from houseway.money import Cents, Odds, dollars, spoken

#: At which stakes a wager is shown whose figures depend on the stake.
STAKES: tuple[Cents, ...] = (100, 500, 2500, 10000)


def stakes_shown(asked: Asked, wager: str, table: Paytable) -> Sequence[Cents | None]:
    """The stakes to show: one, without a name, where it does not matter."""
    if payout_limit(asked.rules) is None and all(
        pay.odds.kind in ("to", "for") for pay in table.pays.values()
    ):
        return (None,)
    if asked.stakes:
        return asked.stakes
    limit = asked.rules.limits.get(wager) if asked.rules is not None else None
    bounds = [bound for bound in (limit.min, limit.max) if bound] if limit else []
    return tuple(dict.fromkeys(bounds)) or STAKES


def worth_at(asked: Asked, stake: Cents | None) -> Worth:
    """What odds are worth beside one unit, cut where the rules have a payout limit."""
    plain = wagers.plain(stake or 100)
    limit = payout_limit(asked.rules)
    if limit is None or stake is None:
        return plain
    most = Fraction(limit, stake)
    return lambda odds: min(plain(odds), most)


#: said of a row that a payout limit cuts
CUT = "cut by the payout limit"


def paid_text(odds: Odds, paid: Fraction, stake: Cents | None) -> str:
    """What a row pays: the odds, or the amount that a payout limit leaves of them."""
    if stake is None or paid >= wagers.beside(odds, stake):
        return odds.text
    return f"{spoken(int(paid * stake))}, {CUT}"


def rows_paid(
    outcomes: Outcomes, table: Paytable, worth: Worth | None = None, stake: Cents | None = None
) -> list[Outcome]:
    worth = worth or wagers.plain(100)
    return [
        Outcome(
            pay.hand, paid_text(pay.odds, worth(pay.odds), stake), ways, worth(pay.odds), pay.clause
        )
        for pay, ways in wagers.by_row(outcomes, table)
    ]


def by_table(asked: Asked, wager: Wager, outcomes: Outcomes) -> Iterator[Entry]:
    """A wager settled by a single paytable lookup."""
    for table in asked.tables(wager.id):
        for stake in stakes_shown(asked, wager.id, table):
            worth = _spared(asked, table, stake)
            yield Entry(
                wager.entry,
                table.id,
                wagers.pay(outcomes, table, worth),
                rows_paid(outcomes, table, worth, stake),
                outcomes.total,
                table.clause,
                {} if stake is None else {"stake": dollars(stake)},
            )


def _spared(asked: Asked, table: Paytable, stake: Cents | None) -> Worth:
    """The same, outcomes that a payout limit spares being paid in full."""
    cut, full = worth_at(asked, stake), wagers.plain(stake or 100)
    spares = spared(asked.rules) if asked.rules is not None else ()
    in_full = {table.pays[hand].odds for hand in table.pays if hand in spares}

    def worth(odds: Odds) -> Fraction:
        return full(odds) if odds in in_full else cut(odds)

    return worth


def alternative(id: str, says: str, edge: Fraction, best: Fraction) -> AlternativeOut:
    cost = edge - best
    return AlternativeOut(id, says, exact(edge), percent(edge), exact(cost), percent(cost))
