"""A paytable of the house's own beside the least that its chapter allows."""

from __future__ import annotations

from fractions import Fraction

from houseway.errors import Refused
from houseway.law.chapter import MA, Paytable
from houseway.law.citations import cites
from houseway.law.outcome import names_of
from houseway.money import Odds


def _ratio(odds: Odds) -> Fraction | None:
    """What is paid beside one unit staked; None where the stake does not decide it."""
    return odds.exactly(1) if odds.kind in ("to", "for") else None


@cites(MA, "11(a)(2)")
def check_least(own: Paytable, least: Paytable) -> None:
    """Refuse a table that pays less than the least one in any row."""
    for outcome, floor in least.pays.items():
        row = next((own.pays[name] for name in names_of(outcome) if name in own.pays), None)
        ratio = _ratio(row.odds) if row else Fraction(0)
        least_ratio = _ratio(floor.odds)
        assert least_ratio is not None
        if ratio is None or ratio < least_ratio:
            pays = f"pays {row.odds}" if row else "has no line"
            raise Refused(
                "pays_too_little",
                f"{outcome} {pays} where at least {floor.odds} is due",
                clause=floor.clause,
                field=f"paytables.{own.wager}.{outcome}",
            )
