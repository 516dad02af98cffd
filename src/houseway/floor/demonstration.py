"""A house to look at: a table for every chapter, a linked meter, and somebody for every role."""

from __future__ import annotations

from houseway.floor import clock
from houseway.floor.casino import Casino
from houseway.floor.links.operations import Link
from houseway.floor.people.accounts import ALLOWANCE
from houseway.floor.people.signing import By
from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, Rules, choose
from houseway.table.procedure.opening import float_of

#: name of the table, chapter, options, limits, meters
TABLES: dict[
    str, tuple[str, dict[str, object], dict[str, dict[str, str]], dict[str, dict[str, str]]]
] = {
    "maryland": (
        MD,
        {"six_card_bonus": "C", "progressive": "A"},
        {"ante": {"min": "5.00", "max": "500.00"}, "pair_plus": {"min": "5.00", "max": "200.00"}},
        {"progressive": {"rate": "14%", "seed": "2500.00", "reset": "1000.00"}},
    ),
    "massachusetts": (
        MA,
        {"six_card_bonus": "TCP-6B1", "progressive": "1"},
        {"ante": {"min": "10.00", "max": "500.00"}, "pair_plus": {"min": "5.00", "max": "200.00"}},
        {"progressive": {"rate": "20%", "seed": "5000.00", "reset": "1000.00"}},
    ),
    "prime": (
        PRIME,
        {"prime": True, "pair_bonus": "A", "all_six": "A"},
        {"ante": {"min": "5.00", "max": "300.00"}},
        {},
    ),
    "saigon": (SAIGON, {"bonus": "A"}, {"ante": {"min": "10.00", "max": "500.00"}}, {}),
    "down-under": (
        DOWN_UNDER,
        {"match_the_dealer": True},
        {"bet": {"min": "5.00", "max": "1000.00"}},
        {},
    ),
}

#: a linked meter, and the table that feeds it until others join
LINK, LINKED = "chesapeake", "maryland"

PEOPLE = (
    ("pat", "Pat Player", ("player",)),
    ("dana", "Dana Dealer", ("dealer",)),
    ("frank", "Frank Floor", ("floorperson",)),
    ("fiona", "Fiona Floor", ("floorperson",)),
    ("sam", "Sam Surveillance", ("surveillance",)),
    ("ines", "Ines Investigator", ("investigator",)),
    ("carla", "Carla Compliance", ("compliance",)),
    ("conrad", "Conrad Compliance", ("compliance",)),
    ("ada", "Ada Administrator", ("administrator",)),
)


async def furnish(casino: Casino) -> None:
    """Open what is not open yet, and let in who is not there yet."""
    for id, name, roles in PEOPLE:
        if casino.people.find(id) is None:
            person = casino.people.add(id, name, roles, by="demonstration")
            if person.may("player"):
                casino.give(person, ALLOWANCE, by="demonstration")
    if LINKED not in casino.tables:
        _link(casino)
    for name in TABLES:
        if name not in casino.tables:
            await casino.open(name, rules_of(name), float_of("50000.00"), by="")


def rules_of(table: str) -> Rules:
    law, options, limits, meters = TABLES[table]
    return choose(law, options, limits=limits, meters=meters)


def _link(casino: Casino) -> None:
    """The table feeds the link from its opening on."""
    by, link, rules = By("frank", clock.now()), Link(casino.log, LINK), rules_of(LINKED)
    if not casino.log.head(link.stream).version:
        link.open(rules, "progressive", by)
    if not link.read().standing.tables.get(LINKED):
        link.join(LINKED, rules, by)
