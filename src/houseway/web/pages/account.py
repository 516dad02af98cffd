"""Accounts: sign in, sign out, roles in the demonstration, one-time links, people."""

from __future__ import annotations

import asyncio
import secrets
from concurrent.futures import ThreadPoolExecutor

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from houseway.errors import Refused
from houseway.floor.bots.dealer import SYSTEM
from houseway.floor.bots.players import is_system
from houseway.floor.bots.standing import INSTRUCTIONS
from houseway.floor.casino import Casino, command_of
from houseway.floor.live_table import Live
from houseway.floor.people import second_factor
from houseway.floor.people.accounts import ALLOWANCE
from houseway.floor.people.directory import LASTS, ROLES, STAFF, Person, digest
from houseway.floor.people.passwords import check_password
from houseway.money import Cents, dollars
from houseway.web.page_support import (
    Json,
    body,
    casino,
    form,
    looked,
    page,
    person,
    signed_in,
    text,
)
from houseway.web.pages.start import start_of
from houseway.web.server.security import SESSION, cookie, secure

#: the people of the demonstration, at least one for each role
DEMONSTRATION = {
    "player": ("pat", "Pat Player"),
    "dealer": ("dana", "Dana Dealer"),
    "floorperson": ("frank", "Frank Floor"),
    "second floorperson": ("fiona", "Fiona Floor"),
    "surveillance": ("sam", "Sam Surveillance"),
    "investigator": ("ines", "Ines Investigator"),
    "compliance": ("carla", "Carla Compliance"),
    "second compliance": ("conrad", "Conrad Compliance"),
    "administrator": ("ada", "Ada Administrator"),
}

#: the cookie that identifies a returning guest
GUEST = "houseway_guest"
#: what a new player buys in for
BUY_IN: Cents = 50_000

#: passwords are hashed in threads of their own, so that no page waits for those who sign in
_hashing = ThreadPoolExecutor(2, thread_name_prefix="houseway-password")


def _address(request: Request) -> str:
    return request.client.host if request.client else "?"


def _inside(path: str) -> str:
    """A path on this site; never another host."""
    good = path.startswith("/") and not path.startswith(("//", "/\\"))
    return path if good else "/"


def _enter(request: Request, who: Person, to: str) -> Response:
    start = start_of(who, demonstration=request.app.state.demonstration)
    if to == "/" and start is not None:
        to = start.path
    token = casino(request).people.open_session(who)
    answer = RedirectResponse(_inside(to), status_code=303)
    answer.headers.append(
        "Set-Cookie",
        cookie(SESSION, token, secure=secure(request.scope), lasts=LASTS["browser"]),
    )
    return answer


async def sign_in_page(request: Request) -> Response:
    return page(request, "sign_in.html", next=request.query_params.get("next", "/"), error=None)


async def sign_in(request: Request) -> Response:
    fields = await form(request)
    name, to = text(fields, "person").lower(), text(fields, "next", "/")
    try:
        who = await check(request, name, text(fields, "password"), text(fields, "code"))
    except Refused as refusal:
        return page(request, "sign_in.html", 401, next=to, error=refusal)
    if needs_second_factor(request, who) and not casino(request).people.has_second_factor(who.id):
        to = "/second-factor"
    return await asyncio.to_thread(_enter, request, who, to)


async def check(request: Request, name: str, password: str, code: str = "") -> Person:
    """The person whose name, password and code these are.

    The attempt is counted first, and too many are refused without a check.
    """
    people, attempts = casino(request).people, request.app.state.attempts
    loop = asyncio.get_running_loop()
    await asyncio.to_thread(attempts.reserve, name, _address(request))
    try:
        who = await loop.run_in_executor(_hashing, people.check_password, name, password)
        if not request.app.state.demonstration and people.has_second_factor(name):
            if not code:
                raise Refused("code_needed", "give the code of your authenticator", field="code")
            await asyncio.to_thread(people.check_second_factor, name, code)
    except Refused:
        # a name that nobody has may be a password in the wrong field: it is not written down
        if people.find(name) is not None:
            access = request.app.state.access
            await asyncio.to_thread(access.not_let_in, name, _address(request))
        raise
    await asyncio.to_thread(attempts.forget, name)
    return who


def needs_second_factor(request: Request, who: Person) -> bool:
    """Whether a person must have a second factor: staff does, outside the demonstration."""
    return who.is_staff and not request.app.state.demonstration


async def proved(request: Request, name: str, password: str, code: str = "") -> Person:
    """The person who gives this password, and the code where one is required.

    In the demonstration nobody needs to have a password.
    """
    people = casino(request).people
    if request.app.state.demonstration and not people.has_password(name):
        return people.get(name)
    if request.state.person is not None and request.state.person.id == name:
        # the code was given when this session was opened
        await asyncio.to_thread(request.app.state.attempts.reserve, name, _address(request))
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(_hashing, people.check_password, name, password)
    who = await check(request, name, password, code)
    if needs_second_factor(request, who) and not people.has_second_factor(name):
        raise Refused(
            "no_second_factor", f"{name} must set up an authenticator before signing",
            field="second",
        )  # fmt: skip
    return who


# the second factor


async def second_factor_page(request: Request) -> Response:
    """The page on which a person sets up an authenticator."""
    who = request.state.enrolling or signed_in(request)
    secret = second_factor.new_secret()
    return _second_factor(request, who, secret)


def _second_factor(
    request: Request, who: Person, secret: str, error: Refused | None = None
) -> Response:
    return page(
        request, "second_factor.html", 422 if error else 200, who=who, secret=secret,
        address=second_factor.address(secret, who.id), codes=(), error=error,
    )  # fmt: skip


async def set_second_factor(request: Request) -> Response:
    fields = await form(request)
    who = request.state.enrolling or signed_in(request)
    _at_a_page(request)
    people, secret = casino(request).people, text(fields, "secret")
    if request.state.enrolling is None and people.has_second_factor(who.id):
        # whoever found an open page does not put another authenticator in the place of the owner's
        await check(request, who.id, text(fields, "password"), text(fields, "old_code"))
    try:
        codes = await asyncio.to_thread(
            people.set_second_factor, who.id, secret, text(fields, "code")
        )
    except Refused as refusal:
        return _second_factor(request, who, secret, refusal)
    return page(
        request, "second_factor.html", who=who, secret="", address="", codes=codes, error=None
    )


async def sign_out(request: Request) -> Response:
    await form(request)
    if request.state.session:
        await asyncio.to_thread(casino(request).people.close_session, request.state.session)
    answer = RedirectResponse("/", status_code=303)
    answer.headers.append("Set-Cookie", cookie(SESSION, "", secure=secure(request.scope), lasts=0))
    return answer


async def enter_demonstration(request: Request) -> Response:
    """Choose a role in the demonstration, without a password."""
    fields = await form(request)
    if not request.app.state.demonstration:
        raise Refused("no_such_page", "there is no such page")
    role, people = text(fields, "role"), casino(request).people
    if role == "guest":
        who = await guest(request, text(fields, "name"))
    elif role in DEMONSTRATION:
        who = people.get(DEMONSTRATION[role][0])
    else:
        raise Refused("no_such_role", f"there is no role {role}", field="role")
    to = text(fields, "next", "/")
    answer = await asyncio.to_thread(_enter, request, who, to)
    if role == "guest":
        await remember_guest(request, answer, who)
    return answer


async def guest(request: Request, name: str = "") -> Person:
    """The guest that this browser was before, with the same chips; otherwise a new one."""
    people = casino(request).people
    known = people.holder(request.cookies.get(GUEST, ""), "guest")
    if known is not None and name in ("", known.name):
        return known
    id = f"guest-{secrets.token_hex(3)}"
    who = await asyncio.to_thread(people.add, id, name or "Guest", ["player"], by="demonstration")
    await asyncio.to_thread(casino(request).give, who, ALLOWANCE, by="demonstration")
    return who


async def remember_guest(request: Request, answer: Response, who: Person) -> None:
    """Let this browser be the same guest when it comes back."""
    people = casino(request).people
    if people.holder(request.cookies.get(GUEST, ""), "guest") == who:
        return
    token = await asyncio.to_thread(people.open_session, who, "guest")
    kept = cookie(GUEST, token, secure=secure(request.scope), lasts=LASTS["guest"])
    answer.headers.append("Set-Cookie", kept)


async def play_now(request: Request) -> Response:
    """One click from the lobby: a guest with chips at a free seat; a player goes to the table."""
    fields = await form(request)
    house, name = casino(request), text(fields, "table")
    who = person(request)
    live = house.fresh(name)
    new = who is None
    if who is None:
        if not request.app.state.demonstration:
            return RedirectResponse(f"/sign-in?next=/tables/{name}", status_code=303)
        who = await guest(request)
    to = f"/tables/{name}"
    if who.may("player"):
        await _take_a_seat(house, live, who)
        to += "?as=player"
    if not new:
        return RedirectResponse(to, status_code=303)
    answer = await asyncio.to_thread(_enter, request, who, to)
    await remember_guest(request, answer, who)
    return answer


async def _take_a_seat(house: Casino, live: Live, who: Person) -> None:
    """The free seat nearest the middle, and chips for it."""
    seat = house.seat_of(live.name, who.id)
    if not seat:
        middle = (len(live.state.boxes) + 1) / 2
        free = [box.seat for box in live.state.boxes if not box.player and not box.wagers]
        if not free or live.state.phase == "closed":
            return  # the page says so, and lets one watch
        seat = min(free, key=lambda one: abs(one - middle))
        fields = {"seat": seat, "player": who.id}
        await house.act(live.name, command_of("sit_down", fields, role="player", who=who.id))
    chips = min(BUY_IN, house.purse_of(who.id))
    if not live.racks.get(seat, 0) and chips:
        fields = {"seat": seat, "amount": dollars(chips)}
        by = live.state.dealer or SYSTEM
        await house.act(live.name, command_of("buy_in", fields, role="dealer", who=by))


async def instruct(request: Request) -> Response:
    """What a player wants done with a hand when away."""
    sent: dict[str, str] = await body(request, dict[str, str])
    who = signed_in(request, "player")
    wanted = sent.get("instruction", "")
    if wanted not in INSTRUCTIONS:
        known = " or ".join(INSTRUCTIONS)
        raise Refused("no_such_instruction", f"an instruction is {known}", field="instruction")
    await asyncio.to_thread(casino(request).people.instruct, who.id, wanted)
    return Json({"instruction": wanted})


# the one-time link


async def link_page(request: Request) -> Response:
    who = casino(request).people.holder(request.path_params["token"], "link")
    if who is None:
        raise Refused("no_such_page", "this link was already used or has expired")
    return page(request, "link.html", who=who, error=None)


async def use_link(request: Request) -> Response:
    fields = await form(request)
    people, token = casino(request).people, request.path_params["token"]
    who = people.holder(token, "link")
    if who is None:
        raise Refused("no_such_page", "this link was already used or has expired")
    password = text(fields, "password")
    try:
        if password != text(fields, "again"):
            raise Refused("not_the_same", "the two passwords differ", field="again")
        check_password(password, who.id)
    except Refused as refusal:
        return page(request, "link.html", 422, who=who, error=refusal)
    await asyncio.to_thread(people.use_link, token, password)
    to = "/second-factor" if needs_second_factor(request, who) else "/"
    return await asyncio.to_thread(_enter, request, who, to)


# people


async def people_page(request: Request) -> Response:
    await looked(request, signed_in(request, "administrator"), "people and their roles")
    link = ""
    everybody = _everybody(request)
    return page(
        request,
        "people.html",
        everybody=everybody,
        roles=ROLES,
        link=link,
        error=None,
        people=casino(request).people,
    )


def _everybody(request: Request) -> list[Person]:
    """Everybody who can sign in; computer players cannot."""
    return [one for one in casino(request).people.everybody() if not is_system(one.id)]


async def _second(request: Request, fields: FormData) -> Person:
    """The staff member who signs with an administrator."""
    second = await proved(
        request, text(fields, "second"), text(fields, "second_password"),
        text(fields, "second_code"),
    )  # fmt: skip
    if not second.is_staff:
        raise Refused(
            "not_your_role", "the second person must be a member of the staff", field="second"
        )
    return second


async def _sign_for_staff(
    request: Request, fields: FormData, by: str, id: str, roles: list[str]
) -> None:
    """Giving a staff role takes two people, so nobody can create their own second person.

    The first administrator is exempt.
    """
    people = casino(request).people
    known = people.find(id)
    more = STAFF & set(roles) - set(known.roles if known is not None else ())
    if not more or request.app.state.demonstration or not people.has_staff_beside(by, id):
        return
    if text(fields, "second") in ("", by, id):
        raise Refused(
            "two_people", "a second member of the staff must sign for a staff role",
            field="second",
        )  # fmt: skip
    second = await _second(request, fields)
    await asyncio.to_thread(
        request.app.state.access.signed, second.id, "roles", f"{id}: {', '.join(roles)}, with {by}"
    )


async def change_people(request: Request) -> Response:
    fields = await form(request)
    by = signed_in(request, "administrator").id
    _at_a_page(request)
    house = casino(request)
    roles = [str(role) for role in fields.getlist("roles")]
    id, link, error = text(fields, "person"), "", None
    what = text(fields, "what")
    try:
        if what in ("disable", "enable"):
            await asyncio.to_thread(getattr(house.people, what), id, by=by)
        elif what == "revoke":
            session = text(fields, "session")
            await asyncio.to_thread(house.people.revoke, id, session, by=by)
        elif what == "reset":
            second = await _second(request, fields)
            link = await asyncio.to_thread(house.people.reset, id, by=by, second=second.id)
        elif what == "add":
            await _sign_for_staff(request, fields, by, id, roles)
            who = await asyncio.to_thread(house.people.add, id, text(fields, "name"), roles, by=by)
            if who.may("player"):
                await asyncio.to_thread(house.give, who, ALLOWANCE, by=by)
            link = await asyncio.to_thread(house.people.open_session, who, "link")
        else:
            await _sign_for_staff(request, fields, by, id, roles)
            await asyncio.to_thread(house.people.change_roles, id, roles, by=by)
    except Refused as refusal:
        error = refusal
    everybody = _everybody(request)
    return page(
        request,
        "people.html",
        422 if error else 200,
        everybody=everybody,
        roles=ROLES,
        people=house.people,
        link=f"{request.base_url}link/{link}" if link else "",
        error=error,
    )


async def me(request: Request) -> Response:
    """My account: bankroll, roles, sessions, and tokens for programs."""
    return _me(request, signed_in(request))


def _me(request: Request, who: Person, token: str = "") -> Response:
    people = casino(request).people
    return page(
        request, "me.html", purse=casino(request).purse_of(who.id), roles=ROLES, token=token,
        sessions=people.sessions_of(who.id), here=digest(request.state.session)[:16],
        second_factor=people.has_second_factor(who.id),
    )  # fmt: skip


def _at_a_page(request: Request) -> None:
    """Refuse a program, so that whoever finds a token cannot create another way in with it."""
    if request.state.bearer:
        raise Refused("not_with_a_token", "sign in on a page for this; a token is not enough")


async def make_token(request: Request) -> Response:
    await form(request)
    who = signed_in(request)
    _at_a_page(request)
    token = await asyncio.to_thread(casino(request).people.open_session, who, "api")
    return _me(request, who, token)


async def end_session(request: Request) -> Response:
    """End one of my own sessions or tokens."""
    fields = await form(request)
    who = signed_in(request)
    people = casino(request).people
    await asyncio.to_thread(people.revoke, who.id, text(fields, "session"), by=who.id)
    return RedirectResponse("/me", status_code=303)


ROUTES = [
    Route("/sign-in", sign_in_page),
    Route("/sign-in", sign_in, methods=["POST"]),
    Route("/sign-out", sign_out, methods=["POST"]),
    Route("/play", play_now, methods=["POST"]),
    Route("/me/standing", instruct, methods=["POST"]),
    Route("/demonstration", enter_demonstration, methods=["POST"]),
    Route("/link/{token}", link_page),
    Route("/link/{token}", use_link, methods=["POST"]),
    Route("/people", people_page),
    Route("/people", change_people, methods=["POST"]),
    Route("/me", me),
    Route("/me/token", make_token, methods=["POST"]),
    Route("/me/sessions", end_session, methods=["POST"]),
    Route("/second-factor", second_factor_page),
    Route("/second-factor", set_second_factor, methods=["POST"]),
]
