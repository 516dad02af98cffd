"""Whether the terms of progressive meters are lawful: stated, and none below what a chapter sets.

A Rules Submission, a link and a table need such terms. Settling a round, a PAR sheet and a
simulation do not.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from houseway.errors import Refused
from houseway.law.rules import Rules
from houseway.money import cents, spoken

#: terms that every chapter allows, for an example and where nothing depends on them
EXAMPLE_TERMS = {"rate": "20%", "reserve": "0%", "seed": "1000.00", "reset": "1000.00"}


def unlawful_terms(rules: Rules) -> Iterator[Refused]:
    """What is wrong with the meters of these rules, each with its clause where one sets a least."""
    amount = rules.chapter.about.facts.get("meter_least")
    for name in rules.meter_names:
        if name not in rules.meters:
            yield Refused(
                "not_stated",
                "the terms of this meter are not given",
                remedy='give its rate, seed and reset, such as rate = "20%"',
                clause=amount.clause if amount else None,
                field=f"meters.{name}",
            )
            continue
        terms = rules.meters[name]
        for what, held in (("seed", terms.seed), ("reset", terms.reset)):
            if amount is not None and held < (least := cents(str(amount.value))):
                yield Refused(
                    "below_minimum",
                    f"the {what} is {spoken(held)}; it is at least {spoken(least)}",
                    clause=amount.clause,
                    field=f"meters.{name}.{what}",
                )
    yield from _low_rates(rules)


def _low_rates(rules: Rules) -> Iterator[Refused]:
    """The rate of a wager's meters together, against the least for its paytable."""
    fact = rules.chapter.about.facts.get("progressive_rate_least")
    least = fact.value if fact is not None and isinstance(fact.value, dict) else {}
    for wager in dict.fromkeys(name.partition(".")[0] for name in rules.meter_names):
        # the chapter sets it for one wager, by the paytable that was chosen
        lowest = least.get(rules.table(wager).id) if fact and wager == fact_wager(rules) else None
        own = [name for name in rules.meter_names if name.partition(".")[0] == wager]
        if fact is None or lowest is None or any(name not in rules.meters for name in own):
            continue
        rate = sum((rules.meters[name].rate for name in own), Fraction(0))
        if rate < Fraction(str(lowest).removesuffix("%")) / 100:
            yield Refused(
                "below_minimum",
                f"the rate of progression is {float(rate * 100):g}%; it is at least {lowest}",
                clause=fact.clause,
                field=f"meters.{wager}",
            )


def fact_wager(rules: Rules) -> str:
    """The wager whose rate the chapter sets a least for: the first progressive that it has."""
    return next(
        (wager.id for wager in rules.chapter.wagers.values() if wager.kind == "progressive"), ""
    )
