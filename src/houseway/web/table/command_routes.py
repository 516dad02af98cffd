"""Commands from a page or a program: checked against who sends them, then carried out at the table."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from houseway.decode_errors import decode_error
from houseway.errors import Refused
from houseway.floor.bots.dealer import SYSTEM, SystemDealer
from houseway.floor.casino import command_of
from houseway.floor.people.directory import Person
from houseway.money import dollars
from houseway.table import rules_of
from houseway.table.driver import BY_SYSTEM
from houseway.table.engine import authorize
from houseway.table.state import wager_of
from houseway.web.api.openapi import LONGEST_KEY
from houseway.web.page_support import Json, body, casino, signed_in


class Sent(msgspec.Struct, frozen=True):
    """What every command that is sent carries; its own fields stand beside these."""

    command: str
    version: int | None = None
    key: str = ""
    role: str = ""


async def command(request: Request) -> Response:
    """A command from a page or a program: the same commands as `houseway drive`."""
    who = signed_in(request)
    given: dict[str, Any] = await body(request, dict[str, Any])
    try:
        sent = msgspec.convert(given, Sent)
    except msgspec.ValidationError as error:
        raise decode_error(error, "not_understood", "command", given) from None
    fields = {k: v for k, v in given.items() if k not in Sent.__struct_fields__}
    name = request.path_params["table"]
    done = await carry_out(request, name, who, sent, fields)
    return Json(done)


#: the roles in which somebody does something at a table; the others look on
_ACTING = ("player", "dealer", "floorperson")


async def carry_out(
    request: Request, name: str, who: Person, sent: Sent, fields: dict[str, Any]
) -> Any:
    house = casino(request)
    live = house.fresh(name)
    role = sent.role or ("player" if who.may("player") else next(iter(who.roles)))
    if role not in who.roles or role not in _ACTING:
        raise Refused("not_your_part", f"you are not here as {role or 'anybody'}")
    if len(sent.key) > LONGEST_KEY:
        raise Refused("not_understood", f"a key has up to {LONGEST_KEY} characters", field="key")
    key = f"{who.id}:{sent.key}" if sent.key else ""
    if sent.command == "buy_in" and role == "player":
        # cash for chips: the dealer sells them
        seat = house.seat_of(name, who.id)
        if not seat or fields.get("seat", seat) != seat:
            raise Refused("nobody_there", "sit down first")
        made = command_of(
            "buy_in", {**fields, "seat": seat}, role="dealer", who=live.state.dealer or SYSTEM
        )
        return await house.act(name, made, key=key)
    if role == "player" and sent.command == "sit_down":
        fields["player"] = who.id
    if role == "dealer" and sent.command != "change_dealer" and live.state.dealer != who.id:
        raise Refused("not_your_part", "take the table over first")
    if sent.command == "change_dealer" and role == "dealer":
        fields["dealer"] = who.id if fields.get("dealer") != SYSTEM else SYSTEM
    if sent.command == "open_table":
        raise Refused("not_your_part", "a table is opened from an approved submission")
    if role == "player" and (fields.get("card") or fields.get("cards")):
        raise Refused("not_your_part", "the dealer or the shoe names the cards, not a player")
    real = bool(fields.pop("real", False)) if sent.command in BY_SYSTEM else True
    made = command_of(sent.command, fields, role=role, who=who.id)
    authorize(live.state, made)
    if not real:
        # the system's shoe knows the order; cards on a real table are keyed in as they are turned
        order = tuple(request.app.state.dealer.order(live.state, sent.command))
        made = msgspec.structs.replace(made, role="system", order=order)
    request.app.state.presence.seen(name, who.id)
    return await house.act(name, made, key=key, seen=sent.version)


async def ready(request: Request) -> Response:
    """A player who has wagered wants to be dealt in."""
    await body(request, dict[str, Any])
    who = signed_in(request, "player")
    dealing: SystemDealer = request.app.state.dealer
    name = request.path_params["table"]
    casino(request).fresh(name)
    if not casino(request).seat_of(name, who.id):
        raise Refused("nobody_there", "sit down first")
    await dealing.deal_now(name, who.id)
    return Json({"table": name, "version": casino(request).table(name).version})


async def company(request: Request) -> Response:
    """Somebody who sits alone asks for company."""
    sent: dict[str, Any] = await body(request, dict[str, Any])
    who = signed_in(request, "player")
    name = request.path_params["table"]
    casino(request).fresh(name)
    if not casino(request).seat_of(name, who.id):
        raise Refused("nobody_there", "sit down first")
    count = sent.get("count", 2)
    if not isinstance(count, int) or not 1 <= count <= 7:
        raise Refused("not_understood", "one to seven may come", field="count")
    return Json({"came": await request.app.state.company.sit(name, count)})


async def again(request: Request) -> Response:
    """The same wagers as in the last round, as far as they may be made."""
    sent: dict[str, Any] = await body(request, dict[str, Any])
    who = signed_in(request, "player")
    house, name = casino(request), request.path_params["table"]
    house.fresh(name)
    seat = house.seat_of(name, who.id)
    if not seat:
        raise Refused("nobody_there", "sit down first")
    live = house.table(name)
    rules = rules_of(live.state)
    for wager, amount in live.last_bets.get(seat, {}).items():
        plain, hand = wager_of(wager)
        known = rules.chapter.wagers.get(plain)
        if known is None or known.made != "before_deal":
            continue
        if wager in live.state.boxes[seat - 1].wagers:
            continue
        fields = {"seat": seat, "wager": plain, "amount": dollars(amount), "hand": hand}
        made = command_of("place_wager", fields, role="player", who=who.id)
        await house.act(name, made, key=f"{who.id}:{sent.get('key', '')}:{wager}")
    return Json({"table": name, "version": live.version})


ROUTES = [
    Route("/tables/{table}/commands", command, methods=["POST"]),
    Route("/tables/{table}/ready", ready, methods=["POST"]),
    Route("/tables/{table}/again", again, methods=["POST"]),
    Route("/tables/{table}/company", company, methods=["POST"]),
]
