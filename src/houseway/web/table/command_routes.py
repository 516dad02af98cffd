"""Commands from a page or a program: checked against who sends them, then carried out at the table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from houseway.decode_errors import decode_error
from houseway.errors import Refused, printable
from houseway.floor.bots.dealer import SYSTEM, SystemDealer
from houseway.floor.casino import Casino, command_of
from houseway.floor.live_table import Live
from houseway.floor.people.access import Access
from houseway.floor.people.directory import Person
from houseway.floor.people.duties import needs_second, plays
from houseway.money import Cents, cents, dollars
from houseway.store import Unavailable
from houseway.table import Table, rules_of
from houseway.table import commands as c
from houseway.table.driver import BY_SYSTEM
from houseway.table.engine import authorize
from houseway.table.state import wager_of
from houseway.untrusted import whole_number
from houseway.web.api.openapi import ADD_NUMBER, LONGEST_KEY
from houseway.web.page_support import Json, body, casino, signed_in
from houseway.web.pages import account
from houseway.web.pages.start import COMPUTER_PLAYERS, DEALER_TABLE
from houseway.web.table.dealer_forms import starts_device
from houseway.web.table.player_choices import again_bets


class Sent(msgspec.Struct, frozen=True):
    """What every command that is sent carries; its own fields stand beside these."""

    command: str
    version: int | None = None
    key: str = ""
    role: str = ""
    #: who signs with the sender, where two people do something
    second: str = ""
    second_password: str = ""
    second_code: str = ""


#: the fields with which a second person signs
SECOND = ("second", "second_password", "second_code")


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
    try:
        done = await carry_out(request, name, who, sent, fields)
    except Refused as refusal:
        await note_refusal(request, name, who, sent.command, refusal)
        raise
    return Json(done)


#: refusals that are not the sender's fault: somebody was quicker, or the record was unavailable
_NOT_COUNTED = ("stale", "conflict", "busy", "not_a_version")


async def note_refusal(
    request: Request, table: str, who: Person, command: str, refusal: Refused
) -> None:
    """Log a refused command; a sender who keeps trying has to wait."""
    if refusal.code in _NOT_COUNTED or isinstance(refusal, Unavailable):
        return
    what = printable(command, 60)
    access: Access = request.app.state.access
    wait = await asyncio.to_thread(access.refused, who.id, what, f"table {table}: {refusal.code}")
    if wait:
        # one after another: sending many at once must not get more answers than sending them in
        # turn
        async with access.turns.setdefault(who.id, asyncio.Lock()):
            await asyncio.sleep(wait)


def checked_key(key: str) -> str:
    """The key of a command, which goes on record with it, if it is not too long for that."""
    if len(key) > LONGEST_KEY:
        raise Refused(
            "not_understood", f"a key may have up to {LONGEST_KEY} characters", field="key"
        )
    return key


#: the roles that act at a table; the others only watch
_ACTING = ("player", "dealer", "floorperson")


async def carry_out(
    request: Request, name: str, who: Person, sent: Sent, fields: dict[str, Any]
) -> Any:
    house = casino(request)
    live = house.fresh(name)
    role = sent.role or ("player" if who.may("player") else next(iter(who.roles)))
    if role not in who.roles or role not in _ACTING:
        raise Refused("not_your_part", f"you are not here as {role or 'anybody'}")
    key = f"{who.id}:{checked_key(sent.key)}" if sent.key else ""
    if sent.command == "buy_in" and role == "player":
        # cash for chips: the dealer sells them
        seat = house.seat_of(name, who.id)
        if not seat or fields.get("seat", seat) != seat:
            raise Refused("nobody_there", "sit down first")
        made = command_of(
            "buy_in", {**fields, "seat": seat}, role="dealer", who=live.state.dealer or SYSTEM
        )
        return await house.act(name, made, key=key)
    if sent.command == ADD_NUMBER:
        number = _number_of(role, fields)
        return await house.add_number(name, who.id, number, key=key)
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
    asked = dict(fields)
    real = bool(fields.pop("real", False)) if sent.command in BY_SYSTEM else True
    acting = "device" if role == "dealer" and starts_device(live, sent.command) else role
    made = command_of(sent.command, fields, role=acting, who=who.id)
    authorize(live.state, made)
    _check_named(house, made)
    check = await check_duties(request, live, who, role, sent, asked)
    if not real:
        # the system's shoe knows the order; cards on a real table are keyed in as they are turned
        order = request.app.state.dealer.order(live, sent.command)
        made = msgspec.structs.replace(made, role="system", order=order)
    request.app.state.presence.seen(name, who.id)
    done = await house.act(name, made, key=key, seen=sent.version, check=check)
    if sent.command == "change_dealer" and name == DEALER_TABLE:
        await _seat_computer_players(request, who)
    return done


def _number_of(role: str, fields: dict[str, Any]) -> str:
    """The number that a player adds to the next shuffle."""
    if role != "player":
        raise Refused("not_your_part", "only players add numbers to a shuffle")
    number = fields.get("number")
    if not isinstance(number, str) or fields.keys() - {"number", "seat"}:
        raise Refused("not_a_command", "give your number as text, `number`", field="number")
    return number


async def _seat_computer_players(request: Request, who: Person) -> None:
    """Seat computer players at the table where the demonstration's dealer starts."""
    table = casino(request).table(DEALER_TABLE).state
    if (
        request.app.state.demonstration
        and table.dealer == who.id
        and not any(box.player for box in table.boxes)
    ):
        await request.app.state.bot_players.sit(DEALER_TABLE, COMPUTER_PLAYERS, last=True)


def _check_named(house: Casino, command: c.Command) -> None:
    """Refuse a command that seats an unknown person or makes one the dealer."""
    named, role = "", ""
    match command:
        case c.SitDown():
            named, role = command.player, "player"
        case c.ChangeDealer() if command.dealer != SYSTEM:
            named, role = command.dealer, "dealer"
    if role:
        who = house.people.find(named)
        if who is None or not who.may(role) or house.people.is_disabled(named):
            raise Refused("not_your_part", f"{printable(named, 60)} is not a {role} here")


async def check_duties(
    request: Request, live: Live, who: Person, role: str, sent: Sent, fields: dict[str, Any]
) -> Callable[[Table], None]:
    """Have the second person sign a command that takes two people; in the demonstration nobody
    signs.

    Returns a check to run when the command is carried out, because things may change until then.
    """
    second: Person | None = None

    def check(table: Table) -> None:
        if request.app.state.demonstration:
            return
        if second is None:
            if needs_second(table, who.id, role, sent.command, fields):
                raise Refused("two_people", "a second floorperson signs for this", field="second")
        elif plays(table, second.id):
            raise Refused("two_duties", "a player at a table may not deal or supervise there")

    if not sent.second or sent.second == who.id:
        check(live.state)
        return check
    if request.app.state.demonstration or not needs_second(
        live.state, who.id, role, sent.command, fields
    ):
        return check
    second = await account.proved(request, sent.second, sent.second_password, sent.second_code)
    if not second.may("floorperson"):
        raise Refused("two_people", f"{second.id} is not a floorperson", field="second")
    check(live.state)
    await asyncio.to_thread(
        request.app.state.access.signed,
        second.id,
        sent.command,
        f"table {live.name}, with {who.id}",
    )
    return check


async def ready(request: Request) -> Response:
    """A player who has wagered wants to be dealt in."""
    await body(request, dict[str, Any])
    who = signed_in(request, "player")
    dealing: SystemDealer = request.app.state.dealer
    name = request.path_params["table"]
    casino(request).fresh(name)
    _seat_here(request, who, name)
    await dealing.deal_now(name, who.id)
    return Json({"table": name, "version": casino(request).table(name).version})


async def company(request: Request) -> Response:
    """Add computer players: for somebody who sits alone, or who deals to an empty table."""
    sent: dict[str, Any] = await body(request, dict[str, Any])
    who = signed_in(request, "player", "dealer")
    name = request.path_params["table"]
    live = casino(request).fresh(name)
    if not casino(request).seat_of(name, who.id) and live.state.dealer != who.id:
        raise Refused("nobody_there", "sit down first")
    if not request.app.state.demonstration:
        raise Refused("not_your_part", "computer players are available in the demonstration only")
    count = sent.get("count", 2)
    if not isinstance(count, int) or not 1 <= count <= 7:
        raise Refused("not_understood", "add one to seven computer players", field="count")
    return Json({"came": await request.app.state.bot_players.sit(name, count)})


def _seat_here(request: Request, who: Person, name: str) -> int:
    casino(request).fresh(name)
    seat = casino(request).seat_of(name, who.id)
    if not seat:
        raise Refused("nobody_there", "sit down first")
    request.app.state.presence.seen(name, who.id)
    return seat


async def again(request: Request) -> Response:
    """The same wagers as in the last round, as far as they may be made; with `deal`, dealt at once."""
    sent: dict[str, Any] = await body(request, dict[str, Any])
    who, name = signed_in(request, "player"), request.path_params["table"]
    seat = _seat_here(request, who, name)
    live = casino(request).table(name)
    missing = {
        wager: amount
        for wager, amount in again_bets(live, seat).items()
        if wager not in live.state.boxes[seat - 1].wagers
    }
    await _place(request, name, who, seat, missing, checked_key(str(sent.get("key", ""))))
    if sent.get("deal") is True:
        await request.app.state.dealer.deal_now(name, who.id)
    return Json({"table": name, "version": live.version})


async def _place(
    request: Request, name: str, who: Person, seat: int, wagers: dict[str, Cents], key: str
) -> None:
    """Place wagers in the chapter's order, so that a wager comes after the one it requires."""
    order = list(rules_of(casino(request).table(name).state).chapter.wagers)
    for wager in sorted(wagers, key=lambda one: order.index(wager_of(one)[0])):
        plain, hand = wager_of(wager)
        fields = {"seat": seat, "wager": plain, "amount": dollars(wagers[wager]), "hand": hand}
        await _bet(request, name, who, "place_wager", fields, f"{key}:{wager}")


async def _bet(
    request: Request, name: str, who: Person, command: str, fields: dict[str, Any], key: str
) -> None:
    """One of the commands that carry out a player's bets."""
    try:
        made = command_of(command, fields, role="player", who=who.id)
        await casino(request).act(name, made, key=f"{who.id}:{key}")
    except Refused as refusal:
        await note_refusal(request, name, who, command, refusal)
        raise


class Bets(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a player wants to have on the layout, by wager; all else is taken back."""

    bets: dict[str, str]
    key: str


async def bets(request: Request) -> Response:
    """Make a player's bets what the page asks for: undo, clear and double are this."""
    sent: Bets = await body(request, Bets)
    checked_key(sent.key)
    who, name = signed_in(request, "player"), request.path_params["table"]
    seat = _seat_here(request, who, name)
    live = casino(request).table(name)
    known = rules_of(live.state).chapter.wagers
    wanted = {wager: cents(amount) for wager, amount in sent.bets.items()}
    for wager in wanted:
        plain, at, number = wager.partition("@")
        if plain not in known or (at and not whole_number(number, 99)):
            raise Refused(
                "no_such_wager", f"there is no wager {printable(wager, 60)}", field="bets"
            )
    order = list(known)
    now = dict(live.state.boxes[seat - 1].layout)
    differ = [wager for wager in now if wanted.get(wager) != now[wager]]
    for wager in sorted(differ, key=lambda one: order.index(wager_of(one)[0]), reverse=True):
        plain, hand = wager_of(wager)
        fields = {"seat": seat, "wager": plain, "hand": hand}
        await _bet(request, name, who, "take_back_wager", fields, f"{sent.key}:back:{wager}")
    left = {wager: amount for wager, amount in wanted.items() if now.get(wager) != amount}
    await _place(request, name, who, seat, left, sent.key)
    return Json({"table": name, "version": live.version})


async def here(request: Request) -> Response:
    """A page confirms that it receives the stream, so the connection works both ways."""
    await body(request, dict[str, Any])
    who, name = signed_in(request, "player"), request.path_params["table"]
    request.app.state.presence.heard(name, who.id)
    return Json({"table": name})


ROUTES = [
    Route("/tables/{table}/commands", command, methods=["POST"]),
    Route("/tables/{table}/ready", ready, methods=["POST"]),
    Route("/tables/{table}/again", again, methods=["POST"]),
    Route("/tables/{table}/bets", bets, methods=["POST"]),
    Route("/tables/{table}/here", here, methods=["POST"]),
    Route("/tables/{table}/company", company, methods=["POST"]),
]
