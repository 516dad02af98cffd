"""Progressive meters in figures: history as a chart, the exact mathematics, what is done to a link.

Anybody may see what the meters show and what the wager is worth. The history of a link, its reserve
and its reconciliation are for those who may look into the record; an adjustment, a transfer or a
shut-down takes a dealer or floorperson and a second floorperson, with their passwords.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from houseway.documents.charts import through_time
from houseway.errors import Refused
from houseway.floor import clock
from houseway.floor.casino import Casino
from houseway.floor.links.figures import Figures, figures, figures_of_table, rules_of_link
from houseway.floor.links.history import Point, acts, points
from houseway.floor.links.operations import Link, links
from houseway.floor.links.own_meters import points_of_table, reconcile_table
from houseway.floor.links.reconcile import Reconciled, reconcile
from houseway.floor.links.record import Reading
from houseway.floor.people.signing import FIRST, Signed, sign
from houseway.money import Cents, cents, exactly
from houseway.table.moment import rules_of
from houseway.untrusted import whole_number
from houseway.web.page_support import amount, casino, form, looked, page, person, signed_in, text
from houseway.web.pages import account
from houseway.web.pages import links as linking
from houseway.web.pages.records.investigation import MAY
from houseway.web.pages.wall import game_of, money, own_meters, tier_name

_POINTS = 60
_AMOUNT = re.compile(r"-?\d{1,12}(?:\.\d{1,9}|/[1-9]\d{0,11})?", re.ASCII)


def _asked(request: Request) -> dict[str, Any]:
    """The wager and the table that figures are asked for."""
    given = request.query_params
    players, stake = given.get("players", "1") or "1", given.get("stake", "").strip()
    seated = whole_number(players, 7)
    if not seated:
        raise Refused("not_a_number", "players must be 1 to 7", field="players")
    return {"players": seated, "stake": cents(stake) if stake else None}


async def progressives(request: Request) -> Response:
    """Every link and every table with meters of its own, with what their wagers are worth."""
    return await _every_page(request)


async def _every_page(
    request: Request, status: int = 200, refusal: Refused | None = None, given: str = ""
) -> Response:
    house = casino(request)
    opens = linking.may(request)
    return page(
        request, "progressives.html", status, asked=request.query_params, money=money,
        found=await asyncio.to_thread(_all, house, _asked(request)),
        rules=await asyncio.to_thread(linking.for_a_link, house) if opens else [],
        opens=opens, asks_mine=linking.asks_password(request), refusal=refusal, given=given,
    )  # fmt: skip


async def open_link(request: Request) -> Response:
    """Open a link under rules that are in force, or say why not where it was asked."""
    fields = await form(request)
    try:
        link = await linking.open_link(request, fields)
    except Refused as refusal:
        if refusal.code in ("not_signed_in", "not_your_role"):
            raise
        status = 401 if refusal.code == "wrong_password" else 422
        return await _every_page(request, status, refusal, text(fields, "name"))
    return RedirectResponse(f"/progressives/{link.name}", status_code=303)


def _all(house: Casino, asked: dict[str, Any]) -> list[dict[str, Any]]:
    found = []
    for link in links(house.log):
        reading = link.read()
        law = rules_of_link(reading).chapter
        about = law.about
        found.append(
            {
                "name": link.name, "address": f"/progressives/{link.name}",
                "where": f"{about.game}, {about.jurisdiction}", "shut": reading.standing.shut,
                "wager": law.line_name(reading.standing.wager), "figures": figures(house.log, reading, **asked),
            }
        )  # fmt: skip
    for name, own in own_meters(house).items():
        table = house.table(name).state
        found += [
            {
                "name": f"Table {name}", "address": f"/tables/{name}/meters", "where": game_of(table), "shut": "",
                "wager": rules_of(table).chapter.line_name(wager), "figures": figures_of_table(house.log, table, wager, **asked),
            }
            for wager in dict.fromkeys(meter.partition(".")[0] for meter in own)
        ]  # fmt: skip
    return found


async def progressive(request: Request) -> Response:
    return await _link_page(request)


async def _link_page(
    request: Request, status: int = 200, refusal: Refused | None = None, act: str = ""
) -> Response:
    house, who = casino(request), person(request)
    asked = _asked(request)
    staff = who is not None and any(who.may(role) for role in (*MAY, *FIRST))
    link = Link(house.log, request.path_params["link"])
    found = await asyncio.to_thread(_seen, link, asked, staff)
    tables = sorted(
        name for name, live in house.all_tables().items() if live.state.phase == "closed"
    ) if staff else []  # fmt: skip
    signs = who is not None and any(who.may(role) for role in FIRST)
    people, open_door = house.people, request.app.state.demonstration
    joins = linking.may(request)
    seconds = [one.id for one in people.everybody() if one.may("floorperson") and one != who]
    return page(
        request, "progressive.html", status, staff=staff, adds=who is not None and any(map(who.may, MAY)), signs=signs, tables=tables,
        seconds=seconds,
        asks_mine=linking.asks_password(request), joins=joins,
        fitting=await asyncio.to_thread(linking.for_a_table, house, link) if joins else [],
        closed=linking.may_join(house) if joins else [],
        asks_theirs=not open_door or any(map(people.has_password, seconds)),
        refusal=refusal, act=act, tier_name=tier_name, amount=amount, money=money, asked=request.query_params,
        **found,
    )  # fmt: skip


def _seen(link: Link, asked: dict[str, Any], staff: bool) -> dict[str, Any]:
    reading, log = link.read(), link.log
    about = rules_of_link(reading).chapter.about
    found: dict[str, Any] = {
        "link": reading.standing, "reading": reading,
        "where": f"{about.game}, {about.jurisdiction}",
        "figures": figures(log, reading, **asked), "acts": [],
        "chart": _chart(link.name, points(log, link.name, _POINTS)),
        "others": [], "sums": None,
    }  # fmt: skip
    if staff:
        found["acts"] = list(acts(log, link.name))[::-1]
        found["others"] = [
            one.name for one in links(log) if one.name != link.name and one.read().standing.shut
        ]
    return found


def _chart(name: str, through: Sequence[Point]) -> str:
    rows = [
        (tier_name(name), [Fraction(point.holds[name]) / 100 for point in through])
        for name in through[-1].holds
    ]
    first, last = (point.time[:19].replace("T", " ") for point in (through[0], through[-1]))
    says = f"What the meters of {name} held, from {first} to {last} UTC."
    return through_time(f"What {name} held", says, (first, last), rows)


async def table_meters(request: Request) -> Response:
    """The meters of a table that no link has."""
    house, who = casino(request), person(request)
    live = house.table(request.path_params["table"])
    staff = who is not None and any(who.may(role) for role in MAY)
    own = own_meters(house).get(live.name)
    if own is None:
        raise Refused("no_such_page", f"table {live.name} has no meters of its own")
    found = await asyncio.to_thread(_of_table, house, live.name, own, _asked(request))
    sums = await asyncio.to_thread(reconcile_table, house.log, live.name) if staff else None
    return page(
        request, "progressive_table.html", name=live.name, where=game_of(live.state),
        wagers=found, sums=sums, hits=live.hits, tier_name=tier_name, chart=await asyncio.to_thread(_chart_of_table, house, live.name),
        asked=request.query_params, money=money, exactly=lambda text: exactly(Fraction(text)),
    )  # fmt: skip


def _of_table(
    house: Casino, name: str, own: dict[str, Cents], asked: dict[str, Any]
) -> dict[str, Figures]:
    table = house.table(name).state
    wagers = dict.fromkeys(meter.partition(".")[0] for meter in own)
    return {wager: figures_of_table(house.log, table, wager, **asked) for wager in wagers}


def _chart_of_table(house: Casino, name: str) -> str:
    try:
        return _chart(f"table {name}", points_of_table(house.log, name, _POINTS))
    except Refused:
        return ""  # nothing was wagered on them yet


async def reconciled(request: Request) -> Response:
    """A link added up again from what its tables recorded."""
    who = signed_in(request, *MAY)
    link = Link(casino(request).log, request.path_params["link"])
    await looked(request, who, "the sums of link", link.name)
    found: Reconciled = await asyncio.to_thread(reconcile, link.log, link.name)
    return page(
        request,
        "progressive_sums.html",
        found=found,
        exactly=lambda text: exactly(Fraction(text)),
    )


# what takes two people


async def _signed(request: Request, fields: FormData) -> Signed:
    first = signed_in(request, *FIRST)
    # whoever is signed in says again who that is: a browser left alone signs nothing
    await account.proved(request, first.id, text(fields, "password"))
    second = text(fields, "second").lower()
    if not second:
        raise Refused("two_people", "a second floorperson signs with the first person")
    other = await account.proved(
        request, second, text(fields, "second_password"), text(fields, "second_code")
    )
    return sign(first, other, text(fields, "reason"), clock.now())


def _adjust(link: Link, fields: FormData, signed: Signed) -> Reading:
    given = text(fields, "amount").replace("−", "-")
    if not _AMOUNT.fullmatch(given):
        raise Refused("not_an_amount", f"{given!r} is not an exact amount", field="amount")
    return link.adjust(text(fields, "meter"), Fraction(given) * 100, signed)


def _take_over(link: Link, fields: FormData, signed: Signed) -> Reading:
    kind, _, name = text(fields, "source").partition(" ")
    if kind == "table":
        return link.take_over_table(name, signed)
    if kind == "link":
        return link.take_over(Link(link.log, name), signed)
    raise Refused("which", "say from which closed table or which link", field="source")


def _shut_down(link: Link, _fields: FormData, signed: Signed) -> Reading:
    return link.shut_down(signed)


#: what takes two
ACTS: dict[str, Callable[[Link, FormData, Signed], Reading]] = {
    "adjust": _adjust,
    "take-over": _take_over,
    "shut-down": _shut_down,
}


async def act(request: Request) -> Response:
    """Carry out what two people signed, or say why not where they signed it."""
    fields = await form(request)
    name = request.path_params["act"]
    if name not in ACTS and name not in linking.ACTS:
        raise Refused("no_such_page", "there is no such page")
    signed_in(request, *(FIRST if name in ACTS else linking.MAY_LINK))
    house = casino(request)
    link = Link(house.log, request.path_params["link"])
    try:
        if name in ACTS:
            signed = await _signed(request, fields)
            await asyncio.to_thread(ACTS[name], link, fields, signed)
        else:
            by = await linking.by(request, fields)
            await asyncio.to_thread(linking.ACTS[name], house, link, fields, by)
    except Refused as refusal:
        status = 401 if refusal.code == "wrong_password" else 422
        return await _link_page(request, status, refusal, name)
    house.link_changed(link.name)
    return RedirectResponse(f"/progressives/{link.name}", status_code=303)


ROUTES = [
    Route("/progressives", progressives),
    Route("/progressives", open_link, methods=["POST"]),
    Route("/tables/{table}/meters", table_meters),
    Route("/progressives/{link}", progressive),
    Route("/progressives/{link}/sums", reconciled),
    Route("/progressives/{link}/{act}", act, methods=["POST"]),
]
