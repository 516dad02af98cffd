"""What the entries of PAR sheets have in common: stakes, payout limits, rows, simpler strategies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from houseway.law import Paytable
from houseway.law.chapter import Wager
from houseway.maths import wagers
from houseway.maths.figures import exact, percent
from houseway.maths.par import Asked
from houseway.maths.sheet import AlternativeOut, Entry, Outcome
from houseway.maths.wagers import Outcomes, Worth
from houseway.money import Cents, Odds, dollars

#: At which stakes a wager is shown whose figures depend on the stake.
STAKES: tuple[Cents, ...] = (100, 500, 2500, 10000)


def stakes_shown(asked: Asked, wager: str, table: Paytable) -> Sequence[Cents | None]:
    """The stakes to show: one, without a name, where it does not matter."""
    limited = asked.rules is not None and asked.rules.options.get("payout_limit", "none") != "none"
    if not limited and all(pay.odds.kind in ("to", "for") for pay in table.pays.values()):
        return (None,)
    if asked.stakes:
        return asked.stakes
    limit = asked.rules.limits.get(wager) if asked.rules is not None else None
    bounds = [bound for bound in (limit.min, limit.max) if bound] if limit else []
    return tuple(dict.fromkeys(bounds)) or STAKES


def worth_at(asked: Asked, stake: Cents | None) -> Worth:
    """What odds are worth beside one unit, cut where the rules have a payout limit."""
    plain = wagers.plain(stake or 100)
    limit = asked.rules.options.get("payout_limit", "none") if asked.rules is not None else "none"
    if limit == "none" or stake is None:
        return plain
    most = Fraction(int(limit), stake)
    return lambda odds: min(plain(odds), most)


def rows_paid(outcomes: Outcomes, table: Paytable, worth: Worth | None = None) -> list[Outcome]:
    worth = worth or wagers.plain(100)
    return [
        Outcome(pay.hand, pay.odds.text, ways, worth(pay.odds), pay.clause)
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
                rows_paid(outcomes, table, worth),
                outcomes.total,
                table.clause,
                {} if stake is None else {"stake": dollars(stake)},
            )


def _spared(asked: Asked, table: Paytable, stake: Cents | None) -> Worth:
    """The same, outcomes that a payout limit spares being paid in full."""
    fact = asked.law.about.facts.get("payout_limit_spares")
    spares = fact.value if fact is not None and isinstance(fact.value, tuple) else ()
    cut, full = worth_at(asked, stake), wagers.plain(stake or 100)
    spared = {table.pays[hand].odds for hand in table.pays if hand in spares}

    def worth(odds: Odds) -> Fraction:
        return full(odds) if odds in spared else cut(odds)

    return worth


def alternative(id: str, says: str, edge: Fraction, best: Fraction) -> AlternativeOut:
    cost = edge - best
    return AlternativeOut(id, says, exact(edge), percent(edge), exact(cost), percent(cost))
