"""The HTTP API: views as JSON, the commands of `houseway drive`, and an event stream.

A program names itself with a bearer token and uses no cookie. What it may see and do is what its
person may: a view is built for a role, and a command is checked like any other.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from houseway.errors import Refused
from houseway.floor import clock
from houseway.floor.casino import Casino
from houseway.floor.people.directory import PEOPLE, Person
from houseway.money import dollars
from houseway.table import next_steps, rules_of
from houseway.untrusted import whole_number
from houseway.web.api.openapi import (
    VIEWS,
    SignIn,
    Steps,
    TableLine,
    Tables,
    Token,
    ViewOut,
    described,
)
from houseway.web.api.views import view_as
from houseway.web.page_support import Json, body, casino, looked, page, person
from houseway.web.pages import account
from houseway.web.stream import Counts, EventStream, still_in, waited
from houseway.web.table import command_routes as acting


async def sign_in(request: Request) -> Response:
    """A token for a name and a password."""
    sent: SignIn = await body(request, SignIn)
    who = await account.check(request, sent.person, sent.password, sent.code)
    people = casino(request).people
    if account.needs_second_factor(request, who) and not people.has_second_factor(who.id):
        raise Refused("no_second_factor", "sign in on the page and add an authenticator first")
    token = await asyncio.to_thread(casino(request).people.open_session, who, "api")
    return Json(Token(token, who.id, who.roles))


async def tables(request: Request) -> Response:
    found = []
    for name, live in sorted(casino(request).all_tables().items()):
        state = live.state
        found.append(
            TableLine(
                name,
                state.chapter,
                rules_of(state).chapter.about.game,
                state.phase,
                state.round,
                len(state.boxes),
                sum(not box.player for box in state.boxes),
                live.version,
            )
        )
    return Json(Tables(found))


def seen_by(house: Casino, name: str, who: Person | None, role: str) -> ViewOut:
    """The view of a role, if it is one of the person's."""
    live = house.fresh(name)
    if role and role not in VIEWS:
        raise Refused("no_such_role", f"a table is seen as {', '.join(VIEWS)}", field="role")
    if role not in ("", "public") and not (
        who is not None and (who.watches if role == "surveillance" else who.may(role))
    ):
        raise Refused("not_your_role", f"you are not here as {role}", field="role")
    role = role or ("player" if who and who.may("player") else "public")
    seat = house.seat_of(name, who.id) if who and role == "player" else 0
    chips = dollars(live.racks.get(seat, 0)) if seat else None
    view = view_as(live.state, role, seat, clock.now())
    root, ahead = live.noted.root or None, live.next_shuffle
    return ViewOut(
        name, live.version, role, view, chips, root, ahead.root if root and ahead else None
    )


async def one_table(request: Request) -> Response:
    role, name = request.query_params.get("role", ""), request.path_params["table"]
    found = seen_by(casino(request), name, person(request), role)
    await _watched(request, role, name)
    return Json(found)


async def _watched(request: Request, role: str, table: str) -> None:
    who = person(request)
    if role == "surveillance" and who is not None:
        await looked(request, who, "table", table)


async def steps(request: Request) -> Response:
    """What is to be done now, by whom, in words and with its clause."""
    live = casino(request).fresh(request.path_params["table"])
    found = next_steps(live.state, irregularities=True, at=clock.now())
    return Json(Steps(live.version, found))


async def follow(request: Request) -> Response:
    """A table's views as they change: `event: view`, with the version as the id."""
    house, name = casino(request), request.path_params["table"]
    who, role = person(request), request.query_params.get("role", "")
    seen_by(house, name, who, role)
    await _watched(request, role, name)

    async def messages() -> AsyncIterator[bytes]:
        changed = asyncio.Event()
        endings = [house.watch(one, lambda _: changed.set()) for one in (name, PEOPLE)]
        allowed = still_in(request)
        Counts.open += 1
        had = request.headers.get("last-event-id", "").removeprefix(f"{name}:")
        known = whole_number(had, 10**15)
        sent = -1 if known is None else known
        try:
            while not request.app.state.stopping.is_set() and allowed():
                changed.clear()
                found = seen_by(house, name, who, role)
                if found.version != sent:
                    sent = found.version
                    Counts.messages += 1
                    yield b"event: view\nid: %b:%d\ndata: %b\n\n" % (
                        name.encode(), sent, msgspec.json.encode(found),
                    )  # fmt: skip
                if not await waited(changed, allowed):
                    yield b": still here\n\n"
        finally:
            Counts.open -= 1
            for end in endings:
                end()

    return EventStream(request, messages())


async def description(request: Request) -> Response:
    return Json(described(str(request.base_url).rstrip("/")))


async def api_page(request: Request) -> Response:
    """How a program, or a card-reading shoe, connects."""
    return page(request, "api.html", base=str(request.base_url).rstrip("/"))


ROUTES = [
    Route("/api", api_page),
    Route("/api/openapi.json", description),
    Route("/api/session", sign_in, methods=["POST"]),
    Route("/api/tables", tables),
    Route("/api/tables/{table}", one_table),
    Route("/api/tables/{table}/next", steps),
    Route("/api/tables/{table}/stream", follow),
    Route("/api/tables/{table}/commands", acting.command, methods=["POST"]),
]
