"""The terms of a link: from the rules it is opened under, and the same for every table that joins."""

from __future__ import annotations

from dataclasses import replace

from houseway.errors import Refused
from houseway.floor.links.record import LinkState
from houseway.law import MD, MeterTerms, Rules, cites, rules_from
from houseway.law.lawful_meters import unlawful_terms


@cites(MD, "12.E(3)(a)", "12.E(3)(b)")
def terms_of(rules: Rules, wager: str) -> dict[str, MeterTerms]:
    """The meters of a wager as these rules have them, none below what the chapter sets."""
    names = [name for name in rules.meter_names if name.partition(".")[0] == wager]
    if not names:
        raise Refused("no_such_meter", f"{wager} has no meter under these rules", field="wager")
    for problem in unlawful_terms(rules):
        if str(problem.field).split(".")[1] == wager:
            raise problem
    return {name: rules.meter(name) for name in names}


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
