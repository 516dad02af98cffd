"""A link from its opening to its tables: a floorperson opens it, lets a table join it and leave it.

The rules come from where they are in force: a table that is there, or an approved submission. Nobody
types them in here.
"""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Callable, Iterator
from contextlib import suppress

from starlette.datastructures import FormData
from starlette.requests import Request

from houseway.errors import Refused
from houseway.floor import clock
from houseway.floor import submissions as filed
from houseway.floor.casino import Casino
from houseway.floor.links.operations import Link
from houseway.floor.links.record import Reading
from houseway.floor.links.terms import check_terms
from houseway.floor.people.signing import By
from houseway.law import Rules
from houseway.submission import check_text
from houseway.table import rules_of
from houseway.web.page_support import casino, person, signed_in, table_name, text
from houseway.web.pages import account

MAY_LINK = ("floorperson",)

#: what a form sends for a choice of rules, and how it is called
Choice = tuple[str, str]


def may(request: Request) -> bool:
    who = person(request)
    return who is not None and any(map(who.may, MAY_LINK))


def asks_password(request: Request) -> bool:
    """Whether the person must confirm with a password."""
    who, people = person(request), casino(request).people
    open_door = request.app.state.demonstration
    return who is not None and (not open_door or people.has_password(who.id))


async def by(request: Request, fields: FormData) -> By:
    """The floorperson who does it, confirmed so that an unattended browser cannot open a link."""
    who = signed_in(request, *MAY_LINK)
    await account.proved(request, who.id, text(fields, "password"))
    return By(who.id, clock.now())


# rules that are in force


def _in_force(house: Casino) -> Iterator[tuple[str, str, Rules]]:
    """Every set of rules with a meter: its choice, its name, itself."""
    today = dt.date.fromisoformat(clock.now()[:10])
    for register in filed.registers(house.log):
        with suppress(Refused):
            kept = register.for_a_table(today)
            found = check_text(kept.text, kept.name).submission
            if found is not None:
                yield f"submission {kept.hash}", f"submission {kept.hash[:12]}", found.rules
    for name, live in sorted(house.all_tables().items()):
        yield f"table {name}", f"table {name}", rules_of(live.state)


def for_a_link(house: Casino) -> list[Choice]:
    """What a new link can be opened with: rules and the wager whose meters they are."""
    return [
        (
            f"{value} {wager}",
            f"{label}: {rules.chapter.line_name(wager)}, {rules.chapter.about.game}",
        )
        for value, label, rules in _in_force(house)
        for wager in dict.fromkeys(meter.partition(".")[0] for meter in rules.meter_names)
    ]


def for_a_table(house: Casino, link: Link) -> list[Choice]:
    """The rules in force that a table can join this link with."""
    standing, found = link.read().standing, []
    for value, label, rules in _in_force(house):
        with suppress(Refused):
            check_terms(rules, standing)
            found.append((value, label))
    return found


def may_join(house: Casino) -> list[str]:
    """Closed tables; a table that is not there yet may join as well."""
    return sorted(name for name, live in house.all_tables().items() if live.state.phase == "closed")


def _rules(house: Casino, choice: str) -> Rules:
    for value, _, rules in _in_force(house):
        if value == choice:
            return rules
    raise Refused("which", "choose rules that are in force", field="rules")


# what is done


async def open_link(request: Request, fields: FormData) -> Link:
    """Open a link as the form describes it."""
    house, who = casino(request), await by(request, fields)
    choice, _, wager = text(fields, "rules").rpartition(" ")

    def do() -> Link:
        link = Link(house.log, text(fields, "name"))
        link.open(_rules(house, choice), wager, who)
        return link

    return await asyncio.to_thread(do)


def _join(house: Casino, link: Link, fields: FormData, who: By) -> Reading:
    return link.join(table_name(fields, "table"), _rules(house, text(fields, "rules")), who)


def _leave(_house: Casino, link: Link, fields: FormData, who: By) -> Reading:
    return link.leave(text(fields, "table"), who)


ACTS: dict[str, Callable[[Casino, Link, FormData, By], Reading]] = {"join": _join, "leave": _leave}
