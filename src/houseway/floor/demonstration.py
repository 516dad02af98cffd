"""A house to look at: a table for every chapter, a linked meter, and somebody for every role."""

from __future__ import annotations

from houseway.floor import clock
from houseway.floor.casino import Casino
from houseway.floor.links.operations import Link
from houseway.floor.people.accounts import ALLOWANCE
from houseway.floor.people.signing import By
from houseway.game_api.settle import RULES
from houseway.law import Chapter, Rules, chapter, chapters, choose
from houseway.present import PRESENTATION
from houseway.table import TABLE
from houseway.table.procedure.opening import float_of

#: limits of a sample table whose chapter names none
LIMITS = {"min": "5.00", "max": "500.00"}

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
    """Open the tables that are not open yet, and add the people who are missing."""
    for id, name, roles in PEOPLE:
        if casino.people.find(id) is None:
            person = casino.people.add(id, name, roles, by="demonstration")
            if person.may("player"):
                casino.give(person, ALLOWANCE, by="demonstration")
    for name, rules in tables().items():
        if name not in casino.tables:
            sample = rules.chapter.about.sample
            # a copy of a chapter brings the link's name along, but the link is the original's
            if sample.link and name == sample.name:
                _link(casino, name, rules)
            await casino.open(name, rules, float_of("50000.00"), by="")


def tables() -> dict[str, Rules]:
    """A table to look at for every chapter, by the name that its chapter gives it.

    A chapter whose game cannot be dealt, settled and shown here has none.
    """
    found: dict[str, Rules] = {}
    for law in map(chapter, chapters()):
        if not all(part.is_offered(law) for part in (RULES, TABLE, PRESENTATION)):
            continue
        name = law.about.sample.name
        # a copy of a chapter brings its name along
        found[law.id if not name or name in found else name] = sample_rules(law)
    return found


def sample_rules(law: Chapter) -> Rules:
    """The rules of a chapter's sample table; its defaults where it names none."""
    sample = law.about.sample
    usual = {wager.id: LIMITS for wager in law.about.wagers if wager.kind == "standard"}
    return choose(law, sample.rules, limits=sample.limits or usual, meters=sample.meters)


def _link(casino: Casino, table: str, rules: Rules) -> None:
    """The table feeds the link from its opening on."""
    sample = rules.chapter.about.sample
    # a copy of a chapter brings its names along; a link is for one chapter
    name = sample.link if table == sample.name else f"{sample.link}-{table}"
    by, link = By("frank", clock.now()), Link(casino.log, name)
    if not casino.log.head(link.stream).version:
        wager = next(one for one in rules.meter_names)
        link.open(rules, wager.partition(".")[0], by)
    if not link.read().standing.tables.get(table):
        link.join(table, rules, by)
