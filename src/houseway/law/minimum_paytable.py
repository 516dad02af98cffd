"""Compare a paytable of the house's own with the minimum that its chapter allows."""

from __future__ import annotations

from fractions import Fraction

from houseway.errors import Refused
from houseway.law.chapter import MA, Paytable
from houseway.law.citations import cites
from houseway.law.outcome import names_of
from houseway.money import Odds


def _ratio(odds: Odds) -> Fraction | None:
    """What is paid for one unit staked; None if the payout does not depend on the stake."""
    return odds.exactly(1) if odds.kind in ("to", "for") else None


@cites(MA, "11(a)(2)")
def raised_to(least: Paytable, own: Paytable) -> tuple[Paytable, list[Refused]]:
    """The table with every row below the minimum raised to it, and the refusals of those rows."""
    pays = dict(own.pays)
    problems = []
    for outcome, floor in least.pays.items():
        row = next((pays[name] for name in names_of(outcome) if name in pays), None)
        ratio = _ratio(row.odds) if row else Fraction(0)
        least_ratio = _ratio(floor.odds)
        assert least_ratio is not None
        if ratio is None or ratio < least_ratio:
            has = f"pays {row.odds}" if row else "has no line"
            problems.append(
                Refused(
                    "pays_too_little",
                    f"{outcome.replace('_', ' ')} {has} where at least {floor.odds} is due",
                    remedy=f"pay {floor.odds} or more",
                    clause=floor.clause,
                    field=f"paytables.{own.wager}.{outcome}",
                )
            )
            pays[outcome] = floor
    return Paytable(own.wager, own.id, own.clause, pays), problems
