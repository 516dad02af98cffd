"""The terms of a link: from the rules it is opened under, and the same for every table that joins."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from houseway.errors import Refused
from houseway.floor.links.record import LinkState
from houseway.law import MD, MeterTerms, Rules, cites, rules_from
from houseway.money import spoken


@cites(MD, "12.E(3)(a)", "12.E(3)(b)")
def terms_of(rules: Rules, wager: str) -> dict[str, MeterTerms]:
    """The meters of a wager as these rules have them, none below what the chapter sets."""
    names = [name for name in rules.meter_names if name.partition(".")[0] == wager]
    if not names:
        raise Refused("no_such_meter", f"{wager} has no meter under these rules", field="wager")
    found = {}
    for name in names:
        chosen = found[name] = rules.meter(name)
        least = rules.chapter.about.facts.get("meter_least")
        for what, amount in (("seed", chosen.seed), ("reset", chosen.reset)):
            if least is not None and amount < Fraction(str(least.value)) * 100:
                raise Refused(
                    "below_minimum", f"the {what} is {spoken(amount)}, the least ${least.value}",
                    clause=least.clause, field=f"meters.{name}.{what}",
                )  # fmt: skip
    fact = rules.chapter.about.facts.get("progressive_rate_least")
    by_table = fact.value if fact is not None and isinstance(fact.value, dict) else {}
    lowest = by_table.get(rules.table(wager).id) if wager == "progressive" else None
    if fact is not None and lowest is not None:
        shown = sum((one.rate for one in found.values()), Fraction(0))
        if shown < Fraction(str(lowest).removesuffix("%")) / 100:
            raise Refused(
                "below_minimum", f"the rate of progression is below {lowest}",
                clause=fact.clause, field="rate",
            )  # fmt: skip
    return found


def _pays_alike(rules: Rules, standing: LinkState) -> bool:
    """Whether the table's edition pays the wager as the link's edition does."""
    if standing.rules.get("edition") in (None, rules.chapter.about.edition):
        return True
    ours, theirs = (
        {hand: pay.odds for hand, pay in one.table(standing.wager).pays.items()}
        for one in (rules, rules_from(standing.rules))
    )
    return ours == theirs


def check_terms(rules: Rules, standing: LinkState) -> None:
    """A table feeds a link only if it plays the wager as the link does."""
    wager, file = standing.wager, rules.as_file()
    names = [name for name in rules.meter_names if name.partition(".")[0] == wager]
    same = (
        rules.chapter.id == standing.rules["chapter"]
        and set(names) == standing.terms.keys()
        and all(
            replace(rules.meter(name), seed=terms.seed) == terms
            for name, terms in standing.terms.items()
        )
        and all(
            file.get(part, {}).get(wager) == standing.rules.get(part, {}).get(wager)
            for part in ("rules", "paytables")
        )
        and file["rules"].get("several_meter_hits")
        == standing.rules["rules"].get("several_meter_hits")
        and _pays_alike(rules, standing)
    )
    if not same:
        raise Refused(
            "other_terms",
            f"{standing.name} is for the {wager} of {standing.rules['chapter']} with its paytable,"
            " rates, reserves and resets, and what it does with several wins",
        )
